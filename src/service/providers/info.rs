//! Static facts about a provider: URLs, limits and what a key adds.

use super::terms::Terms;
use crate::model::ProviderName;

/// Static facts about a provider: URLs, limits and what a key adds.
#[derive(Clone, Copy, Debug)]
pub struct ProviderInfo {
    /// The provider.
    pub name: ProviderName,
    /// URLs and limits without an API key.
    pub keyless: Terms,
    /// URLs and limits with an API key.
    pub keyed: Terms,
    /// Whether it serves nothing without a key.
    pub needs_key: bool,
    /// Whether the key is sent only with operations that need one, so that the others don't use up its allowance.
    pub spares_key: bool,
    /// Whether addresses that are looked up are sent to it.
    pub takes_addresses: bool,
    /// What a free key adds, as a sentence without a full stop.
    pub key_benefit: Option<&'static str>,
}

impl ProviderInfo {
    /// A provider with the same limits with and without a key.
    pub(super) const fn new(name: ProviderName, terms: Terms) -> ProviderInfo {
        ProviderInfo {
            name,
            keyless: terms,
            keyed: terms,
            needs_key: false,
            spares_key: false,
            takes_addresses: true,
            key_benefit: None,
        }
    }

    /// URLs and limits with or without an API key.
    pub fn terms(&self, has_key: bool) -> Terms {
        if has_key { self.keyed } else { self.keyless }
    }
}
