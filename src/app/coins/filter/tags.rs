//! The tags that a filter can name.

use std::collections::{HashMap, HashSet};
use std::mem;

use crate::model::Coin;

/// The name of a tag as one lowercase word, as it is written in filters: `bitcoin-ecosystem` for `Bitcoin Ecosystem`.
pub fn tag_word(tag: &str) -> String {
    word_chars(tag).collect()
}

/// Whether the [`tag_word`] of a tag contains `part`.
pub fn tag_contains(tag: &str, part: &str) -> bool {
    let mut wanted = part.chars();
    let Some(first) = wanted.next() else { return true };
    let mut rest = word_chars(tag);
    while let Some(c) = rest.next() {
        if c == first {
            let mut next = rest.clone();
            if wanted.clone().all(|c| next.next() == Some(c)) {
                return true;
            }
        }
    }
    false
}

/// The characters of a [`tag_word`].
fn word_chars(tag: &str) -> impl Iterator<Item = char> + Clone {
    let (mut is_begun, mut is_between) = (false, false);
    let parts = tag.chars().flat_map(char::to_lowercase).map(move |c| {
        if !c.is_alphanumeric() {
            is_between = is_begun;
            return [None, None];
        }
        is_begun = true;
        [mem::take(&mut is_between).then_some('-'), Some(c)]
    });
    parts.flatten().flatten()
}

/// A completion of a filter that ends with a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagCompletion {
    /// The whole filter.
    pub line: String,
    /// Number of coins with a tag that contains the completed word.
    pub coins: usize,
}

/// The completions of a filter whose last word is a tag or the beginning of one, most frequent tags first. Empty if the
/// filter ends with anything else.
pub fn tag_completions<'a>(text: &str, coins: impl Iterator<Item = &'a Coin> + Clone) -> Vec<TagCompletion> {
    let Some((before, typed)) = last_tag(text) else { return Vec::new() };
    let typed = tag_word(typed);
    let tags: HashSet<&str> = coins.clone().flat_map(|coin| coin.tags.iter()).map(|tag| tag.as_str()).collect();
    let found = tags.into_iter().map(|tag| (tag, tag_word(tag)));
    let found: Vec<(&str, String)> = found.filter(|(_, word)| word.contains(&typed) && !word.is_empty()).collect();
    let words: HashSet<&str> = found.iter().map(|(_, word)| word.as_str()).collect();
    // The number of coins of each word, and the last coin counted, since a coin may have the word in several tags.
    let mut counts: Vec<(&str, usize, Option<usize>)> = words.into_iter().map(|word| (word, 0, None)).collect();
    let indices = |word: &str| -> Vec<usize> {
        (0..).zip(&counts).filter(|(_, (part, ..))| word.contains(part)).map(|(index, _)| index).collect()
    };
    let contained: HashMap<&str, Vec<usize>> = found.iter().map(|(tag, word)| (*tag, indices(word))).collect();
    for (number, coin) in coins.enumerate() {
        for &index in coin.tags.iter().filter_map(|tag| contained.get(tag.as_str())).flatten() {
            if let Some((_, count, last)) = counts.get_mut(index)
                && last.replace(number) != Some(number)
            {
                *count += 1;
            }
        }
    }
    counts.sort_unstable_by(|(a, few, _), (b, many, _)| many.cmp(few).then_with(|| a.cmp(b)));
    counts.into_iter().map(|(word, coins, _)| TagCompletion { line: format!("{before}{word}"), coins }).collect()
}

/// The tag at the end of a completed filter.
pub fn completed_tag(line: &str) -> &str {
    last_tag(line).map_or(line, |(_, tag)| tag)
}

/// The text before the tag at its end, and that tag, which may be empty.
fn last_tag(text: &str) -> Option<(&str, &str)> {
    let start = text.rfind(|c: char| c.is_whitespace() || c == '=')? + 1;
    let (before, typed) = text.split_at_checked(start)?;
    let keyword = before.trim_end().trim_end_matches('=').trim_end();
    let last = keyword.rsplit(|c: char| c.is_whitespace() || c == '(').next()?;
    last.eq_ignore_ascii_case("tag").then_some((before, typed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CoinId, Currency};
    use crate::user_data::watchlist::ResolvedCoins;

    fn coins(tags: &[&[&str]]) -> Vec<Coin> {
        let coin = |tags: &&[&str]| {
            let mut coin = Coin::new(CoinId("1".into()), "Coin".into(), "C".into());
            coin.tags = tags.iter().map(|tag| (*tag).into()).collect();
            coin
        };
        tags.iter().map(coin).collect()
    }

    #[test]
    fn tag_completions_are_sorted_by_number_of_coins() {
        let coins = coins(&[&["DeFi", "Layer 1 (L1)"], &["defi", "meme"], &["Bitcoin Ecosystem"]]);
        let lines = |text| -> Vec<String> {
            tag_completions(text, coins.iter()).into_iter().map(|completion| completion.line).collect()
        };
        assert_eq!(lines("tag "), ["tag defi", "tag bitcoin-ecosystem", "tag layer-1-l1", "tag meme"]);
        assert_eq!(lines("gainers and (TAG = ME"), ["gainers and (TAG = meme"]);
        assert_eq!(lines("not (tag layer"), ["not (tag layer-1-l1"]);
        for text in ["", "tag", "24h > 5", "tag defi ", "tag defi and "] {
            assert!(lines(text).is_empty(), "{text}");
        }
        assert_eq!(completed_tag("not (tag layer-1-l1"), "layer-1-l1");
    }

    #[test]
    fn tag_completion_counts_the_coins_that_its_filter_accepts() {
        let coins = coins(&[&["DeFi", "DeFi 2.0"], &["defi"], &["x DEFI"], &["meme"]]);
        let completions = tag_completions("tag ", coins.iter());
        let counts: Vec<(&str, usize)> = completions.iter().map(|tag| (completed_tag(&tag.line), tag.coins)).collect();
        assert_eq!(counts, [("defi", 3), ("defi-2-0", 1), ("meme", 1), ("x-defi", 1)]);
        for TagCompletion { line, coins: count } in completions {
            let filter = crate::app::coins::filter::parse(&line, &Currency::usd()).unwrap();
            let accepted = coins.iter().filter(|coin| filter.accepts(coin, &ResolvedCoins::default()));
            assert_eq!(accepted.count(), count, "{line}");
        }
    }

    #[test]
    fn tag_contains_agrees_with_its_word() {
        for tag in ["Layer 1 (L1)", "  x -- y! ", "İÄ", "aab", ""] {
            let word = tag_word(tag);
            for part in ["", "-", "layer-1-l1", "r-1", "r1", "x-y", "-y-", "y-", "ä", "ab", "aab", "b-"] {
                assert_eq!(tag_contains(tag, part), word.contains(part), "{part} in {tag}");
            }
        }
        assert_eq!(tag_word("  Layer 1 -- (L1)!"), "layer-1-l1");
    }

    #[test]
    fn completed_filters_parse() {
        for tag in ["DeFi", "Layer 1 (L1)", "AI & Big Data", "Ä–ö", "x  y!"] {
            let text = format!("tag {}", tag_word(tag));
            let filter = crate::app::coins::filter::parse(&text, &Currency::usd()).unwrap();
            assert!(filter.accepts(&coins(&[&[tag]])[0], &ResolvedCoins::default()), "{text}");
        }
    }
}
