//! The columns of the lists.

use super::order::Column;

/// A column of a list of coins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CoinColumn {
    /// Rank by market capitalisation.
    Rank,
    /// A star for watched coins. Always shown if there is room.
    Star,
    /// Name. Always shown.
    Name,
    /// Symbol.
    Symbol,
    /// Price.
    Price,
    /// Change over an hour.
    Change1h,
    /// Change over a day.
    Change24h,
    /// Change over seven days.
    Change7d,
    /// The price between the lowest and the highest of a day, as a bar.
    Range,
    /// Volume over a day.
    Volume,
    /// Market capitalisation.
    MarketCap,
    /// Prices over seven days, as a line.
    Trend,
    /// Lowest price of a day.
    Low,
    /// Highest price of a day.
    High,
    /// All-time high.
    AllTimeHigh,
    /// Difference to the all-time high, in percent.
    FromAllTimeHigh,
    /// Circulating supply.
    Supply,
}

impl CoinColumn {
    /// All columns.
    pub const ALL: [CoinColumn; 17] = [
        CoinColumn::Rank,
        CoinColumn::Star,
        CoinColumn::Name,
        CoinColumn::Symbol,
        CoinColumn::Price,
        CoinColumn::Change1h,
        CoinColumn::Change24h,
        CoinColumn::Change7d,
        CoinColumn::Range,
        CoinColumn::Volume,
        CoinColumn::MarketCap,
        CoinColumn::Trend,
        CoinColumn::Low,
        CoinColumn::High,
        CoinColumn::AllTimeHigh,
        CoinColumn::FromAllTimeHigh,
        CoinColumn::Supply,
    ];

    /// The columns that the user can choose, in their default order: all but the fixed ones.
    pub fn optional() -> impl Iterator<Item = CoinColumn> {
        CoinColumn::ALL.into_iter().filter(|column| !column.is_fixed())
    }

    /// The columns that are shown by default besides the fixed ones.
    pub const DEFAULT: [CoinColumn; 10] = [
        CoinColumn::Rank,
        CoinColumn::Symbol,
        CoinColumn::Price,
        CoinColumn::Change1h,
        CoinColumn::Change24h,
        CoinColumn::Change7d,
        CoinColumn::Range,
        CoinColumn::Volume,
        CoinColumn::MarketCap,
        CoinColumn::Trend,
    ];

    /// Whether it is always shown and doesn't scroll.
    pub fn is_fixed(self) -> bool {
        matches!(self, CoinColumn::Star | CoinColumn::Name)
    }

    /// Its name in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            CoinColumn::Rank => "rank",
            CoinColumn::Star => "star",
            CoinColumn::Name => "name",
            CoinColumn::Symbol => "symbol",
            CoinColumn::Price => "price",
            CoinColumn::Change1h => "1h",
            CoinColumn::Change24h => "24h",
            CoinColumn::Change7d => "7d",
            CoinColumn::Range => "range",
            CoinColumn::Volume => "volume",
            CoinColumn::MarketCap => "cap",
            CoinColumn::Trend => "trend",
            CoinColumn::Low => "low",
            CoinColumn::High => "high",
            CoinColumn::AllTimeHigh => "ath",
            CoinColumn::FromAllTimeHigh => "from-ath",
            CoinColumn::Supply => "supply",
        }
    }

    /// Reads its name in the configuration.
    pub fn parse(name: &str) -> Option<CoinColumn> {
        CoinColumn::optional().find(|column| column.as_str() == name)
    }

    /// What it shows, in a few words.
    pub fn title(self) -> &'static str {
        match self {
            CoinColumn::Rank => "rank by market cap",
            CoinColumn::Star => "watched",
            CoinColumn::Name => "name",
            CoinColumn::Symbol => "symbol",
            CoinColumn::Price => "price",
            CoinColumn::Change1h => "1h change",
            CoinColumn::Change24h => "24h change",
            CoinColumn::Change7d => "7d change",
            CoinColumn::Range => "24h range",
            CoinColumn::Volume => "24h volume",
            CoinColumn::MarketCap => "market cap",
            CoinColumn::Trend => "7-day chart",
            CoinColumn::Low => "24h low",
            CoinColumn::High => "24h high",
            CoinColumn::AllTimeHigh => "all-time high",
            CoinColumn::FromAllTimeHigh => "% from all-time high",
            CoinColumn::Supply => "circulating supply",
        }
    }

    /// What the list is sorted by with this column; `None` if it can't be.
    pub fn sort(self) -> Option<Column> {
        Some(match self {
            CoinColumn::Rank => Column::Rank,
            CoinColumn::Name => Column::Name,
            CoinColumn::Price => Column::Price,
            CoinColumn::Change1h => Column::Change1h,
            CoinColumn::Change24h => Column::Change24h,
            CoinColumn::Change7d => Column::Change7d,
            CoinColumn::Volume => Column::Volume,
            CoinColumn::MarketCap => Column::MarketCap,
            _ => return None,
        })
    }
}
