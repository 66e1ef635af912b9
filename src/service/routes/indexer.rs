//! The indexer group at `/ordinals`, and the same at `/ordinals/v1`: the paths, parameters, bodies and headers of
//! Hiro's Ordinals API v4.0.0, answered by a provider.

mod brc20;
mod inscriptions;
mod query;
mod reply;
mod sats;
mod statistics;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State as Extract};
use axum::http::{HeaderMap, Method, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any, get};
#[cfg(test)]
use utoipa::OpenApi;

use crate::service::backend::Providers;
use crate::service::json::indexer::StatusJson;
use reply::{ErrorReply, Indexer, cached, ok};

/// The router of the group.
pub(in crate::service) fn router(providers: &Providers) -> Router {
    let mut router = Router::new();
    for mount in ["/ordinals", "/ordinals/v1"] {
        for (path, handler) in routes() {
            // Hiro's API responds with 404, which hides that only the method is wrong.
            router = router.route(&format!("{mount}{path}"), handler.fallback(no_method));
        }
    }
    router
        .route("/ordinals/{*anything}", any(no_route))
        .layer(middleware::from_fn(refuse_malformed_paths))
        .with_state(Arc::clone(&providers.indexer))
}

fn routes() -> [(&'static str, MethodRouter<Indexer>); 16] {
    [
        ("", get(status)),
        ("/", get(status)),
        ("/brc-20/tokens", get(brc20::tokens)),
        ("/brc-20/tokens/{ticker}", get(brc20::token)),
        ("/brc-20/tokens/{ticker}/holders", get(brc20::holders)),
        ("/brc-20/balances/{address}", get(brc20::balances)),
        ("/brc-20/activity", get(brc20::activity)),
        ("/inscriptions", get(inscriptions::list)),
        ("/inscriptions/transfers", get(inscriptions::transfers)),
        ("/inscriptions/{id}", get(inscriptions::one)),
        ("/inscriptions/{id}/content", get(inscriptions::content)),
        ("/inscriptions/{id}/transfers", get(inscriptions::locations)),
        ("/sats/{ordinal}", get(sats::one)),
        ("/sats/{ordinal}/inscriptions", get(sats::inscriptions)),
        ("/stats/inscriptions", get(statistics::inscriptions)),
        ("/stats/inscriptions/", get(statistics::inscriptions)),
    ]
}

/// The OpenAPI description, as in `assets/openapi.json`.
#[cfg(test)]
pub(in crate::service) fn openapi() -> utoipa::openapi::OpenApi {
    Document::openapi()
}

#[cfg(test)]
#[derive(OpenApi)]
#[openapi(
    paths(
        status,
        brc20::tokens,
        brc20::token,
        brc20::holders,
        brc20::balances,
        brc20::activity,
        inscriptions::list,
        inscriptions::transfers,
        inscriptions::one,
        inscriptions::content,
        inscriptions::locations,
        sats::one,
        sats::inscriptions,
        statistics::inscriptions,
    ),
    tags(
        (name = "BRC-20", description = "Tokens, holders, balances, activity"),
        (name = "Inscriptions", description = "Inscriptions, their locations and transfers"),
        (name = "Satoshis", description = "Sats and the inscriptions on them"),
        (name = "Statistics", description = "Inscriptions per block"),
        (name = "Status", description = "Status of the indexer"),
    ),
)]
struct Document;

/// Status of the indexer.
///
/// Every path of this group is also served below `/ordinals/v1`.
#[utoipa::path(
    get,
    path = "/ordinals/",
    operation_id = "getApiStatus",
    tag = "Status",
    responses(
        (status = 200, description = "The status", body = StatusJson),
    ),
)]
async fn status(Extract(indexer): Extract<Indexer>, headers: HeaderMap) -> Result<Response, ErrorReply> {
    cached(&headers, &*indexer, indexer.status(), |status| ok(&StatusJson::from(status))).await
}

async fn no_route(method: Method, uri: Uri) -> ErrorReply {
    ErrorReply::NoRoute { method, url: uri.to_string() }
}

async fn no_method(method: Method) -> ErrorReply {
    ErrorReply::NoMethod(method)
}

/// Rejects paths that are not percent-encoded UTF-8, before routing.
async fn refuse_malformed_paths(request: Request, next: Next) -> Response {
    if query::is_decodable(request.uri().path()) {
        return next.run(request).await;
    }
    ErrorReply::MalformedUrl(request.uri().path().to_owned()).into_response()
}
