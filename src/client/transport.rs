//! One HTTP client for both groups: limits while the answer streams in, timeouts, headers, conditional requests.
//!
//! Connections are kept: an idle one is closed by the server or found dead by the kernel (TCP keep-alive), never by a
//! timer of ours, so that a refresh every few minutes opens no new one and an idle program has nothing to wake up for.

mod asked;
mod body;
mod decoder;
mod exchange;
mod fault;
mod headers;
mod http;
mod identity;
mod pages;
mod proxy;
mod raw;
mod redact;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::{Answer, ClientConfig, Error, Group, Request, Warning, endpoint};
use crate::model::{Text, UtcTime};
use exchange::Service;
pub(crate) use raw::{RawClient, RawResponse};

/// The client. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    inner: Arc<Inner>,
}

struct Inner {
    config: ClientConfig,
    market: Service,
    indexer: Service,
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
    /// The server's `Cache-Control: max-age` less the `Age` of the answer (0 for `no-cache`), where it sent one.
    pub max_age: Option<Duration>,
    /// Whether the service says that its data are simulated ([`crate::client::SIMULATED`]).
    pub simulated: bool,
    /// Which provider of the service the data come from, where it says so.
    pub provider: Option<Text>,
    /// How old the answer was when it came (`Age`).
    pub age: Duration,
    /// What could not be read.
    pub warnings: Vec<Warning>,
    /// How many rows the server sent on all pages together, including those that were skipped or could not be read. The
    /// next page starts after them.
    pub rows: usize,
}

impl Reply {
    /// Adds the warnings of a further page: what every page says is said once.
    pub(crate) fn warn_too(&mut self, more: Vec<Warning>) {
        for warning in more {
            if !self.warnings.contains(&warning) {
                self.warnings.push(warning);
            }
        }
    }
}

impl Inner {
    fn service(&self, group: Group) -> &Service {
        match group {
            Group::Market => &self.market,
            Group::Indexer => &self.indexer,
        }
    }
}

impl Client {
    /// A client for these services. Opens no connection. Over HTTPS it loads the system's certificates, which takes a
    /// few milliseconds; for services on this machine it takes microseconds.
    ///
    /// # Errors
    /// A URL or a header that cannot be used.
    pub fn new(config: ClientConfig) -> Result<Client, Error> {
        let ClientConfig { base_url, indexer_url, market_headers, indexer_headers, limits, .. } = &config;
        let market = Service::new("the market service", base_url, market_headers, limits, None)?;
        let indexer = Service::new("the indexer", indexer_url, indexer_headers, limits, Some(&market))?;
        Ok(Client { inner: Arc::new(Inner { config, market, indexer }) })
    }

    /// Which service answers a group's requests: scheme, host and port.
    pub fn place(&self, group: Group) -> &str {
        self.inner.service(group).place()
    }

    /// Performs a request; with a validator of an earlier answer, conditionally. Over the indexer's page size it
    /// takes several HTTP requests, joined into one answer; each of them has the limits for itself. Dropping the
    /// future cancels it.
    ///
    /// # Errors
    /// See [`super::ErrorKind`].
    pub async fn get(&self, request: &Request, kept: Option<&Validator>) -> Result<Reply, Error> {
        let service = self.inner.service(request.group());
        let config = &self.inner.config;
        let outcome = match endpoint::span(request) {
            Some(span) if asked::has_wildcards(request) => pages::search(service, config, request, span).await,
            Some(span) if !asked::may_be_overlooked(request) => pages::get(service, config, request, span, kept).await,
            _ => service.exchange(config, request, kept).await,
        };
        let outcome = outcome.map(|mut reply| {
            asked::keep_only(request, &mut reply);
            reply
        });
        outcome.map_err(|kind| {
            let error = Error { what: request.describe(), place: service.place().to_owned(), kind };
            tracing::debug!(%error);
            error
        })
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { market, indexer, .. } = &*self.inner;
        f.debug_struct("Client").field("market", &market.place()).field("indexer", &indexer.place()).finish()
    }
}
