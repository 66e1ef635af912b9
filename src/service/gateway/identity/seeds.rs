//! Built-in coins: those whose ids are known at several providers.

use crate::model::ProviderName::{self, Binance, CoinGecko, CoinMarketCap, CoinPaprika, Okx};
use crate::model::{CoinId, Text};
use crate::service::providers::coin_ref::{CoinRef, Listing};

/// A built-in coin with ids from the providers' published examples.
pub(super) struct Seed {
    name: &'static str,
    symbol: &'static str,
    slug: &'static str,
    ids: &'static [(ProviderName, &'static str)],
    /// The symbol on exchanges, and the coins per unit.
    listings: &'static [(ProviderName, &'static str, f64)],
    brc20: Option<&'static str>,
    hashtags: &'static [&'static str],
}

/// All built-in coins. Coins without an id here are matched like others.
pub(super) const SEEDS: &[Seed] = &[
    Seed {
        name: "Bitcoin",
        symbol: "BTC",
        slug: "bitcoin",
        ids: &[(CoinMarketCap, "1"), (CoinGecko, "bitcoin"), (CoinPaprika, "btc-bitcoin")],
        listings: &[(Binance, "BTCUSDT", 1.0), (Okx, "BTC-USDT", 1.0)],
        brc20: None,
        hashtags: &["bitcoin", "btc"],
    },
    Seed {
        name: "ORDI",
        symbol: "ORDI",
        slug: "ordi",
        ids: &[(CoinMarketCap, "25028"), (CoinGecko, "ordinals")],
        listings: &[(Binance, "ORDIUSDT", 1.0), (Okx, "ORDI-USDT", 1.0)],
        brc20: Some("ordi"),
        hashtags: &["ordi", "brc20"],
    },
    Seed {
        name: "SATS",
        symbol: "SATS",
        slug: "sats-ordinals",
        ids: &[(CoinGecko, "sats-ordinals")],
        listings: &[(Binance, "1000SATSUSDT", 1000.0), (Okx, "SATS-USDT", 1.0)],
        brc20: Some("sats"),
        hashtags: &["brc20"],
    },
    Seed {
        name: "1000SATS",
        symbol: "1000SATS",
        slug: "1000sats-ordinals",
        ids: &[(CoinGecko, "1000sats-ordinals")],
        listings: &[(Binance, "1000SATSUSDT", 1.0)],
        brc20: None,
        hashtags: &[],
    },
    Seed {
        name: "RATS",
        symbol: "RATS",
        slug: "rats",
        ids: &[(CoinGecko, "rats")],
        listings: &[],
        brc20: Some("rats"),
        hashtags: &["brc20"],
    },
    Seed {
        name: "Multibit",
        symbol: "MUBI",
        slug: "multibit",
        ids: &[(CoinGecko, "multibit")],
        listings: &[],
        brc20: Some("mubi"),
        hashtags: &["multibit"],
    },
    Seed {
        name: "Wrapped Bitcoin",
        symbol: "WBTC",
        slug: "wrapped-bitcoin",
        ids: &[(CoinMarketCap, "3717"), (CoinGecko, "wrapped-bitcoin"), (CoinPaprika, "wbtc-wrapped-bitcoin")],
        listings: &[],
        brc20: None,
        hashtags: &["wbtc"],
    },
    // Large coins whose slugs differ between providers.
    Seed {
        name: "BNB",
        symbol: "BNB",
        slug: "bnb",
        ids: &[(CoinMarketCap, "1839"), (CoinGecko, "binancecoin"), (CoinPaprika, "bnb-binance-coin")],
        listings: &[],
        brc20: None,
        hashtags: &["bnb"],
    },
    Seed {
        name: "Avalanche",
        symbol: "AVAX",
        slug: "avalanche",
        ids: &[(CoinMarketCap, "5805"), (CoinGecko, "avalanche-2"), (CoinPaprika, "avax-avalanche")],
        listings: &[],
        brc20: None,
        hashtags: &["avax"],
    },
];

impl Seed {
    /// The coin with the ids of this seed.
    pub(super) fn coin(&self) -> CoinRef {
        let id = self.ids.iter().find(|(provider, _)| *provider == CoinMarketCap).map_or(self.slug, |(_, id)| *id);
        let mut coin = CoinRef::new(CoinId(id.into()), self.slug.into(), self.name.into(), self.symbol.into());
        coin.ids = self.ids.iter().map(|(provider, id)| (*provider, Text::from(*id))).collect();
        let listing = |symbol: &'static str, factor| Listing { symbol: symbol.into(), factor };
        coin.listings = self.listings.iter().map(|(at, symbol, factor)| (*at, listing(symbol, *factor))).collect();
        coin.brc20 = self.brc20.map(Text::from);
        coin.hashtags = self.hashtags.iter().map(|tag| Text::from(*tag)).collect();
        coin
    }
}
