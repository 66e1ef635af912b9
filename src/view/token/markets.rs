//! The markets panel: the market pairs of the token.

mod columns;
mod kind;
mod row;
mod widths;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::panel_context::{PanelContext, TWO_COLUMNS};
use crate::app::ClickTarget;
use crate::app::panel::Panel;
use crate::app::panel::cells::MarketCell;
use crate::app::screen::token::{MarketColumn, MarketSort};
use crate::client::Group;
use crate::format::Count;
use crate::glyphs::Glyphs;
use crate::view::chrome::health::{self, Missing};
use crate::view::view_state::{TableScreen, ViewState};
use crate::view::widgets::table::{self, Direction, SortMark};
use crate::view::widgets::{PanelTitle, Placeholder, Table, text};
use columns::{cell_of, columns, layout, spaced};
use row::paint_pair;
use widths::Widths;

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let PanelContext { state, token, appearance, .. } = context;
    let theme = &appearance.theme;
    let remote = state.responses.market_pairs(&token.markets_request(&state.convert));
    let loaded = remote.value.map_or(0, |page| page.items.len() as u64);
    let count = remote.value.and_then(|page| page.total).unwrap_or(0).max(loaded);
    let mut bad = remote.value.map(|_| context.explained.health(remote, state)).filter(|health| health.is_bad);
    let pair = remote.value.and_then(|page| page.items.first()).filter(|pair| pair.convert != state.convert);
    if let Some(pair) = pair {
        bad = Some(bad.unwrap_or_default().in_currency(pair.convert.as_str()));
    }
    let MarketSort { column, descending } = token.market_sort;
    let sorted = cell_of(column);
    let is_full = context.is_alone() && area.width >= TWO_COLUMNS;
    let widths = remote.value.map_or_else(Widths::default, |page| Widths::of(&page.items, is_full));
    // The default order doesn't displace more useful columns.
    let chosen = Some(sorted).filter(|_| token.market_sort != MarketSort::default());
    let position = state.panel_scroll.position(Panel::Markets);
    let columns = spaced(columns(area.width, widths, chosen), area.width, position, widths);
    let layout = layout(&columns, area.width, position, widths);
    view_state.scroll_limit(Panel::Markets, &layout);
    // Name the sort column if it is not visible.
    let order = if layout.shows(sorted) {
        String::new()
    } else {
        format!("  by {} {}", column.title(), if descending { "▾" } else { "▴" })
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
            _ if !layout.shows(MarketCell::Bid) => "",
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
        let missing = Missing::new(remote, "markets", state, theme).of(Group::Market);
        return context.explained.missing(buf, place, &missing);
    };
    if page.items.is_empty() {
        return Placeholder::empty("No markets").theme(theme).render(place, buf);
    }
    for placed in layout.columns() {
        // Both depths are sorted by the smaller one.
        let head = match MarketCell::ALL.get(placed.index) {
            Some(MarketCell::Ask) => Some(MarketCell::Bid),
            head => head.copied(),
        };
        if let Some(by) = MarketColumn::ALL.iter().position(|by| Some(cell_of(*by)) == head) {
            let cell = Rect { width: placed.width + 1, ..text::shifted(text::line(place, 0), placed.x) };
            view_state.target(cell, ClickTarget::Heading(Some(Panel::Markets), by));
        }
    }
    let sort = SortMark::new(sorted, Direction::of(descending));
    let bar = if focused { theme.selection } else { theme.selection_idle };
    let len = token.market_count();
    let table = Table::new(&columns, len, |index, row| {
        if let Some(pair) = token.market(&page.items, index) {
            paint_pair(row, pair, widths, context);
        }
    });
    let table = table.layout(&layout).sort(Some(sort)).selection(bar).theme(theme);
    let rows = table.rows(place);
    let mut table_state =
        view_state.table(TableScreen::Token, Some(Panel::Markets), len, Some(token.markets.index()), rows.height);
    table.render(place, buf, &mut table_state);
    for (row, index) in (0..).zip(table_state.visible(len, usize::from(rows.height))) {
        view_state.row(text::line(rows, row), (Some(Panel::Markets), index), token.market(&page.items, index));
    }
    if remote.is_stale(state.now) {
        health::fade(buf, rows);
    }
    table::scrollbar(buf, rows, table_state.offset, len, theme);
}
