//! The sort order of a list.

use std::collections::BTreeSet;

use super::pages::RowPosition;
use crate::app::live::LiveRanges;
use crate::model::change::line_change_pct;
use crate::model::{Coin, DayRange, UtcTime};

/// The sort columns of a list, in the order of the menu.
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
    /// The price between the lowest and the highest of a day.
    Range,
    /// Change over the seven days of the chart.
    Trend,
    /// Lowest price of a day.
    Low,
    /// Highest price of a day.
    High,
    /// All-time high.
    AllTimeHigh,
    /// Difference from the all-time high.
    FromAllTimeHigh,
    /// Circulating supply.
    Supply,
}

impl Column {
    /// All columns, in the order of the menu.
    pub const ALL: [Column; 15] = [
        Column::Rank,
        Column::Name,
        Column::Price,
        Column::Change1h,
        Column::Change24h,
        Column::Change7d,
        Column::Volume,
        Column::MarketCap,
        Column::Range,
        Column::Trend,
        Column::Low,
        Column::High,
        Column::AllTimeHigh,
        Column::FromAllTimeHigh,
        Column::Supply,
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
            Column::Range => 'r',
            Column::Trend => 't',
            Column::Low => 'l',
            Column::High => 'h',
            Column::AllTimeHigh => 'a',
            Column::FromAllTimeHigh => 'f',
            Column::Supply => 'u',
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
            Column::Range => "24h range",
            Column::Trend => "trend",
            Column::Low => "24h low",
            Column::High => "24h high",
            Column::AllTimeHigh => "all-time high",
            Column::FromAllTimeHigh => "from all-time high",
            Column::Supply => "supply",
        }
    }

    /// Label of the reversed direction, appended to a sentence: `, losers first`.
    pub fn reversed(self) -> &'static str {
        match self {
            Column::Change1h | Column::Change24h | Column::Change7d | Column::Trend => ", losers first",
            Column::Rank => ", bottom first",
            Column::Name => ", Z to A",
            _ => ", lowest first",
        }
    }

    /// Whether the largest value comes first by default: for numbers, but not for rank and name.
    pub fn is_descending_by_default(self) -> bool {
        !matches!(self, Column::Rank | Column::Name)
    }

    /// Whether its values are in a currency.
    pub fn is_money(self) -> bool {
        use Column::{AllTimeHigh, High, Low, MarketCap, Price, Volume};
        matches!(self, Price | Volume | MarketCap | Low | High | AllTimeHigh)
    }

    /// Whether its values come from the 24h range.
    pub(super) fn is_of_range(self) -> bool {
        matches!(self, Column::Range | Column::Low | Column::High)
    }

    fn number(self, coin: &Coin, polled_at: UtcTime, ranges: &LiveRanges) -> Option<f64> {
        match self {
            Column::Rank => coin.rank.map(f64::from),
            Column::Name => None,
            Column::Price => coin.price,
            Column::Change1h => coin.change_1h_pct,
            Column::Change24h => coin.change_24h_pct,
            Column::Change7d => coin.change_7d_pct,
            Column::Volume => coin.volume_24h,
            Column::MarketCap => coin.market_cap,
            Column::Range => {
                let (price, low, high) = match ranges.of(coin, polled_at) {
                    Some((price, DayRange { low, high })) => (price, low, high),
                    None => (coin.price?, coin.low_24h?, coin.high_24h?),
                };
                Some((price - low) / (high - low)).filter(|share| share.is_finite())
            }
            Column::Trend => line_change_pct(&coin.sparkline_7d).or(coin.change_7d_pct),
            Column::Low => ranges.of(coin, polled_at).map(|(_, range)| range.low).or(coin.low_24h),
            Column::High => ranges.of(coin, polled_at).map(|(_, range)| range.high).or(coin.high_24h),
            Column::AllTimeHigh => coin.all_time_high,
            Column::FromAllTimeHigh => coin.ath_change_pct(coin.price),
            Column::Supply => coin.circulating_supply,
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
/// earlier currency, come after the others, sorted among themselves. `ranges` are those of coins whose list has none.
pub(super) fn sort<'a>(
    rows: &mut [RowPosition],
    order: Sort,
    ranges: &LiveRanges,
    dated_coin: impl Fn(RowPosition) -> Option<(UtcTime, &'a Coin)>,
    is_outdated: impl Fn(RowPosition) -> bool,
) {
    rows.sort_unstable_by_key(|place| (place.page, place.item));
    let coin = |place| dated_coin(place).map(|(_, coin)| coin);
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
    let key = |place| match dated_coin(place).and_then(|(at, coin)| order.column.number(coin, at, ranges)) {
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
