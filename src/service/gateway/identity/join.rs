//! A join of a built-in coin with a provider's coin by name.

use crate::model::ProviderName;

/// A provider whose id a built-in coin has only because the names match.
#[derive(Clone, Copy, Debug)]
pub(super) struct JoinByName {
    pub(super) provider: ProviderName,
    /// The market cap of its coin, once returned.
    pub(super) market_cap: Option<f64>,
}
