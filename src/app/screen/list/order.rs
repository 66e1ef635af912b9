//! The sort order of a list.

use std::collections::BTreeSet;

use super::pages::RowPosition;
use crate::app::live::LiveRanges;
use crate::model::change::line_change_pct;
use crate::model::{Coin, DayRange, UtcTime};

/// Defines [`SortColumn`] and its properties from one table, in the order of the menu.
macro_rules! sort_columns {
    ($($(#[$doc:meta])* $Column:ident = $spec:expr;)*) => {
        /// The columns that a list can be sorted by, in the order of the menu. Each is the
        /// [`CoinColumn`](super::CoinColumn) of the same name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SortColumn {
            $($(#[$doc])* $Column,)*
        }

        impl SortColumn {
            /// All columns, in the order of the menu.
            pub const ALL: [SortColumn; [$(stringify!($Column)),*].len()] = [$(SortColumn::$Column),*];

            /// The row of the table.
            fn spec(self) -> SortSpec {
                match self {
                    $(SortColumn::$Column => const { $spec },)*
                }
            }
        }
    };
}

sort_columns! {
    /// Rank by market capitalisation.
    Rank = by('#', "rank").ascending(", bottom first");
    /// Name.
    Name = by('n', "name").ascending(", Z to A");
    /// Price.
    Price = by('p', "price").money();
    /// Change over an hour.
    Change1h = by('1', "1h change").change().label("1h");
    /// Change over a day.
    Change24h = by('d', "24h change").change().label("24h");
    /// Change over seven days.
    Change7d = by('w', "7d change").change().label("7d");
    /// Volume over a day.
    Volume = by('v', "volume").money();
    /// Market capitalisation.
    MarketCap = by('c', "market cap").money().label("cap");
    /// The price between the lowest and the highest of a day.
    Range = by('r', "24h range").of_range().label("range");
    /// Change over the seven days of the chart.
    Trend = by('t', "trend").change();
    /// Lowest price of a day.
    Low = by('l', "24h low").money().of_range();
    /// Highest price of a day.
    High = by('h', "24h high").money().of_range();
    /// All-time high.
    AllTimeHigh = by('a', "all-time high").money();
    /// Difference from the all-time high.
    FromAllTimeHigh = by('f', "distance from all-time high").label("from ATH");
    /// Circulating supply.
    Supply = by('u', "supply");
}

/// The properties of a sort column.
#[derive(Clone, Copy)]
struct SortSpec {
    key: char,
    title: &'static str,
    label: &'static str,
    reversed: &'static str,
    is_descending: bool,
    is_money: bool,
    is_of_range: bool,
}

/// The row of a column: its key, and its title in commands.
const fn by(key: char, title: &'static str) -> SortSpec {
    SortSpec {
        key,
        title,
        label: title,
        reversed: ", lowest first",
        is_descending: true,
        is_money: false,
        is_of_range: false,
    }
}

impl SortSpec {
    /// Sorts in ascending order by default; `reversed` labels the other direction.
    const fn ascending(self, reversed: &'static str) -> SortSpec {
        SortSpec { is_descending: false, reversed, ..self }
    }

    /// Sets a shorter title for the menu, which should fit into one line.
    const fn label(self, label: &'static str) -> SortSpec {
        SortSpec { label, ..self }
    }

    const fn change(self) -> SortSpec {
        SortSpec { reversed: ", losers first", ..self }
    }

    const fn money(self) -> SortSpec {
        SortSpec { is_money: true, ..self }
    }

    const fn of_range(self) -> SortSpec {
        SortSpec { is_of_range: true, ..self }
    }
}

impl SortColumn {
    /// The key in the menu.
    pub fn key(self) -> char {
        self.spec().key
    }

    /// The title in commands and sentences.
    pub fn title(self) -> &'static str {
        self.spec().title
    }

    /// The title in the menu.
    pub fn label(self) -> &'static str {
        self.spec().label
    }

    /// Label of the reversed direction, appended to a sentence: `, losers first`.
    pub fn reversed_label(self) -> &'static str {
        self.spec().reversed
    }

    /// Whether the largest value comes first by default: for numbers, but not for rank and name.
    pub fn is_descending_by_default(self) -> bool {
        self.spec().is_descending
    }

    /// Whether its values are in a currency.
    pub fn is_money(self) -> bool {
        self.spec().is_money
    }

    /// Whether its values come from the 24h range.
    pub(super) fn is_of_range(self) -> bool {
        self.spec().is_of_range
    }

    fn number(self, coin: &Coin, polled_at: UtcTime, ranges: &LiveRanges) -> Option<f64> {
        match self {
            SortColumn::Rank => coin.rank.map(f64::from),
            SortColumn::Name => None,
            SortColumn::Price => coin.price,
            SortColumn::Change1h => coin.change_1h_pct,
            SortColumn::Change24h => coin.change_24h_pct,
            SortColumn::Change7d => coin.change_7d_pct,
            SortColumn::Volume => coin.volume_24h,
            SortColumn::MarketCap => coin.market_cap,
            SortColumn::Range => {
                let (price, low, high) = match ranges.of(coin, polled_at) {
                    Some((price, DayRange { low, high })) => (price, low, high),
                    None => (coin.price?, coin.low_24h?, coin.high_24h?),
                };
                Some((price - low) / (high - low)).filter(|share| share.is_finite())
            }
            SortColumn::Trend => line_change_pct(&coin.sparkline_7d).or(coin.change_7d_pct),
            SortColumn::Low => ranges.of(coin, polled_at).map(|(_, range)| range.low).or(coin.low_24h),
            SortColumn::High => ranges.of(coin, polled_at).map(|(_, range)| range.high).or(coin.high_24h),
            SortColumn::AllTimeHigh => coin.all_time_high,
            SortColumn::FromAllTimeHigh => coin.ath_change_pct(coin.price),
            SortColumn::Supply => coin.circulating_supply,
        }
    }
}

/// A sort column and direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The column.
    pub column: SortColumn,
    /// Whether the largest value comes first.
    pub descending: bool,
}

/// By rank, the order of the service.
impl Default for Sort {
    fn default() -> Sort {
        Sort { column: SortColumn::Rank, descending: false }
    }
}

/// Sorts coins like the rows of a list, without live prices.
pub fn sorted_coins(coins: Vec<Coin>, order: Sort) -> Vec<Coin> {
    let mut rows: Vec<RowPosition> = (0..).zip(&coins).map(|(item, _)| RowPosition { page: 0, item }).collect();
    let coin = |place: RowPosition| Some((UtcTime::default(), coins.get(place.item as usize)?));
    sort(&mut rows, order, &LiveRanges::default(), coin, |_| false);
    let mut coins: Vec<Option<Coin>> = coins.into_iter().map(Some).collect();
    rows.into_iter().filter_map(|place| coins.get_mut(place.item as usize)?.take()).collect()
}

/// Sorts rows by a column. Rows without a value come last in both directions, equal ones keep the service's order.
/// Coins without a rank that the service lists between others, such as wrapped ones, stay after the coin before them.
/// Values in different currencies can't be compared: rows in an earlier currency, for whose page `is_outdated` holds,
/// come after the others, sorted among themselves. `ranges` has the ranges of coins whose list has none.
pub(super) fn sort<'a>(
    rows: &mut [RowPosition],
    order: Sort,
    ranges: &LiveRanges,
    dated_coin: impl Fn(RowPosition) -> Option<(UtcTime, &'a Coin)>,
    is_outdated: impl Fn(RowPosition) -> bool,
) {
    rows.sort_unstable_by_key(|place| (place.page, place.item));
    let coin = |place| dated_coin(place).map(|(_, coin)| coin);
    if order.column == SortColumn::Name {
        let name = |place: &RowPosition| coin(*place).map(|c| c.name.to_lowercase()).unwrap_or_default();
        rows.sort_by_cached_key(name);
        if order.descending {
            rows.reverse();
        }
        return;
    }
    let convert = |place: RowPosition| coin(place).map(|coin| coin.convert.as_str());
    let current = rows.iter().find(|&&place| !is_outdated(place)).and_then(|&place| convert(place));
    let currency = |place: RowPosition| (convert(place) != current, convert(place));
    let is_mixed = order.column.is_money() && rows.iter().any(|&place| is_outdated(place));
    let currencies: BTreeSet<_> = rows.iter().filter(|_| is_mixed).map(|&place| currency(place)).collect();
    // Rows in the same currency; those without a value are behind all groups.
    let group = |place| currencies.iter().position(|known| *known == currency(place)).unwrap_or(0);
    let key = |place| match dated_coin(place).and_then(|(at, coin)| order.column.number(coin, at, ranges)) {
        Some(number) => (if is_mixed { group(place) } else { 0 }, number),
        None => (usize::MAX, 0.0),
    };
    let mut keyed: Vec<_> = rows.iter().map(|&place| (key(place), place)).collect();
    if order.column == SortColumn::Rank {
        let end = keyed.iter().rposition(|((group, _), _)| *group == 0).unwrap_or(0);
        let mut before = (0, 0.0);
        for (key, _) in keyed.iter_mut().take(end) {
            if key.0 == 0 {
                before = *key;
            } else {
                *key = before;
            }
        }
    }
    keyed.sort_by(|((group, a), _), ((other, b), _)| {
        group.cmp(other).then_with(|| if order.descending { b.total_cmp(a) } else { a.total_cmp(b) })
    });
    for (row, (_, place)) in rows.iter_mut().zip(keyed) {
        *row = place;
    }
}
