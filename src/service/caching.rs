//! Response freshness and conditional requests: `Cache-Control`, `ETag`, `If-None-Match` (RFC 9110, RFC 9111).

use std::hash::Hasher;
use std::time::{Duration, SystemTime};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use percent_encoding::{CONTROLS, utf8_percent_encode};
use serde::Serialize;

pub(super) use super::accel::X_ACCEL_EXPIRES;
use super::errors::Failure;
use super::provider_response::ProviderResponse;
use crate::client::{DATA_TIME, NOT_REFRESHED, NOTICE, NOTICE_CODE, PROVIDER, RATE_PROVIDER, RATE_TIME, REFRESH_ERROR};
use crate::model::{RateOrigin, UtcTime};

/// Returns `value` as a JSON response that is fresh for `max_age`, or 304 without a body if the request's
/// `If-None-Match` matches.
pub(super) fn json(request: &HeaderMap, value: &impl Serialize, max_age: Duration) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => bytes(request, body, max_age),
        Err(error) => Failure::internal(format!("can't serialise the response: {error}")).into_response(),
    }
}

/// A response like [`json`], with a serialised body.
pub(super) fn bytes(request: &HeaderMap, body: Vec<u8>, max_age: Duration) -> Response {
    let etag = etag(&body);
    let unchanged = matches_etag(request, &etag);
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut full = Response::new(Body::from(body));
        full.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        full
    };
    set_validators(&mut response, &etag, max_age);
    response
}

/// Sets `ETag`, `Vary` and `Cache-Control`.
fn set_validators(response: &mut Response, etag: &str, max_age: Duration) {
    set_max_age(response, max_age);
    let headers = response.headers_mut();
    if let Ok(value) = HeaderValue::from_str(etag) {
        headers.insert(header::ETAG, value);
    }
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
}

/// Adds an `ETag` of the body and the headers of [`bytes`] to a response, or returns 304.
pub(super) async fn tagged(request: &HeaderMap, response: Response, max_age: Duration) -> Response {
    let (parts, body) = response.into_parts();
    let body = match axum::body::to_bytes(body, usize::MAX).await {
        Ok(body) => body,
        Err(error) => return Failure::internal(format!("can't read the response: {error}")).into_response(),
    };
    let etag = etag(&body);
    let mut response = Response::from_parts(parts, Body::from(body));
    if matches_etag(request, &etag) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        response.headers_mut().remove(header::CONTENT_TYPE);
        response.headers_mut().remove(header::CONTENT_LENGTH);
    }
    set_validators(&mut response, &etag, max_age);
    response
}

/// Middleware that overrides the `max-age` of successful responses; `None` leaves them unchanged. Streams, and
/// responses that report a missing resource, don't become cacheable.
pub(super) async fn override_max_age(
    State(max_age): State<Option<Duration>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let is_cacheable = match response.status() {
        StatusCode::NO_CONTENT => false,
        StatusCode::NOT_MODIFIED => true,
        status => status.is_success() && !has_type(response.headers(), "text/event-stream"),
    };
    if let Some(max_age) = max_age.filter(|_| is_cacheable) {
        set_max_age(&mut response, max_age);
    }
    response
}

/// Allows only the client itself to keep the response of a service with a token, since a shared cache would return it
/// to clients without one.
pub(super) fn make_private(response: &mut Response) {
    let headers = response.headers_mut();
    headers.remove(&X_ACCEL_EXPIRES);
    let control = headers.get(header::CACHE_CONTROL).and_then(|control| control.to_str().ok()).unwrap_or_default();
    if control == "no-store" {
        return;
    }
    let is_for_shared =
        |part: &str| part.is_empty() || part == "public" || part.starts_with("s-maxage") || part.starts_with("stale-");
    let own = control.split(',').map(str::trim).filter(|part| !is_for_shared(part));
    let private = own.fold(String::from("private"), |private, part| private + ", " + part);
    if let Ok(private) = HeaderValue::try_from(private) {
        headers.insert(header::CACHE_CONTROL, private);
    }
}

/// Whether `Content-Type` starts with this.
pub(super) fn has_type(headers: &HeaderMap, start: &str) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    content_type.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start))
}

/// How long a shared cache may use a stale response while the service fails, in seconds.
const STALE_IF_ERROR: u32 = 3600;

/// A shared cache keeps a response as long as a client does, and may serve it stale for as long again while it fetches a
/// new one (RFC 5861).
fn set_max_age(response: &mut Response, max_age: Duration) {
    set_cache_control(response, max_age, max_age);
}

/// Sets `Cache-Control` like [`set_max_age`]; a shared cache may serve the response stale for `while_stale` while it
/// fetches a new one.
fn set_cache_control(response: &mut Response, max_age: Duration, while_stale: Duration) {
    let (seconds, stale) = (max_age.as_secs(), while_stale.as_secs());
    let control = format!(
        "public, max-age={seconds}, s-maxage={seconds}, stale-while-revalidate={stale}, stale-if-error={STALE_IF_ERROR}"
    );
    if let Ok(value) = HeaderValue::from_str(&control) {
        response.headers_mut().insert(header::CACHE_CONTROL, value);
    }
}

/// The `max-age` of data of this age that is fresh for some more time. `Age` is rounded down, so the rest is rounded
/// up: otherwise a client repeats its request just before the data is refreshed.
pub(super) fn max_age(age: Duration, fresh_for: Duration) -> Duration {
    Duration::from_secs(age.as_secs() + fresh_for.as_secs() + u64::from(fresh_for.subsec_nanos() > 0))
}

/// How long the service itself may cache a response with live data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Freshness {
    /// Age of the data.
    pub(super) age: Duration,
    /// How much longer they are fresh.
    pub(super) fresh_for: Duration,
}

/// Sets the headers for the notice, its code and the refresh error of a response, the origin of its exchange rate and, if it
/// comes from a real provider, for its age and provider. The data is fresh for this time from now.
pub(super) fn set_origin<T>(response: &mut Response, provided: &ProviderResponse<T>, fresh_for: Duration) {
    if let Some(providers) = provided.provider_names() {
        response.extensions_mut().insert(Freshness { age: provided.age, fresh_for });
        // `max-age` includes the age, which may be hours while a provider fails.
        set_cache_control(response, max_age(provided.age, fresh_for), max_age(Duration::ZERO, fresh_for));
        let headers = response.headers_mut();
        headers.insert(header::AGE, HeaderValue::from(provided.age.as_secs()));
        // By the clock of the `Date` header, with which clients compare it.
        let at = SystemTime::now().checked_sub(provided.age);
        if let Some(at) = at.and_then(|at| HeaderValue::try_from(httpdate::fmt_http_date(at)).ok()) {
            headers.insert(DATA_TIME, at);
        }
        if let Ok(providers) = HeaderValue::try_from(providers) {
            headers.insert(PROVIDER, providers);
        }
    }
    if let Some(RateOrigin { provider, at }) = &provided.rate
        && let Ok(provider) = HeaderValue::try_from(provider.as_str())
        && let Some(at) = http_date(*at)
    {
        response.headers_mut().insert(RATE_PROVIDER, provider);
        response.headers_mut().insert(RATE_TIME, at);
    }
    if let Some(code) = &provided.notice_code
        && let Ok(code) = HeaderValue::try_from(code.to_string())
    {
        response.headers_mut().insert(NOTICE_CODE, code);
    }
    let sentences = [
        (NOTICE, &provided.notice),
        (REFRESH_ERROR, &provided.refresh_error),
        (NOT_REFRESHED, &provided.not_refreshed),
    ];
    for (name, sentence) in sentences {
        let encoded = sentence.as_ref().map(|sentence| utf8_percent_encode(sentence, CONTROLS).to_string());
        if let Some(encoded) = encoded.and_then(|encoded| HeaderValue::try_from(encoded).ok()) {
            response.headers_mut().insert(name, encoded);
        }
    }
}

fn http_date(time: UtcTime) -> Option<HeaderValue> {
    let since_1970 = Duration::from_secs(u64::try_from(time.secs()).ok()?);
    HeaderValue::try_from(httpdate::fmt_http_date(SystemTime::UNIX_EPOCH.checked_add(since_1970)?)).ok()
}

/// A weak ETag, since the compressed and the plain body share it.
fn etag(body: &[u8]) -> String {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(body);
    format!("W/\"{:016x}\"", hasher.finish())
}

/// Maximum compared tags of `If-None-Match`. Clients send one for each version that they have, mostly one.
const MAX_TAGS: usize = 64;

/// Whether `If-None-Match` is `*` or lists the tag, by weak comparison (RFC 9110, 13.1.2). After [`MAX_TAGS`] it counts
/// as not listed, since the comparison delays other clients.
pub(super) fn matches_etag(request: &HeaderMap, etag: &str) -> bool {
    let lines = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let wanted = opaque_tag(etag);
    lines.flat_map(|value| value.split(',')).take(MAX_TAGS).any(|tag| tag.trim() == "*" || opaque_tag(tag) == wanted)
}

/// A tag without the mark of weak ones.
fn opaque_tag(tag: &str) -> &str {
    let tag = tag.trim();
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::Router;
    use axum::middleware::from_fn_with_state;
    use axum::response::sse::{Event, Sse};
    use axum::routing::get;
    use futures_util::stream;
    use tokio::net::TcpListener;

    use super::*;
    use crate::model::ProviderName;

    #[test]
    fn only_the_first_tags_are_compared() {
        let listed = |count: usize| {
            let tags = vec!["\"other\""; count - 1].join(", ") + ", W/\"1\"";
            HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::try_from(tags).unwrap())])
        };
        assert!(matches_etag(&listed(2), "W/\"1\"") && matches_etag(&listed(MAX_TAGS), "\"1\""));
        assert!(!matches_etag(&listed(MAX_TAGS + 1), "W/\"1\""));
        let long: HeaderMap =
            (0..90).map(|_| (header::IF_NONE_MATCH, HeaderValue::from_static("\"0\", \"2\""))).collect();
        let info = allocation_counter::measure(|| assert!(!matches_etag(&long, "W/\"1\"")));
        assert_eq!(info.count_total, 0);
    }

    /// A client that got `max-age=299` and `Age: 299` would ask again before the data is refreshed.
    #[test]
    fn max_age_is_not_shorter_than_the_freshness() {
        for (age, fresh_for, expected) in
            [(0, 300_000, 300), (299_300, 699, 300), (50, 299_950, 300), (50, 10_000, 10), (100_400, 199_600, 300)]
        {
            let found = max_age(Duration::from_millis(age), Duration::from_millis(fresh_for));
            assert_eq!(found, Duration::from_secs(expected), "{age} {fresh_for}");
        }
    }

    #[test]
    fn stale_while_revalidate_excludes_the_age() {
        let (age, fresh_for) = (Duration::from_hours(20), Duration::from_millis(14_500));
        let provider = Some(ProviderName::CoinGecko);
        let provided = ProviderResponse { age, provider, ..ProviderResponse::new((), UtcTime::now(), fresh_for) };
        let mut response = json(&HeaderMap::new(), &(), max_age(age, fresh_for));
        set_origin(&mut response, &provided, fresh_for);
        let control = response.headers()[header::CACHE_CONTROL].to_str().unwrap();
        assert_eq!(control, "public, max-age=72015, s-maxage=72015, stale-while-revalidate=15, stale-if-error=3600");
    }

    #[tokio::test]
    async fn max_age_option_leaves_streams_and_empty_responses_alone() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let event = || stream::iter([Ok::<_, Infallible>(Event::default().data("1"))]);
        let router = Router::new()
            .route("/stream", get(move || async move { Sse::new(event()) }))
            .route("/none", get(|| async { StatusCode::NO_CONTENT }))
            .route("/text", get(|| async { "1" }))
            .layer(from_fn_with_state(Some(Duration::from_secs(7)), override_max_age));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        for (path, control) in [
            ("/stream", Some("no-cache")),
            ("/none", None),
            ("/text", Some("public, max-age=7, s-maxage=7, stale-while-revalidate=7, stale-if-error=3600")),
        ] {
            let response = client.get(format!("{url}{path}")).send().await.unwrap();
            let found = response.headers().get(header::CACHE_CONTROL).map(|value| value.to_str().unwrap());
            assert_eq!(found, control, "{path}");
        }
    }
}
