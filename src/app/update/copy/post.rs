//! The text of a post that can be copied.

use crate::model::Post;

use super::items::Items;

/// Adds the text of a post.
pub(in crate::app::update) fn add_post(items: &mut Items<'_>, post: &Post) {
    items.add('t', "text", &post.text);
    items.maybe('l', "link", post.url.as_ref());
    items.maybe('a', "author", post.author.as_ref());
}
