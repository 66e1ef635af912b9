//! What the palette found, and its order.

use crate::app::find::fuzzy::Quality;
use crate::app::find::palette::Item;

/// A found item and what decides its position.
pub(super) struct Found {
    /// How well it matches.
    pub(super) quality: Quality,
    /// Its group among items of the same quality.
    pub(super) group: Group,
    /// Its place in the group. Items with the same place keep the order in which they were found.
    pub(super) place: usize,
    /// The item.
    pub(super) item: Item,
}

impl Found {
    pub(super) fn new(quality: Quality, group: Group, place: usize, item: Item) -> Found {
        Found { quality, group, place, item }
    }

    /// The sort key: the best first.
    pub(super) fn order(&self) -> (Quality, Group, usize) {
        (self.quality, self.group, self.place)
    }
}

/// The groups of items of the same quality, first to last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// Lookups with a notation of their own, the open coin or ticker, tickers while the indexer is open, addresses with
    /// this label, and tabs with a typo.
    First,
    /// Coins.
    Coin,
    /// BRC-20 tickers.
    Ticker,
    /// Tabs, addresses of the wallet and recent lookups.
    Place,
    /// Commands of screens, and currencies.
    Command,
    /// Actions on coins, lots and alerts: after commands, whose names contain the same words.
    Verb,
    /// Items with an abbreviated destination, which may also begin a word of a name or command. Their quality is at
    /// most that of such a word.
    Abbreviated,
    /// What the text means without a name: parts of the selected coin or ticker, which is not open, and what is outside
    /// the dashboard. After a coin with that name.
    Unnamed,
    /// Lookups that nearly any word could be: an unknown ticker, the name of a sat.
    Guess,
    /// What hardly anybody looks for: what can't run, and periods beside other commands with the same words.
    Last,
}
