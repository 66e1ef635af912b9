//! Finding items by what people type: the exact symbol first, then what begins with it, contains it, resembles it.

use memchr::memmem::Finder;
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::model::Text;

/// What an item is found by: its short and its long name in lower case, kept as one text so that one look finds both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(Text);

/// Stands between the names; no name has it, for what comes from outside is without control characters.
const BETWEEN: char = '\n';

impl Key {
    /// Of an item with these names.
    pub fn new(symbol: &str, name: &str) -> Key {
        let mut key = Text::with_capacity(symbol.len() + 1 + name.len());
        for part in [symbol, "\n", name] {
            match part.is_ascii() {
                true => key.extend(part.chars().map(|char| char.to_ascii_lowercase())),
                false => key.push_str(&part.to_lowercase()),
            }
        }
        Key(key)
    }

    fn names(&self) -> (&str, &str) {
        self.0.split_once(BETWEEN).unwrap_or((&self.0, ""))
    }
}

/// The places of the items that match, the best first; equal ones in their own order.
pub fn find<'a>(query: &str, items: impl Iterator<Item = &'a Key> + Clone) -> Vec<usize> {
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        return items.enumerate().map(|(index, _)| index).collect();
    }
    let finder = Finder::new(query.as_bytes());
    let literal = items.clone().enumerate().filter(|(_, key)| finder.find(key.0.as_bytes()).is_some());
    let mut hits: Vec<(u32, usize)> = literal.map(|(index, key)| (class(&query, key), index)).collect();
    if hits.is_empty() {
        hits = resembling(&query, items);
    }
    hits.sort_by_key(|&(class, _)| class);
    hits.into_iter().map(|(_, index)| index).collect()
}

/// How well an item matches in which the query occurs, 0 best.
fn class(query: &str, key: &Key) -> u32 {
    let (symbol, name) = key.names();
    if symbol == query {
        0
    } else if name == query {
        1
    } else if symbol.starts_with(query) {
        2
    } else if name.starts_with(query) {
        3
    } else {
        4
    }
}

fn resembling<'a>(query: &str, items: impl Iterator<Item = &'a Key>) -> Vec<(u32, usize)> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut buffer = Vec::new();
    items
        .enumerate()
        .filter_map(|(index, key)| {
            let score = pattern.score(Utf32Str::new(&key.0, &mut buffer), &mut matcher)?;
            Some((u32::MAX - score, index))
        })
        .collect()
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

    fn search(query: &str) -> Vec<&'static str> {
        let keys: Vec<Key> = COINS.iter().map(|&(symbol, name)| Key::new(symbol, name)).collect();
        find(query, keys.iter()).into_iter().map(|i| COINS[i].0).collect()
    }

    #[test]
    fn puts_the_exact_symbol_first() {
        assert_eq!(search("ORDI"), ["ordi", "ordinals", "rats"]);
    }

    #[test]
    fn an_exact_name_goes_before_a_symbol_that_only_begins_so() {
        let find = |query: &str, coins: &[(&str, &str)]| {
            let keys: Vec<Key> = coins.iter().map(|&(symbol, name)| Key::new(symbol, name)).collect();
            find(query, keys.iter())
        };
        assert_eq!(
            find("rats", &[("x", "the rats"), ("y", "ratsy"), ("ratsx", "z"), ("z", "rats"), ("rats", "w")]),
            [4, 3, 2, 1, 0]
        );
        assert_eq!(find("ordn", &[("o_r_d_n", "x"), ("ordxn", "y")]), [1, 0], "of what resembles the nearest");
    }

    #[test]
    fn case_does_not_matter_in_any_script() {
        assert_eq!(Key::new("ÄRA", "Große Ära").names(), ("ära", "große ära"));
        assert_eq!(find("ÄRA", [Key::new("Ära", "x"), Key::new("y", "Z")].iter()), [0]);
    }

    #[test]
    fn an_empty_query_finds_all_in_their_order() {
        assert_eq!(search("  ").len(), COINS.len());
        assert_eq!(search(" ")[0], "btc");
    }

    #[test]
    fn resembles_only_where_nothing_is_literal() {
        assert_eq!(search("btcoin"), ["btc"]);
        assert!(search("zzzzqq").is_empty());
    }
}
