//! The coins' listings on exchanges.

use std::collections::{HashMap, HashSet};

use crate::model::{CoinId, ProviderName, Text, UtcTime};
use crate::service::providers::coin_ref::Listing;
use crate::service::providers::source::UsdtPair;

/// The USDT pairs of an exchange.
#[derive(Debug, Default)]
pub(in crate::service::gateway) struct Pairs {
    by_base: HashMap<Text, Text>,
    symbols: HashSet<Text>,
}

impl Pairs {
    pub(in crate::service::gateway) fn new(pairs: Vec<UsdtPair>) -> Pairs {
        let symbols = pairs.iter().map(|pair| pair.symbol.clone()).collect();
        Pairs { by_base: pairs.into_iter().map(|pair| (pair.base.to_uppercase(), pair.symbol)).collect(), symbols }
    }

    /// The pair symbol of a base asset (case-insensitive).
    pub(in crate::service::gateway) fn of(&self, base: &str) -> Option<&Text> {
        self.by_base.get(&Text::from(base.to_uppercase()))
    }

    /// Whether there is a pair with this symbol.
    pub(in crate::service::gateway) fn has(&self, symbol: &Text) -> bool {
        self.symbols.contains(symbol)
    }

    /// The number of pairs.
    pub(in crate::service::gateway) fn len(&self) -> usize {
        self.symbols.len()
    }
}

/// The coins' listings on exchanges.
#[derive(Debug, Default)]
pub(super) struct Listings {
    /// Set in the configuration; never looked up.
    pub(super) configured: HashSet<(usize, ProviderName)>,
    /// The results of lookups, and until when they are valid. A listing is used after that until the next lookup.
    pub(super) lookups: HashMap<(Text, ProviderName), (Option<Listing>, UtcTime)>,
    pub(super) has_unsaved: bool,
}

impl Listings {
    /// Marks a coin's listing as set in the configuration.
    pub(super) fn set_configured(&mut self, at: usize, exchange: ProviderName) {
        self.configured.insert((at, exchange));
    }

    pub(super) fn set_lookup(&mut self, id: &CoinId, exchange: ProviderName, listing: Option<Listing>, until: UtcTime) {
        self.lookups.insert((id.0.clone(), exchange), (listing, until));
        self.has_unsaved = true;
    }
}
