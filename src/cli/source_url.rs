//! The URL that commands name as the source of their data.

use crate::client::endpoint::Base;
use crate::client::{Group, Reply};
use crate::config::Settings;
use crate::model::{ProviderName, provider};

/// The URL of a response, without secrets. The embedded service ends with the command, so live data has the base URL
/// of its provider instead; of the first one if there are several.
pub(super) fn source_url(reply: &Reply, group: Group, settings: &Settings) -> String {
    let is_embedded = settings.url(group).is_none();
    let provider = if is_embedded { provider_url(reply, settings) } else { None };
    provider.unwrap_or_else(|| reply.url.clone())
}

fn provider_url(reply: &Reply, settings: &Settings) -> Option<String> {
    let name = ProviderName::parse(provider::first(reply.provider.as_deref()?))?;
    let url = settings.live_settings().provider(name).base_url?;
    Base::parse(&url).ok().map(|base| base.join(""))
}
