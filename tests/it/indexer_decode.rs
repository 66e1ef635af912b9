//! Responses of indexers as sent, and the documented JSON made from them.

mod around;
mod formats;
mod keys;
mod nested;
mod services;
mod times;
mod units;

use std::time::{Duration, Instant};

use satscope::client::decode::decode;
use satscope::client::{ErrorKind, InscriptionRef, Limits, Request, ResponseData, Warning};
use satscope::model::{Operation, Page, SatNumber, Text};
use serde_json::{Value, json};

macro_rules! fixture {
    ($name:literal) => {
        include_bytes!(concat!("../fixtures/indexer/", $name, ".json"))
    };
}

fn try_read(request: &Request, body: &[u8]) -> Result<(ResponseData, Vec<Warning>), ErrorKind> {
    decode(request, body, Some("application/json"), &Limits::default())
}

/// The response as the command line prints it, with its total.
fn read(request: &Request, body: &[u8]) -> (Value, Option<u64>, Vec<Warning>) {
    fn page<T: serde::Serialize>(page: &Page<T>) -> (Value, Option<u64>) {
        (serde_json::to_value(&page.items).unwrap(), page.total)
    }
    let (response, warnings) = try_read(request, body).unwrap();
    let (data, total) = match &response {
        ResponseData::Brc20Tokens(response) => page(response),
        ResponseData::Holders(response) => page(response),
        ResponseData::Balances(response) => page(response),
        ResponseData::Activity(response) => page(response),
        ResponseData::Inscriptions(response) => page(response),
        ResponseData::InscriptionStats(response) => page(response),
        ResponseData::Brc20Token(token) => (serde_json::to_value(token).unwrap(), None),
        ResponseData::Sat(sat) => (serde_json::to_value(sat).unwrap(), None),
        ResponseData::Inscription(inscription) => (serde_json::to_value(inscription).unwrap(), None),
        other => panic!("not the indexer's: {other:?}"),
    };
    (data, total, warnings)
}

fn tokens() -> Request {
    Request::Brc20Tokens { ticker: None, offset: 0, limit: 60 }
}

fn token(ticker: &str) -> Request {
    Request::Brc20Token { ticker: Text::from(ticker) }
}

fn holders(offset: u64) -> Request {
    Request::Brc20Holders { ticker: Text::from("ordi"), offset, limit: 20 }
}

fn balances() -> Request {
    Request::Brc20Balances { address: Text::from("bc1q"), offset: 0, limit: 20 }
}

fn activity() -> Request {
    Request::Brc20Activity { ticker: Some(Text::from("ordi")), block_height: None, offset: 0, limit: 20 }
}

fn sat(number: u64) -> Request {
    Request::Sat { number: SatNumber::new(number).unwrap() }
}

fn inscription() -> Request {
    Request::Inscription { inscription: InscriptionRef::Number(-7) }
}

fn inscriptions() -> Request {
    Request::Inscriptions { address: None, offset: 0, limit: 20 }
}

/// The reason for rejecting a response about something else.
fn mismatch(request: &Request, body: &[u8]) -> String {
    match try_read(request, body) {
        Err(kind @ ErrorKind::Mismatch { .. }) => kind.to_string(),
        other => panic!("{}: {other:?}", request.describe()),
    }
}

fn column<'v>(data: &'v Value, field: &str) -> Vec<&'v Value> {
    data.as_array().unwrap().iter().map(|row| &row[field]).collect()
}

#[test]
fn unusual_tokens_keep_names_and_digits() {
    let (data, total, warnings) = read(&tokens(), fixture!("tokens"));
    assert_eq!(total, Some(67890));
    assert_eq!(column(&data, "ticker"), ["🔥", "a/b?", "#&%+", "$OG$", "\\u{202e}abc", "\\u{1b}[2J", "zeee"]);
    assert_eq!(
        column(&data, "max_supply"),
        [
            &json!("100"),
            &json!("18446744073709551615"),
            &json!("21000000"),
            &json!("2100000000000000"),
            &json!("0.000000000000000001"),
            &json!("5"),
            &Value::Null
        ]
    );
    assert_eq!(data[1]["minted_supply"], "18446744073709551614.999999999999999999");
    assert_eq!(data[6]["minted_supply"], "12.5");
    assert_eq!(data[0]["mint_limit"], Value::Null);
    assert_eq!(data[2]["mint_limit"], "1.5");
    assert_eq!(data[4]["inscription_number"], -15);
    assert_eq!(data[3]["self_mint"], true);
    assert_eq!(data[0]["deployed_at"], "2023-07-22T04:26:51Z");
    assert_eq!(data[0]["holders"], Value::Null);
    assert_eq!(
        warnings,
        [
            "$.results[6].max_supply: found \"not a number\", expected an amount (the amount is not a plain decimal number)"
        ]
    );
}

#[test]
fn many_parents_and_charms_are_read_in_linear_time() {
    let ids = |count: u32| (0..count).map(|n| format!(r#""{n:064x}i0""#)).collect::<Vec<_>>().join(",");
    let body = format!(
        r#"{{"id":"{0}i0","number":-7,"parents":[{1},{1}],"charms":[{2},{2}]}}"#,
        "a".repeat(64),
        ids(100_000),
        ids(100_000)
    );
    let start = Instant::now();
    let (data, _, warnings) = read(&inscription(), body.as_bytes());
    // Comparing each pair of ids takes minutes.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let length = |field: &str| data[field].as_array().unwrap().len();
    assert_eq!((length("parents"), length("charms"), warnings), (100_000, 100_000, vec![]));
}

#[test]
fn token_details_are_joined() {
    let (data, _, warnings) = read(&token("ORDI"), fixture!("token"));
    let id = "4".repeat(64);
    assert_eq!(
        data,
        json!({
            "ticker": "ordi", "inscription_id": format!("{id}i0"), "inscription_number": 348020,
            "deployer": "bc1qdeployer348020", "deployed_at": "2023-07-26T05:07:00Z", "block_height": 800020,
            "tx_id": id, "max_supply": "21000000", "minted_supply": "21000000", "mint_limit": "1000",
            "decimals": 18, "self_mint": false, "tx_count": 1044060, "holders": 23411,
        })
    );
    assert_eq!(warnings, [""; 0]);
    assert_eq!(mismatch(&token("sats"), fixture!("token")), "Response is about ordi, not sats");
}

#[test]
fn typed_ticker_is_escaped() {
    let (data, _, warnings) = read(&token("\u{1b}[2J"), br#"{"supply":{"holders":3}}"#);
    assert_eq!((&data["ticker"], &data["holders"]), (&json!("\\u{1b}[2J"), &json!(3)));
    assert_eq!(warnings, [""; 0]);
    let other = mismatch(&token("\u{1b}[2J"), br#"{"ticker":"ordi"}"#);
    assert_eq!(other, "Response is about ordi, not \\u{1b}[2J");
    // All spellings are the same ticker.
    for ticker in ["a\u{202e}B", "A\\u{202e}b"] {
        let (data, _, warnings) = read(&token(ticker), "{\"ticker\":\"a\u{202e}b\"}".as_bytes());
        assert_eq!((&data["ticker"], warnings), (&json!("a\\u{202e}b"), vec![]));
    }
}

#[test]
fn holders_and_balances_are_exact() {
    let (data, total, _) = read(&holders(0), fixture!("holders"));
    assert_eq!(
        (data, total),
        (
            json!([
                {"address": "bc1qfirst", "balance": "8001234.567890123456789012"},
                {"address": "bc1qlast", "balance": "0"},
                {"address": "bc1qnone", "balance": null},
            ]),
            Some(23500)
        )
    );
    let (data, _, warnings) = read(&balances(), fixture!("balances"));
    assert_eq!(
        data,
        json!([
            {"ticker": "ordi", "available": "1.5", "transferable": "0.5", "overall": "2"},
            {"ticker": "🔥", "available": "3", "transferable": "4", "overall": "7"},
            {"ticker": "sats", "available": "12345678901234567890", "transferable": "0",
             "overall": "12345678901234567890"},
        ])
    );
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn activity_fields_depend_on_operation() {
    let (data, total, warnings) = read(&activity(), fixture!("activity"));
    assert_eq!(total, Some(812));
    assert_eq!(column(&data, "operation"), ["transfer_send", "transfer", "mint", "mint", "deploy", "burn"]);
    let half = json!("25.5");
    let none = Value::Null;
    assert_eq!(column(&data, "amount"), [&half, &half, &json!("1000"), &none, &none, &json!("1")]);
    assert_eq!(column(&data, "from"), [&json!("bc1qfrom"), &json!("bc1qholder"), &none, &none, &none, &none]);
    let holder = json!("bc1qholder");
    assert_eq!(column(&data, "to"), [&holder, &none, &holder, &holder, &none, &none]);
    assert_eq!(
        (&data[4]["max_supply"], &data[4]["mint_limit"], &data[4]["decimals"]),
        (&json!("100"), &none, &json!(0))
    );
    assert!(data[4]["location"].as_str().unwrap().ends_with(":0:null"));
    assert_eq!(data[0]["time"], "2026-11-19T08:00:00Z");
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn operation_names_are_recognised() {
    for (words, operation) in [
        (["deploy", "inscribe_deploy", "deploy-inscribe"], "deploy"),
        (["mint", "inscribe-mint", "Mint-Inscribe"], "mint"),
        (["transfer", "inscribe-transfer", "transfer_inscribe"], "transfer"),
        (["transfer-send", "TRANSFER_TRANSFER", "send"], "transfer_send"),
        (["BRC20_DEPLOY", "BRC-20 deploy", "brc20Deploy"], "deploy"),
        (["BRC20_MINT", "BRC-20 mint", "brc20_inscribe_mint"], "mint"),
        (["burn", "burn", "burn"], "burn"),
        (["BRC20_BURN", "BRC20_BURN", "BRC20_BURN"], "BRC20_BURN"),
    ] {
        for word in words {
            let body = format!(r#"[{{"operation":"{word}","ticker":"ordi"}}]"#);
            assert_eq!(read(&activity(), body.as_bytes()).0[0]["operation"], operation, "{word}");
        }
    }
    let burned =
        br#"{"code":0,"msg":"OK","data":{"detail":[{"ticker":"ordi","type":"transfer","valid":true,"from":"bc1qfrom",
        "to":"","amount":"5"}]}}"#;
    assert_eq!(read(&activity(), burned).0[0]["operation"], "transfer_send", "UniSat");
    let sent =
        br#"{"data":[{"txid":"aa","activity_type":"BRC20_TRANSFER","tick":"ORDI","amount":"25.5","from_address":"a",
        "to_address":"b"}]}"#;
    assert_eq!(read(&activity(), sent).0[0]["operation"], "transfer_send", "Ordiscan");
    let mint = br#"[{"operation":"mint","ticker":"ordi","address":"bc1qminter","to":"bc1qother"}]"#;
    assert_eq!(read(&activity(), mint).0[0]["to"], "bc1qother");
}

#[test]
fn inscription_has_current_address_and_block_count_is_optional() {
    let body = br#"[{"id":"b61b0172i0","address":"bc1qnow","genesis_address":"bc1qthen"}]"#;
    let (data, ..) = read(&inscriptions(), body);
    assert_eq!((&data[0]["address"], &data[0]["genesis_address"]), (&json!("bc1qnow"), &json!("bc1qthen")));
    let stats = Request::InscriptionStats { from_block: None, to_block: None };
    let body = br#"{"results":[{"block_height":7},{"inscription_count":5},{"block_hash":"00ab"}]}"#;
    let (data, _, warnings) = read(&stats, body);
    assert_eq!((&data[0]["block_height"], &data[1]["inscriptions"]), (&json!(7), &json!(5)));
    assert_eq!((data.as_array().unwrap().len(), warnings.len()), (2, 1), "{warnings:?}");
}

#[test]
fn token_without_details_and_sat_without_fields_are_errors() {
    for (request, body) in [(token("ordi"), br#"{"x":{"y":1}}"#.as_slice()), (sat(7), br#"{"x":{"y":1}}"#)] {
        assert!(matches!(try_read(&request, body), Err(ErrorKind::Unrecognised(_))), "{request:?}");
    }
}

#[test]
fn page_past_the_end_has_no_total() {
    assert_eq!(read(&holders(60), fixture!("empty_past_the_end")), (json!([]), None, vec![]));
    assert_eq!(read(&holders(0), fixture!("empty_past_the_end")), (json!([]), Some(0), vec![]));
    let counts_the_page = br#"{"total":1,"results":[{"address":"bc1q","overall_balance":"1"}]}"#;
    assert_eq!(read(&holders(60), counts_the_page).1, None);
    assert_eq!(read(&holders(60), br#"{"total":41,"results":[]}"#).1, Some(41));
}

#[test]
fn sat_is_computed_and_gets_its_inscription() {
    let (data, _, warnings) = read(&sat(1_914_287_520_444_193), fixture!("sat"));
    assert_eq!(
        data,
        json!({
            "number": 1_914_287_520_444_193_u64, "name": "ahehcbywzae", "decimal": "752860.20444193",
            "degree": "0°122860′892″20444193‴", "percentile": "91.15654869285287%", "rarity": "common",
            "block_height": 752860, "cycle": 0, "epoch": 3, "period": 373, "offset": 20444193, "charms": [],
            "inscription_id": format!("{}i0", "a".repeat(64)), "disagreements": [],
        })
    );
    assert_eq!(warnings, [""; 0]);
    let (data, _, _) = read(&sat(1_914_287_520_444_193), fixture!("ord_sat"));
    assert_eq!(data["inscription_id"], format!("{}i0", "2".repeat(64)));
    assert_eq!(data["disagreements"], json!([]));
}

#[test]
fn indexer_sat_fields_that_differ_are_listed() {
    let (data, _, _) = read(&sat(2_099_994_106_992_659), fixture!("sat_of_a_late_epoch"));
    assert_eq!(data["block_height"], 3_891_094);
    assert_eq!(column(&data["disagreements"], "field"), ["decimal", "degree", "block_height", "offset"]);
    assert_eq!(mismatch(&sat(7), fixture!("ord_sat")), "Response is about 1914287520444193, not 7");
    assert_eq!(mismatch(&sat(7), fixture!("sat")), "Response is about ahehcbywzae, not 7");
}

#[test]
fn sat_with_only_charms_is_incomplete() {
    for body in [r#"{"charms":["coin"]}"#, r#"{"data":{"charms":["coin"]}}"#, r#"{"charms":[]}"#] {
        let expected =
            "an object with the field charms, expected a sat with its decimal, degree, percentile, rarity or block";
        let error = try_read(&sat(7), body.as_bytes()).unwrap_err();
        assert_eq!(error, ErrorKind::Unrecognised(expected.to_owned()), "{body}");
    }
}

#[test]
fn ids_that_differ_only_at_their_end_are_told_apart() {
    let id = |index: u32| format!("b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i{index}");
    let request = Request::Inscription { inscription: InscriptionRef::Id(Text::from(id(0))) };
    let body = format!(r#"{{"id":"{}","number":348020}}"#, id(5));
    let expected = "Response is about b61b0172d95e…42d635735i5, not b61b0172d95e…42d635735i0";
    assert_eq!(mismatch(&request, body.as_bytes()), expected);
}

#[test]
fn inscriptions_of_old_and_new_api_are_decoded() {
    let (data, _, warnings) = read(&inscription(), fixture!("inscription"));
    let id = "1".repeat(64);
    assert_eq!(
        data,
        json!({
            "id": format!("{id}i0"), "number": -7, "address": null, "genesis_address": "bc1qgenesis",
            "genesis_block_height": 778921, "genesis_time": "2023-03-02T04:59:30Z", "genesis_fee": 3179,
            "tx_id": id, "location": format!("{id}:0:null"), "output": format!("{id}:0"), "value": 546, "offset": 0,
            "sat": 1_232_735_286_933_201_u64, "rarity": "common", "content_type": "text/plain;charset=utf-8",
            "content_length": 59, "curse_type": "p2wsh", "recursive": false, "parents": [], "charms": [],
            "time": "2023-03-02T04:59:30Z",
        })
    );
    assert_eq!(warnings, [""; 0]);
    let (data, total, warnings) = read(&inscriptions(), fixture!("inscriptions"));
    assert_eq!((data.as_array().unwrap().len(), total), (2, Some(2)));
    assert_eq!(data[0]["parents"], json!([format!("{}i0", "1".repeat(64)), format!("{}i0", "3".repeat(64))]));
    assert_eq!(data[0]["sat"], Value::Null);
    assert_eq!(warnings, ["$.results[0].sat_ordinal: found \"2099999997690000\", expected the number of a sat"]);
}

#[test]
fn inscription_stats_are_decoded() {
    let request = Request::InscriptionStats { from_block: None, to_block: None };
    let (data, total, _) = read(&request, fixture!("stats"));
    assert_eq!(total, None);
    assert_eq!(
        data[0],
        json!({
            "block_height": 921300, "block_hash": format!("00000000{}", "5".repeat(56)), "inscriptions": 412,
            "inscriptions_total": 101_234_567, "time": "2026-11-19T08:00:00Z",
        })
    );
    assert_eq!(data[1]["inscriptions"], 0);
}

#[test]
fn other_indexers_decode_to_the_same_model() {
    let (data, _, _) = read(&token("ordi"), fixture!("unisat_info"));
    let fields = |data: &Value| {
        ["max_supply", "minted_supply", "mint_limit", "holders", "block_height"].map(|f| data[f].clone())
    };
    assert_eq!(fields(&data), [json!("21000000"), json!("21000000"), json!("1000"), json!(23411), json!(779_832)]);
    assert_eq!((&data["deployed_at"], &data["tx_count"]), (&json!("2023-03-08T04:16:31Z"), &json!(412_233)));

    let (data, _, _) = read(&token("ordi"), fixture!("xverse_ticker"));
    assert_eq!(fields(&data), [json!("21000000"), Value::Null, json!("1000"), Value::Null, json!(779_832)]);

    let (data, _, _) = read(&tokens(), fixture!("bestinslot_tickers"));
    assert_eq!(fields(&data[0])[..4], [json!("21000000"), json!("21000000"), json!("1000"), json!(23411)]);

    let (data, total, _) = read(&tokens(), fixture!("unisat_list"));
    assert_eq!((column(&data, "ticker"), total), (vec![&json!("ordi"), &json!("🔥")], Some(2)));

    let (data, total, _) = read(&holders(0), fixture!("unisat_holders"));
    assert_eq!((data, total), (json!([{"address": "bc1qfirst", "balance": "10"}]), Some(23411)));

    let (data, _, _) = read(&activity(), fixture!("opi_activity"));
    assert_eq!(
        [&data[0]["operation"], &data[0]["amount"], &data[0]["from"], &data[0]["to"]],
        ["transfer_send", "25.5", "bc1qfrom", "bc1qto"]
    );
}

#[test]
fn opi_amounts_are_in_smallest_units() {
    let atoms = |amount: &str| {
        let body =
            format!(r#"{{"error":null,"result":[{{"tick":"ordi","amount":{amount},"event_type":"mint-inscribe"}}]}}"#);
        read(&activity(), body.as_bytes()).0[0]["amount"].clone()
    };
    assert_eq!(atoms(r#""25500000000000000000""#), json!("25.5"));
    assert_eq!(atoms(r#""1""#), json!("0.000000000000000001"));
    assert_eq!(atoms("1000000000000000000"), json!("1"));
    assert_eq!(atoms(r#""25.5""#), json!("25.5"), "a decimal point means whole tokens");
    assert_eq!(atoms(r#""99999999999999999999999999999999999999999""#), Value::Null);
    let deploy = br#"[{"tick":"ordi","event_type":"deploy-inscribe","max_supply":"21000000000000000000000000",
        "limit_per_mint":"1000000000000000000000","decimals":"18"}]"#;
    let (data, _, _) = read(&activity(), deploy);
    assert_eq!([&data[0]["max_supply"], &data[0]["mint_limit"]], [&json!("21000000"), &json!("1000")]);
}

#[test]
fn list_without_envelope_is_read() {
    let body = br#"[{"ticker":"ordi","overall_balance":"1"},{"ticker":"sats","overall_balance":2}]"#;
    let (data, total, _) = read(&balances(), body);
    assert_eq!((column(&data, "overall"), total), (vec![&json!("1"), &json!("2")], None));
}

#[test]
fn operation_without_name_is_recognised_by_its_object() {
    let body = br#"{"results":[{"ticker":"ordi","transfer_send":{"amount":"1","from_address":"a","to_address":"b"}}]}"#;
    let (response, _) = try_read(&activity(), body).unwrap();
    let ResponseData::Activity(page) = response else { panic!("{response:?}") };
    assert_eq!(page.items[0].operation, Operation::TransferSend);
    assert_eq!(page.items[0].amount, Some("1".parse().unwrap()));
}

#[test]
fn unreadable_indexer_item_is_skipped() {
    let body = br#"{"total":3,"results":[{"ticker":"ordi","overall_balance":"1"},{"nothing":1},
        {"ticker":"sats","overall_balance":"-5","available_balance":{}}]}"#;
    let (data, _, warnings) = read(&balances(), body);
    assert_eq!(column(&data, "ticker"), ["ordi", "sats"]);
    assert_eq!(data[1]["overall"], Value::Null);
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings.iter().any(|warning| warning.starts_with("$.results[1]: ")), "{warnings:?}");
    assert!(warnings.iter().any(|w| w.contains("the amount is negative")), "{warnings:?}");
}

#[test]
fn unrecognised_indexer_response_is_an_error() {
    let error = |request: &Request, body: &[u8]| try_read(request, body).unwrap_err();
    let invalid = error(&sat(7), br#"{"error":"Invalid satoshi ordinal number"}"#);
    assert!(matches!(&invalid, ErrorKind::InBody { message: Some(m), .. } if m == "Invalid satoshi ordinal number"));
    assert!(matches!(error(&tokens(), br#"{"code":-1,"msg":"unknown","data":null}"#), ErrorKind::InBody { .. }));
    assert!(matches!(error(&sat(7), b"{}"), ErrorKind::Unrecognised(_)));
    assert!(matches!(error(&sat(7), b"[]"), ErrorKind::Unrecognised(_)));
    assert!(matches!(error(&token("ordi"), br#"{"results":[{}]}"#), ErrorKind::Unrecognised(_)));
    assert!(matches!(error(&holders(0), br#"{"results":[{"x":1},{"y":2}]}"#), ErrorKind::Unrecognised(_)));
    assert!(matches!(error(&tokens(), br#"{"we have":["moved","on"]}"#), ErrorKind::Unrecognised(_)));
    assert!(matches!(error(&holders(0), b"<html></html>"), ErrorKind::NotJson(_)));
    assert!(matches!(error(&holders(0), br#"{"results":[{"address":"#), ErrorKind::Incomplete));
}

#[test]
fn json_api_inscription_is_decoded() {
    let body = json!({"data": {"id": "ab".repeat(32) + "i0", "type": "inscription",
        "attributes": {"number": -7, "genesis_fee": "3179", "sat_ordinal": "1232735286933201"}}});
    let (data, _, warnings) =
        read(&Request::Inscription { inscription: InscriptionRef::Number(-7) }, body.to_string().as_bytes());
    assert_eq!(
        (&data["number"], &data["genesis_fee"], &data["sat"]),
        (&json!(-7), &json!(3179), &json!(1232735286933201_u64))
    );
    assert_eq!(data["id"], "ab".repeat(32) + "i0");
    assert_eq!(warnings, [] as [&str; 0]);
}

#[test]
fn list_with_another_offset_has_warning() {
    let body = br#"{"data":{"limit":20,"offset":0,"total":9,"results":[{"address":"a","overall_balance":"1"}]}}"#;
    let (_, _, warnings) = read(&holders(20), body);
    assert_eq!(warnings, ["list starts at 0 instead of 20"]);
}
