//! The configuration's word on how the dashboard begins.

use super::Settings;
use crate::app::Preferences;
use crate::app::watch::Watched;
use crate::client::Group;

impl Settings {
    /// What the dashboard begins with.
    pub fn preferences(&self) -> Preferences {
        let name = |group| self.url(group).map_or_else(|| String::from("DEMO"), host);
        let url = |group| self.url(group).map_or_else(|| String::from("embedded service"), str::to_owned);
        Preferences {
            page_size: self.display.page_size,
            period: self.display.period,
            interval: self.wallet.interval.clone(),
            convert: self.display.convert.clone(),
            watched: self.wallet.symbols.iter().map(|symbol| Watched::by_symbol(symbol)).collect(),
            sources: [name(Group::Market), name(Group::Indexer)],
            urls: [url(Group::Market), url(Group::Indexer)],
            mouse: true,
        }
    }
}

/// The host of a URL, which is what people know a service by.
fn host(url: &str) -> String {
    let parsed = url::Url::parse(url).ok();
    parsed.as_ref().and_then(|url| url.host_str()).unwrap_or(url).to_owned()
}
