//! Live prices: a second task beside the requests. It streams the prices of the demanded coins, and opens no connection
//! while none are demanded.

use std::collections::HashMap;
use std::future::{Future, pending};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep, sleep_until};

use super::demand::{Demand, LiveCoins};
use super::event::{Event, PriceState, Tick};
use crate::client::{Client, Error, PriceEvents};
use crate::clock::Clock;
use crate::model::{CoinId, DayRange, LivePrice, PriceUpdate, Text};

/// How long the demanded coins must be unchanged before they are streamed, since they change while the user scrolls.
const SETTLE: Duration = Duration::from_millis(300);

/// Minimum time between two events with prices: at most two frames a second.
const EVENT_GAP: Duration = Duration::from_millis(500);

/// The first and the longest pause before a reconnect, unless the server asks for a longer one.
const FIRST_PAUSE: Duration = Duration::from_secs(2);
const MAX_PAUSE: Duration = Duration::from_mins(2);

/// Maximum pause, even if the server asks for a longer one.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

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

/// Runs the task. It ends when the demand's sender is dropped, the receiver of the events is closed, or the service has
/// no live prices.
pub async fn run(
    source: impl PriceSource,
    clock: Clock,
    mut demand: watch::Receiver<Demand>,
    events: mpsc::Sender<Event>,
) {
    let mut failures: u32 = 0;
    let mut not_before = Instant::now();
    loop {
        let Some(coins) = settled(&mut demand).await else { return };
        let Some(coins) = coins else {
            failures = 0;
            match demand.changed().await {
                Ok(()) => continue,
                Err(_) => return,
            }
        };
        // A change of coins doesn't end a pause, or scrolling would ignore the server's request to wait.
        tokio::select! {
            () = sleep_until(not_before) => {}
            () = changed(&mut demand, Some(&coins)) => continue,
            () = events.closed() => return,
        }
        let opened = tokio::select! {
            opened = source.open(&coins) => opened,
            () = changed(&mut demand, Some(&coins)) => continue,
        };
        let pause = match opened {
            Ok(Some(mut stream)) => {
                let began = Instant::now();
                if events.send(Event::PriceState(PriceState::Open)).await.is_err() {
                    return;
                }
                let ended = read(&mut stream, &coins, &clock, &mut demand, &events).await;
                if began.elapsed() >= STABLE_AFTER {
                    failures = 0;
                }
                match ended {
                    End::Changed => continue,
                    End::Closed => return,
                    End::Ended => {
                        failures += 1;
                        stream.retry().unwrap_or_default().max(pause_after(failures))
                    }
                    End::Lost(error) => {
                        failures += 1;
                        let pause = pause_after(failures);
                        if events.send(Event::PriceState(PriceState::Lost(error.reason()))).await.is_err() {
                            return;
                        }
                        pause
                    }
                }
            }
            Ok(None) => {
                if events.send(Event::PriceState(PriceState::NotListed)).await.is_err() {
                    return;
                }
                changed(&mut demand, Some(&coins)).await;
                continue;
            }
            Err(error) => {
                let state = match error.status() {
                    Some(501) => PriceState::Unsupported(error.reason()),
                    // The currency is unknown; another one may be known.
                    Some(400) => PriceState::Lost(error.reason()),
                    _ if error.is_not_offered() => {
                        PriceState::Unsupported(String::from("This service has no live prices"))
                    }
                    _ => PriceState::Lost(error.reason()),
                };
                let is_final = matches!(state, PriceState::Unsupported(_));
                if events.send(Event::PriceState(state)).await.is_err() || is_final {
                    return;
                }
                failures += 1;
                error.retry_after().unwrap_or_default().min(MAX_RETRY_AFTER).max(pause_after(failures))
            }
        };
        not_before = Instant::now() + pause;
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
    let mut pending_ticks: HashMap<CoinId, Tick> = HashMap::new();
    let mut next_event = Instant::now();
    loop {
        // Only the latest price of each coin waits.
        let send = async {
            match pending_ticks.is_empty() {
                true => pending().await,
                false => {
                    sleep_until(next_event).await;
                    events.reserve().await
                }
            }
        };
        tokio::select! {
            () = changed(demand, Some(coins)) => return End::Changed,
            () = events.closed() => return End::Closed,
            update = stream.next() => match update {
                Some(Ok(update)) => {
                    if provider != update.provider {
                        pending_ticks.clear();
                        provider = update.provider;
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

/// The demanded coins, once they have stayed the same for a moment. The outer `None` means that the app is gone.
async fn settled(demand: &mut watch::Receiver<Demand>) -> Option<Option<LiveCoins>> {
    loop {
        let coins = demand.borrow_and_update().live.clone();
        if coins.is_none() {
            return Some(None);
        }
        tokio::select! {
            () = sleep(SETTLE) => return Some(coins),
            () = changed(demand, coins.as_ref()) => {}
        }
        if demand.has_changed().is_err() {
            return None;
        }
    }
}

/// Waits until other coins are demanded, or the app is gone. Safe to cancel.
async fn changed(demand: &mut watch::Receiver<Demand>, coins: Option<&LiveCoins>) {
    // An error means that the app is gone.
    let _ = demand.wait_for(|demand| demand.live.as_ref() != coins).await;
}

fn pause_after(failures: u32) -> Duration {
    let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1).min(16)));
    pause.mul_f64(0.75 + 0.5 * fastrand::f64()).min(MAX_PAUSE)
}
