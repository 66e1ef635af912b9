//! Rows by key, formatted amounts and further notations.

use super::*;

/// An inscription id.
fn id() -> String {
    format!("{}i0", "b6".repeat(32))
}

#[test]
fn tokens_keyed_by_ticker_are_read() {
    let body =
        r#"{"data":{"ordi":{"max_supply":"21000000"},"🔥":{"max":"7"},"25028":{"max":"8"},"page":{"limit":20}}}"#;
    let (data, _, warnings) = read(&tokens(), body.as_bytes());
    assert_eq!(column(&data, "ticker"), ["ordi", "🔥"]);
    assert_eq!(column(&data, "max_supply"), ["21000000", "7"]);
    assert_eq!(warnings.len(), 2, "{warnings:?}");

    let two = r#"{"data":{"sats":{"max_supply":"2100000000000000","holders":5},"ordi":{"max_supply":"21000000","holders":9}}}"#;
    let (data, _, _) = read(&token("ORDI"), two.as_bytes());
    assert_eq!((&data["max_supply"], &data["holders"]), (&json!("21000000"), &json!(9)));
    let part = r#"{"info":{"max_supply":"21000000","holders":9}}"#;
    assert_eq!(read(&token("ordi"), part.as_bytes()).0["max_supply"], "21000000");
    assert!(mismatch(&token("ordi"), br#"{"sats":{"max_supply":"2100000000000000"}}"#).contains("sats"));
    let unnamed = br#"[{"max_supply":"1","holders":2},{"max_supply":"21000000","holders":3}]"#;
    assert!(matches!(try_read(&token("ordi"), unnamed), Err(ErrorKind::Unrecognised(_))));
}

#[test]
fn holders_blocks_and_inscriptions_in_keyed_maps_are_read() {
    let [a, b] = ["bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"];
    for body in [
        format!(r#"{{"data":{{"{a}":"12.5","{b}":"3"}}}}"#),
        format!(r#"{{"{a}":{{"overall_balance":"12.5"}},"{b}":{{"overall_balance":"3"}}}}"#),
        format!(r#"[{{"holder":"{a}","amount":"12.5"}},{{"owner":"{b}","balance":"3"}}]"#),
    ] {
        let (data, _, warnings) = read(&holders(0), body.as_bytes());
        assert_eq!(data, json!([{"address": a, "balance": "12.5"}, {"address": b, "balance": "3"}]), "{body}");
        assert_eq!(warnings, [] as [&str; 0], "{body}");
    }
    let stats = Request::InscriptionStats { from_block: None, to_block: None };
    let by_height = br#"{"921300":{"inscription_count":"412"},"921301":{"count":5}}"#;
    let (data, _, _) = read(&stats, by_height);
    assert_eq!(column(&data, "block_height"), [&json!(921_300), &json!(921_301)]);
    assert_eq!(column(&data, "inscriptions"), [&json!(412), &json!(5)]);
    let by_time = br#"{"1795075200":{"inscription_count":"412"},"1795075800":{"count":5}}"#;
    let (data, _, _) = read(&stats, by_time);
    assert_eq!(column(&data, "inscriptions"), [&json!(412), &json!(5)]);
    assert_eq!((&data[0]["block_height"], &data[1]["block_height"]), (&Value::Null, &Value::Null));
    let (data, _, _) = read(&inscriptions(), format!(r#"{{"data":{{"{}":{{"number":5}}}}}}"#, id()).as_bytes());
    assert_eq!((&data[0]["id"], &data[0]["number"]), (&json!(id()), &json!(5)));
}

#[test]
fn amounts_with_thousands_separators_are_read() {
    let supply = |max: &str, minted: &str| {
        let body = format!(r#"[{{"ticker":"ordi","max_supply":"{max}","minted_supply":"{minted}"}}]"#);
        let (data, _, warnings) = read(&tokens(), body.as_bytes());
        let [max, minted] = ["max_supply", "minted_supply"].map(|field| data[0][field].as_str().map(str::to_owned));
        (max, minted, warnings.len())
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(supply("21,000,000", "1,234.5"), (some("21000000"), some("1234.5"), 0));
    assert_eq!(supply("21,000", "5"), (None, some("5"), 1));
    assert_eq!(supply("21.000", "20.5"), (some("21"), some("20.5"), 0));
    // Beside a decimal comma, a point may separate thousands.
    assert_eq!(supply("21.000", "20.500,5"), (None, None, 2));
}

#[test]
fn number_too_large_for_any_unit_does_not_affect_others() {
    let body = format!(
        r#"[{{"ticker":"ordi","max_supply":"{}"}},{{"ticker":"sats","max_supply":"2100000000000000"}}]"#,
        "9".repeat(40)
    );
    let (data, _, warnings) = read(&tokens(), body.as_bytes());
    assert_eq!(column(&data, "max_supply"), [&Value::Null, &json!("2100000000000000")]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn long_balance_beside_the_decimals_of_its_token_is_unclear() {
    let balance = |decimals: &str| {
        let body = format!(
            r#"[{{"ticker":"ordi",{decimals}"available_balance":"1500000000000000000","transferable_balance":"0",
            "overall_balance":"1500000000000000000"}}]"#
        );
        read(&balances(), body.as_bytes()).0[0]["overall"].clone()
    };
    assert_eq!(balance(r#""decimals":18,"#), Value::Null);
    assert_eq!(balance(""), "1500000000000000000");
}

#[test]
fn sat_of_an_inscription_may_have_another_notation() {
    for (sat, number, warnings) in [
        (r#""1914287520444193""#, json!(1_914_287_520_444_193_u64), 0),
        (r#""752860.20444193""#, json!(1_914_287_520_444_193_u64), 0),
        (r#""0°122860′892″20444193‴""#, json!(1_914_287_520_444_193_u64), 0),
        (r#"{"number":1914287520444193}"#, json!(1_914_287_520_444_193_u64), 0),
        (r#""1914287520444193.0""#, json!(1_914_287_520_444_193_u64), 0),
        (r#""752860.0""#, Value::Null, 1),
        ("752860.0", Value::Null, 1),
        (r#""0°1′892″20444193‴""#, Value::Null, 1),
    ] {
        let body = format!(r#"[{{"id":"{}","sat":{sat}}}]"#, id());
        let (data, _, found) = read(&inscriptions(), body.as_bytes());
        assert_eq!((&data[0]["sat"], found.len()), (&number, warnings), "{sat}: {found:?}");
    }
    let body = format!(r#"{{"rarity":"common","inscriptions":[{{"id":"{}"}}]}}"#, id());
    assert_eq!(read(&sat(7), body.as_bytes()).0["inscription_id"], id());
    for (charms, names, warnings) in [(r#""cursed, lost""#, json!(["cursed", "lost"]), 0), ("5", json!([]), 1)] {
        let body = format!(r#"[{{"id":"{}","charms":{charms}}}]"#, id());
        let (data, _, found) = read(&inscriptions(), body.as_bytes());
        assert_eq!((&data[0]["charms"], found.len()), (&names, warnings), "{found:?}");
    }
}

#[test]
fn amount_of_an_event_may_be_among_its_details() {
    let body = br#"[{"operation":"mint","ticker":"ordi","details":{"amount":"1000"}}]"#;
    assert_eq!(read(&activity(), body).0[0]["amount"], "1000");
}

#[test]
fn height_of_a_transaction_in_the_mempool_is_unknown() {
    for (height, number) in [("4194303", Value::Null), ("\"4194303\"", Value::Null), ("0", json!(5))] {
        let body = format!(r#"[{{"inscriptionId":"{}","inscriptionNumber":5,"height":{height}}}]"#, id());
        let (data, _, warnings) = read(&inscriptions(), body.as_bytes());
        assert_eq!((&data[0]["genesis_block_height"], &data[0]["number"]), (&Value::Null, &number), "{height}");
        assert_eq!(warnings, [] as [&str; 0], "{height}");
        let body = format!(r#"[{{"operation":"mint","ticker":"ordi","amount":"5","block_height":{height}}}]"#);
        assert_eq!(read(&activity(), body.as_bytes()).0[0]["block_height"], Value::Null, "{height}");
        let body = format!(r#"[{{"ticker":"ordi","max":"5","deployHeight":{height}}}]"#);
        assert_eq!(read(&tokens(), body.as_bytes()).0[0]["block_height"], Value::Null, "{height}");
    }
}

#[test]
fn height_that_is_too_large_is_unknown() {
    for height in ["4294967295", "1795075200"] {
        let body = format!(r#"[{{"action":"mint","ticker":"ordi","amount":"5","block_height":{height}}}]"#);
        let (data, _, warnings) = read(&activity(), body.as_bytes());
        assert_eq!((&data[0]["operation"], &data[0]["block_height"]), (&json!("mint"), &Value::Null));
        assert_eq!(warnings, [format!("$[0].block_height: found {height}, expected a block height")]);
    }
}

#[test]
fn tables_with_named_columns_are_read() {
    let body = br#"{"columns":["rank","address","balance"],"rows":[[1,"bc1qa","100.5"],[2,"bc1qb",7]]}"#;
    let (data, _, warnings) = read(&holders(0), body);
    assert_eq!(data, json!([{"address": "bc1qa", "balance": "100.5"}, {"address": "bc1qb", "balance": "7"}]));
    assert_eq!(warnings, [] as [&str; 0]);
    let body = br#"[["ticker","available","transferable","overall"],["ordi","100","0.5","100.5"]]"#;
    let (data, ..) = read(&balances(), body);
    let balance = json!([{"ticker": "ordi", "available": "100", "transferable": "0.5", "overall": "100.5"}]);
    assert_eq!(data, balance);
}

#[test]
fn numbers_by_address_or_ticker_are_read() {
    let address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
    let (data, ..) = read(&holders(0), format!(r#"{{"holders":{{"{address}":100.5}}}}"#).as_bytes());
    assert_eq!(data, json!([{"address": address, "balance": "100.5"}]));
    let (data, ..) = read(&balances(), br#"{"address":"bc1q","balances":{"ordi":100.5,"sats":"7"}}"#);
    assert_eq!(column(&data, "ticker"), ["ordi", "sats"]);
    assert_eq!(column(&data, "overall"), ["100.5", "7"]);
    let about = br#"{"balances":{"limit":20,"offset":0}}"#;
    assert!(matches!(try_read(&balances(), about), Err(ErrorKind::Unrecognised(_))));
}

#[test]
fn token_of_a_balance_may_be_an_object() {
    let body = br#"[{"token":{"ticker":"ordi","decimals":18},"available":"100","transferable":"0.5"}]"#;
    let (data, _, warnings) = read(&balances(), body);
    let balance = json!([{"ticker": "ordi", "available": "100", "transferable": "0.5", "overall": "100.5"}]);
    assert_eq!((data, warnings), (balance, vec![]));
}

#[test]
fn runes_beside_balances_are_ignored() {
    let body = br#"{"brc20":[{"ticker":"ordi","balance":"5.5"}],"runes":[{"rune":"DOG","amount":"7"}]}"#;
    assert_eq!(column(&read(&balances(), body).0, "overall"), ["5.5"]);
}

#[test]
fn balances_of_other_protocols_are_skipped() {
    for protocol in [r#""protocol":"runes""#, r#""type":"runes""#, r#""standard":"Runes""#, r#""tokenType":"SRC-20""#] {
        let body = format!(
            r#"{{"total":3,"results":[{{"ticker":"ordi","balance":"5","protocol":"brc-20"}},
            {{"ticker":"DOG","balance":"7",{protocol}}},{{"ticker":"sats","balance":"6","type":"BRC20"}}]}}"#
        );
        let (data, total, warnings) = read(&balances(), body.as_bytes());
        assert_eq!(column(&data, "ticker"), ["ordi", "sats"], "{protocol}");
        assert_eq!(total, None);
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("skipped 1 balance of another protocol ("), "{warnings:?}");
    }
    let (data, _, warnings) = read(&balances(), br#"[{"ticker":"DOG","balance":"7","protocol":"runes"}]"#);
    assert_eq!((data, warnings), (json!([]), vec!["skipped 1 balance of another protocol (runes)".to_owned()]));
}

#[test]
fn tokens_of_other_protocols_are_skipped() {
    let body = br#"{"total":3,"results":[{"p":"src-20","tick":"stamp","max":"100"},
        {"protocol":"runes","tick":"DOG","max":"100"},{"p":"brc-20","tick":"ordi","max":"21000000"}]}"#;
    let (data, total, warnings) = read(&tokens(), body);
    assert_eq!((column(&data, "ticker"), total), (vec![&json!("ordi")], None));
    assert_eq!(warnings, ["skipped 2 tokens of other protocols (such as src20)"]);
    for protocol in ["src-20", "arc-20", "drc-20", "brc-100", "TAP"] {
        let body = format!(r#"[{{"p":"{protocol}","tick":"ordi","balance":"100"}},{{"tick":"sats","balance":"5"}}]"#);
        let (data, _, warnings) = read(&balances(), body.as_bytes());
        assert_eq!((column(&data, "ticker"), warnings.len()), (vec![&json!("sats")], 1), "{warnings:?}");
    }
    let rune = r#"{"protocol":"runes","tick":"ordi","max":"100"}"#;
    let expected = "Response is about a token of another protocol (runes), not ordi";
    assert_eq!(mismatch(&token("ordi"), rune.as_bytes()), expected);
    let several = format!(r#"[{rune},{{"p":"brc-20","tick":"ordi","max":"21000000"}}]"#);
    assert_eq!(read(&token("ordi"), several.as_bytes()).0["max_supply"], "21000000");
}

#[test]
fn prices_and_unknown_words_are_not_other_protocols() {
    for p in [
        r#""8.41""#,
        "8.41",
        r#""1e-6""#,
        r#""$8.41""#,
        r#""8.41 USD""#,
        r#""BRC20""#,
        r#""brc-20-prog""#,
        r#""ordinals""#,
    ] {
        let body = format!(r#"{{"total":1,"results":[{{"p":{p},"tick":"ordi","max":"21000000","balance":"5"}}]}}"#);
        for request in [tokens(), balances()] {
            let (data, total, warnings) = read(&request, body.as_bytes());
            assert_eq!((column(&data, "ticker"), total), (vec![&json!("ordi")], Some(1)), "{p}");
            assert_eq!(warnings, [""; 0], "{p}");
        }
        let body = format!(r#"{{"p":{p},"tick":"ordi","max":"21000000"}}"#);
        assert_eq!(read(&token("ordi"), body.as_bytes()).0["max_supply"], "21000000", "{p}");
    }
}

#[test]
fn ids_of_database_rows_are_not_those_of_inscriptions_and_transactions() {
    let (tx, id) = ("b6".repeat(32), format!("{}i0", "b6".repeat(32)));
    let (upper, null) = (tx.to_uppercase(), Value::Null);
    for (fields, expected) in [
        (r#""id":17,"tx_id":17"#.to_owned(), [null.clone(), null.clone()]),
        (r#""id":"ordi","txid":"ordi""#.to_owned(), [null.clone(), null.clone()]),
        (
            r#""id":"0190-uuid-4f","tx_id":"b61b0172-d95e-4c5a-9d1c-2d1b0172d95e""#.to_owned(),
            [null.clone(), null.clone()],
        ),
        (r#""id":"507f1f77bcf86cd799439011","inscription_id":null"#.to_owned(), [null.clone(), null.clone()]),
        (r#""inscription_id":17"#.to_owned(), [null.clone(), null.clone()]),
        (format!(r#""id":"{tx}""#), [null.clone(), null.clone()]),
        (format!(r#""id":"{id}","tx_id":"{tx}""#), [json!(id), json!(tx)]),
        (format!(r#""id":17,"inscription_id":"{id}""#), [json!(id), null.clone()]),
        (format!(r#""id":"0x{id}","txid":"0x{tx}""#), [json!(id), json!(tx)]),
        (format!(r#""id":"{upper}i0","txid":"{upper}""#), [json!(id), json!(tx)]),
        (format!(r#""txid":"{tx}:0""#), [null.clone(), json!(tx)]),
        (format!(r#""txid":"{id}""#), [null.clone(), json!(tx)]),
        (format!(r#""inscription_id":"{tx}:0""#), [json!(format!("{tx}:0")), null.clone()]),
        (r#""inscription_id":"b61b…i0","txid":"b61b...5735""#.to_owned(), [json!("b61b…i0"), json!("b61b...5735")]),
    ] {
        let body = format!(r#"[{{{fields},"ticker":"ordi","max_supply":"21000000"}}]"#);
        let (data, _, warnings) = read(&tokens(), body.as_bytes());
        assert_eq!([&data[0]["inscription_id"], &data[0]["tx_id"]], [&expected[0], &expected[1]], "{fields}");
        assert_eq!(warnings, [""; 0], "{fields}");
    }
}

#[test]
fn counts_of_inscriptions_have_short_names() {
    let request = Request::InscriptionStats { from_block: None, to_block: None };
    let body = br#"[{"block":921300,"hash":"00ab","count":12,"total":"100,000,012","date":"2026-11-19T08:00:00Z"}]"#;
    let (data, _, warnings) = read(&request, body);
    let expected = json!([{
        "block_height": 921_300, "block_hash": "00ab", "inscriptions": 12, "inscriptions_total": 100_000_012,
        "time": "2026-11-19T08:00:00Z",
    }]);
    assert_eq!((data, warnings), (expected, vec![]));
}
