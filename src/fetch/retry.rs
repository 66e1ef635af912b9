//! When a failed request is sent again.

use std::time::Duration;

use crate::client::{Error, ErrorKind};
use crate::model::backoff;

/// The waits between tries. Each is random, below a bound that doubles with every consecutive failure ("full jitter"),
/// so that many clients do not return to a recovering server at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backoff {
    /// Minimum wait.
    pub min: Duration,
    /// Bound of the first wait.
    pub first: Duration,
    /// Largest bound.
    pub max: Duration,
    /// Bound of the first wait after a rate limit without a `Retry-After`. Common limits are per minute.
    pub first_rate_limited: Duration,
    /// A longer `Retry-After` counts as this. A service may recover earlier, for example by switching providers, and
    /// rare requests are no burden.
    pub max_retry_after: Duration,
    /// A failure that no retry can fix (a 403, a 404) and an empty response are requested again when a response would
    /// no longer be fresh, but after this time at the latest: a key may be fixed or a coin listed, which should not
    /// take a day to show.
    pub max_final_wait: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff {
            min: Duration::from_millis(200),
            first: Duration::from_secs(1),
            max: Duration::from_secs(120),
            first_rate_limited: Duration::from_secs(10),
            max_retry_after: Duration::from_secs(3600),
            max_final_wait: Duration::from_secs(5 * 60),
        }
    }
}

impl Backoff {
    /// The wait after a failure that follows `earlier` consecutive failures: between [`Backoff::min`] and the
    /// bound.
    pub fn wait(&self, earlier: u32, random: &mut fastrand::Rng) -> Duration {
        let bound = self.bound(self.first, earlier);
        bound.mul_f64(random.f64()).clamp(self.min.min(bound), bound)
    }

    /// The pause after a rate limit: the `Retry-After`, or between half the bound and the bound, which doubles with
    /// every consecutive rejection.
    pub fn pause(&self, retry_after: Option<Duration>, earlier: u32, random: &mut fastrand::Rng) -> Duration {
        match retry_after {
            Some(wait) if !wait.is_zero() => wait.min(self.max_retry_after),
            _ => self.bound(self.first_rate_limited, earlier).mul_f64(0.5 + random.f64() / 2.0),
        }
    }

    fn bound(&self, first: Duration, earlier: u32) -> Duration {
        backoff(first, earlier, self.max)
    }
}

/// Whether the error limits the whole host: only a rate limit does. A 503 with a `Retry-After` applies only to its
/// resource.
pub fn limits_host(error: &Error) -> bool {
    match &error.kind {
        ErrorKind::RateLimited { .. } => true,
        // CoinMarketCap's codes for its limits per minute and per address, which proxies pass on with status 200.
        ErrorKind::InBody { code, .. } => matches!(code, Some(429 | 1008 | 1011)),
        _ => false,
    }
}

/// Whether the host could not be reached.
pub fn is_connection_failure(error: &Error) -> bool {
    use ErrorKind::{Connect, Proxy, Refused, Resolve, TimeoutFirstByte, Tls, Tunnel};
    matches!(error.kind, Resolve | Refused | Connect(_) | Proxy { .. } | Tunnel { .. } | Tls(_) | TimeoutFirstByte(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(kind: ErrorKind) -> Error {
        Error { what: String::from("Coin list 1–100"), origin: String::from("http://localhost"), kind }
    }

    #[test]
    fn waits_stay_below_a_bound_that_doubles_up_to_two_minutes() {
        let (backoff, mut random) = (Backoff::default(), fastrand::Rng::with_seed(7));
        let bounds = [1, 2, 4, 8, 16, 32, 64, 120, 120];
        for (earlier, bound) in bounds.into_iter().enumerate() {
            let waits: Vec<Duration> = (0..200).map(|_| backoff.wait(earlier as u32, &mut random)).collect();
            let (low, high) = (waits.iter().min().unwrap(), waits.iter().max().unwrap());
            assert!(*low >= Duration::from_millis(200) && *high <= Duration::from_secs(bound), "{low:?} {high:?}");
            assert!(*high > Duration::from_secs(bound).mul_f64(0.9), "the whole range is used: {high:?} of {bound}");
        }
        assert!(backoff.wait(u32::MAX, &mut random) <= Duration::from_secs(120));
    }

    #[test]
    fn pause_is_the_retry_after_up_to_an_hour() {
        let (backoff, mut random) = (Backoff::default(), fastrand::Rng::with_seed(7));
        let secs = |secs| Some(Duration::from_secs(secs));
        assert_eq!(backoff.pause(secs(7), 3, &mut random).as_secs(), 7);
        assert_eq!(backoff.pause(secs(1_000_000), 0, &mut random).as_secs(), 3600);
        for (earlier, bound) in [10, 20, 40, 80, 120, 120].into_iter().enumerate() {
            for retry_after in [None, secs(0)] {
                let pause = backoff.pause(retry_after, earlier as u32, &mut random);
                let bound = Duration::from_secs(bound);
                assert!(pause >= bound / 2 && pause <= bound, "{pause:?} of {bound:?}");
            }
        }
    }

    #[test]
    fn only_a_rate_limit_limits_the_host() {
        let after = Some(Duration::from_secs(3));
        let status = |status, retry_after| ErrorKind::Status { status, message: None, retry_after };
        let in_body = |code| ErrorKind::InBody { code, message: None };
        let table = [
            (ErrorKind::RateLimited { message: None, retry_after: None }, true),
            (ErrorKind::RateLimited { message: None, retry_after: after }, true),
            (status(503, after), false),
            (status(503, None), false),
            (status(500, after), false),
            (in_body(Some(1008)), true),
            (in_body(Some(500)), false),
            (in_body(None), false),
            (ErrorKind::Refused, false),
        ];
        for (kind, expected) in table {
            assert_eq!(limits_host(&error(kind.clone())), expected, "{kind:?}");
        }
    }
}
