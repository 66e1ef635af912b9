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

/// An amount of money in whole units: `12,197,480`. Below a thousand and from a trillion up, it is formatted like
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

/// An amount of money in a currency: like [`FullMoney`]; in a valuable currency like [`ValueIn`], and in another coin
/// like a price, since small sums count there: `0.0004499`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoneyIn<'a>(pub &'a Currency, pub f64);

impl MoneyIn<'_> {
    /// The decimals of most amounts in a currency, for a column of them.
    pub fn decimals(currency: &Currency) -> u16 {
        if currency.is_valuable() { ValueIn::decimals(currency) } else { 0 }
    }
}

impl fmt::Display for MoneyIn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MoneyIn(currency, sum) = *self;
        match currency {
            _ if currency.is_valuable() => ValueIn(currency, Some(sum)).fmt(f),
            _ if currency.is_coin() => Price(Some(sum)).fmt(f),
            _ => FullMoney(Some(sum)).fmt(f),
        }
    }
}

/// Puts the sign or code of a currency before a formatted amount: `$8.41`; `<$0.01` for `<0.01`.
pub fn with_currency(sign: &str, amount: &str) -> String {
    match amount.strip_prefix('<') {
        Some(limit) => format!("<{sign}{limit}"),
        None => format!("{sign}{amount}"),
    }
}

/// A price in a currency, like [`Price`]; in sats, yen and other zero-decimal currencies, 0 and prices from a
/// thousand up are whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriceIn<'a>(pub &'a Currency, pub Option<f64>);

impl PriceIn<'_> {
    /// The width of a column of prices in a currency that are aligned on their decimal point, most with up to four
    /// decimals. In zero-decimal currencies, the price of a bitcoin has more digits: `100,000,000`.
    pub fn width(currency: &Currency) -> u16 {
        if currency.is_whole() { Price::WIDTH + 4 } else { Price::WIDTH }
    }
}

impl fmt::Display for PriceIn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PriceFormat::of(self.0).price(self.1).fmt(f)
    }
}

/// A price beside others of the same coin, such as in its markets: like [`PriceIn`], but with five significant digits
/// from 1 to 1,000, since their differences matter: `1.7103`, `15.225`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedPrice<'a>(pub &'a Currency, pub Option<f64>);

impl fmt::Display for ComparedPrice<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PriceFormat::of(self.0).compared().price(self.1).fmt(f)
    }
}

/// The value of what someone holds, in a currency: in money with two decimals (`17.24`, `0.20`, `<0.01`) or, without a
/// minor unit, like [`PriceIn`]; in a valuable currency with at least eight significant digits from 1 up, and as many
/// decimals below: `12.345679`, `1.45399078`, `0.00612034`; in another coin like a price. At most [`Price::WIDTH`]
/// columns wide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueIn<'a>(pub &'a Currency, pub Option<f64>);

impl ValueIn<'_> {
    /// The decimals of most values in a currency, for a column of them.
    pub fn decimals(currency: &Currency) -> u16 {
        if currency.is_valuable() { 8 } else { 2 }
    }
}

impl fmt::Display for ValueIn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PriceFormat::of_values(self.0).price(self.1).fmt(f)
    }
}

/// How prices in a currency are formatted: like [`PriceIn`] or [`ValueIn`], for what needs no currency otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PriceFormat(Digits);

/// The digits of prices in a currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Digits {
    /// The digits of [`Price`].
    #[default]
    Price,
    /// The digits of [`Price`], but none after the point for 0 and from a thousand up.
    Whole,
    /// The digits of values in a valuable currency.
    Value,
    /// The digits of values in money with a minor unit.
    Money,
    /// The digits of [`ComparedPrice`]; `is_whole` as in `Whole`.
    Compared { is_whole: bool },
}

impl PriceFormat {
    /// The format of prices in a currency; the default is for dollars.
    pub fn of(currency: &Currency) -> PriceFormat {
        PriceFormat(if currency.is_whole() { Digits::Whole } else { Digits::Price })
    }

    /// The format of values in a currency, see [`ValueIn`].
    pub fn of_values(currency: &Currency) -> PriceFormat {
        match currency {
            _ if currency.is_valuable() => PriceFormat(Digits::Value),
            _ if currency.is_coin() || currency.is_whole() => PriceFormat::of(currency),
            _ => PriceFormat(Digits::Money),
        }
    }

    /// The format of prices that are compared with each other, see [`ComparedPrice`].
    pub fn compared(self) -> PriceFormat {
        PriceFormat(Digits::Compared { is_whole: self.0 == Digits::Whole })
    }

    /// Whether numbers have more decimals than any axis.
    pub(crate) fn is_exact(self) -> bool {
        self.0 == Digits::Value
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
        let FormattedPrice(PriceFormat(digits), price) = *self;
        let is_tiny = |price: f64| price != 0.0 && price.abs() < MIN_MONEY;
        if digits == Digits::Money && price.is_some_and(is_tiny) {
            return signed(f, price, |f, _| f.write_str("<0.01"));
        }
        match price.and_then(|price| digits.decimals(price.abs())) {
            Some(decimals) => signed(f, price, |f, price| fixed(f, price, decimals)),
            None => Price(price).fmt(f),
        }
    }
}

/// The smallest sum that two decimals don't round to 0.
const MIN_MONEY: f64 = 0.005;

impl Digits {
    /// The decimals of a number of at least 0; `None` for the digits of [`Price`].
    fn decimals(self, number: f64) -> Option<usize> {
        // Each bound is where the format before it would round up to another digit before the point.
        match (self, number) {
            (Digits::Whole | Digits::Compared { is_whole: true }, 0.0 | 999.5..999_999.995) => Some(0),
            (Digits::Compared { .. }, 0.999_95..9.999_95) => Some(4),
            (Digits::Compared { .. }, 9.999_95..99.999_5) => Some(3),
            (Digits::Money, MIN_MONEY..1.1) => Some(2),
            (Digits::Value, 0.000_000_005..9.999_999_995) => Some(8),
            (Digits::Value, 9.999_999_995..999.999_999_5) => Some(6),
            (Digits::Value, 999.999_999_5..99_999.999_95) => Some(4),
            _ => None,
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
        assert_eq!(
            (shown(&bitcoin, 3.478).as_str(), shown(&bitcoin, -0.0004499).as_str()),
            ("3.47800000", "−0.00044990")
        );
        let tether = Currency::parse("USDT").unwrap();
        assert_eq!((shown(&tether, 3.478).as_str(), shown(&tether, -0.0004499).as_str()), ("3.48", "−0.0004499"));
    }

    #[test]
    fn values_in_bitcoin_have_eight_significant_digits() {
        let [dollar, bitcoin] = ["USD", "BTC"].map(|code| Currency::parse(code).unwrap());
        for (value, shown) in [
            (1.453_990_78, "1.45399078"),
            (0.006_120_341_2, "0.00612034"),
            (0.000_000_01, "0.00000001"),
            (0.000_000_001_234, "0.0₈123"),
            (0.0, "0.00"),
            (9.999_999_996, "10.000000"),
            (145.399_078_4, "145.399078"),
            (999.999_999_6, "1,000.0000"),
            (-12_345.678_94, "−12,345.6789"),
            (99_999.999_96, "100,000.00"),
            (f64::NAN, "—"),
        ] {
            assert_eq!(ValueIn(&bitcoin, Some(value)).to_string(), shown, "{value:e}");
        }
        assert_eq!(ValueIn(&dollar, Some(61_234.1)).to_string(), "61,234.10");
        assert_eq!(PriceIn(&bitcoin, Some(1.453_990_78)).to_string(), "1.45", "prices have four significant digits");
    }

    #[test]
    fn values_in_money_have_two_decimals() {
        let [dollar, tether] = ["USD", "USDT"].map(|code| Currency::parse(code).unwrap());
        for (value, shown) in [
            (0.000_087_5, "<0.01"),
            (-0.003, "−<0.01"),
            (0.005, "0.01"),
            (0.2, "0.20"),
            (1.0003, "1.00"),
            (1.234, "1.23"),
            (61_234.1, "61,234.10"),
            (2_345_678.9, "2,345,679"),
            (0.0, "0.00"),
        ] {
            assert_eq!(ValueIn(&dollar, Some(value)).to_string(), shown, "{value}");
        }
        assert_eq!(ValueIn(&tether, Some(0.000_449_9)).to_string(), "0.0004499");
    }

    #[test]
    fn compared_prices_have_five_significant_digits() {
        let [dollar, yen] = ["USD", "JPY"].map(|code| Currency::parse(code).unwrap());
        for (price, shown) in [
            (0.999_94, "0.9999"),
            (0.999_96, "1.0000"),
            (1.710_34, "1.7103"),
            (9.999_94, "9.9999"),
            (9.999_96, "10.000"),
            (15.225_4, "15.225"),
            (99.999_4, "99.999"),
            (99.999_6, "100.00"),
            (72_603.16, "72,603.16"),
            (0.0, "0.00"),
        ] {
            assert_eq!(ComparedPrice(&dollar, Some(price)).to_string(), shown, "{price}");
        }
        let shown = |price| ComparedPrice(&yen, Some(price)).to_string();
        assert_eq!([1.710_34, 240.457, 2_404.57].map(shown), ["1.7103", "240.46", "2,405"]);
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
    fn currencies_without_a_minor_unit_are_whole() {
        for code in ["JPY", "KRW", "VND", "CLP", "ISK"] {
            let currency = Currency::parse(code).unwrap();
            let shown = |price| PriceIn(&currency, Some(price)).to_string();
            assert_eq!([2_404.57, 961_828.4, 8.41, 0.0].map(shown), ["2,405", "961,828", "8.41", "0"], "{code}");
            let value = |value| ValueIn(&currency, Some(value)).to_string();
            assert_eq!([961_828.4, 0.0, -0.0].map(value), ["961,828", "0", "0"], "{code}");
        }
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

        #[test]
        fn values_fit_into_the_width_of_prices(sum: f64, exponent in -12..18_i32, digits in 1.0..10.0_f64) {
            for sum in [sum, -digits * 10_f64.powi(exponent)] {
                for currency in [Currency::bitcoin(), Currency::usd()] {
                    let shown = ValueIn(&currency, Some(sum)).to_string();
                    prop_assert!(shown.chars().count() <= usize::from(Price::WIDTH), "{sum:e} {shown}");
                }
            }
        }
    }
}
