//! BRC-20 over UniSat.

use serde_json::{Value, json as object};

use super::*;

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
async fn unisat_holders_of_a_six_byte_ticker_come_from_its_own_path() {
    for old_place in [false, true] {
        let unisat = fakes::UniSat { old_place, ..Default::default() }.start();
        // Instead of an error, the other path has an empty list.
        unisat.edit(|request, response| {
            if request.path.ends_with("/holders") && String::from_utf8_lossy(&response.body).contains("failed") {
                json(200, r#"{"code":0,"msg":"OK","data":{"start":0,"total":0,"detail":[]}}"#)
            } else {
                response
            }
        });
        let live = Live::in_order(&[(UniSat, &unisat)]);
        assert_eq!(live.holders("sixbyt", 0, 60).await.items.len(), 1, "{:?}", unisat.paths());
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
async fn unisat_balances_of_a_ticker_are_found_on_short_pages() {
    let unisat = Fake::start(|request| {
        let start = request.number("start", 0);
        let row = |n: usize| {
            object!({"ticker": format!("t{n:03}"), "overallBalance": "1", "availableBalance": "1",
                "transferableBalance": "0"})
        };
        let rows: Vec<Value> = (start..(start + 100).min(230)).map(row).collect();
        let data = object!({"height": TIP, "start": start, "total": 230, "detail": rows});
        json(200, object!({"code": 0, "msg": "OK", "data": data}).to_string())
    });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let (status, _, body) = live.raw("/ordinals/brc-20/balances/bc1qholder?ticker=t1&limit=1").await;
    assert_eq!((status, body["total"].as_u64()), (200, Some(100)), "{body}");
    let starts: Vec<String> = unisat.requests().iter().map(|request| request.query("start").to_owned()).collect();
    assert_eq!(starts, ["0", "100", "200"]);
}

#[tokio::test]
async fn missing_block_is_not_a_unisat_failure() {
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
async fn unisat_key_is_a_header_and_is_paused_for_an_hour_after_error_2003() {
    let unisat = fakes::UniSat { key: Some("unisat-key"), ..Default::default() }.start();
    let live = Live::with(settings(&[(UniSat, &unisat.url, Some("unisat-key"))]));
    assert_eq!(live.token("ordi").await.ticker.as_str(), "ordi");
    unisat.respond_with(json(403, r#"{"code":-2003,"msg":"quota unavailable","data":null}"#));
    let request = |ticker: &str| Request::Brc20Token { ticker: ticker.into() };
    let error = live.get(&request("sats")).await.unwrap_err();
    let ErrorKind::Explained { status: 503, message, retry_after, .. } = &error.kind else { panic!("{error:?}") };
    assert_eq!(message, "UniSat: error -2003: quota unavailable (used up, or a key for another network)");
    let hour = Duration::from_hours(1);
    assert!(retry_after.is_some_and(|wait| wait <= hour && wait > hour - Duration::from_mins(1)), "{retry_after:?}");
    live.get(&request("pizza")).await.unwrap_err();
    assert_eq!(unisat.requests().len(), 2, "no further request is sent");
}

#[tokio::test]
async fn unisat_without_key_is_paused_for_an_hour_after_refusal() {
    let unisat = fakes::UniSat { key: Some("somebody's"), ..Default::default() }.start();
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let error = live.get(&Request::Brc20Token { ticker: "ordi".into() }).await.unwrap_err();
    let ErrorKind::Explained { status: 503, message, retry_after, must_wait: true } = &error.kind else {
        panic!("{error:?}")
    };
    assert!(message.contains("set providers.unisat.api_key to a free key"), "{message}");
    assert!(retry_after.is_some_and(|wait| wait > Duration::from_mins(59) && wait <= Duration::from_hours(1)));
    live.get(&Request::Brc20Token { ticker: "sats".into() }).await.unwrap_err();
    assert_eq!(unisat.requests().len(), 1);
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
async fn unisat_inscription_in_the_mempool_has_no_number_or_block() {
    let unisat = fakes::UniSat::default().start();
    let inscription = |n: u64, number: i64, height: u64, timestamp: u64| {
        object!({"inscriptionId": id(n), "inscriptionNumber": number, "address": "bc1qholder", "offset": 0,
            "inscriptionIndex": 0, "contentType": "text/plain;charset=utf-8", "contentLength": 58, "height": height,
            "timestamp": timestamp, "inSatoshi": 1000, "outSatoshi": 546, "brc20": null, "detail": null,
            "utxo": {"txid": tx(n), "vout": 0, "satoshi": 546, "height": height, "isSpent": false}})
    };
    let (unmined, mined) =
        (inscription(1, 104_000_000, 4_194_303, 1_795_075_800), inscription(2, 7, 921_300, 1_795_075_200));
    let detail = unmined.clone();
    unisat.edit(move |request, response| match request.path.split('/').nth(3) {
        Some("address") => {
            let data = object!({"cursor": 0, "total": 2, "totalConfirmed": 1, "totalUnconfirmed": 1,
                "inscription": [unmined, mined]});
            json(200, object!({"code": 0, "msg": "OK", "data": data}).to_string())
        }
        Some("inscription") => json(200, object!({"code": 0, "msg": "OK", "data": detail}).to_string()),
        _ => response,
    });
    let live = Live::in_order(&[(UniSat, &unisat)]);
    let request = Request::Inscriptions { address: Some("bc1qholder".into()), offset: 0, limit: 20 };
    let ResponseData::Inscriptions(page) = live.answer(request).await else { panic!("no inscriptions") };
    let single = live.inscription(InscriptionRef::Id(id(1).into())).await;
    let place = |found: &Inscription| (found.number, found.genesis_block_height, found.genesis_time);
    assert_eq!([&page.items[0], &single].map(place), [(None, None, None); 2]);
    assert_eq!(single.output.as_deref(), Some(format!("{}:0", tx(1)).as_str()));
    let time = UtcTime::from_secs(1_795_075_200);
    assert_eq!(place(&page.items[1]), (Some(7), Some(921_300), Some(time)));
}
