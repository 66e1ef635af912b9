//! A market on which a token trades.

use serde::{Deserialize, Serialize};

use super::{Currency, Text, UtcTime};

/// One market pair. Money is in the asked currency.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    pub price: Option<f64>,
    /// Traded in the last day.
    pub volume_24h: Option<f64>,
    /// Share of the token's whole volume, percent.
    pub volume_share_pct: Option<f64>,
    /// Money needed to move the price up by 2 %.
    pub depth_plus_2pct: Option<f64>,
    /// Money needed to move the price down by 2 %.
    pub depth_minus_2pct: Option<f64>,
    /// The service takes this price for an outlier.
    pub outlier: Option<bool>,
    /// When the service last changed this.
    pub updated_at: Option<UtcTime>,
    /// What the money is in (not part of the printed contract, which speaks of `--convert`).
    #[serde(skip)]
    pub convert: Currency,
}

/// Serialises pairs with their currencies, which the command line's JSON does not contain.
pub(crate) mod with_currency {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::MarketPair;
    use crate::model::{Currency, Page};

    pub(crate) fn serialize<S: Serializer>(page: &Page<MarketPair>, serializer: S) -> Result<S::Ok, S::Error> {
        let currencies: Vec<&Currency> = page.items.iter().map(|pair| &pair.convert).collect();
        (currencies, page).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Page<MarketPair>, D::Error> {
        let (currencies, mut page): (Vec<Currency>, Page<MarketPair>) = Deserialize::deserialize(deserializer)?;
        for (pair, currency) in page.items.iter_mut().zip(currencies) {
            pair.convert = currency;
        }
        Ok(page)
    }
}
