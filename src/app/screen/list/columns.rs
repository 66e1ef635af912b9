//! The columns of the lists, in one table.
//!
//! A new column: see "A column of the lists" in `docs/extending.md`.

use super::order::SortColumn;

/// Defines [`CoinColumn`] and [`SPECS`] from one table, in the default order of the columns.
macro_rules! columns {
    ($($(#[$doc:meta])* $Column:ident = $kind:ident($($of:expr),*) $(.$with:ident($($more:expr),*))*;)*) => {
        /// A column of a list of coins.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum CoinColumn {
            $($(#[$doc])* $Column,)*
        }

        impl CoinColumn {
            /// The number of columns.
            pub const COUNT: usize = [$(stringify!($Column)),*].len();
        }

        /// All columns, in their default order, which is the order of the variants of [`CoinColumn`].
        pub static SPECS: [ColumnSpec; CoinColumn::COUNT] =
            [$($kind(CoinColumn::$Column, $($of),*)$(.$with($($more),*))*),*];
    };
}

columns! {
    /// Rank by market capitalisation.
    Rank = number("rank", "rank by market cap", "#", Width::Fixed(5), 6).sort(SortColumn::Rank);
    /// A star for watched coins. Always shown if there is room.
    Star = words("star", "watched", "", Width::Fixed(1), 8).shown(Shown::Always);
    /// Name. Always shown.
    Name = words("name", "name", "Coin", Width::Name, NAME_PRIORITY).sort(SortColumn::Name).shown(Shown::Always);
    /// Symbol.
    Symbol = words("symbol", "symbol", "", Width::Fixed(7), 7);
    /// Price.
    Price = number("price", "price", "Price", Width::Price, 10).sort(SortColumn::Price);
    /// Change over an hour.
    Change1h = number("1h", "1h change", "1h", Width::Change, 2).sort(SortColumn::Change1h);
    /// Change over a day.
    Change24h = number("24h", "24h change", "24h", Width::Change, 9).sort(SortColumn::Change24h);
    /// Change over seven days.
    Change7d = number("7d", "7d change", "7d", Width::Change, 4).sort(SortColumn::Change7d);
    /// The price between the lowest and the highest of a day, as a bar.
    Range = words("range", "24h range", " 24h range", Width::Range, 1).sort(SortColumn::Range);
    /// Volume over a day.
    Volume = number("volume", "24h volume", "Volume", Width::Money, 3).wide("Volume 24h").sort(SortColumn::Volume);
    /// Market capitalisation.
    MarketCap = number("cap", "market cap", "Cap", Width::Money, 5).wide("Market cap").sort(SortColumn::MarketCap);
    /// Prices over seven days, as a line.
    Trend = words("trend", "7-day chart", " 7 days", Width::Growing(9, 80), 4).sort(SortColumn::Trend);
    /// Lowest price of a day.
    Low = number("low", "24h low", "24h low", Width::Price, 1).chosen(SortColumn::Low);
    /// Highest price of a day.
    High = number("high", "24h high", "24h high", Width::Price, 1).chosen(SortColumn::High);
    /// All-time high.
    AllTimeHigh = number("ath", "all-time high", "ATH", Width::Price, 1).chosen(SortColumn::AllTimeHigh);
    /// Difference from the all-time high, in percent.
    FromAllTimeHigh = number("from-ath", "% from all-time high", "from ATH", Width::Fixed(8), 1)
        .chosen(SortColumn::FromAllTimeHigh);
    /// Circulating supply.
    Supply = number("supply", "circulating supply", "Supply", Width::Money, 1).chosen(SortColumn::Supply);
}

/// The properties of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnSpec {
    /// The column.
    pub column: CoinColumn,
    /// The name in the configuration and the session.
    pub name: &'static str,
    /// The content, in a few words.
    pub title: &'static str,
    /// The heading of the column.
    pub heading: &'static str,
    /// The heading on a wide screen.
    pub wide_heading: &'static str,
    /// Whether it is right-aligned.
    pub is_number: bool,
    /// How wide it is.
    pub(super) width: Width,
    /// The priority among the default columns: the lowest is dropped first.
    pub(super) priority: u8,
    /// The sort order of this column; `None` if the list can't be sorted by it.
    pub sort: Option<SortColumn>,
    /// When it is shown.
    pub(super) shown: Shown,
}

/// The width of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// This width.
    Fixed(u16),
    /// Between these widths.
    Growing(u16, u16),
    /// The width of names, which depends on the screen's width.
    Name,
    /// The width of prices, which depends on their currency.
    Price,
    /// The width of changes in percent, which depends on the screen's width.
    Change,
    /// The width of shortened amounts, which depends on the screen's width.
    Money,
    /// The width of a bar, which depends on the screen's width.
    Range,
}

/// When a column is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// Always; it doesn't scroll.
    Always,
    /// Unless the user hides it.
    Default,
    /// If the user chooses it.
    Chosen,
}

/// The priority of the name.
pub(super) const NAME_PRIORITY: u8 = 101;

/// A column of text.
const fn words(
    column: CoinColumn,
    name: &'static str,
    title: &'static str,
    heading: &'static str,
    width: Width,
    priority: u8,
) -> ColumnSpec {
    let shown = Shown::Default;
    let wide_heading = heading;
    ColumnSpec { column, name, title, heading, wide_heading, is_number: false, width, priority, sort: None, shown }
}

/// A column of numbers.
const fn number(
    column: CoinColumn,
    name: &'static str,
    title: &'static str,
    heading: &'static str,
    width: Width,
    priority: u8,
) -> ColumnSpec {
    ColumnSpec { is_number: true, ..words(column, name, title, heading, width, priority) }
}

impl ColumnSpec {
    const fn sort(self, by: SortColumn) -> ColumnSpec {
        ColumnSpec { sort: Some(by), ..self }
    }

    /// A column that is shown if the user chooses it.
    const fn chosen(self, by: SortColumn) -> ColumnSpec {
        self.sort(by).shown(Shown::Chosen)
    }

    const fn shown(self, shown: Shown) -> ColumnSpec {
        ColumnSpec { shown, ..self }
    }

    const fn wide(self, wide_heading: &'static str) -> ColumnSpec {
        ColumnSpec { wide_heading, ..self }
    }
}

impl CoinColumn {
    /// All columns, in their default order.
    pub fn all() -> impl Iterator<Item = CoinColumn> {
        SPECS.iter().map(|spec| spec.column)
    }

    /// The columns that the user can choose, in their default order: all except the fixed ones.
    pub fn optional() -> impl Iterator<Item = CoinColumn> {
        CoinColumn::all().filter(|column| !column.is_fixed())
    }

    /// The columns that are shown by default besides the fixed ones.
    pub fn defaults() -> impl Iterator<Item = CoinColumn> {
        SPECS.iter().filter(|spec| spec.shown == Shown::Default).map(|spec| spec.column)
    }

    /// The column's row of [`SPECS`].
    pub fn spec(self) -> &'static ColumnSpec {
        &SPECS[self.index()]
    }

    /// The column's index in [`SPECS`].
    pub fn index(self) -> usize {
        self as usize
    }

    /// Whether it is always shown and doesn't scroll.
    pub fn is_fixed(self) -> bool {
        self.spec().shown == Shown::Always
    }

    /// The name in the configuration.
    pub fn as_str(self) -> &'static str {
        self.spec().name
    }

    /// Reads its name in the configuration.
    pub fn parse(name: &str) -> Option<CoinColumn> {
        CoinColumn::optional().find(|column| column.as_str() == name)
    }

    /// The column with this sort order.
    pub fn of_sort(by: SortColumn) -> Option<CoinColumn> {
        SPECS.iter().find(|spec| spec.sort == Some(by)).map(|spec| spec.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_in_the_order_of_the_columns() {
        for (index, spec) in SPECS.iter().enumerate() {
            assert_eq!((spec.column.index(), spec.column.spec()), (index, spec));
        }
    }

    #[test]
    fn every_sort_order_has_a_column() {
        for by in SortColumn::ALL {
            assert_eq!(CoinColumn::of_sort(by).and_then(|column| column.spec().sort), Some(by));
        }
    }
}
