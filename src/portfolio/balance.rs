//! Balances of addresses in the holdings.

use std::collections::HashSet;

use super::cost::{Holding, LotProblem, LotState};
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
    /// The indexer sends no amount.
    NoBalance,
    /// The coin has no price.
    NoPrice,
}

impl Unvalued {
    /// In a few words.
    pub fn as_str(self) -> &'static str {
        match self {
            Unvalued::NotLoaded => "prices not loaded",
            Unvalued::NoTicker => "no ticker",
            Unvalued::PartlySimulated => "simulated and real data mixed",
            Unvalued::Disputed => "several coins claim the ticker",
            Unvalued::NoCoin => "no known coin for the ticker",
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
    let missing = if prices.is_disputed(ticker) { Unvalued::Disputed } else { Unvalued::NoCoin };
    prices.coin(ticker, None).ok_or(missing)
}

/// Whether a coin is bitcoin. Every service uses this slug and symbol for it.
pub fn is_bitcoin(coin: &Coin) -> bool {
    coin.slug.as_deref() == Some("bitcoin") && coin.symbol.eq_ignore_ascii_case("BTC")
}

/// The balances of an address.
pub struct AddressBalances<'a> {
    /// The address.
    pub address: &'a Text,
    /// Each balance with its coin, if that is certain.
    pub balances: &'a [(Option<Watched>, Option<Decimal>)],
    /// Whether these are all balances.
    pub is_complete: bool,
}

/// Counts the balances of an address in the holdings: a coin's balance becomes a holding of its own, which takes the lots
/// that name the address with it. The balance gives the amount and the lots their cost, so that nothing counts twice.
/// Returns the coins whose lots exceed the balance, and by how much: their cost is omitted, since it is unknown which of
/// them are still there.
pub fn count_balances(
    holdings: &mut Vec<Holding>,
    found: &AddressBalances<'_>,
    tokens: &TokenPrices<'_>,
    lots: &[Lot],
) -> Vec<(Watched, Decimal)> {
    let AddressBalances { address, balances, is_complete } = found;
    let there: Vec<&Lot> = lots.iter().filter(|lot| lot.address.as_ref() == Some(address)).collect();
    let ids: HashSet<LotId> = there.iter().map(|lot| lot.id).collect();
    let mut known: Vec<(Watched, Decimal)> = Vec::new();
    for (coin, balance) in *balances {
        if let Some((coin, balance)) = coin.as_ref().zip(balance.as_ref()) {
            known.push((coin.clone(), balance.clone()));
        }
    }
    // An indexer lists no balance of a token that was spent.
    let is_spent = *is_complete && balances.iter().all(|(coin, _)| coin.is_some());
    for lot in there.iter().filter(|lot| is_spent && tokens.is_token(&lot.coin)) {
        if !known.iter().any(|(coin, _)| coin.is_same(&lot.coin)) {
            known.push((lot.coin.clone(), Decimal::default()));
        }
    }
    let count = |(coin, balance): (Watched, Decimal)| {
        let excess = count_balance(holdings, address, &coin, &balance, &ids)?;
        Some((coin, excess))
    };
    known.into_iter().filter_map(count).collect()
}

/// Counts one balance. Returns by how much the lots exceed it.
fn count_balance(
    holdings: &mut Vec<Holding>,
    address: &Text,
    coin: &Watched,
    balance: &Decimal,
    there: &HashSet<LotId>,
) -> Option<Decimal> {
    let elsewhere = holdings.iter().position(|held| held.address.is_none() && held.coin.is_same(coin));
    let mut own = Holding {
        coin: coin.clone(),
        address: Some(address.clone()),
        amount: balance.clone(),
        costed: Decimal::default(),
        cost: Decimal::default(),
        realised: Decimal::default(),
        lots: Vec::new(),
    };
    if let Some((index, holding)) = elsewhere.and_then(|index| Some((index, holdings.get_mut(index)?))) {
        let (moved, kept): (Vec<LotState>, _) =
            std::mem::take(&mut holding.lots).into_iter().partition(|lot| there.contains(&lot.id));
        holding.lots = kept;
        for lot in &moved {
            holding.amount = holding.amount.clone() - &lot.open;
            if let Some(cost) = &lot.cost {
                own.costed = own.costed + &lot.open;
                own.cost = own.cost + cost;
            }
            own.realised = own.realised + &lot.realised.clone().unwrap_or_default();
        }
        holding.costed = holding.costed.clone() - &own.costed;
        holding.cost = holding.cost.clone() - &own.cost;
        holding.realised = holding.realised.clone() - &own.realised;
        own.coin.clone_from(&holding.coin);
        own.lots = moved;
        if holding.lots.is_empty() {
            holdings.remove(index);
        }
    }
    let open: Decimal = own.lots.iter().map(|lot| lot.open.clone()).sum();
    let excess = Some(open - balance).filter(|excess| !excess.is_negative() && !excess.is_zero());
    if let Some(excess) = &excess {
        (own.costed, own.cost) = (Decimal::default(), Decimal::default());
        for lot in own.lots.iter_mut().filter(|lot| !lot.open.is_zero()) {
            lot.cost = None;
            lot.problem = Some(LotProblem::MoreThanBalance(excess.clone()));
        }
    }
    if !own.lots.is_empty() || !balance.is_zero() {
        holdings.push(own);
    }
    excess
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::{Amount, Currency};
    use crate::portfolio::{CostMethod, Quote, Valuation};
    use crate::user_data::{LotKind, LotPrice};

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    /// Two lots of 3 for 30 each; the second is at the address.
    fn holdings() -> Vec<Holding> {
        let lot = |id| LotState {
            id: LotId(id),
            open: decimal("3"),
            cost: Some(decimal("30")),
            realised: None,
            problem: None,
        };
        vec![Holding {
            coin: Watched::by_symbol("ORDI"),
            address: None,
            amount: decimal("6"),
            costed: decimal("6"),
            cost: decimal("60"),
            realised: Decimal::default(),
            lots: vec![lot(1), lot(2)],
        }]
    }

    /// Amount, costed part and cost elsewhere and at the address, and the excess of the lots.
    fn counted(balance: &str) -> [String; 3] {
        let mut holdings = holdings();
        let (address, coin) = (Text::const_new("bc1q"), Watched::by_symbol("ORDI"));
        let excess = count_balance(&mut holdings, &address, &coin, &decimal(balance), &[LotId(2)].into());
        let [elsewhere, there] = holdings.try_into().unwrap();
        assert_eq!((&elsewhere.address, &there.address), (&None, &Some(address)));
        let shown = |Holding { amount, costed, cost, .. }: Holding| format!("{amount} {costed} {cost}");
        [shown(elsewhere), shown(there), excess.unwrap_or_default().to_string()]
    }

    #[test]
    fn balance_replaces_the_amount_of_its_lots() {
        assert_eq!(counted("3"), ["3 3 30", "3 3 30", "0"]);
        assert_eq!(counted("5"), ["3 3 30", "5 3 30", "0"], "more than the lots: the rest has no cost");
        assert_eq!(counted("1"), ["3 3 30", "1 0 0", "2"], "less than the lots: their cost is unknown");
        assert_eq!(counted("0"), ["3 3 30", "0 0 0", "3"]);
    }

    #[test]
    fn coin_without_lots_is_a_holding_without_cost() {
        let mut holdings = holdings();
        let (address, sats) = (Text::const_new("bc1q"), Watched::by_symbol("SATS"));
        let all = [LotId(1), LotId(2)].into();
        count_balance(&mut holdings, &address, &sats, &Decimal::default(), &all);
        assert_eq!(holdings.len(), 1);
        count_balance(&mut holdings, &address, &sats, &decimal("7"), &all);
        assert_eq!((holdings[1].amount.to_string(), holdings[1].costed.is_zero()), (String::from("7"), true));
    }

    #[test]
    fn holding_whose_lots_are_all_there_moves_to_the_address() {
        let mut holdings = holdings();
        let coin = Watched::by_symbol("ORDI");
        count_balance(&mut holdings, &Text::const_new("bc1q"), &coin, &decimal("7"), &[LotId(1), LotId(2)].into());
        let [only] = holdings.try_into().unwrap();
        assert_eq!((only.amount.to_string(), only.cost.to_string(), only.lots.len()), ("7".into(), "60".into(), 2));
    }

    #[test]
    fn unlisted_token_is_spent_only_if_all_balances_are_known() {
        let mut ordi = Coin::new(crate::model::CoinId("1".into()), "ORDI".into(), "ORDI".into());
        ordi.brc20_ticker = Some("ordi".into());
        let tokens = TokenPrices::new(std::iter::once(&ordi));
        let lot = |id| Lot {
            id: LotId(id),
            kind: Default::default(),
            coin: Watched::from_coin(&ordi),
            amount: Amount::from_units(3),
            price: None,
            fee: None,
            currency: Currency::usd(),
            date: jiff::civil::Date::constant(2025, 3, 2),
            note: None,
            address: (id == 2).then(|| Text::const_new("bc1q")),
        };
        let lots = [lot(1), lot(2)];
        let amount = |balances: &[(Option<Watched>, Option<Decimal>)], is_complete| {
            let mut holdings = crate::portfolio::holdings(&lots, Default::default(), &|_, _| None);
            let found = AddressBalances { address: &Text::const_new("bc1q"), balances, is_complete };
            count_balances(&mut holdings, &found, &tokens, &lots);
            holdings.iter().map(|holding| holding.amount.clone()).sum::<Decimal>().to_string()
        };
        assert_eq!(amount(&[], true), "3");
        assert_eq!(amount(&[], false), "6", "the token may be among the balances that are missing");
        assert_eq!(amount(&[(None, Some(decimal("1")))], true), "6", "the other token may be this one");
    }

    proptest! {
        /// However the lots are spread, nothing counts twice and nothing is lost.
        #[test]
        fn totals_equal_the_sum_of_the_parts(
            lots in proptest::collection::vec((1_u64..1_000, 1_u32..50, 0_usize..3, any::<bool>()), 0..12),
            balances in proptest::array::uniform2(0_u64..5_000),
        ) {
            let addresses = ["bc1qa", "bc1qb"].map(Text::const_new);
            let lots: Vec<Lot> = (1..).zip(lots).map(|(id, (amount, price, place, sells))| Lot {
                id: LotId(id),
                kind: if sells { LotKind::Sell } else { LotKind::Buy },
                coin: Watched::by_symbol("ORDI"),
                amount: Amount::from_units(amount),
                price: Some(LotPrice::Unit(Decimal::from(price))),
                fee: None,
                currency: Currency::usd(),
                date: jiff::civil::Date::constant(2025, 3, 2),
                note: None,
                address: addresses.get(place).cloned(),
            }).collect();
            let whole = crate::portfolio::holdings(&lots, CostMethod::Fifo, &|_, _| Some(Decimal::from(1)));
            let open_at = |address: Option<&Text>| -> Decimal {
                let states = whole.iter().flat_map(|held| &held.lots);
                let own = states.filter(|state| {
                    lots.iter().any(|lot| lot.id == state.id && lot.address.as_ref() == address)
                });
                own.map(|state| state.open.clone()).sum()
            };
            let mut parts = whole.clone();
            let mut expected = open_at(None);
            let mut has_excess = false;
            for (address, balance) in addresses.iter().zip(balances) {
                let balance = Decimal::from(Amount::from_units(balance));
                let found = [(Some(Watched::by_symbol("ORDI")), Some(balance.clone()))];
                let found = AddressBalances { address, balances: &found, is_complete: true };
                has_excess |= !count_balances(&mut parts, &found, &TokenPrices::default(), &lots).is_empty();
                expected = expected + &balance;
            }
            let amounts: Decimal = parts.iter().map(|held| held.amount.clone()).sum();
            prop_assert_eq!(&amounts, &expected);
            let sum = |all: &[Holding], of: fn(&Holding) -> &Decimal| -> Decimal { all.iter().map(|held| of(held).clone()).sum() };
            prop_assert_eq!(sum(&parts, |held| &held.realised), sum(&whole, |held| &held.realised));
            if !has_excess {
                prop_assert_eq!(sum(&parts, |held| &held.cost), sum(&whole, |held| &held.cost));
            }
            let valuation = Valuation::new(parts, |_| Quote { price: Some(10.0), change_24h_pct: Some(25.0) });
            let values: Decimal = valuation.holdings.iter().filter_map(|held| held.value.clone()).sum();
            prop_assert_eq!(&valuation.value, &values);
            prop_assert_eq!(valuation.value, &expected * &Decimal::from(10));
        }
    }
}
