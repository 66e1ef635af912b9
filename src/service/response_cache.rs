//! Caches the encoded responses with live data, so that a repeated request costs a lookup and a write.
//!
//! A response is cached while its data is fresh and no newer data has arrived. Manual refreshes and requests that
//! wait for complete data bypass the cache. Identical requests at the same time are computed once.

mod flights;
mod key;
mod sharing;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{MatchedPath, Request, State};
use axum::http::response::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use self::flights::Flights;
use self::sharing::{PublishLimit, SharedParts};
use super::backend::extensions::ExtensionProvider;
use super::caching::{Freshness, X_ACCEL_EXPIRES, matches_etag};
use super::data_version::{self, DataVersions, Operations};
use super::encoding::{self, Encoding};
use super::errors::Failure;
use super::fair_share::FairShare;
use super::shared::{Claim, SharedState, StoredResponse};
use super::time_source::{TimeSource, Timestamp};
use super::unread_responses::{self, Client};
use crate::client::REFRESH_ERROR;
use crate::client::endpoint::STREAM;

/// How long old data of a provider that fails is cached: it may work again before its next try, for other data.
const STALE_FRESH_FOR: Duration = Duration::from_secs(15);

/// Memory of a cached response besides its path and body, mostly headers: measured with 10,000 of them.
const OVERHEAD: usize = 1_700;

/// The cached responses. Cheap to clone.
#[derive(Clone)]
pub(super) struct ResponseCache {
    responses: moka::sync::Cache<String, Arc<Encoded>>,
    flights: Flights,
    provider: Arc<dyn ExtensionProvider>,
    /// Responses of other instances.
    shared: Option<SharedState>,
    /// The clock for the age of responses.
    time: TimeSource,
    publish_limit: Arc<PublishLimit>,
    /// Bounds the memory of large responses of other instances.
    unread: FairShare,
    /// The random seed of simulated data.
    seed: u64,
    /// Simulated data has no age: the provider's version shows when it changes.
    is_simulated: bool,
}

/// A response with its encodings.
struct Encoded {
    /// The route, for the log.
    route: Option<MatchedPath>,
    headers: HeaderMap,
    plain: Bytes,
    gzip: OnceLock<Option<Bytes>>,
    zstd: OnceLock<Option<Bytes>>,
    zstd_level: i32,
    /// Age of the data when the response was stored; `None` for simulated data.
    age: Option<Duration>,
    stored: Timestamp,
    fresh_for: Duration,
    /// The operations used by the response, and their version.
    used: Operations,
    version: u64,
}

impl ResponseCache {
    /// A cache of at most this many bytes.
    pub(super) fn new(
        capacity: u64,
        provider: Arc<dyn ExtensionProvider>,
        is_simulated: bool,
        time: TimeSource,
    ) -> ResponseCache {
        let responses = moka::sync::Cache::builder()
            .max_capacity(capacity)
            .weigher(|path: &String, encoded: &Arc<Encoded>| {
                u32::try_from(path.len() + encoded.weight()).unwrap_or(u32::MAX)
            })
            .build();
        let (flights, unread) = (Flights::default(), FairShare::new(usize::MAX));
        let publish_limit = Arc::new(PublishLimit::new());
        let shared = None;
        ResponseCache { responses, flights, provider, shared, time, publish_limit, unread, seed: 0, is_simulated }
    }

    /// Shares the responses with other instances; simulated ones only with instances of the same seed. `unread` bounds
    /// the memory of large ones.
    #[must_use]
    pub(super) fn with_shared(self, shared: Option<SharedState>, seed: u64, unread: FairShare) -> ResponseCache {
        ResponseCache { shared, seed, unread, ..self }
    }

    /// The cached response to a request, if it needs no computation.
    pub(super) fn lookup<B>(&self, request: &Request<B>) -> Option<Response> {
        if !is_cacheable(request) {
            return None;
        }
        let versions = self.provider.data_versions()?;
        self.current(&key::of(request.uri()), versions)?.ready_response(request.headers())
    }

    /// Caches a response. If its body is the same as before, so are the compressed ones.
    fn insert(&self, path: String, mut encoded: Encoded) -> Arc<Encoded> {
        if let Some(known) = self.responses.get(&path).filter(|known| known.plain == encoded.plain) {
            encoded.plain = known.plain.clone();
            (encoded.gzip, encoded.zstd) = (known.gzip.clone(), known.zstd.clone());
        }
        let encoded = Arc::new(encoded);
        self.responses.insert(path, Arc::clone(&encoded));
        encoded
    }

    /// Which responses of other instances replace an outdated one: those with newer data. Newer data of this instance may
    /// have outdated it, and the other response may have the same old data.
    fn accepts(&self, path: &str, now: i64) -> impl Fn(&Option<StoredResponse>) -> bool + use<> {
        let known =
            self.responses.get(path).and_then(|known| Some(sharing::data_time(now, known.stored.age() + known.age?)));
        move |stored| match (known, stored.as_ref().and_then(sharing::stored_data_time)) {
            (Some(known), Some(stored)) => stored > known.saturating_add(sharing::CLOCK_ERROR),
            _ => true,
        }
    }

    fn current(&self, path: &str, versions: DataVersions) -> Option<Arc<Encoded>> {
        self.responses.get(path).filter(|known| known.is_current(versions))
    }

    /// Age of the data and how long the response can be cached.
    fn freshness(&self, parts: &Parts) -> Option<(Option<Duration>, Duration)> {
        let is_stale = parts.headers.contains_key(REFRESH_ERROR);
        let most = if is_stale { STALE_FRESH_FOR } else { Duration::MAX };
        if self.is_simulated {
            return Some((None, most));
        }
        if let Some(Freshness { age, fresh_for }) = parts.extensions.get() {
            return Some((Some(*age), most.min(*fresh_for)));
        }
        let age = parts.headers.get(header::AGE)?.to_str().ok()?.parse().ok()?;
        let control = parts.headers.get(header::CACHE_CONTROL)?.to_str().ok()?;
        let max_age = control.split(',').find_map(|part| part.trim().strip_prefix("max-age=")?.parse().ok())?;
        let age = Duration::from_secs(age);
        Some((Some(age), most.min(Duration::from_secs(max_age).saturating_sub(age))))
    }
}

/// Middleware that answers repeated requests from the cache.
pub(super) async fn serve_cached(State(cache): State<ResponseCache>, request: Request, next: Next) -> Response {
    let versions = cache.provider.data_versions().filter(|_| is_cacheable(&request));
    let Some(versions) = versions else { return next.run(request).await };
    let path = key::of(request.uri()).into_owned();
    if let Some(known) = cache.current(&path, versions) {
        return known.response(request.headers());
    }
    let flight = cache.flights.join(&path).await;
    if let Some(known) = cache.current(&path, versions) {
        return known.response(request.headers());
    }
    // A request that has waited for one without a cacheable response computes its own at once.
    let is_coordinated = flight.is_some() && sharing::is_shared(&path);
    let response = compute(&cache, request, path, versions, is_coordinated, next).await;
    if let Some(flight) = flight {
        flight.finish();
    }
    response
}

/// Takes the response from another instance, or computes and caches it. If it `is_coordinated`, only one instance
/// computes it.
async fn compute(
    cache: &ResponseCache,
    mut request: Request,
    path: String,
    versions: DataVersions,
    is_coordinated: bool,
    next: Next,
) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let shared_name = sharing::name(&path, cache.is_simulated.then(|| (cache.seed, versions.of_all())));
    let lock = match cache.shared.as_ref().filter(|_| is_coordinated) {
        Some(shared) => match shared.claim(&shared_name, cache.accepts(&path, cache.time.now().millis())).await {
            Claim::Found(Some(stored)) => {
                let SharedParts { headers, body, age, fresh_for } =
                    SharedParts::read(stored, cache.time.now().millis());
                let client = Client::address(request.extensions().get());
                // If it doesn't fit, the handler fails for the same reason.
                if let Some(body) = unread_responses::counted(&cache.unread, client, body) {
                    let encoded = Encoded::new(headers, body, age, fresh_for, &cache.time).on(route);
                    let encoded = encoded.made_of(Operations::IDENTITY, versions);
                    return cache.insert(path, encoded).response(request.headers());
                }
                None
            }
            // Its responses can't be cached.
            Claim::Found(None) => None,
            Claim::Mine(lock) => Some(lock),
            Claim::Alone => None,
        },
        None => None,
    };
    let shared = cache.shared.as_ref().zip(lock);
    // A cached response has a body and all encodings, so the handler must not see this client's conditions and
    // encodings.
    let conditions = request.headers().clone();
    request.headers_mut().remove(header::IF_NONE_MATCH);
    request.headers_mut().remove(header::ACCEPT_ENCODING);
    *request.method_mut() = Method::GET;
    let (response, used) = data_version::track(next.run(request)).await;
    let (parts, body) = response.into_parts();
    // Streams have no size.
    if parts.status != StatusCode::OK || body.size_hint().exact().is_none() {
        if let Some((shared, _lock)) = shared {
            shared.publish(&shared_name, &sharing::UNCACHEABLE, sharing::UNCACHEABLE_FOR).await;
        }
        return Response::from_parts(parts, body);
    }
    let freshness = cache.freshness(&parts);
    match axum::body::to_bytes(body, usize::MAX).await {
        Ok(plain) => {
            let Some((age, fresh_for)) = freshness else {
                if let Some((shared, _lock)) = shared {
                    shared.publish(&shared_name, &sharing::UNCACHEABLE, sharing::UNCACHEABLE_FOR).await;
                }
                let once = Encoded::new(parts.headers, plain, None, Duration::ZERO, &cache.time);
                return Encoded { zstd_level: encoding::FAST_ZSTD_LEVEL, ..once }.response(&conditions);
            };
            let encoded =
                Encoded::new(parts.headers, plain, age, fresh_for, &cache.time).on(route).made_of(used, versions);
            if let Some((shared, _lock)) = shared.filter(|_| cache.publish_limit.allows(encoded.plain.len())) {
                let now = cache.time.now().millis();
                let stored = sharing::stored(&encoded.headers, &encoded.plain, age, fresh_for, now);
                let ttl = Duration::from_millis(stored.fresh_for);
                shared.publish(&shared_name, &Some(stored), ttl).await;
            }
            cache.insert(path, encoded).response(&conditions)
        }
        Err(error) => Failure::internal(format!("can't read the response: {error}")).into_response(),
    }
}

/// Whether the response depends only on the path and the query, and ends.
fn is_cacheable<B>(request: &Request<B>) -> bool {
    let headers = request.headers();
    let has = |name: header::HeaderName| headers.contains_key(name);
    matches!(*request.method(), Method::GET | Method::HEAD)
        && !has(header::CACHE_CONTROL)
        && !has(header::PRAGMA)
        && !headers.contains_key("prefer")
        && request.uri().path() != STREAM
}

impl Encoded {
    fn new(
        mut headers: HeaderMap,
        plain: Bytes,
        age: Option<Duration>,
        fresh_for: Duration,
        time: &TimeSource,
    ) -> Encoded {
        // It depends on the encoding.
        headers.remove(header::CONTENT_LENGTH);
        let plain = unread_responses::compact_small(plain);
        let (gzip, zstd) = (OnceLock::new(), OnceLock::new());
        Encoded {
            route: None,
            headers,
            plain,
            gzip,
            zstd,
            zstd_level: encoding::ZSTD_LEVEL,
            age,
            stored: time.stamp(Duration::ZERO),
            fresh_for,
            used: Operations::default(),
            version: 0,
        }
    }

    fn on(self, route: Option<MatchedPath>) -> Encoded {
        Encoded { route, ..self }
    }

    /// The response, outdated by newer data of these operations.
    fn made_of(self, used: Operations, versions: DataVersions) -> Encoded {
        Encoded { used, version: versions.of(used), ..self }
    }

    /// The response with its route, for the log.
    fn routed(&self, mut response: Response) -> Response {
        if let Some(route) = &self.route {
            response.extensions_mut().insert(route.clone());
        }
        response
    }

    /// Memory in bytes, with the compressed bodies that it may get.
    fn weight(&self) -> usize {
        // Two, each about a quarter of the plain body.
        let compressed = if self.is_worth_compressing() { self.plain.len() / 2 } else { 0 };
        self.plain.len() + compressed + OVERHEAD
    }

    fn is_worth_compressing(&self) -> bool {
        encoding::is_worthwhile(&self.headers, self.plain.len() as u64)
    }

    fn is_current(&self, versions: DataVersions) -> bool {
        self.version == versions.of(self.used) && self.stored.age() < self.fresh_for
    }

    /// The response. The first one in an encoding compresses the body.
    fn response(&self, request: &HeaderMap) -> Response {
        if let Some(unchanged) = self.unchanged(request) {
            return unchanged;
        }
        let encoding = encoding::best(request);
        let compressed = encoding.and_then(|encoding| self.compressed(encoding));
        self.with_body(encoding.zip(compressed))
    }

    /// The response, unless its body must be compressed first.
    fn ready_response(&self, request: &HeaderMap) -> Option<Response> {
        if let Some(unchanged) = self.unchanged(request) {
            return Some(unchanged);
        }
        let Some(encoding) = encoding::best(request) else { return Some(self.with_body(None)) };
        let compressed = self.slot(encoding).get()?.clone();
        Some(self.with_body(compressed.map(|compressed| (encoding, compressed))))
    }

    /// 304 if the client already has the response.
    fn unchanged(&self, request: &HeaderMap) -> Option<Response> {
        if !request.contains_key(header::IF_NONE_MATCH) {
            return None;
        }
        let etag = self.headers.get(header::ETAG)?.to_str().ok()?;
        matches_etag(request, etag).then(|| {
            let mut response = StatusCode::NOT_MODIFIED.into_response();
            *response.headers_mut() = self.headers();
            response.headers_mut().remove(header::CONTENT_TYPE);
            self.routed(response)
        })
    }

    fn with_body(&self, compressed: Option<(Encoding, Bytes)>) -> Response {
        let mut headers = self.headers();
        let body = match compressed {
            Some((encoding, body)) => {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.as_str()));
                body
            }
            None => self.plain.clone(),
        };
        let mut response = Response::new(Body::from(body));
        *response.headers_mut() = headers;
        self.routed(response)
    }

    fn headers(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        if let Some(age) = self.age {
            let elapsed = self.stored.age();
            headers.insert(header::AGE, HeaderValue::from((age + elapsed).as_secs()));
            headers.insert(X_ACCEL_EXPIRES, HeaderValue::from(self.fresh_for.saturating_sub(elapsed).as_secs()));
        }
        headers
    }

    fn slot(&self, encoding: Encoding) -> &OnceLock<Option<Bytes>> {
        match encoding {
            Encoding::Gzip => &self.gzip,
            Encoding::Zstd => &self.zstd,
        }
    }

    /// The compressed body, if that is worth it. The memory of the plain one counts until the last reader of either has
    /// dropped it.
    fn compressed(&self, encoding: Encoding) -> Option<Bytes> {
        let compress = || {
            let compressed = encoding.compress(&self.plain, self.zstd_level).ok()?;
            Some(unread_responses::counted_with(compressed, &self.plain))
        };
        self.slot(encoding).get_or_init(|| self.is_worth_compressing().then(compress).flatten()).clone()
    }
}

#[cfg(test)]
mod tests;
