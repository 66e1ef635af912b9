//! Responses of the market group in every known dialect and in unknown ones, through the public `decode`.

mod amount_units;
mod candle_volumes;
mod chart_formats;
mod charts;
mod columns;
mod crossed;
mod currencies;
mod denominations;
mod dialects;
mod envelopes;
mod figures;
mod identity;
mod keyed_by_name;
mod nested_pairs;
mod other_coins;
mod pair_names;
mod pairs;
mod places;
mod point_formats;
mod points;
mod posts;
mod properties;
mod quotes;
mod stated_currencies;
mod tables;
mod time_zones;
mod units;

use satscope::client::decode::decode;
use satscope::client::{ErrorKind, Limits, Request, ResponseData, Warning};
use satscope::model::coin::GAP;
use satscope::model::{Chart, Coin, Currency, MarketPair, MarketSeries, Page, Period, Post, PostOrder, Tag, Text};
use serde_json::Value;

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/market/", $name, ".json"))
    };
}
use fixture;

/// Every fixture with its operation.
fn fixtures() -> Vec<(&'static str, Request, &'static str)> {
    vec![
        ("coins_cmc_v1", coins_in("USD"), fixture!("coins_cmc_v1")),
        ("coins_cmc_v3", coins_in("USD"), fixture!("coins_cmc_v3")),
        ("coins_web", coins_in("USD"), fixture!("coins_web")),
        ("coins_coingecko", coins_in("USD"), fixture!("coins_coingecko")),
        ("coins_joined", coins_in("USD"), fixture!("coins_joined")),
        ("coin_coingecko_detail", coins_in("USD"), fixture!("coin_coingecko_detail")),
        ("coins_odd", stats(), fixture!("coins_odd")),
        ("posts_top", posts(), fixture!("posts_top")),
        ("posts_news", posts(), fixture!("posts_news")),
        ("posts_comments", posts(), fixture!("posts_comments")),
        ("pairs_cmc", pairs(None), fixture!("pairs_cmc")),
        ("pairs_by_symbol", pairs(Some("ordi")), fixture!("pairs_by_symbol")),
        ("pairs_web", pairs(None), fixture!("pairs_web")),
        ("pairs_coingecko", pairs(None), fixture!("pairs_coingecko")),
        ("chart_v3", chart_in("USD"), fixture!("chart_v3")),
        ("chart_v3_3", chart_in("USD"), fixture!("chart_v3_3")),
        ("chart_coingecko", chart_in("USD"), fixture!("chart_coingecko")),
        ("chart_quotes", chart_in("USD"), fixture!("chart_quotes")),
        ("chart_candles", chart_in("USD"), fixture!("chart_candles")),
        ("chart_plain", chart_in("USD"), fixture!("chart_plain")),
        ("market_by_symbol", market(&["ORDI", "SATS"]), fixture!("market_by_symbol")),
        ("market_by_id", market(&["ORDI", "SATS"]), fixture!("market_by_id")),
    ]
}

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn coins_in(code: &str) -> Request {
    Request::Coins { tag: Tag::All, start: 1, limit: 100, convert: currency(code) }
}

fn stats() -> Request {
    Request::CategoryStats { tag: Tag::Brc20, convert: currency("USD") }
}

fn posts() -> Request {
    Request::Posts { symbol: "ORDI".into(), slug: None, order: PostOrder::Top }
}

fn pairs(slug: Option<&str>) -> Request {
    Request::MarketPairs { symbol: "ORDI".into(), slug: slug.map(Text::from), convert: currency("USD") }
}

fn chart_in(code: &str) -> Request {
    Request::Chart { slug: "ordi".into(), period: Period::Day, convert: currency(code) }
}

fn market(symbols: &[&str]) -> Request {
    let symbols = symbols.iter().copied().map(Text::from).collect();
    Request::MarketData { symbols, convert: currency("EUR"), count: 10, interval: "5m".into() }
}

fn get(request: &Request, body: &str) -> Result<(ResponseData, Vec<Warning>), ErrorKind> {
    decode(request, body.as_bytes(), Some("application/json"), &Limits::default())
}

fn coins(request: &Request, body: &str) -> (Page<Coin>, Vec<Warning>) {
    match get(request, body).unwrap() {
        (ResponseData::Coins(page), warnings) => (page, warnings),
        other => panic!("{other:?}"),
    }
}

fn get_posts(body: &str) -> (Vec<Post>, Vec<Warning>) {
    match get(&posts(), body).unwrap() {
        (ResponseData::Posts(page), warnings) => (page.items, warnings),
        other => panic!("{other:?}"),
    }
}

fn get_pairs(slug: Option<&str>, body: &str) -> (Page<MarketPair>, Vec<Warning>) {
    match get(&pairs(slug), body).unwrap() {
        (ResponseData::MarketPairs(page), warnings) => (page, warnings),
        other => panic!("{other:?}"),
    }
}

fn chart(code: &str, body: &str) -> (Chart, Vec<Warning>) {
    match get(&chart_in(code), body).unwrap() {
        (ResponseData::Chart(chart), warnings) => (chart, warnings),
        other => panic!("{other:?}"),
    }
}

fn series(symbols: &[&str], body: &str) -> (Vec<MarketSeries>, Vec<Warning>) {
    match get(&market(symbols), body).unwrap() {
        (ResponseData::Market(series), warnings) => (series, warnings),
        other => panic!("{other:?}"),
    }
}

/// The response as the command line prints it.
fn to_json(response: &ResponseData) -> Value {
    let json = match response {
        ResponseData::Coins(page) => serde_json::to_value(&page.items),
        ResponseData::Posts(page) => serde_json::to_value(&page.items),
        ResponseData::MarketPairs(page) => serde_json::to_value(&page.items),
        ResponseData::Chart(chart) => serde_json::to_value(chart),
        ResponseData::Market(series) => serde_json::to_value(series),
        other => panic!("{other:?}"),
    };
    json.unwrap()
}

#[test]
fn fixtures_decode_as_reviewed() {
    for (name, request, body) in fixtures() {
        let (response, warnings) = get(&request, body).unwrap_or_else(|error| panic!("{name}: {error}"));
        let json = serde_json::json!({ "data": to_json(&response), "warnings": warnings });
        insta::assert_snapshot!(name, serde_json::to_string_pretty(&json).unwrap());
    }
}

#[test]
fn coins_of_all_api_versions_decode_to_the_same_model() {
    let (reference, _) = coins(&coins_in("USD"), fixture!("coins_cmc_v1"));
    assert_eq!(reference.items.len(), 2);
    assert_eq!(reference.total, Some(41));
    for (name, body) in [
        ("v3", fixture!("coins_cmc_v3")),
        ("web", fixture!("coins_web")),
        ("joined", fixture!("coins_joined")),
        ("coingecko", fixture!("coins_coingecko")),
    ] {
        let (page, warnings) = coins(&coins_in("USD"), body);
        if name != "joined" {
            assert_eq!(warnings, [] as [&str; 0], "{name}");
        }
        let mut items = page.items;
        items.sort_by_key(|coin| std::cmp::Reverse(coin.rank));
        for (coin, same) in items.iter_mut().zip(&reference.items) {
            if name == "coingecko" {
                assert_eq!(coin.slug.as_ref(), Some(&coin.id.0));
                (coin.id, coin.slug) = (same.id.clone(), same.slug.clone());
                coin.tags = same.tags.clone();
                coin.contracts = same.contracts.clone();
            } else {
                assert_eq!(page.total, Some(41), "{name}");
            }
            if name == "web" {
                coin.contracts = same.contracts.clone();
            }
            // Fields that only some services have.
            [coin.high_24h, coin.low_24h, coin.all_time_high, coin.all_time_low] = [None; 4];
            coin.links = Vec::new();
            coin.sparkline_7d.clear();
            assert_eq!(coin, same, "{name}");
        }
        assert_eq!(items.len(), 2, "{name}");
    }
}

#[test]
fn highs_and_lows_are_equal_in_every_dialect() {
    for body in [
        fixture!("coins_web"),
        fixture!("coins_joined"),
        fixture!("coins_coingecko"),
        fixture!("coin_coingecko_detail"),
    ] {
        let (page, _) = coins(&coins_in("USD"), body);
        let ordi = page.items.iter().find(|coin| coin.name == "ORDI").unwrap();
        let range = [ordi.high_24h, ordi.low_24h, ordi.all_time_high, ordi.all_time_low];
        assert_eq!(range, [Some(8.91), Some(8.2), Some(96.17), Some(2.86)]);
    }
}

#[test]
fn missing_price_of_a_sparkline_is_a_gap() {
    for (sparkline, expected) in [
        (r#"{"price":[0,null,"7.1",-3,8.4]}"#, &[0.0, GAP, 7.1, GAP, 8.4][..]),
        ("[null,-1,null]", &[]),
        (r#"[{"timestamp":1795074900,"price":null},{"timestamp":1795075200,"price":2}]"#, &[GAP, 2.0]),
    ] {
        let body = format!(r#"[{{"id":1,"name":"A","sparkline_in_7d":{sparkline}}}]"#);
        let (page, _) = coins(&coins_in("USD"), &body);
        assert_eq!(page.items[0].sparkline_7d, expected, "{sparkline}");
    }
}

#[test]
fn sparkline_in_the_quote_is_read() {
    for body in [
        r#"[{"id":1,"name":"A","quote":{"USD":{"price":2,"sparkline_7d":[1,2,3]},"EUR":{"sparkline_7d":[9]}}}]"#,
        r#"[{"id":1,"name":"A","quote":[{"symbol":"EUR","sparkline":[9]},{"symbol":"USD","sparkline":{"price":[1,2,3]}}]}]"#,
        r#"[{"id":1,"name":"A","quotes":[{"name":"USD","points":{"1795074900":1,"1795075200":2,"1795075500":3}}]}]"#,
        r#"[{"id":1,"name":"A","quote":{"price":2,"sparkline_in_7d":{"price":[1,2,3]}}}]"#,
        r#"[{"id":1,"name":"A","market_data":{"quote":{"USD":{"sparkline":[1,2,3]}}}}]"#,
        r#"[{"id":1,"name":"A","sparkline":[1,2,3],"quote":{"USD":{"sparkline":[7,8]}}}]"#,
    ] {
        let (page, warnings) = coins(&coins_in("USD"), body);
        assert_eq!((page.items[0].sparkline_7d.as_slice(), warnings), ([1.0, 2.0, 3.0].as_slice(), vec![]), "{body}");
    }
}

#[test]
fn bad_item_is_skipped() {
    let (page, warnings) = coins(&stats(), fixture!("coins_odd"));
    let ids: Vec<&str> = page.items.iter().map(|coin| coin.id.0.as_str()).collect();
    assert_eq!(ids, ["1", "2", "only-a-slug", "SYM", "4"]);
    let warned = |start: &str| assert!(warnings.iter().any(|w| w.starts_with(start)), "{start}: {warnings:#?}");
    warned("$.results[1].price: found \"abc\", expected");
    warned("$.results[1].volume_24h: found 1e999, expected");
    warned("$.results[1].max_supply: found NaN, expected");
    warned("$.results[2]: invalid JSON, expected a comma or } at byte");
    warned("$.results[3]: found an object, expected a coin with a name or symbol");
    warned("$.results[4]: found 17, expected a coin with a name or symbol");
    assert_eq!(page.items[1].name, "Half [31mred");
    assert_eq!(page.items[1].symbol, "HLF");
}

#[test]
fn bad_item_in_large_body_is_skipped() {
    let good = |id: usize| {
        format!(
            r#"{{"id":{id},"name":"Coin {id}","symbol":"C{id}","quote":{{"USD":{{"price":1.5}}}},"pad":"{}"}}"#,
            "x".repeat(400)
        )
    };
    let mut items: Vec<String> = (1..=2_200).map(good).collect();
    items[1_100] = r#"{"id":1101,"name":"broken","quote":{"USD":{"price":1.5}},,:}"#.into();
    let body = format!(r#"{{"data":[{}]}}"#, items.join(","));
    assert!(body.len() > 1_000_000);
    let (page, warnings) = coins(&coins_in("USD"), &body);
    assert_eq!(page.items.len(), 2_199);
    assert!(matches!(warnings.as_slice(), [one] if one.starts_with("$.data[1100]: invalid JSON")), "{warnings:?}");
}

/// Small responses that expand in the model are limited.
#[test]
fn endless_lists_are_truncated() {
    let body = format!("[{}]", vec![r#"{"slug":"a"}"#; 150_000].join(","));
    let (page, warnings) = coins(&coins_in("USD"), &body);
    assert_eq!(page.items.len(), 100_000);
    assert_eq!(warnings, ["read only the first 100000 of 150000 items"]);

    let body = format!("[{}]", vec![r#"{"slug":"a"}"#; 100_000].join(","));
    let (page, warnings) = coins(&coins_in("USD"), &body);
    assert_eq!((page.items.len(), warnings), (100_000, vec![]));

    let rows = |count: u64| (0..count).map(|i| format!("[{},1]", 1_795_000_000 + i)).collect::<Vec<_>>().join(",");
    let times = |count: u64| (0..count).map(|i| (1_795_000_000 + i).to_string()).collect::<Vec<_>>().join(",");
    for (count, warning) in [(210_000, None), (210_009, Some("read only the first 210000 of 210009 points"))] {
        for body in [format!("[{}]", rows(count)), format!(r#"{{"t":[{0}],"c":[{0}]}}"#, times(count))] {
            let (chart, warnings) = chart("USD", &body);
            assert_eq!(chart.points.len(), 210_000);
            assert_eq!(warnings.first().map(String::as_str), warning, "{warnings:?}");
        }
    }
}

#[test]
fn requested_currency_is_used_and_another_one_is_labelled() {
    let (page, warnings) = coins(&coins_in("EUR"), fixture!("coins_cmc_v3"));
    assert_eq!(page.items[0].convert, currency("USD"));
    assert_eq!((&page.items[1].convert, page.items[1].price), (&currency("EUR"), Some(56_730.2)));
    assert_eq!(warnings, ["prices are in USD instead of EUR"]);

    let (page, warnings) = coins(&coins_in("EUR"), fixture!("coins_coingecko"));
    assert_eq!(page.items[0].convert, currency("EUR"));
    assert_eq!(warnings, ["response doesn't state its currency; assuming EUR"]);

    let (page, _) = coins(&coins_in("EUR"), fixture!("coin_coingecko_detail"));
    assert_eq!((&page.items[0].convert, page.items[0].price), (&currency("EUR"), Some(7.79)));

    // Neither is the requested one: dollars are preferred, otherwise the first is used.
    for (quotes, taken) in [
        (r#"{"EUR":{"price":7},"USD":{"price":8}}"#, ("USD", 8.0)),
        (r#"{"USD":{"price":8},"EUR":{"price":7}}"#, ("USD", 8.0)),
        (r#"{"EUR":{"price":7},"JPY":{"price":1300}}"#, ("EUR", 7.0)),
        (r#"[{"name":"2790","price":7},{"name":"2781","price":8}]"#, ("USD", 8.0)),
    ] {
        let (page, _) = coins(&coins_in("GBP"), &format!(r#"[{{"id":1,"name":"A","quote":{quotes}}}]"#));
        assert_eq!((page.items[0].convert.as_str(), page.items[0].price), (taken.0, Some(taken.1)), "{quotes}");
    }
}

#[test]
fn empty_lists_are_valid_and_unknown_shapes_are_not() {
    for body in [
        "[]",
        r#"{"data":[]}"#,
        r#"{"data":{}}"#,
        r#"{"data":null}"#,
        r#"{"status":{"error_code":0,"total_count":0},"data":[]}"#,
        r#"{"data":{"cryptoCurrencyList":[],"totalCount":"0"}}"#,
    ] {
        assert_eq!(coins(&coins_in("USD"), body).0.items, [], "{body}");
    }
    let error = |body: &str| get(&coins_in("USD"), body).unwrap_err();
    let strange = |what: &str| ErrorKind::Unrecognised(what.to_owned());
    assert_eq!(error(r#"{"a":1,"b":"x","c":null}"#), strange("an object with the fields a, b, c"));
    assert_eq!(error(r#"{"data":[{"a":1},{"b":2}]}"#), strange("an object with the field a"));
    let many = r#"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}"#;
    assert_eq!(error(many), strange("an object with the fields a, b, c, d, e, f, g, h, …"));
    assert_eq!(error("[1,2,3]"), strange("1"));
    assert_eq!(error("{}"), strange("an empty object"));
    assert_eq!(error("\"hello\""), strange("\"hello\""));
    assert_eq!(error("null"), strange("null"));
    assert_eq!(error(""), ErrorKind::Empty);
    assert_eq!(error("<html><title>Down</title>"), ErrorKind::NotJson("an HTML page (“Down”)".into()));
    assert_eq!(error(r#"{"data":[{"id":1,"na"#), ErrorKind::Incomplete);
    assert_eq!(error(&"[".repeat(100_000)), ErrorKind::TooDeep(64));
}

#[test]
fn errors_in_200_responses_are_errors() {
    for body in [
        r#"{"status":{"error_code":1008,"error_message":"slow down","credit_count":0}}"#,
        r#"{"status":{"error_code":"1008","error_message":"slow down"},"data":{}}"#,
        r#"{"error":{"status":{"error_code":1008,"error_message":"slow down"}}}"#,
    ] {
        for (_, request, _) in fixtures() {
            let error = get(&request, body).unwrap_err();
            assert_eq!(error, ErrorKind::InBody { code: Some(1008), message: Some("slow down".into()) });
        }
    }
}

#[test]
fn posts_are_sanitised_and_complete() {
    let (posts, warnings) = get_posts(fixture!("posts_top"));
    assert_eq!(posts.len(), 3);
    assert_eq!(posts[0].text, "$ORDI holding the range\nwhile fees cool 🔥");
    assert_eq!((posts[0].likes, posts[0].comments, posts[0].reposts), (Some(37), Some(4), Some(1)));
    assert_eq!(posts[0].symbols, ["ORDI"]);
    assert_eq!(posts[1].text, "]0;owned看好 gnp.exe");
    assert_eq!(posts[2].id, "no id 2026-11-19T07:00:00Z");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    let (news, _) = get_posts(fixture!("posts_news"));
    assert_eq!(
        (news[0].text.as_str(), news[0].author.as_deref()),
        ("Ordinals fees cool\nMempool clears", Some("Desk"))
    );
}

#[test]
fn pairs_of_another_coin_are_skipped() {
    let (page, warnings) = get_pairs(Some("ordi"), fixture!("pairs_by_symbol"));
    let shares: Vec<_> = page.items.iter().map(|pair| (pair.exchange.as_deref(), pair.volume_share_pct)).collect();
    assert_eq!(shares, [(Some("Binance"), Some(75.0)), (Some("OKX"), Some(25.0))]);
    assert_eq!((page.total, warnings.len()), (Some(2), 0));
    let (page, warnings) = get_pairs(None, fixture!("pairs_by_symbol"));
    assert_eq!(page.items.len(), 1);
    assert_eq!(
        warnings,
        ["2 coins share the symbol ORDI (ordinary, ordi); using the first (to select one, use its slug)"]
    );
}

#[test]
fn other_charset_is_decoded_and_named() {
    let body = |text: &[u8], content_type| {
        let response = decode(&posts(), text, content_type, &Limits::default()).unwrap();
        match response {
            (ResponseData::Posts(page), warnings) => (page.items[0].text.clone(), warnings),
            other => panic!("{other:?}"),
        }
    };
    let (text, warnings) = body(b"\xef\xbb\xbf[{\"text\":\"caf\xc3\xa9\"}]", None);
    assert_eq!((text.as_str(), warnings.len()), ("café", 0));
    let (text, warnings) = body(b"[{\"text\":\"caf\xe9\"}]", Some("application/json; charset=ISO-8859-1"));
    assert_eq!((text.as_str(), warnings.len()), ("café", 1));
    let (text, warnings) = body(b"[{\"text\":\"caf\xe9\"}]", None);
    assert_eq!((text.as_str(), warnings.len()), ("caf\u{fffd}", 1));
    let utf16: Vec<u8> = "\u{feff}[{\"text\":\"café\"}]".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(body(&utf16, None).0, "café");
    let utf16: Vec<u8> = "\u{feff}[{\"text\":\"café\"}]".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(body(&utf16, None).0, "café");
}
