//! Properties of every response.

use proptest::prelude::*;
use satscope::client::decode::decode;
use satscope::client::{Limits, Request, ResponseData};
use serde_json::Value;

use super::{chart_in, coins_in, fixtures, get, market, pairs, posts, stats, to_json};

/// All the paths in a value, as keys and indices.
fn paths(value: &Value) -> Vec<Vec<String>> {
    fn walk(value: &Value, at: &mut Vec<String>, all: &mut Vec<Vec<String>>) {
        let children: Vec<(String, &Value)> = match value {
            Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), value)).collect(),
            Value::Array(list) => list.iter().enumerate().map(|(at, value)| (at.to_string(), value)).collect(),
            _ => return,
        };
        for (key, child) in children {
            at.push(key);
            all.push(at.clone());
            walk(child, at, all);
            at.pop();
        }
    }
    let mut all = Vec::new();
    walk(value, &mut Vec::new(), &mut all);
    all
}

/// Replaces or removes the value at a path.
fn mutate(value: &mut Value, path: &[String], with: Option<&Value>) {
    let Some((last, parents)) = path.split_last() else { return };
    let mut at = value;
    for key in parents {
        at = match at {
            Value::Object(map) => &mut map[key],
            Value::Array(list) => &mut list[key.parse::<usize>().unwrap()],
            _ => return,
        };
    }
    match (at, with) {
        (Value::Object(map), Some(with)) => drop(map.insert(last.clone(), with.clone())),
        (Value::Object(map), None) => drop(map.remove(last)),
        (Value::Array(list), with) => list[last.parse::<usize>().unwrap()] = with.cloned().unwrap_or_default(),
        _ => {}
    }
}

fn items(response: &ResponseData) -> usize {
    match response {
        ResponseData::Coins(page) => page.items.len(),
        ResponseData::Posts(page) => page.items.len(),
        ResponseData::MarketPairs(page) => page.items.len(),
        ResponseData::Chart(chart) => chart.points.len(),
        ResponseData::Market(series) => series.len(),
        _ => 0,
    }
}

/// A field that is missing or has another type affects at most its own item, unless it is the list itself or the error
/// code.
#[test]
fn unknown_field_never_affects_another_item() {
    let strange =
        [None, Some("null"), Some("\"x\""), Some("-1"), Some("[]"), Some("{}"), Some("[[{\"a\":{}}]]"), Some("true")];
    for (name, request, body) in fixtures() {
        let Ok(json) = serde_json::from_str::<Value>(body) else { continue };
        let whole = items(&get(&request, body).unwrap().0);
        for path in paths(&json) {
            // Only values inside an item: after the first index, or after the key of a map of items.
            let keyed = |key: &String| key.len() > 3 && key.bytes().all(|b| b.is_ascii_digit()) || key == "1";
            let item = path.iter().position(|key| key.parse::<usize>().is_ok() || keyed(key));
            // A coin with another slug is another coin.
            let other_coin =
                name == "pairs_by_symbol" && path.last().is_some_and(|key| key == "slug" || key == "market_pairs");
            if item.is_none_or(|at| at + 1 >= path.len()) || other_coin {
                continue;
            }
            for with in strange {
                let mut changed = json.clone();
                mutate(&mut changed, &path, with.map(|json| serde_json::from_str(json).unwrap()).as_ref());
                match get(&request, &changed.to_string()) {
                    Ok((response, _)) => {
                        assert!(
                            items(&response) + 1 >= whole,
                            "{name}: {path:?} as {with:?} left {} of {whole}",
                            items(&response)
                        );
                    }
                    Err(error) => assert_eq!(whole, 1, "{name}: {path:?} as {with:?}: {error}"),
                }
            }
        }
    }
}

fn requests() -> Vec<Request> {
    vec![
        coins_in("EUR"),
        stats(),
        posts(),
        pairs(None),
        pairs(Some("ordi")),
        chart_in("EUR"),
        market(&["ORDI"]),
        market(&["A", "B"]),
    ]
}

fn json() -> impl Strategy<Value = Value> {
    let words = prop::sample::select(vec![
        "USD",
        "2026-11-19T08:00:00Z",
        "1795075200",
        "abc",
        "",
        "https://a.example",
        "0",
        "[1,2]",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        words.prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    let names = vec![
        "data",
        "status",
        "error_code",
        "result",
        "list",
        "points",
        "quotes",
        "quote",
        "USD",
        "EUR",
        "id",
        "symbol",
        "name",
        "slug",
        "price",
        "prices",
        "total_volumes",
        "v",
        "c",
        "s",
        "timestamp",
        "time",
        "tags",
        "urls",
        "links",
        "platform",
        "contract_address",
        "platforms",
        "sparkline_7d",
        "market_data",
        "periods",
        "24h",
        "market_pairs",
        "exchange",
        "tickers",
        "text_content",
        "owner",
        "currencies",
        "ORDI",
        "1795075200",
        "total",
        "error",
        "message",
        "converted_last",
    ];
    let name = prop_oneof![9 => prop::sample::select(names).prop_map(str::to_owned), 1 => ".{0,4}"];
    leaf.prop_recursive(6, 80, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::btree_map(name.clone(), inner, 0..7)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn is_harmless(response: &ResponseData) -> bool {
    fn walk(value: &Value) -> bool {
        match value {
            Value::String(text) => {
                text.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}' && c != '\u{200b}')
            }
            Value::Array(list) => list.iter().all(walk),
            Value::Object(map) => map.values().all(walk),
            _ => true,
        }
    }
    walk(&to_json(response))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn decoder_accepts_any_json(value in json()) {
        let body = value.to_string();
        for request in requests() {
            if let Ok((response, warnings)) = get(&request, &body) {
                prop_assert!(is_harmless(&response));
                prop_assert!(warnings.len() <= 51);
            }
        }
    }

    #[test]
    fn decoder_accepts_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200), open in "(\\[|\\{\"data\":\\[\\{)?") {
        let body = [open.as_bytes(), &bytes].concat();
        for request in requests() {
            let _ = decode(&request, &body, None, &Limits::default());
        }
    }

    #[test]
    fn decoder_accepts_corrupt_responses(which in 0..22_usize, at in any::<prop::sample::Index>(), with in "\\PC{0,3}", cut in 0..4_usize) {
        let all = fixtures();
        let (_, request, body) = &all[which];
        let at = body.floor_char_boundary(at.index(body.len()));
        let end = body.ceil_char_boundary((at + cut).min(body.len()));
        let damaged = [&body[..at], &with, &body[end..]].concat();
        if let Ok((response, _)) = get(request, &damaged) {
            prop_assert!(is_harmless(&response));
        }
    }
}
