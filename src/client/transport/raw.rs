//! Requests to other APIs than the interface: the response as it came, within the same limits. The providers of our own
//! service use it.

use std::fmt;
use std::time::Duration;

use reqwest::header::HeaderMap;
use tokio::time::Instant;

use super::exchange::Service;
use super::headers;
use crate::client::config::Secret;
use crate::client::{Error, ErrorKind, Limits};
use crate::model::UtcTime;

/// A client of one API. Opens no connection before the first request.
pub(crate) struct RawClient {
    service: Service,
    limits: Limits,
}

/// A response of any status.
#[derive(Clone)]
pub(crate) struct RawResponse {
    /// HTTP status.
    pub(crate) status: u16,
    /// All headers.
    pub(crate) headers: HeaderMap,
    /// The body, decompressed; of an error at most 64 KiB.
    pub(crate) body: Vec<u8>,
    /// From the request to the last byte.
    pub(crate) latency: Duration,
}

impl RawResponse {
    /// `Content-Type`, as sent.
    pub(crate) fn content_type(&self) -> Option<String> {
        headers::content_type(&self.headers)
    }

    /// A header's value, where it is text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }

    /// How long the server asks to wait; see [`headers::retry_after`].
    pub(crate) fn retry_after(&self, now: UtcTime) -> Option<Duration> {
        headers::retry_after(&self.headers, now)
    }
}

impl fmt::Debug for RawResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Not the headers: some servers repeat keys.
        f.debug_struct("RawResponse").field("status", &self.status).field("bytes", &self.body.len()).finish()
    }
}

impl RawClient {
    /// A client of the API at this URL. It shares the connections of another one of the same kind.
    ///
    /// # Errors
    /// A URL or a header that can't be used.
    pub(crate) fn new(
        what: &str,
        url: &str,
        headers: &[(String, Secret)],
        limits: &Limits,
        other: Option<&RawClient>,
    ) -> Result<RawClient, Error> {
        let service = Service::new(what, url, headers, limits, other.map(|other| &other.service))?;
        Ok(RawClient { service, limits: limits.clone() })
    }

    /// Sends a GET request for a path (with its query) below the base URL.
    ///
    /// # Errors
    /// There is no whole response. A status that means a failure is a response.
    pub(crate) async fn get(&self, path_and_query: &str) -> Result<RawResponse, ErrorKind> {
        self.service.raw(path_and_query, &self.limits, Instant::now()).await
    }

    /// What a server says, without the secrets that it repeats.
    pub(crate) fn redact(&self, message: &str) -> String {
        self.service.redact(message)
    }
}
