use proptest::prelude::*;

use super::super::value::{Quote, Valuation};
use super::*;
use crate::model::Amount;
use crate::user_data::LotPrice;

/// A day after all lots.
const AFTER: Date = Date::constant(2026, 12, 1);

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

/// A lot such as `buy 500 @ 14.10 eur fee 2`, on day `id` of November 2026.
fn lot(id: i8, text: &str) -> Lot {
    let words: Vec<&str> = text.split(' ').collect();
    let after = |name: &str| words.iter().position(|word| *word == name).map(|place| words[place + 1]);
    Lot {
        id: LotId(id.into()),
        kind: LotKind::parse(words[0]).unwrap(),
        coin: Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: None },
        amount: words[1].parse().unwrap(),
        price: after("@").map(|price| LotPrice::Unit(decimal(price))),
        fee: after("fee").map(decimal),
        currency: Currency::parse(if words.contains(&"eur") { "EUR" } else { "USD" }).unwrap(),
        date: Date::constant(2026, 11, id),
        note: None,
        address: None,
    }
}

fn lots(texts: &[&str]) -> Vec<Lot> {
    texts.iter().zip(1..).map(|(text, id)| lot(id, text)).collect()
}

fn in_dollars(currency: &Currency, date: Date) -> Option<ExchangeRate> {
    match (currency.as_str(), date.day()) {
        ("USD", _) => Some(decimal("1").into()),
        // The rate of the third is unknown.
        ("EUR", 1 | 2) => Some(decimal("1.25").into()),
        _ => None,
    }
}

fn holding(texts: &[&str], method: CostMethod) -> Holding {
    let mut all = holdings(&lots(texts), method, &in_dollars);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn figures(holding: &Holding) -> [String; 4] {
    [&holding.amount, &holding.costed, &holding.cost, &holding.realised].map(ToString::to_string)
}

#[test]
fn sale_takes_the_oldest_lots_or_the_average_cost() {
    let texts = ["buy 10 @ 1 fee 1", "buy 10 @ 3", "sell 15 @ 4 fee 3"];
    // 57 for 15, of which 10 cost 11 and 5 cost 15.
    assert_eq!(figures(&holding(&texts, CostMethod::Fifo)), ["5", "5", "15", "31"]);
    // 20 cost 41, so 15 cost 30.75.
    assert_eq!(figures(&holding(&texts, CostMethod::Average)), ["5", "5", "10.25", "26.25"]);
}

#[test]
fn sending_takes_cost_along_without_profit() {
    let texts = ["buy 10 @ 2", "send 4 fee 0.5"];
    assert_eq!(figures(&holding(&texts, CostMethod::Fifo)), ["6", "6", "12", "-0.5"]);
}

#[test]
fn amount_without_cost_counts_in_amount_but_not_in_profit() {
    let texts = ["receive 10", "buy 10 @ 2", "sell 15 @ 3"];
    // Of the 15 sold, only 5 have a cost.
    assert_eq!(figures(&holding(&texts, CostMethod::Fifo)), ["5", "5", "10", "5"]);
    assert_eq!(figures(&holding(&texts[..1], CostMethod::Fifo)), ["10", "0", "0", "0"]);
}

#[test]
fn cost_is_converted_at_the_lots_own_day() {
    let known = holding(&["buy 10 @ 2 eur", "sell 5 @ 4 eur"], CostMethod::Fifo);
    assert_eq!(figures(&known), ["5", "5", "12.5", "12.5"]);
    let unknown = holding(&["buy 10 @ 2", "sell 1 @ 4", "buy 10 @ 2 eur"], CostMethod::Fifo);
    assert_eq!(figures(&unknown), ["19", "9", "18", "2"]);
    let eur = Currency::parse("EUR").unwrap();
    assert_eq!(unknown.lots[2].problem, Some(LotProblem::NoRate(eur, Date::constant(2026, 11, 3))));
}

#[test]
fn selling_more_than_held_is_reported_and_has_no_profit() {
    let holding = holding(&["buy 10 @ 2", "sell 16 @ 3"], CostMethod::Fifo);
    assert_eq!(figures(&holding), ["0", "0", "0", "10"]);
    assert_eq!(holding.lots[1].problem, Some(LotProblem::MoreThanHeld(decimal("6"))));
}

#[test]
fn valuation_skips_holdings_without_a_price() {
    let mut all = lots(&["buy 2 @ 10", "buy 3 @ 5"]);
    all[1].coin = Watched { symbol: "SATS".into(), slug: Some("sats".into()), id: None };
    let holdings = holdings(&all, CostMethod::Fifo, &in_dollars);
    let only_ordi = |holding: &Holding| match holding.coin.symbol.as_str() {
        "ORDI" => Quote { price: Some(decimal("12")), change_24h_pct: Some(20.0), ..Quote::default() },
        _ => Quote::default(),
    };
    let valuation = Valuation::new(holdings, AFTER, only_ordi);
    let Valuation { value, cost, profit, profit_pct, day_change, day_change_pct, .. } = &valuation;
    let shown = [value, cost, profit, day_change].map(ToString::to_string);
    assert_eq!(shown, ["24", "20", "4", "4"]);
    assert_eq!((profit_pct, day_change_pct), (&Some(decimal("20")), &Some(decimal("20"))));
    assert_eq!(valuation.unvalued, ["SATS"]);
    assert_eq!(valuation.holdings[0].share_pct, Some(decimal("100")));
}

#[test]
fn coins_that_share_a_symbol_are_each_named() {
    let mut all = lots(&["buy 2 @ 10", "buy 3 @ 5"]);
    all[1].coin.slug = Some("ordi-2".into());
    let held = holdings(&all, CostMethod::Fifo, &in_dollars);
    // The first coin is held at two places.
    let elsewhere = Holding { address: Some("bc1q".into()), ..held[0].clone() };
    let quote = |_: &Holding| Quote { price: Some(decimal("12")), ..Quote::default() };
    let valuation = Valuation::new([held, vec![elsewhere]].concat(), AFTER, quote);
    assert_eq!(valuation.without_change(), ["ORDI", "ORDI"]);
    assert_eq!(valuation.without_day_change(), ["ORDI", "ORDI"]);
}

#[test]
fn unchanged_price_changes_no_value() {
    let all = lots(&["buy 500.123456789012345678 @ 10"]);
    let quote = |_: &Holding| Quote { price: Some(decimal("8.41")), change_24h_pct: Some(0.0), ..Quote::default() };
    let valuation = Valuation::new(holdings(&all, CostMethod::Fifo, &in_dollars), AFTER, quote);
    // A quotient of 18 decimals would differ from the value.
    assert_eq!(valuation.value, decimal("4206.03827159559382715198"));
    assert_eq!((valuation.day_change, valuation.day_change_pct), (decimal("0"), Some(decimal("0"))));
}

#[test]
fn live_price_changes_the_day_from_the_polled_price_24_hours_ago() {
    let all = lots(&["buy 1 @ 5"]);
    for (live, change, shown) in [
        ("9", 0.0, ["-1", "-10"]),
        ("10", 25.0, ["2", "25"]),
        // 8 before.
        ("12", 25.0, ["4", "50"]),
    ] {
        let quote = |_: &Holding| Quote {
            price: Some(decimal(live)),
            polled_price: Some(decimal("10")),
            change_24h_pct: Some(change),
            ..Quote::default()
        };
        let valuation = Valuation::new(holdings(&all, CostMethod::Fifo, &in_dollars), AFTER, quote);
        let Valuation { day_change, day_change_pct, holdings, .. } = valuation;
        assert_eq!((day_change, day_change_pct), (decimal(shown[0]), Some(decimal(shown[1]))), "{live}");
        let own = holdings[0].change_24h_pct.unwrap();
        assert!((own - shown[1].parse::<f64>().unwrap()).abs() < 1e-9, "{own}");
    }
}

/// The change over 24 hours of lots whose last one is of today, and its percentage. The price is 10, after a rise of
/// 25%.
fn day_change(texts: &[&str], method: CostMethod, day_range: Option<(f64, f64)>) -> (String, Option<String>) {
    let today = Date::constant(2026, 11, texts.len().try_into().unwrap());
    let price = Some(decimal("10"));
    let quote = |_: &Holding| Quote { price: price.clone(), change_24h_pct: Some(25.0), day_range, ..Quote::default() };
    let valuation = Valuation::new(holdings(&lots(texts), method, &in_dollars), today, quote);
    assert!(valuation.without_change().is_empty() && valuation.without_day_change().is_empty(), "{texts:?}");
    (valuation.day_change.to_string(), valuation.day_change_pct.map(|change| change.to_string()))
}

/// The range of the day in which the price rose by 25% to 10.
const RANGE: Option<(f64, f64)> = Some((7.5, 10.5));

#[test]
fn lots_of_today_change_since_their_cost() {
    for (texts, change, percent) in [
        (&["buy 2 @ 5", "buy 1 @ 8"][..], "6", "25"),
        // 8 for each of the older ones, 9 for the new one with its fee.
        (&["buy 2 @ 5", "buy 1 @ 8.5 fee 0.5"][..], "5", "20"),
        (&["buy 1 @ 7.2 eur"][..], "1", "11.111111111111111111"),
        // Up to 5% outside of the range.
        (&["buy 1 @ 11"][..], "-1", "-9.090909090909090909"),
        (&["buy 1 @ 7 fee 0.2"][..], "2.8", "38.888888888888888889"),
    ] {
        let expected = (String::from(change), Some(String::from(percent)));
        assert_eq!(day_change(texts, CostMethod::Fifo, RANGE), expected, "{texts:?}");
    }
    // The new one cost 10 itself, 6 on average.
    let texts = ["buy 2 @ 4", "buy 1 @ 10"];
    let expected = (String::from("4"), Some(String::from("15.384615384615384615")));
    assert_eq!(day_change(&texts, CostMethod::Average, RANGE), expected);
}

#[test]
fn lots_of_today_without_a_cost_near_its_prices_count_the_whole_change() {
    for (texts, change) in [
        (&["buy 2 @ 7"][..], "4"),
        (&["buy 2 @ 60"][..], "4"),
        (&["buy 2 @ 10 fee 3"][..], "4"),
        (&["receive 1"][..], "2"),
        (&["buy 2 @ 5", "receive 1"][..], "6"),
        // Sales take the oldest lots.
        (&["buy 2 @ 5", "sell 1 @ 9"][..], "2"),
        // The rate of the third is unknown.
        (&["buy 1 @ 5", "send 0.5", "buy 1 @ 8 eur"][..], "3"),
    ] {
        let expected = (String::from(change), Some(String::from("25")));
        assert_eq!(day_change(texts, CostMethod::Fifo, RANGE), expected, "{texts:?}");
    }
    assert_eq!(day_change(&["buy 2 @ 5", "send 2"], CostMethod::Fifo, RANGE), (String::from("0"), None));
    let without_range = (String::from("4"), Some(String::from("25")));
    assert_eq!(day_change(&["buy 2 @ 9"], CostMethod::Fifo, None), without_range);
}

/// One amount, price and kind of a random history; all have a known price.
fn any_lot() -> impl Strategy<Value = (u8, u32, u32, u32)> {
    (0..4_u8, 1..1_000_000_u32, 0..1_000_000_u32, 0..1_000_u32)
}

fn random_lots(history: &[(u8, u32, u32, u32)]) -> Vec<Lot> {
    let lot = |(&(kind, amount, price, fee), id): (&(u8, u32, u32, u32), i64)| Lot {
        id: LotId(id),
        kind: LotKind::ALL[usize::from(kind)],
        amount: Amount::from_atoms(u128::from(amount) * 1_000_000_000_000),
        price: Some(LotPrice::Unit(Decimal::from(price))),
        fee: (kind < 2).then(|| Decimal::from(fee)),
        date: Date::constant(2026, 11, 1),
        ..lot(1, "buy 1")
    };
    history.iter().zip(1..).map(lot).collect()
}

/// The simplest possible FIFO: a queue of units of 10^-6, each with its price. Returns the open units and the profit.
fn by_the_unit(history: &[(u8, u32, u32, u32)]) -> (u64, i128) {
    let mut queue = VecDeque::new();
    let mut profit = 0_i128;
    for &(kind, amount, price, _) in history {
        match LotKind::ALL[usize::from(kind)] {
            LotKind::Buy | LotKind::Receive => queue.extend(std::iter::repeat_n(price, amount as usize)),
            out => {
                for _ in 0..amount {
                    let Some(paid) = queue.pop_front() else { break };
                    if out == LotKind::Sell {
                        profit += i128::from(price) - i128::from(paid);
                    }
                }
            }
        }
    }
    (queue.len() as u64, profit)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn fifo_equals_a_queue_of_single_units(history in prop::collection::vec((0..4_u8, 1..200_u32, 0..1_000_u32, Just(0_u32)), 1..20)) {
        let all = holdings(&random_lots(&history), CostMethod::Fifo, &in_dollars);
        let (open, profit) = by_the_unit(&history);
        let million = decimal("1000000");
        prop_assert_eq!(&all[0].amount * &million, decimal(&open.to_string()));
        prop_assert_eq!(&all[0].realised * &million, decimal(&profit.to_string()));
    }

    #[test]
    fn parts_add_up_to_the_holding(history in prop::collection::vec(any_lot(), 1..20), is_average: bool) {
        let method = if is_average { CostMethod::Average } else { CostMethod::Fifo };
        let all = holdings(&random_lots(&history), method, &in_dollars);
        let holding = &all[0];
        prop_assert!(!holding.amount.is_negative() && !holding.cost.is_negative());
        prop_assert_eq!(&holding.costed, &holding.amount);
        let sum: Decimal = holding.lots.iter().filter_map(|lot| lot.cost.clone()).sum();
        let error = sum - &holding.cost;
        let error = if error.is_negative() { -error } else { error };
        // The average is divided once per lot.
        let allowed = if is_average { decimal("0.00000000000000002") } else { Decimal::default() };
        prop_assert!(error <= allowed);
    }

    #[test]
    fn totals_are_the_sums_of_the_holdings_that_have_a_price(
        history in prop::collection::vec((any_lot(), 0..3_usize), 1..20),
        quotes in prop::array::uniform3((prop::option::of(0.01..1_000.0_f64), prop::option::of(-50.0..50.0_f64))),
    ) {
        let (lots, coins): (Vec<_>, Vec<usize>) = history.into_iter().unzip();
        let mut lots = random_lots(&lots);
        for (lot, coin) in lots.iter_mut().zip(coins) {
            lot.coin = Watched { symbol: format!("C{coin}").into(), slug: Some(format!("c{coin}").into()), id: None };
        }
        let quote = |holding: &Holding| {
            let place: usize = holding.coin.symbol[1..].parse().unwrap();
            let (price, change_24h_pct) = quotes[place];
            Quote { price: price.and_then(Decimal::from_f64), change_24h_pct, ..Quote::default() }
        };
        let all = holdings(&lots, CostMethod::Fifo, &in_dollars);
        let valuation = Valuation::new(all.clone(), AFTER, quote);
        let (mut value, mut cost, mut profit, mut realised) = Default::default();
        for holding in &all {
            realised = holding.realised.clone() + &realised;
            let price = quote(holding).price;
            prop_assert_eq!(
                valuation.unvalued.contains(&holding.coin.symbol),
                price.is_none() && !holding.amount.is_zero()
            );
            let Some(price) = price else { continue };
            let own = &price * &holding.amount;
            // Each lot here has a known price, so all of the amount has a cost.
            profit = own.clone() - &holding.cost + &profit;
            cost = holding.cost.clone() + &cost;
            value = own + &value;
        }
        prop_assert_eq!((&valuation.value, &valuation.cost), (&value, &cost));
        prop_assert_eq!((&valuation.profit, &valuation.realised), (&profit, &realised));
        let day_change: Decimal = valuation.holdings.iter().filter_map(|held| held.day_change.clone()).sum();
        prop_assert_eq!(&valuation.day_change, &day_change);
        let shares: Vec<&Decimal> = valuation.holdings.iter().filter_map(|held| held.share_pct.as_ref()).collect();
        if !value.is_zero() {
            let sum: Decimal = shares.into_iter().cloned().sum();
            let error = (sum - &decimal("100")).to_f64().abs();
            prop_assert!(error < 1e-12, "{error}");
        }
    }
}
