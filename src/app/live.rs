//! Live prices of the coins on the screen.

use std::collections::HashMap;
use std::time::Duration;

use crate::fetch::{PriceState, Tick};
use crate::model::{CoinId, Currency, ProviderName, Text, UtcTime};

/// How long a live price is shown after it arrived.
const LIFE: Duration = Duration::from_mins(5);

/// The live prices and their state.
#[derive(Debug)]
pub struct LivePrices {
    /// Whether the user wants them.
    pub is_on: bool,
    /// Whether to ask the service for them. Only a service that names its providers can have live prices.
    pub is_offered: bool,
    /// The last known state of the stream.
    pub state: Option<PriceState>,
    provider: Text,
    convert: Currency,
    ticks: HashMap<CoinId, Tick>,
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
        }
    }
}

impl LivePrices {
    /// Adds prices.
    pub fn add(&mut self, provider: Text, convert: Currency, ticks: HashMap<CoinId, Tick>, now: UtcTime) {
        if self.provider != provider || self.convert != convert {
            self.ticks.clear();
            (self.provider, self.convert) = (provider, convert);
        }
        self.ticks.retain(|_, tick| now.since(tick.at) < LIFE);
        self.ticks.extend(ticks);
    }

    /// Turns them on or off.
    pub fn toggle(&mut self) {
        self.is_on = !self.is_on;
        self.ticks.clear();
        if !matches!(self.state, Some(PriceState::Unsupported(_))) {
            self.state = None;
        }
    }

    /// Whether to stream prices if coins are on the screen.
    pub fn is_wanted(&self) -> bool {
        self.is_on && self.is_offered && !matches!(self.state, Some(PriceState::Unsupported(_)))
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
        let shown = || self.ticks.values().filter(|tick| now.since(tick.at) < LIFE);
        Some((shown().count(), shown().map(|tick| tick.at).max()?))
    }

    /// When the next price is no longer shown.
    pub fn next_change(&self, now: UtcTime) -> Option<UtcTime> {
        self.ticks.values().map(|tick| tick.at.plus(LIFE)).filter(|end| *end > now).min()
    }

    /// The last price of a coin in a currency.
    pub fn tick(&self, id: &CoinId, convert: &Currency, now: UtcTime) -> Option<&Tick> {
        let is_shown = |tick: &&Tick| self.is_on && *convert == self.convert && now.since(tick.at) < LIFE;
        self.ticks.get(id).filter(is_shown)
    }
}
