//! Tokens, events and inscriptions of each service, field by field; and responses about something else.

use super::*;

fn any_activity() -> Request {
    Request::Brc20Activity { ticker: None, block_height: None, offset: 0, limit: 20 }
}

fn fields(data: &Value, names: &[&str]) -> Vec<Value> {
    names.iter().map(|name| data[name].clone()).collect()
}

#[test]
fn okx_token_details_are_complete() {
    let body = r#"{"code":"0","msg":"","data":[{"token":"ordi","precision":"18","totalSupply":"21000000","mintAmount":"21000000",
        "limitPerMint":"1000","holder":"23411","deployAddress":"bc1qdeployer","logoUrl":"","txId":"b61b","inscriptionId":"b61bi0",
        "deployHeight":"779832","deployTime":"1678248991000","inscriptionNumber":"348020","state":"success","tokenType":"BRC20"}]}"#;
    let (data, _, warnings) = read(&token("ordi"), body.as_bytes());
    assert_eq!(
        data,
        json!({
            "ticker": "ordi", "inscription_id": "b61bi0", "inscription_number": 348020, "deployer": "bc1qdeployer",
            "deployed_at": "2023-03-08T04:16:31Z", "block_height": 779832, "tx_id": "b61b", "max_supply": "21000000",
            "minted_supply": "21000000", "mint_limit": "1000", "decimals": 18, "self_mint": null, "tx_count": null,
            "holders": 23411,
        })
    );
    assert_eq!(warnings, [""; 0]);
    assert_eq!(mismatch(&token("sats"), body.as_bytes()), "Response is about ordi, not sats");
}

#[test]
fn okx_pages_are_unwrapped() {
    let balances_page = r#"{"code":"0","msg":"","data":[{"page":"1","limit":"20","totalPage":"1","balanceList":[
        {"token":"ordi","tokenType":"BRC20","balance":"10","availableBalance":"7.5","transferBalance":"2.5"}]}]}"#;
    let (data, ..) = read(&balances(), balances_page.as_bytes());
    assert_eq!(data, json!([{"ticker": "ordi", "available": "7.5", "transferable": "2.5", "overall": "10"}]));
    let events = r#"{"code":"0","msg":"","data":[{"page":"1","limit":"20","totalPage":"1","inscriptionsList":[
        {"txId":"aa","blockHeight":"921300","state":"success","tokenType":"BRC20","actionType":"transfer","fromAddress":"bc1qa",
         "toAddress":"bc1qb","amount":"5","token":"ordi","inscriptionId":"aai0","location":"aa:0:0","time":"1795075200000"},
        {"txId":"bb","state":"fail","actionType":"inscribeTransfer","token":"ordi","amount":"5","inscriptionId":"bbi0"}]}]}"#;
    let (data, _, warnings) = read(&activity(), events.as_bytes());
    assert_eq!(
        fields(&data[0], &["operation", "ticker", "amount", "from", "to", "block_height", "location", "time"]),
        [
            json!("transfer_send"),
            json!("ordi"),
            json!("5"),
            json!("bc1qa"),
            json!("bc1qb"),
            json!(921300),
            json!("aa:0:0"),
            json!("2026-11-19T08:00:00Z")
        ]
    );
    assert_eq!((data.as_array().unwrap().len(), warnings), (1, vec!["skipped 1 invalid event".to_owned()]));
}

#[test]
fn unisat_history_lists_each_valid_transfer_once() {
    let event = |kind: &str, valid: bool, tx: &str| {
        json!({"ticker": "ordi", "type": kind, "valid": valid, "txid": tx, "inscriptionId": format!("{tx}i0"), "txIdx": 1,
            "from": if kind.starts_with("inscribe") { "" } else { "bc1qa" }, "to": "bc1qb", "amount": "5",
            "overallBalance": "5", "transferBalance": "0", "availableBalance": "5", "height": 921300, "blocktime": 1795075200})
    };
    let body = json!({"code": 0, "msg": "OK", "data": {"start": 0, "total": 7, "detail": [
        event("receive", true, "aa"), event("send", true, "aa"), event("transfer", true, "bb"), event("send", false, "cc"),
        event("inscribe-transfer", true, "dd"), event("inscribe-mint", false, "ee"), event("receive", true, "ff"),
    ]}});
    let (data, _, warnings) = read(&activity(), body.to_string().as_bytes());
    assert_eq!(column(&data, "operation"), ["transfer_send", "transfer_send", "transfer", "transfer_send"]);
    assert_eq!(column(&data, "tx_id"), ["aa", "bb", "dd", "ff"]);
    assert_eq!(warnings, ["skipped 2 invalid events"]);
}

#[test]
fn unisat_wallet_has_one_balance() {
    let body = r#"{"code":0,"msg":"OK","data":{"tokenInfo":{"ticker":"ordi","max":"21000000"},
        "tokenBalance":{"ticker":"ordi","overallBalance":"10","availableBalance":"7","transferableBalance":"3"},
        "historyList":[{"ticker":"ordi","amount":"1"}],
        "transferableList":[{"inscriptionId":"aai0","inscriptionNumber":7,"amount":"1","ticker":"ordi"},
            {"inscriptionId":"bbi0","inscriptionNumber":8,"amount":"2","ticker":"ordi"}]}}"#;
    let (data, _, warnings) = read(&balances(), body.as_bytes());
    assert_eq!(data, json!([{"ticker": "ordi", "available": "7", "transferable": "3", "overall": "10"}]));
    assert_eq!(warnings, [""; 0]);
    let rows = r#"[{"ticker":"ordi","overall_balance":"10","available_balance":"7"},{"ticker":"ordi","amount":"1","inscription_id":"aai0"}]"#;
    assert_eq!(read(&balances(), rows.as_bytes()).0.as_array().unwrap().len(), 1);
}

#[test]
fn best_in_slot_events_are_read() {
    let activity_of = r#"{"data":[{"_tx_id":15271002,"inscription_id":"5fi0","amount":"100.0000000000000000","sale_price":-1,
        "unit_price":"-0.01","activity_type":1,"from_wallet":"bc1qa","to_wallet":"1P3X","block_height":795034,
        "ts":"2023-06-19T09:30:18.000Z","new_satpoint":"a4:0:0","tx_id":"a4"}],"block_height":795035}"#;
    let on_block = r#"{"data":[{"id":28093931,"inscription_id":"6di0","old_pkscript":"0014","old_wallet":"bc1qa","old_satpoint":"6d:0:0",
        "new_pkscript":"0015","new_wallet":"bc1qb","new_satpoint":"da:1:0","tick":"rdex","original_tick":"rdex",
        "amount":"10000000000000000000000","activity_type":"transfer-transfer"},
        {"id":28093932,"inscription_id":"8ei0","old_wallet":"","new_wallet":"3MZV","tick":"bank","original_tick":"bank",
        "amount":"880079000000000000000000","activity_type":"transfer-inscribe"}],"block_height":804496}"#;
    let event = r#"{"data":[{"inscription_id":"6di0","event_type":"transfer-transfer","event":{"tick":"𝛑",
        "amount":"31415926535000000000000000000","using_tx_id":"60998008","spent_wallet":"bc1qb","source_wallet":"bc1qa",
        "spent_pkScript":"0014","source_pkScript":"0015"}}],"block_height":824865}"#;
    let names = ["operation", "ticker", "amount", "from", "to"];
    let first = |request: &Request, body: &str| {
        let (data, _, warnings) = read(request, body.as_bytes());
        assert_eq!(warnings, [""; 0], "{body}");
        data[0].clone()
    };
    let data = first(&activity(), activity_of);
    assert_eq!(fields(&data, &names), ["transfer_send", "ordi", "100", "bc1qa", "1P3X"]);
    assert_eq!(fields(&data, &["time", "location", "tx_id"]), ["2023-06-19T09:30:18Z", "a4:0:0", "a4"]);
    assert_eq!(fields(&first(&any_activity(), on_block), &names), ["transfer_send", "rdex", "10000", "bc1qa", "bc1qb"]);
    assert_eq!(fields(&first(&any_activity(), event), &names), ["transfer_send", "𝛑", "31415926535", "bc1qa", "bc1qb"]);
}

#[test]
fn holders_without_an_address_are_kept() {
    let body = r#"{"total":3,"results":[{"address":"bc1qa","overall_balance":"5.0"},{"address":"","overall_balance":"3.0"},
        {"address":null,"overall_balance":"1.0"}]}"#;
    let (data, total, warnings) = read(&holders(0), body.as_bytes());
    assert_eq!(column(&data, "address"), [&json!("bc1qa"), &Value::Null, &Value::Null]);
    assert_eq!(column(&data, "balance"), ["5", "3", "1"]);
    assert_eq!((total, warnings), (Some(3), vec![]));
}

#[test]
fn holder_without_a_balance_is_reported() {
    let body = r#"[{"address":"bc1qa","quantity":"5.5"},{"address":"bc1qb","value_usd":12.5}]"#;
    let (data, _, warnings) = read(&holders(0), body.as_bytes());
    assert_eq!(column(&data, "balance"), [&json!("5.5"), &Value::Null]);
    assert_eq!(warnings, ["$[1]: found an object, expected a holder with a balance"]);
}

#[test]
fn ord_timestamp_is_genesis_time() {
    let tx = "ab".repeat(32);
    let body = json!({"address": "bc1qa", "charms": ["cursed", "nineball"], "child_count": 0, "children": [],
        "content_length": 59, "content_type": "text/plain", "fee": 3179, "height": 778921, "id": format!("{tx}i0"), "next": null,
        "number": -7, "parents": [], "previous": null, "sat": 1232735286933201_u64, "satpoint": format!("{tx}:1:42"),
        "timestamp": 1677733170, "value": 546});
    let (data, _, warnings) = read(&inscription(), body.to_string().as_bytes());
    assert_eq!(fields(&data, &["genesis_time", "time"]), [json!("2023-03-02T04:59:30Z"), Value::Null]);
    assert_eq!(fields(&data, &["output", "tx_id", "location"]), [format!("{tx}:1"), tx.clone(), format!("{tx}:1:42")]);
    assert_eq!(fields(&data, &["offset", "genesis_block_height", "genesis_fee"]), [42, 778921, 3179]);
    assert_eq!(data["charms"], json!(["cursed", "nineball"]));
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn unbound_and_lost_inscriptions_have_no_location() {
    let (id, tx) = ("ab".repeat(32) + "i0", "0".repeat(64));
    for place in [
        // ord: the 38th unbound one, and a lost one.
        json!({"satpoint": format!("{tx}:0:37"), "output": format!("{tx}:0"), "charms": ["unbound"]}),
        json!({"satpoint": format!("{tx}:4294967295:37"), "charms": ["lost"]}),
        // Hiro, UniSat.
        json!({"location": format!("{tx}:0:37"), "output": format!("{tx}:0"), "offset": "37", "tx_id": tx}),
        json!({"utxo": {"txid": tx, "vout": 0}, "offset": 37}),
        json!({"output": format!("{tx}:0"), "tx_id": tx}),
    ] {
        let mut body = place.clone();
        (body["id"], body["number"]) = (json!(id), json!(-7));
        let (data, _, warnings) = read(&inscription(), body.to_string().as_bytes());
        assert_eq!(fields(&data, &["location", "output", "tx_id", "offset"]), vec![Value::Null; 4], "{place}");
        assert_eq!(warnings, [""; 0], "{place}");
    }
}

#[test]
fn magic_eden_and_best_in_slot_inscriptions_are_complete() {
    let (tx, id) = ("0b".repeat(32), "4b".repeat(32) + "i811");
    let eden = json!({"id": id, "contentType": "text/html", "genesisTransaction": "4b", "genesisTransactionBlockTime": "Mon, 08 Jan 2024 14:22:16 GMT",
        "genesisTransactionBlockHeight": 824865, "inscriptionNumber": -7, "parentInscriptionId": "0ei0", "location": format!("{tx}:1:0"),
        "locationBlockHeight": 829288, "locationBlockTime": "Wed, 07 Feb 2024 01:32:58 GMT", "output": format!("{tx}:1"), "outputValue": 546,
        "owner": "bc1qowner", "sat": 1008613062426913_u64, "satRarity": "common"});
    let (data, _, warnings) = read(&inscription(), eden.to_string().as_bytes());
    assert_eq!(
        fields(&data, &["address", "rarity", "output"]),
        [json!("bc1qowner"), json!("common"), json!(format!("{tx}:1"))]
    );
    assert_eq!(fields(&data, &["genesis_block_height", "value", "offset"]), [824865, 546, 0]);
    assert_eq!(fields(&data, &["genesis_time", "time"]), ["2024-01-08T14:22:16Z", "2024-02-07T01:32:58Z"]);
    assert_eq!((&data["parents"], warnings), (&json!(["0ei0"]), vec![]));

    let slot = json!({"data": {"inscription_id": id, "inscription_number": -7, "wallet": "12dS", "mime_type": "model/gltf+json",
        "media_length": 0, "genesis_ts": 1710447063, "genesis_height": 834708, "genesis_fee": 1345, "output_value": 546,
        "satpoint": format!("{tx}:20:0"), "utxo": format!("{tx}:20"), "parent_ids": ["fdi0"]}, "block_height": 921300});
    let (data, _, warnings) = read(&inscription(), slot.to_string().as_bytes());
    assert_eq!(
        fields(&data, &["address", "output", "genesis_time"]),
        [json!("12dS"), json!(format!("{tx}:20")), json!("2024-03-14T20:11:03Z")]
    );
    assert_eq!(
        fields(&data, &["genesis_block_height", "genesis_fee", "value", "content_length"]),
        [834708, 1345, 546, 0]
    );
    assert_eq!((&data["parents"], warnings), (&json!(["fdi0"]), vec![]));
}

#[test]
fn curse_type_has_no_quotes() {
    let body = json!({"id": "ab".repeat(32) + "i0", "number": -7, "curse_type": "\"p2wsh\""});
    assert_eq!(read(&inscription(), body.to_string().as_bytes()).0["curse_type"], "p2wsh");
}

#[test]
fn indexer_responses_about_something_else_are_rejected() {
    let id = |byte: &str| byte.repeat(32) + "i0";
    let by_id = Request::Inscription { inscription: InscriptionRef::Id(Text::from(id("ab"))) };
    let on_sat = Request::SatInscriptions { number: SatNumber::new(7).unwrap(), offset: 0, limit: 20 };
    let at_address = Request::Inscriptions { address: Some(Text::from("bc1qa")), offset: 0, limit: 20 };
    let other = id("cd");
    for (request, body) in [
        (by_id, json!({"id": other, "number": 5})),
        (inscription(), json!({"id": other, "number": 5})),
        (on_sat.clone(), json!({"results": [{"id": other, "sat_ordinal": "8"}]})),
        (at_address, json!({"results": [{"id": other, "address": "bc1qb"}]})),
        (holders(0), json!({"ticker": "sats", "holders": [{"address": "bc1qa", "overall_balance": "1"}]})),
        (holders(0), json!([{"ticker": "sats", "address": "bc1qa", "overall_balance": "1"}])),
        (activity(), json!([{"ticker": "sats", "operation": "mint", "amount": "1"}])),
        (balances(), json!([{"ticker": "ordi", "wallet": "bc1qb", "overall_balance": "1"}])),
    ] {
        mismatch(&request, body.to_string().as_bytes());
    }
    let both =
        json!([{"ticker": "ordi", "wallet": "BC1Q", "overall_balance": "1"}, {"ticker": "ordi", "wallet": "bc1qb"}]);
    let (data, _, warnings) = read(&balances(), both.to_string().as_bytes());
    assert_eq!(column(&data, "overall"), ["1"]);
    assert_eq!(warnings, ["skipped 1 item for address bc1qb"]);
    let on_sats = |sats: &[&str]| {
        let items = sats
            .iter()
            .enumerate()
            .map(|(n, sat)| json!({"id": format!("{}i{n}", "ab".repeat(32)), "sat_ordinal": sat}));
        read(&on_sat, json!({"results": items.collect::<Vec<_>>()}).to_string().as_bytes()).2
    };
    assert_eq!(on_sats(&["7", "8", "8"]), ["skipped 2 items for sat 8"]);
    assert_eq!(on_sats(&["7", "8", "9"]), ["skipped 2 items for sats 8, 9"]);
}

#[test]
fn ord_recursive_endpoints_return_latest_inscription() {
    let id = |byte: &str| byte.repeat(32) + "i0";
    let latest = |body: Value| {
        try_read(&sat(7), body.to_string().as_bytes()).map(|(response, _)| match response {
            ResponseData::Sat(sat) => sat.inscription_id.map(|id| id.to_string()),
            other => panic!("{other:?}"),
        })
    };
    assert_eq!(latest(json!({"id": id("ab")})), Ok(Some(id("ab"))));
    assert_eq!(latest(json!({"id": null})), Ok(None));
    assert_eq!(latest(json!({"ids": [id("ab"), id("cd")], "more": false, "page": 0})), Ok(Some(id("cd"))));
    assert_eq!(
        latest(json!({"ids": [id("ab"), id("cd")], "more": true, "page": 0})),
        Ok(None),
        "it is on a later page"
    );
    assert_eq!(latest(json!({"ids": [], "more": false, "page": 0})), Ok(None));
    for other in [
        json!({"id": 5}),
        json!({"id": "ordi"}),
        json!({"id": id("ab"), "x": 1}),
        json!({"ids": ["ordi"], "more": false}),
    ] {
        assert!(matches!(latest(other.clone()), Err(ErrorKind::Unrecognised(_))), "{other}");
    }
}

#[test]
fn maestro_balances_are_keyed_by_ticker() {
    let body = r#"{"data":{"ordi":"25.5","🔥":"0.000000000000000001"},"last_updated":{"block_height":923105}}"#;
    let (data, _, warnings) = read(&balances(), body.as_bytes());
    assert_eq!(
        (column(&data, "ticker"), column(&data, "overall")),
        (vec![&json!("ordi"), &json!("🔥")], vec![&json!("25.5"), &json!("0.000000000000000001")],)
    );
    assert_eq!(warnings, [""; 0]);
    let odd = r#"{"data":{"a\u001b[2J":{"total":"5","available":"7"}}}"#;
    let (data, ..) = read(&balances(), odd.as_bytes());
    assert_eq!(
        fields(&data[0], &["ticker", "overall", "transferable"]),
        [json!("a\\u{1b}[2J"), json!("5"), Value::Null]
    );
}

#[test]
fn balance_needs_a_ticker_and_an_amount() {
    let wallet =
        r#"{"address":"BC1Q","balances":[{"symbol":"ordi","balance":"12.5"},{"symbol":"sats","balance":"7"}]}"#;
    let (data, _, warnings) = read(&balances(), wallet.as_bytes());
    assert_eq!(column(&data, "ticker"), ["ordi", "sats"]);
    assert_eq!(warnings, [""; 0]);
    let short = r#"{"result":{"brc20":[{"tick":"ordi","amt":"25","decimals":"18"},{"tick":"pepe","amt":"3"}]}}"#;
    let (data, _, warnings) = read(&balances(), short.as_bytes());
    assert_eq!(column(&data, "overall"), ["25", "3"]);
    assert_eq!(warnings, [""; 0]);
    let odd = r#"[{"tick":"ordi","confirmed":"12","unconfirmed":"3"},{"ticker":"","overall_balance":"9.0"}]"#;
    let (data, _, warnings) = read(&balances(), odd.as_bytes());
    assert_eq!(column(&data, "ticker"), ["ordi"]);
    assert_eq!(column(&data, "overall"), [&Value::Null]);
    assert_eq!(
        warnings,
        ["$[0]: found an object, expected a balance with an amount", "$[1]: found an object, expected a balance"]
    );
}

#[test]
fn events_of_other_services_are_complete() {
    let body = r#"[{"operation":"TRANSFER_SEND","ticker":"ordi","amount":"5","sender":"bc1qa","receiver":"bc1qb","txHash":"aa",
        "status":"success"},{"operation":"mint","ticker":"ordi","amount":"5","txHash":"bb","status":"Failed"}]"#;
    let (data, _, warnings) = read(&activity(), body.as_bytes());
    assert_eq!(column(&data, "tx_id"), ["aa"]);
    assert_eq!(fields(&data[0], &["operation", "from", "to"]), ["transfer_send", "bc1qa", "bc1qb"]);
    assert_eq!(warnings, ["skipped 1 invalid event"]);
}

#[test]
fn events_without_an_effect_are_skipped() {
    let read_with = |fields: &str| {
        let body = format!(
            r#"[{{"operation":"mint","ticker":"ordi","amount":"5","tx_id":"aa"}},
            {{"operation":"mint","ticker":"ordi","amount":"5","tx_id":"bb",{fields}}}]"#
        );
        let (data, _, warnings) = read(&activity(), body.as_bytes());
        (column(&data, "tx_id").len(), warnings)
    };
    for fields in [
        r#""reverted":true"#,
        r#""error":"exceeded""#,
        r#""is_valid":0"#,
        r#""is_valid":false"#,
        r#""valid":false"#,
        r#""details":{"valid":"false"}"#,
        r#""success":false"#,
        r#""status":"failed""#,
        r#""status":"invalid""#,
        r#""state":"Not applied""#,
    ] {
        assert_eq!(read_with(fields), (1, vec!["skipped 1 invalid event".to_owned()]), "{fields}");
    }
    for fields in [
        r#""reverted":false"#,
        r#""error":null"#,
        r#""error":"""#,
        r#""error":0"#,
        r#""error":false"#,
        r#""is_valid":1,"status":"confirmed""#,
        r#""success":true"#,
    ] {
        assert_eq!(read_with(fields), (2, vec![]), "{fields}");
    }
}

#[test]
fn empty_list_means_that_a_token_is_unknown() {
    for body in ["[]", r#"{"results":[]}"#, r#"{"data":[],"total":0}"#] {
        let found = try_read(&token("ordi"), body.as_bytes());
        assert_eq!(found.unwrap_err(), ErrorKind::NotFound { message: None }, "{body}");
    }
    assert!(matches!(try_read(&token("ordi"), b"{}"), Err(ErrorKind::Unrecognised(_))));
}
