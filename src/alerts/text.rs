//! Messages about alerts.

use std::fmt::{self, Write as _};
use std::time::Duration;

use super::evaluate::Fired;
use super::moves::Move;
use crate::format::price::with_subscript;
use crate::format::{Age, Count, Exact, HIDDEN, Money, PriceFormat, Signed, with_currency, words};
use crate::model::Decimal;
use crate::user_data::alert::{AlertState, BITCOIN, Comparison, Condition, Measure, Rule, Target, Unit, Value};

/// Why an alert is not checked if no response has its value.
pub const NO_VALUE: &str = "no enabled provider has this value";

/// The suffixes of large numbers with their powers of a thousand, which the parser reads, too.
const SUFFIXES: [(u32, &str); 4] = [(4, "T"), (3, "B"), (2, "M"), (1, "k")];

/// Maximum characters of a short form without its suffix. Longer ones are not round.
const MAX_SHORT: usize = 4;

/// Prices of at least this are shown with a suffix.
const MIN_SHORT_PRICE: f64 = 1e9;

/// Greater distances in percent are not shown exactly.
const MAX_DISTANCE: f64 = 100_000.0;

/// Distances in percent of at least this have no decimals.
const MIN_WHOLE_DISTANCE: f64 = 999.95;

/// Smaller distances would be shown as zero.
const MIN_DISTANCE: f64 = 0.05;

/// Decimals of a fee rate.
const FEE_DECIMALS: u32 = 3;

/// Columns of a shortened address.
const ADDRESS_COLUMNS: u16 = 12;

/// The subject of a rule: a symbol, a ticker, a short address.
pub fn subject(rule: &Rule) -> String {
    match &rule.target {
        Target::Coin(coin) => coin.symbol.to_string(),
        Target::Token(ticker) => ticker.to_string(),
        Target::Address(address) => words::shortened(address, ADDRESS_COLUMNS).into_owned(),
        Target::Wallet => String::from("Wallet"),
        Target::Fees => String::from("Fees"),
    }
}

/// A ticker as shown: BRC-20 tickers in lower case.
fn ticker_name(ticker: &str) -> &str {
    if *ticker == *BITCOIN { "BTC" } else { ticker }
}

/// The name of a measure in a condition.
fn measure_name(measure: &Measure) -> &str {
    match measure {
        Measure::Balance(ticker) => ticker_name(ticker),
        Measure::FeeRate => "rate",
        measure => measure.as_str(),
    }
}

/// The parts of a condition. Displays as all of them: `price > 20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConditionParts<'a> {
    /// The name of the measure, such as `price`.
    pub measure: &'a str,
    /// The sign of the comparison, or `every`, and the number; `None` for transfers.
    pub limit: Option<(&'static str, String)>,
}

impl ConditionParts<'_> {
    /// The limit without the measure: `> 20`. `None` for transfers.
    pub fn limit_text(&self) -> Option<String> {
        self.limit.as_ref().map(|(sign, number)| format!("{sign} {number}"))
    }

    /// Replaces the text of the number, if there is one.
    #[must_use]
    pub fn with_number(self, number: impl Into<String>) -> Self {
        Self { limit: self.limit.map(|(sign, _)| (sign, number.into())), ..self }
    }
}

impl fmt::Display for ConditionParts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.limit {
            Some((sign, number)) => write!(f, "{} {sign} {number}", self.measure),
            None => f.write_str(self.measure),
        }
    }
}

/// The condition in a few words: `price > 20`, `24h < −8%`, `minted every 1%`.
pub fn condition(rule: &Rule) -> ConditionParts<'_> {
    let limit = match &rule.condition {
        Condition::Limit(comparison, limit) => Some((sign(*comparison), number(rule, limit))),
        Condition::Every(step) => Some(("every", number(rule, step))),
        Condition::Transfer => None,
    };
    ConditionParts { measure: measure_name(&rule.measure), limit }
}

/// The condition like [`condition`], with large round limits in their short form: `holders ≥ 50k`. Percentages have
/// none.
pub fn short_condition(rule: &Rule) -> ConditionParts<'_> {
    let long = condition(rule);
    let short = match &rule.condition {
        Condition::Limit(_, limit) if !rule.measure.is_percent() => short_number(limit),
        _ => None,
    };
    match short {
        Some(short) => long.with_number(short),
        None => long,
    }
}

/// The short form of a large round number: `50k`.
fn short_number(number: &Decimal) -> Option<String> {
    SUFFIXES.into_iter().find_map(|(thousands, suffix)| {
        let unit = (0..thousands).fold(Decimal::from(1), |unit, _| &unit * &Decimal::from(1_000));
        let part = number.divided_by(&unit).filter(|part| part.to_f64() >= 1.0 && part * &unit == *number)?;
        let digits = part.to_string();
        (digits.len() <= MAX_SHORT).then(|| format!("{digits}{suffix}"))
    })
}

/// The condition in a list: like [`short_condition`], but a price has the form of the values beside it:
/// `price > 70,000`.
pub fn listed_condition(rule: &Rule) -> ConditionParts<'_> {
    let long = condition(rule);
    let Condition::Limit(_, limit) = &rule.condition else { return long };
    match listed_number(rule, limit) {
        Some(short) => long.with_number(short),
        None => long,
    }
}

/// The short form of a large round number of a rule in a list: `2T`. `None` for other numbers, percentages, and prices
/// that are listed like values.
pub fn listed_number(rule: &Rule, number: &Decimal) -> Option<String> {
    let is_like_value = rule.measure.unit() == Unit::Price && number.to_f64() < MIN_SHORT_PRICE;
    short_number(number).filter(|_| !is_like_value && !rule.measure.is_percent())
}

/// A short title: `ORDI > 20`, `SATS 24h < −8%`.
pub fn title(rule: &Rule) -> String {
    let condition = condition(rule);
    let limit = match rule.measure {
        // Without its name, as in rules.
        Measure::Price(_) | Measure::FeeRate => condition.limit_text(),
        _ => None,
    };
    format!("{} {}", subject(rule), limit.unwrap_or_else(|| condition.to_string()))
}

/// The condition like [`short_condition`], without the limit if that is a private amount: `ordi > •••`.
pub fn condition_without_amounts(rule: &Rule) -> ConditionParts<'_> {
    let short = short_condition(rule);
    if rule.is_about_amount() { short.with_number(HIDDEN) } else { short }
}

/// The title like [`title`], without the limit if that is a private amount.
pub fn title_without_amounts(rule: &Rule) -> String {
    if rule.is_about_amount() { format!("{} {}", subject(rule), condition_without_amounts(rule)) } else { title(rule) }
}

/// The event of a value that fired an alert, in one sentence.
pub fn fired(rule: &Rule, fired: &Fired) -> String {
    match (fired, &rule.condition) {
        (Fired::Limit(value), Condition::Limit(comparison, limit)) => {
            format!("{} (limit {} {})", value_sentence(rule, *value), sign(*comparison), number(rule, limit))
        }
        (Fired::Step { value, passed }, Condition::Every(_)) => {
            format!("{} (passed {})", value_sentence(rule, *value), number(rule, passed))
        }
        (Fired::Limit(value) | Fired::Step { value, .. }, _) => value_sentence(rule, *value),
    }
}

/// The amount that an address received or sent, in one sentence.
pub fn moved(rule: &Rule, moves: &[Move]) -> String {
    let verb = if rule.measure == Measure::Receives { "received" } else { "sent" };
    let mut text = format!("{} {verb}", subject(rule));
    for (index, Move { ticker, amount }) in moves.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let _ = write!(text, "{comma} {} {}", Exact(*amount), ticker_name(ticker));
    }
    text
}

/// The sentence without the amounts of an address or the value of the wallet: `bc1q… has ••• ORDI`. `None` for other
/// rules.
pub fn without_amounts(rule: &Rule) -> Option<String> {
    // No wildcard, so that the compiler reports a new measure of addresses or of the wallet.
    let hidden = match &rule.measure {
        Measure::Balance(ticker) => format!("has {HIDDEN} {}", ticker_name(ticker)),
        Measure::Receives => format!("received {HIDDEN}"),
        Measure::Sends => format!("sent {HIDDEN}"),
        Measure::Value(_) => format!("value is {HIDDEN}"),
        Measure::Price(_)
        | Measure::Change1h
        | Measure::Change24h
        | Measure::Change7d
        | Measure::Volume(_)
        | Measure::MarketCap(_)
        | Measure::Rank
        | Measure::Holders
        | Measure::Minted
        | Measure::FeeRate => return None,
    };
    Some(format!("{} {hidden}", subject(rule)))
}

/// A value with its subject: `ORDI is 17.24 USD`.
pub fn value_sentence(rule: &Rule, value: Value) -> String {
    let (subject, value_text) = (subject(rule), self::value(rule, value));
    match &rule.measure {
        Measure::Price(currency) => format!("{subject} is {value_text} {currency}"),
        Measure::Change24h if rule.target == Target::Wallet => format!("Wallet value changed {value_text} in 24h"),
        Measure::Change1h | Measure::Change24h | Measure::Change7d => {
            format!("{subject} price changed {value_text} in {}", rule.measure.as_str())
        }
        Measure::Volume(currency) => format!("{subject} volume is {value_text} {currency}"),
        Measure::MarketCap(currency) => format!("{subject} market cap is {value_text} {currency}"),
        Measure::Value(currency) => format!("{subject} value is {value_text} {currency}"),
        Measure::Rank => format!("{subject} rank is {value_text}"),
        Measure::Holders => format!("{subject} has {value_text} holders"),
        Measure::Minted => format!("{subject} is {value_text} minted"),
        Measure::Balance(ticker) => format!("{subject} has {value_text} {}", ticker_name(ticker)),
        Measure::FeeRate => format!("Fee rate is {value_text} sat/vB"),
        Measure::Receives | Measure::Sends => subject,
    }
}

/// A value as shown: in few digits, or as many as distinguish it from the limit.
pub fn value(rule: &Rule, value: Value) -> String {
    let float = value.to_f64();
    let exact = |number: &Decimal| crate::format::with_separators(&number.to_string());
    let short = |number: f64| match rule.measure.unit() {
        Unit::Price => {
            let format = rule.measure.currency().map(PriceFormat::of).unwrap_or_default();
            format.price(Some(number)).to_string()
        }
        Unit::Change => Signed(Some(number)).to_string(),
        // Rounded down: almost minted is not minted.
        Unit::Share => format!("{:.1}%", (number * 10.0).floor() / 10.0),
        Unit::Money => Money(Some(number)).to_string(),
        Unit::Count(_) => Count(number.max(0.0) as u64).to_string(),
        // Esplora's rates have more decimals.
        Unit::FeeRate => exact(&Decimal::from_f64(number).unwrap_or_default().rounded(FEE_DECIMALS)),
        Unit::Amount | Unit::None => exact(&Decimal::from_f64(number).unwrap_or_default()),
    };
    if let Value::Amount(amount) = value {
        return Exact(amount).to_string();
    }
    let text = short(float);
    match &rule.condition {
        Condition::Limit(_, limit) if limit.to_f64() != float && short(limit.to_f64()) == text => {
            let plus = if rule.measure.unit() == Unit::Change && float > 0.0 { "+" } else { "" };
            format!("{plus}{}", with_enough_decimals(rule, &value.to_decimal(), limit))
        }
        _ => text,
    }
}

/// Formats a value that differs from the limit with enough decimals to show on which side it is, and with at least as
/// many as the limit.
fn with_enough_decimals(rule: &Rule, value: &Decimal, limit: &Decimal) -> String {
    let least = limit.decimals().max(2);
    let is_on_same_side = |rounded: &Decimal| rounded.cmp(limit) == value.cmp(limit);
    let mut rounded = (least..least.saturating_add(18)).map(|places| value.rounded(places));
    let shown = rounded.find(|rounded| is_on_same_side(rounded) && rounded.is_zero() == value.is_zero());
    number(rule, shown.as_ref().unwrap_or(value))
}

/// A value with its unit: `$16.63`, `16.63 CHF`, `−8.4%`, `50,012 holders`, `2.9 sat/vB`.
pub fn value_with_unit(rule: &Rule, value: Value) -> String {
    with_unit(rule, self::value(rule, value))
}

/// A re-arm value like [`value`], but a whole price has no decimals, like a limit: `69,650`.
pub fn rearm_value(rule: &Rule, rearm: &Decimal) -> String {
    let float = rearm.to_f64();
    let is_whole_price = rule.measure.unit() == Unit::Price && rearm.decimals() == 0 && float < MIN_SHORT_PRICE;
    if is_whole_price { number(rule, rearm) } else { value(rule, Value::Number(float)) }
}

fn with_unit(rule: &Rule, number: String) -> String {
    if let Measure::Balance(ticker) = &rule.measure {
        return format!("{number} {}", ticker_name(ticker));
    }
    match (rule.measure.unit(), rule.measure.currency()) {
        (Unit::Price | Unit::Money, Some(currency)) => match currency.sign() {
            Some(sign) => with_currency(sign, &number),
            None => format!("{number} {currency}"),
        },
        (Unit::Count(things), _) if !things.is_empty() => format!("{number} {things}"),
        (Unit::FeeRate, _) => format!("{number} sat/vB"),
        _ => number,
    }
}

/// The note about a rule that is already true: `already true · must first fall to $19.80 or below`. `None`
/// for other rules, and if the value is unknown.
pub fn already_true(rule: &Rule, state: &AlertState) -> Option<String> {
    let Condition::Limit(comparison, _) = &rule.condition else { return None };
    let rearm = state.rearm_of(rule).filter(|_| state.armed == Some(false) && state.checked_at.is_some())?;
    let (verb, side) = if comparison.is_upward() { ("fall", "below") } else { ("rise", "above") };
    let level = with_unit(rule, rearm_value(rule, rearm));
    Some(format!("already true · must first {verb} to {level} or {side}"))
}

/// The text of [`already_true`] without private amounts.
pub fn already_true_without_amounts(rule: &Rule, state: &AlertState) -> Option<String> {
    let note = already_true(rule, state)?;
    Some(if rule.is_about_amount() { String::from("already true") } else { note })
}

/// What an alert that can't fire waits for, since it was already true when it was added or has fired: `waits for ≤ 9.95`.
/// `None` for other alerts.
pub fn waits_for(rule: &Rule, state: &AlertState) -> Option<String> {
    Some(format!("waits for {}", rearm_limit(rule, state)?))
}

/// The limit that an alert waits for before it can fire again: `≤ 9.95`. `None` if it can fire.
pub fn rearm_limit(rule: &Rule, state: &AlertState) -> Option<String> {
    let Condition::Limit(comparison, _) = &rule.condition else { return None };
    let is_waiting = state.armed == Some(false) && state.checked_at.is_some();
    let rearm = state.rearm_of(rule).filter(|_| is_waiting)?;
    let side = sign(if comparison.is_upward() { Comparison::AtMost } else { Comparison::AtLeast });
    Some(format!("{side} {}", rearm_value(rule, rearm)))
}

/// Why an alert is not checked if its latest data is too old.
pub fn old_data(age: Duration) -> String {
    format!("latest data is {} old", Age(age))
}

/// A limit with all its digits, a minus sign and thousands separators. In a tiny price, the number of zeros after the
/// point is a subscript, as in the values beside it.
pub fn number(rule: &Rule, number: &Decimal) -> String {
    let digits = number.to_string();
    let percent = if rule.measure.is_percent() { "%" } else { "" };
    let text = match digits.strip_prefix('-') {
        Some(digits) => format!("{}{}{percent}", crate::format::MINUS, crate::format::with_separators(digits)),
        None => format!("{}{percent}", crate::format::with_separators(&digits)),
    };
    match rule.measure.unit() {
        Unit::Price | Unit::Money => with_subscript(&text),
        _ => text,
    }
}

/// The sign of a comparison.
pub fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Above => ">",
        Comparison::AtLeast => "≥",
        Comparison::Below => "<",
        Comparison::AtMost => "≤",
    }
}

/// How far a value is from the limit: in points for percentages, else in percent of the value. Positive until the limit
/// is crossed; `None` without a limit, or for a value of zero.
pub fn distance(rule: &Rule, value: Value) -> Option<f64> {
    let Condition::Limit(comparison, limit) = &rule.condition else { return None };
    let (limit, value) = (limit.to_f64(), value.to_f64());
    let ahead = if comparison.is_upward() { limit - value } else { value - limit };
    if rule.measure.is_percent() {
        Some(ahead)
    } else if value != 0.0 {
        Some(ahead / value.abs() * 100.0)
    } else {
        None
    }
}

/// A distance from the limit: `16.0% away`, `4,127% away`, `1.9 points away`, `at the limit`, `beyond the limit`.
pub fn distance_words(rule: &Rule, distance: f64) -> String {
    match (distance > 0.0, rule.measure.is_percent()) {
        (true, true) if distance < MIN_DISTANCE => String::from("under 0.1 points away"),
        (true, true) => format!("{distance:.1} points away"),
        (true, false) if distance > MAX_DISTANCE => format!("over {}% away", Count(MAX_DISTANCE as u64)),
        (true, false) if distance >= MIN_WHOLE_DISTANCE => format!("{}% away", Count(distance.round() as u64)),
        (true, false) if distance < MIN_DISTANCE => String::from("under 0.1% away"),
        (true, false) => format!("{distance:.1}% away"),
        (false, _) if distance == 0.0 => String::from("at the limit"),
        (false, _) => String::from("beyond the limit"),
    }
}

#[cfg(test)]
mod tests;
