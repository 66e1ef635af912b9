//! The balances that addresses had.

use crate::model::{Decimal, Text, UtcTime};

/// How many balances of a token at an address are kept.
pub const MAX_PAST_BALANCES: u32 = 500;

/// An amount that an address has had of a token since a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastBalance {
    /// The address.
    pub address: Text,
    /// The ticker, or `BTC` for bitcoin.
    pub ticker: Text,
    /// When it was first seen.
    pub since: UtcTime,
    /// The amount.
    pub amount: Decimal,
}

/// Adds balances in the order of their times.
pub(super) fn add(known: &mut Vec<PastBalance>, new: &[PastBalance]) {
    for balance in new {
        let is_same = |other: &PastBalance| {
            (&other.address, &other.ticker, other.since) == (&balance.address, &balance.ticker, balance.since)
        };
        match known.iter_mut().find(|other| is_same(other)) {
            Some(other) => other.amount.clone_from(&balance.amount),
            None => {
                let place = known.partition_point(|other| other.since <= balance.since);
                known.insert(place, balance.clone());
            }
        }
    }
}
