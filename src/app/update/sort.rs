//! The menu of sort columns: a letter for each.

use crate::app::menu::{Menu, MenuAction, MenuChoice, MenuItem};
use crate::app::panel::Panel;
use crate::app::screen::indexer::{BalanceColumn, BalanceSort, TokenColumn};
use crate::app::screen::list::{Sort, SortColumn};
use crate::app::screen::token::MarketColumn;
use crate::app::screen::wallet::order::Order;
use crate::app::state::State;
use crate::glyphs::Glyphs;
use crate::keymap::{Command, Tab};
use crate::model::Tag;

use super::toast::toast;

/// Opens the menu for the list or panel on the screen.
pub(super) fn open_menu(state: &mut State) {
    let mut menu = Menu::new("sort by");
    for (key, label, action) in state.open_screen().sort_choices(state) {
        let label = match &action {
            MenuAction::SortCoins(_, sort) => sort.column.label(),
            _ => label,
        };
        menu.add(key, label, action);
    }
    if menu.items.is_empty() {
        return toast(state, "Nothing to sort here");
    }
    // The order of the service has no other direction.
    let is_unsorted = state.indexer.balance_sort.is_none()
        && matches!(menu.items.first(), Some(MenuItem { action: MenuAction::SortBalances(_), .. }));
    let reverse =
        state.keys().name(Command::ReverseSort, state.screen_context(), Glyphs::Ascii).filter(|_| !is_unsorted);
    menu.note = reverse.map_or_else(String::new, |key| format!("({key} reverses)"));
    state.menu = Some(menu);
}

/// The sort orders of a list.
pub(super) fn of_list(state: &State, tag: Tag) -> Vec<MenuChoice> {
    let choice = |column: SortColumn| {
        let sort = Sort { column, descending: column.is_descending_by_default() };
        (column.key(), column.title(), MenuAction::SortCoins(tag, sort))
    };
    let list = state.list(tag);
    SortColumn::ALL.into_iter().filter(|column| list.columns.offers_sort(*column)).map(choice).collect()
}

/// The sort orders of the markets of a coin.
pub(super) fn of_markets() -> Vec<MenuChoice> {
    let choice = |column: MarketColumn| (column.key(), column.title(), MenuAction::SortMarkets(column.into()));
    MarketColumn::ALL.into_iter().map(choice).collect()
}

/// The sort orders of the wallet; none if it is empty.
pub(super) fn of_wallet(state: &State) -> Vec<MenuChoice> {
    if state.wallet.lines().is_empty() {
        return Vec::new();
    }
    let has_holdings = state.wallet.held_lines() > 0;
    let choice = |order: Order| {
        let (key, title) = order.title();
        // Watched coins show the change over the period of the charts.
        let title = if order == Order::Change && !has_holdings { "change" } else { title };
        (key, title, MenuAction::SortHoldings(order, false))
    };
    Order::ALL.into_iter().filter(|order| has_holdings || order.is_of_watched()).map(choice).collect()
}

/// The sort orders of the indexer: of the balances if they have the focus, or else of the tokens.
pub(super) fn of_indexer(state: &State) -> Vec<MenuChoice> {
    if state.indexer.focus == Panel::Balances { of_balances(state) } else { of_tokens().collect() }
}

/// The sort orders of the balances; none without balances.
fn of_balances(state: &State) -> Vec<MenuChoice> {
    if !state.indexer.has_balances(&state.responses) {
        return Vec::new();
    }
    let choice = |column: BalanceColumn| {
        (column.key(), column.title(), MenuAction::SortBalances(Some(BalanceSort::from(column))))
    };
    let unsorted = state.indexer.balance_sort.map(|_| ('o', "service order", MenuAction::SortBalances(None)));
    BalanceColumn::ALL.into_iter().map(choice).chain(unsorted).collect()
}

/// The sort orders of the indexer's tokens.
fn of_tokens() -> impl Iterator<Item = MenuChoice> {
    let choice = |column: TokenColumn| (column.key(), column.title(), MenuAction::SortTokens(column.into()));
    TokenColumn::ALL.into_iter().map(choice)
}

/// The sort orders of the tokens beside the focused balances, without those whose titles are among `choices`.
pub(super) fn beside_balances(state: &State, choices: &[MenuChoice]) -> Vec<MenuChoice> {
    let is_of_balances = state.is_open(Tab::Indexer) && state.indexer.focus == Panel::Balances;
    let is_new = |title: &str| choices.iter().all(|(_, other, _)| *other != title);
    of_tokens().filter(|(_, title, _)| is_of_balances && is_new(title)).collect()
}
