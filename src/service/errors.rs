//! Errors of the market group and of the service itself: the envelope of every response, without `data`. The indexer
//! group has its own error bodies.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::accel::forbid_storing;
use super::provider_response::ProviderError;
use super::time_source::TimeSource;
use crate::client::{EXPLAINED, MUST_WAIT};

/// A failed request. Converted into a response, it has no body until [`write_body`] adds one.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    status: StatusCode,
    message: String,
    parameter: Option<String>,
    retry_after_secs: Option<u64>,
    /// Whether the message is a sentence for the user, not for a developer.
    is_explained: bool,
    /// Whether a manual refresh queries no provider until the retry.
    must_wait: bool,
}

/// The body of a failure.
#[derive(Serialize, ToSchema)]
#[schema(as = Failure)]
pub(super) struct FailureBody {
    status: FailureStatus,
    /// Name of the invalid parameter.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    parameter: Option<String>,
}

/// The error.
#[derive(Serialize, ToSchema)]
struct FailureStatus {
    /// Time of the error (RFC 3339).
    timestamp: String,
    /// The HTTP status.
    error_code: u16,
    /// The message, one sentence.
    error_message: String,
    /// Always 0.
    elapsed: u32,
    /// Always 0.
    credit_count: u32,
}

impl Failure {
    fn new(status: StatusCode, message: String) -> Failure {
        Failure { status, message, parameter: None, retry_after_secs: None, is_explained: false, must_wait: false }
    }

    /// 400: `parameter` is invalid; `must` completes the sentence "parameter … must be".
    pub(super) fn parameter(parameter: &str, must: &str) -> Failure {
        let message = format!("parameter \"{parameter}\" must be {must}");
        Failure { parameter: Some(parameter.to_owned()), ..Failure::new(StatusCode::BAD_REQUEST, message) }
    }

    /// 400: a parameter is given more than once.
    pub(super) fn repeated(parameter: &str) -> Failure {
        let message = format!("parameter \"{parameter}\" must not be repeated");
        Failure { parameter: Some(parameter.to_owned()), ..Failure::new(StatusCode::BAD_REQUEST, message) }
    }

    /// 400: a required parameter is absent; `expected` describes its value.
    pub(super) fn missing(parameter: &str, expected: &str) -> Failure {
        let message = format!("missing parameter \"{parameter}\" ({expected})");
        Failure { parameter: Some(parameter.to_owned()), ..Failure::new(StatusCode::BAD_REQUEST, message) }
    }

    /// 400: the request doesn't name one host.
    pub(super) fn host() -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, String::from("the request must have exactly one Host header"))
    }

    /// 401: the token is missing or wrong.
    pub(super) fn unauthorized() -> Failure {
        let message = String::from("missing or invalid token; send Authorization: Bearer TOKEN");
        Failure::new(StatusCode::UNAUTHORIZED, message)
    }

    /// 404.
    pub(super) fn not_found(message: String) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, message)
    }

    /// 404 for a known item.
    fn no_data(message: String) -> Failure {
        Failure { is_explained: true, ..Failure::not_found(message) }
    }

    /// 405.
    pub(super) fn method_not_allowed(message: String) -> Failure {
        Failure::new(StatusCode::METHOD_NOT_ALLOWED, message)
    }

    /// 429 with `Retry-After`.
    pub(super) fn too_many(retry_after_secs: u64) -> Failure {
        let message = format!("rate-limited; retry after {retry_after_secs} s");
        Failure { retry_after_secs: Some(retry_after_secs), ..Failure::new(StatusCode::TOO_MANY_REQUESTS, message) }
    }

    /// 501.
    fn unsupported(message: String) -> Failure {
        Failure { is_explained: true, ..Failure::new(StatusCode::NOT_IMPLEMENTED, message) }
    }

    /// 503, with `Retry-After` if known.
    fn unavailable(message: String, retry_after: Option<Duration>, must_wait: bool) -> Failure {
        let retry_after_secs = retry_after.map(|wait| wait.as_secs().max(1));
        let failure = Failure::new(StatusCode::SERVICE_UNAVAILABLE, message);
        Failure { retry_after_secs, is_explained: true, must_wait, ..failure }
    }

    /// 503: the service shuts down before it has the response.
    pub(super) fn stopping() -> Failure {
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, String::from("the service is shutting down; try again"))
    }

    /// 503: the limit of unread responses in memory is reached.
    pub(super) fn overloaded() -> Failure {
        let message = String::from("response memory is full; retry after 1 s");
        Failure { retry_after_secs: Some(1), ..Failure::new(StatusCode::SERVICE_UNAVAILABLE, message) }
    }

    /// 500.
    pub(super) fn internal(message: String) -> Failure {
        Failure::new(StatusCode::INTERNAL_SERVER_ERROR, message)
    }
}

impl From<ProviderError> for Failure {
    fn from(error: ProviderError) -> Failure {
        match error {
            ProviderError::NotFound(message) => Failure::not_found(message),
            ProviderError::NoData(message) => Failure::no_data(message),
            ProviderError::Parameter { name, must } => Failure::parameter(name, &must),
            ProviderError::Unsupported(message) => Failure::unsupported(message),
            ProviderError::Unavailable { reason, retry_after, must_wait } => {
                Failure::unavailable(reason, retry_after, must_wait)
            }
        }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        forbid_storing(&mut response);
        if let Some(seconds) = self.retry_after_secs {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if self.is_explained {
            response.headers_mut().insert(EXPLAINED, HeaderValue::from_static("true"));
        }
        if self.must_wait {
            response.headers_mut().insert(MUST_WAIT, HeaderValue::from_static("true"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// Middleware that adds the body of a [`Failure`], which contains the service's time.
pub(super) async fn write_body(State(time): State<TimeSource>, response: Response) -> Response {
    with_body(&time, response)
}

/// Adds the body of a [`Failure`].
pub(super) fn with_body(time: &TimeSource, mut response: Response) -> Response {
    let Some(Failure { status, message, parameter, .. }) = response.extensions_mut().remove() else { return response };
    let status = FailureStatus {
        timestamp: time.now().to_string(),
        error_code: status.as_u16(),
        error_message: message,
        elapsed: 0,
        credit_count: 0,
    };
    let (mut head, _) = response.into_parts();
    let (body_head, body) = Json(FailureBody { status, parameter }).into_response().into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.extend(body_head.headers);
    Response::from_parts(head, body)
}
