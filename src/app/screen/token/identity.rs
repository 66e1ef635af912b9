//! Which coin a token's view shows.

use super::TokenScreen;
use crate::app::coins::named_coin::NamedCoin;
use crate::model::{Coin, CoinId, MarketSeries, Period};
use crate::user_data::Watched;

impl TokenScreen {
    /// Creates the view of a coin of a list.
    pub fn from_coin(coin: &Coin, period: Period) -> TokenScreen {
        TokenScreen::new(Some(coin.id.clone()), coin.slug.clone(), coin.symbol.clone(), coin.name.clone(), period)
    }

    /// Creates the view of a coin of the wallet that is in no list.
    pub fn from_series(series: &MarketSeries, period: Period) -> TokenScreen {
        let name = series.name.clone().unwrap_or_else(|| series.symbol.clone());
        TokenScreen::new(series.id.clone().map(CoinId), series.slug.clone(), series.symbol.clone(), name, period)
    }

    /// Creates the view of a coin with only known names.
    pub fn from_named(named: &NamedCoin, period: Period) -> TokenScreen {
        let Watched { symbol, slug, id } = named.coin.clone();
        TokenScreen::new(id.map(CoinId), slug, symbol, named.name.clone(), period)
    }

    /// The coin, for the recent places.
    pub fn named_coin(&self) -> NamedCoin {
        let id = self.id.as_ref().map(|id| id.0.clone());
        let coin = Watched { symbol: self.symbol.clone(), slug: self.slug.clone(), id };
        NamedCoin { coin, name: self.name.clone(), rank: None }
    }

    /// Whether only its symbol is known.
    pub fn has_only_symbol(&self) -> bool {
        self.id.is_none() && self.slug.is_none()
    }

    /// Sets the names of a coin of which only the symbol was known.
    pub(in crate::app) fn resolve(&mut self, named: NamedCoin) {
        let Watched { symbol, slug, id } = named.coin;
        (self.id, self.slug, self.symbol, self.name) = (id.map(CoinId), slug, symbol, named.name);
    }
}
