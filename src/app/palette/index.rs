//! The names of coins as the palette searches them.
//!
//! A key searches only the coins that matched before it, if it was typed at the end; and of these only those that have
//! nearly all of the typed letters. Without that, the third key takes 4 ms with 15,000 names, twice as long as it may.

use crate::app::fuzzy::{NeededLetters, Quality, Scorer, letters, may_match, quality};
use crate::model::coin_name::split_search_key;
use crate::model::{CoinId, Text};

/// Maximum coins found.
const MAX_FOUND: usize = 60;

/// Minimum characters of a query before its letters rule out names. In shorter ones, a forgiven typo leaves nearly all
/// names possible.
const MIN_NARROWING_CHARS: usize = 3;

/// A coin of the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A coin of a list, or one that was fetched by its id.
    Known(CoinId),
    /// A coin of the names of all coins, by its index there.
    Name(usize),
}

/// The searchable names.
#[derive(Clone, Debug, Default)]
pub struct Index {
    rows: Vec<Row>,
    /// The coins that can match the last query, and a longer one.
    narrowed: Vec<u32>,
    query: String,
    /// The number of coins that the last search looked at.
    examined: usize,
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

    /// The number of coins whose names the last search read.
    pub fn examined(&self) -> usize {
        self.examined
    }

    /// Finds coins, best first: at most 60. Among equal matches, those that `is_used` come first, then known ones, then
    /// by rank.
    pub fn search(&mut self, query: &str, is_used: impl Fn(&Source) -> bool) -> Vec<(Quality, &Source)> {
        let query = query.trim().to_lowercase();
        if query.is_empty() {
            self.query.clear();
            self.narrowed.clear();
            return Vec::new();
        }
        let continues = !self.query.is_empty() && query.starts_with(&self.query);
        let before = std::mem::take(&mut self.narrowed);
        let mut narrowed = Vec::new();
        let (found, examined) = match continues {
            true => self.scan(&query, before.into_iter(), is_used, Some(&mut narrowed)),
            false => self.scan(&query, self.all(), is_used, Some(&mut narrowed)),
        };
        self.narrowed = narrowed;
        self.examined = examined;
        self.query = query;
        self.hits(found)
    }

    /// Like [`Index::search`] for a part of what is typed: the next key still searches the coins that matched all of it.
    pub fn search_part(&self, query: &str, is_used: impl Fn(&Source) -> bool) -> Vec<(Quality, &Source)> {
        let query = query.trim().to_lowercase();
        if query.is_empty() {
            return Vec::new();
        }
        self.hits(self.scan(&query, self.all(), is_used, None).0)
    }

    fn all(&self) -> std::ops::Range<u32> {
        0..u32::try_from(self.rows.len()).unwrap_or(u32::MAX)
    }

    /// Returns the rows that match, and the number of those whose names were read. Adds the rows that can match a longer
    /// query to `narrowed`.
    fn scan(
        &self,
        query: &str,
        rows: impl Iterator<Item = u32>,
        is_used: impl Fn(&Source) -> bool,
        mut narrowed: Option<&mut Vec<u32>>,
    ) -> (Vec<(Order, u32)>, usize) {
        let wanted = NeededLetters::new(query);
        let narrows = query.chars().nth(MIN_NARROWING_CHARS - 1).is_some();
        let mut scorer = Scorer::new(query);
        let mut found: Vec<(Order, u32)> = Vec::new();
        let mut examined = 0;
        for index in rows {
            let Some(row) = self.rows.get(index as usize) else { continue };
            if !wanted.may_match_later(row.letters) {
                continue;
            }
            examined += 1;
            let (symbol, name) = split_search_key(&row.key);
            let order = order(query, symbol, name, &mut scorer);
            if let Some(narrowed) = &mut narrowed
                && (!narrows || order.is_some() || may_match(query, symbol) || may_match(query, name))
            {
                narrowed.push(index);
            }
            if let Some((quality, score)) = order {
                let is_name = matches!(row.source, Source::Name(_));
                let unused = u32::from(!is_used(&row.source));
                found.push(((quality, unused, is_name, score, row.rank), index));
            }
        }
        (found, examined)
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

/// The better match of symbol and name; scattered letters by their score, which is lower for a better one.
fn order(query: &str, symbol: &str, name: &str, scorer: &mut Scorer) -> Option<(Quality, u32)> {
    let best = quality(query, symbol).into_iter().chain(quality(query, name)).min()?;
    let score = match best {
        Quality::Scattered => u32::MAX - scorer.score(symbol).max(scorer.score(name)),
        _ => 0,
    };
    Some((best, score))
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

    #[test]
    fn search_of_a_part_leaves_the_typed_query() {
        let mut index = index(&[("BTC", "Bitcoin"), ("ORDI", "ORDI"), ("RATS", "Rats")]);
        assert_eq!(find(&mut index, "ord"), [1]);
        assert_eq!(index.search_part("rats", |_| false).len(), 1);
        assert_eq!(find(&mut index, "ordi"), [1]);
        assert_eq!(index.examined(), 1, "only what matched before");
    }

    #[test]
    fn each_key_reads_fewer_names() {
        let mut index = Index::default();
        for number in 0..15_000_usize {
            let name = format!("{} coin {number}", ["Alpha", "Bitcoin", "Gamma", "Delta", "Ether"][number % 5]);
            index.push(search_key(&format!("C{number}"), &name), None, Source::Name(number));
        }
        let mut counts = Vec::new();
        for end in 1..=7 {
            find(&mut index, &"bitcoin"[..end]);
            counts.push(index.examined());
        }
        assert!(counts.windows(2).all(|pair| pair[1] <= pair[0]), "{counts:?}");
        assert!(counts[0] <= 15_000 && counts[6] <= 3_000, "{counts:?}");
    }

    proptest! {
        #[test]
        fn narrowed_search_finds_what_a_new_one_finds(
            names in proptest::collection::vec("[abc ]{1,6}", 1..40),
            query in "[abc]{1,6}",
        ) {
            let coins: Vec<(&str, &str)> = names.iter().map(|name| ("q", name.as_str())).collect();
            let mut typed = index(&coins);
            for end in 1..=query.len() {
                let fresh = find(&mut index(&coins), &query[..end]);
                prop_assert_eq!(find(&mut typed, &query[..end]), fresh);
            }
        }
    }
}
