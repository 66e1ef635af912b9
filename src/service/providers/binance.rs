//! Binance's market-data host: charts and live prices of listed coins from their USDT pairs, treated as US dollars.
//! Needs no key.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde::Deserialize;

use super::candles::{self, Candle, CandleSource, Candles, Interval, Plan, Row, number, readable_candles};
use super::coin_ref::{CoinRef, Listing};
use super::defaults::ProviderDefaults;
use super::info::{Probe, ProviderInfo};
use super::lenient::{CodedError, Rows, readable_rows};
use super::source::{ChartPrices, MarketSource, Provider, UsdtPair};
use super::url::segment;
use crate::client::transport::is_country_block;
use crate::model::{Period, ProviderName, Text, UtcTime};
use crate::service::operation::Operation;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::reported_usage::ReportedUsage;
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{Response, Upstream};

/// Maximum candles per request.
const LIMIT: usize = 1_000;

/// A day in seconds.
const DAY: u64 = 86_400;

/// Supported intervals in seconds.
const STEPS: [Interval; 13] = [
    (60, "1m"),
    (180, "3m"),
    (300, "5m"),
    (900, "15m"),
    (1_800, "30m"),
    (3_600, "1h"),
    (7_200, "2h"),
    (14_400, "4h"),
    (21_600, "6h"),
    (28_800, "8h"),
    (43_200, "12h"),
    (86_400, "1d"),
    (604_800, "1w"),
];

struct Binance {
    upstream: Upstream,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    has_listings: true,
    probe: Some(Probe {
        fact: "SATS is listed as 1000SATSUSDT",
        path: "/api/v3/ticker/price?symbol=1000SATSUSDT",
        holds: |response| Probe::text_at(response, "/symbol").is_some_and(|symbol| symbol == "1000SATSUSDT"),
    }),
    ..ProviderInfo::new(
        ProviderName::Binance,
        provider,
        ProviderDefaults {
            per_minute: Some(600),
            stream_url: Some("wss://data-stream.binance.vision"),
            ..ProviderDefaults::at("https://data-api.binance.vision", 100)
        },
    )
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("X-MBX-APIKEY", key.to_owned()), budget, api_error)
        .with_usage_reader(reported_usage);
    let source = Arc::new(Binance { upstream: upstream.clone() });
    Provider::new(settings, upstream)
        .tested_by("/api/v3/klines?symbol=BTCUSDT&interval=1d&limit=1")
        .with_market(source, &[Operation::Chart, Operation::Series])
        .with_ticker()
}

/// Weight of requests in a minute at which no more are sent. The limit is 6,000, for all programs behind an address.
const MAX_WEIGHT: u32 = 5_400;

/// The wait until the next minute, if the weight of requests in this one is near the limit.
fn reported_usage(response: &Response, now: UtcTime) -> ReportedUsage {
    let weight = response.header("x-mbx-used-weight-1m").and_then(|weight| weight.trim().parse::<u32>().ok());
    let into = u64::try_from(now.secs().rem_euclid(60)).unwrap_or(0);
    ReportedUsage::waiting(weight.filter(|weight| *weight >= MAX_WEIGHT).map(|_| Duration::from_secs(60 - into)))
}

#[async_trait]
impl MarketSource for Binance {
    async fn chart(&self, coin: &CoinRef, period: Period) -> SourceResult<ChartPrices> {
        candles::chart(self, coin, period).await
    }

    async fn series(&self, coins: &[CoinRef], count: usize, interval: Duration) -> SourceResult<Vec<ChartPrices>> {
        candles::series(self, coins, count, interval).await
    }

    async fn usdt_pairs(&self) -> SourceResult<Vec<UsdtPair>> {
        let path = "/api/v3/exchangeInfo?permissions=SPOT&showPermissionSets=false&symbolStatus=TRADING";
        let ExchangeInfo { symbols } = self.upstream.get(path).await?.json()?;
        let pairs: Vec<PairRow> = readable_rows(&symbols, "pair", self.upstream.warnings())?;
        let pairs = pairs.into_iter().filter(|pair| pair.status == "TRADING" && pair.quote_asset == "USDT");
        Ok(pairs.map(|pair| UsdtPair { base: pair.base_asset, symbol: pair.symbol }).collect())
    }

    async fn pair_prices(&self) -> SourceResult<HashMap<Text, f64>> {
        let rows: Rows = self.upstream.get("/api/v3/ticker/price").await?.json()?;
        let rows: Vec<PriceRow> = readable_rows(&rows, "price", self.upstream.warnings())?;
        Ok(rows.into_iter().filter_map(|row| Some((row.symbol, number(&row.price)?))).collect())
    }
}

#[derive(Deserialize)]
struct ExchangeInfo {
    symbols: Rows,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PairRow {
    symbol: Text,
    status: Text,
    base_asset: Text,
    quote_asset: Text,
}

#[derive(Deserialize)]
struct PriceRow {
    symbol: Text,
    price: String,
}

#[async_trait]
impl CandleSource for Binance {
    const NAME: ProviderName = ProviderName::Binance;

    async fn prices(&self, listing: &Listing, step: u64, count: usize) -> SourceResult<ChartPrices> {
        let plan = Plan::new(step, &STEPS);
        let (symbol, (length, interval)) = (segment(&listing.symbol), plan.interval);
        // Only daily and longer candles go back further than a page in a time that a chart shows.
        let most = if length >= DAY { usize::MAX } else { LIMIT };
        let wanted = plan.candles(count).min(most);
        let mut candles = Candles::default();
        for _ in 0..wanted.div_ceil(LIMIT) {
            let limit = wanted.saturating_sub(candles.all.len()).min(LIMIT);
            let oldest = candles.all.first().map(|candle| candle.start_millis);
            let before = oldest.map(|start| format!("&endTime={}", start.saturating_sub(1))).unwrap_or_default();
            let path = format!("/api/v3/klines?symbol={symbol}&interval={interval}&limit={limit}{before}");
            let rows: Rows = self.upstream.get(&path).await?.json()?;
            let page = readable_candles(&rows, read, self.upstream.now(), self.upstream.warnings())?;
            candles.lacks_some |= page.lacks_some;
            let mut older = page.all;
            older.retain(|candle| oldest.is_none_or(|oldest| candle.start_millis < oldest));
            let is_last = rows.len() < limit || older.is_empty();
            older.append(&mut candles.all);
            candles.all = older;
            if is_last || candles.all.len() >= wanted {
                break;
            }
        }
        Ok(plan.prices(Self::NAME, &candles, (count, listing.factor), self.upstream.now()))
    }
}

/// Reads a row: open time in ms, open, high, low, close, volume, close time in ms, volume in USDT, and further cells.
fn read(row: &Row) -> Option<Candle> {
    let close_time: i64 = row.cell(6)?;
    // Without a readable start, only the closing price is of use.
    let start = row.cell(0).unwrap_or(close_time);
    Some(Candle::new(row, start, close_time.saturating_add(1)))
}

/// The pause after a refusal by the firewall. It bans an address for a few minutes.
const FIREWALL_PAUSE: Duration = Duration::from_mins(5);

/// The error if the firewall refused a request, usually because there were too many. `None` for a blocked country.
fn refusal(response: &Response) -> Option<SourceError> {
    (response.status() == 403 && !is_country_block(response.body())).then(|| {
        let wait = response.retry_after().unwrap_or(FIREWALL_PAUSE);
        SourceError::new(ErrorClass::RateLimited(Some(wait)), "Temporarily blocked by the firewall (403)")
    })
}

fn api_error(response: &Response) -> Option<SourceError> {
    coded_error(response).or_else(|| refusal(response))
}

/// The error with a code in a response.
fn coded_error(response: &Response) -> Option<SourceError> {
    if response.first_byte() != Some(b'{') {
        return None;
    }
    let CodedError { code, msg } = serde_json::from_slice(response.body()).ok()?;
    let code = code.filter(|code| *code < 0)?;
    let class = match code {
        -1121 | -1100 | -1120 => ErrorClass::NotFound,
        -1003 | -1015 => ErrorClass::RateLimited(response.retry_after()),
        -2014 | -2015 => ErrorClass::InvalidKey,
        _ if response.status() == 451 => ErrorClass::Blocked,
        _ if matches!(response.status(), 418 | 429) => ErrorClass::RateLimited(response.retry_after()),
        _ if response.status() >= 500 => ErrorClass::Failing,
        _ => ErrorClass::Rejected,
    };
    Some(SourceError::new(class, format!("error {code}: {}", msg.unwrap_or_default())))
}
