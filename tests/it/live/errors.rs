//! Errors of every indexer, by class: the message to the user, and the time of the provider's next request.

use std::time::Duration;

use satscope::client::{ErrorKind, InscriptionRef, Request};
use satscope::model::ProviderName::{self, Hiro, Maestro, Ord, Ordinals, UniSat};
use serde_json::json;

use super::Live;
use super::fake::{self, Fake, FakeResponse, html};
use super::indexer::settings;
use super::indexer_fakes::id;
use super::matrix::shell;

pub(super) const SECOND: u64 = 1;
pub(super) const MINUTE: u64 = 60;
pub(super) const HOUR: u64 = 60 * MINUTE;
pub(super) const DAY: u64 = 24 * HOUR;

/// When a provider gets the next request.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Next {
    /// At once, for something else: it does not know what was requested.
    AtOnce,
    /// After so many seconds.
    After(u64),
    /// Not before a test by the user or a restart.
    Never,
}

use Next::{After, AtOnce, Never};

/// The providers: with a key or without one.
const PROVIDERS: [(ProviderName, Option<&str>); 6] =
    [(UniSat, None), (UniSat, Some("key")), (Maestro, Some("key")), (Ordinals, None), (Ord, None), (Hiro, None)];

fn request(name: ProviderName, number: u64) -> Request {
    match name {
        Ordinals | Ord => Request::Inscription { inscription: InscriptionRef::Id(id(number).into()) },
        _ => Request::Brc20Token { ticker: format!("tok{number}").into() },
    }
}

async fn check(name: ProviderName, key: Option<&str>, response: FakeResponse, words: &str, next: Next) {
    check_requests(name, key, response, words, next, [request(name, 1), request(name, 2)]).await;
}

/// Sends two different requests to a provider that always responds like this.
pub(super) async fn check_requests(
    name: ProviderName,
    key: Option<&str>,
    response: FakeResponse,
    words: &str,
    next: Next,
    [first, second]: [Request; 2],
) {
    let shown = format!("{name} with key {key:?}: {} {:.60}", response.status, String::from_utf8_lossy(&response.body));
    let server = Fake::start(move |_| response.clone());
    let live = Live::with(settings(&[(name, &server.url, key)]));
    let error = live.get(&first).await.unwrap_err();
    let sent = server.requests().len();
    assert!(sent >= 1, "{shown}");
    let found = match &error.kind {
        // The second is about a known coin.
        ErrorKind::NotFound { .. } | ErrorKind::Explained { status: 404, .. } => AtOnce,
        ErrorKind::Explained { status: 503, message, retry_after, .. } => {
            assert!(message.starts_with(name.title()) && message.contains(words), "{shown}: {message}");
            assert!(message.lines().count() == 1 && !message.contains('<'), "{shown}: {message}");
            match retry_after {
                // Less the time that the response took.
                Some(wait) => After((*wait + Duration::from_secs(5)).as_secs() / 5 * 5),
                None => Never,
            }
        }
        other => panic!("{shown}: {other:?}"),
    };
    let expected = match next {
        After(wait) => After(wait.div_ceil(5) * 5),
        other => other,
    };
    assert_eq!(found, expected, "{shown}: {error}");
    live.get(&second).await.unwrap_err();
    assert_eq!(server.requests().len() > sent, next == AtOnce, "{shown}: the second request");
}

#[tokio::test]
async fn errors_are_distinguished_by_class() {
    let json = fake::json;
    let seconds = |wait: &str| FakeResponse { headers: vec![("retry-after", wait.to_owned())], ..json(429, "") };
    // 2026-11-21T08:00 until the end of the day and of the month, UTC.
    let (day_end, month_end) = (16 * HOUR, 9 * DAY + 16 * HOUR);
    for (name, key) in PROVIDERS {
        // UniSat refuses requests without a key in many ways, for an hour each unless it says how long.
        let refused = |usual: Next| if (name, key) == (UniSat, None) { After(HOUR) } else { usual };
        // It also refuses keys by mistake.
        let forbidden = if name == UniSat { After(HOUR) } else { Never };
        let says =
            |usual: &'static str| if (name, key) == (UniSat, None) { "set providers.unisat.api_key" } else { usual };
        let no_credit = if name == Maestro { After(day_end) } else { After(month_end) };
        for (response, words, next) in [
            (json(401, r#"{"message":"no"}"#), says("(401)"), refused(Never)),
            (json(402, r#"{"message":"pay"}"#), says("(402)"), refused(no_credit)),
            (json(403, r#"{"message":"no"}"#), says("(403)"), forbidden),
            (json(404, r#"{"message":"none"}"#), "", AtOnce),
            (json(410, r#"{"error":"Gone"}"#), "(410)", Never),
            (json(429, r#"{"message":"slow"}"#), says("rate-limited (429)"), refused(After(MINUTE))),
            (seconds("30"), says("rate-limited (429)"), After(30)),
            (json(500, ""), "server error (500)", After(5 * SECOND)),
            (json(503, "down"), "server error (503)", After(5 * SECOND)),
            (html(200), "an HTML page", After(10 * MINUTE)),
            (html(403), "an HTML page", After(DAY)),
            (json(451, "no"), "(451)", After(DAY)),
            (json(200, "[1,2]"), "unknown response format", After(10 * MINUTE)),
        ] {
            check(name, key, response, words, next).await;
        }
        let cut = json(200, r#"{"code":0,"data":{"ticker":"or"#);
        check(name, key, cut, "response ended early", After(5 * SECOND)).await;
    }
}

#[tokio::test]
async fn negative_codes_in_a_200_are_errors() {
    let coded = |code: i64, words: &str| fake::json(200, json!({"code": code, "msg": words, "data": null}).to_string());
    for (name, key, words, next) in [
        (UniSat, None, "set providers.unisat.api_key", After(HOUR)),
        (UniSat, Some("key"), "error -2003: quota unavailable", After(HOUR)),
        (Maestro, Some("key"), "unknown response format", After(10 * MINUTE)),
        (Ordinals, None, "-2003: quota unavailable", After(10 * MINUTE)),
        (Ord, None, "-2003: quota unavailable", After(10 * MINUTE)),
        (Hiro, None, "-2003: quota unavailable", After(10 * MINUTE)),
    ] {
        check(name, key, coded(-2003, "quota unavailable"), words, next).await;
    }
    // An unknown ticker.
    for key in [None, Some("key")] {
        check(UniSat, key, coded(-1, "get brc20 info failed"), "", AtOnce).await;
    }
}

#[test]
fn field_of_another_type_is_null_with_a_warning() {
    let token = json!({"code": 0, "msg": "OK", "data": {
        "ticker": "ordi", "creator": "bc1qcreator", "totalMinted": "1", "minted": {"x": 1}, "max": "lots",
        "limit": "1000", "decimal": 18, "historyCount": -3, "holdersCount": "many", "deployHeight": 779_832,
        "deployBlocktime": "yesterday", "inscriptionId": id(1), "inscriptionNumber": 1.5, "txid": null}});
    let maestro = json!({"data": {
        "ticker": "ordi", "ticker_hex": "6f726469", "deploy_inscription": id(1), "holders": "many",
        "minted_supply": "1.5", "terms": {"dec": 18, "limit": "lots", "max": "21000000", "self_mint": false}}});
    let hiro = json!({
        "token": {"id": id(1), "number": "x", "block_height": 779_832, "tx_id": "aa", "address": "bc1q", "ticker": "ordi",
            "max_supply": "lots", "mint_limit": [], "decimals": 18, "deploy_timestamp": {}, "minted_supply": "1.5",
            "tx_count": "many"},
        "supply": {"max_supply": "lots", "minted_supply": "1.5", "holders": "many"}});
    for (name, key, body, fields) in [
        (UniSat, None, token, &["max_supply", "holders", "tx_count", "deployed_at", "inscription_number"][..]),
        (Maestro, Some("key"), maestro, &["mint_limit", "holders"]),
        (Hiro, None, hiro, &["max_supply", "holders", "tx_count", "deployed_at", "inscription_number", "mint_limit"]),
    ] {
        let body = body.to_string();
        let server = Fake::start(move |_| fake::json(200, body.clone()));
        let run = shell(name, &server.url, key).run("--live brc20 token ordi --format json").ok();
        let whole = run.json();
        assert_eq!(whole["data"]["ticker"], "ordi", "{name}: {whole}");
        for field in fields {
            assert!(whole["data"][field].is_null(), "{name} {field}: {whole}");
        }
        let warnings = whole["warnings"].to_string();
        assert!(warnings.contains("unreadable"), "{name}: {warnings}");
    }
}

#[test]
fn key_repeated_in_an_error_is_not_shown() {
    const KEY: &str = "a-secret-key-1234";
    let message = format!("key {KEY} is invalid");
    let body = json!({"status": {"error_code": 10011, "error_message": message}}).to_string();
    let server = Fake::start(move |_| fake::json(401, body.clone()));
    let run = shell(ProviderName::CoinGecko, &server.url, Some(KEY)).run("--live coins --tag brc-20");
    assert!(run.stderr.contains("key (redacted) is invalid") && !run.stderr.contains(KEY), "{}", run.stderr);
}

#[test]
fn object_without_an_id_is_not_a_sat_without_inscriptions() {
    for (body, is_known) in [(r#"{"id":null}"#, true), ("{}", false), (r#"{"error":"internal"}"#, false)] {
        let server = Fake::start(move |_| fake::json(200, body));
        let run = shell(Ordinals, &server.url, None).run("--live sat 5 --format json");
        assert_eq!(run.status == 0, is_known, "{body}: {}", run.stderr);
    }
}
