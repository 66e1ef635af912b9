//! The posts that the user has read.

use crate::model::Text;

/// Maximum posts that are remembered; the oldest are forgotten.
pub const MAX_READ_POSTS: usize = 2_000;

/// Adds ids of posts to the remembered ones, oldest first.
pub(super) fn add(read: &mut Vec<Text>, ids: &[Text]) {
    for id in ids {
        if !read.contains(id) {
            read.push(id.clone());
        }
    }
    let surplus = read.len().saturating_sub(MAX_READ_POSTS);
    read.drain(..surplus);
}
