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

/// How a text begins that is behind a content warning; the warning is the rest of its first line.
pub const CONTENT_WARNING: &str = "CW: ";

/// One post, or one news item where the service answers with those.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Post {
    /// Identity; made of author and time where the service gave none.
    pub id: Text,
    /// Nickname.
    pub author: Option<Text>,
    /// Where it was posted, such as `Bluesky`.
    pub network: Option<Text>,
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
    /// Its author, or the network, asks to hide it until somebody wants to see it.
    pub sensitive: Option<bool>,
}

impl Post {
    /// Whether it is hidden until somebody wants to see it.
    pub fn is_sensitive(&self) -> bool {
        self.sensitive == Some(true)
    }

    /// What its author warns of, where it is sensitive.
    pub fn content_warning(&self) -> Option<&str> {
        let line = self.text.lines().next().filter(|_| self.is_sensitive())?;
        line.strip_prefix(CONTENT_WARNING).filter(|warning| !warning.trim().is_empty())
    }
}
