//! The wallet: lots, addresses, their values and the lines that edit them.

pub mod address_line;
pub(super) mod change;
pub(super) mod counted_coins;
pub(super) mod exchange_rate;
pub mod holdings;
pub mod last_seen;
pub mod lot_line;
pub(super) mod privacy;
pub mod recent_changes;
pub mod seen_values;
pub mod typed_lot;
pub(super) mod value_chart;
pub mod watched_coins;
pub(crate) mod watched_order;
