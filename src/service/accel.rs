//! `X-Accel-*` headers, which nginx removes.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

/// How long nginx may cache a response, in seconds. nginx ignores `Age`, and prefers this to `Cache-Control`.
pub(super) const X_ACCEL_EXPIRES: HeaderName = HeaderName::from_static("x-accel-expires");

/// Forbids caching an error. nginx may store errors that are the same for every client, but only for a second: otherwise
/// simultaneous requests would wait for each other (`proxy_cache_lock`). Not 503, which would replace old data.
pub(super) fn forbid_storing(response: &mut Response) {
    let is_same_for_all =
        matches!(response.status(), StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::NOT_IMPLEMENTED);
    let headers = response.headers_mut();
    if is_same_for_all {
        // In nginx before 1.23, the first of the two headers counts.
        headers.remove(header::CACHE_CONTROL);
        headers.insert(X_ACCEL_EXPIRES, HeaderValue::from_static("1"));
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
}
