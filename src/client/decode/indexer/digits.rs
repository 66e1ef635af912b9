//! Amounts as decimal text.

use std::borrow::Cow;

use crate::client::decode::tape::{Kind, Value};
use crate::model::text;

/// Maximum exponent, far beyond any amount, but small enough to expand.
const MAX_SHIFT: i32 = 80;

/// The decimal text of an amount without an exponent or thousands separators; `None` if it is empty.
pub(super) fn digits(value: Value<'_>) -> Option<String> {
    let words = match value.kind() {
        Kind::Null => return None,
        Kind::Number => value.raw().into(),
        _ => value.str().unwrap_or_default(),
    };
    let words = words.trim();
    if value.str().is_some() && (words.is_empty() || words == "-") {
        return None;
    }
    let words = without_groups(words);
    Some(without_exponent(&words).unwrap_or_else(|| words.into_owned()))
}

/// Removes commas that separate thousands: `1,234.5`, `21,000,000`. A single comma may be a decimal point.
fn without_groups(words: &str) -> Cow<'_, str> {
    let (whole, point) = words.split_at(words.find('.').unwrap_or(words.len()));
    match text::ungrouped(whole) {
        Cow::Owned(plain) if !plain.starts_with('0') && (!point.is_empty() || whole.matches(',').count() > 1) => {
            Cow::Owned(plain + point)
        }
        _ => Cow::Borrowed(words),
    }
}

/// Expands `2.1e7` to `21000000` exactly; `None` without an exponent.
fn without_exponent(words: &str) -> Option<String> {
    let (mantissa, exponent) = words.split_once(['e', 'E'])?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if exponent.abs() > MAX_SHIFT || mantissa.len() > MAX_SHIFT as usize {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let point = i32::try_from(whole.len()).ok()? + exponent;
    Some(match usize::try_from(point) {
        Err(_) | Ok(0) => format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize)),
        Ok(point) if point >= digits.len() => format!("{digits:0<point$}"),
        Ok(point) => {
            let (whole, fraction) = digits.split_at_checked(point)?;
            format!("{whole}.{fraction}")
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::Amount;

    #[test]
    fn exponents_are_expanded() {
        for (text, plain) in [
            ("2.1e7", "21000000"),
            ("21E+6", "21000000"),
            ("1.25e1", "12.5"),
            ("25e-1", "2.5"),
            ("1e-18", "0.000000000000000001"),
            ("1.5e-17", "0.000000000000000015"),
            ("0e-8", "0.00000000"),
        ] {
            assert_eq!(without_exponent(text).as_deref(), Some(plain), "{text}");
        }
        assert_eq!(without_exponent("1e80").map(|plain| plain.len()), Some(81));
        assert_eq!(without_exponent(&format!("{}e1", "1".repeat(80))), Some(format!("{}0", "1".repeat(80))));
        for text in ["1e999999999", "1e81", "1e-81", &format!("{}e1", "1".repeat(81)), "1e", "e5x", "5"] {
            assert_eq!(without_exponent(text), None, "{text}");
        }
    }

    #[test]
    fn thousands_separators_are_removed() {
        for (text, plain) in [
            ("21,000,000", "21000000"),
            ("1,234.5", "1234.5"),
            ("1,234,567.25", "1234567.25"),
            ("1,234", "1,234"),
            ("0,123.5", "0,123.5"),
            ("12,34.5", "12,34.5"),
            ("1.234,5", "1.234,5"),
            ("1,234.567,8", "1234.567,8"),
            ("", ""),
        ] {
            assert_eq!(without_groups(text), plain, "{text}");
        }
    }

    proptest! {
        #[test]
        fn exponents_keep_all_digits(units in 0_u64..1_000_000_000, shift in 0_usize..9) {
            let divided = format!("{units}e-{shift}");
            let plain: Amount = without_exponent(&divided).unwrap().parse().unwrap();
            prop_assert_eq!(plain.atoms() * 10_u128.pow(shift as u32), Amount::from_units(units).atoms());
        }

        #[test]
        fn any_text_is_accepted(text in "[0-9.eE+-]{0,12}|\\PC{0,20}") {
            let _ = without_exponent(&text);
        }
    }
}
