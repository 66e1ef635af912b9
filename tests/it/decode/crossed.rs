//! Responses of an operation other than the requested one, and items without content.

use satscope::client::InscriptionRef;
use satscope::model::SatNumber;

use super::*;

macro_rules! indexer {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/indexer/", $name, ".json"))
    };
}

/// Every operation with recognisable items, with the name of its responses and an example.
fn operations() -> Vec<(Request, &'static str, &'static str)> {
    let ticker = || Text::from("ordi");
    let (offset, limit) = (0, 20);
    vec![
        (coins_in("USD"), "coins", fixture!("coins_cmc_v1")),
        (posts(), "posts", fixture!("posts_top")),
        (pairs(None), "market pairs", fixture!("pairs_cmc")),
        (Request::Brc20Tokens { ticker: None, offset, limit }, "BRC-20 tokens", indexer!("tokens")),
        (Request::Brc20Holders { ticker: ticker(), offset, limit }, "BRC-20 balances", indexer!("holders")),
        (
            Request::Brc20Activity { ticker: Some(ticker()), block_height: None, offset, limit },
            "BRC-20 activity",
            indexer!("activity"),
        ),
        (Request::Sat { number: SatNumber::new(7).unwrap() }, "a sat", indexer!("sat")),
        (Request::Inscriptions { address: None, offset, limit }, "inscriptions", indexer!("inscriptions")),
        (Request::InscriptionStats { from_block: None, to_block: None }, "statistics of blocks", indexer!("stats")),
    ]
}

#[test]
fn responses_of_other_dialects_are_recognised() {
    for (name, body) in [
        ("BRC-20 activity", indexer!("opi_activity")),
        ("BRC-20 tokens", indexer!("unisat_info")),
        ("BRC-20 tokens", indexer!("xverse_ticker")),
        ("BRC-20 tokens", indexer!("bestinslot_tickers")),
        ("posts", fixture!("posts_news")),
    ] {
        for (request, ..) in operations().iter().filter(|(_, own, _)| *own != name) {
            let outcome = get(request, body);
            assert!(
                matches!(outcome, Err(ErrorKind::Unrecognised(_))),
                "{name} for {}: {outcome:?}",
                request.describe()
            );
        }
    }
}

#[test]
fn response_of_another_operation_is_recognised() {
    let operations = operations();
    for (at, (request, ..)) in operations.iter().enumerate() {
        for (_, name, body) in operations.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other) {
            match get(request, body) {
                Err(ErrorKind::Unrecognised(what)) => {
                    assert!(what == format!("looks like {name}") || what.starts_with("an object with"), "{what}");
                }
                other => panic!("{name} for {}: {other:?}", request.describe()),
            }
        }
    }
}

/// All signs of a coin may be in its quote.
#[test]
fn coins_with_few_fields_are_not_a_response_of_another_operation() {
    let figures = r#"{"price":1,"market_cap":7,"volume_24h":7,"percent_change_24h":1}"#;
    for quote in [
        format!(r#""quote":{{"USD":{figures}}}"#),
        format!(r#""quotes":{{"USD":{figures}}}"#),
        format!(r#""quote":[{figures}]"#),
        format!(r#""quote":{figures}"#),
    ] {
        let body = format!(r#"{{"data":[{{"id":1,"name":"Coin","symbol":"C1","slug":"c1","rank":1,{quote}}}]}}"#);
        let operations = operations();
        assert!(get(&operations[0].0, &body).is_ok(), "{body}");
        for (request, ..) in operations.iter().skip(1).chain(&[(market(&["C1"]), "", ""), (chart_in("USD"), "", "")]) {
            let outcome = get(request, &body);
            assert!(
                matches!(outcome, Err(ErrorKind::Unrecognised(_) | ErrorKind::Mismatch { .. })),
                "{body} for {}: {outcome:?}",
                request.describe()
            );
        }
    }
}

#[test]
fn token_list_is_searched_for_requested_token() {
    let list = r#"{"results":[{"ticker":"sats","max_supply":"5"},{"ticker":"ORDI","max_supply":"21000000"}]}"#;
    let (response, warnings) = get(&Request::Brc20Token { ticker: "ordi".into() }, list).unwrap();
    let ResponseData::Brc20Token(token) = response else { panic!("{response:?}") };
    assert_eq!(
        (token.ticker.as_str(), warnings),
        ("ORDI", vec!["expected a token, got several items; using one".to_owned()])
    );
}

#[test]
fn items_without_content_are_skipped() {
    fn emptied(value: Value) -> Value {
        match value {
            Value::Array(items) => items.into_iter().map(emptied).collect(),
            Value::Object(fields) => fields.into_iter().map(|(key, value)| (key, emptied(value))).collect(),
            _ => Value::from(""),
        }
    }
    let mut operations = operations();
    operations.push((Request::Brc20Token { ticker: "ordi".into() }, "", indexer!("token")));
    let inscription = InscriptionRef::Number(7);
    operations.push((Request::Inscription { inscription }, "", indexer!("inscription")));
    operations.push((chart_in("USD"), "", fixture!("chart_quotes")));
    operations.push((market(&["ORDI"]), "", fixture!("chart_quotes")));
    for (request, _, body) in operations {
        let body = emptied(serde_json::from_str(body).unwrap()).to_string();
        let outcome = get(&request, &body);
        assert!(matches!(outcome, Err(ErrorKind::Unrecognised(_))), "{}: {outcome:?}", request.describe());
    }
}

#[test]
fn name_alone_is_unrecognised() {
    let named = r#"{"data":[{"id":123,"name":"ORDI","symbol":"ORDI","slug":"ordi"}]}"#;
    let requests = [
        pairs(None),
        Request::Sat { number: SatNumber::new(7).unwrap() },
        Request::Inscriptions { address: None, offset: 0, limit: 20 },
        Request::Brc20Token { ticker: "ordi".into() },
    ];
    for request in requests {
        let outcome = get(&request, named);
        assert!(matches!(outcome, Err(ErrorKind::Unrecognised(_))), "{}: {outcome:?}", request.describe());
    }
}

#[test]
fn field_of_another_kind_beside_own_fields_is_accepted() {
    let history = r#"{"code":0,"data":{"detail":[{"ticker":"ordi","valid":true,"type":"send","from":"bc1qa","to":"bc1qb",
        "amount":"5","overallBalance":"5","transferBalance":"0","availableBalance":"5","txid":"ab","txIdx":1}]}}"#;
    let activity = Request::Brc20Activity { ticker: None, block_height: None, offset: 0, limit: 20 };
    assert!(matches!(get(&activity, history), Ok((ResponseData::Activity(page), _)) if page.items.len() == 1));
    let message = r#"[{"id":7,"text":"gm","from":{"name":"satmaxi"},"to":"all"}]"#;
    assert_eq!(get_posts(message).0.len(), 1);
    let event = r#"[{"event_type":"deploy-inscribe","tick":"ordi","max_supply":"5","limit_per_mint":"1","is_self_mint":false}]"#;
    assert!(matches!(get(&activity, event), Ok((ResponseData::Activity(page), _)) if page.items.len() == 1));
}

#[test]
fn items_with_few_fields_of_another_kind_are_accepted() {
    let (offset, limit) = (0, 20);
    let tokens = || Request::Brc20Tokens { ticker: None, offset, limit };
    let token = || Request::Brc20Token { ticker: "ordi".into() };
    let activity = || Request::Brc20Activity { ticker: None, block_height: None, offset, limit };
    let balances = || Request::Brc20Balances { address: "bc1qa".into(), offset, limit };
    let holders = || Request::Brc20Holders { ticker: "ordi".into(), offset, limit };
    let inscriptions = || Request::Inscriptions { address: None, offset, limit };
    let sat = || Request::Sat { number: SatNumber::new(7).unwrap() };
    for (request, items) in [
        // Coins of the category BRC-20 with fields of their tokens.
        (
            stats(),
            r#"[{"ticker":"ordi","price":8.41,"minted_supply":"21000000","mint_limit":"1000","deploy_timestamp":1,
            "self_mint":false,"sparkline":[7.6,8.4]}]"#,
        ),
        (stats(), r#"[{"name":"ORDI","symbol":"ORDI","slug":"ordi","price":8.41,"mint_limit":"1000"}]"#),
        (coins_in("USD"), r#"[{"symbol":"ORDI","name":"ORDI","price":8.41,"market_pairs":212}]"#),
        (coins_in("USD"), r#"[{"symbol":"ORDI","name":"ORDI","price":8.41,"exchange":"Binance"}]"#),
        (coins_in("USD"), r#"[{"symbol":"ORDI","name":"ORDI","price":8.41,"like_count":3,"comment_count":4}]"#),
        // Tokens with fields of their coins.
        (
            tokens(),
            r#"[{"ticker":"ordi","max":"21000000","limit":"1000","minted":"21000000","price":8.41,"market_cap":1}]"#,
        ),
        (
            tokens(),
            r#"[{"ticker":"ordi","max_supply":"21000000","circulating_supply":"21000000","market_cap":5,
            "percent_change_24h":-3.8}]"#,
        ),
        (tokens(), r#"[{"p":"brc-20","op":"deploy","tick":"ordi","max":"21000000","lim":"1000"}]"#),
        (token(), r#"{"data":{"max_supply":"21000000","minted_supply":"5","holders":7}}"#),
        // A deployment has all fields of a token.
        (activity(), r#"[{"type":"deploy","ticker":"ordi","max_supply":"21","mint_limit":"1","self_mint":false}]"#),
        (
            activity(),
            r#"[{"ticker":"ordi","type":"send","from":"bc1qa","to":"bc1qb","amount":"5","overallBalance":"5",
            "availableBalance":"5"}]"#,
        ),
        (activity(), r#"[{"ticker":"ordi","deploy":{"max_supply":"21"},"mint_limit":"1","self_mint":false}]"#),
        (balances(), r#"[{"ticker":"ordi","amount":"5","price":8.41,"market_cap":5,"circulating_supply":"21"}]"#),
        (holders(), r#"[{"address":"bc1qa","amount":"5","percentile":1,"op":"mint"}]"#),
        (inscriptions(), r#"[{"id":"abi0","number":7,"content_type":"text/plain","op":"mint"}]"#),
        (inscriptions(), r#"[{"id":"abi0","number":7,"sat":5,"degree":"0°0′0″5‴","percentile":"0%"}]"#),
        (inscriptions(), r#"[{"id":7,"inscription_id":"abi0","number":7}]"#),
        (inscriptions(), r#"[{"id":"abi0"}]"#),
        (sat(), r#"{"decimal":"0.7","rarity":"common","block_height":0,"inscription_count":0}"#),
        (posts(), r#"[{"id":7,"title":"ORDI on Binance","exchange":"Binance","market_cap":5,"cmc_rank":9}]"#),
        (posts(), r#"[{"id":7,"text":"gm","author":"satmaxi","operation":"repost"}]"#),
        (pairs(None), r#"[{"market":"Binance","base":"ORDI","quote":"USDT","price":8.4,"market_cap":5,"cmc_rank":9}]"#),
        (
            pairs(None),
            r#"[{"id":1,"symbol":"ORDI","cmc_rank":168,"market_cap":5,
            "tickers":[{"market":{"name":"Binance"},"base":"ORDI","target":"USDT","last":8.4}]}]"#,
        ),
        (pairs(None), r#"[{"exchange":"Binance","base":"ORDI","last":8.41}]"#),
    ] {
        let outcome = get(&request, items);
        assert!(outcome.is_ok(), "{} {items}: {outcome:?}", request.describe());
    }
}
