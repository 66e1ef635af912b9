//! The places that were open, for the palette.

use super::lookup::Subject;
use super::named_coin::NamedCoin;

/// Maximum recent places.
pub const MAX_RECENT: usize = 12;

/// A place that was open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recent {
    /// A coin.
    Coin(NamedCoin),
    /// A lookup of the indexer.
    Subject(Subject),
}

/// Puts a place at the front of the recent ones.
pub fn visit(recent: &mut Vec<Recent>, place: Recent) {
    let is_same = |other: &Recent| match (other, &place) {
        (Recent::Coin(a), Recent::Coin(b)) => a.coin.has_same_id(&b.coin) || a.coin == b.coin,
        (a, b) => a == b,
    };
    recent.retain(|other| !is_same(other));
    recent.insert(0, place);
    recent.truncate(MAX_RECENT);
}
