//! Exchange rates of past days.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::currency::Currency;
use super::decimal::Decimal;

/// Maximum days in a request for historical rates. They fit into a URL that servers accept.
pub const MAX_DAYS: usize = 400;

/// Maximum currencies in a request for historical rates.
pub const MAX_CURRENCIES: usize = 20;

/// How many days after its publication a rate is still valid. This bridges weekends and holidays; a currency that has had
/// no rate for longer is no longer quoted.
pub const MAX_DAYS_SINCE: i32 = 10;

/// An exchange rate as a fraction, so that a conversion is rounded once, even if the rate has endless decimals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeRate {
    units: Decimal,
    per: Decimal,
}

impl ExchangeRate {
    /// The rate at which `per` units are worth `units` of the other currency; `None` unless both are above zero.
    pub fn new(units: Decimal, per: Decimal) -> Option<ExchangeRate> {
        let zero = Decimal::default();
        (units > zero && per > zero).then_some(ExchangeRate { units, per })
    }

    /// Converts a sum: exactly, or with one division.
    pub fn convert(&self, sum: &Decimal) -> Decimal {
        let product = sum * &self.units;
        if self.per == Decimal::from(1) { product } else { product.divided_by(&self.per).unwrap_or_default() }
    }

    /// This rate for a multiple of the other currency's unit.
    #[must_use]
    pub fn times(&self, factor: &Decimal) -> ExchangeRate {
        ExchangeRate { units: &self.units * factor, per: self.per.clone() }
    }
}

impl From<Decimal> for ExchangeRate {
    fn from(units: Decimal) -> ExchangeRate {
        ExchangeRate { units, per: Decimal::from(1) }
    }
}

/// The exchange rate of a currency on a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoricalRate {
    /// The requested day.
    pub date: Date,
    /// The currency that is converted.
    pub from: Currency,
    /// The currency of the rate.
    pub to: Currency,
    /// Units of `to` for one unit of `from`, as decimal text.
    pub rate: Decimal,
    /// The exact rate as numerator and denominator, if `rate` is rounded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fraction: Option<(Decimal, Decimal)>,
    /// The day of the rate: `date`, or the last day before it that has a rate, such as a Friday.
    pub day: Date,
}

impl HistoricalRate {
    /// The rate of a day as a fraction; `None` if the denominator is zero.
    pub fn of_fraction(
        date: Date,
        (from, to): (&Currency, &Currency),
        (numerator, denominator): (Decimal, Decimal),
        day: Date,
    ) -> Option<HistoricalRate> {
        let rate = numerator.divided_by(&denominator)?;
        let is_rounded = &rate * &denominator != numerator;
        let fraction = is_rounded.then_some((numerator, denominator));
        Some(HistoricalRate { date, from: from.clone(), to: to.clone(), rate, fraction, day })
    }

    /// Whether the fraction, if any, is the rate.
    pub fn is_consistent(&self) -> bool {
        let fraction = self.fraction.as_ref();
        fraction.is_none_or(|(numerator, denominator)| numerator.divided_by(denominator).as_ref() == Some(&self.rate))
    }

    /// The rate for conversions.
    pub fn exchange_rate(&self) -> ExchangeRate {
        let fraction =
            self.fraction.clone().and_then(|(numerator, denominator)| ExchangeRate::new(numerator, denominator));
        fraction.unwrap_or_else(|| self.rate.clone().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversion_by_a_reciprocal_rate_is_rounded_once() {
        let decimal = |text: &str| text.parse::<Decimal>().unwrap();
        let currency = |code| Currency::parse(code).unwrap();
        let day: Date = "2025-03-02".parse().unwrap();
        let of = |numerator: &str, denominator: &str| {
            let fraction = (decimal(numerator), decimal(denominator));
            HistoricalRate::of_fraction(day, (&currency("USD"), &currency("EUR")), fraction, day).unwrap()
        };
        let rate = of("1", "1.0801");
        assert_eq!(rate.rate, decimal("0.925840199981483196"));
        // The rounded rate times 7050 ends in 531800.
        assert_eq!(rate.exchange_rate().convert(&decimal("7050")), decimal("6527.173409869456531803"));
        let exact = of("1", "1.25");
        assert_eq!((&exact.fraction, exact.exchange_rate().convert(&decimal("3"))), (&None, decimal("2.4")));
        assert!(rate.is_consistent());
        assert!(!HistoricalRate { rate: decimal("0.9"), ..rate }.is_consistent());
    }
}
