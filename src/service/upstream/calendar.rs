//! When daily and monthly quotas start again.

use std::time::Duration;

use crate::model::UtcTime;

/// Time until the next midnight (UTC).
pub(in crate::service) fn until_midnight(now: UtcTime) -> Duration {
    const DAY_SECS: i64 = 24 * 60 * 60;
    let into = now.secs().rem_euclid(DAY_SECS);
    Duration::from_secs(u64::try_from(DAY_SECS - into).unwrap_or(0))
}

/// Time until the first of the next month (UTC).
pub(in crate::service) fn until_next_month(now: UtcTime) -> Duration {
    let date = now.timestamp().to_zoned(jiff::tz::TimeZone::UTC).date();
    let days = i64::from(date.days_in_month()) - i64::from(date.day());
    until_midnight(now) + Duration::from_secs(u64::try_from(days * 24 * 60 * 60).unwrap_or(0))
}
