//! What a rule is about: the words before the condition.

use std::ops::RangeInclusive;

use super::error::{Reason, RuleError};
use super::words::Word;
use crate::model::{Currency, Text, address};
use crate::user_data::WalletAddress;
use crate::user_data::address::labelled;
use crate::user_data::alert::{BITCOIN, Measure, Target};

/// The subject of a typed rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A coin.
    Coin {
        /// Its slug or symbol, as typed.
        name: Text,
        /// Where the name starts, in characters.
        at: usize,
        /// The value. Its currency is `None` if none was typed.
        measure: TypedMeasure,
    },
    /// Anything else.
    Other(Target, TypedMeasure),
}

/// A value whose currency, if it has one, may be missing.
pub type TypedMeasure = Measure<Option<Currency>>;

impl Subject {
    pub(super) fn measure(&self) -> &TypedMeasure {
        match self {
            Subject::Coin { measure, .. } | Subject::Other(_, measure) => measure,
        }
    }

    pub(super) fn measure_mut(&mut self) -> &mut TypedMeasure {
        match self {
            Subject::Coin { measure, .. } | Subject::Other(_, measure) => measure,
        }
    }
}

/// Bytes of a BRC-20 ticker: 4, 5 with self-mint, 6 with BRC2.0.
const TICKER_LENGTHS: RangeInclusive<usize> = 4..=6;

/// Names of values that no coin has.
const ONLY_VALUES: [&str; 3] = ["24h", "holders", "minted"];

/// Reads the words before the condition.
pub(super) fn read_subject(words: &[Word<'_>], addresses: &[WalletAddress]) -> Result<Subject, RuleError> {
    let error = |word: &Word<'_>, reason| Err(RuleError { at: word.at, reason });
    let Some((first, others)) = words.split_first() else {
        return Err(RuleError { at: 0, reason: Reason::Empty });
    };
    if let Some(address) = read_address(first)? {
        return match others {
            [ticker] => Ok(Subject::Other(Target::Address(address), balance_of(ticker)?)),
            [_, extra, ..] => error(extra, Reason::Unexpected(extra.text.to_owned(), ">, >=, < or <=")),
            [] => {
                let at = first.end();
                let reason = "expected a ticker after the address, such as ordi > 1000";
                Err(RuleError { at, reason: Reason::Mismatch(reason) })
            }
        };
    }
    if others.is_empty() && ONLY_VALUES.contains(&first.lower().as_str()) {
        return error(first, Reason::NoSubject(first.text.to_owned()));
    }
    let measure: String = others.iter().map(|word| word.lower()).collect::<Vec<_>>().join(" ");
    let name = Text::from(first.text);
    let coin = |measure| Ok(Subject::Coin { name: name.clone(), at: first.at, measure });
    let token = |measure| Ok(Subject::Other(Target::Token(first.lower().into()), measure));
    match (first.lower().as_str(), measure.as_str()) {
        ("fees" | "fee", "") => Ok(Subject::Other(Target::Fees, Measure::FeeRate)),
        ("wallet", "24h") => Ok(Subject::Other(Target::Wallet, Measure::Change24h)),
        ("wallet", "") => {
            let reason = "expected `24h` after `wallet`, such as wallet 24h < -5%";
            Err(RuleError { at: first.end(), reason: Reason::Mismatch(reason) })
        }
        (_, "" | "price") => coin(Measure::Price(None)),
        (_, "24h" | "change") => coin(Measure::Change24h),
        (_, "vol" | "volume") => coin(Measure::Volume(None)),
        (_, "cap" | "market cap" | "mcap") => coin(Measure::MarketCap(None)),
        (_, "rank") => coin(Measure::Rank),
        (_, "holders") => token(Measure::Holders),
        (_, "minted") => token(Measure::Minted),
        _ => {
            let Some((word, (ticker, label))) = others.first().zip(words.split_last()) else {
                return coin(Measure::Price(None));
            };
            match read_label(label, addresses)? {
                Some(address) => Ok(Subject::Other(Target::Address(address), balance_of(ticker)?)),
                None => match others.get(measure_words(others)) {
                    Some(surplus) if *surplus != *word => {
                        error(surplus, Reason::Unexpected(surplus.text.to_owned(), ">, <, >= or <="))
                    }
                    _ => error(word, Reason::Measure(word.text.to_owned())),
                },
            }
        }
    }
}

/// How many words after a subject name a value: 0 if they don't start with one.
fn measure_words(words: &[Word<'_>]) -> usize {
    const NAMES: [&str; 10] = ["price", "24h", "change", "vol", "volume", "cap", "mcap", "rank", "holders", "minted"];
    let lower: Vec<String> = words.iter().take(2).map(Word::lower).collect();
    match lower.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["market", "cap"] => 2,
        [first, ..] if NAMES.contains(first) => 1,
        _ => 0,
    }
}

/// The balance of a typed ticker, or of bitcoin.
fn balance_of(word: &Word<'_>) -> Result<TypedMeasure, RuleError> {
    let ticker = word.lower();
    match ticker.as_str() {
        "bitcoin" | "btc" => Ok(Measure::Balance(BITCOIN)),
        _ if TICKER_LENGTHS.contains(&ticker.len()) => Ok(Measure::Balance(ticker.into())),
        _ => Err(RuleError { at: word.at, reason: Reason::Mismatch("expected a ticker of 4 to 6 bytes, or btc") }),
    }
}

/// Explains what is missing in a line without a comparison operator.
pub(super) fn no_condition(words: &[Word<'_>], addresses: &[WalletAddress]) -> RuleError {
    let of_address = address_words(words, addresses);
    if of_address == words.len() {
        let last = words.last();
        let text = last.map(|word| word.text.to_owned()).unwrap_or_default();
        let reason = Reason::NoCondition(text, "receives, sends or ordi > 1000");
        return RuleError { at: last.map_or(0, Word::end), reason };
    }
    let lower: Vec<String> = words.iter().map(Word::lower).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let (read, examples) = match lower.as_slice() {
        [_, "minted", ..] => (2, ">= 99% or every 1%"),
        [_, "holders", ..] => (2, ">= 50k"),
        [_, "24h" | "change", ..] => (2, "< -8%"),
        [_, "rank", ..] => (2, "<= 100"),
        [_, "market", "cap", ..] => (3, "> 50m"),
        [_, "vol" | "volume" | "cap" | "mcap", ..] => (2, "> 50m"),
        [_, "price", ..] => (2, "> 10 or < 8.5 eur"),
        [_, _, ..] if of_address > 0 => (of_address + 1, "> 1000"),
        _ => (1, "> 10 or 24h < -8%"),
    };
    match (words.get(read), words.last()) {
        (Some(word), _) => {
            let expected = if read == 1 { "a condition such as > 10 or 24h < -8%" } else { ">, <, >= or <=" };
            RuleError { at: word.at, reason: Reason::Unexpected(word.text.to_owned(), expected) }
        }
        (None, last) => {
            let text = last.map(|word| word.text.to_owned()).unwrap_or_default();
            RuleError { at: last.map_or(0, Word::end), reason: Reason::NoCondition(text, examples) }
        }
    }
}

/// How many words at the start of a line are an address or the label of one; 0 if none is.
fn address_words(words: &[Word<'_>], addresses: &[WalletAddress]) -> usize {
    if words.first().is_some_and(|first| address::is_similar(first.text)) {
        return 1;
    }
    let is_label =
        |count: &usize| words.get(..*count).is_some_and(|words| !matches!(read_label(words, addresses), Ok(None)));
    (1..=words.len()).rev().find(is_label).unwrap_or(0)
}

/// The address with these words as its label.
pub(super) fn read_label(words: &[Word<'_>], addresses: &[WalletAddress]) -> Result<Option<Text>, RuleError> {
    let label = words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let at = words.first().map_or(0, |word| word.at);
    let found = labelled(&label, addresses).map_err(|error| RuleError { at, reason: Reason::Label(error) })?;
    Ok(found.map(|found| found.address.clone()))
}

/// The canonical form of an address of the main network; `None` if the word doesn't look like one.
pub(super) fn read_address(word: &Word<'_>) -> Result<Option<Text>, RuleError> {
    let text = word.text;
    if !address::is_similar(text) {
        return Ok(None);
    }
    let refused = |error| RuleError { at: word.at, reason: Reason::Address(text.to_owned(), error) };
    address::parse(text).map(|address| Some(address.text)).map_err(refused)
}
