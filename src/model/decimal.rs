//! Exact decimal numbers for money: prices, costs, values and profits.
//!
//! Sums, differences and products are exact. Only divisions are rounded: half to even, at 18 decimals.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Neg, Sub};
use std::str::FromStr;

use bigdecimal::num_bigint::BigInt;
use bigdecimal::{BigDecimal, RoundingMode, Signed as _, ToPrimitive as _, Zero as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::amount::Amount;

/// Decimals of a quotient.
const DECIMALS: u32 = 18;

/// Maximum length of a number from a user or file, in characters.
const MAX_LENGTH: usize = 60;

/// An exact decimal number.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal(BigDecimal);

/// The text is not a plain decimal number: an optional `-`, digits with at most one point between them, at most 60
/// characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a plain decimal number")]
pub struct NotDecimal;

impl Decimal {
    /// The shortest decimal that reads as this float; `None` if it is not finite.
    ///
    /// ```
    /// # use satscope::model::Decimal;
    /// assert_eq!(Decimal::from_f64(0.1).map(|price| price.to_string()), Some(String::from("0.1")));
    /// ```
    pub fn from_f64(number: f64) -> Option<Decimal> {
        // `Display` prints the shortest digits that read as the same float, without an exponent.
        number.is_finite().then(|| number.to_string().parse::<BigDecimal>().ok().map(Decimal)).flatten()
    }

    /// The number with exactly the digits of a JSON number; `None` if it has too many or its exponent is beyond 30.
    ///
    /// ```
    /// # use satscope::model::Decimal;
    /// assert_eq!(Decimal::from_json_digits("2.40e-05").map(|rate| rate.to_string()), Some(String::from("0.000024")));
    /// ```
    pub fn from_json_digits(digits: &str) -> Option<Decimal> {
        let (mantissa, exponent) = digits.split_once(['e', 'E']).unwrap_or((digits, "0"));
        let exponent: i64 = exponent.parse().ok().filter(|exponent| (-30..=30).contains(exponent))?;
        let Decimal(mantissa) = mantissa.parse().ok()?;
        let (digits, scale) = mantissa.into_bigint_and_exponent();
        Some(Decimal(BigDecimal::new(digits, scale - exponent)))
    }

    /// The quotient, rounded half to even at 18 decimals; `None` if the divisor is zero.
    pub fn divided_by(&self, divisor: &Decimal) -> Option<Decimal> {
        let (above, below) = self.as_fraction(divisor, DECIMALS)?;
        Some(Decimal(BigDecimal::new(divide_half_even(&above, &below), i64::from(DECIMALS))))
    }

    /// The multiples of `step` next to this number, in steps: the last one that is not above it, and the first one that
    /// is not below it. Both are equal if it is a multiple. `None` if the step is zero, or if they are beyond the range
    /// of `i64`.
    ///
    /// ```
    /// # use satscope::model::Decimal;
    /// let (step, around) = (Decimal::from(1_000), |text: &str| text.parse::<Decimal>().unwrap_or_default());
    /// assert_eq!(around("1999.9999999999999999").multiples_around(&step), Some((1, 2)));
    /// assert_eq!(around("2000").multiples_around(&step), Some((2, 2)));
    /// ```
    pub fn multiples_around(&self, step: &Decimal) -> Option<(i64, i64)> {
        let (above, below) = self.as_fraction(step, 0)?;
        let (quotient, rest) = ((&above / &below).to_i64()?, &above % &below);
        if rest.is_zero() {
            Some((quotient, quotient))
        } else if rest.is_negative() == below.is_negative() {
            Some((quotient, quotient.checked_add(1)?))
        } else {
            Some((quotient.checked_sub(1)?, quotient))
        }
    }

    /// The product with an integer.
    #[must_use]
    pub fn times(&self, factor: i64) -> Decimal {
        let factor = BigDecimal::from(factor);
        Decimal(&self.0 * &factor)
    }

    /// The largest amount that is not above this number; `None` if the number is negative, or above every amount.
    pub fn floor_amount(&self) -> Option<Amount> {
        let (above, below) = self.as_fraction(&Decimal::from(1), DECIMALS)?;
        let atoms = (above / below).to_u128().filter(|_| !self.is_negative())?;
        Some(Amount::from_atoms(atoms))
    }

    /// The quotient, multiplied by a power of ten, as a fraction of integers; `None` if the divisor is zero.
    fn as_fraction(&self, divisor: &Decimal, power: u32) -> Option<(BigInt, BigInt)> {
        if divisor.0.is_zero() {
            return None;
        }
        let ((above, above_scale), (below, below_scale)) =
            (self.0.as_bigint_and_exponent(), divisor.0.as_bigint_and_exponent());
        // above / 10^above_scale / (below / 10^below_scale) * 10^power
        let shift = i64::from(power) + below_scale - above_scale;
        let factor = BigInt::from(10).pow(u32::try_from(shift.unsigned_abs()).ok()?);
        Some(if shift >= 0 { (above * factor, below) } else { (above, below * factor) })
    }

    /// The nearest number with at most this many decimals, half to even.
    ///
    /// ```
    /// # use satscope::model::Decimal;
    /// let number: Decimal = "2.665".parse().unwrap_or_default();
    /// assert_eq!(number.rounded(2).to_string(), "2.66");
    /// ```
    #[must_use]
    pub fn rounded(&self, decimals: u32) -> Decimal {
        Decimal(self.0.with_scale_round(i64::from(decimals), RoundingMode::HalfEven))
    }

    /// The number of decimals without trailing zeros.
    pub fn decimals(&self) -> u32 {
        let (_, scale) = self.0.normalized().into_bigint_and_exponent();
        u32::try_from(scale.max(0)).unwrap_or(u32::MAX)
    }

    /// Whether its text can be parsed again: it has at most 60 characters.
    pub fn is_readable(&self) -> bool {
        self.to_string().len() <= MAX_LENGTH
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    /// Whether it is below zero.
    pub fn is_negative(&self) -> bool {
        self.0.is_negative()
    }

    /// The nearest float, for charts and for formats with few digits.
    pub fn to_f64(&self) -> f64 {
        self.0.to_f64().unwrap_or(f64::NAN)
    }
}

/// The quotient of two integers, rounded half to even. The divisor is not zero.
fn divide_half_even(above: &BigInt, below: &BigInt) -> BigInt {
    let (quotient, rest) = (above / below, above % below);
    let doubled: BigInt = rest.abs() * 2;
    let is_odd = !(&quotient % 2_u8).is_zero();
    match doubled.cmp(&below.abs()) {
        std::cmp::Ordering::Less => quotient,
        std::cmp::Ordering::Equal if !is_odd => quotient,
        _ if above.is_negative() == below.is_negative() => quotient + 1,
        _ => quotient - 1,
    }
}

impl From<Amount> for Decimal {
    fn from(amount: Amount) -> Decimal {
        Decimal(BigDecimal::new(BigInt::from(amount.atoms()), i64::from(DECIMALS)))
    }
}

impl From<u32> for Decimal {
    fn from(number: u32) -> Decimal {
        Decimal(BigDecimal::from(number))
    }
}

impl FromStr for Decimal {
    type Err = NotDecimal;

    fn from_str(text: &str) -> Result<Decimal, NotDecimal> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let is_plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if text.len() > MAX_LENGTH || !is_plain(whole) || !is_plain(fraction) {
            return Err(NotDecimal);
        }
        text.parse().map(Decimal).map_err(|_| NotDecimal)
    }
}

impl fmt::Display for Decimal {
    /// All digits, without an exponent or trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.normalized().to_plain_string())
    }
}

/// Decimal text, since JSON numbers lose digits.
impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Only from decimal text.
impl<'de> Deserialize<'de> for Decimal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Decimal, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Add<&Decimal> for Decimal {
    type Output = Decimal;

    fn add(self, other: &Decimal) -> Decimal {
        Decimal(self.0 + &other.0)
    }
}

impl Sub<&Decimal> for Decimal {
    type Output = Decimal;

    fn sub(self, other: &Decimal) -> Decimal {
        Decimal(self.0 - &other.0)
    }
}

impl Mul for &Decimal {
    type Output = Decimal;

    fn mul(self, other: &Decimal) -> Decimal {
        Decimal(&self.0 * &other.0)
    }
}

impl Neg for Decimal {
    type Output = Decimal;

    fn neg(self) -> Decimal {
        Decimal(-self.0)
    }
}

impl Sum for Decimal {
    fn sum<I: Iterator<Item = Decimal>>(numbers: I) -> Decimal {
        numbers.fold(Decimal::default(), |sum, number| sum + &number)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn quotient_is_rounded_half_to_even_at_18_decimals() {
        for (above, below, quotient) in [
            ("1", "3", "0.333333333333333333"),
            ("2", "3", "0.666666666666666667"),
            ("-2", "3", "-0.666666666666666667"),
            ("0.000000000000000001", "2", "0"),
            ("0.000000000000000003", "2", "0.000000000000000002"),
            ("0.000000000000000005", "2", "0.000000000000000002"),
            ("-0.000000000000000003", "2", "-0.000000000000000002"),
            ("0.000000000000000003", "-2", "-0.000000000000000002"),
            ("0.0000000000000000025000000000000001", "1", "0.000000000000000003"),
            ("100", "4", "25"),
            ("1", "0.000000000000000000000000001", "1000000000000000000000000000"),
        ] {
            assert_eq!(decimal(above).divided_by(&decimal(below)), Some(decimal(quotient)), "{above} / {below}");
        }
        assert_eq!(decimal("1").divided_by(&decimal("0.0")), None);
    }

    #[test]
    fn sums_and_products_are_exact() {
        let (price, amount) = (Decimal::from_f64(7.34e-7).unwrap(), Amount::MAX);
        assert_eq!(price.to_string(), "0.000000734");
        let product = &Decimal::from(amount) * &price;
        assert_eq!(product.to_string(), "249767257319968.83218211696185491786720797");
        assert_eq!((decimal("0.1") + &decimal("0.2")).to_string(), "0.3");
        assert_eq!(
            (decimal("1") - &decimal("1.000000000000000000000000000001")).to_string(),
            "-0.000000000000000000000000000001"
        );
    }

    #[test]
    fn multiples_and_amounts_are_exact() {
        for (number, step, around) in [
            ("7", "2", Some((3, 4))),
            ("-7", "2", Some((-4, -3))),
            ("7", "-2", Some((-4, -3))),
            ("0", "2", Some((0, 0))),
            ("0.3", "0.1", Some((3, 3))),
            ("9007199254740993", "1", Some((9_007_199_254_740_993, 9_007_199_254_740_993))),
            ("1", "0", None),
            ("9223372036854775807.5", "1", None),
        ] {
            assert_eq!(decimal(number).multiples_around(&decimal(step)), around, "{number} / {step}");
        }
        assert_eq!(decimal("0.1").times(-3), decimal("-0.3"));
        assert_eq!(["1.50", "-0.001", "1200", "0.0"].map(|number| decimal(number).decimals()), [1, 3, 0, 0]);
        for (number, amount) in [
            ("1.0000000000000000019", Some("1.000000000000000001")),
            ("0", Some("0")),
            ("-0.0000000000000000001", None),
            ("340282366920938463463.3746074317682114559", Some("340282366920938463463.374607431768211455")),
            ("340282366920938463463.374607431768211456", None),
        ] {
            let floor = decimal(number).floor_amount().map(|floor| floor.to_string());
            assert_eq!(floor.as_deref(), amount, "{number}");
        }
    }

    #[test]
    fn text_is_plain() {
        for text in ["", "-", ".5", "5.", "1e9", "1,5", " 1", "+1", "1.2.3", "NaN", "٣", &"1".repeat(61)] {
            assert_eq!(text.parse::<Decimal>(), Err(NotDecimal), "{text}");
        }
        for (text, shown) in
            [("007.50", "7.5"), ("-0.0", "0"), ("100", "100"), ("1000000000000000000000", "1000000000000000000000")]
        {
            assert_eq!(decimal(text).to_string(), shown);
        }
        for (digits, shown) in [("1.0870", Some("1.087")), ("1.2E+3", Some("1200")), ("1e-31", None), ("null", None)] {
            let number = Decimal::from_json_digits(digits).map(|number| number.to_string());
            assert_eq!(number.as_deref(), shown, "{digits}");
        }
        assert_eq!(Decimal::from_f64(f64::NAN), None);
        assert_eq!(Decimal::from_f64(-1e21).unwrap().to_string(), "-1000000000000000000000");
    }

    #[test]
    fn readable_number_has_at_most_60_characters() {
        let longest = decimal(&"1".repeat(60));
        for (number, is_readable) in [(longest.times(10), false), (-longest.clone(), false), (longest, true)] {
            let read = number.to_string().parse::<Decimal>();
            assert_eq!((number.is_readable(), read.is_ok()), (is_readable, is_readable), "{number}");
        }
    }

    proptest! {
        #[test]
        fn shortest_decimal_reads_as_the_same_float(number in proptest::num::f64::NORMAL) {
            let decimal = Decimal::from_f64(number).unwrap();
            prop_assert_eq!(decimal.to_string().parse::<f64>().unwrap(), number);
        }

        #[test]
        fn quotient_is_within_half_a_unit(above in any::<i64>(), below in 1..i64::MAX) {
            let (above, below) = (decimal(&above.to_string()), decimal(&below.to_string()));
            let quotient = above.divided_by(&below).unwrap();
            let error = (&quotient * &below) - &above;
            let error = if error.is_negative() { -error } else { error };
            let half_unit = decimal("0.0000000000000000005");
            prop_assert!(error <= &half_unit * &below);
        }
    }
}
