//! ordinals.com: inscriptions on sats, and single inscriptions. Needs no key. It publishes no rate limits, so requests
//! are sent slowly.
//!
//! Its JSON API is disabled, so only the recursive endpoints (`/r/`) are used.

use super::ord::Ord;
use super::source::Provider;
use crate::service::upstream::budget::Gate;
use crate::service::upstream::settings::ResolvedSettings;

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, gate: Gate) -> Provider {
    Ord::provider(settings, gate, false)
}
