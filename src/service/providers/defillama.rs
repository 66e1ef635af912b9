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
use crate::model::{Period, Point, ProviderName, UtcTime, interval, text};
use crate::service::operation::Operation;
use crate::service::upstream::Upstream;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;

/// Maximum points per request, for all of its coins together.
const MAX_POINTS: usize = 500;

/// Maximum requests for the points of some coins. They are sent one after another, each may take seconds, and all of them
/// must be answered before clients give up.
const MAX_REQUESTS: usize = 4;

/// Points over a longer time may begin long before the coins.
const MAX_WITHOUT_START: Duration = Duration::from_hours(2 * 365 * 24);

/// Minimum time between two points.
const MIN_STEP: Duration = Duration::from_mins(5);

/// Maximum characters of a wrong symbol in a warning.
const MAX_SYMBOL: usize = 20;

/// Prices of a lower confidence are not used.
const MIN_CONFIDENCE: f64 = 0.5;

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
            Period::Year | Period::AllTime => (period.points() as usize, 86_400),
        };
        let points = self.points(&[coin], count, Duration::from_secs(step)).await?.pop().unwrap_or_default();
        if points.is_empty() {
            Err(SourceError::not_found(format!("DefiLlama has no prices for {}", coin.name)))
        } else {
            Ok(points.into())
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

/// The first price of a coin.
#[derive(Deserialize)]
struct FirstPrice {
    /// Seconds.
    timestamp: i64,
}

/// How the points of some coins are requested.
struct Split {
    /// Time between two points.
    step: Duration,
    /// Points of each coin.
    span: usize,
    /// Coins per request.
    coins_at_once: usize,
    /// Points of each coin per request.
    points_at_once: usize,
}

impl Split {
    /// The last `count` points of each coin, `interval` apart. If that needs too many requests, the points are a
    /// multiple of `interval` apart.
    fn of(coins: usize, count: usize, interval: Duration) -> Split {
        // Whole minutes, which have a name.
        let finest = Duration::from_secs(interval.as_secs().div_ceil(60).saturating_mul(60)).max(MIN_STEP);
        let length = interval.as_secs().saturating_mul(count as u64);
        let most = usize::try_from(length.div_ceil(finest.as_secs())).unwrap_or(usize::MAX).max(1);
        let coarser = |factor: usize| {
            let step = finest.saturating_mul(u32::try_from(factor).unwrap_or(u32::MAX));
            Split::with_span(coins, step, most.div_ceil(factor))
        };
        let few = (1..most).map(coarser).find(|split| split.requests(coins) <= MAX_REQUESTS);
        few.unwrap_or_else(|| coarser(most))
    }

    /// Splits these points into as few requests as possible.
    fn with_span(coins: usize, step: Duration, span: usize) -> Split {
        let split = |coins_at_once| Split { step, span, coins_at_once, points_at_once: MAX_POINTS / coins_at_once };
        let others = (2..=coins.min(MAX_POINTS)).map(split);
        others.fold(split(1), |best, other| if other.requests(coins) < best.requests(coins) { other } else { best })
    }

    /// The number of requests.
    fn requests(&self, coins: usize) -> usize {
        coins.div_ceil(self.coins_at_once).saturating_mul(self.span.div_ceil(self.points_at_once))
    }
}

impl DefiLlama {
    /// Fetches the last `count` points of each coin, `interval` apart, or further apart if there are too many.
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
        let covered = interval.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX));
        let count =
            if covered > MAX_WITHOUT_START { self.points_since_first(&listed, count, interval).await } else { count };
        let Split { step, span, coins_at_once, points_at_once } = Split::of(listed.len(), count, interval);
        let (now, period, width) = (self.upstream.now(), interval::name(step), step.as_secs() / 2);
        let mut found: HashMap<String, Vec<RawRow>> = HashMap::new();
        for group in listed.chunks(coins_at_once) {
            let names = joined(group);
            let mut rest = span;
            while rest > 0 {
                let part = rest.min(points_at_once);
                // The last point is the current one.
                let start = now.minus(step.saturating_mul(u32::try_from(rest - 1).unwrap_or(u32::MAX))).secs();
                rest -= part;
                let name = format!("/chart/{names}?span={part}&period={period}");
                // Prices of small coins may be minutes apart. The default width is a tenth of the period.
                let path = format!("{name}&start={start}&searchWidth={width}");
                // Instances share each part.
                let name = if rest > 0 { format!("{name}&before={rest}") } else { name };
                let Chart { coins: BoundedMap(coins) } = self.upstream.get_as(&name, &path).await?.json()?;
                coins.into_iter().for_each(|(key, row)| found.entry(key).or_default().push(row));
            }
        }
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
            let mut points = points_of(prices);
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
    /// The number of points since the first price of the oldest of the coins, at most `count`, which it is if that price is
    /// unknown. Fewer points can be closer together.
    async fn points_since_first(&self, keys: &[&String], count: usize, interval: Duration) -> usize {
        let Ok(response) = self.upstream.get(&format!("/prices/first/{}", joined(keys))).await else { return count };
        let Ok(Chart { coins: BoundedMap(coins) }) = response.json() else { return count };
        let mut oldest: Option<i64> = None;
        for row in coins.into_values() {
            let Ok(FirstPrice { timestamp }) = serde_json::from_str(row.get()) else { return count };
            oldest = Some(oldest.map_or(timestamp, |oldest| oldest.min(timestamp)));
        }
        let now = self.upstream.now();
        let Some(first) = oldest.map(UtcTime::from_secs).filter(|first| *first < now) else { return count };
        // The current price, and one before the first.
        let steps = now.since(first).as_secs().div_ceil(interval.as_secs().max(1)).saturating_add(2);
        usize::try_from(steps).map_or(count, |steps| steps.min(count))
    }

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

/// The keys of some coins, as in a path.
fn joined(keys: &[&String]) -> String {
    let names: Vec<String> = keys.iter().map(|key| segment(key).to_string().replace("%3A", ":")).collect();
    names.join(",")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_few_and_within_the_limit() {
        const HOUR: u64 = 3_600;
        for (coins, count, seconds, requests, step) in [
            (1, 336, 1_800, 1, 1_800),
            (3, 42, 4 * HOUR, 1, 4 * HOUR),
            (4, 169, HOUR, 2, HOUR),
            (4, 365, 24 * HOUR, 3, 24 * HOUR),
            (50, 42, 4 * HOUR, 3, 8 * HOUR),
            (1, 2_000, 12 * HOUR, 4, 12 * HOUR),
            (1, 10_000, 24 * HOUR, 4, 120 * HOUR),
            (200, 125, HOUR, 4, 13 * HOUR),
            // One point a minute for twelve minutes.
            (1, 12, 60, 1, 300),
        ] {
            let split = Split::of(coins, count, Duration::from_secs(seconds));
            let case = format!("{coins} {count} {seconds}");
            assert!(split.coins_at_once * split.points_at_once <= MAX_POINTS, "{case}");
            assert_eq!((split.requests(coins), split.step.as_secs()), (requests, step), "{case}");
        }
    }
}
