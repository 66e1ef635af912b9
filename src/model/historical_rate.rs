//! Exchange rates of past days.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::currency::Currency;
use super::decimal::Decimal;

/// Maximum days in a request for historical rates. They fit into a URL that servers accept.
pub const MAX_DAYS: usize = 400;

/// Maximum currencies in a request for historical rates.
pub const MAX_CURRENCIES: usize = 20;

/// How many days after its publication a rate is still valid. It bridges weekends and holidays; a currency without a
/// rate for longer no longer exists or is no longer quoted.
pub const MAX_DAYS_SINCE: i32 = 10;

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
    /// The day of the rate: `date`, or the last day before it that has a rate, such as a Friday.
    pub day: Date,
}
