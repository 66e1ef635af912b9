//! Why the next provider is tried although one has responded.

use std::time::Duration;

use jiff::civil::Date;

use crate::model::UtcTime;

/// A reason to try the next provider. If none has a better value, the value with the greatest reason is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FallbackReason {
    /// A list has no rows.
    Empty,
    /// A chart has a single price.
    OnePrice,
    /// The last price is old; its time.
    Ended(UtcTime),
    /// The prices of a chart cover little of its period; how much.
    Sparse(Duration),
    /// All prices of a list are old; the time of the newest.
    OldPrices(UtcTime),
    /// The exchange rates are old; their day.
    OldRates(Date),
    /// A request for later rows of a list, or for the details of some, failed; the number of rows.
    Partial(usize),
}
