//! The simulated indexer: consistent BRC-20 tokens, inscriptions and sats.
//!
//! ```text
//! chain         heights, times, hashes: a block every ten minutes of the clock
//! ledger        BRC-20 events and the resulting balances
//! inscriptions  inscriptions of BRC-20 events and art, each on a sat
//! brc20 …       responses at a point in time
//! ```
//!
//! A [`World`] is a few small tables (about 600 KiB, built when they are first needed) that depend only on the seed.
//! The clock determines how much of it has happened: a [`Moment`] is the world up to the newest block. After a history
//! that ends in September 2026, events repeat every week of blocks with new ids. Most of these blocks have BRC-20
//! events, so the activity at a recent height is rarely empty.

mod addresses;
mod brc20;
mod chain;
mod describe;
mod ids;
mod inscription_ids;
mod inscriptions;
mod ledger;
mod random;
mod sats;
mod search;
mod statistics;

use std::sync::OnceLock;

use addresses::Addresses;
pub(crate) use chain::{Chain, fastest_fee};
use ids::Ids;
use inscriptions::Inscriptions;
use ledger::Ledger;

use super::noise::hash;

use crate::model::{BitcoinBalance, ChainState, Fees, Page, Text, UtcTime};
use crate::service::backend::indexer::{IndexerStatus, PageQuery};

/// All simulated events of one seed.
#[derive(Debug)]
pub(crate) struct World {
    seed: u64,
    chain: Chain,
    ids: Ids,
    addresses: Addresses,
    tables: OnceLock<Tables>,
}

/// The parts of a world that take memory, and a few milliseconds to build. Blocks, fees and the deploy inscriptions of
/// coins don't need them.
#[derive(Debug)]
struct Tables {
    ledger: Ledger,
    inscriptions: Inscriptions,
}

/// A world up to the newest block at a point in time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment<'a> {
    world: &'a World,
    /// The newest block.
    tip: u64,
}

impl World {
    /// Creates the world of a seed.
    pub(crate) fn new(seed: u64) -> World {
        let (chain, ids, addresses) = (Chain::new(seed), Ids::new(seed), Addresses::new(seed));
        World { seed, chain, ids, addresses, tables: OnceLock::new() }
    }

    /// The world at a time.
    pub(crate) fn at(&self, now: UtcTime) -> Moment<'_> {
        Moment { world: self, tip: self.chain.tip(now) }
    }

    fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| {
            let mut ledger = Ledger::new(self.seed);
            let inscriptions = Inscriptions::new(self.seed, &mut ledger);
            Tables { ledger, inscriptions }
        })
    }

    fn ledger(&self) -> &Ledger {
        &self.tables().ledger
    }

    fn inscriptions(&self) -> &Inscriptions {
        &self.tables().inscriptions
    }
}

impl Moment<'_> {
    /// The newest block and the range of inscription numbers.
    pub(crate) fn status(&self) -> IndexerStatus {
        IndexerStatus {
            block_height: self.tip,
            max_inscription_number: self.world.inscriptions().max_number(self.tip),
            max_cursed_inscription_number: -inscriptions::tables::CURSED,
        }
    }

    /// The newest block and fee rates of a few sat/vB, which change with each block.
    pub(crate) fn chain_state(&self) -> ChainState {
        let hash = Text::from(self.world.chain.hash(self.tip));
        let fastest = f64::from(fastest_fee(self.tip));
        let fees = Fees { fastest: Some(fastest), half_hour: Some(fastest - 1.0), hour: Some(1.0) };
        ChainState { height: self.tip, hash: Some(hash), fees: Some(fees) }
    }

    /// The bitcoin balance of an address: a share of the blocks so far pays it or is paid by it, and the transaction of
    /// the next block is unconfirmed.
    pub(crate) fn bitcoin_balance(&self, address: &str) -> BitcoinBalance {
        /// One block in this many changes an address.
        const EVERY: u64 = 12;
        /// Blocks of two weeks, whose payments add up; those before are part of the first balance.
        const CYCLE: u64 = 2_016;
        let seed = address.bytes().fold(self.world.seed, |seed, byte| hash(seed, u64::from(byte)));
        let first = hash(seed, 1) % 500_000_000;
        let change = |height: u64| {
            let chance = hash(seed, height);
            let is_payment = chance.is_multiple_of(EVERY);
            // Small enough that a balance is never negative.
            let sats = i64::try_from(chance % (first / CYCLE).max(1)).unwrap_or(0);
            match (chance >> 40) % 2 {
                _ if !is_payment => 0,
                0 => sats,
                _ => -sats,
            }
        };
        let changes: i64 = (self.tip - self.tip % CYCLE..=self.tip).map(change).sum();
        let confirmed = first.saturating_add_signed(changes);
        BitcoinBalance { address: Text::from(address), confirmed, unconfirmed: change(self.tip + 1) }
    }

    /// Time of the newest block.
    pub(crate) fn time(&self) -> UtcTime {
        self.world.chain.time(self.tip)
    }
}

impl PageQuery {
    /// Returns the page of a complete list.
    fn of<T>(self, items: Vec<T>) -> Page<T> {
        let total = Some(items.len() as u64);
        let skip = usize::try_from(self.offset).unwrap_or(usize::MAX);
        Page { items: items.into_iter().skip(skip).take(self.limit).collect(), total }
    }
}

/// Maps the items of a page.
fn map<T, U>(page: Page<T>, change: impl FnMut(T) -> U) -> Page<U> {
    Page { items: page.items.into_iter().map(change).collect(), total: page.total }
}

#[cfg(test)]
mod tests;
