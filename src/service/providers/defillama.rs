//! DefiLlama's price API: charts of many coins per request, by CoinGecko ids. Prices in US dollars only. Needs no key.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;

use super::coin_ref::CoinRef;
use super::defaults::ProviderDefaults;
use super::info::{Probe, ProviderInfo};
use super::lenient::{self, BoundedMap, RawRow, Rows, readable_rows};
use super::source::{ChartPrices, MAX_AHEAD, MarketSource, Provider};
use super::url::segment;
use crate::format::words::in_sentence;
use crate::model::{Period, Point, ProviderName, UtcTime, text};
use crate::service::operation::Operation;
use crate::service::upstream::Upstream;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;

/// Maximum points per request.
const SPAN: u64 = 500;

/// Maximum requests for the points of a chart.
const MAX_PARTS: u64 = 2;

/// Maximum characters of a wrong symbol in a warning.
const MAX_SYMBOL: usize = 20;

/// Prices of a lower confidence are not used.
const MIN_CONFIDENCE: f64 = 0.5;

/// Supported intervals in seconds.
const STEPS: [(u64, &str); 6] =
    [(300, "5m"), (1_800, "30m"), (3_600, "1h"), (14_400, "4h"), (86_400, "1d"), (604_800, "1w")];

struct DefiLlama {
    upstream: Upstream,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    probe: Some(Probe {
        fact: "charts of small coins have 5-minute points",
        path: "/chart/coingecko:ordinals?span=24&period=5m",
        holds: |response| Probe::rows(response, "/coins/coingecko:ordinals/prices") >= 20,
    }),
    ..ProviderInfo::new(ProviderName::DefiLlama, provider, ProviderDefaults::at("https://coins.llama.fi", 1_000))
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("authorization", key.to_owned()), budget, |_| None);
    let source = Arc::new(DefiLlama { upstream: upstream.clone() });
    Provider::new(settings, upstream)
        .tested_by("/chart/coingecko:bitcoin?span=2&period=1d")
        .with_market(source, &[Operation::Chart, Operation::Series])
        .with_coin_ids(ProviderName::CoinGecko)
}

#[async_trait]
impl MarketSource for DefiLlama {
    async fn chart(&self, coin: &CoinRef, period: Period) -> SourceResult<ChartPrices> {
        let (count, step) = match period {
            Period::Day => (288, 300),
            Period::Week => (336, 1_800),
            Period::Month => (180, 14_400),
            Period::Quarter => (90, 86_400),
            Period::Year => (365, 86_400),
        };
        let points = self.points(&[coin], count, Duration::from_secs(step)).await?.pop().unwrap_or_default();
        match points.is_empty() {
            true => Err(SourceError::not_found(format!("DefiLlama has no prices for {}", coin.name))),
            false => Ok(points.into()),
        }
    }

    async fn series(&self, coins: &[CoinRef], count: usize, interval: Duration) -> SourceResult<Vec<ChartPrices>> {
        let coins: Vec<&CoinRef> = coins.iter().collect();
        let series = self.points(&coins, count, interval).await?;
        Ok(series.into_iter().map(ChartPrices::from).collect())
    }
}

#[derive(Deserialize)]
struct Chart {
    coins: BoundedMap<RawRow>,
}

#[derive(Deserialize)]
struct Prices {
    #[serde(default, deserialize_with = "lenient::message")]
    symbol: Option<String>,
    /// How sure DefiLlama is of the prices, from 0 to 1.
    #[serde(default, deserialize_with = "lenient::or_none")]
    confidence: Option<f64>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    prices: Rows,
}

#[derive(Deserialize)]
struct Price {
    /// Seconds.
    #[serde(deserialize_with = "lenient::number")]
    timestamp: f64,
    #[serde(default, deserialize_with = "lenient::optional_number")]
    price: Option<f64>,
}

impl DefiLlama {
    /// Fetches the last `count` points of each coin, `interval` apart, or at the nearest supported interval.
    async fn points(&self, coins: &[&CoinRef], count: usize, interval: Duration) -> SourceResult<Vec<Vec<Point>>> {
        let keys: Vec<Option<String>> = coins
            .iter()
            .map(|coin| coin.native_id(ProviderName::CoinGecko).map(|id| format!("coingecko:{id}")))
            .collect();
        let mut listed: Vec<&String> = keys.iter().flatten().collect();
        listed.sort_unstable();
        listed.dedup();
        if listed.is_empty() {
            return Err(SourceError::not_found("DefiLlama has none of these coins"));
        }
        let wanted = interval.as_secs().max(1);
        let length = wanted.saturating_mul(count as u64);
        // The coarsest step that divides the interval, or a coarser one if that gives too many points.
        let fits = |step: u64, parts: u64| length.div_ceil(step) <= SPAN * parts;
        let divisor = STEPS.into_iter().rev().find(|(step, _)| wanted.is_multiple_of(*step) && fits(*step, MAX_PARTS));
        let (step, period) =
            divisor.or_else(|| STEPS.into_iter().find(|(step, _)| fits(*step, 1))).unwrap_or((604_800, "1w"));
        let span = length.div_ceil(step).clamp(1, SPAN * MAX_PARTS);
        let now = self.upstream.now().secs();
        let names: Vec<String> = listed.iter().map(|key| segment(key).to_string().replace("%3A", ":")).collect();
        let names = names.join(",");
        let mut found: HashMap<String, Vec<RawRow>> = HashMap::new();
        let mut rest = span;
        while rest > 0 {
            let part = rest.min(SPAN);
            // The last point is the current one.
            let start = now - i64::try_from((rest - 1) * step).unwrap_or(0);
            rest -= part;
            let name = format!("/chart/{names}?span={part}&period={period}");
            // Prices of small coins may be minutes apart. The default width is a tenth of the period.
            let path = format!("{name}&start={start}&searchWidth={}", step / 2);
            // Instances share each part.
            let name = if rest > 0 { format!("{name}&before={rest}") } else { name };
            let Chart { coins: BoundedMap(coins) } = self.upstream.get_as(&name, &path).await?.json()?;
            coins.into_iter().for_each(|(key, row)| found.entry(key).or_default().push(row));
        }
        let last = UtcTime::from_secs(now);
        let mut read: HashMap<String, Vec<Point>> = HashMap::new();
        let mut failure = None;
        for key in listed {
            let coin = coins.iter().zip(&keys).find(|(_, own)| own.as_ref() == Some(key)).map(|(coin, _)| *coin);
            let prices = match self.prices(coin, &found.remove(key).unwrap_or_default()) {
                Ok(prices) => prices,
                Err(error) => {
                    failure = Some(error);
                    continue;
                }
            };
            let points = points_of(prices);
            let mut points = if step < wanted { thinned(points, wanted, last) } else { points };
            read.insert(key.clone(), points.split_off(points.len().saturating_sub(count)));
        }
        // With prices of other coins, only one coin's are wrong.
        if let Some(error) = failure.filter(|_| read.values().all(Vec::is_empty)) {
            return Err(error);
        }
        Ok(keys.iter().map(|key| key.as_ref().and_then(|key| read.get(key)).cloned().unwrap_or_default()).collect())
    }
}

impl DefiLlama {
    /// The prices of a coin.
    ///
    /// # Errors
    /// There are some, but none is readable, or they are doubtful.
    fn prices(&self, coin: Option<&CoinRef>, found: &[RawRow]) -> SourceResult<Vec<Price>> {
        let warnings = self.upstream.warnings();
        let found: Vec<Prices> = readable_rows(found, "series", warnings)?;
        #[expect(clippy::cast_precision_loss, reason = "a time in seconds")]
        let latest = self.upstream.now().plus(MAX_AHEAD).secs() as f64;
        let mut read = Vec::new();
        for prices in found {
            if let Some(doubt) = coin.and_then(|coin| prices.doubt_about(coin)) {
                warnings.note(format!("Skipped prices: {}", in_sentence(&doubt)));
                return Err(SourceError::new(ErrorClass::Empty, doubt));
            }
            let Prices { prices, .. } = prices;
            let known: Vec<Price> = readable_rows(&prices, "price", warnings)?;
            let (plausible, wrong): (Vec<Price>, Vec<Price>) =
                known.into_iter().partition(|price| (0.0..=latest).contains(&price.timestamp));
            warnings.record(wrong.len(), "price", None);
            read.extend(plausible);
        }
        Ok(read)
    }
}

impl Prices {
    /// Why they may not be the prices of a coin.
    fn doubt_about(&self, coin: &CoinRef) -> Option<String> {
        let named = self.symbol.as_deref().map(|symbol| text::clean(symbol.trim())).filter(|symbol| !symbol.is_empty());
        if let Some(other) = named.filter(|symbol| !coin.is_unnamed() && !symbol.eq_ignore_ascii_case(&coin.symbol)) {
            return Some(format!("Prices of {} instead of {}", text::cut(other, MAX_SYMBOL), coin.symbol));
        }
        let low = self.confidence.filter(|confidence| *confidence < MIN_CONFIDENCE)?;
        Some(format!("Low confidence in the prices of {} ({low})", coin.symbol))
    }
}

/// Sorts the points by time and removes duplicate times.
fn points_of(prices: Vec<Price>) -> Vec<Point> {
    let point = |Price { timestamp, price }: Price| {
        #[expect(clippy::cast_possible_truncation, reason = "times are clamped to the calendar")]
        let time = UtcTime::from_millis((timestamp * 1000.0) as i64);
        let price = price.filter(|price| *price > 0.0);
        Point { time, price, volume: None, market_cap: None }
    };
    let mut points: Vec<Point> = prices.into_iter().map(point).collect();
    points.sort_by_key(|point| point.time);
    points.dedup_by_key(|point| point.time);
    points
}

/// Keeps the point nearest to each of the times that are `interval` seconds apart, up to `last`: some may be missing.
fn thinned(points: Vec<Point>, interval: u64, last: UtcTime) -> Vec<Point> {
    let interval = i64::try_from(interval.saturating_mul(1000)).unwrap_or(i64::MAX);
    // The nearest of these times, counted from the last one, and how far it is.
    let nearest = |point: &Point| {
        let age = last.millis() - point.time.millis();
        let number = (age + interval / 2).div_euclid(interval);
        (number, (age - number * interval).abs())
    };
    let mut kept: Vec<Point> = Vec::new();
    for point in points {
        let (number, distance) = nearest(&point);
        match kept.last_mut().map(|before| (nearest(before), before)) {
            Some(((same, farther), before)) if same == number => {
                if distance < farther {
                    *before = point;
                }
            }
            _ => kept.push(point),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_thinned_by_time() {
        // Every five minutes, without those of 25 and 40 minutes ago, and some seconds off.
        let last = UtcTime::from_secs(1_795_248_000);
        let ages: Vec<u64> = (0..=12).rev().map(|n| n * 300).filter(|age| ![1_500, 2_400].contains(age)).collect();
        let point = |age: u64| Point {
            time: last.minus(Duration::from_secs(age + 7)),
            price: Some(1.0),
            volume: None,
            market_cap: None,
        };
        let thinned = thinned(ages.into_iter().map(point).collect(), 900, last);
        let minutes: Vec<u64> = thinned.iter().map(|point| last.since(point.time).as_secs() / 60).collect();
        assert_eq!(minutes, [60, 45, 30, 15, 0]);
    }
}
