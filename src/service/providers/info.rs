//! Static facts about a provider: URLs, limits and what a key adds.

use super::source::Provider;
use super::terms::Terms;
use crate::model::ProviderName;
use crate::service::upstream::budget::Gate;
use crate::service::upstream::settings::ResolvedSettings;

/// Static facts about a provider: URLs, limits and what a key adds.
#[derive(Clone, Copy, Debug)]
pub struct ProviderInfo {
    /// The provider.
    pub name: ProviderName,
    /// Creates it. Opens no connection.
    pub create: fn(&ResolvedSettings, Gate) -> Provider,
    /// URLs and limits without an API key.
    pub keyless: Terms,
    /// URLs and limits with an API key.
    pub keyed: Terms,
    /// Whether it serves nothing without a key.
    pub needs_key: bool,
    /// Whether the key is sent only with operations that need one, so that the others don't use up its allowance.
    pub spares_key: bool,
    /// Whether it has coin ids of its own, by which [`CoinRef::native_id`](super::coin_ref::CoinRef::native_id) finds a
    /// coin.
    pub has_coin_ids: bool,
    /// Whether its stream is on the server of the base URL, so that another base URL replaces the default stream.
    pub streams_from_base: bool,
    /// Whether addresses that are looked up are sent to it.
    pub takes_addresses: bool,
    /// What its terms say about serving its data to others, without a full stop; `None` if that is not known.
    pub redistribution: Option<&'static str>,
    /// What a free key adds, as a sentence without a full stop.
    pub key_benefit: Option<&'static str>,
}

impl ProviderInfo {
    /// A provider with the same limits with and without a key.
    pub(super) const fn new(
        name: ProviderName,
        create: fn(&ResolvedSettings, Gate) -> Provider,
        terms: Terms,
    ) -> ProviderInfo {
        ProviderInfo {
            name,
            create,
            keyless: terms,
            keyed: terms,
            needs_key: false,
            spares_key: false,
            has_coin_ids: false,
            streams_from_base: false,
            takes_addresses: true,
            redistribution: None,
            key_benefit: None,
        }
    }

    /// URLs and limits with or without an API key.
    pub fn terms(&self, has_key: bool) -> Terms {
        if has_key { self.keyed } else { self.keyless }
    }
}
