//! Shares the time of the threads fairly among clients. A client with thousands of connections can make all of them ready
//! at once, and the runtime would serve them all before the next client. So each client gets a number of turns; then its
//! other connections wait until the runtime has served those of other clients.

use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker, ready};

use crate::service::quota::network;

/// Turns of a client before others have theirs. One takes about 20 µs, so two threads are through in 2.5 ms. A proxy in
/// front has fewer busy connections than that.
const TURNS: usize = 256;

/// A connection's state in the queue of its client.
const ABSENT: u8 = 0;
const WAITING: u8 = 1;
/// It has waited, and may go on.
const ADMITTED: u8 = 2;

/// The clients with open connections. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(in crate::service) struct Clients(Arc<Mutex<HashMap<IpAddr, Weak<Turns>>>>);

impl Clients {
    /// A place for a new connection of the client at this address.
    pub(in crate::service) fn join(&self, client: IpAddr) -> Turn {
        let client = network(client);
        let mut known = self.known();
        let turns = known.get(&client).and_then(Weak::upgrade).unwrap_or_else(|| {
            let (left, queue) = (AtomicUsize::new(TURNS), Mutex::default());
            let turns = Arc::new(Turns { left, queue, clients: self.clone(), client });
            known.insert(client, Arc::downgrade(&turns));
            turns
        });
        Turn { turns, place: Arc::default() }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<IpAddr, Weak<Turns>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turns of a client.
#[derive(Debug)]
struct Turns {
    left: AtomicUsize,
    queue: Mutex<Queue>,
    clients: Clients,
    client: IpAddr,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<(Waker, Arc<AtomicU8>)>,
    /// A task will renew the turns.
    is_renewing: bool,
}

/// A connection's place among those of its client.
#[derive(Debug)]
pub(in crate::service) struct Turn {
    turns: Arc<Turns>,
    place: Arc<AtomicU8>,
}

impl Turn {
    /// Serves a connection in its turns only.
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
        match self.place.load(Ordering::Acquire) {
            // Its task is woken anyway.
            WAITING => return Poll::Pending,
            ADMITTED => {
                self.place.store(ABSENT, Ordering::Release);
                return Poll::Ready(());
            }
            _ => {}
        }
        if self.turns.take() {
            return Poll::Ready(());
        }
        let mut queue = self.turns.queue();
        // They may have been renewed meanwhile.
        if self.turns.left.load(Ordering::Acquire) > 0 && queue.waiting.is_empty() {
            return Poll::Ready(());
        }
        self.place.store(WAITING, Ordering::Release);
        queue.waiting.push_back((context.waker().clone(), Arc::clone(&self.place)));
        self.turns.renew_later(queue);
        Poll::Pending
    }
}

impl Turns {
    /// Uses a turn if there is one.
    fn take(self: &Arc<Turns>) -> bool {
        let before = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(1));
        // Early enough that a client with few connections never waits.
        if before == Ok(TURNS / 2) {
            self.renew_later(self.queue());
        }
        before.is_ok()
    }

    /// Renews the turns as soon as the runtime has looked for other work.
    fn renew_later(self: &Arc<Turns>, mut queue: MutexGuard<'_, Queue>) {
        if !std::mem::replace(&mut queue.is_renewing, true) {
            let turns = Arc::clone(self);
            tokio::spawn(async move {
                loop {
                    tokio::task::yield_now().await;
                    if turns.renew() {
                        return;
                    }
                }
            });
        }
    }

    /// Renews the turns. Those that wait get them first. Returns whether all have got one.
    fn renew(&self) -> bool {
        let mut queue = self.queue();
        let count = queue.waiting.len().min(TURNS);
        for (waker, place) in queue.waiting.drain(..count) {
            place.store(ADMITTED, Ordering::Release);
            waker.wake();
        }
        self.left.store(TURNS - count, Ordering::Release);
        queue.is_renewing = !queue.waiting.is_empty();
        !queue.is_renewing
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turns {
    fn drop(&mut self) {
        let mut known = self.clients.known();
        // A new connection may have replaced it.
        if known.get(&self.client).is_some_and(|turns| turns.strong_count() == 0) {
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
        let mut tasks: Vec<_> = (0..10 * TURNS).map(|_| start([10, 0, 0, 1])).collect();
        tasks.push(start([10, 0, 0, 2]));
        for task in tasks {
            task.await.unwrap();
        }
        let order = order.lock().unwrap();
        assert_eq!(order.len(), 10 * TURNS + 1, "all have their turn");
        let place = order.iter().position(|client| *client == 2).unwrap();
        assert!(place <= 3 * TURNS, "{place}");
        assert!(clients.known().is_empty(), "clients without connections are forgotten");
    }

    #[tokio::test]
    async fn client_with_few_connections_never_waits() {
        let turn = Clients::default().join(IpAddr::from([10, 0, 0, 1]));
        for _ in 0..10 * TURNS {
            assert!(poll_fn(|context| Poll::Ready(turn.poll(context))).await.is_ready());
            tokio::task::yield_now().await;
        }
    }
}
