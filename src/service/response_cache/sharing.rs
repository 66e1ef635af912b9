//! Responses of other instances, as they are stored.

use std::num::NonZeroU32;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderName, HeaderValue};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

use crate::client::endpoint;
use crate::service::shared::{StoredResponse, StoredResponseRef};

/// How long simulated responses are shared: longer than they are served.
const SIMULATED: Duration = Duration::from_secs(10);

/// Published for a response that can't be cached, so that each instance computes its own without waiting for another.
pub(super) const UNCACHEABLE: Option<StoredResponse> = None;

/// How long instances compute such responses without looking for other instances' responses.
pub(super) const UNCACHEABLE_FOR: Duration = Duration::from_secs(5);

/// KiB of responses that an instance shares per minute, before compression: one client could otherwise fill Redis with
/// variants of a list.
const KIB_PER_MINUTE: NonZeroU32 = NonZeroU32::new(128 << 10).expect("not zero");

/// Limits the responses that are shared.
#[derive(Debug)]
pub(super) struct PublishLimit(DefaultDirectRateLimiter);

impl PublishLimit {
    pub(super) fn new() -> PublishLimit {
        PublishLimit(RateLimiter::direct(Quota::per_minute(KIB_PER_MINUTE)))
    }

    /// Whether a response of this many bytes may be shared now. If not, other instances compute their own.
    pub(super) fn allows(&self, bytes: usize) -> bool {
        let kib = u32::try_from(bytes.div_ceil(1 << 10)).unwrap_or(u32::MAX).max(1);
        NonZeroU32::new(kib).is_some_and(|kib| matches!(self.0.check_n(kib), Ok(Ok(()))))
    }
}

/// Two data times that differ by less, in milliseconds, may be the same: clocks differ a little.
pub(super) const CLOCK_ERROR: i64 = 1_000;

/// When data was fetched that has this age now, both in milliseconds since 1970.
pub(super) fn data_time(now: i64, age: Duration) -> i64 {
    now.saturating_sub(i64::try_from(age.as_millis()).unwrap_or(i64::MAX))
}

/// When the data of a stored response was fetched; `None` for simulated data.
pub(super) fn stored_data_time(stored: &StoredResponse) -> Option<i64> {
    Some(data_time(stored.stored_at, Duration::from_millis(stored.age?)))
}

/// The shared parts of a response.
pub(super) struct SharedParts {
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    /// Age of the data; `None` for simulated data.
    pub(super) age: Option<Duration>,
    /// How much longer they are fresh.
    pub(super) fresh_for: Duration,
}

/// Versions of live data differ between instances; simulated data has the same seed and version everywhere.
pub(super) fn name(path: &str, simulated: Option<(u64, u64)>) -> String {
    match simulated {
        Some((seed, version)) => format!("response:{path}@{seed}:{version}"),
        None => format!("response:{path}"),
    }
}

/// Whether the response to a path and query is the same at all instances. The others are cheap, or state of an
/// instance.
pub(super) fn is_shared(path: &str) -> bool {
    let path = path.split('?').next().unwrap_or(path);
    !matches!(path, "/" | "/openapi.json" | endpoint::SOURCES)
}

/// A response to be stored at a time in milliseconds since 1970.
pub(super) fn stored<'a>(
    headers: &'a HeaderMap,
    body: &'a [u8],
    age: Option<Duration>,
    fresh_for: Duration,
    now: i64,
) -> StoredResponseRef<'a> {
    let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let fresh_for = if age.is_none() { SIMULATED } else { fresh_for };
    StoredResponseRef {
        headers: headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect(),
        body,
        age: age.map(millis),
        stored_at: now,
        fresh_for: millis(fresh_for),
    }
}

impl SharedParts {
    /// The response, as old as it is now.
    pub(super) fn read(stored: StoredResponse, now: i64) -> SharedParts {
        let StoredResponse { headers, body, age, stored_at, fresh_for } = stored;
        let header = |(name, value): (String, Vec<u8>)| {
            Some((HeaderName::try_from(name).ok()?, HeaderValue::from_bytes(&value).ok()?))
        };
        // Clocks differ a little.
        let since = Duration::from_millis(u64::try_from(now.saturating_sub(stored_at)).unwrap_or(0));
        SharedParts {
            headers: headers.into_iter().filter_map(header).collect(),
            body: Bytes::from(body),
            age: age.map(|age| Duration::from_millis(age) + since),
            fresh_for: Duration::from_millis(fresh_for).saturating_sub(since),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_bytes_are_limited() {
        let limit = PublishLimit::new();
        let list = 3 << 20;
        let shared = (0..100).take_while(|_| limit.allows(list)).count();
        // The limit grows a little meanwhile.
        assert!((42..50).contains(&shared), "{shared}");
        assert!(!limit.allows(list) && !limit.allows(usize::MAX));
    }
}
