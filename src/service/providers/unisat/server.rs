//! UniSat's server: paths, pages, and the newest block in its responses.

use std::sync::atomic::{AtomicU64, Ordering};

use super::rows;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::load::Load;
use crate::service::upstream::{Response, Upstream};

/// Maximum rows per page.
pub(super) const ROWS: usize = 500;

/// The server.
pub(super) struct Server {
    pub(super) upstream: Upstream,
    /// Newest block height in the last response; 0 if unknown.
    height: AtomicU64,
}

impl Server {
    pub(super) fn new(upstream: Upstream) -> Server {
        Server { upstream, height: AtomicU64::new(0) }
    }

    /// Fetches a list. A list always exists, so an error that means “not found” for an item is a server error here.
    pub(super) async fn list(&self, path: &str) -> SourceResult<Response> {
        self.upstream.get(path).await.map_err(|error| match error.class {
            ErrorClass::NotFound => SourceError { class: ErrorClass::Failing, ..error },
            _ => error,
        })
    }

    /// Newest block height in the last response.
    pub(super) fn height(&self) -> Option<u64> {
        Some(self.height.load(Ordering::Relaxed)).filter(|height| *height > 0)
    }

    /// Records the block height of a response; most have none.
    pub(super) fn note_height(&self, response: &Response) {
        let height = rows::height(response);
        if let Some(load) = Load::current() {
            load.note_height(height);
        }
        self.height.store(height.unwrap_or(0), Ordering::Relaxed);
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
