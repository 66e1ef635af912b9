//! What happened to requests.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::client::{Error, Notice, NoticeCode, Request, ResponseData, Warning};
use crate::model::{CoinId, Currency, DayRange, RateOrigin, Text, UtcTime};

/// Why a manual refresh is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// The resource was refreshed less than [`REFRESH_SPACING`](super::REFRESH_SPACING) ago.
    Recent,
    /// The resource was refreshed that recently, too, and its refresh has failed.
    RecentlyFailed,
    /// The host is rate-limited, and one of its resources was refreshed less than
    /// [`REFRESH_SPACING`](super::REFRESH_SPACING) ago.
    RateLimited,
}

/// Identifies one of several fetches of the same request, so that a late response is not mistaken for a newer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FetchId(pub u64);

/// What happened to a request.
#[derive(Clone, Debug)]
pub enum Event {
    /// It was sent; or it is due, but its host is rate-limited, and [`Event::Failed`] follows at once.
    Started {
        /// The request.
        request: Request,
        /// This fetch.
        fetch_id: FetchId,
        /// When it was sent.
        at: UtcTime,
    },
    /// A response arrived, or the server confirmed the known one (`response` is `None`).
    Arrived {
        /// The request.
        request: Request,
        /// This fetch.
        fetch_id: FetchId,
        /// The response; `None` if the known one is still valid. Keep this `Arc` as long as the value: once it is
        /// dropped, the task considers the value lost.
        response: Option<Arc<ResponseData>>,
        /// Metadata of the response.
        receipt: Receipt,
    },
    /// It failed.
    Failed {
        /// The request.
        request: Request,
        /// This fetch.
        fetch_id: FetchId,
        /// The reason.
        error: Arc<Error>,
        /// When it failed.
        at: UtcTime,
        /// The time of the retry; `None` if only a change could help.
        next_try: Option<UtcTime>,
    },
    /// A manual refresh was not sent, or not for all resources.
    RefreshSkipped {
        /// Number of resources that are being refreshed.
        sent: usize,
        /// Number of resources that are not.
        skipped: usize,
        /// Why they are not refreshed.
        reason: SkipReason,
        /// When the next refresh is allowed.
        until: UtcTime,
    },
    /// The number of background requests that are due but not sent. Sent only if that or `until` has changed.
    Background {
        /// Due requests that are not sent yet.
        waiting: usize,
        /// When the budget allows the next one; `None` if they wait for other requests, or if the budget is 0.
        until: Option<UtcTime>,
    },
    /// Live prices. Not about a request.
    Prices {
        /// The exchange.
        provider: Text,
        /// The currency of the prices.
        convert: Currency,
        /// The prices.
        ticks: HashMap<CoinId, Tick>,
    },
    /// The state of the live prices has changed. Not about a request.
    PriceState(PriceState),
    /// It was removed from the demand before it was answered.
    Cancelled {
        /// The request.
        request: Request,
        /// This fetch.
        fetch_id: FetchId,
    },
}

/// A live price.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tick {
    /// The price.
    pub price: f64,
    /// The coin's range in 24 hours, if the exchange sends it.
    pub range: Option<DayRange>,
    /// When it came from the exchange.
    pub at: UtcTime,
}

/// The state of the live prices. The reasons are sentences without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriceState {
    /// The stream is open.
    Open,
    /// No exchange has prices of the demanded coins.
    NotListed,
    /// The stream can't be opened or was lost, or the exchanges fail; it is retried.
    Lost(String),
    /// The service has no live prices, unless its providers change.
    Unsupported(String),
}

/// Metadata of a response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Full URL; it never contains a secret.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// Length of the body in bytes after decompression; 0 for 304, for which the app keeps the length of the response
    /// that is still valid.
    pub bytes: u64,
    /// From the request to the last byte of the response.
    pub latency: Duration,
    /// When the response was complete.
    pub fetched_at: UtcTime,
    /// Until when it counts as fresh; if its refresh failed, when it was up to date.
    pub fresh_until: UtcTime,
    /// Whether the service marks the data as simulated.
    pub simulated: bool,
    /// The provider of the data, if the service names one.
    pub provider: Option<Text>,
    /// The origin of the exchange rate, if amounts were converted and the service names it.
    pub rate: Option<Box<RateOrigin>>,
    /// Age of the data on arrival (`Age`), as reported by the service's cache.
    pub age: Duration,
    /// Warnings about unreadable fields.
    #[serde(skip)]
    pub warnings: Arc<[Warning]>,
    /// The notice of the service about the data, as of its last confirmation.
    #[serde(skip)]
    pub notice: Option<Box<Notice>>,
    /// Why the data is old, if the service couldn't refresh it.
    #[serde(skip)]
    pub refresh_failure: Option<RefreshFailure>,
    /// Why a manual refresh did not bring newer data, although the data is not too old.
    #[serde(skip)]
    pub not_refreshed: Option<RefreshFailure>,
    /// See [`Reply::rows`](crate::client::Reply::rows); 0 if unknown.
    pub rows: usize,
}

/// A service responded with the known data because it couldn't refresh it.
#[derive(Clone, Debug, PartialEq)]
pub struct RefreshFailure {
    /// The reason.
    pub error: Arc<Error>,
    /// When the data is requested again.
    pub next_try: UtcTime,
}

impl Receipt {
    /// Why the service has no newer data, however old the known data is.
    pub fn any_refresh_failure(&self) -> Option<&RefreshFailure> {
        self.refresh_failure.as_ref().or(self.not_refreshed.as_ref())
    }

    /// When the data was up to date: when it arrived, minus its age then.
    pub fn updated_at(&self) -> UtcTime {
        self.fetched_at.minus(self.age)
    }

    /// Moves its times back so that it arrived at `now` at the latest, after the clock was set back: it would count as newer
    /// than later responses.
    pub fn set_back(&mut self, now: UtcTime) {
        let ahead = self.fetched_at.since(now);
        self.fetched_at = self.fetched_at.minus(ahead);
        self.fresh_until = self.fresh_until.minus(ahead);
    }

    /// Whether a response to a request for coins has all that the service knows: they are not old, and there is no notice
    /// with another reason for missing ones.
    pub fn has_all_coins(&self) -> bool {
        let is_complete = |notice: &Notice| notice.code == Some(NoticeCode::NotListed);
        self.refresh_failure.is_none() && self.notice.as_deref().is_none_or(is_complete)
    }

    /// When the service last had new data, or confirmed the known data.
    pub fn succeeded_at(&self) -> UtcTime {
        let is_new = self.refresh_failure.is_none() && self.not_refreshed.is_none();
        if is_new { self.fetched_at } else { self.updated_at() }
    }
}
