//! The fetch task: keeps what the app demands fresh.
//!
//! It gets *what* is needed ([`Demand`]), never *when*: it decides about freshness, retries, coalescing and
//! cancellation by itself, and reports as [`Event`]s.
//!
//! [`freshness`] says how long an answer is fresh and [`retry`] when a failed request is sent again; `requests` has the
//! state of recent requests, `host` the rate limit of a server, `budget` that of background requests; `runner` is the
//! loop.
//!
//! # Rules
//!
//! - A request is sent when it is demanded and was never answered, its answer is no longer fresh, its retry is due, or
//!   the user refreshes it. Requests are sent in the order of the demand, with at most [`PER_HOST`] in flight per host.
//! - Every [`Event::Started`] is followed by exactly one of the other events with its ticket.
//! - A failed resource delays no other one. Only a rate limit (429) pauses all requests to its host.
//! - A manual refresh is always sent, but at most once in [`REFRESH_SPACING`] for a resource, and for one resource of a
//!   host during its rate limit. If it is not sent, [`Event::RefreshSkipped`] has the reason and the time of the next
//!   one.
//! - Background requests never delay visible ones: they are sent only if no visible request waits for its host, one at
//!   a time for each host beside the [`PER_HOST`], within a budget ([`Settings::background_per_minute`]). They have
//!   separate intervals and retries. A request that is both visible and in the background counts as visible, and its
//!   answer is used for both.
//! - If the app has rows of a request, an empty answer is a failure until [`EMPTY_ANSWERS`] of them over [`EMPTY_SPAN`]
//!   have confirmed it. Any other empty answer is fresh for at most [`Backoff::final_at_most`].
//! - A request that is demanded again while its answer is fresh is not sent. The task remembers the last [`REMEMBERED`]
//!   requests and the app the answers to the last [`MAX_APP_ANSWERS`], so the app has nearly all answers that the task
//!   considers fresh. The app drops large answers earlier, and the task may miss some of a quick succession of demands,
//!   so the task also checks the answer itself: if the app has dropped its [`Arc`], the request is sent again without a
//!   condition.
//! - All times are those of the local [`Clock`]; a server's clock never matters. Times in the future, after the clock was
//!   set back, are ignored.

mod budget;
mod event_queue;
pub mod freshness;
mod host;
mod requests;
pub mod retry;
mod runner;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, watch};

pub use freshness::Freshness;
pub use retry::Backoff;

use crate::client::{Answer, Client, Error, Group, Reply, Request, Validator, Warning};
use crate::clock::Clock;
use crate::model::{Text, UtcTime};

/// The app keeps the answers to this many most recently demanded requests, unless they are large
/// ([`crate::app::store::MAX_BODY_BYTES`]).
pub const MAX_APP_ANSWERS: usize = 256;

/// The task remembers this many most recently demanded requests, and all that are demanded now. Less than
/// [`MAX_APP_ANSWERS`], so that the app still has their answers.
pub const REMEMBERED: usize = 200;

/// Maximum visible requests in flight per host.
pub const PER_HOST: usize = 6;

/// Minimum time between manual refreshes of one resource, so that a held key does not flood a server. During a rate
/// limit, between those of all resources of the host.
pub const REFRESH_SPACING: Duration = Duration::from_secs(10);

/// Minimum time before a request whose answer the app has lost is sent again.
pub const REFETCH_SPACING: Duration = Duration::from_secs(1);

/// Number of consecutive empty answers that are accepted although rows are known.
pub const EMPTY_ANSWERS: u32 = 3;

/// Minimum time between the first and the last of them.
pub const EMPTY_SPAN: Duration = Duration::from_mins(2);

/// A failed background request is retried after this time, which doubles up to its interval.
pub const BACKGROUND_RETRY: Duration = Duration::from_mins(1);

/// Default maximum of background requests a minute.
pub const BACKGROUND_PER_MINUTE: u32 = 10;

/// Creates the handle of a task, and what the task receives from it.
pub fn channel() -> (Handle, Inbox) {
    let (demand, demanded) = watch::channel(Demand::default());
    let (refreshes, refreshed) = mpsc::unbounded_channel();
    (Handle { demand, refreshes }, Inbox { demanded, refreshed })
}

/// Runs the task. It ends, and cancels the requests in flight, when the handle is dropped or nobody receives the events
/// any more.
pub async fn run(source: impl Source, clock: Clock, settings: Settings, events: mpsc::Sender<Event>, inbox: Inbox) {
    runner::Runner::new(source, clock, settings, events).run(inbox.demanded, inbox.refreshed).await;
}

/// What a task receives from its [`Handle`].
#[derive(Debug)]
pub struct Inbox {
    demanded: watch::Receiver<Demand>,
    refreshed: mpsc::UnboundedReceiver<Vec<Request>>,
}

/// The settings of a task.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How long answers are fresh.
    pub freshness: Freshness,
    /// When failed requests are sent again.
    pub backoff: Backoff,
    /// Maximum background requests a minute; 0 for none.
    pub background_per_minute: u32,
    /// Seed of the jitter of retries; `None` for a random one.
    pub seed: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            freshness: Freshness::default(),
            backoff: Backoff::default(),
            background_per_minute: BACKGROUND_PER_MINUTE,
            seed: None,
        }
    }
}

/// Where answers come from: the [`Client`], or a test.
pub trait Source: Send + Sync + 'static {
    /// Sends a request; a conditional one if there is a validator. Dropping the future cancels it.
    fn get(
        &self,
        request: &Request,
        validator: Option<&Validator>,
    ) -> impl Future<Output = Result<Reply, Error>> + Send;

    /// Like [`Source::get`], but bypasses all caches, since the user wants the latest data.
    fn refresh(
        &self,
        request: &Request,
        validator: Option<&Validator>,
    ) -> impl Future<Output = Result<Reply, Error>> + Send {
        self.get(request, validator)
    }

    /// The host of a group. Groups with the same host share its limits.
    fn place(&self, group: Group) -> String;
}

impl Source for Client {
    async fn get(&self, request: &Request, validator: Option<&Validator>) -> Result<Reply, Error> {
        Client::get(self, request, validator).await
    }

    async fn refresh(&self, request: &Request, validator: Option<&Validator>) -> Result<Reply, Error> {
        Client::refresh(self, request, validator).await
    }

    fn place(&self, group: Group) -> String {
        Client::place(self, group).to_owned()
    }
}

/// The current demand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// The requests on the screen, most urgent first, without duplicates.
    pub visible: Vec<Request>,
    /// The requests that are needed even if they are not on the screen.
    pub background: Vec<BackgroundNeed>,
    /// Whether the app has rows of each request: first those of `visible`, then those of `background`. `false` if
    /// missing.
    pub has_rows: Vec<bool>,
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
    /// Maximum age of its answer. It is requested again after this time, but not while it is fresh.
    pub every: Duration,
}

/// Why a manual refresh is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// The resource was refreshed less than [`REFRESH_SPACING`] ago.
    Recent,
    /// The host is rate-limited, and one of its resources was refreshed less than [`REFRESH_SPACING`] ago.
    RateLimited,
}

/// Identifies one of several fetches of the same request, so that a late response is not taken for a newer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// What happened to a request.
#[derive(Clone, Debug)]
pub enum Event {
    /// It was sent; or it is due, but its host is rate-limited, and [`Event::Failed`] follows at once.
    Started {
        /// The request.
        request: Request,
        /// This fetch.
        ticket: Ticket,
        /// When.
        at: UtcTime,
    },
    /// An answer came, or the server confirmed the known one (`answer` is `None`).
    Arrived {
        /// The request.
        request: Request,
        /// This fetch.
        ticket: Ticket,
        /// The answer; `None` if the known one is still valid. Keep this `Arc` as long as the value: once it is dropped,
        /// the task considers the value lost.
        answer: Option<Arc<Answer>>,
        /// Metadata of the response.
        receipt: Receipt,
    },
    /// It failed.
    Failed {
        /// The request.
        request: Request,
        /// This fetch.
        ticket: Ticket,
        /// Why.
        error: Arc<Error>,
        /// When.
        at: UtcTime,
        /// When it is retried, if nothing changes; `None` if only a change could help.
        next_try: Option<UtcTime>,
    },
    /// A manual refresh was not sent, or not for all resources.
    RefreshSkipped {
        /// Number of resources that are being refreshed.
        sent: usize,
        /// Number of resources that are not.
        skipped: usize,
        /// Why.
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
    /// It was removed from the demand before it was answered.
    Cancelled {
        /// The request.
        request: Request,
        /// This fetch.
        ticket: Ticket,
    },
}

/// Metadata of a response.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Receipt {
    /// Full URL; it never contains a secret.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// Length of the body in bytes after decompression; 0 for 304.
    pub bytes: u64,
    /// From the request to the last byte of the response.
    pub latency: Duration,
    /// When the response was complete.
    pub fetched_at: UtcTime,
    /// Until when it counts as fresh.
    pub fresh_until: UtcTime,
    /// Whether the service says that the data are simulated.
    pub simulated: bool,
    /// The provider of the data, if the service names one.
    #[serde(skip)]
    pub provider: Option<Text>,
    /// How old the data were when they arrived (`Age`), as far as the service's cache says.
    #[serde(skip)]
    pub age: Duration,
    /// Warnings about unreadable fields.
    #[serde(skip)]
    pub warnings: Arc<[Warning]>,
    /// See [`Reply::rows`]; 0 if unknown.
    pub rows: usize,
}

impl Receipt {
    /// When the data were up to date: when they arrived, minus their age then.
    pub fn updated_at(&self) -> UtcTime {
        self.fetched_at.minus(self.age)
    }
}

/// The handle of a running task.
#[derive(Debug)]
pub struct Handle {
    /// The current demand. Sending the same demand again makes the task read the clock again, as after suspend.
    pub demand: watch::Sender<Demand>,
    refreshes: mpsc::UnboundedSender<Vec<Request>>,
}

impl Handle {
    /// Fetches these requests now even if they are fresh, if they are visible. A request in flight is not sent twice,
    /// and no request more than once in [`REFRESH_SPACING`] (see [`Event::RefreshSkipped`]). No call is lost, however
    /// many are queued.
    pub fn refresh(&self, requests: Vec<Request>) {
        // Fails only when the task has ended, which the end of its events reports.
        let _ = self.refreshes.send(requests);
    }
}
