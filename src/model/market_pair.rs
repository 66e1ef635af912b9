//! A market on which a token trades.

use serde::Serialize;

use super::{Currency, Figure, Text, UtcTime};

/// One market pair. Money is in the asked currency.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MarketPair {
    /// The exchange's name.
    pub exchange: Option<Text>,
    /// As the exchange writes it, such as `ORDI/USDT`.
    pub pair: Text,
    /// Base symbol.
    pub base: Option<Text>,
    /// Quote symbol.
    pub quote: Option<Text>,
    /// `spot`, `derivatives`, `otc`, …
    pub category: Option<Text>,
    /// Price.
    pub price: Figure,
    /// Traded in the last day.
    pub volume_24h: Figure,
    /// Share of the token's whole volume, percent.
    pub volume_share_pct: Figure,
    /// Money needed to move the price up by 2 %.
    pub depth_plus_2pct: Figure,
    /// Money needed to move the price down by 2 %.
    pub depth_minus_2pct: Figure,
    /// The service takes this price for an outlier.
    pub outlier: Option<bool>,
    /// When the service last changed this.
    pub updated_at: Option<UtcTime>,
    /// What the money is in (not part of the printed contract, which speaks of `--convert`).
    #[serde(skip)]
    pub convert: Currency,
}
