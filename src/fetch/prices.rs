//! Live prices: a second task beside the one that sends requests. It streams the prices of the demanded coins, and
//! opens no connection while none are demanded.

use std::collections::HashMap;
use std::future::{Future, pending};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::demand::{Demand, LiveCoins};
use super::event::{Event, PriceState, Tick};
use crate::client::{Client, Error, PriceEvents};
use crate::clock::Clock;
use crate::model::{CoinId, DayRange, LivePrice, PriceUpdate, Text, backoff};

/// How long the demanded coins must be unchanged before they are streamed, since they change while the user scrolls.
const SETTLE_DELAY: Duration = Duration::from_millis(300);

/// Minimum time between two events with prices: at most two frames a second.
const EVENT_GAP: Duration = Duration::from_millis(500);

/// The first and the longest pause before a reconnect, unless the server asks for a longer one.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const MAX_PAUSE: Duration = Duration::from_mins(2);

/// Maximum pause, even if the server asks for a longer one.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// The first and the longest pause after a response from something other than a service with live prices: the service
/// may lack them, or the response may be the login page of a captive portal.
const FIRST_REFUSED_PAUSE: Duration = Duration::from_mins(5);
const MAX_REFUSED_PAUSE: Duration = Duration::from_hours(2);

/// When coins that no exchange lists are tried again.
const UNLISTED_PAUSE: Duration = Duration::from_mins(15);

/// After a stream ends, only a pause longer than this is reported. Services end streams from time to time, and the last
/// prices are still good during a short pause.
const QUIET_PAUSE: Duration = Duration::from_secs(10);

/// A stream that lasted this long was not a failure.
const STABLE_AFTER: Duration = Duration::from_mins(1);

/// Where live prices come from: the [`Client`], or a test.
pub trait PriceSource: Send + Sync + 'static {
    /// An open stream.
    type Stream: PriceStream;

    /// Opens a stream; `None` if no exchange has prices of these coins. Dropping the future cancels it.
    fn open(&self, coins: &LiveCoins) -> impl Future<Output = Result<Option<Self::Stream>, Error>> + Send;
}

/// An open stream of prices. Dropping it closes the connection.
pub trait PriceStream: Send {
    /// The next prices; `None` at the end. Safe to cancel.
    fn next(&mut self) -> impl Future<Output = Option<Result<PriceUpdate, Error>>> + Send;

    /// The pause before a reconnect requested by the server.
    fn retry(&self) -> Option<Duration> {
        None
    }
}

impl PriceSource for Client {
    type Stream = PriceEvents;

    async fn open(&self, coins: &LiveCoins) -> Result<Option<PriceEvents>, Error> {
        self.stream_prices(&coins.ids, &coins.convert).await
    }
}

impl PriceStream for PriceEvents {
    async fn next(&mut self) -> Option<Result<PriceUpdate, Error>> {
        PriceEvents::next(self).await
    }

    fn retry(&self) -> Option<Duration> {
        PriceEvents::retry(self)
    }
}

/// Why reading a stream has ended.
enum End {
    /// Other coins are demanded, or none.
    Changed,
    /// The app or its demand is gone.
    Closed,
    /// The server has ended it.
    Ended,
    /// It was cut off.
    Lost(Error),
}

/// Runs the task. It ends when the demand's sender is dropped or the receiver of the events is closed. If the service has
/// no live prices, it waits until the service's providers change.
pub async fn run(
    source: impl PriceSource,
    clock: Clock,
    mut demand: watch::Receiver<Demand>,
    events: mpsc::Sender<Event>,
) {
    let mut pauses = Pauses::default();
    loop {
        let Some((coins, source_changes)) = settled(&mut demand).await else { return };
        if pauses.source_changes != source_changes {
            pauses = Pauses { source_changes, ..Pauses::default() };
        }
        let Some(coins) = coins else {
            pauses.failures = 0;
            match demand.changed().await {
                Ok(()) => continue,
                Err(_) => return,
            }
        };
        // A change of coins doesn't end a pause, or scrolling would ignore the server's request to wait.
        tokio::select! {
            () = pauses.wait() => {}
            () = changed(&mut demand, Some(&coins), source_changes) => continue,
            () = events.closed() => return,
        }
        let opened = tokio::select! {
            opened = source.open(&coins) => opened,
            () = changed(&mut demand, Some(&coins), source_changes) => continue,
        };
        let state = match opened {
            Ok(Some(mut stream)) => {
                let began = Instant::now();
                if events.send(Event::PriceState(PriceState::Open)).await.is_err() {
                    return;
                }
                let ended = read(&mut stream, &coins, &clock, &mut demand, &events).await;
                pauses.opened(began.elapsed());
                match ended {
                    End::Changed => continue,
                    End::Closed => return,
                    End::Ended => {
                        let pause = pauses.failed(stream.retry().unwrap_or_default());
                        (pause > QUIET_PAUSE).then(|| PriceState::Lost(String::from("The service ended the stream")))
                    }
                    End::Lost(error) => {
                        pauses.failed(Duration::ZERO);
                        Some(PriceState::Lost(error.reason()))
                    }
                }
            }
            Ok(None) => {
                pauses.opened(Duration::ZERO);
                if events.send(Event::PriceState(PriceState::NotListed)).await.is_err() {
                    return;
                }
                tokio::select! {
                    () = sleep(UNLISTED_PAUSE) => {}
                    () = changed(&mut demand, Some(&coins), source_changes) => {}
                    () = events.closed() => return,
                }
                None
            }
            Err(error) if error.is_permanently_unsupported() => {
                pauses.until = Until::SourceChange;
                Some(PriceState::Unsupported(match error.status() {
                    Some(501) => error.reason(),
                    _ => String::from("This service has no live prices"),
                }))
            }
            Err(error) => {
                // With status 400, the currency is unknown; another one may be known.
                if error.is_not_offered() && error.status() != Some(400) {
                    pauses.refused();
                } else {
                    pauses.failed(error.retry_after().unwrap_or_default().min(MAX_RETRY_AFTER));
                }
                Some(PriceState::Lost(error.reason()))
            }
        };
        if let Some(state) = state
            && events.send(Event::PriceState(state)).await.is_err()
        {
            return;
        }
    }
}

/// When a stream is opened again.
#[derive(Default)]
struct Pauses {
    /// The changes of the service's providers until now. Another one ends the pause.
    source_changes: u64,
    /// Consecutive failures of any kind.
    failures: u32,
    /// Consecutive responses from something other than a service with live prices.
    refusals: u32,
    until: Until,
}

/// The end of a pause.
#[derive(Default)]
enum Until {
    /// There is none.
    #[default]
    Now,
    Time(Instant),
    /// The service has no live prices, unless its providers change.
    SourceChange,
}

impl Pauses {
    async fn wait(&self) {
        match self.until {
            Until::Now => {}
            Until::Time(at) => sleep_until(at).await,
            Until::SourceChange => pending().await,
        }
    }

    /// A stream was open for this long.
    fn opened(&mut self, span: Duration) {
        self.refusals = 0;
        if span >= STABLE_AFTER {
            self.failures = 0;
        }
    }

    /// Begins the pause after a failure, of at least this length. Returns its length.
    fn failed(&mut self, least: Duration) -> Duration {
        self.failures += 1;
        self.begin(least.max(growing(FIRST_PAUSE, self.failures, MAX_PAUSE)))
    }

    /// Begins the pause after a response from something other than a service with live prices. Returns its length.
    fn refused(&mut self) -> Duration {
        self.refusals += 1;
        self.begin(growing(FIRST_REFUSED_PAUSE, self.refusals, MAX_REFUSED_PAUSE))
    }

    fn begin(&mut self, pause: Duration) -> Duration {
        self.until = Until::Time(Instant::now() + pause);
        pause
    }
}

/// Passes prices on until the stream ends or other coins are demanded.
async fn read(
    stream: &mut impl PriceStream,
    coins: &LiveCoins,
    clock: &Clock,
    demand: &mut watch::Receiver<Demand>,
    events: &mpsc::Sender<Event>,
) -> End {
    let mut provider = Text::default();
    let mut failure: Option<Text> = None;
    let mut pending_ticks: HashMap<CoinId, Tick> = HashMap::new();
    let mut next_event = Instant::now();
    loop {
        // Only the latest price of each coin waits.
        let send = async {
            if pending_ticks.is_empty() {
                pending().await
            } else {
                sleep_until(next_event).await;
                events.reserve().await
            }
        };
        tokio::select! {
            // The service itself continues the stream with other providers.
            () = coins_changed(demand, coins) => return End::Changed,
            () = events.closed() => return End::Closed,
            update = stream.next() => match update {
                Some(Ok(update)) => {
                    if provider != update.provider {
                        pending_ticks.clear();
                        provider = update.provider;
                    }
                    if failure != update.failure {
                        pending_ticks.clear();
                        let state = match &update.failure {
                            Some(reason) => PriceState::Lost(reason.to_string()),
                            None => PriceState::Open,
                        };
                        if events.send(Event::PriceState(state)).await.is_err() {
                            return End::Closed;
                        }
                        failure = update.failure;
                    }
                    let now = clock.now();
                    for price in update.prices.into_iter().filter(|price| coins.ids.contains(&price.id)) {
                        let age = Duration::try_from_secs_f64(price.age).unwrap_or(Duration::MAX);
                        let LivePrice { id, price, low_24h, high_24h, .. } = price;
                        let range = DayRange::of(price, low_24h, high_24h);
                        pending_ticks.insert(id, Tick { price, range, at: now.minus(age) });
                    }
                }
                Some(Err(error)) => return End::Lost(error),
                None => return End::Ended,
            },
            permit = send => match permit {
                Ok(permit) => {
                    let ticks = std::mem::take(&mut pending_ticks);
                    permit.send(Event::Prices { provider: provider.clone(), convert: coins.convert.clone(), ticks });
                    next_event = Instant::now() + EVENT_GAP;
                }
                Err(_) => return End::Closed,
            },
        }
    }
}

/// The demanded coins, once they have stayed the same for a moment, and how often the service's providers have changed.
/// The outer `None` means that the app is gone.
async fn settled(demand: &mut watch::Receiver<Demand>) -> Option<(Option<LiveCoins>, u64)> {
    loop {
        let (coins, source_changes) = {
            let demand = demand.borrow_and_update();
            (demand.live.clone(), demand.source_changes)
        };
        if coins.is_none() {
            return Some((None, source_changes));
        }
        tokio::select! {
            () = sleep(SETTLE_DELAY) => return Some((coins, source_changes)),
            () = changed(demand, coins.as_ref(), source_changes) => {}
        }
        if demand.has_changed().is_err() {
            return None;
        }
    }
}

/// Waits until other coins are demanded, the service's providers have changed, or the app is gone. Safe to cancel.
async fn changed(demand: &mut watch::Receiver<Demand>, coins: Option<&LiveCoins>, source_changes: u64) {
    let has_changed = |demand: &Demand| demand.live.as_ref() != coins || demand.source_changes != source_changes;
    // An error means that the app is gone.
    let _ = demand.wait_for(has_changed).await;
}

/// Waits until other coins are demanded, or the app is gone. Safe to cancel.
async fn coins_changed(demand: &mut watch::Receiver<Demand>, coins: &LiveCoins) {
    // An error means that the app is gone.
    let _ = demand.wait_for(|demand| demand.live.as_ref() != Some(coins)).await;
}

/// A random pause around `first`, twice as long with each further failure.
fn growing(first: Duration, failures: u32, max: Duration) -> Duration {
    // Twice the longest pause, which no randomness shortens.
    let pause = backoff(first, failures.saturating_sub(1), max * 2);
    pause.mul_f64(0.75 + 0.5 * fastrand::f64()).min(max)
}
