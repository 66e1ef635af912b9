//! What an upstream request needs to know of those who wait for it: whether anybody still does, and whether the user asked
//! for it by hand.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

tokio::task_local! {
    static CALL: Call;
    static MANUAL: bool;
    static PATIENCE: Duration;
}

/// Answers a request that would rather wait than miss a part: `Prefer: wait=SECONDS` (RFC 7240).
pub(in crate::service) async fn patiently<F: Future>(patience: Duration, work: F) -> F::Output {
    PATIENCE.scope(patience, work).await
}

/// How long what is done now would rather wait for details than miss them.
pub(super) fn wait_for_details() -> Option<Duration> {
    PATIENCE.try_with(|patience| *patience).ok()
}

/// Answers a request that the user sent by hand: a cached answer will not do, where the budget allows another.
pub(in crate::service) async fn manually<F: Future>(work: F) -> F::Output {
    MANUAL.scope(true, work).await
}

/// Whether the user asked by hand for what is done now.
pub(super) fn is_manual() -> bool {
    MANUAL.try_with(|manual| *manual).unwrap_or(false) || CALL.try_with(|call| call.manual).unwrap_or(false)
}

/// One load of the cache, while it runs.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// Each waiter holds a receiver.
    waiters: Arc<watch::Sender<()>>,
    manual: bool,
}

impl Call {
    /// A call for which those wait who hold a receiver of the sender. It is manual where this is done by hand.
    pub(super) fn new(waiters: Arc<watch::Sender<()>>) -> Call {
        Call { waiters, manual: is_manual() }
    }

    /// Runs the work as part of this call.
    pub(super) async fn run<F: Future>(self, work: F) -> F::Output {
        CALL.scope(self, work).await
    }
}

/// Ends when nobody waits for the current call any more. Outside of a call it never ends.
pub async fn abandoned() {
    match CALL.try_with(Clone::clone) {
        Ok(call) => call.waiters.closed().await,
        Err(_) => std::future::pending().await,
    }
}
