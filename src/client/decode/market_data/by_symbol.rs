//! Maps of series by symbol.

use crate::client::decode::envelope::{META, WRAPPERS};
use crate::client::decode::field_name::same_name;
use crate::client::decode::points;
use crate::client::decode::tape::{Tape, Value};
use crate::model::Text;

/// Field names of wrappers around the series, in addition to the common ones.
pub(in crate::client::decode) const LISTS: &[&str] = &["coins", "tokens", "markets", "cryptocurrencies"];

/// Whether an object is a map of series by symbol, although symbols may be names of wrappers: `{"DATA": …}`. Those of
/// wrappers have lower-case letters.
pub(super) fn is_map(at: Value<'_>, symbols: &[Text]) -> bool {
    at.fields().any(|entry| is_symbol(entry, symbols))
}

/// Whether an entry of an object is a requested series.
fn is_symbol((key, value): (Value<'_>, Value<'_>), symbols: &[Text]) -> bool {
    let is_wrapper = |key: &str| {
        key.chars().any(char::is_lowercase)
            && WRAPPERS.iter().chain(LISTS).chain(points::SERIES).chain(META).any(|name| same_name(name, key))
    };
    (value.is_array() || value.is_object())
        && symbols.iter().any(|symbol| symbol.eq_ignore_ascii_case(key.raw()))
        && !is_wrapper(key.raw())
}

/// Whether an entry of an object is one of several series, even under the name of a description, such as `META`.
pub(super) fn is_series(object: Value<'_>, entry: (Value<'_>, Value<'_>), symbols: &[Text]) -> bool {
    let mut tape = Tape::default();
    let mut holds_points = || tape.expand(entry.1).is_ok_and(points::has_points);
    is_map(object, symbols) && (is_symbol(entry, symbols) || holds_points())
}
