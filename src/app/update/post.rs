//! A post's full text.

use crate::app::effect::Effect;
use crate::app::overlay::{Overlay, reader};
use crate::app::state::State;
use crate::client::Request;
use crate::keymap::{Command, Context};

use super::copy::items::Items;
use super::copy::post::add_post;
use super::dialog::Dialog;
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
            _ => {}
        }
    }

    fn step(&self, state: &mut State, by: isize) {
        let most = selection::open_post(state).map_or(0, |post| reader::max_scroll(post, state.size));
        if let Some(Overlay::Post { scroll, .. }) = &mut state.overlay {
            // Clamp the position before the step, too, since the screen may have grown.
            *scroll = (*scroll).min(most).saturating_add_signed(by).min(most);
        }
    }

    fn copy(&self, state: &State, items: &mut Items<'_>) {
        if let Some(post) = selection::open_post(state) {
            add_post(items, post);
        }
    }

    /// The coins that the post mentions may be on no loaded page.
    fn lookups(&self, state: &State) -> Vec<Request> {
        (!state.lacks_names).then_some(Request::CoinNames).into_iter().collect()
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        command != Command::OpenMentioned || state.mentions_other_coin()
    }
}
