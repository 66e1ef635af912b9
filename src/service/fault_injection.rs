//! Fault injection for testing clients: delays, errors and rate limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::demo::noise;
use super::errors::Failure;

/// Faults to inject; none by default. Which requests fail depends only on the seed and the request's number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultInjection {
    /// Delay of every response.
    pub delay: Duration,
    /// Fraction of requests that fail with status 500, from 0 to 1.
    pub error_rate: f64,
    /// Fail every Nth request with 429 (0: none).
    pub limit_every: u64,
    /// The `Retry-After` of those responses; sent in whole seconds.
    pub retry_after: Duration,
}

impl FaultInjection {
    /// Whether any request is delayed or fails.
    pub(super) fn is_active(&self) -> bool {
        !self.delay.is_zero() || self.error_rate > 0.0 || self.limit_every > 0
    }
}

/// State of the middleware.
#[derive(Clone)]
pub(super) struct FaultInjector {
    seed: u64,
    fault_injection: FaultInjection,
    /// Requests so far.
    requests: Arc<AtomicU64>,
}

impl FaultInjector {
    /// Creates the state.
    pub(super) fn new(seed: u64, fault_injection: FaultInjection) -> FaultInjector {
        FaultInjector { seed, fault_injection, requests: Arc::default() }
    }
}

/// Middleware that delays the request, fails it or passes it on.
pub(super) async fn apply(State(injector): State<FaultInjector>, request: Request, next: Next) -> Response {
    let number = injector.requests.fetch_add(1, Ordering::Relaxed) + 1;
    let FaultInjection { delay, error_rate, limit_every, retry_after } = injector.fault_injection;
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
    if limit_every > 0 && number.is_multiple_of(limit_every) {
        return Failure::too_many(retry_after.as_secs()).into_response();
    }
    if error_rate > 0.0 && noise::unit(noise::hash(injector.seed, number)) < error_rate {
        return Failure::internal(String::from("injected error")).into_response();
    }
    next.run(request).await
}
