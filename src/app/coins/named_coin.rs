//! A coin with its name, from a list or from the names of all coins.

use crate::model::{Coin, CoinName, Text};
use crate::user_data::Watched;

/// A coin with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCoin {
    /// Symbol, slug and id.
    pub coin: Watched,
    /// The coin's name.
    pub name: Text,
    /// The coin's rank by market cap.
    pub rank: Option<u32>,
}

impl NamedCoin {
    /// The identity: the id, or else the slug, or else the symbol.
    pub(in crate::app) fn key(&self) -> Text {
        let Watched { symbol, slug, id } = &self.coin;
        id.as_ref().or(slug.as_ref()).unwrap_or(symbol).clone()
    }

    /// The rank for sorting: coins without one come last.
    pub fn order(&self) -> u32 {
        self.rank.unwrap_or(u32::MAX)
    }
}

/// The index of a chosen coin after the coins of a name were found again, since others have become known.
pub(in crate::app) fn follow(chosen: usize, before: &[NamedCoin], now: &[NamedCoin]) -> usize {
    let is_chosen = |own: &NamedCoin| before.get(chosen).is_some_and(|coin| coin.coin.has_same_id(&own.coin));
    now.iter().position(is_chosen).unwrap_or(chosen)
}

impl From<&Coin> for NamedCoin {
    fn from(coin: &Coin) -> NamedCoin {
        NamedCoin { coin: Watched::from_coin(coin), name: coin.name.clone(), rank: coin.rank }
    }
}

impl From<&CoinName> for NamedCoin {
    fn from(name: &CoinName) -> NamedCoin {
        let CoinName { id, name, symbol, slug, rank } = name.clone();
        NamedCoin { coin: Watched { symbol, slug: Some(slug), id: Some(id) }, name, rank }
    }
}
