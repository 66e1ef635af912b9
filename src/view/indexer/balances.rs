//! The balances of an address.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::fitting;
use super::listing::Listing;
use super::panel_context::PanelContext;
use super::prices;
use crate::app::panel::Panel;
use crate::format::ABSENT;
use crate::view::view_state::ViewState;
use crate::view::widgets::table::Column;
use crate::view::widgets::text;

const TICKER: usize = 0;
const OVERALL: usize = 1;
const VALUE: usize = 2;
const AVAILABLE: usize = 3;
const TRANSFERABLE: usize = 4;

const COLUMNS: [Column; Panel::Balances.columns()] = [
    Column::words("Ticker", 8, 9).growing(16),
    Column::number("Balance", 26, 8),
    Column::number("Value", 9, 7).growing(12),
    Column::number("Available", 26, 6),
    Column::number("Transferable", 20, 5),
];

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let theme = &context.appearance.theme;
    let Some(list) = context.screen.balance_list(&context.state.responses) else { return };
    let tokens = context.screen.token_list(&context.state.responses);
    let listing = Listing {
        panel: Panel::Balances,
        name: "BRC-20 balances",
        actual: None,
        notes: &[],
        items: "balances",
        // Indexers return an empty list for any text, so this says nothing about the address.
        none: "No BRC-20 balance",
        list,
        selected: Some(context.screen.balances.cursor.index()),
        columns: &COLUMNS,
        sort: None,
        headings: &[],
    };
    listing.paint(buf, area, context, view_state, |row, balance| {
        row.words(TICKER, balance.ticker.as_deref().unwrap_or(ABSENT), theme.strong);
        row.cell(VALUE, |buf, cell| {
            let ticker = balance.ticker.as_deref();
            let known = |ticker| tokens.iter().find(|token| token.ticker.eq_ignore_ascii_case(ticker));
            let inscription = |ticker| known(ticker).and_then(|token| token.inscription_id.as_deref());
            let coin = ticker.and_then(|ticker| context.prices.coin(ticker, inscription(ticker)));
            prices::value(buf, cell, balance.overall, coin, context, theme.text);
        });
        for (column, amount, style) in [
            (OVERALL, balance.overall, theme.strong),
            (AVAILABLE, balance.available, theme.text),
            (TRANSFERABLE, balance.transferable, theme.dim),
        ] {
            row.cell(column, |buf, cell| text::number(buf, cell, &fitting(amount, cell.width), style));
        }
    });
}
