//! A rule as one line of text: `ordi > 10`, `sats 24h < -8%`, `nova minted every 1%`.

mod words;

use crate::model::address::{self, AddressError};
use crate::model::{Currency, Decimal, Text};
use crate::portfolio::number::{self, NumberError};
use crate::user_data::address::{LabelError, labelled};
use crate::user_data::alert::{BITCOIN, Comparison, Condition, Measure, Rule, Target};
use crate::user_data::{WalletAddress, Watched};
use words::{Word, words};

/// A typed rule. Its coin is not looked up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// What it is about.
    pub subject: Subject,
    /// The condition.
    pub condition: Condition,
    /// The value that arms it again.
    pub rearm: Option<Decimal>,
    /// Whether it fires only once.
    pub once: bool,
}

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

/// Why a line is not a rule, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}{}", place(*.at))]
pub struct RuleError {
    /// The position of the error: the number of characters before it.
    pub at: usize,
    /// What is wrong.
    pub reason: Reason,
}

/// The place as a suffix of the sentence; none at the start.
fn place(at: usize) -> String {
    if at == 0 { String::new() } else { format!(" (column {})", at.saturating_add(1)) }
}

/// What is wrong with a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The line is empty.
    #[error("expected a rule, such as ordi > 10 or sats 24h < -8%")]
    Empty,
    /// There is no condition after this word; the second field has examples.
    #[error("expected a condition after {0}, such as {1}")]
    NoCondition(String, &'static str),
    /// There is no subject before the condition.
    #[error("expected a coin, ticker, address, wallet or fees before {0}")]
    NoSubject(String),
    /// There is no number after an operator.
    #[error("expected a number after {0}, such as {0} 10")]
    NoNumber(String),
    /// A number can't be read.
    #[error(transparent)]
    Number(NumberError),
    /// A word that names no value.
    #[error("unexpected `{0}` (expected price, 24h, vol, cap, rank, holders or minted)")]
    Measure(String),
    /// A word after the rule.
    #[error("unexpected `{0}` (expected {1})")]
    Unexpected(String, &'static str),
    /// A number with a percent sign, for a value that isn't a percentage.
    #[error("{0} is not a percentage (for the change, use 24h {1} {2})")]
    NotPercent(&'static str, &'static str, String),
    /// A value that can't be compared in this way.
    #[error("{0}")]
    Mismatch(&'static str),
    /// A limit that no value can cross.
    #[error("{0} can't be {1}")]
    OutOfRange(&'static str, String),
    /// An invalid address.
    #[error("{0} is not a Bitcoin address: {1}")]
    Address(String, AddressError),
    /// Several addresses have the label.
    #[error(transparent)]
    Label(LabelError),
}

/// Parses a rule: `COIN [price|24h|vol|cap|rank] > LIMIT [CURRENCY]`, `TICKER holders|minted >= LIMIT`, `TICKER minted
/// every STEP`, `ADDRESS receives|sends`, `ADDRESS TICKER > LIMIT`, `wallet 24h < LIMIT`, `fees < LIMIT`. `once` and
/// `rearm VALUE` may follow.
///
/// # Errors
/// The line is not a valid rule; the error has the position and what was expected.
pub fn parse(line: &str) -> Result<Draft, RuleError> {
    parse_with(line, &[])
}

/// Like [`parse`], but the label of one of `addresses` may replace it.
///
/// # Errors
/// The line is not a valid rule, or several addresses have the label.
pub fn parse_with(line: &str, addresses: &[WalletAddress]) -> Result<Draft, RuleError> {
    let words = words(line);
    let error = |at, reason| Err(RuleError { at, reason });
    if words.is_empty() {
        return error(0, Reason::Empty);
    }
    let Some(verb_at) = words.iter().position(Word::is_verb) else {
        return Err(no_condition(&words, addresses));
    };
    let (subject, rest) = words.split_at(verb_at);
    let Some((verb, tail)) = rest.split_first() else { return error(0, Reason::Empty) };
    let Some(first) = subject.first() else { return error(verb.at, Reason::NoSubject(verb.text.to_owned())) };
    let mut tail = Tail { words: tail, before: verb };
    let happens = match verb.lower().as_str() {
        "receives" => Some(Measure::Receives),
        "sends" => Some(Measure::Sends),
        _ => None,
    };
    if let Some(measure) = happens {
        let address = match (read_address(first)?, subject.get(1)) {
            (Some(_), Some(extra)) => {
                return error(extra.at, Reason::Unexpected(extra.text.to_owned(), "`receives` or `sends`"));
            }
            (Some(address), None) => address,
            (None, _) => {
                let example = "expected an address or its label before `receives` or `sends`";
                let unknown = RuleError { at: first.at, reason: Reason::Mismatch(example) };
                read_label(subject, addresses)?.ok_or(unknown)?
            }
        };
        let ends = tail.ends("`once` or nothing", false)?;
        let subject = Subject::Other(Target::Address(address), measure);
        return Ok(Draft { subject, condition: Condition::Happens, rearm: None, once: ends.once });
    }
    if Comparison::parse(verb.text).is_none() && verb.lower() != "every" {
        return error(verb.at, Reason::Mismatch("expected >, <, >= or <="));
    }
    let mut subject = read_subject(subject, addresses)?;
    let number = tail.number()?;
    check_number(&subject, verb, &number)?;
    let condition = match Comparison::parse(verb.text) {
        Some(comparison) => Condition::Limit(comparison, number.value),
        None if number.value.is_zero() || number.value.is_negative() => {
            return error(number.at, Reason::OutOfRange("a step", String::from("zero or negative")));
        }
        None => Condition::Every(number.value),
    };
    let has_currency = subject.measure().currency().is_some();
    let expected = if has_currency { "a currency, `once` or `rearm`" } else { "`once` or `rearm`" };
    let ends = tail.ends(expected, has_currency)?;
    if let (Some(sign), Some((at, word))) = (&number.currency, &ends.currency)
        && sign != word
    {
        return error(*at, Reason::Mismatch("use one currency"));
    }
    let currency = number.currency.or(ends.currency.map(|(_, currency)| currency));
    if let Some(rearm) = &ends.rearm {
        check_number(&subject, verb, rearm)?;
        if rearm.currency.is_some() && rearm.currency != currency {
            return error(rearm.at, Reason::Mismatch("the re-arm value must be in the currency of the limit"));
        }
    }
    if let Some((typed, slot)) = currency.zip(subject.measure_mut().currency_mut()) {
        *slot = Some(typed);
    }
    let rearm = match (ends.rearm, &condition) {
        (None, _) => None,
        (Some(rearm), Condition::Limit(comparison, limit)) => {
            let is_before = if comparison.is_upward() { rearm.value < *limit } else { rearm.value > *limit };
            if !is_before {
                let side = if comparison.is_upward() {
                    "the re-arm value must be below the limit"
                } else {
                    "the re-arm value must be above the limit"
                };
                return error(rearm.at, Reason::Mismatch(side));
            }
            Some(rearm.value)
        }
        (Some(rearm), _) => return error(rearm.at, Reason::Mismatch("`rearm` can't be combined with `every`")),
    };
    Ok(Draft { subject, condition, rearm, once: ends.once })
}

/// Whether a line starts with a value or an operator, so that its subject is missing.
pub fn lacks_subject(line: &str) -> bool {
    let words = words(line);
    let is_value = |word: &str| {
        let others = ["change", "volume", "mcap", "every"];
        others.contains(&word) || Measure::<()>::all().iter().any(|measure| measure.as_str() == word)
    };
    words.first().is_some_and(|word| {
        let lower = word.lower();
        (word.is_verb() || is_value(&lower)) && lower != Measure::<()>::FeeRate.as_str()
    })
}

impl Draft {
    /// The rule, with the coin of its name; money without a currency is in `convert`. `None` if a coin is
    /// needed.
    pub fn rule(self, coin: Option<Watched>, convert: &Currency) -> Option<Rule> {
        let Draft { subject, condition, rearm, once: _ } = self;
        let (target, measure) = match subject {
            Subject::Other(target, measure) => (target, measure),
            Subject::Coin { measure, .. } => (Target::Coin(coin.filter(|coin| !coin.is_bare())?), measure),
        };
        let measure = measure.in_currency(convert);
        Some(Rule { target, measure, condition, rearm })
    }
}

impl Subject {
    fn measure(&self) -> &TypedMeasure {
        match self {
            Subject::Coin { measure, .. } | Subject::Other(_, measure) => measure,
        }
    }

    fn measure_mut(&mut self) -> &mut TypedMeasure {
        match self {
            Subject::Coin { measure, .. } | Subject::Other(_, measure) => measure,
        }
    }
}

/// Explains what is missing in a line without a comparison operator.
fn no_condition(words: &[Word<'_>], addresses: &[WalletAddress]) -> RuleError {
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
        _ => (1, "> 10, < 8.5 eur, 24h < -8% or holders >= 50k"),
    };
    match (words.get(read), words.last()) {
        (Some(word), _) => {
            let expected =
                if read == 1 { "a condition such as > 10, 24h < -8% or holders >= 50k" } else { ">, <, >= or <=" };
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

/// Names of values that no coin has.
const ONLY_VALUES: [&str; 3] = ["24h", "holders", "minted"];

/// Reads the words before the condition.
fn read_subject(words: &[Word<'_>], addresses: &[WalletAddress]) -> Result<Subject, RuleError> {
    let error = |word: &Word<'_>, reason| Err(RuleError { at: word.at, reason });
    let Some((first, others)) = words.split_first() else {
        return Err(RuleError { at: 0, reason: Reason::Empty });
    };
    if let Some(address) = read_address(first)? {
        return match others {
            [ticker] => Ok(Subject::Other(Target::Address(address), balance_of(ticker))),
            [_, extra, ..] => error(extra, Reason::Unexpected(extra.text.to_owned(), ">, >=, < or <=")),
            [] => {
                let at = first.end();
                let reason = "expected a ticker after the address, such as bc1q… ordi > 1000, or `receives` or `sends`";
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
                Some(address) => Ok(Subject::Other(Target::Address(address), balance_of(ticker))),
                None => error(word, Reason::Measure(word.text.to_owned())),
            }
        }
    }
}

/// The balance of a typed ticker, or of bitcoin.
fn balance_of(ticker: &Word<'_>) -> TypedMeasure {
    let ticker = ticker.lower();
    Measure::Balance(if ticker == "bitcoin" { BITCOIN } else { ticker.into() })
}

/// Checks that a number fits the value it is compared with.
fn check_number(subject: &Subject, verb: &Word<'_>, number: &Number) -> Result<(), RuleError> {
    let (at, measure) = (number.at, subject.measure());
    let noun = measure.noun();
    let error = |reason| Err(RuleError { at, reason });
    if number.is_percent && !measure.is_percent() {
        let sign = Comparison::parse(verb.text).map_or(">", Comparison::as_str);
        return error(Reason::NotPercent(noun, sign, format!("{}%", number.value)));
    }
    let is_change = *measure == Measure::Change24h;
    if number.value.is_negative() && !is_change {
        return error(Reason::OutOfRange(noun, String::from("negative")));
    }
    // No value can ever cross such a limit in either direction.
    if number.value.is_zero() && (measure.currency().is_some() || matches!(measure, Measure::Rank | Measure::FeeRate)) {
        return error(Reason::OutOfRange(noun, String::from("zero")));
    }
    if number.value.is_zero() && verb.text == Comparison::Below.as_str() && !is_change {
        return error(Reason::OutOfRange(noun, String::from("below zero")));
    }
    let is_share = *measure == Measure::Minted;
    let is_above = verb.text == Comparison::Above.as_str() && number.value == Decimal::from(100);
    if is_share && (is_above || number.value > Decimal::from(100)) {
        return error(Reason::OutOfRange(noun, String::from("above 100%")));
    }
    if is_change && number.value < -Decimal::from(100) {
        return error(Reason::OutOfRange(noun, String::from("below -100%")));
    }
    if number.currency.is_some() && measure.currency().is_none() {
        return error(Reason::Mismatch("a currency is valid only for price, vol and cap"));
    }
    Ok(())
}

/// A number with its place.
struct Number {
    at: usize,
    value: Decimal,
    is_percent: bool,
    currency: Option<Currency>,
}

/// What may follow a condition.
#[derive(Default)]
struct Ends {
    once: bool,
    rearm: Option<Number>,
    /// With its place.
    currency: Option<(usize, Currency)>,
}

/// The words after the operator.
struct Tail<'a, 'b> {
    words: &'b [Word<'a>],
    /// The last word that was read.
    before: &'b Word<'a>,
}

impl<'a, 'b> Tail<'a, 'b> {
    fn next(&mut self) -> Option<&'b Word<'a>> {
        let (first, rest) = self.words.split_first()?;
        (self.words, self.before) = (rest, first);
        Some(first)
    }

    /// The number that follows, with a percent sign or a currency sign.
    fn number(&mut self) -> Result<Number, RuleError> {
        let before = self.before;
        let missing = || RuleError { at: before.end(), reason: Reason::NoNumber(before.text.to_owned()) };
        let word = self.next().ok_or_else(missing)?;
        let text = word.text.replace('\u{2212}', "-");
        let (text, currency) = ["$", "€", "£"].into_iter().zip(["USD", "EUR", "GBP"]).fold(
            (text, None),
            |(text, currency), (sign, code)| match text.strip_prefix(sign).or(text.strip_suffix(sign)) {
                Some(bare) => (bare.to_owned(), Currency::parse(code)),
                None => (text, currency),
            },
        );
        let (digits, mut is_percent) = match text.strip_suffix('%') {
            Some(digits) => (digits, true),
            None => (text.as_str(), false),
        };
        if digits.is_empty() {
            return Err(missing());
        }
        let (digits, currency) = match with_code(digits).filter(|_| currency.is_none() && !is_percent) {
            Some((digits, code)) => (digits, Some(code)),
            None => (digits, currency),
        };
        let value = number::parse(digits.strip_prefix('+').unwrap_or(digits))
            .map_err(|error| RuleError { at: word.at, reason: Reason::Number(error) })?;
        if self.words.first().is_some_and(|word| word.text == "%") {
            is_percent = true;
            self.next();
        }
        Ok(Number { at: word.at, value, is_percent, currency })
    }

    /// The words after the condition.
    fn ends(mut self, expected: &'static str, has_currency: bool) -> Result<Ends, RuleError> {
        let mut ends = Ends::default();
        while let Some(word) = self.next() {
            match word.lower().as_str() {
                "once" => ends.once = true,
                "rearm" | "re-arm" | "rearms" => ends.rearm = Some(self.number()?),
                lower => match Currency::parse_known(lower).filter(|_| has_currency && ends.currency.is_none()) {
                    Some(currency) => ends.currency = Some((word.at, currency)),
                    None => {
                        let is_sats = has_currency && lower == "sats" && ends.currency.is_none();
                        let expected = if is_sats { "SAT, the currency; SATS is a token" } else { expected };
                        let reason = Reason::Unexpected(word.text.to_owned(), expected);
                        return Err(RuleError { at: word.at, reason });
                    }
                },
            }
        }
        Ok(ends)
    }
}

/// A number and the currency right after it: `10usd`. A suffix such as `k` is part of the number.
fn with_code(word: &str) -> Option<(&str, Currency)> {
    let (number, code) = word.split_at(word.find(|char: char| char.is_ascii_alphabetic())?);
    let is_number = |word: &str| number::parse(word).is_ok();
    Currency::parse_known(code).filter(|_| !is_number(word) && is_number(number)).map(|code| (number, code))
}

/// The address with these words as its label.
fn read_label(words: &[Word<'_>], addresses: &[WalletAddress]) -> Result<Option<Text>, RuleError> {
    let label = words.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let at = words.first().map_or(0, |word| word.at);
    let found = labelled(&label, addresses).map_err(|error| RuleError { at, reason: Reason::Label(error) })?;
    Ok(found.map(|found| found.address.clone()))
}

/// The canonical form of an address of the main network; `None` if the word doesn't look like one.
fn read_address(word: &Word<'_>) -> Result<Option<Text>, RuleError> {
    let text = word.text;
    if !address::is_similar(text) {
        return Ok(None);
    }
    let refused = |error| RuleError { at: word.at, reason: Reason::Address(text.to_owned(), error) };
    address::parse(text).map(|address| Some(address.text)).map_err(refused)
}

#[cfg(test)]
mod tests;
