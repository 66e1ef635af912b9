//! One HTTP client for both groups: limits while the answer streams in, timeouts, headers, conditional requests.

use std::time::Duration;

use super::{Answer, ClientConfig, Error, Request, Warning};
use crate::model::UtcTime;

/// The client. Cheap to clone; clones share their connections.
#[derive(Clone, Debug)]
pub struct Client {
    _config: std::sync::Arc<ClientConfig>,
}

/// What a conditional request needs: the ETag that came with the answer that is kept, and its full URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validator {
    /// Full URL of the answer; Hiro's API sends one ETag for all URLs, so an ETag alone names nothing.
    pub url: String,
    /// As the server sent it.
    pub etag: String,
}

/// What came back.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The answer, or `None` where the server said that the kept one still holds (304).
    pub answer: Option<Answer>,
    /// Full URL of the (first) request; it never holds a secret.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// Bytes of the body after decompression, all pages together.
    pub bytes: u64,
    /// From the request to the answer's last byte.
    pub latency: Duration,
    /// When the answer was complete.
    pub fetched_at: UtcTime,
    /// For the next conditional request.
    pub validator: Option<Validator>,
    /// The server's `Cache-Control: max-age` (0 for `no-cache`), where it sent one.
    pub max_age: Option<Duration>,
    /// What could not be read.
    pub warnings: Vec<Warning>,
}

impl Client {
    /// A client for these services. Opens no connection.
    ///
    /// # Errors
    /// A URL or a header that cannot be used.
    pub fn new(config: ClientConfig) -> Result<Client, Error> {
        Ok(Client { _config: std::sync::Arc::new(config) })
    }

    /// Performs a request; with a validator of an earlier answer, conditionally. Over the indexer's page size it
    /// takes several HTTP requests, joined into one answer.
    ///
    /// # Errors
    /// See [`super::ErrorKind`].
    pub async fn get(&self, request: &Request, kept: Option<&Validator>) -> Result<Reply, Error> {
        let _ = (request, kept);
        std::future::pending().await
    }
}
