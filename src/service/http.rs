//! The router: both groups, compression, and JSON errors for unknown paths and methods.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::backend::Providers;
use super::counters::Counters;
use super::encoding::MAX_LISTED;
use super::errors::Failure;
use super::fair_share::{FairShare, network};
use super::fault_injection::FaultInjector;
use super::options::Options;
use super::request_handler::{Components, RequestHandler};
use super::response_cache::{self, ResponseCache};
use super::routes::{extensions, indexer, market};
use super::unread_responses::Client;
use super::{caching, call, encoding, errors, fault_injection, openapi, unread_responses};
use crate::client::SIMULATED;

/// How long a service with many clients caches the state of the providers.
const SOURCES_FRESH_FOR: Duration = Duration::from_secs(1);

/// Builds the service behind a listener. Health checks fail when `draining` becomes true, streams end when `stopping`
/// does.
pub(super) fn handler(
    options: &Options,
    counters: Arc<Counters>,
    runtime: Option<Handle>,
    draining: watch::Receiver<bool>,
    stopping: watch::Receiver<bool>,
) -> RequestHandler {
    let providers = options.providers.clone().unwrap_or_else(|| Providers::demo(options.seed, options.time.clone()));
    let is_cached = options.cache_bytes > 0
        && !options.fault_injection.is_active()
        && (!providers.simulated || options.worker_threads > 0);
    let unread = FairShare::new(options.limits.max_unread_bytes);
    let cache = is_cached.then(|| {
        let (provider, time) = (Arc::clone(&providers.extensions), options.time.clone());
        let cache = ResponseCache::new(options.cache_bytes, provider, providers.simulated, time);
        cache.with_shared(options.shared.clone(), options.seed, unread.clone())
    });
    let provider = Arc::clone(&providers.extensions);
    let router = router(options, providers, cache.clone(), unread, stopping);
    RequestHandler::new(Components { router, cache, runtime, provider, draining }, counters, options)
}

/// Builds the router of the whole service.
fn router(
    options: &Options,
    providers: Providers,
    cache: Option<ResponseCache>,
    unread: FairShare,
    stopping: watch::Receiver<bool>,
) -> Router {
    let injector = FaultInjector::new(options.seed, options.fault_injection.clone());
    let simulated = providers.simulated;
    let extensions = Arc::clone(&providers.extensions);
    let streams = FairShare::new(options.limits.max_streams);
    // The dashboard shows its user's changes at once.
    let sources_fresh_for = if options.worker_threads > 0 { SOURCES_FRESH_FOR } else { Duration::ZERO };
    let router = Router::new()
        .route("/", get(status))
        .route("/openapi.json", get(openapi::document).with_state(extensions))
        .merge(indexer::router(&providers))
        .merge(extensions::router(providers.clone(), streams, stopping, sources_fresh_for))
        .merge(market::router(providers))
        .fallback(unknown_path)
        .method_not_allowed_fallback(method_not_allowed)
        .layer(middleware::from_fn_with_state(options.max_age, caching::override_max_age))
        .layer(middleware::from_fn(with_call_context))
        .layer(middleware::from_fn(encoding::compress))
        .layer(middleware::from_fn_with_state(unread, unread_responses::limit))
        .layer(middleware::from_fn_with_state(injector, fault_injection::apply))
        .layer(middleware::map_response_with_state(options.time.clone(), errors::write_body))
        .layer(middleware::map_response_with_state(simulated, mark_simulated));
    let router = match cache {
        Some(cache) => router.layer(middleware::from_fn_with_state(cache, response_cache::serve_cached)),
        None => router,
    };
    router.layer(middleware::from_fn(attach_route))
}

/// Middleware that adds the route to the response, for the log.
async fn attach_route(request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let mut response = next.run(request).await;
    if let Some(route) = route {
        response.extensions_mut().insert(route);
    }
    response
}

/// Middleware for the client of a request, manual refreshes (`Cache-Control: no-cache`), and requests that wait for
/// newer data (`Cache-Control: max-stale=60`) or complete data (`Prefer: wait=5`).
async fn with_call_context(request: Request, next: Next) -> Response {
    let client = network(Client::address(request.extensions().get()));
    call::for_client(client, with_preferences(request, next)).await
}

async fn with_preferences(request: Request, next: Next) -> Response {
    let Preferences { is_manual, max_stale, details_wait } = Preferences::of(request.headers());
    if is_manual {
        return call::manually(next.run(request)).await;
    }
    let response = async {
        match details_wait {
            Some(wait) => call::with_details_wait(wait.min(MAX_DETAILS_WAIT), next.run(request)).await,
            None => next.run(request).await,
        }
    };
    match max_stale {
        Some(limit) => call::with_max_stale(limit, response).await,
        None => response.await,
    }
}

/// What a request prefers.
#[derive(Debug, PartialEq, Eq)]
struct Preferences {
    /// Whether it is a manual refresh.
    is_manual: bool,
    /// How long the data may have been stale.
    max_stale: Option<Duration>,
    /// How long it waits for complete data.
    details_wait: Option<Duration>,
}

impl Preferences {
    fn of(headers: &HeaderMap) -> Preferences {
        let parts = |name: &str| -> Vec<&str> {
            let lines = headers.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
            lines.flat_map(|line| line.split(',')).map(str::trim).take(MAX_LISTED).collect()
        };
        let (directives, preferences) = (parts(header::CACHE_CONTROL.as_str()), parts("prefer"));
        Preferences {
            is_manual: directives.iter().any(|directive| directive.eq_ignore_ascii_case("no-cache")),
            max_stale: seconds(&directives, "max-stale"),
            details_wait: seconds(&preferences, "wait"),
        }
    }
}

/// The seconds of a directive such as `wait=5`.
fn seconds(directives: &[&str], name: &str) -> Option<Duration> {
    let value = directives.iter().find_map(|directive| {
        let (own, seconds) = directive.split_once('=')?;
        seconds.trim().parse().ok().filter(|_| own.trim().eq_ignore_ascii_case(name))
    });
    value.map(Duration::from_secs)
}

/// Maximum wait for complete data.
const MAX_DETAILS_WAIT: Duration = Duration::from_secs(10);

async fn mark_simulated(State(simulated): State<bool>, mut response: Response) -> Response {
    if simulated {
        response.headers_mut().insert(SIMULATED, HeaderValue::from_static("true"));
    }
    response
}

#[derive(Serialize)]
struct Status {
    service: &'static str,
    version: &'static str,
    status: &'static str,
    documentation: &'static str,
}

async fn status(headers: HeaderMap) -> Response {
    let status = Status {
        service: "satscope",
        version: env!("CARGO_PKG_VERSION"),
        status: "ready",
        documentation: "/openapi.json",
    };
    caching::json(&headers, &status, Duration::from_secs(60))
}

async fn unknown_path(uri: Uri) -> Failure {
    Failure::not_found(format!("no resource at {} (see /openapi.json)", uri.path()))
}

async fn method_not_allowed(method: Method) -> Failure {
    Failure::method_not_allowed(format!("method {method} not allowed; use GET"))
}
