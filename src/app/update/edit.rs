//! Edits the text field that has the focus.

use tui_input::{Input, InputRequest};

use crate::app::overlay::Overlay;
use crate::app::state::State;
use crate::keymap::Tab;
use crate::model::text;

/// Maximum characters of a text field: an inscription id has 66 characters, but pasted text can have any length.
const MAX_CHARS: usize = 200;

/// The focused text field, if any.
pub(super) fn line(state: &mut State) -> Option<&mut Input> {
    match (&state.overlay, &state.token, state.tab) {
        (Some(_), _, _) => match &mut state.overlay {
            Some(Overlay::Currency { input, .. } | Overlay::Lookup { input, .. }) => Some(input),
            _ => None,
        },
        (None, None, Tab::List(tag)) => {
            let list = state.list_mut(tag);
            list.searching.then_some(&mut list.search)
        }
        (None, None, Tab::Indexer) => state.indexer.filtering.then_some(&mut state.indexer.filter),
        _ => None,
    }
}

pub(super) fn edit(state: &mut State, request: InputRequest) {
    let Some(input) = line(state) else { return };
    if let InputRequest::InsertChar(c) = request
        && (!fits(input, c) || input.value().chars().count() >= MAX_CHARS)
    {
        return;
    }
    let changed = input.handle(request).is_some_and(|change| change.value);
    if changed {
        edited(state);
    }
}

/// Whether a character is harmless and visible at the cursor: an unusual keyboard layout, or a terminal without
/// bracketed paste, can send any character.
fn fits(input: &Input, c: char) -> bool {
    // While typing, spaces are allowed everywhere.
    let before = &input.value().replace(' ', "_");
    let at = before.char_indices().nth(input.cursor()).map_or(before.len(), |(at, _)| at);
    let mut after = before.to_owned();
    after.insert(at, c);
    c == ' ' || text::clean(&after).len() == text::clean(before).len() + c.len_utf8()
}

/// Inserts pasted text, cleaned like text from a server.
pub(super) fn paste(state: &mut State, pasted: &str) {
    let Some(input) = line(state) else { return };
    for c in text::clean(pasted).chars() {
        if input.value().chars().count() >= MAX_CHARS {
            break;
        }
        if fits(input, c) {
            input.handle(InputRequest::InsertChar(c));
        }
    }
    edited(state);
}

fn edited(state: &mut State) {
    match &mut state.overlay {
        Some(Overlay::Currency { selected, .. } | Overlay::Lookup { selected, .. }) => *selected = 0,
        Some(_) => {}
        None => match state.tab {
            Tab::List(tag) => state.list_mut(tag).filter(),
            Tab::Indexer => {
                state.indexer.tokens = Default::default();
                state.indexer.trail.clear();
                state.indexer.debounce_until = Some(state.now.plus(crate::app::screen::indexer::DEBOUNCE));
            }
            Tab::Wallet | Tab::Status => {}
        },
    }
}

/// Ends editing and applies the text if `keep` is set, or else clears it.
pub(super) fn finish(state: &mut State, keep: bool) -> bool {
    if line(state).is_none() || state.overlay.is_some() {
        return false;
    }
    match state.tab {
        Tab::List(tag) => {
            let list = state.list_mut(tag);
            list.searching = false;
            if !keep {
                list.search.reset();
                list.filter();
            }
        }
        Tab::Indexer => {
            state.indexer.filtering = false;
            if !keep {
                state.indexer.filter.reset();
                state.indexer.tokens = Default::default();
            }
        }
        Tab::Wallet | Tab::Status => {}
    }
    true
}
