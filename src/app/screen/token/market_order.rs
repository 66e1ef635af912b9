//! The sort order of a token's markets.

use crate::app::screen::known_values::compare_known;
use crate::model::MarketPair;

/// The sort columns of the markets, in their order on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MarketColumn {
    /// Exchange.
    Exchange,
    /// Pair.
    Pair,
    /// Price.
    Price,
    /// Volume over a day.
    Volume,
    /// Share of the total volume.
    Share,
    /// The smaller of the bid and ask depths.
    Depth,
}

impl MarketColumn {
    /// All columns, in their order on the screen.
    pub const ALL: [MarketColumn; 6] = [
        MarketColumn::Exchange,
        MarketColumn::Pair,
        MarketColumn::Price,
        MarketColumn::Volume,
        MarketColumn::Share,
        MarketColumn::Depth,
    ];

    /// The name in the session.
    pub fn as_str(self) -> &'static str {
        match self {
            MarketColumn::Exchange => "exchange",
            MarketColumn::Pair => "pair",
            MarketColumn::Price => "price",
            MarketColumn::Volume => "volume",
            MarketColumn::Share => "share",
            MarketColumn::Depth => "depth",
        }
    }

    /// The key in the menu.
    pub fn key(self) -> char {
        match self {
            MarketColumn::Exchange => 'e',
            MarketColumn::Pair => 'a',
            MarketColumn::Price => 'p',
            MarketColumn::Volume => 'v',
            MarketColumn::Share => 's',
            MarketColumn::Depth => 'd',
        }
    }

    /// The title in menus and commands.
    pub fn title(self) -> &'static str {
        self.as_str()
    }

    /// Label of the reversed direction, appended to a sentence: `, Z to A`.
    pub fn reversed_label(self) -> &'static str {
        if self.is_descending_by_default() { ", lowest first" } else { ", Z to A" }
    }

    /// Whether the largest value comes first by default: for numbers, but not for names.
    fn is_descending_by_default(self) -> bool {
        !matches!(self, MarketColumn::Exchange | MarketColumn::Pair)
    }
}

/// A column and a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MarketSort {
    /// The sort column.
    pub column: MarketColumn,
    /// Whether the largest value comes first.
    pub descending: bool,
}

impl From<MarketColumn> for MarketSort {
    /// The default direction: names from A, numbers from the largest.
    fn from(column: MarketColumn) -> MarketSort {
        MarketSort { column, descending: column.is_descending_by_default() }
    }
}

impl Default for MarketSort {
    /// The largest volume first, then the outliers.
    fn default() -> MarketSort {
        MarketSort::from(MarketColumn::Volume)
    }
}

impl MarketSort {
    /// The other direction.
    #[must_use]
    pub fn reversed(self) -> MarketSort {
        MarketSort { descending: !self.descending, ..self }
    }
}

/// The indexes of the markets in this order. Outliers are last by price, in both directions, and in the default order.
pub(super) fn sorted(pairs: &[MarketPair], sort: MarketSort) -> Vec<u32> {
    let MarketSort { column, descending } = sort;
    let mut order: Vec<u32> = (0..pairs.len() as u32).collect();
    let number = |pair: &MarketPair| match column {
        MarketColumn::Price => pair.price,
        MarketColumn::Volume => pair.volume_24h,
        MarketColumn::Share => pair.volume_share_pct,
        MarketColumn::Depth => Some(pair.depth_plus_2pct?.min(pair.depth_minus_2pct?)),
        MarketColumn::Exchange | MarketColumn::Pair => None,
    };
    let pair = |index: &u32| pairs.get(*index as usize);
    // The price of an outlier would be at the top in either direction, and its volume may be as wrong.
    let are_outliers_last = column == MarketColumn::Price || sort == MarketSort::default();
    let is_misplaced =
        |pair: Option<&MarketPair>| are_outliers_last && pair.is_some_and(|pair| pair.outlier == Some(true));
    match column {
        MarketColumn::Exchange => {
            order.sort_by_cached_key(|i| pair(i)?.exchange.as_ref().map(|name| name.to_lowercase()));
        }
        MarketColumn::Pair => order.sort_by_cached_key(|i| pair(i).map(|p| p.pair.to_lowercase())),
        _ => order.sort_by(|a, b| {
            let (a, b) = (pair(a), pair(b));
            let known = || compare_known(descending, a.and_then(number), b.and_then(number), f64::total_cmp);
            is_misplaced(a).cmp(&is_misplaced(b)).then_with(known)
        }),
    }
    if descending && !column.is_descending_by_default() {
        order.reverse();
    }
    order
}
