//! BRC-20 lists and events over a UniSat whose pages are shorter than requested, or lack a total, a height or tickers.

use serde_json::{Value, json as object};

use super::*;

const HEIGHT: u64 = TIP - 5;

/// A UniSat with these rows in every list, of which it sends `at_once`, optionally with their number.
fn lists(at_once: usize, has_total: bool, row: impl Fn(usize) -> Option<Value> + Send + Sync + 'static) -> Fake {
    Fake::start(move |request| {
        let (start, limit) = (request.number("start", 0), request.number("limit", 0));
        let rows: Vec<Value> = (start..).map_while(&row).collect();
        let total = start + rows.len();
        let rows: Vec<Value> = rows.into_iter().take(limit.min(at_once)).collect();
        let mut data = object!({"height": TIP, "start": start, "detail": rows});
        if has_total {
            data["total"] = total.into();
        }
        json(200, object!({"code": 0, "msg": "OK", "data": data}).to_string())
    })
}

fn starts(unisat: &Fake) -> Vec<usize> {
    unisat.requests().iter().map(|request| request.number("start", 0)).collect()
}

fn event(row: usize, ticker: Option<&str>, kind: &str) -> Value {
    let mut event = object!({"type": kind, "valid": true, "from": "bc1qfrom", "to": "bc1qto", "amount": "1",
        "inscriptionId": id(row as u64), "height": HEIGHT, "blocktime": 1_795_074_000, "txid": tx(row as u64)});
    if let Some(ticker) = ticker {
        event["ticker"] = ticker.into();
    }
    event
}

impl Live {
    /// Events of a block, and the warnings.
    async fn events(&self, ticker: Option<&str>, limit: u32) -> (Page<Activity>, Vec<String>) {
        let ticker = ticker.map(Text::from);
        let reply = self.get(&Request::Brc20Activity { ticker, block_height: Some(HEIGHT), offset: 0, limit }).await;
        let reply = reply.unwrap();
        match reply.response {
            Some(ResponseData::Activity(page)) => (page, reply.warnings),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn short_pages_of_unisat_leave_no_holes() {
    for (at_once, limit, expected) in
        [(50, 100, vec![0, 50, 60, 110]), (7, 20, vec![0, 7, 14, 21, 28, 35, 42, 49, 56]), (60, 100, vec![0, 60])]
    {
        let row = |n: usize| {
            (n < 500).then(|| {
                object!({"address": format!("bc1q{n}"), "ticker": format!("t{n:03}"), "overallBalance": "1",
                    "availableBalance": "1", "transferableBalance": "0", "max": "10", "minted": "5"})
            })
        };
        let live = |unisat: &Fake| Live::in_order(&[(UniSat, unisat)]);
        let unisat = lists(at_once, true, row);
        let page = live(&unisat).tokens(None, 0, limit).await;
        let names: Vec<String> = page.items.iter().map(|token| token.ticker.to_string()).collect();
        assert_eq!((names, page.total), ((0..limit).map(|n| format!("t{n:03}")).collect(), Some(500)));
        assert_eq!(starts(&unisat), expected);

        let holder = move |n| {
            let mut holder = row(n)?;
            holder.as_object_mut().unwrap().remove("ticker");
            Some(holder)
        };
        let unisat = lists(at_once, true, holder);
        let page = live(&unisat).holders("ordi", 0, limit).await;
        let names: Vec<Text> = page.items.into_iter().filter_map(|holder| holder.address).collect();
        assert_eq!(names, (0..limit).map(|n| Text::from(format!("bc1q{n}"))).collect::<Vec<_>>());
        assert_eq!(starts(&unisat), expected);

        let balance = move |n| {
            let mut balance = row(n)?;
            balance.as_object_mut().unwrap().remove("address");
            Some(balance)
        };
        let unisat = lists(at_once, true, balance);
        let request = Request::Brc20Balances { address: "bc1qholder".into(), offset: 0, limit };
        let ResponseData::Balances(page) = live(&unisat).answer(request).await else { panic!("no balances") };
        assert_eq!(page.items.len(), limit as usize);
        assert_eq!(starts(&unisat), expected);
    }
}

#[tokio::test]
async fn short_pages_of_another_indexer_leave_no_holes() {
    let server = Fake::start(|request| {
        let (offset, limit) = (request.number("offset", 0), request.number("limit", 20));
        let holder = |n: usize| object!({"address": format!("bc1q{n}"), "overall_balance": "1"});
        let results: Vec<Value> = (offset..(offset + limit.min(25)).min(110)).map(holder).collect();
        json(200, object!({"limit": limit, "offset": offset, "total": 110, "results": results}).to_string())
    });
    let page = Live::in_order(&[(Hiro, &server)]).holders("ordi", 0, 100).await;
    let names: Vec<Text> = page.items.into_iter().filter_map(|holder| holder.address).collect();
    assert_eq!(names, (0..100).map(|n| Text::from(format!("bc1q{n}"))).collect::<Vec<_>>());
}

#[tokio::test]
async fn short_pages_of_events_and_inscriptions_of_another_indexer_leave_no_holes() {
    let server = Fake::start(|request| {
        let (offset, limit) = (request.number("offset", 0), request.number("limit", 20));
        let row = |n: usize| {
            if request.path.ends_with("/activity") {
                object!({"operation": "mint", "ticker": "ordi", "inscription_id": id(n as u64), "tx_id": tx(n as u64),
                "address": "bc1qminter", "mint": {"amount": "1"}})
            } else {
                object!({"id": id(n as u64), "number": n, "address": fakes::OWNER, "tx_id": tx(n as u64)})
            }
        };
        let results: Vec<Value> = (offset..(offset + limit.min(25)).min(110)).map(row).collect();
        json(200, object!({"limit": limit, "offset": offset, "total": 110, "results": results}).to_string())
    });
    let live = Live::in_order(&[(Hiro, &server)]);
    let request = Request::Brc20Activity { ticker: Some("ordi".into()), block_height: None, offset: 0, limit: 60 };
    let ResponseData::Activity(events) = live.answer(request).await else { panic!("no events") };
    assert_eq!((events.items.len(), events.total), (60, Some(110)));
    let inscriptions = [
        Request::Inscriptions { address: Some(fakes::OWNER.into()), offset: 60, limit: 60 },
        Request::SatInscriptions { number: SatNumber::new(5).unwrap(), offset: 60, limit: 60 },
    ];
    for request in inscriptions {
        let ResponseData::Inscriptions(page) = live.answer(request).await else { panic!("no inscriptions") };
        let ids: Vec<String> = page.items.iter().map(|found| found.id.to_string()).collect();
        assert_eq!((ids, page.total), ((60..110).map(id).collect::<Vec<_>>(), Some(110)));
    }
}

#[tokio::test]
async fn list_shorter_than_its_total_has_a_warning() {
    let unisat = fakes::UniSat::default().start();
    unisat.edit(|_, mut response| {
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        body["data"]["total"] = 140.into();
        response.body = body.to_string().into_bytes();
        response
    });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let reply = live.get(&Request::Brc20Holders { ticker: "ordi".into(), offset: 120, limit: 20 }).await.unwrap();
    let Some(ResponseData::Holders(page)) = &reply.response else { panic!("{reply:?}") };
    assert_eq!(
        (page.items.len(), reply.warnings.as_slice()),
        (10, &[String::from("The list has fewer rows than its total")][..])
    );
}

#[tokio::test]
async fn unisat_events_of_a_block_are_requested_once_for_all_pages() {
    let unisat = lists(500, true, |n| match n {
        0..1_700 => Some(event(n, Some("ordi"), "inscribe-mint")),
        _ => None,
    });
    unisat.edit(|request, response| {
        if request.path.ends_with("/info") {
            json(200, r#"{"code":0,"msg":"OK","data":{"ticker":"ordi","max":"21000000"}}"#)
        } else {
            response
        }
    });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let (page, warnings) = live.events(None, 200).await;
    assert_eq!((page.items.len(), page.total, warnings), (200, Some(1_700), Vec::new()));
    assert_eq!(starts(&unisat), [0, 500, 1_000, 1_500]);
    // Its response has no height.
    live.token("ordi").await;
    assert_eq!(live.events(Some("ordi"), 60).await.0.total, Some(1_700));
    assert_eq!(unisat.requests().len(), 4 + 1);
}

#[tokio::test]
async fn unisat_events_without_tickers_are_requested_once_for_all_pages() {
    let unisat = lists(500, true, |n| (n < 150).then(|| event(n, None, "inscribe-mint")));
    unisat.edit(|request, response| match request.query("type") {
        "" | "inscribe-mint" => response,
        _ => json(200, r#"{"code":0,"msg":"OK","data":{"total":0,"start":0,"detail":[]}}"#),
    });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let (page, _) = live.events(Some("ordi"), 1_000).await;
    assert_eq!((page.items.len(), page.total, unisat.requests().len()), (150, Some(150), 1 + 4));
}

#[tokio::test]
async fn unisat_list_without_a_total_is_read_to_its_end() {
    // Of a token: the first page of the block, then the types. That of transfers is unknown.
    for (ticker, requests) in [(None, 8), (Some("ordi"), 1 + 8 + 2 + 2)] {
        let unisat = lists(100, false, move |n| {
            (n < 700).then(|| event(n, ticker.is_none().then_some("ordi"), "inscribe-mint"))
        });
        unisat.edit(|request, response| match request.query("type") {
            "" | "inscribe-mint" => response,
            _ => json(200, r#"{"code":0,"msg":"OK","data":{"start":0,"detail":[]}}"#),
        });
        let live = Live::in_order(&[(UniSat, &unisat)]);
        let (page, warnings) = live.events(ticker, 1_000).await;
        assert_eq!((page.items.len(), page.total, warnings), (700, Some(700), Vec::new()));
        assert_eq!(unisat.requests().len(), requests, "{:?}", starts(&unisat));
    }
    // The server ignores `start`, so that its list has only one page.
    let rows: Vec<Value> = (0..100).map(|n| event(n, Some("ordi"), "inscribe-mint")).collect();
    let body = object!({"code": 0, "msg": "OK", "data": {"height": TIP, "detail": rows}}).to_string();
    let unisat = Fake::start(move |_| json(200, body.clone()));
    let (page, _) = Live::in_order(&[(UniSat, &unisat)]).events(None, 1_000).await;
    assert_eq!((page.items.len(), page.total, unisat.requests().len()), (100, Some(100), 2));
}

#[tokio::test]
async fn unisat_list_with_too_many_events_has_no_total() {
    let warning = format!("Only some of the events in block {HEIGHT} loaded");
    for nameless in [false, true] {
        let unisat = lists(500, true, move |n| (n < 3_500).then(|| event(n, (!nameless).then_some("ordi"), "send")));
        let live = Live::in_order(&[(UniSat, &unisat)]);
        let ticker = if nameless { Some("ordi") } else { None };
        for _ in 0..2 {
            let (page, warnings) = live.events(ticker, 60).await;
            assert_eq!((page.items.len(), page.total, warnings), (60, None, vec![warning.clone()]), "{nameless}");
        }
        let requests = unisat.requests().len();
        assert_eq!(requests, if nameless { 1 + 4 * 6 } else { 6 });
        live.events(ticker, 200).await;
        assert_eq!(unisat.requests().len(), requests, "cached, too");
    }
}

#[tokio::test]
async fn unisat_event_without_a_ticker_does_not_hide_the_others() {
    let unisat = lists(500, true, |n| match n {
        3 => Some(event(3, None, "send")),
        0..100 => Some(event(n, Some("ordi"), "inscribe-mint")),
        _ => None,
    });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    for limit in [60, 120] {
        let (page, warnings) = live.events(None, limit).await;
        assert_eq!((page.items.len(), page.total), (limit.min(99) as usize, Some(99)));
        assert_eq!(warnings, ["Skipped 1 event without a ticker"]);
    }
    assert_eq!(unisat.requests().len(), 1);
    let nameless = lists(500, true, |n| (n < 100).then(|| event(n, None, "inscribe-mint")));
    let live = Live::in_order(&[(UniSat, &nameless)]);
    let request = Request::Brc20Activity { ticker: None, block_height: Some(HEIGHT), offset: 0, limit: 20 };
    let sentence = "UniSat lists the events of a block by ticker only; choose a ticker";
    assert_eq!(live.not_served(request).await, sentence);
}
