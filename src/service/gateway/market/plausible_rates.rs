//! Which exchange rates are plausible. A wrong rate makes every amount wrong, and looks like a right one.

use crate::model::Currency;
use crate::service::providers::source::Rates;
use crate::service::upstream::error::{SourceError, SourceResult};

/// The order of magnitude of major currencies per US dollar.
const MAJOR: [(&str, f64); 10] = [
    ("EUR", 0.9),
    ("GBP", 0.8),
    ("CHF", 0.9),
    ("CAD", 1.4),
    ("AUD", 1.5),
    ("CNY", 7.0),
    ("BRL", 5.5),
    ("INR", 85.0),
    ("JPY", 150.0),
    ("KRW", 1_400.0),
];

/// Maximum factor between a major currency and its order of magnitude. In fifty years, none moved by more than this
/// without a reform.
const MAX_FROM_MAJOR: f64 = 5.0;

/// Maximum factor between two rates of a currency within a day. The largest devaluations of a day were by about half.
const MAX_CHANGE: f64 = 3.0;

/// Checks rates against the order of magnitude of major currencies and, if there are any, the last rates.
///
/// # Errors
/// A rate can't be right, such as an inverted one, so none of them is used.
pub(super) fn check(rates: &Rates, before: Option<&Rates>) -> SourceResult<()> {
    let is_off = |(currency, rate): &(&Currency, &f64)| {
        let major = MAJOR.iter().find(|(code, _)| *code == currency.as_str());
        let last = before.and_then(|before| before.per_dollar.get(currency));
        let differs = |known: f64, most: f64| **rate > known * most || **rate < known / most;
        major.is_some_and(|(_, known)| differs(*known, MAX_FROM_MAJOR))
            || last.is_some_and(|last| differs(*last, MAX_CHANGE))
    };
    match rates.per_dollar.iter().find(is_off) {
        Some((currency, rate)) => {
            Err(SourceError::unexpected_format(format!("implausible rate of {rate} {currency} per USD")))
        }
        None => Ok(()),
    }
}
