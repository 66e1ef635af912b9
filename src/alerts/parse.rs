//! A rule as one line of text: `ordi > 10`, `sats 24h < -8%`, `nova minted every 1%`.

mod error;
mod limit;
mod relative;
mod subject;
mod words;

use crate::model::address::{self, AddressError};
use crate::model::{Currency, Decimal};
use crate::portfolio::number::ambiguous_point;
use crate::user_data::alert::{Comparison, Condition, Measure, Owner, Rule, Target, Unit};
use crate::user_data::{WalletAddress, Watched};
use limit::{Number, Tail};
use relative::{condition, percentage};
use subject::{no_condition, read_address, read_label, read_subject};
use words::{Word, words};

pub use error::{Reason, RuleError};
pub use relative::moved;
pub use subject::{Subject, TypedMeasure};

/// Why a limit with two currencies is refused.
const ONE_CURRENCY: &str = "use one currency";

/// A typed rule. Its coin is not looked up yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// What it is about.
    pub subject: Subject,
    /// The condition.
    pub condition: Condition,
    /// The value at which it re-arms.
    pub rearm: Option<Decimal>,
    /// Whether it fires only once.
    pub once: bool,
}

/// Parses a rule: `COIN [price|1h|24h|7d|vol|cap|rank] > LIMIT [CURRENCY]`, `TICKER holders|minted >= LIMIT`,
/// `TICKER minted every STEP`, `ADDRESS receives|sends`, `ADDRESS TICKER > LIMIT`, `wallet [value|24h] > LIMIT`,
/// `fees < LIMIT`.
/// `once` and `rearm VALUE` may follow. `above` and `over` mean `>`, `below` and `under` mean `<`.
///
/// # Errors
/// The line is not a valid rule; the error has the position and what was expected.
pub fn parse(line: &str) -> Result<Draft, RuleError> {
    parse_with(line, &[])
}

/// Parses a rule like [`parse`], but one of `addresses` may be given by its label.
///
/// # Errors
/// The line is not a valid rule, or several addresses have the label.
pub fn parse_with(line: &str, addresses: &[WalletAddress]) -> Result<Draft, RuleError> {
    read(line, addresses, None)
}

/// Finds the current price of a coin by its name, with its currency.
pub type FindPrice<'a> = dyn Fn(&str) -> Option<(f64, Currency)> + 'a;

/// Parses a rule like [`parse_with`], but a signed percentage after a coin, as in `ordi +5%`, is a limit that far from
/// its current price.
///
/// # Errors
/// The line is not a valid rule, several addresses have the label, or the price is unknown.
pub fn parse_relative(line: &str, addresses: &[WalletAddress], price: &FindPrice<'_>) -> Result<Draft, RuleError> {
    read(line, addresses, Some(price))
}

fn read(line: &str, addresses: &[WalletAddress], price: Option<&FindPrice<'_>>) -> Result<Draft, RuleError> {
    let words = words(line);
    let error = |at, reason| Err(RuleError { at, reason });
    if words.is_empty() {
        return error(0, Reason::Empty);
    }
    // A word for a comparison may also be the name of a coin: `over > 5`.
    let in_words = || words.iter().skip(1).position(|word| word.comparison().is_some()).map(|at| at + 1);
    let Some(verb_at) = words.iter().position(Word::is_verb).or_else(in_words) else {
        let relative = price.and_then(|price| read_relative(&words, addresses, price));
        return relative.unwrap_or_else(|| Err(no_condition(&words, addresses)));
    };
    let (subject, rest) = words.split_at(verb_at);
    let Some((verb, tail)) = rest.split_first() else { return error(0, Reason::Empty) };
    let Some(first) = subject.first() else { return error(verb.at, Reason::NoSubject(verb.text.to_owned())) };
    let after = tail;
    let mut tail = Tail { words: tail, before: verb };
    if let Some(measure) = verb.event() {
        let address = match (read_address(first)?, subject.get(1)) {
            (Some(_), Some(extra)) => {
                return error(extra.at, Reason::Unexpected(extra.text.to_owned(), "`receives` or `sends`"));
            }
            (Some(address), None) => address,
            (None, _) => {
                let example = "expected an address or its label before `receives` or `sends`";
                let reason = if address::is_beginning(first.text) {
                    Reason::Address(first.text.to_owned(), AddressError::Kind)
                } else {
                    Reason::Mismatch(example)
                };
                let unknown = RuleError { at: first.at, reason };
                read_label(subject, addresses)?.ok_or(unknown)?
            }
        };
        let ends = tail.ends("`once` or nothing", false)?;
        let subject = Subject::Other(Target::Address(address), measure);
        return Ok(Draft { subject, condition: Condition::Transfer, rearm: None, once: ends.once });
    }
    if verb.comparison().is_none() && !verb.is_every() {
        return error(verb.at, Reason::Comparison);
    }
    let subject = read_subject(subject, addresses)?;
    let number = tail.number()?;
    if *subject.measure() == Measure::FeeRate {
        tail.skip_unit("sat/vb");
    }
    draft(subject, verb, number, tail, after)
}

/// A rule with a limit relative to the current price of its coin; `None` if the words have no such limit, or are about
/// anything else.
fn read_relative(
    words: &[Word<'_>],
    addresses: &[WalletAddress],
    price: &FindPrice<'_>,
) -> Option<Result<Draft, RuleError>> {
    let (subject, rest) = words.split_at(relative_at(words)?);
    let (percent, after) = rest.split_first()?;
    if subject.is_empty() {
        return Some(Err(RuleError { at: percent.at, reason: Reason::NoSubject(percent.text.to_owned()) }));
    }
    let subject = read_subject(subject, addresses).ok()?;
    let Subject::Coin { name, measure: Measure::Price(_), .. } = &subject else { return None };
    let condition = condition(percent, name, price(name));
    let tail = Tail { words: after, before: percent };
    let draft = condition.and_then(|(verb, number)| draft(subject, &verb, number, tail, after));
    Some(draft.map_err(|error| match error.reason {
        Reason::Mismatch(ONE_CURRENCY) => {
            RuleError { reason: Reason::Mismatch("relative alerts use the displayed currency"), ..error }
        }
        _ => error,
    }))
}

fn relative_at(words: &[Word<'_>]) -> Option<usize> {
    words.iter().position(|word| percentage(word.text).is_some())
}

/// Whether a line has a limit relative to the current price: a signed percentage instead of a condition.
pub fn has_relative_limit(line: &str) -> bool {
    let words = words(line);
    !words.iter().any(Word::is_verb) && relative_at(&words).is_some()
}

/// The rule from its subject, the number after its verb and the words left in `tail`; `after`: all words after the verb.
fn draft(
    mut subject: Subject,
    verb: &Word<'_>,
    number: Number,
    tail: Tail<'_, '_>,
    after: &[Word<'_>],
) -> Result<Draft, RuleError> {
    let error = |at, reason| Err(RuleError { at, reason });
    check_number(&subject, verb, &number)?;
    let condition = match verb.comparison() {
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
        return error(*at, Reason::Mismatch(ONE_CURRENCY));
    }
    if let Some((index, reason)) = ambiguous_point(after.iter().map(|word| word.text)) {
        return error(after.get(index).map_or(verb.at, |word| word.at), Reason::Number(reason));
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
    // Only the wallet has these measures.
    let all = Measure::<()>::all();
    let is_value = |word: &str| {
        let mut of_others = all.iter().filter(|measure| measure.owner() != Owner::Wallet);
        of_others.any(|measure| measure.names().any(|name| name == word))
    };
    words.first().is_some_and(|word| {
        let lower = word.lower();
        (word.is_verb() || is_value(&lower) || percentage(word.text).is_some())
            && lower != Measure::<()>::FeeRate.as_str()
    })
}

impl Draft {
    /// The rule, with the coin of its name; money without a currency is in `convert`. `None` if a coin is
    /// needed.
    pub fn rule(self, coin: Option<Watched>, convert: &Currency) -> Option<Rule> {
        let Draft { subject, condition, rearm, once: _ } = self;
        let (target, measure) = match subject {
            Subject::Other(target, measure) => (target, measure),
            Subject::Coin { measure, .. } => (Target::Coin(coin.filter(|coin| !coin.has_only_symbol())?), measure),
        };
        let measure = measure.in_currency(convert);
        Some(Rule { target, measure, condition, rearm })
    }
}

/// Checks that a number fits the value it is compared with.
fn check_number(subject: &Subject, verb: &Word<'_>, number: &Number) -> Result<(), RuleError> {
    let (at, measure) = (number.at, subject.measure());
    let noun = measure.noun();
    let error = |reason| Err(RuleError { at, reason });
    if number.is_percent && !measure.is_percent() {
        let sign = verb.comparison().map_or(">", Comparison::as_str);
        return error(Reason::NotPercent(noun, sign, format!("{}%", number.value)));
    }
    let is_change = measure.unit() == Unit::Change;
    if number.value.is_negative() && !is_change {
        return error(Reason::OutOfRange(noun, String::from("negative")));
    }
    // No value can ever cross such a limit in either direction.
    if number.value.is_zero() && measure.is_positive() {
        return error(Reason::OutOfRange(noun, String::from("zero")));
    }
    if number.value.is_zero() && verb.comparison() == Some(Comparison::Below) && !is_change {
        return error(Reason::OutOfRange(noun, String::from("below zero")));
    }
    let is_first = *measure == Measure::Rank && verb.comparison() == Some(Comparison::Below);
    if is_first && number.value <= Decimal::from(1) {
        return error(Reason::OutOfRange(noun, String::from("below 1")));
    }
    let is_share = measure.unit() == Unit::Share;
    let is_above = verb.comparison() == Some(Comparison::Above) && number.value == Decimal::from(100);
    if is_share && (is_above || number.value > Decimal::from(100)) {
        return error(Reason::OutOfRange(noun, String::from("above 100%")));
    }
    if is_change && number.value < -Decimal::from(100) {
        return error(Reason::OutOfRange(noun, String::from("below -100%")));
    }
    if number.currency.is_some() && measure.currency().is_none() {
        return error(Reason::NoMoney);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
