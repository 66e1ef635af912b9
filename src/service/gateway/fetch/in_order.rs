//! Queries the providers of an operation in order, until one of them has a value that no other one can improve.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::{AnyCall, FALLBACK_TIMEOUT};
use crate::model::{ProviderName, Zone};
use crate::service::call::{is_background, is_cancelled, is_manual, record_provider, with_alternative};
use crate::service::gateway::Gateway;
use crate::service::gateway::availability::queue_wait;
use crate::service::gateway::blocks::BlockStamp;
use crate::service::gateway::cache::{EMPTY_TTL, Failure, MISS_TTL, Miss};
use crate::service::gateway::circuit_breaker::{MAX_BACKOFF, is_isolated};
use crate::service::gateway::failure::Failures;
use crate::service::gateway::fallback_reason::FallbackReason;
use crate::service::gateway::freshness::{IndexState, block_freshness, fresh_for};
use crate::service::gateway::stored::{AnyValue, MAX_BLOCK_TTL, Stored};
use crate::service::operation::Key;
use crate::service::providers::source::Provider;
use crate::service::queue_time::timeout_unless_queued;
use crate::service::upstream::LONG_WAIT;
use crate::service::upstream::error::{ErrorClass, SourceError};
use crate::service::upstream::load::{Accepted, Load};

/// The part of a client's timeout after which it gets the value at hand.
const FALLBACK_SHARE: f64 = 0.8;

/// The part of a client's timeout after which it gets the value without optional data, such as links.
const OPTIONAL_SHARE: f64 = 0.6;

/// How long a page with missing or incomplete rows is cached, if its last refresh completed some.
const INCOMPLETE_TTL: Duration = Duration::from_secs(30);

/// The first pause of requests for a value that fails while others don't. It doubles with each failure.
const FIRST_VALUE_PAUSE: Duration = Duration::from_secs(15);

/// Maximum age of a whole list that is kept while only a part can be refreshed. After that, the part is better.
const MAX_KEPT_AGE: Duration = Duration::from_mins(30);

/// A value that providers are queried for.
#[derive(Clone, Copy)]
struct Query<'a> {
    /// The only provider to query, if not all.
    only: Option<ProviderName>,
    key: &'a Key,
    /// The newest block, if known.
    tip: Option<BlockStamp>,
    /// When the gateway began to query providers.
    began: Instant,
}

/// A value at hand that the next provider may improve.
struct Fallback {
    reason: FallbackReason,
    stored: Stored<AnyValue>,
    /// What it cost its provider's budget, if known.
    cost: Option<u64>,
}

impl Fallback {
    /// Whether it is a part of a list with more rows than another list.
    fn is_part_longer_than(&self, list: &Stored<AnyValue>) -> bool {
        matches!(self.reason, FallbackReason::Partial(rows) if rows > list.value.row_count())
    }
}

impl Gateway {
    /// Tries the providers in order. `tip` is the newest block, if known. If the next provider may have a better value
    /// ([`FallbackReason`]), it gets at most [`FALLBACK_TIMEOUT`], and the best value is used.
    pub(super) async fn fetch(
        &self,
        only: Option<ProviderName>,
        key: &Key,
        tip: Option<BlockStamp>,
        call: &AnyCall,
    ) -> Result<Stored<AnyValue>, Failure> {
        let operation = key.operation;
        self.restore_pauses().await;
        let query = Query { only, key, tip, began: Instant::now() };
        let retries_paused = self.retries_paused(only, key, tip);
        let mut failures = Failures::default();
        let mut fallback: Option<Fallback> = None;
        for provider in self.candidates(only, operation) {
            let name = provider.name;
            if self.skips(provider, query, retries_paused, &mut failures) {
                continue;
            }
            let wait = queue_wait(provider, operation);
            let has_alternative = fallback.is_some() || only.is_none() && self.has_alternative(name, operation);
            if wait > LONG_WAIT && has_alternative && !is_background() {
                failures.add_transient(name, SourceError::too_many_queued().reason, Some(wait));
                continue;
            }
            record_provider(name);
            let sent = Instant::now();
            let load = Load::new(self.accepted(provider, key, tip));
            let running = with_alternative(has_alternative, Arc::clone(&load).run(call(provider.clone())));
            let result = match fallback {
                None => running.await,
                // The caller has already waited for a value.
                Some(_) => timeout_unless_queued(FALLBACK_TIMEOUT, query.began + self.fallback_limit(), running)
                    .await
                    .unwrap_or_else(|| Err(SourceError::too_slow(FALLBACK_TIMEOUT))),
            };
            let value = match result {
                Ok(value) => value,
                Err(error) if error.class == ErrorClass::Cancelled => {
                    let Some(Fallback { reason: reason @ FallbackReason::Partial(_), stored, cost }) = fallback else {
                        return Err(Failure::Cancelled);
                    };
                    // The part is cached until somebody waits for the rest again.
                    let stored = Stored { is_partial: true, fresh_for: INCOMPLETE_TTL, ..stored };
                    fallback = Some(Fallback { reason, stored, cost });
                    break;
                }
                Err(error) => {
                    self.note_error(provider, key, tip, error, &mut failures).await;
                    continue;
                }
            };
            let (reason, stored) = self.received(provider, query, sent, &load, value, &mut failures).await;
            let Some(reason) = reason else {
                // A part of a list is better than a shorter list.
                if fallback.as_ref().is_some_and(|best| best.is_part_longer_than(&stored)) {
                    continue;
                }
                return Ok(self.unless_shorter(query, stored, &load, failures));
            };
            if fallback.as_ref().is_none_or(|best| best.reason < reason) {
                fallback = Some(Fallback { reason, stored, cost: load.cost() });
            }
        }
        let failure = failures.into_failure(|| self.remedy(operation));
        let Some(Fallback { reason, stored, cost }) = fallback else { return Err(failure) };
        self.note_demand(key, stored.provider, cost);
        if let FallbackReason::Partial(rows) = reason
            && let Some(longer) = self.longer_list(only, key, tip, rows)
        {
            return Ok(self.keep_cached(longer, key, tip, failure));
        }
        Ok(with_reason(stored, reason, failure))
    }

    /// Whether a provider can't be requested now: it lacks the value, or it is paused. Then the reason is added to the
    /// failures. With `retries_paused`, a pause may end early.
    fn skips(&self, provider: &Provider, query: Query<'_>, retries_paused: bool, failures: &mut Failures) -> bool {
        let Query { key, tip, .. } = query;
        if let Some((miss, remaining)) = self.miss(Some(provider.name), key, tip) {
            failures.add_miss(provider.name, &miss, remaining);
            return true;
        }
        if let Some(why) = self.unavailable(provider, key)
            && !(retries_paused && self.end_wait(provider, key.operation))
        {
            failures.add_unavailable(provider.name, why, self.may_retry(provider, key.operation));
            return true;
        }
        false
    }

    /// Records the response of a provider to a request of the time `sent`. Returns it as a value with its age and
    /// freshness, and why the next provider may have a better one, if so.
    async fn received(
        &self,
        provider: &Provider,
        query: Query<'_>,
        sent: Instant,
        load: &Load,
        value: Arc<AnyValue>,
        failures: &mut Failures,
    ) -> (Option<FallbackReason>, Stored<AnyValue>) {
        let operation = query.key.operation;
        let partial_error = load.partial_error();
        match &partial_error {
            // The rows that are there are used unless the next provider has more.
            Some(error) if is_limit(error.class) => self.failed(provider, operation, error).await,
            _ => self.succeeded(provider, operation, sent).await,
        }
        let stored = self.stored(provider, query, load, value);
        let reason = match (stored.value.fallback_reason(self.0.time.now()), partial_error) {
            (None, Some(error)) => {
                failures.add_transient(provider.name, error.reason, Some(INCOMPLETE_TTL));
                Some(FallbackReason::Partial(stored.value.row_count()))
            }
            (reason, _) => reason,
        };
        (reason, stored)
    }

    /// A value that no provider can improve; or the cached one, if that is a longer list of the same provider, and the
    /// new one may have ended early.
    fn unless_shorter(
        &self,
        query: Query<'_>,
        stored: Stored<AnyValue>,
        load: &Load,
        mut failures: Failures,
    ) -> Stored<AnyValue> {
        let Query { only, key, tip, .. } = query;
        let (name, rows) = (stored.provider, stored.value.row_count());
        self.note_demand(key, name, load.cost());
        let longer = load.unconfirmed_end().and_then(|reason| {
            // A few rows fewer are a normal change.
            let longer = self.longer_list(only, key, tip, rows + rows / 20)?;
            (longer.provider == name).then_some((longer, reason))
        });
        let Some((longer, reason)) = longer else { return stored };
        failures.add_transient(name, reason, Some(INCOMPLETE_TTL));
        let failure = failures.into_failure(|| self.remedy(key.operation));
        self.keep_cached(longer, key, tip, failure)
    }

    /// Records the error of a request. A value that the provider doesn't have is not requested from it again for a while.
    async fn note_error(
        &self,
        provider: &Provider,
        key: &Key,
        tip: Option<BlockStamp>,
        error: SourceError,
        failures: &mut Failures,
    ) {
        let name = provider.name;
        self.value_failed(provider, key, &error).await;
        let class = error.class;
        let found = || self.fetched_at(Duration::ZERO);
        let miss = |retry_after, tip| Miss::new(&error.reason, error.kind, retry_after, tip, found());
        let miss = match class {
            ErrorClass::NotFound | ErrorClass::Rejected => Some(miss(None, tip)),
            ErrorClass::Empty => Some(miss(Some(EMPTY_TTL), tip)),
            class if is_isolated(key, class) => {
                let before = self.0.cache.miss(Some(name), key).and_then(|before| before.retry_after);
                let pause = before.map_or(FIRST_VALUE_PAUSE, |before| MAX_BACKOFF.min(before * 2));
                // A new block changes nothing.
                Some(miss(Some(pause), None))
            }
            _ => None,
        };
        // A lookup that was cancelled finds nothing.
        if let Some(miss) = miss.filter(|_| !is_cancelled()) {
            self.0.cache.put_miss(Some(name), key.clone(), miss);
        }
        failures.add(name, error, || {
            let wait = match (class, self.miss(Some(name), key, tip)) {
                (ErrorClass::Busy(wait), _) => Some(wait),
                (_, Some((_, rest))) => Some(rest),
                (_, None) => self.unavailable(provider, key).and_then(|(wait, _)| wait),
            };
            (wait, self.may_retry(provider, key.operation))
        });
    }

    /// A new value with its age and freshness.
    fn stored(&self, provider: &Provider, query: Query<'_>, load: &Load, value: Arc<AnyValue>) -> Stored<AnyValue> {
        let Query { key, tip, began, .. } = query;
        let before = self.0.cache.get(key);
        let refresh_error = load.refresh_error().map(Into::into);
        // The provider may be ahead of the known tip, or behind it.
        let block = tip.filter(|_| refresh_error.is_none()).map(|tip| {
            let height = load.height().unwrap_or(tip.height);
            BlockStamp { height, ..tip }
        });
        let has_stalled = before.as_ref().is_some_and(|before| before.block == block);
        let mut fresh_for = match tip.zip(block) {
            Some((tip, at)) => {
                let index = match (at.height < tip.height, has_stalled) {
                    (false, _) => IndexState::UpToDate,
                    (true, false) => IndexState::Behind,
                    (true, true) => IndexState::Stalled,
                };
                block_freshness(provider, key, index)
            }
            // Another service has only old data.
            None if refresh_error.is_some() => Duration::ZERO,
            None => fresh_for(provider, key),
        };
        if let Some(wait) = load.retry_after() {
            fresh_for = fresh_for.min(load.age() + wait);
        }
        let incomplete = value.incomplete().saturating_add(load.missing().saturating_mul(2));
        let has_changed = before.is_none_or(|before| before.incomplete != incomplete);
        let is_partial = incomplete > 0 && (has_changed || load.is_loading());
        if is_partial {
            fresh_for = if block.is_some() { INCOMPLETE_TTL } else { fresh_for.min(INCOMPLETE_TTL) };
        }
        // A choice of the user during the load counts as later.
        let changed = self.changed().get(&key.operation).copied().filter(|changed| *changed >= began);
        let mut fetched = self.fetched_at(load.age());
        fetched.at.monotonic = changed.unwrap_or(fetched.at.monotonic);
        let notice = load.warning().map(Into::into);
        let behind = load.providers().into();
        Stored {
            provider: provider.name,
            behind,
            requested: fetched.at,
            fetched,
            fresh_for,
            block,
            incomplete,
            is_partial,
            notice,
            notice_code: load.notice_code(),
            refresh_error,
            not_refreshed: None,
            value,
        }
    }

    /// The cached list, if it has more than these rows and is not too old.
    fn longer_list(
        &self,
        only: Option<ProviderName>,
        key: &Key,
        tip: Option<BlockStamp>,
        rows: usize,
    ) -> Option<Stored<AnyValue>> {
        let cached = self.0.cache.get(key).filter(|cached| cached.age() < MAX_KEPT_AGE)?;
        let is_outdated = only.is_none() && self.is_outdated(&cached, key.operation);
        let is_longer = cached.value.stays_if_longer() && cached.value.row_count() > rows;
        (is_longer && !is_outdated && !cached.is_orphaned(tip)).then_some(cached)
    }

    /// Keeps the cached list because its refresh loaded only a part, and adds the error. It is refreshed again after 30
    /// seconds, then at the usual interval, but no later than at [`MAX_KEPT_AGE`].
    fn keep_cached(
        &self,
        cached: Stored<AnyValue>,
        key: &Key,
        tip: Option<BlockStamp>,
        failure: Failure,
    ) -> Stored<AnyValue> {
        let wait = match (&cached.refresh_error, self.provider(cached.provider)) {
            (Some(_), Some(provider)) => fresh_for(provider, key),
            _ => INCOMPLETE_TTL,
        };
        let wait = wait.min(MAX_KEPT_AGE.saturating_sub(cached.age()));
        let is_fresh = is_manual() && cached.is_fresh(tip);
        let cached = Stored { requested: self.0.time.moment(), ..cached };
        cached.without_refresh(failure.reason(), Some(wait), is_fresh)
    }

    /// How long better values than those at hand may take in all, queues included, so that a client gets at least the
    /// latter.
    pub(in crate::service::gateway) fn fallback_limit(&self) -> Duration {
        self.settings().limits.total.mul_f64(FALLBACK_SHARE)
    }

    /// When a response is returned without optional data that is still missing, if its request began at this time.
    pub(in crate::service::gateway) fn optional_until(&self, began: Instant) -> Instant {
        began + self.settings().limits.total.mul_f64(OPTIONAL_SHARE)
    }

    /// Which responses of other instances answer a key: as fresh as this instance's own would have to be, and newer
    /// than its last value.
    fn accepted(&self, provider: &Provider, key: &Key, tip: Option<BlockStamp>) -> Accepted {
        let max_age = match tip {
            _ if is_manual() => self.min_refresh_age(fresh_for(provider, key)),
            Some(_) => key.max_age().unwrap_or(MAX_BLOCK_TTL),
            None => fresh_for(provider, key),
        };
        let before = self.0.cache.get(key).map(|before| before.fetched.at.wall);
        let reorganised = self.0.blocks.reorganised_at().filter(|_| key.is_by_block());
        Accepted { max_age, after: before.max(reorganised), height: tip.map(|tip| tip.height) }
    }
}

/// Whether an error of one of several requests pauses the provider: the next request would fail, too.
fn is_limit(class: ErrorClass) -> bool {
    matches!(class, ErrorClass::RateLimited(_) | ErrorClass::DailyQuota | ErrorClass::MonthlyQuota)
}

/// The best value at hand with a notice about why it is not better. `failure` is the other providers' failure.
fn with_reason(stored: Stored<AnyValue>, reason: FallbackReason, failure: Failure) -> Stored<AnyValue> {
    match reason {
        FallbackReason::Ended(last) => stored.with_notice(&format!("No prices since {}", Zone::UTC.at(last).date())),
        FallbackReason::OnePrice => stored.with_notice("Only one price in this period"),
        // The chart, or the notice about the missing rows, says it.
        FallbackReason::Sparse(_) | FallbackReason::Partial(_) => stored,
        FallbackReason::OldPrices(newest) => {
            let newest = Zone::UTC.at(newest).strftime("%Y-%m-%d %H:%M UTC");
            stored.with_notice(&format!("No new prices since {newest}"))
        }
        FallbackReason::OldRates(day) => stored.with_notice(&format!("No exchange rates since {day}")),
        FallbackReason::Empty => {
            let stored = Stored { fresh_for: stored.fresh_for.min(MISS_TTL), ..stored };
            match failure {
                // That provider may have rows.
                Failure::Unavailable { reason, .. } => stored.with_notice(&reason),
                _ => stored,
            }
        }
    }
}
