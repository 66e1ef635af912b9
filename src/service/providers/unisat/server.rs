//! UniSat's server: paths, pages, and the newest block in its responses.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::rows;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::Load;
use crate::service::upstream::{Response, Upstream};

/// Bytes of the tickers that may have a separate path.
pub(super) const SIX_BYTES: usize = 6;

/// Maximum rows per page.
pub(super) const ROWS: usize = 500;

/// The paths of all tickers, and of those of 6 bytes on some servers.
const ALL: &str = "brc20";
const SEPARATE: &str = "brc20-prog";

/// The server.
pub(super) struct Server {
    pub(super) upstream: Upstream,
    /// The newest block in the last response that named it, or a later one with events; 0 if unknown.
    height: AtomicU64,
    /// Whether tickers of 6 bytes were found at their separate path only.
    has_separate_path: AtomicBool,
}

impl Server {
    pub(super) fn new(upstream: Upstream) -> Server {
        Server { upstream, height: AtomicU64::new(0), has_separate_path: AtomicBool::new(false) }
    }

    /// Fetches a list. A list always exists, so an error that means “not found” for an item is a server error here.
    pub(super) async fn list(&self, path: &str) -> SourceResult<Response> {
        self.upstream.get(path).await.map_err(|error| match error.class {
            ErrorClass::NotFound => SourceError { class: ErrorClass::Failing, ..error },
            _ => error,
        })
    }

    /// Fetches events of a token. UniSat sends the code for an unknown ticker also if it can't read the events of a known
    /// one, so the ticker is checked.
    pub(super) async fn ticker_events(&self, ticker: &str, what: &str) -> SourceResult<Response> {
        match self.ticker_resource(ticker, what).await {
            Err(error) => Err(self.without_events(ticker, error).await),
            found => found,
        }
    }

    /// Fetches events of a token and an address.
    pub(super) async fn address_events(&self, ticker: &str, path: &str) -> SourceResult<Response> {
        match self.upstream.get(path).await {
            Err(error) => Err(self.without_events(ticker, error).await),
            found => found,
        }
    }

    /// The error if the events of a ticker are not found: a server error if the server knows the ticker. For some tickers of
    /// 6 bytes, it has no events.
    async fn without_events(&self, ticker: &str, error: SourceError) -> SourceError {
        let is_long = ticker.len() == SIX_BYTES;
        match error.class {
            ErrorClass::NotFound => {}
            ErrorClass::Rejected if is_long => {}
            _ => return error,
        }
        let error = self.missing(ticker, error).await;
        match error.class {
            ErrorClass::Failing if is_long => {
                SourceError::unsupported_because("UniSat has no events for this 6-byte ticker: set indexer_url")
            }
            _ => error,
        }
    }

    /// Fetches a resource below a token's path. Tickers of 6 bytes may have a separate path.
    pub(super) async fn ticker_resource(&self, ticker: &str, what: &str) -> SourceResult<Response> {
        let name = path_name(ticker);
        let path = |place: &str| format!("/v1/indexer/{place}/{name}/{what}");
        if ticker.len() != SIX_BYTES {
            return self.upstream.get(&path(ALL)).await;
        }
        let (first, second) = if self.uses_separate_path(ticker) { (SEPARATE, ALL) } else { (ALL, SEPARATE) };
        let error = match self.upstream.get(&path(first)).await {
            Err(error) => error,
            found => return found,
        };
        if !matches!(error.class, ErrorClass::NotFound | ErrorClass::Rejected | ErrorClass::Failing) {
            return Err(error);
        }
        match self.upstream.get(&path(second)).await {
            // The first path may have the token.
            Err(other) if other.class == ErrorClass::NotFound && error.class == ErrorClass::Failing => Err(error),
            Ok(response) => {
                if error.class != ErrorClass::Failing {
                    self.has_separate_path.store(second == SEPARATE, Ordering::Relaxed);
                }
                Ok(response)
            }
            failed => failed,
        }
    }

    /// Whether tickers like this one were found at their separate path only.
    pub(super) fn uses_separate_path(&self, ticker: &str) -> bool {
        ticker.len() == SIX_BYTES && self.has_separate_path.load(Ordering::Relaxed)
    }

    /// The error about a resource of a ticker that may be unknown: that of the server if it knows the ticker.
    pub(super) async fn missing(&self, ticker: &str, error: SourceError) -> SourceError {
        match self.ticker_resource(ticker, "info").await {
            Ok(_) => SourceError { class: ErrorClass::Failing, ..error },
            Err(unknown) if unknown.class == ErrorClass::NotFound => error,
            Err(other) => other,
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
