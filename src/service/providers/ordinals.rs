//! ordinals.com: what is inscribed on sats, and single inscriptions. Without a key, and politely: it publishes no limits.
//!
//! Its JSON API is off, so only the routes under `/r/` are used.

use super::Resolved;
use super::ord::Ord;
use super::source::Provider;
use crate::service::gateway::Gate;

/// The provider.
pub(super) fn provider(settings: &Resolved, gate: Gate) -> Provider {
    Ord::provider(settings, gate, false)
}
