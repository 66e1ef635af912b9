//! Prices with a number of significant digits.

use std::fmt;

use super::digits::{ABSENT, MINUS, exponent, fixed};

/// A price, at most [`Price::WIDTH`] columns wide: `61,234.10`, `8.41`, `0.8412`, `0.001234`, `0.0₆734` (six zeros
/// after the point, then 734), `123,456,789`, `1.235B`. Prices around 1, as of stablecoins, have four decimals above
/// and below 1: `0.9998`, `1.0003`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price(pub Option<f64>);

impl Price {
    /// The greatest width, a sign included.
    pub const WIDTH: u16 = 12;
}

/// Prices from 1 to this have as many decimals as those below 1.
const MAX_NEAR_ONE: f64 = 1.1;

/// Minimum zeros after the point that a price shows as a subscript, and the significant digits of small prices without
/// one.
const MIN_SUBSCRIPT: usize = 4;

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        signed(f, self.0, |f, price| {
            if price >= 1e15 {
                write!(f, "{price:.3e}")
            } else if price >= 999_999_999.5 {
                scaled(f, price, 4)
            } else if price >= 999_999.995 {
                fixed(f, price, 0)
            } else if (0.99995..MAX_NEAR_ONE).contains(&price) {
                fixed(f, price, 4)
            } else if price == 0.0 || price >= MAX_NEAR_ONE {
                fixed(f, price, 2)
            } else {
                small(f, price, MIN_SUBSCRIPT, 3)
            }
        })
    }
}

/// A price with four significant digits, or three below 0.01, at most [`ShortPrice::WIDTH`] columns wide: `60.12k`,
/// `8.205`, `0.8412`, `0.00123`, `0.0₃474`, `0.0₆734`. With `#`, prices that [`Price`] shows without a subscript have
/// none, which takes one more column: `0.000474`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShortPrice(pub Option<f64>);

impl ShortPrice {
    /// The greatest width, a sign included.
    pub const WIDTH: u16 = 8;

    /// The price rounded down to the digits shown, so that no higher price is shown as a lower one.
    pub fn rounded_down(self) -> ShortPrice {
        self.rounded(|units| (units + ROUNDING_ERROR).floor())
    }

    /// The price rounded up to the digits shown, so that no lower price is shown as a higher one.
    pub fn rounded_up(self) -> ShortPrice {
        self.rounded(|units| (units - ROUNDING_ERROR).ceil())
    }

    /// The price in units of its last digit, rounded. A price that is no positive number stays as it is.
    fn rounded(self, round: impl Fn(f64) -> f64) -> ShortPrice {
        let rounded = self.0.filter(|price| price.is_finite() && *price > 0.0).map(|price| {
            let magnitude = price.log10().floor();
            let digits = match price {
                MIN_FOUR_DIGITS.. => 4.0,
                MIN_THREE_DIGITS.. => 3.0,
                _ => 2.0,
            };
            let unit = 10_f64.powf(digits - 1.0 - magnitude);
            round(price * unit) / unit
        });
        ShortPrice(rounded.filter(|price| price.is_finite()).or(self.0))
    }
}

/// Prices below this have three digits.
const MIN_FOUR_DIGITS: f64 = 0.01;

/// Prices below this have two digits, since their subscripts have two.
const MIN_THREE_DIGITS: f64 = 1e-10;

/// The part of the last digit by which a number with few digits may differ from its float.
const ROUNDING_ERROR: f64 = 1e-6;

impl fmt::Display for ShortPrice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        signed(f, self.0, |f, price| {
            if price >= 999.95e12 {
                write!(f, "{price:.1e}")
            } else if price >= 999.95 {
                scaled(f, price, 4)
            } else if price >= 0.99995 {
                significant(f, price, 4)
            } else if price == 0.0 {
                fixed(f, price, 2)
            } else if zeros(price, 4) < 2 {
                small(f, price, 4, 3)
            } else if f.alternate() && zeros(price, 3) < MIN_SUBSCRIPT {
                let decimals = zeros(price, 3) + 3;
                write!(f, "{price:.decimals$}")
            } else {
                small(f, price, 3, if zeros(price, 3) < 10 { 3 } else { 2 })
            }
        })
    }
}

/// Writes [`ABSENT`], or the sign and then the absolute value.
pub(super) fn signed(
    f: &mut fmt::Formatter<'_>,
    value: Option<f64>,
    write: impl FnOnce(&mut fmt::Formatter<'_>, f64) -> fmt::Result,
) -> fmt::Result {
    match value {
        Some(value) if value.is_finite() => {
            if value < 0.0 {
                f.write_str(MINUS)?;
            }
            write(f, value.abs())
        }
        _ => f.write_str(ABSENT),
    }
}

/// Writes a number of at least 1 with `digits` significant digits; without a decimal point if there are no decimals.
fn significant(f: &mut impl fmt::Write, value: f64, digits: usize) -> fmt::Result {
    let whole = usize::try_from(exponent(value, digits)).unwrap_or(0) + 1;
    fixed(f, value, digits.saturating_sub(whole))
}

/// Writes thousands, millions, billions or trillions with `digits` significant digits.
fn scaled(f: &mut impl fmt::Write, value: f64, digits: usize) -> fmt::Result {
    let (unit, suffix) = match exponent(value, digits) {
        ..3 => (1.0, ""),
        3..6 => (1e3, "k"),
        6..9 => (1e6, "M"),
        9..12 => (1e9, "B"),
        _ => (1e12, "T"),
    };
    significant(f, value / unit, digits)?;
    f.write_str(suffix)
}

/// Writes a positive number below 1 with `digits` significant digits if fewer zeros than that follow the point;
/// otherwise with the number of zeros as a subscript and `few` digits.
pub(super) fn small(f: &mut impl fmt::Write, value: f64, digits: usize, few: usize) -> fmt::Result {
    let zeros = zeros(value, digits);
    if zeros < digits {
        let decimals = zeros + digits;
        return write!(f, "{value:.decimals$}");
    }
    let zeros = self::zeros(value, few);
    if zeros > 99 {
        let decimals = few.saturating_sub(2);
        return write!(f, "{value:.decimals$e}");
    }
    subscripted(f, value, zeros, few)
}

/// Writes a number below 1 with the number of zeros after its point as a subscript, followed by `digits` digits.
pub(crate) fn subscripted(f: &mut impl fmt::Write, value: f64, zeros: usize, digits: usize) -> fmt::Result {
    let mantissa = value * 10_f64.powi(i32::try_from(zeros + digits).unwrap_or(0));
    f.write_str("0.0")?;
    subscript(f, zeros)?;
    write!(f, "{mantissa:0digits$.0}")
}

/// A plain decimal number with all its digits, and the number of zeros after its point as a subscript if [`Price`]
/// has one: `0.0₄1774`.
pub(crate) fn with_subscript(number: &str) -> String {
    let fraction = number.strip_prefix("0.").unwrap_or_default();
    let digits = fraction.trim_start_matches('0');
    let zeros = fraction.len() - digits.len();
    if zeros < MIN_SUBSCRIPT || digits.is_empty() {
        return number.to_owned();
    }
    let mut text = String::from("0.0");
    let _ = subscript(&mut text, zeros);
    text.push_str(digits);
    text
}

/// The number of zeros after the point of a number below 1, rounded to `digits` significant digits.
fn zeros(value: f64, digits: usize) -> usize {
    usize::try_from(-1 - exponent(value, digits)).unwrap_or(0)
}

fn subscript(f: &mut impl fmt::Write, number: usize) -> fmt::Result {
    if number >= 10 {
        subscript(f, number / 10)?;
    }
    let digit = u32::try_from(number % 10).unwrap_or(0);
    f.write_char(char::from_u32(u32::from('₀') + digit).unwrap_or('?'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prices_have_significant_digits() {
        for (price, shown) in [
            (61_234.1, "61,234.10"),
            (8.41, "8.41"),
            (1.0, "1.0000"),
            (1.000_34, "1.0003"),
            (1.0999, "1.0999"),
            (1.1, "1.10"),
            (0.999_96, "1.0000"),
            (0.999_94, "0.9999"),
            (0.8412, "0.8412"),
            (0.012_34, "0.01234"),
            (0.000_123_4, "0.0001234"),
            (0.000_000_734, "0.0₆734"),
            (0.000_009_999, "0.0₄100"),
            (1e-30, "0.0₂₉100"),
            (1e-300, "1.0e-300"),
            (0.0, "0.00"),
            (-8.41, "−8.41"),
            (999_999.994, "999,999.99"),
            (999_999.996, "1,000,000"),
            (123_456_789.0, "123,456,789"),
            (999_999_999.6, "1.000B"),
            (61.5e12, "61.50T"),
            (1e30, "1.000e30"),
            (f64::NAN, "—"),
            (f64::INFINITY, "—"),
        ] {
            assert_eq!(Price(Some(price)).to_string(), shown, "{price:e}");
        }
        assert_eq!(Price(None).to_string(), "—");
    }

    #[test]
    fn short_prices_have_four_significant_digits_or_three_below_a_hundredth() {
        for (price, shown) in [
            (60_123.0, "60.12k"),
            (999.94, "999.9"),
            (999.96, "1.000k"),
            (8.2, "8.200"),
            (95.14, "95.14"),
            (0.841, "0.8410"),
            (0.017_374, "0.01737"),
            (0.009_999_6, "0.01000"),
            (0.009_999_4, "0.0100"),
            (0.001_234, "0.00123"),
            (0.000_169_4, "0.0₃169"),
            (0.000_000_734, "0.0₆734"),
            (1e-30, "0.0₂₉10"),
            (999_999.0, "1.000M"),
            (9.9999e14, "1.0e15"),
            (0.0, "0.00"),
        ] {
            assert_eq!(ShortPrice(Some(price)).to_string(), shown, "{price:e}");
        }
    }

    #[test]
    fn alternate_short_prices_have_a_subscript_where_prices_have_one() {
        for price in [0.009_999, 0.000_999_9, 0.000_474_3, 0.000_1, 0.000_099_99, 0.000_012_3, 0.01, 1.0, 0.0] {
            let [long, short] = [Price(Some(price)).to_string(), format!("{:#}", ShortPrice(Some(price)))];
            assert_eq!(long.contains('₄'), short.contains('₄'), "{long} {short}");
            assert!(!short.contains('₃') && short.chars().count() <= 8, "{short}");
        }
        assert_eq!(format!("{:#}", ShortPrice(Some(0.000_474_3))), "0.000474");
    }

    #[test]
    fn short_prices_round_down_and_up() {
        for (price, down, up) in [
            (60_123.0, "60.12k", "60.13k"),
            (8.2, "8.200", "8.200"),
            (13.263, "13.26", "13.27"),
            (0.017_374, "0.01737", "0.01738"),
            (999.96, "999.9", "1.000k"),
            (0.999_96, "0.9999", "1.000"),
            (0.000_000_734_1, "0.0₆734", "0.0₆735"),
            (0.0, "0.00", "0.00"),
            (f64::NAN, "—", "—"),
        ] {
            let price = ShortPrice(Some(price));
            assert_eq!(
                (price.rounded_down().to_string().as_str(), price.rounded_up().to_string().as_str()),
                (down, up)
            );
        }
    }

    #[test]
    fn exact_number_keeps_its_digits_after_a_subscript() {
        for (number, shown) in [
            ("0.00001774", "0.0₄1774"),
            ("0.000000000000123456789", "0.0₁₂123456789"),
            ("0.0001774", "0.0001774"),
            ("1.00001774", "1.00001774"),
            ("0.00000", "0.00000"),
            ("1,000", "1,000"),
            ("0", "0"),
        ] {
            assert_eq!(with_subscript(number), shown);
        }
    }

    proptest! {
        #[test]
        fn prices_fit_into_their_width(price: f64) {
            let (long, short) = (Price(Some(price)).to_string(), ShortPrice(Some(price)).to_string());
            prop_assert!(long.chars().count() <= usize::from(Price::WIDTH), "{price:e} {long}");
            prop_assert!(short.chars().count() <= usize::from(ShortPrice::WIDTH), "{price:e} {short}");
        }

        #[test]
        fn ordinary_prices_fit_into_their_width(exponent in -40..20_i32, digits in 1.0..10.0_f64) {
            let price = -digits * 10_f64.powi(exponent);
            let (long, short) = (Price(Some(price)).to_string(), ShortPrice(Some(price)).to_string());
            prop_assert!(long.chars().count() <= usize::from(Price::WIDTH), "{price:e} {long}");
            prop_assert!(short.chars().count() <= usize::from(ShortPrice::WIDTH), "{price:e} {short}");
        }
    }
}
