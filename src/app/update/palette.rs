//! The palette: opens it, finds its items, and runs the chosen one.

mod coins;
mod commands;
mod currencies;
mod destination;
mod found;
mod pending;
mod periods;
mod places;
mod problem;
mod run;
mod verbs;
mod without_name;

use tui_input::Input;

use crate::app::coins::names::NamesState;
use crate::app::effect::Effect;
use crate::app::extension::Extension;
use crate::app::find::fuzzy::Quality;
use crate::app::find::palette::{Action, Item, Kind, Palette};
use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::Request;
use crate::keymap::{Command, Context};
use crate::model::address::redact_extended_keys;
use crate::model::{Tag, Text};

use super::dialog::Dialog;
use destination::{Destination, Reading};
use found::{Found, Group};
pub(super) use pending::{cancel as cancel_pending, take_due as take_pending};
pub(super) use run::choose;

/// Maximum items.
const MAX_ITEMS: usize = 100;

/// Maximum coins, and maximum tickers, before items of other kinds.
const MAX_OF_KIND: usize = 8;

/// The palette.
pub(super) struct PaletteDialog;

impl Dialog for PaletteDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Palette
    }

    fn run(&self, state: &mut State, command: Command, _effects: &mut Vec<Effect>) {
        if command == Command::Complete {
            complete(state);
        }
    }

    fn step(&self, state: &mut State, step: Step) {
        if let Some(Overlay::Palette(palette, _)) = &mut state.overlay {
            palette.selected = step.target(palette.selected, palette.items.len().saturating_sub(1));
            palette.is_chosen = true;
        }
    }

    /// Stops loading pages, unless none arrive; or closes the palette, and the dialog below it appears again.
    fn close(&self, state: &mut State, _effects: &mut Vec<Effect>) {
        if receives_pages(state)
            && let Some(Overlay::Palette(palette, _)) = &mut state.overlay
        {
            palette.is_stopped = true;
            return;
        }
        if let Some(Overlay::Palette(_, below)) = state.overlay.take() {
            state.overlay = below.map(|below| *below);
        }
    }

    fn back_label(&self, state: &State) -> Option<&'static str> {
        receives_pages(state).then_some("stop loading")
    }

    fn selected<'a>(&self, state: &'a mut State) -> Option<&'a mut usize> {
        match &mut state.overlay {
            Some(Overlay::Palette(palette, _)) => Some(&mut palette.selected),
            _ => None,
        }
    }

    fn choice_key(&self, state: &State, index: usize) -> Option<Text> {
        match &state.overlay {
            Some(Overlay::Palette(palette, _)) => palette.items.get(index).map(Item::key),
            _ => None,
        }
    }

    fn field<'a>(&self, state: &'a mut State) -> Option<&'a mut Input> {
        match &mut state.overlay {
            Some(Overlay::Palette(palette, _)) => Some(&mut palette.input),
            _ => None,
        }
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        let Some(Overlay::Palette(palette, _)) = &state.overlay else { return true };
        match command {
            Command::Up | Command::Down => palette.items.len() > 1,
            Command::Complete => !palette.items.is_empty(),
            Command::Open => !palette.items.is_empty() || pending::may_match(state, palette),
            _ => true,
        }
    }

    /// Finds the items again.
    fn edited(&self, state: &mut State) {
        edited(state);
    }

    fn lookups(&self, state: &State) -> Vec<Request> {
        let names = state.may_request(Extension::Names).then_some(Request::CoinNames);
        let list = state.list(Tag::All);
        let page = list.loading_start().filter(|_| state.loads_pages());
        names.into_iter().chain(page.map(|start| list.page_request(start, &state.convert))).collect()
    }
}

/// Whether pages are loading, and the next one is on its way.
fn receives_pages(state: &State) -> bool {
    state.loads_pages() && state.receives_pages(Tag::All)
}

/// Opens the palette over the screen or dialog.
pub(super) fn open(state: &mut State, looks_up: bool) {
    open_over(state, Palette { looks_up, ..Palette::default() });
}

/// Opens the palette to add a coin to the open comparison.
pub(super) fn open_to_add(state: &mut State) {
    open_over(state, Palette { adds_coin: true, ..Palette::default() });
}

fn open_over(state: &mut State, palette: Palette) {
    let below = state.overlay.take().map(Box::new);
    let palette = Palette { index: coins::index(state), ..palette };
    state.overlay = Some(Overlay::Palette(Box::new(palette), below));
    edited(state);
}

/// Loads the pages of the list while coins are searched, if the service doesn't offer the names of all coins.
pub(super) fn load_pages(state: &mut State) {
    let loads = state.loads_pages();
    let list = state.list_mut(Tag::All);
    list.set_loads_all(loads);
    if loads {
        list.extend(0);
    }
}

/// Finds the items again after the text was edited.
fn edited(state: &mut State) {
    with_palette(state, |state, palette| {
        (palette.selected, palette.is_chosen) = (0, false);
        palette.is_stopped = false;
        find_items(state, palette);
    });
}

/// Selects the first item unless the user has chosen another one. Called some time after the last key, when the user is
/// no longer about to open the previous first item.
pub(super) fn settle(state: &mut State) {
    if let Some(Overlay::Palette(palette, _)) = &mut state.overlay
        && !palette.is_chosen
    {
        palette.selected = 0;
    }
}

/// Finds the items again after a response with coins or tickers. The selected item stays selected, also the first one
/// until [`settle`], since the user is about to open it. Only a guess gives way to a match.
pub(super) fn response(state: &mut State, request: &Request) {
    use Request::{Brc20Tokens, CoinNames, Coins, CoinsById};
    if !matches!(request, Coins { .. } | CoinNames | CoinsById { .. } | Brc20Tokens { .. }) {
        return;
    }
    let is_typing = state.order_hold.is_active(state.now);
    with_palette(state, |state, palette| {
        let place = palette.selected;
        let is_guess = |item: &Item| item.is_guess || item.action == Action::Wait;
        let selected = palette.items.get(place).filter(|item| place > 0 || !is_guess(item)).cloned();
        palette.index = coins::index(state);
        find_items(state, palette);
        // Several commands of a dialog open it.
        let is_it = |item: &Item, other: &Item| item.action == other.action && item.title == other.title;
        let has_shown = selected.is_some();
        let again = selected.and_then(|item| palette.items.iter().position(|other| is_it(&item, other)));
        palette.selected = again.unwrap_or(place).min(palette.items.len().saturating_sub(1));
        // Enter pressed before opens the first item only if the user has seen no other one selected.
        if has_shown && again != Some(0) {
            pending::forget(palette);
        }
    });
    if !is_typing {
        settle(state);
    }
}

/// Finds the items again after the names of all coins could not be loaded. Enter pressed before must not open what is
/// only a guess.
pub(super) fn names_failed(state: &mut State) {
    cancel_pending(state);
    response(state, &Request::CoinNames);
}

fn with_palette(state: &mut State, change: impl FnOnce(&State, &mut Palette)) {
    if let Some(Overlay::Palette(mut palette, below)) =
        state.overlay.take_if(|open| matches!(open, Overlay::Palette(..)))
    {
        change(state, &mut palette);
        state.overlay = Some(Overlay::Palette(palette, below));
    }
}

/// Completes the typed text with the selected item.
fn complete(state: &mut State) {
    with_palette(state, |state, palette| {
        let Some(item) = palette.items.get(palette.selected) else { return };
        if matches!(&item.action, Action::Wait | Action::Compare(_) | Action::SetPeriod(..) | Action::TypeLot(_)) {
            return;
        }
        let typed = palette.input.value().trim();
        // The words that say what to open stay, wherever they are.
        let query = item.query.to_lowercase();
        let query: Vec<&str> = query.split_whitespace().collect();
        let is_rest = |word: &&str| !query.contains(&word.to_lowercase().as_str());
        let rest: Vec<&str> = typed.split_whitespace().filter(is_rest).collect();
        let rest = rest.join(" ");
        // The words that need a coin or ticker after them.
        let is_hint = matches!(item.action, Action::Say(_)) && item.kind != Kind::Command;
        let name = match &item.action {
            Action::OpenCoin { coin, .. } => coin.name.to_string(),
            Action::Say(_) if is_hint => item.query.clone(),
            _ => item.title.clone(),
        };
        let text = if rest.is_empty() { format!("{name} ") } else { format!("{name} {rest}") };
        if is_hint || text.trim() != typed {
            palette.input = Input::new(text);
            palette.selected = 0;
            find_items(state, palette);
        }
    });
}

/// Finds the items, or why there are none.
fn find_items(state: &State, palette: &mut Palette) {
    palette.items = items(state, palette);
    let is_refused = palette.items.is_empty() && !palette.adds_coin;
    let problem = if is_refused { problem::problem(state, palette) } else { None };
    palette.problem = problem.map(|problem| redact_extended_keys(&problem).into_owned());
}

/// The items that match the typed text, best first.
fn items(state: &State, palette: &mut Palette) -> Vec<Item> {
    let spelled = palette.input.value().trim().to_owned();
    let typed = spelled.to_lowercase();
    if palette.adds_coin {
        return verbs::coins_to_add(state, palette, &typed);
    }
    if typed.is_empty() {
        if palette.looks_up {
            return Vec::new(); // examples are shown
        }
        let mut items = places::recent(state);
        items.extend(places::tabs(state).chain(commands::all(state)).map(|(item, _)| item));
        return items;
    }
    let coins = verbs::coins_to_compare(state, palette, &typed);
    if !coins.is_empty() {
        return coins;
    }
    let mut found: Vec<Found> = Vec::new();
    coins::find(state, palette, &typed, Destination::default(), &mut found);
    places::find(state, &typed, &spelled, Destination::default(), palette.looks_up, &mut found);
    for Reading { name, destination, quality } in destination::readings(&typed) {
        let before = found.len();
        coins::find(state, palette, &name, destination, &mut found);
        places::find(state, &name, &spelled, destination, palette.looks_up, &mut found);
        for item in found.iter_mut().skip(before).filter(|_| quality > Quality::Exact) {
            item.quality = item.quality.max(quality);
            item.group = Group::Abbreviated;
        }
    }
    let destination = destination::without_name(&typed);
    if let Some(destination) = destination {
        without_name::find(state, destination, &mut found);
    }
    periods::find(state, &typed, &mut found);
    periods::find_unknown(state, palette, &typed, &mut found);
    currencies::find(state, &typed, &mut found);
    verbs::find(state, palette, &typed, &mut found);
    commands::find(state, &typed, &mut found);
    let hint = without_name::hint(&typed, destination);
    let outside = without_name::outside(&typed);
    let is_known = hint.is_some() || outside.is_some();
    found.extend(outside);
    if found.iter().all(|found| found.item.is_guess) {
        found.extend(hint.map(|item| Found::new(Quality::Exact, Group::First, 0, item)));
    }
    // A word with another meaning is probably not the name of a sat.
    if is_known || found.iter().any(|found| !found.item.is_guess && found.item.action.is_available()) {
        found.retain(|found| !places::is_sat_name(&found.item));
    }
    found.sort_by_key(Found::order);
    let mut items = best_of_each_kind(found.into_iter().map(|found| found.item));
    items.truncate(MAX_ITEMS);
    // Opening a guess would be wrong before the coins are known.
    let is_loading = matches!(state.names_state(), NamesState::Loading) && !palette.looks_up;
    if is_loading && items.first().is_some_and(|item| item.is_guess) {
        items.insert(0, pending::waiting(palette.runs_first));
    }
    items
}

/// Moves coins and tickers after the best [`MAX_OF_KIND`] of their kind to the end, so that other items stay visible.
fn best_of_each_kind(items: impl Iterator<Item = Item>) -> Vec<Item> {
    let (mut coins, mut tickers) = (0, 0);
    let mut is_best = |kind: Kind| {
        let count = match kind {
            Kind::Coin => &mut coins,
            Kind::Ticker => &mut tickers,
            Kind::Lookup | Kind::Place | Kind::Command | Kind::Recent => return true,
        };
        *count += 1;
        *count <= MAX_OF_KIND
    };
    let (mut best, others): (Vec<Item>, Vec<Item>) = items.partition(|item| is_best(item.kind));
    best.extend(others);
    best
}
