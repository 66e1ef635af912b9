//! The fetch task: keeps what is on the screen fresh.
//!
//! It is told *what* is wanted ([`Demand`]), never *when*: freshness, retries, joining equal requests and cancelling
//! what nobody looks at any more are its business alone. What happens comes back as [`Event`]s.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};

use crate::client::{Answer, Error, Request, Warning};
use crate::model::UtcTime;

/// What is wanted now, the most urgent first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// Without duplicates.
    pub requests: Vec<Request>,
}

/// Tells one fetch from another of the same request, so that a late reply is not taken for a newer one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticket(pub u64);

/// What happened to a request.
#[derive(Clone, Debug)]
pub enum Event {
    /// It was sent.
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
        /// The answer; `None` where the kept one still holds.
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
}

/// The other end of a running fetch task.
#[derive(Debug)]
pub struct Handle {
    /// What is wanted. Sending the same demand again makes the task look at the clock anew (after a machine's sleep).
    pub demand: watch::Sender<Demand>,
    /// Requests to fetch now although they are fresh (the user asked), if they are wanted.
    pub refresh: mpsc::Sender<Vec<Request>>,
}

/// How many of the requests that were wanted last the app keeps at least. The task relies on it when it asks a server
/// only whether an answer still holds, so [`REMEMBERED`] must be smaller.
pub const KEPT_BY_APP: usize = 256;

/// How many requests the task remembers (their freshness and validators), those wanted longest ago forgotten first.
pub const REMEMBERED: usize = 200;
