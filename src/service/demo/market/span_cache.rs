//! A cache of values that stay the same during a step of time.

use super::catalogue::Coin;
use super::money::{Money, convert};
use super::price::{MarketTrend, Price};

/// Every how many points are looked at first for a low and a high.
const FIRST_LOOK: usize = 32;

/// The multiples of `step` in the `span` up to `bucket` (inclusive).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) bucket: i64,
    pub(super) span: i64,
    pub(super) step: i64,
}

impl Span {
    /// The `span` up to the last multiple of `step` that is not after `now`.
    pub(super) fn up_to(now: i64, span: i64, step: i64) -> Span {
        Span { bucket: now.div_euclid(step) * step, span, step }
    }
}

/// Cached values of coins for the last spans, one per step and type of currency.
#[derive(Debug)]
pub(super) struct SpanCache<T>(Vec<Entry<T>>);

impl<T> Default for SpanCache<T> {
    fn default() -> Self {
        SpanCache(Vec::new())
    }
}

/// The values of one span.
#[derive(Debug)]
pub(super) struct Entry<T> {
    span: Span,
    in_bitcoin: bool,
    /// Time, market trend and exchange rate of each point.
    points: Vec<(i64, f64, f64)>,
    /// By coin id.
    pub(super) values: Vec<Option<T>>,
}

impl<T> SpanCache<T> {
    /// The entry of a span, replaced if the last one was of another span.
    pub(super) fn entry(&mut self, seed: u64, bitcoin: &Coin, span: Span, money: Money) -> &mut Entry<T> {
        let in_bitcoin = money.is_bitcoin();
        let place = self.0.iter().position(|entry| entry.in_bitcoin == in_bitcoin && entry.span.step == span.step);
        let place = place.unwrap_or_else(|| {
            self.0.push(Entry::new(seed, bitcoin, span, in_bitcoin));
            self.0.len() - 1
        });
        let entry = &mut self.0[place];
        if entry.span != span {
            *entry = Entry::new(seed, bitcoin, span, in_bitcoin);
        }
        entry
    }
}

impl<T> Entry<T> {
    fn new(seed: u64, bitcoin: &Coin, span: Span, in_bitcoin: bool) -> Entry<T> {
        let mut trend = MarketTrend::new(seed);
        let mut bitcoin = Price::new(seed, bitcoin, bitcoin);
        let points = (1..=span.span / span.step)
            .map(|n| {
                let secs = span.bucket - span.span + n * span.step;
                let trend = trend.at(secs);
                (secs, trend, if in_bitcoin { 1.0 / bitcoin.at(secs, trend) } else { 1.0 })
            })
            .collect();
        Entry { span, in_bitcoin, points, values: Vec::new() }
    }

    /// The prices of a coin at the points.
    pub(super) fn prices<'a>(
        &'a self,
        seed: u64,
        bitcoin: &Coin,
        coin: &Coin,
    ) -> impl Iterator<Item = f64> + use<'a, T> {
        let mut price = Price::new(seed, coin, bitcoin);
        self.points.iter().map(move |&(secs, trend, rate)| convert(price.at(secs, trend), rate))
    }

    /// The lowest and the highest of the `known` prices and those of a coin at the points since `from`.
    pub(super) fn extremes(&self, seed: u64, bitcoin: &Coin, coin: &Coin, from: i64, known: (f64, f64)) -> (f64, f64) {
        let mut price = Price::new(seed, coin, bitcoin);
        let points = self.points.get(self.points.partition_point(|(secs, ..)| *secs < from)..).unwrap_or_default();
        let mut range = price.logarithm(known.0)..=price.logarithm(known.1);
        let (mut low, mut high) = (None, None);
        // A few distant points first: the closer the range is to the final one, the more of the others are skipped.
        for point in points.iter().step_by(FIRST_LOOK).chain(points) {
            let &(secs, trend, rate) = point;
            let base = if self.in_bitcoin { rate.ln() } else { 0.0 };
            let Some(value) = price.outside(&range, secs, trend, base) else { continue };
            if value < *range.start() {
                range = value..=*range.end();
                low = Some(point);
            }
            if value > *range.end() {
                range = *range.start()..=value;
                high = Some(point);
            }
        }
        // Computed exactly as in a chart.
        let mut price_at = |&(secs, trend, rate): &(i64, f64, f64)| convert(price.at(secs, trend), rate);
        let low = low.map_or(known.0, &mut price_at);
        (low, high.map_or(known.1, price_at))
    }

    /// Stores the value of a coin.
    pub(super) fn keep(&mut self, place: usize, value: T) {
        if self.values.len() <= place {
            self.values.resize_with(place + 1, || None);
        }
        if let Some(slot) = self.values.get_mut(place) {
            *slot = Some(value);
        }
    }
}
