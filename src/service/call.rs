//! Context of an upstream request: whether a caller still waits for it, whether the user requested it manually, whether it
//! is background work, and how long the caller is willing to wait for details.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

tokio::task_local! {
    static CALL: Call;
    static TRAITS: Traits;
    static DETAILS_WAIT: Duration;
}

/// How a request is treated. What it requests in turn is treated the same.
#[derive(Clone, Copy, Debug, Default)]
struct Traits {
    /// The cache is bypassed as far as the budget allows.
    is_manual: bool,
    /// Requests that somebody waits for go first.
    is_background: bool,
    /// Another provider could answer if this one doesn't.
    has_alternative: bool,
}

impl Traits {
    fn current() -> Traits {
        TRAITS.try_with(|traits| *traits).unwrap_or_default()
    }
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
    TRAITS.scope(Traits { is_manual: true, ..Traits::current() }, work).await
}

/// Whether the current request is a manual refresh.
pub(in crate::service) fn is_manual() -> bool {
    Traits::current().is_manual
}

/// Runs work that nothing on the screen waits for, or only a decoration: its requests give way to others.
pub(in crate::service) async fn in_background<F: Future>(work: F) -> F::Output {
    TRAITS.scope(Traits { is_background: true, ..Traits::current() }, work).await
}

/// Whether the current request is background work.
pub(in crate::service) fn is_background() -> bool {
    Traits::current().is_background
}

/// Runs a request to a provider; `has_alternative`: another one could answer it.
pub(in crate::service) async fn with_alternative<F: Future>(has_alternative: bool, work: F) -> F::Output {
    let traits = Traits::current();
    TRAITS.scope(Traits { has_alternative: traits.has_alternative || has_alternative, ..traits }, work).await
}

/// Whether a caller waits for the current request, and another provider could answer if this one takes long.
pub(in crate::service) fn is_hurried() -> bool {
    let Traits { is_background, has_alternative, .. } = Traits::current();
    has_alternative && !is_background
}

/// A running load of the cache.
#[derive(Clone, Debug)]
pub(in crate::service) struct Call {
    /// Each waiting caller holds a receiver.
    waiters: Arc<watch::Sender<()>>,
    traits: Traits,
}

impl Call {
    /// A call whose callers hold receivers of this sender. It is treated like the current request.
    pub(in crate::service) fn new(waiters: Arc<watch::Sender<()>>) -> Call {
        Call { waiters, traits: Traits::current() }
    }

    /// Runs `work` in this call's context.
    pub(in crate::service) async fn run<F: Future>(self, work: F) -> F::Output {
        let traits = self.traits;
        CALL.scope(self, TRAITS.scope(traits, work)).await
    }
}

/// Whether the current request is part of a load.
pub(in crate::service) fn is_nested() -> bool {
    CALL.try_with(|_| ()).is_ok()
}

/// Whether no caller waits for the current call any longer.
pub(in crate::service) fn is_cancelled() -> bool {
    CALL.try_with(|call| call.waiters.is_closed()).unwrap_or(false)
}

/// Completes when no caller waits for the current call any longer. Outside of a call it never completes.
pub(in crate::service) async fn cancelled() {
    match CALL.try_with(Clone::clone) {
        Ok(call) => call.waiters.closed().await,
        Err(_) => std::future::pending().await,
    }
}
