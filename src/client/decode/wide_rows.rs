//! Price histories in wide rows, which have a price for each coin: `[{"time": …, "ORDI": 8.41, "SATS": 2.3e-7}]`.

use super::envelope::{WRAPPED, WRAPPERS};
use super::points::{self, MAX_POINTS, SERIES};
use super::read::Zone;
use super::stated_zone;
use super::tape::{Kind, Tape, Value};
use crate::model::Text;

/// Maximum length of a time, which is repeated for each coin.
const MAX_TIME: usize = 64;

/// The text of a response with its wide rows as a map of series by symbol. `None` if it has no prices of these symbols.
pub(super) fn to_series(root: Value<'_>, text: &str, symbols: &[Text]) -> Option<String> {
    let rows = rows_in(root)?;
    let place = rows.span()?;
    let mut tape = Tape::default();
    let mut series = vec![String::new(); symbols.len()];
    for row in rows.items().take(MAX_POINTS) {
        let row = tape.expand(row).ok()?;
        // The rewritten points would lose their zone.
        if stated_zone::stated(row).is_some_and(|zone| zone != Zone::UTC) {
            return None;
        }
        let is_scalar = |time: &Value<'_>| !time.is_object() && !time.is_array() && time.raw().len() <= MAX_TIME;
        let time = points::time_of(row).filter(is_scalar)?;
        for (points, symbol) in series.iter_mut().zip(symbols) {
            let Some(price) = price_of(row, symbol) else { continue };
            points.push(if points.is_empty() { '[' } else { ',' });
            points.push_str(&format!("{{\"time\":{},\"price\":{}}}", source(time), source(price)));
        }
    }
    let mut by_symbol = String::new();
    for (points, symbol) in series.iter().zip(symbols).filter(|(points, _)| !points.is_empty()) {
        by_symbol.push(if by_symbol.is_empty() { '{' } else { ',' });
        let name = serde_json::to_string(symbol.as_str()).ok()?;
        by_symbol.extend([name.as_str(), ":", points.as_str(), "]"]);
    }
    if by_symbol.is_empty() {
        return None;
    }
    Some([text.get(..place.start)?, &by_symbol, "}", text.get(place.end..)?].concat())
}

/// The rows in common wrappers.
fn rows_in(root: Value<'_>) -> Option<Value<'_>> {
    let mut at = root;
    for _ in 0..WRAPPED {
        if at.is_array() {
            return Some(at);
        }
        let inside = WRAPPERS.iter().chain(SERIES).filter_map(|name| at.get(name));
        at = inside.into_iter().find(|inner| inner.is_array() || inner.is_object())?;
    }
    None
}

/// The price of a coin in a row, which may be `null`.
fn price_of<'a>(row: Value<'a>, symbol: &str) -> Option<Value<'a>> {
    let (_, price) = row.fields().find(|(key, _)| key.raw().eq_ignore_ascii_case(symbol))?;
    (price.is_null() || price.number().is_some()).then_some(price)
}

/// The source text of a scalar.
fn source(value: Value<'_>) -> String {
    match value.kind() {
        Kind::String | Kind::EscapedString => format!("\"{}\"", value.raw()),
        _ => value.raw().to_owned(),
    }
}
