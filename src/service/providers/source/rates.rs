//! Exchange rates.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use async_trait::async_trait;
use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::model::historical_rate::MAX_DAYS_SINCE;
use crate::model::{Currency, Decimal, Text, UtcTime, Zone};
#[cfg(doc)]
use crate::service::operation::Operation;
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::warnings::Warnings;

/// Exchange rates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// Units of each currency per US dollar.
    pub per_dollar: BTreeMap<Currency, f64>,
    /// The day of the newest rate, if known.
    pub day: Option<Date>,
}

/// The last day that rates may have. In some time zones, it is already tomorrow.
pub fn last_day(now: UtcTime) -> Date {
    Zone::UTC.at(now).date().saturating_add(1.day())
}

/// Values by key, without keys that have several different values: nothing tells which of them is right. Returns these
/// keys, too.
fn without_contradictions<K: Ord, V>(
    pairs: impl IntoIterator<Item = (K, V)>,
    is_same: impl Fn(&V, &V) -> bool,
) -> (BTreeMap<K, V>, BTreeSet<K>) {
    let (mut values, mut contradicting): (BTreeMap<K, V>, _) = (BTreeMap::new(), BTreeSet::new());
    for (key, value) in pairs {
        match values.get(&key) {
            Some(first) if is_same(first, &value) => {}
            Some(_) => {
                contradicting.insert(key);
            }
            None => {
                values.insert(key, value);
            }
        }
    }
    values.retain(|key, _| !contradicting.contains(key));
    (values, contradicting)
}

/// The maximum difference between two rates of a currency on the same day, in parts of one: sources round differently.
const SAME_RATE: f64 = 0.01;

fn is_same(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() <= SAME_RATE
}

impl Rates {
    /// Rates with their day. Currencies with several different ones are left out, with a warning.
    pub(in crate::service) fn of(
        rates: impl IntoIterator<Item = (Currency, f64)>,
        day: Option<Date>,
        warnings: &Warnings,
    ) -> Rates {
        let (per_dollar, contradicting) = without_contradictions(rates, |one, other| is_same(*one, *other));
        match (contradicting.first(), contradicting.len()) {
            (Some(code), 1) => warnings.note(format!("Skipped contradictory rates for {code}")),
            (Some(code), count) => {
                warnings.note(format!("Skipped contradictory rates for {count} currencies, such as {code}"));
            }
            (None, _) => {}
        }
        Rates { per_dollar, day }
    }
}

/// Units of a currency per euro by day, as decimal text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RateHistory(pub BTreeMap<Date, Text>);

impl RateHistory {
    /// The rates that are positive decimals. Of several on a day, the last one counts.
    pub fn of(rates: impl IntoIterator<Item = (Date, Decimal)>) -> RateHistory {
        let rates = rates.into_iter().filter(|(_, rate)| *rate > Decimal::default());
        RateHistory(rates.map(|(day, rate)| (day, Text::from(rate.to_string()))).collect())
    }

    /// Collects rates like [`RateHistory::of`], but leaves out days whose rates differ by more than 1%; otherwise keeps
    /// the first rate of a day.
    pub fn without_contradictions(rates: impl IntoIterator<Item = (Date, Decimal)>) -> RateHistory {
        RateHistory::of(without_contradictions(rates, |one, other| is_same(one.to_f64(), other.to_f64())).0)
    }
}

/// The first day whose rate may still apply on the first of these days.
pub fn first_day(days: &RangeInclusive<Date>) -> Date {
    Date::constant(1999, 1, 1).max(days.start().saturating_sub(MAX_DAYS_SINCE.days()))
}

/// [`Operation::Fiat`].
#[async_trait]
pub trait RateSource: Send + Sync {
    /// All rates of the provider.
    async fn rates(&self) -> SourceResult<Rates> {
        Err(SourceError::unsupported())
    }

    /// Whether a rate of [`RateSource::rates`] has too few digits: [`RateSource::precise_rate`] has more.
    fn is_rounded(&self, _rate: f64) -> bool {
        false
    }

    /// The rate of one currency, with all its digits.
    async fn precise_rate(&self, _currency: &Currency) -> SourceResult<Rates> {
        Err(SourceError::unsupported())
    }

    /// The rates of a currency on these days, and on the last days before them.
    async fn history(&self, _currency: &Currency, _days: RangeInclusive<Date>) -> SourceResult<RateHistory> {
        Err(SourceError::unsupported())
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn rates_of_a_day_contradict_if_they_differ_by_more_than_one_percent() {
        let (day, next) = (date(2026, 11, 19), date(2026, 11, 20));
        let rate = |day: Date, rate: &str| (day, rate.parse::<Decimal>().unwrap());
        for (second, expected) in [("1.25", 2), ("1.2501", 2), ("1.26", 2), ("1.27", 1), ("0.8", 1)] {
            let rates = [rate(day, "1.25"), rate(next, "1.26"), rate(day, second)];
            let RateHistory(found) = RateHistory::without_contradictions(rates);
            assert_eq!(found.len(), expected, "{second}");
            assert!(found.get(&day).is_none_or(|rate| *rate == "1.25"), "{second}");
        }
    }
}
