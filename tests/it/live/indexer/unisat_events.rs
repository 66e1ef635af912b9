//! BRC-20 events over UniSat.

use serde_json::{Value, json as object};

use super::*;

#[tokio::test]
async fn unisat_activity_keeps_valid_events_and_one_side_of_transfers() {
    for (nameless, transfers) in [(false, false), (false, true), (true, false), (true, true)] {
        let unisat = fakes::UniSat { nameless, transfers, ..Default::default() }.start();
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
async fn unisat_transfers_are_found_by_either_type() {
    for transfers in [false, true] {
        let unisat = fakes::UniSat { transfers, ..Default::default() }.start();
        let live = Live::in_order(&[(UniSat, &unisat)]);
        // The first page of this block has no transfer.
        let events = live.activity("ordi", Some(TIP - 100)).await;
        let sends = events.items.iter().filter(|event| event.operation.as_str() == "transfer_send").count();
        assert_eq!((events.items.len(), sends), (3, 1), "{transfers}");
        let types: Vec<String> =
            unisat.requests()[1..].iter().map(|request| request.query("type").to_owned()).collect();
        let sent = if transfers { &["send", "transfer"][..] } else { &["send"] };
        assert_eq!(types, [&["inscribe-deploy", "inscribe-mint", "inscribe-transfer"], sent].concat());
        // Now the type is known.
        live.activity("pizza", Some(TIP - 100)).await;
        assert_eq!(unisat.requests().len(), 1 + types.len() + 1 + 4);
        assert_eq!(unisat.requests().pop().unwrap().query("type"), sent[sent.len() - 1]);
    }
}

/// The requested types of events.
fn types(unisat: &Fake) -> Vec<String> {
    let requests = unisat.requests().into_iter().filter(|request| request.path.ends_with("/history"));
    requests.map(|request| request.query("type").to_owned()).collect()
}

#[tokio::test]
async fn unisat_transfers_of_a_token_may_have_another_type_than_in_blocks() {
    let unisat = fakes::UniSat { nameless: true, transfers: true, sends_in_blocks: true, ..Default::default() }.start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    for height in [TIP - 1, TIP - 3] {
        let events = live.activity("ordi", Some(height)).await;
        let sends = events.items.iter().filter(|event| event.operation.as_str() == "transfer_send").count();
        assert_eq!((events.items.len(), sends), (3, 1), "{height}");
    }
    let all = ["inscribe-deploy", "inscribe-mint", "inscribe-transfer"];
    // The type of blocks first, then only that of tokens.
    assert_eq!(types(&unisat), [&all[..], &["send", "transfer"], &all, &["transfer"]].concat());
}

#[tokio::test]
async fn failure_of_unisat_is_not_taken_for_an_unknown_type() {
    let unisat = fakes::UniSat::default().start();
    unisat.edit(|request, response| if request.query("type") == "send" { json(503, "") } else { response });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    // The first page of this block has no transfer, so that its type is unknown.
    let request =
        Request::Brc20Activity { ticker: Some("ordi".into()), block_height: Some(TIP - 100), offset: 0, limit: 20 };
    let error = live.get(&request).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Explained { status: 503, .. }), "{error:?}");
    assert_eq!(types(&unisat), ["inscribe-deploy", "inscribe-mint", "inscribe-transfer", "send"]);
}

#[tokio::test]
async fn unisat_type_that_the_server_rejects_is_not_needed() {
    for (rejected, transfers) in [("send", true), ("transfer", false)] {
        let unisat = fakes::UniSat { transfers, ..Default::default() }.start();
        unisat.edit(move |request, response| {
            if request.query("type") == rejected {
                json(200, r#"{"code":-1,"msg":"get brc20 history failed","data":null}"#)
            } else {
                response
            }
        });
        let live = Live::in_order(&[(UniSat, &unisat)]);
        assert_eq!(live.activity("ordi", Some(TIP - 100)).await.items.len(), 3, "{rejected}");
    }
}

#[tokio::test]
async fn burned_transfer_of_unisat_is_a_transfer() {
    let unisat = fakes::UniSat { transfers: true, ..Default::default() }.start();
    unisat.edit(|_, mut response| {
        response.body = String::from_utf8(response.body).unwrap().replace("bc1qto", "").into_bytes();
        response
    });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let events = live.activity("ordi", Some(TIP - 1)).await;
    let parties: Vec<_> = events
        .items
        .iter()
        .map(|event| (event.operation.as_str(), event.from.as_deref(), event.to.as_deref()))
        .collect();
    let from = Some("bc1qfrom");
    assert_eq!(parties, [("mint", None, Some("bc1qminter")), ("transfer", from, None), ("transfer_send", from, None)]);
}

#[tokio::test]
async fn unisat_transfer_within_an_address_is_shown_once() {
    let unisat = Fake::start(|request| {
        let kind = request.query("type");
        let row = |kind: &str| {
            object!({"type": kind, "valid": true, "from": fakes::HOLDER, "to": fakes::HOLDER, "amount": "5", "inscriptionId": id(5),
                "height": TIP, "blocktime": 1_795_074_000, "txid": tx(5)})
        };
        let rows = match kind {
            "" | "send" | "receive" => vec![row(if kind.is_empty() { "send" } else { kind })],
            _ => Vec::new(),
        };
        let data = object!({"start": 0, "total": rows.len(), "detail": rows});
        json(200, object!({"code": 0, "msg": "OK", "data": data}).to_string())
    });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let (status, _, body) = live.raw(&format!("/ordinals/brc-20/activity?ticker=ordi&address={}", fakes::HOLDER)).await;
    let operations: Vec<&Value> = body["results"].as_array().unwrap().iter().map(|row| &row["operation"]).collect();
    assert_eq!((status, operations), (200, vec![&Value::from("transfer_send")]), "{body}");
}

#[tokio::test]
async fn unisat_events_of_six_byte_tickers_are_found_at_their_old_path() {
    for old_place in [false, true] {
        for transfers in [false, true] {
            let unisat = fakes::UniSat { old_place, transfers, nameless: true, ..Default::default() }.start();
            let live = Live::in_order(&[(UniSat, &unisat)]);
            let events = live.activity("sixbyt", Some(TIP - 50)).await;
            let operations: Vec<&str> = events.items.iter().map(|event| event.operation.as_str()).collect();
            assert_eq!(operations, ["transfer_send"], "{old_place} {transfers}");
        }
    }
    // Once the place is known, the list of a block isn't needed.
    let unisat = fakes::UniSat { old_place: true, ..Default::default() }.start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    live.token("sixbyt").await;
    assert_eq!(live.activity("sixbyt", Some(TIP - 50)).await.items.len(), 1);
    assert!(unisat.paths()[2..].iter().all(|path| path.ends_with("brc20-prog/sixbyt/history")), "{:?}", unisat.paths());
}

#[tokio::test]
async fn cached_block_of_unisat_does_not_hide_six_byte_tickers() {
    for old_place in [false, true] {
        let unisat = fakes::UniSat { old_place, ..Default::default() }.start();
        let live = Live::in_order(&[(UniSat, &unisat)]);
        assert_eq!(live.activity("ordi", Some(TIP - 50)).await.items, []);
        let events = live.activity("sixbyt", Some(TIP - 50)).await;
        assert_eq!((events.items.len(), events.total), (1, Some(1)), "{old_place}: {:?}", unisat.paths());
    }
}

#[tokio::test]
async fn unisat_type_of_transfers_of_six_byte_tickers_is_learned() {
    let unisat = fakes::UniSat { old_place: true, ..Default::default() }.start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let all = ["inscribe-deploy", "inscribe-mint", "inscribe-transfer"];
    assert_eq!(live.activity("sixbyt", Some(TIP - 50)).await.items.len(), 1);
    assert_eq!(live.activity("sixbyt", Some(TIP - 51)).await.items, []);
    assert_eq!(types(&unisat), [&all[..], &["transfer", "send"], &all, &["send"]].concat());
}

#[tokio::test]
async fn six_byte_ticker_without_events_is_not_a_unisat_failure() {
    let unisat = fakes::UniSat { nameless: true, ..Default::default() }.start();
    unisat.edit(|request, response| {
        if request.path.ends_with("/history") {
            json(200, r#"{"code":-1,"msg":"get brc20 history failed","data":null}"#)
        } else {
            response
        }
    });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let activity = |ticker: &str| Request::Brc20Activity {
        ticker: Some(ticker.into()),
        block_height: Some(TIP - 50),
        offset: 0,
        limit: 20,
    };
    let sentence = "UniSat has no events for this 6-byte ticker: set indexer_url";
    assert_eq!(live.not_served(activity("sixbyt")).await, sentence);
    let error = live.get(&activity("unknwn")).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::NotFound { .. }), "{error:?}");
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
    let next =
        Request::Brc20Activity { ticker: Some("ordi".into()), block_height: Some(TIP - 100), offset: 1, limit: 20 };
    live.answer(next).await;
    assert_eq!(unisat.requests().len(), requests.len(), "another page of the same events");
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
    let reply = live.get(&request).await.unwrap();
    assert!(matches!(&reply.response, Some(ResponseData::Activity(page)) if page.items.is_empty()), "{reply:?}");
    assert_eq!(reply.warnings, ["No events in the newest 6 blocks; choose a block height, or set indexer_url"]);
    // The blocks are cached.
    assert_eq!(unisat.paths().iter().filter(|path| path.contains("history-by-height")).count(), 6);
}

#[tokio::test]
async fn unisat_newest_activity_without_tickers_takes_few_requests() {
    let unisat = fakes::UniSat { nameless: true, ..Default::default() }.start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let events = live.activity("ordi", None).await;
    let heights: Vec<u64> = events.items.iter().filter_map(|event| event.block_height).collect();
    assert_eq!(heights, [TIP - 1; 3]);
    // The height, the newest block, and four types in each of two blocks.
    assert_eq!(unisat.paths().len(), 1 + 1 + 2 * 4);
    let next = Request::Brc20Activity { ticker: Some("ordi".into()), block_height: None, offset: 2, limit: 20 };
    let ResponseData::Activity(next) = live.answer(next).await else { panic!("no activity") };
    assert_eq!((next.items.len(), unisat.paths().len()), (1, 1 + 1 + 2 * 4 + 1), "only the height");
    let none = Request::Brc20Activity { ticker: Some("t001".into()), block_height: None, offset: 0, limit: 20 };
    for _ in 0..2 {
        let reply = live.get(&none).await.unwrap();
        assert_eq!(reply.warnings, ["No events in the newest 2 blocks; choose a block height, or set indexer_url"]);
        assert_eq!(unisat.paths().len(), 1 + 1 + 2 * 4 + 1 + 1 + 2 * 4, "without the block's own list");
    }
}
