//! Round-robin scheduling by client, so that one with many requests delays the others by one step of its work, not by
//! all of it. Uncached responses are computed in turns, and many simultaneous connections are served in turns. A request
//! has a turn while it computes, not while it waits for a provider.

use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};

use parking_lot::{Mutex, MutexGuard};
use tokio::task::yield_now;

use super::fair_share::network;

/// Turns of which a fixed number can be taken at the same time. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct ClientTurns(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    /// Turns that nobody has.
    free: usize,
    /// The number of the next request that waits.
    next: u64,
    /// The waiting requests of each client, in their order.
    waiting: HashMap<IpAddr, VecDeque<Waiting>>,
    /// Clients with waiting requests. The first one is next.
    rotation: VecDeque<IpAddr>,
    /// Requests whose turn has come, but which were not polled since.
    granted: Vec<u64>,
}

#[derive(Debug)]
struct Waiting {
    number: u64,
    waker: Waker,
}

/// The work of a request, done in turns.
pub(super) struct InTurns<F> {
    turns: ClientTurns,
    client: IpAddr,
    /// Waits for the next turn.
    next: Option<NextTurn>,
    work: Pin<Box<F>>,
}

/// Waits for a turn.
struct NextTurn {
    turns: ClientTurns,
    client: IpAddr,
    /// The number of the request, while it waits.
    number: Option<u64>,
}

/// A turn. The next one begins when this is dropped.
struct Turn(ClientTurns);

impl ClientTurns {
    /// Allows this many turns at the same time.
    pub(super) fn new(turns: usize) -> ClientTurns {
        let (waiting, rotation, granted) = (HashMap::new(), VecDeque::new(), Vec::new());
        ClientTurns(Arc::new(Mutex::new(State { free: turns.max(1), next: 0, waiting, rotation, granted })))
    }

    /// Does the work of a client's request in turns.
    pub(super) fn run<F: Future>(&self, client: IpAddr, work: F) -> InTurns<F> {
        InTurns { turns: self.clone(), client: network(client), next: None, work: Box::pin(work) }
    }

    /// Does work in turns while `is_busy` returns true. A turn lasts until all tasks that are ready were polled and new
    /// input was seen, so a client waits for one step of each of the others, not for all their connections that are
    /// ready.
    pub(super) async fn run_while_busy<T>(
        &self,
        client: IpAddr,
        is_busy: impl Fn() -> bool,
        mut work: Pin<Box<dyn Future<Output = T> + Send + '_>>,
    ) -> T {
        let client = network(client);
        let mut next: Option<NextTurn> = None;
        poll_fn(move |context| {
            if next.is_none() && !is_busy() {
                return work.as_mut().poll(context);
            }
            let waiting = next.get_or_insert_with(|| self.next(client));
            let turn = ready!(Pin::new(waiting).poll(context));
            next = None;
            let result = work.as_mut().poll(context);
            tokio::spawn(async move {
                yield_now().await;
                drop(turn);
            });
            result
        })
        .await
    }

    fn next(&self, client: IpAddr) -> NextTurn {
        NextTurn { turns: self.clone(), client, number: None }
    }

    /// The number of waiting requests.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.state().waiting.values().map(VecDeque::len).sum()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock()
    }
}

impl State {
    /// Takes a turn for a request that doesn't wait yet, or queues it.
    fn enter(&mut self, client: IpAddr, waker: &Waker) -> Option<u64> {
        if self.free > 0 {
            self.free -= 1;
            return None;
        }
        let number = self.next;
        self.next += 1;
        let own = self.waiting.entry(client).or_default();
        if own.is_empty() {
            self.rotation.push_back(client);
        }
        own.push_back(Waiting { number, waker: waker.clone() });
        Some(number)
    }

    /// Whether the turn of a waiting request has come. If so, it begins now.
    fn begin(&mut self, client: IpAddr, number: u64, waker: &Waker) -> bool {
        if let Some(at) = self.granted.iter().position(|granted| *granted == number) {
            self.granted.swap_remove(at);
            return true;
        }
        let own = self.waiting.get_mut(&client);
        if let Some(waiting) = own.and_then(|own| own.iter_mut().find(|waiting| waiting.number == number)) {
            waiting.waker.clone_from(waker);
        }
        false
    }

    /// Gives a turn that has ended to the next request. Returns its waker.
    fn pass_on(&mut self) -> Option<Waker> {
        let Some(client) = self.rotation.pop_front() else {
            self.free += 1;
            return None;
        };
        let own = self.waiting.get_mut(&client)?;
        let Waiting { number, waker } = own.pop_front()?;
        if own.is_empty() {
            self.waiting.remove(&client);
        } else {
            self.rotation.push_back(client);
        }
        self.granted.push(number);
        Some(waker)
    }

    /// Removes a waiting request. Returns whether its turn had come.
    fn leave(&mut self, client: IpAddr, number: u64) -> bool {
        if let Some(own) = self.waiting.get_mut(&client) {
            own.retain(|waiting| waiting.number != number);
            if own.is_empty() {
                self.waiting.remove(&client);
                self.rotation.retain(|known| *known != client);
            }
        }
        let granted = self.granted.len();
        self.granted.retain(|known| *known != number);
        self.granted.len() < granted
    }
}

impl Future for NextTurn {
    type Output = Turn;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Turn> {
        let mut state = self.turns.state();
        let number = match self.number {
            None => state.enter(self.client, context.waker()),
            Some(number) if state.begin(self.client, number, context.waker()) => None,
            Some(number) => Some(number),
        };
        drop(state);
        self.number = number;
        if number.is_some() { Poll::Pending } else { Poll::Ready(Turn(self.turns.clone())) }
    }
}

impl Drop for NextTurn {
    fn drop(&mut self) {
        if let Some(number) = self.number
            && self.turns.state().leave(self.client, number)
        {
            drop(Turn(self.turns.clone()));
        }
    }
}

impl<F: Future> Future for InTurns<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let request = &mut *self;
        let next = request.next.get_or_insert_with(|| request.turns.next(request.client));
        let _turn = ready!(Pin::new(next).poll(context));
        request.next = None;
        request.work.as_mut().poll(context)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let next = self.0.state().pass_on();
        if let Some(waker) = next {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn client(number: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, number])
    }

    #[tokio::test]
    async fn clients_take_turns() {
        let (turns, served) = (ClientTurns::new(1), Mutex::new(Vec::new()));
        let push = async |name| served.lock().push(name);
        let work = |number, name| turns.run(client(number), push(name));
        let first = Turn(turns.clone());
        turns.state().free = 0;
        tokio::join!(work(1, "a1"), work(1, "a2"), work(1, "a3"), work(2, "b1"), work(2, "b2"), work(3, "c1"), async {
            drop(first);
        });
        assert_eq!(served.into_inner(), ["a1", "b1", "c1", "a2", "b2", "a3"]);
        assert_eq!(turns.state().free, 1);
    }

    #[tokio::test]
    async fn request_has_no_turn_while_it_waits_for_something_else() {
        let turns = ClientTurns::new(1);
        let mut waiting = Box::pin(turns.run(client(1), std::future::pending::<()>()));
        assert!((&mut waiting).now_or_never().is_none());
        assert_eq!(turns.run(client(1), async { 7 }).now_or_never(), Some(7));
    }

    #[tokio::test]
    async fn cancelled_requests_cost_no_turn() {
        let turns = ClientTurns::new(1);
        let first = Turn(turns.clone());
        turns.state().free = 0;
        let mut cancelled: Vec<_> = (0..3).map(|_| Box::pin(turns.run(client(1), async {}))).collect();
        for waiting in &mut cancelled {
            assert!(waiting.now_or_never().is_none());
        }
        let mut last = Box::pin(turns.run(client(2), async { 7 }));
        assert!((&mut last).now_or_never().is_none());
        let granted = cancelled.remove(0);
        drop(cancelled);
        drop(first);
        assert!((&mut last).now_or_never().is_none());
        // It is cancelled when its turn has come already.
        drop(granted);
        assert_eq!(last.now_or_never(), Some(7));
        assert_eq!(turns.state().free, 1);
    }

    #[tokio::test]
    async fn client_waits_for_one_round_of_many_others() {
        let (turns, served) = (ClientTurns::new(2), Arc::new(Mutex::new(Vec::new())));
        let others = vec![client(1); 50];
        let all = others.into_iter().chain([client(2)]).map(|client| {
            let (turns, served) = (turns.clone(), Arc::clone(&served));
            let work = async move { served.lock().push(client) };
            tokio::spawn(async move { turns.run_while_busy(client, || true, Box::pin(work)).await })
        });
        for task in all.collect::<Vec<_>>() {
            task.await.unwrap();
        }
        let place = served.lock().iter().position(|served| *served == client(2));
        assert!(place.is_some_and(|place| place <= 3), "{place:?}");
        while turns.state().free < 2 {
            yield_now().await;
        }
    }

    #[tokio::test]
    async fn few_connections_take_no_turns() {
        let turns = ClientTurns::new(1);
        let _taken = Turn(turns.clone());
        turns.state().free = 0;
        assert_eq!(turns.run_while_busy(client(1), || false, Box::pin(async { 7 })).now_or_never(), Some(7));
    }

    #[tokio::test]
    async fn panic_ends_the_turn() {
        let turns = ClientTurns::new(1);
        let panics = turns.run(client(1), async { panic!("a test") });
        assert!(tokio::spawn(panics).await.is_err());
        assert_eq!(turns.state().free, 1);
    }
}
