//! ordinals.com: inscriptions on sats, and single inscriptions. Needs no key. It publishes no rate limits, so requests
//! are sent slowly.
//!
//! Its JSON API is disabled, so only the recursive endpoints (`/r/`) are used.

use super::defaults::ProviderDefaults;
use super::info::{Probe, ProviderInfo};
use super::ord::Ord;
use super::source::Provider;
use crate::model::ProviderName;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::settings::ResolvedSettings;

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    // Its recursive endpoints have no addresses.
    takes_addresses: false,
    probe: Some(Probe {
        fact: "inscriptions of a sat are available as JSON",
        path: "/r/sat/1914287520444193/at/-1",
        holds: |response| response.json::<serde_json::Value>().is_ok_and(|body| body.get("id").is_some()),
    }),
    ..ProviderInfo::new(ProviderName::Ordinals, provider, ProviderDefaults::at("https://ordinals.com", 1_000))
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    Ord::provider(settings, budget, false)
}
