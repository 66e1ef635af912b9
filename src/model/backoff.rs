//! Pauses that grow with consecutive failures.

use std::time::Duration;

/// The pause after a failure that follows `earlier` consecutive failures: `first`, doubled for each of them, but at most
/// `longest`. Callers add their own jitter.
pub fn backoff(first: Duration, earlier: u32, longest: Duration) -> Duration {
    first.saturating_mul(2_u32.saturating_pow(earlier)).min(longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pause_doubles_with_each_failure_up_to_the_longest() {
        let seconds = |earlier| backoff(Duration::from_secs(10), earlier, Duration::from_secs(60)).as_secs();
        assert_eq!([0, 1, 2, 3, 40, u32::MAX].map(seconds), [10, 20, 40, 60, 60, 60]);
    }
}
