//! The time zone that a response states for its times: `{"timezone": "America/New_York"}`, `{"utc_offset": "-05:00"}`.

use super::envelope::{WRAPPED, WRAPPERS, is_priced};
use super::points::{self, SERIES};
use super::read::Zone;
use super::stated_zone::stated;
use super::tape::{Tape, Value};

/// Objects beside the data that may state it.
const ABOUT: [&str; 8] = ["meta", "metadata", "query", "params", "request", "status", "info", "settings"];

/// The time zone stated around the points of a response. The innermost one wins.
pub(super) fn around(root: Value<'_>) -> Option<Zone> {
    let (mut at, mut found) = (root, None);
    for _ in 0..WRAPPED {
        // A map by time or id may be long.
        let is_map = at.fields().next().is_some_and(|(key, _)| key.raw().starts_with(|c: char| c.is_ascii_digit()));
        if !at.is_object() || at.is_raw() || is_map {
            break;
        }
        found = beside(at).or(found);
        let mut inside = WRAPPERS.iter().chain(SERIES).filter_map(|name| at.entry(name));
        match inside.find(|(_, inner)| inner.is_object() || inner.is_array()) {
            Some(entry) if !is_one_of_several(at, entry) => at = entry.1,
            _ => break,
        }
    }
    found
}

/// Whether an entry of a map is a coin with the name of a wrapper, such as `DATA`, beside another coin.
fn is_one_of_several(map: Value<'_>, (key, value): (Value<'_>, Value<'_>)) -> bool {
    !key.raw().chars().any(char::is_lowercase)
        && is_coin(value)
        && map.fields().any(|(_, other)| other.index() != value.index() && is_coin(other))
}

/// Whether an object is a coin with its points or price, even under the name of a description, such as `META`.
fn is_coin(value: Value<'_>) -> bool {
    let mut tape = Tape::default();
    let is_named = |object: Value<'_>| object.any(&["symbol", "name", "slug"]).is_some();
    value.is_object()
        && tape.expand(value).is_ok_and(|object| points::has_points(object) || is_named(object) && is_priced(object))
}

/// The time zone stated in an object, or in an object about the data in it.
pub(super) fn beside(object: Value<'_>) -> Option<Zone> {
    let about = || {
        ABOUT.iter().filter_map(|name| object.get(name)).find_map(|about| {
            let mut tape = Tape::default();
            let about = tape.expand(about).ok().filter(|about| !is_coin(*about))?;
            stated(about)
        })
    };
    stated(object).or_else(about)
}
