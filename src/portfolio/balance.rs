//! Balances of addresses in the holdings.

use std::collections::HashMap;

use super::cost::Holding;
use super::places;
use super::token_prices::TokenPrices;
use crate::model::{Balance, Coin, Decimal, Text};
use crate::user_data::{Lot, LotId, Watched};

/// Why a balance has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unvalued {
    /// The coins are not loaded.
    NotLoaded,
    /// The indexer sends no ticker.
    NoTicker,
    /// Either the prices or the balances are simulated.
    PartlySimulated,
    /// Several coins claim the ticker.
    Disputed,
    /// No coin is known for the ticker.
    NoCoin,
    /// A coin may be the token, but its deploy inscription is unknown.
    NoDetails,
    /// The indexer sends no amount.
    NoBalance,
    /// The coin has no price.
    NoPrice,
}

impl Unvalued {
    /// The reason in a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Unvalued::NotLoaded => "prices not loaded",
            Unvalued::NoTicker => "no ticker",
            Unvalued::PartlySimulated => "simulated and real data mixed",
            Unvalued::Disputed => "several coins claim the ticker",
            Unvalued::NoCoin => "no known coin for the ticker",
            Unvalued::NoDetails => "token details not loaded",
            Unvalued::NoBalance => "no balance",
            Unvalued::NoPrice => "no price",
        }
    }
}

/// Returns the coin of a balance. `prices` are the known coins, or the reason there are none.
///
/// # Errors
/// The ticker matches no coin, or several.
pub fn coin_of<'a>(balance: &Balance, prices: Result<&TokenPrices<'a>, Unvalued>) -> Result<&'a Coin, Unvalued> {
    let prices = prices?;
    let ticker = balance.ticker.as_ref().ok_or(Unvalued::NoTicker)?;
    prices.coin(ticker, None).ok_or_else(|| {
        if prices.is_disputed(ticker) {
            Unvalued::Disputed
        } else if prices.is_partial() {
            Unvalued::NotLoaded
        } else if prices.needs_deploy(ticker) {
            Unvalued::NoDetails
        } else {
            Unvalued::NoCoin
        }
    })
}

/// Whether a coin is bitcoin. Every service uses this slug and symbol for it.
pub fn is_bitcoin(coin: &Coin) -> bool {
    coin.slug.as_deref() == Some("bitcoin") && coin.symbol.eq_ignore_ascii_case("BTC")
}

/// The balances of an address.
pub struct AddressBalances<'a> {
    /// The address.
    pub address: &'a Text,
    /// Each balance with its coin, if certain.
    pub balances: &'a [(Option<Watched>, Option<Decimal>)],
    /// The tickers of balances whose coin is not certain, if they have one.
    pub uncertain: Vec<Option<&'a Text>>,
    /// Whether these are all balances.
    pub is_complete: bool,
}

/// Counts the balances of addresses in the holdings: a coin's balance becomes a separate holding, which takes the lots
/// that name the address with it. The balance gives the amount and the lots their cost, so that nothing counts twice.
/// Returns the coins whose lots at an address exceed the balance, each with the index of the address and by how much:
/// the excess is removed from the oldest of them, as if it had been sold for an unknown price.
pub fn count_balances(
    holdings: &mut Vec<Holding>,
    found: &[AddressBalances<'_>],
    tokens: &TokenPrices<'_>,
    lots: &[Lot],
) -> Vec<(usize, Watched, Decimal)> {
    let mut by_coin: Vec<(Watched, Vec<(usize, Decimal)>)> = Vec::new();
    for (index, balances) in found.iter().enumerate() {
        for (coin, balance) in known_balances(balances, tokens, lots) {
            match by_coin.iter_mut().find(|(known, _)| known.is_same(&coin)) {
                Some((_, balances)) => balances.push((index, balance)),
                None => by_coin.push((coin, vec![(index, balance)])),
            }
        }
    }
    let by_id: HashMap<LotId, &Lot> = lots.iter().map(|lot| (lot.id, lot)).collect();
    let mut excesses = Vec::new();
    for (coin, balances) in by_coin {
        let at: Vec<(&Text, Decimal)> = balances
            .iter()
            .filter_map(|(index, balance)| Some((found.get(*index)?.address, balance.clone())))
            .collect();
        let exceeded = count_coin(holdings, &coin, &at, &by_id);
        let of_address = |((index, _), excess): (&(usize, Decimal), Option<Decimal>)| Some((*index, excess?));
        excesses.extend(balances.iter().zip(exceeded).filter_map(of_address).map(|(at, by)| (at, coin.clone(), by)));
    }
    excesses
}

/// The balances of an address whose coin and amount are known, one per coin.
fn known_balances(found: &AddressBalances<'_>, tokens: &TokenPrices<'_>, lots: &[Lot]) -> Vec<(Watched, Decimal)> {
    let AddressBalances { address, balances, uncertain, is_complete } = found;
    let mut known: Vec<(Watched, Decimal)> = Vec::new();
    for (coin, balance) in *balances {
        let Some((coin, balance)) = coin.as_ref().zip(balance.as_ref()) else { continue };
        match known.iter_mut().find(|(other, _)| other.is_same(coin)) {
            Some((_, sum)) => *sum = sum.clone() + balance,
            None => known.push((coin.clone(), balance.clone())),
        }
    }
    // An indexer lists no balance of a token that was spent.
    let is_listed = |coin: &Watched| balances.iter().flat_map(|(listed, _)| listed).any(|listed| listed.is_same(coin));
    let is_spent = |coin: &Watched| {
        !is_listed(coin) && tokens.is_token(coin) && !uncertain.iter().any(|it| tokens.may_be(*it, coin))
    };
    for lot in lots.iter().filter(|lot| *is_complete && lot.address.as_ref() == Some(address)) {
        if !known.iter().any(|(coin, _)| coin.is_same(&lot.coin)) && is_spent(&lot.coin) {
            known.push((lot.coin.clone(), Decimal::default()));
        }
    }
    known
}

/// Counts the balances of one coin. Returns by how much the lots at each address exceed its balance.
fn count_coin(
    holdings: &mut Vec<Holding>,
    coin: &Watched,
    balances: &[(&Text, Decimal)],
    lots: &HashMap<LotId, &Lot>,
) -> Vec<Option<Decimal>> {
    let index = holdings.iter().position(|held| held.address.is_none() && held.coin.is_same(coin));
    let whole = match index {
        Some(index) => holdings.remove(index),
        None => Holding::empty(coin.clone(), None),
    };
    let own: Vec<&Lot> = whole.lots.iter().filter_map(|state| lots.get(&state.id).copied()).collect();
    let addresses: Vec<&Text> = balances.iter().map(|(address, _)| *address).collect();
    let (elsewhere, there) = places::divided(whole, &own, &addresses);
    if let Some(index) = index.filter(|_| !elsewhere.lots.is_empty()) {
        holdings.insert(index, elsewhere);
    }
    let mut excesses = Vec::new();
    for (mut held, (_, balance)) in there.into_iter().zip(balances) {
        let by_lots = std::mem::replace(&mut held.amount, balance.clone());
        let excess = Some(by_lots - balance).filter(|excess| !excess.is_negative() && !excess.is_zero());
        if let Some(excess) = &excess {
            places::remove_excess(&mut held, excess);
        }
        if !held.lots.is_empty() || !balance.is_zero() {
            holdings.push(held);
        }
        excesses.push(excess);
    }
    excesses
}

#[cfg(test)]
mod tests;
