//! The names of all coins, in little memory.

use serde::{Deserialize, Serialize};

use super::text::{self, Text};

/// Maximum coins; the largest providers have about 20,000.
const MAX_COINS: usize = 50_000;

/// Maximum bytes of an id or slug, and characters of a symbol or name.
const MAX_BYTES: usize = 96;

/// Ends each text. None contains it, since control characters are removed.
pub const END: char = '\n';

/// The names of all coins, by rank: about 70 bytes a coin, since all texts are in two strings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CoinNames {
    /// Id, slug (empty if it is the id), symbol and name of each coin, each with [`END`].
    texts: String,
    /// Symbol and name of each coin in lower case, each with [`END`].
    keys: String,
    rows: Vec<Row>,
}

/// Where the texts of a coin start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    text: u32,
    key: u32,
    rank: Option<u32>,
}

/// The names of a coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoinNameRef<'a> {
    /// Our id.
    pub id: &'a str,
    /// The slug.
    pub slug: &'a str,
    /// The symbol; not unique.
    pub symbol: &'a str,
    /// The name.
    pub name: &'a str,
    /// The rank by market cap, if known.
    pub rank: Option<u32>,
}

impl CoinNames {
    /// Adds a coin with cleaned texts. Returns `false` if it has no id or symbol, or if there are too many coins.
    pub fn push(&mut self, coin: CoinNameRef<'_>) -> bool {
        let cleaned = |part| -> Text { Text::from(text::cut(text::clean(part), MAX_BYTES)) };
        let CoinNameRef { id, slug, symbol, name, rank } = coin;
        let (id, slug, symbol, name) = (cleaned(id), cleaned(slug), cleaned(symbol), cleaned(name));
        let (Ok(text), Ok(key)) = (u32::try_from(self.texts.len()), u32::try_from(self.keys.len())) else {
            return false;
        };
        // A shortened id or slug would be another one.
        let is_long = coin.id.len().max(coin.slug.len()) > MAX_BYTES;
        if is_long || id.is_empty() || symbol.is_empty() || self.rows.len() >= MAX_COINS {
            return false;
        }
        let slug = if slug == id { "" } else { slug.as_str() };
        for part in [id.as_str(), slug, &symbol, &name] {
            self.texts.push_str(part);
            self.texts.push(END);
        }
        for part in [&symbol, &name] {
            self.keys.push_str(&part.to_lowercase());
            self.keys.push(END);
        }
        self.rows.push(Row { text, key, rank: rank.filter(|rank| *rank > 0) });
        true
    }

    /// Frees unused memory after the last [`CoinNames::push`].
    pub fn shrink(&mut self) {
        self.texts.shrink_to_fit();
        self.keys.shrink_to_fit();
        self.rows.shrink_to_fit();
    }

    /// The number of coins.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Memory in bytes.
    pub fn bytes(&self) -> usize {
        self.texts.capacity() + self.keys.capacity() + self.rows.capacity() * size_of::<Row>()
    }

    /// A coin by its index.
    pub fn get(&self, index: usize) -> Option<CoinNameRef<'_>> {
        let row = self.rows.get(index)?;
        let mut parts = self.texts.get(row.text as usize..)?.splitn(5, END);
        let (id, slug, symbol, name) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        Some(CoinNameRef { id, slug: if slug.is_empty() { id } else { slug }, symbol, name, rank: row.rank })
    }

    /// The rank of a coin, if known.
    pub fn rank(&self, index: usize) -> Option<u32> {
        self.rows.get(index)?.rank
    }

    /// The searchable texts of all coins: symbol and name in lower case, each with [`END`].
    pub fn keys(&self) -> &str {
        &self.keys
    }

    /// The searchable text of a coin, and where it ends in [`CoinNames::keys`].
    pub fn key(&self, index: usize) -> Option<(&str, usize)> {
        let start = self.rows.get(index)?.key as usize;
        let end = self.rows.get(index + 1).map_or(self.keys.len(), |next| next.key as usize);
        Some((self.keys.get(start..end)?, end))
    }

    /// The coin that has the byte at this offset of [`CoinNames::keys`].
    pub fn at(&self, offset: usize) -> usize {
        self.rows.partition_point(|row| row.key as usize <= offset).saturating_sub(1)
    }
}

impl<'a> Extend<CoinNameRef<'a>> for CoinNames {
    fn extend<I: IntoIterator<Item = CoinNameRef<'a>>>(&mut self, coins: I) {
        for coin in coins {
            self.push(coin);
        }
        self.shrink();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coin<'a>(id: &'a str, slug: &'a str, symbol: &'a str, name: &'a str) -> CoinNameRef<'a> {
        CoinNameRef { id, slug, symbol, name, rank: Some(7) }
    }

    #[test]
    fn names_are_kept_as_they_are_and_searched_in_lower_case() {
        let mut names = CoinNames::default();
        names.extend([coin("1", "bitcoin", "BTC", "Bitcoin"), coin("ära", "ära", "ÄRA", "Große Ära")]);
        assert_eq!(names.get(0), Some(coin("1", "bitcoin", "BTC", "Bitcoin")));
        assert_eq!(names.get(1), Some(coin("ära", "ära", "ÄRA", "Große Ära")));
        assert_eq!(names.get(2), None);
        assert_eq!(names.key(0), Some(("btc\nbitcoin\n", 12)));
        assert_eq!(names.key(1).map(|(key, _)| key), Some("ära\ngroße ära\n"));
        assert_eq!((names.at(0), names.at(11), names.at(12)), (0, 0, 1));
    }

    #[test]
    fn unusable_names_are_skipped() {
        let mut names = CoinNames::default();
        assert!(!names.push(coin("", "x", "X", "X")) && !names.push(coin("x", "x", "\u{202e}", "X")));
        assert!(names.push(coin("a\nb", "a\nb", "A\n", "\u{1b}[31mA")));
        assert_eq!(names.get(0), Some(coin("a b", "a b", "A", "[31mA")));
    }

    #[test]
    fn twenty_thousand_names_need_less_than_two_mebibytes() {
        let mut names = CoinNames::default();
        let texts: Vec<String> = (0..20_000).map(|n| format!("some-longer-coin-name-{n}")).collect();
        names.extend(texts.iter().map(|text| coin("1234567", text, "SYMBOL", text)));
        assert!(names.len() == 20_000 && names.bytes() < 5 << 19, "{}", names.bytes());
        let mut usual = CoinNames::default();
        let texts: Vec<String> = (0..20_000).map(|n| format!("Coin name {n}")).collect();
        usual.extend(texts.iter().map(|text| coin("12345", text, "SYMB", text)));
        assert!(usual.bytes() < 2 << 20, "{}", usual.bytes());
    }
}
