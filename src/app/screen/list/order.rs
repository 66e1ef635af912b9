//! The order of a list.

use std::cmp::Ordering;

use super::pages::Place;
use crate::model::Coin;

/// The columns that a list can be sorted by, in their order on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// Rank by market capitalisation.
    Rank,
    /// Name.
    Name,
    /// Price.
    Price,
    /// Change over an hour.
    Change1h,
    /// Change over a day.
    Change24h,
    /// Change over seven days.
    Change7d,
    /// Volume over a day.
    Volume,
    /// Market capitalisation.
    MarketCap,
}

impl Column {
    /// All of them, in their order on the screen.
    pub const ALL: [Column; 8] = [
        Column::Rank,
        Column::Name,
        Column::Price,
        Column::Change1h,
        Column::Change24h,
        Column::Change7d,
        Column::Volume,
        Column::MarketCap,
    ];

    /// Whether the largest comes first at the first press: numbers, but not the rank or the name.
    pub fn begins_descending(self) -> bool {
        !matches!(self, Column::Rank | Column::Name)
    }

    fn number(self, coin: &Coin) -> Option<f64> {
        match self {
            Column::Rank => coin.rank.map(f64::from),
            Column::Name => None,
            Column::Price => coin.price.get(),
            Column::Change1h => coin.change_1h_pct.get(),
            Column::Change24h => coin.change_24h_pct.get(),
            Column::Change7d => coin.change_7d_pct.get(),
            Column::Volume => coin.volume_24h.get(),
            Column::MarketCap => coin.market_cap.get(),
        }
    }
}

/// By which column, and in which direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The column.
    pub column: Column,
    /// The largest first.
    pub descending: bool,
}

/// By rank, as the service sends it.
impl Default for Sort {
    fn default() -> Sort {
        Sort { column: Column::Rank, descending: false }
    }
}

/// Sorts by a key that is looked up once a row; rows without a value stand last in both directions, equal ones keep
/// the service's order.
pub(super) fn sort<'a>(rows: &mut [Place], order: Sort, coin: impl Fn(Place) -> Option<&'a Coin>) {
    rows.sort_unstable_by_key(|place| (place.page, place.item));
    if order.column == Column::Name {
        let name = |place: &Place| coin(*place).map(|c| c.name.to_lowercase()).unwrap_or_default();
        rows.sort_by_cached_key(name);
        if order.descending {
            rows.reverse();
        }
        return;
    }
    let mut keyed: Vec<(Option<f64>, Place)> =
        rows.iter().map(|&place| (coin(place).and_then(|c| order.column.number(c)), place)).collect();
    keyed.sort_by(|(a, _), (b, _)| match (a, b) {
        (Some(a), Some(b)) if order.descending => b.total_cmp(a),
        (Some(a), Some(b)) => a.total_cmp(b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    });
    for (row, (_, place)) in rows.iter_mut().zip(keyed) {
        *row = place;
    }
}
