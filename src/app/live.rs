//! Live prices of the coins on the screen.

pub mod coins;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::fetch::{PriceState, Tick};
use crate::model::live_price::is_plausible;
use crate::model::{Coin, CoinId, Currency, DayRange, ProviderName, Text, UtcTime};

/// How long a live price is shown after it arrived.
const LIVE_PRICE_TTL: Duration = Duration::from_mins(5);

/// How long live prices are shown after the last price of any coin: the exchange's socket may be dead while the stream
/// of the service is open.
const MAX_SILENCE: Duration = Duration::from_mins(1);

/// A smaller step of the clock is ignored.
const CLOCK_STEP: Duration = Duration::from_secs(1);

/// How long a changed price is bright.
const HIGHLIGHT_TIME: Duration = Duration::from_millis(500);

/// The live prices and their state.
#[derive(Debug)]
pub struct LivePrices {
    /// Whether the user wants to see them. Alerts use them in any case.
    pub is_on: bool,
    /// Whether the service has live prices, as far as is known: it names its providers, or it has opened a stream.
    pub is_offered: bool,
    /// The last known state of the stream.
    pub state: Option<PriceState>,
    provider: Text,
    convert: Currency,
    ticks: HashMap<CoinId, Tick>,
    /// When the last of them arrived.
    last_at: Option<UtcTime>,
    /// The coins whose price has just changed.
    changed: HashMap<CoinId, Changed>,
}

/// A price that has just changed.
#[derive(Clone, Copy, Debug)]
struct Changed {
    rose: bool,
    until: UtcTime,
}

impl Default for LivePrices {
    fn default() -> LivePrices {
        LivePrices {
            is_on: true,
            is_offered: false,
            state: None,
            provider: Text::default(),
            convert: Currency::usd(),
            ticks: HashMap::new(),
            last_at: None,
            changed: HashMap::new(),
        }
    }
}

impl LivePrices {
    /// Adds prices, unless they are off.
    pub fn add(&mut self, provider: Text, convert: Currency, ticks: HashMap<CoinId, Tick>, now: UtcTime) {
        if !self.is_on {
            return;
        }
        if self.provider != provider || self.convert != convert {
            self.ticks.clear();
            (self.provider, self.convert) = (provider, convert);
        }
        self.ticks.retain(|_, tick| now.since(tick.at) < LIVE_PRICE_TTL);
        self.changed.retain(|_, changed| changed.until > now);
        for (id, tick) in &ticks {
            let before = self.ticks.get(id).map(|known| known.price).filter(|price| *price != tick.price);
            if let Some(before) = before {
                self.changed.insert(id.clone(), Changed { rose: tick.price > before, until: now.plus(HIGHLIGHT_TIME) });
            }
        }
        self.ticks.extend(ticks);
        self.last_at = self.ticks.values().map(|tick| tick.at).max();
    }

    /// Whether a price that has just changed rose; `None` if it didn't change.
    pub fn rose(&self, id: &CoinId, now: UtcTime) -> Option<bool> {
        self.changed.get(id).filter(|changed| changed.until > now).map(|changed| changed.rose)
    }

    /// When the last changes are no longer marked.
    pub fn next_highlight_end(&self, now: UtcTime) -> Option<UtcTime> {
        self.changed.values().map(|changed| changed.until).filter(|until| *until > now).min()
    }

    /// Turns them on or off.
    pub fn toggle(&mut self) {
        self.is_on = !self.is_on;
        self.ticks.clear();
        self.last_at = None;
        self.changed.clear();
    }

    /// Drops the prices of later times, after the clock was set back to `now`: they would count as newer than all others.
    pub(super) fn set_back(&mut self, now: UtcTime) {
        let latest = now.plus(CLOCK_STEP);
        self.ticks.retain(|_, tick| tick.at <= latest);
        self.changed.retain(|_, changed| changed.until <= latest.plus(HIGHLIGHT_TIME));
        self.last_at = self.ticks.values().map(|tick| tick.at).max();
    }

    /// Forgets why there are no live prices, since the service's providers have changed. An open stream continues.
    pub(super) fn sources_changed(&mut self) {
        self.state.take_if(|state| *state != PriceState::Open);
    }

    /// Whether the service may have a stream. `is_possible` is whether it may although it names no providers.
    pub(super) fn may_stream(&self, is_possible: bool) -> bool {
        (self.is_offered || is_possible) && !matches!(self.state, Some(PriceState::Unsupported(_)))
    }

    /// The name of the exchange, by which alerts recognise its prices.
    pub(super) fn provider(&self) -> &str {
        &self.provider
    }

    /// The title of the exchange.
    pub fn exchange(&self) -> &str {
        match ProviderName::parse(&self.provider) {
            Some(name) => name.title(),
            None => &self.provider,
        }
    }

    /// The number of coins with a live price, and when the last one arrived.
    pub fn latest(&self, now: UtcTime) -> Option<(usize, UtcTime)> {
        let shown = || self.ticks.values().filter(|tick| now.since(tick.at) < LIVE_PRICE_TTL);
        Some((shown().count(), shown().map(|tick| tick.at).max()?))
    }

    /// Whether prices arrive.
    fn is_alive(&self, now: UtcTime) -> bool {
        let is_lost = matches!(self.state, Some(PriceState::Lost(_)));
        !is_lost && self.last_at.is_some_and(|at| now.since(at) < MAX_SILENCE)
    }

    /// When the next price is no longer shown.
    pub fn next_change(&self, now: UtcTime) -> Option<UtcTime> {
        let silence = self.last_at.filter(|_| self.is_alive(now))?.plus(MAX_SILENCE);
        let ends = self.ticks.values().map(|tick| tick.at.plus(LIVE_PRICE_TTL)).filter(|end| *end > now);
        ends.chain([silence]).min()
    }

    /// The last price of a coin in a currency.
    pub fn tick(&self, id: &CoinId, convert: &Currency, now: UtcTime) -> Option<&Tick> {
        let is_shown = |tick: &&Tick| *convert == self.convert && now.since(tick.at) < LIVE_PRICE_TTL;
        self.ticks.get(id).filter(is_shown).filter(|_| self.is_on && self.is_alive(now))
    }

    /// The 24h ranges that are shown where a list has none.
    pub(super) fn ranges(&self, now: UtcTime) -> Arc<LiveRanges> {
        let has_range = |tick: &Tick| tick.range.is_some() && now.since(tick.at) < LIVE_PRICE_TTL;
        let ticks = if self.is_on && self.is_alive(now) {
            self.ticks.iter().filter(|(_, tick)| has_range(tick)).map(|(id, tick)| (id.clone(), *tick)).collect()
        } else {
            HashMap::new()
        };
        Arc::new(LiveRanges { convert: self.convert.clone(), ticks })
    }
}

/// The live prices of coins with their 24h ranges on the exchange.
#[derive(Debug, Default)]
pub(super) struct LiveRanges {
    convert: Currency,
    ticks: HashMap<CoinId, Tick>,
}

impl LiveRanges {
    /// The live price and the range on the exchange of a coin that was polled at this time, if its row shows them.
    pub(super) fn of(&self, coin: &Coin, polled_at: UtcTime) -> Option<(f64, DayRange)> {
        if self.ticks.is_empty() || coin.convert != self.convert {
            return None;
        }
        let tick = self.ticks.get(&coin.id).filter(|tick| is_shown(tick, coin.price, Some(polled_at)))?;
        Some((tick.price, exchange_range(coin, tick.range)?))
    }
}

/// Polled prices can be this much older than their timestamp, so a live price is shown until a poll is this much newer.
const LIVE_PRICE_HOLD: Duration = Duration::from_mins(2);

/// Whether a live price is shown instead of one that was polled at a time.
pub(super) fn is_shown(tick: &Tick, polled: Option<f64>, polled_at: Option<UtcTime>) -> bool {
    let is_newer = polled_at.is_none_or(|at| tick.at.plus(LIVE_PRICE_HOLD) > at);
    is_newer && polled.is_some_and(|polled| is_plausible(tick.price, polled))
}

/// The 24h range on the exchange, if it is shown: the coin's list has none.
pub(super) fn exchange_range(coin: &Coin, range: Option<DayRange>) -> Option<DayRange> {
    range.filter(|_| coin.low_24h.is_none() && coin.high_24h.is_none())
}
