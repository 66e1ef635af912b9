//! How long an answer is fresh, and how a client asks whether the one it keeps still holds (RFC 9110, 9111).

use std::hash::Hasher;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::errors::Failure;

/// `value` as a JSON answer that is fresh for `max_age`, or 304 without a body where the request names its ETag.
pub(super) fn json(request: &HeaderMap, value: &impl Serialize, max_age: Duration) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => bytes(request, body, max_age),
        Err(error) => Failure::internal(format!("the answer could not be written: {error}")).into_response(),
    }
}

/// The same for JSON that is already written.
pub(super) fn bytes(request: &HeaderMap, body: Vec<u8>, max_age: Duration) -> Response {
    let etag = etag(&body);
    let unchanged = names(request, &etag);
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut full = Response::new(Body::from(body));
        full.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        full
    };
    state_age(&mut response, max_age);
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(&etag) {
        headers.insert(header::ETAG, value);
    }
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// Lets answers hold for so long where the options say it; `None` leaves them as they are. Failures hold for no time.
pub(super) async fn hold(State(max_age): State<Option<Duration>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let holds = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
    if let Some(max_age) = max_age.filter(|_| holds) {
        state_age(&mut response, max_age);
    }
    response
}

fn state_age(response: &mut Response, max_age: Duration) {
    if let Ok(value) = HeaderValue::from_str(&format!("public, max-age={}", max_age.as_secs())) {
        response.headers_mut().insert(header::CACHE_CONTROL, value);
    }
}

/// Weak, since the compressed and the plain body share it.
fn etag(body: &[u8]) -> String {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(body);
    format!("W/\"{:016x}\"", hasher.finish())
}

/// Whether `If-None-Match` names the tag: `*`, or in a list, compared weakly (RFC 9110, 13.1.2).
pub(super) fn names(request: &HeaderMap, etag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let wanted = opaque(etag);
    request
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|tag| tag.trim() == "*" || opaque(tag) == wanted)
}
