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
mod brc20;
mod chain;
mod describe;
mod ids;
mod inscriptions;
mod ledger;
mod random;
mod sats;
mod search;
mod statistics;

use addresses::Addresses;
use chain::Chain;
use ids::Ids;
use inscriptions::Inscriptions;
use ledger::Ledger;

use crate::model::{ChainState, Fees, Page, Text, UtcTime};
use crate::service::providers::{IndexerStatus, PageQuery};

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
    /// The newest block and the range of inscription numbers.
    pub(crate) fn status(&self) -> IndexerStatus {
        IndexerStatus {
            block_height: self.tip,
            max_inscription_number: self.world.inscriptions.max_number(self.tip),
            max_cursed_inscription_number: -inscriptions::CURSED,
        }
    }

    /// The newest block and fee rates of a few sat/vB, which change with each block.
    pub(crate) fn chain_state(&self) -> ChainState {
        let hash = Text::from(self.world.chain.hash(self.tip));
        let fastest = 2.0 + f64::from(u8::try_from(self.tip % 7).unwrap_or(0));
        let fees = Fees { fastest: Some(fastest), half_hour: Some(fastest - 1.0), hour: Some(1.0) };
        ChainState { height: self.tip, hash: Some(hash), fees: Some(fees) }
    }

    /// Time of the newest block.
    pub(crate) fn time(&self) -> UtcTime {
        self.world.chain.time(self.tip)
    }
}

impl PageQuery {
    /// The part of a complete list.
    fn of<T>(self, items: Vec<T>) -> Page<T> {
        let total = Some(items.len() as u64);
        let skip = usize::try_from(self.offset).unwrap_or(usize::MAX);
        Page { items: items.into_iter().skip(skip).take(self.limit).collect(), total }
    }
}

/// A page with other items.
fn map<T, U>(page: Page<T>, change: impl FnMut(T) -> U) -> Page<U> {
    Page { items: page.items.into_iter().map(change).collect(), total: page.total }
}

#[cfg(test)]
mod tests;
