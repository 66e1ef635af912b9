//! Round prices for the price axis.

use std::fmt;

use crate::format::{MINUS, Price, PriceFormat};
use crate::model::Text;

/// Evenly spaced prices with a step of 1, 2 or 5 times a power of ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriceTicks {
    first: f64,
    step: f64,
    exponent: i32,
    count: usize,
}

impl PriceTicks {
    /// At most `max` (at least one) round prices from `low` to `high`; none if there is no valid step.
    pub fn new(low: f64, high: f64, max: u16) -> PriceTicks {
        let none = PriceTicks { first: 0.0, step: 1.0, exponent: 0, count: 0 };
        let wanted = (high / 2.0 - low / 2.0) / f64::from(max.max(1)) * 2.0;
        if !(wanted.is_finite() && wanted > 0.0) {
            return none;
        }
        let power = wanted.log10().floor() as i32;
        for exponent in [power - 1, power, power + 1] {
            for factor in [1.0, 2.0, 5.0] {
                let step = factor * 10_f64.powi(exponent);
                let first = (low / step).ceil();
                let count = (high / step).floor() - first + 1.0;
                if step.is_finite() && count <= f64::from(max.max(1)) && first.abs() < 1e15 {
                    let count = count.max(0.0) as usize;
                    return PriceTicks { first: first * step, step, exponent, count };
                }
            }
        }
        none
    }

    /// The prices, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = f64> + use<> {
        let PriceTicks { first, step, count, .. } = *self;
        (0..count).map(move |index| first + step * index as f64)
    }

    /// The label of one of the prices, with just enough digits to distinguish them.
    pub fn label(&self, price: f64) -> Text {
        let min_zeros = zeros(self.largest());
        compact_str::format_compact!("{}", Label { price, exponent: self.exponent, min_zeros })
    }

    /// The largest price without its sign.
    fn largest(&self) -> f64 {
        let last = self.first + self.step * self.count.saturating_sub(1) as f64;
        self.first.abs().max(last.abs())
    }

    /// The label of a price of one significant digit.
    pub fn single(price: f64) -> Text {
        let exponent = (price.abs() * (1.0 + 1e-9)).log10().floor();
        let exponent = if exponent.is_finite() { exponent as i32 } else { 0 };
        compact_str::format_compact!("{}", Label { price, exponent, min_zeros: zeros(price.abs()) })
    }

    /// The label of another price among the axis labels: with as few digits if these are exact, or else like
    /// [`PriceTicks::mark`].
    pub fn level(&self, price: f64, format: PriceFormat) -> Text {
        // Prices from a billion up are rounded to the step.
        let exponent = if price.abs() < 1e9 { self.exponent.min(0) } else { self.exponent };
        let units = price / 10_f64.powi(exponent);
        let is_exact = units.abs() < MAX_UNITS && (units - units.round()).abs() < ROUNDING_ERROR;
        if !is_exact {
            return self.mark(price, format);
        }
        let min_zeros = zeros(self.largest().max(price.abs()));
        compact_str::format_compact!("{}", Label { price, exponent, min_zeros })
    }

    /// Formats any other price with its usual digits and at least as many decimals as the labels.
    pub fn mark(&self, price: f64, format: PriceFormat) -> Text {
        match usize::try_from(-self.exponent) {
            _ if format.is_exact() => compact_str::format_compact!("{}", format.price(Some(price))),
            // Prices usually have two decimals, and more only below 1.
            Ok(decimals @ 3..=9) if (1.0..1e5).contains(&price) => {
                compact_str::format_compact!("{}", Fixed { price, decimals })
            }
            Ok(1..) => compact_str::format_compact!("{}", Price(Some(price))),
            _ => compact_str::format_compact!("{}", format.price(Some(price))),
        }
    }
}

/// The part of a unit by which a multiple of it may differ from its float.
const ROUNDING_ERROR: f64 = 1e-6;

/// Greater multiples are not checked for being exact.
const MAX_UNITS: f64 = 1e9;

/// A price with a fixed number of decimals.
struct Fixed {
    price: f64,
    decimals: usize,
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::format::fixed(f, self.price, self.decimals)
    }
}

/// The number of zeros between the point and the first other digit.
fn zeros(price: f64) -> usize {
    let zeros = -(price * (1.0 + 1e-9)).log10().floor() - 1.0;
    // Infinite for 0, which is negligible.
    if zeros.is_finite() { zeros.max(0.0) as usize } else { 0 }
}

/// At least this many zeros are counted, not written.
const MIN_COUNTED_ZEROS: usize = 4;

/// A price rounded to 10^`exponent` and otherwise formatted like [`Price`]: without suffix up to a billion, with
/// its zeros as a subscript if all labels of the axis have at least four. All of these have the same number of digits.
struct Label {
    price: f64,
    exponent: i32,
    /// The zeros of the largest price of the axis.
    min_zeros: usize,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let price = self.price.abs();
        // The multiple of the step at zero may be computed as -1e-17.
        if self.price < 0.0 && price > 10_f64.powi(self.exponent) / 2.0 {
            f.write_str(MINUS)?;
        }
        let (unit, suffix) = match price {
            1e18.. => return write!(f, "{price:.1e}"),
            1e12.. => (12, "T"),
            1e9.. => (9, "B"),
            _ => (0, ""),
        };
        let decimals = usize::try_from(unit - self.exponent).unwrap_or(0).min(9);
        if self.min_zeros >= MIN_COUNTED_ZEROS {
            if price < 10_f64.powi(self.exponent) / 2.0 {
                return f.write_str("0");
            }
            let all = usize::try_from(-self.exponent).unwrap_or(0);
            let digits = all.saturating_sub(self.min_zeros).max(1);
            return crate::format::price::subscripted(f, price, zeros(price), digits);
        }
        crate::format::fixed(f, price / 10_f64.powi(unit), decimals)?;
        f.write_str(suffix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn prices(low: f64, high: f64, max: u16) -> Vec<String> {
        let ticks = PriceTicks::new(low, high, max);
        ticks.iter().map(|price| ticks.label(price).to_string()).collect()
    }

    #[test]
    fn price_ticks_are_round() {
        for (low, high, max, labels) in [
            (7.52, 9.14, 4, vec!["8.0", "8.5", "9.0"]),
            (60_100.0, 62_900.0, 6, vec!["60,500", "61,000", "61,500", "62,000", "62,500"]),
            (0.0, 100.0, 5, vec!["0", "50", "100"]),
            (7.0e-7, 7.6e-7, 4, vec!["0.0₆70", "0.0₆72", "0.0₆74", "0.0₆76"]),
            (1.2e6, 1.5e6, 4, vec!["1,200,000", "1,300,000", "1,400,000", "1,500,000"]),
            (118_400.0, 121_700.0, 4, vec!["119,000", "120,000", "121,000"]),
            (1.2e9, 1.5e9, 4, vec!["1.2B", "1.3B", "1.4B", "1.5B"]),
            (1.7e-5, 1.92e-5, 3, vec!["0.0₄17", "0.0₄18", "0.0₄19"]),
            (4.0e-6, 1.6e-5, 3, vec!["0.0₅50", "0.0₄10", "0.0₄15"]),
            (7.8e-8, 1.05e-7, 3, vec!["0.0₇80", "0.0₇90", "0.0₆10"]),
            (9.72e-8, 1.015e-7, 4, vec!["0.0₇980", "0.0₇990", "0.0₆100", "0.0₆101"]),
            (9.0e-5, 1.6e-4, 4, vec!["0.00010", "0.00012", "0.00014", "0.00016"]),
            (0.0, 1.2e-5, 3, vec!["0", "0.0₅50", "0.0₄10"]),
            (1.201e-4, 1.231e-4, 4, vec!["0.000121", "0.000122", "0.000123"]),
            (-1.0, 1.0, 3, vec!["−1", "0", "1"]),
            (0.9998, 1.0003, 3, vec!["0.9998", "1.0000", "1.0002"]),
            (5.0, 5.0, 3, vec![]),
            (f64::NAN, 1.0, 3, vec![]),
            (-1.1e308, 0.0, 0, vec![]),
        ] {
            assert_eq!(prices(low, high, max), labels, "{low} {high} {max}");
        }
    }

    #[test]
    fn level_has_the_decimals_of_the_axis_or_those_that_it_needs() {
        for (low, high, level, label) in [
            (74_800.0, 77_200.0, 76_000.0, "76,000"),
            (74_800.0, 77_200.0, 76_120.0, "76,120"),
            (74_800.0, 77_200.0, 76_120.5, "76,120.50"),
            (7.0, 9.2, 8.5, "8.5"),
            (7.0, 9.2, 8.25, "8.25"),
            (0.9998, 1.0003, 1.0, "1.0000"),
            (0.9998, 1.0003, 1.000_06, "1.0001"),
            (7.0e-7, 7.6e-7, 7.5e-7, "0.0₆75"),
            (7.0e-7, 7.6e-7, 7.35e-7, "0.0₆735"),
            (8.0e-6, 9.9e-6, 1.05e-5, "0.0₄105"),
            (1.2e6, 1.5e6, 1_250_000.0, "1,250,000"),
            (1.2e9, 1.5e9, 1.4e9, "1.4B"),
            (1.2e9, 1.5e9, 1.45e9, "1.450B"),
        ] {
            let ticks = PriceTicks::new(low, high, 6);
            assert_eq!(ticks.level(level, PriceFormat::default()), label, "{level} from {low} to {high}");
        }
    }

    proptest! {
        #[test]
        fn price_ticks_are_few_and_within_range(low: f64, high: f64, max in 0..40_u16) {
            let ticks = PriceTicks::new(low, high, max);
            prop_assert!(ticks.iter().count() <= usize::from(max.max(1)));
            for price in ticks.iter() {
                let slack = (high / 2.0 - low / 2.0) * 1e-6;
                prop_assert!(price >= low - slack && price <= high + slack, "{low:e} {price:e} {high:e}");
                prop_assert!(ticks.label(price).chars().count() <= 16, "{}", ticks.label(price));
            }
        }
    }
}
