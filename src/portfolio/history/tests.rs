use proptest::prelude::*;

use super::*;
use crate::model::{Amount, Currency, Zone};
use crate::user_data::{LotId, LotKind, Watched};

const HOUR: Duration = Duration::from_hours(1);
/// 2026-11-01.
const START: UtcTime = UtcTime::from_secs(1_793_491_200);

fn lot(id: i64, kind: LotKind, amount: u64, day: i8) -> Lot {
    Lot {
        id: LotId(id),
        kind,
        coin: Watched::by_symbol("ORDI"),
        amount: Amount::from_units(amount),
        price: None,
        fee: None,
        currency: Currency::usd(),
        date: jiff::civil::Date::constant(2026, 11, day),
        note: None,
        address: None,
    }
}

const COLD: Text = Text::const_new("bc1q");

/// The amounts at a place, if the address is one.
fn history_at(lots: &[Lot], place: Option<&Text>) -> AmountHistory {
    AmountHistory::of_lots(lots, place, |address| *address == COLD, |day| Zone::UTC.start_of(day))
}

fn history(lots: &[Lot]) -> AmountHistory {
    AmountHistory::of_lots(lots, None, |_| false, |day| Zone::UTC.start_of(day))
}

fn at_hour(hour: i64) -> UtcTime {
    UtcTime::from_secs(START.secs() + hour * 3_600)
}

fn amount(history: &AmountHistory, hour: i64) -> String {
    history.at(at_hour(hour)).cloned().unwrap_or_default().to_string()
}

fn points(prices: &[Option<f64>]) -> Vec<Point> {
    let point = |(hour, price): (i64, &Option<f64>)| Point {
        time: at_hour(hour),
        price: *price,
        volume: None,
        market_cap: None,
    };
    (0..).zip(prices).map(point).collect()
}

fn values(parts: &[PricedHolding<'_>]) -> Vec<Option<String>> {
    value_history(parts, HOUR).into_iter().map(|(_, value)| value.map(|value| value.to_string())).collect()
}

#[test]
fn new_lots_of_a_day_count_in_their_order() {
    let lots = [lot(-1, LotKind::Buy, 5, 1), lot(-2, LotKind::Sell, 5, 1)];
    assert_eq!(amount(&history(&lots), 1), "0");
}

#[test]
fn lots_count_from_the_start_of_their_day() {
    use LotKind::{Buy, Sell};
    let lots = [lot(3, Sell, 9, 3), lot(1, Buy, 5, 1), lot(2, Buy, 2, 2), lot(4, Buy, 1, 4)];
    let history = history(&lots);
    let amounts = [-1, 0, 23, 24, 47, 48, 71, 72, 999].map(|hour| amount(&history, hour));
    assert_eq!(amounts, ["0", "5", "5", "7", "7", "0", "0", "1", "1"], "selling more than is held leaves nothing");
    let since = [-1, 0, 30, 49, 80].map(|hour| history.held_since(at_hour(hour)));
    assert_eq!(since, [None, Some(at_hour(0)), Some(at_hour(0)), None, Some(at_hour(72))]);
    let changes = [(-1, 0), (0, 23), (23, 24), (24, 47), (48, 71), (72, 99)];
    let changes = changes.map(|(from, to)| history.changes(at_hour(from), at_hour(to)).next().is_some());
    assert_eq!(changes, [true, false, true, false, false, false]);
}

#[test]
fn sale_takes_from_its_own_place_even_if_an_older_lot_is_elsewhere() {
    let sale = Lot { address: Some(COLD), ..lot(3, LotKind::Sell, 2, 3) };
    let at_address = Lot { address: Some(COLD), ..lot(2, LotKind::Buy, 3, 2) };
    let lots = [lot(1, LotKind::Buy, 3, 1), at_address, sale];
    let [elsewhere, there] = [None, Some(&COLD)].map(|place| history_at(&lots, place));
    assert_eq!([0, 24, 48].map(|hour| amount(&elsewhere, hour)), ["3", "3", "3"]);
    assert_eq!([0, 24, 48].map(|hour| amount(&there, hour)), ["0", "3", "1"]);
}

#[test]
fn balance_replaces_the_lots_from_its_time_on() {
    let lots = [lot(1, LotKind::Buy, 3, 1), lot(2, LotKind::Buy, 3, 3)];
    let history = history(&lots).replaced_from(at_hour(30), Decimal::from(8));
    assert_eq!([0, 29, 30, 72].map(|hour| amount(&history, hour)), ["3", "3", "8", "8"]);
    let without_lots = AmountHistory::default().replaced_from(at_hour(30), Decimal::from(8));
    assert_eq!([29, 30].map(|hour| amount(&without_lots, hour)), ["0", "8"]);
}

#[test]
fn missing_price_is_a_gap_and_never_a_dip() {
    let whole = points(&[Some(10.0), Some(10.0), None, Some(10.0), Some(10.0)]);
    let mut sparse = points(&[Some(1.0); 5]);
    // Absent rather than without a price, and a few minutes late.
    sparse.remove(3);
    sparse[1].time = sparse[1].time.plus(Duration::from_mins(10));
    let held =
        |prices| PricedHolding { amounts: AmountHistory::default().replaced_from(START, Decimal::from(2)), prices };
    let known = Some(String::from("22"));
    assert_eq!(values(&[held(&whole), held(&sparse)]), [known.clone(), known.clone(), None, None, known]);
}

#[test]
fn long_history_has_wider_steps_and_starts_with_the_first_holding() {
    let day = 24 * HOUR;
    let at = |days: u32| START.minus(day * 3_999).plus(day * days);
    let points: Vec<Point> =
        (0..4_000).map(|days| Point { time: at(days), price: Some(2.0), volume: None, market_cap: None }).collect();
    for (held_from, step, steps) in [(0, 5 * day, 800), (2_000, 3 * day, 667), (3_900, day, 100)] {
        let amounts = AmountHistory::default().replaced_from(at(held_from), Decimal::from(1));
        let part = PricedHolding { amounts, prices: &points };
        assert_eq!(fitting_step(std::slice::from_ref(&part), day), step, "{held_from}");
        let history = value_history(std::slice::from_ref(&part), step);
        assert_eq!(history.len(), steps, "{held_from}");
        let (first, _) = history[0];
        assert!(first.since(at(held_from)) < step, "{held_from}: {first:?}");
        assert!(history.iter().all(|(_, value)| value.is_some()), "{held_from}");
    }
    assert_eq!(fitting_step(&[], day), day);
}

#[test]
fn chart_starts_with_the_first_holding_and_a_later_one_needs_no_price_before() {
    let (known, late) = (points(&[Some(10.0); 4]), points(&[None, None, None, Some(5.0)]));
    let part = |hour, prices| PricedHolding {
        amounts: AmountHistory::default().replaced_from(at_hour(hour), Decimal::from(1)),
        prices,
    };
    let parts = [part(1, known.as_slice()), part(3, late.as_slice())];
    assert_eq!(values(&parts), ["10", "10", "15"].map(|value| Some(String::from(value))));
    assert_eq!(value_history(&parts, HOUR)[0].0, at_hour(1));
    assert_eq!(values(&[part(9, known.as_slice())]), [], "held after the end");
    assert_eq!(values(&[]), []);
    assert_eq!(value_history(&parts, Duration::ZERO), []);
}

#[test]
fn value_jumps_at_each_change_of_an_amount_at_the_price_of_that_time() {
    let prices = points(&[Some(10.0), Some(20.0), None, Some(30.0)]);
    let change = |minutes: u64| START.plus(Duration::from_mins(minutes));
    let amounts = AmountHistory::default().replaced_from(START, Decimal::from(1));
    let amounts = amounts.replaced_from(change(40), Decimal::from(3)).replaced_from(change(50), Decimal::from(3));
    let part = PricedHolding { amounts: amounts.replaced_from(change(110), Decimal::from(4)), prices: &prices };
    let jumps = |parts: &[PricedHolding<'_>]| -> Vec<(UtcTime, String)> {
        let mut all = value_jumps(parts, HOUR, (START, at_hour(3)));
        all.sort_by_key(|(time, _)| *time);
        all.into_iter().map(|(time, value)| (time, value.unwrap().to_string())).collect()
    };
    let expected = [(change(40), ["20", "60"]), (change(110), ["60", "80"])];
    let expected = expected.map(|(time, [before, at])| [(time.minus(JUMP), before), (time, at)]);
    let expected: Vec<_> = expected.concat().into_iter().map(|(time, value)| (time, value.to_owned())).collect();
    assert_eq!(jumps(std::slice::from_ref(&part)), expected, "neither the same amount nor a missing price matters");
    assert!(jumps(&[]).is_empty());
}

#[test]
fn series_that_end_one_step_apart_have_no_gap() {
    let all = points(&[Some(10.0); 6]);
    let held =
        |prices| PricedHolding { amounts: AmountHistory::default().replaced_from(START, Decimal::from(1)), prices };
    let twenty = Some(String::from("20"));
    assert_eq!(values(&[held(&all[..5]), held(&all[1..])]), [twenty.clone(), twenty.clone(), twenty.clone(), twenty]);
    assert!(values(&[held(&all[..3]), held(&all)]).ends_with(&[None, None, None]), "three steps are a gap");
}

#[test]
fn steps_are_bounded() {
    let mut prices = points(&[Some(1.0); 2]);
    prices[0].time = UtcTime::from_secs(0);
    let part = PricedHolding {
        amounts: AmountHistory::default().replaced_from(UtcTime::from_secs(0), Decimal::from(1)),
        prices: &prices,
    };
    assert_eq!(value_history(&[part], Duration::from_secs(1)).len(), MAX_STEPS);
}

/// Each part: the hour at which an amount starts, the amount, and prices.
fn any_parts() -> impl Strategy<Value = Vec<(i64, u32, Vec<Option<f64>>)>> {
    let price = prop_oneof![4 => (1_u32..9_999).prop_map(|cents| Some(f64::from(cents) / 100.0)), 1 => Just(None)];
    let part = (0_i64..12, 0_u32..1_000, prop::collection::vec(price, 12));
    prop::collection::vec(part, 1..6)
}

proptest! {
    #[test]
    fn value_is_the_sum_of_the_parts_or_a_gap(parts in any_parts()) {
        let prices: Vec<Vec<Point>> = parts.iter().map(|(_, _, prices)| points(prices)).collect();
        let held: Vec<PricedHolding<'_>> = parts.iter().zip(&prices).map(|((hour, amount, _), prices)| {
            PricedHolding { amounts: AmountHistory::default().replaced_from(at_hour(*hour), Decimal::from(*amount)), prices }
        }).collect();
        let found: std::collections::HashMap<UtcTime, Option<Decimal>> = value_history(&held, HOUR).into_iter().collect();
        for hour in 0..12_usize {
            let time = at_hour(hour as i64);
            let there: Vec<_> = parts.iter().filter(|(from, amount, _)| *from <= hour as i64 && *amount > 0).collect();
            // In cents, as integers.
            let expected: Option<u64> = there.iter().map(|(_, amount, prices)| {
                Some((prices[hour]? * 100.0).round() as u64 * u64::from(*amount))
            }).sum();
            match found.get(&time) {
                None => prop_assert!(there.is_empty(), "no step at {hour}"),
                Some(value) => prop_assert_eq!(
                    value.as_ref().map(|value| (value * &Decimal::from(100)).to_string()),
                    expected.map(|cents| cents.to_string())
                ),
            }
        }
    }

    /// The last amounts equal those of the holdings.
    #[test]
    fn amounts_end_as_the_holdings(lots in prop::collection::vec((1_u64..50, 1_i8..28, any::<bool>()), 0..12)) {
        let lots: Vec<Lot> = (1..).zip(lots).map(|(id, (amount, day, sells))| {
            lot(id, if sells { LotKind::Sell } else { LotKind::Buy }, amount, day)
        }).collect();
        let holdings = crate::portfolio::holdings(&lots, Default::default(), &|_, _| None);
        for held in &holdings {
            prop_assert_eq!(amount(&history(&lots), 999), held.amount.to_string());
        }
    }
}
