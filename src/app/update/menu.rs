//! Runs the chosen item of a menu.

use tui_input::{Input, InputRequest};

use crate::app::effect::Effect;
use crate::app::menu::{Menu, MenuAction, MenuItem};
use crate::app::state::State;

use super::toast::toast;
use super::token::markets;
use super::{copy, filter, indexer, mentions, posts, wallet};

/// Handles a key in a menu that has just been closed: runs the item with that letter. A menu without one opens again,
/// so that the key after a wrong one doesn't run a command of the screen; a second wrong key closes it.
pub(super) fn typed(state: &mut State, menu: Menu, request: InputRequest, effects: &mut Vec<Effect>) {
    let InputRequest::InsertChar(key) = request else { return };
    if let Some(index) = menu.items.iter().position(|item| item.key == key) {
        return clicked(state, menu, index, effects);
    }
    // An expression can be typed directly unless it begins with the letter of a choice: `price`, `rank`, `not`, `24h`.
    let may_begin = !key.is_alphabetic() || matches!(key, 'p' | 'r' | 'm' | 'n');
    if let Some(MenuItem { action: MenuAction::FilterCoins(tag, _), .. }) = menu.items.first()
        && may_begin
    {
        return filter::open(state, Input::from(key.to_string()), *tag);
    }
    if let (Some(MenuItem { action: MenuAction::Copy { .. }, .. }), Some(label)) =
        (menu.items.first(), copy::label(key))
    {
        return toast(state, format!("No {label} to copy"));
    }
    if menu.is_mistyped {
        return toast(state, format!("{key} is not in this menu · menu closed"));
    }
    toast(state, format!("{key} is not in this menu"));
    state.menu = Some(Menu { is_mistyped: true, ..menu });
}

/// Handles a click on an item.
pub(super) fn clicked(state: &mut State, menu: Menu, index: usize, effects: &mut Vec<Effect>) {
    if let Some(item) = menu.items.into_iter().nth(index) {
        run(state, item.action, effects);
    }
}

/// Runs an item.
pub(super) fn run(state: &mut State, action: MenuAction, effects: &mut Vec<Effect>) {
    match action {
        MenuAction::Copy { text, note } => copy::copy(state, text, &note, effects),
        MenuAction::FilterCoins(tag, choice) => filter::run(state, tag, choice),
        MenuAction::OpenCoin(coin) => mentions::open_coin(state, &coin),
        MenuAction::FilterPosts(choice) => posts::filter(state, choice),
        MenuAction::SortCoins(tag, sort) => state.list_mut(tag).sort_by(sort),
        MenuAction::SortMarkets(sort) => markets::sort(state, sort),
        MenuAction::SortTokens(sort) => indexer::sort_tokens(state, sort),
        MenuAction::SortBalances(sort) => indexer::sort_balances(state, sort),
        MenuAction::SortHoldings(order, is_reversed) => wallet::sort_by(state, order, is_reversed),
    }
}
