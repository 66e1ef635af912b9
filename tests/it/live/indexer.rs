//! The indexer group over UniSat, Maestro, ord servers and servers with Hiro's API.

use std::collections::BTreeMap;
use std::time::Duration;

use satscope::client::{ErrorKind, InscriptionRef, Request, ResponseData};
use satscope::model::ProviderName::{self, Hiro, Maestro, Ord, Ordinals, Service, UniSat};
use satscope::model::{Activity, Amount, Balance, Brc20Token, Holder, Inscription, Page, SatNumber, Text, UtcTime};
use satscope::service::Providers;
use satscope::service::gateway::{LiveSettings, ProviderSettings};
use satscope::service::operation::Operation;
use satscope::service::{self, Options, TimeSource};

use super::fake::{Fake, html, json};
use super::indexer_fakes::{self as fakes, SAT, TIP, id, tx};
use super::{Live, world};

/// Settings for these providers only, with keys, and in this order for each operation that one of them serves.
pub(super) fn settings(providers: &[(ProviderName, &str, Option<&str>)]) -> LiveSettings {
    let mut settings = LiveSettings { start_gap: Duration::ZERO, ..LiveSettings::default() };
    for name in ProviderName::ALL {
        let known = providers.iter().find(|(known, ..)| *known == name);
        let provider = ProviderSettings {
            enabled: Some(known.is_some()),
            base_url: known.map(|(_, url, _)| String::from(*url)),
            api_key: known.and_then(|(_, _, key)| *key).map(|key| satscope::client::config::Secret(key.to_owned())),
            min_gap: Some(Duration::ZERO),
            ..ProviderSettings::default()
        };
        settings.providers.insert(name, provider);
    }
    let order: Vec<ProviderName> = providers.iter().map(|(name, ..)| *name).collect();
    settings.order = Operation::ALL.into_iter().map(|operation| (operation, order.clone())).collect::<BTreeMap<_, _>>();
    settings
}

impl Live {
    /// Uses these providers in this order, without keys.
    pub(super) fn in_order(providers: &[(ProviderName, &Fake)]) -> Live {
        let providers: Vec<_> = providers.iter().map(|(name, fake)| (*name, fake.url.as_str(), None)).collect();
        Live::with(settings(&providers))
    }

    pub(super) async fn answer(&self, request: Request) -> ResponseData {
        self.get(&request).await.unwrap_or_else(|error| panic!("{request:?}: {error}")).answer.unwrap()
    }

    async fn tokens(&self, prefix: Option<&str>, offset: u64, limit: u32) -> Page<Brc20Token> {
        match self.answer(Request::Brc20Tokens { ticker: prefix.map(Text::from), offset, limit }).await {
            ResponseData::Brc20Tokens(page) => page,
            other => panic!("{other:?}"),
        }
    }

    async fn token(&self, ticker: &str) -> Brc20Token {
        match self.answer(Request::Brc20Token { ticker: ticker.into() }).await {
            ResponseData::Brc20Token(token) => *token,
            other => panic!("{other:?}"),
        }
    }

    async fn holders(&self, ticker: &str, offset: u64, limit: u32) -> Page<Holder> {
        match self.answer(Request::Brc20Holders { ticker: ticker.into(), offset, limit }).await {
            ResponseData::Holders(page) => page,
            other => panic!("{other:?}"),
        }
    }

    async fn balances(&self, address: &str) -> Page<Balance> {
        match self.answer(Request::Brc20Balances { address: address.into(), offset: 0, limit: 20 }).await {
            ResponseData::Balances(page) => page,
            other => panic!("{other:?}"),
        }
    }

    async fn activity(&self, ticker: &str, block_height: Option<u64>) -> Page<Activity> {
        let request = Request::Brc20Activity { ticker: Some(ticker.into()), block_height, offset: 0, limit: 20 };
        match self.answer(request).await {
            ResponseData::Activity(page) => page,
            other => panic!("{other:?}"),
        }
    }

    async fn on_sat(&self, number: u64, offset: u64, limit: u32) -> Page<Inscription> {
        let number = SatNumber::new(number).unwrap();
        match self.answer(Request::SatInscriptions { number, offset, limit }).await {
            ResponseData::Inscriptions(page) => page,
            other => panic!("{other:?}"),
        }
    }

    async fn inscription(&self, inscription: InscriptionRef) -> Inscription {
        match self.answer(Request::Inscription { inscription }).await {
            ResponseData::Inscription(found) => *found,
            other => panic!("{other:?}"),
        }
    }

    /// The message of an error with status 501.
    async fn not_served(&self, request: Request) -> String {
        match self.get(&request).await {
            Err(error) => match error.kind {
                ErrorKind::Explained { status: 501, message, .. } => message,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }
}

fn amount(text: &str) -> Option<Amount> {
    Some(text.parse().unwrap())
}

#[tokio::test]
async fn unisat_lists_tokens_of_all_lengths_by_activity() {
    let unisat = fakes::UniSat::default().start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let page = live.tokens(None, 0, 20).await;
    assert_eq!((page.items.len(), page.total), (20, Some(156)));
    let tickers: Vec<&str> = page.items.iter().map(|token| token.ticker.as_str()).take(6).collect();
    assert_eq!(tickers, ["ordi", "sats", "🔥", "a/b?", "pizza", "sixbyt"]);
    let next = live.tokens(None, 150, 20).await;
    assert_eq!((next.items.len(), next.total), (6, Some(156)));
    let requests = unisat.requests();
    assert_eq!(requests[0].path, "/v1/indexer/brc20/status");
    assert_eq!(
        ["start", "limit", "sort", "tick_filter"].map(|name| requests[0].query(name)),
        ["0", "60", "transactions", "56"]
    );
    assert!(requests.iter().all(|request| !request.headers.contains_key("authorization")), "no key is set");
}

#[tokio::test]
async fn live_responses_can_be_cached_until_the_next_block_and_compared() {
    let unisat = fakes::UniSat::default().start();
    let ordinals = fakes::ord(false, true);
    let live = Live::in_order(&[(UniSat, &unisat), (Ordinals, &ordinals)]);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    for path in ["/ordinals/brc-20/tokens/ordi".to_owned(), format!("/ordinals/sats/{SAT}/inscriptions")] {
        let url = format!("{}{path}", live.running.url());
        let first = client.get(&url).send().await.unwrap();
        assert_eq!(first.status(), 200, "{path}");
        let control = "public, max-age=10, s-maxage=10, stale-while-revalidate=10, stale-if-error=3600";
        assert_eq!(first.headers()["cache-control"], control, "{path}");
        let tag = &first.headers()["etag"];
        for control in ["max-age=60", "no-cache"] {
            let again = client.get(&url).header("if-none-match", tag).header("cache-control", control);
            let again = again.send().await.unwrap();
            assert_eq!((again.status(), &again.headers()["etag"]), (reqwest::StatusCode::NOT_MODIFIED, tag), "{path}");
            assert!(again.bytes().await.unwrap().is_empty());
        }
    }
}

#[tokio::test]
async fn unisat_token_is_exact() {
    let unisat = fakes::UniSat::default().start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let token = live.token("a/b?").await;
    assert_eq!(token.max_supply, amount("36893488147419103230"));
    assert_eq!(token.minted_supply, amount("12345678901234567.123456789012345678"));
    let ordi = live.token("ORDI").await;
    assert_eq!((ordi.ticker.as_str(), ordi.holders, ordi.tx_count), ("ordi", Some(130), Some(412_233)));
    assert_eq!((ordi.block_height, ordi.decimals, ordi.self_mint), (Some(779_832), Some(18), None));
    assert_eq!(ordi.deployed_at, Some(UtcTime::from_secs(1_678_248_991)));
    assert_eq!(
        unisat.paths(),
        ["/v1/indexer/brc20/612f623f/info", "/v1/indexer/brc20/ordi/info"],
        "special characters travel as hexadecimal digits"
    );
    let missing = live.get(&Request::Brc20Token { ticker: "none".into() }).await.unwrap_err();
    assert!(matches!(missing.kind, ErrorKind::NotFound { .. }), "{missing:?}");
}

#[tokio::test]
async fn unisat_token_of_six_bytes_is_found_at_its_old_path() {
    for old_place in [false, true] {
        let unisat = fakes::UniSat { old_place, ..Default::default() }.start();
        let live = Live::in_order(&[(UniSat, &unisat)]);
        assert_eq!(live.token("sixbyt").await.tx_count, Some(80_000));
        let new = "/v1/indexer/brc20/sixbyt/info";
        let paths = if old_place { vec![new, "/v1/indexer/brc20-prog/sixbyt/info"] } else { vec![new] };
        assert_eq!(unisat.paths(), paths);
    }
}

#[tokio::test]
async fn unisat_search_finds_active_tokens_and_a_whole_ticker() {
    let unisat = fakes::UniSat::default().start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let found = live.tokens(Some("T01"), 0, 20).await;
    assert_eq!((found.items.len(), found.total), (10, Some(10)));
    assert_eq!(found.items[0].ticker.as_str(), "t010");
    // The list is cached.
    assert_eq!(live.tokens(Some("or"), 0, 20).await.items.len(), 1);
    assert_eq!(unisat.requests().len(), 1);
    assert_eq!(live.tokens(Some("none"), 0, 20).await.items, []);
    assert_eq!(unisat.paths()[1], "/v1/indexer/brc20/none/info");
}

#[tokio::test]
async fn unisat_holders_and_balances_are_exact_pages() {
    let unisat = fakes::UniSat::default().start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let holders = live.holders("ordi", 60, 60).await;
    assert_eq!((holders.items.len(), holders.total), (60, Some(130)));
    assert_eq!((holders.items[0].address.as_deref(), holders.items[0].balance), (Some("bc1q0060"), amount("70")));
    let balances = live.balances("bc1qholder").await;
    assert_eq!((balances.items.len(), balances.total), (3, Some(3)));
    let ordi = &balances.items[0];
    assert_eq!(
        (ordi.overall, ordi.available, ordi.transferable),
        (amount("25.500000000000000001"), amount("25.5"), amount("0.000000000000000001"))
    );
    assert_eq!(balances.items[1].overall, amount("36893488147419103230"));
    assert_eq!(live.balances("bc1qnobody").await, Page { items: Vec::new(), total: Some(0) });
    let requests = unisat.requests();
    assert_eq!(["tick_filter", "exclude_zero"].map(|name| requests[1].query(name)), ["56", "true"]);
}

#[tokio::test]
async fn unisat_activity_keeps_valid_events_and_one_side_of_transfers() {
    for nameless in [false, true] {
        let unisat = fakes::UniSat { nameless, ..Default::default() }.start();
        let live = Live::in_order(&[(UniSat, &unisat)]);
        let height = TIP - 1;
        let events = live.activity("ordi", Some(height)).await;
        let kinds: Vec<(&str, Option<&str>, Option<&str>)> = events
            .items
            .iter()
            .map(|event| (event.operation.as_str(), event.from.as_deref(), event.to.as_deref()))
            .collect();
        assert_eq!(
            kinds,
            [
                ("mint", None, Some("bc1qminter")),
                ("transfer", Some("bc1qfrom"), None),
                ("transfer_send", Some("bc1qfrom"), Some("bc1qto"))
            ],
            "{nameless}"
        );
        assert_eq!(events.total, Some(3));
        assert!(events.items.iter().all(|event| event.ticker == "ordi" && event.block_height == Some(height)));
        assert_eq!(events.items[1].amount, amount("25.500000000000000001"));
        let paths = unisat.paths();
        assert_eq!(paths[0], format!("/v1/indexer/brc20/history-by-height/{height}"));
        // Without tickers: requested by type.
        assert_eq!(paths.len(), if nameless { 5 } else { 1 }, "{paths:?}");
    }
}

#[tokio::test]
async fn unisat_large_blocks_are_requested_by_ticker_and_others_in_pages() {
    let unisat = fakes::UniSat::default().start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    assert_eq!(live.activity("ordi", Some(TIP - 200)).await.items.len(), 3);
    assert_eq!(unisat.paths().len(), 2, "two pages");
    assert_eq!(live.activity("ordi", Some(TIP - 100)).await.items.len(), 3);
    let requests = unisat.requests();
    assert_eq!(requests.len(), 2 + 1 + 4);
    for request in &requests[3..] {
        assert_eq!(request.path, "/v1/indexer/brc20/ordi/history");
        assert_eq!(request.query("height"), (TIP - 100).to_string());
        assert!(!request.query("type").is_empty());
    }
}

#[tokio::test]
async fn unisat_newest_activity_comes_from_the_newest_blocks() {
    let unisat = fakes::UniSat::default().start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let events = live.activity("ordi", None).await;
    let heights: Vec<u64> = events.items.iter().filter_map(|event| event.block_height).collect();
    assert_eq!(heights, [TIP - 1, TIP - 1, TIP - 1, TIP - 3, TIP - 3, TIP - 3]);
    assert_eq!(events.total, None, "the total is unknown");
    let request = Request::Brc20Activity { ticker: Some("t001".into()), block_height: None, offset: 0, limit: 20 };
    let sentence = live.not_served(request).await;
    assert!(sentence.contains("choose a block height") && sentence.contains("indexer_url"), "{sentence}");
    // The blocks are cached.
    assert_eq!(unisat.paths().iter().filter(|path| path.contains("history-by-height")).count(), 6);
}

#[tokio::test]
async fn block_that_is_not_there_yet_is_no_failure_of_unisat() {
    let unisat = fakes::UniSat::default().start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    unisat.respond_with(json(200, r#"{"code":0,"msg":"OK","data":{"height":923000,"total":0,"start":0,"detail":[]}}"#));
    let request = Request::Brc20Activity { ticker: Some("ordi".into()), block_height: Some(TIP), offset: 0, limit: 20 };
    let error = live.get(&request).await.unwrap_err();
    let ErrorKind::Explained { status: 503, message, .. } = &error.kind else { panic!("{error:?}") };
    assert_eq!(message, "UniSat: block 923105 is not indexed yet (newest: 923000)");
    let (status, _, body) = live.raw(&format!("/ordinals/brc-20/balances/bc1qholder?block_height={TIP}")).await;
    let text = body["message"].as_str().unwrap_or_default();
    assert!(status == 503 && text.ends_with("block 923105 is not indexed yet (newest: 923000)"), "{status} {body}");
    // Others are served at once.
    unisat.respond_with(None);
    assert_eq!(live.token("ordi").await.ticker.as_str(), "ordi");
}

#[tokio::test]
async fn unisat_error_about_a_list_is_one_of_the_server() {
    let lists = || {
        let activity = |block_height| Request::Brc20Activity { ticker: None, block_height, offset: 0, limit: 20 };
        let tokens = Request::Brc20Tokens { ticker: None, offset: 0, limit: 20 };
        let balances = Request::Brc20Balances { address: "bc1qholder".into(), offset: 0, limit: 20 };
        [tokens, balances, activity(None), activity(Some(TIP))]
    };
    for (code, words) in [(-1, "get brc20 list failed"), (-3001, "indexer is busy")] {
        for request in lists() {
            let unisat = fakes::UniSat::default().start();
            let live = Live::in_order(&[(UniSat, &unisat)]);
            unisat.respond_with(json(200, format!(r#"{{"code":{code},"msg":"{words}","data":null}}"#)));
            let error = live.get(&request).await.unwrap_err();
            let ErrorKind::Explained { status: 503, message, .. } = &error.kind else {
                panic!("{request:?} {error:?}")
            };
            assert_eq!(message, &format!("UniSat: error {code}: {words}"), "{request:?}");
        }
    }
}

#[tokio::test]
async fn unisat_error_about_a_known_ticker_is_one_of_the_server() {
    let holders = |ticker: &str| Request::Brc20Holders { ticker: ticker.into(), offset: 0, limit: 20 };
    let activity = |ticker: &str| Request::Brc20Activity {
        ticker: Some(ticker.into()),
        block_height: Some(TIP - 100),
        offset: 0,
        limit: 20,
    };
    for (code, words) in [(-1, "get brc20 holders failed"), (-3001, "get brc20 failed"), (-3001, "indexer is busy")] {
        for request in [holders("ordi"), holders("sixbyt"), activity("ordi")] {
            let unisat = fakes::UniSat { nameless: true, ..Default::default() }.start();
            let live = Live::in_order(&[(UniSat, &unisat)]);
            unisat.edit(move |request, response| match request.path.rsplit('/').next() {
                Some("holders" | "history") => json(200, format!(r#"{{"code":{code},"msg":"{words}","data":null}}"#)),
                _ => response,
            });
            let error = live.get(&request).await.unwrap_err();
            let ErrorKind::Explained { status: 503, message, .. } = &error.kind else {
                panic!("{request:?} {error:?}")
            };
            assert_eq!(message, &format!("UniSat: error {code}: {words}"), "{request:?}");
        }
    }
    // A ticker that it doesn't know either as a token.
    let unisat = fakes::UniSat { nameless: true, ..Default::default() }.start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    for request in [holders("none"), holders("unknwn"), activity("none")] {
        let error = live.get(&request).await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::NotFound { .. }), "{request:?} {error:?}");
    }
    unisat.respond_with(json(200, r#"{"code":-3001,"msg":"indexer is busy","data":null}"#));
    let error = live.get(&Request::Brc20Token { ticker: "pizza".into() }).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Explained { status: 503, .. }), "{error:?}");
}

#[tokio::test]
async fn unisat_key_is_a_header_and_its_quota_lasts_until_the_reset() {
    let unisat = fakes::UniSat { key: Some("unisat-key"), ..Default::default() }.start();
    let live = Live::with(settings(&[(UniSat, &unisat.url, Some("unisat-key"))]));
    assert_eq!(live.token("ordi").await.ticker.as_str(), "ordi");
    unisat.respond_with(json(403, r#"{"code":-2003,"msg":"quota unavailable","data":null}"#));
    let request = |ticker: &str| Request::Brc20Token { ticker: ticker.into() };
    let error = live.get(&request("sats")).await.unwrap_err();
    let ErrorKind::Explained { status: 503, message, retry_after } = &error.kind else { panic!("{error:?}") };
    assert_eq!(message, "UniSat: error -2003: quota unavailable");
    // 2026-11-21 08:00 to the first of December.
    let left = Duration::from_hours(9 * 24 + 16);
    assert!(retry_after.is_some_and(|wait| wait <= left && wait > left - Duration::from_mins(1)), "{retry_after:?}");
    live.get(&request("pizza")).await.unwrap_err();
    assert_eq!(unisat.requests().len(), 2, "no further request is sent");
}

#[tokio::test]
async fn unisat_without_key_is_paused_for_an_hour_after_refusal() {
    let unisat = fakes::UniSat { key: Some("somebody's"), ..Default::default() }.start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let error = live.get(&Request::Brc20Token { ticker: "ordi".into() }).await.unwrap_err();
    let ErrorKind::Explained { status: 503, message, retry_after } = &error.kind else { panic!("{error:?}") };
    assert!(message.contains("set providers.unisat.api_key to a free key"), "{message}");
    assert!(retry_after.is_some_and(|wait| wait > Duration::from_mins(59) && wait <= Duration::from_hours(1)));
    live.get(&Request::Brc20Token { ticker: "sats".into() }).await.unwrap_err();
    assert_eq!(unisat.requests().len(), 1);
}

#[tokio::test]
async fn html_page_of_cdn_is_an_error() {
    let unisat = fakes::UniSat::default().start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    unisat.respond_with(html(403));
    let error = live.get(&Request::Brc20Token { ticker: "ordi".into() }).await.unwrap_err().to_string();
    assert!(error.contains("access denied (403)"), "{error}");
}

#[tokio::test]
async fn unisat_lists_inscriptions_of_an_address() {
    let unisat = fakes::UniSat::default().start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let request = Request::Inscriptions { address: Some("bc1qholder".into()), offset: 0, limit: 20 };
    let ResponseData::Inscriptions(page) = live.answer(request).await else { panic!("no inscriptions") };
    assert_eq!((page.items.len(), page.total), (3, Some(3)));
    let found = live.inscription(InscriptionRef::Number(-7)).await;
    assert_eq!((found.id.as_str(), found.number), (id(7).as_str(), Some(-7)));
    assert_eq!(found.output.as_deref(), Some(format!("{}:1", tx(77)).as_str()));
    let all = Request::Inscriptions { address: None, offset: 0, limit: 20 };
    assert_eq!(live.not_served(all).await, "Lists of inscriptions need your own indexer: set indexer_url");
}

#[tokio::test]
async fn maestro_follows_unisat_for_details_and_balances() {
    let unisat = fakes::UniSat::default().start();
    unisat.respond_with(json(500, "oops"));
    let maestro = fakes::maestro();
    let providers = [(UniSat, unisat.url.as_str(), None), (Maestro, maestro.url.as_str(), Some("maestro-key"))];
    let live = Live::with(settings(&providers));
    let token = live.token("ordi").await;
    assert_eq!(
        (token.max_supply, token.minted_supply, token.mint_limit, token.decimals, token.self_mint, token.holders),
        (
            amount("21000000"),
            amount("20999999.000000000000000001"),
            amount("1000"),
            Some(18),
            Some(false),
            Some(23_411)
        )
    );
    let balances = live.balances("bc1qholder").await;
    let read: Vec<_> = balances
        .items
        .iter()
        .map(|balance| (balance.ticker.as_deref(), balance.overall, balance.available, balance.transferable))
        .collect();
    assert_eq!(
        read,
        [
            (Some("ordi"), amount("7.000000000000000001"), None, None),
            (Some("sats"), amount("312000"), amount("0.123"), amount("311999.877"))
        ]
    );
    assert_eq!(live.balances("bc1qnobody").await.items, []);
    let error = live.get(&Request::Brc20Token { ticker: "liar".into() }).await.unwrap_err();
    assert!(error.to_string().contains("server error (500)"), "{error}");
    // No other provider serves these.
    let error = live.get(&Request::Brc20Holders { ticker: "ordi".into(), offset: 0, limit: 20 }).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Explained { status: 503, .. }), "{error:?}");
}

#[tokio::test]
async fn maestro_balances_are_read_to_the_last_page() {
    let maestro = fakes::maestro();
    let live = Live::with(settings(&[(Maestro, &maestro.url, Some("maestro-key"))]));
    let mut tickers = Vec::new();
    for offset in [0, 60, 120] {
        let request = Request::Brc20Balances { address: "bc1qmany".into(), offset, limit: 60 };
        let ResponseData::Balances(page) = live.answer(request).await else { panic!("no balances") };
        assert_eq!(page.total, Some(130));
        tickers.extend(page.items.into_iter().filter_map(|balance| balance.ticker));
    }
    let expected: Vec<String> = (0..130).map(|n| format!("t{n:03}")).collect();
    assert_eq!(tickers, expected);
    assert_eq!(maestro.paths().len(), 2, "its two pages serve all of ours");
}

#[tokio::test]
async fn maestro_balances_beyond_page_limit_give_a_warning() {
    let maestro = fakes::maestro();
    let live = Live::with(settings(&[(Maestro, &maestro.url, Some("maestro-key"))]));
    let request = Request::Brc20Balances { address: "bc1qendless".into(), offset: 0, limit: 60 };
    let reply = live.get(&request).await.unwrap();
    let Some(ResponseData::Balances(page)) = reply.answer else { panic!("no balances") };
    assert_eq!((page.items.len(), page.total), (60, None));
    assert_eq!(reply.warnings, ["Only the first 2000 balances loaded"]);
    assert_eq!(maestro.paths().len(), 20);
}

#[tokio::test]
async fn maestro_numbers_may_be_text_and_amounts_numbers() {
    let maestro = fakes::maestro();
    let live = Live::with(settings(&[(Maestro, &maestro.url, Some("maestro-key"))]));
    let token = live.token("sats").await;
    assert_eq!((token.holders, token.decimals, token.self_mint), (Some(51_234), Some(8), None));
    assert_eq!([token.minted_supply, token.mint_limit, token.max_supply], ["2100.5", "1000", "2100"].map(amount));
}

#[tokio::test]
async fn maestro_without_key_gets_no_requests() {
    let maestro = fakes::maestro();
    let live = Live::in_order(&[(Maestro, &maestro)]);
    let sentence = live.not_served(Request::Brc20Token { ticker: "ordi".into() }).await;
    assert_eq!(sentence, "BRC-20 needs an indexer: set indexer_url or a free UniSat key");
    assert_eq!(maestro.requests().len(), 0);
}

#[tokio::test]
async fn ordinals_lists_inscriptions_on_a_sat_newest_first() {
    let ordinals = fakes::ord(false, true);
    let live = Live::in_order(&[(Ordinals, &ordinals)]);
    let ResponseData::Sat(sat) = live.answer(Request::Sat { number: SatNumber::new(SAT).unwrap() }).await else {
        panic!("no sat")
    };
    assert_eq!((sat.inscription_id.as_deref(), sat.name.as_str()), (Some(id(230).as_str()), "ahehcbywzae"));
    assert_eq!(sat.disagreements, []);
    let none = live.answer(Request::Sat { number: SatNumber::new(12).unwrap() }).await;
    assert!(matches!(none, ResponseData::Sat(sat) if sat.inscription_id.is_none() && sat.rarity == "common"));
    let page = live.on_sat(SAT, 5, 3).await;
    assert_eq!(page.total, Some(230));
    let ids: Vec<String> = page.items.iter().map(|found| found.id.to_string()).collect();
    assert_eq!(ids, [id(225), id(224), id(223)]);
    let first = &page.items[0];
    assert_eq!((first.number, first.address.as_deref()), (Some(775), Some("bc1powner")));
    assert_eq!((first.genesis_block_height, first.genesis_fee, first.value), (Some(921_300), Some(1200), Some(546)));
    assert_eq!(first.genesis_time, Some(UtcTime::from_secs(1_795_075_200)));
    assert_eq!(first.charms, [Text::from("cursed")]);
    let paths = ordinals.paths();
    assert_eq!(
        paths,
        [
            format!("/r/sat/{SAT}/at/-1"),
            String::from("/r/sat/12/at/-1"),
            format!("/r/sat/{SAT}"),
            format!("/r/sat/{SAT}/1"),
            format!("/r/sat/{SAT}/2"),
            format!("/r/inscription/{}", id(225)),
            format!("/r/inscription/{}", id(224)),
            format!("/r/inscription/{}", id(223)),
        ]
    );
    // Details are cached.
    assert_eq!(live.on_sat(SAT, 5, 2).await.items.len(), 2);
    assert_eq!(ordinals.paths().len(), paths.len() + 3);
}

#[tokio::test]
async fn ordinals_serves_inscriptions_by_id_only() {
    let ordinals = fakes::ord(false, true);
    let live = Live::in_order(&[(Ordinals, &ordinals)]);
    let found = live.inscription(InscriptionRef::Id(id(3).into())).await;
    assert_eq!((found.number, found.location.as_deref()), (Some(997), Some(format!("{}:0:0", tx(77)).as_str())));
    let request = Request::Inscription { inscription: InscriptionRef::Number(3) };
    assert!(live.not_served(request).await.contains("use the ID"));
    let stats = live.not_served(Request::InscriptionStats { from_block: None, to_block: None }).await;
    assert_eq!(stats, "Inscription statistics need your own indexer: set indexer_url");
    let unknown = Request::Inscription { inscription: InscriptionRef::Id(id(5_000).into()) };
    let error = live.get(&unknown).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::NotFound { .. }), "{error:?}");
    assert!(ordinals.paths().iter().all(|path| path.starts_with("/r/")), "other routes return HTML");
    let ResponseData::InscriptionContent(content) = live.answer(Request::InscriptionContent { id: id(3).into() }).await
    else {
        panic!("no content")
    };
    assert_eq!(content.text, "<html>gm</html>");
}

#[tokio::test]
async fn own_ord_server_lists_inscriptions() {
    let ord = fakes::ord(true, true);
    let live = Live::in_order(&[(Ord, &ord)]);
    let all = live.answer(Request::Inscriptions { address: None, offset: 95, limit: 10 }).await;
    let ResponseData::Inscriptions(page) = all else { panic!("{all:?}") };
    let ids: Vec<String> = page.items.iter().map(|found| found.id.to_string()).collect();
    assert_eq!(ids, (146..=155).rev().map(id).collect::<Vec<_>>());
    let own = live.answer(Request::Inscriptions { address: Some("bc1powner".into()), offset: 0, limit: 10 }).await;
    let ResponseData::Inscriptions(own) = own else { panic!("{own:?}") };
    assert_eq!((own.items.len(), own.total, own.items[0].id.as_str()), (2, Some(2), id(3).as_str()));
    let found = live.inscription(InscriptionRef::Number(348_020)).await;
    assert_eq!(found.id.as_str(), id(1));
}

#[tokio::test]
async fn ord_server_without_indexes_names_missing_option() {
    let ord = fakes::ord(false, false);
    let live = Live::in_order(&[(Ord, &ord)]);
    let sat = Request::SatInscriptions { number: SatNumber::new(SAT).unwrap(), offset: 0, limit: 10 };
    assert_eq!(live.not_served(sat).await, "This ord server has no sat index: start it with --index-sats");
    let number = |number| Request::Inscription { inscription: InscriptionRef::Number(number) };
    assert_eq!(live.not_served(number(1)).await, "The JSON API of this ord server is disabled");
    live.not_served(number(2)).await;
    assert_eq!(ord.paths().iter().filter(|path| path.starts_with("/inscription/")).count(), 1, "it is requested once");
    assert_eq!(live.inscription(InscriptionRef::Id(id(3).into())).await.number, Some(997));
}

#[tokio::test]
async fn slow_details_are_fetched_later() {
    let ordinals = fakes::ord(false, true);
    let mut settings = settings(&[(Ordinals, &ordinals.url, None)]);
    let provider = settings.providers.get_mut(&Ordinals).unwrap();
    provider.min_gap = Some(Duration::from_secs(30));
    let live = Live::with(settings);
    // The first request is sent at once, the next one after 30 s.
    let request = Request::SatInscriptions { number: SatNumber::new(7).unwrap(), offset: 0, limit: 10 };
    let mut reply = std::pin::pin!(live.get(&request));
    while ordinals.paths().is_empty() {
        tokio::select! {
            reply = &mut reply => panic!("{reply:?}"),
            () = tokio::task::yield_now() => {}
        }
    }
    let early = tokio::time::timeout(Duration::from_millis(300), &mut reply).await;
    assert!(early.is_err(), "{early:?}");
    assert_eq!(ordinals.paths(), ["/r/sat/7"]);
}

/// A server with Hiro's API: our own with demo data, optionally marked as simulated.
pub(super) fn hiro(simulated: bool) -> service::Running {
    let time = TimeSource::fixed(UtcTime::from_secs(world::NOW));
    let providers = Providers { simulated, ..Providers::demo(7, time.clone()) };
    service::start(Options { providers: Some(providers), time, ..Options::default() }).unwrap()
}

#[tokio::test]
async fn requests_to_hiro_api_and_own_service_are_forwarded_unchanged() {
    let server = hiro(false);
    let direct = satscope::client::Client::new(satscope::client::ClientConfig::at(&server.url())).unwrap();
    let root = server.url();
    for (name, url) in [(Hiro, root.clone()), (Hiro, format!("{root}/ordinals")), (Service, root.clone())] {
        if name == Service && url != root {
            continue;
        }
        let live = Live::with(settings(&[(name, &url, None)]));
        let tokens = live.tokens(None, 0, 60).await;
        let ticker = tokens.items[0].ticker.clone();
        let holder = live.holders(&ticker, 0, 1).await.items[0].address.clone().unwrap();
        let activity = live.activity(&ticker, None).await;
        let block_height = activity.items[0].block_height;
        let number = SatNumber::new(1_111_111_111_111_111).unwrap();
        let list = live.answer(Request::Inscriptions { address: None, offset: 0, limit: 20 }).await;
        let ResponseData::Inscriptions(list) = list else { panic!("{list:?}") };
        let requests = [
            Request::Brc20Tokens { ticker: None, offset: 20, limit: 20 },
            Request::Brc20Tokens { ticker: Some("or".into()), offset: 0, limit: 20 },
            Request::Brc20Token { ticker: ticker.clone() },
            Request::Brc20Holders { ticker: ticker.clone(), offset: 0, limit: 60 },
            Request::Brc20Balances { address: holder, offset: 0, limit: 20 },
            Request::Brc20Activity { ticker: Some(ticker.clone()), block_height, offset: 0, limit: 20 },
            Request::Sat { number },
            Request::SatInscriptions { number, offset: 0, limit: 20 },
            Request::Inscription { inscription: InscriptionRef::Id(list.items[0].id.clone()) },
            Request::Inscription { inscription: InscriptionRef::Number(list.items[1].number.unwrap()) },
            Request::InscriptionStats { from_block: None, to_block: None },
        ];
        for request in requests {
            let own = direct.get(&request, None).await.unwrap();
            let passed = live.get(&request).await.unwrap_or_else(|error| panic!("{request:?}: {error}"));
            assert_eq!(passed.answer, own.answer, "{name} {request:?}");
            assert_eq!((passed.provider.as_deref(), passed.simulated), (Some(name.as_str()), false));
        }
    }
}

#[tokio::test]
async fn simulated_data_are_rejected() {
    let server = hiro(true);
    for name in [Hiro, Service] {
        let live = Live::with(settings(&[(name, &server.url(), None)]));
        let error = live.get(&Request::Brc20Token { ticker: "ordi".into() }).await.unwrap_err().to_string();
        assert!(error.contains("this service serves simulated data"), "{error}");
    }
}

#[tokio::test]
async fn gone_server_gets_one_request() {
    let gone = Fake::start(|_| json(410, r#"{"error":"Gone","message":"The Ordinals API is deprecated"}"#));
    let live = Live::in_order(&[(Hiro, &gone)]);
    for ticker in ["ordi", "sats"] {
        let error = live.get(&Request::Brc20Token { ticker: ticker.into() }).await.unwrap_err().to_string();
        let expected =
            "Hiro-compatible indexer: service no longer exists at this address (410): set providers.hiro.base_url";
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(gone.requests().len(), 1);
}
