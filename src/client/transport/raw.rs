//! Requests to APIs other than the interface, with the same limits and undecoded responses. Used by the providers of
//! our own service.

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
    /// Creates a client of the API at this URL. It shares the connections of another one with the same settings.
    ///
    /// # Errors
    /// The URL or a header is invalid.
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
    /// There is no complete response. A response with an error status is not an error here.
    pub(crate) async fn get(&self, path_and_query: &str) -> Result<RawResponse, ErrorKind> {
        self.service.raw(path_and_query, &self.limits, Instant::now()).await
    }

    /// Removes secrets from a server's message.
    pub(crate) fn redact(&self, message: &str) -> String {
        self.service.redact(message)
    }
}
