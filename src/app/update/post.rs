//! A post's full text.

use crate::app::effect::Effect;
use crate::app::extension::Extension;
use crate::app::overlay::{Overlay, reader};
use crate::app::state::State;
use crate::app::step::Step;
use crate::client::Request;
use crate::keymap::{Command, Context};

use super::copy::items::Items;
use super::copy::post::add_post;
use super::dialog::Dialog;
use super::toast::toast;
use super::{links, mentions, selection};

/// A post's full text.
pub(super) struct PostDialog;

impl Dialog for PostDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Post
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        match command {
            Command::Open => self.close(state, effects),
            Command::Links => links::open(state),
            Command::OpenMentioned => mentions::open_mentioned(state),
            Command::NextPost => open_neighbour(state, true),
            Command::PreviousPost => open_neighbour(state, false),
            _ => {}
        }
    }

    fn step(&self, state: &mut State, step: Step) {
        let most = max_scroll(state);
        if let Some(Overlay::Post { scroll, .. }) = &mut state.overlay {
            // Clamp the position before the step, too, since the screen may have grown.
            *scroll = step.target((*scroll).min(most), most);
        }
    }

    fn copy(&self, state: &State, items: &mut Items<'_>) {
        if let Some(post) = selection::open_post(state) {
            add_post(items, post);
        }
    }

    /// The coins that the post mentions may be on no loaded page.
    fn lookups(&self, state: &State) -> Vec<Request> {
        state.may_request(Extension::Names).then_some(Request::CoinNames).into_iter().collect()
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        match command {
            Command::OpenMentioned => state.mentions_other_coin(),
            Command::NextPost => neighbour(state, true).is_some(),
            Command::PreviousPost => neighbour(state, false).is_some(),
            Command::Up | Command::Down => max_scroll(state) > 0,
            _ => true,
        }
    }
}

/// Maximum scroll position: the last line is then at the bottom.
fn max_scroll(state: &State) -> usize {
    selection::open_post(state).map_or(0, |post| reader::max_scroll(post, state.size))
}

/// The row of the next or the previous post in the panel below. Skips folded ones: only a deliberate choice unfolds them.
fn neighbour(state: &State, is_next: bool) -> Option<usize> {
    let token = state.token.as_ref()?;
    let posts = &state.responses.posts(&token.posts_request()).value?.items;
    let Some(Overlay::Post { id, .. }) = &state.overlay else { return None };
    let is_open = |row: &usize| token.post(posts, *row).is_some_and(|post| post.id == *id);
    // A post that is no longer there had the row of the cursor.
    let here = (0..token.post_count()).find(is_open).unwrap_or(token.posts.index());
    let is_shown = |row: &usize| token.post(posts, *row).is_some_and(|post| !token.is_folded(post));
    if is_next {
        (here + 1..token.post_count()).find(is_shown)
    } else {
        (0..here.min(token.post_count())).rev().find(is_shown)
    }
}

/// Opens the next or the previous post, and selects it in the panel below.
fn open_neighbour(state: &mut State, is_next: bool) {
    let Some(row) = neighbour(state, is_next) else {
        let place = if is_next { "last" } else { "first" };
        return toast(state, format!("This is the {place} post"));
    };
    let State { token: Some(token), responses, posts, overlay, .. } = state else { return };
    let Some(page) = responses.posts(&token.posts_request()).value else { return };
    let mut cursor = std::mem::take(&mut token.posts);
    cursor.select(row, token.post_count(), |row| token.post(&page.items, row));
    token.posts = cursor;
    if let Some(id) = token.selected_post() {
        posts.mark_read(id);
        *overlay = Some(Overlay::Post { id: id.clone(), scroll: 0 });
    }
}
