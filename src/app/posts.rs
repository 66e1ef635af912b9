//! Which posts the user has read, and which are shown.

use std::collections::HashSet;

use crate::model::{Post, Text};

/// Which posts are shown: of one network, in one language, or all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PostFilter {
    /// The network, such as `Bluesky`.
    pub network: Option<Text>,
    /// The language code, such as `en`.
    pub language: Option<Text>,
}

impl PostFilter {
    /// Whether all posts are shown.
    pub fn is_empty(&self) -> bool {
        self.network.is_none() && self.language.is_none()
    }

    /// Whether a post is shown.
    pub fn accepts(&self, post: &Post) -> bool {
        let is = |wanted: &Option<Text>, own: &Option<Text>| wanted.is_none() || wanted == own;
        is(&self.network, &post.network) && is(&self.language, &post.language)
    }

    /// The filter in words: `Bluesky, en`; empty for all posts.
    pub fn describe(&self) -> String {
        let parts: Vec<&str> = self.network.iter().chain(&self.language).map(Text::as_str).collect();
        parts.join(", ")
    }
}

/// The read posts, and the filter.
#[derive(Debug, Default)]
pub struct PostsState {
    /// The filter of the posts of every token.
    pub filter: PostFilter,
    /// Ids of the posts that were read.
    read: HashSet<Text>,
    /// Posts read since the view was opened: they keep their place.
    just_read: HashSet<Text>,
    /// Read posts that are not saved yet.
    unsaved: Vec<Text>,
}

impl PostsState {
    /// Whether a post was read.
    pub fn is_read(&self, post: &Post) -> bool {
        self.read.contains(&post.id)
    }

    /// Whether a post comes after the unread ones. A read post keeps its place until the view is opened again.
    fn is_sorted_last(&self, post: &Post) -> bool {
        self.is_read(post) && !self.just_read.contains(&post.id)
    }

    /// Marks a post as read.
    pub(super) fn mark_read(&mut self, id: &Text) {
        if self.read.insert(id.clone()) {
            self.just_read.insert(id.clone());
            self.unsaved.push(id.clone());
        }
    }

    /// Moves the posts read so far below the unread ones.
    pub(super) fn move_read_down(&mut self) {
        self.just_read.clear();
    }

    /// Adds posts read in an earlier run or in another instance. With `keeps_places`, posts that are on the screen
    /// stay where they are.
    pub(super) fn load(&mut self, ids: &[Text], keeps_places: bool) {
        for id in ids {
            if !self.read.contains(id) {
                self.read.insert(id.clone());
                if keeps_places {
                    self.just_read.insert(id.clone());
                }
            }
        }
    }

    /// Takes the ids that must be saved.
    pub(super) fn take_unsaved(&mut self) -> Vec<Text> {
        std::mem::take(&mut self.unsaved)
    }

    /// The rows of the posts panel: indices of the posts that the filter accepts, unread ones first.
    pub fn rows(&self, posts: &[Post]) -> Vec<u32> {
        let accepted = || (0_u32..).zip(posts).filter(|(_, post)| self.filter.accepts(post));
        let unread = accepted().filter(|(_, post)| !self.is_sorted_last(post));
        let read = accepted().filter(|(_, post)| self.is_sorted_last(post));
        unread.chain(read).map(|(index, _)| index).collect()
    }
}
