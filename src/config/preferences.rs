//! Initial preferences of the dashboard.

use super::origin::Origin;
use super::settings::{Images, LIVE, Settings};
use crate::app::Preferences;
use crate::app::preferences::EMBEDDED;
use crate::app::sources::{ConfiguredSources, SourceControl};
use crate::client::Group;
use crate::model::{ProviderName, Text};
use crate::service::operation::Operation;
use crate::user_data::Watched;

impl Settings {
    /// The initial preferences of the dashboard.
    pub fn preferences(&self) -> Preferences {
        let embedded = if self.source.live { "LIVE" } else { "DEMO" };
        let name = |group| self.url(group).map_or_else(|| String::from(embedded), host);
        let url = |group| self.url(group).map_or_else(|| String::from(EMBEDDED), str::to_owned);
        Preferences {
            page_size: self.display.page_size,
            columns: self.list.columns.clone(),
            period: self.display.period,
            averages: self.display.averages.clone(),
            rsi: self.display.rsi,
            cost: self.wallet.cost,
            convert: self.display.convert.clone(),
            convert_fixed: matches!(self.origin("display.convert"), Origin::Flag(_) | Origin::Variable(_)),
            watched: self.wallet.symbols.iter().map(|symbol| Watched::by_symbol(symbol)).collect(),
            live: self.needs_service().then_some(self.source.live),
            offers_live: self.url(Group::Market).is_none()
                && self.url(Group::Indexer).is_none()
                && !self.source.live
                && *self.origin(LIVE) == Origin::Default,
            title: Some(&self.display.title).filter(|title| !title.is_empty()).cloned(),
            sources: [name(Group::Market), name(Group::Indexer)],
            address_receivers: self.address_receivers(&[Operation::Brc20, Operation::Inscriptions]),
            balance_receivers: self.address_receivers(&[Operation::BitcoinBalance]),
            sources_control: self.sources_control(),
            urls: [url(Group::Market), url(Group::Indexer)],
            background_per_minute: self.background.per_minute,
            images: self.display.images != Images::Off,
            mouse: true,
            clipboard: true,
            zone: self.display.time_zone.zone(),
            keys: self.keys.clone(),
        }
    }
}

impl Settings {
    /// The public providers that receive the addresses looked up in the dashboard by these operations.
    fn address_receivers(&self, operations: &[Operation]) -> Vec<ProviderName> {
        let mut receivers = Vec::new();
        if self.is_live(Group::Indexer) {
            for name in operations.iter().flat_map(|operation| self.live.address_receivers(*operation)) {
                if !receivers.contains(&name) {
                    receivers.push(name);
                }
            }
        }
        receivers
    }

    fn sources_control(&self) -> SourceControl {
        let live = &self.live;
        match self.url(Group::Market) {
            Some(_) => SourceControl::Remote,
            None if !self.source.live => SourceControl::Simulated,
            None => SourceControl::Own(ConfiguredSources {
                disabled: ProviderName::ALL.into_iter().filter(|name| !live.is_enabled(*name)).collect(),
                orders: Operation::ALL
                    .into_iter()
                    .map(|operation| (Text::const_new(operation.as_str()), live.order(operation).to_vec()))
                    .collect(),
            }),
        }
    }
}

/// The host of a URL, with the port unless it is the default.
fn host(url: &str) -> String {
    let parsed = url::Url::parse(url).ok();
    let host = parsed.as_ref().and_then(|url| url.host_str()).unwrap_or(url);
    match parsed.as_ref().and_then(url::Url::port) {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_has_its_port_unless_it_is_the_default() {
        for (url, shown) in [
            ("http://127.0.0.1:8080/v1", "127.0.0.1:8080"),
            ("http://[::1]:8080", "[::1]:8080"),
            ("https://coins.example", "coins.example"),
            ("https://coins.example:443/v1", "coins.example"),
            ("http://coins.example:443", "coins.example:443"),
        ] {
            assert_eq!(host(url), shown);
        }
    }
}
