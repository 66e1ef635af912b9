//! The operations that providers serve, and their names in the configuration.

use std::fmt;
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// A kind of upstream data, for which the configuration lists providers (`[live]`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// The list of all coins.
    Coins,
    /// The lists of a tag, with 7-day sparklines.
    Tagged,
    /// Links, contracts and tags of coins.
    Details,
    /// Posts.
    Posts,
    /// Market pairs.
    Pairs,
    /// Chart of one coin.
    Chart,
    /// Price history of several coins.
    Series,
    /// BRC-20 tokens, holders, balances and activity.
    Brc20,
    /// Inscriptions and the sats they are on.
    Inscriptions,
    /// Exchange rates of currencies.
    Fiat,
    /// The newest block and the fee rates.
    Block,
    /// Bitcoin balances of addresses.
    BitcoinBalance,
    /// Streamed prices.
    Ticker,
}

impl Operation {
    /// All operations, in the order of the configuration.
    pub const ALL: [Operation; 13] = [
        Operation::Coins,
        Operation::Tagged,
        Operation::Details,
        Operation::Posts,
        Operation::Pairs,
        Operation::Chart,
        Operation::Series,
        Operation::Brc20,
        Operation::Inscriptions,
        Operation::Fiat,
        Operation::Block,
        Operation::BitcoinBalance,
        Operation::Ticker,
    ];

    /// Its name in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Operation::Coins => "coins",
            Operation::Tagged => "tagged",
            Operation::Details => "details",
            Operation::Posts => "posts",
            Operation::Pairs => "pairs",
            Operation::Chart => "chart",
            Operation::Series => "series",
            Operation::Brc20 => "brc20",
            Operation::Inscriptions => "inscriptions",
            Operation::Fiat => "fiat",
            Operation::Block => "block",
            Operation::BitcoinBalance => "bitcoin_balance",
            Operation::Ticker => "ticker",
        }
    }

    /// Parses a name.
    pub fn parse(name: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.as_str() == name)
    }

    /// How long its data are fresh. A provider's terms may require longer.
    pub fn fresh_for(self) -> Duration {
        match self {
            Operation::Coins | Operation::Tagged | Operation::Chart | Operation::Series => 5 * MINUTE,
            Operation::Posts => 3 * HOUR,
            Operation::Pairs | Operation::Details => 24 * HOUR,
            Operation::Fiat => 12 * HOUR,
            Operation::Block | Operation::Ticker => MINUTE,
            // If the height is known, until the next block.
            Operation::Brc20 | Operation::Inscriptions | Operation::BitcoinBalance => 10 * MINUTE,
        }
    }

    /// The requirement of its data, as the start of the error when no provider serves it.
    pub fn need(self) -> &'static str {
        match self {
            Operation::Coins => "Coin lists need a provider",
            Operation::Tagged => "Category lists need a provider",
            Operation::Details => "Links and contracts need a provider",
            Operation::Posts => "Posts need a provider",
            Operation::Pairs => "Market pairs need a provider",
            Operation::Chart => "Charts need a provider",
            Operation::Series => "Price history needs a provider",
            Operation::Brc20 => "BRC-20 needs an indexer",
            Operation::Inscriptions => "Inscriptions need an indexer",
            Operation::Fiat => "Other currencies need a provider",
            Operation::Block => "The block height needs a provider",
            Operation::BitcoinBalance => "Bitcoin balances need a provider",
            Operation::Ticker => "Live prices need a provider",
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A cache key: an operation and its parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::service) struct Key {
    /// The operation.
    pub(in crate::service) operation: Operation,
    /// The parameters, in any unambiguous form.
    pub(in crate::service) what: String,
    /// Minimum freshness of the value.
    pub(in crate::service) fresh_at_least: Duration,
}

impl Key {
    /// A key.
    pub(in crate::service) fn new(operation: Operation, what: impl Into<String>) -> Key {
        Key { operation, what: what.into(), fresh_at_least: Duration::ZERO }
    }

    /// Whether the value changes only with a new block. Values with a minimum freshness never change.
    pub(in crate::service) fn is_by_block(&self) -> bool {
        matches!(self.operation, Operation::Brc20 | Operation::Inscriptions | Operation::BitcoinBalance)
            && self.fresh_at_least.is_zero()
    }

    /// Maximum age of a value, even without a new block: transactions appear between blocks.
    pub(in crate::service) fn max_age(&self) -> Option<Duration> {
        (self.operation == Operation::BitcoinBalance).then_some(2 * MINUTE)
    }

    /// The same key with a minimum freshness.
    pub(in crate::service) fn fresh_at_least(self, time: Duration) -> Key {
        Key { fresh_at_least: time, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::source::OPERATION_TITLES;

    #[test]
    fn every_operation_has_a_title() {
        assert_eq!(OPERATION_TITLES.map(|(name, _)| name), Operation::ALL.map(Operation::as_str));
    }
}
