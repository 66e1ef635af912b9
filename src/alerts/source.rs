//! Where values come from, and when alerts switch to other sources.

use std::time::Duration;

use crate::user_data::alert::ValueSource;

/// Values from another source count only once the current one has been silent for this long, so that two lists with the
/// same coin don't alternate. Longer than a list without a `max-age` is fresh.
pub const SOURCE_SWITCH_DELAY: Duration = Duration::from_mins(7);

/// How long the current source must have been silent if it is a source of live prices.
pub(super) const LIVE_SOURCE_SWITCH_DELAY: Duration = Duration::from_mins(2);

/// The source of a response: its provider, or else the URL of a configured service.
pub fn response_source<'a>(provider: Option<&'a str>, url: Option<&'a str>, simulated: bool) -> ValueSource<&'a str> {
    if simulated { ValueSource::SIMULATED } else { ValueSource::provider(provider.or(url).unwrap_or("live")) }
}
