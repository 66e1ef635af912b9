//! Context of an upstream request: whether a caller still waits for it, its clients, whether the user requested it
//! manually, whether it is background work, and how long the caller is willing to wait for details.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::sleep;

use super::queue_time::{QueueTime, Waiting};
use crate::model::ProviderName;

tokio::task_local! {
    static CALL: Call;
    static CONTEXT: CallContext;
    static DETAILS_WAIT: Duration;
}

/// How a request is treated, and every request that it makes in turn.
#[derive(Clone, Copy, Debug, Default)]
struct CallContext {
    /// The cache is bypassed as far as the budget allows.
    is_manual: bool,
    /// How long a value may have been stale; `None`: for any time.
    max_stale: Option<Duration>,
    /// Awaited requests go first.
    is_background: bool,
    /// Another provider could answer if this one doesn't.
    has_alternative: bool,
    /// No request is sent: the call waits instead.
    sends_nothing: bool,
    /// The client that sent the request; `None` for work of the service itself.
    client: Option<IpAddr>,
}

impl CallContext {
    fn current() -> CallContext {
        CONTEXT.try_with(|context| *context).unwrap_or_default()
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

/// Runs a request of a client.
pub(in crate::service) async fn for_client<F: Future>(client: IpAddr, work: F) -> F::Output {
    CONTEXT.scope(CallContext { client: Some(client), ..CallContext::current() }, work).await
}

/// The clients that wait for the current request. Others may join it later.
pub(in crate::service) fn clients() -> watch::Receiver<HashSet<Option<IpAddr>>> {
    let own = || watch::channel(HashSet::from([CallContext::current().client])).1;
    CALL.try_with(|call| call.clients.subscribe()).unwrap_or_else(|_| own())
}

/// Runs a manual refresh: the cache is bypassed as far as the budget allows.
pub(in crate::service) async fn manually<F: Future>(work: F) -> F::Output {
    CONTEXT.scope(CallContext { is_manual: true, ..CallContext::current() }, work).await
}

/// Whether the current request is a manual refresh.
pub(in crate::service) fn is_manual() -> bool {
    CallContext::current().is_manual
}

/// Runs a request that rather waits than receives a value that has been stale for longer: `Cache-Control:
/// max-stale=SECONDS` (RFC 9111).
pub(in crate::service) async fn with_max_stale<F: Future>(limit: Duration, work: F) -> F::Output {
    CONTEXT.scope(CallContext { max_stale: Some(limit), ..CallContext::current() }, work).await
}

/// How long a value for the current request may have been stale; `None`: for any time.
pub(in crate::service) fn max_stale() -> Option<Duration> {
    CallContext::current().max_stale
}

/// Runs background work, which nothing on the screen waits for, or only a decoration. Other requests are sent first.
pub(in crate::service) async fn in_background<F: Future>(work: F) -> F::Output {
    CONTEXT.scope(CallContext { is_background: true, ..CallContext::current() }, work).await
}

/// Whether the current request, or every caller of the load that it is part of, is background work.
pub(in crate::service) fn is_background() -> bool {
    let is_not_awaited = || CALL.try_with(|call| !*call.is_urgent.borrow()).unwrap_or(false);
    CallContext::current().is_background || is_not_awaited()
}

/// Completes when the current request is not background work, or no longer is because an awaited request joined it.
pub(in crate::service) async fn until_urgent() {
    if CallContext::current().is_background {
        return std::future::pending().await;
    }
    if let Ok(call) = CALL.try_with(Clone::clone) {
        // The call lives as long as this.
        let _ = call.is_urgent.subscribe().wait_for(|is_urgent| *is_urgent).await;
    }
}

/// Runs a request to a provider; `has_alternative`: another one could answer it.
pub(in crate::service) async fn with_alternative<F: Future>(has_alternative: bool, work: F) -> F::Output {
    let context = CallContext::current();
    CONTEXT.scope(CallContext { has_alternative: context.has_alternative || has_alternative, ..context }, work).await
}

/// Completes when a caller has waited this long for the current request although another provider could answer: it may
/// begin to wait later than the request. Never completes if no other provider could.
pub(in crate::service) async fn waited_for(limit: Duration) {
    if !CallContext::current().has_alternative {
        return std::future::pending().await;
    }
    until_urgent().await;
    sleep(limit).await;
}

/// Runs a call that waits forever instead of sending a request, to find out whether it would send one.
pub(in crate::service) async fn without_requests<F: Future>(work: F) -> F::Output {
    CONTEXT.scope(CallContext { sends_nothing: true, ..CallContext::current() }, work).await
}

/// Waits forever if the current call must not send requests.
pub(in crate::service) async fn until_sending() {
    if CallContext::current().sends_nothing {
        std::future::pending().await
    }
}

/// A running load of the cache. Cheap to clone.
#[derive(Clone, Debug)]
pub(in crate::service) struct Call {
    /// Each waiting caller holds a receiver.
    waiters: Arc<watch::Sender<()>>,
    /// Whether any caller is not background work.
    is_urgent: Arc<watch::Sender<bool>>,
    /// The clients of its callers.
    clients: Arc<watch::Sender<HashSet<Option<IpAddr>>>>,
    context: CallContext,
    /// It counts for each waiting caller.
    queue_time: Arc<QueueTime>,
    /// The provider that is queried now.
    current_provider: Arc<Mutex<Option<ProviderName>>>,
}

/// A caller that waits for a call.
#[derive(Debug)]
pub(in crate::service) struct Waiter {
    call: Call,
    _waiting: Option<Waiting>,
    /// The call is cancelled when no receiver is left.
    _receiver: watch::Receiver<()>,
}

impl Call {
    /// A call that is treated like the current request. No caller waits for it yet.
    pub(in crate::service) fn new() -> Call {
        Call {
            waiters: Arc::new(watch::Sender::new(())),
            is_urgent: Arc::new(watch::Sender::new(false)),
            clients: Arc::default(),
            // Its callers determine whether it is background work.
            context: CallContext { is_background: false, ..CallContext::current() },
            queue_time: Arc::default(),
            current_provider: Arc::default(),
        }
    }

    /// Adds the current request to the callers. The call becomes as urgent as the most urgent of them.
    pub(in crate::service) fn join(&self) -> Waiter {
        if !is_background() {
            self.is_urgent.send_replace(true);
        }
        self.add_clients(&clients().borrow());
        Waiter { call: self.clone(), _waiting: self.queue_time.wait(), _receiver: self.waiters.subscribe() }
    }

    fn add_clients(&self, new: &HashSet<Option<IpAddr>>) {
        self.clients.send_if_modified(|clients| {
            let before = clients.len();
            clients.extend(new);
            clients.len() > before
        });
    }

    /// Runs `work` in this call's context.
    pub(in crate::service) async fn run<F: Future>(self, work: F) -> F::Output {
        let (context, queue_time) = (self.context, Arc::clone(&self.queue_time));
        queue_time.run(CALL.scope(self, CONTEXT.scope(context, work))).await
    }

    /// The provider that is queried now.
    pub(in crate::service) fn current_provider(&self) -> Option<ProviderName> {
        *self.current_provider.lock()
    }
}

impl Waiter {
    /// Makes the call urgent as soon as the current request is, and adds the clients that join that. Never completes.
    pub(in crate::service) async fn pass_on_urgency(&self) -> std::convert::Infallible {
        let urgency = async {
            until_urgent().await;
            self.call.is_urgent.send_replace(true);
        };
        let mut clients = clients();
        let joining = async {
            // Some may have joined since this caller did.
            loop {
                self.call.add_clients(&clients.borrow_and_update());
                if clients.changed().await.is_err() {
                    return;
                }
            }
        };
        tokio::join!(urgency, joining);
        std::future::pending().await
    }
}

/// Records the provider that the current load is querying.
pub(in crate::service) fn record_provider(name: ProviderName) {
    // There is nothing to record outside a load.
    let _ = CALL.try_with(|call| *call.current_provider.lock() = Some(name));
}

/// Whether the current request is part of a load.
pub(in crate::service) fn is_nested() -> bool {
    CALL.try_with(|_| ()).is_ok()
}

/// Whether no caller waits for the current call any longer.
pub(in crate::service) fn is_cancelled() -> bool {
    CALL.try_with(|call| call.waiters.is_closed()).unwrap_or(false)
}

/// Completes when no caller waits for the current call any longer. Outside a call it never completes.
pub(in crate::service) async fn cancelled() {
    match CALL.try_with(Clone::clone) {
        Ok(call) => call.waiters.closed().await,
        Err(_) => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn client_that_joins_before_the_wait_begins_is_passed_on() {
        let [first, second] = [1, 2].map(|last| IpAddr::from([127, 0, 0, last]));
        let (outer, inner) = (Call::new(), Call::new());
        let _first = for_client(first, async { outer.join() }).await;
        let joining = outer.clone();
        outer
            .run(async {
                let waiter = inner.join();
                // In its own task, which is not a part of the call.
                let _second = tokio::spawn(for_client(second, async move { joining.join() })).await.unwrap();
                tokio::select! {
                    biased;
                    never = waiter.pass_on_urgency() => match never {},
                    () = tokio::task::yield_now() => {}
                }
            })
            .await;
        assert_eq!(*inner.clients.borrow(), HashSet::from([Some(first), Some(second)]));
    }
}
