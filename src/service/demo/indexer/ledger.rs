//! BRC-20 events and the resulting balances.
//!
//! There are two parts. The *history* ends at a fixed block: per token a deploy, mints and transfers. After it, the
//! events of the *cycle* repeat every week of blocks: transfers that leave every balance unchanged at the end of the
//! week. So the ledger consists of two small tables at any time, and the balances at any block are the sum of its
//! events.

mod cycle;
pub(super) mod event;
mod history;

use self::event::{Event, Holding, apply};
use super::chain::{CYCLE, HISTORY_END};
use super::random::{Random, hash};
use crate::service::demo::tokens::TOKENS;

/// An event in its block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence<'a> {
    /// The event.
    pub(super) event: &'a Event,
    /// The part of the ledger.
    pub(super) place: Era,
}

/// A part of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// The history.
    History,
    /// A week after the history.
    Week(u64),
}

impl Occurrence<'_> {
    /// The block height.
    pub(super) fn height(&self) -> u64 {
        match self.place {
            Era::History => u64::from(self.event.when),
            Era::Week(week) => height_of(week, self.event.when),
        }
    }
}

/// The week and the offset in it of a block after the history.
pub(super) fn week_of(height: u64) -> Option<(u64, u32)> {
    let after = height.checked_sub(HISTORY_END + 1)?;
    Some((after / CYCLE, (after % CYCLE) as u32))
}

/// The block at an offset of a week after the history.
pub(super) fn height_of(week: u64, offset: u32) -> u64 {
    HISTORY_END + 1 + week * CYCLE + u64::from(offset)
}

/// All events of all tokens.
#[derive(Debug)]
pub(super) struct Ledger {
    /// Events of the history in order.
    pub(super) history: Vec<Event>,
    /// Events of the cycle in order.
    pub(super) cycle: Vec<Event>,
    /// Per token, the holdings at the end of the history by address, including empty ones.
    settled: Vec<Vec<Holding>>,
}

impl Ledger {
    /// Creates the ledger of a world. Inscriptions are initially numbered from 0 by token;
    /// [`Ledger::renumber_history`] and [`Ledger::renumber_cycle`] set their final indices.
    pub(super) fn new(seed: u64) -> Ledger {
        let mut ledger = Ledger { history: Vec::new(), cycle: Vec::new(), settled: Vec::new() };
        let mut inscription_count = 0;
        for (index, token) in (0u8..).zip(TOKENS.iter()) {
            let mut random = Random::new(hash(seed, u64::from(index)));
            let (events, holdings) = history::of_token(&mut random, index, token, &mut inscription_count);
            ledger.history.extend(events);
            ledger.settled.push(holdings);
        }
        ledger.cycle = cycle::events(&mut Random::new(hash(seed, 0xC1C)), &ledger.settled);
        ledger.history.sort_by_key(|event| event.when);
        ledger.cycle.sort_by_key(|event| event.when);
        ledger.history.shrink_to_fit();
        ledger
    }

    /// Sets the final indices of the history's inscriptions.
    pub(super) fn renumber_history(&mut self, indices: &[u32]) {
        renumber(&mut self.history, indices);
    }

    /// Sets the final indices of the cycle's inscriptions.
    pub(super) fn renumber_cycle(&mut self, indices: &[u32]) {
        renumber(&mut self.cycle, indices);
    }

    /// Holdings of a token after a block by address, including empty ones.
    pub(super) fn holdings(&self, token: u8, height: u64) -> Vec<Holding> {
        let of_token = |event: &&Event| event.token == token;
        match week_of(height) {
            Some((_, offset)) => {
                let mut holdings = self.settled.get(usize::from(token)).cloned().unwrap_or_default();
                let so_far = self.cycle.iter().take_while(|event| event.when <= offset);
                so_far.filter(of_token).for_each(|event| apply(&mut holdings, event));
                holdings
            }
            None => {
                let mut holdings = Vec::new();
                let so_far = self.history.iter().take_while(|event| u64::from(event.when) <= height);
                so_far.filter(of_token).for_each(|event| apply(&mut holdings, event));
                holdings
            }
        }
    }

    /// Events that match `wanted` up to a block, newest first: their total number, and `limit` of them from `offset`
    /// on. The work doesn't depend on the number of weeks.
    pub(super) fn newest(
        &self,
        tip: u64,
        offset: u64,
        limit: usize,
        wanted: impl Fn(&Event) -> bool,
    ) -> (u64, Vec<Occurrence<'_>>) {
        let known = |event: &&Event| u64::from(event.when) <= tip && wanted(event);
        let past: Vec<&Event> = self.history.iter().filter(known).collect();
        let week: Vec<&Event> = self.cycle.iter().filter(|event| wanted(event)).collect();
        let (weeks, this_week) = week_of(tip)
            .map_or((0, 0), |(weeks, last)| (weeks, week.partition_point(|event| event.when <= last) as u64));
        let (before, per_week) = (past.len() as u64, week.len() as u64);
        let total = before + weeks * per_week + this_week;
        let at = |position: u64| match position.checked_sub(before) {
            None => past.get(position as usize).map(|event| Occurrence { event, place: Era::History }),
            Some(after) => week
                .get(after.checked_rem(per_week)? as usize)
                .map(|event| Occurrence { event, place: Era::Week(after.checked_div(per_week).unwrap_or(0)) }),
        };
        let first = total.saturating_sub(offset);
        (total, (0..first).rev().take(limit).filter_map(at).collect())
    }

    /// Events of a block that match `wanted`, newest first; none after `tip`.
    pub(super) fn of_block(&self, height: u64, tip: u64, wanted: impl Fn(&Event) -> bool) -> Vec<Occurrence<'_>> {
        let (events, when, place) = match week_of(height) {
            _ if height > tip => return Vec::new(),
            Some((week, offset)) => (&self.cycle, offset, Era::Week(week)),
            None => (&self.history, height as u32, Era::History),
        };
        let begin = events.partition_point(|event| event.when < when);
        let block = events.get(begin..).unwrap_or_default().iter().take_while(|event| event.when == when);
        let mut found: Vec<_> = block.filter(|e| wanted(e)).map(|event| Occurrence { event, place }).collect();
        found.reverse();
        found
    }

    /// Number of events of a token up to a block.
    pub(super) fn count(&self, token: u8, tip: u64) -> u64 {
        self.newest(tip, 0, 0, |event| event.token == token).0
    }
}

fn renumber(events: &mut [Event], indices: &[u32]) {
    for event in events {
        event.inscription = indices.get(event.inscription as usize).copied().unwrap_or(event.inscription);
    }
}

#[cfg(test)]
mod tests;
