//! Coins beyond one list: names, filters, and coins that are not in the loaded pages.

pub mod filter;
pub mod listed_change;
pub(super) mod more;
pub mod named_coin;
pub mod names;
pub mod title;
pub(super) mod title_coin;
pub mod token_prices;
