//! Lots and the balances of addresses as holdings with values: the same for the dashboard, commands and alerts.

use std::collections::HashSet;
use std::sync::Arc;

use jiff::civil::Date;

use super::balance::{AddressBalances, Unvalued, coin_of, count_balances};
use super::cost::{CostMethod, Holding, Rate, holdings};
use super::token_prices::TokenPrices;
use super::value::{Quote, Valuation};
use crate::model::{Balance, BitcoinBalance, Coin, Currency, Decimal, Text};
use crate::user_data::{Lot, LotId, Watched};

/// The name of bitcoin among the balances of an address. Tickers of BRC-20 tokens have at least four characters.
pub const BITCOIN: Text = Text::const_new("BTC");

/// A balance of a token.
#[derive(Clone, Debug)]
pub struct TokenBalance {
    /// The balance.
    pub balance: Balance,
    /// The coin, or why it is not certain.
    pub coin: Result<Watched, Unvalued>,
}

impl TokenBalance {
    /// Finds the coin. `prices` are the known coins, or why there are none.
    pub fn new(balance: &Balance, prices: Result<&TokenPrices<'_>, Unvalued>) -> TokenBalance {
        TokenBalance { balance: balance.clone(), coin: coin_of(balance, prices).map(Watched::from_coin) }
    }

    /// Whether the coin and the amount are known.
    pub fn is_known(&self) -> bool {
        self.coin.is_ok() && self.balance.overall.is_some()
    }

    /// Why the coin is not certain. Missing details count as no coin unless `is_requested` says that they are
    /// requested.
    pub fn problem(&self, is_requested: impl Fn(&Text) -> bool) -> Option<Unvalued> {
        match *self.coin.as_ref().err()? {
            Unvalued::NoDetails if !self.balance.ticker.as_ref().is_some_and(is_requested) => Some(Unvalued::NoCoin),
            reason => Some(reason),
        }
    }
}

/// An address with its known balances.
#[derive(Clone, Debug)]
pub struct KnownAddress<'a> {
    /// The address.
    pub address: &'a Text,
    /// The display name of the address.
    pub name: Text,
    /// The token balances, if known.
    pub tokens: Option<&'a [TokenBalance]>,
    /// Whether `tokens` has all of them.
    pub is_complete: bool,
    /// The bitcoin balance, if known.
    pub bitcoin: Option<&'a BitcoinBalance>,
    /// Whether the service has no bitcoin balances, so that none is missing.
    pub lacks_bitcoin: bool,
}

impl KnownAddress<'_> {
    /// Whether the total lacks its bitcoin: the balance or, unless `knows_price`, the price is unknown.
    fn misses_bitcoin(&self, knows_price: bool) -> bool {
        match self.bitcoin {
            Some(balance) => balance.confirmed > 0 && !knows_price,
            // An address without any balances is named itself.
            None => !self.lacks_bitcoin && self.tokens.is_some(),
        }
    }

    /// What the total lacks: the tickers of unknown balances, and the address if it has more.
    pub fn unvalued_names(&self, knows_bitcoin_price: bool) -> Vec<Text> {
        let unknown = (self.tokens.is_none() || !self.is_complete).then(|| self.name.clone());
        let tokens = self.tokens.into_iter().flatten().filter(|token| !token.is_known());
        let tickers = tokens.map(|token| token.balance.ticker.clone().unwrap_or_else(|| self.name.clone()));
        let bitcoin = self.misses_bitcoin(knows_bitcoin_price).then_some(BITCOIN);
        unknown.into_iter().chain(tickers).chain(bitcoin).collect()
    }
}

/// Lots whose amount exceeds the balance of their address.
#[derive(Clone, Debug)]
pub struct ExcessLots {
    /// The name of the address.
    pub name: Text,
    /// The coin.
    pub coin: Watched,
    /// By how much.
    pub amount: Decimal,
}

/// Turns lots and balances into holdings. `bitcoin` is the coin of bitcoin balances, without which they don't count.
pub fn build_holdings(
    lots: &[Lot],
    (method, rate): (CostMethod, Rate<'_>),
    addresses: &[KnownAddress<'_>],
    tokens: &TokenPrices<'_>,
    bitcoin: Option<&Watched>,
) -> (Vec<Holding>, Vec<ExcessLots>) {
    let mut held = holdings(lots, method, rate);
    let balances: Vec<Vec<(Option<Watched>, Option<Decimal>)>> = addresses
        .iter()
        .map(|address| {
            let tokens = address.tokens.unwrap_or_default().iter();
            let tokens = tokens.map(|token| (token.coin.clone().ok(), token.balance.overall.map(Decimal::from)));
            let bitcoin = bitcoin.zip(address.bitcoin);
            tokens.chain(bitcoin.map(|(coin, balance)| (Some(coin.clone()), Some(balance.bitcoin())))).collect()
        })
        .collect();
    let found = addresses.iter().zip(&balances).map(|(address, balances)| {
        let uncertain = address.tokens.into_iter().flatten().filter(|token| token.coin.is_err());
        AddressBalances {
            address: address.address,
            balances,
            uncertain: uncertain.map(|token| token.balance.ticker.as_ref()).collect(),
            is_complete: address.tokens.is_some() && address.is_complete,
        }
    });
    let found: Vec<AddressBalances<'_>> = found.collect();
    let exceeded = count_balances(&mut held, &found, tokens, lots).into_iter();
    let excesses = exceeded.filter_map(|(index, coin, amount)| {
        let name = addresses.get(index)?.name.clone();
        Some(ExcessLots { name, coin, amount })
    });
    let excesses = excesses.collect();
    (held, excesses)
}

/// The holdings for rules about the wallet, in which the costs of lots of `today` in currencies other than `to` are
/// unknown: only the dashboard requests their rates, and commands check the same rules. `None` if there are no such
/// lots.
pub fn without_converted_costs(
    holdings: &[Arc<Holding>],
    lots: &[Lot],
    today: Date,
    to: &Currency,
) -> Option<Vec<Arc<Holding>>> {
    let to = to.requested();
    let is_converted = |lot: &&Lot| lot.date >= today && lot.price.is_some() && lot.currency.requested() != to;
    let converted: HashSet<LotId> = lots.iter().filter(is_converted).map(|lot| lot.id).collect();
    let without = |holding: &Arc<Holding>| {
        let mut holding = Arc::clone(holding);
        if holding.lots.iter().any(|lot| converted.contains(&lot.id)) {
            let lots = &mut Arc::make_mut(&mut holding).lots;
            lots.iter_mut().filter(|lot| converted.contains(&lot.id)).for_each(|lot| lot.cost = None);
        }
        holding
    };
    (!converted.is_empty()).then(|| holdings.iter().map(without).collect())
}

/// Values holdings with the coins that `coin` finds, each with its live price if there is one. Names the parts missing
/// from the total. `today` is the day in the user's time zone.
pub fn value_holdings<'a, H: Into<Arc<Holding>>>(
    holdings: impl IntoIterator<Item = H>,
    addresses: &[KnownAddress<'_>],
    knows_bitcoin_price: bool,
    today: Date,
    coin: impl Fn(&Holding) -> Option<(&'a Coin, Option<f64>)>,
) -> Valuation {
    let mut valuation = Valuation::new(holdings, today, |holding| match coin(holding) {
        Some((coin, live)) => {
            let polled_price = coin.exact_price();
            let price = live.and_then(Decimal::from_f64).or_else(|| polled_price.clone());
            let day_range = coin.low_24h.zip(coin.high_24h);
            Quote { price, polled_price, change_24h_pct: coin.change_24h_pct, day_range }
        }
        None => Quote::default(),
    });
    for name in addresses.iter().flat_map(|address| address.unvalued_names(knows_bitcoin_price)) {
        if !valuation.unvalued.contains(&name) {
            valuation.unvalued.push(name);
        }
    }
    valuation
}
