//! Undecoded responses.

use std::fmt;
use std::time::Duration;

use reqwest::header::HeaderMap;

use super::headers;
use crate::client::notice::Notice;
use crate::model::{ProviderName, UtcTime, provider};

/// An undecoded response of any status.
#[derive(Clone)]
pub(crate) struct RawResponse {
    /// HTTP status.
    pub(crate) status: u16,
    /// All headers.
    pub(crate) headers: HeaderMap,
    /// The decompressed body; at most 64 KiB of an error response.
    pub(crate) body: Vec<u8>,
    /// Time from the request to the last byte.
    pub(crate) latency: Duration,
}

/// Our own service's metadata of its data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The providers that this version knows.
    pub(crate) providers: Vec<ProviderName>,
    /// See [`headers::age`].
    pub(crate) age: Duration,
    /// See [`headers::notice`].
    pub(crate) notice: Option<Notice>,
    /// See [`headers::refresh_error`].
    pub(crate) refresh_error: Option<String>,
}

impl RawResponse {
    /// `Content-Type`, as sent.
    pub(crate) fn content_type(&self) -> Option<String> {
        headers::content_type(&self.headers)
    }

    /// The value of a header, if it is text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok().map(str::trim)
    }

    /// See [`headers::retry_after`].
    pub(crate) fn retry_after(&self, now: UtcTime) -> Option<Duration> {
        headers::retry_after(&self.headers, now)
    }

    /// See [`headers::server_time`].
    pub(crate) fn server_time(&self) -> Option<UtcTime> {
        headers::server_time(&self.headers)
    }

    /// See [`headers::is_own`].
    pub(crate) fn is_of_own_service(&self) -> bool {
        headers::is_own(&self.headers)
    }

    /// What our own service says about its data; `None` if this isn't its response.
    pub(crate) fn origin(&self) -> Option<Origin> {
        let providers = headers::provider(&self.headers)?;
        Some(Origin {
            providers: provider::each(&providers).filter_map(ProviderName::parse).collect(),
            age: headers::age(&self.headers),
            notice: headers::notice(&self.headers),
            refresh_error: headers::refresh_error(&self.headers),
        })
    }
}

impl fmt::Debug for RawResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Headers are omitted: some servers echo API keys.
        f.debug_struct("RawResponse").field("status", &self.status).field("bytes", &self.body.len()).finish()
    }
}
