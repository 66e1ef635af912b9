//! Builds the tables of inscriptions.

use std::collections::HashMap;

use super::tables::{CURSED, Fixed, Weekly};
use crate::service::demo::indexer::addresses::{AddressId, POOL};
use crate::service::demo::indexer::chain::{CYCLE, HISTORY_END};
use crate::service::demo::indexer::ledger::Ledger;
use crate::service::demo::indexer::ledger::event::{Action, Event};
use crate::service::demo::indexer::random::{Random, hash};
use crate::service::demo::indexer::sats::InscribedSats;

/// An inscription in the history is transferred within this many blocks or never.
const MAX_BLOCKS_TO_TRANSFER: u64 = 20_000;

/// Block of the first inscription.
const FIRST_BLOCK: u64 = 767_430;

/// From this block on (the jubilee), no inscription is cursed.
const JUBILEE: u64 = 824_544;

/// Pieces of art in the history, in addition to those on special sats.
const ART: usize = 900;

/// Sats that collectors want, and their number of inscriptions: first sats of blocks, difficulty periods and a halving,
/// sats of block 9, and palindromes.
const SPECIAL_SATS: [(u64, usize); 12] = [
    (1_111_111_111_111_111, 65),
    (45_000_000_000, 3),
    (45_000_012_345, 1),
    (10_080_000_000_000, 2),
    (30_240_000_000_000, 1),
    (500_000_000_000_000, 4),
    (1_050_000_000_000_000, 2),
    (1_575_000_000_000_000, 1),
    (1_234_567_887_654_321, 2),
    (123_456_787_654_321, 1),
    (1_873_000_020_444_193, 1),
    (1_837_500_000_000_000, 5),
];

/// Approximate inscription numbers at some blocks.
const NUMBERS: [(u64, i64); 7] = [
    (FIRST_BLOCK, 0),
    (779_832, 348_020),
    (790_000, 10_000_000),
    (JUBILEE, 53_000_000),
    (840_000, 69_000_000),
    (900_000, 98_000_000),
    (HISTORY_END, 118_000_000),
];

/// Builds the history in block order.
pub(super) fn history(seed: u64, ledger: &mut Ledger, inscribed_sats: InscribedSats) -> Vec<Fixed> {
    let mut random = Random::new(hash(seed, 0xA27));
    let mut table = of_events(&ledger.history, |when, event, moved| Fixed {
        sat: 0,
        height: when,
        number: 0,
        event: u32::try_from(event).ok(),
        moved,
    });
    let events = table.len();
    let special = SPECIAL_SATS.iter().flat_map(|&(sat, count)| std::iter::repeat_n(Some(sat), count));
    for sat in special.chain(std::iter::repeat_n(None, ART)) {
        let first = if table.len() == events { FIRST_BLOCK } else { FIRST_BLOCK + 1 };
        let height = if first == FIRST_BLOCK { first } else { random.between(first, HISTORY_END) };
        let moved = random.chance(250).then(|| {
            ((height + random.between(1, MAX_BLOCKS_TO_TRANSFER)) as u32, random.below(POOL as u64) as AddressId)
        });
        table.push(Fixed { sat: sat.unwrap_or(u64::MAX), height: height as u32, number: 0, event: None, moved });
    }
    let order = order_by(&table, |fixed| fixed.height);
    let mut sorted: Vec<Fixed> = order.iter().filter_map(|&at| table.get(at as usize)).copied().collect();
    number(&mut random, &mut sorted);
    for (index, fixed) in (0..).zip(&mut sorted) {
        if fixed.event.is_some() || fixed.sat == u64::MAX {
            fixed.sat = inscribed_sats.sat(index);
        }
    }
    ledger.renumber_history(&places(&order));
    sorted
}

/// Builds a week in block order, with more inscriptions at daytime and occasional bursts.
pub(super) fn weekly(seed: u64, ledger: &mut Ledger) -> Vec<Weekly> {
    let mut random = Random::new(hash(seed, 0x3EE));
    let mut table = of_events(&ledger.cycle, |when, event, moved| Weekly {
        offset: when as u16,
        event: u16::try_from(event).ok(),
        moved: moved.map(|(offset, to)| (offset as u16, to)),
    });
    for offset in 0..CYCLE as u16 {
        let hour = f64::from(offset % 144) / 144.0 * std::f64::consts::TAU;
        let rush = if random.chance(25) { random.between(8, 30) } else { 0 };
        let count = (2.5 - 2.0 * hour.cos()) as u64 + random.between(0, 2) + rush;
        for _ in 0..count {
            let moves = offset + random.between(1, 144) as u16;
            let to = random.below(POOL as u64) as AddressId;
            let moved = (random.chance(150) && u64::from(moves) < CYCLE).then_some((moves, to));
            table.push(Weekly { offset, event: None, moved });
        }
    }
    let order = order_by(&table, |weekly| u32::from(weekly.offset));
    ledger.renumber_cycle(&places(&order));
    order.iter().filter_map(|&at| table.get(at as usize)).copied().collect()
}

/// Creates an entry for each inscribing event, with its transfer. The ledger numbers inscriptions without gaps.
fn of_events<T>(events: &[Event], entry: impl Fn(u32, usize, Option<(u32, AddressId)>) -> T) -> Vec<T> {
    let sends = events.iter().filter(|event| event.action == Action::Send);
    let sends: HashMap<u32, (u32, AddressId)> =
        sends.map(|event| (event.inscription, (event.when, event.to))).collect();
    let inscribing = events.iter().enumerate().filter(|(_, event)| event.action != Action::Send);
    let mut entries: Vec<(u32, T)> = inscribing
        .map(|(at, event)| (event.inscription, entry(event.when, at, sends.get(&event.inscription).copied())))
        .collect();
    entries.sort_by_key(|(inscription, _)| *inscription);
    entries.into_iter().map(|(_, entry)| entry).collect()
}

/// Indices of a table sorted by `key`.
fn order_by<T>(table: &[T], key: impl Fn(&T) -> u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0u32..).zip(table).map(|(at, _)| at).collect();
    order.sort_by_key(|&at| table.get(at as usize).map(&key));
    order
}

/// Inverts a permutation.
fn places(order: &[u32]) -> Vec<u32> {
    let mut places = vec![0; order.len()];
    for (place, &at) in (0u32..).zip(order) {
        if let Some(entry) = places.get_mut(at as usize) {
            *entry = place;
        }
    }
    places
}

/// Assigns increasing numbers; some art before the jubilee is cursed and gets decreasing negative numbers.
fn number(random: &mut Random, sorted: &mut [Fixed]) {
    let (mut blessed, mut cursed) = (-1, 0);
    let mut last_cursed = None;
    for (index, fixed) in sorted.iter_mut().enumerate() {
        let height = u64::from(fixed.height);
        if index > 0 && fixed.event.is_none() && height < JUBILEE && random.chance(120) {
            cursed -= random.between(1, 700) as i32;
            fixed.number = cursed;
            last_cursed = Some(index);
        } else {
            blessed = (blessed + 1).max(number_at(height) as i32);
            fixed.number = blessed;
        }
    }
    if let Some(fixed) = last_cursed.and_then(|index| sorted.get_mut(index)) {
        fixed.number = -(CURSED as i32);
    }
}

fn number_at(height: u64) -> i64 {
    NUMBERS
        .windows(2)
        .find_map(|pair| match *pair {
            [(from, low), (to, high)] if (from..to).contains(&height) => {
                Some(low + (height - from) as i64 * (high - low) / (to - from) as i64)
            }
            _ => None,
        })
        .unwrap_or(0)
}
