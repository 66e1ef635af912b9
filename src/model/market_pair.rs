//! Markets of a token.

use serde::{Deserialize, Serialize};

use super::currency::Currency;
use super::text::Text;
use super::time::UtcTime;

/// A market pair. Money is in `convert`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarketPair {
    /// The exchange's name.
    pub exchange: Option<Text>,
    /// The pair as the exchange spells it, such as `ORDI/USDT`.
    pub pair: Text,
    /// Base symbol.
    pub base: Option<Text>,
    /// Quote symbol.
    pub quote: Option<Text>,
    /// `spot`, `derivatives`, `otc`, …
    pub category: Option<Text>,
    /// Price.
    pub price: Option<f64>,
    /// 24-hour volume.
    pub volume_24h: Option<f64>,
    /// Share of the token's total volume in percent.
    pub volume_share_pct: Option<f64>,
    /// Ask depth: money needed to raise the price by 2%.
    pub depth_plus_2pct: Option<f64>,
    /// Bid depth: money needed to lower the price by 2%.
    pub depth_minus_2pct: Option<f64>,
    /// Whether the service considers the price an outlier.
    pub outlier: Option<bool>,
    /// When the service last updated the data.
    pub updated_at: Option<UtcTime>,
    /// The currency of all money; not in the JSON output, where it is always `--convert`.
    #[serde(skip)]
    pub convert: Currency,
}

impl MarketPair {
    /// The fields with money. Every field is named here, so that a new one can't be forgotten.
    pub(crate) fn money_fields(&mut self) -> [&mut Option<f64>; 4] {
        let MarketPair {
            price,
            volume_24h,
            depth_plus_2pct,
            depth_minus_2pct,
            exchange: _,
            pair: _,
            base: _,
            quote: _,
            category: _,
            volume_share_pct: _,
            outlier: _,
            updated_at: _,
            convert: _,
        } = self;
        [price, volume_24h, depth_plus_2pct, depth_minus_2pct]
    }
}

/// Serialises pairs with their currencies, which the command line's JSON does not contain.
pub(crate) mod with_currency {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::model::currency::Currency;
    use crate::model::market_pair::MarketPair;
    use crate::model::page::Page;

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
