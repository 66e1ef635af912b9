//! Responses of other APIs, as they came.

use std::fmt;
use std::time::Duration;

use reqwest::header::HeaderMap;

use super::headers;
use crate::model::UtcTime;

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
