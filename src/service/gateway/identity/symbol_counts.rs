//! The number of coins of each symbol in a response.

use std::collections::HashMap;

use crate::model::{Coin, Text};

/// The number of coins with a symbol (in lower case).
pub(super) type SymbolCounts = HashMap<Text, usize>;

/// Counts the coins of each symbol.
pub(super) fn count_symbols(coins: &[Coin]) -> SymbolCounts {
    let mut counts = SymbolCounts::new();
    for coin in coins {
        *counts.entry(coin.symbol.to_lowercase()).or_default() += 1;
    }
    counts
}
