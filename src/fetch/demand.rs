//! The resources that the app needs.

use std::time::Duration;

use crate::client::Request;
use crate::model::{CoinId, Currency};

/// The current demand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// The requests on the screen, most urgent first, without duplicates.
    pub visible: Vec<Request>,
    /// The requests that are needed even if they are not on the screen.
    pub background: Vec<BackgroundNeed>,
    /// Whether the app has rows of each request: first of the `visible` ones, then of the `background` ones. `false` if
    /// missing.
    pub has_rows: Vec<bool>,
    /// The coins whose live prices are shown; `None` if there are none.
    pub live: Option<LiveCoins>,
    /// How often the service's providers have changed. A change ends the pauses of live prices.
    pub source_changes: u64,
}

/// Coins with live prices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveCoins {
    /// Their ids, sorted; never empty.
    pub ids: Vec<CoinId>,
    /// The currency of the prices.
    pub convert: Currency,
}

impl Demand {
    /// All requests, the visible ones first, without duplicates.
    pub fn all(&self) -> impl Iterator<Item = &Request> {
        let background = self.background.iter().map(|need| &need.request);
        self.visible.iter().chain(background.filter(|request| !self.visible.contains(request)))
    }
}

/// A resource that is needed even if it is not on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackgroundNeed {
    /// The resource.
    pub request: Request,
    /// Maximum age of its response. It is requested again after this time, unless it is still fresh.
    pub every: Duration,
    /// Whether it is sent only if no other background request waits, with at most half of the budget.
    pub is_low_priority: bool,
    /// Whether it is retried as often as a visible one after a failure, within the budget.
    pub retries_soon: bool,
    /// Whether it is requested even if it is fresh, like by a manual refresh, but within the budget and not during a
    /// rate limit.
    pub is_refresh: bool,
}

impl BackgroundNeed {
    /// A resource that is needed as much as others.
    pub fn new(request: Request, every: Duration) -> BackgroundNeed {
        BackgroundNeed { request, every, is_low_priority: false, retries_soon: false, is_refresh: false }
    }
}
