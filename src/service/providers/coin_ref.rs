//! A coin and its names at each provider.

use super::by_provider::ByProvider;
use crate::model::{CoinId, ProviderName, Text};

/// A coin and its ids at each provider.
#[derive(Clone, Debug, PartialEq)]
pub struct CoinRef {
    /// Our id; empty if only the slug is known, since a slug may equal the id of another coin.
    pub id: CoinId,
    /// Our slug.
    pub slug: Text,
    /// Display name.
    pub name: Text,
    /// Symbol.
    pub symbol: Text,
    /// The coin's ids at the providers with their own coin ids.
    pub ids: ByProvider<Text>,
    /// The coin's names at another satscope service; `None` until it has returned the coin.
    pub at_service: Option<Box<ServiceNames>>,
    /// The coin's USDT pairs on exchanges.
    pub listings: ByProvider<Listing>,
    /// The coin's BRC-20 ticker.
    pub brc20: Option<Text>,
    /// Hashtags of posts about it, without `#`.
    pub hashtags: Vec<Text>,
    /// Market cap in US dollars, from the last list with the coin.
    pub market_cap: Option<f64>,
    /// Rank, from the last list with the coin.
    pub rank: Option<u32>,
}

/// Another service's names of a coin.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceNames {
    /// The id.
    pub id: Text,
    /// The slug.
    pub slug: Text,
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
            ids: ByProvider::default(),
            at_service: None,
            listings: ByProvider::default(),
            brc20: None,
            hashtags: Vec::new(),
            market_cap: None,
            rank: None,
        }
    }

    /// A coin known only by its slug. It has no id.
    pub fn of_slug(slug: &str) -> CoinRef {
        let slug = Text::from(slug);
        CoinRef::new(CoinId(Text::from("")), slug.clone(), slug.clone(), slug)
    }

    /// Whether it has an id of ours.
    pub fn has_id(&self) -> bool {
        !self.id.0.is_empty()
    }

    /// Whether its name and symbol are unknown: it has its slug instead.
    pub fn is_unnamed(&self) -> bool {
        self.name == self.slug && self.symbol == self.slug
    }

    /// Whether only its slug is known.
    pub fn has_only_slug(&self) -> bool {
        self.is_unnamed() && self.ids.is_empty()
    }

    /// The coin's listing on an exchange.
    pub fn listing(&self, exchange: ProviderName) -> Option<&Listing> {
        self.listings.get(exchange)
    }

    /// The coin's slug at another satscope service: ours, unless it is known.
    pub fn slug_at_service(&self) -> &Text {
        self.at_service.as_ref().map_or(&self.slug, |names| &names.slug)
    }

    /// The coin's id at a provider.
    pub fn native_id(&self, provider: ProviderName) -> Option<&Text> {
        self.ids.get(provider)
    }
}
