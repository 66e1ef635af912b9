//! What an upstream request needs to know of those who wait for it: whether anybody still does.

use std::sync::Arc;

use tokio::sync::watch;

tokio::task_local! {
    static CALL: Call;
}

/// One load of the cache, while it runs.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// Each waiter holds a receiver.
    waiters: Arc<watch::Sender<()>>,
}

impl Call {
    /// A call for which those wait who hold a receiver of the sender.
    pub(super) fn new(waiters: Arc<watch::Sender<()>>) -> Call {
        Call { waiters }
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
