//! Finds points in a response and detects their format.

use super::field::Field;
use crate::client::decode::field_name::same_name;
use crate::client::decode::names::Names;
use crate::client::decode::tape::{Kind, Tape, Value};

/// Field names of points: CoinMarketCap's website; CoinMarketCap; CoinGecko, DefiLlama; proxies that follow the
/// interface.
pub(in crate::client::decode) const SERIES: &[&str] = &["points", "quotes", "prices", "chart", "series", "sparkline"];

/// Points found in a response, by format.
#[derive(Clone, Copy, Debug)]
pub(in crate::client::decode) enum Series<'a> {
    /// An empty or `null` field for points.
    Empty,
    /// A list of points.
    Rows(Value<'a>),
    /// The points of one coin in a list with several coins.
    RowsOf(Value<'a>, &'a str),
    /// A map by time.
    ByTime(Value<'a>),
    /// Separate lists of `[time, value]` rows for price, volume and cap.
    Columns(Value<'a>),
    /// Parallel lists of times and prices.
    Parallel(Value<'a>),
}

impl<'a> Series<'a> {
    /// Finds points: the value itself, a field of [`SERIES`], or in these wrappers, some levels deep.
    pub(in crate::client::decode) fn find(value: Value<'a>, wrappers: &[&str]) -> Option<Series<'a>> {
        let mut at = value;
        for _ in 0..8 {
            if at.is_raw() {
                return None;
            }
            if at.is_array() {
                return Some(if at.items().next().is_some() { Series::Rows(at) } else { Series::Empty });
            }
            if [TIMES, CLOSES].into_iter().all(|name| at.get(name).is_some_and(|list| list.is_array())) {
                return Some(Series::Parallel(at));
            }
            if at.get(PRICES).is_some_and(|prices| prices.is_array()) {
                return Some(Series::Columns(at));
            }
            let inside = SERIES.iter().chain(wrappers).filter_map(|name| at.get(name));
            if let Some(inner) = inside.into_iter().find(|inner| inner.is_array() || inner.is_object()) {
                at = inner;
                continue;
            }
            let mut keys = at.fields().map(|(key, _)| key.raw());
            return match keys.next() {
                None if at.is_object() => Some(Series::Empty),
                Some(first) if is_time(first) => Some(Series::ByTime(at)),
                // `"points": null` means that there are none.
                Some(_) if at.fields().any(|(key, value)| value.is_null() && is_place(key.raw(), wrappers)) => {
                    Some(Series::Empty)
                }
                _ => None,
            };
        }
        None
    }
}

/// The first column in [`Series::Columns`] (CoinGecko).
pub(super) const PRICES: &str = "prices";

/// The lists in [`Series::Parallel`] (TradingView). Its volumes are in units that it does not state.
pub(super) const TIMES: &str = "t";
pub(super) const CLOSES: &str = "c";

fn is_place(key: &str, wrappers: &[&str]) -> bool {
    SERIES.iter().chain(wrappers).any(|name| same_name(name, key))
}

/// Whether a key is a time: at least eight digits, or an ISO date.
pub(in crate::client::decode) fn is_time(key: &str) -> bool {
    let digits = key.bytes().take_while(u8::is_ascii_digit).count();
    digits >= 8 || digits == 4 && key.as_bytes().get(4) == Some(&b'-')
}

/// Whether an object or array is a point, not a container of points.
pub(in crate::client::decode) fn is_point(value: Value<'_>) -> bool {
    match value.kind() {
        Kind::Array => value.items().all(|cell| !cell.is_array() && !cell.is_object()),
        Kind::Object => {
            let time = Field::ALL.iter().take(1).find_map(|(_, names)| value.any(names));
            time.is_some_and(|time| !time.is_array() && !time.is_object()) && !holds_points(value)
        }
        _ => false,
    }
}

/// Whether an object contains points.
pub(in crate::client::decode) fn holds_points(value: Value<'_>) -> bool {
    SERIES.iter().any(|name| {
        value.get(name).is_some_and(|series| series.is_object() || series.is_array() && !lists_series(series))
    })
}

/// Whether the items of a list contain points.
fn lists_series(list: Value<'_>) -> bool {
    let mut tape = Tape::default();
    let Some(Ok(first)) = list.items().next().map(|first| tape.expand(first)) else { return false };
    let is_point = Field::ALL.iter().take(1).any(|(_, names)| first.any(names).is_some());
    !is_point && SERIES.iter().any(|name| first.get(name).is_some_and(|series| series.is_object() || series.is_array()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_distinguished_from_ids() {
        for key in ["1795075200", "1795075200000", "20261119", "2026-11-19", "2026-11-19T07:55:00Z"] {
            assert!(is_time(key), "{key}");
        }
        for key in ["", "1027", "25028", "1234567", "ordi-usd", "2026", "2026_11", "x2026-11-19"] {
            assert!(!is_time(key), "{key}");
        }
    }
}
