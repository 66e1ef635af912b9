//! What people write about a token.

use serde::{Deserialize, Serialize};

use super::{Text, UtcTime};

/// Which posts (`post_type` of `/content`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PostOrder {
    /// The most discussed.
    Top,
    /// The newest.
    Latest,
}

impl PostOrder {
    /// As the interface spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            PostOrder::Top => "top",
            PostOrder::Latest => "latest",
        }
    }
}

/// One post, or one news item where the service answers with those.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Post {
    /// Identity; made of author and time where the service gave none.
    pub id: Text,
    /// Nickname.
    pub author: Option<Text>,
    /// The text, with its line breaks; cleaned of control, bidi and zero-width characters.
    pub text: String,
    /// Likes.
    pub likes: Option<u64>,
    /// Comments.
    pub comments: Option<u64>,
    /// Reposts.
    pub reposts: Option<u64>,
    /// When it was written.
    pub posted_at: Option<UtcTime>,
    /// Where it can be read; http or https.
    pub url: Option<String>,
    /// Symbols of the coins it speaks of.
    pub symbols: Vec<Text>,
    /// Language code, such as `en`.
    pub language: Option<Text>,
}
