//! Changes the state: takes a message and returns side effects.

mod address;
mod address_notice;
mod alert_checks;
mod alert_suggestions;
mod alerts;
mod alerts_dialog;
mod clock;
mod columns;
mod command;
mod compare;
mod copy;
mod currency;
mod dialog;
mod dialogs;
mod edit;
mod extension;
mod fetched;
mod filter;
mod help;
mod image;
mod indexer;
mod keys;
mod links;
mod list;
mod live;
mod lot;
mod mentions;
mod menu;
mod mouse;
mod not_edited;
mod note;
mod painted;
mod palette;
mod pause;
mod post;
mod posts;
mod provider_change;
mod refresh;
mod screen;
mod screens;
mod selected_alert;
mod selection;
mod session;
mod session_save;
mod sort;
mod sources;
mod status;
mod sync;
mod toast;
mod token;
mod undo;
mod user;
mod wallet;
mod watch;

use std::mem;
use std::time::Duration;

use crate::alerts::Tracked;
use crate::client::Request;
use crate::fetch::Event;
use crate::glyphs::Glyphs;
use crate::keymap::{Command, Tab};
use crate::model::UtcTime;
use crate::user_data::StoreNotice;

use super::demand::demand;
use super::effect::Effect;
use super::message::Message;
use super::preferences::Preferences;
use super::responses::CachedResponse;
use super::screen::ListScreen;
use super::screen::token::choices::TokenChoices;
use super::state::State;
use super::toast::ToastEnd;
use super::wallet::seen_values::SeenEvent;
pub use painted::{Click, ScreenId};
use toast::{error_toast, lasting_error_toast, toast};

/// Minimum time between two messages that means that the machine was suspended.
const SUSPEND_THRESHOLD: Duration = Duration::from_mins(2);

/// Applies a message that happened at `now`. Returns side effects for the runtime.
pub fn update(state: &mut State, message: Message, now: UtcTime) -> Vec<Effect> {
    let mut effects = Vec::new();
    advance_time(state, &message, now);
    if message.is_input() {
        begin_input(state, &message);
    }
    // User input brings no new data.
    let has_news = !message.is_input() && !matches!(message, Message::ScrollLimits(_));
    let (before, toast_before) = (state.screen_id(), state.toast.clone());
    let (showed_holdings, has_wallet_data) = (state.tab_screen().shows_holdings(), is_wallet_data(&message));
    // The cursor follows the time of the current price, and then the price.
    state.follow_current_price();
    handle(state, message, &mut effects);
    compare::uncover(state);
    apply_released(state, &mut effects);
    state.follow_current_price();
    let has_wallet_data = state.settle_holdings() || has_wallet_data;
    save_wallet(state, showed_holdings, has_wallet_data, &mut effects);
    remember_token_view(state);
    session_save::save_choices(state, &mut effects);
    posts::save_read(state, &mut effects);
    if state.store_log.unseen() > 0 && super::status::shows_saved_data(state) {
        state.store_log.mark_seen();
    }
    // A toast disappears when its screen is left.
    if state.toast == toast_before && !state.screen_id().is_same(&before) {
        state.toast = None;
    }
    update_demand(state, has_news, &effects);
    effects
}

/// Sets the time, and applies what is due.
fn advance_time(state: &mut State, message: &Message, now: UtcTime) {
    // A message comes at least every minute, for the clock.
    if now.since(state.now) >= SUSPEND_THRESHOLD {
        state.alerts.tracked.iter_mut().for_each(Tracked::interrupt);
    }
    if now < state.now {
        clock::set_back(state, now);
    }
    let have_live_prices_ended = state.live.next_change(state.now).is_some_and(|end| end <= now);
    state.now = now;
    extension::retry_due(state);
    state.alerts.retry_missing(now);
    if state.shown_toast().and_then(|toast| toast.until).is_some_and(|until| until <= now) {
        state.toast = None;
    }
    if state.indexer.debounce_until.is_some_and(|until| until <= now) {
        state.indexer.debounce_until = None;
    }
    if state.search_debounce_until.is_some_and(|until| until <= now) {
        state.search_debounce_until = None;
    }
    // The user acts on the rows of the last frame, so they keep their order even if sorting is due.
    if message.is_input() && !matches!(message, Message::Paste(_)) {
        state.order_hold.start(now);
        state.tab_screen().hold_selection(state);
    } else if state.order_hold.end_if_due(now) {
        state.lists.iter_mut().for_each(ListScreen::release_order);
        palette::settle(state);
        if state.order_hold.has_new_token_values {
            state.update_sort_values();
        }
    }
    // While paused, values that depend on live prices stay.
    if have_live_prices_ended && state.paused.is_none() {
        sync::live_prices(state);
    }
}

/// Ends what waits for the next user input, before this input is handled.
fn begin_input(state: &mut State, message: &Message) {
    palette::cancel_pending(state);
    // A key may be the second one of a sequence.
    if !matches!(message, Message::Key(_)) {
        state.pending = None;
    }
    // At the next key press, the message counts as read.
    if matches!(message, Message::Key(_) | Message::Command(_)) {
        state.toast = None;
        state.is_selection_unchosen = false;
    }
}

/// Applies the events that a pause or a manual refresh has let through.
fn apply_released(state: &mut State, effects: &mut Vec<Effect>) {
    // These were requested before a refresh.
    let waiting = state.manual_refresh.take_waiting();
    for event in pause::take_released(state) {
        fetched::apply(state, event, effects);
    }
    state.manual_refresh.put_back(waiting);
}

/// Saves the wallet's balances, its values when the user has seen them, and its order. `has_news` is whether balances
/// or prices have arrived.
fn save_wallet(state: &mut State, showed_holdings: bool, has_news: bool, effects: &mut Vec<Effect>) {
    let shows_holdings = state.tab_screen().shows_holdings();
    state.wallet.was_open |= shows_holdings;
    if has_news && !state.wallet.holdings().addresses().is_empty() {
        session_save::record_balances(state, effects);
    }
    if showed_holdings && !shows_holdings {
        session_save::save_seen(state, SeenEvent::Left, effects);
    } else if has_news && shows_holdings {
        session_save::save_seen(state, SeenEvent::Arrived, effects);
    }
    if mem::take(&mut state.session_saves.has_unsaved_order) {
        session_save::save(state, effects);
    }
}

/// Remembers the choices in the open token view for the next one.
fn remember_token_view(state: &mut State) {
    let Some(token) = &state.token else { return };
    let period = if token.shares_period { token.period } else { state.period };
    state.token_choices = TokenChoices::of(token);
    state.set_period(period);
}

/// Loads more pages if they are needed, and plans the requests of typed lines and alerts. `has_news` is whether a value
/// may have changed.
fn update_demand(state: &mut State, has_news: bool, effects: &[Effect]) {
    palette::load_pages(state);
    wallet::load_token_pages(state);
    wallet::load_held_pages(state);
    // Below the token view, the next coin may be on the next page.
    let margin = if state.token.is_some() { 1 } else { state.content_rows() };
    state.tab_screen().load_more(state, margin);
    alerts::read_line(state, has_news);
    lot::read_line(state, has_news);
    state.alerts.plan_is_due |= has_news || effects.iter().any(|effect| matches!(effect, Effect::Save(..)));
    state.plan_alerts();
    let wanted = demand(state);
    if let Some(kept) = state.tab_screen().kept(state) {
        state.responses.keep(&kept);
    }
    state.responses.record_demand(wanted.all());
    sync::restore_dropped(state, &wanted.visible);
}

/// Applies a message after the time has passed.
fn handle(state: &mut State, message: Message, effects: &mut Vec<Effect>) {
    match message {
        Message::Key(key) => keys::press(state, key, effects),
        Message::Command(command) => command::run(state, command, effects),
        Message::Paste(text) => match state.menu.take() {
            Some(_) => {}
            None => edit::paste(state, &text),
        },
        Message::Click(target) => mouse::click(state, target, effects),
        Message::Wheel(rows, panel) => mouse::wheel(state, rows, panel),
        Message::ScrollLimits(limits) => state.panel_scroll.set_limits(limits),
        Message::Resize(columns, rows) => state.size = (columns, rows),
        Message::Fetch(event) => {
            let alert_input = state.paused.as_ref().and_then(|_| alert_checks::alert_input(state, &event));
            let outage = alert_checks::outage(&event);
            match (pause::hold_back(state, event), alert_input) {
                (Some(event), _) => fetched::apply(state, event, effects),
                (None, Some(input)) => {
                    pause::with_waiting(state, |state| alert_checks::evaluate(state, &input, effects));
                }
                (None, None) => {}
            }
            // Afterwards, since old data may be newer than the last checked data. A pause delays nothing.
            outage.iter().for_each(|request| alert_checks::interrupt(state, request));
        }
        Message::AlertLease { kind, checker } => {
            pause::with_waiting(state, |state| alert_checks::set_checker(state, kind, checker, effects));
        }
        Message::Restored(cached) => fetched::restore(state, cached),
        Message::Tick => {}
        Message::Loaded(data) => {
            state.store_log.set_unread(None);
            user::apply_loaded(state, *data, effects);
            alerts::mark_seen(state, effects);
            address_notice::look_up_confirmed(state);
        }
        Message::IdsAssigned(ids) => user::assign_ids(state, ids),
        Message::FiredElsewhere(number) => alert_checks::announce(state, number, false, effects),
        Message::Saved(number, Ok(())) => {
            alert_checks::announce(state, number, true, effects);
            state.user.confirm(number);
            toast::saved(state, number);
            if state.user.is_empty() {
                // The change that failed before is saved, too.
                toast::dismiss_on(&mut state.toast, ToastEnd::Saved);
                state.store_log.saved();
            }
        }
        Message::Saved(number, Err(notice)) => {
            // An alert must not be missed because of a full disk.
            alert_checks::announce(state, number, true, effects);
            store_failed(state, notice);
        }
        Message::NotEdited(number, sentence) => not_edited::reopen(state, number, sentence),
        Message::StoreFailed(notice) => store_failed(state, notice),
        Message::StoreUnread(database) => state.store_log.set_unread(Some(&database)),
        Message::StoreNotice(notice) => store_notice(state, notice),
        Message::SourceTested { name, outcome } => sources::tested(state, name, outcome, effects),
        Message::LinkNotOpened(link) => copy::link_not_opened(state, link, effects),
        Message::AlertCommandEnded(outcome) => alert_checks::command_ended(state, outcome),
        Message::EffectFailed(text) => error_toast(state, text),
        Message::Notice(text) => toast(state, text),
    }
}

/// Continues with another source of data, which has these cached responses: user data, session, marks, a pause and the
/// filter of posts are kept, fetched data is not.
pub fn switch_source(state: &mut State, preferences: Preferences, cached: Vec<CachedResponse>, now: UtcTime) {
    let mut user = state.user.current().into_owned();
    user.session = state.session().entries();
    let mut switched = State::new(preferences, state.size, now);
    // The session was valid, so these messages have no effects.
    let _ = update(&mut switched, Message::Loaded(Box::new(user)), now);
    let _ = update(&mut switched, Message::Restored(cached), now);
    let old = mem::replace(state, switched);
    state.take_over(old);
}

/// Takes the announcements of firings that the store has not confirmed before the program ends: their texts, and the
/// effects to run. Another process announces those that were `fired_elsewhere`.
pub fn last_announcements(state: &mut State, fired_elsewhere: &[u64]) -> (Vec<String>, Vec<Effect>) {
    alert_checks::announce_last(state, fired_elsewhere)
}

/// Says that changes are not saved, now and in the Status tab.
fn store_failed(state: &mut State, notice: StoreNotice) {
    state.store_log.failed(state.now, &notice);
    error_toast(state, notice.summary);
    toast::dismiss_when(state, ToastEnd::Saved);
}

/// Shows a notice about the saved data. The header points to the Status tab until that has shown the notice.
fn store_notice(state: &mut State, notice: StoreNotice) {
    state.store_log.add(state.now, &notice);
    let key = state.keys().name(Command::Go(Tab::Status), state.context(), Glyphs::Ascii);
    let hint = key.filter(|_| state.tab != Tab::Status).map_or_else(String::new, |key| format!(" ({key}: details)"));
    lasting_error_toast(state, format!("{}{hint}", notice.summary));
}

/// Whether a message has balances or prices of holdings.
fn is_wallet_data(message: &Message) -> bool {
    let Message::Fetch(Event::Arrived { request, .. }) = message else { return false };
    matches!(
        request,
        Request::Brc20Balances { .. }
            | Request::BitcoinBalance { .. }
            | Request::CoinsById { .. }
            | Request::Coins { .. }
    )
}
