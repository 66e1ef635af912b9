use jiff::civil::Date;
use proptest::prelude::*;

use super::*;
use crate::model::{Amount, Currency};
use crate::portfolio::{CostMethod, LotProblem, LotState, Quote, Valuation};
use crate::user_data::{LotKind, LotPrice};

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

const COLD: Text = Text::const_new("bc1q");

type KnownBalance = (Option<Watched>, Option<Decimal>);

fn lot(id: i64, kind: LotKind, amount: u64, unit: u32, address: Option<Text>) -> Lot {
    Lot {
        id: LotId(id),
        kind,
        coin: Watched::by_symbol("ORDI"),
        amount: Amount::from_units(amount),
        price: Some(LotPrice::Unit(Decimal::from(unit))),
        fee: None,
        currency: Currency::usd(),
        date: Date::constant(2025, 3, 2),
        note: None,
        address,
    }
}

fn of_lots(lots: &[Lot]) -> Vec<Holding> {
    crate::portfolio::holdings(lots, CostMethod::Fifo, &|_, _| Some(Decimal::from(1).into()))
}

fn by_id(lots: &[Lot]) -> HashMap<LotId, &Lot> {
    lots.iter().map(|lot| (lot.id, lot)).collect()
}

/// Amount, costed part, cost and profit of each place, elsewhere first, and the excess of the lots at the address.
fn counted(lots: &[Lot], balance: &str) -> (Vec<String>, String) {
    let mut holdings = of_lots(lots);
    let coin = Watched::by_symbol("ORDI");
    let excess = count_coin(&mut holdings, &coin, &[(&COLD, decimal(balance))], &by_id(lots)).remove(0);
    let shown = |Holding { address, amount, costed, cost, realised, .. }: Holding| {
        let place = if address.is_some() { "there" } else { "elsewhere" };
        format!("{place} {amount} {costed} {cost} {realised}")
    };
    (holdings.into_iter().map(shown).collect(), excess.unwrap_or_default().to_string())
}

#[test]
fn balance_replaces_the_amount_of_its_lots() {
    let lots = [lot(1, LotKind::Buy, 3, 10, None), lot(2, LotKind::Buy, 3, 10, Some(COLD))];
    for (balance, there, excess, why) in [
        ("3", "there 3 3 30 0", "0", "equal"),
        ("5", "there 5 3 30 0", "0", "more than the lots: the rest has no cost"),
        ("1", "there 1 1 10 0", "2", "less than the lots: the excess is omitted"),
        ("0", "there 0 0 0 0", "3", "nothing is left"),
    ] {
        let expected = (vec![String::from("elsewhere 3 3 30 0"), there.into()], excess.into());
        assert_eq!(counted(&lots, balance), expected, "{why}");
    }
}

#[test]
fn excess_of_todays_lots_over_the_balance_is_not_counted() {
    let lots = [lot(1, LotKind::Buy, 3, 9, Some(COLD))];
    for (balance, change) in [("3", "3"), ("2", "2")] {
        // The lots keep their own costs beside the average.
        let mut holdings =
            crate::portfolio::holdings(&lots, CostMethod::Average, &|_, _| Some(Decimal::from(1).into()));
        count_coin(&mut holdings, &Watched::by_symbol("ORDI"), &[(&COLD, decimal(balance))], &by_id(&lots));
        let (price, day_range) = (Some(decimal("10")), Some((7.5, 10.5)));
        let quote = Quote { price, change_24h_pct: Some(25.0), day_range, ..Quote::default() };
        let valuation = Valuation::new(holdings, Date::constant(2025, 3, 2), |_| quote.clone());
        assert_eq!(valuation.day_change, decimal(change), "{balance}");
    }
}

#[test]
fn excess_is_removed_from_the_oldest_lots() {
    let lots = [(1, 3, 10), (2, 4, 20)].map(|(id, amount, unit)| lot(id, LotKind::Buy, amount, unit, Some(COLD)));
    for (balance, whole, left) in [
        ("6", "there 6 6 100 0", ["2 20 1", "4 80 "]),
        ("3", "there 3 3 60 0", ["0 0 3", "3 60 1"]),
        ("0", "there 0 0 0 0", ["0 0 3", "0 0 4"]),
    ] {
        assert_eq!(counted(&lots, balance).0, [whole], "{balance}");
        let mut holdings = of_lots(&lots);
        count_coin(&mut holdings, &Watched::by_symbol("ORDI"), &[(&COLD, decimal(balance))], &by_id(&lots));
        let shown = |LotState { open, cost, problem, .. }: &LotState| {
            let excess = match problem {
                Some(LotProblem::MoreThanBalance(excess)) => excess.to_string(),
                _ => String::new(),
            };
            format!("{open} {} {excess}", cost.clone().unwrap())
        };
        assert_eq!(holdings[0].lots.iter().map(shown).collect::<Vec<_>>(), left, "{balance}");
    }
}

#[test]
fn sale_takes_its_amount_from_the_place_that_it_names() {
    use LotKind::{Buy, Sell};
    let lots = [lot(1, Buy, 1000, 4, Some(COLD)), lot(2, Buy, 1000, 3, None), lot(3, Sell, 1000, 6, None)];
    let (places, excess) = counted(&lots, "1000");
    // The older lot's cost is sold; the younger lot's cost remains.
    assert_eq!((places, excess.as_str()), (vec!["elsewhere 0 0 0 2000".into(), "there 1000 1000 3000 0".into()], "0"));
    let lots = [lot(1, Buy, 1000, 4, None), lot(2, Buy, 1000, 3, Some(COLD)), lot(3, Sell, 600, 6, Some(COLD))];
    let (places, excess) = counted(&lots, "400");
    let expected = vec!["elsewhere 1000 1000 3400 0".into(), "there 400 400 1200 1200".into()];
    assert_eq!((places, excess.as_str()), (expected, "0"));
}

#[test]
fn sale_without_an_address_may_take_lots_of_an_address() {
    use LotKind::{Buy, Sell};
    let lots = [lot(1, Buy, 10, 4, Some(COLD)), lot(2, Sell, 10, 6, None)];
    assert_eq!(counted(&lots, "0"), (vec!["elsewhere 0 0 0 20".into(), "there 0 0 0 0".into()], "0".into()));
    let lots = [lot(1, Buy, 10, 4, None), lot(2, Sell, 10, 6, Some(COLD))];
    let expected = vec!["elsewhere 10 0 0 0".into(), "there 5 0 0 20".into()];
    assert_eq!(counted(&lots, "5"), (expected, "0".into()), "what was at the address had no lots");
}

#[test]
fn coin_without_lots_is_a_holding_without_cost() {
    let lots = [lot(1, LotKind::Buy, 3, 10, None)];
    let mut holdings = of_lots(&lots);
    let sats = Watched::by_symbol("SATS");
    count_coin(&mut holdings, &sats, &[(&COLD, Decimal::default())], &by_id(&lots));
    assert_eq!(holdings.len(), 1);
    count_coin(&mut holdings, &sats, &[(&COLD, decimal("7"))], &by_id(&lots));
    assert_eq!((holdings[1].amount.to_string(), holdings[1].costed.is_zero()), (String::from("7"), true));
}

#[test]
fn holding_moves_to_the_address_if_all_its_lots_are_there() {
    let lots = [lot(1, LotKind::Buy, 3, 10, Some(COLD)), lot(2, LotKind::Buy, 3, 10, Some(COLD))];
    assert_eq!(counted(&lots, "7"), (vec!["there 7 6 60 0".into()], "0".into()));
}

#[test]
fn unlisted_token_is_spent_only_if_all_balances_are_known() {
    let mut ordi = Coin::new(crate::model::CoinId("1".into()), "ORDI".into(), "ORDI".into());
    ordi.brc20_ticker = Some("ordi".into());
    let tokens = TokenPrices::new(std::iter::once(&ordi));
    let lots = [None, Some(COLD)].map(|address| Lot {
        coin: Watched::from_coin(&ordi),
        ..lot(1 + i64::from(address.is_some()), LotKind::Buy, 3, 10, address)
    });
    let amount = |balances: &[KnownBalance], uncertain: &[Option<&str>], is_complete| {
        let mut holdings = crate::portfolio::holdings(&lots, Default::default(), &|_, _| None);
        let tickers: Vec<Option<Text>> = uncertain.iter().map(|ticker| ticker.map(Text::from)).collect();
        let uncertain = tickers.iter().map(Option::as_ref).collect();
        let found = AddressBalances { address: &COLD, balances, uncertain, is_complete };
        count_balances(&mut holdings, &[found], &tokens, &lots);
        holdings.iter().map(|holding| holding.amount.clone()).sum::<Decimal>().to_string()
    };
    let unknown = [(None, Some(decimal("1")))];
    assert_eq!(amount(&[], &[], true), "3");
    assert_eq!(amount(&[], &[], false), "6", "the token may be among the balances that are missing");
    assert_eq!(amount(&unknown, &[Some("zzzz")], true), "3", "a token with another ticker is not this one");
    assert_eq!(amount(&unknown, &[Some("Ordi")], true), "6", "it may be this one if several coins claim its ticker");
    assert_eq!(amount(&unknown, &[None], true), "6", "a token without a ticker may be this one");
    assert_eq!(amount(&[(Some(Watched::from_coin(&ordi)), None)], &[], true), "6", "its amount is unknown");
}

/// The simplest model of places: elsewhere, and two addresses, in whole units.
fn by_place(lots: &[Lot], places: &[Option<Text>; 3]) -> [u64; 3] {
    let mut held = [0_u64; 3];
    for lot in lots {
        let place = places.iter().position(|place| *place == lot.address).unwrap();
        let mut rest: u64 = lot.amount.to_string().parse().unwrap();
        if lot.kind.adds() {
            held[place] += rest;
            continue;
        }
        // Amounts that aren't elsewhere may be from any address, in the order of their first lots.
        let mut order = vec![place];
        if place == 0 {
            for lot in lots {
                order.extend(places.iter().position(|place| lot.address.is_some() && *place == lot.address));
            }
        }
        for from in order {
            let taken = rest.min(held[from]);
            held[from] -= taken;
            rest -= taken;
        }
    }
    held
}

proptest! {
    /// However the lots are spread, nothing counts twice and nothing is lost.
    #[test]
    fn totals_equal_the_sum_of_the_places(
        lots in proptest::collection::vec((1_u64..1_000, 1_u32..50, 0_usize..3, any::<bool>()), 0..12),
        balances in proptest::array::uniform2(proptest::option::of(0_u64..3_000)),
        is_average: bool,
    ) {
        let places = [None, Some(Text::const_new("bc1qa")), Some(Text::const_new("bc1qb"))];
        let lots: Vec<Lot> = (1..).zip(lots).map(|(id, (amount, price, place, sells))| {
            let kind = if sells { LotKind::Sell } else { LotKind::Buy };
            lot(id, kind, amount, price, places[place].clone())
        }).collect();
        let method = if is_average { CostMethod::Average } else { CostMethod::Fifo };
        let whole = crate::portfolio::holdings(&lots, method, &|_, _| Some(Decimal::from(1).into()));
        let mut parts = whole.clone();
        // An address without a balance counts as elsewhere.
        let counts = |address: &Text| (1..3).any(|at| places[at].as_ref() == Some(address) && balances[at - 1].is_some());
        let counted: Vec<Lot> = lots.iter().cloned().map(|lot| {
            Lot { address: lot.address.clone().filter(counts), ..lot }
        }).collect();
        let by_lots = by_place(&counted, &places);
        let found: Vec<(&Text, [KnownBalance; 1], u64)> = (1..3).filter_map(|at| {
            let balance = balances[at - 1]?;
            let known = (Some(Watched::by_symbol("ORDI")), Some(Decimal::from(Amount::from_units(balance))));
            Some((places[at].as_ref()?, [known], balance))
        }).collect();
        let all: Vec<AddressBalances<'_>> = found.iter().map(|(address, balances, _)| {
            AddressBalances { address, balances, uncertain: Vec::new(), is_complete: true }
        }).collect();
        let excesses = count_balances(&mut parts, &all, &TokenPrices::default(), &lots);

        // Each place has its amount: the balance of an address, and the rest of the lots elsewhere.
        let amount_at = |place: Option<&Text>| -> Decimal {
            parts.iter().filter(|held| held.address.as_ref() == place).map(|held| held.amount.clone()).sum()
        };
        prop_assert_eq!(amount_at(None), Decimal::from(Amount::from_units(by_lots[0])));
        for (index, (address, _, balance)) in found.iter().enumerate() {
            prop_assert_eq!(amount_at(Some(address)), Decimal::from(Amount::from_units(*balance)));
            let place = places.iter().position(|place| place.as_ref() == Some(*address)).unwrap();
            let excess = excesses.iter().find(|(at, ..)| *at == index).map(|(.., by)| by.clone());
            let expected = by_lots[place].saturating_sub(*balance);
            prop_assert_eq!(excess.unwrap_or_default(), Decimal::from(Amount::from_units(expected)));
        }
        let total = by_lots[0] + found.iter().map(|(.., balance)| *balance).sum::<u64>();
        let amounts: Decimal = parts.iter().map(|held| held.amount.clone()).sum();
        prop_assert_eq!(&amounts, &Decimal::from(Amount::from_units(total)));

        // The remaining amount and cost of the lots exist exactly once.
        let sum = |all: &[Holding], of: fn(&Holding) -> &Decimal| -> Decimal { all.iter().map(|held| of(held).clone()).sum() };
        let open = |all: &[Holding]| -> Decimal {
            all.iter().flat_map(|held| &held.lots).map(|state| state.open.clone()).sum()
        };
        // An excess may be of more than the open lots there: a sale at one address can be of lots at another one.
        let removed: Decimal = parts.iter().flat_map(|held| &held.lots).filter_map(|state| match &state.problem {
            Some(LotProblem::MoreThanBalance(excess)) => Some(excess.clone()),
            _ => None,
        }).sum();
        prop_assert!(removed <= excesses.iter().map(|(.., by)| by.clone()).sum());
        prop_assert_eq!(open(&parts) + &removed, open(&whole));
        prop_assert_eq!(sum(&parts, |held| &held.realised), sum(&whole, |held| &held.realised));
        prop_assert!(parts.iter().all(|held| held.costed <= held.amount && !held.cost.is_negative()));
        if excesses.is_empty() {
            prop_assert_eq!(sum(&parts, |held| &held.cost), sum(&whole, |held| &held.cost));
            prop_assert_eq!(sum(&parts, |held| &held.costed), sum(&whole, |held| &held.costed));
        }
        let quote = Quote { price: Some(decimal("10")), change_24h_pct: Some(25.0), ..Quote::default() };
        let valuation = Valuation::new(parts, Date::MAX, |_| quote.clone());
        let values: Decimal = valuation.holdings.iter().filter_map(|held| held.value.clone()).sum();
        prop_assert_eq!(&valuation.value, &values);
        prop_assert_eq!(valuation.value, &amounts * &Decimal::from(10));
    }
}
