//! Answers to another question than was asked, and items of which nothing is known.

use satscope::client::InscriptionRef;
use satscope::model::SatNumber;

use super::*;

macro_rules! indexer {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/indexer/", $name, ".json"))
    };
}

/// Every operation whose items tell what they are, with what its answers are called and one of them.
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
fn an_answer_to_another_question_is_told_for_what_it_is() {
    let operations = operations();
    for (at, (request, ..)) in operations.iter().enumerate() {
        for (_, name, body) in operations.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other) {
            match get(request, body) {
                Err(ErrorKind::Unrecognised(what)) => {
                    assert!(what == format!("it looks like {name}") || what.starts_with("an object with"), "{what}");
                }
                other => panic!("{name} for {}: {other:?}", request.describe()),
            }
        }
    }
}

#[test]
fn a_list_of_tokens_is_searched_for_the_asked_one() {
    let list = r#"{"results":[{"ticker":"sats","max_supply":"5"},{"ticker":"ORDI","max_supply":"21000000"}]}"#;
    let (answer, warnings) = get(&Request::Brc20Token { ticker: "ordi".into() }, list).unwrap();
    let Answer::Brc20Token(token) = answer else { panic!("{answer:?}") };
    assert_eq!(
        (token.ticker.as_str(), warnings),
        ("ORDI", vec!["the answer holds more than a token; one of them was taken".to_owned()])
    );
}

#[test]
fn items_that_say_nothing_are_none() {
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
fn a_name_alone_is_of_no_use_where_many_things_have_one() {
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
