//! Cuts the text of posts.

use crate::model::text;

/// Maximum length of a post in characters.
const MAX_LENGTH: usize = 2_000;

/// Trims text and cuts it to [`MAX_LENGTH`].
pub(super) fn shortened(text: &str) -> String {
    text::cut(text.trim().into(), MAX_LENGTH).into_owned()
}
