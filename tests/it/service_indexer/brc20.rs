//! BRC-20: response formats, filters, and consistency of holders, balances and activity.

use std::collections::{BTreeMap, BTreeSet};

use satscope::service::demo::tokens::TOKENS;
use serde_json::json;

use super::*;

#[test]
fn tokens_have_correct_fields_and_order() {
    let tokens = all("/brc-20/tokens");
    assert_eq!(tokens.len(), 60);
    for token in &tokens {
        assert_eq!(
            keys(token),
            [
                "address",
                "block_height",
                "decimals",
                "deploy_timestamp",
                "id",
                "max_supply",
                "mint_limit",
                "minted_supply",
                "number",
                "self_mint",
                "ticker",
                "tx_count",
                "tx_id"
            ]
        );
        let decimals = number(token, "decimals") as usize;
        for field in ["max_supply", "minted_supply"] {
            assert!(is_canonical(text(token, field), decimals), "{token}");
        }
        assert!(token["mint_limit"].is_null() || is_canonical(text(token, "mint_limit"), decimals));
        assert!(amount(token, "minted_supply") <= amount(token, "max_supply"));
        assert_eq!(text(token, "id"), format!("{}i0", text(token, "tx_id")));
        assert!(token["self_mint"].is_boolean());
        assert_eq!(number(token, "deploy_timestamp") % 1000, 0);
    }
    assert!(tokens.is_sorted_by_key(|token| -number(token, "block_height")));
    let busiest = all("/brc-20/tokens?order_by=tx_count");
    assert!(busiest.is_sorted_by_key(|token| -number(token, "tx_count")));
    assert_eq!(busiest.len(), 60);
    assert_eq!(ok("/brc-20/tokens?order_by=index"), ok("/brc-20/tokens"));
    assert_eq!(ok("/brc-20/tokens")["limit"], 20);
}

#[test]
fn tokens_are_found_by_case_insensitive_prefix_with_wildcards() {
    let tickers = |query: &str| -> Vec<String> {
        let list = all(&format!("/brc-20/tokens?{query}"));
        list.iter().map(|token| text(token, "ticker").to_owned()).collect()
    };
    assert_eq!(tickers("ticker=ORD"), ["ordi"]);
    assert_eq!(tickers("ticker=ordi&ticker=sats"), ["sats", "ordi"]);
    assert_eq!(tickers("ticker=ordi,sats"), Vec::<String>::new());
    assert_eq!(tickers("ticker=%25").len(), 60);
    assert_eq!(tickers("ticker=_ats").len(), 3);
    assert_eq!(tickers("ticker=%F0%9F%94%A5"), ["🔥"]);
    assert_eq!(tickers("ticker=%23%26"), ["#&%+"]);
    assert_eq!(tickers("ticker=go+d"), ["go d"]);
}

#[test]
fn every_token_is_found_by_its_encoded_ticker() {
    for token in TOKENS.iter() {
        let details = ok(&format!("/brc-20/tokens/{}", encode(token.ticker)));
        assert_eq!(keys(&details), ["supply", "token"]);
        assert_eq!(details["token"]["ticker"], token.ticker);
        assert_eq!(keys(&details["supply"]), ["holders", "max_supply", "minted_supply"]);
        assert_eq!(amount(&details["supply"], "max_supply"), token.supply.max.atoms());
        assert_eq!(amount(&details["supply"], "minted_supply"), token.minted().atoms());
        assert_eq!(number(&details["supply"], "holders"), i64::from(token.holders));
    }
    assert_eq!(ok("/brc-20/tokens/ORDI"), ok("/brc-20/tokens/ordi"));
    assert_eq!(ok("/brc-20/tokens/$OG$")["token"]["ticker"], "$og$");
    let maxi = ok("/brc-20/tokens/maxi");
    assert_eq!(maxi["supply"]["minted_supply"], "18446744073709551615");
    assert_eq!(ok("/brc-20/tokens/zeee")["token"]["max_supply"], "0.000000000000000001");
    assert_eq!(ok("/brc-20/tokens/%F0%9F%94%A5")["token"]["max_supply"], "100");
    for missing in ["ord", "ordii", "%25", "a%2Fb", "%00"] {
        let response = get(&format!("/ordinals/brc-20/tokens/{missing}"));
        assert_eq!(
            (response.status, response.body.as_slice()),
            (404, br#"{"error":"Not found"}"#.as_slice()),
            "{missing}"
        );
        assert_eq!((response.header("etag"), response.header("cache-control")), (None, Some("no-store")));
    }
}

/// Sums over the data of every token.
#[test]
fn holders_balances_and_activity_add_up() {
    let mut by_address: BTreeMap<String, BTreeMap<String, u128>> = BTreeMap::new();
    let mut transferable: BTreeMap<(String, String), u128> = BTreeMap::new();
    for token in TOKENS.iter() {
        let path = format!("/brc-20/tokens/{}", encode(token.ticker));
        let details = ok(&path);
        let holders = all(&format!("{path}/holders"));
        let sum: u128 = holders.iter().map(|holder| amount(holder, "overall_balance")).sum();
        assert_eq!(sum, amount(&details["token"], "minted_supply"), "{}", token.ticker);
        assert!(holders.is_sorted_by(|a, b| amount(a, "overall_balance") >= amount(b, "overall_balance")));
        assert!(holders.iter().all(|holder| amount(holder, "overall_balance") > 0), "{}", token.ticker);
        assert_eq!(holders.len() as i64, number(&details["supply"], "holders"), "{}", token.ticker);
        for holder in &holders {
            assert_eq!(keys(holder), ["address", "overall_balance"]);
            assert!(is_canonical(text(holder, "overall_balance"), usize::from(token.supply.decimals)));
            let tokens = by_address.entry(text(holder, "address").to_owned()).or_default();
            assert!(tokens.insert(token.ticker.to_owned(), amount(holder, "overall_balance")).is_none());
        }

        let mut events = all(&format!("/brc-20/activity?ticker={}", encode(token.ticker)));
        assert_eq!(events.len() as i64, number(&details["token"], "tx_count"), "{}", token.ticker);
        assert!(events.is_sorted_by(|a, b| number(a, "block_height") >= number(b, "block_height")));
        events.reverse();
        let mut available: BTreeMap<String, i128> = BTreeMap::new();
        let mut minted = 0;
        for (nth, event) in events.iter().enumerate() {
            assert_eq!(event["ticker"], token.ticker);
            let operation = text(event, "operation");
            assert_eq!(operation == "deploy", nth == 0);
            let inner = &event[operation];
            let held = |address: &str| (address.to_owned(), token.ticker.to_owned());
            match operation {
                "deploy" => assert_eq!(inner["max_supply"], details["token"]["max_supply"]),
                "mint" => {
                    minted += amount(inner, "amount");
                    *available.entry(text(event, "address").to_owned()).or_default() += amount(inner, "amount") as i128;
                }
                "transfer" => {
                    let (from, amount) = (text(inner, "from_address"), amount(inner, "amount"));
                    let left = available.get_mut(from).unwrap();
                    *left -= amount as i128;
                    assert!(*left >= 0, "{event}");
                    *transferable.entry(held(from)).or_default() += amount;
                }
                "transfer_send" => {
                    let (from, to) = (text(inner, "from_address"), text(inner, "to_address"));
                    assert_eq!(event["address"], to);
                    let amount = amount(inner, "amount");
                    let pending = transferable.get_mut(&held(from)).unwrap();
                    *pending = pending.checked_sub(amount).unwrap();
                    *available.entry(to.to_owned()).or_default() += amount as i128;
                }
                other => panic!("{other}"),
            }
        }
        assert_eq!(minted, token.minted().atoms(), "{}", token.ticker);
        for holder in &holders {
            let address = text(holder, "address");
            let pending = transferable.get(&(address.to_owned(), token.ticker.to_owned())).copied().unwrap_or(0);
            let overall = available[address] + pending as i128;
            assert_eq!(overall, amount(holder, "overall_balance") as i128, "{} of {address}", token.ticker);
        }
    }
    assert!(by_address.values().filter(|tokens| tokens.len() > 3).count() > 100);
    let mut pending = 0;
    for (address, tokens) in &by_address {
        let balances = all(&format!("/brc-20/balances/{address}"));
        assert_eq!(balances.len(), tokens.len(), "{address}");
        for balance in &balances {
            assert_eq!(keys(balance), ["available_balance", "overall_balance", "ticker", "transferrable_balance"]);
            let ticker = text(balance, "ticker");
            assert_eq!(amount(balance, "overall_balance"), tokens[ticker], "{ticker} of {address}");
            let (available, ready) = (amount(balance, "available_balance"), amount(balance, "transferrable_balance"));
            assert_eq!(available + ready, amount(balance, "overall_balance"));
            let expected = transferable.get(&(address.clone(), ticker.to_owned())).copied().unwrap_or(0);
            assert_eq!(ready, expected, "{ticker} of {address}");
            pending += usize::from(ready > 0);
        }
        assert!(address.parse::<bitcoin::Address<_>>().unwrap().is_valid_for_network(bitcoin::Network::Bitcoin));
    }
    assert!(pending > 50, "{pending} balances have a pending transfer");
}

#[test]
fn balances_have_filters_and_block_heights() {
    let holders = all("/brc-20/tokens/ordi/holders");
    let address = text(&holders[0], "address");
    let of = |query: &str| all(&format!("/brc-20/balances/{address}{query}"));
    let ordi = of("?ticker=ORD");
    assert_eq!(ordi.len(), 1);
    assert_eq!(ordi[0]["overall_balance"], holders[0]["overall_balance"]);
    assert_eq!(of("?block_height=0"), of(""));
    assert_eq!(of("?block_height=99999999999999999999999"), of(""));
    assert!(of("?block_height=779831").is_empty());
    assert!(of("?block_height=900000").len() < of("").len() || of("?block_height=900000") != of(""));
    for nobody in ["garbage", "bc1qnobody", "%F0%9F%94%A5"] {
        let empty = json!({"limit": 20, "offset": 0, "total": 0, "results": []});
        assert_eq!(ok(&format!("/brc-20/balances/{nobody}")), empty);
    }
}

#[test]
fn activity_has_correct_fields() {
    let mut seen = BTreeSet::new();
    for operation in ["deploy", "mint", "transfer", "transfer_send"] {
        for event in ok(&format!("/brc-20/activity?operation={operation}&limit=60"))["results"].as_array().unwrap() {
            assert_eq!(event["operation"], operation);
            let common = [
                "address",
                "block_hash",
                "block_height",
                "inscription_id",
                "location",
                "operation",
                "ticker",
                "timestamp",
            ];
            let mut expected: Vec<&str> = common.into_iter().chain([operation, "tx_id"]).collect();
            expected.sort_unstable();
            assert_eq!(keys(event), expected);
            let inner = keys(&event[operation]);
            match operation {
                "deploy" => assert_eq!(inner, ["decimals", "max_supply", "mint_limit"]),
                "mint" => assert_eq!(inner, ["amount"]),
                "transfer" => assert_eq!(inner, ["amount", "from_address"]),
                _ => assert_eq!(inner, ["amount", "from_address", "to_address"]),
            }
            assert!(text(event, "block_hash").starts_with("00000000"));
            assert_eq!(text(event, "location"), format!("{}:0:0", text(event, "tx_id")));
            seen.insert(operation);
        }
    }
    assert_eq!(seen.len(), 4);
}

#[test]
fn activity_is_filtered_by_ticker_block_operation_and_address() {
    let newest = ok("/brc-20/activity?limit=1")["results"][0].clone();
    let tip = number(&ok("/"), "block_height");
    let height = number(&newest, "block_height");
    assert!(tip - height < 6, "the newest event is at most an hour old");
    let block = all(&format!("/brc-20/activity?block_height={height}"));
    assert!(block.contains(&newest));
    assert!(block.iter().all(|event| event["block_height"] == newest["block_height"]));
    assert!(block.iter().all(|event| event["timestamp"] == newest["timestamp"]));
    // The same events as the unfiltered list has.
    let recent = ok("/brc-20/activity?limit=60");
    let recent = recent["results"].as_array().unwrap();
    for event in recent.iter().take(20) {
        assert!(all(&format!("/brc-20/activity?block_height={}", event["block_height"])).contains(event));
    }
    let total = |query: &str| ok(&format!("/brc-20/activity?{query}"))["total"].clone();
    assert_eq!(total("block_height=0"), total(""));
    assert_eq!(total(&format!("block_height={}", tip + 1)), 0);
    assert_eq!(total("ticker=ORDI"), 0);
    assert!(total("ticker=ordi").as_u64() > Some(20));
    assert_eq!(
        total("ticker=ordi&ticker=sats").as_u64().unwrap(),
        total("ticker=ordi").as_u64().unwrap() + total("ticker=sats").as_u64().unwrap()
    );
    assert_eq!(total("operation=deploy"), 60);
    assert_eq!(total("operation=deploy&ticker=ordi&block_height=779832"), 1);
    let address = text(&newest, "address");
    let theirs = all(&format!("/brc-20/activity?address={address}"));
    assert!(theirs.contains(&newest));
    assert!(theirs.iter().all(|event| event.to_string().contains(address)));
    assert_eq!(total("address=garbage"), 0);
}
