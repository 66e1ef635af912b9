//! Which coins were known when the holdings were last counted.

/// The known coins on which the holdings depend, when they were last counted: with others, they are counted again.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::app) struct CountedCoins {
    /// Whether the coin of bitcoin balances was known.
    pub(in crate::app) has_bitcoin: bool,
    /// How many of the coins fetched by their ids were tokens.
    pub(in crate::app) tokens: usize,
}
