//! A limit relative to the current price: `ordi +5%`.

use super::error::{Reason, RuleError};
use super::limit::Number;
use super::words::Word;
use crate::model::{Currency, Decimal};
use crate::portfolio::number::{self, NumberError};
use crate::user_data::alert::Comparison;

/// A price this many percent away, as plain decimal text with at least four significant digits, and two of the
/// difference: a rounded price must not be on the other side of the current one.
pub fn moved(price: f64, percent: f64) -> String {
    let difference = (price * percent / 100.0).abs();
    let price = price * (1.0 + percent / 100.0);
    let digits = price.log10().floor();
    if !digits.is_finite() {
        return price.to_string();
    }
    let decimals = (3.0 - digits).max(1.0 - difference.log10().floor()).clamp(0.0, 20.0) as usize;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_difference_is_not_lost_in_the_rounded_price() {
        for (price, percent, moved_price) in [
            (16.05, 5.0, "16.85"),
            (61_234.1, 5.0, "64296"),
            (61_234.1, 0.01, "61240.2"),
            (1.0003, 0.01, "1.0004"),
            (1.0003, -0.01, "1.0002"),
            (0.000_007_34, 5.0, "0.000007707"),
        ] {
            assert_eq!(moved(price, percent), moved_price, "{price} {percent}");
        }
    }
}
