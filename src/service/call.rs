//! Context of an upstream request: whether a caller still waits for it, whether the user requested it manually, and how
//! long the caller is willing to wait for details.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

tokio::task_local! {
    static CALL: Call;
    static MANUAL: bool;
    static DETAILS_WAIT: Duration;
}

/// Runs a request that prefers to wait for complete data: `Prefer: wait=SECONDS` (RFC 7240).
pub(in crate::service) async fn with_details_wait<F: Future>(wait: Duration, work: F) -> F::Output {
    DETAILS_WAIT.scope(wait, work).await
}

/// How long the current request is willing to wait for details.
pub(in crate::service) fn details_wait() -> Option<Duration> {
    DETAILS_WAIT.try_with(|wait| *wait).ok()
}

/// Runs a manual refresh: the cache is bypassed as far as the budget allows.
pub(in crate::service) async fn manually<F: Future>(work: F) -> F::Output {
    MANUAL.scope(true, work).await
}

/// Whether the current request is a manual refresh.
pub(in crate::service) fn is_manual() -> bool {
    MANUAL.try_with(|manual| *manual).unwrap_or(false) || CALL.try_with(|call| call.manual).unwrap_or(false)
}

/// A running load of the cache.
#[derive(Clone, Debug)]
pub(in crate::service) struct Call {
    /// Each waiting caller holds a receiver.
    waiters: Arc<watch::Sender<()>>,
    manual: bool,
}

impl Call {
    /// A call whose callers hold receivers of this sender. It is manual if the current request is.
    pub(in crate::service) fn new(waiters: Arc<watch::Sender<()>>) -> Call {
        Call { waiters, manual: is_manual() }
    }

    /// Runs `work` in this call's context.
    pub(in crate::service) async fn run<F: Future>(self, work: F) -> F::Output {
        CALL.scope(self, work).await
    }
}

/// Completes when no caller waits for the current call any longer. Outside of a call it never completes.
pub(in crate::service) async fn cancelled() {
    match CALL.try_with(Clone::clone) {
        Ok(call) => call.waiters.closed().await,
        Err(_) => std::future::pending().await,
    }
}
