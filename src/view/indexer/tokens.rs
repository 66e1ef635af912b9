//! The BRC-20 tokens.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::{self, needed, shortened, widen};
use super::listing::Listing;
use super::panel_context::PanelContext;
use super::prices;
use crate::app::pages::PagedList;
use crate::app::panel::Panel;
use crate::app::panel::cells::TokenCell;
use crate::app::screen::IndexerScreen;
use crate::app::screen::indexer::{TokenColumn, TokenSort};
use crate::format::{ABSENT, Change, Count, Day, Share, with_separators};
use crate::model::{Amount, Brc20Token};
use crate::view::view_state::ViewState;
use crate::view::widgets::table::{Column, Direction, SortMark};
use crate::view::widgets::text;

fn columns() -> [Column; TokenCell::COUNT] {
    TokenCell::ALL.map(|cell| match cell {
        TokenCell::Ticker => Column::words("Ticker", 8, 9).growing(12),
        TokenCell::Price => Column::number("Price", 9, 8).growing(11),
        TokenCell::Change => Column::number("24h", 7, 6),
        TokenCell::Minted => Column::number("Minted", 6, 8),
        TokenCell::Supply => Column::number("Supply", 9, 6).growing(26),
        TokenCell::Events => Column::number("Events", 7, 7),
        TokenCell::Limit => Column::number("Mint limit", 10, 3).growing(26),
        TokenCell::Deployed => Column::number("Deployed", 11, 4),
        TokenCell::Number => Column::number("Number", 11, 1),
        TokenCell::Deployer => Column::words("Deployer", 14, 2).growing(62),
    })
}

/// The priority of the sort column: as high as the ticker's.
const SORTED: u8 = 9;

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, view_state: &mut ViewState) {
    let theme = &context.appearance.theme;
    let zone = &context.state.preferences.zone;
    let none = match context.screen.filter.value().trim() {
        "" => "No BRC-20 tokens",
        _ => "No ticker with this prefix",
    };
    let sort = mark(context.screen.sort);
    let mut columns = columns();
    // The default order doesn't displace more useful columns.
    let chosen = Some(sort).filter(|_| context.screen.sort.column != TokenColumn::Events);
    if let Some(column) = chosen.and_then(|sort| columns.get_mut(sort.column)) {
        column.priority = SORTED;
    }
    let list = context.screen.token_list(&context.state.responses);
    let request = context.screen.tokens_request()(0);
    let mut keep = |cell: TokenCell, amount: fn(&Brc20Token) -> Option<Amount>| {
        let index = usize::from(cell);
        let rows = (Some(request.clone()), list.order());
        let needed = view_state.keep_amounts((Panel::Tokens, index), rows, || needed(list.iter().map(amount)));
        widen(&mut columns, index, needed, area.width);
        needed
    };
    let supply = keep(TokenCell::Supply, |token| token.max_supply);
    let limit = keep(TokenCell::Limit, |token| token.mint_limit);
    let listing = Listing {
        panel: Panel::Tokens,
        name: "Tokens",
        actual: None,
        notes: &[],
        items: "tokens",
        none,
        selected: selected(context.screen, &list),
        list,
        columns: &columns,
        sort: Some(sort),
        headings: &TokenColumn::ALL.map(|by| usize::from(heading(by))),
    };
    listing.paint(buf, area, context, view_state, |row, token| {
        row.words(TokenCell::Ticker, &token.ticker, theme.strong);
        let coin = context.prices.of_token(token);
        row.cell(TokenCell::Price, |buf, cell| prices::price(buf, cell, coin, context));
        let change = coin.and_then(|coin| coin.change_24h_pct);
        row.number(TokenCell::Change, Change(change), theme.change(change));
        let minted = token.minted_supply.zip(token.max_supply).and_then(|(minted, most)| minted.ratio(most));
        // Tokens that can still be minted stand out.
        let style = if minted.is_some_and(|share| share < 1.0) { theme.text } else { theme.dim };
        row.number(TokenCell::Minted, Share(minted.map(|share| share * 100.0)), style);
        row.cell(TokenCell::Supply, |buf, cell| {
            amounts::paint(buf, cell, token.max_supply, supply, theme.text);
        });
        match token.tx_count {
            Some(count) => row.number(TokenCell::Events, Count(count), theme.dim),
            None => row.number(TokenCell::Events, ABSENT, theme.dim),
        }
        row.cell(TokenCell::Limit, |buf, cell| {
            amounts::paint(buf, cell, token.mint_limit, limit, theme.text);
        });
        match token.deployed_at {
            Some(time) => {
                let day = zone.at(time);
                row.number(TokenCell::Deployed, format_args!("{} {}", Day(day), day.year()), theme.dim);
            }
            None => row.number(TokenCell::Deployed, ABSENT, theme.dim),
        }
        match token.inscription_number {
            Some(number) => row.number(TokenCell::Number, with_separators(&number.to_string()), theme.dim),
            None => row.number(TokenCell::Number, ABSENT, theme.dim),
        }
        row.cell(TokenCell::Deployer, |buf, cell| {
            text::put(buf, cell, &shortened(token.deployer.as_deref().unwrap_or(ABSENT), cell.width), theme.dim);
        });
    });
}

/// The row that stands out: the selected one, or while a lookup is shown and has the focus, the row of its token.
fn selected(screen: &IndexerScreen, list: &PagedList<'_, Brc20Token>) -> Option<usize> {
    if screen.trail.is_empty() || screen.focus == Panel::Tokens {
        return Some(screen.tokens.cursor.index());
    }
    let shown = screen.token()?;
    list.iter().position(|token| token.ticker.eq_ignore_ascii_case(&shown))
}

/// The column on the screen of a sort column.
fn heading(by: TokenColumn) -> TokenCell {
    match by {
        TokenColumn::Ticker => TokenCell::Ticker,
        TokenColumn::Price => TokenCell::Price,
        TokenColumn::Change24h => TokenCell::Change,
        TokenColumn::Minted => TokenCell::Minted,
        TokenColumn::Supply => TokenCell::Supply,
        TokenColumn::Events => TokenCell::Events,
        TokenColumn::Deployed => TokenCell::Deployed,
    }
}

/// The mark in the heading.
fn mark(sort: TokenSort) -> SortMark {
    SortMark::new(heading(sort.column), Direction::of(sort.descending))
}

/// The sort order in words: `most active first`; with the number of loaded tokens if the service has more.
pub(super) fn order(sort: TokenSort, list: &PagedList<'_, Brc20Token>) -> String {
    let words = match (sort.column, sort.descending) {
        (TokenColumn::Events, true) => "most active first",
        (TokenColumn::Events, false) => "least active first",
        (TokenColumn::Ticker, false) => "A to Z",
        (TokenColumn::Ticker, true) => "Z to A",
        (TokenColumn::Price, true) => "highest price first",
        (TokenColumn::Price, false) => "lowest price first",
        (TokenColumn::Change24h, true) => "top gainers first",
        (TokenColumn::Change24h, false) => "top losers first",
        (TokenColumn::Minted, true) => "most minted first",
        (TokenColumn::Minted, false) => "least minted first",
        (TokenColumn::Supply, true) => "largest supply first",
        (TokenColumn::Supply, false) => "smallest supply first",
        (TokenColumn::Deployed, true) => "newest first",
        (TokenColumn::Deployed, false) => "oldest first",
    };
    if list.is_order_partial() { format!("{words} · {} loaded", Count(list.len() as u64)) } else { words.to_owned() }
}
