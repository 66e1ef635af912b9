//! The wallet tab.

use crate::app::effect::Effect;
use crate::app::find::lookup::Subject;
use crate::app::live::coins::MAX_LIVE_COINS;
use crate::app::menu::MenuChoice;
use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::screen::wallet::WalletRow;
use crate::app::screen::wallet::holdings::LineKind;
use crate::app::screen::wallet::order::{HoldingSort, Order};
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::{Group, Request};
use crate::keymap::Command;
use crate::model::{Coin, CoinId, Tag, Text};
use crate::user_data::Watched;

use super::copy::items::Items;
use super::copy::wallet::add_wallet;
use super::painted::find_row;
use super::screen::{Position, Screen};
use super::toast::toast;
use super::{address, alert_suggestions, columns, compare, indexer, lot, selection, sort, sync, token, watch};

/// The wallet tab.
pub(super) struct WalletTab;

impl Screen for WalletTab {
    fn groups(&self) -> &'static [Group] {
        &[Group::Market]
    }

    fn live_ids(&self, state: &State) -> Vec<CoinId> {
        let rows = state.wallet.rows().iter();
        let held = state.wallet.holdings().coins().map(|coin| coin.id.clone());
        held.chain(rows.filter_map(|row| state.watched_id(row))).take(MAX_LIVE_COINS).collect()
    }

    fn shows_holdings(&self) -> bool {
        true
    }

    fn shows_prices(&self) -> bool {
        true
    }

    fn requests(&self, state: &State) -> Vec<Request> {
        let mut requests = state.wallet.requests(state.content_rows(), &state.convert);
        requests.extend(state.watched_prices_requests());
        requests.extend(state.holdings_requests());
        requests.extend(state.address_requests());
        requests.extend_from_slice(state.rate_requests());
        if state.shows_value_chart() {
            requests.extend(state.wallet.history_requests(&state.convert));
        }
        requests
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        match command {
            Command::NextPeriod => state.set_period(state.period.step(1)),
            Command::PreviousPeriod => state.set_period(state.period.step(-1)),
            Command::Back if compare::back_label(state).is_some() => compare::clear_marks(state),
            Command::ScrollLeft => columns::scroll_panel(state, Panel::Holdings, -1),
            Command::ScrollRight => columns::scroll_panel(state, Panel::Holdings, 1),
            Command::AddLot => lot::open_new(state),
            Command::AddAddress => address::open_new(state),
            Command::EditLot => lot::open_selected(state),
            Command::RemoveLot => lot::remove(state, effects),
            Command::SortMenu => sort::open_menu(state),
            Command::ReverseSort => {
                let (order, _) = state.wallet.holdings().order();
                let order = if state.wallet.held_lines() == 0 { order.of_watchlist() } else { order };
                // Without holdings, an order that applies only to holdings leaves the watched coins in watchlist order.
                let is_of_none = state.wallet.held_lines() == 0 && !order.by.is_of_watched();
                sort_holdings(state, if is_of_none { Order::Manual.into() } else { order }.reversed());
            }
            Command::MoveUp => move_selected(state, -1),
            Command::MoveDown => move_selected(state, 1),
            Command::Left => state.wallet.expand(false),
            Command::Right
                if matches!(
                    state.wallet.line(),
                    Some(LineKind::Holding(_) | LineKind::Address(_) | LineKind::Unvalued(..))
                ) =>
            {
                state.wallet.expand(true);
            }
            Command::Open if state.wallet.selected_address().is_some() => open_address(state),
            Command::Open if state.wallet.selected_unvalued().is_some() => open_ticker(state),
            Command::Open | Command::Right => match selection::wallet_token(state) {
                Some(opened) => token::open(state, opened),
                None => {
                    let reason = unopened_reason(state);
                    toast(state, reason);
                }
            },
            _ => {}
        }
    }

    fn step(&self, state: &mut State, step: Step) {
        state.wallet.step(step);
    }

    fn hold_selection(&self, state: &mut State) {
        state.wallet.hold_selection();
    }

    fn forget_missing(&self, state: &mut State) {
        state.wallet.cursor.forget_missing();
    }

    fn row(&self, state: &State) -> Option<usize> {
        Some(state.wallet.cursor.index())
    }

    fn find_row(&self, state: &State, _panel: Option<Panel>, painted: (usize, Option<&Text>)) -> Option<usize> {
        let lines = state.wallet.lines();
        find_row(painted, lines.len(), |row| lines.get(row))
    }

    fn position(&self, state: &State) -> Option<Position> {
        let (row, len) = (state.wallet.cursor.index(), state.wallet.lines().len() as u64);
        Some(Position { row, len, has_more: false })
    }

    fn coin<'a>(&self, state: &'a State) -> Option<&'a Coin> {
        selection::wallet_coin(state)
    }

    fn copy(&self, state: &State, items: &mut Items<'_>) {
        add_wallet(state, items);
    }

    fn sort_choices(&self, state: &State) -> Vec<MenuChoice> {
        sort::of_wallet(state)
    }

    fn alert_suggestions(&self, state: &State) -> Vec<String> {
        alert_suggestions::of_wallet(state)
    }

    fn has_period(&self) -> bool {
        true
    }

    fn has_rows(&self, state: &State) -> bool {
        !state.wallet.lines().is_empty()
    }

    /// A watched coin can be opened only with some data.
    fn can_open(&self, state: &State) -> bool {
        if state.wallet.selected_holding().is_some() {
            return selection::wallet_coin(state).is_some();
        }
        if state.wallet.selected_address().is_some() {
            return true;
        }
        if let Some(token) = state.wallet.selected_unvalued() {
            return token.balance.ticker.is_some();
        }
        let row = state.wallet.selected();
        row.is_some_and(|row| row.series.is_some() || state.watched_coin(row.watched_index).is_some())
    }

    fn back_label(&self, state: &State) -> Option<&'static str> {
        compare::back_label(state)
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        match command {
            Command::ToggleWatch => state.wallet.selected().is_some(),
            Command::EditLot | Command::RemoveLot => {
                state.wallet.selected_lot().is_some() || state.wallet.selected_address().is_some()
            }
            Command::Undo => !state.undo.is_empty(),
            Command::Left => state.wallet.held_lines() > 0,
            Command::SortMenu | Command::ReverseSort => self.has_rows(state),
            Command::PreviousPeriod | Command::NextPeriod => !state.watched.is_empty() || state.shows_value_chart(),
            Command::Currency | Command::Refresh => self.has_rows(state),
            _ => true,
        }
    }

    fn watched(&self, state: &State) -> Option<Watched> {
        let held = || state.wallet.selected_holding().map(|holding| holding.holding.coin.clone());
        state.wallet.selected().map(|row| row.watched.clone()).or_else(held)
    }

    /// Sorts the rows by the order with this index in [`Order::ALL`], or reverses it if it is the order. A heading of
    /// the watched coins ends their manual order.
    fn sort_by_heading(&self, state: &mut State, panel: Option<Panel>, column: usize) {
        let Some(&by) = Order::ALL.get(column) else { return };
        let (order, _) = state.wallet.holdings().order();
        let is_manual = panel.is_none() && order.has_manual_watchlist;
        sort_holdings(state, if order.by == by && !is_manual { order.reversed() } else { order.chosen(by) });
    }

    fn toggle_watch(&self, state: &mut State, effects: &mut Vec<Effect>) {
        match self.watched(state).filter(|_| state.wallet.selected().is_none()) {
            Some(held) => watch::toggle(state, held, effects),
            None => watch::toggle_row(state, effects),
        }
    }

    fn neighbour(&self, state: &mut State, by: isize) -> Option<TokenScreen> {
        let before = state.wallet.cursor.clone();
        let (mut rows, mut last) = (before.rows_from_chosen(by), before.index());
        loop {
            state.wallet.step(Step::By(rows));
            let row = state.wallet.cursor.index();
            if rows != 0 && row == last {
                state.wallet.cursor = before;
                return None;
            }
            // Skip lots, and symbols without data. Until its series arrives, the row of the open coin has another key.
            if !matches!(state.wallet.line(), Some(LineKind::Lot(..)))
                && let Some(token) = selection::wallet_token(state)
                && (rows != 0 || !is_open(state, &token))
            {
                return Some(token);
            }
            (rows, last) = (by, row);
        }
    }
}

/// Whether the open view is of the same coin.
fn is_open(state: &State, token: &TokenScreen) -> bool {
    state.token.as_ref().is_some_and(|open| open.named_coin().coin.is_same(&token.named_coin().coin))
}

/// Loads further pages of the BRC-20 list while a balance has no coin, as far as the list goes.
pub(super) fn load_token_pages(state: &mut State) {
    if state.wallet.holdings().addresses().is_empty() {
        state.list_mut(Tag::Brc20).release_wallet_coins();
    }
    // The pages may be loaded already.
    while state.lacks_token_coins() && state.list_mut(Tag::Brc20).extend_whole() {
        sync::list(state, Tag::Brc20);
    }
}

/// Loads further pages of the list of all coins while the wallet is open and a held coin is missing, if the service
/// ignores ids.
pub(super) fn load_held_pages(state: &mut State) {
    if !state.tab_screen().shows_holdings() {
        return state.list_mut(Tag::All).release_wallet_coins();
    }
    while state.lacks_held_coins() && state.list_mut(Tag::All).extend_whole() {
        sync::list(state, Tag::All);
    }
}

/// Opens the selected address in the indexer tab. If the user has not confirmed the notice yet, it is shown first.
fn open_address(state: &mut State) {
    if let Some(held) = state.wallet.selected_address() {
        let address = held.entry.address.clone();
        indexer::visit(state, Subject::Address(address));
    }
}

/// Why the selected coin can't be opened.
fn unopened_reason(state: &State) -> String {
    let is_loading = |row: &&WalletRow| {
        let remote = state.wallet.remote(Some(*row), &state.responses, &state.convert);
        remote.is_some_and(|remote| remote.value.is_none() && remote.failure().is_none())
    };
    match state.wallet.selected().filter(is_loading) {
        Some(row) => format!("{} is still loading", row.renamed.as_ref().unwrap_or(&row.watched.symbol)),
        None => String::from("No data for this symbol yet"),
    }
}

/// Opens the token of the selected balance in the indexer tab.
fn open_ticker(state: &mut State) {
    if let Some(ticker) = state.wallet.selected_unvalued().and_then(|token| token.balance.ticker.clone()) {
        indexer::visit(state, Subject::Token(ticker));
    }
}

/// Moves the selected holding or watched coin up or down. Undo restores the former order.
fn move_selected(state: &mut State, by: isize) {
    let (order, manual_order) = state.wallet.holdings().order();
    let manual_order = manual_order.to_vec();
    let refused = match state.wallet.move_selected(by) {
        Some(true) => {
            state.order_watched();
            state.undo.push_order(order, manual_order);
            state.session_saves.has_unsaved_order = true;
            return;
        }
        Some(false) if by < 0 => "Already first",
        Some(false) => "Already last",
        None => "Only holdings and watched coins can be moved",
    };
    toast(state, refused);
}

/// Sorts holdings and watched coins by the order chosen in a menu or in the palette.
pub(super) fn sort_by(state: &mut State, by: Order, is_reversed: bool) {
    let (order, _) = state.wallet.holdings().order();
    sort_holdings(state, HoldingSort { is_reversed, ..order.chosen(by) });
}

/// Sorts holdings and watched coins. The order is saved at once.
fn sort_holdings(state: &mut State, order: HoldingSort) {
    state.sort_wallet(order, None);
    state.session_saves.has_unsaved_order = true;
}
