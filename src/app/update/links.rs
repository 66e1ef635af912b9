//! The links of a post or a coin.

use crate::app::effect::Effect;
use crate::app::overlay::Overlay;
use crate::app::panel::Panel;
use crate::app::state::State;
use crate::app::step::Step;
use crate::keymap::{Command, Context};
use crate::model::{Link, Post, Text};

use super::copy::items::Items;
use super::dialog::Dialog;
use super::selection;
use super::toast::toast;

/// Links to choose from.
pub(super) struct LinksDialog;

impl Dialog for LinksDialog {
    fn context(&self, _state: &State) -> Context {
        Context::Links
    }

    fn run(&self, state: &mut State, command: Command, effects: &mut Vec<Effect>) {
        if command == Command::Open
            && let Some(Overlay::Links { links, selected, below, .. }) = state.overlay.take()
        {
            state.overlay = below.map(|below| *below);
            effects.extend(links.into_iter().nth(selected).map(|link| Effect::OpenLink(link.url.into())));
        }
    }

    /// The post below appears again.
    fn close(&self, state: &mut State, _effects: &mut Vec<Effect>) {
        if let Some(Overlay::Links { below, .. }) = state.overlay.take() {
            state.overlay = below.map(|below| *below);
        }
    }

    fn step(&self, state: &mut State, step: Step) {
        if let Some(Overlay::Links { links, selected, .. }) = &mut state.overlay {
            *selected = step.target(*selected, links.len().saturating_sub(1));
        }
    }

    fn selected<'a>(&self, state: &'a mut State) -> Option<&'a mut usize> {
        match &mut state.overlay {
            Some(Overlay::Links { selected, .. }) => Some(selected),
            _ => None,
        }
    }

    fn choice_key(&self, state: &State, index: usize) -> Option<Text> {
        match &state.overlay {
            Some(Overlay::Links { links, .. }) => links.get(index).map(|link| link.url.clone()),
            _ => None,
        }
    }

    fn offers(&self, state: &State, command: Command) -> bool {
        let has_several = matches!(&state.overlay, Some(Overlay::Links { links, .. }) if links.len() > 1);
        has_several || !matches!(command, Command::Up | Command::Down)
    }

    fn copy(&self, state: &State, items: &mut Items<'_>) {
        if let Some(Overlay::Links { links, selected, .. }) = &state.overlay {
            items.maybe('l', "link", links.get(*selected).map(|link| &link.url));
        }
    }
}

/// Opens the links of the open or selected post, or of the coin.
pub(super) fn open(state: &mut State) {
    let reading = match &state.overlay {
        Some(Overlay::Post { id, .. }) => Some(id.clone()),
        _ => state.token.as_ref().filter(|t| t.focus == Panel::Posts).and_then(|t| t.selected_post().cloned()),
    };
    let (title, links) = match reading.as_ref().and_then(|id| selection::post(state, id)) {
        Some(post) => (String::from("Links in this post"), links_of_post(post)),
        None => match state.open_screen().coin(state) {
            Some(coin) => (format!("Links for {}", coin.name), coin.links.to_vec()),
            None => return,
        },
    };
    if links.is_empty() {
        toast(state, "No links here");
    } else {
        let below = state.overlay.take().map(Box::new);
        state.overlay = Some(Overlay::Links { title, links, selected: 0, below });
    }
}

fn links_of_post(post: &Post) -> Vec<Link> {
    let own = post.url.iter().map(|url| Link { kind: Text::const_new("post"), url: url.into() });
    let trimmed = |word: &str| word.trim_end_matches(['.', ',', ')', ']', '!', '?', ';', ':', '"', '\'']).to_owned();
    let written = post
        .text
        .split(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | '['))
        .filter(|word| word.starts_with("https://") || word.starts_with("http://"))
        .map(|word| Link { kind: Text::const_new("in the text"), url: trimmed(word).into() })
        .filter(|link| can_be_opened(&link.url));
    own.chain(written).collect()
}

/// Whether all programs parse the link the same way: some read `\\` as `/` and some don't, so that the host shown could
/// differ from the host opened.
fn can_be_opened(link: &str) -> bool {
    !link.contains(['\\', '"', '<', '>', '`', '^', '|']) && url::Url::parse(link).is_ok_and(|url| url.has_host())
}
