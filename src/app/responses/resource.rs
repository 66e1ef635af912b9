//! A resource: its value, its age, and the result of its last fetch.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::client::{Error, ErrorKind, Request, ResponseData};
use crate::fetch::{FetchId, Receipt};
use crate::model::{Text, UtcTime};

/// How long after the end of its freshness a value becomes stale: time for the refresh in progress.
pub const GRACE: Duration = Duration::from_secs(30);

/// A failed fetch.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The reason.
    pub error: Arc<Error>,
    /// When it failed.
    pub at: UtcTime,
    /// The time of the retry; `None` if only a change could help.
    pub next_try: Option<UtcTime>,
    /// The message if there is nothing to wait for, which is not a service error: the looked-up item doesn't exist
    /// (`Token not found`), or no provider serves it.
    pub not_found: Option<Text>,
}

impl Failure {
    /// Moves its times back so that it happened at `now` at the latest, after the clock was set back.
    pub(super) fn set_back(&mut self, now: UtcTime) {
        let ahead = self.at.since(now);
        self.at = self.at.minus(ahead);
        self.next_try = self.next_try.map(|at| at.minus(ahead));
    }

    /// Whether a manual refresh doesn't help now, since its service would query no provider.
    pub fn must_wait(&self, now: UtcTime) -> bool {
        let ErrorKind::Explained { must_wait: true, retry_after, .. } = &self.error.kind else { return false };
        retry_after.is_none_or(|wait| now < self.at.plus(wait))
    }

    /// Whether no provider serves the request; only the user can change that.
    pub fn is_unserved(&self) -> bool {
        self.not_found.is_some() && self.error.status() == Some(501)
    }
}

/// One resource. A failure keeps the old value and is shown until a fetch succeeds.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The last good response.
    pub response: Option<Arc<ResponseData>>,
    /// The receipt of that response, or of its last confirmation.
    pub receipt: Option<Receipt>,
    /// The fetch in progress and its start.
    pub loading: Option<(FetchId, UtcTime)>,
    /// How the last fetch failed, if it did.
    pub failure: Option<Failure>,
    /// Whether the response is from the cache and incomplete: without the rows and details that the first frame doesn't
    /// need.
    pub abridged: bool,
    /// Whether the response is from the cache, and no newer one has arrived.
    pub restored: bool,
    /// The number of the last demand that contained it.
    pub(super) demanded: u64,
}

impl Entry {
    /// Whether the response is of this run and has all requested coins that the service knows.
    pub(super) fn has_all_coins(&self) -> bool {
        self.failure.is_none() && !self.restored && self.receipt.as_ref().is_some_and(Receipt::has_all_coins)
    }
}

/// A response of an earlier run, from the cache.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CachedResponse {
    /// The request.
    pub request: Request,
    /// The response.
    pub response: Arc<ResponseData>,
    /// The receipt of the response, with the times of the earlier run.
    pub receipt: Receipt,
    /// See [`Entry::abridged`].
    pub abridged: bool,
}

/// A resource as a screen sees it.
#[derive(Debug)]
pub struct Remote<'a, T> {
    /// The last good value.
    pub value: Option<&'a T>,
    /// The resource; `None` if it was never requested.
    pub entry: Option<&'a Entry>,
}

impl<T> Clone for Remote<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Remote<'_, T> {}

impl<'a, T> Remote<'a, T> {
    /// Whether a fetch is in progress.
    pub fn is_loading(&self) -> bool {
        self.entry.is_some_and(|e| e.loading.is_some())
    }

    /// How the last fetch failed, if it did.
    pub fn failure(&self) -> Option<&'a Failure> {
        self.entry.and_then(|e| e.failure.as_ref())
    }

    /// When the value was up to date; see [`Receipt::updated_at`].
    pub fn updated_at(&self) -> Option<UtcTime> {
        self.entry.and_then(|e| e.receipt.as_ref()).map(Receipt::updated_at)
    }

    /// The provider of the value, if the service names one.
    pub fn provider(&self) -> Option<&'a str> {
        self.entry.and_then(|e| e.receipt.as_ref()).and_then(|r| r.provider.as_deref())
    }

    /// When the freshness of the value ends.
    pub fn fresh_until(&self) -> Option<UtcTime> {
        self.entry.and_then(|e| e.receipt.as_ref()).map(|r| r.fresh_until)
    }

    /// Whether to show the value as old: its freshness has ended, and its refresh failed or is overdue. A failed
    /// refresh of a fresh value doesn't make it stale.
    pub fn is_stale(&self, now: UtcTime) -> bool {
        let grace = if self.failure().is_some() { Duration::ZERO } else { GRACE };
        let is_over = match self.fresh_until() {
            Some(until) => now > until.plus(grace),
            // A value in another currency, after a failed request in the current one.
            None => self.failure().is_some(),
        };
        self.value.is_some() && is_over
    }

    /// Replaces the value with a part of it.
    pub fn map<U>(self, part: impl FnOnce(&'a T) -> Option<&'a U>) -> Remote<'a, U> {
        Remote { value: self.value.and_then(part), entry: self.entry }
    }
}
