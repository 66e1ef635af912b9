//! Price history of several coins. Missing prices come from the next providers.

use std::time::Duration;

use tokio::time::Instant;

use super::failed_lookup::FailedLookup;
use super::limits::{MAX_POINTS, MAX_PRICE_AGE, too_many};
use super::period_prices::{price_weight, remove_earlier};
use crate::format::words::in_sentence;
use crate::model::{Point, ProviderName, Text, UtcTime};
use crate::service::gateway::Gateway;
use crate::service::gateway::cache::Failure;
use crate::service::gateway::fallback_reason::FallbackReason;
use crate::service::gateway::fetch::FALLBACK_TIMEOUT;
use crate::service::gateway::prices_end::PricesEnd;
use crate::service::gateway::stored::{CachedValue, Stored};
use crate::service::operation::{Key, Operation};
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::source::ChartPrices;
use crate::service::providers::with_listings;
use crate::service::queue_time::timeout_unless_queued;
use crate::service::upstream::error::{ErrorClass, SourceError};
use crate::service::upstream::load::Load;

/// The prices of several coins.
#[derive(Clone, Debug)]
pub(super) struct Series {
    /// Slugs of coins, each with its prices.
    prices: Vec<(Text, ChartPrices)>,
    /// Coins that may have prices, but whose ids at the provider could not be looked up.
    pub(super) failed: Option<FailedLookup>,
}

impl Series {
    /// The prices of the coin with this slug; `None` if it was not requested.
    pub(super) fn of(&self, slug: &Text) -> Option<&ChartPrices> {
        self.prices.iter().find(|(known, _)| known == slug).map(|(_, prices)| prices)
    }
}

/// Series, and the providers of further points.
pub(super) type Found = (Stored<Series>, Vec<ProviderName>);

/// Which points of a series are requested.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps<'a> {
    /// Number of points.
    pub(super) count: usize,
    /// Time between two points.
    pub(super) length: Duration,
    /// The interval as in the request, such as `1h`.
    pub(super) name: &'a str,
    /// Whether exchanges are tried first, for their candles.
    pub(super) with_candles: bool,
}

impl Steps<'_> {
    /// Whether prices span at least 95% of the steps. The first one is the close of a candle, which started a step
    /// before, and the last candle is not over yet.
    fn are_covered_by(self, prices: &ChartPrices) -> bool {
        let mut priced = prices.points.iter().filter(|point| point.price.is_some()).map(|point| point.time);
        let candle = prices.candles.as_ref().and_then(|candles| candles.candles().first());
        let start = priced.next().map(|first| candle.map_or(first, |candle| candle.start.min(first)));
        let steps = u32::try_from(self.count.saturating_sub(1)).unwrap_or(u32::MAX);
        let is_covered =
            |(start, last): (UtcTime, &Point)| last.time.since(start) >= self.length.saturating_mul(steps) / 20 * 19;
        start.zip(prices.points.last()).is_some_and(is_covered)
    }
}

impl Gateway {
    /// The prices of coins. The first provider that answers gets all coins, further ones those without prices
    /// or whose prices end long ago. Returns the providers of further prices, too.
    ///
    /// # Errors
    /// No provider has points of any coin.
    pub(super) async fn series_of(&self, coins: &[CoinRef], steps: Steps<'_>) -> Result<Found, Failure> {
        self.series_in_parts(coins, steps, |_| {}).await
    }

    /// Calls `part` with the prices so far whenever further providers are queried for the rest; otherwise like
    /// [`Gateway::series_of`].
    ///
    /// # Errors
    /// No provider has points of any coin.
    pub(super) async fn series_in_parts(
        &self,
        coins: &[CoinRef],
        steps: Steps<'_>,
        part: impl Fn(Found) + Send,
    ) -> Result<Found, Failure> {
        let latest = Instant::now() + self.fallback_limit();
        let mut further = Vec::new();
        let mut found = match self.series_of_exchange(coins, steps).await {
            Some(found) => found,
            None => self.fetch_series(None, coins, steps).await?,
        };
        let others: Vec<ProviderName> = self
            .serving(Operation::Series)
            .map(|provider| provider.name)
            .filter(|name| *name != found.provider)
            .collect();
        let mut failed = None;
        for name in others {
            if Instant::now() >= latest {
                break;
            }
            let now = self.0.time.now();
            let missing: Vec<CoinRef> =
                coins.iter().filter(|coin| !has_new_prices(points_of(&found.value, coin), now)).cloned().collect();
            if missing.is_empty() {
                break;
            }
            part((found.clone(), further.clone()));
            match timeout_unless_queued(FALLBACK_TIMEOUT, latest, self.fetch_series(Some(name), &missing, steps)).await
            {
                Some(Ok(more)) => {
                    found = joined(&found, &more);
                    further.extend(more.origins());
                }
                Some(Err(Failure::Unavailable { reason, .. })) => drop(failed.get_or_insert(reason)),
                Some(Err(_)) => {}
                None => drop(failed.get_or_insert(format!("{}: no response yet", name.title()))),
            }
        }
        // A provider that fails may have them.
        let is_empty = |coin: &CoinRef| points_of(&found.value, coin).is_empty();
        Ok(match failed.filter(|_| found.notice.is_none() && coins.iter().any(is_empty)) {
            Some(reason) => (found.with_notice(&reason), further),
            None => (found, further),
        })
    }

    /// The prices of coins with the candles of an exchange, if candles are wanted. Only the exchanges preferred for
    /// charts are queried. `None` if none of them covers the steps: a longer line is better than candles.
    async fn series_of_exchange(&self, coins: &[CoinRef], steps: Steps<'_>) -> Option<Stored<Series>> {
        if !steps.with_candles {
            return None;
        }
        let is_exchange = |name: &ProviderName| with_listings().any(|exchange| exchange == *name);
        let serves_series = |name: &ProviderName| self.serving(Operation::Series).any(|other| other.name == *name);
        let of_charts = self.serving(Operation::Chart).map(|provider| provider.name);
        let exchanges: Vec<ProviderName> = of_charts.take_while(is_exchange).filter(serves_series).collect();
        // Candles are better than a line, but not worth waiting for.
        let latest = Instant::now() + FALLBACK_TIMEOUT;
        for name in exchanges {
            let series = self.fetch_series(Some(name), coins, steps);
            let fetched = timeout_unless_queued(FALLBACK_TIMEOUT, latest, series).await;
            let is_covered =
                |found: &Stored<Series>| found.value.prices.iter().any(|(_, prices)| steps.are_covered_by(prices));
            if let Some(found) = fetched.and_then(Result::ok).filter(is_covered) {
                return Some(found);
            }
        }
        None
    }

    /// The prices of coins at one provider, or at the first one that answers.
    async fn fetch_series(
        &self,
        only: Option<ProviderName>,
        coins: &[CoinRef],
        Steps { count, length, name, with_candles }: Steps<'_>,
    ) -> Result<Stored<Series>, Failure> {
        let mut names: Vec<&str> = coins.iter().map(|coin| coin.slug.as_str()).collect();
        names.sort_unstable();
        let at = only.map(|name| format!("{name} ")).unwrap_or_default();
        // A new point arrives with each step.
        let candles = if with_candles { "/candles" } else { "" };
        let what = format!("{at}{}/{count}/{name}{candles}", names.join(","));
        let key = Key::new(Operation::Series, what).fresh_at_least(length);
        let (requested, gateway) = (coins.to_vec(), self.clone());
        let fetched = self.get_or_fetch_from(only, key, move |provider| {
            let (coins, gateway) = (requested.clone(), gateway.clone());
            async move {
                // A coin that the provider doesn't know has no points.
                let (named, failed) = gateway.with_known_ids(&provider, coins).await?;
                if let Some((load, failed)) = Load::current().zip(failed.as_ref()) {
                    load.note_retry_after(failed.wait());
                }
                let all = provider.market.series(&named, count, length).await;
                gateway.drop_unlisted(provider.name, &named);
                let mut all = all?;
                let mut wrong = None;
                for (coin, prices) in named.iter().zip(&mut all) {
                    let checked = gateway.remove_wrong_points(&provider, Operation::Series, prices);
                    if let Err(error) = checked.and_then(|()| gateway.check_prices(coin, &prices.points)) {
                        *prices = ChartPrices::default();
                        if let Some(upstream) = provider.upstream_for(Operation::Series) {
                            upstream.warnings().note(format!("Skipped prices: {}", in_sentence(&error.reason)));
                        }
                        wrong.get_or_insert(error);
                    }
                    remove_earlier(prices, length.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX)));
                    // The exchange no longer trades the coin.
                    let oldest = gateway.0.time.now().minus(MAX_PRICE_AGE.max(2 * length));
                    let last = prices.points.iter().rev().find(|point| point.price.is_some());
                    if last.is_none_or(|last| last.time < oldest) {
                        *prices = ChartPrices::default();
                    }
                    prices.candles.take_if(|_| !with_candles);
                }
                let prices: Vec<(Text, ChartPrices)> = named.into_iter().map(|coin| coin.slug).zip(all).collect();
                match prices.iter().map(|(_, prices)| prices.points.len()).sum::<usize>() {
                    0 => Err(match (wrong, failed) {
                        (Some(error), _) => error,
                        (None, Some(failed)) => SourceError::new(ErrorClass::NotSent, failed.sentence(None)),
                        (None, None) => SourceError::not_found("no prices for these coins"),
                    }),
                    count @ MAX_POINTS.. => Err(too_many(count)),
                    _ => Ok(Series { prices, failed }),
                }
            }
        });
        fetched.await
    }
}

fn points_of<'a>(series: &'a Series, coin: &CoinRef) -> &'a [Point] {
    series.of(&coin.slug).map(|prices| prices.points.as_slice()).unwrap_or_default()
}

fn has_new_prices(points: &[Point], now: UtcTime) -> bool {
    PricesEnd::of(points).is_some_and(|end| !end.is_overdue(now))
}

/// The series with the prices of another provider where those are newer. As old and as fresh as the older part, with
/// the provider of the first.
fn joined(first: &Stored<Series>, more: &Stored<Series>) -> Stored<Series> {
    let mut series = Series::clone(&first.value);
    series.failed = series.failed.or_else(|| more.value.failed.clone());
    for (slug, prices) in &more.value.prices {
        let last = |prices: &ChartPrices| PricesEnd::of(&prices.points).map(|end| end.last);
        match series.prices.iter_mut().find(|(known, _)| known == slug) {
            Some((_, known)) if last(prices) > last(known) => known.clone_from(prices),
            Some(_) => {}
            None => series.prices.push((slug.clone(), prices.clone())),
        }
    }
    let rest = |stored: &Stored<Series>| stored.fresh_for.saturating_sub(stored.age());
    let rest = rest(first).min(rest(more));
    let older = if more.is_older_than(first) { more } else { first };
    Stored { fetched: older.fetched.clone(), fresh_for: older.age() + rest, ..first.with_value(series) }
}

impl CachedValue for Series {
    fn weight(&self) -> usize {
        self.prices.iter().map(|(_, prices)| price_weight(prices) + 64).sum()
    }

    fn row_count(&self) -> usize {
        self.prices.iter().filter(|(_, prices)| !prices.points.is_empty()).count()
    }

    fn fallback_reason(&self, now: UtcTime) -> Option<FallbackReason> {
        self.prices
            .iter()
            .filter_map(|(_, prices)| PricesEnd::of(&prices.points))
            .max_by_key(|end| end.last)?
            .fallback_reason(now)
    }
}
