//! What a rule is about: the words before the condition.

use std::ops::RangeInclusive;

use super::error::{COMPARISONS, Reason, RuleError};
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
        /// The coin's slug or symbol, as typed.
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

/// A subject that is neither a coin nor an address. A BRC-20 token may have the same name.
struct Special {
    names: &'static [&'static str],
    target: Target,
    /// The value if no other words follow the name.
    measure: TypedMeasure,
    /// The error for a word that isn't one of its values; `None` if its name already says its only value.
    other_value: Option<&'static str>,
    /// What may follow the name.
    example: &'static str,
    /// What may follow the name, in an error.
    expected: &'static str,
}

const SPECIALS: [Special; 2] = [
    Special {
        names: &["fees", "fee"],
        target: Target::Fees,
        measure: Measure::FeeRate,
        other_value: None,
        example: "> 10",
        expected: "a condition such as > 10",
    },
    Special {
        names: &["wallet"],
        target: Target::Wallet,
        measure: Measure::Value(None),
        other_value: Some("expected a limit or `24h` after `wallet`, as in wallet > 20000 or wallet 24h < -5%"),
        example: "> 20000 or 24h < -5%",
        expected: "a condition such as > 20000 or 24h < -5%",
    },
];

impl Special {
    /// Whether a rule about it can compare this value.
    fn has(&self, measure: &TypedMeasure) -> bool {
        match self.target {
            Target::Wallet => measure.owner() == Owner::Wallet || *measure == Measure::Change24h,
            _ => *measure == self.measure,
        }
    }

    /// Its value with this name, if it has several.
    fn named(&self, word: &Word<'_>) -> Option<TypedMeasure> {
        self.other_value?;
        let name = word.lower();
        let mut own = TypedMeasure::all().into_iter().filter(|measure| self.has(measure));
        own.find(|measure| measure.names().any(|known| known == name))
    }
}

/// The special subject with this name.
fn special(name: &Word<'_>) -> Option<Special> {
    let name = name.lower();
    SPECIALS.into_iter().find(|special| special.names.contains(&name.as_str()))
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
            [_, extra, ..] => error(extra, Reason::Unexpected(extra.text.to_owned(), COMPARISONS)),
            [] => {
                let at = first.end();
                let reason = "expected a ticker after the address, such as ordi > 1000";
                Err(RuleError { at, reason: Reason::Mismatch(reason) })
            }
        };
    }
    let coin = |measure| Subject::Coin { name: Text::from(first.text), at: first.at, measure };
    let name = first.lower();
    let is_reserved = |measure: &Measure<()>| measure.is_reserved() && measure.as_str() == name;
    if others.is_empty() && Measure::<()>::all().iter().any(is_reserved) {
        return error(first, Reason::NoSubject(first.text.to_owned()));
    }
    let special = special(first);
    if let Some(special) = &special {
        let measure = match others {
            [] => Some(special.measure.clone()),
            [word] => special.named(word),
            _ => None,
        };
        if let Some(measure) = measure {
            return Ok(Subject::Other(special.target.clone(), measure));
        }
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
                Owner::Coin | Owner::Address | Owner::Network | Owner::Wallet => coin(measure),
            });
        }
        found => found.and_then(|(_, count)| others.get(count)),
    };
    match (read_label(label, addresses)?, surplus) {
        (Some(address), _) => Ok(Subject::Other(Target::Address(address), balance_of(ticker)?)),
        (None, Some(surplus)) => error(surplus, Reason::Unexpected(surplus.text.to_owned(), COMPARISONS)),
        (None, None) => match special.map(|special| special.other_value) {
            Some(None) => error(word, Reason::Unexpected(word.text.to_owned(), COMPARISONS)),
            Some(Some(reason)) => Err(wrong_value(first, reason)),
            None => error(word, Reason::Measure(word.text.to_owned())),
        },
    }
}

/// The error for a measure that only coins have, after a special subject. Measures of BRC-20 tokens are valid.
fn coin_measure_error(first: &Word<'_>, word: &Word<'_>, measure: &TypedMeasure) -> Option<RuleError> {
    let special = special(first).filter(|special| measure.owner() == Owner::Coin && !special.has(measure))?;
    Some(match special.other_value {
        Some(reason) => wrong_value(first, reason),
        None => RuleError { at: word.at, reason: Reason::NoFeeValue(measure.noun().trim_start_matches("a ")) },
    })
}

/// The error for anything after a special subject other than its values.
fn wrong_value(subject: &Word<'_>, reason: &'static str) -> RuleError {
    RuleError { at: subject.end(), reason: Reason::Mismatch(reason) }
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
    let own = words.first().and_then(special).zip(words.get(1)).and_then(|(special, word)| special.named(word));
    let measure = own.map(|measure| (measure, 1)).or_else(|| words.get(1..).and_then(read_measure));
    if let ([first, word, ..], Some((measure, _))) = (words, &measure)
        && let Some(error) = coin_measure_error(first, word, measure)
    {
        return error;
    }
    let (examples, expected) = match words.first().and_then(special) {
        Some(Special { example, expected, .. }) => (example, expected),
        None => ("> 10 or 24h < -8%", "a condition such as > 10 or 24h < -8%"),
    };
    let (read, examples) = match measure {
        Some((measure, count)) => (1 + count, measure.examples().join(" or ")),
        None if of_address > 0 && words.len() > 1 => (of_address + 1, balance()),
        None => (1, String::from(examples)),
    };
    match (words.get(read), words.last()) {
        (Some(word), _) => {
            let expected = if read == 1 { expected } else { COMPARISONS };
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

/// The canonical form of an address of the main network; `None` if the word looks neither like one nor like an extended
/// key.
pub(super) fn read_address(word: &Word<'_>) -> Result<Option<Text>, RuleError> {
    let text = word.text;
    if !address::is_similar(text) && !address::is_extended_key(text) {
        return Ok(None);
    }
    let refused = |error| RuleError { at: word.at, reason: Reason::Address(text.to_owned(), error) };
    address::parse(text).map(|address| Some(address.text)).map_err(refused)
}
