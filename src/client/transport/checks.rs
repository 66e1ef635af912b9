//! Checks of a decoded response as a whole.

use super::{coin_pages, contradictions, duplicates, future_points, wrong_times};
use crate::client::config::ClientConfig;
use crate::client::request::{Request, Warning};
use crate::client::response_data::ResponseData;
use crate::model::UtcTime;

/// Who sent a response, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sender {
    /// Whether it is our own service, which compares times with its own clock.
    pub(super) is_own: bool,
    /// Whether it names the provider of its data. If so, it has its own notices about missing coins.
    pub(super) names_provider: bool,
    /// The later one of the sender's time and ours.
    pub(super) now: UtcTime,
}

/// Removes what can't be right from a response of `rows` rows. Returns warnings about it and about missing coins.
pub(super) fn apply(
    config: &ClientConfig,
    request: &Request,
    response: &mut ResponseData,
    rows: usize,
    sender: Sender,
) -> Vec<Warning> {
    let mut warnings = contradictions::remove(response, sender.is_own);
    if !sender.is_own {
        warnings.extend(future_points::remove(response, sender.now));
        warnings.extend(wrong_times::remove(response, sender.now));
    }
    warnings.extend(duplicates::remove(response));
    if !sender.names_provider && !sender.is_own {
        warnings.extend(coin_pages::warning(config, request, response, rows));
    }
    warnings
}
