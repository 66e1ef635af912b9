//! Posts about a token.

use serde::{Deserialize, Serialize};

use super::text::Text;
use super::time::UtcTime;

/// The order of posts (`post_type` of `/content`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PostOrder {
    /// Most discussed first.
    Top,
    /// Newest first.
    Latest,
}

impl PostOrder {
    /// The value in the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            PostOrder::Top => "top",
            PostOrder::Latest => "latest",
        }
    }
}

/// The prefix of a text with a content warning; the warning is the rest of its first line.
pub const CONTENT_WARNING: &str = "CW: ";

/// A post, or a news item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Post {
    /// Identity; derived from author and time if the service sends none.
    pub id: Text,
    /// Nickname.
    pub author: Option<Text>,
    /// The network, such as `Bluesky`.
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
    /// The URL of the post; http or https.
    pub url: Option<String>,
    /// Symbols of the coins that it mentions.
    pub symbols: Vec<Text>,
    /// Language code, such as `en`.
    pub language: Option<Text>,
    /// Whether its author or the network marked it as sensitive, so that it is hidden until the user opens it.
    pub sensitive: Option<bool>,
}

impl Post {
    /// Whether it is hidden until the user opens it.
    pub fn is_sensitive(&self) -> bool {
        self.sensitive == Some(true)
    }

    /// The content warning of a sensitive post, if it has one.
    pub fn content_warning(&self) -> Option<&str> {
        let line = self.text.lines().next().filter(|_| self.is_sensitive())?;
        line.strip_prefix(CONTENT_WARNING).filter(|warning| !warning.trim().is_empty())
    }
}
