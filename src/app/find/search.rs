//! Searches items by symbol and name: exact matches first, then prefixes, substrings, and items that contain each word.
//! If there are none, it falls back to the palette's fuzzy matches: first those with a typo, then scattered letters.

use memchr::memmem::Finder;

use crate::app::find::fuzzy::{NeededLetters, Quality, Scorer, fuzzy_quality, letters, quality};
use crate::model::coin_name::{search_key, split_search_key};
use crate::model::{IndexedName, Text};

/// The searchable text of an item, and which letters it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    text: Text,
    letters: u64,
}

impl Key {
    /// The key of an item.
    pub fn new(symbol: &str, name: &str) -> Key {
        let text = search_key(symbol, name);
        let letters = letters(&text);
        Key { text, letters }
    }

    fn names(&self) -> (&str, &str) {
        split_search_key(&self.text)
    }
}

/// First class of fuzzy matches: items that match only with a typo, or by scattered letters.
pub const FIRST_FUZZY_CLASS: u32 = 5;

/// The class of matches by slug: after those by symbol and name.
pub const SLUG_CLASS: u32 = FIRST_FUZZY_CLASS - 1;

/// The query if it looks like the beginning of a slug: `sats-ord`.
pub fn slug_query(query: &str) -> Option<&str> {
    Some(query).filter(|query| query.contains('-') && !query.contains(char::is_whitespace))
}

/// Whether a slug begins with a text.
pub fn slug_begins_with(slug: &str, start: &str) -> bool {
    slug.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start))
}

/// Returns the class (0 is the best) and the index of each matching item, in the order of the items.
pub fn hits<'a>(query: &str, items: impl Iterator<Item = &'a Key> + Clone) -> Vec<(u32, usize)> {
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        return items.enumerate().map(|(index, _)| (0, index)).collect();
    }
    let (words, needed) = (Words::new(&query), NeededLetters::new(&query));
    let contains = |key: &Key| needed.are_in(key.letters) && words.rarest.find(key.text.as_bytes()).is_some();
    let literal = items.clone().enumerate().filter(|(_, key)| contains(key));
    let hit = |(index, key): (usize, &Key)| Some((words.class(key.names())?, index));
    let hits: Vec<(u32, usize)> = literal.filter_map(hit).collect();
    if hits.is_empty() { fuzzy_hits(&query, items) } else { hits }
}

/// Maximum names that [`name_hits`] returns.
pub(in crate::app) const MAX_NAMES: usize = 500;

/// The indices of the matching names, the best first and by rank, at most `MAX_NAMES`; and whether they contain the
/// words of the query, or their slugs begin with it.
pub fn name_hits(query: &str, names: &[IndexedName]) -> (Vec<usize>, bool) {
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        return (Vec::new(), false);
    }
    let rank = |name: &IndexedName| name.coin.rank.unwrap_or(u32::MAX);
    let words = Words::new(&query);
    let class = |name: &IndexedName| {
        words.rarest.find(name.key.as_bytes())?;
        words.class(split_search_key(&name.key))
    };
    let slug = slug_query(&query);
    let has_slug = |name: &IndexedName| slug.is_some_and(|start| slug_begins_with(&name.coin.slug, start));
    let literal = |(index, name): (usize, &IndexedName)| {
        let class = class(name).or_else(|| has_slug(name).then_some(SLUG_CLASS))?;
        Some((class, rank(name), index))
    };
    let mut hits: Vec<(u32, u32, usize)> = names.iter().enumerate().filter_map(literal).collect();
    let is_literal = !hits.is_empty();
    if !is_literal {
        let mut fuzzy = FuzzyMatcher::new(&query);
        let hit = |(index, name): (usize, &IndexedName)| {
            Some((fuzzy.class(split_search_key(&name.key), letters(&name.key))?, rank(name), index))
        };
        hits = names.iter().enumerate().filter_map(hit).collect();
    }
    if hits.len() > MAX_NAMES {
        hits.select_nth_unstable(MAX_NAMES);
        hits.truncate(MAX_NAMES);
    }
    hits.sort_unstable();
    (hits.into_iter().map(|(.., index)| index).collect(), is_literal)
}

/// A search for items that contain each word of the query in their symbol or name.
struct Words<'a> {
    query: &'a str,
    /// The longest word, which the fewest items contain.
    rarest: Finder<'a>,
    others: Vec<&'a str>,
}

impl<'a> Words<'a> {
    fn new(query: &'a str) -> Words<'a> {
        let mut others: Vec<&str> = query.split_whitespace().collect();
        others.sort_unstable_by_key(|word| word.len());
        let rarest = others.pop().unwrap_or_default();
        Words { query, rarest: Finder::new(rarest.as_bytes()), others }
    }

    /// The class of an item that contains the rarest word, 0 is the best; `None` if it lacks another one. Prefixes of
    /// symbol and name are equal: for `bit`, bitcoin should come before a small coin with the symbol BITL.
    fn class(&self, (symbol, name): (&str, &str)) -> Option<u32> {
        let query = self.query;
        if symbol == query {
            Some(0)
        } else if name == query {
            Some(1)
        } else if symbol.starts_with(query) || name.starts_with(query) {
            Some(2)
        } else if self.others.is_empty() || symbol.contains(query) || name.contains(query) {
            Some(3)
        } else {
            self.others.iter().all(|word| symbol.contains(word) || name.contains(word)).then_some(FIRST_FUZZY_CLASS - 1)
        }
    }
}

fn fuzzy_hits<'a>(query: &str, items: impl Iterator<Item = &'a Key>) -> Vec<(u32, usize)> {
    let mut fuzzy = FuzzyMatcher::new(query);
    items.enumerate().filter_map(|(index, key)| Some((fuzzy.class(key.names(), key.letters)?, index))).collect()
}

/// A search for items that don't contain the words of the query.
struct FuzzyMatcher<'a> {
    query: &'a str,
    has_several: bool,
    needed: NeededLetters,
    scorer: Scorer,
}

impl<'a> FuzzyMatcher<'a> {
    fn new(query: &'a str) -> FuzzyMatcher<'a> {
        let has_several = query.contains(char::is_whitespace);
        FuzzyMatcher { query, has_several, needed: NeededLetters::new(query), scorer: Scorer::new(query) }
    }

    /// The class of an item: [`FIRST_FUZZY_CLASS`] with a typo, more for scattered letters; `None` if it doesn't match.
    fn class(&mut self, (symbol, name): (&str, &str), present: u64) -> Option<u32> {
        if !self.needed.may_match(present) {
            return None;
        }
        let found = [symbol, name].map(|text| fuzzy_quality(self.query, text));
        if found.contains(&Some(Quality::Typo)) || self.has_words((symbol, name)) {
            return Some(FIRST_FUZZY_CLASS);
        }
        let scattered = [symbol, name].into_iter().zip(found).filter(|(_, found)| found.is_some());
        scattered.map(|(text, _)| u32::MAX - self.scorer.score(text)).min()
    }

    /// Whether each of several words is in symbol or name, except for typos.
    fn has_words(&self, (symbol, name): (&str, &str)) -> bool {
        let is_in = |word: &str, text: &str| quality(word, text).is_some_and(|quality| quality <= Quality::Typo);
        self.has_several && self.query.split_whitespace().all(|word| is_in(word, symbol) || is_in(word, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CoinName;

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

    fn names(coins: &[(&str, &str, Option<u32>)]) -> Vec<IndexedName> {
        let name = |&(symbol, name, rank): &(&str, &str, _)| {
            let (id, slug, symbol, name) = (name.into(), name.into(), symbol.into(), name.into());
            IndexedName::from(CoinName { id, slug, symbol, name, rank })
        };
        coins.iter().map(name).collect()
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
        assert_eq!(name_hits(" Rats ", &names), (vec![1, 3, 4, 2], true));
        assert_eq!(name_hits("ÄPFEL", &names), (vec![5], true));
        assert_eq!(name_hits("rats moon", &names), (vec![2], true));
        assert_eq!(name_hits("äpfel  äpp", &names), (vec![5], true));
        assert_eq!(name_hits("rtsy", &names), (vec![4], false), "a typo, without literal matches");
        assert!(name_hits("zzzzqq", &names).0.is_empty() && name_hits("  ", &names).0.is_empty());
        assert!(name_hits("x", &[]).0.is_empty());
    }

    #[test]
    fn best_of_many_names_are_kept() {
        let texts: Vec<String> = (0..2_000).map(|n| format!("coin {n}")).collect();
        let coins: Vec<_> =
            texts.iter().rev().enumerate().map(|(n, name)| ("C", name.as_str(), Some(n as u32 + 1))).collect();
        let (hits, _) = name_hits("coin", &names(&coins));
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
    fn words_match_symbol_or_name_in_any_order() {
        let keys = [("bch", "bitcoin cash"), ("eth", "ethereum"), ("x", "bitcoin cash x"), ("y", "cash of bitcoin")];
        let keys = keys.map(|(symbol, name)| Key::new(symbol, name));
        for (query, expected) in [
            ("cash bitcoin", &[0, 2, 3][..]),
            ("bitcoin cash", &[0, 2, 3]),
            ("cash  bitcoin bch", &[0]),
            ("eth ethereum", &[1]),
            ("ethereum eth", &[1]),
            ("eth etherium", &[1]),
            ("cash bitcion x", &[2]),
            ("eth cash", &[]),
        ] {
            assert_eq!(find(query, keys.iter()), expected, "{query}");
        }
    }

    #[test]
    fn fuzzy_matches_only_without_literal_ones() {
        assert_eq!(search("btcoin"), ["btc"]);
        assert_eq!(search("bitcion"), ["btc"], "one typo");
        assert_eq!(search("ehm"), ["eth"], "scattered letters");
        assert!(search("tsordi").is_empty(), "not across symbol and name: {:?}", search("tsordi"));
        assert!(search("zzzzqq").is_empty());
    }
}
