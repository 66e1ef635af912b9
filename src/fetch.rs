//! The fetch task: keeps what is on the screen fresh.
//!
//! It is told *what* is wanted ([`Demand`]), never *when*: freshness, retries, joining equal requests and cancelling
//! what nobody looks at any more are its business alone. What happens comes back as [`Event`]s.
//!
//! The parts: [`freshness`] says how long an answer holds, [`retry`] when a failed request is sent again, `ledger`
//! remembers both for the requests of late, `host` keeps the limits of a server, `runner` is the loop over them.
//!
//! # What holds
//!
//! - A request is sent when it is wanted and was never answered, or its freshness has passed, or the time of its next
//!   try has come, or the user asked. The demand's order is the order of sending; at most [`PER_HOST`] are under way
//!   per host.
//! - Every [`Event::Started`] is followed by exactly one of the other events with its ticket.
//! - One resource's failure delays no other; only a server that limits the rate (429) is left alone altogether.
//! - A manual refresh is always sent, but a resource at most once in [`REFRESH_SPACING`], and while a host limits the
//!   rate one resource of that host. Where one is not sent, [`Event::RefreshHeld`] says why and until when.
//! - An empty answer where the app has rows is a failure, until [`EMPTY_ANSWERS`] of them over [`EMPTY_SPAN`] have
//!   confirmed it. Any other empty answer holds for at most [`Backoff::final_at_most`].
//! - A request that comes back into the demand within its freshness costs nothing. The task remembers the last
//!   [`REMEMBERED`] requests, the app keeps the last [`KEPT_BY_APP`]; so what the task takes for known, the app mostly
//!   has. Since the app forgets large answers sooner, and a quick succession of demands may reach the task only in
//!   parts, it also asks the answer itself: where the app has dropped the [`Arc`] that it was given, the value is fetched
//!   anew, unconditionally.
//! - All times are those of the own [`Clock`]; a server's clock never matters. Where the clock was set back, what was
//!   noted in its future is looked at again.

pub mod freshness;
mod host;
mod ledger;
mod outbox;
pub mod retry;
mod runner;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};

pub use freshness::Freshness;
pub use retry::Backoff;

use crate::client::{Answer, Client, Error, Group, Reply, Request, Validator, Warning};
use crate::clock::Clock;
use crate::model::UtcTime;

/// How many requests the app keeps the values of, those demanded last, unless they are large
/// ([`crate::app::store::BODIES_KEPT`]).
pub const KEPT_BY_APP: usize = 256;

/// How many requests the task remembers at most, besides those now wanted: those demanded last. Less than
/// [`KEPT_BY_APP`], so that it need not remember what the app no longer has.
pub const REMEMBERED: usize = 200;

/// Requests under way at once on one host.
pub const PER_HOST: usize = 6;

/// Manual refreshes of one resource are at least this far apart, so that a held key does not hammer a server; while a
/// host limits the rate, those of all its resources.
pub const REFRESH_SPACING: Duration = Duration::from_secs(10);

/// A request whose answer the app has lost is sent again no sooner than this after it was sent last.
pub const REFETCH_SPACING: Duration = Duration::from_secs(1);

/// How many empty answers in a row are believed where rows are known.
pub const EMPTY_ANSWERS: u32 = 3;

/// How long a time those empty answers must span.
pub const EMPTY_SPAN: Duration = Duration::from_mins(2);

/// Both ends of what the task is told.
pub fn channel() -> (Handle, Inbox) {
    let (demand, wanted) = watch::channel(Demand::default());
    let (refreshes, refreshed) = mpsc::unbounded_channel();
    (Handle { demand, refreshes }, Inbox { wanted, refreshed })
}

/// The task itself. It ends, dropping what is under way, when the inbox's other end is dropped or nobody receives the
/// events any more.
pub async fn run(source: impl Source, clock: Clock, settings: Settings, events: mpsc::Sender<Event>, inbox: Inbox) {
    runner::Runner::new(source, clock, settings, events).run(inbox.wanted, inbox.refreshed).await;
}

/// The task's end of a [`channel`].
#[derive(Debug)]
pub struct Inbox {
    wanted: watch::Receiver<Demand>,
    refreshed: mpsc::UnboundedReceiver<Vec<Request>>,
}

/// What the task can be told.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How long answers hold.
    pub freshness: Freshness,
    /// When failed requests are sent again.
    pub backoff: Backoff,
    /// Where the jitter of retries starts; `None` for a random place.
    pub seed: Option<u64>,
}

/// Where answers come from: the [`Client`], or a test.
pub trait Source: Send + Sync + 'static {
    /// Performs a request, with a validator conditionally. Dropping the future gives the request up.
    fn get(&self, request: &Request, kept: Option<&Validator>) -> impl Future<Output = Result<Reply, Error>> + Send;

    /// Which host answers a group's requests. Groups that share one also share its limits.
    fn place(&self, group: Group) -> String;
}

impl Source for Client {
    async fn get(&self, request: &Request, kept: Option<&Validator>) -> Result<Reply, Error> {
        Client::get(self, request, kept).await
    }

    fn place(&self, group: Group) -> String {
        Client::place(self, group).to_owned()
    }
}

/// What is wanted now, the most urgent first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// Without duplicates.
    pub requests: Vec<Request>,
    /// For each of them, whether the app has rows of it; `false` where it is not said.
    pub has_rows: Vec<bool>,
}

/// Why a manual refresh is not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// The resource was refreshed less than [`REFRESH_SPACING`] ago.
    Recent,
    /// The host limits the rate, and one of its resources was refreshed less than [`REFRESH_SPACING`] ago.
    RateLimited,
}

/// Tells one fetch from another of the same request, so that a late reply is not taken for a newer one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// What happened to a request.
#[derive(Clone, Debug)]
pub enum Event {
    /// It was sent; or it was due, but its host may not be asked yet, and [`Event::Failed`] follows at once to say why.
    Started {
        /// Which.
        request: Request,
        /// This fetch.
        ticket: Ticket,
        /// When.
        at: UtcTime,
    },
    /// Its answer came, or the server confirmed the one that is kept (`answer` is `None`).
    Arrived {
        /// Which.
        request: Request,
        /// This fetch.
        ticket: Ticket,
        /// The answer; `None` where the kept one still holds. Keep this `Arc` as long as the value: the task takes
        /// a dropped one for a value that is gone.
        answer: Option<Arc<Answer>>,
        /// About the exchange.
        receipt: Receipt,
    },
    /// It failed.
    Failed {
        /// Which.
        request: Request,
        /// This fetch.
        ticket: Ticket,
        /// Why.
        error: Arc<Error>,
        /// When.
        at: UtcTime,
        /// When it is tried again, if nothing changes; `None` where only a change could help.
        next_try: Option<UtcTime>,
    },
    /// A manual refresh was not sent, or not for all resources.
    RefreshHeld {
        /// Resources that are being refreshed.
        sent: usize,
        /// Resources that are not.
        held: usize,
        /// Why.
        hold: Hold,
        /// When another refresh sends more.
        until: UtcTime,
    },
    /// Nobody wanted it any more before it was done.
    Cancelled {
        /// Which.
        request: Request,
        /// This fetch.
        ticket: Ticket,
    },
}

/// About one exchange with a server.
#[derive(Clone, Debug, PartialEq)]
pub struct Receipt {
    /// Full URL; it never holds a secret.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// Bytes of the body after decompression; 0 for 304.
    pub bytes: u64,
    /// From the request to the answer's last byte.
    pub latency: Duration,
    /// When the answer was complete.
    pub fetched_at: UtcTime,
    /// Until when it counts as fresh.
    pub fresh_until: UtcTime,
    /// What could not be read.
    pub warnings: Arc<[Warning]>,
    /// See [`Reply::rows`]; 0 if unknown (restored from the snapshot).
    pub rows: usize,
}

/// The other end of a running fetch task.
#[derive(Debug)]
pub struct Handle {
    /// What is wanted. Sending the same demand again makes the task look at the clock anew (after a machine's sleep).
    pub demand: watch::Sender<Demand>,
    refreshes: mpsc::UnboundedSender<Vec<Request>>,
}

impl Handle {
    /// Fetches these requests now although they are fresh, because the user asked, if they are demanded. One in flight
    /// is not sent twice, and none more than once in [`REFRESH_SPACING`] (see [`Event::RefreshHeld`]). None is lost,
    /// however many wait: the task takes them as fast as a user can ask.
    pub fn refresh(&self, requests: Vec<Request>) {
        // Fails only when the task has ended, which the end of its events reports.
        let _ = self.refreshes.send(requests);
    }
}
