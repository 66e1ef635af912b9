//! Providers of live data.

use std::fmt;

/// A provider. Its name is its key in the configuration and in responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProviderName {
    /// CoinMarketCap.
    CoinMarketCap,
    /// CoinGecko.
    CoinGecko,
    /// CoinPaprika.
    CoinPaprika,
    /// DefiLlama's price API.
    DefiLlama,
    /// Binance's market-data hosts.
    Binance,
    /// OKX.
    Okx,
    /// Frankfurter, daily exchange rates.
    Frankfurter,
    /// The European Central Bank's reference rates.
    Ecb,
    /// Bluesky.
    Bluesky,
    /// A Mastodon server.
    Mastodon,
    /// UniSat.
    UniSat,
    /// Maestro.
    Maestro,
    /// ordinals.com.
    Ordinals,
    /// The user's own ord server.
    Ord,
    /// mempool.space.
    Mempool,
    /// A server with Hiro's Ordinals API.
    Hiro,
    /// A service with this interface.
    Service,
    /// The simulated world.
    Demo,
}

impl ProviderName {
    /// All providers.
    pub const ALL: [ProviderName; 18] = [
        ProviderName::CoinMarketCap,
        ProviderName::CoinGecko,
        ProviderName::CoinPaprika,
        ProviderName::DefiLlama,
        ProviderName::Binance,
        ProviderName::Okx,
        ProviderName::Frankfurter,
        ProviderName::Ecb,
        ProviderName::Bluesky,
        ProviderName::Mastodon,
        ProviderName::UniSat,
        ProviderName::Maestro,
        ProviderName::Ordinals,
        ProviderName::Ord,
        ProviderName::Mempool,
        ProviderName::Hiro,
        ProviderName::Service,
        ProviderName::Demo,
    ];

    /// Its name in the configuration and in responses.
    pub fn as_str(self) -> &'static str {
        match self {
            ProviderName::CoinMarketCap => "coinmarketcap",
            ProviderName::CoinGecko => "coingecko",
            ProviderName::CoinPaprika => "coinpaprika",
            ProviderName::DefiLlama => "defillama",
            ProviderName::Binance => "binance",
            ProviderName::Okx => "okx",
            ProviderName::Frankfurter => "frankfurter",
            ProviderName::Ecb => "ecb",
            ProviderName::Bluesky => "bluesky",
            ProviderName::Mastodon => "mastodon",
            ProviderName::UniSat => "unisat",
            ProviderName::Maestro => "maestro",
            ProviderName::Ordinals => "ordinals",
            ProviderName::Ord => "ord",
            ProviderName::Mempool => "mempool",
            ProviderName::Hiro => "hiro",
            ProviderName::Service => "service",
            ProviderName::Demo => "demo",
        }
    }

    /// The provider with this name.
    pub fn parse(name: &str) -> Option<ProviderName> {
        ProviderName::ALL.into_iter().find(|provider| provider.as_str() == name)
    }

    /// The title on the screen.
    pub fn title(self) -> &'static str {
        match self {
            ProviderName::CoinMarketCap => "CoinMarketCap",
            ProviderName::CoinGecko => "CoinGecko",
            ProviderName::CoinPaprika => "CoinPaprika",
            ProviderName::DefiLlama => "DefiLlama",
            ProviderName::Binance => "Binance",
            ProviderName::Okx => "OKX",
            ProviderName::Frankfurter => "Frankfurter",
            ProviderName::Ecb => "ECB",
            ProviderName::Bluesky => "Bluesky",
            ProviderName::Mastodon => "Mastodon",
            ProviderName::UniSat => "UniSat",
            ProviderName::Maestro => "Maestro",
            ProviderName::Ordinals => "ordinals.com",
            ProviderName::Ord => "ord",
            ProviderName::Mempool => "mempool.space",
            ProviderName::Hiro => "Hiro-compatible indexer",
            ProviderName::Service => "satscope service",
            ProviderName::Demo => "simulated data",
        }
    }
}

impl ProviderName {
    /// Attribution that the provider's terms require wherever its data are shown.
    pub fn attribution(self) -> Option<&'static str> {
        match self {
            ProviderName::CoinGecko => Some("Powered by CoinGecko"),
            _ => None,
        }
    }
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
