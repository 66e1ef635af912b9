//! Helpers for providers of posts: cut texts, and check whether they are about a coin.

use super::coin_ref::CoinRef;
use crate::model::text;

/// Maximum length of a post in characters.
const MAX_LENGTH: usize = 2_000;

/// Trims a text and cuts it to [`MAX_LENGTH`].
pub(super) fn shortened(text: &str) -> String {
    text::cut(text.trim().into(), MAX_LENGTH).into_owned()
}

/// Whether a text contains a coin's symbol as a cashtag (`$ORDI`), or its name as a word (case-insensitive).
pub(super) fn mentions_coin(words: &str, coin: &CoinRef) -> bool {
    let words = words.to_lowercase();
    let cashtag = format!("${}", coin.symbol.to_lowercase());
    contains_word(&words, &cashtag) || contains_word(&words, coin.name.to_lowercase().trim())
}

/// Whether a text contains a word or phrase that is not part of a longer word.
fn contains_word(words: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    // `$$ORDI` is not a cashtag, and `C$ORDI` is a different one.
    let is_part_before = |c: char| is_part(c) || word.starts_with('$') && c == '$';
    !word.is_empty()
        && words.match_indices(word).any(|(at, found)| {
            let before = words.get(..at).and_then(|before| before.chars().next_back());
            let after = words.get(at + found.len()..).and_then(|after| after.chars().next());
            !before.is_some_and(is_part_before) && !after.is_some_and(is_part)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CoinId;

    #[test]
    fn coin_is_mentioned_by_cashtag_or_name() {
        let coin =
            |name: &str, symbol: &str| CoinRef::new(CoinId("1".into()), "slug".into(), name.into(), symbol.into());
        let ordi = coin("ORDI", "ORDI");
        for text in ["$ORDI up", "look: $ordi.", "ordi, again", "#ORDI", "(Ordi)", "$ordi"] {
            assert!(mentions_coin(text, &ordi), "{text}");
        }
        for text in ["ordinary", "the coordinates", "$ORDIX", "_ordi", "US$ORDIX", "o r d i", ""] {
            assert!(!mentions_coin(text, &ordi), "{text}");
        }
        let bot = coin("Ordinals Bot", "ORDB");
        assert!(mentions_coin("I like the ordinals bot!", &bot) && mentions_coin("$ordb", &bot));
        assert!(!mentions_coin("ordb and ordinals", &bot), "a symbol without $ doesn't count");
        let stars = coin("星", "*");
        assert!(mentions_coin("星 is here", &stars) && !mentions_coin("星星", &stars));
    }
}
