//! The indexer tab.

use tui_input::Input;

use crate::app::effect::Effect;
use crate::app::extension::Extension;
use crate::app::find::lookup::Subject;
use crate::app::find::recent::{self, Recent};
use crate::app::menu::MenuChoice;
use crate::app::overlay::Overlay;
use crate::app::pages::PagedList;
use crate::app::panel::Panel;
use crate::app::screen::indexer::{BalanceColumn, BalanceSort, DEBOUNCE, Origin, TokenColumn, TokenSort};
use crate::app::screen::{IndexerScreen, TokenScreen};
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::{Group, Request};
use crate::keymap::{Command, Tab};
use crate::model::{Coin, Identity, InscriptionRef, Tag, Text};

use super::copy::indexer::add_panel;
use super::copy::items::Items;
use super::painted::find_row;
use super::screen::{Position, Screen};
use super::toast::toast;
use super::{alert_suggestions, columns, image, sort, sync, token};
use crate::user_data::Watched;

/// The indexer tab.
pub(super) struct IndexerTab;

impl Screen for IndexerTab {
    fn groups(&self) -> &'static [Group] {
        &[Group::Indexer]
    }

    fn requests(&self, state: &State) -> Vec<Request> {
        let mut wanted = state.indexer.requests(&state.responses, state.size, state.content_rows(), state.now);
        wanted.extend(state.token_prices_request());
        wanted.extend(state.token_chart_request(|| state.token_coin()));
        let shows_bitcoin =
            state.indexer.shows(Panel::Balances, state.size) && state.may_request(Extension::BitcoinBalances);
        wanted.extend(state.indexer.bitcoin_request().filter(|_| shows_bitcoin));
        wanted.retain(|request| state.may_send(request));
        wanted
    }

    fn run(&self, state: &mut State, command: Command, _effects: &mut Vec<Effect>) {
        match command {
            Command::Filter => state.indexer.start_filter(),
            Command::BlockStats => state.indexer.visit(Subject::Stats),
            Command::ShowImage => image::open(state),
            Command::SortMenu | Command::ReverseSort if unsortable(state).is_some() => {
                let name = unsortable(state).unwrap_or_default();
                toast(state, format!("Can't sort {name} (the service sets the order)"));
            }
            Command::SortMenu if state.indexer.focus == Panel::Balances => sort::open_menu(state),
            Command::SortMenu => {
                state.indexer.focus = Panel::Tokens;
                sort::open_menu(state);
            }
            Command::ReverseSort if state.indexer.focus == Panel::Balances => match state.indexer.balance_sort {
                Some(sort) if state.indexer.has_balances(&state.responses) => {
                    sort_balances(state, Some(sort.reversed()));
                }
                // The order of the service has no other direction.
                _ => sort::open_menu(state),
            },
            Command::ReverseSort => {
                let sort = state.indexer.sort;
                sort_tokens(state, TokenSort { descending: !sort.descending, ..sort });
            }
            Command::NextPanel | Command::Right => focus(state, true),
            Command::PreviousPanel | Command::Left => focus(state, false),
            Command::ScrollLeft => columns::scroll_panel(state, state.indexer.focus, -1),
            Command::ScrollRight => columns::scroll_panel(state, state.indexer.focus, 1),
            Command::Zoom => state.indexer.zoom ^= IndexerScreen::can_zoom(state.size),
            Command::Open => open(state),
            Command::OpenTokenCoin => open_coin(state),
            Command::Back => back(state),
            _ => {}
        }
    }

    fn step(&self, state: &mut State, step: Step) {
        let before = state.indexer.tokens.cursor.key().cloned();
        state.indexer.step(&state.responses, step);
        if state.indexer.trail.is_empty() && state.indexer.tokens.cursor.key() != before.as_ref() {
            state.indexer.reset_right();
            state.indexer.debounce_until = Some(state.now.plus(DEBOUNCE));
        }
    }

    fn forget_missing(&self, state: &mut State) {
        state.indexer.forget_missing();
    }

    fn row(&self, state: &State) -> Option<usize> {
        Some(state.indexer.list(state.indexer.focus)?.cursor.index())
    }

    fn find_row(&self, state: &State, panel: Option<Panel>, painted: (usize, Option<&Text>)) -> Option<usize> {
        let (screen, responses) = (&state.indexer, &state.responses);
        match panel? {
            Panel::Tokens => find_in(&screen.token_list(responses), painted),
            Panel::Holders => find_in(&screen.holder_list(responses)?, painted),
            Panel::Activity => find_in(&screen.activity_list(responses)?, painted),
            Panel::Balances => find_in(&screen.balance_list(responses)?, painted),
            Panel::Inscriptions => find_in(&screen.inscription_list(responses)?, painted),
            _ => None,
        }
    }

    fn position(&self, _state: &State) -> Option<Position> {
        None
    }

    fn coin<'a>(&self, _state: &'a State) -> Option<&'a Coin> {
        None
    }

    fn copy(&self, state: &State, items: &mut Items<'_>) {
        add_panel(state, items);
    }

    fn sort_choices(&self, state: &State) -> Vec<MenuChoice> {
        sort::of_indexer(state)
    }

    fn alert_suggestions(&self, state: &State) -> Vec<String> {
        alert_suggestions::of_indexer(state)
    }

    fn has_period(&self) -> bool {
        false
    }

    fn has_rows(&self, state: &State) -> bool {
        !state.indexer.is_home() || !state.indexer.token_list(&state.responses).is_empty()
    }

    fn can_open(&self, state: &State) -> bool {
        selected(state).is_some()
    }

    fn back_label(&self, state: &State) -> Option<&'static str> {
        let screen = &state.indexer;
        if screen.is_zoomed(state.size) {
            Some("all panels")
        } else if screen.is_home() && screen.is_filtered() {
            Some("all tokens")
        } else if screen.trail.is_empty() && screen.focus != Panel::Tokens {
            Some("tokens")
        } else {
            screen.can_go_back().then_some("back")
        }
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        let screen = &state.indexer;
        match command {
            Command::Filter => screen.focus == Panel::Tokens,
            Command::SortMenu => match screen.focus {
                Panel::Tokens => self.has_rows(state),
                Panel::Balances => screen.has_balances(&state.responses),
                _ => false,
            },
            Command::ShowImage => image::is_offered(state),
            Command::ToggleWatch => self.has_rows(state),
            Command::BlockStats => screen.subject() != Some(Subject::Stats),
            _ => true,
        }
    }

    /// The coin of the selected ticker or of the shown token: the only coin with this symbol in the list of BRC-20
    /// tokens, or else the bare symbol.
    fn watched(&self, state: &State) -> Option<Watched> {
        let ticker = match (selected(state), state.indexer.subject()) {
            (Some(Subject::Token(ticker)), _)
            | (_, Some(Subject::Token(ticker) | Subject::TokenInBlock(ticker, _))) => ticker,
            _ => return None,
        };
        let bare = Watched::by_symbol(&ticker.to_uppercase());
        let coins = state.list(Tag::Brc20).coins();
        Some(bare.resolve(coins.map(Watched::from_coin)))
    }

    fn is_typing(&self, state: &State) -> bool {
        state.indexer.filtering
    }

    fn field<'a>(&self, state: &'a mut State) -> Option<&'a mut Input> {
        state.indexer.filtering.then_some(&mut state.indexer.filter)
    }

    fn edited(&self, state: &mut State) {
        state.indexer.apply_filter();
        state.indexer.debounce_until = Some(state.now.plus(DEBOUNCE));
    }

    fn finish(&self, state: &mut State, keep: bool) {
        let rows = state.content_rows();
        if keep {
            state.indexer.keep_filter();
        } else {
            state.indexer.cancel_filter(&state.responses, rows);
        }
    }

    fn focus(&self, state: &mut State, panel: Panel) {
        state.indexer.focus = panel;
    }

    fn has_focus(&self, state: &State, panel: Panel) -> bool {
        state.indexer.focus == panel
    }

    /// Sorts the tokens or balances by the column with this index in the menu, or reverses them if it is the sort column.
    fn sort_by_heading(&self, state: &mut State, panel: Option<Panel>, column: usize) {
        match panel {
            Some(Panel::Balances) => {
                let Some(&column) = BalanceColumn::ALL.get(column) else { return };
                let again = state.indexer.balance_sort.filter(|sort| sort.column == column);
                sort_balances(state, Some(again.map_or(column.into(), BalanceSort::reversed)));
            }
            _ => {
                let Some(&column) = TokenColumn::ALL.get(column) else { return };
                let sort = state.indexer.sort;
                let again = TokenSort { descending: !sort.descending, ..sort };
                sort_tokens(state, if sort.column == column { again } else { column.into() });
            }
        }
    }

    fn load_more(&self, state: &mut State, margin: usize) {
        state.indexer.sync(&state.responses, margin);
    }

    fn kept(&self, state: &State) -> Option<Vec<Request>> {
        Some(state.indexer.pages())
    }
}

fn find_in<T: Identity>(list: &PagedList<'_, T>, painted: (usize, Option<&Text>)) -> Option<usize> {
    find_row(painted, list.len(), |row| list.get(row))
}

/// The name of the focused list if it can't be sorted: its pages come in the service's order, and sorting only those
/// that are loaded would show another first row with every page.
fn unsortable(state: &State) -> Option<&'static str> {
    match state.indexer.focus {
        Panel::Holders => Some("holders"),
        Panel::Activity => Some("activity"),
        Panel::Inscriptions => Some("inscriptions"),
        _ => None,
    }
}

/// Sorts the tokens. If the right side shows the selected token, it follows the new selection.
pub(super) fn sort_tokens(state: &mut State, sort: TokenSort) {
    state.indexer.sort = sort;
    state.update_sort_values();
    let screen = &mut state.indexer;
    screen.focus = Panel::Tokens;
    screen.sort_by(sort, &state.responses);
    if screen.trail.is_empty() {
        screen.reset_right();
        screen.debounce_until = Some(state.now.plus(DEBOUNCE));
    }
}

/// Sorts the balances of the address. `None` is the order of the service.
pub(super) fn sort_balances(state: &mut State, sort: Option<BalanceSort>) {
    state.indexer.focus = Panel::Balances;
    state.indexer.sort_balances(sort);
    state.update_sort_values();
}

fn focus(state: &mut State, forward: bool) {
    let screen = &mut state.indexer;
    let mut ring = vec![Panel::Tokens];
    ring.extend(screen.panels());
    let here = ring.iter().position(|panel| *panel == screen.focus).unwrap_or(0);
    let by = if forward { 1 } else { ring.len() - 1 };
    if let Some(&panel) = ring.get((here + by) % ring.len()) {
        screen.focus = panel;
    }
}

fn open(state: &mut State) {
    let subject = selected(state);
    let screen = &mut state.indexer;
    match (screen.focus, subject) {
        (Panel::Tokens, Some(Subject::Token(_))) => {
            if !screen.trail.is_empty() {
                screen.trail.clear();
                screen.reset_right();
            }
            screen.debounce_until = None;
            screen.focus = Panel::Details;
        }
        (_, Some(subject)) => visit(state, subject),
        (_, None) => {}
    }
}

/// The subject that Enter opens: the selected row or panel of the indexer tab.
fn selected(state: &State) -> Option<Subject> {
    let screen = &state.indexer;
    let key = || screen.list(screen.focus).and_then(|list| list.cursor.key().cloned());
    match screen.focus {
        Panel::Tokens | Panel::Balances => key().map(Subject::Token),
        Panel::Holders => key().map(Subject::Address),
        Panel::Activity => {
            let list = screen.activity_list(&state.responses)?;
            let activity = list.get(screen.activity.cursor.index())?;
            activity.inscription_id.clone().map(|id| Subject::Inscription(InscriptionRef::Id(id)))
        }
        Panel::Inscriptions => key().map(|id| Subject::Inscription(InscriptionRef::Id(id))),
        Panel::Facts => match screen.subject()? {
            Subject::Sat(_) => {
                let sat = state.responses.sat(&screen.facts_request()?).value?;
                sat.inscription_id.clone().map(|id| Subject::Inscription(InscriptionRef::Id(id)))
            }
            Subject::Inscription(_) => {
                let inscription = state.responses.inscription(&screen.facts_request()?).value?;
                inscription.sat.map(Subject::Sat)
            }
            _ => None,
        },
        Panel::Details => {
            let token = state.responses.brc20_token(&screen.facts_request()?).value?;
            token.inscription_id.clone().map(|id| Subject::Inscription(InscriptionRef::Id(id)))
        }
        _ => None,
    }
}

/// Opens the view of the selected token's coin, if it is unambiguous.
fn open_coin(state: &mut State) {
    let Some(ticker) = state.indexer.token() else {
        return toast(state, "Select a token first");
    };
    let coin = state.token_coin().cloned();
    match coin {
        Some(coin) => token::open(state, TokenScreen::from_coin(&coin, state.period)),
        None => toast(state, format!("Can't tell which coin {ticker} is")),
    }
}

fn back(state: &mut State) {
    let (rows, size) = (state.content_rows(), state.size);
    let screen = &mut state.indexer;
    if screen.is_zoomed(size) {
        screen.zoom = false;
        return;
    }
    let origin = screen.trail.last_mut().and_then(|visit| visit.origin.take());
    if screen.back() {
        if let Some(Origin { tab, token }) = origin {
            (state.tab, state.token) = (tab, token.map(|token| *token));
            sync::all(state);
        }
    } else if screen.focus != Panel::Tokens {
        screen.focus = Panel::Tokens;
    } else if screen.is_filtered() {
        screen.clear_filter(&state.responses, rows);
    }
}

/// Shows the result of a lookup. Before the first address is sent to a public provider, the user confirms it.
pub(super) fn visit(state: &mut State, subject: Subject) {
    match subject {
        Subject::Address(address) if !state.unconfirmed_address_receivers().is_empty() => {
            state.overlay = Some(Overlay::AddressNotice { address: Some(address) });
        }
        subject => show(state, subject),
    }
}

/// Shows the result of a lookup that needs no confirmation.
pub(super) fn show(state: &mut State, subject: Subject) {
    let is_elsewhere = !state.is_open(Tab::Indexer);
    let origin = Origin { tab: state.tab, token: state.token.take().map(Box::new) };
    state.tab = Tab::Indexer;
    state.indexer.debounce_until = None;
    recent::visit(&mut state.recent, Recent::Subject(subject.clone()));
    state.indexer.visit(subject);
    if let Some(visit) = state.indexer.trail.last_mut().filter(|_| is_elsewhere) {
        visit.origin = Some(origin);
    }
}
