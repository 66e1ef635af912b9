//! The names of coins, and the text that searches read.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::text::Text;

/// How long the list of names is assumed to have all coins. A name that an older list lacks may belong to a new coin.
pub const COMPLETE_FOR: Duration = Duration::from_hours(1);

/// How long a list is fresh that lacks the names of some providers. A refresh adds them.
pub const INCOMPLETE_FOR: Duration = Duration::from_mins(1);

/// A coin in the complete name list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoinName {
    /// Id, as in the list of coins.
    pub id: Text,
    /// Display name.
    pub name: Text,
    /// Symbol; not unique.
    pub symbol: Text,
    /// Slug.
    pub slug: Text,
    /// Rank by market cap, if known.
    pub rank: Option<u32>,
}

/// A coin in the complete name list, with its search key: making the keys of all coins takes longer than a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexedName {
    /// The coin.
    pub coin: CoinName,
    /// The [`search_key`] of its symbol and name.
    pub key: Text,
    /// Slugs of the coin at providers, if they differ from its own.
    pub aliases: Box<[Text]>,
}

impl From<CoinName> for IndexedName {
    fn from(coin: CoinName) -> IndexedName {
        IndexedName { key: search_key(&coin.symbol, &coin.name), coin, aliases: Box::default() }
    }
}

impl IndexedName {
    /// Whether a provider uses this slug for the coin.
    pub fn has_alias(&self, slug: &str) -> bool {
        self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(slug))
    }
}

/// Separates symbol and name in a search key. Neither contains it, since control characters are removed from responses.
const SEPARATOR: char = '\n';

/// Symbol and name in lower case, as one text.
pub fn search_key(symbol: &str, name: &str) -> Text {
    let mut key = Text::with_capacity(symbol.len() + SEPARATOR.len_utf8() + name.len());
    key.push_str(symbol);
    key.push(SEPARATOR);
    key.push_str(name);
    if key.is_ascii() {
        key.make_ascii_lowercase();
    } else {
        key = key.to_lowercase();
    }
    key
}

/// Symbol and name of a [`search_key`].
pub fn split_search_key(key: &str) -> (&str, &str) {
    key.split_once(SEPARATOR).unwrap_or((key, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_key_is_in_lower_case_in_any_script() {
        assert_eq!(split_search_key(&search_key("ORDI", "Ordi Coin")), ("ordi", "ordi coin"));
        assert_eq!(split_search_key(&search_key("ÄRA", "Große Ära")), ("ära", "große ära"));
        assert_eq!(split_search_key(&search_key("X", "")), ("x", ""));
    }
}
