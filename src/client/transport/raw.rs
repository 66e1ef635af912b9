//! Requests to other APIs than the interface: the response as it came, within the same limits. The providers of our own
//! service use it.

use tokio::time::Instant;

use super::exchange::Service;
use super::raw_response::RawResponse;
use crate::client::config::{Limits, Secret};
use crate::client::error::{Error, ErrorKind};

/// A client of one API. Opens no connection before the first request.
pub(crate) struct RawClient {
    service: Service,
    limits: Limits,
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
