//! Market pairs.

use serde::Serialize;
use utoipa::ToSchema;

use super::parts::{ByCurrency, Id};
use crate::model::{MarketPair, UtcTime};
use crate::service::backend::market::CoinPairs;

/// A coin with its market pairs.
#[derive(Serialize, ToSchema)]
#[schema(as = CoinPairs)]
pub(in crate::service) struct CoinPairsJson<'a> {
    /// Id; a number or a string. Null if no list had the coin.
    #[schema(value_type = Option<u32>, required)]
    id: Option<Id<'a>>,
    name: &'a str,
    symbol: &'a str,
    #[schema(required)]
    slug: Option<&'a str>,
    /// Number of all market pairs, which may be more than are listed here; null if unknown.
    #[schema(required)]
    num_market_pairs: Option<u64>,
    /// Market pairs, largest volume first.
    market_pairs: Vec<PairJson<'a>>,
}

impl<'a> From<&'a CoinPairs> for CoinPairsJson<'a> {
    fn from(coin: &'a CoinPairs) -> CoinPairsJson<'a> {
        CoinPairsJson {
            id: coin.id.as_ref().map(Id::from),
            name: &coin.name,
            symbol: &coin.symbol,
            slug: coin.slug.as_deref(),
            num_market_pairs: coin.total,
            market_pairs: coin.pairs.iter().map(PairJson::from).collect(),
        }
    }
}

/// A market pair.
#[derive(Serialize, ToSchema)]
#[schema(as = MarketPair)]
struct PairJson<'a> {
    exchange: Exchange<'a>,
    /// `BASE/QUOTE`.
    market_pair: &'a str,
    /// `spot`, `derivatives`, ….
    #[schema(required)]
    category: Option<&'a str>,
    market_pair_base: PairSide<'a>,
    market_pair_quote: PairSide<'a>,
    /// 1 if the price is an outlier.
    #[schema(required)]
    outlier_detected: Option<u8>,
    /// Percentage of the coin's volume.
    #[schema(required)]
    volume_percentage: Option<f64>,
    /// Prices by currency.
    #[schema(value_type = std::collections::HashMap<String, PairQuote>)]
    quote: ByCurrency<'a, PairQuote>,
}

/// An exchange.
#[derive(Serialize, ToSchema)]
struct Exchange<'a> {
    #[schema(required)]
    name: Option<&'a str>,
}

/// One side of a market pair.
#[derive(Serialize, ToSchema)]
struct PairSide<'a> {
    #[schema(required)]
    currency_symbol: Option<&'a str>,
}

/// Prices of a market pair in one currency.
#[derive(Serialize, ToSchema)]
struct PairQuote {
    #[schema(required)]
    price: Option<f64>,
    #[schema(required)]
    volume_24h: Option<f64>,
    /// +2 % depth; `null` for derivatives.
    #[schema(required)]
    depth_positive_two: Option<f64>,
    /// −2 % depth; `null` for derivatives.
    #[schema(required)]
    depth_negative_two: Option<f64>,
    #[schema(required, value_type = Option<String>, format = DateTime)]
    last_updated: Option<UtcTime>,
}

impl<'a> From<&'a MarketPair> for PairJson<'a> {
    fn from(pair: &'a MarketPair) -> PairJson<'a> {
        let quote = PairQuote {
            price: pair.price,
            volume_24h: pair.volume_24h,
            depth_positive_two: pair.depth_plus_2pct,
            depth_negative_two: pair.depth_minus_2pct,
            last_updated: pair.updated_at,
        };
        PairJson {
            exchange: Exchange { name: pair.exchange.as_deref() },
            market_pair: &pair.pair,
            category: pair.category.as_deref(),
            market_pair_base: PairSide { currency_symbol: pair.base.as_deref() },
            market_pair_quote: PairSide { currency_symbol: pair.quote.as_deref() },
            outlier_detected: pair.outlier.map(u8::from),
            volume_percentage: pair.volume_share_pct,
            quote: ByCurrency(&pair.convert, quote),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::{Currency, Text};

    #[test]
    fn unknown_exchange_is_null() {
        let pair = MarketPair {
            exchange: None,
            pair: Text::from("ORDI/USDT"),
            base: None,
            quote: None,
            category: None,
            price: Some(8.41),
            volume_24h: None,
            volume_share_pct: None,
            depth_plus_2pct: None,
            depth_minus_2pct: None,
            outlier: None,
            updated_at: None,
            convert: Currency::usd(),
        };
        let pair = serde_json::to_value(PairJson::from(&pair)).unwrap();
        assert_eq!(pair["exchange"], json!({"name": null}));
    }
}
