//! The series of a coin over any time.

use serde::{Deserialize, Serialize};

use super::chart::{Point, VolumeSpan};
use super::currency::Currency;
use super::exchange_candles::ExchangeCandles;
use super::text::Text;

/// The series of a coin (`/market/data`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarketSeries {
    /// The service's id.
    pub id: Option<Text>,
    /// Display name.
    pub name: Option<Text>,
    /// Symbol; several series of a response may share it.
    pub symbol: Text,
    /// Slug.
    pub slug: Option<Text>,
    /// Currency of prices, volumes and market caps.
    pub convert: Currency,
    /// The interval of its points, such as `5m`; `None` if unknown.
    pub interval: Option<Text>,
    /// Oldest first, times strictly ascending.
    pub points: Vec<Point>,
    /// The time that the volume of each point covers.
    pub volume_span: VolumeSpan,
    /// The candles of the exchange that the points come from, in the same currency.
    pub candles: Option<ExchangeCandles>,
}
