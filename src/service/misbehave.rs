//! What a service does on a bad day, on purpose: so that clients can be tested against it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::demo::noise;
use super::errors::Failure;
use super::options::Options;

/// What goes wrong. The default is nothing. Which request fails depends on the seed and the request's number only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Misbehaviour {
    /// How long every answer is held back.
    pub delay: Duration,
    /// Share of requests that fail with 500, 0 to 1.
    pub error_rate: f64,
    /// Every so many requests one is answered 429 (1: all of them, 0: none).
    pub limit_every: u64,
    /// What `Retry-After` says then, in whole seconds.
    pub retry_after: Duration,
}

/// The layer's state.
#[derive(Clone)]
pub(super) struct Misbehaving {
    seed: u64,
    misbehaviour: Misbehaviour,
    requests: Arc<AtomicU64>,
}

impl Misbehaving {
    /// As the options say; `requests` counts what comes in.
    pub(super) fn new(options: &Options, requests: Arc<AtomicU64>) -> Misbehaving {
        Misbehaving { seed: options.seed, misbehaviour: options.misbehaviour.clone(), requests }
    }
}

/// Counts the request and lets it through, late or not at all.
pub(super) async fn apply(State(how): State<Misbehaving>, request: Request, next: Next) -> Response {
    let number = how.requests.fetch_add(1, Ordering::Relaxed) + 1;
    let Misbehaviour { delay, error_rate, limit_every, retry_after } = how.misbehaviour;
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
    if limit_every > 0 && number.is_multiple_of(limit_every) {
        return Failure::too_many(retry_after.as_secs()).into_response();
    }
    if error_rate > 0.0 && noise::unit(noise::hash(how.seed, number)) < error_rate {
        return Failure::internal(String::from("an error on purpose")).into_response();
    }
    next.run(request).await
}
