use std::collections::{HashMap, HashSet};

use super::*;
use crate::service::demo::indexer::chain::{CYCLE, HISTORY_END};
use crate::service::demo::indexer::ledger::event::Action;

fn world(seed: u64) -> (Ledger, Inscriptions) {
    let mut ledger = Ledger::new(seed);
    let inscriptions = Inscriptions::new(seed, &mut ledger);
    (ledger, inscriptions)
}

fn all<'a>(inscriptions: &Inscriptions, ledger: &'a Ledger, tip: u64) -> Vec<Inscribed<'a>> {
    (0..inscriptions.count(tip)).map(|index| inscriptions.get(index, ledger).unwrap()).collect()
}

#[test]
fn numbers_are_unique_and_increase_with_blocks() {
    for seed in 0..5 {
        let (ledger, inscriptions) = world(seed);
        let tip = HISTORY_END + 2 * CYCLE + 77;
        let all = all(&inscriptions, &ledger, tip);
        assert!(all.is_sorted_by_key(|inscribed| inscribed.height));
        assert!(all.iter().all(|inscribed| inscribed.height <= tip));
        let blessed: Vec<i64> = all.iter().map(|inscribed| inscribed.number).filter(|number| *number >= 0).collect();
        assert!(blessed.is_sorted_by(|a, b| a < b));
        assert_eq!((blessed.first(), blessed.last()), (Some(&0), Some(&inscriptions.max_number(tip))));
        let cursed: HashSet<i64> = all.iter().map(|inscribed| inscribed.number).filter(|number| *number < 0).collect();
        assert_eq!(cursed.len() + blessed.len(), all.len());
        assert_eq!(cursed.iter().min(), Some(&-CURSED));
        for inscribed in &all {
            assert_eq!(inscriptions.numbered(inscribed.number), Some(inscribed.index));
        }
        assert_eq!(inscriptions.numbered(i64::MIN), None);
        assert!(inscriptions.numbered(i64::MAX).is_none_or(|index| index >= inscriptions.count(tip)));
    }
}

#[test]
fn blocks_match_indices() {
    let (ledger, inscriptions) = world(3);
    let tip = HISTORY_END + CYCLE + 500;
    let all = all(&inscriptions, &ledger, tip);
    for height in [0, 767_430, 767_431, 900_000, HISTORY_END, HISTORY_END + 1, HISTORY_END + CYCLE, tip, tip + 1] {
        let before = all.iter().filter(|inscribed| inscribed.height < height).count() as u64;
        assert_eq!(inscriptions.before(height), before, "{height}");
    }
    for height in HISTORY_END + 1..=tip {
        let count = inscriptions.before(height + 1) - inscriptions.before(height);
        assert_eq!(inscriptions.accumulated(height), inscriptions.accumulated(height - 1) + count);
    }
}

#[test]
fn every_event_has_an_inscription() {
    let (ledger, inscriptions) = world(4);
    let tip = HISTORY_END + CYCLE + 500;
    let (total, events) = ledger.newest(tip, 0, usize::MAX, |_| true);
    assert_eq!(total, events.len() as u64);
    for occurrence in &events {
        let inscribed = inscriptions.get(inscriptions.of_event(occurrence), &ledger).unwrap();
        let inscription = inscribed.event.unwrap();
        assert_eq!((inscription.token, inscription.from, inscription.amount), {
            let event = occurrence.event;
            (event.token, event.from, event.amount)
        });
        match occurrence.event.action {
            Action::Send => {
                assert_eq!(inscription.action, Action::Transfer);
                assert_eq!(inscribed.moved, Some((occurrence.height(), occurrence.event.to)));
            }
            action => assert_eq!((inscription.action, inscribed.height), (action, occurrence.height())),
        }
    }
    let of_events = all(&inscriptions, &ledger, tip).iter().filter(|inscribed| inscribed.event.is_some()).count();
    assert_eq!(of_events, events.iter().filter(|occurrence| occurrence.event.action != Action::Send).count());
}

#[test]
fn sats_match_inscriptions() {
    let (ledger, inscriptions) = world(6);
    let tip = HISTORY_END + CYCLE;
    let mut on_sats: HashMap<u64, Vec<u64>> = HashMap::new();
    for inscribed in all(&inscriptions, &ledger, tip) {
        on_sats.entry(inscribed.sat).or_default().push(inscribed.index);
    }
    for (sat, indices) in &on_sats {
        assert_eq!(&inscriptions.on_sat(*sat, tip), indices, "{sat}");
    }
    assert!(on_sats.values().filter(|indices| indices.len() > 1).count() >= 6);
}

#[test]
fn inscription_tables_stay_below_512_kib() {
    let (_, inscriptions) = world(1);
    let bytes =
        inscriptions.history.capacity() * size_of::<Fixed>() + inscriptions.weekly.capacity() * size_of::<Weekly>();
    assert!(bytes < 512 * 1024, "{bytes}");
}
