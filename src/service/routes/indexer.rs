//! The indexer group (being built).

use axum::Router;
use utoipa::OpenApi;

use crate::service::shared::State;

#[derive(OpenApi)]
struct Indexer;

/// What the group answers.
pub(in crate::service) fn router(_: State) -> Router {
    Router::new()
}

/// Its description.
pub(in crate::service) fn openapi() -> utoipa::openapi::OpenApi {
    Indexer::openapi()
}
