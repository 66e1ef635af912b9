//! The context of a load of the gateway: which responses of other instances it accepts, and the metadata of its own
//! responses about themselves. It travels with the task, so that responses that are decoded at the same time don't mix.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};

use super::error::SourceError;
use crate::client::transport::Origin;
use crate::client::{Notice, NoticeCode};
use crate::model::{ProviderName, Text, UtcTime};
use crate::service::provider_response::joined_notices;

tokio::task_local! {
    static LOAD: Arc<Load>;
}

/// How long errors are shared, so that instances that wait for a response don't repeat a request that has just failed.
const ERROR_TTL: Duration = Duration::from_secs(5);

/// How long "not found" is shared.
const NOT_FOUND_TTL: Duration = Duration::from_mins(10);

/// Which responses of other instances a load accepts.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::service) struct Accepted {
    /// Only younger ones.
    pub(in crate::service) max_age: Duration,
    /// Only those fetched after this time.
    pub(in crate::service) after: Option<UtcTime>,
    /// Only those fetched when this block or a later one was the newest.
    pub(in crate::service) height: Option<u64>,
}

/// A running load of one provider.
#[derive(Debug, Default)]
pub(in crate::service) struct Load {
    accepted: Accepted,
    seen: Mutex<Seen>,
}

/// Summary of the responses so far.
#[derive(Debug, Default)]
struct Seen {
    /// Age of the oldest one on arrival; zero for those that this instance fetched from a provider.
    age: Duration,
    /// The providers behind another service.
    providers: Vec<ProviderName>,
    /// What could not be read.
    warning: Option<String>,
    /// The subject of another service's notice.
    notice_code: Option<NoticeCode>,
    /// Why another service has no newer data.
    refresh_error: Option<String>,
    /// The newest block in the last one that named it.
    height: Option<u64>,
    /// Number of rows that could not be fetched.
    missing: usize,
    /// Why rows are missing, if a request failed.
    partial_error: Option<SourceError>,
    /// Why the last rows may be missing, although the list seems to end before them.
    unconfirmed_end: Option<String>,
    /// The time until missing parts may be there.
    retry_after: Option<Duration>,
    /// Symbols of pairs that an exchange doesn't know.
    unlisted: Vec<Text>,
    /// Whether data that rows depend on is loading in the background.
    is_loading: bool,
    /// What its requests cost, in units of the monthly limit.
    cost: u64,
}

/// A response of any instance to an upstream request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredUpstream {
    pub(super) status: u16,
    /// Names and values.
    pub(super) headers: Vec<(String, Vec<u8>)>,
    pub(super) body: Vec<u8>,
    /// The error message without the API key.
    pub(super) message: Option<String>,
    /// When it arrived, in milliseconds since 1970.
    at: i64,
    /// The newest block that was known then.
    height: Option<u64>,
}

impl Load {
    /// A load that accepts these responses of other instances.
    pub(in crate::service) fn new(accepted: Accepted) -> Arc<Load> {
        Arc::new(Load { accepted, seen: Mutex::default() })
    }

    /// The load that this code runs in.
    pub(in crate::service) fn current() -> Option<Arc<Load>> {
        LOAD.try_with(Arc::clone).ok()
    }

    /// Runs `work` as part of the load.
    pub(in crate::service) async fn run<F: Future>(self: Arc<Self>, work: F) -> F::Output {
        LOAD.scope(self, work).await
    }

    /// Age of the oldest response so far.
    pub(in crate::service) fn age(&self) -> Duration {
        self.seen().age
    }

    /// What its requests cost, in units of the monthly limit; `None` if it needed none.
    pub(in crate::service) fn cost(&self) -> Option<u64> {
        Some(self.seen().cost).filter(|cost| *cost > 0)
    }

    /// Records a request that counts against the monthly limit, even if another instance has the response.
    pub(super) fn note_cost(&self, cost: u64) {
        let mut seen = self.seen();
        seen.cost = seen.cost.saturating_add(cost);
    }

    /// The unreadable parts of the responses so far, as one sentence.
    pub(in crate::service) fn warning(&self) -> Option<String> {
        self.seen().warning.clone()
    }

    /// The subject of another service's notice.
    pub(in crate::service) fn notice_code(&self) -> Option<NoticeCode> {
        self.seen().notice_code.clone()
    }

    /// The providers behind another service, in the order of the responses that name them.
    pub(in crate::service) fn providers(&self) -> Vec<ProviderName> {
        self.seen().providers.clone()
    }

    /// Why another service has no newer data.
    pub(in crate::service) fn refresh_error(&self) -> Option<String> {
        self.seen().refresh_error.clone()
    }

    /// Records another service's metadata of a response.
    pub(super) fn note_origin(&self, Origin { providers, age, notice, refresh_error }: Origin) {
        let mut seen = self.seen();
        for name in providers {
            if !seen.providers.contains(&name) {
                seen.providers.push(name);
            }
        }
        seen.age = seen.age.max(age);
        if let Some(Notice { sentence, code, .. }) = notice {
            seen.warning.get_or_insert(sentence);
            seen.notice_code = seen.notice_code.take().or(code);
        }
        seen.refresh_error = seen.refresh_error.take().or(refresh_error);
    }

    /// Records unreadable parts of a response, or what else a user should know about it.
    pub(in crate::service) fn warn(&self, sentence: &str) {
        let mut seen = self.seen();
        let is_known = seen.warning.as_ref().is_some_and(|known| known.contains(sentence));
        if !is_known {
            seen.warning = joined_notices(seen.warning.take(), Some(sentence.to_owned()));
        }
    }

    /// Records that only a part of the rows could be fetched, and the error if a request failed.
    pub(in crate::service) fn note_partial(&self, missing: usize, error: Option<SourceError>) {
        let mut seen = self.seen();
        seen.missing = seen.missing.saturating_add(missing);
        seen.partial_error = seen.partial_error.take().or(error);
    }

    /// Records why the last rows may be missing, although the list seems to end before them.
    pub(in crate::service) fn note_unconfirmed_end(&self, reason: &str) {
        self.seen().unconfirmed_end.get_or_insert_with(|| reason.to_owned());
    }

    /// Why the last rows may be missing, although the list seems to end before them.
    pub(in crate::service) fn unconfirmed_end(&self) -> Option<String> {
        self.seen().unconfirmed_end.clone()
    }

    /// Records that parts are missing that may be there after this time.
    pub(in crate::service) fn note_retry_after(&self, wait: Duration) {
        let mut seen = self.seen();
        seen.retry_after = Some(seen.retry_after.map_or(wait, |known| known.min(wait)));
    }

    /// The time until missing parts may be there, if any are.
    pub(in crate::service) fn retry_after(&self) -> Option<Duration> {
        self.seen().retry_after
    }

    /// Records the symbol of a pair that the exchange doesn't know.
    pub(in crate::service) fn note_unlisted(&self, symbol: &Text) {
        self.seen().unlisted.push(symbol.clone());
    }

    /// Symbols of pairs that the exchange doesn't know.
    pub(in crate::service) fn unlisted(&self) -> Vec<Text> {
        self.seen().unlisted.clone()
    }

    /// Records that data that missing rows depend on is loading in the background.
    pub(in crate::service) fn note_loading(&self) {
        self.seen().is_loading = true;
    }

    /// Whether data that missing rows depend on is loading in the background.
    pub(in crate::service) fn is_loading(&self) -> bool {
        self.seen().is_loading
    }

    /// Number of rows that could not be fetched.
    pub(in crate::service) fn missing(&self) -> usize {
        self.seen().missing
    }

    /// Why rows are missing, if a request failed.
    pub(in crate::service) fn partial_error(&self) -> Option<SourceError> {
        self.seen().partial_error.clone()
    }

    /// The newest block in the last response that named it.
    pub(in crate::service) fn height(&self) -> Option<u64> {
        self.seen().height
    }

    /// Records the newest block in a response.
    pub(in crate::service) fn note_height(&self, height: u64) {
        self.seen().height = Some(height);
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock()
    }

    /// Whether a response of another instance can be used now.
    pub(super) fn accepts(&self, stored: &StoredUpstream, now: UtcTime) -> bool {
        let Accepted { max_age, after, height } = self.accepted;
        stored.age(now) < max_age
            && after.is_none_or(|after| stored.at > after.millis())
            && height.is_none_or(|height| stored.height.is_some_and(|known| known >= height))
    }

    /// Records that a response of another instance is used.
    pub(super) fn uses(&self, stored: &StoredUpstream, now: UtcTime) {
        let mut seen = self.seen();
        seen.age = seen.age.max(stored.age(now));
    }

    /// How long a response with this status is shared.
    pub(super) fn ttl(&self, status: u16) -> Duration {
        let max_age = self.accepted.max_age;
        match status {
            200..300 => max_age,
            404 => max_age.min(NOT_FOUND_TTL),
            _ => max_age.min(ERROR_TTL),
        }
    }

    /// The newest block that was known when the load began.
    pub(in crate::service) fn known_height(&self) -> Option<u64> {
        self.accepted.height
    }
}

impl StoredUpstream {
    /// A response that arrived at `at`.
    pub(super) fn new(
        status: u16,
        headers: Vec<(String, Vec<u8>)>,
        body: Vec<u8>,
        message: Option<String>,
        at: UtcTime,
        height: Option<u64>,
    ) -> StoredUpstream {
        StoredUpstream { status, headers, body, message, at: at.millis(), height }
    }

    /// Clocks of instances differ a little.
    fn age(&self, now: UtcTime) -> Duration {
        Duration::from_millis(u64::try_from(now.millis().saturating_sub(self.at)).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UtcTime = UtcTime::from_secs(1_795_248_000);

    fn stored(age: i64, height: Option<u64>) -> StoredUpstream {
        let at = UtcTime::from_millis(NOW.millis() - age);
        StoredUpstream::new(200, Vec::new(), Vec::new(), None, at, height)
    }

    #[test]
    fn responses_of_other_instances_are_accepted_by_age_time_and_block() {
        let minute = Accepted { max_age: Duration::from_mins(1), ..Accepted::default() };
        let after = Some(UtcTime::from_millis(NOW.millis() - 10_000));
        for (accepted, age, height, expected) in [
            (minute, 59_999, None, true),
            (minute, 60_000, None, false),
            // The clock of the other instance is ahead.
            (minute, -5_000, None, true),
            (Accepted { after, ..minute }, 9_999, None, true),
            (Accepted { after, ..minute }, 10_000, None, false),
            (Accepted { height: Some(100), ..minute }, 0, Some(100), true),
            (Accepted { height: Some(100), ..minute }, 0, Some(99), false),
            (Accepted { height: Some(100), ..minute }, 0, None, false),
            (Accepted::default(), 0, None, false),
        ] {
            let load = Load::new(accepted);
            assert_eq!(load.accepts(&stored(age, height), NOW), expected, "{accepted:?} {age} {height:?}");
        }
    }

    #[tokio::test]
    async fn loads_at_the_same_time_do_not_mix() {
        let (one, two) = (Load::new(Accepted::default()), Load::new(Accepted::default()));
        let warn = |sentence: &'static str| async move {
            tokio::task::yield_now().await;
            if let Some(load) = Load::current() {
                load.warn(sentence);
            }
        };
        tokio::join!(Arc::clone(&one).run(warn("one")), Arc::clone(&two).run(warn("two")), warn("none"));
        assert_eq!((one.warning().as_deref(), two.warning().as_deref()), (Some("one"), Some("two")));
        one.uses(&stored(7_000, None), NOW);
        one.uses(&stored(3_000, None), NOW);
        assert_eq!((one.age(), two.age()), (Duration::from_secs(7), Duration::ZERO));
    }

    #[test]
    fn errors_are_shared_for_seconds() {
        let load = Load::new(Accepted { max_age: Duration::from_hours(1), ..Accepted::default() });
        let seconds = [200, 404, 429, 503].map(|status| load.ttl(status).as_secs());
        assert_eq!(seconds, [3_600, 600, 5, 5]);
    }
}
