//! Maps of items whose keys are names of envelope fields, escaped names and supplies that contradict each other.

use super::*;

fn rows(body: &str) -> (Value, Vec<Warning>) {
    let (data, _, warnings) = read(&balances(), body.as_bytes());
    (data, warnings)
}

#[test]
fn tokens_named_like_envelope_fields_are_listed() {
    for ticker in [
        "list", "data", "rows", "body", "hits", "items", "detail", "balances", "result", "content", "d", "meta",
        "links", "status", "error", "errors", "paging", "tick", "ticker", "LIST", "Meta",
    ] {
        let body = format!(
            r#"{{"data":{{"{ticker}":{{"total":"5","available":"5"}},"sats":{{"total":"7","available":"6"}}}},"next_cursor":null}}"#
        );
        let (data, warnings) = rows(&body);
        assert_eq!(column(&data, "ticker"), [ticker, "sats"], "{body}");
        assert_eq!(column(&data, "overall"), ["5", "7"], "{body}");
        assert_eq!(warnings, [] as [&str; 0], "{body}");
    }
    let (data, warnings) = rows(r#"{"ticker":"5","sats":"7.5"}"#);
    assert_eq!(column(&data, "ticker"), ["ticker", "sats"]);
    assert_eq!(column(&data, "overall"), ["5", "7.5"]);
    assert_eq!(warnings, [] as [&str; 0]);
    // A ticker may consist of digits.
    let (data, _) = rows(r#"{"ticker":"1234","overall_balance":"7.5"}"#);
    assert_eq!(column(&data, "ticker"), ["1234"]);
    assert_eq!(column(&data, "overall"), ["7.5"]);
}

#[test]
fn balance_without_its_ticker_is_not_a_map_of_tickers() {
    let (data, _) = rows(r#"{"data":{"list":{"total":"5","available":"4"}}}"#);
    assert_eq!(data, json!([{"ticker": null, "available": "4", "transferable": "1", "overall": "5"}]));
}

#[test]
fn objects_about_the_response_are_not_items() {
    let (data, warnings) = rows(
        r#"{"data":{"sats":{"total":"7","available":"6"},"meta":{"total":1,"page":1},"status":{"error_code":0}},
            "last_updated":{"block_hash":"00","block_height":1},"next_cursor":null}"#,
    );
    assert_eq!(column(&data, "ticker"), ["sats"]);
    assert_eq!(warnings, [] as [&str; 0]);
}

#[test]
fn minted_supply_above_the_max_supply_has_a_warning_with_both() {
    let (data, _, warnings) = read(&tokens(), br#"[{"ticker":"ordi","max_supply":"21.0","minted_supply":"25.5"}]"#);
    assert_eq!((&data[0]["minted_supply"], &data[0]["max_supply"]), (&Value::Null, &json!("21")));
    assert_eq!(warnings, ["$[0]: minted supply of 25.5 exceeds the max supply of 21"]);
}

#[test]
fn escaped_field_names_are_read() {
    let (data, _, warnings) =
        read(&tokens(), br#"{"res\u0075lts":[{"tic\u006ber":"ordi","\u006dax_supply":"21.0","decimals":18}]}"#);
    assert_eq!((&data[0]["ticker"], &data[0]["max_supply"]), (&json!("ordi"), &json!("21")));
    assert_eq!(warnings, [] as [&str; 0]);
}
