//! One socket to an exchange, from opening to closing.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::client::transport::{Incoming, Refusal, Socket};
use crate::format::Span;
use crate::model::{DayRange, Text, UtcTime, backoff};
use crate::service::gateway::Gateway;
use crate::service::gateway::circuit_breaker::CircuitBreaker;
use crate::service::gateway::ticker::event_times::{EventTimes, Timing};
use crate::service::gateway::ticker::exchange::{Exchange, Reading};
use crate::service::gateway::ticker::hub::Priced;
use crate::service::gateway::ticker::price_checks::{Plausibility, PriceChecks};
use crate::service::operation::Operation;
use crate::service::upstream::USER_AGENT;
use crate::service::upstream::error::{ErrorClass, SourceError};

/// Timeout of opening a socket.
const OPEN_TIMEOUT: Duration = Duration::from_secs(10);

/// The first and the longest pause after a firewall has refused a socket (403): it bans an IP address for minutes.
const FIRST_FIREWALL_PAUSE: Duration = Duration::from_mins(5);
const MAX_FIREWALL_PAUSE: Duration = Duration::from_hours(1);

/// A silent socket gets a ping after this time.
const PING_AFTER: Duration = Duration::from_secs(20);

/// A socket that stays silent this long after a ping is dead.
const PONG_TIMEOUT: Duration = Duration::from_secs(10);

/// How long to wait for more listeners before new symbols are subscribed to.
const SUBSCRIBE_DELAY: Duration = Duration::from_millis(100);

/// How long the first subscription may wait for the exchange's list of coins, since the next message must not follow
/// soon after it.
const LISTINGS_WAIT: Duration = Duration::from_secs(3);

/// How long unneeded symbols stay subscribed and an unused socket stays open, since users switch between screens.
const LINGER: Duration = Duration::from_secs(10);

/// After this time, a socket counts as stable: if lost, it is reopened at once.
const STABLE_AFTER: Duration = Duration::from_mins(1);

/// Maximum consecutive unreadable messages.
const MAX_UNREADABLE: u32 = 20;

/// Maximum consecutive prices that are older than earlier ones.
const MAX_LATE: u32 = 50;

/// Maximum consecutive prices that are old.
const MAX_OLD: u32 = 10;

/// A symbol is left out for a while after this many consecutive prices that contradict the lists.
const MAX_CONTRADICTING: u32 = 20;

/// A socket that delivers no price for this long is lost, although it answers pings, if it is subscribed to a coin that
/// trades all the time. Other coins may not trade for hours.
const PRICE_TIMEOUT: Duration = Duration::from_mins(5);

/// How a session ended.
#[derive(Debug)]
pub(super) enum End {
    /// Nobody listens.
    Unused,
    /// A new socket is needed.
    Planned,
    /// The socket can't be opened or was lost.
    Lost {
        /// The reason.
        error: SourceError,
        /// Whether prices arrived for at least `STABLE_AFTER`, so reconnecting needs no backoff.
        was_stable: bool,
    },
}

/// A session.
pub(super) struct Session<'a> {
    gateway: &'a Gateway,
    exchange: Exchange,
    /// The symbols that listeners need.
    wanted: BTreeMap<Text, Vec<Priced>>,
    subscribed: BTreeSet<Text>,
    /// When to subscribe or unsubscribe.
    sync_at: Option<Instant>,
    last_request: Option<Instant>,
    requests: u64,
    last_seen: Instant,
    has_pinged: bool,
    unreadable: u32,
    times: EventTimes,
    /// Consecutive prices that are older than earlier ones.
    late: u32,
    /// Consecutive old prices.
    old: u32,
    checks: PriceChecks,
    /// Consecutive prices of symbols that contradict the lists.
    contradicting: BTreeMap<Text, u32>,
    unused_since: Option<Instant>,
    first_price: Option<Instant>,
    /// When the last price arrived, the symbols were subscribed to, or the socket was opened.
    waiting_since: Instant,
    is_stable: bool,
    /// See `TickerHub::generation`.
    generation: u64,
}

impl Session<'_> {
    /// Opens a socket and passes its prices on until it is lost, replaced at `end`, or unused.
    pub(super) async fn run(gateway: &Gateway, exchange: Exchange, end: Instant) -> End {
        let now = Instant::now();
        let mut session = Session {
            gateway,
            exchange,
            wanted: gateway.symbols(exchange),
            subscribed: BTreeSet::new(),
            sync_at: None,
            last_request: None,
            requests: 0,
            last_seen: now,
            has_pinged: false,
            unreadable: 0,
            times: EventTimes::default(),
            late: 0,
            old: 0,
            checks: PriceChecks::default(),
            contradicting: BTreeMap::new(),
            unused_since: None,
            first_price: None,
            waiting_since: now,
            is_stable: false,
            generation: gateway.0.ticker.generation(),
        };
        let mut socket = match session.open().await {
            Ok(socket) => socket,
            Err(error) => return End::Lost { error, was_stable: false },
        };
        let ended = session.serve(&mut socket, end).await;
        socket.close().await;
        ended.unwrap_or_else(|error| End::Lost { error, was_stable: session.is_stable })
    }

    async fn open(&mut self) -> Result<Socket, SourceError> {
        let settings = self.gateway.settings().provider(self.exchange.name());
        let Some(base) = settings.stream_url else {
            let reason = format!("No URL: set providers.{}.stream_url", settings.name);
            return Err(SourceError::new(ErrorClass::Misconfigured, reason));
        };
        let first: BTreeSet<Text> = self.wanted.keys().take(self.exchange.max_symbols()).cloned().collect();
        let symbols: Vec<&str> = first.iter().map(Text::as_str).collect();
        let url = self.exchange.url(&base, &symbols);
        tracing::info!(exchange = self.exchange.name().as_str(), symbols = symbols.len(), "opening a price stream");
        let opened = Socket::open(&url, USER_AGENT, OPEN_TIMEOUT).await;
        let socket = opened.map_err(|refusal| self.classify(refusal))?;
        self.gateway.0.ticker.report(self.exchange.name(), None);
        let now = Instant::now();
        (self.last_seen, self.waiting_since) = (now, now);
        if self.exchange.subscribes_by_url() {
            self.subscribed = first;
        } else {
            self.sync_at = Some(now);
        }
        Ok(socket)
    }

    /// Classifies why the socket can't be opened.
    fn classify(&self, refusal: Refusal) -> SourceError {
        let Refusal::Status { status: 403, retry_after, is_country_block: false, .. } = refusal else {
            return refusal.into();
        };
        let pause = retry_after.unwrap_or_else(|| {
            let count = |circuit: &mut CircuitBreaker| circuit.repeats(ErrorClass::RateLimited(None));
            let earlier = self.gateway.0.ticker.with_circuit(self.exchange.name(), count);
            backoff(FIRST_FIREWALL_PAUSE, earlier, MAX_FIREWALL_PAUSE)
        });
        SourceError { class: ErrorClass::RateLimited(Some(pause)), ..SourceError::from(refusal) }
    }

    async fn serve(&mut self, socket: &mut Socket, end: Instant) -> Result<End, SourceError> {
        let hub = &self.gateway.0.ticker;
        self.listeners_changed();
        loop {
            let silence = if self.has_pinged { PING_AFTER + PONG_TIMEOUT } else { PING_AFTER };
            let unused_at = self.unused_since.map(|since| since + LINGER);
            let trades_always = self.subscribed.contains(self.exchange.busiest_symbol());
            let priceless_at = trades_always.then(|| self.waiting_since + PRICE_TIMEOUT);
            let symbol_returns_at = hub.contradicting().next_end(self.exchange.name());
            tokio::select! {
                biased;
                () = hub.changed() => {
                    if hub.generation() != self.generation || hub.is_suspended() {
                        return Ok(End::Planned);
                    }
                    self.listeners_changed();
                    if self.wanted.is_empty() && self.unused_since.is_none() {
                        return Ok(End::Planned); // this exchange lists none of the coins
                    }
                }
                // Before the socket, which could always have a message ready.
                () = at(unused_at) => return Ok(End::Unused),
                () = sleep_until(end) => return Ok(End::Planned),
                () = at(priceless_at) => {
                    let reason = format!("No prices for {} minutes", PRICE_TIMEOUT.as_secs() / 60);
                    return Err(SourceError::new(ErrorClass::Unreachable, reason));
                }
                () = at(symbol_returns_at) => self.listeners_changed(),
                () = at(self.sync_at) => self.sync(socket).await?,
                incoming = socket.next() => {
                    (self.last_seen, self.has_pinged) = (Instant::now(), false);
                    match incoming? {
                        Incoming::Text(text) => self.read(&text)?,
                        Incoming::Other => {}
                        Incoming::Closed(reason) => return Err(SourceError::closed(reason)),
                    }
                }
                () = sleep_until(self.last_seen + silence) => {
                    if self.has_pinged {
                        return Err(SourceError::new(ErrorClass::Unreachable, "Ping timed out"));
                    }
                    self.has_pinged = true;
                    match self.exchange.ping() {
                        Some(text) => socket.send(text.to_owned()).await?,
                        None => socket.ping().await?,
                    }
                }
            }
        }
    }

    /// Handles a message.
    fn read(&mut self, text: &str) -> Result<(), SourceError> {
        match self.exchange.read(text) {
            Reading::Price { symbol, .. } if !self.subscribed.contains(symbol.as_str()) => self.unreadable = 0,
            Reading::Price { symbol, price, time, range } => return self.read_price(&symbol, (price, range), time),
            Reading::Control => {}
            // Not planned: an exchange that announces this on every new socket must be paused.
            Reading::Closing => {
                return Err(SourceError::new(ErrorClass::Unreachable, "The exchange is closing the connection"));
            }
            Reading::Failed(error) => return Err(error),
            Reading::Unreadable => {
                self.unreadable += 1;
                if self.unreadable >= MAX_UNREADABLE {
                    return Err(SourceError::unexpected_format("unreadable messages"));
                }
            }
        }
        Ok(())
    }

    /// Passes a price on to the listeners, unless it is old or implausible.
    fn read_price(
        &mut self,
        symbol: &str,
        (price, range): (f64, Option<DayRange>),
        time: Option<UtcTime>,
    ) -> Result<(), SourceError> {
        match self.times.note(symbol, time, self.gateway.network_time()) {
            Timing::Current => {}
            Timing::Late => {
                // After a single time that is minutes ahead, all others seem old: a new socket starts without it.
                self.late += 1;
                return if self.late >= MAX_LATE {
                    Err(SourceError::new(ErrorClass::Unreachable, "Only old prices"))
                } else {
                    Ok(())
                };
            }
            Timing::Old(age) => {
                self.old += 1;
                return if self.old >= MAX_OLD {
                    Err(SourceError::new(ErrorClass::Failing, format!("Live prices are {} old", Span(age))))
                } else {
                    Ok(())
                };
            }
        }
        (self.unreadable, self.late, self.old) = (0, 0, 0);
        self.note_price();
        let Some(coins) = self.wanted.get(symbol) else { return Ok(()) };
        let plausibility = self.checks.check(symbol, price, &self.gateway.listed_prices(coins));
        match plausibility {
            Plausibility::Plausible => self.gateway.0.ticker.deliver(self.exchange.name(), coins, price, range),
            Plausibility::Unconfirmed => {}
            Plausibility::Wrong => self.gateway.note_wrong_price(self.exchange, coins),
        }
        self.count_contradicting(symbol, plausibility == Plausibility::Wrong);
        Ok(())
    }

    /// Counts the consecutive prices of a symbol that contradict the lists. After too many, another exchange may have the
    /// right ones.
    fn count_contradicting(&mut self, symbol: &str, is_wrong: bool) {
        if !is_wrong {
            self.contradicting.remove(symbol);
            return;
        }
        let count = self.contradicting.entry(Text::from(symbol)).or_default();
        *count += 1;
        if *count >= MAX_CONTRADICTING {
            self.contradicting.remove(symbol);
            let hub = &self.gateway.0.ticker;
            hub.contradicting().insert(self.exchange.name(), symbol);
            // Unsubscribes from it, or ends the session if no other symbol is needed.
            hub.listings_changed();
        }
    }

    fn note_price(&mut self) {
        self.waiting_since = Instant::now();
        let first = *self.first_price.get_or_insert(self.waiting_since);
        if !self.is_stable && first.elapsed() >= STABLE_AFTER {
            self.is_stable = true;
            let name = self.exchange.name();
            self.gateway.0.ticker.with_circuit(name, |circuit| circuit.succeeded(Operation::Ticker));
        }
    }

    /// Updates the wanted symbols, and when to subscribe.
    fn listeners_changed(&mut self) {
        let (hub, now) = (&self.gateway.0.ticker, Instant::now());
        self.wanted = self.gateway.symbols(self.exchange);
        self.unused_since = hub.is_unused().then(|| self.unused_since.unwrap_or(now));
        if self.unused_since.is_some() {
            // The socket is about to be closed.
            return self.sync_at = None;
        }
        let delay = if self.wanted.keys().any(|symbol| !self.subscribed.contains(symbol)) {
            SUBSCRIBE_DELAY
        } else if self.subscribed.iter().any(|symbol| !self.wanted.contains_key(symbol)) {
            LINGER
        } else {
            return self.sync_at = None;
        };
        let earliest = match self.last_request {
            Some(last) => last + self.exchange.min_gap(),
            None if self.subscribed.is_empty() && self.lacks_listings() => self.waiting_since + LISTINGS_WAIT,
            None => now,
        };
        let due = (now + delay).max(earliest);
        self.sync_at = Some(self.sync_at.map_or(due, |at| at.min(due).max(earliest)));
    }

    /// Whether some of the listeners' coins have not been looked up on the exchange yet.
    fn lacks_listings(&self) -> bool {
        let coins = self.gateway.known_coins(&self.gateway.0.ticker.coins().into_iter().collect());
        !self.gateway.has_listings(self.exchange.name(), &coins)
    }

    /// Subscribes to new symbols, or else unsubscribes from those that are no longer needed.
    async fn sync(&mut self, socket: &mut Socket) -> Result<(), SourceError> {
        self.sync_at = None;
        let most = self.exchange.max_symbols();
        let new = self.wanted.keys().filter(|symbol| !self.subscribed.contains(*symbol));
        let new: Vec<Text> = new.take(most).cloned().collect();
        let old = self.subscribed.iter().filter(|symbol| !self.wanted.contains_key(*symbol));
        let old: Vec<Text> = old.take(most).cloned().collect();
        let (subscribe, symbols) = if new.is_empty() { (false, old) } else { (true, new) };
        if !symbols.is_empty() {
            self.requests += 1;
            self.last_request = Some(Instant::now());
            let names: Vec<&str> = symbols.iter().map(Text::as_str).collect();
            socket.send(self.exchange.request(subscribe, &names, self.requests)).await?;
            if self.subscribed.is_empty() {
                self.waiting_since = Instant::now();
            }
            if subscribe {
                self.subscribed.extend(symbols);
            } else {
                self.subscribed.retain(|symbol| !symbols.contains(symbol));
            }
        }
        self.listeners_changed();
        Ok(())
    }
}

/// Sleeps until `time`; never returns if it is `None`.
async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}
