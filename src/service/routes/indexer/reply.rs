//! Response and error formats of the group: bodies, `ETag`, 304.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::client::{EXPLAINED, MUST_WAIT};
use crate::service::accel::forbid_storing;
use crate::service::backend::indexer::IndexerProvider;
use crate::service::caching;
use crate::service::provider_response::{ProviderError, ProviderResponse, ProviderResult};

/// A new block appears in cached responses after this time.
const BLOCK_DELAY: Duration = Duration::from_secs(10);

/// State of all handlers of the group. Cheap to clone.
pub(super) type Indexer = Arc<dyn IndexerProvider>;

/// The error of an unknown item in Hiro's API.
const NOT_FOUND: &str = "Not found";

/// An error response.
#[derive(Debug)]
pub(super) enum ErrorReply {
    /// An invalid parameter: `querystring/limit must be <= 60`.
    Invalid(String),
    /// The path can't be percent-decoded.
    MalformedUrl(String),
    /// A method other than GET and HEAD.
    NoMethod(Method),
    /// Unknown path.
    NoRoute {
        /// The request's method.
        method: Method,
        /// Path and query.
        url: String,
    },
    /// Not found. The reason names the providers of live data that don't have it.
    NotFound(Option<String>),
    /// An invalid sat request.
    InvalidSat,
    /// No provider serves the operation; the sentence names an alternative.
    Unsupported(String),
    /// All providers currently fail.
    Unavailable {
        /// The reason.
        reason: String,
        /// When it may work again.
        retry_after: Option<Duration>,
        /// Whether a manual refresh queries no provider until then.
        must_wait: bool,
    },
}

impl From<ProviderError> for ErrorReply {
    fn from(error: ProviderError) -> ErrorReply {
        match error {
            ProviderError::NotFound(reason) | ProviderError::NoData(reason) => {
                ErrorReply::NotFound(Some(reason).filter(|reason| reason != NOT_FOUND))
            }
            ProviderError::Parameter { name, must } => {
                ErrorReply::Invalid(format!("querystring/{name} must be {must}"))
            }
            ProviderError::Unsupported(message) => ErrorReply::Unsupported(message),
            ProviderError::Unavailable { reason, retry_after, must_wait } => {
                ErrorReply::Unavailable { reason, retry_after, must_wait }
            }
        }
    }
}

/// The body for an invalid parameter.
#[derive(Serialize, ToSchema)]
pub(super) struct BadRequest {
    #[serde(rename = "statusCode")]
    status_code: u16,
    /// `Bad Request`.
    error: &'static str,
    /// The parameter and its accepted values.
    message: String,
}

/// The body for an unknown item or an invalid sat number.
#[derive(Serialize, ToSchema)]
pub(super) struct Plain {
    /// The error.
    error: &'static str,
    /// The providers of live data that don't have the item, or the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// The body if no provider answers.
#[derive(Serialize)]
struct Sentence {
    error: &'static str,
    /// The reason and a remedy.
    message: String,
}

/// The body for a malformed or unknown path, or another method.
#[derive(Serialize)]
struct Unroutable {
    message: String,
    error: &'static str,
    #[serde(rename = "statusCode")]
    status_code: u16,
}

impl IntoResponse for ErrorReply {
    fn into_response(self) -> Response {
        let mut response = match self {
            ErrorReply::Invalid(message) => {
                let body = BadRequest { status_code: 400, error: "Bad Request", message };
                json(StatusCode::BAD_REQUEST, &body)
            }
            ErrorReply::MalformedUrl(path) => {
                let message = format!("'{path}' is not a valid url component");
                json(StatusCode::BAD_REQUEST, &Unroutable { message, error: "Bad Request", status_code: 400 })
            }
            ErrorReply::NoRoute { method, url } => {
                let message = format!("Route {method}:{url} not found");
                json(StatusCode::NOT_FOUND, &Unroutable { message, error: "Not Found", status_code: 404 })
            }
            ErrorReply::NoMethod(method) => {
                let message = format!("Method {method} not allowed; use GET");
                let body = Unroutable { message, error: "Method Not Allowed", status_code: 405 };
                let mut response = json(StatusCode::METHOD_NOT_ALLOWED, &body);
                response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET,HEAD"));
                response
            }
            ErrorReply::NotFound(message) => json(StatusCode::NOT_FOUND, &Plain { error: NOT_FOUND, message }),
            ErrorReply::Unsupported(message) => {
                explained(json(StatusCode::NOT_IMPLEMENTED, &Sentence { error: "Not Implemented", message }))
            }
            ErrorReply::Unavailable { reason, retry_after, must_wait } => {
                let body = Sentence { error: "Service Unavailable", message: reason };
                let mut response = explained(json(StatusCode::SERVICE_UNAVAILABLE, &body));
                if let Some(wait) = retry_after {
                    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs().max(1)));
                }
                if must_wait {
                    response.headers_mut().insert(MUST_WAIT, HeaderValue::from_static("true"));
                }
                response
            }
            ErrorReply::InvalidSat => {
                json(StatusCode::BAD_REQUEST, &Plain { error: "Invalid satoshi ordinal number", message: None })
            }
        };
        forbid_storing(&mut response);
        response
    }
}

/// Marks the message as a sentence for the user.
fn explained(mut response: Response) -> Response {
    response.headers_mut().insert(EXPLAINED, HeaderValue::from_static("true"));
    response
}

/// A body without caching headers.
pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let mut response = (status, Json(body)).into_response();
    let kind = HeaderValue::from_static("application/json; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

/// A successful response without caching headers.
pub(super) fn ok(body: &impl Serialize) -> Response {
    json(StatusCode::OK, body)
}

/// Builds the response with live data: with an `ETag` of its body, and fresh until a new block appears in it.
pub(super) async fn live<M>(
    request: &HeaderMap,
    provided: &ProviderResponse<M>,
    write: impl FnOnce(&M) -> Response,
) -> Response {
    let fresh_for = provided.fresh_for.min(BLOCK_DELAY);
    let mut response = caching::tagged(request, write(&provided.data), caching::max_age(provided.age, fresh_for)).await;
    caching::set_origin(&mut response, provided, fresh_for);
    response
}

/// Builds the response with the group's `ETag`: 304 without calling the provider if the request contains it.
///
/// # Errors
/// The provider has no response.
pub(super) async fn cached<M>(
    request: &HeaderMap,
    indexer: &dyn IndexerProvider,
    provided: impl Future<Output = ProviderResult<M>>,
    write: impl FnOnce(&M) -> Response,
) -> Result<Response, ErrorReply> {
    // Weak, since the compressed and the plain body share it.
    let tag = indexer.version().map(|version| format!("W/\"{version}\""));
    let unchanged = tag.as_deref().is_some_and(|tag| caching::matches_etag(request, tag));
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match provided.await? {
            provided if provided.provider.is_some() => return Ok(live(request, &provided, write).await),
            provided => write(&provided.data),
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, no-cache, must-revalidate"));
    if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(&tag).ok()) {
        headers.insert(header::ETAG, tag);
    }
    Ok(response)
}
