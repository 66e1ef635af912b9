//! Runs commands.

use tui_input::InputRequest;

use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::app::step::Step;
use crate::fetch::PriceState;
use crate::keymap::{Command, Tab};
use crate::model::Tag;

use super::toast::toast;
use super::{
    alerts, compare, copy, currency, dialogs, edit, help, links, live, menu, palette, pause, refresh, sources, sync,
    undo,
};

/// Runs a command: of the open menu or dialog, else a global one, else one of the screen.
pub(super) fn run(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    let screen = (affects_rows(command) && state.open_dialog().is_none()).then(|| state.open_screen());
    if let Some(screen) = screen {
        screen.forget_missing(state);
    }
    dispatch(state, command, effects);
    if let Some(screen) = screen {
        // An item that the command itself hides isn't missing.
        screen.forget_missing(state);
    }
}

/// Whether a command may act on the selected row or change which rows are shown.
fn affects_rows(command: Command) -> bool {
    !matches!(
        command,
        Command::Help
            | Command::Go(_)
            | Command::NextList
            | Command::Refresh
            | Command::Currency
            | Command::Pause
            | Command::HideAmounts
            | Command::ToggleLivePrices
            | Command::ToggleMouse
            | Command::Redraw
            | Command::Suspend
    )
}

/// Runs a command in the first of these places that has it: the whole program, all screens and dialogs, the open
/// dialog, the text field, the screen.
fn dispatch(state: &mut State, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::Quit => return effects.push(Effect::Quit),
        Command::Suspend => return effects.push(Effect::Suspend),
        Command::Redraw => return effects.push(Effect::Redraw),
        Command::Edit(request) => return run_edit(state, request, effects),
        _ => {}
    }
    if state.menu.take().is_some() {
        return;
    }
    match command {
        Command::Copy => return copy::open(state, effects),
        Command::ToggleMouse => return toggle_mouse(state, effects),
        Command::ToggleLivePrices => return toggle_live_prices(state),
        Command::Pause => return pause::toggle(state),
        Command::HideAmounts => return hide_amounts(state),
        Command::Palette | Command::Lookup => {
            edit::finish(state, true);
            return palette::open(state, command == Command::Lookup);
        }
        Command::AddCoin if !state.comparison.is_full() => {
            return palette::open_to_add(state);
        }
        _ => {}
    }
    if command == Command::Open && matches!(state.overlay, Some(Overlay::Palette(..))) {
        return run_chosen(state, effects);
    }
    if command == Command::Help && !matches!(state.overlay, None | Some(Overlay::Help { .. })) {
        return help::open(state);
    }
    if let Some(dialog) = state.open_dialog() {
        return dialogs::run(state, dialog, command, effects);
    }
    if matches!(command, Command::Open | Command::Back) && edit::finish(state, command == Command::Open) {
        return;
    }
    match command {
        Command::Help => help::open(state),
        Command::Go(tab) => go(state, tab),
        Command::NextList => next_list(state),
        Command::Refresh => refresh::run(state, effects),
        Command::Currency => currency::open(state),
        Command::Sources => sources::open(state),
        Command::Alerts => alerts::open(state, effects),
        Command::ToggleLive => live::toggle(state, effects),
        Command::Undo => undo::undo(state, effects),
        Command::Mark => compare::mark(state),
        Command::ClearMarks => compare::clear_marks(state),
        Command::Compare => compare::open(state),
        Command::ToggleWatch => state.open_screen().toggle_watch(state, effects),
        Command::Links => links::open(state),
        Command::Up => step(state, Step::By(-1)),
        Command::Down => step(state, Step::By(1)),
        Command::PageUp => step(state, Step::By(-page(state))),
        Command::PageDown => step(state, Step::By(page(state))),
        Command::First => step(state, Step::First),
        Command::Last => step(state, Step::Last),
        _ => state.open_screen().run(state, command, effects),
    }
}

/// Hides the amounts of the wallet everywhere, or shows them again.
fn hide_amounts(state: &mut State) {
    state.wallet.hides_amounts = !state.wallet.hides_amounts;
    // Other screens may have none.
    if !state.is_open(Tab::Wallet) {
        toast(state, if state.wallet.hides_amounts { "Amounts hidden" } else { "Amounts shown" });
    }
}

/// Runs the item selected in the palette.
pub(super) fn run_chosen(state: &mut State, effects: &mut Vec<Effect>) {
    if let Some((command, tab)) = palette::choose(state, effects) {
        if let Some(tab) = tab {
            go(state, tab);
        }
        run(state, command, effects);
    }
}

/// Edits the text field, or chooses from the menu.
fn run_edit(state: &mut State, request: InputRequest, effects: &mut Vec<Effect>) {
    match state.menu.take() {
        Some(menu) => menu::typed(state, menu, request, effects),
        None => edit::edit(state, request),
    }
}

/// Moves the selection of the dialog or screen.
pub(super) fn step(state: &mut State, step: Step) {
    match state.open_dialog() {
        Some(dialog) => dialog.step(state, step),
        None => state.open_screen().step(state, step),
    }
}

fn page(state: &State) -> isize {
    isize::try_from(state.content_rows().saturating_sub(1).max(1)).unwrap_or(1)
}

/// Opens a tab and closes the token view.
pub(super) fn go(state: &mut State, tab: Tab) {
    state.comparison.abandon();
    state.token = None;
    state.tab = tab;
    state.indexer.forget_origins();
    sync::all(state);
}

fn next_list(state: &mut State) {
    let here = Tab::ALL.iter().position(|tab| *tab == state.tab).unwrap_or(0);
    let lists = state.lists.len();
    let next = if here < lists { (here + 1) % lists } else { 0 };
    if let Some(tab) = Tab::ALL.get(next) {
        go(state, *tab);
    }
}

fn toggle_live_prices(state: &mut State) {
    let text = match &state.live.state {
        Some(PriceState::Unsupported(reason)) => reason.clone(),
        _ if !state.live.is_offered => no_live_prices(state),
        _ => {
            state.live.toggle();
            sync::live_prices(state);
            let is_for_alerts = state.live_coins().is_some();
            if !is_for_alerts {
                // The stream ends, and with it its state.
                state.live.state = None;
            }
            String::from(if state.live.is_on {
                "Live prices on"
            } else if is_for_alerts {
                "Live prices off · alerts still use them"
            } else {
                "Live prices off"
            })
        }
    };
    toast(state, text);
}

/// Why there are no live prices. Before a list has arrived, the service may still have them.
fn no_live_prices(state: &State) -> String {
    let list = state.responses.get(&state.list(Tag::All).first_request(&state.convert));
    match (&state.live.state, list.failure()) {
        (Some(PriceState::Lost(reason)), _) => format!("No live prices · {reason}"),
        (_, Some(failure)) => format!("No live prices · {}", failure.error.reason()),
        _ => String::from("This service has no live prices"),
    }
}

fn toggle_mouse(state: &mut State, effects: &mut Vec<Effect>) {
    state.mouse = !state.mouse;
    effects.push(Effect::CaptureMouse(state.mouse));
    let now = if state.mouse { "Mouse capture on" } else { "Mouse capture off: select text freely" };
    toast(state, now);
}
