//! The settings.

mod alerts;
mod display;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::dirs::Dirs;
use super::error::Error;
use super::flags::Flags;
use super::origin::Origin;
use crate::app::screen::list::CoinColumn;
use crate::app::{Preferences, Session};
use crate::client::config::Secret;
use crate::client::{Group, Limits, Paths};
use crate::fetch;
use crate::keymap::Keymap;
use crate::model::Text;
use crate::portfolio::CostMethod;
use crate::service::gateway::LiveSettings;
use crate::store::SharedDatabase;
use crate::user_data::{SessionEntries, SourceChoices};

pub use alerts::{Alerts, QuietHours};
pub use display::{Ascii, Display, Images};

/// All settings, complete and validated.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Data source.
    pub source: Source,
    /// Limits of every response.
    pub limits: Limits,
    /// Display settings.
    pub display: Display,
    /// Settings of lists.
    pub list: List,
    /// Wallet settings.
    pub wallet: Wallet,
    /// Settings of alerts.
    pub alerts: Alerts,
    /// Overrides of the default freshness.
    pub freshness: Freshness,
    /// Background requests.
    pub background: Background,
    /// Log settings.
    pub log: Log,
    /// Providers of live data, as configured.
    pub live: LiveSettings,
    /// The user's choices about these providers.
    pub sources: SourceChoices,
    /// Key bindings.
    pub keys: Keymap,
    /// Directories.
    pub dirs: Dirs,
    /// The configuration file, if there is one.
    pub file: Option<PathBuf>,
    pub(super) origins: BTreeMap<String, Origin>,
}

/// Data source. A group without a URL uses the embedded service.
#[derive(Clone, Debug)]
pub struct Source {
    /// Base URL of the market group, without a trailing slash.
    pub base_url: Option<String>,
    /// Base URL of the indexer group, without a trailing slash.
    pub indexer_url: Option<String>,
    /// Whether the embedded service uses public providers instead of simulated data.
    pub live: bool,
    /// Extra headers of the market group.
    pub market_headers: Vec<(String, Secret)>,
    /// Extra headers of the indexer group.
    pub indexer_headers: Vec<(String, Secret)>,
    /// First index of `/coins`, 0 or 1.
    pub first_index: u32,
    /// The path of every operation.
    pub paths: Paths,
    /// Whether responses are cached in the cache directory for the first frame of the next start.
    pub cache: bool,
}

impl Default for Source {
    fn default() -> Self {
        Source {
            base_url: None,
            indexer_url: None,
            live: false,
            market_headers: Vec::new(),
            indexer_headers: Vec::new(),
            first_index: 1,
            paths: Paths::default(),
            cache: true,
        }
    }
}

/// Settings of lists.
#[derive(Clone, Debug)]
pub struct List {
    /// The columns besides the fixed ones.
    pub columns: Vec<CoinColumn>,
}

impl Default for List {
    fn default() -> Self {
        List { columns: Preferences::default().columns }
    }
}

/// Wallet settings.
#[derive(Clone, Debug)]
pub struct Wallet {
    /// Symbols on the watchlist until the user changes it.
    pub symbols: Vec<Text>,
    /// Cost basis method of sales.
    pub cost: CostMethod,
}

impl Default for Wallet {
    fn default() -> Self {
        let Preferences { watched, cost, .. } = Preferences::default();
        Wallet { symbols: watched.into_iter().map(|coin| coin.symbol).collect(), cost }
    }
}

/// Background requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Background {
    /// Maximum requests per minute; 0 disables them.
    pub per_minute: u32,
}

impl Default for Background {
    fn default() -> Self {
        Background { per_minute: fetch::BACKGROUND_PER_MINUTE }
    }
}

/// Default freshness of responses without `max-age`; `None` means the default of the interface.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Freshness {
    /// Coins.
    pub coins: Option<Duration>,
    /// Posts.
    pub posts: Option<Duration>,
    /// Market pairs.
    pub pairs: Option<Duration>,
    /// Charts.
    pub chart: Option<Duration>,
    /// The wallet's series.
    pub market: Option<Duration>,
    /// The indexer group.
    pub indexer: Option<Duration>,
}

/// Log settings. No file means no log.
#[derive(Clone, Debug)]
pub struct Log {
    /// Log file.
    pub file: Option<PathBuf>,
    /// Filter: a level, or levels per module, see [`tracing_subscriber::filter::Targets`].
    pub filter: String,
}

impl Default for Log {
    fn default() -> Self {
        Log { file: None, filter: String::from("info") }
    }
}

/// Key of the origin of the user data directory.
pub(super) const STATE_DIRECTORY: &str = "state directory";

/// Key of the origin of the cache directory.
pub(super) const CACHE_DIRECTORY: &str = "cache directory";

/// Key of the choice between simulated and live data.
pub(super) const LIVE: &str = "source.live";

/// Origin of the source with `--demo`.
const DEMO: Origin = Origin::Flag("--demo");

impl Settings {
    /// The URL of a group; `None` if it uses the embedded service.
    pub fn url(&self, group: Group) -> Option<&str> {
        match group {
            Group::Market => self.source.base_url.as_deref(),
            Group::Indexer => self.source.indexer_url.as_deref(),
        }
    }

    /// Whether a group's data is simulated without `--demo`.
    pub fn simulates_by_default(&self, group: Group) -> bool {
        let key = match group {
            Group::Market => "source.base_url",
            Group::Indexer => "source.indexer_url",
        };
        self.url(group).is_none() && !self.source.live && *self.origin(key) != DEMO
    }

    /// Whether a group's data comes from public providers via the embedded service.
    pub fn is_live(&self, group: Group) -> bool {
        self.source.live && self.url(group).is_none()
    }

    /// The store of the state directory; nothing is opened yet.
    pub fn store(&self) -> SharedDatabase {
        SharedDatabase::new(self.dirs.state.clone())
    }

    /// Whether any group uses the embedded service.
    pub fn needs_service(&self) -> bool {
        self.source.base_url.is_none() || self.source.indexer_url.is_none()
    }

    /// Origin of the value of a key, such as `source.base_url`.
    pub fn origin(&self, key: &str) -> &Origin {
        if self.sources.has(key) { &Origin::Sources } else { self.origins.get(key).unwrap_or(&Origin::Default) }
    }

    /// The directories of user data and cache in the form of [`Settings::rows`]. They are set by the environment only.
    pub fn directories(&self) -> [(&'static str, String, &Origin); 2] {
        let directories = [(STATE_DIRECTORY, &self.dirs.state), (CACHE_DIRECTORY, &self.dirs.cache)];
        directories.map(|(name, path)| {
            let path = path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
            (name, path, self.origin(name))
        })
    }

    /// Applies the choice between simulated and live data made in the dashboard, unless a flag or a variable sets it.
    pub fn apply_session(&mut self, session: &SessionEntries) {
        let is_fixed = matches!(self.origin(LIVE), Origin::Flag(_) | Origin::Variable(_));
        if let Some(live) = Session::from_entries(session).live.filter(|_| !is_fixed) {
            self.choose_live(live);
        }
    }

    /// Whether data is live because of a choice in the dashboard, not of a flag, a variable or the configuration file.
    pub fn is_live_by_choice(&self) -> bool {
        self.source.live && *self.origin(LIVE) == Origin::Session
    }

    /// Switches the embedded service to live or simulated data, regardless of the configuration.
    pub fn choose_live(&mut self, live: bool) {
        self.source.live = live;
        self.origins.insert(String::from(LIVE), Origin::Session);
    }

    /// Uses the embedded service for both groups, overriding file and environment.
    pub(super) fn use_demo(&mut self, flags: &Flags) -> Result<(), Error> {
        let origin = DEMO;
        for (flag, given) in [("--base-url", &flags.base_url), ("--indexer-url", &flags.indexer_url)] {
            if given.is_some() {
                return Err(Error::general(format!(
                    "{origin} can't be used with {flag}; omit the URL of a group to simulate it"
                )));
            }
        }
        if flags.live {
            return Err(Error::general(format!("{origin} can't be used with --live")));
        }
        self.source.live = false;
        self.source.base_url = None;
        self.source.indexer_url = None;
        for key in ["source.base_url", "source.indexer_url", LIVE] {
            self.origins.insert(key.to_owned(), origin.clone());
        }
        Ok(())
    }

    /// Adjusts dependent values: the first-byte timeout can't exceed the total timeout.
    pub(super) fn complete(&mut self) {
        if self.origin("limits.first_byte_timeout") == &Origin::Default || self.limits.first_byte > self.limits.total {
            self.limits.first_byte = self.limits.total;
        }
    }
}
