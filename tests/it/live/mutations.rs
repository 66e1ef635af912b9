//! Upstream responses in which one value has another type, is missing or impossible: the service returns the same as
//! for the correct response, or null, or an error; never another value.

use std::sync::Arc;

use parking_lot::Mutex;
use satscope::model::ProviderName::{self, Maestro, Ord, Ordinals, UniSat};
use serde_json::{Value, json as object};

use super::Live;
use super::fake::{Fake, FakeResponse};
use super::indexer::settings;
use super::indexer_fakes::{self as fakes, HOLDER, id};

/// A number beyond any floating-point type, in the response without quotes.
const HUGE: &str = "@1e400@";

/// Paths of the values in a response that are no lists or objects.
fn leaves(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| leaves(value, &format!("{path}/{name}"), found))
        }
        Value::Array(items) => {
            items.iter().take(2).enumerate().for_each(|(at, value)| leaves(value, &format!("{path}/{at}"), found));
        }
        _ => found.push(path.to_owned()),
    }
}

/// What a value may be replaced with.
fn replacements(path: &str, value: &Value) -> Vec<Value> {
    let mut all = vec![Value::Null, object!({"x": 1}), object!([[]])];
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let may_be_negative = name.ends_with("number") || name.contains("change");
    let is_number =
        value.is_number() || value.as_str().is_some_and(|text| text.len() < 45 && text.parse::<f64>().is_ok());
    if is_number {
        all.extend([object!("lots"), object!(HUGE)]);
        // Cursed inscriptions have negative numbers, and prices fall.
        if !may_be_negative {
            all.push(object!(-1));
        }
    }
    all
}

/// Whether a value equals that of the correct response, apart from missing parts.
fn is_part_of(value: &Value, correct: &Value) -> bool {
    match (value, correct) {
        (Value::Null, _) => true,
        // The number of pairs is that of the readable ones.
        (Value::Object(fields), Value::Object(correct)) => fields.iter().all(|(name, value)| {
            let is_possible = |correct: &Value| match name.as_str() {
                "num_market_pairs" => value.as_u64() <= correct.as_u64(),
                // An exchange without a name is called by its id, a coin by its symbol, and the other way round; the id
                // stands for a missing slug.
                "name" => {
                    let lower = |name: &Value| name.as_str().map(str::to_lowercase);
                    let is_symbol = fields.get("symbol").is_some_and(|symbol| symbol == value);
                    is_part_of(value, correct) || lower(value) == lower(correct) || is_symbol
                }
                "symbol" => is_part_of(value, correct) || fields.get("name").is_some_and(|name| name == value),
                "slug" => {
                    let is_id = fields.get("id").is_some_and(|id| value.as_str() == Some(id.to_string().as_str()));
                    is_part_of(value, correct) || is_id
                }
                "market_pair" => value == "" || is_part_of(value, correct),
                _ => is_part_of(value, correct),
            };
            correct.get(name).is_some_and(is_possible)
        }),
        (Value::Array(items), Value::Array(correct)) => {
            items.iter().all(|item| correct.iter().any(|correct| is_part_of(item, correct)))
        }
        _ => value == correct,
    }
}

/// Rows of a list that are kept, so that the tests take seconds.
const ROWS: usize = 4;

/// Shortens the lists of rows in a response.
fn shorten(value: &mut Value) {
    match value {
        Value::Array(items) => {
            if items.iter().all(|item| item.is_array() || item.is_object()) {
                match items.len() {
                    // Points: the newest is the first or the last.
                    len @ 50.. => drop(items.drain(ROWS / 2..len - ROWS / 2)),
                    _ => items.truncate(ROWS),
                }
            }
            items.iter_mut().for_each(shorten);
        }
        Value::Object(fields) => {
            fields.values_mut().for_each(shorten);
            // Otherwise, the rest of the list would be requested.
            if let Some(len) = fields.get("detail").and_then(Value::as_array).map(Vec::len)
                && let Some(total) = fields.get_mut("total")
            {
                *total = len.into();
            }
        }
        _ => {}
    }
}

/// See [`check_over`], for a single provider.
async fn check(
    name: ProviderName,
    key: Option<&str>,
    start: impl Fn() -> Fake,
    service_path: &str,
    part: &'static str,
) {
    let fake = start();
    check_over(&[(name, &fake, key)], service_path, part).await;
}

/// Changes each value of the responses of the first provider at upstream paths with `part`, one after the other, and
/// checks the service's response.
pub(super) async fn check_over(
    providers: &[(ProviderName, &Fake, Option<&str>)],
    service_path: &str,
    part: &'static str,
) {
    let seen = Arc::new(Mutex::new(None::<Value>));
    let (name, fake, _) = providers[0];
    let urls: Vec<_> = providers.iter().map(|(name, fake, key)| (*name, fake.url.as_str(), *key)).collect();
    let record = Arc::clone(&seen);
    fake.edit(move |request, response| {
        if !request.path.contains(part) {
            return response;
        }
        let mut body: Value = serde_json::from_slice(&response.body).unwrap();
        shorten(&mut body);
        record.lock().get_or_insert(body.clone());
        FakeResponse { body: body.to_string().into_bytes(), ..response }
    });
    let (status, _, correct) = Live::with(settings(&urls)).raw(service_path).await;
    assert_eq!(status, 200, "{name} {service_path}: {correct}");
    let upstream = seen.lock().clone().unwrap_or_else(|| panic!("{name} {service_path}: no {part}"));
    let mut paths = Vec::new();
    leaves(&upstream, "", &mut paths);
    // A balance that may not be zero is listed.
    for path in paths.into_iter().filter(|path| !path.starts_with("/data/gone/")) {
        for replacement in replacements(&path, upstream.pointer(&path).unwrap()) {
            let (change, text) = (path.clone(), replacement.clone());
            fake.edit(move |request, response| {
                let mut body: Value = match serde_json::from_slice(&response.body) {
                    Ok(body) if request.path.contains(part) => body,
                    _ => return response,
                };
                shorten(&mut body);
                if let Some(value) = body.pointer_mut(&change) {
                    *value = text.clone();
                }
                let body = body.to_string().replace(&format!("\"{HUGE}\""), "1e400");
                FakeResponse { body: body.into_bytes(), ..response }
            });
            let (status, _, response) = Live::with(settings(&urls)).raw(service_path).await;
            let shown = format!("{name} {service_path}, {path} = {replacement}: {response}");
            let is_rate_unknown = status == 400 && service_path.contains("convert=");
            assert!(is_rate_unknown || matches!(status, 200 | 404 | 501 | 502 | 503), "{status} {shown}");
            // Counts of a list change with its readable rows.
            let data = |response: &Value| response.get("results").or(response.get("data")).unwrap_or(response).clone();
            assert!(status != 200 || is_part_of(&data(&response), &data(&correct)), "{shown}, correct: {correct}");
        }
    }
}

#[tokio::test]
async fn unisat_values_are_correct_or_null() {
    let start = || fakes::UniSat::default().start();
    for (path, part) in [
        (String::from("/ordinals/brc-20/tokens/ordi"), "/info"),
        (String::from("/ordinals/brc-20/tokens?limit=4"), "/status"),
        (String::from("/ordinals/brc-20/tokens/ordi/holders?limit=4"), "/holders"),
        (format!("/ordinals/brc-20/balances/{HOLDER}"), "/summary"),
        (String::from("/ordinals/brc-20/activity?ticker=ordi&block_height=923104"), "/history"),
        (format!("/ordinals/inscriptions/{}", id(7)), "/inscription/"),
    ] {
        check(UniSat, None, start, &path, part).await;
    }
}

#[tokio::test]
async fn maestro_values_are_correct_or_null() {
    for (path, part) in [
        (String::from("/ordinals/brc-20/tokens/ordi"), "/assets/"),
        (format!("/ordinals/brc-20/balances/{HOLDER}"), "/addresses/"),
    ] {
        check(Maestro, Some("maestro-key"), fakes::maestro, &path, part).await;
    }
}

#[tokio::test]
async fn ord_values_are_correct_or_null() {
    for (name, has_json) in [(Ordinals, false), (Ord, true)] {
        let start = || fakes::ord(has_json, true);
        for (path, part) in [
            (format!("/ordinals/inscriptions/{}", id(7)), "/r/inscription/"),
            (String::from("/ordinals/sats/7/inscriptions?limit=2"), "/r/sat/"),
            (String::from("/ordinals/sats/7/inscriptions?limit=2"), "/r/inscription/"),
        ] {
            check(name, None, start, &path, part).await;
        }
    }
}
