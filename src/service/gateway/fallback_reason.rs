//! Why a value of a provider may be worse than that of the next one, which is then tried.

use jiff::civil::Date;

use crate::model::UtcTime;

/// A reason to try the next provider. If none has a better value, the one with the greatest reason is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doubt {
    /// A list has no rows.
    Empty,
    /// The prices end here, long ago.
    Ended(UtcTime),
    /// The exchange rates are of this day, long ago.
    OldRates(Date),
}
