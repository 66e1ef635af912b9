//! Coins.

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::parts::{ByCurrency, Id};
use crate::model::{Coin, Contract, Link, ProviderName, Text, UtcTime};

/// A coin.
#[derive(Serialize, ToSchema)]
#[schema(as = Coin)]
pub(in crate::service) struct CoinJson<'a> {
    /// Id; a number or a string.
    #[schema(value_type = u32)]
    id: Id<'a>,
    name: &'a str,
    /// Symbol; not unique.
    symbol: &'a str,
    /// Slug; unique, the key for `/chart`.
    #[schema(required)]
    slug: Option<&'a str>,
    /// Rank by market cap, from 1; `null` if the circulating supply is unknown.
    #[schema(required)]
    cmc_rank: Option<u32>,
    /// Circulating supply.
    #[schema(required)]
    circulating_supply: Option<f64>,
    /// Total supply.
    #[schema(required)]
    total_supply: Option<f64>,
    /// Max supply; `null` if unlimited or unknown.
    #[schema(required)]
    max_supply: Option<f64>,
    #[schema(required, value_type = Option<String>, format = DateTime)]
    last_updated: Option<UtcTime>,
    /// Category slugs.
    #[schema(value_type = Vec<String>)]
    tags: &'a [Text],
    /// Websites and social links by kind.
    #[schema(value_type = std::collections::HashMap<String, Vec<String>>)]
    urls: Urls<'a>,
    /// Contracts of the token; empty for a coin with its own chain.
    contract_address: Vec<ContractJson<'a>>,
    /// BRC-20 ticker in lower case, if the coin can be matched to a token.
    #[schema(required)]
    brc20_ticker: Option<&'a str>,
    /// Prices by currency.
    #[schema(value_type = std::collections::HashMap<String, CoinQuote>)]
    quote: ByCurrency<'a, CoinQuote>,
    /// 7-day prices in the currency of `quote`, oldest first, evenly spaced, the last one now; `null` for a gap.
    #[schema(value_type = Vec<Option<f64>>)]
    sparkline_7d: &'a [f64],
    /// The provider of the prices, for coins by id: they may come from different ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    provider: Option<&'static str>,
}

/// Prices of a coin in one currency.
#[derive(Serialize, ToSchema)]
struct CoinQuote {
    #[schema(required)]
    price: Option<f64>,
    #[schema(required)]
    volume_24h: Option<f64>,
    /// 1-hour change in percent.
    #[schema(required)]
    percent_change_1h: Option<f64>,
    /// 24-hour change in percent, from the first point of the `1D` chart.
    #[schema(required)]
    percent_change_24h: Option<f64>,
    /// 7-day change in percent, from the first point of the `7D` chart.
    #[schema(required)]
    percent_change_7d: Option<f64>,
    /// Market cap: price times circulating supply.
    #[schema(required)]
    market_cap: Option<f64>,
    /// 24-hour high: highest point of the `1D` chart.
    #[schema(required)]
    high_24h: Option<f64>,
    /// 24-hour low: lowest point of the `1D` chart.
    #[schema(required)]
    low_24h: Option<f64>,
    /// All-time high.
    #[schema(required)]
    ath: Option<f64>,
    /// All-time low.
    #[schema(required)]
    atl: Option<f64>,
    #[schema(required, value_type = Option<String>, format = DateTime)]
    last_updated: Option<UtcTime>,
}

impl<'a> From<&'a Coin> for CoinJson<'a> {
    fn from(coin: &'a Coin) -> CoinJson<'a> {
        // Every field is named here, so that a new one can't be forgotten.
        let Coin {
            id,
            rank,
            name,
            symbol,
            slug,
            tags,
            convert,
            price,
            change_1h_pct,
            change_24h_pct,
            change_7d_pct,
            high_24h,
            low_24h,
            all_time_high,
            all_time_low,
            volume_24h,
            market_cap,
            circulating_supply,
            total_supply,
            max_supply,
            links,
            contracts,
            brc20_ticker,
            sparkline_7d,
            updated_at,
            bitcoin_price: _,
            provider,
        } = coin;
        let quote = CoinQuote {
            price: *price,
            volume_24h: *volume_24h,
            percent_change_1h: *change_1h_pct,
            percent_change_24h: *change_24h_pct,
            percent_change_7d: *change_7d_pct,
            market_cap: *market_cap,
            high_24h: *high_24h,
            low_24h: *low_24h,
            ath: *all_time_high,
            atl: *all_time_low,
            last_updated: *updated_at,
        };
        CoinJson {
            id: Id::from(id),
            name,
            symbol,
            slug: slug.as_deref(),
            cmc_rank: *rank,
            circulating_supply: *circulating_supply,
            total_supply: *total_supply,
            max_supply: *max_supply,
            last_updated: *updated_at,
            tags,
            urls: Urls(links),
            contract_address: contracts.iter().map(ContractJson::from).collect(),
            brc20_ticker: brc20_ticker.as_deref(),
            quote: ByCurrency(convert, quote),
            sparkline_7d,
            provider: provider.map(ProviderName::as_str),
        }
    }
}

/// Kinds of links that are always present, before other kinds.
const LINK_KINDS: [&str; 6] = ["website", "twitter", "chat", "explorer", "technical_doc", "source_code"];

/// Links by kind; each list may be empty.
struct Urls<'a>(&'a [Link]);

impl Serialize for Urls<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut kinds = Vec::from(LINK_KINDS);
        for link in self.0 {
            if !kinds.contains(&link.kind.as_str()) {
                kinds.push(&link.kind);
            }
        }
        let of_kind = |kind| self.0.iter().filter(move |link| link.kind == kind).map(|link| link.url.as_str());
        serializer.collect_map(kinds.into_iter().map(|kind| (kind, of_kind(kind).collect::<Vec<_>>())))
    }
}

/// A contract, or the deploy inscription of a BRC-20 token.
#[derive(Serialize, ToSchema)]
#[schema(as = Contract)]
struct ContractJson<'a> {
    contract_address: &'a str,
    #[schema(required)]
    platform: Option<Platform<'a>>,
}

/// A chain.
#[derive(Serialize, ToSchema)]
struct Platform<'a> {
    name: &'a str,
}

impl<'a> From<&'a Contract> for ContractJson<'a> {
    fn from(contract: &'a Contract) -> ContractJson<'a> {
        let platform = contract.platform.as_deref().map(|name| Platform { name });
        ContractJson { contract_address: &contract.address, platform }
    }
}
