//! UniSat's server: paths, pages, and the newest block in its responses.

use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;

use super::rows;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::Load;
use crate::service::upstream::{Response, Upstream};

/// Bytes of the tickers that may have a separate path.
pub(super) const SIX_BYTES: usize = 6;

/// Maximum rows per page.
pub(super) const ROWS: usize = 500;

/// The paths of all tickers, and of 6-byte tickers on some servers.
const ALL: &str = "brc20";
const SEPARATE: &str = "brc20-prog";

/// The facts about a token, below its path.
pub(super) const INFO: &str = "info";

/// The server.
pub(super) struct Server {
    pub(super) upstream: Upstream,
    /// The newest block in the last response that named it, or a later one with events; 0 if unknown.
    height: AtomicU64,
    /// The path where tickers of 6 bytes were found.
    path_of_six_bytes: Mutex<Option<&'static str>>,
}

/// Why the events of a token can't be fetched.
pub(super) struct EventsError {
    pub(super) error: SourceError,
    /// Whether the server has the token, although it reports it as unknown: it may not know the type of events.
    pub(super) has_ticker: bool,
}

impl From<SourceError> for EventsError {
    fn from(error: SourceError) -> EventsError {
        EventsError { error, has_ticker: false }
    }
}

impl Server {
    pub(super) fn new(upstream: Upstream) -> Server {
        Server { upstream, height: AtomicU64::new(0), path_of_six_bytes: Mutex::default() }
    }

    /// Fetches a list. A list always exists, so an error that means “not found” for an item is a server error here.
    pub(super) async fn list(&self, path: &str) -> SourceResult<Response> {
        self.upstream.get(path).await.map_err(|error| match error.class {
            ErrorClass::NotFound => SourceError { class: ErrorClass::Failing, ..error },
            _ => error,
        })
    }

    /// Fetches events of a token. UniSat sends the code for an unknown ticker even if it can't read the events of a known
    /// one, so the ticker is checked.
    pub(super) async fn ticker_events(&self, ticker: &str, what: &str) -> Result<Response, EventsError> {
        match self.ticker_resource(ticker, what).await {
            Ok(found) => Ok(found),
            Err(error) => Err(self.without_events(ticker, error).await),
        }
    }

    /// Fetches events of a token and an address.
    pub(super) async fn address_events(&self, ticker: &str, path: &str) -> SourceResult<Response> {
        match self.upstream.get(path).await {
            Err(error) => Err(self.without_events(ticker, error).await.error),
            found => found,
        }
    }

    /// The error if the events of a ticker are not found: a server error if the server knows the ticker. For some tickers of
    /// 6 bytes, it has no events.
    async fn without_events(&self, ticker: &str, error: SourceError) -> EventsError {
        let is_long = ticker.len() == SIX_BYTES;
        match error.class {
            ErrorClass::NotFound => {}
            ErrorClass::Rejected if is_long => {}
            _ => return error.into(),
        }
        let (has_ticker, error) = self.missing(ticker, error).await;
        let error = if is_long && has_ticker {
            SourceError::unsupported_because("UniSat has no events for this 6-byte ticker: set indexer_url")
        } else {
            error
        };
        EventsError { error, has_ticker }
    }

    /// Fetches a resource below a token's path. Tickers of 6 bytes may have a separate path.
    pub(super) async fn ticker_resource(&self, ticker: &str, what: &str) -> SourceResult<Response> {
        let name = path_name(ticker);
        let path = |place: &str| format!("/v1/indexer/{place}/{name}/{what}");
        if ticker.len() != SIX_BYTES {
            return self.upstream.get(&path(ALL)).await;
        }
        let known = self.known_path();
        let (first, second) = if known == Some(SEPARATE) { (SEPARATE, ALL) } else { (ALL, SEPARATE) };
        let error = match self.upstream.get(&path(first)).await {
            Err(error) => error,
            Ok(found) => {
                // A list may be empty where the token is not.
                if known.is_none() && what == INFO {
                    self.set_path(first);
                }
                return Ok(found);
            }
        };
        if !matches!(error.class, ErrorClass::NotFound | ErrorClass::Rejected | ErrorClass::Failing) {
            return Err(error);
        }
        match self.upstream.get(&path(second)).await {
            // The first path may have the token.
            Err(other) if other.class == ErrorClass::NotFound && error.class == ErrorClass::Failing => Err(error),
            Ok(response) => {
                if error.class != ErrorClass::Failing {
                    self.set_path(second);
                }
                Ok(response)
            }
            failed => failed,
        }
    }

    /// Whether a ticker is at a separate path. The first one of 6 bytes is looked up.
    ///
    /// # Errors
    /// The lookup failed.
    pub(super) async fn is_at_separate_path(&self, ticker: &str) -> SourceResult<bool> {
        if ticker.len() != SIX_BYTES {
            return Ok(false);
        }
        if self.known_path().is_none() {
            self.ticker_resource(ticker, INFO).await?;
        }
        Ok(self.known_path() == Some(SEPARATE))
    }

    /// Whether one of these tickers is known to be at a separate path.
    pub(super) fn has_separate_path(&self, tickers: &[String]) -> bool {
        self.known_path() == Some(SEPARATE) && tickers.iter().any(|ticker| ticker.len() == SIX_BYTES)
    }

    fn known_path(&self) -> Option<&'static str> {
        *self.path_of_six_bytes.lock()
    }

    fn set_path(&self, path: &'static str) {
        *self.path_of_six_bytes.lock() = Some(path);
    }

    /// The error about a resource of a ticker that may be unknown, and whether the server has the ticker.
    pub(super) async fn missing(&self, ticker: &str, error: SourceError) -> (bool, SourceError) {
        match self.ticker_resource(ticker, INFO).await {
            Ok(_) => (true, SourceError { class: ErrorClass::Failing, ..error }),
            Err(unknown) if unknown.class == ErrorClass::NotFound => (false, error),
            Err(other) => (false, other),
        }
    }

    /// The newest known block.
    pub(super) fn height(&self) -> Option<u64> {
        Some(self.height.load(Ordering::Relaxed)).filter(|height| *height > 0)
    }

    /// Records the newest block in a response; many have none.
    pub(super) fn note_height(&self, response: &Response) {
        let Some(height) = rows::height(response) else { return };
        if let Some(load) = Load::current() {
            load.note_height(height);
        }
        self.height.store(height, Ordering::Relaxed);
    }

    /// Records that a block is indexed.
    pub(super) fn note_indexed(&self, height: u64) {
        self.height.fetch_max(height, Ordering::Relaxed);
    }
}

/// A ticker as a path segment: hex-encoded if it contains special characters.
pub(super) fn path_name(ticker: &str) -> String {
    use std::fmt::Write as _;

    if !ticker.is_empty() && ticker.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return ticker.to_owned();
    }
    ticker.bytes().fold(String::new(), |mut hex, byte| {
        // Writing to a string can't fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_tickers_are_hex_encoded_in_paths() {
        for (ticker, path) in [("ordi", "ordi"), ("🔥", "f09f94a5"), ("a/b?", "612f623f"), ("x\"y z", "7822792 07a")]
        {
            assert_eq!(path_name(ticker), path.replace(' ', ""), "{ticker}");
        }
    }
}
