//! The table of holdings, with the lots of those that are expanded.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::StatefulWidget;

use super::addresses;
use super::columns::{ValueFormat, columns, comparison_gap, show_hidden_sort};
use super::holding_rows::{paint_holding, paint_lot};
use crate::app::ClickTarget;
use crate::app::State;
use crate::app::panel::Panel;
use crate::app::panel::cells::HoldingCell;
use crate::app::screen::wallet::holdings::LineKind;
use crate::app::screen::wallet::order::{HoldingSort, Order};
use crate::view::area::below;
use crate::view::chrome::health;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::{TableScreen, ViewState};
use crate::view::widgets::table::{Direction, Layout, SortMark};
use crate::view::widgets::{Table, text};

/// How many rows the table needs, with its heading.
pub(super) fn height(state: &State) -> u16 {
    rows(state, 1)
}

/// How many rows the table needs with so many lines of each row.
fn rows(state: &State, lines: u16) -> u16 {
    u16::try_from(state.wallet.held_lines()).unwrap_or(u16::MAX).saturating_mul(lines).saturating_add(1)
}

/// Minimum width of the table for rows of two lines.
const TALL_WIDTH: u16 = 70;

/// The lines of each row: two if there is room for them and for `others` rows below.
pub(super) fn lines(area: Rect, others: u16, state: &State) -> u16 {
    let has_room = rows(state, 2).saturating_add(others) <= area.height;
    if area.width >= TALL_WIDTH && has_room { 2 } else { 1 }
}

/// How many rows the table needs with rows of this height.
pub(super) fn height_of(lines: u16, state: &State) -> u16 {
    rows(state, lines)
}

/// Paints the table, with rows of this many lines.
pub(super) fn paint(buf: &mut Buffer, area: Rect, lines: u16, context: PaintContext<'_>, view_state: &mut ViewState) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let (wallet, holdings) = (&state.wallet, state.wallet.holdings());
    let columns = columns(area.width, &state.convert, !state.comparison.coins().is_empty());
    let has_notes = holdings.lots().iter().any(|lot| lot.note.is_some())
        || holdings.addresses().iter().any(|held| held.tokens.iter().flatten().any(addresses::has_transferable));
    let has_trends = !state.wallet.value_chart().points.is_empty();
    let position = state.panel_scroll.position(Panel::Holdings);
    let layout = Layout::scrolled(&columns, area.width, (1, position), |index| match HoldingCell::ALL.get(index) {
        Some(HoldingCell::Note) => has_notes,
        Some(HoldingCell::Trend) => has_trends,
        _ => true,
    });
    view_state.scroll_limit(Panel::Holdings, &layout);
    let len = wallet.held_lines();
    let selected = Some(wallet.cursor.index()).filter(|index| *index < len);
    let head = u16::from(area.height > 1);
    let place = below(area, head);
    let values = ValueFormat::new(state);
    let table = Table::new(&columns, len, |index, cells| match wallet.lines().get(index).map(|line| line.kind) {
        Some(LineKind::Holding(index)) => {
            if let Some(holding) = holdings.holding(index) {
                paint_holding(cells, holding, holdings, values, context);
                if holdings.coin(holding).is_some_and(|coin| coin.has_old_price) {
                    health::fade(cells.buf, cells.area);
                }
            }
        }
        Some(LineKind::Lot(index, lot)) => {
            if let Some((holding, lot)) = holdings.holding(index).zip(holdings.lot_of(index, lot)) {
                paint_lot(cells, holding, lot, values, context);
            }
        }
        Some(LineKind::Address(index)) => {
            if let Some(address) = holdings.addresses().get(index) {
                addresses::paint_address(cells, address, holdings, values, context);
            }
        }
        Some(LineKind::Unvalued(index, place)) => {
            if let Some(token) = holdings.addresses().get(index).and_then(|held| held.tokens.as_ref()?.get(place)) {
                addresses::paint_unvalued(cells, token, state, appearance);
            }
        }
        Some(LineKind::Watched(_)) | None => {}
    });
    // Without a selection, the scroll position is kept.
    let rows = place.height / lines;
    let mut table_state = view_state.table(TableScreen::Wallet, Some(Panel::Holdings), len, selected, rows);
    let visible = table_state.visible(len, usize::from(rows));
    let table = table.head(head > 0).layout(&layout).row_height(lines, 0).selection(theme.selection).theme(theme);
    let order = holdings.order().0;
    table.sort(sort_mark(order)).scrollbar().render(area, buf, &mut table_state);
    if head > 0 && position == 0 {
        let line = text::line(area, 0);
        let gap = comparison_gap(&layout, line, state);
        show_hidden_sort(buf, line, &layout, order.by, sort_mark(order), gap, theme);
    }
    for (row, index) in (0..).zip(visible) {
        let area = Rect { y: place.y + row * lines, height: lines, ..place };
        view_state.row(area, (None, index), wallet.lines().get(index));
    }
    for placed in layout.columns().iter().filter(|_| head > 0) {
        let sorted = HoldingCell::ALL.get(placed.index).and_then(|cell| order_of(*cell));
        let by = Order::ALL.iter().position(|order| Some(*order) == sorted);
        if let (Some(by), Some(cell)) = (by, layout.cell(text::line(area, 0), placed.index)) {
            view_state.target(cell, ClickTarget::Heading(Some(Panel::Holdings), by));
        }
    }
}

/// The sort key of a click on a column's heading.
fn order_of(cell: HoldingCell) -> Option<Order> {
    match cell {
        HoldingCell::Name => Some(Order::Name),
        HoldingCell::Price => Some(Order::Price),
        // The order by share is that by value.
        HoldingCell::Value | HoldingCell::Share => Some(Order::Value),
        HoldingCell::Day => Some(Order::Change),
        HoldingCell::Profit => Some(Order::Profit),
        HoldingCell::ProfitPct => Some(Order::ProfitPct),
        HoldingCell::Symbol | HoldingCell::Amount | HoldingCell::Trend | HoldingCell::Note => None,
    }
}

/// The mark in the heading; `None` for the manual order.
fn sort_mark(order: HoldingSort) -> Option<SortMark> {
    let sorted = HoldingCell::ALL.into_iter().find(|cell| order_of(*cell) == Some(order.by))?;
    Some(SortMark::new(sorted, direction(order)))
}

/// The direction of an order that isn't manual.
pub(super) fn direction(order: HoldingSort) -> Direction {
    let is_ascending = (order.by == Order::Name) != order.is_reversed;
    Direction::of(!is_ascending)
}
