//! Charts and price history.

use serde::Serialize;
use utoipa::ToSchema;

use super::parts::{ByCurrency, Id};
use crate::model::{Chart, Currency, MarketSeries, Point, UtcTime};

/// Chart of a coin.
#[derive(Serialize, ToSchema)]
#[schema(as = Chart)]
pub(in crate::service) struct ChartJson<'a> {
    slug: &'a str,
    /// Points, oldest first; the last one is now, with the price of the list.
    quotes: Vec<PointJson<'a>>,
}

impl<'a> From<&'a Chart> for ChartJson<'a> {
    fn from(chart: &'a Chart) -> ChartJson<'a> {
        ChartJson { slug: &chart.slug, quotes: points(&chart.points, &chart.convert) }
    }
}

/// Price history of a coin.
#[derive(Serialize, ToSchema)]
#[schema(as = Series)]
pub(in crate::service) struct SeriesJson<'a> {
    /// Id; a number or a text.
    #[schema(required, value_type = Option<u32>)]
    id: Option<Id<'a>>,
    #[schema(required)]
    name: Option<&'a str>,
    symbol: &'a str,
    #[schema(required)]
    slug: Option<&'a str>,
    /// Points, oldest first; the last one is now, with the price of the list.
    quotes: Vec<PointJson<'a>>,
}

impl<'a> From<&'a MarketSeries> for SeriesJson<'a> {
    fn from(series: &'a MarketSeries) -> SeriesJson<'a> {
        SeriesJson {
            id: series.id.as_deref().map(Id),
            name: series.name.as_deref(),
            symbol: &series.symbol,
            slug: series.slug.as_deref(),
            quotes: points(&series.points, &series.convert),
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
