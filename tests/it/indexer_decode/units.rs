//! Detection of smallest units and whole tokens in every resource.

use super::*;

fn amounts(request: &Request, body: &str, field: &str) -> Vec<Value> {
    let (data, ..) = read(request, body.as_bytes());
    column(&data, field).into_iter().cloned().collect()
}

#[test]
fn opi_holders_and_balances_are_in_smallest_units() {
    let rows = r#"[{"pkscript":"5120aa","wallet":"bc1qa","overall_balance":"1000000000000000000","available_balance":"5"},
        {"pkscript":"6a01","wallet":"","overall_balance":"2500000000000000000","available_balance":"0"}]"#;
    for body in [
        format!(r#"{{"error":null,"result":{{"unused_txes":{rows},"block_height":921300}}}}"#),
        format!(r#"{{"unused_txes":{rows}}}"#),
        rows.to_owned(),
    ] {
        assert_eq!(amounts(&holders(0), &body, "balance"), ["1", "2.5"], "{body}");
        assert_eq!(amounts(&holders(0), &body, "address"), [json!("bc1qa"), Value::Null], "{body}");
    }
    for body in [
        r#"{"error":null,"result":{"overall_balance":"1000000000000000000","available_balance":"250000000000000000","block_height":921300}}"#,
        r#"{"overall_balance":"1000000000000000000","available_balance":"250000000000000000"}"#,
    ] {
        let (data, _, warnings) = read(&balances(), body.as_bytes());
        let expected = json!([{"ticker": null, "available": "0.25", "transferable": "0.75", "overall": "1"}]);
        assert_eq!((data, warnings), (expected, vec![]), "{body}");
    }
}

#[test]
fn best_in_slot_balances_on_block_are_in_smallest_units() {
    let body = r#"{"data":[{"tick":"bili","balance":"1000000000000000000"},{"tick":"𝜋","balance":"3141592653589793238"},
        {"tick":"tiny","balance":"5"}],"block_height":804496}"#;
    assert_eq!(amounts(&balances(), body, "overall"), ["1", "3.141592653589793238", "0.000000000000000005"]);
    assert_eq!(amounts(&balances(), body, "ticker"), ["bili", "𝜋", "tiny"]);
    // Without the envelope, only the size indicates the unit.
    let bare = |balance: &str| format!(r#"[{{"tick":"bili","balance":"{balance}"}}]"#);
    assert_eq!(amounts(&balances(), &bare("1000000000000000000"), "overall"), ["1"]);
    assert_eq!(amounts(&balances(), &bare("5000"), "overall"), ["5000"]);
    let (data, _, warnings) = read(&balances(), bare("500000000000000000").as_bytes());
    assert_eq!((&data[0]["overall"], warnings.len()), (&Value::Null, 1), "{warnings:?}");
}

#[test]
fn whole_tokens_stay_whole() {
    let wallet = r#"{"data":[{"ticker":"oxbt","overall_balance":"5000.0000000000000000","available_balance":"0.000000000000000000000000000000000000",
        "transferrable_balance":"5000.0000000000000000","image_url":null,"min_listed_unit_price":335.94}],"block_height":795034}"#;
    assert_eq!(amounts(&balances(), wallet, "overall"), ["5000"]);
    let holder = |balance: &str| {
        format!(
            r#"{{"data":[{{"pkscript":"5120aa","wallet":"bc1qa","overall_balance":"{balance}"}}],"block_height":795034}}"#
        )
    };
    assert_eq!(amounts(&holders(0), &holder("10.0000000000000000"), "balance"), ["10"]);
    assert_eq!(amounts(&holders(0), &holder("10"), "balance"), ["10"]);
    // A large supply doesn't indicate smallest units.
    let unisat = r#"{"code":0,"msg":"OK","data":{"detail":[{"ticker":"huge","overallBalance":"18446744073709551615",
        "transferableBalance":"0","availableBalance":"18446744073709551615"}]}}"#;
    assert_eq!(amounts(&balances(), unisat, "overall"), ["18446744073709551615"]);
    let hiro = |balance: &str| format!(r#"{{"results":[{{"address":"bc1qa","overall_balance":"{balance}"}}]}}"#);
    assert_eq!(amounts(&holders(0), &hiro("18446744073709551615"), "balance"), ["18446744073709551615"]);
    assert_eq!(amounts(&holders(0), &hiro("36893488147419103230.0"), "balance"), ["36893488147419103230"]);
}

#[test]
fn amounts_of_unclear_units_are_null_with_a_warning() {
    let tokens_of = r#"[{"ticker":"ordi","max_supply":"21000000000000000000000000","mint_limit":"1000000000000000000","minted_supply":"0"}]"#;
    let (data, _, warnings) = read(&tokens(), tokens_of.as_bytes());
    assert_eq!((&data[0]["max_supply"], &data[0]["mint_limit"]), (&Value::Null, &Value::Null));
    assert_eq!(data[0]["minted_supply"], "0");
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].contains("may be in smallest units"), "{warnings:?}");
    // BRC-20 has no more than 2^64 - 1 tokens of a kind.
    for balance in ["18446744073709551616", "25500000000000000000"] {
        let body = format!(r#"{{"results":[{{"address":"a","overall_balance":"{balance}"}}]}}"#);
        let (data, _, warnings) = read(&holders(0), body.as_bytes());
        assert_eq!(data[0]["balance"], Value::Null, "{balance}");
        let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
        assert!(warning.contains(balance) && warning.contains("may be in smallest units"), "{warning}");
    }
    // Both units in one response.
    let mixed = r#"{"error":null,"result":[{"tick":"a","event_type":"mint-inscribe","amount":"1.5"},
        {"tick":"b","event_type":"mint-inscribe","amount":"1000000000000000000"}]}"#;
    let activity = Request::Brc20Activity { ticker: None, block_height: None, offset: 0, limit: 20 };
    assert_eq!(amounts(&activity, mixed, "amount"), [json!("1.5"), Value::Null]);
}

#[test]
fn long_whole_numbers_need_a_known_service() {
    for body in [
        r#"[{"ticker":"ordi","balance":"5000000000000000000"}]"#,
        r#"[{"ticker":"ordi","balance":"5000000000000000000","decimals":18}]"#,
        r#"[{"ticker":"ordi","balance":"500000000000000000","decimals":18}]"#,
        r#"[{"ticker":"ordi","balance":"100000000","decimals":8}]"#,
        r#"[{"ticker":"ordi","balance":5000000000000000000},{"ticker":"pepe","balance":"1.5"}]"#,
    ] {
        let (data, _, warnings) = read(&balances(), body.as_bytes());
        assert_eq!(data[0]["overall"], Value::Null, "{body}");
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].contains("may be in smallest units"), "{warnings:?}");
    }
    let held =
        r#"[{"address":"bc1qa","balance":"5000000000000000000"},{"address":"bc1qb","balance":"7000000000000000000"}]"#;
    assert_eq!(amounts(&holders(0), held, "balance"), [Value::Null, Value::Null]);
    let event = r#"[{"op":"mint","tick":"ordi","amt":"5000000000000000000"}]"#;
    assert_eq!(amounts(&activity(), event, "amount"), [Value::Null]);
    for (body, expected) in [
        (r#"[{"ticker":"ordi","balance":"100","decimal":"18"}]"#, "100"),
        (r#"[{"ticker":"ordi","balance":"2500","decimals":0}]"#, "2500"),
        (r#"[{"ticker":"sats","balance":"20000000000000000"}]"#, "20000000000000000"),
    ] {
        assert_eq!(amounts(&balances(), body, "overall"), [expected], "{body}");
    }
}

#[test]
fn short_numbers_are_not_in_smallest_units() {
    let overall = |body: &str| amounts(&balances(), body, "overall");
    let mixed =
        r#"{"data":[{"tick":"ordi","balance":"5000"},{"tick":"pepe","balance":"1234567890123456789"}],"total":2}"#;
    assert_eq!(overall(mixed), [Value::Null, json!("1.234567890123456789")]);
    assert_eq!(overall(r#"{"data":{"overall_balance":"12","available_balance":"12"}}"#), [Value::Null]);
    for body in [
        r#"[{"address":"bc1qa","pkscript":"76a914","balance":"5"},{"address":"bc1qb","pkscript":"0014","balance":"70"}]"#,
        r#"{"total":2,"results":[{"address":"bc1qa","overall_balance":"5"},{"address":"bc1qb","pkscript":"5120aa","overall_balance":"9"}]}"#,
    ] {
        assert_eq!(amounts(&holders(0), body, "balance"), [Value::Null, Value::Null], "{body}");
    }
    let opi = r#"{"error":null,"result":{"overall_balance":"12","available_balance":"12","block_height":921300}}"#;
    assert_eq!(overall(opi), ["0.000000000000000012"]);
}

#[test]
fn opi_envelope_and_columns_alone_do_not_mean_smallest_units() {
    for body in [
        r#"{"error":null,"result":{"ticker":"ordi","max_supply":"21000000","mint_limit":"1000","decimals":18}}"#,
        r#"{"error":[],"result":[{"ticker":"ordi","max_supply":21000000,"mint_limit":1000}]}"#,
        r#"{"tick":"ordi","original_tick":"ORDI","max":"21000000","lim":"1000"}"#,
    ] {
        let (data, _, warnings) = read(&token("ordi"), body.as_bytes());
        assert_eq!([&data["max_supply"], &data["mint_limit"]], ["21000000", "1000"], "{body}");
        assert_eq!(warnings, [""; 0], "{body}");
    }
    let wrapped = |row: &str| format!(r#"{{"success":true,"error":null,"result":[{row}]}}"#);
    let holder = wrapped(r#"{"address":"bc1qa","balance":"1000"}"#);
    assert_eq!(amounts(&holders(0), &holder, "balance"), ["1000"]);
    let balance = wrapped(r#"{"ticker":"ordi","overall_balance":"1000","available_balance":"400"}"#);
    assert_eq!(amounts(&balances(), &balance, "transferable"), ["600"]);
    let mint = wrapped(r#"{"operation":"mint","ticker":"ordi","amount":"1000"}"#);
    assert_eq!(amounts(&activity(), &mint, "amount"), ["1000"]);
    let at_block = r#"{"data":[{"tick":"ordi","balance":"1000"}],"block_height":921300}"#;
    assert_eq!(amounts(&balances(), at_block, "overall"), ["1000"]);
    // Without a large amount, OPI's column doesn't tell the unit.
    for row in [
        r#"{"op":"mint","tick":"ordi","original_tick":"ORDI","amt":"1000"}"#,
        r#"{"op":"mint","tick":"ordi","amt":"500000000000000000"}"#,
    ] {
        let (data, _, warnings) = read(&activity(), wrapped(row).as_bytes());
        assert_eq!((&data[0]["amount"], warnings.len()), (&Value::Null, 1), "{row}: {warnings:?}");
    }
    let large = r#"[{"op":"mint","tick":"ordi","original_tick":"ORDI","amt":"1000000000000000000000"}]"#;
    assert_eq!(amounts(&activity(), large, "amount"), ["1000"]);
}
