//! Searches items by symbol and name: exact matches first, then prefixes, then substrings; fuzzy matches only if there
//! are no others.

use memchr::memmem::Finder;
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::model::Text;

/// The searchable text of an item: its symbol and name in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(Text);

/// Separates symbol and name. Neither contains it, since control characters are removed from responses.
const SEPARATOR: &str = "\n";

impl Key {
    /// The key of an item.
    pub fn new(symbol: &str, name: &str) -> Key {
        let mut text = Text::with_capacity(symbol.len() + 1 + name.len());
        for part in [symbol, SEPARATOR, name] {
            match part.is_ascii() {
                true => text.extend(part.chars().map(|char| char.to_ascii_lowercase())),
                false => text.push_str(&part.to_lowercase()),
            }
        }
        Key(text)
    }

    fn names(&self) -> (&str, &str) {
        self.0.split_once(SEPARATOR).unwrap_or((&self.0, ""))
    }
}

/// Returns the class (0 is the best) and the index of each matching item, in the order of the items.
pub fn hits<'a>(query: &str, items: impl Iterator<Item = &'a Key> + Clone) -> Vec<(u32, usize)> {
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        return items.enumerate().map(|(index, _)| (0, index)).collect();
    }
    let finder = Finder::new(query.as_bytes());
    let literal = items.clone().enumerate().filter(|(_, key)| finder.find(key.0.as_bytes()).is_some());
    let hits: Vec<(u32, usize)> = literal.map(|(index, key)| (class(&query, key), index)).collect();
    if hits.is_empty() { fuzzy_hits(&query, items) } else { hits }
}

/// The class of an item that contains the query, 0 is the best. Prefixes of symbol and name are equal: for `bit`, bitcoin
/// should come before a small coin with the symbol BITL.
fn class(query: &str, key: &Key) -> u32 {
    let (symbol, name) = key.names();
    if symbol == query {
        0
    } else if name == query {
        1
    } else if symbol.starts_with(query) || name.starts_with(query) {
        2
    } else {
        3
    }
}

fn fuzzy_hits<'a>(query: &str, items: impl Iterator<Item = &'a Key>) -> Vec<(u32, usize)> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut buffer = Vec::new();
    let score = |(index, key): (usize, &Key)| {
        let score = pattern.score(Utf32Str::new(&key.0, &mut buffer), &mut matcher)?;
        Some((u32::MAX - score, index))
    };
    items.enumerate().filter_map(score).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COINS: [(&str, &str); 5] = [
        ("btc", "bitcoin"),
        ("ordinals", "something"),
        ("ordi", "ordi"),
        ("rats", "rats (ordinals)"),
        ("eth", "ethereum"),
    ];

    /// Returns the indices of the matching items, the best first.
    fn find<'a>(query: &str, items: impl Iterator<Item = &'a Key> + Clone) -> Vec<usize> {
        let mut hits = hits(query, items);
        hits.sort_by_key(|&(class, _)| class);
        hits.into_iter().map(|(_, index)| index).collect()
    }

    fn search(query: &str) -> Vec<&'static str> {
        let keys: Vec<Key> = COINS.iter().map(|&(symbol, name)| Key::new(symbol, name)).collect();
        find(query, keys.iter()).into_iter().map(|i| COINS[i].0).collect()
    }

    #[test]
    fn exact_symbol_is_first() {
        assert_eq!(search("ORDI"), ["ordi", "ordinals", "rats"]);
    }

    #[test]
    fn exact_name_is_before_a_symbol_prefix() {
        let find = |query: &str, coins: &[(&str, &str)]| {
            let keys: Vec<Key> = coins.iter().map(|&(symbol, name)| Key::new(symbol, name)).collect();
            find(query, keys.iter())
        };
        assert_eq!(
            find("rats", &[("x", "the rats"), ("y", "ratsy"), ("ratsx", "z"), ("z", "rats"), ("rats", "w")]),
            [4, 3, 1, 2, 0]
        );
        assert_eq!(find("ordn", &[("o_r_d_n", "x"), ("ordxn", "y")]), [1, 0], "the best fuzzy match first");
    }

    #[test]
    fn search_ignores_case_in_any_script() {
        assert_eq!(Key::new("ÄRA", "Große Ära").names(), ("ära", "große ära"));
        assert_eq!(find("ÄRA", [Key::new("Ära", "x"), Key::new("y", "Z")].iter()), [0]);
    }

    #[test]
    fn empty_query_matches_all_in_order() {
        assert_eq!(search("  ").len(), COINS.len());
        assert_eq!(search(" ")[0], "btc");
    }

    #[test]
    fn fuzzy_matches_only_without_literal_ones() {
        assert_eq!(search("btcoin"), ["btc"]);
        assert!(search("zzzzqq").is_empty());
    }
}
