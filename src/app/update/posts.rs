//! The posts of a token: which are shown, and which are read.

use crate::app::effect::Effect;
use crate::app::menu::{Menu, MenuAction};
use crate::app::panel::Panel;
use crate::app::posts::PostFilter;
use crate::app::state::State;
use crate::model::{Post, Text};
use crate::user_data::Change;

use super::toast::toast;

/// Letters for languages in the menu whose own letters are taken.
const LETTERS: std::ops::RangeInclusive<char> = 'a'..='z';

/// The letter of the menu that shows all posts.
const ALL: char = 'a';

/// Opens the menu that filters the posts by network and language, with the number of posts of each.
pub(super) fn open_filter(state: &mut State) {
    let Some(token) = &state.token else { return };
    let posts = state.responses.posts(&token.posts_request()).value.map_or(&[][..], |page| &page.items);
    let mut menu = Menu::new("posts");
    menu.add(ALL, format!("all ({})", posts.len()), MenuAction::FilterPosts(PostFilter::default()));
    let filter = &state.posts.filter;
    for ((name, count), key) in counted(posts, |post| post.network.as_ref()).into_iter().zip('1'..='9') {
        let chosen = PostFilter { network: Some(name.clone()), ..filter.clone() };
        menu.add(key, format!("{name} ({count})"), MenuAction::FilterPosts(chosen));
    }
    for (code, count) in counted(posts, |post| post.language.as_ref()) {
        let chosen = PostFilter { language: Some(code.clone()), ..filter.clone() };
        let is_free = |key: &char| *key != ALL && menu.items.iter().all(|item| item.key != *key);
        let own = code.chars().map(|c| c.to_ascii_lowercase()).filter(char::is_ascii_alphabetic);
        if let Some(key) = own.chain(LETTERS).find(is_free) {
            menu.add(key, format!("{code} ({count})"), MenuAction::FilterPosts(chosen));
        }
    }
    if menu.items.len() == 1 {
        return toast(state, "No posts to filter");
    }
    state.menu = Some(menu);
}

/// The values of the posts with their numbers, the most frequent first.
fn counted<'a>(posts: &'a [Post], value: impl Fn(&'a Post) -> Option<&'a Text>) -> Vec<(&'a Text, usize)> {
    let mut counts: Vec<(&Text, usize)> = Vec::new();
    for value in posts.iter().filter_map(value) {
        match counts.iter_mut().find(|(other, _)| *other == value) {
            Some((_, count)) => *count += 1,
            None => counts.push((value, 1)),
        }
    }
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// Applies a filter, and focuses the posts.
pub(super) fn filter(state: &mut State, filter: PostFilter) {
    state.posts.filter = filter;
    let State { token: Some(token), responses, convert, posts, .. } = state else { return };
    token.focus = Panel::Posts;
    token.sync(responses, convert, posts);
}

/// Saves which posts were read.
pub(super) fn save_read(state: &mut State, effects: &mut Vec<Effect>) {
    let ids = state.posts.take_unsaved();
    if !ids.is_empty() {
        let change = Change::PostsRead(ids);
        effects.push(Effect::Save(state.user.push(change.clone()), change));
    }
}
