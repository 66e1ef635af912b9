//! What a rule is about: the words before the condition.

use std::ops::RangeInclusive;

use super::error::{Reason, RuleError};
use super::words::Word;
use crate::model::{Currency, Text, address};
use crate::user_data::WalletAddress;
use crate::user_data::address::labelled;
use crate::user_data::alert::{BITCOIN, Measure, Owner, Target};

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
    let coin = |measure| Subject::Coin { name: Text::from(first.text), at: first.at, measure };
    match (first.lower().as_str(), others) {
        (name, []) if Measure::<()>::all().iter().any(|measure| measure.is_reserved() && measure.as_str() == name) => {
            return error(first, Reason::NoSubject(first.text.to_owned()));
        }
        ("fees" | "fee", []) => return Ok(Subject::Other(Target::Fees, Measure::FeeRate)),
        ("wallet", []) => return Err(expected_24h(first)),
        ("wallet", [word]) if word.lower() == TypedMeasure::Change24h.as_str() => {
            return Ok(Subject::Other(Target::Wallet, Measure::Change24h));
        }
        _ => {}
    }
    let Some((word, (ticker, label))) = others.first().zip(words.split_last()) else {
        return Ok(coin(Measure::Price(None)));
    };
    let surplus = match read_measure(others) {
        Some((measure, count)) if count == others.len() => {
            if let Some(error) = coin_measure_error(first, word, &measure) {
                return Err(error);
            }
            return Ok(match measure.owner() {
                Owner::Token => Subject::Other(Target::Token(first.lower().into()), measure),
                Owner::Coin | Owner::Address | Owner::Network => coin(measure),
            });
        }
        found => found.and_then(|(_, count)| others.get(count)),
    };
    match (read_label(label, addresses)?, surplus) {
        (Some(address), _) => Ok(Subject::Other(Target::Address(address), balance_of(ticker)?)),
        (None, Some(surplus)) => error(surplus, Reason::Unexpected(surplus.text.to_owned(), ">, <, >= or <=")),
        (None, None) => match first.lower().as_str() {
            "fees" | "fee" => error(word, Reason::Unexpected(word.text.to_owned(), ">, <, >= or <=")),
            "wallet" => Err(expected_24h(first)),
            _ => error(word, Reason::Measure(word.text.to_owned())),
        },
    }
}

/// The error for a measure that only coins have, after `fees` or `wallet`, which are not coins. Measures of BRC-20 tokens
/// are valid: a token may have one of these names.
fn coin_measure_error(first: &Word<'_>, word: &Word<'_>, measure: &TypedMeasure) -> Option<RuleError> {
    let is_of_coin = measure.owner() == Owner::Coin;
    match first.lower().as_str() {
        "fees" | "fee" if is_of_coin => {
            let reason = Reason::NoFeeValue(measure.noun().trim_start_matches("a "));
            Some(RuleError { at: word.at, reason })
        }
        "wallet" if is_of_coin && *measure != Measure::Change24h => Some(expected_24h(first)),
        _ => None,
    }
}

/// The error for anything other than `24h` after `wallet`.
fn expected_24h(wallet: &Word<'_>) -> RuleError {
    let reason = "expected `24h` after `wallet`, as in wallet 24h < -5%";
    RuleError { at: wallet.end(), reason: Reason::Mismatch(reason) }
}

/// The measure that the words after a coin or token start with, and how many of them name it.
fn read_measure(words: &[Word<'_>]) -> Option<(TypedMeasure, usize)> {
    let starts_with = |name: &[&str]| {
        words.get(..name.len()).is_some_and(|words| words.iter().map(Word::lower).eq(name.iter().copied()))
    };
    TypedMeasure::all().into_iter().filter(Measure::follows_name).find_map(|measure| {
        let names = measure.names().map(|name| name.split(' ').collect::<Vec<_>>());
        let count = names.into_iter().find(|name| starts_with(name))?.len();
        Some((measure, count))
    })
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
    let balance = || TypedMeasure::Balance(Text::default()).examples().join(" or ");
    let of_address = address_words(words, addresses);
    if of_address == words.len() {
        let last = words.last();
        let text = last.map(|word| word.text.to_owned()).unwrap_or_default();
        let events = TypedMeasure::all().into_iter().filter(Measure::is_event);
        let events: Vec<_> = events.map(|event| event.as_str()).collect();
        let examples = format!("{} or ordi {}", events.join(", "), balance());
        let reason = Reason::NoCondition(text, examples);
        return RuleError { at: last.map_or(0, Word::end), reason };
    }
    let measure = words.get(1..).and_then(read_measure);
    if let ([first, word, ..], Some((measure, _))) = (words, &measure)
        && let Some(error) = coin_measure_error(first, word, measure)
    {
        return error;
    }
    let (examples, expected) = match words.first().map(Word::lower).as_deref() {
        Some("fees" | "fee") => ("> 10", "a condition such as > 10"),
        Some("wallet") => ("24h < -5%", "a condition such as 24h < -5%"),
        _ => ("> 10 or 24h < -8%", "a condition such as > 10 or 24h < -8%"),
    };
    let (read, examples) = match measure {
        Some((measure, count)) => (1 + count, measure.examples().join(" or ")),
        None if of_address > 0 && words.len() > 1 => (of_address + 1, balance()),
        None => (1, String::from(examples)),
    };
    match (words.get(read), words.last()) {
        (Some(word), _) => {
            let expected = if read == 1 { expected } else { ">, <, >= or <=" };
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
