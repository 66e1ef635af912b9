//! Long lists of the indexer: fetched page by page, joined, and checked against the request.

use satscope::client::{ErrorKind, InscriptionRef, Reply, Request, ResponseData};
use satscope::model::{Currency, Period, SatNumber, Tag, Text};

use super::server::{Server, Step, response};
use super::{client, limited};

/// A query parameter of a request.
pub(super) fn parameter(head: &str, name: &str) -> Option<u64> {
    let target = head.split(' ').nth(1)?;
    let (_, query) = target.split_once('?')?;
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).and_then(|value| value.parse().ok())
}

/// Serves holders `from`.. of a list of `length`, as Hiro's API does: on a page past the end the total is 0.
fn holders(head: &str, length: u64, most: u64) -> Vec<Step> {
    let offset = parameter(head, "offset").unwrap();
    let limit = parameter(head, "limit").unwrap();
    assert!(limit <= 60, "{head}");
    let rows: Vec<String> = (offset..length.min(offset + limit.min(most)))
        .map(|n| format!(r#"{{"address":"bc1q{n}","overall_balance":"{n}.5"}}"#))
        .collect();
    let total = if rows.is_empty() { 0 } else { length };
    ok(format!(r#"{{"limit":{limit},"offset":{offset},"total":{total},"results":[{}]}}"#, rows.join(",")))
}

pub(super) fn ok(body: String) -> Vec<Step> {
    vec![Step::Send(response("200 OK", "ETag: \"1\"\r\n", body.as_bytes()))]
}

pub(super) fn holders_request(offset: u64, limit: u32) -> Request {
    Request::Brc20Holders { ticker: Text::from("ordi"), offset, limit }
}

/// Numbers of the received holders, and the total.
pub(super) fn received(reply: Reply) -> (Vec<u64>, Option<u64>) {
    let Some(ResponseData::Holders(page)) = reply.response else { panic!("{reply:?}") };
    let number = |address: &str| address.strip_prefix("bc1q").unwrap().parse().unwrap();
    (page.items.iter().map(|holder| number(holder.address.as_deref().unwrap())).collect(), page.total)
}

pub(super) fn limits(server: &Server) -> Vec<(u64, u64)> {
    let pair = |head: &String| (parameter(head, "offset").unwrap(), parameter(head, "limit").unwrap());
    server.heads().iter().map(pair).collect()
}

#[tokio::test]
async fn long_list_is_joined_from_pages() {
    let server = Server::start(|head, _| holders(head, 1000, 60)).await;
    let reply = client(&server.url).get(&holders_request(10, 150), None).await.unwrap();
    assert!(reply.url.ends_with("/ordinals/brc-20/tokens/ordi/holders?offset=10&limit=60"), "{}", reply.url);
    assert_eq!(reply.validator, None);
    assert_eq!(received(reply), ((10..160).collect(), Some(1000)));
    assert_eq!(limits(&server), [(10, 60), (70, 60), (130, 30)]);
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn list_ends_at_the_total() {
    let server = Server::start(|head, _| holders(head, 130, 60)).await;
    let reply = client(&server.url).get(&holders_request(0, 6000), None).await.unwrap();
    assert_eq!(received(reply), ((0..130).collect(), Some(130)));
    assert_eq!(limits(&server), [(0, 60), (60, 60), (120, 60)]);
}

#[tokio::test]
async fn unreadable_fields_do_not_make_a_short_page_full() {
    let server = Server::start(|_, _| {
        let rows: Vec<_> = (0..35).map(|n| format!(r#"{{"address":"bc1q{n}","overall_balance":"many"}}"#)).collect();
        ok(format!(r#"{{"results":[{}]}}"#, rows.join(",")))
    })
    .await;
    let reply = client(&server.url).get(&holders_request(0, 120), None).await.unwrap();
    assert_eq!((reply.warnings.len(), reply.rows), (35, 35), "{:?}", reply.warnings);
    assert_eq!(received(reply).0.len(), 35);
    assert_eq!(limits(&server), [(0, 60), (35, 60)], "its pages may be smaller than requested");
}

#[tokio::test]
async fn unreadable_item_does_not_end_list() {
    let server = Server::start(|head, _| {
        let from = parameter(head, "offset").unwrap();
        let row =
            |n| if n == 7 { String::from("7") } else { format!(r#"{{"address":"bc1q{n}","overall_balance":"1"}}"#) };
        let rows: Vec<_> = (from..70.min(from + 60)).map(row).collect();
        ok(format!(r#"{{"results":[{}]}}"#, rows.join(",")))
    })
    .await;
    let reply = client(&server.url).get(&holders_request(0, 200), None).await.unwrap();
    assert_eq!(reply.warnings.len(), 1, "{:?}", reply.warnings);
    assert_eq!(received(reply).0, (0..70).filter(|n| *n != 7).collect::<Vec<_>>());
}

/// A page of UniSat's history without a total; `is_valid` decides which events are valid.
fn events(head: &str, length: u64, is_valid: fn(u64) -> bool) -> Vec<Step> {
    let offset = parameter(head, "offset").unwrap();
    let row = |n| {
        let valid = is_valid(n);
        format!(r#"{{"ticker":"ordi","type":"inscribe-mint","valid":{valid},"txid":"{n}","to":"bc1qa","amount":"1"}}"#)
    };
    let rows: Vec<_> = (offset..length.min(offset + parameter(head, "limit").unwrap())).map(row).collect();
    ok(format!(r#"{{"code":0,"msg":"OK","data":{{"detail":[{}]}}}}"#, rows.join(",")))
}

fn events_request(offset: u64, limit: u32) -> Request {
    Request::Brc20Activity { ticker: Some(Text::from("ordi")), block_height: None, offset, limit }
}

fn transactions(reply: &Reply) -> Vec<u64> {
    let Some(ResponseData::Activity(page)) = &reply.response else { panic!("{reply:?}") };
    page.items.iter().map(|event| event.tx_id.as_deref().unwrap().parse().unwrap()).collect()
}

#[tokio::test]
async fn skipped_rows_count_for_the_page_and_the_next_offset() {
    let server = Server::start(|head, _| events(head, 150, |n| n % 3 == 0)).await;
    let reply = client(&server.url).get(&events_request(0, 500), None).await.unwrap();
    assert_eq!(transactions(&reply), (0..150).filter(|n| n % 3 == 0).collect::<Vec<_>>());
    assert_eq!(limits(&server), [(0, 60), (60, 60), (120, 60)]);
    assert_eq!(reply.rows, 150);
}

#[tokio::test]
async fn pages_of_skipped_rows_do_not_end_a_list() {
    let server = Server::start(|head, _| events(head, 200, |n| n >= 180)).await;
    let reply = client(&server.url).get(&events_request(0, 500), None).await.unwrap();
    assert_eq!(transactions(&reply), (180..200).collect::<Vec<_>>());

    let server = Server::start(|head, _| events(head, u64::MAX, |_| false)).await;
    let reply = client(&server.url).get(&events_request(0, u32::MAX), None).await.unwrap();
    assert_eq!((transactions(&reply), server.heads().len()), (vec![], 10), "up to a limit");
}

#[tokio::test]
async fn page_smaller_than_requested_is_filled_up() {
    let server = Server::start(|head, _| holders(head, 70, 25)).await;
    let reply = client(&server.url).get(&holders_request(0, 60), None).await.unwrap();
    assert_eq!((reply.rows, reply.validator.is_none()), (60, true));
    assert_eq!(received(reply), ((0..60).collect(), Some(70)));
    assert_eq!(limits(&server), [(0, 60), (25, 35), (50, 10)]);
}

#[tokio::test]
async fn page_past_the_end_keeps_total() {
    // The list shrinks between two pages.
    let server = Server::start(|head, number| holders(head, if number == 0 { 100 } else { 60 }, 60)).await;
    let reply = client(&server.url).get(&holders_request(0, 100), None).await.unwrap();
    assert_eq!(received(reply), ((0..60).collect(), Some(100)));
}

#[tokio::test]
async fn smaller_pages_than_requested_are_followed() {
    let server = Server::start(|head, _| holders(head, 70, 25)).await;
    let reply = client(&server.url).get(&holders_request(0, 100), None).await.unwrap();
    assert_eq!(received(reply), ((0..70).collect(), Some(70)));
    assert_eq!(limits(&server), [(0, 60), (25, 60), (50, 50)]);
}

#[tokio::test]
async fn item_moved_to_the_next_page_is_listed_once() {
    let server = Server::start(|head, _| {
        let offset = parameter(head, "offset").unwrap();
        // A new holder at the top moved the last one of the first page to the second.
        let first = if offset == 0 { 0 } else { offset - 1 };
        let rows: Vec<_> =
            (first..first + 60).map(|n| format!(r#"{{"address":"bc1q{n}","overall_balance":"1"}}"#)).collect();
        ok(format!(r#"{{"total":500,"results":[{}]}}"#, rows.join(",")))
    })
    .await;
    let reply = client(&server.url).get(&holders_request(0, 120), None).await.unwrap();
    assert_eq!(received(reply).0, (0..119).collect::<Vec<_>>());
}

#[tokio::test]
async fn ignored_offset_ends_list() {
    let rows: Vec<_> = (0..60).map(|n| format!(r#"{{"address":"bc1q{n}","overall_balance":"1"}}"#)).collect();
    let body = format!(r#"{{"results":[{}]}}"#, rows.join(","));
    let server = Server::start(move |_, _| ok(body.clone())).await;
    let reply = client(&server.url).get(&holders_request(0, u32::MAX), None).await.unwrap();
    assert_eq!(received(reply), ((0..60).collect(), None));
    assert_eq!(server.heads().len(), 2);
}

#[tokio::test]
async fn unpaged_list_is_cut_to_the_requested_page() {
    let rows: Vec<_> = (0..100).map(|n| format!(r#"{{"address":"bc1q{n}","overall_balance":"1"}}"#)).collect();
    let body = format!("[{}]", rows.join(","));
    let server = Server::start(move |_, _| ok(body.clone())).await;
    let client = client(&server.url);
    for (offset, limit, expected) in [(0, 5, 0..5), (90, 20, 90..100), (200, 20, 0..0), (30, 500, 30..100)] {
        let reply = client.get(&holders_request(offset, limit), None).await.unwrap();
        assert_eq!(received(reply), (expected.collect(), Some(100)), "{offset} {limit}");
    }
}

/// ord's recursive endpoint: pages of 100 ids that ignore `offset` and `limit`.
#[tokio::test]
async fn unpaged_list_with_more_rows_is_cut_without_a_total() {
    let ids: Vec<_> = (0..100).map(|n| format!(r#""{n:064x}i0""#)).collect();
    let body = format!(r#"{{"ids":[{}],"more":true,"page":0}}"#, ids.join(","));
    let server = Server::start(move |_, _| ok(body.clone())).await;
    let client = client(&server.url);
    let request = |offset, limit| Request::SatInscriptions { number: SatNumber::new(7).unwrap(), offset, limit };
    let cut = "the service has more rows, but sends only the first 100";
    for (offset, limit, expected, warnings) in [
        (0, 20, 0..20, &[][..]),
        (20, 60, 20..80, &[]),
        (60, 60, 60..100, &[cut]),
        (0, 500, 0..100, &[cut]),
        (100, 20, 0..0, &[cut]),
    ] {
        let reply = client.get(&request(offset, limit), None).await.unwrap();
        let Some(ResponseData::Inscriptions(page)) = &reply.response else { panic!("{reply:?}") };
        let ids: Vec<_> = page.items.iter().map(|item| item.id.to_string()).collect();
        assert_eq!(ids, expected.map(|n| format!("{n:064x}i0")).collect::<Vec<_>>(), "{offset} {limit}");
        assert_eq!(
            (page.total, reply.warnings.as_slice()),
            (None, &warnings.iter().map(|w| w.to_string()).collect::<Vec<_>>()[..]),
            "{offset} {limit}"
        );
    }
}

/// Serves a page of at most `most` rows of a list, with `more` if others follow.
fn page_of(head: &str, length: u64, most: u64, more: &str) -> Vec<Step> {
    let offset = parameter(head, "offset").unwrap();
    let rows: Vec<_> = (offset..length.min(offset + most))
        .map(|n| format!(r#"{{"address":"bc1q{n}","overall_balance":"1"}}"#))
        .collect();
    let more = if offset + most < length { more } else { "" };
    ok(format!(r#"{{"data":[{}]{more}}}"#, rows.join(",")))
}

#[tokio::test]
async fn list_continues_as_long_as_the_service_has_more_rows() {
    for more in [
        r#","next_cursor":"abc""#,
        r#","has_more":true"#,
        r#","hasMore":true,"next_cursor":null"#,
        r#","pagination":{"has_next":true}"#,
        r#","meta":{"next_cursor":7}"#,
        r#","pageInfo":{"hasNextPage":true}"#,
    ] {
        let server = Server::start(move |head, _| page_of(head, 15, 7, more)).await;
        let reply = client(&server.url).get(&holders_request(0, 100), None).await.unwrap();
        assert_eq!((reply.warnings.as_slice(), reply.has_more), (&[][..], false), "{more}");
        assert_eq!(received(reply), ((0..15).collect(), None), "{more}");
        assert_eq!(limits(&server), [(0, 60), (7, 60), (14, 60)], "{more}");
    }
}

#[tokio::test]
async fn list_that_ends_before_its_last_row_has_a_warning() {
    let body = r#"{"data":[{"address":"bc1q0","overall_balance":"1"},{"address":"bc1q1","overall_balance":"1"}],"next_cursor":"abc"}"#;
    let server = Server::start(move |_, _| ok(String::from(body))).await;
    let reply = client(&server.url).get(&holders_request(0, 100), None).await.unwrap();
    assert_eq!(reply.warnings, ["the service has more rows, but sends only the first 2"]);
    assert_eq!(received(reply), (vec![0, 1], None));
    assert_eq!(limits(&server), [(0, 60), (2, 60)]);
    // No more were requested.
    let reply = client(&server.url).get(&holders_request(0, 2), None).await.unwrap();
    assert_eq!(reply.warnings, Vec::<String>::new());
}

#[tokio::test]
async fn blocks_outside_the_requested_range_are_skipped() {
    let blocks = |heights: &[u64]| -> String {
        let block = |at: &u64| format!(r#"{{"block_height":"{at}","inscription_count":"5"}}"#);
        format!(r#"{{"results":[{}]}}"#, heights.iter().map(block).collect::<Vec<_>>().join(","))
    };
    let body = blocks(&[778_922, 778_921, 778_920]);
    let server = Server::start(move |_, _| ok(body.clone())).await;
    for (from, to, expected) in [
        (Some(778_921), Some(778_921), vec![778_921]),
        (Some(778_921), None, vec![778_922, 778_921]),
        (None, Some(778_920), vec![778_920]),
        (None, None, vec![778_922, 778_921, 778_920]),
    ] {
        let request = Request::InscriptionStats { from_block: from, to_block: to };
        let reply = client(&server.url).get(&request, None).await.unwrap();
        let Some(ResponseData::InscriptionStats(page)) = &reply.response else { panic!("{reply:?}") };
        let heights: Vec<_> = page.items.iter().map(|block| block.block_height.unwrap()).collect();
        assert_eq!(heights, expected);
        assert_eq!(reply.warnings.len(), usize::from(expected.len() < 3), "{:?}", reply.warnings);
    }
}

#[tokio::test]
async fn list_continues_after_a_page_of_a_common_limit() {
    let server = Server::start(move |head, _| page_of(head, 47, 20, "")).await;
    let reply = client(&server.url).get(&holders_request(0, 200), None).await.unwrap();
    assert_eq!(received(reply), ((0..47).collect(), None));
    assert_eq!(limits(&server), [(0, 60), (20, 60), (40, 60)]);
}

#[tokio::test]
async fn list_ends_where_the_service_refuses_a_page_that_may_not_exist() {
    for (length, more, warnings) in [(20, "", 0), (7, r#","next_cursor":"abc""#, 1), (20, r#","next_cursor":"abc""#, 1)]
    {
        let server = Server::start(move |head, _| match parameter(head, "offset") {
            Some(0) => page_of(head, length + 1, length, more),
            _ => vec![Step::Send(response("400 Bad Request", "", br#"{"error":"offset too large"}"#))],
        })
        .await;
        let reply = client(&server.url).get(&holders_request(0, 200), None).await.unwrap();
        assert_eq!(reply.warnings.len(), warnings, "{:?}", reply.warnings);
        assert_eq!(received(reply), ((0..length).collect(), None));
    }
}

#[tokio::test]
async fn list_survives_a_failed_page_that_may_not_exist() {
    let failed = |status: &'static str, more: &'static str| {
        Server::start(move |head, _| match parameter(head, "offset") {
            Some(0) => page_of(head, 21, 20, more),
            _ => vec![Step::Send(response(status, "", b""))],
        })
    };
    let server = failed("500 Oops", "").await;
    let reply = client(&server.url).get(&holders_request(0, 200), None).await.unwrap();
    assert!(reply.warnings[0].starts_with("there may be more than 20 rows: "), "{:?}", reply.warnings);
    assert_eq!(received(reply), ((0..20).collect(), None));
    // This page exists.
    for status in ["403 Forbidden", "429 Too Many Requests"] {
        let server = failed(status, r#","has_more":true"#).await;
        let error = client(&server.url).get(&holders_request(0, 200), None).await.unwrap_err();
        assert!(!error.to_string().is_empty() && server.heads().len() > 1, "{error}");
    }
}

#[tokio::test]
async fn cursor_of_zero_ends_a_list() {
    for cursor in ["0", "\"0\"", "-1", "\"\"", "null"] {
        let body = format!(r#"{{"next_cursor":{cursor},"data":[{{"address":"bc1q0","overall_balance":"1"}}]}}"#);
        let server = Server::start(move |_, _| ok(body.clone())).await;
        let client = client(&server.url);
        // The first time, the page may be smaller than requested.
        for requests in [2, 3] {
            let reply = client.get(&holders_request(0, 200), None).await.unwrap();
            assert_eq!((reply.warnings.as_slice(), server.heads().len()), (&[][..], requests), "{cursor}");
        }
    }
}

#[tokio::test]
async fn page_longer_than_requested_is_cut() {
    let rows: Vec<_> = (10..70).map(|n| format!(r#"{{"address":"bc1q{n}","overall_balance":"1"}}"#)).collect();
    let body = format!(r#"{{"total":500,"results":[{}]}}"#, rows.join(","));
    let server = Server::start(move |_, _| ok(body.clone())).await;
    let reply = client(&server.url).get(&holders_request(10, 5), None).await.unwrap();
    assert_eq!(received(reply), ((10..15).collect(), Some(500)));
}

#[tokio::test]
async fn failed_page_fails_list() {
    let server = Server::start(|head, number| match number {
        0 => holders(head, 200, 60),
        _ => vec![Step::Send(response("500 Oops", "", b""))],
    })
    .await;
    let error = client(&server.url).get(&holders_request(0, 100), None).await.unwrap_err();
    assert!(error.to_string().contains("500"), "{error}");
}

#[tokio::test]
async fn wildcards_in_a_prefix_are_literal() {
    let server = Server::start(|_, _| {
        let rows = ["a_b1", "A_B2", "axbc", "%abc"].map(|ticker| format!(r#"{{"ticker":"{ticker}"}}"#));
        ok(format!(r#"{{"total":4,"results":[{}]}}"#, rows.join(",")))
    })
    .await;
    let request = Request::Brc20Tokens { ticker: Some(Text::from("A_b")), offset: 0, limit: 20 };
    let reply = client(&server.url).get(&request, None).await.unwrap();
    let Some(ResponseData::Brc20Tokens(page)) = reply.response else { panic!() };
    assert_eq!(page.items.iter().map(|token| token.ticker.as_str()).collect::<Vec<_>>(), ["a_b1", "A_B2"]);
    assert_eq!((page.total, reply.warnings.as_slice()), (Some(2), &[][..]));
    assert_eq!(server.targets(), ["/ordinals/brc-20/tokens?ticker=A_b&offset=0&limit=60&order_by=tx_count"]);
}

#[tokio::test]
async fn ignored_block_height_requests_one_page() {
    let rows: Vec<_> = (0..60)
        .map(|n| format!(r#"{{"operation":"mint","ticker":"ordi","tx_id":"{n}","block_height":{}}}"#, 921_300 - n))
        .collect();
    let body = format!(r#"{{"total":9000,"results":[{}]}}"#, rows.join(","));
    let server = Server::start(move |_, _| ok(body.clone())).await;
    let at = |block_height| Request::Brc20Activity { ticker: None, block_height, offset: 0, limit: 600 };
    let reply = client(&server.url).get(&at(Some(0)), None).await.unwrap();
    let Some(ResponseData::Activity(page)) = reply.response else { panic!() };
    assert_eq!((page.items.len(), page.total), (0, None));
    assert_eq!(reply.warnings.len(), 1);
    assert_eq!(server.heads().len(), 1);
}

#[tokio::test]
async fn ticker_is_requested_in_lower_case_and_checked() {
    let server = Server::start(|_, _| {
        let rows = ["ordé", "ORDÉ", "orde"].map(|ticker| format!(r#"{{"operation":"mint","ticker":"{ticker}"}}"#));
        ok(format!("[{}]", rows.join(",")))
    })
    .await;
    let ticker = Some(Text::from("OrdÉ"));
    let request = Request::Brc20Activity { ticker, block_height: None, offset: 0, limit: 20 };
    let reply = client(&server.url).get(&request, None).await.unwrap();
    let Some(ResponseData::Activity(page)) = reply.response else { panic!() };
    assert_eq!(page.items.len(), 2);
    assert_eq!(server.targets()[0], "/ordinals/brc-20/activity?ticker=ord%C3%A9&offset=0&limit=20");
}

#[tokio::test]
async fn chart_period_matches_request() {
    let chart = |days: i64, every: i64| {
        let end = 1_795_075_200_i64;
        let rows: Vec<_> = (0..=days * 86_400 / every).map(|n| format!("[{},1]", end - n * every)).collect();
        format!("[{}]", rows.join(","))
    };
    let query = |period| Request::Chart { slug: Text::from("ordi"), period, convert: Currency::usd() };
    let body = chart(30, 3600);
    let server = Server::start(move |_, _| ok(body.clone())).await;
    let points = |reply: &Reply| match &reply.response {
        Some(ResponseData::Chart(chart)) => chart.points.len(),
        other => panic!("{other:?}"),
    };
    let day = client(&server.url).get(&query(Period::Day), None).await.unwrap();
    assert_eq!(points(&day), 25);
    assert_eq!(day.warnings, ["ignored 696 points outside the period 1D"]);
    let month = client(&server.url).get(&query(Period::Month), None).await.unwrap();
    assert_eq!((points(&month), month.warnings), (721, vec![]));

    // One wrong time does not empty the chart. If all points are isolated, the last one is the newest.
    let far = format!("[[4102444800,5],{}", &chart(1, 3600)[1..]);
    let server = Server::start(move |_, _| ok(far.clone())).await;
    let day = client(&server.url).get(&query(Period::Day), None).await.unwrap();
    assert_eq!(points(&day), 25);
    assert_eq!(day.warnings, ["skipped 1 point before 2009 or after 2100"]);
    let weekly = chart(70, 7 * 86_400);
    let server = Server::start(move |_, _| ok(weekly.clone())).await;
    let day = client(&server.url).get(&query(Period::Day), None).await.unwrap();
    assert!(matches!(day.response, Some(ResponseData::Chart(chart))
            if chart.points.len() == 1 && chart.points[0].time.millis() == 1_795_075_200_000));
}

#[tokio::test]
async fn another_inscription_than_requested_is_rejected() {
    let server = Server::start(|_, _| ok(String::from(r#"{"id":"abi0","number":6}"#))).await;
    let query = |number| Request::Inscription { inscription: InscriptionRef::Number(number) };
    let error = client(&server.url).get(&query(5), None).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Mismatch { found: "6".into(), requested: "5".into() });
    assert_eq!((error.status(), error.reason().as_str()), (None, "Response is about 6, not 5"));
    assert_eq!(client(&server.url).get(&query(6), None).await.unwrap().warnings, [] as [&str; 0]);
}

#[tokio::test]
async fn duplicates_in_one_response_are_kept_with_a_warning() {
    let row = |address: &str, balance: u32| format!(r#"{{"address":"{address}","overall_balance":"{balance}"}}"#);
    let page = format!(
        r#"{{"limit":60,"offset":0,"total":3,"results":[{},{},{}]}}"#,
        row("bc1q1", 1),
        row("bc1q2", 2),
        row("bc1q1", 3)
    );
    let server = Server::start(move |_, _| ok(page.clone())).await;
    for limit in [20, 150] {
        let reply = client(&server.url).get(&holders_request(0, limit), None).await.unwrap();
        let warning = "1 duplicate ID in the response, such as bc1q1; lists may omit duplicates";
        assert_eq!(reply.warnings, [warning], "{limit}");
        assert_eq!(received(reply), (vec![1, 2, 1], Some(3)), "{limit}");
    }
    let coins =
        r#"[{"id":1,"name":"A","symbol":"A"},{"id":2,"name":"B","symbol":"B"},{"id":1,"name":"C","symbol":"C"}]"#;
    let server = Server::start(move |_, _| ok(String::from(coins))).await;
    let request = Request::Coins { tag: Tag::All, start: 1, limit: 3, convert: Currency::usd() };
    let reply = client(&server.url).get(&request, None).await.unwrap();
    assert!(reply.warnings.iter().any(|warning| warning.contains("such as 1;")), "{:?}", reply.warnings);
    assert!(matches!(reply.response, Some(ResponseData::Coins(page)) if page.items.len() == 3));
}

#[tokio::test]
async fn endless_list_ends_at_row_and_byte_limits() {
    let server = Server::start(|head, _| holders(head, u64::MAX, 60)).await;
    let client = limited(&server.url, |limits| limits.rows = 150);
    let reply = client.get(&holders_request(10, u32::MAX), None).await.unwrap();
    assert_eq!(reply.warnings, ["list truncated after 180 rows (0 MiB); continue with offset 190"]);
    assert_eq!(received(reply), ((10..190).collect(), Some(u64::MAX)));

    let client = limited(&server.url, |limits| limits.body_bytes = 10_000);
    let reply = client.get(&holders_request(0, u32::MAX), None).await.unwrap();
    assert_eq!(reply.warnings.len(), 1, "{:?}", reply.warnings);
    assert!((10_000..20_000).contains(&reply.bytes), "{} bytes", reply.bytes);
}

/// Tokens `t0`, `t1`, …; every 50th starts with `a_`. In Hiro's API, `_` matches any letter.
fn tokens(head: &str, length: u64) -> Vec<Step> {
    let offset = parameter(head, "offset").unwrap();
    let rows: Vec<_> = (offset..length.min(offset + parameter(head, "limit").unwrap()))
        .map(|n| format!(r#"{{"ticker":"a{}{n}"}}"#, if n % 50 == 49 { '_' } else { 'x' }))
        .collect();
    ok(format!(r#"{{"total":{length},"results":[{}]}}"#, rows.join(",")))
}

#[tokio::test]
async fn wildcards_in_a_prefix_are_literal_on_every_page() {
    for length in [300, 100_000] {
        let server = Server::start(move |head, _| tokens(head, length)).await;
        let client = client(&server.url);
        let query = async |prefix: &str, offset, limit| {
            let request = Request::Brc20Tokens { ticker: Some(Text::from(prefix)), offset, limit };
            let reply = client.get(&request, None).await.unwrap();
            let Some(ResponseData::Brc20Tokens(page)) = reply.response else { panic!("{:?}", reply.response) };
            let numbers = page.items.iter().map(|token| token.ticker[2..].parse::<u64>().unwrap()).collect::<Vec<_>>();
            (numbers, page.total, reply.warnings)
        };
        assert_eq!(query("a_", 0, 3).await, (vec![49, 99, 149], None, vec![]));
        assert_eq!(query("a_", 2, 2).await, (vec![149, 199], None, vec![]), "an offset counts matches");
        let all = if length == 300 {
            (vec![49, 99, 149, 199, 249, 299], Some(6), vec![])
        } else {
            let warning = String::from("search stopped after 12000 rows; there may be more matches");
            ((0..240).map(|n| 49 + n * 50).collect(), None, vec![warning])
        };
        assert_eq!(query("A_", 0, 1000).await, all);
        assert_eq!(query("ax", 0, 2).await.0, [0, 1]);
    }
    let server = Server::start(|head, _| tokens(head, 300)).await;
    let request = Request::Brc20Tokens { ticker: Some(Text::from("%")), offset: 0, limit: 60 };
    let Some(ResponseData::Brc20Tokens(page)) = client(&server.url).get(&request, None).await.unwrap().response else {
        panic!()
    };
    assert_eq!((page.items.len(), page.total), (0, Some(0)));
}

#[tokio::test]
async fn long_chart_keeps_newest_points() {
    let points: Vec<_> = (0..60_000).map(|n| format!("[{},{n}]", 1_790_000_000 + n * 60)).collect();
    let body = format!(r#"{{"prices":[{}]}}"#, points.join(","));
    let server = Server::start(move |_, _| ok(body.clone())).await;
    let request = Request::Chart { slug: Text::from("ordi"), period: Period::Quarter, convert: Currency::usd() };
    let reply = client(&server.url).get(&request, None).await.unwrap();
    assert_eq!(reply.warnings, ["ordi: kept the newest 50000 of 60000 points"]);
    let Some(ResponseData::Chart(chart)) = reply.response else { panic!("{:?}", reply.response) };
    assert_eq!((chart.points.len(), chart.points[0].price), (50_000, Some(10_000.0)));
}

/// Holders `from`.. of a list of 130, of a provider. The one of `b` has them in reverse order.
fn holders_of(head: &str, provider: &str) -> Vec<Step> {
    let offset = parameter(head, "offset").unwrap();
    let number = |n: u64| if provider == "b" { 129 - n } else { n };
    let rows: Vec<String> = (offset..130.min(offset + parameter(head, "limit").unwrap()))
        .map(|n| format!(r#"{{"address":"bc1q{}","overall_balance":"1"}}"#, number(n)))
        .collect();
    let body = format!(r#"{{"offset":{offset},"total":130,"results":[{}]}}"#, rows.join(","));
    let headers = format!("X-Satscope-Provider: {provider}\r\n");
    vec![Step::Send(response("200 OK", &headers, body.as_bytes()))]
}

#[tokio::test]
async fn list_is_fetched_again_if_its_provider_changes() {
    let server = Server::start(|head, count| holders_of(head, if count == 0 { "a" } else { "b" })).await;
    let reply = client(&server.url).get(&holders_request(0, 120), None).await.unwrap();
    assert_eq!((reply.provider.as_deref(), &reply.warnings), (Some("b"), &Vec::new()));
    assert_eq!(received(reply), ((10..130).rev().collect(), Some(130)));
    assert_eq!(limits(&server), [(0, 60), (60, 60), (0, 60), (60, 60)]);
}

#[tokio::test]
async fn list_whose_provider_keeps_changing_has_a_warning() {
    let server = Server::start(|head, count| holders_of(head, if count % 2 == 0 { "a" } else { "b" })).await;
    let reply = client(&server.url).get(&holders_request(0, 120), None).await.unwrap();
    let warning = "rows come from several providers; some may be missing or repeated";
    assert_eq!((reply.provider.as_deref(), reply.warnings.as_slice()), (Some("a, b"), &[String::from(warning)][..]));
    assert_eq!(limits(&server), [(0, 60), (60, 60), (0, 60), (60, 60)]);
}
