//! Balances of addresses in the holdings.

use super::cost::{Holding, LotState};
use crate::model::Decimal;
use crate::user_data::{LotId, Watched};

/// Counts a coin's balance at an address: the balance gives the amount, and the lots that name the address (`is_there`)
/// only their cost, so that nothing counts twice. Returns by how much these lots exceed the balance; their cost is then
/// left out, since it is unknown which of them are still there.
pub fn count_balance(
    holdings: &mut Vec<Holding>,
    coin: &Watched,
    balance: &Decimal,
    is_there: impl Fn(LotId) -> bool,
) -> Option<Decimal> {
    let zero = Decimal::default();
    let Some(holding) = holdings.iter_mut().find(|holding| holding.coin.is_same(coin)) else {
        if !balance.is_zero() {
            holdings.push(Holding {
                coin: coin.clone(),
                amount: balance.clone(),
                costed: zero.clone(),
                cost: zero.clone(),
                realised: zero,
                lots: Vec::new(),
            });
        }
        return None;
    };
    let there: Vec<&LotState> = holding.lots.iter().filter(|lot| is_there(lot.id)).collect();
    let open: Decimal = there.iter().map(|lot| lot.open.clone()).sum();
    holding.amount = holding.amount.clone() - &open + balance;
    let excess = open - balance;
    if excess.is_negative() || excess.is_zero() {
        return None;
    }
    for lot in there {
        if let Some(cost) = &lot.cost {
            holding.costed = holding.costed.clone() - &lot.open;
            holding.cost = holding.cost.clone() - cost;
        }
    }
    Some(excess)
}

#[cfg(test)]
mod tests {
    use super::*;

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
            amount: decimal("6"),
            costed: decimal("6"),
            cost: decimal("60"),
            realised: Decimal::default(),
            lots: vec![lot(1), lot(2)],
        }]
    }

    /// Amount, costed part, cost, and excess of the lots.
    fn counted(balance: &str) -> [String; 4] {
        let mut holdings = holdings();
        let coin = Watched::by_symbol("ORDI");
        let excess = count_balance(&mut holdings, &coin, &decimal(balance), |id| id == LotId(2));
        let Holding { amount, costed, cost, .. } = &holdings[0];
        [amount, costed, cost, &excess.unwrap_or_default()].map(ToString::to_string)
    }

    #[test]
    fn balance_replaces_the_amount_of_its_lots() {
        assert_eq!(counted("3"), ["6", "6", "60", "0"]);
        assert_eq!(counted("5"), ["8", "6", "60", "0"], "more than the lots: the rest has no cost");
        assert_eq!(counted("1"), ["4", "3", "30", "2"], "less than the lots: their cost is unknown");
        assert_eq!(counted("0"), ["3", "3", "30", "3"]);
    }

    #[test]
    fn coin_without_lots_is_a_holding_without_cost() {
        let mut holdings = holdings();
        let sats = Watched::by_symbol("SATS");
        count_balance(&mut holdings, &sats, &Decimal::default(), |_| true);
        assert_eq!(holdings.len(), 1);
        count_balance(&mut holdings, &sats, &decimal("7"), |_| true);
        assert_eq!((holdings[1].amount.to_string(), holdings[1].costed.is_zero()), (String::from("7"), true));
    }
}
