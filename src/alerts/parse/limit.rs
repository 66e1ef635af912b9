//! The limit of a rule and what may follow it: the words after the condition's sign.

use super::error::{Reason, RuleError};
use super::words::Word;
use crate::model::{Currency, Decimal, SharedSign};
use crate::portfolio::number;

/// A number with its place.
pub(super) struct Number {
    pub(super) at: usize,
    pub(super) value: Decimal,
    pub(super) is_percent: bool,
    pub(super) currency: Option<Currency>,
}

/// What may follow a condition.
#[derive(Default)]
pub(super) struct Ends {
    pub(super) once: bool,
    pub(super) rearm: Option<Number>,
    /// With its place.
    pub(super) currency: Option<(usize, Currency)>,
}

/// The words after the operator.
pub(super) struct Tail<'a, 'b> {
    pub(super) words: &'b [Word<'a>],
    /// The last word that was read.
    pub(super) before: &'b Word<'a>,
}

impl<'a, 'b> Tail<'a, 'b> {
    fn next(&mut self) -> Option<&'b Word<'a>> {
        let (first, rest) = self.words.split_first()?;
        (self.words, self.before) = (rest, first);
        Some(first)
    }

    /// The number that follows, with a percent sign or a currency sign.
    pub(super) fn number(&mut self) -> Result<Number, RuleError> {
        let before = self.before;
        let missing = || RuleError { at: before.end(), reason: Reason::NoNumber(before.text.to_owned()) };
        let word = self.next().ok_or_else(missing)?;
        let text = word.text.replace('\u{2212}', "-");
        // The currency of a shared sign is unknown.
        let of_sign = Currency::split_sign(&text).and_then(|(number, sign)| Some((number, Currency::of_sign(sign)?)));
        let (text, currency) = of_sign.map_or((text.as_str(), None), |(number, currency)| (number, Some(currency)));
        let (digits, mut is_percent) = match text.strip_suffix('%') {
            Some(digits) => (digits, true),
            None => (text, false),
        };
        if digits.is_empty() {
            return Err(missing());
        }
        let (digits, currency) = match with_code(digits).filter(|_| currency.is_none() && !is_percent) {
            Some((digits, code)) => (digits, Some(code)),
            None => (digits, currency),
        };
        let value = number::parse(digits.strip_prefix('+').unwrap_or(digits))
            .map_err(|error| RuleError { at: word.at, reason: shared_sign(text).unwrap_or(Reason::Number(error)) })?;
        if self.words.first().is_some_and(|word| word.text == "%") {
            is_percent = true;
            self.next();
        }
        Ok(Number { at: word.at, value, is_percent, currency })
    }

    /// Skips the unit of the number that was just read, if it follows.
    pub(super) fn skip_unit(&mut self, unit: &str) {
        if self.words.first().is_some_and(|word| word.lower() == unit) {
            self.next();
        }
    }

    /// The words after the condition.
    pub(super) fn ends(mut self, expected: &'static str, has_currency: bool) -> Result<Ends, RuleError> {
        let mut ends = Ends::default();
        while let Some(word) = self.next() {
            let twice = |what| Err(RuleError { at: word.at, reason: Reason::Twice(what) });
            match word.lower().as_str() {
                "once" if ends.once => return twice("`once`"),
                "once" => ends.once = true,
                "rearm" | "re-arm" | "rearms" if ends.rearm.is_some() => return twice("`rearm`"),
                "rearm" | "re-arm" | "rearms" => ends.rearm = Some(self.number()?),
                lower => match Currency::parse_known(lower).filter(|_| has_currency && ends.currency.is_none()) {
                    Some(currency) => ends.currency = Some((word.at, currency)),
                    None => {
                        let is_sats = has_currency && lower == "sats" && ends.currency.is_none();
                        let expected = if is_sats { "SAT, the currency; SATS is a token" } else { expected };
                        let unexpected = || Reason::Unexpected(word.text.to_owned(), expected);
                        let reason = shared_sign(word.text).filter(|_| has_currency).unwrap_or_else(unexpected);
                        return Err(RuleError { at: word.at, reason });
                    }
                },
            }
        }
        Ok(ends)
    }
}

/// The error for the sign of several currencies.
fn shared_sign(word: &str) -> Option<Reason> {
    SharedSign::of(word).map(Reason::SharedSign)
}

/// A number and the currency right after it: `10usd`. A suffix such as `k` is part of the number.
fn with_code(word: &str) -> Option<(&str, Currency)> {
    let (number, code) = word.split_at(word.trim_end_matches(|char: char| char.is_ascii_alphabetic()).len());
    let is_number = |word: &str| number::parse(word).is_ok();
    Currency::parse_known(code).filter(|_| !is_number(word) && is_number(number)).map(|code| (number, code))
}
