//! Finding items by what people type: the exact symbol first, then what begins with it, contains it, resembles it.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// What an item is found by.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'a> {
    /// The short name, in lower case.
    pub symbol: &'a str,
    /// The long name, in lower case.
    pub name: &'a str,
}

/// The indices of the items that match, the best first; equal ones in their own order.
pub fn find<'a>(query: &str, items: impl Iterator<Item = Keys<'a>> + Clone) -> Vec<usize> {
    let query = query.trim().to_lowercase();
    if query.is_empty() {
        return items.enumerate().map(|(index, _)| index).collect();
    }
    let mut hits: Vec<(u32, usize)> =
        items.clone().enumerate().filter_map(|(index, keys)| Some((class(&query, keys)?, index))).collect();
    if hits.is_empty() {
        hits = resembling(&query, items);
    }
    hits.sort_by_key(|&(class, _)| class);
    hits.into_iter().map(|(_, index)| index).collect()
}

/// How well an item matches literally, 0 best; `None` where the words do not occur.
fn class(query: &str, keys: Keys<'_>) -> Option<u32> {
    let Keys { symbol, name } = keys;
    if symbol == query {
        Some(0)
    } else if name == query {
        Some(1)
    } else if symbol.starts_with(query) {
        Some(2)
    } else if name.starts_with(query) {
        Some(3)
    } else if symbol.contains(query) || name.contains(query) {
        Some(4)
    } else {
        None
    }
}

fn resembling<'a>(query: &str, items: impl Iterator<Item = Keys<'a>>) -> Vec<(u32, usize)> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::new(query, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut buffer = Vec::new();
    let mut text = String::new();
    items
        .enumerate()
        .filter_map(|(index, keys)| {
            text.clear();
            text.push_str(keys.symbol);
            text.push(' ');
            text.push_str(keys.name);
            let score = pattern.score(Utf32Str::new(&text, &mut buffer), &mut matcher)?;
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
        let keys = COINS.iter().map(|&(symbol, name)| Keys { symbol, name });
        find(query, keys).into_iter().map(|i| COINS[i].0).collect()
    }

    #[test]
    fn puts_the_exact_symbol_first() {
        assert_eq!(search("ORDI"), ["ordi", "ordinals", "rats"]);
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
