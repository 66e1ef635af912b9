//! Charts, sparklines, and 24-hour high and low: the same price function at different times.

use super::Market;
use super::catalogue::{Coin, FIRST_QUOTE};
use super::money::{Money, convert};
use super::price::{MarketTrend, Price, Volume};
use super::span_cache::Span;
use crate::service::demo::noise::significant;

/// A day in seconds.
pub(crate) const DAY: i64 = 86_400;
const WEEK: i64 = 7 * DAY;
/// Step of the one-day chart, whose extremes are the high and low of the list.
pub(crate) const DAY_STEP: i64 = 300;
/// Step of the chart of a week.
pub(crate) const WEEK_STEP: i64 = 900;
/// Length and step of the chart of three months.
const QUARTER: i64 = 90 * DAY;
pub(crate) const QUARTER_STEP: i64 = 3_600;
/// The low and the high without any prices.
const NO_PRICES: (f64, f64) = (f64::INFINITY, 0.0);
/// Significant digits of sparkline prices, to keep responses small.
const SPARKLINE_DIGITS: i32 = 5;

/// A point of a chart in the requested currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// Seconds since the epoch.
    pub(crate) secs: i64,
    /// Price.
    pub(crate) price: f64,
    /// 24-hour volume.
    pub(crate) volume: f64,
    /// Market cap, if known.
    pub(crate) cap: Option<f64>,
}

/// The times of a chart: the start of the period, the multiples of `step` in between, and now.
pub(crate) fn grid(span: i64, step: i64, now: i64) -> Vec<i64> {
    let first = now - span;
    let inner = (first.div_euclid(step) + 1..).map(|n| n * step).take_while(|&secs| secs < now);
    std::iter::once(first).chain(inner).chain([now]).collect()
}

impl Market {
    /// The coin at these times. Ascending times are the fastest.
    pub(crate) fn line(&self, coin: &Coin, money: Money, times: &[i64]) -> Vec<Sample> {
        let mut trend = MarketTrend::new(self.seed);
        let mut price = Price::new(self.seed, coin, self.bitcoin());
        let mut volume = Volume::new(self.seed, coin);
        let mut bitcoin = Price::new(self.seed, self.bitcoin(), self.bitcoin());
        let mut sample = |secs| {
            let trend = trend.at(secs);
            let rate = money.fixed().unwrap_or_else(|| money.per_dollar(bitcoin.at(secs, trend)));
            let price = convert(price.at(secs, trend), rate);
            Sample {
                secs,
                price,
                volume: convert(volume.at(secs), rate),
                cap: coin.circulating.map(|supply| cap(price, supply)),
            }
        };
        times.iter().map(|&secs| sample(secs)).collect()
    }

    /// Bitcoin: the first coin of the catalogue.
    pub(super) fn bitcoin(&self) -> &Coin {
        static NONE: std::sync::LazyLock<Coin> = std::sync::LazyLock::new(Coin::bitcoin);
        self.coins.first().unwrap_or(&NONE)
    }

    /// Low and high of the inner points of the one-day chart in dollars or bitcoins, cached while these are the same.
    pub(super) fn extremes(&self, coin: &Coin, money: Money, now: i64) -> (f64, f64) {
        self.extremes_of(coin, money, Span::up_to(now, DAY, DAY_STEP), i64::MIN, NO_PRICES)
    }

    /// Low and high of the inner points of the charts longer than a day in dollars or bitcoins: daily ones since the first
    /// quote, and finer ones of the last months and days.
    pub(super) fn all_time(&self, coin: &Coin, money: Money, now: i64) -> (f64, f64) {
        let whole = (now - FIRST_QUOTE).max(0) / DAY * DAY + DAY;
        // The steps divide each other: the known prices don't change while a finer span is the same.
        let spans = [(whole, DAY, coin.launched), (QUARTER, QUARTER_STEP, i64::MIN), (WEEK, WEEK_STEP, i64::MIN)];
        spans.into_iter().fold(NO_PRICES, |known, (span, step, from)| {
            self.extremes_of(coin, money, Span::up_to(now, span, step), from, known)
        })
    }

    /// Low and high of the `known` prices and those of a span since `from`, cached while the span is the same.
    fn extremes_of(&self, coin: &Coin, money: Money, span: Span, from: i64, known: (f64, f64)) -> (f64, f64) {
        let mut ranges = self.ranges.lock();
        let kept = ranges.entry(self.seed, self.bitcoin(), span, money);
        let place = coin.id as usize;
        if let Some(Some(cached)) = kept.values.get(place) {
            return *cached;
        }
        let extremes = kept.extremes(self.seed, self.bitcoin(), coin, from, known);
        kept.keep(place, extremes);
        extremes
    }

    /// 7-day prices every `step` seconds (a divisor of a day), the last one now.
    pub(crate) fn sparkline(&self, coin: &Coin, money: Money, step: i64, now: i64, price: f64) -> Vec<f64> {
        let span = Span::up_to(now, WEEK, step);
        let bucket = span.bucket;
        let mut sparklines = self.sparklines.lock();
        let kept = sparklines.entry(self.seed, self.bitcoin(), span, money);
        let place = coin.id as usize;
        if !matches!(kept.values.get(place), Some(Some(_))) {
            // Rounded to fewer digits than `f32` has.
            let prices = kept.prices(self.seed, self.bitcoin(), coin).skip(1).map(|price| price as f32).collect();
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

/// Market cap.
pub(super) fn cap(price: f64, supply: f64) -> f64 {
    significant(price * supply, 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_starts_at_period_start_and_ends_now() {
        assert_eq!(grid(20, 5, 102), [82, 85, 90, 95, 100, 102]);
        assert_eq!(grid(20, 5, 100), [80, 85, 90, 95, 100]);
        assert_eq!(grid(10, 5, -3), [-13, -10, -5, -3]);
    }

    #[test]
    fn wrapped_bitcoin_follows_bitcoin() {
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
