//! The order of the holdings.

use crate::model::Text;
use crate::portfolio::{Holding, HoldingValue};
use crate::user_data::Watched;

/// What the holdings are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Value, highest first.
    #[default]
    Value,
    /// Change over 24 hours, largest first.
    Change,
    /// By hand.
    Hand,
}

impl Order {
    /// All orders.
    pub const ALL: [Order; 3] = [Order::Value, Order::Change, Order::Hand];

    /// Its name in the session.
    pub fn as_str(self) -> &'static str {
        match self {
            Order::Value => "value",
            Order::Change => "change",
            Order::Hand => "hand",
        }
    }

    /// Its name in the menu, and the key that chooses it.
    pub fn title(self) -> (char, &'static str) {
        match self {
            Order::Value => ('v', "value"),
            Order::Change => ('d', "24h"),
            Order::Hand => ('h', "by hand"),
        }
    }

    /// The order with this name.
    pub fn parse(name: &str) -> Option<Order> {
        Order::ALL.into_iter().find(|order| order.as_str() == name)
    }

    /// Sorts holdings. `by_hand` are the keys of their rows; others come last. Among equals, the highest value comes
    /// first, and what has none comes last.
    pub(super) fn sort(self, holdings: &mut [HoldingValue], by_hand: &[Text]) {
        holdings.sort_by(|a, b| b.value.cmp(&a.value));
        let change = |held: &HoldingValue| held.change_24h_pct.unwrap_or(f64::NEG_INFINITY);
        match self {
            Order::Value => {}
            Order::Change => holdings.sort_by(|a, b| change(b).total_cmp(&change(a))),
            Order::Hand => holdings.sort_by_cached_key(|held| {
                let key = row_key(&held.holding);
                by_hand.iter().position(|known| *known == key).unwrap_or(usize::MAX)
            }),
        }
    }
}

/// The identity of a holding's row.
pub(super) fn row_key(holding: &Holding) -> Text {
    let key = key(&holding.coin);
    match &holding.address {
        Some(address) => compact_str::format_compact!("{key} at {address}"),
        None => key,
    }
}

/// The identity of a holding's coin. The prefix separates it from a watched coin's.
pub(crate) fn key(coin: &Watched) -> Text {
    let name = coin.slug.as_ref().or(coin.id.as_ref()).unwrap_or(&coin.symbol);
    compact_str::format_compact!("holding {name}")
}
