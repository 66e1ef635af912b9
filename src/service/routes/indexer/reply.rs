//! What the group's answers and refusals look like: bodies, `ETag`, 304.

use std::time::Duration;

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::service::caching;
use crate::service::providers::{IndexerProvider, ProviderError, ProviderResult};

/// A request that gets no data.
#[derive(Debug)]
pub(super) enum Refusal {
    /// A parameter is not what it must be: `querystring/limit must be <= 60`.
    Invalid(String),
    /// The path cannot be percent-decoded.
    MalformedUrl(String),
    /// There is no such path, or not for this method.
    NoRoute {
        /// As it was asked.
        method: Method,
        /// With the query.
        url: String,
    },
    /// There is no such thing.
    NotFound,
    /// Anything wrong with a request on sats.
    InvalidSat,
    /// The provider does not serve the operation; the sentence says what would.
    Unsupported(String),
    /// All that could answer fail at present.
    Unavailable {
        /// Why.
        reason: String,
        /// When it may work again.
        retry_after: Option<Duration>,
    },
}

impl From<ProviderError> for Refusal {
    fn from(error: ProviderError) -> Refusal {
        match error {
            ProviderError::NotFound(_) => Refusal::NotFound,
            ProviderError::Parameter { name, must } => Refusal::Invalid(format!("querystring/{name} must be {must}")),
            ProviderError::Unsupported(message) => Refusal::Unsupported(message),
            ProviderError::Unavailable { reason, retry_after } => Refusal::Unavailable { reason, retry_after },
        }
    }
}

/// The body where a parameter is wrong.
#[derive(Serialize, ToSchema)]
pub(super) struct BadRequest {
    #[serde(rename = "statusCode")]
    status_code: u16,
    /// `Bad Request`.
    error: &'static str,
    /// Which parameter, and what it must be.
    message: String,
}

/// The body where something is not there, or a sat's number is wrong.
#[derive(Serialize, ToSchema)]
pub(super) struct Plain {
    /// What is wrong.
    error: &'static str,
}

/// The body where no provider answers.
#[derive(Serialize)]
struct Sentence {
    error: &'static str,
    /// Why, and what to do.
    message: String,
}

/// The body for a path that cannot be decoded, or does not exist.
#[derive(Serialize)]
struct Unroutable {
    message: String,
    error: &'static str,
    #[serde(rename = "statusCode")]
    status_code: u16,
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Refusal::Invalid(message) => {
                let body = BadRequest { status_code: 400, error: "Bad Request", message };
                json(StatusCode::BAD_REQUEST, &body)
            }
            Refusal::MalformedUrl(path) => {
                let message = format!("'{path}' is not a valid url component");
                json(StatusCode::BAD_REQUEST, &Unroutable { message, error: "Bad Request", status_code: 400 })
            }
            Refusal::NoRoute { method, url } => {
                let message = format!("Route {method}:{url} not found");
                json(StatusCode::NOT_FOUND, &Unroutable { message, error: "Not Found", status_code: 404 })
            }
            Refusal::NotFound => json(StatusCode::NOT_FOUND, &Plain { error: "Not found" }),
            Refusal::Unsupported(message) => {
                json(StatusCode::NOT_IMPLEMENTED, &Sentence { error: "Not Implemented", message })
            }
            Refusal::Unavailable { reason, retry_after } => {
                let body = Sentence { error: "Service Unavailable", message: reason };
                let mut response = json(StatusCode::SERVICE_UNAVAILABLE, &body);
                if let Some(wait) = retry_after {
                    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
                }
                response
            }
            Refusal::InvalidSat => json(StatusCode::BAD_REQUEST, &Plain { error: "Invalid satoshi ordinal number" }),
        }
    }
}

/// A body without caching headers.
pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let mut response = (status, Json(body)).into_response();
    let kind = HeaderValue::from_static("application/json; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// A good answer without caching headers.
pub(super) fn ok(body: &impl Serialize) -> Response {
    json(StatusCode::OK, body)
}

/// The response to an answer, with the `ETag` of the group: 304 where the request names it, without asking the
/// provider; 404 where the provider finds nothing.
///
/// # Errors
/// The provider has no answer for another reason.
pub(super) async fn cached<M>(
    request: &HeaderMap,
    indexer: &dyn IndexerProvider,
    answer: impl Future<Output = ProviderResult<M>>,
    write: impl FnOnce(&M) -> Response,
) -> Result<Response, Refusal> {
    let tag = indexer.version().map(|version| format!("\"{version}\""));
    let unchanged = tag.as_deref().is_some_and(|tag| caching::matches_etag(request, tag));
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match answer.await.map_err(Refusal::from) {
            Ok(answer) => {
                let mut response = write(&answer.data);
                caching::set_origin(&mut response, &answer);
                response
            }
            Err(Refusal::NotFound) => Refusal::NotFound.into_response(),
            Err(refusal) => return Err(refusal),
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache, must-revalidate"));
    if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(&tag).ok()) {
        headers.insert(header::ETAG, tag);
    }
    Ok(response)
}
