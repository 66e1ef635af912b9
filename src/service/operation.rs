//! The operations that providers serve, and the keys of their cached data.

use std::time::Duration;

pub use crate::model::source::Operation;

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
        self.operation.is_by_block() && self.fresh_at_least.is_zero()
    }

    /// Maximum age of a value, even without a new block: transactions appear between blocks.
    pub(in crate::service) fn max_age(&self) -> Option<Duration> {
        (self.operation == Operation::BitcoinBalance).then_some(Duration::from_mins(2))
    }

    /// This key with a minimum freshness.
    pub(in crate::service) fn fresh_at_least(self, time: Duration) -> Key {
        Key { fresh_at_least: time, ..self }
    }
}
