//! Exact BRC-20 amounts: a `u128` in units of 10^-18.
//!
//! By the rules of BRC-20, an amount has at most 18 decimals and at most `u64::MAX` whole units (18446744073709551615):
//! 38 significant digits, too many for a float, but 1.84e37 < 2^128. Sums of amounts may be larger, so anything that
//! fits into 128 bits is accepted.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A BRC-20 amount, or a sum of several: at most [`Amount::MAX`], with at most 18 decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(u128);

/// Atoms in one whole unit.
const UNIT: u128 = Amount::UNIT.0;

/// Decimals of an amount.
const DECIMALS: usize = 18;

/// Why a string is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// The text is empty.
    #[error("the amount is empty")]
    Empty,
    /// BRC-20 has no negative amounts.
    #[error("the amount is negative")]
    Negative,
    /// Anything but digits with at most one point between them.
    #[error("the amount is not a plain decimal number")]
    NotDecimal,
    /// A digit other than 0 after the 18th decimal.
    #[error("the amount has more than 18 decimals")]
    TooFine,
    /// More than [`Amount::MAX`].
    #[error("the amount is larger than 2^128 / 10^18")]
    TooLarge,
}

impl Amount {
    /// Zero.
    pub const ZERO: Amount = Amount(0);

    /// One whole unit: 10^18 atoms.
    pub const UNIT: Amount = Amount(1_000_000_000_000_000_000);

    /// The largest amount, 340282366920938463463.374607431768211455 whole units. A single BRC-20 amount has at most
    /// 18446744073709551615; sums may have more.
    pub const MAX: Amount = Amount(u128::MAX);

    /// An amount from atoms (10^-18).
    pub const fn from_atoms(atoms: u128) -> Amount {
        Amount(atoms)
    }

    /// An amount from whole units.
    #[cfg(test)]
    pub(crate) const fn from_units(units: u64) -> Amount {
        Amount(units as u128 * UNIT)
    }

    /// The number of atoms (10^-18).
    pub const fn atoms(self) -> u128 {
        self.0
    }

    /// The number of digits after the point, without trailing zeros.
    pub fn decimals(self) -> u8 {
        let is_multiple = |decimals: &u8| self.0.is_multiple_of(UNIT / 10_u128.pow(u32::from(*decimals)));
        (0..DECIMALS as u8).find(is_multiple).unwrap_or(DECIMALS as u8)
    }

    /// The sum, or `None` if it overflows.
    pub const fn checked_add(self, other: Amount) -> Option<Amount> {
        match self.0.checked_add(other.0) {
            Some(sum) => Some(Amount(sum)),
            None => None,
        }
    }

    /// The difference, or `None` if it would be negative.
    pub const fn checked_sub(self, other: Amount) -> Option<Amount> {
        match self.0.checked_sub(other.0) {
            Some(difference) => Some(Amount(difference)),
            None => None,
        }
    }

    /// The ratio to `of`, for bars and percentages; `None` if `of` is zero. Accurate to about 15 digits, and 1 only if
    /// both are equal (a supply that is almost minted is not 100% minted).
    pub fn ratio(self, of: Amount) -> Option<f64> {
        if of.0 == 0 {
            return None;
        }
        let ratio = self.0 as f64 / of.0 as f64;
        Some(match self.0.cmp(&of.0) {
            std::cmp::Ordering::Less => ratio.min(1.0_f64.next_down()),
            std::cmp::Ordering::Equal => 1.0,
            std::cmp::Ordering::Greater => ratio.max(1.0_f64.next_up()),
        })
    }

    /// The nearest float in whole units, for calculations with prices; never use it to show an amount.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / UNIT as f64
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    /// Parses plain decimal text: digits, with at most one point with digits on both sides. Leading and trailing zeros
    /// (also beyond the 18th decimal) have no effect. BRC-20 has no signs, exponents, separators or spaces.
    fn from_str(text: &str) -> Result<Amount, AmountError> {
        if text.is_empty() {
            return Err(AmountError::Empty);
        }
        if text.starts_with('-') {
            return Err(AmountError::Negative);
        }
        let (whole, fraction) = match text.split_once('.') {
            Some((_, "")) => return Err(AmountError::NotDecimal),
            Some(parts) => parts,
            None => (text, ""),
        };
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || !digits(whole) || !digits(fraction) {
            return Err(AmountError::NotDecimal);
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > DECIMALS {
            return Err(AmountError::TooFine);
        }
        // Both contain only digits, and an empty string is 0, so the number can only be too large.
        let number = |digits: &str| match digits.trim_start_matches('0') {
            "" => Ok(0),
            digits => digits.parse::<u128>().map_err(|_| AmountError::TooLarge),
        };
        let (units, atoms) = (number(whole)?, number(&format!("{fraction:0<DECIMALS$}"))?);
        let sum = units.checked_mul(UNIT).and_then(|sum| sum.checked_add(atoms));
        sum.map(Amount).ok_or(AmountError::TooLarge)
    }
}

impl fmt::Display for Amount {
    /// Exact decimal text without trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (units, atoms) = (self.0 / UNIT, self.0 % UNIT);
        if atoms == 0 {
            return f.pad(&units.to_string());
        }
        let text = format!("{units}.{atoms:0DECIMALS$}");
        f.pad(text.trim_end_matches('0'))
    }
}

/// Decimal text in human-readable formats, the number of atoms in others.
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(self) } else { self.0.serialize(serializer) }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        if deserializer.is_human_readable() {
            String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
        } else {
            u128::deserialize(deserializer).map(Amount)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(text: &str) -> Result<String, AmountError> {
        text.parse::<Amount>().map(|amount| amount.to_string())
    }

    #[test]
    fn amount_prints_without_trailing_zeros() {
        for (text, expected) in [
            ("21000000.000000000000000000", "21000000"),
            ("2100000000000000.000000000000000000", "2100000000000000"),
            ("0.000000000000000001", "0.000000000000000001"),
            ("25.500000000000000000", "25.5"),
            ("18446744073709551615", "18446744073709551615"),
            ("18446744073709551615.999999999999999999", "18446744073709551615.999999999999999999"),
            ("36893488147419103230", "36893488147419103230"),
            ("340282366920938463463.374607431768211455", "340282366920938463463.374607431768211455"),
            ("100", "100"),
            ("007.70", "7.7"),
            ("0", "0"),
            ("0.0000000000000000000000", "0"),
            ("1.00000000000000000100000", "1.000000000000000001"),
        ] {
            assert_eq!(shown(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn invalid_amount_has_a_reason() {
        for (text, error) in [
            ("", AmountError::Empty),
            ("-1", AmountError::Negative),
            ("+1", AmountError::NotDecimal),
            ("1e3", AmountError::NotDecimal),
            ("1,000", AmountError::NotDecimal),
            (" 1", AmountError::NotDecimal),
            (".5", AmountError::NotDecimal),
            ("5.", AmountError::NotDecimal),
            ("1.2.3", AmountError::NotDecimal),
            ("٣", AmountError::NotDecimal),
            ("0.0000000000000000001", AmountError::TooFine),
            ("340282366920938463463.374607431768211456", AmountError::TooLarge),
            ("340282366920938463464", AmountError::TooLarge),
            ("99999999999999999999999999999999999999999999", AmountError::TooLarge),
        ] {
            assert_eq!(text.parse::<Amount>(), Err(error), "{text}");
        }
    }

    #[test]
    fn ratio_is_one_only_for_equal_amounts() {
        let supply = Amount::from_units(21_000_000);
        let almost = supply.checked_sub(Amount::from_atoms(1)).unwrap();
        assert!(almost.ratio(supply).unwrap() < 1.0);
        assert_eq!(supply.ratio(supply), Some(1.0));
        assert!(supply.ratio(almost).unwrap() > 1.0);
        assert_eq!(supply.ratio(Amount::ZERO), None);
        assert_eq!(Amount::ZERO.checked_sub(supply), None);
    }

    #[test]
    fn amount_serialises_as_text() {
        assert_eq!(serde_json::to_string(&Amount::MAX).unwrap(), "\"340282366920938463463.374607431768211455\"");
    }

    /// Adds two plain decimal strings digit by digit, as on paper.
    fn add_on_paper(a: &str, b: &str) -> String {
        let split = |text: &str| {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
            format!("{whole:0>40}{fraction:0<18}").into_bytes()
        };
        let mut carry = 0;
        let mut digits: Vec<u8> = split(a)
            .iter()
            .zip(split(b))
            .rev()
            .map(|(a, b)| {
                let sum = (a - b'0') + (b - b'0') + carry;
                carry = sum / 10;
                b'0' + sum % 10
            })
            .collect();
        digits.reverse();
        let text = String::from_utf8(digits).unwrap();
        let (whole, fraction) = text.split_at(40);
        let whole = whole.trim_start_matches('0');
        let whole = if whole.is_empty() { "0" } else { whole };
        format!("{whole}.{fraction}").trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    proptest! {
        #[test]
        fn amount_round_trips_through_text(atoms in 0..=Amount::MAX.atoms()) {
            let amount = Amount::from_atoms(atoms);
            prop_assert_eq!(amount.to_string().parse(), Ok(amount));
        }

        #[test]
        fn amount_keeps_all_digits(units: u64, fraction in "[0-9]{1,17}[1-9]") {
            let text = format!("{units}.{fraction}");
            prop_assert_eq!(shown(&text), Ok(text));
        }

        #[test]
        fn amounts_add_exactly(a in 0..=u128::MAX / 2, b in 0..=u128::MAX / 2) {
            let (a, b) = (Amount::from_atoms(a), Amount::from_atoms(b));
            let sum = a.checked_add(b).unwrap();
            prop_assert_eq!(sum.to_string(), add_on_paper(&a.to_string(), &b.to_string()));
            prop_assert_eq!(sum.checked_sub(b), Some(a));
        }

        #[test]
        fn larger_amount_has_a_larger_ratio(a in 0..=Amount::MAX.atoms(), b in 0..=Amount::MAX.atoms()) {
            let (a, b) = (Amount::from_atoms(a), Amount::from_atoms(b));
            if a < b {
                prop_assert!(a.ratio(b).unwrap() < 1.0);
                prop_assert!(a.to_f64() <= b.to_f64());
            }
        }

        #[test]
        fn parsing_any_text_does_not_panic(text in "\\PC{0,50}") {
            let _ = text.parse::<Amount>();
        }
    }
}
