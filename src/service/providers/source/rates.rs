//! Exchange rates.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use async_trait::async_trait;
use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::model::historical_rate::MAX_DAYS_SINCE;
use crate::model::{Currency, Decimal, Text};
#[cfg(doc)]
use crate::service::operation::Operation;
use crate::service::upstream::error::{SourceError, SourceResult};

/// Exchange rates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rates {
    /// Units of each currency per US dollar.
    pub per_dollar: BTreeMap<Currency, f64>,
    /// The day of the newest rate, if known.
    pub day: Option<Date>,
}

/// Units of a currency per euro by day, as decimal text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RateHistory(pub BTreeMap<Date, Text>);

impl RateHistory {
    /// The rates that are positive decimals.
    pub fn of(rates: impl IntoIterator<Item = (Date, Decimal)>) -> RateHistory {
        let rates = rates.into_iter().filter(|(_, rate)| *rate > Decimal::default());
        RateHistory(rates.map(|(day, rate)| (day, Text::from(rate.to_string()))).collect())
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

    /// The rates of a currency on these days, and on the last days before them.
    async fn history(&self, _currency: &Currency, _days: RangeInclusive<Date>) -> SourceResult<RateHistory> {
        Err(SourceError::unsupported())
    }
}
