//! Notices of our own service about its data: a sentence for the user and a code for programs.

use std::fmt;
use std::iter;
use std::ops::Deref;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::request::Warning;
use crate::format::words::{first_names, join_words};
use crate::model::{Text, text};

/// A notice about a response. Dereferences to its sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// The sentence, without a full stop.
    pub sentence: Warning,
    /// The subject, if programs react to it.
    pub code: Option<NoticeCode>,
    /// The sentences about anything but the coins without prices that the code names.
    others: Vec<Warning>,
}

impl Notice {
    /// A notice with these sentences, joined by [`SEPARATOR`].
    pub fn new(sentence: Warning, code: Option<NoticeCode>) -> Notice {
        let about_prices = code.as_ref().and_then(NoticeCode::about_prices);
        let parts = sentence.split(SEPARATOR).filter(|part| Some(*part) != about_prices.as_deref());
        let mut others: Vec<Warning> = parts.map(str::to_owned).collect();
        // Another version may phrase it differently.
        if about_prices.is_some() && others.first() == Some(&sentence) {
            others.clear();
        }
        Notice { sentence, code, others }
    }

    /// The notice about two parts of the data. If any of their coins has no prices, it has the sentences of both, with
    /// all these coins in one; otherwise the first sentence.
    pub(super) fn followed_by(self, next: Notice) -> Notice {
        let code = NoticeCode::joined(self.code, next.code);
        let Some(about_prices) = code.as_ref().and_then(NoticeCode::about_prices) else {
            return Notice { code, ..self };
        };
        let mut others = self.others;
        for other in next.others {
            if !others.contains(&other) {
                others.push(other);
            }
        }
        let sentences: Vec<Warning> = iter::once(about_prices).chain(others.iter().cloned()).collect();
        let sentence = sentences.join(SEPARATOR);
        Notice { sentence, code, others }
    }

    /// Whether it names coins of which no provider has prices.
    pub(super) fn is_about_prices(&self) -> bool {
        self.code.as_ref().is_some_and(|code| code.about_prices().is_some())
    }

    /// Whether it says nothing but that some coins have no prices.
    pub fn is_only_about_prices(&self) -> bool {
        self.is_about_prices() && self.others.is_empty()
    }

    /// Whether the service confirms that no provider has prices of the coin with this symbol.
    pub fn is_without_prices(&self, symbol: &str) -> bool {
        let Some(NoticeCode::NoPrices { symbols, .. }) = &self.code else { return false };
        symbols.iter().any(|named| named.eq_ignore_ascii_case(symbol))
    }

    /// Whether the coin with this symbol may have prices, but could not be looked up.
    pub fn has_failed(&self, symbol: &str) -> bool {
        let Some(NoticeCode::NoPrices { failed, .. }) = &self.code else { return false };
        failed.iter().any(|named| named.eq_ignore_ascii_case(symbol))
    }
}

impl Deref for Notice {
    type Target = str;

    fn deref(&self) -> &str {
        &self.sentence
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl From<&str> for Notice {
    fn from(sentence: &str) -> Notice {
        Notice::new(sentence.to_owned(), None)
    }
}

/// The subject of a notice. Displays as the value of [`NOTICE_CODE`](super::NOTICE_CODE), such as
/// `no-prices; symbols=RATS,MEME`, with percent-encoded items, as many as fit into 4 KiB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoticeCode {
    /// No provider lists a requested coin any more.
    NotListed,
    /// Some coin names could not be loaded.
    NamesMissing,
    /// Several coins use the requested symbol; the response is about those with these slugs.
    SharedSymbol(Vec<Text>),
    /// The response lacks the prices of some coins.
    NoPrices {
        /// The symbols of those of which no provider has prices.
        symbols: Vec<Text>,
        /// The symbols of those that could not be looked up.
        failed: Vec<Text>,
    },
}

const NOT_LISTED: &str = "not-listed";
const NAMES_MISSING: &str = "names-missing";
const SHARED_SYMBOL: &str = "shared-symbol";
const NO_PRICES: &str = "no-prices";

/// Between the sentences of a notice about several subjects.
pub const SEPARATOR: &str = "; ";

/// Maximum slugs or symbols read from a header.
const MAX_ITEMS: usize = 1_000;

/// Maximum bytes of slugs or symbols in a header: common proxies reject more than 8 KiB of headers. All symbols of a
/// request fit, unless they are unusually long.
const MAX_WRITTEN: usize = 4 * 1_024;

/// Maximum length of a slug or symbol, in characters.
const MAX_ITEM: usize = 100;

/// Characters that need an escape in an item.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

impl NoticeCode {
    /// The code for two parts of the data: all symbols without prices, or else the first code.
    pub fn joined(first: Option<NoticeCode>, next: Option<NoticeCode>) -> Option<NoticeCode> {
        match (first, next) {
            (
                Some(NoticeCode::NoPrices { mut symbols, mut failed }),
                Some(NoticeCode::NoPrices { symbols: more_symbols, failed: more_failed }),
            ) => {
                for (known, more) in [(&mut symbols, more_symbols), (&mut failed, more_failed)] {
                    for symbol in more {
                        if !known.iter().any(|known| known.eq_ignore_ascii_case(&symbol)) {
                            known.push(symbol);
                        }
                    }
                }
                Some(NoticeCode::NoPrices { symbols, failed })
            }
            (first, next) => first.or(next),
        }
    }

    /// The sentence of a code that names coins of which no provider has prices.
    fn about_prices(&self) -> Option<String> {
        match self {
            // Without symbols, all of them are too long for a header.
            NoticeCode::NoPrices { symbols, failed } if !symbols.is_empty() || failed.is_empty() => {
                Some(no_prices(symbols))
            }
            _ => None,
        }
    }

    /// Parses the value of the header; `None` if this version doesn't know the code.
    pub fn parse(value: &str) -> Option<NoticeCode> {
        let (name, parameters) = value.split_once(';').unwrap_or((value, ""));
        let items = |parameter: &str| -> Vec<Text> {
            let mut pairs = parameters.split(';').filter_map(|pair| pair.split_once('='));
            let items = pairs.find(|(name, _)| name.trim() == parameter).map_or("", |(_, items)| items.trim());
            let decoded = |item: &str| {
                let item = percent_decode_str(item).decode_utf8_lossy();
                Text::from(text::cut(text::clean(&item), MAX_ITEM))
            };
            items.split(',').filter(|item| !item.is_empty()).take(MAX_ITEMS).map(decoded).collect()
        };
        match name.trim() {
            NOT_LISTED => Some(NoticeCode::NotListed),
            NAMES_MISSING => Some(NoticeCode::NamesMissing),
            SHARED_SYMBOL => Some(NoticeCode::SharedSymbol(items("slugs"))),
            NO_PRICES => Some(NoticeCode::NoPrices { symbols: items("symbols"), failed: items("failed") }),
            _ => None,
        }
    }
}

impl fmt::Display for NoticeCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoticeCode::NotListed => f.write_str(NOT_LISTED),
            NoticeCode::NamesMissing => f.write_str(NAMES_MISSING),
            NoticeCode::SharedSymbol(slugs) => write!(f, "{SHARED_SYMBOL}; slugs={}", written(slugs, MAX_WRITTEN)),
            NoticeCode::NoPrices { symbols, failed } => {
                let symbols = written(symbols, MAX_WRITTEN);
                write!(f, "{NO_PRICES}; symbols={symbols}")?;
                if failed.is_empty() {
                    return Ok(());
                }
                write!(f, "; failed={}", written(failed, MAX_WRITTEN.saturating_sub(symbols.len())))
            }
        }
    }
}

/// The first items, percent-encoded, in at most this many bytes.
fn written(items: &[Text], max: usize) -> String {
    let mut written = String::new();
    for item in items {
        let separator = if written.is_empty() { "" } else { "," };
        let next = format!("{separator}{}", utf8_percent_encode(item, ESCAPED));
        if written.len() + next.len() > max {
            break;
        }
        written.push_str(&next);
    }
    written
}

/// Maximum symbols in a sentence.
const MAX_NAMED: usize = 20;

/// The sentence of [`NoticeCode::NoPrices`].
pub fn no_prices(symbols: &[Text]) -> String {
    format!("No prices for {}", symbol_names(symbols))
}

/// Symbols in a sentence; if there are many, the first ones and the number of others.
pub(crate) fn symbol_names(symbols: &[Text]) -> String {
    if symbols.len() > MAX_NAMED { first_names(symbols, MAX_NAMED) } else { join_words(symbols, "and") }
}

/// The sentence of [`NoticeCode::NamesMissing`].
pub fn names_missing(reason: &str) -> String {
    format!("Some coin names are missing: {reason}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::endpoint::MAX_SYMBOLS;

    #[test]
    fn codes_are_read_as_they_are_written() {
        let items = |items: &[&str]| items.iter().map(|item| Text::from(*item)).collect::<Vec<_>>();
        for (code, value) in [
            (NoticeCode::NotListed, "not-listed"),
            (NoticeCode::NamesMissing, "names-missing"),
            (NoticeCode::SharedSymbol(items(&["pepe", "pepe-brc"])), "shared-symbol; slugs=pepe,pepe-brc"),
            (no_prices_of(&items(&["RATS", "A,B; C", "₿"])), "no-prices; symbols=RATS,A%2CB%3B%20C,%E2%82%BF"),
            (no_prices_of(&[]), "no-prices; symbols="),
            (
                NoticeCode::NoPrices { symbols: items(&["RATS"]), failed: items(&["MEME", "A;B"]) },
                "no-prices; symbols=RATS; failed=MEME,A%3BB",
            ),
        ] {
            assert_eq!(code.to_string(), value);
            assert_eq!(NoticeCode::parse(value), Some(code));
        }
        assert_eq!(NoticeCode::parse("a-later-code; symbols=RATS"), None);
        assert_eq!(NoticeCode::parse("no-prices"), Some(no_prices_of(&[])));
    }

    fn no_prices_of(symbols: &[Text]) -> NoticeCode {
        NoticeCode::NoPrices { symbols: symbols.to_vec(), failed: Vec::new() }
    }

    #[test]
    fn notice_about_many_coins_fits_into_headers() {
        let symbols: Vec<Text> = (0..1_000).map(|number| format!("SYMBOL{number}").into()).collect();
        let sentence = no_prices(&symbols);
        assert!(sentence.len() < 300 && sentence.ends_with("SYMBOL19 and 980 more"), "{sentence}");
        // The maximum of a request.
        let requested = no_prices_of(&symbols[..MAX_SYMBOLS]);
        assert_eq!(NoticeCode::parse(&requested.to_string()), Some(requested));
        let long: Vec<Text> = (0..1_000).map(|number| format!("{}{number}", "₿".repeat(30)).into()).collect();
        let value = NoticeCode::NoPrices { symbols: long.clone(), failed: long.clone() }.to_string();
        assert!(value.len() < 5 * 1_024, "{}", value.len());
        let Some(NoticeCode::NoPrices { symbols: read, .. }) = NoticeCode::parse(&value) else { panic!("{value}") };
        assert!(!read.is_empty() && long.starts_with(&read), "{read:?}");
    }

    #[test]
    fn joined_notice_names_all_coins_without_prices_once() {
        let notice = |sentence: &str, value: &str| Notice::new(sentence.to_owned(), NoticeCode::parse(value));
        let rats = || notice("Rates are old; No prices for RATS", "no-prices; symbols=RATS");
        let meme = || notice("No prices for MEME and rats; Rates are old", "no-prices; symbols=MEME,rats");
        let rates = || notice("Rates are old", "");
        let worded = || notice("PIZZA lacks prices", "no-prices; symbols=PIZZA");
        for (first, next, sentence, is_only_about_prices) in [
            (rats(), meme(), "No prices for RATS and MEME; Rates are old", false),
            (rats(), rates(), "No prices for RATS; Rates are old", false),
            (rates(), rats(), "No prices for RATS; Rates are old", false),
            (rates(), worded(), "No prices for PIZZA; Rates are old", false),
            (worded(), worded(), "No prices for PIZZA", true),
            (rates(), notice("Names are old", ""), "Rates are old", false),
        ] {
            let joined = first.followed_by(next);
            assert_eq!((joined.sentence.as_str(), joined.is_only_about_prices()), (sentence, is_only_about_prices));
        }
    }

    #[test]
    fn notice_names_the_coins_without_prices() {
        let notice = |value| Notice::new(String::from("No prices for RATS and MEME"), NoticeCode::parse(value));
        let pages = notice("no-prices; symbols=RATS,MEME").followed_by(notice("no-prices; symbols=PIZZA"));
        for (symbol, expected) in [("rats", true), ("MEME", true), ("PIZZA", true), ("and", false), ("for", false)] {
            assert_eq!(pages.is_without_prices(symbol), expected, "{symbol}");
        }
        assert!(!notice("names-missing").is_without_prices("RATS"));
        let failed = Notice::new(
            String::from("Can't look up MEME (CoinGecko: rate-limited (429)); try again in 20 s"),
            NoticeCode::parse("no-prices; symbols=; failed=MEME"),
        );
        assert!(failed.has_failed("meme") && !failed.is_without_prices("MEME") && !failed.is_only_about_prices());
        let joined = failed.followed_by(notice("no-prices; symbols=RATS"));
        assert!(joined.has_failed("MEME") && joined.is_without_prices("RATS") && !joined.is_only_about_prices());
    }
}
