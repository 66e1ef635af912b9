//! Extensions of the interface under `/x/`: the newest block, the names of all coins, and the state of the
//! providers.

use std::time::Duration;

use axum::Router;
use axum::extract::State as FromState;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
#[cfg(test)]
use utoipa::OpenApi;

use crate::model::{ChainState, CoinName, Source};
use crate::service::backend::Providers;
use crate::service::caching;
use crate::service::errors::{Failure, FailureBody};

/// `max-age` of the providers' state.
const SOURCES_FRESH: Duration = Duration::from_secs(5);

#[cfg(test)]
#[derive(OpenApi)]
#[openapi(paths(chain, names, sources))]
struct Document;

/// The routes of the extensions.
pub(in crate::service) fn router(providers: Providers) -> Router {
    Router::new()
        .route("/x/chain", get(chain))
        .route("/x/names", get(names))
        .route("/x/sources", get(sources))
        .with_state(providers)
}

/// Their description in `assets/openapi.json`.
#[cfg(test)]
pub(in crate::service) fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

/// The newest block and fee rates.
#[utoipa::path(
    get,
    path = "/x/chain",
    tag = "extensions",
    responses(
        (status = 200, description = "The newest block", body = ChainState),
        (status = 501, description = "No provider of blocks is configured", body = FailureBody),
        (status = 503, description = "No provider of blocks answers", body = FailureBody),
    ),
)]
async fn chain(FromState(providers): FromState<Providers>, headers: HeaderMap) -> Result<Response, Failure> {
    let answer = providers.extensions.chain().await?;
    let mut response = caching::json(&headers, &answer.data, answer.age + answer.fresh_for);
    caching::set_origin(&mut response, &answer);
    Ok(response)
}

/// The names of all coins, by rank.
#[utoipa::path(
    get,
    path = "/x/names",
    tag = "extensions",
    responses(
        (status = 200, description = "The names, those without a rank last", body = Vec<CoinName>),
        (status = 501, description = "No provider of coin lists is configured", body = FailureBody),
        (status = 503, description = "No provider of coin lists answers", body = FailureBody),
    ),
)]
async fn names(FromState(providers): FromState<Providers>, headers: HeaderMap) -> Result<Response, Failure> {
    let answer = providers.extensions.names().await?;
    let mut response = caching::json(&headers, &answer.data, answer.age + answer.fresh_for);
    caching::set_origin(&mut response, &answer);
    Ok(response)
}

/// The providers of live data and their state.
#[utoipa::path(
    get,
    path = "/x/sources",
    tag = "extensions",
    responses((status = 200, description = "The providers, those in use first", body = Vec<Source>)),
)]
async fn sources(FromState(providers): FromState<Providers>, headers: HeaderMap) -> Response {
    caching::json(&headers, &providers.extensions.sources().await, SOURCES_FRESH)
}
