//! The balances of an address.

use std::collections::HashMap;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::{self, needed};
use super::listing::Listing;
use super::panel_context::PanelContext;
use super::prices;
use crate::app::pages::PagedList;
use crate::app::panel::Panel;
use crate::app::panel::cells::BalanceCell;
use crate::app::screen::indexer::{BalanceColumn, BalanceSort};
use crate::format::{ABSENT, Count, HIDDEN, Money, MoneyIn, with_currency};
use crate::model::{Amount, Balance, Coin, Currency, Text};
use crate::view::view_state::ViewState;
use crate::view::widgets::table::{Column, Direction, SortMark};
use crate::view::widgets::text;

fn columns() -> [Column; BalanceCell::COUNT] {
    BalanceCell::ALL.map(|cell| match cell {
        BalanceCell::Ticker => Column::words("Ticker", 8, 9).growing(16),
        BalanceCell::Overall => Column::number("Balance", 26, 8),
        BalanceCell::Value => Column::number("Value", 9, 7).growing(12),
        BalanceCell::Available => Column::number("Available", 26, 6),
        BalanceCell::Transferable => Column::number("Transferable", 20, 5),
    })
}

/// The name of the list.
const TITLE: &str = "BRC-20 balances";

/// The priority of the sort column: as high as the ticker's.
const SORTED: u8 = 9;

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let theme = &context.appearance.theme;
    let Some(list) = context.screen.balance_list(&context.state.responses) else { return };
    let tokens = context.screen.token_list(&context.state.responses);
    let deploys: HashMap<Text, &str> = tokens
        .iter()
        .filter_map(|token| Some((token.ticker.to_lowercase(), token.inscription_id.as_deref()?)))
        .collect();
    let coin_of = |balance: &Balance| {
        let ticker = balance.ticker.as_deref()?;
        context.prices.coin(ticker, deploys.get(ticker.to_lowercase().as_str()).copied())
    };
    let sort = context.screen.balance_sort.map(mark);
    let mut columns = columns();
    for cell in [BalanceCell::Overall, BalanceCell::Available, BalanceCell::Transferable] {
        if let Some(column) = columns.get_mut(usize::from(cell)) {
            // Beside the ticker on a narrow screen.
            column.width = column.width.min(area.width.saturating_sub(11).max(9));
            column.max_width = column.width;
        }
    }
    if let Some(column) = sort.and_then(|sort| columns.get_mut(sort.column)) {
        column.priority = SORTED;
    }
    let request = context.screen.balances_request().map(|page| page(0));
    let mut keep = |cell: BalanceCell, amount: fn(&Balance) -> Option<Amount>| {
        let rows = (request.clone(), list.order());
        view_state.keep_amounts((Panel::Balances, cell.into()), rows, || needed(list.iter().map(amount)))
    };
    let overall = keep(BalanceCell::Overall, |balance| balance.overall);
    let available = keep(BalanceCell::Available, |balance| balance.available);
    let transferable = keep(BalanceCell::Transferable, |balance| balance.transferable);
    // The rest is loading, or beyond the page limit.
    let partial = list.is_order_partial().then(|| format!(" · {} loaded", Count(list.len() as u64)));
    let used = text::width(TITLE) + partial.as_deref().map_or(0, text::width);
    let hides = context.hides_amounts;
    let total = total(&list, coin_of, hides, area.width.saturating_sub(used));
    let notes: Vec<String> = partial.into_iter().chain(total).collect();
    let listing = Listing {
        panel: Panel::Balances,
        name: TITLE,
        actual: None,
        notes: &notes,
        items: "balances",
        // Indexers return an empty list for any text, so this says nothing about the address.
        none: "No BRC-20 balance",
        list,
        selected: Some(context.screen.balances.cursor.index()),
        columns: &columns,
        sort,
        headings: &BalanceColumn::ALL.map(|by| usize::from(heading(by))),
    };
    listing.paint(buf, area, context, view_state, |row, balance| {
        row.words(BalanceCell::Ticker, balance.ticker.as_deref().unwrap_or(ABSENT), theme.strong);
        row.cell(BalanceCell::Value, |buf, cell| {
            prices::value(buf, cell, balance.overall, coin_of(balance), context, theme.text);
        });
        for (column, amount, needed, style) in [
            (BalanceCell::Overall, balance.overall, overall, theme.strong),
            (BalanceCell::Available, balance.available, available, theme.text),
            (BalanceCell::Transferable, balance.transferable, transferable, theme.dim),
        ] {
            row.cell(column, |buf, cell| match amount {
                Some(_) if hides => text::number(buf, cell, HIDDEN, style),
                _ => amounts::paint(buf, cell, amount, needed, style),
            });
        }
    });
}

/// A note with the total value of the balances that have a price, and their number unless all have one: ` · $110,250 (2
/// of 6 priced)`, ` · •••` while it is hidden. The sum is compact if `room` is too small for the number of balances and
/// the note. `None` without a price, or while the prices are in several currencies.
fn total<'a>(
    list: &PagedList<'_, Balance>,
    coin: impl Fn(&Balance) -> Option<&'a Coin>,
    hides: bool,
    room: u16,
) -> Option<String> {
    let value = |balance: &Balance| {
        let coin = coin(balance)?;
        Some((&coin.convert, balance.overall?.to_f64() * coin.price?))
    };
    let values: Vec<(&Currency, f64)> = list.iter().filter_map(value).collect();
    let (currency, _) = *values.first()?;
    if values.iter().any(|(other, _)| *other != currency) {
        return None;
    }
    let sum: f64 = values.iter().map(|(_, value)| value).sum();
    let (priced, all) = (values.len() as u64, list.total().unwrap_or(0).max(list.len() as u64));
    let more = if list.total().is_none() && list.has_more() { "+" } else { "" };
    let is_whole = priced == all && more.is_empty();
    let share = if is_whole { String::new() } else { format!(" ({} of {}{more} priced)", Count(priced), Count(all)) };
    if hides {
        return Some(format!(" · {HIDDEN}{share}"));
    }
    let sign = currency.sign().map_or_else(|| format!("{currency} "), str::to_owned);
    let note = |sum: &str| format!(" · {}{share}", with_currency(&sign, sum));
    let long = note(&MoneyIn(currency, sum).to_string());
    let count = format!("  {}{more}", Count(all));
    let fits = text::width(&count) + text::width(&long) <= room;
    // In bitcoin, the digits of a compact amount are too few.
    Some(if fits || currency.is_valuable() { long } else { note(&Money(Some(sum)).to_string()) })
}

/// The column on the screen of a sort column.
fn heading(by: BalanceColumn) -> BalanceCell {
    match by {
        BalanceColumn::Ticker => BalanceCell::Ticker,
        BalanceColumn::Balance => BalanceCell::Overall,
        BalanceColumn::Value => BalanceCell::Value,
        BalanceColumn::Available => BalanceCell::Available,
        BalanceColumn::Transferable => BalanceCell::Transferable,
    }
}

/// The mark in the heading.
fn mark(sort: BalanceSort) -> SortMark {
    SortMark::new(heading(sort.column), Direction::of(sort.descending))
}
