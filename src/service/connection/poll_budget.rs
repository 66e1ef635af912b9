//! Shares the time of the threads fairly among clients. A client with thousands of connections can make all of them ready
//! at once, and the runtime would serve them all before the next client. So each client gets a poll budget; then its
//! other connections wait until the runtime has served those of other clients.

use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker, ready};

use crate::service::quota::network;

/// Polls of a client before other clients are served. One takes about 20 µs, so two threads need 2.5 ms. A proxy in
/// front has fewer busy connections than that.
const MAX_POLLS: usize = 256;

/// A connection's state in the queue of its client.
const ABSENT: u8 = 0;
const WAITING: u8 = 1;
/// It has waited, and may go on.
const ADMITTED: u8 = 2;

/// The clients with open connections. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(in crate::service) struct Clients(Arc<Mutex<HashMap<IpAddr, Weak<PollBudget>>>>);

impl Clients {
    /// Registers a new connection of the client at this address.
    pub(in crate::service) fn join(&self, client: IpAddr) -> BudgetedConnection {
        let client = network(client);
        let mut known = self.known();
        let budget = known.get(&client).and_then(Weak::upgrade).unwrap_or_else(|| {
            let (left, queue) = (AtomicUsize::new(MAX_POLLS), Mutex::default());
            let budget = Arc::new(PollBudget { left, queue, clients: self.clone(), client });
            known.insert(client, Arc::downgrade(&budget));
            budget
        });
        BudgetedConnection { budget, state: Arc::default() }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<IpAddr, Weak<PollBudget>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The poll budget of a client.
#[derive(Debug)]
struct PollBudget {
    left: AtomicUsize,
    queue: Mutex<Queue>,
    clients: Clients,
    client: IpAddr,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<(Waker, Arc<AtomicU8>)>,
    /// A task will refill the budget.
    is_renewing: bool,
}

/// A connection that shares the poll budget of its client.
#[derive(Debug)]
pub(in crate::service) struct BudgetedConnection {
    budget: Arc<PollBudget>,
    state: Arc<AtomicU8>,
}

impl BudgetedConnection {
    /// Polls a connection only while its client has budget left.
    pub(in crate::service) async fn limit(self, connection: impl Future<Output = ()>) {
        let mut connection = pin!(connection);
        poll_fn(|context| {
            ready!(self.poll(context));
            connection.as_mut().poll(context)
        })
        .await;
    }

    /// Whether the connection may use the thread now. If not, its task is woken when it may.
    fn poll(&self, context: &Context<'_>) -> Poll<()> {
        match self.state.load(Ordering::Acquire) {
            // Its task is woken anyway.
            WAITING => return Poll::Pending,
            ADMITTED => {
                self.state.store(ABSENT, Ordering::Release);
                return Poll::Ready(());
            }
            _ => {}
        }
        if self.budget.take() {
            return Poll::Ready(());
        }
        let mut queue = self.budget.queue();
        // The budget may have been refilled since.
        if self.budget.left.load(Ordering::Acquire) > 0 && queue.waiting.is_empty() {
            return Poll::Ready(());
        }
        self.state.store(WAITING, Ordering::Release);
        queue.waiting.push_back((context.waker().clone(), Arc::clone(&self.state)));
        self.budget.renew_later(queue);
        Poll::Pending
    }
}

impl PollBudget {
    /// Spends one poll. Returns `false` if the budget is used up.
    fn take(self: &Arc<PollBudget>) -> bool {
        let before = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(1));
        // Early enough that a client with few connections never waits.
        if before == Ok(MAX_POLLS / 2) {
            self.renew_later(self.queue());
        }
        before.is_ok()
    }

    /// Refills the budget after the runtime has polled other tasks.
    fn renew_later(self: &Arc<PollBudget>, mut queue: MutexGuard<'_, Queue>) {
        if !std::mem::replace(&mut queue.is_renewing, true) {
            let budget = Arc::clone(self);
            tokio::spawn(async move {
                loop {
                    tokio::task::yield_now().await;
                    if budget.renew() {
                        return;
                    }
                }
            });
        }
    }

    /// Refills the budget, waiting connections first. Returns whether none is left waiting.
    fn renew(&self) -> bool {
        let mut queue = self.queue();
        let count = queue.waiting.len().min(MAX_POLLS);
        for (waker, state) in queue.waiting.drain(..count) {
            state.store(ADMITTED, Ordering::Release);
            waker.wake();
        }
        self.left.store(MAX_POLLS - count, Ordering::Release);
        queue.is_renewing = !queue.waiting.is_empty();
        !queue.is_renewing
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for PollBudget {
    fn drop(&mut self) {
        let mut known = self.clients.known();
        // A new connection may have replaced it.
        if known.get(&self.client).is_some_and(|budget| budget.strong_count() == 0) {
            known.remove(&self.client);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn client_with_many_connections_waits_for_another() {
        let (clients, order) = (Clients::default(), Arc::new(Mutex::new(Vec::new())));
        let start = |address: [u8; 4]| {
            let (turn, order) = (clients.join(IpAddr::from(address)), Arc::clone(&order));
            tokio::spawn(async move {
                poll_fn(|context| turn.poll(context)).await;
                order.lock().unwrap().push(address[3]);
            })
        };
        let mut tasks: Vec<_> = (0..10 * MAX_POLLS).map(|_| start([10, 0, 0, 1])).collect();
        tasks.push(start([10, 0, 0, 2]));
        for task in tasks {
            task.await.unwrap();
        }
        let order = order.lock().unwrap();
        assert_eq!(order.len(), 10 * MAX_POLLS + 1, "all are polled");
        let position = order.iter().position(|client| *client == 2).unwrap();
        assert!(position <= 3 * MAX_POLLS, "{position}");
        assert!(clients.known().is_empty(), "clients without connections are forgotten");
    }

    #[tokio::test]
    async fn client_with_few_connections_never_waits() {
        let turn = Clients::default().join(IpAddr::from([10, 0, 0, 1]));
        for _ in 0..10 * MAX_POLLS {
            assert!(poll_fn(|context| Poll::Ready(turn.poll(context))).await.is_ready());
            tokio::task::yield_now().await;
        }
    }
}
