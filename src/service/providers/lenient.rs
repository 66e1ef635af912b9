//! Rows of a list that may be unreadable: the others are kept.

use serde::Deserialize;
use serde::de::IgnoredAny;

/// A row, if it is readable.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Lenient<T> {
    /// A readable row.
    Row(T),
    /// Anything else.
    Other(IgnoredAny),
}

/// The readable rows.
pub(super) fn readable<T>(rows: Vec<Lenient<T>>) -> impl Iterator<Item = T> {
    rows.into_iter().filter_map(|row| match row {
        Lenient::Row(row) => Some(row),
        Lenient::Other(_) => None,
    })
}
