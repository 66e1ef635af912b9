//! Limits of charts and series.

use std::time::Duration;

use crate::service::upstream::error::SourceError;

/// Maximum points of a chart or of all series of a request. More than any screen shows, and than any provider sends.
pub(super) const MAX_POINTS: usize = 200_000;

/// Maximum age of the last price of a chart or series. Older ones belong to a coin that is no longer traded, or have
/// wrong times. Younger ones are shown if no provider has newer ones: an old chart with its dates is better than none.
pub(super) const MAX_PRICE_AGE: Duration = Duration::from_hours(180 * 24);

/// The error of a response with more points than [`MAX_POINTS`].
pub(super) fn too_many(points: usize) -> SourceError {
    SourceError::unexpected_format(format!("too many points ({points})"))
}
