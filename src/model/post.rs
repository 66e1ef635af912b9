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

/// Labels of posts that Bluesky's moderation hides by default.
const HIDDEN: [&str; 11] = [
    "spam",
    "scam",
    "impersonation",
    "security",
    "unsafe-link",
    "illicit",
    "engagement-farming",
    "inauthentic",
    "rude",
    "threat",
    "extremist",
];

/// Labels of posts with sensitive or doubtful content, which Bluesky hides behind a warning.
const SENSITIVE: [&str; 15] = [
    "!warn",
    "porn",
    "sexual",
    "sexual-figurative",
    "nudity",
    "graphic-media",
    "gore",
    "nsfl",
    "corpse",
    "self-harm",
    "intolerant",
    "sensitive",
    "misleading",
    "misinformation",
    "rumor",
];

/// Whether Bluesky's moderation hides posts with this label by default.
pub fn is_hidden_label(label: &str) -> bool {
    HIDDEN.contains(&label)
}

/// Whether Bluesky hides posts with this label, or shows them only behind a warning.
pub fn is_sensitive_label(label: &str) -> bool {
    is_hidden_label(label) || SENSITIVE.contains(&label)
}

/// Prefix of text with a content warning; the rest of the first line is the warning.
pub const CONTENT_WARNING: &str = "CW: ";

/// A post or news item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Post {
    /// Identity; derived from author and time, or else URL or text, if the service sends none.
    pub id: Text,
    /// Handle of the author.
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
    /// Symbols of the coins mentioned.
    pub symbols: Vec<Text>,
    /// Language code, such as `en`.
    pub language: Option<Text>,
    /// Whether its author or the network marked it as sensitive. Its text is hidden until the user opens it.
    pub sensitive: Option<bool>,
}

/// Maximum symbols of a post; further ones are ignored.
const MAX_MENTIONED: usize = 9;

/// Maximum length of a cashtag's symbol, in characters.
const MAX_CASHTAG: usize = 12;

/// The byte ranges of the cashtags in a string, such as `$ORDI`. Amounts such as `$100` are not cashtags.
pub fn cashtags(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    text.match_indices('$').filter_map(move |(start, _)| {
        let before = text.get(..start)?.chars().next_back();
        let symbol = text.get(start + 1..)?;
        let end = symbol.find(|c: char| !c.is_alphanumeric()).unwrap_or(symbol.len());
        let symbol = symbol.get(..end)?;
        let is_symbol = symbol.starts_with(char::is_alphabetic) && symbol.chars().count() <= MAX_CASHTAG;
        (is_symbol && !before.is_some_and(|c| c.is_alphanumeric() || c == '$')).then_some(start..start + 1 + end)
    })
}

impl Post {
    /// The symbols mentioned: the cashtags of the text and those named by the service, without duplicates, at most
    /// nine.
    pub fn mentioned(&self) -> Vec<&str> {
        let written = cashtags(&self.text).filter_map(|range| self.text.get(range.start + 1..range.end));
        let mut symbols: Vec<&str> = Vec::new();
        for symbol in written.chain(self.symbols.iter().map(Text::as_str)) {
            if symbols.len() == MAX_MENTIONED {
                break;
            }
            if !symbols.iter().any(|known| known.eq_ignore_ascii_case(symbol)) {
                symbols.push(symbol);
            }
        }
        symbols
    }

    /// The handle of the author, or `unknown author`.
    pub fn author_name(&self) -> &str {
        self.author.as_deref().unwrap_or("unknown author")
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_not_cashtags() {
        for (text, tags) in [
            ("$ORDI and $sats, ($RATS)", vec!["$ORDI", "$sats", "$RATS"]),
            ("sold at $8.41, $100 more, US$5, a$b, $$ORDI", vec![]),
            ("$π3 ends $", vec!["$π3"]),
            ("$abcdefghijklm is too long", vec![]),
        ] {
            let found: Vec<&str> = cashtags(text).map(|range| &text[range]).collect();
            assert_eq!(found, tags, "{text}");
        }
    }

    #[test]
    fn post_mentions_at_most_nine_symbols() {
        let text: String = (0..10_000).map(|n| format!("$A{n} $a{n} ")).collect();
        let post = Post {
            id: Text::const_new("1"),
            author: None,
            network: None,
            text,
            likes: None,
            comments: None,
            reposts: None,
            posted_at: None,
            url: None,
            symbols: vec![Text::const_new("B")],
            language: None,
            sensitive: None,
        };
        assert_eq!(post.mentioned(), ["A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8"]);
    }
}
