//! Client configuration: URLs, headers and limits.

use std::fmt;
use std::time::Duration;

use super::base::Base;
use crate::format;

/// Maximum size of inscription content in bytes.
pub const MAX_CONTENT_BYTES: u64 = 16 * 1024;

/// Maximum size of an image's file in bytes.
pub const MAX_IMAGE_BYTES: u64 = 1 << 20;

/// Configuration of a [`Client`](super::Client). `Debug` hides header values, and user names and passwords in URLs.
#[derive(Clone)]
pub struct ClientConfig {
    /// Base URL of the market group, without a trailing slash.
    pub base_url: String,
    /// Base URL of the indexer group, without a trailing slash.
    pub indexer_url: String,
    /// Extra headers for the market group, such as an API key.
    pub market_headers: Vec<(String, Secret)>,
    /// Extra headers for the indexer group.
    pub indexer_headers: Vec<(String, Secret)>,
    /// The path of every operation.
    pub paths: Paths,
    /// First index of `/coins`: 1 (the default) or 0.
    pub first_index: u32,
    /// Limits of every response.
    pub limits: Limits,
    /// Form of names, tickers and text.
    pub text: TextForm,
    /// Whether the market group is certainly our own service, which distinguishes coins of a symbol by `slug`. A client
    /// also learns it from responses. Other services may reject unknown parameters.
    pub is_own_market: bool,
    /// Bypasses HTTP caches (`Cache-Control: no-cache`).
    pub no_cache: bool,
    /// Whether a rate-limited request waits as long as the service asks, within the timeout, and is sent again. The
    /// dashboard decides itself when to retry.
    pub waits_if_limited: bool,
}

/// The treatment of text from responses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextForm {
    /// Cleaned and limited in length: safe for the screen, the clipboard, the title, tables and the log.
    #[default]
    Clean,
    /// Unchanged, for formats with their own escapes. Never print it to a terminal.
    Original,
}

impl ClientConfig {
    /// A service with both groups at this URL, default paths and no key.
    pub fn at(url: &str) -> ClientConfig {
        ClientConfig {
            base_url: url.to_owned(),
            indexer_url: url.to_owned(),
            market_headers: Vec::new(),
            indexer_headers: Vec::new(),
            paths: Paths::default(),
            first_index: 1,
            limits: Limits::default(),
            text: TextForm::default(),
            is_own_market: false,
            no_cache: false,
            waits_if_limited: false,
        }
    }
}

impl fmt::Debug for ClientConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = |url: &str| Base::parse(url).map_or_else(|_| String::from("(unusable)"), |base| base.join(""));
        f.debug_struct("ClientConfig")
            .field("base_url", &place(&self.base_url))
            .field("indexer_url", &place(&self.indexer_url))
            .field("market_headers", &self.market_headers)
            .field("indexer_headers", &self.indexer_headers)
            .field("paths", &self.paths)
            .field("first_index", &self.first_index)
            .field("limits", &self.limits)
            .field("text", &self.text)
            .finish()
    }
}

/// A secret header value. `Debug` hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Limits of a response.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Maximum bytes after decompression, of one response or of all pages of a list together.
    pub body_bytes: u64,
    /// Maximum rows of a list, all pages together.
    pub rows: u64,
    /// Timeout until the first byte of the response.
    pub first_byte: Duration,
    /// Timeout of one HTTP request, redirects included. Applies to each page of a list.
    pub total: Duration,
    /// Maximum nesting depth.
    pub depth: usize,
    /// Maximum redirects. Only redirects to the same scheme and host are followed.
    pub redirects: usize,
}

impl Limits {
    /// Returns a warning if a list of this size has reached a limit. `next` describes how to request the rest.
    pub fn truncation_warning(
        &self,
        rows: u64,
        bytes: u64,
        next: impl std::fmt::Display,
    ) -> Option<super::request::Warning> {
        let reached = rows >= self.rows || bytes >= self.body_bytes;
        reached.then(|| {
            let mut count = String::new();
            // Writing to a string can't fail.
            let _ = format::grouped(&mut count, &rows.to_string());
            format!("list truncated after {count} rows ({} MiB); continue with {next}", bytes >> 20)
        })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body_bytes: 32 * 1024 * 1024,
            rows: 100_000,
            first_byte: Duration::from_secs(15),
            total: Duration::from_secs(15),
            depth: 64,
            redirects: 5,
        }
    }
}

/// The path of every operation, relative to its group's base URL, with placeholders `{ticker}`, `{address}`,
/// `{ordinal}` and `{id}`.
#[derive(Clone, Debug)]
pub struct Paths {
    /// `/coins`.
    pub coins: String,
    /// `/content`.
    pub content: String,
    /// `/exchanges`.
    pub exchanges: String,
    /// `/chart`.
    pub chart: String,
    /// `/market/data`.
    pub market_data: String,
    /// `/coins/stats`.
    pub coins_stats: String,
    /// `/ordinals/brc-20/tokens`.
    pub brc20_tokens: String,
    /// `/ordinals/brc-20/tokens/{ticker}`.
    pub brc20_token: String,
    /// `/ordinals/brc-20/tokens/{ticker}/holders`.
    pub brc20_holders: String,
    /// `/ordinals/brc-20/balances/{address}`.
    pub brc20_balances: String,
    /// `/ordinals/brc-20/activity`.
    pub brc20_activity: String,
    /// `/ordinals/sats/{ordinal}`.
    pub sat: String,
    /// `/ordinals/sats/{ordinal}/inscriptions`.
    pub sat_inscriptions: String,
    /// The list of inscriptions.
    pub inscriptions: String,
    /// One inscription.
    pub inscription: String,
    /// The content of an inscription.
    pub inscription_content: String,
    /// Inscriptions per block.
    pub inscription_stats: String,
}

impl Default for Paths {
    fn default() -> Self {
        let own = String::from;
        Paths {
            coins: own("/coins"),
            content: own("/content"),
            exchanges: own("/exchanges"),
            chart: own("/chart"),
            market_data: own("/market/data"),
            coins_stats: own("/coins/stats"),
            brc20_tokens: own("/ordinals/brc-20/tokens"),
            brc20_token: own("/ordinals/brc-20/tokens/{ticker}"),
            brc20_holders: own("/ordinals/brc-20/tokens/{ticker}/holders"),
            brc20_balances: own("/ordinals/brc-20/balances/{address}"),
            brc20_activity: own("/ordinals/brc-20/activity"),
            sat: own("/ordinals/sats/{ordinal}"),
            sat_inscriptions: own("/ordinals/sats/{ordinal}/inscriptions"),
            inscriptions: own("/ordinals/inscriptions"),
            inscription: own("/ordinals/inscriptions/{id}"),
            inscription_content: own("/ordinals/inscriptions/{id}/content"),
            inscription_stats: own("/ordinals/stats/inscriptions"),
        }
    }
}
