//! Static facts about a provider: URLs, limits and what a key adds.

use serde_json::Value;

use super::defaults::ProviderDefaults;
use super::source::Provider;
use crate::model::ProviderName;
use crate::service::upstream::Response;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::settings::ResolvedSettings;

/// Static facts about a provider: URLs, limits and what a key adds.
#[derive(Clone, Copy, Debug)]
pub struct ProviderInfo {
    /// The provider.
    pub name: ProviderName,
    /// Creates it. Opens no connection.
    pub create: fn(&ResolvedSettings, RequestBudget) -> Provider,
    /// URLs and limits without an API key.
    pub keyless: ProviderDefaults,
    /// URLs and limits with an API key.
    pub keyed: ProviderDefaults,
    /// Whether it serves nothing without a key.
    pub needs_key: bool,
    /// Whether the key is sent only with operations that need one, so that the others don't use up its monthly limit,
    /// unless the user sets a base URL.
    pub sends_key_only_if_needed: bool,
    /// The format of its coin ids; `None` if it has no own ids. The configuration has a key for them in
    /// `[coins.SLUG]`.
    pub coin_ids: Option<CoinIds>,
    /// Whether its coin ids are also satscope's, for coins that are built in or configured.
    pub defines_coin_ids: bool,
    /// Whether it is another satscope service, which has IDs and slugs of its own.
    pub is_service: bool,
    /// Whether it is an exchange that lists coins as USDT pairs. The configuration has a key for a coin's pair.
    pub has_listings: bool,
    /// Whether its stream is on the server of the base URL, so that another base URL replaces the default stream.
    pub streams_from_base: bool,
    /// Whether its requests are spread like other providers' while the program starts.
    pub waits_at_start: bool,
    /// Whether looked-up addresses are sent to it.
    pub takes_addresses: bool,
    /// The terms about serving its data to others, without a full stop; `None` if unknown.
    pub redistribution: Option<&'static str>,
    /// What a free key or an own server adds, as a sentence without a full stop.
    pub benefit: Option<&'static str>,
    /// Undocumented behaviour to check.
    pub probe: Option<Probe>,
}

/// The format of a provider's coin ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoinIds {
    /// Numbers, such as `25028`.
    Numbers,
    /// Words, such as `bitcoin-cash`.
    Words,
}

/// Undocumented behaviour of a provider, and the request that checks it.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    /// The fact, in a few words.
    pub fact: &'static str,
    /// The path and query of the request.
    pub path: &'static str,
    /// Whether the check passes, given a successful response.
    pub holds: fn(&Response) -> bool,
}

impl Probe {
    /// The text at a JSON pointer in a response.
    pub(super) fn text_at(response: &Response, pointer: &str) -> Option<String> {
        response.json::<Value>().ok()?.pointer(pointer)?.as_str().map(str::to_owned)
    }

    /// The number of rows at a JSON pointer in a response.
    pub(super) fn rows(response: &Response, pointer: &str) -> usize {
        let rows = |body: Value| Some(body.pointer(pointer)?.as_array()?.len());
        response.json().ok().and_then(rows).unwrap_or(0)
    }
}

impl ProviderInfo {
    /// A provider with the same limits with and without a key.
    pub(super) const fn new(
        name: ProviderName,
        create: fn(&ResolvedSettings, RequestBudget) -> Provider,
        defaults: ProviderDefaults,
    ) -> ProviderInfo {
        ProviderInfo {
            name,
            create,
            keyless: defaults,
            keyed: defaults,
            needs_key: false,
            sends_key_only_if_needed: false,
            coin_ids: None,
            defines_coin_ids: false,
            is_service: false,
            has_listings: false,
            streams_from_base: false,
            waits_at_start: true,
            takes_addresses: true,
            redistribution: None,
            benefit: None,
            probe: None,
        }
    }

    /// Whether the user has to set its URL: a server of their own, whose data may change at any time.
    pub fn is_own_server(&self) -> bool {
        self.keyless.base_url.or(self.keyed.base_url).is_none()
    }

    /// URLs and limits with or without an API key.
    pub fn defaults(&self, has_key: bool) -> ProviderDefaults {
        if has_key { self.keyed } else { self.keyless }
    }
}
