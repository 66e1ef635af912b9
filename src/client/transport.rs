//! The HTTP client for both groups: size limits, timeouts, headers, conditional requests.
//!
//! Idle connections are closed by the server or by TCP keep-alive, never by a timer of ours. So a refresh every few
//! minutes reuses them, and an idle program has nothing to wake up for.

mod all_time;
mod body;
mod capabilities;
mod checks;
mod coin_pages;
mod contradictions;
mod country_block;
mod decoder;
mod duplicates;
mod events;
mod exchange;
mod fault;
mod future_points;
mod headers;
mod http;
mod page_limit;
mod page_response;
mod page_start;
mod pages;
mod proxy;
mod rate_limit;
mod raw;
mod raw_response;
mod redact;
mod redirect;
mod reply;
mod request_filter;
mod sats;
mod socket;
mod symbols;
mod wrong_times;

use std::fmt;
use std::sync::Arc;

use super::config::ClientConfig;
use super::endpoint;
use super::error::{Error, ErrorKind};
use super::request::{Group, Request};
use crate::model::{CoinId, Currency};
use exchange::Service;

pub(crate) use coin_pages::ends_early;
pub(crate) use country_block::is_country_block;
pub use events::PriceEvents;
pub(crate) use pages::LIST_CHANGED;
pub(crate) use raw::RawClient;
pub(crate) use raw_response::{Origin, RawResponse};
pub use reply::{Reply, Validator};
pub(crate) use socket::{Incoming, Refusal, Socket};

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
    /// Creates a client. Opens no connection. For HTTPS it loads the system's certificates, which takes a few
    /// milliseconds.
    ///
    /// # Errors
    /// A URL or a header is invalid.
    pub fn new(config: ClientConfig) -> Result<Client, Error> {
        let ClientConfig { base_url, indexer_url, market_headers, indexer_headers, limits, .. } = &config;
        let market = Service::new("the market service", base_url, market_headers, limits, None)?;
        let indexer = Service::new("the indexer", indexer_url, indexer_headers, limits, Some(&market))?;
        Ok(Client { inner: Arc::new(Inner { config, market, indexer }) })
    }

    /// Scheme, host and port of a group's service.
    pub fn origin(&self, group: Group) -> &str {
        self.inner.service(group).origin()
    }

    /// Rows of all responses so far, including skipped and unreadable ones: the progress of a multi-page request.
    pub fn received_rows(&self) -> u64 {
        self.inner.market.rows().saturating_add(self.inner.indexer.rows())
    }

    /// Whether a request waits because a service limits the rate of requests ([`ClientConfig::waits_if_limited`]).
    pub fn is_waiting(&self) -> bool {
        self.inner.market.is_waiting() || self.inner.indexer.is_waiting()
    }

    /// Sends a request, conditionally if the validator of a cached response is given. A request for more items than a
    /// page, or more symbols than a URL, takes several HTTP requests, joined into one response; the timeouts apply to
    /// each of them. Dropping the future cancels it.
    ///
    /// # Errors
    /// See [`super::ErrorKind`].
    pub async fn get(&self, request: &Request, cached: Option<&Validator>) -> Result<Reply, Error> {
        self.perform(&self.inner.config, request, cached).await
    }

    /// Sends a request for a manual refresh, bypassing HTTP caches; otherwise like [`Client::get`].
    ///
    /// # Errors
    /// See [`super::ErrorKind`].
    pub async fn refresh(&self, request: &Request, cached: Option<&Validator>) -> Result<Reply, Error> {
        let config = ClientConfig { no_cache: true, ..self.inner.config.clone() };
        self.perform(&config, request, cached).await
    }

    /// Opens a stream of live prices of coins; `None` if no exchange in use lists any of them. Only our own service
    /// has streams. Others respond with status 404.
    ///
    /// # Errors
    /// See [`super::ErrorKind`].
    pub async fn stream_prices(&self, ids: &[CoinId], convert: &Currency) -> Result<Option<PriceEvents>, Error> {
        let service = &self.inner.market;
        let path = endpoint::price_stream(ids, &convert.requested());
        let (what, origin) = (String::from("live prices"), service.origin().to_owned());
        match service.stream(&path, &self.inner.config.limits).await {
            Ok(response) => Ok(response.map(|response| PriceEvents::new(response, what, origin, convert.is_sats()))),
            Err(kind) => Err(Error { what, origin, kind }),
        }
    }

    async fn perform(
        &self,
        config: &ClientConfig,
        request: &Request,
        cached: Option<&Validator>,
    ) -> Result<Reply, Error> {
        let service = self.inner.service(request.group());
        let (in_bitcoin, requested) = (sats::in_bitcoin(request), request);
        let request = in_bitcoin.as_ref().unwrap_or(requested);
        let outcome = match endpoint::span(request) {
            Some(span) if request_filter::has_wildcards(request) => pages::search(service, config, request, span).await,
            Some(span) if !request_filter::may_ignore_parameter(request) => {
                pages::get(service, config, request, span, cached).await
            }
            _ => match all_time::year(request) {
                Some(year) => all_time_or_year(service, config, (request, &year), cached).await,
                None => unpaged(service, config, request, cached).await,
            },
        };
        let outcome = outcome.map(|mut reply| {
            request_filter::keep_only(request, &mut reply);
            if in_bitcoin.is_some() {
                reply.response.iter_mut().for_each(sats::convert);
            }
            reply
        });
        outcome.map_err(|kind| {
            let error = Error { what: requested.describe(), origin: service.origin().to_owned(), kind };
            tracing::debug!(%error);
            error
        })
    }
}

/// Sends a request for all time; the one for a year if the service refuses it. A service that has refused it before is
/// only sent it again by a manual refresh.
async fn all_time_or_year(
    service: &Service,
    config: &ClientConfig,
    (all, year): (&Request, &Request),
    cached: Option<&Validator>,
) -> Result<Reply, ErrorKind> {
    let capabilities = service.capabilities();
    if capabilities.refuses_all_time() && !config.no_cache {
        return unpaged(service, config, year, cached).await.map(|reply| all_time::shortened(reply, all));
    }
    let refusal = match unpaged(service, config, all, cached).await {
        Err(refusal) if all_time::may_be_too_long(&refusal) => refusal,
        outcome => {
            if outcome.is_ok() {
                capabilities.set_refuses_all_time(false);
            }
            return outcome;
        }
    };
    let is_lasting = all_time::is_lasting(&refusal);
    let reply = unpaged(service, config, year, cached).await.or(Err(refusal))?;
    capabilities.set_refuses_all_time(is_lasting);
    Ok(all_time::shortened(reply, all))
}

/// Sends a request that has no pages, in batches if it has too many symbols for one.
async fn unpaged(
    service: &Service,
    config: &ClientConfig,
    request: &Request,
    cached: Option<&Validator>,
) -> Result<Reply, ErrorKind> {
    match symbols::batches(request) {
        Some(batches) => symbols::get(service, config, request, batches).await,
        None => service.exchange(config, request, cached).await.map(|mut reply| {
            request_filter::cut_to_page(request, &mut reply, true);
            reply
        }),
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { market, indexer, .. } = &*self.inner;
        f.debug_struct("Client").field("market", &market.origin()).field("indexer", &indexer.origin()).finish()
    }
}
