//! One HTTP client for both groups: limits while the answer streams in, timeouts, headers, conditional requests.
//!
//! Connections are kept: an idle one is closed by the server or found dead by the kernel (TCP keep-alive), never by a
//! timer of ours, so that a refresh every few minutes opens no new one and an idle program has nothing to wake up for.

mod body;
mod decoder;
mod duplicates;
mod exchange;
mod fault;
mod headers;
mod http;
mod page_answer;
mod pages;
mod proxy;
mod raw;
mod raw_response;
mod redact;
mod redirect;
mod reply;
mod request_filter;
mod symbols;

use std::fmt;
use std::sync::Arc;

use super::config::ClientConfig;
use super::endpoint;
use super::error::Error;
use super::request::{Group, Request};
use exchange::Service;

pub(crate) use raw::RawClient;
pub(crate) use raw_response::RawResponse;
pub use reply::{Reply, Validator};

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

    /// Performs a request; with a validator of an earlier answer, conditionally. Over the indexer's page size, or with
    /// more symbols than a URL can have, it takes several HTTP requests, joined into one answer; each of them has the
    /// limits for itself. Dropping the future cancels it.
    ///
    /// # Errors
    /// See [`super::ErrorKind`].
    pub async fn get(&self, request: &Request, kept: Option<&Validator>) -> Result<Reply, Error> {
        self.perform(&self.inner.config, request, kept).await
    }

    /// The same, past all caches on the way: the user wants the newest.
    ///
    /// # Errors
    /// See [`super::ErrorKind`].
    pub async fn refresh(&self, request: &Request, kept: Option<&Validator>) -> Result<Reply, Error> {
        let config = ClientConfig { no_cache: true, ..self.inner.config.clone() };
        self.perform(&config, request, kept).await
    }

    async fn perform(
        &self,
        config: &ClientConfig,
        request: &Request,
        kept: Option<&Validator>,
    ) -> Result<Reply, Error> {
        let service = self.inner.service(request.group());
        let outcome = match endpoint::span(request) {
            Some(span) if request_filter::has_wildcards(request) => pages::search(service, config, request, span).await,
            Some(span) if !request_filter::may_be_overlooked(request) => {
                pages::get(service, config, request, span, kept).await
            }
            _ => match symbols::batches(request) {
                Some(batches) => symbols::get(service, config, request, batches).await,
                None => service.exchange(config, request, kept).await,
            },
        };
        let outcome = outcome.map(|mut reply| {
            request_filter::keep_only(request, &mut reply);
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
