//! A limit relative to the current price: `ordi +5%`.

use super::error::{Reason, RuleError};
use super::limit::Number;
use super::words::Word;
use crate::model::{Currency, Decimal};
use crate::portfolio::number::{self, NumberError};
use crate::user_data::alert::Comparison;

/// A price this many percent away, with four significant digits, as plain decimal text.
pub fn moved(price: f64, percent: f64) -> String {
    let price = price * (1.0 + percent / 100.0);
    let digits = price.log10().floor();
    if !digits.is_finite() {
        return price.to_string();
    }
    let decimals = (3.0 - digits).clamp(0.0, 20.0) as usize;
    let text = format!("{price:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// The percentage of a word with a sign: 5 for `+5%`, -10 for `-10%`. `None` for another word, or for zero.
pub(super) fn percentage(word: &str) -> Option<f64> {
    let number = word.strip_suffix('%')?;
    let (sign, digits) = match number.strip_prefix('+') {
        Some(digits) => (1.0, digits),
        None => (-1.0, number.strip_prefix(['-', '\u{2212}'])?),
    };
    let number = number::parse(digits).ok()?.to_f64();
    (number > 0.0).then_some(sign * number)
}

/// The condition of a relative limit: its comparison and the price.
///
/// # Errors
/// The price is unknown, or the limit is too large.
pub(super) fn condition(
    word: &Word<'_>,
    name: &str,
    price: Option<(f64, Currency)>,
) -> Result<(Word<'static>, Number), RuleError> {
    let at = word.at;
    let error = |reason| RuleError { at, reason };
    let (price, currency) = price.ok_or_else(|| error(Reason::NoPrice(name.to_owned())))?;
    let percent = percentage(word.text).unwrap_or_default();
    let value: Option<Decimal> = moved(price, percent).parse().ok();
    let value = value.ok_or_else(|| error(Reason::Number(NumberError::Invalid(word.text.to_owned()))))?;
    let comparison = if percent > 0.0 { Comparison::Above } else { Comparison::Below };
    let number = Number { at, value, is_percent: false, currency: Some(currency) };
    Ok((Word { at, text: comparison.as_str() }, number))
}
