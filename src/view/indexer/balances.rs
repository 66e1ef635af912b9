//! The balances of an address.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::fitting;
use super::listing::Listing;
use super::scene::Scene;
use crate::app::panel::Panel;
use crate::format::ABSENT;
use crate::view::memo::Memo;
use crate::view::widgets::table::Column;
use crate::view::widgets::text;

const TICKER: usize = 0;
const OVERALL: usize = 1;
const AVAILABLE: usize = 2;
const TRANSFERABLE: usize = 3;

const COLUMNS: [Column; 4] = [
    Column::words("Ticker", 8, 9).growing(16),
    Column::number("Balance", 26, 8),
    Column::number("Available", 26, 6),
    Column::number("Transferable", 20, 5),
];

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>, memo: &mut Memo) {
    let theme = &scene.look.theme;
    let Some(list) = scene.screen.balance_list(&scene.state.store) else { return };
    let listing = Listing {
        panel: Panel::Balances,
        name: "BRC-20 balances",
        actual: None,
        items: "balances",
        // Indexers return an empty list for any text, so this says nothing about the address.
        none: "No BRC-20 balance",
        list,
        sub_list: &scene.screen.balances,
        columns: &COLUMNS,
        sort: None,
    };
    listing.paint(buf, area, scene, memo, |row, balance| {
        row.words(TICKER, balance.ticker.as_deref().unwrap_or(ABSENT), theme.strong);
        for (column, amount, style) in [
            (OVERALL, balance.overall, theme.strong),
            (AVAILABLE, balance.available, theme.text),
            (TRANSFERABLE, balance.transferable, theme.dim),
        ] {
            row.cell(column, |buf, cell| text::number(buf, cell, &fitting(amount, cell.width), style));
        }
    });
}
