//! Compact amounts of money and supplies.

use std::fmt;

use super::digits::fixed;
use super::price::{Price, signed};
use crate::model::Currency;

/// An amount of money in at most [`Money::WIDTH`] columns: `999`, `12.3k`, `176.7M`, `23.1B`, `1.21T`, `2,030T`; small
/// amounts have decimals: `8.41`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Money(pub Option<f64>);

impl Money {
    /// Maximum width, including a sign.
    pub const WIDTH: u16 = 7;
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        signed(f, self.0, |f, sum| {
            // Each bound is where the next smaller format would round up to a fourth digit before the point.
            if sum >= 9_999.5e12 {
                let exponent = if sum >= 9.5e99 { 0 } else { 1 };
                write!(f, "{sum:.exponent$e}")
            } else if sum >= 999.95e12 {
                // Market caps in sats.
                fixed(f, sum / 1e12, 0)?;
                f.write_str("T")
            } else if sum >= 99.995e12 {
                write!(f, "{:.1}T", sum / 1e12)
            } else if sum >= 999.95e9 {
                write!(f, "{:.2}T", sum / 1e12)
            } else if sum >= 999.95e6 {
                write!(f, "{:.1}B", sum / 1e9)
            } else if sum >= 999.95e3 {
                write!(f, "{:.1}M", sum / 1e6)
            } else if sum >= 999.5 {
                write!(f, "{:.1}k", sum / 1e3)
            } else if sum >= 99.995 || sum == 0.0 {
                write!(f, "{sum:.0}")
            } else if sum >= 0.005 {
                write!(f, "{sum:.2}")
            } else {
                f.write_str("<0.01")
            }
        })
    }
}

/// An amount of money in whole units: `12,197,480`. Below a thousand and from a trillion on, it is formatted like
/// [`Money`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FullMoney(pub Option<f64>);

impl fmt::Display for FullMoney {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(sum) if (999.5..999.95e9).contains(&sum.abs()) => signed(f, self.0, |f, sum| fixed(f, sum, 0)),
            _ => Money(self.0).fmt(f),
        }
    }
}

/// An amount of money in a currency: like [`FullMoney`], and in a coin like a price, since small sums count there:
/// `0.0004499`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoneyIn<'a>(pub &'a Currency, pub f64);

impl fmt::Display for MoneyIn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MoneyIn(currency, sum) = *self;
        if currency.is_coin() { Price(Some(sum)).fmt(f) } else { FullMoney(Some(sum)).fmt(f) }
    }
}

/// A price in a currency, like [`Price`]; whole from a thousand on if it is in sats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriceIn<'a>(pub &'a Currency, pub Option<f64>);

impl fmt::Display for PriceIn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PriceFormat::of(self.0).price(self.1).fmt(f)
    }
}

/// How prices in a currency are formatted: like [`PriceIn`], for what needs no currency otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PriceFormat {
    in_sats: bool,
}

impl PriceFormat {
    /// The format of prices in a currency; by default, that of dollars.
    pub fn of(currency: &Currency) -> PriceFormat {
        PriceFormat { in_sats: currency.is_sats() }
    }

    /// A price in this format.
    pub fn price(self, price: Option<f64>) -> FormattedPrice {
        FormattedPrice(self, price)
    }
}

/// See [`PriceFormat::price`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormattedPrice(PriceFormat, Option<f64>);

impl fmt::Display for FormattedPrice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FormattedPrice(PriceFormat { in_sats }, price) = *self;
        let is_whole = |price: f64| in_sats && (999.5..999_999.995).contains(&price.abs());
        match price.filter(|price| is_whole(*price)) {
            Some(_) => signed(f, price, |f, price| fixed(f, price, 0)),
            None => Price(price).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_sums_of_a_coin_have_digits() {
        let [dollar, bitcoin] = ["USD", "BTC"].map(|code| Currency::parse(code).unwrap());
        let shown = |currency, sum| MoneyIn(currency, sum).to_string();
        assert_eq!((shown(&dollar, 1_234.6).as_str(), shown(&dollar, 0.0004).as_str()), ("1,235", "<0.01"));
        assert_eq!((shown(&bitcoin, 3.478).as_str(), shown(&bitcoin, -0.0004499).as_str()), ("3.48", "−0.0004499"));
    }

    #[test]
    fn sats_are_whole() {
        let [dollar, sats] = ["USD", "SAT"].map(|code| Currency::parse(code).unwrap());
        let shown = |currency, price| PriceIn(currency, Some(price)).to_string();
        assert_eq!((shown(&dollar, 20_345.6).as_str(), shown(&sats, 20_345.6).as_str()), ("20,345.60", "20,346"));
        assert_eq!((shown(&sats, 8.41).as_str(), shown(&sats, -123_456_789.4).as_str()), ("8.41", "−123,456,789"));
        assert_eq!(MoneyIn(&sats, 20_345.6).to_string(), "20,346");
        assert_eq!(PriceIn(&sats, None).to_string(), "—");
    }

    #[test]
    fn full_money_has_separators() {
        for (sum, shown) in [
            (8.41, "8.41"),
            (999.4, "999"),
            (999.6, "1,000"),
            (12_197_480.4, "12,197,480"),
            (-1_234.0, "−1,234"),
            (999_949_999_999.0, "999,949,999,999"),
            (1.21e12, "1.21T"),
            (f64::NAN, "—"),
        ] {
            assert_eq!(FullMoney(Some(sum)).to_string(), shown, "{sum}");
        }
        assert_eq!(FullMoney(None).to_string(), "—");
    }

    #[test]
    fn money_has_a_unit_suffix() {
        for (sum, shown) in [
            (0.0, "0"),
            (0.001, "<0.01"),
            (8.41, "8.41"),
            (99.996, "100"),
            (999.0, "999"),
            (999.6, "1.0k"),
            (12_345.0, "12.3k"),
            (999_960.0, "1.0M"),
            (176_700_000.0, "176.7M"),
            (23.1e9, "23.1B"),
            (1.21e12, "1.21T"),
            (999.96e12, "1,000T"),
            (-2.0304e15, "−2,030T"),
            (9_999.6e12, "1.0e16"),
            (-176.7e6, "−176.7M"),
            (1.23e18, "1.2e18"),
            (1e300, "1e300"),
            (f64::NAN, "—"),
        ] {
            assert_eq!(Money(Some(sum)).to_string(), shown, "{sum:e}");
        }
        assert_eq!(Money(None).to_string(), "—");
    }

    proptest! {
        #[test]
        fn money_fits_into_its_width(sum: f64, exponent in -3..18_i32, digits in 1.0..10.0_f64) {
            for sum in [sum, -digits * 10_f64.powi(exponent)] {
                let shown = Money(Some(sum)).to_string();
                prop_assert!(shown.chars().count() <= usize::from(Money::WIDTH), "{sum:e} {shown}");
            }
        }
    }
}
