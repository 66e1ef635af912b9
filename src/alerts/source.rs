//! Where values come from. The dashboard and the commands must agree on the names, since they check the same alerts in
//! turn.

use std::time::Duration;

use crate::user_data::alert::SIMULATED;

/// Prefix of sources of live prices.
const LIVE: &str = "live ";

/// Prefix of sources of series.
const SERIES: &str = "series ";

/// Values from another source count only once the current one has been silent for this long, so that two lists with the
/// same coin don't alternate. Longer than a list without a `max-age` is fresh.
pub const SOURCE_SWITCH_DELAY: Duration = Duration::from_mins(7);

/// The same for a source of live prices.
pub(super) const LIVE_SOURCE_SWITCH_DELAY: Duration = Duration::from_mins(2);

/// The name of a response's source: that of its provider, or else the URL of a configured service.
pub fn response_source<'a>(provider: Option<&'a str>, url: Option<&'a str>, simulated: bool) -> &'a str {
    if simulated { SIMULATED } else { provider.or(url).unwrap_or("live") }
}

/// The name of an exchange as a source of live prices.
pub fn live_source(exchange: &str) -> String {
    format!("{LIVE}{exchange}")
}

/// The name of a provider as a source of series.
pub fn series_source(provider: &str) -> String {
    format!("{SERIES}{provider}")
}

/// Whether two sources have the values of the same provider.
pub(super) fn is_same_provider(a: &str, b: &str) -> bool {
    provider(a) == provider(b)
}

/// The provider of a source.
fn provider(source: &str) -> &str {
    let provider = source.strip_prefix(SERIES).or_else(|| source.strip_prefix(LIVE));
    provider.unwrap_or(source)
}

/// Whether a source sends live prices.
pub fn is_live(source: &str) -> bool {
    source.starts_with(LIVE)
}

/// Whether a source has series.
pub(super) fn is_series(source: &str) -> bool {
    source.starts_with(SERIES)
}
