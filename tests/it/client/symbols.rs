//! Market data of more symbols than one URL can have: several requests, joined into one reply.

use satscope::client::{NoticeCode, Reply, Request, ResponseData};
use satscope::model::{Currency, Text};

use super::server::{Server, Step, response};
use super::{client, limited};

fn market_data(symbols: impl IntoIterator<Item = String>) -> Request {
    let symbols = symbols.into_iter().map(Text::from).collect();
    Request::MarketData { symbols, convert: Currency::usd(), count: 2, interval: Text::from("1h") }
}

/// The symbols requested in a request line.
fn requested(head: &str) -> Vec<String> {
    let target = head.split(' ').nth(1).unwrap();
    let list = target.split(['?', '&']).find_map(|pair| pair.strip_prefix("symbol=")).unwrap();
    list.split(',').map(str::to_owned).collect()
}

/// Responds with one series for each of these symbols.
fn series<'a>(symbols: impl IntoIterator<Item = &'a str>) -> Vec<Step> {
    series_with("ETag: \"1\"\r\n", symbols)
}

/// Like [`series`], with these headers.
fn series_with<'a>(headers: &str, symbols: impl IntoIterator<Item = &'a str>) -> Vec<Step> {
    let one = |symbol: &str| {
        format!(
            r#"{{"id":"{symbol}","name":"{symbol}","symbol":"{symbol}","quotes":[
                {{"timestamp":"2026-11-19T08:00:00Z","quote":{{"USD":{{"price":1.5}}}}}}]}}"#
        )
    };
    let all: Vec<_> = symbols.into_iter().map(one).collect();
    vec![Step::Send(response("200 OK", headers, format!(r#"{{"data":[{}]}}"#, all.join(",")).as_bytes()))]
}

fn symbols_of(reply: &Reply) -> Vec<&str> {
    let Some(ResponseData::Market(series)) = &reply.response else { panic!("{reply:?}") };
    series.iter().map(|series| series.symbol.as_str()).collect()
}

#[tokio::test]
async fn many_symbols_are_requested_in_batches_and_joined() {
    let server = Server::start(|head, _| series(requested(head).iter().map(String::as_str))).await;
    let names: Vec<String> = (0..450).map(|n| format!("C{n}")).collect();
    let reply = client(&server.url).get(&market_data(names.clone()), None).await.unwrap();
    assert_eq!(symbols_of(&reply), names);
    let lengths: Vec<usize> = server.heads().iter().map(|head| requested(head).len()).collect();
    assert_eq!(lengths, [200, 200, 50]);
    assert_eq!((reply.validator, server.connections()), (None, 1));
    assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
}

#[tokio::test]
async fn notice_names_the_coins_without_prices_of_all_batches() {
    let server = Server::start(|head, _| {
        let symbols = requested(head);
        let without = symbols[0].replace('C', "X");
        let headers = format!(
            "x-satscope-notice: No prices for {without}; Rates are old\r\n\
             x-satscope-notice-code: no-prices; symbols={without}\r\n"
        );
        series_with(&headers, symbols.iter().map(String::as_str))
    })
    .await;
    let reply = client(&server.url).get(&market_data((0..450).map(|n| format!("C{n}"))), None).await.unwrap();
    let sentence = "No prices for X0, X200 and X400; Rates are old";
    assert_eq!(reply.warnings, [sentence]);
    let notice = reply.notice.unwrap();
    assert_eq!(notice.sentence, sentence);
    let symbols = ["X0", "X200", "X400"].map(Text::from).to_vec();
    assert_eq!(notice.code, Some(NoticeCode::NoPrices { symbols, failed: Vec::new() }));
}

#[tokio::test]
async fn batches_of_long_series_have_fewer_symbols() {
    let server = Server::start(|head, _| series(requested(head).iter().map(String::as_str))).await;
    let names: Vec<String> = (0..200).map(|n| format!("C{n}")).collect();
    let mut request = market_data(names.clone());
    if let Request::MarketData { count, .. } = &mut request {
        *count = 365;
    }
    let reply = client(&server.url).get(&request, None).await.unwrap();
    assert_eq!(symbols_of(&reply), names);
    let lengths: Vec<usize> = server.heads().iter().map(|head| requested(head).len()).collect();
    assert_eq!(lengths, [68, 68, 64], "the embedded service refuses more than 25,000 points");
}

/// A request for all daily prices of some coins.
fn all_time(symbols: &[&str]) -> Request {
    let symbols = symbols.iter().copied().map(Text::from).collect();
    Request::MarketData { symbols, convert: Currency::usd(), count: 6_500, interval: Text::from("1d") }
}

#[tokio::test]
async fn service_that_refuses_all_points_is_asked_for_a_year() {
    let refusal = br#"{"status":{"error_code":400,"error_message":"count must be at most 1000"}}"#;
    for status in ["400 Bad Request", "403 Forbidden", "200 OK"] {
        let server = Server::start(move |head, _| {
            if head.contains("count=6500") {
                vec![Step::Send(response(status, "", refusal))]
            } else {
                series(requested(head).iter().map(String::as_str))
            }
        })
        .await;
        let reply = client(&server.url).get(&all_time(&["C1", "C2"]), None).await.unwrap();
        assert_eq!(symbols_of(&reply), ["C1", "C2"], "{status}");
        assert!(server.heads()[1].contains("count=365&interval=1d"), "{:?}", server.heads());
        assert_eq!(reply.warnings, ["the service refused 6,500 points; requested 365"], "{status}");
    }
}

#[tokio::test]
async fn refusal_of_all_points_is_remembered() {
    let refusal = br#"{"error":"count must be at most 1000"}"#;
    let server = Server::start(move |head, _| {
        if head.contains("count=6500") {
            vec![Step::Send(response("400 Bad Request", "", refusal))]
        } else {
            series(requested(head).iter().map(String::as_str))
        }
    })
    .await;
    let client = client(&server.url);
    for symbol in ["C1", "C2"] {
        let reply = client.get(&all_time(&[symbol]), None).await.unwrap();
        assert_eq!(reply.warnings, ["the service refused 6,500 points; requested 365"]);
    }
    let all = || server.heads().iter().filter(|head| head.contains("count=6500")).count();
    assert_eq!((all(), server.heads().len()), (1, 3));
    client.refresh(&all_time(&["C1"]), None).await.unwrap();
    assert_eq!((all(), server.heads().len()), (2, 5), "a manual refresh tries all points again");
}

#[tokio::test]
async fn other_errors_do_not_shorten_all_time() {
    for (status, count) in [("500 Oops", 1), ("404 Not Found", 1), ("429 Slow down", 1), ("400 Bad Request", 2)] {
        let server = Server::start(move |head, _| {
            let words = if head.contains("count=6500") { "first" } else { "second" };
            let body = format!(r#"{{"error":"{words}"}}"#);
            vec![Step::Send(response(status, "", body.as_bytes()))]
        })
        .await;
        let error = client(&server.url).get(&all_time(&["C1"]), None).await.unwrap_err();
        assert_eq!(server.heads().len(), count, "{status}");
        assert!(!error.to_string().contains("second"), "{status}: {error}");
    }
}

#[tokio::test]
async fn request_lines_of_long_symbols_stay_below_8_kb() {
    let server = Server::start(|head, _| series(requested(head).iter().map(String::as_str))).await;
    let names: Vec<String> = (0..150).map(|n| format!("{n}{}", "🔥".repeat(10))).collect();
    client(&server.url).get(&market_data(names), None).await.unwrap();
    let heads = server.heads();
    assert!(heads.len() > 1);
    assert!(heads.iter().all(|head| head.lines().next().unwrap().len() < 8_000));
}

#[tokio::test]
async fn service_that_ignores_the_symbols_gives_each_series_once() {
    let server = Server::start(|_, _| series(["C1", "C300"])).await;
    let reply = client(&server.url).get(&market_data((0..450).map(|n| format!("C{n}"))), None).await.unwrap();
    assert_eq!(symbols_of(&reply), ["C1", "C300"]);
}

#[tokio::test]
async fn failed_batch_fails_the_request() {
    let server = Server::start(|head, number| match number {
        0 => series(requested(head).iter().map(String::as_str)),
        _ => vec![Step::Send(response("503 Oops", "", b""))],
    })
    .await;
    let error = client(&server.url).get(&market_data((0..450).map(|n| format!("C{n}"))), None).await.unwrap_err();
    assert!(error.to_string().contains("503"), "{error}");
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn batches_share_the_byte_limit() {
    let server = Server::start(|head, _| series(requested(head).iter().map(String::as_str))).await;
    let client = limited(&server.url, |limits| limits.body_bytes = 40_000);
    let reply = client.get(&market_data((0..900).map(|n| format!("C{n}"))), None).await.unwrap();
    assert_eq!((symbols_of(&reply).len(), server.heads().len()), (400, 2));
    let warnings = reply.warnings.join("; ");
    assert!(warnings.contains("continue with C400"), "{warnings}");
}
