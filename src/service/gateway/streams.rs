//! Live prices: one socket to an exchange for the coins of all listeners.
//!
//! The socket is open only while there are listeners. Uses the first working exchange of `live.ticker` that lists one
//! of the coins; a fallback is left once the preferred exchange may be tried again, but not before `FALLBACK_LIFE`.

mod session;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::StreamExt as _;

use super::Gateway;
use super::cache::{Failure, MISS_TTL};
use super::circuit_breaker::Pause;
use super::failure::Failures;
use super::ticker::exchange::Exchange;
use super::ticker::hub::{Priced, Subscription};
use crate::model::{CoinId, Currency, LivePrice, PriceUpdate, ProviderName, Text};
use crate::service::backend::extensions::PriceStream;
use crate::service::operation::Operation;
use crate::service::provider_response::ProviderError;
use crate::service::providers::coin_ref::{CoinRef, Listing};
use crate::service::time_source::Moment;
use crate::service::upstream::error::{ErrorClass, SourceError};
use session::{End, Session};

/// A client reconnects after this time.
const MAX_STREAM_LIFE: Duration = Duration::from_hours(6);

/// Maximum symbols of a socket.
const MAX_SYMBOLS: usize = 400;

/// How long a stream uses an exchange rate before it looks it up again.
const RATE_LIFE: Duration = Duration::from_mins(1);

/// The mean pause before a lost socket is reopened.
const RECONNECT: Duration = Duration::from_secs(1);

/// A socket to a fallback exchange is closed after this time to try the preferred one again, unless that one is paused
/// for longer.
const FALLBACK_LIFE: Duration = Duration::from_mins(10);

/// Maximum wait for the end of a pause before it is checked.
const MAX_PAUSE_WAIT: Duration = Duration::from_mins(10);

/// Exchanges close a socket after 24 hours.
const MAX_LIFE: Duration = Duration::from_hours(23);

/// Maximum wait before a stream of coins is requested again whose listings could not be looked up.
const LOOKUP_RETRY: Duration = Duration::from_secs(30);

impl Gateway {
    /// Streams the prices of these coins; `None` if no exchange in use lists one of them, or if the currency is a coin:
    /// its own price moves too, and there is no stream of both.
    ///
    /// # Errors
    /// No exchange is configured or all are paused, an exchange that may list one of the coins can't be queried, or the
    /// currency's rate is unknown.
    pub(super) async fn stream_prices(
        &self,
        ids: &[CoinId],
        convert: &Currency,
    ) -> Result<Option<PriceStream>, ProviderError> {
        if self.exchanges().next().is_none() {
            return Err(ProviderError::Unsupported(self.remedy(Operation::Ticker)));
        }
        if convert.is_coin() {
            return Ok(None);
        }
        let ids: BTreeSet<CoinId> = ids.iter().cloned().collect();
        let found = self.find_more_listings(&ids).await;
        let coins = self.known_coins(&ids);
        if !self.exchanges().any(|exchange| coins.iter().any(|coin| exchange.listing(coin).is_some())) {
            // Other coins may be listed where these are not, so the client shouldn't wait as long as the pause.
            return found.map(|()| None).map_err(|failure| failure.into_error().retry_within(LOOKUP_RETRY));
        }
        if let Some(error) = self.all_paused(&coins) {
            return Err(error);
        }
        let rate = self.rate(convert).await?.per_dollar;
        let subscription = self.subscribe(ids);
        let end = tokio::time::sleep(MAX_STREAM_LIFE);
        let converted = Converted {
            gateway: self.clone(),
            subscription,
            convert: convert.clone(),
            rate,
            rate_at: self.0.time.moment(),
        };
        let updates = futures_util::stream::unfold(converted, |mut converted| async move {
            let update = converted.next().await;
            Some((update, converted))
        });
        Ok(Some(updates.take_until(end).boxed()))
    }

    /// Closes the exchange's socket at once, until [`Gateway::resume_streams`]: for a program that is about to be
    /// suspended, and could not answer the exchange's pings.
    pub async fn suspend_streams(&self) {
        self.0.ticker.suspend().await;
    }

    /// Reopens the socket if there are still listeners.
    pub fn resume_streams(&self) {
        self.0.ticker.resume_sockets();
    }

    /// Why there can be no prices now, if all exchanges that list one of the coins are paused.
    fn all_paused(&self, coins: &[CoinRef]) -> Option<ProviderError> {
        let now = self.0.time.moment();
        let mut failures = Failures::default();
        for exchange in self.exchanges().filter(|exchange| coins.iter().any(|coin| exchange.listing(coin).is_some())) {
            let pause = self.stream_pause(exchange.name(), now)?;
            let rest = pause.remaining(now);
            failures.add_transient(exchange.name(), pause.error.reason, rest);
        }
        Some(failures.into_failure(|| self.remedy(Operation::Ticker)).into_error())
    }

    fn subscribe(&self, coins: BTreeSet<CoinId>) -> Subscription {
        let (subscription, needs_task) = Subscription::new(&self.0.ticker, coins);
        if needs_task {
            tokio::spawn(self.clone().serve_prices());
        }
        subscription
    }

    /// The known ones of these coins.
    fn known_coins(&self, ids: &BTreeSet<CoinId>) -> Vec<CoinRef> {
        let identity = self.identity();
        ids.iter().filter_map(|id| identity.by_id(id)).collect()
    }

    /// Looks up these coins on each exchange in order, until a usable one lists any of them.
    ///
    /// # Errors
    /// Why an exchange could not be queried, if no other one lists any of them.
    async fn find_first_listings(&self, ids: &BTreeSet<CoinId>) -> Result<(), Failure> {
        let exchanges: Vec<Exchange> = self.exchanges().collect();
        let mut first_failure = None;
        for exchange in exchanges {
            let (name, coins) = (exchange.name(), self.known_coins(ids));
            let now = self.0.time.moment();
            let found = match self.stream_pause(name, now) {
                Some(pause) if !self.has_listings(name, &coins) => {
                    let mut failures = Failures::default();
                    failures.add_transient(name, pause.error.reason.clone(), pause.remaining(now));
                    Err(failures.into_failure(|| self.remedy(Operation::Ticker)))
                }
                Some(_) => continue,
                None => self.find_listings(name, &coins).await,
            };
            match found {
                Ok(()) if self.known_coins(ids).iter().any(|coin| self.listing(exchange, coin).is_some()) => {
                    return Ok(());
                }
                Ok(()) => {}
                // It has lists at other times.
                Err(Failure::NotFound(reason)) => {
                    let failure = Failure::Unavailable { reason, retry_after: Some(MISS_TTL), must_wait: false };
                    first_failure.get_or_insert(failure);
                }
                Err(failure) => {
                    first_failure.get_or_insert(failure);
                }
            }
        }
        first_failure.map_or(Ok(()), Err)
    }

    /// Looks up these coins on the exchanges. If one of them is known to be listed, it does so in the background: its
    /// price doesn't wait for the exchange's list.
    ///
    /// # Errors
    /// Why an exchange could not be queried, if none is known to list any of them.
    async fn find_more_listings(&self, ids: &BTreeSet<CoinId>) -> Result<(), Failure> {
        let (now, coins) = (self.0.time.moment(), self.known_coins(ids));
        let is_known = self
            .exchanges()
            .filter(|exchange| self.stream_pause(exchange.name(), now).is_none())
            .any(|exchange| coins.iter().any(|coin| self.listing(exchange, coin).is_some()));
        if !is_known {
            return self.find_first_listings(ids).await;
        }
        let (gateway, ids) = (self.clone(), ids.clone());
        tokio::spawn(async move {
            // The prices of the known one don't depend on it.
            let _ = gateway.find_first_listings(&ids).await;
            gateway.0.ticker.listings_changed();
        });
        Ok(())
    }

    /// The listing of a coin on an exchange, unless its prices contradict the lists.
    fn listing<'a>(&self, exchange: Exchange, coin: &'a CoinRef) -> Option<&'a Listing> {
        let contradicting = self.0.ticker.contradicting();
        exchange.listing(coin).filter(|listing| !contradicting.contains(exchange.name(), &listing.symbol))
    }

    /// The symbols of an exchange that the listeners need, and their coins.
    fn symbols(&self, exchange: Exchange) -> BTreeMap<Text, Vec<Priced>> {
        let ids = self.0.ticker.coins();
        let identity = self.identity();
        let mut symbols: BTreeMap<Text, Vec<Priced>> = BTreeMap::new();
        for coin in ids.iter().filter_map(|id| identity.by_id(id)) {
            let Some(listing) = self.listing(exchange, &coin) else { continue };
            let has_room = symbols.len() < MAX_SYMBOLS;
            match symbols.get_mut(&listing.symbol) {
                Some(coins) => coins.push((coin.id.clone(), listing.factor)),
                None if has_room => {
                    symbols.insert(listing.symbol.clone(), vec![(coin.id.clone(), listing.factor)]);
                }
                None => {}
            }
        }
        symbols
    }

    /// The recent prices in lists of one unit of a pair.
    fn listed_prices(&self, coins: &[Priced]) -> Vec<f64> {
        let (identity, now) = (self.identity(), self.0.time.now());
        let of = |(id, factor): &Priced| {
            let factor = *factor;
            identity.recent_prices_of(id, now).into_iter().map(move |price| price * factor)
        };
        coins.iter().flat_map(of).collect()
    }

    /// Reports that the prices of an exchange contradict the lists.
    fn note_wrong_price(&self, exchange: Exchange, coins: &[Priced]) {
        let symbol = coins.iter().find_map(|(id, _)| Some(self.identity().by_id(id)?.symbol));
        if let (Some(symbol), Some(provider)) = (symbol, self.provider(exchange.name()))
            && let Some(upstream) = provider.upstream_for(Operation::Ticker)
        {
            upstream.warnings().note(format!("Skipped live prices of {symbol}, which contradict the list"));
        }
    }

    /// The exchanges in use, in order.
    fn exchanges(&self) -> impl Iterator<Item = Exchange> {
        self.serving(Operation::Ticker).filter_map(|provider| Exchange::of(provider.name))
    }

    /// Keeps a socket open until there are no more listeners.
    async fn serve_prices(self) {
        let hub = &self.0.ticker;
        while !hub.stop_if_unused() {
            if hub.is_suspended() {
                hub.wait_for_change(None).await;
                continue;
            }
            let ids: BTreeSet<CoinId> = hub.coins().into_iter().collect();
            // The fallback has its own list.
            if let Err(failure) = self.find_more_listings(&ids).await {
                tracing::debug!(?failure, "listings not found");
            }
            let now = self.0.time.moment();
            let pauses = |exchange: &Exchange| self.stream_pause(exchange.name(), now);
            let rest = |exchange: &Exchange| pauses(exchange)?.remaining(now);
            let useful: Vec<Exchange> =
                self.exchanges().filter(|exchange| !self.symbols(*exchange).is_empty()).collect();
            let next_end = |exchange: &Exchange| hub.contradicting().next_end(exchange.name());
            let until_next_end = |exchange: &Exchange| Some(next_end(exchange)?.duration_since(now.monotonic));
            let Some(exchange) = useful.iter().copied().find(|exchange| pauses(exchange).is_none()) else {
                if let Some((first, error)) = useful.first().zip(self.all_paused(&self.known_coins(&ids))) {
                    hub.report(first.name(), Some(&error.to_string()));
                }
                let ends = self.exchanges().filter_map(|exchange| until_next_end(&exchange));
                let wait = useful.iter().filter_map(rest).chain(ends).min();
                // The timer doesn't notice that the machine was suspended.
                let wait = wait.map(|wait| wait.min(MAX_PAUSE_WAIT) + jitter(RECONNECT));
                hub.wait_for_change(wait.map(|wait| now.monotonic + wait)).await;
                continue;
            };
            let preferred = self.exchanges().take_while(|other| *other != exchange);
            let is_useful = |other: &Exchange| useful.contains(other);
            let rests =
                preferred.filter_map(|other| if is_useful(&other) { rest(&other) } else { until_next_end(&other) });
            let fallback_life = rests.min().map(|rest| rest.max(FALLBACK_LIFE));
            let longest = MAX_LIFE - jitter(Duration::from_mins(30));
            let life = fallback_life.map_or(longest, |life| life.min(longest));
            if !hub.begin_socket() {
                continue;
            }
            let end = Session::run(&self, exchange, now.monotonic + life).await;
            hub.end_socket();
            hub.clear_prices();
            match end {
                End::Unused | End::Planned => {}
                End::Lost { error, was_stable: true } => {
                    tracing::info!(exchange = exchange.name().as_str(), %error, "price stream lost");
                    tokio::time::sleep(jitter(RECONNECT)).await;
                }
                End::Lost { error, was_stable: false } => {
                    tracing::info!(exchange = exchange.name().as_str(), class = ?error.class, %error, "no price stream");
                    let (now, error) = (self.0.time.moment(), pausing(error));
                    hub.with_circuit(exchange.name(), |circuit| {
                        circuit.failed(Operation::Ticker, &error, now);
                    });
                }
            }
        }
    }

    fn stream_pause(&self, name: ProviderName, now: Moment) -> Option<Pause> {
        self.0.ticker.with_circuit(name, |circuit| circuit.pause(Operation::Ticker, now).cloned())
    }
}

/// A subscription whose prices are converted to a currency.
struct Converted {
    gateway: Gateway,
    subscription: Subscription,
    convert: Currency,
    rate: f64,
    /// When the rate was looked up.
    rate_at: Moment,
}

impl Converted {
    async fn next(&mut self) -> PriceUpdate {
        let mut update = self.subscription.next().await;
        let now = self.gateway.0.time.moment();
        if now.since(self.rate_at) >= RATE_LIFE {
            self.rate_at = now;
            // Without a new rate, the last one is better than none.
            self.rate = self.gateway.rate(&self.convert).await.map_or(self.rate, |rate| rate.per_dollar);
        }
        for LivePrice { price, low_24h, high_24h, .. } in &mut update.prices {
            [Some(price), low_24h.as_mut(), high_24h.as_mut()]
                .into_iter()
                .flatten()
                .for_each(|price| *price *= self.rate);
        }
        update
    }
}

/// The error as one that pauses the exchange. Unlike a request for an item, a socket rejected with `404` or `400` would
/// be rejected again at the next attempt.
fn pausing(error: SourceError) -> SourceError {
    match error.class {
        ErrorClass::NotFound
        | ErrorClass::Rejected
        | ErrorClass::Empty
        | ErrorClass::Busy(_)
        | ErrorClass::NotSent
        | ErrorClass::Cancelled
        | ErrorClass::Unsupported => SourceError { class: ErrorClass::Unreachable, ..error },
        _ => error,
    }
}

/// A random duration from half to one and a half of the mean, so that not all clients reconnect at the same time.
fn jitter(mean: Duration) -> Duration {
    mean.mul_f64(0.5 + fastrand::f64())
}
