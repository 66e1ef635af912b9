//! Caches the encoded responses with live data, so that a repeated request costs a lookup and a write.
//!
//! A response is cached while its data are fresh and no newer data have arrived. Manual refreshes and requests that wait
//! for complete data bypass the cache, and so does simulated data, which depends on the time.

use std::io::{self, Write};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::response::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::time::Instant;

use super::backend::extensions::ExtensionProvider;
use super::caching::{has_type, matches_etag};
use super::errors::Failure;
use crate::client::NOTICE;

/// Maximum size of all bodies in bytes.
const CAPACITY: u64 = 8 << 20;

/// Smaller bodies are not compressed, nor are images, which already are.
const MIN_COMPRESSED: usize = 1024;

/// The cached responses. Cheap to clone.
#[derive(Clone)]
pub(super) struct ResponseCache {
    responses: moka::sync::Cache<String, Arc<Encoded>>,
    provider: Arc<dyn ExtensionProvider>,
}

/// A response with its encodings.
struct Encoded {
    headers: HeaderMap,
    plain: Bytes,
    gzip: OnceLock<Option<Bytes>>,
    /// Age of the data when the response was stored.
    age: Duration,
    stored_at: Instant,
    fresh_for: Duration,
    /// The version of the provider's data.
    version: u64,
}

impl ResponseCache {
    pub(super) fn new(provider: Arc<dyn ExtensionProvider>) -> ResponseCache {
        let responses = moka::sync::Cache::builder()
            .max_capacity(CAPACITY)
            .weigher(|path: &String, encoded: &Arc<Encoded>| {
                // Only JSON and text are compressed, to about a quarter of their size.
                let size = path.len() + encoded.plain.len() / 4 * 5 + 1024;
                u32::try_from(size).unwrap_or(u32::MAX)
            })
            .build();
        ResponseCache { responses, provider }
    }
}

/// Middleware that answers repeated requests from the cache.
pub(super) async fn serve_cached(State(cache): State<ResponseCache>, mut request: Request, next: Next) -> Response {
    let version = cache.provider.data_version().filter(|_| is_cacheable(&request));
    let Some((version, path)) = version.zip(request.uri().path_and_query().map(ToString::to_string)) else {
        return next.run(request).await;
    };
    if let Some(known) = cache.responses.get(&path).filter(|known| known.is_current(version)) {
        return known.response(request.headers());
    }
    // A 304 has no body to cache, so the handler must not see the condition.
    let conditional = request.headers().clone();
    request.headers_mut().remove(header::IF_NONE_MATCH);
    let (parts, body) = next.run(request).await.into_parts();
    let Some((age, fresh_for)) = freshness(&parts) else {
        let response = Response::from_parts(parts, body);
        return unless_unchanged(response, &conditional);
    };
    match axum::body::to_bytes(body, usize::MAX).await {
        Ok(plain) => {
            let stored_at = Instant::now();
            let gzip = OnceLock::new();
            let encoded = Arc::new(Encoded { headers: parts.headers, plain, gzip, age, stored_at, fresh_for, version });
            cache.responses.insert(path, Arc::clone(&encoded));
            encoded.response(&conditional)
        }
        Err(error) => Failure::internal(format!("can't read the response: {error}")).into_response(),
    }
}

/// Whether the response doesn't depend on anything but the path and the query.
fn is_cacheable(request: &Request) -> bool {
    let headers = request.headers();
    let has = |name: header::HeaderName| headers.contains_key(name);
    request.method() == Method::GET
        && !has(header::CACHE_CONTROL)
        && !has(header::PRAGMA)
        && !headers.contains_key("prefer")
}

/// Age of the data and how much longer they are fresh, for a complete response with data of a provider.
fn freshness(parts: &Parts) -> Option<(Duration, Duration)> {
    let is_complete = parts.status == StatusCode::OK && !parts.headers.contains_key(NOTICE);
    let age = parts.headers.get(header::AGE).filter(|_| is_complete)?.to_str().ok()?.parse().ok()?;
    let control = parts.headers.get(header::CACHE_CONTROL)?.to_str().ok()?;
    let max_age = control.split(',').find_map(|part| part.trim().strip_prefix("max-age=")?.parse().ok())?;
    let age = Duration::from_secs(age);
    Some((age, Duration::from_secs(max_age).saturating_sub(age)))
}

/// The response, or 304 without a body if the client has it already.
fn unless_unchanged(response: Response, request: &HeaderMap) -> Response {
    let etag = response.headers().get(header::ETAG).and_then(|etag| etag.to_str().ok());
    if response.status() == StatusCode::OK && etag.is_some_and(|etag| matches_etag(request, etag)) {
        let mut unchanged = StatusCode::NOT_MODIFIED.into_response();
        *unchanged.headers_mut() = response.headers().clone();
        unchanged.headers_mut().remove(header::CONTENT_TYPE);
        return unchanged;
    }
    response
}

impl Encoded {
    fn is_current(&self, version: u64) -> bool {
        self.version == version && self.stored_at.elapsed() < self.fresh_for
    }

    fn response(&self, request: &HeaderMap) -> Response {
        let gzip = accepts_gzip(request).then(|| self.gzip()).flatten();
        let is_compressed = gzip.is_some();
        let mut response = Response::new(Body::from(gzip.unwrap_or_else(|| self.plain.clone())));
        let headers = response.headers_mut();
        headers.clone_from(&self.headers);
        headers.insert(header::AGE, HeaderValue::from((self.age + self.stored_at.elapsed()).as_secs()));
        if is_compressed {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        unless_unchanged(response, request)
    }

    /// The compressed body, if it is large enough and JSON or text.
    fn gzip(&self) -> Option<Bytes> {
        let compressed = || compress(&self.plain).ok().map(Bytes::from);
        let is_text = has_type(&self.headers, "application/json") || has_type(&self.headers, "text/");
        let is_worth_it = is_text && self.plain.len() >= MIN_COMPRESSED;
        self.gzip.get_or_init(|| is_worth_it.then(compressed).flatten()).clone()
    }
}

fn compress(plain: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), Compression::default());
    encoder.write_all(plain)?;
    encoder.finish()
}

/// Whether `Accept-Encoding` lists gzip and doesn't exclude it (RFC 9110, 12.5.3).
fn accepts_gzip(request: &HeaderMap) -> bool {
    let lines = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|coding| {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let quality = parameters.trim().strip_prefix("q=").map_or(Some(1.0), |quality| quality.trim().parse().ok());
        name.trim().eq_ignore_ascii_case("gzip") && quality.is_some_and(|quality: f32| quality > 0.0)
    })
}

#[cfg(test)]
mod tests;
