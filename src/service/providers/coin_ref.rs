//! A coin and its names at each provider.

use crate::model::{CoinId, ProviderName, Text};

/// A coin and its ids at each provider.
#[derive(Clone, Debug, PartialEq)]
pub struct CoinRef {
    /// Our id.
    pub id: CoinId,
    /// Our slug.
    pub slug: Text,
    /// Display name.
    pub name: Text,
    /// Symbol.
    pub symbol: Text,
    /// CoinMarketCap's id.
    pub coinmarketcap: Option<Text>,
    /// CoinGecko's id.
    pub coingecko: Option<Text>,
    /// CoinPaprika's id.
    pub coinpaprika: Option<Text>,
    /// Its USDT pair on Binance.
    pub binance: Option<Listing>,
    /// Its USDT instrument on OKX.
    pub okx: Option<Listing>,
    /// Its BRC-20 ticker.
    pub brc20: Option<Text>,
    /// Hashtags of posts about it, without `#`.
    pub hashtags: Vec<Text>,
    /// Market cap in US dollars, from the last list with the coin.
    pub market_cap: Option<f64>,
    /// Rank, from the last list with the coin.
    pub rank: Option<u32>,
}

/// A coin's listing on an exchange.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// The exchange's symbol.
    pub symbol: Text,
    /// Coins per unit: 1000 for `1000SATS`.
    pub factor: f64,
}

impl CoinRef {
    /// A coin without ids of providers.
    pub fn new(id: CoinId, slug: Text, name: Text, symbol: Text) -> CoinRef {
        CoinRef {
            id,
            slug,
            name,
            symbol,
            coinmarketcap: None,
            coingecko: None,
            coinpaprika: None,
            binance: None,
            okx: None,
            brc20: None,
            hashtags: Vec::new(),
            market_cap: None,
            rank: None,
        }
    }

    /// Whether its name and symbol are unknown: it has its slug instead.
    pub fn is_unnamed(&self) -> bool {
        self.name == self.slug && self.symbol == self.slug
    }

    /// Whether only its slug is known.
    pub fn has_only_slug(&self) -> bool {
        self.is_unnamed() && self.coinmarketcap.is_none() && self.coingecko.is_none() && self.coinpaprika.is_none()
    }

    /// Its listing on an exchange.
    pub fn listing(&self, exchange: ProviderName) -> Option<&Listing> {
        match exchange {
            ProviderName::Binance => self.binance.as_ref(),
            ProviderName::Okx => self.okx.as_ref(),
            _ => None,
        }
    }

    /// Sets its listing on an exchange.
    pub fn set_listing(&mut self, exchange: ProviderName, listing: Option<Listing>) {
        match exchange {
            ProviderName::Binance => self.binance = listing,
            ProviderName::Okx => self.okx = listing,
            _ => {}
        }
    }

    /// Its id at a provider.
    pub fn native_id(&self, provider: ProviderName) -> Option<&Text> {
        match provider {
            ProviderName::CoinMarketCap => self.coinmarketcap.as_ref(),
            ProviderName::CoinGecko => self.coingecko.as_ref(),
            ProviderName::CoinPaprika => self.coinpaprika.as_ref(),
            _ => None,
        }
    }
}
