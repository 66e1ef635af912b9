//! The wallet's rows: one line each, or higher with a larger trend if there is room.

use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::columns::comparison_letter;
use super::holdings::direction;
use crate::app::panel::cells::WatchedCell;
use crate::app::screen::wallet::WalletRow;
use crate::app::screen::wallet::order::{HoldingSort, Order};
use crate::app::{Remote, State};
use crate::format::{ABSENT, Change, Price, PriceFormat, PriceIn};
use crate::model::{Coin, Currency, MarketSeries, Period, Point, change_pct};
use crate::user_data::Watched;
use crate::view::appearance::Appearance;
use crate::view::chrome::pieces::LIVE;
use crate::view::paint_context::PaintContext;
use crate::view::widgets::table::{self, Column, Layout, Row, SortMark};
use crate::view::widgets::text::{self, PRICE_DECIMALS};
use crate::view::widgets::{RangeBar, Sparkline};

/// The columns for a width, with prices in this currency and the change over this period. While coins are marked for the
/// comparison, all names are one column further right.
pub(super) fn columns(width: u16, convert: &Currency, period: Period, is_marked: bool) -> [Column; WatchedCell::COUNT] {
    // On a screen of 40 columns, there is just room for the widest price and the change.
    let price = if width < 40 { Price::WIDTH } else { PriceIn::width(convert) };
    WatchedCell::ALL.map(|cell| match cell {
        WatchedCell::Name => {
            Column::words(if is_marked { " Coin" } else { "Coin" }, if width < 24 { 5 } else { 12 }, 10).growing(28)
        }
        WatchedCell::Symbol => Column::words("", 7, 6),
        WatchedCell::Price => Column::number("Price", price, 9),
        WatchedCell::Change => Column::number("24h", 8, 8),
        WatchedCell::PeriodChange => Column::number(period.as_str(), 8, 6),
        WatchedCell::Range => Column::words(" Range", 24, 5).growing(36),
        WatchedCell::Trend => Column::words(" Chart", 20, 7).growing(90),
    })
}

/// The columns that fit. Over a day, the change has a column already.
pub(super) fn layout(columns: &[Column], width: u16, period: Period) -> Layout {
    Layout::filtered(columns, width, |index| index != usize::from(WatchedCell::PeriodChange) || period != Period::Day)
}

/// The height of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Lines from one row to the next; at least 1.
    pub(super) height: u16,
    /// Painted lines; the rest is empty.
    pub(super) painted: u16,
}

impl Shape {
    /// The largest row height at which all `len` rows are visible.
    pub(super) fn new(area: Rect, len: usize) -> Shape {
        let each = usize::from(area.height) / len.max(1);
        let (height, painted) = match each {
            _ if area.width < 70 => (1, 1),
            4.. => (4, 3),
            3 => (3, 2),
            2 => (2, 2),
            _ => (1, 1),
        };
        Shape { height, painted }
    }
}

/// The sort key of a click on a column's heading.
pub(super) fn order_of(cell: WatchedCell) -> Option<Order> {
    match cell {
        WatchedCell::Name => Some(Order::Name),
        WatchedCell::Price => Some(Order::Price),
        WatchedCell::Change => Some(Order::Change),
        WatchedCell::Symbol | WatchedCell::PeriodChange | WatchedCell::Range | WatchedCell::Trend => None,
    }
}

/// The mark in the heading; `None` for the order of the watchlist and the manual order.
pub(super) fn sort_mark(order: HoldingSort) -> Option<SortMark> {
    let sorted = WatchedCell::ALL.into_iter().find(|cell| order_of(*cell) == Some(order.by))?;
    Some(SortMark::new(sorted, direction(order)))
}

/// Paints a coin; `remote` is the response that its series is from.
pub(super) fn paint(
    cells: &mut Row<'_>,
    row: &WalletRow,
    remote: Remote<'_, Vec<MarketSeries>>,
    context: PaintContext<'_>,
) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let gap = comparison_letter(cells, &row.watched, state, theme);
    let own = row.series.and_then(|index| remote.value?.get(index));
    let known = if own.is_none() { state.watched_coin(row.watched_index) } else { None };
    let name = own.and_then(|series| series.name.as_ref()).or(known.map(|coin| &coin.name));
    let symbol = row.renamed.as_ref().unwrap_or(&row.watched.symbol);
    let slug = own.and_then(|series| series.slug.as_ref()).or(row.watched.slug.as_ref());

    // Coins that share a symbol may share their name; the slug distinguishes them.
    let shared = slug.filter(|_| row.ambiguous.is_some() && cells.area.height == 1);
    cells.words(
        WatchedCell::Name,
        &compact_str::format_compact!("{gap}{}", shared.or(name).unwrap_or(symbol)),
        theme.text,
    );
    cells.words(WatchedCell::Symbol, symbol, if row.ambiguous.is_some() { theme.warn } else { theme.dim });
    if cells.area.height > 1 {
        let second = Rect { width: text_width(cells.layout), ..text::shifted(text::line(cells.area, 1), 1) };
        let second = text::shifted(second, text::width(gap));
        if let Some(count) = row.ambiguous {
            let used = slug.map_or(0, |slug| text::put(cells.buf, second, slug, theme.dim) + 2);
            let words = format!("{count} coins use {symbol}");
            text::put(cells.buf, text::shifted(second, used), &words, theme.warn);
        } else if row.renamed.is_some() {
            let words = format!("renamed from {}", row.watched.symbol);
            text::put(cells.buf, second, &words, theme.warn);
        }
    }
    match own {
        Some(own) => {
            let is_live = state.watched_live_price(row, own).is_some();
            let points = state.wallet.period().of(&own.points);
            let (last, change) = state.price_and_change(row, own);
            let range = state.low_and_high(own, points, last);
            let prices = Prices { last, change, over_period: over_period(state, own, points, last), range };
            paint_series(cells, (points, &own.convert), &prices, is_live, appearance);
        }
        None => paint_listed(cells, (row, symbol), known, remote, context),
    }
}

/// Why a coin has no series, or what is shown instead.
#[derive(Clone, Copy)]
enum Unpriced<'a> {
    /// Its series is loading.
    Loading,
    /// Its series failed to load, but a list has its price.
    FromList,
    /// There is no series yet, and a list has its price in this other currency.
    OtherCurrency(&'a Currency),
    /// Its series failed to load, and no price is known.
    Unknown,
    /// The response lacks its series, but a list has its price.
    NoHistory,
    /// The response lacks the series of the coin with this symbol, which is no longer listed.
    Delisted(&'a str),
    /// The response lacks the series of the coin with this symbol.
    NoData(&'a str),
}

impl Unpriced<'_> {
    fn text(self) -> String {
        match self {
            Unpriced::Loading => String::from("Loading…"),
            Unpriced::FromList => String::from("from list"),
            Unpriced::OtherCurrency(currency) => format!("in {currency}"),
            Unpriced::Unknown => String::from(ABSENT),
            Unpriced::NoHistory => String::from("No price history"),
            Unpriced::Delisted(symbol) => format!("{symbol} is no longer listed"),
            Unpriced::NoData(symbol) => format!("No data for {symbol}"),
        }
    }
}

/// Paints a coin without a series: with the price of a list, even if it is old or in another currency, and the reason.
fn paint_listed(
    cells: &mut Row<'_>,
    (row, symbol): (&WalletRow, &str),
    known: Option<&Coin>,
    remote: Remote<'_, Vec<MarketSeries>>,
    context: PaintContext<'_>,
) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let listed = known.and_then(|coin| coin.price);
    let other = known.filter(|coin| listed.is_some() && coin.convert != state.convert);
    let unpriced = match (&remote.value, other) {
        (Some(_), None) if listed.is_some() => Unpriced::NoHistory,
        (Some(_), _) if state.is_delisted(row) => Unpriced::Delisted(symbol),
        (Some(_), _) => Unpriced::NoData(symbol),
        (None, Some(coin)) => Unpriced::OtherCurrency(&coin.convert),
        (None, None) if remote.failure().is_none() => Unpriced::Loading,
        (None, None) if listed.is_some() => Unpriced::FromList,
        (None, None) => Unpriced::Unknown,
    };
    let words = unpriced.text();
    if matches!(unpriced, Unpriced::Unknown) {
        return cells.decimal(WatchedCell::Price, PRICE_DECIMALS, words, theme.dim);
    }
    let first = text::line(cells.area, 0);
    let room = cells.layout.cell(first, WatchedCell::Price).unwrap_or_default();
    let columns = match listed {
        Some(_) => room.right().saturating_sub(first.x) + 2,
        None => room.x.saturating_sub(first.x) + 2,
    };
    if listed.is_some() {
        let currency = known.map_or(&state.convert, |coin| &coin.convert);
        cells.decimal(WatchedCell::Price, PRICE_DECIMALS, PriceIn(currency, listed), theme.dim);
    }
    if matches!(unpriced, Unpriced::Loading) && listed.is_some() {
        // The list has the change, too.
        cells.number(WatchedCell::Change, Change(known.and_then(|coin| coin.change_24h_pct)), theme.dim);
        if let Some(column) =
            [WatchedCell::Range, WatchedCell::Trend].into_iter().find(|column| cells.layout.shows(*column))
        {
            cells.cell(column, |buf, cell| {
                text::put(buf, text::shifted(cell, 1), &words, theme.dim);
            });
        }
        return;
    }
    // Use one blank instead of two if the text would be cut otherwise.
    let is_tight = text::width(&words) > first.width.saturating_sub(columns);
    let words = if is_tight && matches!(unpriced, Unpriced::FromList) { "listed" } else { words.as_str() };
    let columns = if is_tight { columns - 1 } else { columns };
    text::put(cells.buf, text::shifted(first, columns), words, theme.dim);
}

/// The change over the period in percent: over seven days, the list's change, which the list shows, too; else from the
/// first point.
fn over_period(state: &State, series: &MarketSeries, points: &[Point], last: Option<f64>) -> Option<f64> {
    let listed = match state.wallet.period() {
        Period::Week => state.listed_change(&Watched::from_series(series), Period::Week, points, &series.convert),
        _ => None,
    };
    let opening = points.iter().filter_map(|point| point.price).find(|price| price.is_finite());
    listed.or_else(|| opening.zip(last).and_then(|(opening, last)| change_pct(opening, last)))
}

/// The prices of a coin with a series.
struct Prices {
    last: Option<f64>,
    /// The change over 24 hours, in percent.
    change: Option<f64>,
    /// The change over the period, in percent.
    over_period: Option<f64>,
    /// The lowest and highest price over the period.
    range: Option<(f64, f64)>,
}

/// Paints a coin with a series, with its price, its changes over 24 hours and over the period, and its lowest and
/// highest price over the period.
fn paint_series(
    cells: &mut Row<'_>,
    (points, convert): (&[Point], &Currency),
    &Prices { last, change, over_period, range }: &Prices,
    is_live: bool,
    appearance: &Appearance,
) {
    let theme = &appearance.theme;
    let prices: Vec<f64> = points.iter().map(|point| point.price.unwrap_or(f64::NAN)).collect();
    cells.decimal(WatchedCell::Price, PRICE_DECIMALS, PriceIn(convert, last), theme.strong);
    if is_live {
        cells.cell(WatchedCell::Price, |buf, cell| text::mark_before(buf, text::line(cell, 0), LIVE, theme.mark));
    }
    cells.number(WatchedCell::Change, Change(change), theme.change(change));
    cells.number(WatchedCell::PeriodChange, Change(over_period), theme.change(over_period));
    cells.cell(WatchedCell::Range, |buf, cell| {
        let (low, high) = range.unzip();
        let range = RangeBar::new(low, last, high).format(PriceFormat::of(convert));
        range.aligned().theme(theme).render(text::shifted(cell, 1), buf);
    });
    let lines = cells.area.height;
    cells.cell(WatchedCell::Trend, |buf, cell| {
        let cell = Rect { height: lines, ..text::shifted(cell, 1) };
        if prices.len() < 2 {
            text::put(buf, cell, ABSENT, theme.dim);
        } else {
            Sparkline::new(&prices).style(theme.change(over_period)).render(cell, buf);
        }
    });
}

/// The columns from the name to the changes, which the second line of a row uses for text.
fn text_width(layout: &Layout) -> u16 {
    let end = |placed: &table::Placed| placed.x + placed.width;
    let before = layout.columns().iter().filter(|placed| placed.index < usize::from(WatchedCell::Range));
    before.map(end).max().unwrap_or(0).saturating_sub(1)
}
