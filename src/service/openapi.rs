//! The description of both groups at `/openapi.json` (OpenAPI 3.1).

use std::sync::OnceLock;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::Response;
use utoipa::OpenApi;

use super::caching;
use super::routes::{indexer, market};

/// How long the description may be kept.
const FRESH: Duration = Duration::from_secs(3600);

#[derive(OpenApi)]
#[openapi(
    info(
        title = "satscope",
        description = "Token markets, BRC-20 and satoshi ordinals: two groups of read-only requests. \
                       The figures are simulated.",
    ),
    servers((url = "/")),
)]
struct Base;

/// Both groups in one document.
pub(super) fn openapi() -> utoipa::openapi::OpenApi {
    let mut document = Base::openapi();
    document.merge(market::openapi());
    document.merge(indexer::openapi());
    document
}

/// `GET /openapi.json`.
pub(super) async fn document(headers: HeaderMap) -> Response {
    static DOCUMENT: OnceLock<Vec<u8>> = OnceLock::new();
    let bytes = DOCUMENT.get_or_init(|| openapi().to_json().unwrap_or_default().into_bytes());
    caching::bytes(&headers, bytes.clone(), FRESH)
}
