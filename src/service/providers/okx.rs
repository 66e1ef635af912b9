//! OKX: charts and live prices of listed coins from their USDT pairs, treated as US dollars. Needs no key.

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
use crate::model::{Period, ProviderName, Text, text};
use crate::service::operation::Operation;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{Response, Upstream};

/// Maximum candles per request.
const PAGE: usize = 300;

/// Maximum candles of an instrument that the server keeps for this request.
const KEPT: usize = 1_440;

/// Supported intervals in seconds. Those of a day and longer start at midnight UTC.
const STEPS: [Interval; 12] = [
    (60, "1m"),
    (180, "3m"),
    (300, "5m"),
    (900, "15m"),
    (1_800, "30m"),
    (3_600, "1H"),
    (7_200, "2H"),
    (14_400, "4H"),
    (21_600, "6Hutc"),
    (43_200, "12Hutc"),
    (86_400, "1Dutc"),
    (604_800, "1Wutc"),
];

struct Okx {
    upstream: Upstream,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    has_listings: true,
    probe: Some(Probe {
        fact: "ORDI-USDT is listed",
        path: "/api/v5/market/candles?instId=ORDI-USDT&bar=1H&limit=5",
        holds: |response| Probe::rows(response, "/data") > 0,
    }),
    ..ProviderInfo::new(
        ProviderName::Okx,
        provider,
        ProviderDefaults {
            stream_url: Some("wss://ws.okx.com:8443/ws/v5/public"),
            ..ProviderDefaults::at("https://www.okx.com", 200)
        },
    )
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("OK-ACCESS-KEY", key.to_owned()), budget, api_error);
    let source = Arc::new(Okx { upstream: upstream.clone() });
    Provider::new(settings, upstream)
        .tested_by("/api/v5/market/candles?instId=BTC-USDT&bar=1D&limit=1")
        .with_market(source, &[Operation::Chart, Operation::Series])
        .with_ticker()
}

#[async_trait]
impl MarketSource for Okx {
    async fn chart(&self, coin: &CoinRef, period: Period) -> SourceResult<ChartPrices> {
        candles::chart(self, coin, period).await
    }

    async fn series(&self, coins: &[CoinRef], count: usize, interval: Duration) -> SourceResult<Vec<ChartPrices>> {
        candles::series(self, coins, count, interval).await
    }

    async fn usdt_pairs(&self) -> SourceResult<Vec<UsdtPair>> {
        let path = "/api/v5/public/instruments?instType=SPOT";
        let Envelope { data } = self.upstream.get(path).await?.json()?;
        let pairs: Vec<PairRow> = readable_rows(&data, "pair", self.upstream.warnings())?;
        let pairs = pairs.into_iter().filter(|pair| pair.state == "live" && pair.quote_ccy == "USDT");
        Ok(pairs.map(|pair| UsdtPair { base: pair.base_ccy, symbol: pair.inst_id }).collect())
    }

    async fn pair_prices(&self) -> SourceResult<HashMap<Text, f64>> {
        let path = "/api/v5/market/tickers?instType=SPOT";
        let Envelope { data } = self.upstream.get(path).await?.json()?;
        let rows: Vec<PriceRow> = readable_rows(&data, "price", self.upstream.warnings())?;
        Ok(rows.into_iter().filter_map(|row| Some((row.inst_id, number(&row.last)?))).collect())
    }
}

#[derive(Deserialize)]
struct Envelope {
    data: Rows,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PairRow {
    inst_id: Text,
    state: Text,
    base_ccy: Text,
    quote_ccy: Text,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PriceRow {
    inst_id: Text,
    last: String,
}

#[async_trait]
impl CandleSource for Okx {
    const NAME: ProviderName = ProviderName::Okx;

    async fn prices(&self, listing: &Listing, step: u64, count: usize) -> SourceResult<ChartPrices> {
        let plan = Plan::new(step, &STEPS);
        let wanted = plan.candles(count).min(KEPT);
        let (mut newest_first, mut lacks_some): (Vec<Candle>, bool) = (Vec::new(), false);
        let (length, bar) = plan.interval;
        let millis = i64::try_from(length.saturating_mul(1_000)).unwrap_or(i64::MAX);
        while newest_first.len() < wanted {
            let limit = (wanted - newest_first.len()).min(PAGE);
            let symbol = segment(&listing.symbol);
            let oldest = newest_first.last().map(|candle| candle.end_millis);
            let before = oldest.map(|end| format!("&after={}", end - millis)).unwrap_or_default();
            let path = format!("/api/v5/market/candles?instId={symbol}&bar={bar}&limit={limit}{before}");
            let Envelope { data } = self.upstream.get(&path).await?.json()?;
            let read = |row: &Row| read(row, millis);
            let rows = readable_candles(&data, read, self.upstream.now(), self.upstream.warnings())?;
            lacks_some |= rows.lacks_some;
            let rows = rows.all.into_iter().rev();
            let had = newest_first.len();
            newest_first.extend(rows.filter(|candle| oldest.is_none_or(|oldest| candle.end_millis < oldest)));
            let is_last = data.len() < limit || newest_first.len() == had;
            if is_last {
                break;
            }
        }
        newest_first.sort_by_key(|candle| candle.end_millis);
        newest_first.dedup_by_key(|candle| candle.end_millis);
        let candles = Candles { all: newest_first, lacks_some };
        Ok(plan.prices(Self::NAME, &candles, (count, listing.factor), self.upstream.now()))
    }
}

/// Reads a row: start in ms, open, high, low, close, volume in contracts, in coins, in USDT. `length` is the interval
/// in ms.
fn read(row: &Row, length: i64) -> Option<Candle> {
    let start: i64 = row.cell(0)?;
    Some(Candle::new(row, start, start.saturating_add(length)))
}

/// The code for a key that this host doesn't know.
const UNKNOWN_KEY: i64 = 50_119;

/// What to do about such a key: accounts of some regions have their own hosts.
const OTHER_HOST: &str = " (EEA accounts: set providers.okx.base_url to https://eea.okx.com)";

/// Errors have their own codes, even in responses with status 200.
fn api_error(response: &Response) -> Option<SourceError> {
    if response.first_byte() != Some(b'{') {
        return None;
    }
    let CodedError { code, msg } = serde_json::from_slice(response.body()).ok()?;
    let code = code.filter(|code| *code != 0)?;
    let class = match code {
        _ if response.status() == 451 => ErrorClass::Blocked,
        _ if response.status() == 429 => ErrorClass::RateLimited(response.retry_after()),
        50011 | 50061 => ErrorClass::RateLimited(response.retry_after()),
        51000 | 51001 => ErrorClass::NotFound,
        51_002..=51_999 => ErrorClass::Rejected,
        50_100..=50_119 => ErrorClass::InvalidKey,
        _ => ErrorClass::Unreachable,
    };
    let msg = msg.unwrap_or_default();
    let message = text::cut(text::clean(&msg), 120);
    let message = text::without_full_stop(&message);
    let advice = if code == UNKNOWN_KEY { OTHER_HOST } else { "" };
    Some(SourceError::new(class, format!("error {code}: {message}{advice}")))
}
