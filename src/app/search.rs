//! Finding items by what people type: the exact symbol first, then what begins with it, contains it, resembles it.

use memchr::memmem::Finder;
use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::model::Text;

/// What an item is found by: its short and its long name in lower case, kept as one text so that one look finds both, and
/// the letters in it, so that most items that do not match need no look at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    names: Text,
    letters: Letters,
}

/// Stands between the names; no name has it, for what comes from outside is without control characters.
const BETWEEN: &str = "\n";

impl Key {
    /// Of an item with these names.
    pub fn new(symbol: &str, name: &str) -> Key {
        let mut names = Text::with_capacity(symbol.len() + 1 + name.len());
        for part in [symbol, BETWEEN, name] {
            match part.is_ascii() {
                true => names.extend(part.chars().map(|char| char.to_ascii_lowercase())),
                false => names.push_str(&part.to_lowercase()),
            }
        }
        // The matcher takes an accented letter for the bare one, so what is not ASCII may hold any.
        let letters = if names.is_ascii() { Letters::of(names.chars()) } else { Letters::ANY };
        Key { names, letters }
    }

    fn names(&self) -> (&str, &str) {
        self.names.split_once(BETWEEN).unwrap_or((&self.names, ""))
    }
}

/// Which letters a text has: a bit for each in lower case and for each digit; the other characters share the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Letters(u64);

impl Letters {
    /// Whatever is asked for may be there.
    const ANY: Letters = Letters(u64::MAX);

    fn of(chars: impl Iterator<Item = char>) -> Letters {
        let bit = |char: char| match char {
            'a'..='z' => u32::from(char) - u32::from('a'),
            '0'..='9' => u32::from(char) - u32::from('0') + 26,
            '\0'..='\x7f' => u32::from(char) % 27 + 36,
            _ => 63,
        };
        Letters(chars.fold(0, |letters, char| letters | 1 << bit(char)))
    }

    fn have(self, needed: Letters) -> bool {
        self.0 & needed.0 == needed.0
    }
}

/// How well each item matches, 0 best, and its place, for those that do match; in their own order.
pub fn hits<'a>(query: &str, items: impl Iterator<Item = &'a Key> + Clone) -> Vec<(u32, usize)> {
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        return items.enumerate().map(|(index, _)| (0, index)).collect();
    }
    let (finder, letters) = (Finder::new(query.as_bytes()), Letters::of(query.chars()));
    let has = |key: &Key| key.letters.have(letters) && finder.find(key.names.as_bytes()).is_some();
    let literal = items.clone().enumerate().filter(|(_, key)| has(key));
    let hits: Vec<(u32, usize)> = literal.map(|(index, key)| (class(&query, key), index)).collect();
    if hits.is_empty() { resembling(&query, items) } else { hits }
}

/// How well an item matches in which the query occurs, 0 best. Which of its names begins so makes no difference: of
/// bitcoin and of a small coin that is called BITL, the reader of `bit` rather means the large one.
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

fn resembling<'a>(query: &str, items: impl Iterator<Item = &'a Key>) -> Vec<(u32, usize)> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let letters = Letters::of(pattern.atoms.iter().flat_map(|word| word.needle_text().chars()));
    let mut buffer = Vec::new();
    items
        .enumerate()
        .filter(|(_, key)| key.letters.have(letters))
        .filter_map(|(index, key)| {
            let score = pattern.score(Utf32Str::new(&key.names, &mut buffer), &mut matcher)?;
            Some((u32::MAX - score, index))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COINS: [(&str, &str); 5] = [
        ("btc", "bitcoin"),
        ("ordinals", "something"),
        ("ordi", "ordi"),
        ("rats", "rats (ordinals)"),
        ("eth", "ethereum"),
    ];

    /// The places of the items that match, the best first; equal ones in their own order.
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
            [4, 3, 1, 2, 0]
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

    /// Words of few letters, so that many resemble each other, some of them accented, wide or of two characters.
    fn word() -> impl Strategy<Value = String> {
        let letters = [
            "a", "b", "c", "A", "0", "9", " ", "-", "\\", "\\ ", "$", "é", "e\u{301}", "ß", "İ", "Å", "币", "a\u{308}",
        ];
        prop::collection::vec(prop::sample::select(letters.to_vec()), 0..6).prop_map(|letters| letters.concat())
    }

    proptest! {
        #[test]
        fn the_letters_hide_nothing(query in word(), names in prop::collection::vec((word(), word()), 0..30)) {
            let keys: Vec<Key> = names.iter().map(|(symbol, name)| Key::new(symbol, name)).collect();
            let blind: Vec<Key> = keys.iter().map(|key| Key { letters: Letters::ANY, ..key.clone() }).collect();
            prop_assert_eq!(find(&query, keys.iter()), find(&query, blind.iter()));
        }
    }
}
