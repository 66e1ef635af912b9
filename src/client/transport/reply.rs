//! Responses, decoded.

use std::time::Duration;

use crate::client::request::{Answer, Warning};
use crate::model::{Text, UtcTime};

/// The ETag and the URL of a kept answer, for a conditional request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Validator {
    /// Full URL of the answer; Hiro's API sends one ETag for all URLs, so an ETag alone names nothing.
    pub url: String,
    /// As the server sent it.
    pub etag: String,
}

/// A response.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The answer; `None` if the kept one is still valid (304).
    pub answer: Option<Answer>,
    /// Full URL of the (first) request; it never holds a secret.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// Bytes of the body after decompression, all pages together.
    pub bytes: u64,
    /// From the request to the last byte of the response.
    pub latency: Duration,
    /// When the response was complete.
    pub fetched_at: UtcTime,
    /// For the next conditional request.
    pub validator: Option<Validator>,
    /// The `Cache-Control: max-age` of the response minus its `Age` (0 for `no-cache`).
    pub max_age: Option<Duration>,
    /// Whether the service says that its data are simulated ([`crate::client::SIMULATED`]).
    pub simulated: bool,
    /// The provider of the data, if the service names it.
    pub provider: Option<Text>,
    /// How old the response was when it arrived (`Age`).
    pub age: Duration,
    /// What could not be read.
    pub warnings: Vec<Warning>,
    /// How many rows the server sent on all pages together, including those that were skipped or could not be read. The
    /// next page starts after them.
    pub rows: usize,
}

impl Reply {
    /// Counts the reply to another HTTP request of the same list as part of this one. The answer stays.
    pub(super) fn append(&mut self, more: Reply) {
        // One ETag can't identify several pages.
        self.validator = None;
        self.bytes = self.bytes.saturating_add(more.bytes);
        self.rows += more.rows;
        self.latency += more.latency;
        self.fetched_at = more.fetched_at;
        self.max_age = self.max_age.min(more.max_age).or(self.max_age).or(more.max_age);
        self.simulated |= more.simulated;
        self.warn_too(more.warnings);
    }

    /// Adds the warnings of another page, each once.
    pub(crate) fn warn_too(&mut self, more: Vec<Warning>) {
        for warning in more {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }
}
