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

    /// The time since which something has been held, at a time; `None` if nothing is held then.
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

    /// Whether the value at `time` uses a price within a sixteenth of a `step` of it, or nothing is held.
    pub fn has_price_near(&self, time: UtcTime, step: Duration) -> bool {
        let price = || self.prices.get(nearest(self.prices, time)?).filter(|point| point.price.is_some());
        let distance = |point: &Point| point.time.since(time).max(time.since(point.time));
        self.amounts.at(time).is_none() || price().is_some_and(|point| distance(point) <= step / 16)
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
mod tests;
