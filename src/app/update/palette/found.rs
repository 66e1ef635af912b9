//! The items that the palette found, and their order.

use crate::app::find::fuzzy::Quality;
use crate::app::find::palette::Item;

/// A found item and its sort key.
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
    /// Parts of the selected coin or ticker while it is not open, and destinations outside the dashboard. They come
    /// after a coin with the typed name.
    Unnamed,
    /// Lookups that match nearly any word: an unknown ticker, the name of a sat.
    Guess,
    /// Rarely wanted items: commands that can't run, and periods when other commands have the same words.
    Last,
}
