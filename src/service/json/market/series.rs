//! Charts and price history.

use serde::Serialize;
use utoipa::ToSchema;

use super::parts::{ByCurrency, Id};
use crate::model::{Candle, Chart, Currency, ExchangeCandles, MarketSeries, Point, UtcTime};

/// Chart of a coin.
#[derive(Serialize, ToSchema)]
#[schema(as = Chart)]
pub(in crate::service) struct ChartJson<'a> {
    slug: &'a str,
    /// Points, oldest first; the last one is now, with the price of the list.
    quotes: Vec<PointJson<'a>>,
    /// The candles of the exchange that the points come from; absent if they come from another provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    candles: Option<CandlesJson<'a>>,
}

impl<'a> From<&'a Chart> for ChartJson<'a> {
    fn from(chart: &'a Chart) -> ChartJson<'a> {
        let candles = chart.candles.as_ref().map(|candles| CandlesJson::new(candles, &chart.convert));
        ChartJson { slug: &chart.slug, quotes: points(&chart.points, &chart.convert), candles }
    }
}

/// Candles of an exchange.
#[derive(Serialize, ToSchema)]
#[schema(as = Candles)]
struct CandlesJson<'a> {
    /// The exchange, by its name in the configuration. Its prices are in USDT, treated as US dollars.
    exchange: &'a str,
    /// The currency that prices and volumes are converted to.
    #[schema(value_type = String)]
    convert: &'a Currency,
    /// Interval of the candles, such as `5m`.
    interval: &'a str,
    /// The candles, oldest first; the last one may be unfinished, and those without trades may be missing.
    items: Vec<CandleJson>,
}

impl<'a> CandlesJson<'a> {
    fn new(candles: &'a ExchangeCandles, convert: &'a Currency) -> CandlesJson<'a> {
        CandlesJson {
            exchange: candles.exchange(),
            convert,
            interval: candles.interval(),
            items: candles.candles().iter().map(CandleJson::from).collect(),
        }
    }
}

/// A candle.
#[derive(Serialize, ToSchema)]
#[schema(as = Candle)]
struct CandleJson {
    /// Start of the interval.
    #[schema(value_type = String, format = DateTime)]
    timestamp: UtcTime,
    /// Opening price.
    open: f64,
    /// Highest price.
    high: f64,
    /// Lowest price.
    low: f64,
    /// Closing price.
    close: f64,
    /// Volume in the currency `convert`; `null` if unknown.
    #[schema(required)]
    volume: Option<f64>,
}

impl From<&Candle> for CandleJson {
    fn from(candle: &Candle) -> CandleJson {
        let Candle { start, open, high, low, close, volume } = *candle;
        CandleJson { timestamp: start, open, high, low, close, volume }
    }
}

/// Price history of a coin.
#[derive(Serialize, ToSchema)]
#[schema(as = Series)]
pub(in crate::service) struct SeriesJson<'a> {
    /// Id; a number or a string.
    #[schema(required, value_type = Option<u32>)]
    id: Option<Id<'a>>,
    #[schema(required)]
    name: Option<&'a str>,
    symbol: &'a str,
    #[schema(required)]
    slug: Option<&'a str>,
    /// Points, oldest first; the last one is now, with the price of the list.
    quotes: Vec<PointJson<'a>>,
    /// The candles of the exchange that the points come from; only for a single symbol with daily points.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    candles: Option<CandlesJson<'a>>,
}

impl<'a> From<&'a MarketSeries> for SeriesJson<'a> {
    fn from(series: &'a MarketSeries) -> SeriesJson<'a> {
        SeriesJson {
            id: series.id.as_deref().map(Id),
            name: series.name.as_deref(),
            symbol: &series.symbol,
            slug: series.slug.as_deref(),
            quotes: points(&series.points, &series.convert),
            candles: series.candles.as_ref().map(|candles| CandlesJson::new(candles, &series.convert)),
        }
    }
}

/// A point of a series.
#[derive(Serialize, ToSchema)]
#[schema(as = SeriesPoint)]
struct PointJson<'a> {
    #[schema(value_type = String, format = DateTime)]
    timestamp: UtcTime,
    /// Prices by currency.
    #[schema(value_type = std::collections::HashMap<String, PointQuote>)]
    quote: ByCurrency<'a, PointQuote>,
}

/// Prices of a point in one currency.
#[derive(Serialize, ToSchema)]
struct PointQuote {
    #[schema(required)]
    price: Option<f64>,
    /// 24-hour volume.
    #[schema(required)]
    volume_24h: Option<f64>,
    /// Market cap: price times circulating supply.
    #[schema(required)]
    market_cap: Option<f64>,
}

fn points<'a>(points: &[Point], convert: &'a Currency) -> Vec<PointJson<'a>> {
    let json = |point: &Point| PointJson {
        timestamp: point.time,
        quote: ByCurrency(
            convert,
            PointQuote { price: point.price, volume_24h: point.volume, market_cap: point.market_cap },
        ),
    };
    points.iter().map(json).collect()
}
