//! The listeners of live prices, and their undelivered prices: the latest of each coin only, so that a slow client
//! costs no memory.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep_until};

use crate::model::{CoinId, DayRange, LivePrice, PriceUpdate, ProviderName, Text};
use crate::service::gateway::circuit_breaker::CircuitBreaker;
use crate::service::gateway::ticker::contradicting::Contradicting;
use crate::service::time_source::{Moment, TimeSource};

/// Minimum time between two updates of a listener.
const UPDATE_GAP: Duration = Duration::from_millis(500);

/// Maximum age of a price that a new listener gets at once.
const MAX_AGE: Duration = Duration::from_mins(1);

/// The coin of an exchange's symbol, and the number of coins per unit.
pub(in crate::service::gateway) type Priced = (CoinId, f64);

/// The listeners and the state of the exchanges.
pub(in crate::service::gateway) struct TickerHub {
    time: TimeSource,
    state: Mutex<State>,
    /// Wakes the task when listeners come or go.
    changed: Notify,
    circuits: Mutex<HashMap<ProviderName, CircuitBreaker>>,
    contradicting: Contradicting,
    generation: AtomicU64,
    /// Whether a socket is open.
    has_socket: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    listeners: Vec<Arc<Listener>>,
    has_task: bool,
    /// Whether the socket must stay closed, even with listeners.
    is_suspended: bool,
    latest: HashMap<CoinId, Tick>,
    /// If all exchanges failed: the first of them, and why they send no prices.
    failure: Option<(ProviderName, Text)>,
    /// When each exchange last delivered a price.
    delivered: HashMap<ProviderName, Instant>,
}

struct Listener {
    coins: BTreeSet<CoinId>,
    pending: Mutex<Pending>,
    arrived: Notify,
}

/// What a listener has not received yet.
#[derive(Default)]
struct Pending {
    ticks: HashMap<CoinId, Tick>,
    /// A report about an exchange that is newer than the prices.
    report: Option<(ProviderName, Option<Text>)>,
}

/// A price in US dollars.
#[derive(Clone, Copy, Debug)]
struct Tick {
    provider: ProviderName,
    price: f64,
    range: Option<DayRange>,
    at: Moment,
}

impl TickerHub {
    /// A hub without listeners.
    pub(in crate::service::gateway) fn new(time: TimeSource) -> TickerHub {
        TickerHub {
            time,
            state: Mutex::default(),
            changed: Notify::new(),
            circuits: Mutex::default(),
            contradicting: Contradicting::default(),
            generation: AtomicU64::new(0),
            has_socket: watch::Sender::default(),
        }
    }

    /// Whether there are no listeners. If so, the task must end; the next listener starts a new one.
    pub(in crate::service::gateway) fn stop_if_unused(&self) -> bool {
        let mut state = self.lock();
        state.has_task = !state.listeners.is_empty();
        if !state.has_task {
            state.failure = None;
        }
        !state.has_task
    }

    /// Whether there are no listeners.
    pub(in crate::service::gateway) fn is_unused(&self) -> bool {
        self.lock().listeners.is_empty()
    }

    /// The coins that the listeners need. One of each listener in turn, since a socket has room for only some of them.
    pub(in crate::service::gateway) fn coins(&self) -> Vec<CoinId> {
        let state = self.lock();
        let mut lists: Vec<_> = state.listeners.iter().map(|listener| listener.coins.iter()).collect();
        let (mut seen, mut coins) = (HashSet::new(), Vec::new());
        loop {
            let turn: Vec<&CoinId> = lists.iter_mut().filter_map(Iterator::next).collect();
            if turn.is_empty() {
                return coins;
            }
            coins.extend(turn.into_iter().filter(|coin| seen.insert(*coin)).cloned());
        }
    }

    /// Closes the socket, so that the next one is opened to the currently preferred exchange.
    pub(in crate::service::gateway) fn restart(&self) {
        self.generation.fetch_add(1, Ordering::Release);
        self.changed.notify_one();
    }

    /// The symbols whose prices contradict the lists.
    pub(in crate::service::gateway) fn contradicting(&self) -> &Contradicting {
        &self.contradicting
    }

    /// Ends the pause of an exchange and of its symbols.
    pub(in crate::service::gateway) fn resume(&self, name: ProviderName) {
        self.with_circuit(name, CircuitBreaker::reset);
        self.contradicting.remove_all(name);
        self.changed.notify_one();
    }

    /// Closes the socket until [`TickerHub::resume_sockets`], and waits until it is closed.
    pub(in crate::service::gateway) async fn suspend(&self) {
        self.lock().is_suspended = true;
        self.changed.notify_one();
        // The sender is in `self`, so it can't be dropped meanwhile.
        let _ = self.has_socket.subscribe().wait_for(|is_open| !is_open).await;
    }

    /// Reopens the socket if there are listeners.
    pub(in crate::service::gateway) fn resume_sockets(&self) {
        self.lock().is_suspended = false;
        self.changed.notify_one();
    }

    /// Whether the socket must stay closed.
    pub(in crate::service::gateway) fn is_suspended(&self) -> bool {
        self.lock().is_suspended
    }

    /// Records that a socket is about to be opened; returns whether it may be.
    pub(in crate::service::gateway) fn begin_socket(&self) -> bool {
        let state = self.lock();
        // Under the lock, so that suspending waits for it.
        if !state.is_suspended {
            self.has_socket.send_replace(true);
        }
        !state.is_suspended
    }

    /// Records that the socket is closed.
    pub(in crate::service::gateway) fn end_socket(&self) {
        self.has_socket.send_replace(false);
    }

    /// Wakes the task after the listings of coins changed.
    pub(in crate::service::gateway) fn listings_changed(&self) {
        self.changed.notify_one();
    }

    /// A number that changes with each restart. A socket of an earlier one is to be closed.
    pub(in crate::service::gateway) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Waits until listeners come or go, or for a restart. Safe to cancel.
    pub(in crate::service::gateway) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Waits until listeners come or go, or until a time.
    pub(in crate::service::gateway) async fn wait_for_change(&self, until: Option<Instant>) {
        let timer = async {
            match until {
                Some(until) => sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = self.changed() => {}
            () = timer => {}
        }
    }

    /// Passes a price in US dollars for one unit on to the listeners, with its range in 24 hours.
    pub(in crate::service::gateway) fn deliver(
        &self,
        provider: ProviderName,
        coins: &[Priced],
        price: f64,
        range: Option<DayRange>,
    ) {
        let at = self.time.moment();
        let mut state = self.lock();
        state.delivered.insert(provider, at.monotonic);
        for (id, factor) in coins {
            let range = range.map(|range| DayRange { low: range.low / factor, high: range.high / factor });
            let tick = Tick { provider, price: price / factor, range, at };
            if !tick.price.is_finite() {
                continue;
            }
            state.latest.insert(id.clone(), tick);
            for listener in state.listeners.iter().filter(|listener| listener.wants(id)) {
                listener.push(id.clone(), tick);
            }
        }
    }

    /// Tells the listeners why all exchanges failed, of which `name` is the first, or that it works again.
    pub(in crate::service::gateway) fn report(&self, name: ProviderName, failure: Option<&str>) {
        let mut state = self.lock();
        if state.failure.as_ref().map(|(_, known)| known.as_str()) == failure {
            return;
        }
        let failure = failure.map(Text::from);
        state.listeners.iter().for_each(|listener| listener.report(name, failure.clone()));
        state.failure = failure.map(|failure| (name, failure));
    }

    /// Whether an exchange has delivered a price since this time.
    pub(in crate::service::gateway) fn has_delivered_since(&self, name: ProviderName, since: Instant) -> bool {
        self.lock().delivered.get(&name).is_some_and(|at| *at > since)
    }

    /// The recent live price of a coin in US dollars.
    pub(in crate::service::gateway) fn price(&self, id: &CoinId) -> Option<f64> {
        let now = self.time.moment();
        self.lock().latest.get(id).filter(|tick| now.since(tick.at) < MAX_AGE).map(|tick| tick.price)
    }

    /// Forgets the prices for new listeners, after a socket was closed.
    pub(in crate::service::gateway) fn clear_prices(&self) {
        self.lock().latest.clear();
    }

    pub(in crate::service::gateway) fn with_circuit<R>(
        &self,
        name: ProviderName,
        work: impl FnOnce(&mut CircuitBreaker) -> R,
    ) -> R {
        let mut circuits = self.circuits.lock();
        work(circuits.entry(name).or_default())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl fmt::Debug for TickerHub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TickerHub").field("listeners", &self.lock().listeners.len()).finish_non_exhaustive()
    }
}

impl Listener {
    fn wants(&self, id: &CoinId) -> bool {
        self.coins.contains(id)
    }

    fn push(&self, id: CoinId, tick: Tick) {
        let mut pending = self.pending();
        // A price shows that the exchange works.
        pending.report = None;
        pending.ticks.insert(id, tick);
        drop(pending);
        self.arrived.notify_one();
    }

    fn report(&self, name: ProviderName, failure: Option<Text>) {
        *self.pending() = Pending { ticks: HashMap::new(), report: Some((name, failure)) };
        self.arrived.notify_one();
    }

    fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock()
    }

    /// The undelivered prices, if there are any, or the undelivered report. If the exchange has changed, only the prices
    /// of the new one.
    fn take(&self, now: Moment) -> Option<PriceUpdate> {
        let Pending { ticks, report } = std::mem::take(&mut *self.pending());
        if let Some((provider, failure)) = report {
            return Some(PriceUpdate { provider: Text::from(provider.as_str()), prices: Vec::new(), failure });
        }
        let provider = ticks.values().max_by_key(|tick| tick.at.monotonic)?.provider;
        let of_provider = ticks.into_iter().filter(|(_, tick)| tick.provider == provider);
        let mut prices: Vec<LivePrice> = of_provider
            .map(|(id, Tick { price, range, at, .. })| LivePrice {
                id,
                price,
                age: now.since(at).as_secs_f64(),
                low_24h: range.map(|range| range.low),
                high_24h: range.map(|range| range.high),
            })
            .collect();
        prices.sort_by(|a, b| a.id.cmp(&b.id));
        Some(PriceUpdate { provider: Text::from(provider.as_str()), prices, failure: None })
    }
}

/// A listener's end of the hub. Dropping it ends the subscription.
pub(in crate::service::gateway) struct Subscription {
    hub: Arc<TickerHub>,
    listener: Arc<Listener>,
    /// When the next update may be returned.
    next_at: Instant,
}

impl Subscription {
    /// Adds a listener. Returns whether the task must be started.
    pub(in crate::service::gateway) fn new(hub: &Arc<TickerHub>, coins: BTreeSet<CoinId>) -> (Subscription, bool) {
        let now = hub.time.moment();
        let mut state = hub.lock();
        let listener = Arc::new(Listener { coins, pending: Mutex::default(), arrived: Notify::new() });
        for id in &listener.coins {
            if let Some(tick) = state.latest.get(id).filter(|tick| now.since(tick.at) < MAX_AGE) {
                listener.push(id.clone(), *tick);
            }
        }
        if let Some((name, failure)) = &state.failure {
            listener.report(*name, Some(failure.clone()));
        }
        state.listeners.push(Arc::clone(&listener));
        let needs_task = !std::mem::replace(&mut state.has_task, true);
        drop(state);
        hub.changed.notify_one();
        (Subscription { hub: Arc::clone(hub), listener, next_at: Instant::now() }, needs_task)
    }

    /// Waits for the next update. Safe to cancel.
    pub(in crate::service::gateway) async fn next(&mut self) -> PriceUpdate {
        loop {
            sleep_until(self.next_at).await;
            // Last, since a cancelled wait after it would lose the notification.
            self.listener.arrived.notified().await;
            if let Some(update) = self.listener.take(self.hub.time.moment()) {
                self.next_at = Instant::now() + UPDATE_GAP;
                return update;
            }
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let hub = &self.hub;
        hub.lock().listeners.retain(|listener| !Arc::ptr_eq(listener, &self.listener));
        hub.changed.notify_one();
    }
}

#[cfg(test)]
mod tests;
