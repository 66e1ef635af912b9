//! The layout of the columns: which are shown, in which order, and which fit on a screen.

use super::columns::{CoinColumn, NAME_PRIORITY, Shown, Width};
use super::order::SortColumn;
use crate::format::columns::{self, ColumnPosition, Extent, Gaps};
use crate::format::{Price, PriceIn};
use crate::model::Currency;

/// Minimum width of a screen with long headings.
pub const WIDE: u16 = 128;

/// Minimum width of a screen with more room for the name.
const SMALL: u16 = 22;

/// Minimum width of a screen that shows more than coin, price and change.
const MEDIUM: u16 = 34;

/// Minimum width of a screen with two blanks between the changes.
const ROOMY: u16 = 100;

/// The width of a range bar if other columns need room.
const SHORT_RANGE: u16 = 12;

/// The priority of the sort column, above all but the name.
const SORTED: u8 = 100;

/// Minimum width of a screen on which the default columns include the trend.
const TREND_COLUMNS: u16 = 76;

/// The blanks between columns.
const GAPS: Gaps = Gaps { min: 1, max: 2, before: 1, after: 1 };

impl Width {
    /// The minimum and maximum on a screen of this width, if price columns have this width.
    fn on(self, screen: u16, price_width: u16) -> (u16, u16) {
        let change = if screen >= ROOMY { 7 } else { 6 };
        let money = if screen >= WIDE { 11 } else { 8 };
        match self {
            Width::Fixed(width) => (width, width),
            Width::Growing(min, max) => (min, max),
            Width::Name => (name_width(screen), 40),
            Width::Price => (price_width, price_width),
            Width::Change => (change, change),
            Width::Money => (money, money),
            Width::Range => (if screen < MEDIUM { SHORT_RANGE } else { 22 }, 50),
        }
    }
}

impl CoinColumn {
    /// The priority among the default columns: the lowest is dropped first. The sort column displaces the 7-day change,
    /// which the trend also shows, rather than the trend, which may be requested separately.
    fn priority(self, sorted: Option<SortColumn>) -> u8 {
        match self {
            _ if sorted.is_some() && self.spec().sort == sorted => SORTED,
            CoinColumn::Trend if sorted.is_some() => 6,
            CoinColumn::Change7d if sorted.is_some() => 3,
            _ => self.spec().priority,
        }
    }
}

fn name_width(screen: u16) -> u16 {
    match screen {
        ..SMALL => 5,
        SMALL..MEDIUM => 6,
        MEDIUM..ROOMY => 12,
        ROOMY.. => 18,
    }
}

/// The columns chosen by the user besides the fixed ones, and how far they are scrolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListColumns {
    shown: Vec<CoinColumn>,
    /// How far they are scrolled: 0 is the first position.
    position: usize,
}

impl Default for ListColumns {
    fn default() -> Self {
        ListColumns::new(CoinColumn::defaults().collect())
    }
}

/// The columns on a screen, and whether there are more on either side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlacedColumns {
    /// The columns from left to right, each with its index in [`SPECS`](super::SPECS).
    pub places: Vec<ColumnPosition>,
    /// Whether columns are scrolled out of sight.
    pub has_before: bool,
    /// Whether columns don't fit.
    pub has_after: bool,
}

impl PlacedColumns {
    /// Whether a column is shown.
    pub fn shows(&self, column: CoinColumn) -> bool {
        self.places.iter().any(|place| place.index == column.index())
    }
}

impl ListColumns {
    /// Shows these columns, from the first one. Fixed ones and duplicates are dropped.
    pub fn new(columns: Vec<CoinColumn>) -> ListColumns {
        let mut shown = Vec::new();
        for column in columns {
            if !column.is_fixed() && !shown.contains(&column) {
                shown.push(column);
            }
        }
        ListColumns { shown, position: 0 }
    }

    /// The columns besides the fixed ones, in their order.
    pub fn shown(&self) -> &[CoinColumn] {
        &self.shown
    }

    fn is_default(&self) -> bool {
        self.shown.iter().copied().eq(CoinColumn::defaults())
    }

    /// Whether they are default columns in their default order, of which some may be hidden.
    fn is_part_of_default(&self) -> bool {
        let are_default = self.shown.iter().all(|column| column.spec().shown == Shown::Default);
        are_default && self.shown.is_sorted_by_key(|column| column.index())
    }

    /// Whether the list can be sorted by this column: it is a default or fixed one, or the user has chosen it.
    pub fn offers_sort(&self, by: SortColumn) -> bool {
        let offers = |column: CoinColumn| {
            column.is_fixed() || self.shown.contains(&column) || CoinColumn::defaults().any(|other| other == column)
        };
        CoinColumn::of_sort(by).is_some_and(offers)
    }

    /// Places the columns on a screen with this width. Until the user scrolls, default columns that don't fit are dropped
    /// by priority, even if some are hidden; added, moved and scrolled columns are dropped from the right. The `sorted`
    /// column is dropped last except for the name, so that the sort order is visible.
    pub fn place(&self, width: u16, sorted: Option<SortColumn>) -> PlacedColumns {
        self.place_at(self.position_on(width, sorted), width, sorted)
    }

    /// Places the columns, with prices as wide as they need to be in this currency, unless another column would be
    /// dropped for that.
    pub fn place_with_prices(&self, width: u16, sorted: Option<SortColumn>, currency: &Currency) -> PlacedColumns {
        let placed = self.place(width, sorted);
        let price_width = PriceIn::width(currency);
        if price_width == Price::WIDTH {
            return placed;
        }
        let wide = self.place_at_with_price_width(self.position_on(width, sorted), width, sorted, price_width);
        if wide.places.len() == placed.places.len() { wide } else { placed }
    }

    /// The position on a screen with this width.
    fn position_on(&self, width: u16, sorted: Option<SortColumn>) -> usize {
        if self.position == 0 { 0 } else { self.position.min(self.last_position(width, sorted)) }
    }

    /// Whether the trend is visible, on a screen with this width. Called after every key, so it doesn't place the
    /// default columns.
    pub fn shows_trend(&self, width: u16, sorted: Option<SortColumn>) -> bool {
        if self.position == 0 && self.is_default() {
            width >= TREND_COLUMNS
        } else {
            self.shown.contains(&CoinColumn::Trend) && self.place(width, sorted).shows(CoinColumn::Trend)
        }
    }

    fn place_at(&self, position: usize, width: u16, sorted: Option<SortColumn>) -> PlacedColumns {
        self.place_at_with_price_width(position, width, sorted, Price::WIDTH)
    }

    fn place_at_with_price_width(
        &self,
        position: usize,
        width: u16,
        sorted: Option<SortColumn>,
        price_width: u16,
    ) -> PlacedColumns {
        let by_order = position > 0 || !self.is_part_of_default();
        let sorted = sorted.filter(|by| *by != SortColumn::Name && position == 0);
        // If the first column was dropped for it, it comes second.
        let hides_first = || self.shown.first().is_some_and(|first| !self.place_at(0, width, sorted).shows(*first));
        let skipped = if position > 0 { position - usize::from(hides_first()) } else { 0 };
        let rest = self.shown.get(skipped..).unwrap_or_default();
        // The rank belongs before the name.
        let (rank, rest) = match rest {
            [CoinColumn::Rank, rest @ ..] => (Some(CoinColumn::Rank), rest),
            rest => (None, rest),
        };
        let most_important =
            if by_order { rest.first() } else { rest.iter().max_by_key(|column| column.priority(sorted)) };
        let columns: Vec<CoinColumn> =
            rank.into_iter().chain([CoinColumn::Star, CoinColumn::Name]).chain(rest.iter().copied()).collect();
        let extents: Vec<Extent> = (0_u8..)
            .zip(&columns)
            .map(|(at, column)| {
                let (min, max) = column.spec().width.on(width, price_width);
                // Shown only because the list is sorted by it, it must not displace the price and the trend.
                let is_sorted_range = *column == CoinColumn::Range && sorted == Some(SortColumn::Range);
                let is_short = is_sorted_range && !self.place_at(position, width, None).shows(CoinColumn::Range);
                let min = if is_short { min.min(SHORT_RANGE) } else { min };
                let priority = match column {
                    CoinColumn::Name => NAME_PRIORITY,
                    _ if sorted.is_some() && column.spec().sort == sorted => SORTED,
                    // In the user's order, the star is dropped before the first column, but after all others.
                    CoinColumn::Star if by_order => SORTED - 2,
                    _ if Some(column) == most_important => SORTED - 1,
                    _ if by_order => (SORTED - 3).saturating_sub(at),
                    column => column.priority(sorted),
                };
                Extent { min: usize::from(min), max: usize::from(max), priority: Some(priority) }
            })
            .collect();
        let placed = columns::place(&extents, GAPS, Some(usize::from(width)));
        let has_after = placed.len() < columns.len();
        let of = |place: ColumnPosition| Some(ColumnPosition { index: columns.get(place.index)?.index(), ..place });
        PlacedColumns { places: placed.into_iter().filter_map(of).collect(), has_before: position > 0, has_after }
    }

    /// The first position at which the last column is visible.
    fn last_position(&self, width: u16, sorted: Option<SortColumn>) -> usize {
        let most = self.shown.len();
        (0..most).find(|&position| !self.place_at(position, width, sorted).has_after).unwrap_or(most)
    }

    /// Scrolls by a column, to the left if `by` is negative. Returns whether anything moved.
    pub fn scroll(&mut self, by: isize, width: u16, sorted: Option<SortColumn>) -> bool {
        let last = self.last_position(width, sorted);
        let now = self.position.min(last);
        self.position = now.saturating_add_signed(by).min(last);
        self.position != now
    }
}

#[cfg(test)]
mod tests {
    use super::super::columns::SPECS;
    use super::*;

    /// The names of the columns shown.
    fn names(columns: &ListColumns, width: u16, sorted: Option<SortColumn>) -> Vec<&'static str> {
        let placed = columns.place(width, sorted);
        placed.places.iter().map(|place| SPECS[place.index].name).collect()
    }

    fn shown(width: u16) -> Vec<&'static str> {
        names(&ListColumns::default(), width, None)
    }

    #[test]
    fn narrow_screens_keep_the_most_important_columns() {
        assert_eq!(shown(20), ["name", "price"], "a price without its coin is useless");
        assert_eq!(shown(40), ["star", "name", "price", "24h"]);
        assert_eq!(shown(80), ["rank", "star", "name", "symbol", "price", "24h", "7d", "cap", "trend"]);
        assert_eq!(shown(160).len(), 12);
    }

    #[test]
    fn sort_column_is_always_visible() {
        for by in SortColumn::ALL.into_iter().filter(|by| ListColumns::default().offers_sort(*by)) {
            let column = CoinColumn::of_sort(by).unwrap().as_str();
            for width in 20..200 {
                let shown = names(&ListColumns::default(), width, Some(by));
                assert!(shown.contains(&column) && shown.contains(&"name"), "{width}: {column} in {shown:?}");
                assert!(width < 40 || shown.contains(&"price"), "{width}: the price in {shown:?}");
            }
        }
    }

    #[test]
    fn sort_by_range_keeps_the_widths_of_all_columns() {
        let columns = ListColumns::default();
        let widths: Vec<u16> = (20..250).filter(|width| shown(*width).contains(&"range")).collect();
        assert!(widths.contains(&160));
        for width in widths {
            assert_eq!(columns.place(width, Some(SortColumn::Range)), columns.place(width, None), "{width}");
        }
    }

    #[test]
    fn default_screens_of_76_columns_show_trends() {
        for sorted in SortColumn::ALL.map(Some).into_iter().chain([None]) {
            for width in TREND_COLUMNS..200 {
                let columns = ListColumns::default();
                let shows = columns.place(width, sorted).shows(CoinColumn::Trend);
                assert!(shows && columns.shows_trend(width, sorted), "{width}: {sorted:?}");
            }
        }
        assert!(!shown(TREND_COLUMNS - 1).contains(&"trend"));
        assert!(!ListColumns::default().shows_trend(TREND_COLUMNS - 1, None));
    }

    #[test]
    fn prices_of_many_digits_have_wider_columns_if_no_other_is_dropped() {
        let won = Currency::parse("KRW").unwrap();
        let of = |width, sorted, currency: &Currency| {
            let placed = ListColumns::default().place_with_prices(width, sorted, currency);
            let price = placed.places.iter().find(|place| place.index == CoinColumn::Price.index());
            let shown: Vec<usize> = placed.places.iter().map(|place| place.index).collect();
            (price.map(|price| price.width), shown)
        };
        for width in [40, 80, 120, 160] {
            assert_eq!((of(width, None, &won).0, of(width, None, &Currency::usd()).0), (Some(16), Some(12)), "{width}");
        }
        for width in 20..250 {
            for sorted in [None, Some(SortColumn::Trend), Some(SortColumn::Range), Some(SortColumn::Volume)] {
                assert_eq!(of(width, sorted, &won).1, of(width, sorted, &Currency::usd()).1, "{width} {sorted:?}");
            }
        }
    }

    #[test]
    fn columns_fit_into_any_width() {
        for width in 0..300 {
            let placed = ListColumns::default().place(width, None);
            assert!(width < 10 || !placed.places.is_empty(), "{width}");
            assert!(width < 10 || placed.places.iter().all(|place| place.start + place.width <= usize::from(width)));
            assert_eq!(placed.has_after, placed.places.len() < 12, "{width}");
        }
    }

    #[test]
    fn chosen_columns_are_dropped_from_the_right() {
        let columns = ListColumns::new(vec![CoinColumn::Range, CoinColumn::Price, CoinColumn::Trend]);
        assert_eq!(names(&columns, 160, None), ["star", "name", "range", "price", "trend"]);
        assert_eq!(names(&columns, 60, None), ["star", "name", "range", "price"]);
        assert_eq!(names(&columns, 40, None), ["star", "name", "range"]);
        assert!(columns.place(60, None).has_after && !columns.place(160, None).has_after);
    }

    #[test]
    fn hiding_a_column_hides_no_other() {
        let without =
            |hidden: CoinColumn| ListColumns::new(CoinColumn::defaults().filter(|column| *column != hidden).collect());
        for hidden in CoinColumn::defaults() {
            for width in 10..200 {
                let before = shown(width);
                let after = names(&without(hidden), width, None);
                let are_kept = before.iter().all(|name| *name == hidden.as_str() || after.contains(name));
                assert!(are_kept, "{width}: {before:?} {after:?}");
            }
        }
        assert!(names(&without(CoinColumn::Rank), 30, None).contains(&"price"));
        let only = ListColumns::new(vec![CoinColumn::Trend]);
        assert_eq!(names(&only, 18, None), ["name", "trend"], "a chosen column outranks the star");
    }

    #[test]
    fn scrolling_reaches_every_column_and_comes_back() {
        for width in [30_u16, 40, 60, 80, 100, 120, 200] {
            let mut columns = ListColumns::default();
            let mut seen = names(&columns, width, None);
            while columns.scroll(1, width, None) {
                let now = names(&columns, width, None);
                assert!(now.contains(&"name"), "{width}: {now:?}");
                assert!(columns.place(width, None).has_before);
                seen.extend(now);
            }
            assert!(!columns.place(width, None).has_after, "{width}");
            for column in CoinColumn::defaults() {
                assert!(seen.contains(&column.as_str()), "{width}: {column:?} in {seen:?}");
            }
            while columns.scroll(-1, width, None) {}
            assert_eq!(columns, ListColumns::default());
        }
    }

    #[test]
    fn scrolled_columns_stay_visible_when_the_screen_grows() {
        let mut columns = ListColumns::default();
        while columns.scroll(1, 40, None) {}
        assert!(!columns.place(200, None).has_before, "all columns fit");
    }
}
