//! Handles each request before the router: the limit of requests, the token, metrics, cached responses, and the threads
//! that compute the others.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::Router;
use axum::body::{Body, HttpBody as _};
use axum::extract::MatchedPath;
use axum::http::{HeaderValue, Method, Request, StatusCode, Version, header};
use axum::response::{IntoResponse as _, Response};
use governor::clock::{Clock as _, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use hyper::body::Incoming;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinHandle};
use tokio::time::Instant;
use tower_service::Service as _;

use super::backend::extensions::ExtensionProvider;
use super::client_turns::ClientTurns;
use super::counters::Counters;
use super::errors::{self, Failure};
use super::fair_share::{self, network};
use super::limits::Limits;
use super::metrics::{Cache, Metrics};
use super::options::Options;
use super::response_cache::ResponseCache;
use super::shared::SharedState;
use super::time_source::TimeSource;
use super::unread_responses::Client;
use super::{access, caching};
use crate::client::config::Secret;

/// Limits each network. Requests with the token and those without it are counted separately, so that clients without it
/// don't use up the limit of others at the same address, such as a proxy's.
type ClientLimiter = RateLimiter<(IpAddr, bool), HashMapStateStore<(IpAddr, bool)>, DefaultClock>;

/// After this many requests, clients without recent requests are forgotten.
const CLEANUP_EVERY: u64 = 10_000;

/// Connections that are served in one round while many are busy. Each takes up to 100 µs.
const MAX_SERVED_IN_TURNS: usize = 8;

/// Memory for heads of requests that arrive in many parts, in bytes.
const MAX_UNFINISHED_HEADS: usize = 32 << 20;

/// Paths that the request handler serves without the router.
const OPERATOR_PATHS: [&str; 2] = [HEALTH, METRICS];
const HEALTH: &str = "/healthz";
const METRICS: &str = "/metrics";

/// Components of the request handler.
pub(super) struct Components {
    /// Routes requests.
    pub(super) router: Router,
    /// Cached responses.
    pub(super) cache: Option<ResponseCache>,
    /// The runtime that computes uncached responses; `None` uses the caller's thread.
    pub(super) runtime: Option<Handle>,
    /// The provider whose state the metrics show.
    pub(super) provider: Arc<dyn ExtensionProvider>,
    /// Whether the service will stop soon.
    pub(super) draining: watch::Receiver<bool>,
}

/// Responds to requests.
pub(super) struct RequestHandler {
    router: Router,
    cache: Option<ResponseCache>,
    /// The runtime that computes uncached responses; `None` uses the caller's thread.
    runtime: Option<Handle>,
    worker_turns: ClientTurns,
    connection_turns: ClientTurns,
    counters: Arc<Counters>,
    limits: Limits,
    limiter: Option<ClientLimiter>,
    unfinished_heads: fair_share::FairShare,
    /// Only of a service with many clients.
    metrics: Option<Metrics>,
    token: Option<Secret>,
    provider: Arc<dyn ExtensionProvider>,
    shared: Option<SharedState>,
    draining: watch::Receiver<bool>,
    time: TimeSource,
}

impl RequestHandler {
    pub(super) fn new(parts: Components, counters: Arc<Counters>, options: &Options) -> RequestHandler {
        let Components { router, cache, runtime, provider, draining } = parts;
        let limits = options.limits.clone();
        let limiter = limits.requests_per_minute.map(|rate| RateLimiter::hashmap(Quota::per_minute(rate)));
        let metrics = runtime.is_some().then(Metrics::new);
        let (token, shared, time) = (options.token.clone(), options.shared.clone(), options.time.clone());
        RequestHandler {
            router,
            cache,
            runtime,
            worker_turns: ClientTurns::new(options.worker_threads),
            connection_turns: ClientTurns::new(MAX_SERVED_IN_TURNS),
            counters,
            limits,
            limiter,
            unfinished_heads: fair_share::FairShare::new(MAX_UNFINISHED_HEADS),
            metrics,
            token,
            provider,
            shared,
            draining,
            time,
        }
    }

    /// The turns of connections if there are many.
    pub(super) fn connection_turns(&self) -> &ClientTurns {
        &self.connection_turns
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The memory for unfinished heads, in bytes.
    pub(super) fn unfinished_heads(&self) -> &fair_share::FairShare {
        &self.unfinished_heads
    }

    pub(super) fn counters(&self) -> &Arc<Counters> {
        &self.counters
    }

    /// Responds to a request, counts and logs it.
    pub(super) async fn respond(&self, request: Request<Incoming>, client: IpAddr) -> Response {
        let number = self.counters.requests.fetch_add(1, Ordering::Relaxed);
        let Some(metrics) = &self.metrics else { return self.handle(request, client, number).await.0 };
        let began = Instant::now();
        let line = tracing::enabled!(tracing::Level::INFO).then(|| {
            let own = OPERATOR_PATHS.into_iter().find(|path| *path == request.uri().path());
            (request.method().clone(), own.unwrap_or("-"))
        });
        let (response, cache) = self.handle(request, client, number).await;
        let (status, duration) = (response.status(), began.elapsed());
        metrics.count(status, cache, duration);
        if let Some((method, unrouted)) = line {
            // Paths and queries contain looked-up items, such as addresses; the route doesn't.
            let route = response.extensions().get().map_or(unrouted, MatchedPath::as_str);
            let bytes = if method == Method::HEAD { Some(0) } else { response.body().size_hint().exact() };
            let micros = duration.as_micros();
            tracing::info!(%client, %method, route, status = status.as_u16(), bytes, micros, ?cache, "request");
        }
        response
    }

    async fn handle(&self, request: Request<Incoming>, client: IpAddr, number: u64) -> (Response, Cache) {
        let (mut response, cache) = self.dispatch(request, client, number).await;
        if self.token.is_some() {
            caching::make_private(&mut response);
        }
        if *self.draining.borrow() {
            // The client's next connection may reach another instance.
            response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        (response, cache)
    }

    async fn dispatch(&self, mut request: Request<Incoming>, client: IpAddr, number: u64) -> (Response, Cache) {
        if self.metrics.is_some() && request.uri().path() == HEALTH {
            return (self.only_get(request.method()).unwrap_or_else(|| self.health()), Cache::none);
        }
        let has_access = self.token.as_ref().is_none_or(|token| access::is_allowed(request.headers(), token));
        if let Some(seconds) = self.seconds_until_allowed((network(client), has_access), number) {
            return (self.refuse(Failure::too_many(seconds)), Cache::none);
        }
        if lacks_host(&request) {
            return (self.refuse(Failure::host()), Cache::none);
        }
        if !has_access {
            return (self.refuse(Failure::unauthorized()), Cache::none);
        }
        if let Some(metrics) = self.metrics.as_ref().filter(|_| request.uri().path() == METRICS) {
            if let Some(refused) = self.only_get(request.method()) {
                return (refused, Cache::none);
            }
            let shared = self.shared.as_ref();
            let response = metrics.response(request.headers(), &self.counters, &*self.provider, shared).await;
            return (response, Cache::none);
        }
        match self.cache.as_ref().and_then(|cache| cache.lookup(&request)) {
            Some(response) => (response, Cache::hit),
            None => {
                request.extensions_mut().insert(Client(client));
                (self.compute(request.map(Body::new), client).await, Cache::miss)
            }
        }
    }

    /// 405 for methods other than GET and HEAD.
    fn only_get(&self, method: &Method) -> Option<Response> {
        if matches!(*method, Method::GET | Method::HEAD) {
            return None;
        }
        let mut response = self.refuse(Failure::method_not_allowed(format!("method {method} not allowed; use GET")));
        response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
        Some(response)
    }

    /// `GET /healthz`: 200, or 503 before the service stops, so that a load balancer chooses another instance.
    fn health(&self) -> Response {
        self.counters.health_checks.fetch_add(1, Ordering::Relaxed);
        let (status, body) = if *self.draining.borrow() {
            (StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
        } else {
            (StatusCode::OK, "ok\n")
        };
        (status, [(header::CACHE_CONTROL, "no-store")], body).into_response()
    }

    fn refuse(&self, failure: Failure) -> Response {
        errors::with_body(&self.time, failure.into_response())
    }

    /// Seconds until the client may send a request; `None` if it may send one now.
    fn seconds_until_allowed(&self, client: (IpAddr, bool), request: u64) -> Option<u64> {
        let limiter = self.limiter.as_ref()?;
        if request % CLEANUP_EVERY == CLEANUP_EVERY - 1 {
            limiter.retain_recent();
        }
        let too_early = limiter.check_key(&client).err()?;
        let wait = too_early.wait_time_from(DefaultClock::default().now());
        Some(wait.as_secs_f64().ceil().max(1.0) as u64)
    }

    async fn compute(&self, request: Request<Body>, client: IpAddr) -> Response {
        let response = self.router.clone().call(request);
        let Some(runtime) = &self.runtime else {
            let Ok(response) = response.await;
            return response;
        };
        match Task(runtime.spawn(self.worker_turns.run(client, response))).await {
            Ok(Ok(response)) => response,
            Err(error) if error.is_cancelled() => self.refuse(Failure::stopping()),
            // The panic hook has reported the panic.
            Err(_) => self.refuse(Failure::internal(String::from("internal error (see the log of the service)"))),
        }
    }
}

/// Whether a request has no `Host` or several, which must be rejected (RFC 9112, 3.2).
fn lacks_host(request: &Request<Incoming>) -> bool {
    request.version() == Version::HTTP_11 && request.headers().get_all(header::HOST).iter().count() != 1
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
