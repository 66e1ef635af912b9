//! The markets panel: the market pairs of the token.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use compact_str::format_compact;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::panel_context::{PanelContext, TWO_COLUMNS};
use crate::app::Target;
use crate::app::panel::Panel;
use crate::app::screen::token::MarketColumn;
use crate::client::Group;
use crate::format::{ABSENT, Age, Count, FullMoney, Money, PriceIn, Share};
use crate::glyphs::Glyphs;
use crate::model::MarketPair;
use crate::theme::Theme;
use crate::view::chrome::health::{self, Health};
use crate::view::view_state::{Screen, ViewState};
use crate::view::widgets::table::{self, Column, Direction, Layout, Placed, Row};
use crate::view::widgets::{PanelTitle, Placeholder, ShareBar, Table, text};

/// The columns of a panel.
type Columns = [Column; Panel::Markets.columns()];

/// The columns: those of [`MarketColumn::ALL`], then [`ASK`] and [`UPDATED`], as wide as this token's markets need. The
/// `sorted` column is dropped last except for the pair. The names of exchanges are cut only if there is no room for the
/// price, the volume and the share otherwise.
fn columns(width: u16, widths: Widths, sorted: Option<usize>) -> Columns {
    let most = if widths.full.is_some() { 24 } else { 18 };
    let cut = columns_with((MIN_NAME, most), width, widths, sorted);
    let whole = columns_with((widths.exchange.clamp(MIN_NAME, most), most), width, widths, sorted);
    let displaces = |index| matches!(index, BID | ASK | UPDATED) && sorted != Some(index);
    let shown = layout(&whole, width, 0, widths);
    let is_better = |placed: &Placed| shown.shows(placed.index) || displaces(placed.index);
    if layout(&cut, width, 0, widths).columns().iter().all(is_better) { whole } else { cut }
}

/// The columns with names of exchanges between these widths.
fn columns_with((name, most): (u16, u16), width: u16, widths: Widths, sorted: Option<usize>) -> Columns {
    let (money, depth, share_most) = match widths.full {
        Some(full) => (full.volume.max(Money::WIDTH), full.depth.max(DEPTH), width / 3),
        None => (Money::WIDTH, DEPTH, 0),
    };
    let share = if widths.outliers { text::width(OUTLIER) } else { PERCENT };
    let price = (widths.whole + widths.fraction).max(6);
    let is_narrow = width < NARROW;
    let (name, pair) = if is_narrow { narrow_names(width, price) } else { (name, PAIR) };
    let bid = if width >= ROOMY { ("Bid depth", depth) } else { ("Bid/ask depth", 13) };
    let mut columns = [
        Column::words("Exchange", name, if is_narrow { 13 } else { 8 }).growing(most),
        Column::words("Pair", pair, 12).growing(widths.pair.clamp(16, 24)),
        Column::number("Price", price, 10),
        Column::number("Volume", money, 7),
        Column::number("Share", share, 6).growing(share_most),
        Column::number(bid.0, bid.1, 5),
        Column::number("Ask depth", depth, 5),
        Column::number("Updated", 8, 4),
    ];
    // In a narrow panel, it must not displace the price without being visible itself.
    let fits = |column: &&mut Column| !is_narrow || name + pair + column.width + 4 <= width;
    if let Some(column) = sorted.and_then(|index| columns.get_mut(index)).filter(fits) {
        column.priority = column.priority.max(11);
    }
    columns
}

/// The minimum widths of an exchange and a pair in a narrow panel, so that both fit beside the price.
fn narrow_names(width: u16, price: u16) -> (u16, u16) {
    let room = width.saturating_sub(price + 4);
    let pair = room.saturating_sub(4).clamp(7, PAIR);
    (room.saturating_sub(pair).clamp(3, MIN_NAME), pair)
}

/// The same columns, with two blanks between them as far as names and bars are wider than needed. Only depths fill their
/// columns.
fn spaced(mut columns: Columns, width: u16, position: usize, widths: Widths) -> Columns {
    let layout = layout(&columns, width, position, widths);
    if !layout.shows(BID) {
        return columns;
    }
    let pairs = layout.columns().iter().zip(layout.columns().iter().skip(1));
    let narrow_gaps = pairs.filter(|(left, right)| left.x + left.width + 1 >= right.x).count();
    let mut missing = u16::try_from(narrow_gaps).unwrap_or(u16::MAX);
    for (index, needed) in [(1, widths.pair), (0, widths.exchange), (SHARE, PERCENT + 1 + MIN_BAR)] {
        let placed = layout.columns().iter().find(|placed| placed.index == index);
        if let Some((placed, column)) = placed.zip(columns.get_mut(index)) {
            let less = placed.width.saturating_sub(needed.max(column.width)).min(missing);
            missing -= less;
            column.max_width = placed.width - less;
        }
    }
    columns
}

/// The layout in `width` columns, scrolled to `position`, without columns that have no value in any market.
fn layout(columns: &[Column], width: u16, position: usize, widths: Widths) -> Layout {
    Layout::scrolled(columns, width, (2, position), |index| match index {
        BID => widths.has_depth,
        ASK => widths.has_depth && width >= ROOMY,
        UPDATED => widths.full.is_some_and(|full| full.has_time),
        _ => true,
    })
}

/// Minimum width of the names of exchanges.
const MIN_NAME: u16 = 8;

/// Minimum width of a pair.
const PAIR: u16 = 9;

/// Columns of the panel on a screen of 40 columns. Narrower ones shorten the exchange instead of dropping it.
const NARROW: u16 = 38;

/// The column of the share.
const SHARE: usize = 4;

/// Minimum width of the bar of a share that makes room for blanks.
const MIN_BAR: u16 = 8;

/// The column of the bid depth, or of both depths if the ask depth has no separate column.
const BID: usize = 5;

/// The separate column of the ask depth.
const ASK: usize = 6;

/// Minimum width with a separate ask depth.
const ROOMY: u16 = 100;

/// Minimum width of a depth in its own column.
const DEPTH: u16 = 10;

/// The column of the last update.
const UPDATED: usize = 7;

/// The width of a share's percentage, next to its bar.
const PERCENT: u16 = 6;

/// The names of the columns, in the order of [`MarketColumn::ALL`].
const NAMES: [&str; 6] = ["exchange", "pair", "price", "volume", "share", "depth"];

/// Shown instead of the share of a market whose price is far from all others.
const OUTLIER: &str = "outlier";

/// The column widths that a token's markets need; they rarely change.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Widths {
    /// The name of an exchange.
    exchange: u16,
    /// The pair, with its kind unless it is a spot market.
    pair: u16,
    /// The part of a price before the decimal point.
    whole: u16,
    /// The part of a price from the decimal point on.
    fraction: u16,
    /// Whether there are outliers.
    outliers: bool,
    /// Whether any market has a depth.
    has_depth: bool,
    /// Set if the panel has the whole screen: amounts are not shortened.
    full: Option<FullWidths>,
}

/// The column widths of amounts that are not shortened.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct FullWidths {
    volume: u16,
    depth: u16,
    /// Whether any market has a time of its last update.
    has_time: bool,
    /// Maximum share of the volume in percent.
    share: f64,
}

impl FullWidths {
    fn of(pairs: &[MarketPair]) -> FullWidths {
        let sum = |sum: Option<f64>| text::width(&format_compact!("{}", FullMoney(sum)));
        pairs.iter().fold(FullWidths::default(), |widest, pair| FullWidths {
            volume: widest.volume.max(sum(pair.volume_24h)),
            depth: widest.depth.max(sum(pair.depth_minus_2pct)).max(sum(pair.depth_plus_2pct)),
            has_time: widest.has_time || pair.updated_at.is_some(),
            share: pair.volume_share_pct.map_or(widest.share, |share| share.max(widest.share)),
        })
    }
}

impl Widths {
    fn of(pairs: &[MarketPair], is_full: bool) -> Widths {
        let mut text = String::new();
        let full = is_full.then(|| FullWidths::of(pairs));
        pairs.iter().fold(Widths { full, ..Widths::default() }, |widest, pair| {
            text.clear();
            let _ = write!(text, "{}", PriceIn(&pair.convert, pair.price));
            let whole = text.find('.').and_then(|at| text.get(..at)).map_or(text::width(&text), text::width);
            let fraction = text::width(&text) - whole;
            let marked = text::width(&pair.pair) + kind(pair).map_or(0, |kind| 1 + text::width(kind));
            Widths {
                exchange: widest.exchange.max(pair.exchange.as_deref().map_or(0, text::width)),
                pair: widest.pair.max(marked),
                whole: widest.whole.max(whole),
                fraction: widest.fraction.max(fraction),
                outliers: widest.outliers || pair.outlier == Some(true),
                has_depth: widest.has_depth || pair.depth_minus_2pct.or(pair.depth_plus_2pct).is_some(),
                full,
            }
        })
    }
}

/// The kind of market in one word; `None` for a spot market.
fn kind(pair: &MarketPair) -> Option<&str> {
    /// Prefixes of the services' categories.
    const KINDS: [(&str, &str); 5] =
        [("deriv", "deriv"), ("perp", "perp"), ("swap", "perp"), ("future", "future"), ("option", "option")];
    let category = pair.category.as_deref().filter(|category| !category.eq_ignore_ascii_case("spot"))?;
    let begins = |with: &str| category.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    Some(KINDS.iter().find(|(with, _)| begins(with)).map_or(category, |(_, kind)| kind))
}

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let PanelContext { state, token, appearance, .. } = context;
    let theme = &appearance.theme;
    let remote = state.responses.market_pairs(&token.markets_request(&state.convert));
    let loaded = remote.value.map_or(0, |page| page.items.len() as u64);
    let count = remote.value.and_then(|page| page.total).unwrap_or(0).max(loaded);
    let mut bad = remote.value.map(|_| context.explained.health(remote, state)).filter(|health| health.is_bad);
    let pair = remote.value.and_then(|page| page.items.first()).filter(|pair| pair.convert != state.convert);
    if let Some(pair) = pair {
        let more = bad.map(|bad| format!(" · {}", bad.text)).unwrap_or_default();
        bad = Some(Health { text: format!("in {}{more}", pair.convert), is_bad: true });
    }
    let (column, descending) = token.market_sort;
    let sorted = MarketColumn::ALL.iter().position(|c| *c == column);
    let is_full = context.is_alone() && area.width >= TWO_COLUMNS;
    let widths = remote.value.map_or_else(Widths::default, |page| Widths::of(&page.items, is_full));
    // The default order doesn't displace more useful columns.
    let chosen = sorted.filter(|_| token.market_sort != (MarketColumn::Volume, true));
    let position = state.panel_scroll.position(Panel::Markets);
    let columns = spaced(columns(area.width, widths, chosen), area.width, position, widths);
    let layout = layout(&columns, area.width, position, widths);
    view_state.scroll_limit(Panel::Markets, &layout);
    // Name the sort column if it is not visible.
    let order = match sorted.and_then(|index| NAMES.get(index).filter(|_| !layout.shows(index))) {
        Some(name) => format!("  by {name} {}", if descending { "▾" } else { "▴" }),
        None => String::new(),
    };
    let name = match loaded {
        0 => format!("Markets{order}"),
        _ if count > loaded => {
            let whole = format!("Markets  {} of {}{order}", Count(loaded), Count(count));
            if text::width(&whole) <= area.width { whole } else { format!("Markets  {}{order}", Count(count)) }
        }
        _ => format!("Markets  {}{order}", Count(count)),
    };
    let note = remote.value.and_then(|page| page.items.first()).filter(|_| bad.is_none()).map(|pair| {
        let depth = match appearance.glyphs {
            _ if !layout.shows(BID) => "",
            Glyphs::Unicode => " · ±2% depth",
            // A single character like `~` would have another meaning.
            Glyphs::Ascii => " · +/-2% depth",
        };
        format!("in {}{depth}", pair.convert)
    });
    let focused = context.is_focused(Panel::Markets);
    let title = PanelTitle::new(&name).focused(focused).theme(theme);
    let title = note.as_ref().map_or(title, |note| title.right(note, theme.dim));
    let source = health::source(remote, state.now).unwrap_or_default();
    let place = health::title(buf, area, title.source(&source), bad.as_ref(), theme);
    let Some(page) = remote.value else {
        return context.explained.missing(buf, place, (Group::Market, remote), "markets", state, theme);
    };
    if page.items.is_empty() {
        return Placeholder::empty("No markets").theme(theme).render(place, buf);
    }
    for placed in layout.columns().iter().filter(|placed| placed.index != UPDATED) {
        let cell = Rect { width: placed.width + 1, ..text::shifted(text::line(place, 0), placed.x) };
        let column = if placed.index == ASK { BID } else { placed.index };
        view_state.target(cell, Target::Heading(Some(Panel::Markets), column));
    }
    let direction = if descending { Direction::Descending } else { Direction::Ascending };
    let bar = if focused { theme.selection } else { theme.selection_idle };
    let len = token.market_count();
    let table = Table::new(&columns, len, |index, row| {
        if let Some(pair) = token.market(&page.items, index) {
            paint_pair(row, pair, widths, context);
        }
    });
    let table = table.layout(&layout).sort(sorted.map(|index| (index, direction))).selection(bar).theme(theme);
    let rows = table.rows(place);
    let mut table_state =
        view_state.table(Screen::Token, Some(Panel::Markets), len, Some(token.markets.index()), rows.height);
    table.render(place, buf, &mut table_state);
    for (row, index) in (0..).zip(table_state.visible(len, usize::from(rows.height))) {
        view_state.target(text::line(rows, row), Target::Row(Some(Panel::Markets), index));
    }
    if remote.is_stale(state.now) {
        health::fade(buf, rows);
    }
    table::scrollbar(buf, rows, table_state.offset, len, theme);
}

/// Paints a market. Outliers, whose price is unreliable, and derivatives are marked.
fn paint_pair(row: &mut Row<'_>, pair: &MarketPair, widths: Widths, context: &PanelContext<'_>) {
    let theme = &context.appearance.theme;
    let is_outlier = pair.outlier == Some(true);
    let place = |column: MarketColumn| MarketColumn::ALL.iter().position(|c| *c == column).unwrap_or(0);
    row.words(place(MarketColumn::Exchange), pair.exchange.as_deref().unwrap_or(ABSENT), theme.text);
    match kind(pair) {
        None => row.cell(place(MarketColumn::Pair), |buf, cell| {
            text::put(buf, cell, &short_pair(&pair.pair, cell.width), theme.text);
        }),
        Some(kind) => row.cell(place(MarketColumn::Pair), |buf, cell| {
            let used = text::put(buf, cell, &short_pair(&pair.pair, cell.width), theme.dim) + 1;
            if used + text::width(kind) <= cell.width {
                text::put(buf, text::shifted(cell, used), kind, theme.dim);
            }
        }),
    }
    row.decimal(
        place(MarketColumn::Price),
        widths.fraction.saturating_sub(1),
        PriceIn(&pair.convert, pair.price),
        if is_outlier { theme.warn } else { theme.strong },
    );
    row.number(place(MarketColumn::Volume), Sum(pair.volume_24h, widths), theme.text);
    row.cell(place(MarketColumn::Share), |buf, cell| paint_share(buf, cell, pair, widths.full, theme));
    // Bids are down to 2 % below the price, asks up to 2 % above it.
    let [bid, ask] = [pair.depth_minus_2pct, pair.depth_plus_2pct].map(|depth| Sum(depth, widths));
    if row.layout.shows(ASK) {
        row.number(BID, bid, theme.dim);
        row.number(ASK, ask, theme.dim);
    } else if bid.0.or(ask.0).is_some() {
        row.number(BID, format_args!("{bid}/{ask}"), theme.dim);
    } else {
        row.number(BID, ABSENT, theme.dim);
    }
    match pair.updated_at {
        Some(at) => row.number(UPDATED, Age(context.state.now.since(at)), theme.dim),
        None => row.number(UPDATED, ABSENT, theme.dim),
    }
}

/// The pair in at most `columns`, if its base can be shortened to fit: the quote tells the pairs of a coin apart. A pair
/// whose quote is the longer symbol is returned whole, and cut at its end.
fn short_pair(pair: &str, columns: u16) -> Cow<'_, str> {
    /// One character and `…`.
    const MIN_BASE: u16 = 2;
    if text::width(pair) <= columns {
        return Cow::Borrowed(pair);
    }
    let Some((base, quote)) = pair.split_once('/') else { return Cow::Borrowed(pair) };
    let quote_width = text::width(quote);
    match columns.checked_sub(quote_width.saturating_add(1)) {
        Some(room) if room >= MIN_BASE && text::width(base) > quote_width => {
            Cow::Owned(format!("{}/{quote}", text::shortened(base, room)))
        }
        _ => Cow::Borrowed(pair),
    }
}

/// The percentage, after a bar if there is room. The bar of the largest share fills its cell.
fn paint_share(buf: &mut Buffer, cell: Rect, pair: &MarketPair, full: Option<FullWidths>, theme: &Theme) {
    if pair.outlier == Some(true) {
        text::put_right(buf, cell, OUTLIER, theme.warn);
        return;
    }
    if let (Some(share), Some(full)) = (pair.volume_share_pct, full) {
        let bar = Rect { width: cell.width.saturating_sub(PERCENT + 1), ..cell };
        ShareBar::new(Some(share / full.share)).bare().theme(theme).render(bar, buf);
    }
    let percent = text::shifted(cell, cell.width.saturating_sub(PERCENT));
    text::number(buf, percent, &format_compact!("{}", Share(pair.volume_share_pct)), theme.dim);
}

/// An amount, shortened unless the panel has the whole screen.
#[derive(Clone, Copy)]
struct Sum(Option<f64>, Widths);

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1.full {
            Some(_) => FullMoney(self.0).fmt(f),
            None => Money(self.0).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_of_a_long_pair_is_shortened() {
        for (pair, columns, shown) in [
            ("ORDI/USDT", 9, "ORDI/USDT"),
            ("THEMOSTANNOYING/USDT", 16, "THEMOSTANN…/USDT"),
            ("THEMOSTANNOYING/USDC", 16, "THEMOSTANN…/USDC"),
            ("THEMOSTANNOYING/USD", 16, "THEMOSTANNO…/USD"),
            ("THEMOSTANNOYING/USDT", 7, "T…/USDT"),
            ("日本語の通貨/USDT", 10, "日本…/USDT"),
            // These are cut at their end.
            ("THEMOSTANNOYING/USDT", 6, "THEMOSTANNOYING/USDT"),
            ("USDT/THEMOSTANNOYING", 18, "USDT/THEMOSTANNOYING"),
            ("THEMOSTANNOYINGUSDT", 16, "THEMOSTANNOYINGUSDT"),
        ] {
            assert_eq!(short_pair(pair, columns), shown, "{columns}");
        }
    }
}
