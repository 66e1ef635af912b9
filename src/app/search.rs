//! Searches items by symbol and name: exact matches first, then prefixes, then substrings; fuzzy matches only if there
//! are no others.

use memchr::memmem::Finder;
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::model::coin_names::END;
use crate::model::{CoinNames, Text};

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
    let hits: Vec<(u32, usize)> = literal.map(|(index, key)| (class(&query, key.names()), index)).collect();
    if hits.is_empty() { fuzzy_hits(&query, items) } else { hits }
}

/// Maximum names that [`name_hits`] returns.
const MAX_NAMES: usize = 500;

/// The indices of the matching names, the best first and by rank: at most `MAX_NAMES`.
pub fn name_hits(query: &str, names: &CoinNames) -> Vec<usize> {
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        return Vec::new();
    }
    let parts = |index: usize| {
        let (key, end) = names.key(index)?;
        let mut parts = key.split(END);
        Some(((parts.next()?, parts.next()?), end))
    };
    let rank = |index: usize| names.rank(index).unwrap_or(u32::MAX);
    let (keys, finder) = (names.keys(), Finder::new(query.as_bytes()));
    let (mut hits, mut from): (Vec<(u32, u32, usize)>, usize) = (Vec::new(), 0);
    while let Some(at) = keys.as_bytes().get(from..).and_then(|rest| finder.find(rest)) {
        let index = names.at(from + at);
        let Some((key, end)) = parts(index) else { break };
        hits.push((class(&query, key), rank(index), index));
        from = end.max(from + 1);
    }
    if hits.is_empty() {
        let mut fuzzy = Fuzzy::new(&query);
        let all = (0..names.len()).filter_map(|index| Some((index, names.key(index)?.0)));
        hits = all.filter_map(|(index, key)| Some((fuzzy.class(key)?, rank(index), index))).collect();
    }
    if hits.len() > MAX_NAMES {
        hits.select_nth_unstable(MAX_NAMES);
        hits.truncate(MAX_NAMES);
    }
    hits.sort_unstable();
    hits.into_iter().map(|(.., index)| index).collect()
}

/// The class of an item that contains the query, 0 is the best. Prefixes of symbol and name are equal: for `bit`, bitcoin
/// should come before a small coin with the symbol BITL.
fn class(query: &str, (symbol, name): (&str, &str)) -> u32 {
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
    let mut fuzzy = Fuzzy::new(query);
    items.enumerate().filter_map(|(index, key)| Some((fuzzy.class(&key.0)?, index))).collect()
}

/// A fuzzy search.
struct Fuzzy {
    matcher: Matcher,
    pattern: Pattern,
    buffer: Vec<char>,
}

impl Fuzzy {
    fn new(query: &str) -> Fuzzy {
        let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
        Fuzzy { matcher: Matcher::new(Config::DEFAULT), pattern, buffer: Vec::new() }
    }

    /// The class of an item; `None` if it doesn't match.
    fn class(&mut self, key: &str) -> Option<u32> {
        let score = self.pattern.score(Utf32Str::new(key, &mut self.buffer), &mut self.matcher)?;
        Some(u32::MAX - score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CoinNameRef;

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

    fn names(coins: &[(&str, &str, Option<u32>)]) -> CoinNames {
        let mut names = CoinNames::default();
        names.extend(coins.iter().map(|&(symbol, name, rank)| CoinNameRef {
            id: name,
            slug: name,
            symbol,
            name,
            rank,
        }));
        names
    }

    #[test]
    fn names_are_found_like_rows_and_by_rank() {
        let names = names(&[
            ("XRAT", "Rat X", Some(9)),
            ("RATS", "rats (Ordinals)", Some(300)),
            ("MOON", "Moon rats", Some(2)),
            ("RATS", "Other rats", None),
            ("RATSY", "Ratsy", Some(1)),
            ("Äpp", "Äpfel", Some(4)),
        ]);
        assert_eq!(name_hits(" Rats ", &names), [1, 3, 4, 2]);
        assert_eq!(name_hits("ÄPFEL", &names), [5]);
        assert_eq!(name_hits("rtsy", &names), [4], "fuzzy without literal matches");
        assert!(name_hits("zzzzqq", &names).is_empty() && name_hits("  ", &names).is_empty());
        assert!(name_hits("x", &CoinNames::default()).is_empty());
    }

    #[test]
    fn best_of_many_names_are_kept() {
        let texts: Vec<String> = (0..2_000).map(|n| format!("coin {n}")).collect();
        let coins: Vec<_> =
            texts.iter().rev().enumerate().map(|(n, name)| ("C", name.as_str(), Some(n as u32 + 1))).collect();
        let hits = name_hits("coin", &names(&coins));
        assert_eq!((hits.len(), hits.first(), hits.last()), (MAX_NAMES, Some(&0), Some(&(MAX_NAMES - 1))));
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
