//! The fetch task: keeps what the app demands fresh.
//!
//! It gets *what* is needed ([`Demand`]), never *when*: it decides about freshness, retries, coalescing and
//! cancellation, and reports as [`Event`]s.
//!
//! [`freshness`] decides how long a response is fresh and [`retry`] when a failed request is sent again; `requests` has
//! the state of recent requests, `host` the rate limit of a server, `budget` the limit on background requests; `runner`
//! is the loop. `prices` streams live prices in a second task.
//!
//! # Rules
//!
//! - A request is sent when it is demanded and was never answered, its response is no longer fresh, its retry is due,
//!   or the user refreshes it. Requests are sent in the order of the demand, with at most [`MAX_PER_HOST`] in flight
//!   per host.
//! - Every [`Event::Started`] is followed by exactly one of the other events with its id.
//! - A failed resource delays no other one. Only a rate limit (429) pauses all requests to its host.
//! - Once a host responds, visible requests whose connections to it failed before are sent at once. Each ends its wait
//!   early only once until it succeeds.
//! - A manual refresh is always sent, but at most once in [`REFRESH_SPACING`] for a resource, and for one resource of a
//!   host during its rate limit. If it is not sent, [`Event::RefreshSkipped`] has the reason and the time of the next
//!   one.
//! - Background requests never delay visible ones: they are sent only if no visible request waits for its host, one at
//!   a time for each host in addition to [`MAX_PER_HOST`], within a budget ([`Settings::background_per_minute`]). They
//!   have separate intervals and retries. Those of low priority wait for the others and use at most half of the
//!   budget. A request that is both visible and in the background counts as visible, and
//!   its response is used for both. Visible requests that become background requests while they are in flight continue,
//!   and are cancelled one by one if a host has no room for visible ones.
//! - If the app has rows of a request, an empty response is a failure until [`IMPLAUSIBLE_RESPONSES`] of them over
//!   [`IMPLAUSIBLE_SPAN`] have confirmed it. The same applies to a coin list that isn't from our own service and has no
//!   prices, or fewer than half of the coins, although the app has an earlier one of this run with more. An accepted
//!   one, like any empty response, is fresh for at most [`Backoff::max_final_wait`].
//! - A request that is demanded again while its response is fresh is not sent. The task remembers the last
//!   [`MAX_REMEMBERED`] requests and the app the responses to the last [`MAX_APP_RESPONSES`], so the app has nearly all
//!   responses that the task considers fresh. The app drops large responses earlier, and the task may miss some of a
//!   quick succession of demands, so the task also checks the response itself: if the app has dropped its `Arc`, the
//!   request is sent again without a condition.
//! - All times come from the local [`Clock`]; a server's clock never matters. Times in the future, after the clock was
//!   set back, are ignored.

mod budget;
mod demand;
mod event;
mod event_queue;
pub mod freshness;
mod host;
mod limits;
mod plausibility;
mod prices;
mod refresh;
mod requests;
pub mod retry;
mod runner;
mod settings;
mod source;

use tokio::sync::{mpsc, watch};

use refresh::Refresh;

pub use demand::{BackgroundNeed, Demand, LiveCoins};
pub use event::{Event, FetchId, PriceState, Receipt, RefreshFailure, SkipReason, Tick};
pub use freshness::Freshness;
pub use limits::{
    BACKGROUND_PER_MINUTE, BACKGROUND_RETRY, IMPLAUSIBLE_RESPONSES, IMPLAUSIBLE_SPAN, MAX_APP_RESPONSES, MAX_PER_HOST,
    MAX_REMEMBERED, REFETCH_SPACING, REFRESH_SPACING,
};
pub use prices::{PriceSource, PriceStream, run as run_prices};
pub use retry::Backoff;
pub use settings::Settings;
pub use source::Source;

use crate::client::Request;
use crate::clock::Clock;

/// Creates the handle of a task and the receiving side for the task.
pub fn channel() -> (Handle, Inbox) {
    let (demand, demanded) = watch::channel(Demand::default());
    let (refreshes, refreshed) = mpsc::unbounded_channel();
    (Handle { demand, refreshes }, Inbox { demanded, refreshed })
}

/// Runs the task. It ends, and cancels the requests in flight, when the handle is dropped or the receiver of the events
/// is closed.
pub async fn run(source: impl Source, clock: Clock, settings: Settings, events: mpsc::Sender<Event>, inbox: Inbox) {
    runner::Runner::new(source, clock, settings, events).run(inbox.demanded, inbox.refreshed).await;
}

/// The receiving side of a [`Handle`].
#[derive(Debug)]
pub struct Inbox {
    demanded: watch::Receiver<Demand>,
    refreshed: mpsc::UnboundedReceiver<Refresh>,
}

/// The handle of a running task.
#[derive(Debug)]
pub struct Handle {
    /// The current demand. Sending the same demand again makes the task read the clock again, as after suspend.
    pub demand: watch::Sender<Demand>,
    refreshes: mpsc::UnboundedSender<Refresh>,
}

impl Inbox {
    /// Another receiver of the demand, for [`run_prices`].
    pub fn demand(&self) -> watch::Receiver<Demand> {
        self.demanded.clone()
    }
}

impl Handle {
    /// Fetches these requests now even if they are fresh, if they are visible. A request in flight is not sent twice,
    /// and no request more than once in [`REFRESH_SPACING`] (see [`Event::RefreshSkipped`]). No call is lost, however
    /// many are queued.
    pub fn refresh(&self, requests: Vec<Request>) {
        // Fails only when the task has ended, which the end of its events reports.
        let _ = self.refreshes.send(Refresh { requests, has_new_sources: false });
    }

    /// Fetches these requests now because the service uses other sources, if they are visible, no matter how recently
    /// they were refreshed. Those in flight are sent once more, and all others are no longer fresh.
    pub fn reload(&self, requests: Vec<Request>) {
        // As above.
        let _ = self.refreshes.send(Refresh { requests, has_new_sources: true });
    }
}
