//! The simulated indexer: BRC-20 tokens, inscriptions and sats that agree with one another.
//!
//! ```text
//! chain         heights, times, hashes: a block every ten minutes of the clock
//! ledger        what happened to the tokens, and who holds them because of it
//! inscriptions  those of the ledger's events, and art; each on its sat
//! brc20 …       the answers, at a moment
//! ```
//!
//! A world ([`World`]) is a few small tables (some 600 KiB) that only the seed decides. The clock decides how much of
//! it has happened: a [`Moment`] is the world up to the newest block. After a history that ends in September 2026,
//! what happens repeats every week of blocks under new ids; most of those blocks have BRC-20 events, so the activity
//! at a recent height (for instance that of the newest event) is seldom empty.

mod addresses;
pub(crate) mod answer;
mod brc20;
mod chain;
mod describe;
mod ids;
mod inscriptions;
mod ledger;
mod pattern;
mod random;
mod sats;
mod search;
mod statistics;

pub(crate) use brc20::{ActivityFilter, TokenOrder};
pub(crate) use search::{InscriptionFilter, InscriptionOrder};

use addresses::Addresses;
use chain::Chain;
use ids::Ids;
use inscriptions::Inscriptions;
use ledger::Ledger;

use crate::model::UtcTime;
use answer::{ApiStatus, Paged};

/// Most items a page can have.
pub(crate) const LARGEST_PAGE: usize = 60;

/// All that ever happens in one simulated world.
#[derive(Debug)]
pub(crate) struct World {
    seed: u64,
    chain: Chain,
    ids: Ids,
    addresses: Addresses,
    ledger: Ledger,
    inscriptions: Inscriptions,
}

/// A world up to the newest block of a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment<'a> {
    world: &'a World,
    /// The newest block.
    tip: u64,
}

/// Which part of a list is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Page {
    /// Items before it.
    pub(crate) offset: u64,
    /// Items at most.
    pub(crate) limit: usize,
}

impl World {
    /// The world of a seed. Takes a few milliseconds.
    pub(crate) fn new(seed: u64) -> World {
        let mut ledger = Ledger::new(seed);
        let inscriptions = Inscriptions::new(seed, &mut ledger);
        let (chain, ids, addresses) = (Chain::new(seed), Ids::new(seed), Addresses::new(seed));
        World { seed, chain, ids, addresses, ledger, inscriptions }
    }

    /// The world as it is at a time.
    pub(crate) fn at(&self, now: UtcTime) -> Moment<'_> {
        Moment { world: self, tip: self.chain.tip(now) }
    }
}

impl Moment<'_> {
    /// Where the indexer stands.
    pub(crate) fn status(&self) -> ApiStatus {
        ApiStatus {
            server_version: String::from("ordinals-api v4.0.0 (satscope)"),
            status: "ready",
            block_height: self.tip,
            max_inscription_number: self.world.inscriptions.max_number(self.tip),
            max_cursed_inscription_number: -inscriptions::CURSED,
        }
    }

    /// Changes with every block: the time of the newest one.
    pub(crate) fn version(&self) -> String {
        self.world.chain.time(self.tip).millis().to_string()
    }
}

impl Page {
    /// The part of a complete list.
    fn of<T>(self, items: Vec<T>) -> Paged<T> {
        let total = items.len() as u64;
        let skip = usize::try_from(self.offset).unwrap_or(usize::MAX);
        self.with(total, items.into_iter().skip(skip).take(self.limit).collect())
    }

    /// A part that is already cut out of a list of `total` items.
    fn with<T>(self, total: u64, results: Vec<T>) -> Paged<T> {
        Paged { limit: self.limit, offset: self.offset, total, results }
    }
}

impl<T> Paged<T> {
    /// The same with other items.
    fn map<U>(self, change: impl FnMut(T) -> U) -> Paged<U> {
        let Paged { limit, offset, total, results } = self;
        Paged { limit, offset, total, results: results.into_iter().map(change).collect() }
    }

    /// The total is 0 on an empty page, as where it is taken from the first row.
    fn total_from_rows(mut self) -> Paged<T> {
        if self.results.is_empty() {
            self.total = 0;
        }
        self
    }
}

#[cfg(test)]
mod tests;
