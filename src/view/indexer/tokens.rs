//! The BRC-20 tokens.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::amounts::{self, needed, shortened, widen};
use super::listing::Listing;
use super::panel_context::PanelContext;
use super::prices;
use crate::app::pages::PagedList;
use crate::app::panel::Panel;
use crate::app::screen::IndexerScreen;
use crate::app::screen::indexer::{TokenColumn, TokenSort};
use crate::format::{ABSENT, Change, Count, Day, Share};
use crate::model::{Amount, Brc20Token};
use crate::view::view_state::ViewState;
use crate::view::widgets::table::{Column, Direction};
use crate::view::widgets::text;

const TICKER: usize = 0;
const PRICE: usize = 1;
const CHANGE: usize = 2;
const MINTED: usize = 3;
const SUPPLY: usize = 4;
const EVENTS: usize = 5;

const LIMIT: usize = 6;
const DEPLOYED: usize = 7;
const NUMBER: usize = 8;
const DEPLOYER: usize = 9;

const COLUMNS: [Column; Panel::Tokens.columns()] = [
    Column::words("Ticker", 8, 9).growing(12),
    Column::number("Price", 9, 8).growing(11),
    Column::number("24h", 7, 6),
    Column::number("Minted", 6, 8),
    Column::number("Supply", 9, 6).growing(26),
    Column::number("Events", 7, 7),
    Column::number("Mint limit", 10, 3).growing(26),
    Column::number("Deployed", 11, 4),
    Column::number("Number", 11, 1),
    Column::words("Deployer", 14, 2).growing(62),
];

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
    let mut columns = COLUMNS;
    // The default order doesn't displace more useful columns.
    let chosen = sort.filter(|_| context.screen.sort.column != TokenColumn::Events);
    if let Some(column) = chosen.and_then(|(index, _)| columns.get_mut(index)) {
        column.priority = SORTED;
    }
    let list = context.screen.token_list(&context.state.responses);
    let request = context.screen.tokens_request()(0);
    let mut keep = |index: usize, amount: fn(&Brc20Token) -> Option<Amount>| {
        let rows = (Some(request.clone()), list.order());
        let needed = view_state.keep_amounts((Panel::Tokens, index), rows, || needed(list.iter().map(amount)));
        widen(&mut columns, index, needed, area.width);
        needed
    };
    let supply = keep(SUPPLY, |token| token.max_supply);
    let limit = keep(LIMIT, |token| token.mint_limit);
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
        sort,
        headings: &TokenColumn::ALL.map(heading),
    };
    listing.paint(buf, area, context, view_state, |row, token| {
        row.words(TICKER, &token.ticker, theme.strong);
        let coin = context.prices.of_token(token);
        row.cell(PRICE, |buf, cell| prices::price(buf, cell, coin, context));
        let change = coin.and_then(|coin| coin.change_24h_pct);
        row.number(CHANGE, Change(change), theme.change(change));
        let minted = token.minted_supply.zip(token.max_supply).and_then(|(minted, most)| minted.ratio(most));
        // Tokens that can still be minted stand out.
        let style = if minted.is_some_and(|share| share < 1.0) { theme.text } else { theme.dim };
        row.number(MINTED, Share(minted.map(|share| share * 100.0)), style);
        row.cell(SUPPLY, |buf, cell| {
            amounts::paint(buf, cell, token.max_supply, supply, theme.text);
        });
        match token.tx_count {
            Some(count) => row.number(EVENTS, Count(count), theme.dim),
            None => row.number(EVENTS, ABSENT, theme.dim),
        }
        row.cell(LIMIT, |buf, cell| {
            amounts::paint(buf, cell, token.mint_limit, limit, theme.text);
        });
        match token.deployed_at {
            Some(time) => {
                let day = zone.at(time);
                row.number(DEPLOYED, format_args!("{} {}", Day(day), day.year()), theme.dim);
            }
            None => row.number(DEPLOYED, ABSENT, theme.dim),
        }
        match token.inscription_number {
            Some(number) => row.number(NUMBER, number, theme.dim),
            None => row.number(NUMBER, ABSENT, theme.dim),
        }
        row.cell(DEPLOYER, |buf, cell| {
            text::put(buf, cell, &shortened(token.deployer.as_deref().unwrap_or(ABSENT), cell.width), theme.dim);
        });
    });
}

/// The row that stands out: the selected one, or while a lookup is shown and has the focus, that of its token.
fn selected(screen: &IndexerScreen, list: &PagedList<'_, Brc20Token>) -> Option<usize> {
    if screen.trail.is_empty() || screen.focus == Panel::Tokens {
        return Some(screen.tokens.cursor.index());
    }
    let shown = screen.token()?;
    list.iter().position(|token| token.ticker.eq_ignore_ascii_case(&shown))
}

/// The column on the screen of a sort column.
fn heading(by: TokenColumn) -> usize {
    match by {
        TokenColumn::Ticker => TICKER,
        TokenColumn::Price => PRICE,
        TokenColumn::Change24h => CHANGE,
        TokenColumn::Minted => MINTED,
        TokenColumn::Supply => SUPPLY,
        TokenColumn::Events => EVENTS,
        TokenColumn::Deployed => DEPLOYED,
    }
}

/// The sort column and direction, for the mark in the heading.
fn mark(sort: TokenSort) -> Option<(usize, Direction)> {
    Some((heading(sort.column), if sort.descending { Direction::Descending } else { Direction::Ascending }))
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
