//! Prices of BRC-20 tokens, from the coins that are certainly these tokens.
//!
//! A coin is a token if the service names the token's ticker for it, or if one of its contracts is the token's deploy
//! inscription. Symbols don't count, since dozens of coins can share one.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::model::{Brc20Token, Coin, Text, is_inscription_id};
use crate::user_data::watchlist::{IgnoreCase, Watched};

/// The deploy inscriptions of tokens by lowercase ticker, as the indexer's token details give them; `None` if they
/// don't.
pub type Deploys = BTreeMap<Text, Option<Text>>;

/// Maximum tokens whose details are requested although no coin has their ticker as its symbol.
const MAX_DETAILS: usize = 50;

/// Which coins have a ticker or a deploy inscription.
#[derive(Clone, Copy, Debug)]
enum Claim<'a> {
    One(&'a Coin),
    /// Several coins, so that none of them has it for certain.
    Several,
}

impl<'a> Claim<'a> {
    /// The only coin.
    fn coin(self) -> Option<&'a Coin> {
        match self {
            Claim::One(coin) => Some(coin),
            Claim::Several => None,
        }
    }
}

/// The coins of BRC-20 tokens.
#[derive(Debug, Default)]
pub struct TokenPrices<'a> {
    /// Coins by ticker.
    by_ticker: HashMap<&'a str, Claim<'a>>,
    /// Coins by deploy inscription.
    by_inscription: HashMap<&'a str, Claim<'a>>,
    /// The known deploy inscriptions.
    deploys: Option<&'a Deploys>,
    /// The values of `deploys`, for lookups by inscription.
    deployed: HashSet<&'a str>,
    /// Coins of lots, which may be tokens that the list does not have yet.
    of_lots: Vec<&'a Coin>,
    /// Whether more coins are loading.
    is_partial: bool,
}

impl<'a> TokenPrices<'a> {
    /// The coins among these that are certainly BRC-20 tokens.
    pub fn new(coins: impl Iterator<Item = &'a Coin>) -> TokenPrices<'a> {
        let mut prices = TokenPrices::default();
        for coin in coins {
            if let Some(ticker) = &coin.brc20_ticker {
                prices.by_ticker.entry(ticker).and_modify(|known| *known = Claim::Several).or_insert(Claim::One(coin));
            }
            for contract in coin.contracts.iter().filter(|contract| is_inscription_id(&contract.address)) {
                let address = contract.address.as_str();
                let claim = prices.by_inscription.entry(address);
                claim.and_modify(|known| *known = Claim::Several).or_insert(Claim::One(coin));
            }
        }
        prices
    }

    /// Adds the deploy inscriptions of tokens that only have a ticker.
    #[must_use]
    pub fn with_deploys(self, deploys: &'a Deploys) -> TokenPrices<'a> {
        let deployed = deploys.values().filter_map(|id| id.as_deref()).collect();
        TokenPrices { deploys: Some(deploys), deployed, ..self }
    }

    /// Adds the coins of lots; only coins that are tokens count.
    #[must_use]
    pub fn with_coins_of_lots(self, coins: impl Iterator<Item = &'a Coin>) -> TokenPrices<'a> {
        TokenPrices { of_lots: coins.filter(|coin| is_token(coin)).collect(), ..self }
    }

    /// Sets whether more coins are loading, which may include the coins of tokens without one.
    #[must_use]
    pub fn partial(self, is_partial: bool) -> TokenPrices<'a> {
        TokenPrices { is_partial, ..self }
    }

    /// Whether more coins are loading.
    pub fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// The coin of a token, by its ticker and deploy inscription.
    pub fn coin(&self, ticker: &str, inscription: Option<&str>) -> Option<&'a Coin> {
        let ticker = ticker.to_lowercase();
        let inscription = inscription.or_else(|| self.deploys?.get(ticker.as_str())?.as_deref());
        let by_inscription = inscription.and_then(|id| self.by_inscription.get(id));
        agreed(self.by_ticker.get(ticker.as_str()).copied(), by_inscription.copied())
    }

    /// Whether the deploy inscription of a ticker without a coin is unknown and may belong to a coin.
    pub fn needs_deploy(&self, ticker: &str) -> bool {
        let ticker = ticker.to_lowercase();
        let is_known = self.deploys.is_some_and(|deploys| deploys.contains_key(ticker.as_str()));
        !is_known && !self.by_ticker.contains_key(ticker.as_str()) && self.unclaimed().next().is_some()
    }

    /// The tickers whose details are worth a request: those without a coin that may be the token of one. The ones that are
    /// a coin's symbol come first; the others are limited.
    pub fn tickers_to_look_up<'b>(&self, tickers: impl Iterator<Item = &'b Text>) -> Vec<Text> {
        let mut wanted: Vec<&Text> = tickers.filter(|ticker| self.needs_deploy(ticker)).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let symbols: HashSet<IgnoreCase<'_>> = self.unclaimed().map(|coin| IgnoreCase(&coin.symbol)).collect();
        let (named, others): (Vec<&Text>, Vec<&Text>) =
            wanted.into_iter().partition(|ticker| symbols.contains(&IgnoreCase(ticker)));
        let rest = MAX_DETAILS.saturating_sub(self.deploys.map_or(0, Deploys::len));
        named.into_iter().chain(others.into_iter().take(rest)).cloned().collect()
    }

    /// The coins with a deploy inscription whose ticker is unknown.
    fn unclaimed(&self) -> impl Iterator<Item = &'a Coin> {
        let coins = self.by_inscription.iter().filter(|(id, _)| !self.deployed.contains(**id));
        coins.filter_map(|(_, claim)| claim.coin().filter(|coin| coin.brc20_ticker.is_none()))
    }

    /// The coin of one token, like [`TokenPrices::coin`], without an index of all coins.
    pub fn find(coins: impl Iterator<Item = &'a Coin>, ticker: &str, inscription: Option<&str>) -> Option<&'a Coin> {
        let lower = ticker.to_lowercase();
        let is_candidate = |coin: &&Coin| {
            let has_ticker = coin.brc20_ticker.as_deref() == Some(lower.as_str());
            has_ticker || coin.contracts.iter().any(|contract| inscription == Some(contract.address.as_str()))
        };
        TokenPrices::new(coins.filter(is_candidate)).coin(ticker, inscription)
    }

    /// Whether several coins claim a ticker, so that none of them has it for certain.
    pub fn is_disputed(&self, ticker: &str) -> bool {
        matches!(self.by_ticker.get(ticker.to_lowercase().as_str()), Some(Claim::Several))
    }

    /// Whether a coin is certainly a token.
    pub fn is_token(&self, coin: &Watched) -> bool {
        self.copies_of(coin).next().is_some()
    }

    /// Whether a token whose coin is not certain may be this coin. A coin with another ticker is another token.
    pub fn may_be(&self, ticker: Option<&Text>, coin: &Watched) -> bool {
        let Some(ticker) = ticker.map(|ticker| ticker.to_lowercase()) else { return true };
        let deploy = self.deploys.and_then(|deploys| deploys.get(ticker.as_str()));
        self.copies_of(coin).any(|token| match (&token.brc20_ticker, deploy) {
            (Some(own), _) => *own == ticker,
            (None, Some(Some(id))) => token.contracts.iter().any(|contract| contract.address == *id),
            (None, Some(None)) => token.symbol.eq_ignore_ascii_case(&ticker),
            (None, None) => !self.by_ticker.contains_key(ticker.as_str()),
        })
    }

    /// The loaded copies of a coin that is a token.
    fn copies_of<'b>(&'b self, coin: &'b Watched) -> impl Iterator<Item = &'a Coin> + 'b {
        let claims = self.by_ticker.values().chain(self.by_inscription.values());
        let listed = claims.filter_map(|claim| claim.coin());
        listed.chain(self.of_lots.iter().copied()).filter(|token| coin.is_coin(token))
    }

    /// The coin of a token in a list.
    pub fn of_token(&self, token: &Brc20Token) -> Option<&'a Coin> {
        self.coin(&token.ticker, token.inscription_id.as_deref())
    }
}

/// The coin that both ways of finding it agree on.
fn agreed<'a>(by_ticker: Option<Claim<'a>>, by_inscription: Option<Claim<'a>>) -> Option<&'a Coin> {
    match (by_ticker, by_inscription) {
        (Some(Claim::One(coin)), Some(Claim::One(other))) => (coin.id == other.id).then_some(coin),
        (Some(claim), None) | (None, Some(claim)) => claim.coin(),
        (Some(_), Some(_)) | (None, None) => None,
    }
}

/// Whether a coin is a token: it has a ticker, or an inscription as its contract.
pub fn is_token(coin: &Coin) -> bool {
    coin.brc20_ticker.is_some() || coin.contracts.iter().any(|contract| is_inscription_id(&contract.address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{CoinId, Contract};

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
    fn token_is_matched_by_ticker_or_deploy_inscription() {
        let coins = [coin("a", None, None), coin("b", Some("ordi"), None), coin("c", None, Some(DEPLOY))];
        assert_eq!(found(&coins, "ORDI", None), Some("b"), "tickers ignore case");
        assert_eq!(found(&coins, "sats", Some(DEPLOY)), Some("c"));
        assert_eq!(found(&coins[..1], "ordi", Some(DEPLOY)), None, "a symbol is no identity");
        assert_eq!(found(&[coin("x", None, Some("0x1"))], "ordi", Some("0x1")), None, "not an inscription");
        assert!(is_token(&coins[2]) && !is_token(&coin("x", None, Some(&DEPLOY[..65]))), "an id has an index");
    }

    #[test]
    fn deploy_inscription_identifies_the_coin_of_a_ticker() {
        let coins = [coin("a", None, Some(DEPLOY)), coin("b", Some("rats"), None)];
        let prices = || TokenPrices::new(coins.iter());
        let found = |prices: &TokenPrices<'_>| prices.coin("Ordi", None).map(|coin| coin.id.0.to_string());
        let tickers = ["zzzz", "ordi", "rats"].map(Text::from);
        assert_eq!(
            (found(&prices()), prices().needs_deploy("ordi"), prices().needs_deploy("rats")),
            (None, true, false)
        );
        assert_eq!(prices().tickers_to_look_up(tickers.iter()), ["ordi", "zzzz"], "its symbol is ORDI");
        let deploys = Deploys::from([("ordi".into(), Some(DEPLOY.into()))]);
        let known = prices().with_deploys(&deploys);
        assert_eq!(found(&known).as_deref(), Some("a"));
        assert!(known.tickers_to_look_up(tickers.iter()).is_empty(), "no coin is left");
        let other = Deploys::from([("ordi".into(), None)]);
        let unknown = prices().with_deploys(&other);
        assert_eq!((found(&unknown), unknown.needs_deploy("ordi")), (None, false));
    }

    #[test]
    fn contradicting_coins_have_no_price() {
        let rivals = [coin("a", Some("ordi"), None), coin("b", Some("ordi"), None)];
        assert_eq!(found(&rivals, "ordi", None), None);
        let rivals = [coin("a", None, Some(DEPLOY)), coin("b", None, Some(DEPLOY))];
        assert_eq!(found(&rivals, "ordi", Some(DEPLOY)), None);
        let contradiction = [coin("a", Some("ordi"), None), coin("b", None, Some(DEPLOY))];
        assert_eq!(found(&contradiction, "ordi", Some(DEPLOY)), None);
        let agreed = [coin("a", Some("ordi"), Some(DEPLOY))];
        assert_eq!(found(&agreed, "ordi", Some(DEPLOY)), Some("a"));
    }
}
