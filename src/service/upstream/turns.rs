//! Round-robin queue of the requests to a provider by client, one request at a time. A client with many requests
//! doesn't delay the others by more than one request each; the requests of one client are served in order.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::oneshot;

use crate::service::call::clients;

/// A client; `None` for work of the service itself.
type Client = Option<IpAddr>;

/// The turns of a provider. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct Turns(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    is_taken: bool,
    /// The number of the next request.
    next: u64,
    waiting: HashMap<u64, Waiting>,
    /// The waiting requests of each client.
    by_client: HashMap<Client, BTreeSet<u64>>,
    /// Clients with waiting requests, except the current one. The first one is next.
    rotation: VecDeque<Client>,
    /// The client whose turn it is, or was last.
    current: Option<Client>,
}

#[derive(Debug)]
struct Waiting {
    clients: HashSet<Client>,
    granted: oneshot::Sender<Turn>,
}

/// A request's turn. The next one begins when this is dropped.
#[derive(Debug)]
pub(super) struct Turn(Option<Turns>);

/// A waiting request, which is removed when this is dropped.
struct Place<'a> {
    turns: &'a Turns,
    number: u64,
}

impl Turns {
    /// Waits for a turn of any client that waits for the current request.
    pub(super) async fn take(&self) -> Turn {
        let mut clients = clients();
        let (granted, mut turn) = oneshot::channel();
        let Some(place) = self.enter(&clients.borrow_and_update(), granted) else { return Turn(Some(self.clone())) };
        loop {
            tokio::select! {
                biased;
                Ok(turn) = &mut turn => return turn,
                Ok(()) = clients.changed() => self.state().join(place.number, &clients.borrow_and_update()),
                // No more clients can join, and the sender is dropped only after it was used.
                else => std::future::pending().await,
            }
        }
    }

    /// Number of waiting requests that would be served before a new one of the current clients, including the one whose
    /// turn it is.
    pub(super) fn length(&self) -> usize {
        let clients = clients();
        let clients = clients.borrow();
        let state = self.state();
        let own = clients.iter().map(|client| state.by_client.get(client).map_or(0, BTreeSet::len)).min().unwrap_or(0);
        let others = state.by_client.iter().filter(|(client, _)| !clients.contains(*client));
        let before = others.map(|(client, numbers)| {
            let turns = if state.current == Some(*client) { own } else { own + 1 };
            numbers.len().min(turns)
        });
        // Several clients may wait for the same request.
        let before = before.sum::<usize>() + own;
        before.min(state.waiting.len()) + usize::from(state.is_taken)
    }

    /// Queues a request; `None` if it is its turn already.
    fn enter(&self, clients: &HashSet<Client>, granted: oneshot::Sender<Turn>) -> Option<Place<'_>> {
        let mut state = self.state();
        if !state.is_taken {
            state.is_taken = true;
            state.current = clients.iter().next().copied();
            return None;
        }
        let number = state.next;
        state.next += 1;
        state.waiting.insert(number, Waiting { clients: HashSet::new(), granted });
        state.join(number, clients);
        Some(Place { turns: self, number })
    }

    /// Gives the turn to the next request.
    fn pass_on(&self) {
        loop {
            let mut state = self.state();
            let Some(granted) = state.pop() else {
                state.is_taken = false;
                return;
            };
            drop(state);
            match granted.send(Turn(Some(self.clone()))) {
                Ok(()) => return,
                // Cancelled just now.
                Err(mut turn) => turn.0 = None,
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}

impl State {
    /// Adds clients to a waiting request.
    fn join(&mut self, number: u64, clients: &HashSet<Client>) {
        let Some(waiting) = self.waiting.get_mut(&number) else { return };
        for client in clients {
            if waiting.clients.insert(*client) {
                let numbers = self.by_client.entry(*client).or_default();
                if numbers.is_empty() && self.current != Some(*client) {
                    self.rotation.push_back(*client);
                }
                numbers.insert(number);
            }
        }
    }

    /// Removes the next request.
    fn pop(&mut self) -> Option<oneshot::Sender<Turn>> {
        if let Some(current) = self.current.take()
            && self.by_client.contains_key(&current)
        {
            self.rotation.push_back(current);
        }
        let client = self.rotation.pop_front()?;
        self.current = Some(client);
        let number = *self.by_client.get(&client)?.first()?;
        self.remove(number)
    }

    fn remove(&mut self, number: u64) -> Option<oneshot::Sender<Turn>> {
        let Waiting { clients, granted } = self.waiting.remove(&number)?;
        for client in clients {
            let Some(numbers) = self.by_client.get_mut(&client) else { continue };
            numbers.remove(&number);
            if numbers.is_empty() {
                self.by_client.remove(&client);
                self.rotation.retain(|known| *known != client);
            }
        }
        Some(granted)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.turns.state().remove(self.number);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(turns) = self.0.take() {
            turns.pass_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::service::call::{Call, for_client};

    fn client(number: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, number])
    }

    /// Takes a turn for a client, and records its name.
    async fn request(turns: &Turns, served: &Mutex<Vec<&'static str>>, number: u8, name: &'static str) {
        let turn = for_client(client(number), turns.take()).await;
        served.lock().push(name);
        drop(turn);
    }

    #[tokio::test]
    async fn clients_take_turns() {
        let (turns, served) = (Turns::default(), Mutex::default());
        let request = |number, name| request(&turns, &served, number, name);
        let first = turns.take().await;
        tokio::join!(
            request(1, "a1"),
            request(1, "a2"),
            request(1, "a3"),
            request(1, "a4"),
            request(2, "b1"),
            request(2, "b2"),
            request(3, "c1"),
            async {
                assert_eq!(for_client(client(4), async { turns.length() }).await, 4, "the first, a1, b1, c1");
                assert_eq!(for_client(client(2), async { turns.length() }).await, 7, "all but a4");
                drop(first);
            },
        );
        assert_eq!(served.into_inner(), ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
        assert_eq!(turns.length(), 0);
        assert!(turns.take().now_or_never().is_some());
    }

    #[tokio::test]
    async fn cancelled_requests_cost_no_turn() {
        let turns = Turns::default();
        let first = turns.take().await;
        let mut cancelled: Vec<_> = (0..3).map(|_| Box::pin(for_client(client(1), turns.take()))).collect();
        for waiting in &mut cancelled {
            assert!(waiting.now_or_never().is_none());
        }
        let mut last = Box::pin(for_client(client(2), turns.take()));
        assert!((&mut last).now_or_never().is_none());
        let granted = cancelled.remove(0);
        drop(cancelled);
        // The first one is cancelled when it has its turn already.
        drop(first);
        assert!((&mut last).now_or_never().is_none());
        drop(granted);
        assert!(last.now_or_never().is_some());
        assert_eq!(turns.length(), 0);
    }

    #[tokio::test]
    async fn request_of_several_clients_has_the_earliest_turn_of_them() {
        let (turns, served) = (Turns::default(), Mutex::default());
        let request = |number, name| request(&turns, &served, number, name);
        let first = turns.take().await;
        let call = Call::new();
        let _busy_client = for_client(client(1), async { call.join() }).await;
        tokio::join!(
            request(1, "a1"),
            request(1, "a2"),
            request(1, "a3"),
            call.clone().run(request(1, "shared")),
            request(2, "b1"),
            async {
                let _other_client = for_client(client(3), async { call.join() }).await;
                tokio::task::yield_now().await;
                drop(first);
            },
        );
        assert_eq!(served.into_inner(), ["a1", "b1", "shared", "a2", "a3"]);
    }
}
