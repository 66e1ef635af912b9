//! Inscriptions, sats and statistics: response formats, filters, and consistency with each other and BRC-20.

use serde_json::{Value, json};

use super::*;

#[test]
fn every_event_has_a_served_inscription() {
    let mut events = ok("/brc-20/activity?limit=60")["results"].as_array().unwrap().clone();
    events.extend(all("/brc-20/activity?operation=deploy"));
    events.extend(ok("/brc-20/activity?operation=mint&limit=30")["results"].as_array().unwrap().clone());
    for event in &events {
        let inscription = ok(&format!("/inscriptions/{}", text(event, "inscription_id")));
        assert_eq!(inscription["id"], event["inscription_id"]);
        match text(event, "operation") {
            "transfer_send" => {
                assert_eq!(inscription["tx_id"], event["tx_id"]);
                assert_eq!(inscription["address"], event["address"]);
                assert_eq!(inscription["timestamp"], event["timestamp"]);
                let moves = all(&format!("/inscriptions/{}/transfers", text(event, "inscription_id")));
                assert_eq!(moves.len(), 2);
                assert_eq!(moves[0]["tx_id"], event["tx_id"]);
                let block = all(&format!("/inscriptions/transfers?block={}", event["block_height"]));
                let moved = block.iter().find(|moved| moved["id"] == event["inscription_id"]).unwrap();
                assert_eq!((&moved["to"], &moved["from"]), (&moves[0], &moves[1]));
            }
            _ => {
                assert_eq!(inscription["genesis_tx_id"], event["tx_id"]);
                assert_eq!(inscription["genesis_address"], event["address"]);
                assert_eq!(inscription["genesis_block_height"], event["block_height"]);
                assert_eq!(inscription["genesis_timestamp"], event["timestamp"]);
            }
        }
        let content = get(&format!("/ordinals/inscriptions/{}/content", text(event, "inscription_id")));
        assert_eq!(content.body.len() as i64, number(&inscription, "content_length"));
        assert_eq!(content.header("content-type"), inscription["content_type"].as_str());
        // A browser shows it without running it.
        assert!(content.header("content-security-policy").is_some_and(|policy| policy.contains("sandbox")));
        assert_eq!(content.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(content.json()["tick"], event["ticker"]);
        assert_eq!(content.json()["p"], "brc-20");
    }
    for token in all("/brc-20/tokens") {
        assert_eq!(ok(&format!("/inscriptions/{}", text(&token, "id")))["number"], token["number"]);
    }
}

#[test]
fn sats_follow_ordinal_theory() {
    assert_eq!(
        ok("/sats/2099994106992659"),
        json!({
            "coinbase_height": 3_891_094, "cycle": 3, "decimal": "3891094.16797", "degree": "3°111094′214″16797‴",
            "epoch": 18, "name": "satoshi", "offset": 16_797, "percentile": "99.99971949060254%", "period": 1_930,
            "rarity": "common",
        })
    );
    assert_eq!(
        ok("/sats/1914287520444193"),
        json!({
            "coinbase_height": 752_860, "cycle": 0, "decimal": "752860.20444193", "degree": "0°122860′892″20444193‴",
            "epoch": 3, "name": "ahehcbywzae", "offset": 20_444_193, "percentile": "91.15654869285287%", "period": 373,
            "rarity": "common",
        })
    );
    let first = ok("/sats/0");
    assert_eq!(
        (&first["rarity"], &first["name"], &first["percentile"]),
        (&json!("mythic"), &json!("nvtdijuwxlp"), &json!("0%"))
    );
    let last = ok("/sats/2099999997689999");
    assert_eq!((&last["epoch"], &last["rarity"], &last["name"]), (&json!(32), &json!("uncommon"), &json!("a")));
    assert_eq!(last["percentile"], "100%");
    for path in
        ["2099999997690000", "-1", "x", "1.5", "18446744073709551616", "5/inscriptions?limit=100", "x/inscriptions"]
    {
        let response = get(&format!("/ordinals/sats/{path}"));
        let body = br#"{"error":"Invalid satoshi ordinal number"}"#.as_slice();
        assert_eq!((response.status, response.body.as_slice()), (400, body), "{path}");
    }
    assert_eq!(ok("/sats/1/inscriptions"), json!({"limit": 20, "offset": 0, "total": 0, "results": []}));
}

#[test]
fn inscriptions_have_correct_fields_and_sats() {
    let mut list = all("/inscriptions?to_genesis_block_height=780000");
    list.extend(ok("/inscriptions?limit=60")["results"].as_array().unwrap().clone());
    let mut nulls = 0;
    for inscription in &list {
        assert_eq!(
            keys(inscription),
            [
                "address",
                "charms",
                "content_length",
                "content_type",
                "curse_type",
                "genesis_address",
                "genesis_block_height",
                "genesis_fee",
                "genesis_timestamp",
                "genesis_tx_id",
                "id",
                "location",
                "mime_type",
                "number",
                "offset",
                "output",
                "parent",
                "parent_refs",
                "recursive",
                "sat_coinbase_height",
                "sat_ordinal",
                "sat_rarity",
                "timestamp",
                "tx_id",
                "value",
            ]
        );
        for field in ["genesis_fee", "sat_ordinal", "value", "offset"] {
            text(inscription, field).parse::<u64>().unwrap();
        }
        assert_eq!(text(inscription, "location"), format!("{}:0", text(inscription, "output")));
        assert_eq!(inscription["curse_type"].is_null(), number(inscription, "number") >= 0);
        let charms: Vec<&str> = inscription["charms"].as_array().unwrap().iter().filter_map(|c| c.as_str()).collect();
        assert_eq!(charms.contains(&"cursed"), number(inscription, "number") < 0);
        assert_eq!(charms.contains(&"uncommon"), inscription["sat_rarity"] == "uncommon");
        assert!(number(inscription, "sat_coinbase_height") < number(inscription, "genesis_block_height"));
        nulls += usize::from(inscription["address"].is_null());
        let sat = ok(&format!("/sats/{}", text(inscription, "sat_ordinal")));
        assert_eq!(sat["rarity"], inscription["sat_rarity"]);
        assert_eq!(sat["coinbase_height"], inscription["sat_coinbase_height"]);
        let on_sat = all(&format!("/sats/{}/inscriptions", text(inscription, "sat_ordinal")));
        assert!(on_sat.contains(inscription), "{inscription}");
        assert!(on_sat.iter().any(|other| other["id"] == sat["inscription_id"]));
        for key in ["id", "number"] {
            let id = inscription[key].to_string().replace('"', "");
            assert_eq!(&ok(&format!("/inscriptions/{id}")), inscription);
        }
        if let Some(parent) = inscription["parent"].as_str() {
            ok(&format!("/inscriptions/{parent}"));
        }
    }
    assert!(nulls > 0);
    assert!(list.iter().any(|inscription| inscription["parent"].is_string()));
    assert!(list.iter().any(|inscription| inscription["recursive"] == true));
    let crowded = all("/sats/1111111111111111/inscriptions");
    assert_eq!(crowded.len(), 65);
    assert!(crowded.is_sorted_by(|a, b| number(a, "number") > number(b, "number")));
    assert!(number(crowded.last().unwrap(), "number") < 0, "some of them are cursed");
    let latest = crowded.iter().max_by_key(|found| number(found, "genesis_block_height")).unwrap();
    assert_eq!(ok("/sats/1111111111111111")["inscription_id"], latest["id"]);
    assert_eq!(get("/ordinals/inscriptions/-472044").status, 404);
    assert_eq!(get(&format!("/ordinals/inscriptions/{}i0", "a".repeat(64))).status, 404);
    assert_eq!(get("/ordinals/inscriptions/0/content").status, 200);
}

#[test]
fn inscriptions_are_filtered_and_ordered() {
    let list = |query: &str| all(&format!("/inscriptions?{query}"));
    let newest = ok("/inscriptions?limit=1")["results"][0].clone();
    let same = |query: &str| assert_eq!(list(query), std::slice::from_ref(&newest), "{query}");
    same(&format!("id={}", text(&newest, "id")));
    same(&format!("number={}", newest["number"]));
    same(&format!("output={}", text(&newest, "output")));
    same(&format!("from_sat_ordinal={0}&to_sat_ordinal={0}", text(&newest, "sat_ordinal")));
    same(&format!("from_number={0}&to_number={0}", newest["number"]));
    let height = &newest["genesis_block_height"];
    let block = list(&format!("genesis_block={height}"));
    assert!(block.contains(&newest));
    let genesis = all(&format!("/inscriptions/{}/transfers", text(&newest, "id"))).pop().unwrap();
    assert_eq!(list(&format!("genesis_block={}", text(&genesis, "block_hash"))), block);
    assert_eq!(list(&format!("from_genesis_block_height={height}")), block);
    assert_eq!(list(&format!("from_genesis_timestamp={}", newest["genesis_timestamp"])), block);
    assert!(list(&format!("genesis_block={}{}", "0".repeat(8), "1".repeat(56))).is_empty());

    let old = "to_genesis_block_height=800000";
    let cursed = list(&format!("cursed=true&{old}"));
    assert!(!cursed.is_empty() && cursed.iter().all(|found| number(found, "number") < 0));
    let recursive = list(&format!("recursive=true&{old}"));
    assert!(!recursive.is_empty() && recursive.iter().all(|found| found["recursive"] == true));
    let pictures = list(&format!("mime_type=image/png&mime_type=image/svg%2Bxml&{old}"));
    assert!(!pictures.is_empty() && pictures.iter().all(|found| text(found, "mime_type").starts_with("image/")));
    let rare = list("rarity=epic&order_by=ordinal&order=asc");
    assert!(rare.len() >= 4 && rare.iter().all(|found| found["sat_rarity"] == "epic"));
    assert!(rare.is_sorted_by_key(|found| text(found, "sat_ordinal").parse::<u64>().unwrap()));
    let sat_block = list("from_sat_coinbase_height=9&to_sat_coinbase_height=9");
    assert_eq!(sat_block.len(), 4);

    let address = list(old).iter().find_map(|found| found["address"].as_str().map(str::to_owned)).unwrap();
    let theirs = list(&format!("address={address}&{old}"));
    assert!(!theirs.is_empty() && theirs.iter().all(|found| found["address"] == address));
    let by_them = list(&format!("genesis_address={address}&{old}"));
    assert!(by_them.iter().all(|found| found["genesis_address"] == address));
    assert!(list("address=garbage").is_empty());

    let by_number = list(&format!("order_by=number&order=asc&{old}"));
    assert!(by_number.is_sorted_by_key(|found| number(found, "number")));
    assert!(list(old).is_sorted_by_key(|found| -number(found, "genesis_block_height")));
    let by_rarity = ok("/inscriptions?order_by=rarity&limit=2");
    assert_eq!(by_rarity["results"][0]["sat_rarity"], "epic");
}

#[test]
fn statistics_count_inscriptions() {
    let results = ok("/stats/inscriptions")["results"].clone();
    let blocks = results.as_array().unwrap();
    assert_eq!(blocks.len(), 528);
    let field = |block: &Value, key: &str| text(block, key).parse::<i64>().unwrap();
    let status = ok("/");
    assert_eq!(field(&blocks[0], "block_height"), number(&status, "block_height"));
    let all_numbers = number(&status, "max_inscription_number") + 1 - number(&status, "max_cursed_inscription_number");
    assert_eq!(field(&blocks[0], "inscription_count_accum"), all_numbers);
    for pair in blocks.windows(2) {
        let (newer, older) = (&pair[0], &pair[1]);
        assert_eq!(
            keys(newer),
            ["block_hash", "block_height", "inscription_count", "inscription_count_accum", "timestamp"]
        );
        assert_eq!(field(newer, "block_height"), field(older, "block_height") + 1);
        let accumulated = field(older, "inscription_count_accum") + field(newer, "inscription_count");
        assert_eq!(field(newer, "inscription_count_accum"), accumulated);
        assert!(number(newer, "timestamp") > number(older, "timestamp"));
    }
    for block in blocks.iter().step_by(97) {
        let list = ok(&format!("/inscriptions?genesis_block={}", text(block, "block_height")));
        assert_eq!(list["total"], field(block, "inscription_count"));
    }
    let (from, to) = (field(&blocks[9], "block_height"), field(&blocks[3], "block_height"));
    let some = ok(&format!("/stats/inscriptions?from_block_height={from}&to_block_height={to}"));
    assert_eq!(some["results"].as_array().unwrap(), &blocks[3..=9]);
    assert_eq!(ok("/stats/inscriptions?to_block_height=5"), json!({"results": []}));
    assert_eq!(ok("/stats/inscriptions?from_block_height=99999999")["results"], json!([]));
}
