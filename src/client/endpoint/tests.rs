use proptest::prelude::*;

use super::*;
use crate::model::{Period, PostOrder, SatNumber, Tag, Text};

fn config() -> ClientConfig {
    ClientConfig::at("http://example.org")
}

fn path(request: Request) -> String {
    path_and_query(&config(), &request).unwrap()
}

fn text(text: &str) -> Text {
    Text::from(text)
}

fn euro() -> Currency {
    Currency::parse("EUR").unwrap()
}

fn token(ticker: &str) -> Request {
    Request::Brc20Token { ticker: text(ticker) }
}

#[test]
fn market_requests_have_documented_parameters() {
    let usd = Currency::usd;
    let coins = |start, convert| Request::Coins { tag: Tag::Brc20, start, limit: 200, convert };
    assert_eq!(path(coins(1, usd())), "/coins?tag=brc-20&start=1&limit=200");
    assert_eq!(path(coins(201, euro())), "/coins?tag=brc-20&start=201&limit=200&convert=EUR");
    assert_eq!(
        path(Request::Posts { symbol: text("ORDI"), slug: None, order: PostOrder::Latest }),
        "/content?post_type=latest&symbol=ORDI"
    );
    assert_eq!(
        path(Request::MarketPairs { symbol: text("$OG$"), slug: Some(text("og")), convert: usd() }),
        "/exchanges?symbol=%24OG%24"
    );
    let own = ClientConfig { is_own_market: true, ..config() };
    let pairs = Request::MarketPairs { symbol: text("$OG$"), slug: Some(text("og")), convert: usd() };
    assert_eq!(path_and_query(&own, &pairs).unwrap(), "/exchanges?symbol=%24OG%24&slug=og");
    let posts = Request::Posts { symbol: text("$OG$"), slug: Some(text("og")), order: PostOrder::Top };
    assert_eq!(path_and_query(&own, &posts).unwrap(), "/content?post_type=top&symbol=%24OG%24&slug=og");
    assert_eq!(path(posts), "/content?post_type=top&symbol=%24OG%24");
    assert_eq!(
        path(Request::Chart { slug: text("ordi"), period: Period::Week, convert: usd() }),
        "/chart?slug=ordi&period=7D"
    );
    assert_eq!(
        path(Request::MarketData {
            symbols: vec![text("ORDI"), text("A&B"), text("C,D")],
            convert: usd(),
            count: 96,
            interval: text("15m"),
        }),
        "/market/data?symbol=ORDI,A%26B,C%2CD&convert=USD&count=96&interval=15m"
    );
    assert_eq!(path(Request::CategoryStats { tag: Tag::Brc20, convert: usd() }), "/coins/stats?tag=brc-20");
}

#[test]
fn first_index_zero_shifts_start() {
    let config = ClientConfig { first_index: 0, ..config() };
    let request = Request::Coins { tag: Tag::All, start: 101, limit: 100, convert: Currency::usd() };
    assert_eq!(path_and_query(&config, &request).unwrap(), "/coins?tag=all&start=100&limit=100");
}

#[test]
fn ticker_bytes_survive_url_encoding() {
    for (ticker, encoded) in [
        ("ordi", "ordi"),
        ("🔥", "%F0%9F%94%A5"),
        ("a/b?", "a%2Fb%3F"),
        ("#&%+", "%23%26%25%2B"),
        ("$OG$", "%24OG%24"),
        ("a b'", "a%20b%27"),
        ("\\\t\r\n", "%5C%09%0D%0A"),
        ("....", "...."),
        ("%2e.", "%252e."),
        ("-._~", "-._~"),
        ("a\\u{202e}b", "a%E2%80%AEb"),
    ] {
        assert_eq!(path(token(ticker)), format!("/ordinals/brc-20/tokens/{encoded}"));
    }
}

#[test]
fn ticker_invalid_in_a_path_is_rejected() {
    for ticker in [".", "..", ""] {
        let error = path_and_query(&config(), &token(ticker)).unwrap_err();
        assert!(matches!(error, ErrorKind::InvalidRequest(_)), "{error}");
    }
    let mut config = config();
    config.paths.brc20_token = String::from("token?chain=btc&tick={ticker}");
    assert_eq!(path_and_query(&config, &token("..")).unwrap(), "/token?chain=btc&tick=..");
}

#[test]
fn request_without_subject_is_rejected() {
    let convert = Currency::usd();
    for request in [
        Request::Posts { symbol: text(""), slug: None, order: PostOrder::Top },
        Request::MarketPairs { symbol: text(""), slug: None, convert: convert.clone() },
        Request::Chart { slug: text(""), period: Period::Day, convert: convert.clone() },
        Request::MarketData { symbols: Vec::new(), convert, count: 1, interval: text("5m") },
        Request::Brc20Balances { address: text(""), offset: 0, limit: 20 },
    ] {
        assert!(matches!(path_and_query(&config(), &request), Err(ErrorKind::InvalidRequest(_))), "{request:?}");
    }
}

#[test]
fn symbol_batches_keep_the_order_and_fit_a_request_line() {
    let sizes = |symbols: Vec<Text>| symbol_batches(symbols, MAX_SYMBOLS).iter().map(Vec::len).collect::<Vec<_>>();
    assert!(symbol_batches([], MAX_SYMBOLS).is_empty());
    let short: Vec<Text> = (0..450).map(|n| text(&format!("C{n}"))).collect();
    assert_eq!(symbol_batches(short.clone(), MAX_SYMBOLS).concat(), short);
    assert_eq!(sizes(short), [200, 200, 50]);
    // Each takes 12 bytes a letter in the URL.
    let long: Vec<Text> = (0..10).map(|_| text(&"🔥".repeat(100))).collect();
    assert_eq!(sizes(long.clone()), [4, 4, 2]);
    for symbols in symbol_batches(long, MAX_SYMBOLS) {
        let request = Request::MarketData { symbols, convert: euro(), count: 7, interval: text("5m") };
        assert!(path(request).len() < 6_100);
    }
    assert_eq!(sizes(vec![text(&"x".repeat(7_000)), text("y")]), [1, 1], "a long symbol stands alone");
    assert_eq!([0, 1, 125, 126, 365, 25_001].map(max_symbols), [200, 200, 200, 198, 68, 1]);
}

proptest! {
    #[test]
    fn path_encodes_any_ticker_unambiguously(ticker in "\\PC{1,6}|.{1,4}|[./%2eE\\\\?#]{1,6}") {
        prop_assume!(ticker != "." && ticker != "..");
        let path = path(token(&ticker));
        let url = url::Url::parse(&Base::parse("http://indexer.example").unwrap().join(&path)).unwrap();
        prop_assert_eq!(url.path(), path.as_str());
        let segment = url.path().rsplit('/').next().unwrap();
        let decoded = percent_encoding::percent_decode_str(segment).decode_utf8().unwrap();
        prop_assert_eq!(decoded, unescape_ticker(&ticker));
    }

    #[test]
    fn query_encodes_any_symbols(symbols in prop::collection::vec("\\PC{1,6}|.{1,4}|[&=+%,# ]{1,6}", 1..5)) {
        let request = Request::MarketData {
            symbols: symbols.iter().map(|symbol| text(symbol)).collect(),
            convert: euro(),
            count: 7,
            interval: text("5m"),
        };
        let url = url::Url::parse(&Base::parse("http://market.example").unwrap().join(&path(request))).unwrap();
        let read: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        let pair = |name: &str, value: &str| (String::from(name), String::from(value));
        prop_assert_eq!(read, [
            pair("symbol", &symbols.join(",")), pair("convert", "EUR"), pair("count", "7"), pair("interval", "5m"),
        ]);
    }
}

#[test]
fn configured_path_without_parameter_is_rejected() {
    let mut config = config();
    config.paths.brc20_token = String::from("/tokens/{tick}");
    let error = path_and_query(&config, &token("ordi")).unwrap_err();
    let why = String::from("the path /tokens/{tick} lacks {ticker}");
    assert_eq!(error, ErrorKind::BadUrl(why));
}

#[test]
fn configured_sort_parameter_replaces_ours() {
    let tokens = Request::Brc20Tokens { ticker: None, offset: 0, limit: 20 };
    for (template, expected, plain) in [
        ("/tokens", "/tokens?offset=0&limit=20&order_by=tx_count", Some("/tokens?offset=0&limit=20")),
        ("/tokens?order_by=index", "/tokens?order_by=index&offset=0&limit=20", None),
        (
            "/tokens?reorder_by=index",
            "/tokens?reorder_by=index&offset=0&limit=20&order_by=tx_count",
            Some("/tokens?reorder_by=index&offset=0&limit=20"),
        ),
    ] {
        let mut config = config();
        config.paths.brc20_tokens = template.to_owned();
        assert_eq!(path_and_query(&config, &tokens).unwrap(), expected);
        assert_eq!(without_order(&config, &tokens).as_deref(), plain);
    }
}

#[test]
fn indexer_lists_request_one_page() {
    let tokens = |ticker: Option<&str>, limit| Request::Brc20Tokens { ticker: ticker.map(text), offset: 40, limit };
    assert_eq!(path(tokens(None, 20)), "/ordinals/brc-20/tokens?offset=40&limit=20&order_by=tx_count");
    assert_eq!(path(tokens(Some("or"), 500)), "/ordinals/brc-20/tokens?ticker=or&offset=40&limit=60&order_by=tx_count");
    assert_eq!(path(tokens(None, 0)), "/ordinals/brc-20/tokens?offset=40&limit=1&order_by=tx_count");
    assert_eq!(
        path(Request::Brc20Activity { ticker: Some(text("ORDÉ")), block_height: Some(0), offset: 0, limit: 20 }),
        "/ordinals/brc-20/activity?ticker=ord%C3%A9&block_height=0&offset=0&limit=20"
    );
    assert_eq!(
        path(Request::SatInscriptions { number: SatNumber::new(7).unwrap(), offset: 0, limit: 60 }),
        "/ordinals/sats/7/inscriptions?offset=0&limit=60"
    );
    assert_eq!(path(Request::Inscription { inscription: InscriptionRef::Number(-7) }), "/ordinals/inscriptions/-7");
    assert_eq!(
        path(Request::InscriptionStats { from_block: None, to_block: Some(9) }),
        "/ordinals/stats/inscriptions?to_block_height=9"
    );
}

#[test]
fn base_url_hides_user() {
    let base = Base::parse("https://me:s%40cret@api.example:8443/v3/").unwrap();
    assert_eq!(base.join("/coins"), "https://api.example:8443/v3/coins");
    assert_eq!(base.origin(), "https://api.example:8443");
    assert_eq!(base.user(), Some(("me", Some("s@cret"))));
    assert!(!format!("{base:?}").contains("cret"));
}

#[test]
fn invalid_base_url_is_rejected() {
    for text in ["", "api.example", "ftp://api.example", "http://", "https://api.example/?key=1", "http://a b/"] {
        assert!(matches!(Base::parse(text), Err(ErrorKind::BadUrl(_))), "{text}");
    }
}

#[test]
fn loopback_addresses_are_recognised() {
    for text in ["http://127.0.0.1:8787", "http://[::1]:8787", "http://localhost", "http://127.9.9.9"] {
        assert!(Base::parse(text).unwrap().is_loopback(), "{text}");
    }
    assert!(!Base::parse("http://localhost.example").unwrap().is_loopback());
}
