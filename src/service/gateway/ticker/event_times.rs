//! The times of the prices on a socket, to drop old prices, which would be shown as live.

use std::collections::HashMap;
use std::time::Duration;

use crate::model::UtcTime;

/// A price this much older than the newest one on the socket is old.
const MAX_BEHIND: Duration = Duration::from_mins(2);

/// A price this much older than the current time is old. Clocks differ by less.
const MAX_AGE: Duration = Duration::from_mins(5);

/// A time this much later than the current one is wrong, and would make all later prices seem old.
const MAX_AHEAD: Duration = Duration::from_mins(5);

/// How new a price is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service::gateway) enum Timing {
    /// Current, or without a known time.
    Current,
    /// Older than the last one of its symbol, or far behind the newest of all.
    Late,
    /// Of this age.
    Old(Duration),
}

/// The times of the prices on one socket.
#[derive(Debug, Default)]
pub(in crate::service::gateway) struct EventTimes {
    /// The last one of each symbol.
    last: HashMap<String, UtcTime>,
    newest: Option<UtcTime>,
}

impl EventTimes {
    /// Records the time of a price, unless it is not current.
    pub(in crate::service::gateway) fn note(&mut self, symbol: &str, time: Option<UtcTime>, now: UtcTime) -> Timing {
        let Some(time) = time.filter(|time| time.since(now) <= MAX_AHEAD) else { return Timing::Current };
        let age = now.since(time);
        if age > MAX_AGE {
            return Timing::Old(age);
        }
        let is_older = self.last.get(symbol).is_some_and(|last| time < *last);
        if is_older || self.newest.is_some_and(|newest| newest.since(time) > MAX_BEHIND) {
            return Timing::Late;
        }
        self.last.insert(symbol.to_owned(), time);
        self.newest = self.newest.max(Some(time));
        Timing::Current
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_price_is_rejected() {
        let now = UtcTime::from_secs(1_795_075_261);
        let mut times = EventTimes::default();
        for (symbol, ago, expected) in [
            ("ORDI", Some(300), Timing::Current),
            ("ORDI", Some(301), Timing::Old(Duration::from_secs(301))),
            ("ORDI", None, Timing::Current),
            ("BTC", Some(0), Timing::Current),
            ("ORDI", Some(299), Timing::Late),
            ("SATS", Some(121), Timing::Late),
            ("SATS", Some(120), Timing::Current),
            ("BTC", Some(1), Timing::Late),
            ("ORDI", Some(-1), Timing::Current),
            ("ORDI", Some(-301), Timing::Current),
            ("ORDI", Some(-1), Timing::Current),
            ("ORDI", Some(-300), Timing::Current),
            ("ORDI", Some(-299), Timing::Late),
        ] {
            let time = ago.map(|ago| UtcTime::from_secs(now.secs() - ago));
            assert_eq!(times.note(symbol, time, now), expected, "{symbol} {ago:?}");
        }
        assert!(matches!(times.note("SATS", Some(UtcTime::from_millis(i64::MIN)), now), Timing::Old(_)));
    }
}
