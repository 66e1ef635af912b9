//! Default URLs and rate limits of the providers.

use std::time::Duration;

use crate::model::ProviderName;

/// Default URLs and rate limits of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Base URL; `None` if the user has to set it.
    pub base_url: Option<&'static str>,
    /// WebSocket URL.
    pub stream_url: Option<&'static str>,
    /// Maximum requests per minute.
    pub per_minute: Option<u32>,
    /// Maximum requests per calendar month (UTC).
    pub per_month: Option<u64>,
    /// Minimum gap between requests.
    pub min_gap: Duration,
    /// Minimum freshness of its data, for operations that would refresh more often.
    pub fresh_at_least: Duration,
}

impl Terms {
    /// The defaults of a provider. Limits that it doesn't publish are conservative guesses.
    pub fn of(name: ProviderName, has_key: bool) -> Terms {
        let terms = |base_url, gap| Terms { min_gap: Duration::from_millis(gap), ..Terms::at(base_url) };
        match name {
            // Without a key: limited by IP address; no published limit.
            ProviderName::CoinMarketCap if has_key => Terms {
                per_minute: Some(50),
                per_month: Some(15_000),
                ..terms(Some("https://pro-api.coinmarketcap.com"), 1_500)
            },
            ProviderName::CoinMarketCap => terms(Some("https://pro-api.coinmarketcap.com/public-api"), 1_500),
            ProviderName::CoinGecko if has_key => Terms {
                per_minute: Some(100),
                per_month: Some(10_000),
                ..terms(Some("https://api.coingecko.com/api/v3"), 1_000)
            },
            // Without a key: "about 10 to 30 a minute", and no scheduled polling.
            ProviderName::CoinGecko => Terms {
                per_minute: Some(10),
                fresh_at_least: Duration::from_mins(10),
                ..terms(Some("https://api.coingecko.com/api/v3"), 6_000)
            },
            ProviderName::CoinPaprika => {
                Terms { per_month: Some(20_000), ..terms(Some("https://api.coinpaprika.com/v1"), 250) }
            }
            ProviderName::DefiLlama => terms(Some("https://coins.llama.fi"), 1_000),
            ProviderName::Binance => Terms {
                per_minute: Some(600),
                stream_url: Some("wss://data-stream.binance.vision"),
                ..terms(Some("https://data-api.binance.vision"), 100)
            },
            ProviderName::Okx => Terms {
                stream_url: Some("wss://ws.okx.com:8443/ws/v5/public"),
                ..terms(Some("https://www.okx.com"), 200)
            },
            ProviderName::Frankfurter => terms(Some("https://api.frankfurter.dev"), 1_000),
            ProviderName::Ecb => terms(Some("https://www.ecb.europa.eu"), 1_000),
            ProviderName::Bluesky => terms(Some("https://api.bsky.app"), 2_000),
            ProviderName::Mastodon => Terms { per_minute: Some(60), ..terms(Some("https://mastodon.social"), 500) },
            ProviderName::UniSat => {
                Terms { per_month: has_key.then_some(60_000), ..terms(Some("https://open-api.unisat.io"), 250) }
            }
            ProviderName::Maestro => terms(Some("https://xbt-mainnet.gomaestro-api.org/v0"), 250),
            ProviderName::Ordinals => terms(Some("https://ordinals.com"), 1_000),
            ProviderName::Mempool => Terms {
                stream_url: Some("wss://mempool.space/api/v1/ws"),
                ..terms(Some("https://mempool.space/api"), 1_000)
            },
            // The user's own servers have no default URL and no limits.
            ProviderName::Ord | ProviderName::Hiro | ProviderName::Service | ProviderName::Demo => terms(None, 0),
        }
    }

    fn at(base_url: Option<&'static str>) -> Terms {
        Terms {
            base_url,
            stream_url: None,
            per_minute: None,
            per_month: None,
            min_gap: Duration::ZERO,
            fresh_at_least: Duration::ZERO,
        }
    }
}
