//! The coin that posts are requested about, and whether a text is about it.

use super::coin_ref::CoinRef;
use crate::model::Text;

/// A coin whose posts are requested. Other coins may share its symbol, so their posts have the same cashtag.
#[derive(Clone, Debug, PartialEq)]
pub struct PostTopic {
    /// The coin.
    pub coin: CoinRef,
    /// Whether its cashtag alone means it: of all coins with the symbol, it has the highest market cap.
    pub owns_cashtag: bool,
    /// Names of the other coins with its symbol.
    pub others: Vec<Text>,
}

impl PostTopic {
    /// The topic of a coin whose symbol no other coin has.
    pub fn unique(coin: CoinRef) -> PostTopic {
        PostTopic { coin, owns_cashtag: true, others: Vec::new() }
    }

    /// Whether its name tells it apart: no coin with a higher market cap has the same symbol and name.
    pub fn owns_name(&self) -> bool {
        self.owns_cashtag || !self.others.iter().any(|other| other.eq_ignore_ascii_case(&self.coin.name))
    }

    /// Whether a post can be about it rather than about another coin with its symbol.
    pub fn is_distinct(&self) -> bool {
        self.owns_name() || self.own_hashtags().next().is_some()
    }

    /// The coin's own hashtags (lower case, without `#`), other than its symbol: from the identity table, and its name
    /// if that has several words.
    pub fn own_hashtags(&self) -> impl Iterator<Item = Text> {
        let symbol = self.coin.symbol.to_lowercase();
        let name = joined_words(&self.coin.name).filter(|_| self.owns_name());
        let tags = name.into_iter().chain(self.coin.hashtags.iter().map(|tag| tag.to_lowercase()));
        tags.filter(move |tag| *tag != symbol)
    }

    /// Whether a string is about the coin: it contains the symbol as a cashtag (`$ORDI`), or the name as a word
    /// (case-insensitive). If another coin owns the cashtag, or the text has the longer name of another coin with the
    /// symbol, the cashtag counts only with one of the coin's own hashtags.
    pub fn is_mentioned_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        let name = self.coin.name.trim().to_lowercase();
        let (mut rest, mut names_other) = (text.clone(), false);
        for other in self.others.iter().map(|other| other.trim().to_lowercase()).filter(|other| *other != name) {
            // "Pepe Ordinals" does not mention Pepe, but "Pepe" may be a part of this coin's name.
            if !contains_word(&name, &other) && contains_word(&rest, &other) {
                // Single words are too ambiguous.
                names_other |= other.contains(char::is_whitespace);
                rest = rest.replace(&other, "\n");
            }
        }
        let cashtag = format!("${}", self.coin.symbol.to_lowercase());
        let has_hashtag = || self.own_hashtags().any(|tag| contains_word(&text, &format!("#{tag}")));
        let has_joined_name = || joined_words(&name).is_some_and(|tag| contains_word(&rest, &format!("#{tag}")));
        let has_name = is_named_in(&rest, &name, &cashtag) || has_joined_name();
        let has_cashtag = contains_word(&text, &cashtag);
        match (has_name, has_cashtag) {
            (true, _) if self.owns_name() => true,
            (_, true) if self.owns_cashtag && !names_other => true,
            (true, _) | (_, true) => has_hashtag(),
            (false, false) => false,
        }
    }
}

/// Whether the name is a word of a string. A cashtag that reads like the name is not.
fn is_named_in(text: &str, name: &str, cashtag: &str) -> bool {
    if cashtag.strip_prefix('$') == Some(name) {
        contains_word(&text.replace(cashtag, "\n"), name)
    } else {
        contains_word(text, name)
    }
}

/// The words of a name as one hashtag, if there are several.
fn joined_words(name: &str) -> Option<Text> {
    let is_joined = name.split_whitespace().nth(1).is_some();
    let tag: Text = name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    (is_joined && tag.chars().any(char::is_alphabetic)).then_some(tag)
}

/// Whether a string contains a word or phrase that is not part of a longer word.
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

    fn coin(name: &str, symbol: &str) -> CoinRef {
        CoinRef::new(CoinId("1".into()), "slug".into(), name.into(), symbol.into())
    }

    #[test]
    fn coin_is_mentioned_by_cashtag_or_name() {
        let topic = |name: &str, symbol: &str| PostTopic::unique(coin(name, symbol));
        let ordi = topic("ORDI", "ORDI");
        for text in ["$ORDI up", "look: $ordi.", "ordi, again", "#ORDI", "(Ordi)", "$ordi"] {
            assert!(ordi.is_mentioned_in(text), "{text}");
        }
        for text in ["ordinary", "the coordinates", "$ORDIX", "_ordi", "US$ORDIX", "o r d i", ""] {
            assert!(!ordi.is_mentioned_in(text), "{text}");
        }
        let bot = topic("Ordinals Bot", "ORDB");
        for text in ["I like the ordinals bot!", "$ordb", "#OrdinalsBot"] {
            assert!(bot.is_mentioned_in(text), "{text}");
        }
        assert!(!bot.is_mentioned_in("ordb and ordinals"), "a symbol without $ doesn't count");
        let stars = topic("星", "*");
        assert!(stars.is_mentioned_in("星 is here") && !stars.is_mentioned_in("星星"));
    }

    #[test]
    fn posts_are_matched_to_coins_that_share_a_symbol() {
        let topic = |name: &str, owns_cashtag, others: &[&str]| PostTopic {
            owns_cashtag,
            others: others.iter().map(|name| Text::from(*name)).collect(),
            coin: CoinRef { hashtags: vec!["brc20".into()], ..coin(name, "PEPE") },
        };
        let large = topic("Pepe", true, &["Pepe Ordinals", "Frog"]);
        let small = topic("Pepe Ordinals", false, &["Pepe", "Frog"]);
        let frog = topic("Frog", false, &["Pepe", "Pepe Ordinals"]);
        for (text, expected) in [
            ("$PEPE is up", [true, false, false]),
            ("Pepe is up", [true, false, false]),
            ("pepe ordinals is up", [false, true, false]),
            ("$PEPE: Pepe Ordinals", [false, true, false]),
            ("#PepeOrdinals", [false, true, false]),
            ("Pepe, not Pepe Ordinals", [true, true, false]),
            ("$PEPE the frog", [true, false, true]),
            // Two coins have this hashtag.
            ("$PEPE #BRC20", [true, true, true]),
            ("#BRC20", [false, false, false]),
        ] {
            assert_eq!([&large, &small, &frog].map(|topic| topic.is_mentioned_in(text)), expected, "{text}");
        }
        // Of two coins with the same name, too, the smaller one needs its hashtag.
        let (large, small) = (topic("Pepe", true, &["pepe"]), topic("PEPE", false, &["Pepe"]));
        for (text, expected) in [("$PEPE", [true, false]), ("pepe", [true, false]), ("pepe #brc20", [true, true])] {
            assert_eq!([&large, &small].map(|topic| topic.is_mentioned_in(text)), expected, "{text}");
        }
        // The name of the smaller one is the symbol.
        let small = topic("PEPE", false, &["Pepe Classic"]);
        assert!(small.is_mentioned_in("pepe is up") && !small.is_mentioned_in("$PEPE is up"));
    }
}
