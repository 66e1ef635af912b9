//! Currencies: fixed rates for fiat money, and bitcoin at its simulated price.

use crate::service::demo::noise::significant;

/// Fixed exchange rates: units of each currency per US dollar.
const RATES: [(&str, f64); 20] = [
    ("USD", 1.0),
    ("EUR", 0.9204),
    ("GBP", 0.7871),
    ("JPY", 151.32),
    ("CNY", 7.184),
    ("KRW", 1_381.4),
    ("INR", 84.12),
    ("CHF", 0.8812),
    ("CAD", 1.3874),
    ("AUD", 1.5214),
    ("BRL", 5.6231),
    ("MXN", 19.871),
    ("SEK", 10.612),
    ("PLN", 3.981),
    ("TRY", 34.27),
    ("SGD", 1.3214),
    ("HKD", 7.7731),
    ("ZAR", 17.61),
    ("NZD", 1.6612),
    ("ARS", 982.3),
];

/// A supported currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Money {
    /// Upper-case code.
    pub(crate) code: &'static str,
    rate: Rate,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Rate {
    /// Units per dollar.
    Fixed(f64),
    /// Bitcoin at its current price.
    Bitcoin,
}

impl Money {
    /// The US dollar.
    pub(crate) const USD: Money = Money { code: "USD", rate: Rate::Fixed(1.0) };

    /// Parses a currency code (case-insensitive).
    pub(crate) fn parse(code: &str) -> Option<Money> {
        if code.eq_ignore_ascii_case("BTC") {
            return Some(Money { code: "BTC", rate: Rate::Bitcoin });
        }
        let (code, rate) = RATES.iter().find(|(known, _)| known.eq_ignore_ascii_case(code))?;
        Some(Money { code, rate: Rate::Fixed(*rate) })
    }

    /// The codes of all currencies.
    pub(crate) fn codes() -> Vec<&'static str> {
        RATES.iter().map(|(code, _)| *code).chain(["BTC"]).collect()
    }

    /// The accepted values, for an error.
    pub(crate) fn known() -> String {
        format!("one of {}", Money::codes().join(", "))
    }

    /// Whether it is bitcoin.
    pub(crate) fn is_bitcoin(self) -> bool {
        self.rate == Rate::Bitcoin
    }

    /// Units per dollar at this bitcoin price in dollars.
    pub(crate) fn per_dollar(self, bitcoin: f64) -> f64 {
        match self.rate {
            Rate::Fixed(rate) => rate,
            Rate::Bitcoin => 1.0 / bitcoin,
        }
    }

    /// The fixed rate, if any.
    pub(crate) fn fixed(self) -> Option<f64> {
        match self.rate {
            Rate::Fixed(rate) => Some(rate),
            Rate::Bitcoin => None,
        }
    }
}

/// Converts dollars to another currency. All conversions use it, so that equal amounts are equal numbers.
pub(super) fn convert(dollars: f64, rate: f64) -> f64 {
    if rate == 1.0 { dollars } else { significant(dollars * rate, 7) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_case_insensitive() {
        assert_eq!(Money::parse("usd"), Some(Money::USD));
        assert_eq!(Money::parse("Btc").map(Money::is_bitcoin), Some(true));
        assert_eq!(Money::parse("XAU"), None);
        assert!(Money::known().contains("EUR"));
    }

    #[test]
    fn one_bitcoin_costs_one_bitcoin() {
        let btc = Money::parse("BTC").unwrap();
        assert!((61_000.0 * btc.per_dollar(61_000.0) - 1.0).abs() < 1e-12);
    }
}
