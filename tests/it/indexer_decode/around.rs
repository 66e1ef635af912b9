//! Tickers and blocks around the rows of a response.

use super::*;

const MINT: &str = r#"{"op":"mint","tick":"ordi","amount":"5","to":"bc1qa"}"#;

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
fn height_around_a_list_is_that_of_its_events_if_it_was_requested() {
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
