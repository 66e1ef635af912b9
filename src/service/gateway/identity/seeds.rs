//! Built-in coins: those whose ids are known at several providers.

use crate::model::{CoinId, Text};
use crate::service::providers::coin_ref::{CoinRef, Listing};

/// A built-in coin with ids from the providers' published examples.
pub(super) struct Seed {
    name: &'static str,
    symbol: &'static str,
    slug: &'static str,
    coinmarketcap: Option<&'static str>,
    coingecko: Option<&'static str>,
    coinpaprika: Option<&'static str>,
    binance: Option<(&'static str, f64)>,
    okx: Option<(&'static str, f64)>,
    brc20: Option<&'static str>,
    hashtags: &'static [&'static str],
}

/// All built-in coins. Coins without an id here are matched like others.
pub(super) const SEEDS: &[Seed] = &[
    Seed {
        name: "Bitcoin",
        symbol: "BTC",
        slug: "bitcoin",
        coinmarketcap: Some("1"),
        coingecko: Some("bitcoin"),
        coinpaprika: Some("btc-bitcoin"),
        binance: Some(("BTCUSDT", 1.0)),
        okx: Some(("BTC-USDT", 1.0)),
        brc20: None,
        hashtags: &["bitcoin", "btc"],
    },
    Seed {
        name: "ORDI",
        symbol: "ORDI",
        slug: "ordi",
        coinmarketcap: Some("25028"),
        coingecko: Some("ordinals"),
        coinpaprika: None,
        binance: Some(("ORDIUSDT", 1.0)),
        okx: Some(("ORDI-USDT", 1.0)),
        brc20: Some("ordi"),
        hashtags: &["ordi", "brc20"],
    },
    Seed {
        name: "SATS",
        symbol: "SATS",
        slug: "sats-ordinals",
        coinmarketcap: None,
        coingecko: Some("sats-ordinals"),
        coinpaprika: None,
        binance: Some(("1000SATSUSDT", 1000.0)),
        okx: Some(("SATS-USDT", 1.0)),
        brc20: Some("sats"),
        hashtags: &["brc20"],
    },
];

impl Seed {
    /// The coin with the ids of this seed.
    pub(super) fn coin(&self) -> CoinRef {
        let text = |text: Option<&'static str>| text.map(Text::from);
        let listing = |listing: Option<(&'static str, f64)>| {
            listing.map(|(symbol, factor)| Listing { symbol: symbol.into(), factor })
        };
        let id = self.coinmarketcap.unwrap_or(self.slug);
        let mut coin = CoinRef::new(CoinId(id.into()), self.slug.into(), self.name.into(), self.symbol.into());
        coin.coinmarketcap = text(self.coinmarketcap);
        coin.coingecko = text(self.coingecko);
        coin.coinpaprika = text(self.coinpaprika);
        coin.binance = listing(self.binance);
        coin.okx = listing(self.okx);
        coin.brc20 = text(self.brc20);
        coin.hashtags = self.hashtags.iter().map(|tag| Text::from(*tag)).collect();
        coin
    }
}
