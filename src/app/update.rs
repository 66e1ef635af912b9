//! How the state changes: one message in, wishes to the outside out.

mod command;
mod copy;
mod currency;
mod edit;
mod indexer;
mod keys;
mod list;
mod menu;
mod mouse;
mod overlay;
mod refresh;
mod session;
mod token;
mod watch;

use std::mem::{self, Discriminant};
use std::time::Duration;

use crate::client::Request;
use crate::fetch::Event;
use crate::glyphs::Glyphs;
use crate::keymap::{Command, Tab};
use crate::model::{Tag, Text, UtcTime, text};

use super::demand::demand;
use super::effect::Effect;
use super::message::Message;
use super::overlay::Overlay;
use super::state::{BackgroundQueue, State, Toast};
use super::store::Kept;
use super::user_data::{Change, UserData};

/// How long a toast stays.
const TOAST: Duration = Duration::from_secs(4);

/// Takes in what happened at a time; what is to be done outside comes back.
pub fn update(state: &mut State, message: Message, now: UtcTime) -> Vec<Effect> {
    state.now = now;
    if state.toast.as_ref().is_some_and(|toast| toast.until <= now) {
        state.toast = None;
    }
    if state.indexer.rest_until.is_some_and(|until| until <= now) {
        state.indexer.rest_until = None;
    }
    let (before, said) = (scene(state), state.toast.clone());
    let mut effects = Vec::new();
    if matches!(message, Message::Command(_) | Message::Paste(_) | Message::Click(_) | Message::Wheel(_)) {
        state.pending = None;
    }
    match message {
        Message::Key(key) => keys::press(state, key, &mut effects),
        Message::Command(command) => command::run(state, command, &mut effects),
        Message::Paste(text) => match state.menu.take() {
            Some(_) => {}
            None => edit::paste(state, &text),
        },
        Message::Click(target) => mouse::click(state, target, &mut effects),
        Message::Wheel(rows) => {
            state.menu = None;
            command::step(state, rows);
        }
        Message::Resize(columns, rows) => state.size = (columns, rows),
        Message::Fetch(event) => fetched(state, event),
        Message::Restored(kept) => restored(state, kept),
        Message::Tick => {}
        Message::Loaded(data) => loaded(state, *data),
        Message::Saved(number, Ok(())) => {
            state.user.saved(number);
            // What failed before has succeeded now.
            state.toast.take_if(|toast| toast.is_unsaved);
        }
        Message::Saved(_, Err(text)) => {
            toast(state, text, true);
            state.toast.iter_mut().for_each(|toast| toast.is_unsaved = true);
        }
        Message::LinkNotOpened(link) => copy::link_not_opened(state, link, &mut effects),
        Message::EffectFailed(text) => toast(state, text, true),
        Message::Notice(text) => toast(state, text, false),
    }
    if let Some(token) = &state.token {
        state.period = token.period;
        state.zoomed = token.zoom.then_some(token.focus);
    }
    // A message belongs to the screen that it came up on.
    if state.toast == said && scene(state) != before {
        state.toast = None;
    }
    read_on(state);
    let wanted = demand(state);
    if state.tab == Tab::Indexer {
        state.store.keep(&state.indexer.pages());
    }
    state.store.want(wanted.all());
    give_back(state, &wanted.visible);
    effects
}

/// Gives pages back to the store that it has forgotten and the lists have not: so that their rows are judged as old as
/// they are, and a failure to fetch them again is theirs.
fn give_back(state: &mut State, wanted: &[Request]) {
    for request in wanted {
        let Request::Coins { tag, .. } = request else { continue };
        if state.store.answer(request).is_none()
            && let Some(kept) = state.list(*tag).kept(request)
        {
            state.store.give_back(kept);
        }
    }
}

/// What tells one screen from another: the tab, the token, what lies on top, how deep a look-up went.
fn scene(state: &State) -> (Tab, Option<Text>, Option<Discriminant<Overlay>>, usize) {
    let token = state.token.as_ref().map(|token| token.symbol.clone());
    (state.tab, token, state.overlay.as_ref().map(mem::discriminant), state.indexer.trail.len())
}

/// Takes in the user data as read from the store.
fn loaded(state: &mut State, data: UserData) {
    let session = data.session.clone();
    state.user.loaded(data);
    if !state.restored {
        state.restored = true;
        session::restore(state, session);
    }
    sync_watched(state);
}

/// Makes a change to the user data and asks for it to be saved.
fn save(state: &mut State, change: Change, effects: &mut Vec<Effect>) {
    let number = state.user.push(change.clone());
    effects.push(Effect::Save(number, change));
    sync_watched(state);
}

/// Shows the watchlist as it is now.
fn sync_watched(state: &mut State) {
    let watched = state.user.current().watchlist.over(&state.preferences.watched);
    if watched == state.watched {
        return;
    }
    state.watched = watched;
    state.wallet.watch(&state.watched);
    state.resolve();
    state.wallet.sync(&state.store, &state.watched, &state.convert);
}

/// Shows a short message, harmless whatever a path or a link in it holds.
fn toast(state: &mut State, text: String, is_error: bool) {
    let text = text::clean(&text).into_owned();
    state.toast = Some(Toast { text, is_error, is_unsaved: false, until: state.now.plus(TOAST) });
}

/// Takes in what happened to a request, and tells the screens that show it.
fn fetched(state: &mut State, event: Event) {
    match event {
        Event::RefreshHeld { sent, held, hold, until } => {
            let key = state.keys().name(Command::Refresh, state.screen(), Glyphs::Ascii);
            let message = refresh::refusal_message(key.as_deref(), sent, held, hold, until.since(state.now));
            return toast(state, message, false);
        }
        Event::Background { waiting, until } => {
            state.background_queue = BackgroundQueue { waiting, until };
            return;
        }
        _ => {}
    }
    let arrived = match &event {
        Event::Arrived { request, .. } => Some(request.clone()),
        _ => None,
    };
    // The verdict on a new currency is the only thing that needs the event once more.
    let judged = state.convert_before.is_some().then(|| event.clone());
    if !state.store.apply(event) {
        return;
    }
    if let Some(request) = arrived {
        sync(state, &request);
    }
    if let Some(event) = judged {
        currency::judge(state, &event);
    }
}

/// Takes in what an earlier run had seen last, where nothing newer is known.
fn restored(state: &mut State, kept: Vec<Kept>) {
    for kept in kept {
        state.store.restore(kept);
    }
    sync_all(state);
    state.indexer.sync(&state.store, usize::from(state.size.1));
}

/// Tells the screens that a resource has a new value.
fn sync(state: &mut State, request: &Request) {
    let State { store, convert, watched, lists, .. } = state;
    match request {
        Request::Coins { tag, .. } => sync_list(state, *tag),
        Request::CategoryStats { .. } | Request::MarketData { .. } => {
            if let Some(answer) = store.answer(request) {
                for list in lists.iter_mut().filter(|list| list.is_trend(request, convert)) {
                    list.take_trends(answer);
                }
            }
            state.wallet.sync(store, watched, convert);
            state.resolve();
        }
        Request::Chart { .. } | Request::Posts { .. } | Request::MarketPairs { .. } => {
            if let Some(token) = &mut state.token {
                token.sync(store, convert);
            }
        }
        _ => state.indexer.sync(store, usize::from(state.size.1)),
    }
}

/// Tells a list that one of its pages is another now.
fn sync_list(state: &mut State, tag: Tag) {
    let State { store, convert, lists, .. } = state;
    for list in lists.iter_mut().filter(|list| list.tag == tag) {
        list.sync(store, convert);
    }
    state.resolve();
}

/// Asks for more of a list where its cursor nears the end.
fn read_on(state: &mut State) {
    let rows = state.content_rows();
    if state.token.is_some() {
        // The next coin may be on the next page.
        if let Tab::List(tag) = state.tab {
            while state.list_mut(tag).extend(1) {
                sync_list(state, tag);
            }
        }
    } else {
        match state.tab {
            Tab::List(tag) => {
                // The pages may be there already: from an earlier run, or from before the list began anew.
                while state.list_mut(tag).extend(rows) {
                    sync_list(state, tag);
                }
            }
            Tab::Indexer => state.indexer.sync(&state.store, rows),
            Tab::Wallet | Tab::Status => {}
        }
    }
}

/// Tells every screen that its values are others now: the currency changed, a screen was opened.
fn sync_all(state: &mut State) {
    let State { store, convert, watched, lists, token, wallet, .. } = state;
    for list in lists {
        list.sync(store, convert);
    }
    if let Some(token) = token {
        token.sync(store, convert);
    }
    wallet.sync(store, watched, convert);
    state.resolve();
}
