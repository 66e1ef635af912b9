//! Reads amounts of money.

use super::quote::{Quote, choose, code, of_map, stated_currency};
use super::unit::AmountUnit;
use crate::client::decode::read::{Context, contains_scale};
use crate::client::decode::tape::Value;
use crate::model::Currency;

/// Field names that scale the amount next to them, such as `{"amount": 841, "exponent": 2}`.
const SCALES: &[&str] = &["scale", "precision", "exponent", "decimals", "minor_units", "multiplier"];

/// Reads an amount of money and its currency, if the value itself states it: a number (`8.41`, `"8.41 EUR"`), a map of
/// numbers by currency (CoinGecko), an object with a price (Coinranking) or with an amount and its currency, or a list
/// of such objects. `known` is the currency of the object around the value.
pub(super) fn amount(
    context: &mut Context<'_>,
    value: Value<'_>,
    known: Option<&Currency>,
    requested: &Currency,
) -> Option<(f64, Option<Currency>)> {
    if value.items().next().is_some_and(|first| first.is_object()) {
        let (chosen, currency) = choose(context, value, requested)?;
        let (sum, own) = amount(context, chosen, currency.as_ref().or(known), requested)?;
        return Some((sum, own.or(currency)));
    }
    if !value.is_object() {
        return number(context, value, known, requested);
    }
    if let Some(inner) = value.get("price") {
        let own = stated_currency(value);
        let (number, mark) = number(context, inner, own.as_ref().or(known), requested)?;
        return Some((number, mark.or(own)));
    }
    if let Some((sum, currency)) = by_currency(value, requested) {
        return Some((context.f64(Some(sum))?, currency));
    }
    if let (Some(inner), Some(own), None) = (value.any(&["amount", "value"]), stated_currency(value), value.any(SCALES))
    {
        let (number, _) = number(context, inner, Some(&own), requested)?;
        let unit = value.get("unit").and_then(AmountUnit::parse);
        let has_scale = inner.str().is_some_and(|words| contains_scale(&words));
        let unit = unit.map(|unit| if has_scale { unit.unscaled() } else { unit });
        let amount = unit.as_ref().map_or(Some(number), |unit| unit.money(number, &own));
        if amount.is_none() {
            context.unreadable(value, "an amount in a known unit");
        }
        return Some((amount?, Some(own)));
    }
    // A number under another key may be anything.
    if !is_unknown(value) {
        context.unreadable(value, "a number, or one for each currency");
    }
    None
}

/// Reads an amount of money that must be in this currency.
pub(in crate::client::decode) fn in_currency(
    context: &mut Context<'_>,
    value: Value<'_>,
    currency: &Currency,
) -> Option<f64> {
    number(context, value, Some(currency), currency).map(|(number, _)| number)
}

/// Reads a change in percent, or one from a map by currency (CoinGecko), and its currency.
pub(in crate::client::decode) fn change(
    context: &mut Context<'_>,
    value: Value<'_>,
    requested: &Currency,
) -> Option<(f64, Option<Currency>)> {
    if !value.is_object() {
        return Some((context.percent(Some(value))?, None));
    }
    let Some((change, currency)) = by_currency(value, requested) else {
        if !is_unknown(value) {
            context.unreadable(value, "a number, or one for each currency");
        }
        return None;
    };
    Some((context.percent(Some(change))?, currency))
}

/// Whether a value is a map of numbers by currency.
pub(in crate::client::decode) fn is_by_currency(value: Value<'_>) -> bool {
    value.is_object() && by_currency(value, &Currency::usd()).is_some()
}

/// Whether a value is a map by currency without a value in this currency, such as `{"btc": 0.0001, "usd": null}`.
pub(in crate::client::decode) fn is_null_in(value: Value<'_>, currency: &Currency) -> bool {
    value.fields().any(|(key, sum)| sum.is_null() && code(key.raw()).is_some_and(|code| code == *currency))
}

/// Whether an object has no value at all, such as `{"usd": null}`.
fn is_unknown(value: Value<'_>) -> bool {
    value.fields().all(|(_, figure)| figure.is_null())
}

fn by_currency<'a>(value: Value<'a>, requested: &Currency) -> Option<Quote<'a>> {
    // A numeric key may be a period.
    let is_code = |key: Value<'_>| key.raw().bytes().any(|b| b.is_ascii_alphabetic());
    of_map(|| value.fields().filter(|(key, sum)| is_code(*key) && sum.number().is_some()), requested)
}

fn number(
    context: &mut Context<'_>,
    value: Value<'_>,
    known: Option<&Currency>,
    requested: &Currency,
) -> Option<(f64, Option<Currency>)> {
    let (number, mark) = context.money(Some(value))?;
    let Some(mark) = mark else { return Some((number, None)) };
    let currency = mark.currency(known, requested);
    if currency.is_none() {
        context.unreadable(value, "an amount in a known currency");
    }
    Some((number, Some(currency?)))
}
