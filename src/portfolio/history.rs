//! The value of holdings over time: the amounts held at each moment, at the prices of that moment.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::civil::Date;

use super::places::Places;
use crate::model::chart::{JUMP, nearest, nearest_price};
use crate::model::{Decimal, Point, Text, UtcTime};
use crate::user_data::Lot;

/// Maximum steps, and changes, of a history; earlier ones are omitted.
const MAX_STEPS: usize = 1_000;

/// The amount of a coin over time: each amount holds from its time until the next one. Before the first it is zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmountHistory(Vec<(UtcTime, Decimal)>);

impl AmountHistory {
    /// The amount of one coin at a place by its lots, each from the start of its day: at an address, or everywhere
    /// else. `lots` are all lots of the coin; the addresses that `counts` accepts are separate places.
    pub fn of_lots<'a>(
        lots: impl IntoIterator<Item = &'a Lot>,
        place: Option<&Text>,
        counts: impl Fn(&Text) -> bool,
        start_of: impl Fn(Date) -> Option<UtcTime>,
    ) -> AmountHistory {
        let mut lots: Vec<&Lot> = lots.into_iter().collect();
        lots.sort_by_key(|lot| (lot.date, lot.id.sort_key()));
        let mut history: Vec<(UtcTime, Decimal)> = Vec::new();
        let mut places = Places::default();
        for lot in lots {
            places.count(lot, &counts);
            let held = places.at(place);
            // A day beyond the calendar's end has no start; no chart reaches it.
            let Some(from) = start_of(lot.date) else { continue };
            match history.last_mut() {
                Some((last, amount)) if *last >= from => *amount = held,
                _ => history.push((from, held)),
            }
        }
        AmountHistory(history)
    }

    /// Replaces the amounts at `since` and later with `amount`.
    pub fn replaced_from(mut self, since: UtcTime, amount: Decimal) -> AmountHistory {
        self.0.retain(|(from, _)| *from < since);
        self.0.push((since, amount));
        self
    }

    /// The times of its changes after `from` and until `to`.
    pub fn changes(&self, from: UtcTime, to: UtcTime) -> impl Iterator<Item = UtcTime> {
        let during = self.0.iter().enumerate().filter(move |(_, (time, _))| *time > from && *time <= to);
        let changed = during.filter(move |(place, _)| self.get(Some(*place)) != self.get(place.checked_sub(1)));
        changed.map(|(_, (time, _))| *time)
    }

    /// When it last changed, until `now`.
    pub fn last_change(&self, now: UtcTime) -> Option<UtcTime> {
        self.0.iter().map(|(from, _)| *from).rfind(|from| *from <= now)
    }

    /// Since when something has been held, at a time; `None` if nothing is held then.
    pub fn held_since(&self, time: UtcTime) -> Option<UtcTime> {
        let until = self.0.get(..self.0.partition_point(|(from, _)| *from <= time))?;
        let held = until.iter().rev().take_while(|(_, amount)| !amount.is_zero());
        held.last().map(|(from, _)| *from)
    }

    /// The amount at a time; `None` if it is zero.
    pub fn at(&self, time: UtcTime) -> Option<&Decimal> {
        let after = self.0.partition_point(|(from, _)| *from <= time);
        self.get(after.checked_sub(1))
    }

    /// The amount at an index; `None` if it is zero.
    fn get(&self, place: Option<usize>) -> Option<&Decimal> {
        let (_, amount) = self.0.get(place?)?;
        Some(amount).filter(|amount| !amount.is_zero())
    }
}

/// A holding with its prices.
#[derive(Clone, Debug)]
pub struct PricedHolding<'a> {
    /// The amounts.
    pub amounts: AmountHistory,
    /// The prices in chronological order.
    pub prices: &'a [Point],
}

impl PricedHolding<'_> {
    /// The value at a time: zero if nothing is held, `None` if no price is within three quarters of a `step` of that
    /// time.
    pub fn value(&self, time: UtcTime, step: Duration) -> Option<Decimal> {
        let Some(amount) = self.amounts.at(time) else { return Some(Decimal::default()) };
        let point = self.prices.get(nearest(self.prices, time)?)?;
        let distance = point.time.since(time).max(time.since(point.time));
        let price = point.price.filter(|_| distance <= tolerance(step)).and_then(Decimal::from_f64)?;
        Some(amount * &price)
    }

    /// The value of the amount held at `time`, at the known price nearest to `priced`.
    fn value_at_price_of(&self, time: UtcTime, priced: UtcTime, step: Duration) -> Option<Decimal> {
        let Some(amount) = self.amounts.at(time) else { return Some(Decimal::default()) };
        let (index, price) = nearest_price(self.prices, priced)?;
        let at = self.prices.get(index)?.time;
        // After the last step, its price is up to a step old.
        let is_near = at.since(priced).max(priced.since(at)) <= tolerance(step * 2);
        let price = Some(price).filter(|_| is_near).and_then(Decimal::from_f64)?;
        Some(amount * &price)
    }
}

/// Maximum distance of a price from the time for which it counts.
fn tolerance(step: Duration) -> Duration {
    step * 3 / 4
}

/// The value of all parts at each step from the first to the last price: `None` while the price of something that is
/// held is missing. It starts when something is held.
pub fn value_history(parts: &[PricedHolding<'_>], step: Duration) -> Vec<(UtcTime, Option<Decimal>)> {
    let all = || parts.iter().flat_map(|part| part.prices.first().into_iter().chain(part.prices.last()));
    let first = all().map(|point| point.time).min();
    let last = all().map(|point| point.time).max();
    let longest = parts.iter().max_by_key(|part| part.prices.len()).and_then(|part| part.prices.last());
    let (Some(first), Some(last), Some(longest), false) = (first, last, longest, step.is_zero()) else {
        return Vec::new();
    };
    // Series of several requests begin and end at slightly different times; that isn't a gap.
    let ends = |part: &PricedHolding<'_>| Some((part.prices.first()?.time, part.prices.last()?.time));
    let near = |distance: Duration| distance < step * 2;
    let starts = parts.iter().filter_map(ends).map(|(start, _)| start).filter(|start| near(start.since(first)));
    let stops = parts.iter().filter_map(ends).map(|(_, stop)| stop).filter(|stop| near(last.since(*stop)));
    let (start, stop) = (starts.max().unwrap_or(first), stops.min().unwrap_or(last));
    let (start, stop) = (start.minus(tolerance(step)), stop.plus(tolerance(step)));
    // The times of the longest series, extended both ways as far as the other series reach.
    let later = |time: &UtcTime| Some(time.plus(step)).filter(|next| *next <= stop && next > time);
    let earlier = |time: &UtcTime| Some(time.minus(step)).filter(|next| *next >= start && next < time);
    let end = std::iter::successors(Some(longest.time), later).take(MAX_STEPS).last().unwrap_or(longest.time);
    let mut times: Vec<UtcTime> = std::iter::successors(Some(end), earlier).take(MAX_STEPS).collect();
    times.reverse();
    times.retain(|time| *time <= stop);
    let is_held = |time: &UtcTime| parts.iter().any(|part| part.amounts.at(*time).is_some());
    let held = times.into_iter().skip_while(|time| !is_held(time));
    held.map(|time| (time, parts.iter().map(|part| part.value(time, step)).sum())).collect()
}

/// The shortest multiple of `step` with which [`value_history`] reaches back to the first holding, since its number of
/// steps is limited.
pub fn fitting_step(parts: &[PricedHolding<'_>], step: Duration) -> Duration {
    let start = |part: &PricedHolding<'_>| {
        let (held, _) = part.amounts.0.iter().find(|(_, amount)| !amount.is_zero())?;
        Some(part.prices.first()?.time.max(*held))
    };
    let first = parts.iter().filter_map(start).min();
    let last = parts.iter().filter_map(|part| part.prices.last()).map(|point| point.time).max();
    let span = first.zip(last).map_or(Duration::ZERO, |(first, last)| last.since(first));
    // The first and the last step may be outside of it.
    let most = step.saturating_mul(u32::try_from(MAX_STEPS - 2).unwrap_or(u32::MAX));
    let factor = span.as_millis().div_ceil(most.as_millis().max(1)).max(1);
    step.saturating_mul(u32::try_from(factor).unwrap_or(u32::MAX))
}

/// The values just before and at each change of the amounts after `from` and until `to`, in any order. Between them,
/// only the amounts differ: a line through them and the steps of [`value_history`] jumps where an amount changes.
pub fn value_jumps(
    parts: &[PricedHolding<'_>],
    step: Duration,
    (from, to): (UtcTime, UtcTime),
) -> Vec<(UtcTime, Option<Decimal>)> {
    let changes: BTreeSet<UtcTime> = parts.iter().flat_map(|part| part.amounts.changes(from, to)).collect();
    let value = |time: UtcTime, priced: UtcTime| -> Option<Decimal> {
        parts.iter().map(|part| part.value_at_price_of(time, priced, step)).sum()
    };
    let latest = changes.into_iter().rev().take(MAX_STEPS);
    latest.flat_map(|change| [change.minus(JUMP), change].map(|time| (time, value(time, change)))).collect()
}

#[cfg(test)]
mod tests {
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
        assert_eq!(
            values(&[held(&all[..5]), held(&all[1..])]),
            [twenty.clone(), twenty.clone(), twenty.clone(), twenty]
        );
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
}
