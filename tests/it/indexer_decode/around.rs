//! Tickers, addresses, sats and blocks around the rows of a response.

use super::*;

const MINT: &str = r#"{"op":"mint","tick":"ordi","amount":"5","to":"bc1qa"}"#;
const ADDRESS: &str = "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh";
const OTHER: &str = "bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297";
const SAT: u64 = 1_252_201_400_444_387;

fn in_block(height: u64) -> Request {
    Request::Brc20Activity { ticker: None, block_height: Some(height), offset: 0, limit: 20 }
}

/// The heights of the events in a response for block 900,000, and the warnings.
fn heights(body: &str) -> (Vec<Value>, Vec<Warning>) {
    let (data, _, warnings) = read(&in_block(900_000), body.as_bytes());
    (column(&data, "block_height").into_iter().cloned().collect(), warnings)
}

#[test]
fn activity_and_holders_of_another_ticker_around_the_list_are_rejected() {
    let mint = r#"{"op":"mint","amount":"5","to":"bc1qa"}"#;
    for body in [
        format!(r#"{{"ticker":"sats","activity":[{mint}]}}"#),
        format!(r#"{{"data":{{"tick":"sats","items":[{mint}]}}}}"#),
        format!(r#"{{"token":"sats","data":[{mint}]}}"#),
        format!(r#"{{"token":{{"ticker":"sats"}},"events":[{mint}]}}"#),
        format!(r#"{{"query":{{"ticker":"sats"}},"results":[{mint}]}}"#),
    ] {
        assert_eq!(mismatch(&activity(), body.as_bytes()), "Response is about sats, not ordi", "{body}");
    }
    let holder = r#"{"address":"bc1qa","balance":"5"}"#;
    for body in [
        format!(r#"{{"token":"sats","holders":[{holder}]}}"#),
        format!(r#"{{"token":{{"ticker":"sats"}},"holders":[{holder}]}}"#),
        format!(r#"{{"params":{{"ticker":"sats"}},"data":[{holder}]}}"#),
        r#"{"ticker":"sats","holders":[]}"#.to_owned(),
    ] {
        assert_eq!(mismatch(&holders(0), body.as_bytes()), "Response is about sats, not ordi", "{body}");
    }
}

#[test]
fn other_words_around_the_list_are_not_tickers() {
    let fields = format!("\"f\":[{}]", vec!["1"; 200].join(","));
    for around in [
        r#""ticker":"ORDI""#,
        r#""ticker":" ordi ""#,
        r#""token":"brc-20""#,
        r#""token":"BRC20""#,
        r#""ticker":"all""#,
        r#""ticker":"6f726469""#,
        r#""token":"a-longer-key""#,
        r#""token":12345"#,
        r#""token":"ordinals""#,
        r#""ticker":{"name":"ordi"}"#,
        r#""query":{"ticker":["sats","ordi"]}"#,
        r#""query":{"token":"a1b2c"}"#,
        r#""token":"sats","tick":"ordi""#,
        r#""token":{"ticker":"sats"},"params":{"ticker":"ordi"}"#,
        &fields,
    ] {
        let body = format!(r#"{{{around},"activity":[{{"op":"mint","amount":"5","to":"bc1qa"}}]}}"#);
        assert_eq!(column(&read(&activity(), body.as_bytes()).0, "ticker"), ["ordi"], "{body}");
        let body = format!(r#"{{{around},"holders":[{{"address":"bc1qa","balance":"5"}}]}}"#);
        assert_eq!(column(&read(&holders(0), body.as_bytes()).0, "balance"), ["5"], "{body}");
    }
    // A longer ticker, or a short key.
    let (data, _, warnings) = read(&holders(0), br#"{"token":"abcde","holders":[{"address":"bc1qa","balance":"5"}]}"#);
    assert_eq!(
        (column(&data, "balance"), warnings),
        (vec![&json!("5")], vec!["the response may be about abcde".to_owned()])
    );
    // A row names the requested ticker.
    let body = format!(r#"{{"ticker":"sats","activity":[{MINT}]}}"#);
    assert_eq!(column(&read(&activity(), body.as_bytes()).0, "ticker"), ["ordi"]);
    let body = br#"{"ticker":"sats","holders":[{"address":"bc1qa","ticker":"ordi","balance":"5"}]}"#;
    assert_eq!(column(&read(&holders(0), body).0, "balance"), ["5"]);
}

#[test]
fn balances_and_inscriptions_of_another_address_around_the_list_are_rejected() {
    let requests = owner_requests();
    for around in [
        format!(r#""address":"{OTHER}""#),
        format!(r#""wallet_address":"{}""#, OTHER.to_uppercase()),
        format!(r#""owner":{{"address":"{OTHER}"}}"#),
        format!(r#""query":{{"address":"{OTHER}"}}"#),
        r#""holder":"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa""#.to_owned(),
    ] {
        for (request, rows) in &requests {
            for body in [format!("{{{around},{rows}}}"), format!(r#"{{"data":{{{around},{rows}}}}}"#)] {
                let error = mismatch(request, body.as_bytes());
                assert!(error.ends_with(&format!(", not {ADDRESS}")), "{error}: {body}");
            }
        }
    }
}

#[test]
fn other_words_around_the_list_are_not_addresses() {
    for around in [
        format!(r#""address":"{}""#, ADDRESS.to_uppercase()),
        format!(r#""address":"bitcoin:{ADDRESS}""#),
        // A script, shortened addresses, a mistyped one and a name.
        r#""address":"0014751e76e8199196d454941c45d1b3a323f1433bd6""#.to_owned(),
        r#""owner":"5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c""#.to_owned(),
        r#""wallet":"bc1qxy…0wlh""#.to_owned(),
        r#""wallet":"bc1p5d7rjq7g6r...""#.to_owned(),
        r#""wallet":"bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3298""#.to_owned(),
        r#""wallet":"main""#.to_owned(),
        r#""owner":"satoshi""#.to_owned(),
        format!(r#""address":"{OTHER}","addresses":["{OTHER}","{ADDRESS}"]"#),
        format!(r#""wallet":{{"address":"{OTHER}","ordinals":"{ADDRESS}"}}"#),
        format!(r#""token":{{"ticker":"ordi","address":"{OTHER}"}}"#),
    ] {
        for (request, rows) in owner_requests() {
            let body = format!("{{{around},{rows}}}");
            assert_eq!(read(&request, body.as_bytes()).0.as_array().map(Vec::len), Some(1), "{body}");
        }
    }
    // A row names the requested address.
    let body = format!(r#"{{"address":"{OTHER}","data":[{{"wallet":"{ADDRESS}","ticker":"ordi","balance":"5"}}]}}"#);
    let balances = &owner_requests()[0].0;
    assert_eq!(column(&read(balances, body.as_bytes()).0, "overall"), ["5"]);
    // A token with this ticker.
    let (data, ..) = read(balances, br#"{"data":{"wallet":"5","ordi":"7"}}"#);
    assert_eq!(column(&data, "ticker"), ["wallet", "ordi"]);
}

#[test]
fn rows_with_the_script_of_their_owner_or_a_short_address_are_kept() {
    let balances = &owner_requests()[0].0;
    for owner in [
        "0014751e76e8199196d454941c45d1b3a323f1433bd6",
        "bc1qxy…0wlh",
        "bitcoin:BC1QXY2KGDYGJRSQTZQ2N0YRF2493P83KKFJHX0WLH",
    ] {
        let body = format!(
            r#"[{{"owner":"{owner}","ticker":"ordi","balance":"5"}},{{"owner":"{OTHER}","ticker":"ordi","balance":"7"}}]"#
        );
        let (data, _, warnings) = read(balances, body.as_bytes());
        assert_eq!((column(&data, "overall"), warnings.len()), (vec![&json!("5")], 1), "{owner}: {warnings:?}");
    }
}

/// Requests for the balances and the inscriptions of [`ADDRESS`], each with a list without an address.
fn owner_requests() -> [(Request, String); 2] {
    let address = Text::from(ADDRESS);
    [
        (
            Request::Brc20Balances { address: address.clone(), offset: 0, limit: 20 },
            r#""balances":[{"ticker":"ordi","balance":"5"}]"#.to_owned(),
        ),
        (
            Request::Inscriptions { address: Some(address), offset: 0, limit: 20 },
            format!(r#""inscriptions":["{}i0"]"#, "ab".repeat(32)),
        ),
    ]
}

#[test]
fn inscriptions_of_another_sat_around_the_list_are_rejected() {
    let list = format!(r#""inscriptions":["{}i0"]"#, "ab".repeat(32));
    let other = 1_252_201_400_444_388_u64;
    for around in [
        format!(r#""sat":{other}"#),
        format!(r#""sat":"{other}""#),
        format!(r#""sat":{{"number":{other}}}"#),
        r#""sat_ordinal":5"#.to_owned(),
        r#""number":5,"name":"x","decimal":"0.5""#.to_owned(),
        format!(r#""number":{other}"#),
    ] {
        for body in [format!("{{{around},{list}}}"), format!(r#"{{"data":{{{around},{list}}}}}"#)] {
            let error = mismatch(&on_sat(), body.as_bytes());
            assert!(error.ends_with(&format!(", not {SAT}")), "{error}: {body}");
        }
    }
}

#[test]
fn other_numbers_around_the_list_are_not_sats() {
    let id = format!("{}i0", "ab".repeat(32));
    for body in [
        format!(r#"{{"sat":{SAT},"inscriptions":["{id}"]}}"#),
        format!(
            r#"{{"sat":"{}","inscriptions":["{id}"]}}"#,
            satscope::model::Sat::computed(SatNumber::new(SAT).unwrap()).decimal
        ),
        format!(r#"{{"number":{SAT},"decimal":"0.7","inscriptions":["{id}"]}}"#),
        format!(r#"{{"sat":1.252201400444387e15,"inscriptions":["{id}"]}}"#),
        // The numbers of an inscription, of a page and of items.
        format!(r#"{{"id":"{id}","number":5}}"#),
        format!(r#"{{"number":0,"size":20,"content":[{{"id":"{id}"}}]}}"#),
        format!(r#"{{"number":2,"ids":["{id}"],"more":false}}"#),
        format!(r#"{{"number":1,"inscriptions":["{id}"],"next":null}}"#),
        format!(r#"{{"ids":["{id}"],"more":false,"page":0}}"#),
        // A row names the requested sat.
        format!(r#"{{"sat":1252201400444388,"inscriptions":[{{"id":"{id}","sat":{SAT}}}]}}"#),
    ] {
        let (data, _, warnings) = read(&on_sat(), body.as_bytes());
        assert_eq!((column(&data, "id"), warnings), (vec![&json!(id)], vec![]), "{body}");
    }
    // Sats of the first block can't be inscribed, so it may be an amount.
    let (data, _, warnings) = read(&on_sat(), format!(r#"{{"sat":546,"inscriptions":["{id}"]}}"#).as_bytes());
    assert_eq!(column(&data, "id"), [&json!(id)]);
    assert_eq!(warnings, ["the response may be about sat 546"]);
}

fn on_sat() -> Request {
    Request::SatInscriptions { number: SatNumber::new(SAT).unwrap(), offset: 0, limit: 20 }
}

#[test]
fn events_in_another_block_are_rejected() {
    for body in [
        format!(r#"{{"900001":[{MINT}]}}"#),
        format!(r#"{{"data":{{"900001":[{MINT}],"900002":[{MINT}]}}}}"#),
        format!(r#"{{"block":{{"height":900001,"hash":"00ab","events":[{MINT}]}}}}"#),
    ] {
        let expected = "Response is about block 900001, not block 900000";
        assert_eq!(mismatch(&in_block(900_000), body.as_bytes()), expected, "{body}");
    }
}

#[test]
fn events_keyed_by_height_are_in_that_block() {
    let keyed = |keys: [u64; 2]| format!(r#"{{"{}":[{MINT}],"{}":[{MINT}]}}"#, keys[0], keys[1]);
    let known = vec![json!(900_000), json!(900_001)];
    assert_eq!(heights(&keyed([900_000, 900_001])), (known, vec![]));
    assert_eq!(heights(&format!(r#"{{"900000":[{MINT}]}}"#)), (vec![json!(900_000)], vec![]));
    // Numbers of other things, and times.
    for keys in [[1, 2], [348_020, 348_021], [5_000_000, 5_000_001], [1_750_000_600, 1_750_000_601]] {
        assert_eq!(heights(&keyed(keys)), (vec![Value::Null; 2], vec![]), "{keys:?}");
    }
}

#[test]
fn requested_height_around_a_list_is_that_of_its_events() {
    for body in [
        format!(r#"{{"block":900000,"result":[{MINT}]}}"#),
        format!(r#"{{"block":{{"height":900000}},"result":[{MINT}]}}"#),
        format!(r#"{{"block_height":900000,"data":[{MINT}]}}"#),
        format!(r#"{{"data":{{"height":"900000","events":[{MINT}]}}}}"#),
    ] {
        assert_eq!(heights(&body), (vec![json!(900_000)], vec![]), "{body}");
    }
    // In another list, it may be the latest one.
    let (data, ..) = read(&activity(), format!(r#"{{"height":900000,"activity":[{MINT}]}}"#).as_bytes());
    assert_eq!(data[0]["block_height"], Value::Null);
}

#[test]
fn other_height_around_a_list_may_be_the_latest_one() {
    let own = MINT.replace("\"amount\"", "\"height\":900000,\"amount\"");
    for (body, height) in [
        // Best in Slot, UniSat.
        (format!(r#"{{"data":[{MINT}],"block_height":921300}}"#), Value::Null),
        (format!(r#"{{"data":{{"height":921300,"start":0,"total":1,"detail":[{MINT}]}}}}"#), Value::Null),
        (format!(r#"{{"data":{{"height":921300,"start":0,"total":1,"detail":[{own}]}}}}"#), json!(900_000)),
        (format!(r#"{{"block_height":921300,"events":[{own}]}}"#), json!(900_000)),
        (format!(r#"{{"latest_height":921300,"best_block":921300,"events":[{MINT}]}}"#), Value::Null),
        (format!(r#"{{"chain":{{"height":921300}},"events":[{MINT}]}}"#), Value::Null),
        (format!(r#"{{"block":1795075200,"events":[{MINT}]}}"#), Value::Null),
        (format!(r#"{{"number":0,"size":20,"content":[{MINT}]}}"#), Value::Null),
    ] {
        assert_eq!(heights(&body), (vec![height], vec![]), "{body}");
    }
    for (around, other) in [
        (r#""block":900001,"result""#, 900_001),
        (r#""block":{"height":900001,"hash":"00ab"},"data""#, 900_001),
        (r#""block_height":900001,"events""#, 900_001),
        (r#""height":899999,"data""#, 899_999),
    ] {
        let warning = format!("the events may be in block {other}, not in block 900000");
        assert_eq!(heights(&format!("{{{around}:[{MINT}]}}")), (vec![Value::Null], vec![warning]), "{around}");
    }
}
