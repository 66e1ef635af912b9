//! The parsed line of the lot dialog.

use crate::app::coins::named_coin::NamedCoin;
use crate::portfolio::entry::{Entry, EntryError};

/// What a line means.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedLot {
    /// The line.
    pub line: String,
    /// The lot without its coin, or why the line is invalid.
    pub entry: Result<Entry, EntryError>,
    /// The coins with that slug or symbol, best first.
    pub coins: Vec<NamedCoin>,
    /// Why there are no coins: none matches, or they are not loaded.
    pub unknown: Option<String>,
}
