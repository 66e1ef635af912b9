//! Responses whose values are in objects of their own, or in rows without names.

use super::*;

#[test]
fn holders_in_rows_are_read() {
    let rows = r#"[["bc1qaaaaaaaaaaaaaaaaaaaaaaaa","25.500000000000000001"],["bc1qbbbbbbbbbbbbbbbbbbbbbbbb","5"]]"#;
    for body in
        [rows.to_owned(), format!(r#"{{"holders":{rows},"total":2}}"#), format!(r#"{{"data":{{"list":{rows}}}}}"#)]
    {
        let (data, _, warnings) = read(&holders(0), body.as_bytes());
        assert_eq!(
            data,
            json!([
                {"address": "bc1qaaaaaaaaaaaaaaaaaaaaaaaa", "balance": "25.500000000000000001"},
                {"address": "bc1qbbbbbbbbbbbbbbbbbbbbbbbb", "balance": "5"},
            ]),
            "{body}"
        );
        assert_eq!(warnings, [""; 0], "{body}");
    }
    for other in [r#"[["bc1qaaaaaaaaaaaaaaaaaaaaaaaa","25.5","10"]]"#, r#"[["ordi","25.5"]]"#] {
        assert!(try_read(&holders(0), other.as_bytes()).is_err(), "{other}");
    }
}

#[test]
fn inscriptions_with_nested_values_are_read() {
    let id = format!("{}i0", "aa".repeat(32));
    for fields in [
        r#""inscriptionNumber":-7,"contentType":"text/plain","contentSize":12,"blockHeight":800000,"createdAt":"2026-11-19T08:00:00Z","owner":"bc1qa""#,
        r#""num":-7,"content":{"type":"text/plain","length":12},"genesis":{"height":800000,"timestamp":1795075200},"owner":{"address":"bc1qa"}"#,
        r#""number":"-7","content":{"mime_type":"text/plain","size":"12"},"block":{"height":800000,"time":1795075200},"address":"bc1qa""#,
        r#""number":-7,"mimeType":"text/plain","size":12,"block":800000,"time":1795075200,"address":"bc1qa""#,
    ] {
        let body = format!(r#"{{"id":"{id}",{fields}}}"#);
        let (data, _, warnings) = read(&inscription(), body.as_bytes());
        assert_eq!(
            [&data["number"], &data["content_type"], &data["content_length"], &data["address"]],
            [&json!(-7), &json!("text/plain"), &json!(12), &json!("bc1qa")],
            "{body}"
        );
        assert_eq!(
            [&data["genesis_block_height"], &data["genesis_time"]],
            [&json!(800_000), &json!("2026-11-19T08:00:00Z")],
            "{body}"
        );
        assert_eq!(warnings, [""; 0], "{body}");
    }
}

#[test]
fn numbers_that_may_mean_something_else_are_not_read() {
    let id = format!("{}i0", "aa".repeat(32));
    let body =
        format!(r#"{{"id":"{id}","number":-7,"genesis":{{"number":12345}},"content":{{"length":12}},"size":99}}"#);
    let (data, ..) = read(&inscription(), body.as_bytes());
    assert_eq!([&data["genesis_block_height"], &data["content_length"]], [&Value::Null, &json!(12)]);
    for (fields, block, tx) in [
        (r#""block":{"id":4711,"height":800000,"hash":5},"tx":{"id":17}"#, Value::Null, Value::Null),
        (r#""block":{"id":4711,"hash":"00ab"},"tx":{"id":"17","hash":"bb"}"#, json!("00ab"), json!("bb")),
    ] {
        let body = format!(
            r#"{{"results":[{{"operation":"mint","ticker":"ordi","amount":"5","address":"bc1qa",{fields}}}]}}"#
        );
        let (data, ..) = read(&activity(), body.as_bytes());
        assert_eq!([&data[0]["block_hash"], &data[0]["tx_id"]], [&block, &tx], "{fields}");
    }
}

#[test]
fn events_with_nested_values_are_read() {
    let body = r#"{"results":[{"operation":"transfer_send","ticker":"ordi","amount":"25.5","from":{"address":"bc1qa"},
        "to":{"address":"bc1qb"},"block":{"height":800000,"time":1795075200,"hash":"00ab"},"tx":{"id":"bb"}}]}"#;
    let (data, _, warnings) = read(&activity(), body.as_bytes());
    let event = &data[0];
    assert_eq!([&event["from"], &event["to"], &event["tx_id"]], [&json!("bc1qa"), &json!("bc1qb"), &json!("bb")]);
    assert_eq!(
        [&event["block_height"], &event["block_hash"], &event["time"]],
        [&json!(800_000), &json!("00ab"), &json!("2026-11-19T08:00:00Z")]
    );
    assert_eq!(warnings, [""; 0]);
}
