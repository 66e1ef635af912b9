//! Prices of BRC-20 tokens: those of the coins that are certainly these tokens.
//!
//! A coin is a token if the service names the token's ticker for it, or if one of its contracts is the token's deploy
//! inscription. Symbols don't count, since dozens of coins can share one.

use std::collections::HashMap;

use crate::model::{Brc20Token, Coin};
use crate::user_data::Watched;

/// The coins of BRC-20 tokens.
#[derive(Debug, Default)]
pub struct TokenPrices<'a> {
    /// Coins by ticker; `None` if several coins claim it.
    by_ticker: HashMap<&'a str, Option<&'a Coin>>,
    /// Coins by deploy inscription; `None` if several coins have it.
    by_inscription: HashMap<&'a str, Option<&'a Coin>>,
}

impl<'a> TokenPrices<'a> {
    /// The coins among these that are certainly BRC-20 tokens.
    pub fn new(coins: impl Iterator<Item = &'a Coin>) -> TokenPrices<'a> {
        let mut prices = TokenPrices::default();
        for coin in coins {
            if let Some(ticker) = &coin.brc20_ticker {
                prices.by_ticker.entry(ticker).and_modify(|known| *known = None).or_insert(Some(coin));
            }
            for contract in coin.contracts.iter().filter(|contract| is_inscription(&contract.address)) {
                let address = contract.address.as_str();
                prices.by_inscription.entry(address).and_modify(|known| *known = None).or_insert(Some(coin));
            }
        }
        prices
    }

    /// The coin of a token, by its ticker and deploy inscription.
    pub fn coin(&self, ticker: &str, inscription: Option<&str>) -> Option<&'a Coin> {
        let by_inscription = inscription.and_then(|id| self.by_inscription.get(id));
        agreed(self.by_ticker.get(ticker.to_lowercase().as_str()).copied(), by_inscription.copied())
    }

    /// The coin of one token, like [`TokenPrices::coin`], without an index of all coins.
    pub fn find(coins: impl Iterator<Item = &'a Coin>, ticker: &str, inscription: Option<&str>) -> Option<&'a Coin> {
        let ticker = ticker.to_lowercase();
        let (mut by_ticker, mut by_inscription) = (None, None);
        let claim = |known: &mut Option<Option<&'a Coin>>, coin| *known = Some(Some(coin).filter(|_| known.is_none()));
        for coin in coins {
            if coin.brc20_ticker.as_deref() == Some(ticker.as_str()) {
                claim(&mut by_ticker, coin);
            }
            let contracts = coin.contracts.iter().filter(|contract| is_inscription(&contract.address));
            for _ in contracts.filter(|contract| inscription == Some(contract.address.as_str())) {
                claim(&mut by_inscription, coin);
            }
        }
        agreed(by_ticker, by_inscription)
    }

    /// Whether several coins claim a ticker, so that none of them has it for certain.
    pub fn is_disputed(&self, ticker: &str) -> bool {
        matches!(self.by_ticker.get(ticker.to_lowercase().as_str()), Some(None))
    }

    /// Whether a coin is certainly a token.
    pub fn is_token(&self, coin: &Watched) -> bool {
        self.by_ticker.values().flatten().any(|token| coin.is_coin(token))
    }

    /// The coin of a token in a list.
    pub fn of_token(&self, token: &Brc20Token) -> Option<&'a Coin> {
        self.coin(&token.ticker, token.inscription_id.as_deref())
    }
}

/// The coin that both ways of finding it agree on; each may have found none, one, or several (`Some(None)`).
fn agreed<'a>(by_ticker: Option<Option<&'a Coin>>, by_inscription: Option<Option<&'a Coin>>) -> Option<&'a Coin> {
    match (by_ticker, by_inscription) {
        (Some(Some(coin)), Some(Some(other))) => (coin.id == other.id).then_some(coin),
        (Some(coin), None) | (None, Some(coin)) => coin,
        (Some(_), Some(_)) | (None, None) => None,
    }
}

/// Whether a contract's address is an inscription id: a transaction id, `i` and a number.
fn is_inscription(address: &str) -> bool {
    let is_id = |(tx, index): (&str, &str)| {
        tx.len() == 64 && tx.bytes().all(|b| b.is_ascii_hexdigit()) && index.bytes().all(|b| b.is_ascii_digit())
    };
    address.split_once('i').is_some_and(is_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CoinId, Contract, Text};

    const DEPLOY: &str = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0";

    /// A coin with a ticker, and with its deploy inscription as a contract.
    fn coin(id: &str, ticker: Option<&str>, contract: Option<&str>) -> Coin {
        let mut coin = Coin::new(CoinId(id.into()), "ORDI".into(), "ORDI".into());
        coin.brc20_ticker = ticker.map(Text::from);
        coin.contracts = contract.map(|it| Contract { platform: None, address: it.into() }).into_iter().collect();
        coin
    }

    fn found<'a>(coins: &'a [Coin], ticker: &str, inscription: Option<&str>) -> Option<&'a str> {
        let indexed = TokenPrices::new(coins.iter()).coin(ticker, inscription);
        assert_eq!(indexed, TokenPrices::find(coins.iter(), ticker, inscription));
        indexed.map(|coin| coin.id.0.as_str())
    }

    #[test]
    fn a_token_is_the_coin_with_its_ticker_or_deploy_inscription() {
        let coins = [coin("a", None, None), coin("b", Some("ordi"), None), coin("c", None, Some(DEPLOY))];
        assert_eq!(found(&coins, "ORDI", None), Some("b"), "tickers ignore case");
        assert_eq!(found(&coins, "sats", Some(DEPLOY)), Some("c"));
        assert_eq!(found(&coins[..1], "ordi", Some(DEPLOY)), None, "a symbol is no identity");
        assert_eq!(found(&[coin("x", None, Some("0x1"))], "ordi", Some("0x1")), None, "not an inscription");
    }

    #[test]
    fn contradicting_coins_have_no_price() {
        let twins = [coin("a", Some("ordi"), None), coin("b", Some("ordi"), None)];
        assert_eq!(found(&twins, "ordi", None), None);
        let twins = [coin("a", None, Some(DEPLOY)), coin("b", None, Some(DEPLOY))];
        assert_eq!(found(&twins, "ordi", Some(DEPLOY)), None);
        let contradiction = [coin("a", Some("ordi"), None), coin("b", None, Some(DEPLOY))];
        assert_eq!(found(&contradiction, "ordi", Some(DEPLOY)), None);
        let agreed = [coin("a", Some("ordi"), Some(DEPLOY))];
        assert_eq!(found(&agreed, "ordi", Some(DEPLOY)), Some("a"));
    }
}
