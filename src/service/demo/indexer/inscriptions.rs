//! Inscriptions of BRC-20 events, art and text.
//!
//! As in the ledger, the history is a table, followed by a repeating week (with other ids, numbers, sats and authors).
//! An inscription's index is its position in block order, from 0, and determines everything else. The history is a
//! sample whose numbers have gaps; there are none after it.

mod art;
mod build;
mod picture;
pub(super) mod tables;

pub(super) use art::{Art, brc20_content};

use self::tables::{CURSED, Fixed, Weekly};
use super::addresses::AddressId;
use super::ledger::event::Event;
use super::ledger::{Era, Ledger, Occurrence, height_of, week_of};
use super::sats::InscribedSats;

/// An inscription.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inscribed<'a> {
    /// Position in block order.
    pub(super) index: u64,
    /// Number; negative if cursed.
    pub(super) number: i64,
    /// The sat of the inscription.
    pub(super) sat: u64,
    /// Genesis block.
    pub(super) height: u64,
    /// The BRC-20 event, unless it is art.
    pub(super) event: Option<&'a Event>,
    /// Block (possibly in the future) and receiver of its transfer.
    pub(super) moved: Option<(u64, AddressId)>,
}

/// All inscriptions.
#[derive(Debug)]
pub(super) struct Inscriptions {
    history: Vec<Fixed>,
    weekly: Vec<Weekly>,
    /// Number of the first inscription after the history.
    first_number: i64,
    inscribed_sats: InscribedSats,
}

impl Inscriptions {
    /// Creates the inscriptions of a world and assigns their indices to the ledger's events.
    pub(super) fn new(seed: u64, ledger: &mut Ledger) -> Inscriptions {
        let inscribed_sats = InscribedSats::new(seed);
        let history = build::history(seed, ledger, inscribed_sats);
        let weekly = build::weekly(seed, ledger);
        let last = history.iter().map(|fixed| i64::from(fixed.number)).max().unwrap_or(0);
        Inscriptions { history, weekly, first_number: last + 1, inscribed_sats }
    }

    /// Number of inscriptions up to a block after the history.
    pub(super) fn count(&self, tip: u64) -> u64 {
        self.before(tip.saturating_add(1))
    }

    /// Number of inscriptions in blocks below `height`.
    pub(super) fn before(&self, height: u64) -> u64 {
        let fixed = self.history.len() as u64;
        match week_of(height) {
            Some((week, offset)) => {
                let in_week = self.weekly.partition_point(|weekly| u32::from(weekly.offset) < offset);
                fixed + week * self.weekly.len() as u64 + in_week as u64
            }
            None => self.history.partition_point(|fixed| u64::from(fixed.height) < height) as u64,
        }
    }

    /// Total number of inscriptions up to a block after the history, including the gaps of the sample and cursed ones.
    pub(super) fn accumulated(&self, height: u64) -> u64 {
        let after = self.count(height).saturating_sub(self.history.len() as u64);
        (self.first_number + CURSED).unsigned_abs() + after
    }

    /// Highest number up to a block after the history.
    pub(super) fn max_number(&self, tip: u64) -> i64 {
        let after = self.count(tip).saturating_sub(self.history.len() as u64);
        self.first_number.saturating_add_unsigned(after) - 1
    }

    /// The inscription at an index, even if its block is in the future.
    pub(super) fn get<'a>(&self, index: u64, ledger: &'a Ledger) -> Option<Inscribed<'a>> {
        let Some(after) = index.checked_sub(self.history.len() as u64) else {
            let fixed = self.history.get(index as usize)?;
            return Some(Inscribed {
                index,
                number: i64::from(fixed.number),
                sat: fixed.sat,
                height: u64::from(fixed.height),
                event: fixed.event.and_then(|event| ledger.history.get(event as usize)),
                moved: fixed.moved.map(|(height, to)| (u64::from(height), to)),
            });
        };
        let per_week = self.weekly.len() as u64;
        let (week, slot) = (after.checked_div(per_week)?, after.checked_rem(per_week)?);
        let weekly = self.weekly.get(slot as usize)?;
        Some(Inscribed {
            index,
            number: self.first_number.checked_add_unsigned(after)?,
            sat: self.inscribed_sats.sat(index),
            height: height_of(week, u32::from(weekly.offset)),
            event: weekly.event.and_then(|event| ledger.cycle.get(usize::from(event))),
            moved: weekly.moved.map(|(offset, to)| (height_of(week, u32::from(offset)), to)),
        })
    }

    /// The index of the inscription of an event.
    pub(super) fn of_event(&self, occurrence: &Occurrence<'_>) -> u64 {
        let inscription = u64::from(occurrence.event.inscription);
        match occurrence.place {
            Era::History => inscription,
            Era::Week(week) => self.history.len() as u64 + week * self.weekly.len() as u64 + inscription,
        }
    }

    /// The index of the inscription with this number, even if its block is in the future.
    pub(super) fn numbered(&self, number: i64) -> Option<u64> {
        match u64::try_from(number.checked_sub(self.first_number)?) {
            Ok(after) => Some(self.history.len() as u64 + after),
            Err(_) => self.history.iter().position(|fixed| i64::from(fixed.number) == number).map(|index| index as u64),
        }
    }

    /// The indices of the inscriptions on a sat up to a block after the history, oldest first.
    pub(super) fn on_sat(&self, sat: u64, tip: u64) -> Vec<u64> {
        let fixed = (0u64..).zip(&self.history).filter(|(_, fixed)| fixed.sat == sat).map(|(index, _)| index);
        let after = self
            .inscribed_sats
            .index(sat)
            .filter(|&index| self.history.len() as u64 <= index && index < self.count(tip));
        fixed.chain(after).collect()
    }
}

#[cfg(test)]
mod tests;
