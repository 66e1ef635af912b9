//! A cached value with its provider, age and freshness.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

use super::blocks::BlockStamp;
use super::fallback_reason::FallbackReason;
use crate::client::NoticeCode;
use crate::model::{ProviderName, UtcTime};
use crate::service::call::is_manual;
use crate::service::provider_response::{ProviderResponse, joined_notices};
use crate::service::time_source::{Moment, Timestamp};

/// Freshness of a stale value: its refresh should be done by then.
pub(super) const STALE_FRESH_FOR: Duration = Duration::from_secs(15);

/// Maximum wait for a refresh while a provider is paused: it may be enabled or work again earlier.
pub(super) const MAX_RETRY_WAIT: Duration = Duration::from_hours(1);

/// Maximum freshness of block data, in case the known height is wrong. Blocks rarely take longer.
pub(super) const MAX_BLOCK_TTL: Duration = Duration::from_hours(1);

/// Freshness of block data while the height is unknown: blocks come about every ten minutes.
const UNKNOWN_HEIGHT_TTL: Duration = Duration::from_mins(10);

/// A value that can be cached.
pub(super) trait CachedValue: Any + Debug + Send + Sync {
    /// Approximate size in memory, in bytes.
    fn weight(&self) -> usize;

    /// Number of rows of a list; 0 for other values.
    fn row_count(&self) -> usize {
        0
    }

    /// Whether an old list may stay if its refresh loads fewer rows. Not if the newest rows come first: they matter more
    /// than the number of rows.
    fn stays_if_longer(&self) -> bool {
        false
    }

    /// Number of rows whose details are still loading.
    fn incomplete(&self) -> usize {
        0
    }

    /// Why another provider may have a better value.
    fn fallback_reason(&self, _now: UtcTime) -> Option<FallbackReason> {
        None
    }
}

/// A cached value of any type.
pub(super) type AnyValue = dyn CachedValue;

/// A cached value with its provider and age.
#[derive(Debug)]
pub(super) struct Stored<T: ?Sized> {
    /// The provider that answered.
    pub(super) provider: ProviderName,
    /// The providers behind it, if it is another service that names them.
    pub(super) behind: Arc<[ProviderName]>,
    /// When it was fetched.
    pub(super) fetched: Timestamp,
    /// When it was last requested: later than [`Stored::fetched`] if there was nothing better.
    pub(super) requested: Moment,
    /// How long it is fresh, even if a new block arrives.
    pub(super) fresh_for: Duration,
    /// The block up to which the value is known, for values that change only with a block.
    pub(super) block: Option<BlockStamp>,
    /// Number of missing parts: details of rows that are still loading, and twice the number of missing rows, so that a row
    /// that arrives without its details is progress.
    pub(super) incomplete: usize,
    /// Whether a refresh may complete it soon, even without a new block.
    pub(super) is_partial: bool,
    /// A notice for the user, such as about unreadable items.
    pub(super) notice: Option<Arc<str>>,
    /// The subject of another service's notice.
    pub(super) notice_code: Option<NoticeCode>,
    /// Why there is no newer value, on a returned copy that is no longer fresh, or on a cached one that is better than the
    /// newer value.
    pub(super) refresh_error: Option<Arc<str>>,
    /// On a copy that a manual refresh returned, although it is not new: why there is no newer value yet.
    pub(super) not_refreshed: Option<Arc<str>>,
    /// The value.
    pub(super) value: Arc<T>,
}

impl<T: ?Sized> Clone for Stored<T> {
    fn clone(&self) -> Self {
        self.with_arc(Arc::clone(&self.value))
    }
}

impl<T> Stored<T> {
    /// A value that no block changes, fetched at this time.
    pub(super) fn new(
        provider: ProviderName,
        fetched: Timestamp,
        fresh_for: Duration,
        value: impl Into<Arc<T>>,
    ) -> Stored<T> {
        Stored {
            provider,
            behind: Arc::default(),
            requested: fetched.at,
            fetched,
            fresh_for,
            block: None,
            incomplete: 0,
            is_partial: false,
            notice: None,
            notice_code: None,
            refresh_error: None,
            not_refreshed: None,
            value: value.into(),
        }
    }
}

impl<T: CachedValue> From<Stored<T>> for Stored<AnyValue> {
    fn from(stored: Stored<T>) -> Stored<AnyValue> {
        let value = Arc::clone(&stored.value);
        stored.with_arc(value)
    }
}

impl Stored<AnyValue> {
    /// Casts the value to a type; `None` if it has another one.
    pub(super) fn downcast<T: Send + Sync + 'static>(self) -> Option<Stored<T>> {
        let value: Arc<dyn Any + Send + Sync> = Arc::clone(&self.value) as _;
        Some(self.with_arc(value.downcast().ok()?))
    }
}

impl<T: ?Sized> Stored<T> {
    /// The providers that the data comes from: those behind another service, if it names them.
    pub(super) fn origins(&self) -> impl Iterator<Item = ProviderName> {
        let own = self.behind.is_empty().then_some(self.provider);
        own.into_iter().chain(self.behind.iter().copied())
    }

    /// The first of its origins.
    pub(super) fn origin(&self) -> ProviderName {
        self.behind.first().copied().unwrap_or(self.provider)
    }

    /// How old it is.
    pub(super) fn age(&self) -> Duration {
        self.fetched.age()
    }

    /// Whether it is older than another value, even if the machine was suspended before the other one was fetched.
    pub(super) fn is_older_than<U: ?Sized>(&self, other: &Stored<U>) -> bool {
        let now = self.fetched.now();
        now.since(self.fetched.at) > now.since(other.fetched.at)
    }

    /// Replaces the value, and keeps provider, age and freshness.
    pub(super) fn with_value<U>(&self, value: U) -> Stored<U> {
        self.with_arc(Arc::new(value))
    }

    fn with_arc<U: ?Sized>(&self, value: Arc<U>) -> Stored<U> {
        let Stored { provider, requested, fresh_for, block, incomplete, is_partial, .. } = *self;
        let (notice, notice_code) = (self.notice.clone(), self.notice_code.clone());
        let (behind, fetched) = (Arc::clone(&self.behind), self.fetched.clone());
        let (refresh_error, not_refreshed) = (self.refresh_error.clone(), self.not_refreshed.clone());
        Stored {
            provider,
            behind,
            fetched,
            requested,
            fresh_for,
            block,
            incomplete,
            is_partial,
            notice,
            notice_code,
            refresh_error,
            not_refreshed,
            value,
        }
    }

    /// Whether it is still fresh. `tip` is the newest block, if known.
    pub(super) fn is_fresh(&self, tip: Option<BlockStamp>) -> bool {
        let is_fresh_by_block = match tip {
            Some(tip) => self.is_current(tip),
            None => !self.is_partial && self.block.is_some() && self.age() < UNKNOWN_HEIGHT_TTL,
        };
        is_fresh_by_block || self.age() < self.fresh_for
    }

    /// Whether it is fresh, and not an old value that is kept because its refresh failed.
    pub(super) fn is_up_to_date(&self) -> bool {
        self.refresh_error.is_none() && self.is_fresh(None)
    }

    /// Whether it is complete and includes the newest block.
    pub(super) fn is_current(&self, tip: BlockStamp) -> bool {
        !self.is_partial
            && self.age() < MAX_BLOCK_TTL
            && self.block.is_some_and(|at| at.reorgs == tip.reorgs && at.height >= tip.height)
    }

    /// Whether it includes a block that a reorganisation has replaced. `tip` is the newest block, if known.
    pub(super) fn is_orphaned(&self, tip: Option<BlockStamp>) -> bool {
        self.block.zip(tip).is_some_and(|(at, tip)| at.reorgs != tip.reorgs)
    }

    /// Extends the freshness of a value that includes the newest block until the next check for a new one.
    pub(super) fn fresh_until_next_check(self, chain: Option<(BlockStamp, Duration)>) -> Stored<T> {
        match chain {
            Some((tip, until_check)) if self.is_current(tip) => {
                let fresh_for = self.fresh_for.max(self.age() + until_check);
                Stored { fresh_for, ..self }
            }
            _ => self,
        }
    }

    /// Adds the reason why there is no newer value: the error of the refresh if this one is no longer fresh. Otherwise,
    /// the error of the manual refresh, or a notice. `retry_after` is the time until a refresh can succeed, if known;
    /// until then, the old value is as fresh as possible.
    pub(super) fn without_refresh(
        self,
        reason: Option<String>,
        retry_after: Option<Duration>,
        is_fresh: bool,
    ) -> Stored<T> {
        match reason {
            Some(reason) if is_fresh && is_manual() => self.not_refreshed_because(&reason),
            Some(reason) if is_fresh => self.with_notice(&reason),
            Some(reason) => {
                let wait = retry_after.map(|wait| self.age() + wait.min(MAX_RETRY_WAIT));
                Stored { refresh_error: Some(reason.into()), fresh_for: wait.unwrap_or(Duration::ZERO), ..self }
            }
            None => self,
        }
    }

    /// Adds why a manual refresh has not brought a newer value yet.
    pub(super) fn not_refreshed_because(self, reason: &str) -> Stored<T> {
        Stored { not_refreshed: Some(reason.into()), ..self }
    }

    /// Adds a notice about the value.
    pub(super) fn with_notice(self, notice: &str) -> Stored<T> {
        let own = self.notice.as_ref().map(ToString::to_string);
        let notice = joined_notices(own, Some(notice.to_owned())).map(Into::into);
        Stored { notice, ..self }
    }

    /// How much longer it is fresh; for a stale value, until its refresh should be done.
    pub(super) fn rest(&self) -> Duration {
        match self.fresh_for.saturating_sub(self.age()) {
            Duration::ZERO => STALE_FRESH_FOR,
            rest => rest,
        }
    }

    /// Builds a response with this value's age, freshness and provider.
    pub(super) fn response<U>(&self, data: U) -> ProviderResponse<U> {
        let (age, fresh_for) = (self.age(), self.rest());
        let notice = self.notice.as_ref().map(ToString::to_string);
        let (at, provider, others) = (self.fetched.at.wall, Some(self.origin()), self.origins().skip(1).collect());
        let refresh_error = self.refresh_error.as_ref().map(ToString::to_string);
        let not_refreshed = self.not_refreshed.as_ref().map(ToString::to_string);
        ProviderResponse {
            data,
            at,
            age,
            fresh_for,
            provider,
            others,
            rate: None,
            notice,
            notice_code: self.notice_code.clone(),
            refresh_error,
            not_refreshed,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;
    use crate::service::time_source::TimeSource;

    #[tokio::test(start_paused = true)]
    async fn value_from_before_suspension_is_older_than_old_data_fetched_after_it() {
        let hours = Duration::from_hours;
        let wall = Arc::new(AtomicU64::new(1_793_491_200));
        let clock = Arc::clone(&wall);
        let time = TimeSource::from_fn(move || UtcTime::from_secs(clock.load(Ordering::Relaxed).cast_signed()));
        let stored = |age| Stored::new(ProviderName::CoinGecko, time.stamp(age), hours(1), ());
        let before = stored(Duration::ZERO);
        // The monotonic clock stops.
        wall.fetch_add(8 * 3_600, Ordering::Relaxed);
        let after = stored(hours(1));
        assert!(before.is_older_than(&after) && !after.is_older_than(&before));
        assert!(!before.is_older_than(&before.clone()));
    }
}
