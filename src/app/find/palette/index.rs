//! The names of coins as the palette searches them.
//!
//! What is typed is searched as a whole and in parts: `ord 3m` also names a coin with the words before or after the
//! period. A search reads only the coins that matched the longest earlier query that it begins with, and of these only
//! those that have nearly all of the typed letters. Without that, the third key takes 4 ms with 15,000 names, twice the
//! limit, and each part takes as long again.

use crate::app::coins::named_coin::NamedCoin;
use crate::app::find::fuzzy::{NeededLetters, Quality, Scorer, letters, may_match, quality};
use crate::model::coin_name::split_search_key;
use crate::model::{CoinId, Text};

/// Maximum coins found.
const MAX_FOUND: usize = 60;

/// Minimum characters of a query before its letters rule out names. In shorter ones, a forgiven typo leaves nearly all
/// names possible.
const MIN_NARROWING_CHARS: usize = 3;

/// Maximum queries whose coins are remembered: what is typed and its parts, for this key and the one before it.
const MAX_NARROWED: usize = 24;

/// A coin of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A coin of a list, or one that was fetched by its id.
    Known(CoinId),
    /// A coin that is watched or was open before, and is in no list.
    Unlisted(NamedCoin),
    /// A coin of the names of all coins, by its index there.
    Name(usize),
}

/// The searchable names.
#[derive(Clone, Debug, Default)]
pub struct Index {
    rows: Vec<Row>,
    /// The last queries that ruled out most coins, oldest first.
    narrowed: Vec<Narrowed>,
    /// The number of names that all searches have read.
    examined: usize,
}

/// The coins that can match a query or a longer one.
#[derive(Clone, Debug)]
struct Narrowed {
    query: String,
    rows: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Row {
    key: Text,
    letters: u64,
    rank: u32,
    source: Source,
}

/// How well a coin matches, best first.
type Order = (Quality, u32, bool, u32, u32);

/// The result of reading the names of some rows.
struct Scan {
    /// The rows that match.
    found: Vec<(Order, u32)>,
    /// The rows that can match a longer query.
    narrowed: Vec<u32>,
    /// The number of names that were read.
    examined: usize,
}

impl Index {
    /// Adds a coin with its [`search_key`](crate::model::coin_name::search_key).
    pub fn push(&mut self, key: Text, rank: Option<u32>, source: Source) {
        let letters = letters(&key);
        self.rows.push(Row { key, letters, rank: rank.unwrap_or(u32::MAX), source });
    }

    /// The number of coins.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of names that all searches have read.
    pub fn examined(&self) -> usize {
        self.examined
    }

    /// Finds coins, best first: at most 60. Among equal matches, those that `is_used` come first, then known ones, then
    /// by rank.
    pub fn search(&mut self, query: &str, is_used: impl Fn(&Source) -> bool) -> Vec<(Quality, &Source)> {
        let query = query.trim().to_lowercase();
        if query.is_empty() {
            return Vec::new();
        }
        let begun = self.narrowed.iter().filter(|known| query.starts_with(&known.query));
        let scan = match begun.max_by_key(|known| known.query.len()) {
            Some(known) => self.scan(&query, known.rows.iter().copied(), is_used),
            None => self.scan(&query, 0..u32::try_from(self.rows.len()).unwrap_or(u32::MAX), is_used),
        };
        let Scan { found, narrowed, examined } = scan;
        self.examined += examined;
        if narrowed.len() <= self.rows.len() / 2 {
            self.narrowed.retain(|known| known.query != query);
            let surplus = (self.narrowed.len() + 1).saturating_sub(MAX_NARROWED);
            self.narrowed.drain(..surplus);
            self.narrowed.push(Narrowed { query, rows: narrowed });
        }
        self.hits(found)
    }

    fn scan(&self, query: &str, rows: impl Iterator<Item = u32>, is_used: impl Fn(&Source) -> bool) -> Scan {
        let wanted = NeededLetters::new(query);
        let narrows = query.chars().nth(MIN_NARROWING_CHARS - 1).is_some();
        let words: Vec<&str> = query.split_whitespace().collect();
        let mut scorer = Scorer::new(query);
        let mut scan = Scan { found: Vec::new(), narrowed: Vec::new(), examined: 0 };
        for index in rows {
            let Some(row) = self.rows.get(index as usize) else { continue };
            if !wanted.may_match_later(row.letters) {
                continue;
            }
            scan.examined += 1;
            let (symbol, name) = split_search_key(&row.key);
            let order = order(query, &words, symbol, name, &mut scorer);
            let may_match =
                || may_match(query, symbol) || may_match(query, name) || may_have_words(&words, symbol, name);
            if !narrows || order.is_some() || may_match() {
                scan.narrowed.push(index);
            }
            if let Some((quality, score)) = order {
                let is_name = matches!(row.source, Source::Name(_));
                let unused = u32::from(!is_used(&row.source));
                scan.found.push(((quality, unused, is_name, score, row.rank), index));
            }
        }
        scan
    }

    /// The best of the rows, best first.
    fn hits(&self, mut found: Vec<(Order, u32)>) -> Vec<(Quality, &Source)> {
        if found.len() > MAX_FOUND {
            found.select_nth_unstable(MAX_FOUND);
            found.truncate(MAX_FOUND);
        }
        found.sort_unstable();
        let hit = |((quality, ..), index): (Order, u32)| Some((quality, &self.rows.get(index as usize)?.source));
        found.into_iter().filter_map(hit).collect()
    }
}

/// The better match of symbol and name; several words also match in any order. Matches with typos or scattered letters
/// have a score, which is lower for a better match.
fn order(query: &str, words: &[&str], symbol: &str, name: &str, scorer: &mut Scorer) -> Option<(Quality, u32)> {
    let whole = quality(query, symbol).into_iter().chain(quality(query, name)).min();
    let is_literal = whole.is_some_and(|quality| quality < Quality::Typo);
    let of_words = if is_literal { None } else { words_quality(words, symbol, name) };
    let mut score = |whole: Quality| match whole {
        Quality::Scattered => u32::MAX - scorer.score(symbol).max(scorer.score(name)),
        Quality::Typo => 1,
        _ => 0,
    };
    whole.map(|whole| (whole, score(whole))).into_iter().chain(of_words).min()
}

/// How well several words match, in any order: the worst of them, and the number of typos. Scattered letters don't count.
fn words_quality(words: &[&str], symbol: &str, name: &str) -> Option<(Quality, u32)> {
    if words.len() < 2 {
        return None;
    }
    let (mut worst, mut typos) = (Quality::Word, 0);
    for word in words {
        let quality = word_quality(word, symbol, name)?;
        worst = worst.max(quality);
        typos += u32::from(quality == Quality::Typo);
    }
    Some((worst, typos))
}

fn word_quality(word: &str, symbol: &str, name: &str) -> Option<Quality> {
    let best = quality(word, symbol).into_iter().chain(quality(word, name)).min()?;
    (best <= Quality::Typo).then_some(best)
}

/// Whether several words can match in any order after more letters of the last one, and more words, are typed.
fn may_have_words(words: &[&str], symbol: &str, name: &str) -> bool {
    let Some((last, before @ [_, ..])) = words.split_last() else { return false };
    (may_match(last, symbol) || may_match(last, name))
        && before.iter().all(|word| word_quality(word, symbol, name).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::coin_name::search_key;
    use proptest::prelude::*;

    fn index(coins: &[(&str, &str)]) -> Index {
        let mut index = Index::default();
        for (number, (symbol, name)) in coins.iter().enumerate() {
            index.push(search_key(symbol, name), u32::try_from(number).ok(), Source::Name(number));
        }
        index
    }

    fn find(index: &mut Index, query: &str) -> Vec<usize> {
        let number = |source: &Source| if let Source::Name(number) = source { *number } else { usize::MAX };
        index.search(query, |_| false).into_iter().map(|(_, source)| number(source)).collect()
    }

    #[test]
    fn coins_are_ordered_by_match_use_and_rank() {
        let coins =
            [("BTC", "Bitcoin"), ("BCH", "Bitcoin Cash"), ("WBTC", "Wrapped Bitcoin"), ("BIT", "Bit"), ("X", "Obit")];
        let mut index = index(&coins);
        assert_eq!(find(&mut index, "bit"), [3, 0, 1, 2, 4]);
        assert_eq!(find(&mut index, "bitcion"), [0, 1, 2], "one typo");
        assert_eq!(find(&mut index, "zzz"), [0; 0]);
        for query in ["cash bitcoin", "cash bit", "cash bitcion", "bitcoin bch"] {
            assert_eq!(find(&mut index, query), [1], "{query}");
        }
        let used: Vec<_> =
            index.search("bit", |source| *source == Source::Name(1)).into_iter().map(|(_, s)| s.clone()).collect();
        assert_eq!(used[..2], [Source::Name(3), Source::Name(1)]);
    }

    #[test]
    fn known_coins_are_before_names() {
        let mut index = index(&[("RATS", "Rats")]);
        index.push(search_key("RATS", "Rats"), Some(900), Source::Known(CoinId("7".into())));
        assert_eq!(index.search("rats", |_| false)[0].1, &Source::Known(CoinId("7".into())));
    }

    /// 15,000 coins of five kinds.
    fn many() -> Index {
        let mut index = Index::default();
        for number in 0..15_000_usize {
            let name = format!("{} coin {number}", ["Alpha", "Bitcoin", "Gamma", "Delta", "Ether"][number % 5]);
            index.push(search_key(&format!("C{number}"), &name), None, Source::Name(number));
        }
        index
    }

    /// The number of names that a search reads.
    fn examined(index: &mut Index, query: &str) -> usize {
        let before = index.examined();
        find(index, query);
        index.examined() - before
    }

    #[test]
    fn each_key_reads_fewer_names() {
        let mut index = many();
        let counts: Vec<usize> = (1..=7).map(|end| examined(&mut index, &"bitcoin"[..end])).collect();
        assert!(counts.windows(2).all(|pair| pair[1] <= pair[0]), "{counts:?}");
        assert!(counts[0] <= 15_000 && counts[6] <= 3_000, "{counts:?}");
    }

    #[test]
    fn queries_that_were_searched_before_are_narrowed() {
        let mut index = many();
        for query in ["bitcoin", "gamma 7", "ether", "3m bitcoin"] {
            find(&mut index, query);
        }
        for query in ["bitcoin", "bitcoin 1", "gamma 77", "ether"] {
            let read = examined(&mut index, query);
            assert!(read <= 3_000, "{query}: {read}");
        }
        (0..200).for_each(|number| drop(find(&mut index, &format!("delta {number}"))));
        assert!(index.narrowed.len() <= MAX_NARROWED);
    }

    proptest! {
        #[test]
        fn narrowed_search_finds_what_a_new_one_finds(
            names in proptest::collection::vec("[abc ]{1,6}", 1..40),
            queries in proptest::collection::vec("[abc]{1,6}( [abc]{1,6}){0,2}", 1..4),
        ) {
            let coins: Vec<(&str, &str)> = names.iter().map(|name| ("q", name.as_str())).collect();
            let mut typed = index(&coins);
            for end in 1..=20 {
                for query in &queries {
                    let typed_part = &query[..end.min(query.len())];
                    let fresh = find(&mut index(&coins), typed_part);
                    prop_assert_eq!(find(&mut typed, typed_part), fresh);
                }
            }
        }
    }
}
