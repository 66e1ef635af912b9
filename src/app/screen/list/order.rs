//! The sort order of a list.

use std::collections::BTreeSet;

use super::pages::RowPosition;
use crate::model::Coin;

/// The sort columns of a list, in their order on the screen.
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

    /// Its key in the menu.
    pub fn key(self) -> char {
        match self {
            Column::Rank => '#',
            Column::Name => 'n',
            Column::Price => 'p',
            Column::Change1h => '1',
            Column::Change24h => 'd',
            Column::Change7d => 'w',
            Column::Volume => 'v',
            Column::MarketCap => 'c',
        }
    }

    /// Its title in menus and commands.
    pub fn title(self) -> &'static str {
        match self {
            Column::Rank => "rank",
            Column::Name => "name",
            Column::Price => "price",
            Column::Change1h => "1h change",
            Column::Change24h => "24h change",
            Column::Change7d => "7d change",
            Column::Volume => "volume",
            Column::MarketCap => "market cap",
        }
    }

    /// Label of the reversed direction, appended to a sentence: `, losers first`.
    pub fn reversed(self) -> &'static str {
        match self {
            Column::Change1h | Column::Change24h | Column::Change7d => ", losers first",
            Column::Rank => ", bottom first",
            Column::Name => ", Z to A",
            Column::Price | Column::Volume | Column::MarketCap => ", lowest first",
        }
    }

    /// Whether the largest value comes first by default: for numbers, but not for rank and name.
    pub fn begins_descending(self) -> bool {
        !matches!(self, Column::Rank | Column::Name)
    }

    /// Whether its values are in a currency.
    pub fn is_money(self) -> bool {
        matches!(self, Column::Price | Column::Volume | Column::MarketCap)
    }

    fn number(self, coin: &Coin) -> Option<f64> {
        match self {
            Column::Rank => coin.rank.map(f64::from),
            Column::Name => None,
            Column::Price => coin.price,
            Column::Change1h => coin.change_1h_pct,
            Column::Change24h => coin.change_24h_pct,
            Column::Change7d => coin.change_7d_pct,
            Column::Volume => coin.volume_24h,
            Column::MarketCap => coin.market_cap,
        }
    }
}

/// A sort column and direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The column.
    pub column: Column,
    /// Whether the largest value comes first.
    pub descending: bool,
}

/// By rank, the order of the service.
impl Default for Sort {
    fn default() -> Sort {
        Sort { column: Column::Rank, descending: false }
    }
}

/// Sorts rows by a column. Rows without a value come last in both directions, equal ones keep the service's order.
/// Values in different currencies can't be compared: rows for which `is_outdated` holds, whose page is still in an
/// earlier currency, come after the others, sorted among themselves.
pub(super) fn sort<'a>(
    rows: &mut [RowPosition],
    order: Sort,
    coin: impl Fn(RowPosition) -> Option<&'a Coin>,
    is_outdated: impl Fn(RowPosition) -> bool,
) {
    rows.sort_unstable_by_key(|place| (place.page, place.item));
    if order.column == Column::Name {
        let name = |place: &RowPosition| coin(*place).map(|c| c.name.to_lowercase()).unwrap_or_default();
        rows.sort_by_cached_key(name);
        if order.descending {
            rows.reverse();
        }
        return;
    }
    let currency = |place: RowPosition| (is_outdated(place), coin(place).map(|coin| coin.convert.as_str()));
    let is_mixed = order.column.is_money() && rows.iter().any(|&place| is_outdated(place));
    let currencies: BTreeSet<_> = rows.iter().filter(|_| is_mixed).map(|&place| currency(place)).collect();
    // Rows in the same currency; those without a value are behind all groups.
    let group = |place| currencies.iter().position(|known| *known == currency(place)).unwrap_or(0);
    let key = |place| match coin(place).and_then(|coin| order.column.number(coin)) {
        Some(number) => (if is_mixed { group(place) } else { 0 }, number),
        None => (usize::MAX, 0.0),
    };
    let mut keyed: Vec<_> = rows.iter().map(|&place| (key(place), place)).collect();
    keyed.sort_by(|((group, a), _), ((other, b), _)| {
        group.cmp(other).then_with(|| if order.descending { b.total_cmp(a) } else { a.total_cmp(b) })
    });
    for (row, (_, place)) in rows.iter_mut().zip(keyed) {
        *row = place;
    }
}
