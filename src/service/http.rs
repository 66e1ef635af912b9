//! The router: both groups, compression, and JSON for whatever leads nowhere.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, Method, Uri};
use axum::middleware;
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;
use tower_http::compression::CompressionLayer;

use super::caching;
use super::errors::{self, Failure};
use super::misbehave::{self, Misbehaving};
use super::openapi;
use super::options::Options;
use super::routes::{indexer, market};
use super::shared::State;

/// Everything the service answers. `requests` counts every request as it comes in.
pub(super) fn router(options: &Options, state: State, requests: Arc<AtomicU64>) -> Router {
    let misbehaving = Misbehaving::new(options, requests);
    Router::new()
        .route("/", get(status))
        .route("/openapi.json", get(openapi::document))
        .merge(market::router(Arc::clone(&state)))
        .merge(indexer::router(state))
        .fallback(nowhere)
        .method_not_allowed_fallback(only_get)
        .layer(middleware::from_fn_with_state(options.max_age, caching::hold))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(misbehaving, misbehave::apply))
        .layer(middleware::map_response_with_state(options.time.clone(), errors::write))
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

async fn nowhere(uri: Uri) -> Failure {
    Failure::not_found(format!("there is nothing at {}; /openapi.json lists what there is", uri.path()))
}

async fn only_get(method: Method) -> Failure {
    Failure::method_not_allowed(format!("{method} is not possible here; everything is read by GET"))
}
