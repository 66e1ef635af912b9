//! Runs the chosen item of the palette.

use super::pending;
use crate::app::coins::named_coin::NamedCoin;
use crate::app::effect::Effect;
use crate::app::find::palette::Action;
use crate::app::menu::MenuAction;
use crate::app::overlay::Overlay;
use crate::app::panel::Panel;
use crate::app::state::State;
use crate::app::update::toast::toast;
use crate::app::update::{alerts, compare, copy, currency, indexer, lot, menu, sync, token, watch};
use crate::keymap::{Command, Tab};
use crate::model::{CoinId, Period};

/// Closes the palette and opens the selected item. Returns a command to run, and the tab that it belongs to.
pub(in crate::app::update) fn choose(state: &mut State, effects: &mut Vec<Effect>) -> Option<(Command, Option<Tab>)> {
    if pending::remember(state) {
        return None;
    }
    let Some(Overlay::Palette(palette, below)) = &mut state.overlay else { return None };
    let item = palette.items.get(palette.selected).cloned()?;
    if let Action::Say(words) = item.action {
        toast(state, words);
        return None;
    }
    if !item.action.is_available() {
        return None;
    }
    state.overlay = below.take().map(|below| *below);
    let was_comparing = matches!(state.overlay, Some(Overlay::Compare));
    let returns = was_comparing && returns_to_comparison(&item.action);
    if returns || was_comparing && matches!(item.action, Action::Compare(_)) {
        // Not closed below, which would unmark its coin: the comparison continues, now or later.
        state.overlay = None;
    }
    // The links of a post are above it.
    while let Some(dialog) = state.open_dialog() {
        dialog.close(state, effects);
    }
    state.comparison.abandon();
    if returns {
        compare::cover(state);
    }
    match item.action {
        Action::OpenCoin { coin, period, style, panel } => {
            open_coin(state, &coin, period, panel);
            state.chart.style = style.unwrap_or(state.chart.style);
        }
        Action::SetPeriod(period, tab) => {
            state.set_period(period);
            if let Some(tab) = tab {
                return Some((Command::Go(tab), None));
            }
            if !state.tab_screen().has_period() {
                toast(state, format!("Charts show {}", period.as_str()));
            }
        }
        Action::LookUp { subject, panel } => {
            indexer::visit(state, subject);
            if let Some(panel) = panel.filter(|panel| state.indexer.panels().contains(panel)) {
                state.indexer.focus = panel;
            }
        }
        Action::Menu(action) => {
            // It may be of a list that is not on the screen.
            if let MenuAction::SortCoins(tag, _) | MenuAction::FilterCoins(tag, _) = &action
                && !state.is_open(Tab::List(*tag))
            {
                (state.tab, state.token) = (Tab::List(*tag), None);
                sync::all(state);
            }
            menu::run(state, action, effects);
        }
        Action::Run(command, tab) => return Some((command, tab)),
        Action::RunInCoin(coin, command) => {
            open_coin(state, &coin, None, None);
            return Some((command, None));
        }
        Action::AddAlert(coin) => alerts::open_about(state, &coin, effects),
        Action::TypeAlert(rule) => alerts::open_typed(state, rule, effects),
        Action::TypeLot(line) => lot::open_typed(state, line),
        Action::CopyCoin(coin) => copy::open_about(state, &coin),
        Action::Watch(coin) => watch::set(state, coin.coin, true, effects),
        Action::Unwatch(coin) => watch::set(state, coin.coin, false, effects),
        Action::Mark(coin) => compare::add_mark(state, coin.coin),
        Action::Compare(coins) => compare::open_with(state, &coins, was_comparing),
        Action::ChangeCurrency(currency) => currency::set(state, currency),
        Action::Say(_) | Action::Wait => {}
    }
    None
}

/// Whether a comparison on the screen appears again after an action.
fn returns_to_comparison(action: &Action) -> bool {
    use Action::{AddAlert, ChangeCurrency, Run, TypeAlert, TypeLot};
    use Command::{Alerts, Currency, Pause, Sources, ToggleLive, ToggleLivePrices, ToggleMouse};
    match action {
        AddAlert(_) | ChangeCurrency(_) | TypeAlert(_) | TypeLot(_) => true,
        Run(command, None) => {
            matches!(command, Alerts | Currency | Pause | Sources | ToggleLive | ToggleLivePrices | ToggleMouse)
        }
        _ => false,
    }
}

/// Opens a coin and selects it in the list below.
fn open_coin(state: &mut State, named: &NamedCoin, period: Option<Period>, panel: Option<Panel>) {
    let period = period.unwrap_or(state.period);
    let id = named.coin.id.clone().map(CoinId);
    if let (Tab::List(tag), Some(id)) = (state.tab, &id) {
        state.list_mut(tag).select_coin(id);
    }
    token::open_named(state, named, period);
    if let (Some(panel), Some(token)) = (panel, &mut state.token) {
        token.focus = panel;
    }
}
