//! A coin's chart.

use serde::{Deserialize, Serialize};

use super::chart::{Period, Point, VolumeSpan};
use super::currency::Currency;
use super::exchange_candles::ExchangeCandles;
use super::text::Text;

/// A token's chart (`/chart`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// The requested slug.
    pub slug: Text,
    /// The requested period.
    pub period: Period,
    /// Currency of prices, volumes and market caps.
    pub convert: Currency,
    /// Oldest first, times strictly ascending.
    pub points: Vec<Point>,
    /// The time that the volume of each point covers.
    pub volume_span: VolumeSpan,
    /// The candles of the exchange that the points come from, in the same currency.
    pub candles: Option<ExchangeCandles>,
}
