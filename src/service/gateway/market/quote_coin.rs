//! Prices in a coin, such as bitcoin. The price of that coin moves, so changes and past prices need its price at the
//! same time.

use std::time::Duration;

use tokio::time::timeout;

use super::series::Steps;
use crate::model::chart::{nearest_price, price_at, usual_step};
use crate::model::coin::GAP;
use crate::model::{Coin, Currency, Period, Point, ProviderName, Text, UtcTime, change_pct};
use crate::service::gateway::Gateway;
use crate::service::provider_response::{ProviderError, ProviderResponse};
use crate::service::providers::source::ChartPrices;

/// The prices in dollars of a coin that is the currency.
pub(super) struct QuoteHistory {
    /// The coin.
    slug: Text,
    /// The prices of the coin, oldest first.
    points: Vec<Point>,
    /// How much longer they are fresh.
    fresh_for: Duration,
    /// Their providers.
    providers: Vec<ProviderName>,
}

/// Why the prices of a coin that is the currency are unknown.
#[derive(Default)]
pub(super) struct NoHistory {
    /// The reason, if known.
    pub(super) reason: Option<String>,
    /// When to try again, if known.
    pub(super) retry_after: Option<Duration>,
}

impl From<ProviderError> for NoHistory {
    fn from(error: ProviderError) -> NoHistory {
        let reason = Some(error.to_string());
        match error {
            ProviderError::Unavailable { retry_after, .. } => NoHistory { reason, retry_after },
            _ => NoHistory { reason, retry_after: None },
        }
    }
}

impl Gateway {
    /// The chart of a coin that is the currency; `None` if the currency is none.
    pub(super) async fn quote_chart(
        &self,
        convert: &Currency,
        period: Period,
    ) -> Option<Result<QuoteHistory, NoHistory>> {
        let slug = convert.coin_slug()?;
        let chart = timeout(self.fallback_limit(), self.chart_in_dollars(slug, period));
        let Ok(outcome) = chart.await else { return Some(Err(NoHistory::default())) };
        Some(outcome.map_err(NoHistory::from).map(|stored| QuoteHistory {
            slug: Text::const_new(slug),
            points: stored.value.prices.points.clone(),
            fresh_for: stored.rest(),
            providers: stored.origins().collect(),
        }))
    }

    /// The series of a coin that is the currency; `None` if the currency is none.
    pub(super) async fn quote_series(
        &self,
        convert: &Currency,
        steps: Steps<'_>,
    ) -> Option<Result<QuoteHistory, NoHistory>> {
        let series = timeout(self.fallback_limit(), self.series_of_slug(convert.coin_slug()?, steps));
        Some(series.await.unwrap_or_else(|_| Err(NoHistory::default())))
    }

    async fn series_of_slug(&self, slug: &str, steps: Steps<'_>) -> Result<QuoteHistory, NoHistory> {
        let coin = self.coin_by_slug(slug).await?;
        let found = self.series_of(std::slice::from_ref(&coin), steps).await;
        let (stored, further) = found.map_err(|failure| failure.into_error())?;
        let points = stored.value.of(&coin.slug).map(|prices| prices.points.clone()).unwrap_or_default();
        let providers = stored.origins().chain(further).collect();
        Ok(QuoteHistory { slug: coin.slug, points, fresh_for: stored.rest(), providers })
    }
}

impl QuoteHistory {
    /// Prices in dollars, divided by the coin's prices at the same times. They are gaps where the coin's prices are
    /// unknown. Without the candles: how high and low their prices were in the coin is unknown. `None` if no price is
    /// known.
    pub(super) fn divide(&self, slug: &str, prices: &ChartPrices) -> Option<ChartPrices> {
        let mut points = prices.points.clone();
        // Its own prices may have been refreshed in the meantime.
        let own = if slug == self.slug { &prices.points } else { &self.points };
        let step = usual_step(own);
        for point in &mut points {
            let quote = price_around(own, point.time, step);
            for amount in point.money_fields() {
                let quotient = amount.zip(quote).map(|(amount, quote)| amount / quote);
                *amount = quotient.filter(|quotient| quotient.is_finite());
            }
        }
        points.iter().any(|point| point.price.is_some()).then(|| points.into())
    }

    /// Adds the providers to a response with the divided prices, which is as fresh as the staler of both.
    pub(super) fn note_in<T>(&self, response: ProviderResponse<T>) -> ProviderResponse<T> {
        let fresh_for = response.fresh_for.min(self.fresh_for);
        ProviderResponse { fresh_for, ..response }.with_others(self.providers.iter().copied())
    }
}

/// The price at a time: between two points, or of a point at most one usual step away.
fn price_around(points: &[Point], time: UtcTime, step: Duration) -> Option<f64> {
    let nearest = || {
        let (place, price) = nearest_price(points, time)?;
        let at = points.get(place)?.time;
        (at.since(time).max(time.since(at)) <= step).then_some(price)
    };
    price_at(points, time).or_else(nearest).filter(|price| *price > 0.0)
}

/// Replaces the changes of a coin, in percent of its dollar price, with changes of its price in another coin, to which
/// its amounts were converted. Removes the highs and lows: when they were is unknown.
pub(super) fn make_relative(coin: &mut Coin, quote: &Coin) {
    let is_itself = coin.id == quote.id;
    let changes = [
        (&mut coin.change_1h_pct, quote.change_1h_pct),
        (&mut coin.change_24h_pct, quote.change_24h_pct),
        (&mut coin.change_7d_pct, quote.change_7d_pct),
    ];
    for (own, quote) in changes {
        *own = if is_itself {
            Some(0.0)
        } else {
            own.zip(quote).and_then(|(own, quote)| change_pct(1.0 + quote / 100.0, 1.0 + own / 100.0))
        };
    }
    if is_itself {
        coin.price = Some(1.0);
    }
    for extreme in [&mut coin.high_24h, &mut coin.low_24h, &mut coin.all_time_high, &mut coin.all_time_low] {
        *extreme = is_itself.then_some(1.0);
    }
}

/// A 7-day sparkline in another coin; empty unless both lines are from the same provider and as long.
pub(super) fn relative_line(coin: &Coin, quote: &Coin) -> Vec<f64> {
    let line = &coin.sparkline_7d;
    if coin.id == quote.id {
        return line.iter().map(|price| if price.is_finite() { 1.0 } else { GAP }).collect();
    }
    let is_same_provider = coin.provider.is_none_or(|provider| quote.provider == Some(provider));
    if !is_same_provider || line.len() != quote.sparkline_7d.len() {
        return Vec::new();
    }
    let quotients = line.iter().zip(&quote.sparkline_7d).map(|(price, quote)| price / quote);
    quotients.map(|quotient| if quotient.is_finite() && quotient > 0.0 { quotient } else { GAP }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::CoinId;

    fn points(prices: &[(i64, f64)]) -> Vec<Point> {
        let point = |&(minutes, price): &(i64, f64)| Point {
            time: UtcTime::from_secs(minutes * 60),
            price: Some(price).filter(|price| *price > 0.0),
            volume: Some(40.0),
            market_cap: None,
        };
        prices.iter().map(point).collect()
    }

    fn history(slug: &'static str, prices: &[(i64, f64)]) -> QuoteHistory {
        let (slug, points) = (Text::const_new(slug), points(prices));
        QuoteHistory { slug, points, fresh_for: Duration::ZERO, providers: Vec::new() }
    }

    #[test]
    fn prices_are_divided_by_those_of_the_same_time() {
        let bitcoin = history("bitcoin", &[(0, 10.0), (60, 20.0), (120, 40.0), (180, 0.0), (240, 80.0)]);
        let own = points(&[(-90, 8.0), (-60, 8.0), (30, 30.0), (60, 20.0), (110, 0.0), (290, 8.0), (301, 8.0)]);
        let divided = bitcoin.divide("ordi", &own.into()).unwrap();
        let prices: Vec<_> = divided.points.iter().map(|point| point.price).collect();
        assert_eq!(prices, [None, Some(0.8), Some(2.0), Some(1.0), None, Some(0.1), None]);
        let volumes: Vec<_> = divided.points.iter().map(|point| point.volume).collect();
        assert_eq!(volumes[..4], [None, Some(4.0), Some(40.0 / 15.0), Some(2.0)]);
        assert!(bitcoin.divide("ordi", &points(&[(-90, 8.0), (500, 8.0)]).into()).is_none());
    }

    #[test]
    fn coin_in_itself_is_one_at_all_times() {
        let bitcoin = history("bitcoin", &[(0, 10.0), (60, 20.0)]);
        let own = points(&[(0, 11.0), (60, 0.0), (500, 30.0)]);
        let divided = bitcoin.divide("bitcoin", &own.into()).unwrap();
        let prices: Vec<_> = divided.points.iter().map(|point| point.price).collect();
        assert_eq!(prices, [Some(1.0), None, Some(1.0)]);
    }

    #[test]
    fn sparklines_of_different_lengths_or_providers_are_left_out() {
        let coin = |id: &'static str, line: &[f64], provider| Coin {
            sparkline_7d: line.to_vec(),
            provider: Some(provider),
            ..Coin::new(CoinId(Text::const_new(id)), "Coin".into(), "COIN".into())
        };
        let (gecko, cmc) = (ProviderName::CoinGecko, ProviderName::CoinMarketCap);
        let bitcoin = coin("1", &[10.0, GAP, 40.0], gecko);
        assert_eq!(relative_line(&coin("2", &[5.0, 5.0, 4.0], gecko), &bitcoin), [0.5, GAP, 0.1]);
        assert_eq!(relative_line(&bitcoin, &bitcoin), [1.0, GAP, 1.0]);
        assert!(relative_line(&coin("2", &[5.0, 4.0], gecko), &bitcoin).is_empty());
        assert!(relative_line(&coin("2", &[5.0, 5.0, 4.0], cmc), &bitcoin).is_empty());
    }
}
