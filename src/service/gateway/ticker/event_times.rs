//! The times of the prices on a socket, to drop old prices, which would be shown as live. They are compared with each
//! other only, since the local clock may be wrong.

use std::collections::HashMap;

/// A price this many milliseconds older than the newest one on the socket is old.
const MAX_BEHIND: i64 = 120_000;

/// The times of the prices on one socket, in milliseconds.
#[derive(Debug, Default)]
pub(in crate::service::gateway) struct EventTimes {
    /// The last one of each symbol.
    last: HashMap<String, i64>,
    newest: Option<i64>,
}

impl EventTimes {
    /// Records the time of a price. Returns whether the price is current: not older than the last one of its symbol, nor
    /// far behind the newest of all. One without a time is.
    pub(in crate::service::gateway) fn is_current(&mut self, symbol: &str, time: Option<i64>) -> bool {
        let Some(time) = time else { return true };
        let is_older = self.last.get(symbol).is_some_and(|last| time < *last);
        if is_older || self.newest.is_some_and(|newest| time < newest.saturating_sub(MAX_BEHIND)) {
            return false;
        }
        self.last.insert(symbol.to_owned(), time);
        self.newest = self.newest.max(Some(time));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn price_is_current_unless_older_than_its_last_or_far_behind_the_newest() {
        const HOUR: i64 = 3_600_000;
        let now = 1_795_075_261_000;
        let mut times = EventTimes::default();
        for (symbol, time, is_current) in [
            ("ORDI", Some(now - HOUR), true),
            ("ORDI", Some(now - HOUR), true),
            ("ORDI", None, true),
            ("BTC", Some(now), true),
            ("ORDI", Some(now - HOUR + 1_000), false),
            ("SATS", Some(now - MAX_BEHIND - 1), false),
            ("SATS", Some(now - MAX_BEHIND), true),
            ("BTC", Some(now - 1), false),
            ("ORDI", Some(now + 1_000), true),
            ("SATS", Some(i64::MIN), false),
        ] {
            assert_eq!(times.is_current(symbol, time), is_current, "{symbol} {time:?}");
        }
    }
}
