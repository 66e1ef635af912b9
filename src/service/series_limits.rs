//! What the service accepts in a request for price history, so that a client can check it before it sends one.

use std::time::Duration;

use super::demo::market::interval::Interval;
use crate::client::endpoint::MAX_SERIES_POINTS;
use crate::model::interval;

/// Maximum points of each coin in a `/market/data` response.
pub const MAX_COUNT: u32 = 10_000;

/// Minimum interval of live price history.
const MIN_LIVE_INTERVAL: Duration = Duration::from_mins(1);

/// The most points of each coin in a request for this many symbols. Coins that share a symbol count once.
pub(super) fn max_count(symbols: usize) -> u32 {
    u32::try_from(MAX_SERIES_POINTS / symbols.max(1)).map_or(MAX_COUNT, |most| most.min(MAX_COUNT))
}

/// The length of an interval of live price history.
///
/// # Errors
/// It isn't served; the error says what it must be.
pub fn live_interval(name: &str) -> Result<Duration, String> {
    let step = interval::length(name).filter(|step| *step >= MIN_LIVE_INTERVAL);
    step.ok_or_else(|| String::from("a step of a minute or more, such as 5m, 1h or 1d"))
}

/// Checks an interval of simulated price history.
///
/// # Errors
/// It isn't served; the error says what it must be.
pub fn check_simulated_interval(name: &str) -> Result<(), String> {
    Interval::parse(name).map(drop).ok_or_else(Interval::known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::endpoint::max_symbols;

    #[test]
    fn batches_of_the_client_are_within_the_limit() {
        for count in [1, 97, 181, 290, 365, 6_500, MAX_COUNT] {
            assert!(max_count(max_symbols(count)) >= count, "{count}");
        }
    }
}
