//! The settings themselves, and what the client needs of them.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::{Dirs, Error, Flags, keys};
use crate::app::Preferences;
use crate::client::config::Secret;
use crate::client::{ClientConfig, Group, Limits, Paths, TextForm};
use crate::fetch;
use crate::glyphs::Glyphs;
use crate::keymap::Keymap;
use crate::model::{Currency, Period, Text};
use crate::service::gateway::{Gateway, LiveSettings};
use crate::service::providers::Providers;
use crate::service::{Options, TimeSource};

/// Everything that can be set, complete and checked.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Where the interface is.
    pub source: Source,
    /// Limits on every answer.
    pub limits: Limits,
    /// How it is shown.
    pub display: Display,
    /// The watched symbols.
    pub wallet: Wallet,
    /// Overrides of how long answers count as fresh.
    pub freshness: Freshness,
    /// Requests that are not for the screen.
    pub background: Background,
    /// The log.
    pub log: Log,
    /// Providers of live data.
    pub live: LiveSettings,
    /// The keys.
    pub keys: Keymap,
    /// Where files live.
    pub dirs: Dirs,
    /// The configuration file that was read, if there is one.
    pub file: Option<PathBuf>,
    pub(super) origins: BTreeMap<String, Origin>,
}

/// Where the interface is. A group without a URL is served by the embedded service.
#[derive(Clone, Debug)]
pub struct Source {
    /// Market group, without a trailing slash.
    pub base_url: Option<String>,
    /// Indexer group, without a trailing slash.
    pub indexer_url: Option<String>,
    /// The embedded service has live data, from public providers, instead of simulated data.
    pub live: bool,
    /// Extra headers of the market group.
    pub market_headers: Vec<(String, Secret)>,
    /// Extra headers of the indexer group.
    pub indexer_headers: Vec<(String, Secret)>,
    /// What the `start` of `/coins` counts from, 0 or 1.
    pub first_index: u32,
    /// The path of every operation.
    pub paths: Paths,
    /// What was last seen is kept in the cache directory, for the next start's first frame.
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

/// How things are shown.
#[derive(Clone, Debug)]
pub struct Display {
    /// The currency of money.
    pub convert: Currency,
    /// The period that charts start with.
    pub period: Period,
    /// Coins on a page of a list.
    pub page_size: u32,
    /// Plain ASCII instead of braille, arrows and boxes.
    pub ascii: Ascii,
}

impl Default for Display {
    fn default() -> Self {
        let Preferences { convert, period, page_size, .. } = Preferences::default();
        Display { convert, period, page_size, ascii: Ascii::Auto }
    }
}

impl Display {
    /// The characters to show it in: by the setting, and where that leaves it open by this process's environment.
    pub fn glyphs(&self) -> Glyphs {
        let variable = |name: &str| std::env::var(name).ok();
        match self.ascii {
            Ascii::Always => Glyphs::Ascii,
            Ascii::Never => Glyphs::Unicode,
            Ascii::Auto => {
                let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|v| !v.is_empty());
                Glyphs::detect(variable("TERM").as_deref(), locale.as_deref())
            }
        }
    }
}

/// Whether glyphs are plain ASCII.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ascii {
    /// By the locale.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The Wallet tab's start.
#[derive(Clone, Debug)]
pub struct Wallet {
    /// Symbols that are watched until the user changes them.
    pub symbols: Vec<Text>,
    /// Step between the points of the wallet's series.
    pub interval: Text,
}

impl Default for Wallet {
    fn default() -> Self {
        let Preferences { watched, interval, .. } = Preferences::default();
        Wallet { symbols: watched.into_iter().map(|coin| coin.symbol).collect(), interval }
    }
}

/// Requests that are not for the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Background {
    /// Maximum requests a minute; 0 for none.
    pub per_minute: u32,
}

impl Default for Background {
    fn default() -> Self {
        Background { per_minute: fetch::BACKGROUND_PER_MINUTE }
    }
}

/// How long answers count as fresh where the server says nothing; `None` leaves the interface's own time.
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

/// The log. Off where no file is named.
#[derive(Clone, Debug)]
pub struct Log {
    /// Where it is written.
    pub file: Option<PathBuf>,
    /// What is written: a level, or levels by part, as [`tracing_subscriber::filter::Targets`] reads them.
    pub filter: String,
}

impl Default for Log {
    fn default() -> Self {
        Log { file: None, filter: String::from("info") }
    }
}

/// Where a value came from. Prints as a place: `~/.config/satscope/config.toml:3`, `SATSCOPE_BASE_URL`, `--base-url`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Built in.
    Default,
    /// The configuration file.
    File {
        /// Which.
        path: PathBuf,
        /// Counts from 1.
        line: usize,
    },
    /// An environment variable.
    Variable(&'static str),
    /// An option of the command line.
    Flag(&'static str),
}

/// Names the directory of user data among the settings.
pub(super) const STATE_DIRECTORY: &str = "state directory";

/// Names the directory of the cache among the settings.
pub(super) const CACHE_DIRECTORY: &str = "cache directory";

/// Where a source that nobody may configure comes from.
const DEMO: Origin = Origin::Flag("--demo");

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File { path, line } => write!(f, "{}:{line}", path.display()),
            Origin::Variable(name) | Origin::Flag(name) => f.write_str(name),
        }
    }
}

impl Settings {
    /// The URL of a group; `None` where the embedded service answers it.
    pub fn url(&self, group: Group) -> Option<&str> {
        match group {
            Group::Market => self.source.base_url.as_deref(),
            Group::Indexer => self.source.indexer_url.as_deref(),
        }
    }

    /// Whether a group's data are simulated although nobody asked for that by `--demo`.
    pub fn simulates_unasked(&self, group: Group) -> bool {
        let key = match group {
            Group::Market => "source.base_url",
            Group::Indexer => "source.indexer_url",
        };
        self.url(group).is_none() && !self.source.live && *self.origin(key) != DEMO
    }

    /// Whether a group's data come from public providers, through the embedded service.
    pub fn is_live(&self, group: Group) -> bool {
        self.source.live && self.url(group).is_none()
    }

    /// The options of the embedded service: simulated data, or a gateway to public providers, which is made here.
    pub fn service_options(&self) -> Options {
        let defaults = Options::default();
        let live = self.source.live.then(|| self.live_providers(defaults.time.clone()));
        Options { providers: live, ..defaults }
    }

    /// A gateway to the configured public providers.
    pub fn live_providers(&self, time: TimeSource) -> Providers {
        let state = self.dirs.state.clone();
        Providers::live(&Gateway::new(LiveSettings { limits: self.limits.clone(), state, ..self.live.clone() }, time))
    }

    /// Whether any group is answered by the embedded service.
    pub fn needs_service(&self) -> bool {
        self.source.base_url.is_none() || self.source.indexer_url.is_none()
    }

    /// What the client must be told. `embedded` is the embedded service's URL, for the groups that have none of their
    /// own; such a group is asked at the interface's own paths, without the headers meant for somebody else.
    pub fn client_config(&self, embedded: &str) -> ClientConfig {
        let source = &self.source;
        let own = Paths::default();
        let (has_market, has_indexer) = (source.base_url.is_some(), source.indexer_url.is_some());
        let market = if has_market { &source.paths } else { &own };
        let indexer = if has_indexer { &source.paths } else { &own };
        let headers = |list: &Vec<(String, Secret)>, used: bool| if used { list.clone() } else { Vec::new() };
        ClientConfig {
            base_url: source.base_url.clone().unwrap_or_else(|| embedded.to_owned()),
            indexer_url: source.indexer_url.clone().unwrap_or_else(|| embedded.to_owned()),
            market_headers: headers(&source.market_headers, has_market),
            indexer_headers: headers(&source.indexer_headers, has_indexer),
            paths: Paths {
                coins: market.coins.clone(),
                content: market.content.clone(),
                exchanges: market.exchanges.clone(),
                chart: market.chart.clone(),
                market_data: market.market_data.clone(),
                coins_stats: market.coins_stats.clone(),
                brc20_tokens: indexer.brc20_tokens.clone(),
                brc20_token: indexer.brc20_token.clone(),
                brc20_holders: indexer.brc20_holders.clone(),
                brc20_balances: indexer.brc20_balances.clone(),
                brc20_activity: indexer.brc20_activity.clone(),
                sat: indexer.sat.clone(),
                sat_inscriptions: indexer.sat_inscriptions.clone(),
                inscriptions: indexer.inscriptions.clone(),
                inscription: indexer.inscription.clone(),
                inscription_content: indexer.inscription_content.clone(),
                inscription_stats: indexer.inscription_stats.clone(),
            },
            first_index: if has_market { source.first_index } else { 1 },
            limits: self.limits.clone(),
            text: TextForm::default(),
            no_cache: false,
        }
    }

    /// Where the value of a key (such as `source.base_url`) came from.
    pub fn origin(&self, key: &str) -> &Origin {
        self.origins.get(key).unwrap_or(&Origin::Default)
    }

    /// Every key with its value as text (a header's value is not shown) and its origin, in the order of the file.
    pub fn rows(&self) -> Vec<(String, String, &Origin)> {
        keys::rows(self).into_iter().map(|(key, value)| (key.clone(), value, self.origin(&key))).collect()
    }

    /// The directories of user data and cache, as [`Settings::rows`]. They have no key: the environment sets them.
    pub fn directories(&self) -> [(&'static str, String, &Origin); 2] {
        let directories = [(STATE_DIRECTORY, &self.dirs.state), (CACHE_DIRECTORY, &self.dirs.cache)];
        directories.map(|(name, path)| {
            let path = path.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
            (name, path, self.origin(name))
        })
    }

    /// The embedded service for both groups, whatever the file and the environment say.
    pub(super) fn use_demo(&mut self, flags: &Flags) -> Result<(), Error> {
        let origin = DEMO;
        for (flag, given) in [("--base-url", &flags.base_url), ("--indexer-url", &flags.indexer_url)] {
            if given.is_some() {
                return Err(Error::at(
                    &origin,
                    format!("can't be used with {flag}; a group without a URL is the demo"),
                ));
            }
        }
        if flags.live {
            return Err(Error::at(&origin, String::from("can't be used with --live; data are simulated or live")));
        }
        self.source.live = false;
        self.source.base_url = None;
        self.source.indexer_url = None;
        for key in ["source.base_url", "source.indexer_url", "source.live"] {
            self.origins.insert(key.to_owned(), origin.clone());
        }
        Ok(())
    }

    /// What depends on other values: a first byte can come no later than the whole answer.
    pub(super) fn complete(&mut self) {
        if self.origin("limits.first_byte_timeout") == &Origin::Default || self.limits.first_byte > self.limits.total {
            self.limits.first_byte = self.limits.total;
        }
    }
}
