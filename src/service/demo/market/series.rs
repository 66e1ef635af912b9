//! Charts, sparklines and the extremes of a day: the same price function, read at different times.

use std::sync::{MutexGuard, PoisonError};

use super::Market;
use super::catalogue::Coin;
use super::money::Money;
use super::price::{Mood, Price, Volume};
use crate::service::demo::noise::significant;

/// A day in seconds.
pub(crate) const DAY: i64 = 86_400;
const WEEK: i64 = 7 * DAY;
/// Step of the one-day chart, whose extremes are the list's high and low.
const DAY_STEP: i64 = 300;
/// Digits of a sparkline's prices: a picture of some dozen cells needs no more, and answers stay small.
const SPARKLINE_DIGITS: i32 = 5;

/// One moment of a chart. Money is in the currency that was asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// Seconds since the epoch.
    pub(crate) secs: i64,
    /// Price.
    pub(crate) price: f64,
    /// Traded in the 24 h before.
    pub(crate) volume: f64,
    /// Price times circulating supply, where that is known.
    pub(crate) cap: Option<f64>,
}

/// The times of a chart: where its change is measured from, the multiples of `step` in between, and now.
pub(crate) fn grid(span: i64, step: i64, now: i64) -> Vec<i64> {
    let first = now - span;
    let inner = (first.div_euclid(step) + 1..).map(|n| n * step).take_while(|&secs| secs < now);
    std::iter::once(first).chain(inner).chain([now]).collect()
}

impl Market {
    /// A coin at these times. Ascending times cost least.
    pub(crate) fn line(&self, coin: &Coin, money: Money, times: &[i64]) -> Vec<Sample> {
        let mut mood = Mood::new(self.seed);
        let mut price = Price::new(self.seed, coin, self.bitcoin());
        let mut volume = Volume::new(self.seed, coin);
        let mut bitcoin = Price::new(self.seed, self.bitcoin(), self.bitcoin());
        let mut sample = |secs| {
            let mood = mood.at(secs);
            let rate = money.fixed().unwrap_or_else(|| money.per_dollar(bitcoin.at(secs, mood)));
            let price = convert(price.at(secs, mood), rate);
            Sample {
                secs,
                price,
                volume: convert(volume.at(secs), rate),
                cap: coin.circulating.map(|supply| cap(price, supply)),
            }
        };
        times.iter().map(|&secs| sample(secs)).collect()
    }

    /// The coin that others are measured in: the first of the catalogue.
    pub(super) fn bitcoin(&self) -> &Coin {
        static NONE: std::sync::LazyLock<Coin> = std::sync::LazyLock::new(Coin::bitcoin);
        self.coins.first().unwrap_or(&NONE)
    }

    /// Lowest and highest of the inner points of the one-day chart, kept while they are the same points. Dollars, or
    /// bitcoins.
    pub(super) fn extremes(&self, coin: &Coin, money: Money, now: i64) -> (f64, f64) {
        let bucket = now.div_euclid(DAY_STEP) * DAY_STEP;
        let mut ranges = lock(&self.ranges);
        let kept = ranges.0.entry(self, Span { bucket, span: DAY, step: DAY_STEP }, money);
        let place = coin.id as usize;
        if let Some(Some(known)) = kept.values.get(place) {
            return *known;
        }
        let extremes =
            kept.prices(self, coin).fold((f64::MAX, f64::MIN), |(low, high), price| (low.min(price), high.max(price)));
        kept.keep(place, extremes);
        extremes
    }

    /// Prices over seven days, every `step` seconds (a divisor of a day), the last one now; at most a week's steps.
    pub(crate) fn sparkline(&self, coin: &Coin, money: Money, step: i64, now: i64, price: f64) -> Vec<f64> {
        let bucket = now.div_euclid(step) * step;
        let mut sparklines = lock(&self.sparklines);
        let kept = sparklines.0.entry(self, Span { bucket, span: WEEK, step }, money);
        let place = coin.id as usize;
        if !matches!(kept.values.get(place), Some(Some(_))) {
            // Rounded to less than what single precision holds.
            let prices = kept.prices(self, coin).skip(1).map(|price| price as f32).collect();
            kept.keep(place, prices);
        }
        let rate = money.fixed().unwrap_or(1.0);
        let inner = kept.values.get(place).and_then(Option::as_deref).unwrap_or_default();
        let inner = inner.get(..inner.len() - usize::from(bucket == now && !inner.is_empty())).unwrap_or_default();
        inner
            .iter()
            .map(|price| f64::from(*price) * rate)
            .chain([price])
            .map(|p| significant(p, SPARKLINE_DIGITS))
            .collect()
    }
}

/// Dollars as another currency. All money goes through here, so that equal sums are equal numbers.
pub(super) fn convert(dollars: f64, rate: f64) -> f64 {
    if rate == 1.0 { dollars } else { significant(dollars * rate, 7) }
}

/// A market capitalisation.
pub(super) fn cap(price: f64, supply: f64) -> f64 {
    significant(price * supply, 9)
}

fn lock<T>(mutex: &std::sync::Mutex<T>) -> MutexGuard<'_, T> {
    // What is kept here is never half-written: a panic elsewhere does not spoil it.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The extremes that are kept.
#[derive(Debug, Default)]
pub(super) struct Ranges(Kept<(f64, f64)>);

/// The sparklines that are kept.
#[derive(Debug, Default)]
pub(super) struct Sparklines(Kept<Box<[f32]>>);

/// The multiples of `step` in the `span` up to and with `bucket`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Span {
    bucket: i64,
    span: i64,
    step: i64,
}

/// What was computed for a coin, for the spans asked for last: one a step and kind of money.
#[derive(Debug)]
struct Kept<T>(Vec<Entry<T>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Kept(Vec::new())
    }
}

#[derive(Debug)]
struct Entry<T> {
    span: Span,
    in_bitcoin: bool,
    /// Time, mood, and rate of each point.
    points: Vec<(i64, f64, f64)>,
    values: Vec<Option<T>>,
}

impl<T> Kept<T> {
    fn entry(&mut self, market: &Market, span: Span, money: Money) -> &mut Entry<T> {
        let in_bitcoin = money.is_bitcoin();
        let place = self.0.iter().position(|entry| entry.in_bitcoin == in_bitcoin && entry.span.step == span.step);
        let place = place.unwrap_or_else(|| {
            self.0.push(Entry::new(market, span, in_bitcoin));
            self.0.len() - 1
        });
        let entry = &mut self.0[place];
        if entry.span != span {
            *entry = Entry::new(market, span, in_bitcoin);
        }
        entry
    }
}

impl<T> Entry<T> {
    fn new(market: &Market, span: Span, in_bitcoin: bool) -> Entry<T> {
        let mut mood = Mood::new(market.seed);
        let mut bitcoin = Price::new(market.seed, market.bitcoin(), market.bitcoin());
        let points = (1..=span.span / span.step)
            .map(|n| {
                let secs = span.bucket - span.span + n * span.step;
                let mood = mood.at(secs);
                (secs, mood, if in_bitcoin { 1.0 / bitcoin.at(secs, mood) } else { 1.0 })
            })
            .collect();
        Entry { span, in_bitcoin, points, values: Vec::new() }
    }

    fn prices<'a>(&'a self, market: &Market, coin: &Coin) -> impl Iterator<Item = f64> + use<'a, T> {
        let mut price = Price::new(market.seed, coin, market.bitcoin());
        self.points.iter().map(move |&(secs, mood, rate)| convert(price.at(secs, mood), rate))
    }

    fn keep(&mut self, place: usize, value: T) {
        if self.values.len() <= place {
            self.values.resize_with(place + 1, || None);
        }
        if let Some(slot) = self.values.get_mut(place) {
            *slot = Some(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_begins_where_the_change_does_and_ends_now() {
        assert_eq!(grid(20, 5, 102), [82, 85, 90, 95, 100, 102]);
        assert_eq!(grid(20, 5, 100), [80, 85, 90, 95, 100]);
        assert_eq!(grid(10, 5, -3), [-13, -10, -5, -3]);
    }

    #[test]
    fn wrapped_bitcoins_follow_bitcoin() {
        let market = Market::new(4);
        let times = grid(30 * DAY, 3_600, 1_795_075_200);
        let bitcoin = market.line(market.bitcoin(), Money::USD, &times);
        let wrapped = market.line(market.by_slug("wrapped-bitcoin").unwrap(), Money::USD, &times);
        assert!(bitcoin.iter().zip(&wrapped).all(|(a, b)| (a.price / b.price - 1.0).abs() < 0.02));
        assert!(bitcoin.iter().zip(&wrapped).any(|(a, b)| a.price != b.price));
    }

    #[test]
    fn one_bitcoin_is_one_bitcoin_at_any_time() {
        let market = Market::new(4);
        let line = market.line(market.bitcoin(), Money::parse("BTC").unwrap(), &grid(DAY, 3_600, 1_795_075_205));
        assert!(line.iter().all(|sample| sample.price == 1.0));
    }
}
