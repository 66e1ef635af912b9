//! What every request passes before the router: the limit of requests, cached answers, and the threads that compute
//! the others.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::response::{IntoResponse as _, Response};
use governor::clock::{Clock as _, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use hyper::body::Incoming;
use tokio::runtime::Handle;
use tokio::task::{JoinError, JoinHandle};
use tower_service::Service as _;

use super::counters::Counters;
use super::errors::{self, Failure};
use super::limits::Limits;
use super::options::Options;
use super::response_cache::ResponseCache;
use super::time_source::TimeSource;

type ClientLimiter = RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock>;

/// After this many requests, clients that have not sent any lately are forgotten.
const CLEANUP_EVERY: u64 = 10_000;

/// Answers requests.
pub(super) struct Front {
    router: Router,
    cache: Option<ResponseCache>,
    /// The threads that compute answers; `None` computes them on the caller's thread.
    answers: Option<Handle>,
    counters: Arc<Counters>,
    limits: Limits,
    limiter: Option<ClientLimiter>,
    time: TimeSource,
}

impl Front {
    pub(super) fn new(
        router: Router,
        cache: Option<ResponseCache>,
        answers: Option<Handle>,
        counters: Arc<Counters>,
        options: &Options,
    ) -> Front {
        let limits = options.limits.clone();
        let limiter = limits.requests_per_minute.map(|rate| RateLimiter::hashmap(Quota::per_minute(rate)));
        Front { router, cache, answers, counters, limits, limiter, time: options.time.clone() }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub(super) fn counters(&self) -> &Arc<Counters> {
        &self.counters
    }

    /// Answers a request from the cache, or on another thread.
    pub(super) async fn respond(&self, request: Request<Incoming>, client: IpAddr) -> Response {
        let number = self.counters.requests.fetch_add(1, Ordering::Relaxed);
        if let Some(seconds) = self.seconds_until_allowed(client, number) {
            let refusal = Failure::too_many(seconds).into_response();
            return errors::with_body(&self.time, refusal);
        }
        if let Some(response) = self.cache.as_ref().and_then(|cache| cache.lookup(&request)) {
            return response;
        }
        self.compute(request.map(Body::new)).await
    }

    /// Seconds until the client may send a request; `None` if it may send one now.
    fn seconds_until_allowed(&self, client: IpAddr, request: u64) -> Option<u64> {
        let limiter = self.limiter.as_ref()?;
        if request % CLEANUP_EVERY == CLEANUP_EVERY - 1 {
            limiter.retain_recent();
        }
        let too_early = limiter.check_key(&network(client)).err()?;
        let wait = too_early.wait_time_from(DefaultClock::default().now());
        Some(wait.as_secs_f64().ceil().max(1.0) as u64)
    }

    async fn compute(&self, request: Request<Body>) -> Response {
        let answer = self.router.clone().call(request);
        let Some(answers) = &self.answers else {
            let Ok(response) = answer.await;
            return response;
        };
        match Task(answers.spawn(answer)).await {
            Ok(Ok(response)) => response,
            // The panic hook has reported the panic.
            Err(_) => {
                let failure = Failure::internal(String::from("the request failed; try again"));
                errors::with_body(&self.time, failure.into_response())
            }
        }
    }
}

/// What counts as one client: an IPv4 address, or a /64 network, since a host may use all addresses of its own.
fn network(client: IpAddr) -> IpAddr {
    match client.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) & !u128::from(u64::MAX)).into()),
        address => address,
    }
}

/// A spawned task that is cancelled when this is dropped, as when the client disconnects.
struct Task<T>(JoinHandle<T>);

impl<T> Future for Task<T> {
    type Output = Result<T, JoinError>;

    fn poll(mut self: std::pin::Pin<&mut Self>, context: &mut std::task::Context<'_>) -> std::task::Poll<Self::Output> {
        std::pin::Pin::new(&mut self.0).poll(context)
    }
}

impl<T> Drop for Task<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
