//! Takes and releases the leases of alerts, even if the store can't be written.

use std::fs;

use rusqlite::TransactionBehavior;

use super::*;
use crate::store::lease::{self, LEASE_LENGTH, Lease};
use crate::store::writer::Writer;
use crate::user_data::alert::{Checker, DataKind, DataScope};

/// Real prices.
const PRICES: DataKind = DataKind::real(DataScope::Market);

/// The kinds of a process whose prices or whose indexer are simulated, or not.
fn kinds(prices: bool, indexer: bool) -> PerKind<bool> {
    DataKind::of_process(prices, indexer, true)
}

/// The events of a writer thread up to the one that says who checks the alerts.
async fn until_lease(writer: &mut Writer) -> (Vec<Event>, bool) {
    let mut events = Vec::new();
    loop {
        match tokio::time::timeout(Duration::from_secs(60), writer.next()).await {
            Ok(Event::AlertLease { kind: PRICES, checker }) => return (events, checker == Checker::ThisProcess),
            Ok(event) => events.push(event),
            Err(_) => panic!("nothing about the lease after {events:?}"),
        }
    }
}

#[tokio::test]
async fn store_of_a_newer_version_is_loaded_and_its_alerts_are_checked() {
    let directory = saved();
    execute(&directory, "PRAGMA user_version = 99");
    let mut writer = Writer::start(SharedDatabase::new(Some(directory.path().to_owned())), UtcTime::now());
    writer.set_alert_kinds(kinds(false, false));
    let (events, holds) = until_lease(&mut writer).await;
    let (data, notes) = loaded(&events);
    assert_eq!(data.len(), 1, "{notes:?}");
    let counts = [data[0].lots.len(), data[0].addresses.len(), data[0].alerts.len(), data[0].notes.len()];
    assert_eq!(counts, [1; 4]);
    assert!(notes.len() == 1 && notes[0].contains("newer satscope"), "{notes:?}");
    assert!(holds, "no process can record who checks them");
}

#[tokio::test]
async fn store_that_cannot_be_written_is_loaded_and_its_alerts_are_checked() {
    let directory = saved();
    // The lock file can't be opened, as in a read-only directory.
    fs::remove_file(directory.path().join("satscope.lock")).unwrap();
    fs::create_dir(directory.path().join("satscope.lock")).unwrap();
    let mut writer = Writer::start(SharedDatabase::new(Some(directory.path().to_owned())), UtcTime::now());
    writer.set_alert_kinds(kinds(false, false));
    let (events, holds) = until_lease(&mut writer).await;
    let (data, notes) = loaded(&events);
    assert_eq!(data.first().map(|data| (data.lots.len(), data.alerts.len())), Some((1, 1)), "{notes:?}");
    assert!(notes.len() == 1 && notes[0].starts_with("Can't write "), "{notes:?}");
    assert!(holds);
}

#[tokio::test]
async fn alerts_of_another_process_are_not_checked_if_the_store_cannot_be_written() {
    let directory = saved();
    let lease = Lease { name: lease::alert_lease_name(PRICES), owner: "newer", length: LEASE_LENGTH };
    Database::open(directory.path()).unwrap().take_lease(&lease, UtcTime::now()).unwrap();
    execute(&directory, "PRAGMA user_version = 99");
    let mut writer = Writer::start(SharedDatabase::new(Some(directory.path().to_owned())), UtcTime::now());
    writer.set_alert_kinds(kinds(false, false));
    let (events, holds) = until_lease(&mut writer).await;
    assert_eq!(loaded(&events).0.len(), 1);
    assert!(!holds);
}

#[tokio::test]
async fn alerts_are_checked_without_a_state_directory() {
    let mut writer = Writer::start(SharedDatabase::default(), UtcTime::now());
    writer.set_alert_kinds(kinds(false, false));
    writer.save(1, alert());
    let (_, holds) = until_lease(&mut writer).await;
    assert!(holds);
}

#[test]
fn short_lock_by_another_process_keeps_the_lease() {
    let directory = saved();
    let (mut worker, mut events) = worker(&directory);
    worker.load().unwrap();
    worker.leases.set_usable(&kinds(false, false));
    worker.renew_leases();
    assert!(matches!(events.try_recv(), Ok(Event::Loaded(_))));
    assert!(matches!(events.try_recv(), Ok(Event::AlertLease { kind: PRICES, checker: Checker::ThisProcess })));
    let mut holder = Connection::open(directory.path().join(FILE)).unwrap();
    let transaction = holder.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
    worker.leases.of(PRICES).renewed = None;
    worker.renew_leases();
    assert!(events.try_recv().is_err(), "it still checks the alerts");
    assert_eq!(worker.leases.of(PRICES).renewed, None, "and tries again soon");
    drop(transaction);
    worker.renew_leases();
    assert!(worker.leases.of(PRICES).renewed.is_some() && events.try_recv().is_err());
}

#[test]
fn process_with_simulated_data_leaves_alerts_to_another() {
    let directory = saved();
    let (mut worker, mut events) = worker(&directory);
    worker.load().unwrap();
    worker.leases.set_usable(&kinds(true, true));
    worker.renew_leases();
    assert!(matches!(events.try_recv(), Ok(Event::Loaded(_))));
    let mut checker = || match events.try_recv() {
        Ok(Event::AlertLease { kind: PRICES, checker }) => Some(checker),
        other => panic!("{other:?}"),
    };
    assert_eq!(checker(), Some(Checker::Nobody), "only simulated data");
    let mut other = Database::open(directory.path()).unwrap();
    let mut take = || {
        let lease = Lease { name: lease::alert_lease_name(PRICES), owner: "live", length: LEASE_LENGTH };
        other.take_lease(&lease, UtcTime::now()).unwrap()
    };
    assert_eq!(take(), None, "it is free");
    worker.leases.of(PRICES).renewed = None;
    worker.renew_leases();
    assert_eq!(checker(), Some(Checker::OtherProcess));
    // Real data is chosen when the other process ends, and simulated data again.
    Database::open(directory.path()).unwrap().release_lease(lease::alert_lease_name(PRICES), "live").unwrap();
    worker.leases.set_usable(&kinds(false, false));
    worker.renew_leases();
    assert_eq!(checker(), Some(Checker::ThisProcess));
    assert!(take().is_some());
    worker.leases.set_usable(&kinds(true, true));
    worker.renew_leases();
    assert_eq!(checker(), Some(Checker::Nobody));
    assert_eq!(take(), None);
}

/// Adds alerts on these rules.
fn add_rules(worker: &mut Worker, lines: &[&str]) {
    let rule = |line: &&str| parse(line).unwrap().rule(None, &crate::model::Currency::usd()).unwrap();
    let alert = |line| Change::AddAlert(Box::new(Alert::new(rule(line), false)));
    worker.database.with(|database| database.save(&lines.iter().map(alert).collect::<Vec<_>>())).unwrap();
}

/// Which process checks the alerts on each kind of data, by the events of a worker.
fn checkers(events: &mut UnboundedReceiver<Event>) -> PerKind<Checker> {
    let mut checkers = PerKind::default();
    while let Ok(event) = events.try_recv() {
        if let Event::AlertLease { kind, checker } = event {
            *checkers.get_mut(kind) = checker;
        }
    }
    checkers
}

#[test]
fn each_alert_is_checked_by_one_capable_process() {
    let directory = saved();
    let (mut mixed, mut mixed_events) = worker(&directory);
    let (mut live, mut live_events) = worker(&directory);
    add_rules(&mut mixed, &["ordi holders > 5", "wallet 24h < -5%"]);
    // Real prices and a simulated indexer; then both real.
    for (worker, indexer) in [(&mut mixed, true), (&mut live, false)] {
        worker.load().unwrap();
        worker.leases.set_usable(&kinds(false, indexer));
        worker.renew_leases();
    }
    let (mixed, live) = (checkers(&mut mixed_events), checkers(&mut live_events));
    let of = |scope| {
        let kind = DataKind::real(scope);
        (*mixed.get(kind), *live.get(kind))
    };
    assert_eq!(of(DataScope::Market), (Checker::ThisProcess, Checker::OtherProcess));
    assert_eq!(of(DataScope::Indexer), (Checker::Nobody, Checker::ThisProcess));
    assert_eq!(of(DataScope::Wallet), (Checker::Nobody, Checker::ThisProcess), "its addresses need the indexer");
}

#[test]
fn lease_is_released_after_the_last_alert_is_removed_or_off() {
    let directory = saved();
    let (mut worker, mut events) = worker(&directory);
    worker.load().unwrap();
    worker.leases.set_usable(&kinds(false, false));
    worker.renew_leases();
    assert_eq!(*checkers(&mut events).get(PRICES), Checker::ThisProcess);
    let alert = worker.database.with(Database::load).unwrap().alerts[0].clone();
    let changes = |alert: &Alert| {
        let off = Alert { on: false, ..alert.clone() };
        let edit = Edit { before: alert.clone(), after: off };
        [Change::EditAlert(Box::new(edit)), Change::RemoveAlert(Box::new(alert.clone()))]
    };
    for change in changes(&alert) {
        worker.leases.changed(&change);
        worker.save(vec![(1, change)], None);
        worker.renew_leases();
        assert_eq!(*checkers(&mut events).get(PRICES), Checker::Nobody);
        let again = Change::EditAlert(Box::new(Edit { before: alert.clone(), after: alert.clone() }));
        worker.leases.changed(&again);
        worker.renew_leases();
        assert_eq!(*checkers(&mut events).get(PRICES), Checker::ThisProcess);
    }
}

#[test]
fn file_of_a_worker_stays_unless_its_leases_are_released() {
    for is_locked in [false, true] {
        let directory = saved();
        let (mut worker, _events) = worker(&directory);
        worker.load().unwrap();
        worker.leases.set_usable(&kinds(false, false));
        worker.renew_leases();
        let mut other = Connection::open(directory.path().join(FILE)).unwrap();
        let transaction = is_locked.then(|| other.transaction_with_behavior(TransactionBehavior::Immediate).unwrap());
        worker.leases.release_all(&worker.database);
        drop((worker, transaction));
        let names = || fs::read_dir(&directory).unwrap().map(|file| file.unwrap().file_name());
        let files = names().filter(|name| name.to_string_lossy().ends_with(".alive")).count();
        assert_eq!(files, usize::from(is_locked));
        let lease = Lease { name: lease::alert_lease_name(PRICES), owner: "other", length: LEASE_LENGTH };
        let holder = Database::open(directory.path()).unwrap().take_lease(&lease, UtcTime::now()).unwrap();
        assert_eq!(holder, None, "others can check the alerts at once");
    }
}

#[test]
fn file_of_a_worker_without_a_lease_in_the_store_is_removed() {
    let directory = saved();
    execute(&directory, "PRAGMA user_version = 99");
    let mut worker = Worker::new(SharedDatabase::new(Some(directory.path().to_owned())), unbounded_channel().0);
    let Err(error) = worker.load() else { panic!("a newer version") };
    worker.load_read_only(&error);
    worker.leases.set_usable(&kinds(false, false));
    worker.renew_leases();
    let files = || fs::read_dir(&directory).unwrap().map(|file| file.unwrap().file_name());
    let alive = || files().filter(|name| name.to_string_lossy().ends_with(".alive")).count();
    assert_eq!(alive(), 1);
    worker.leases.release_all(&worker.database);
    assert_eq!(alive(), 0);
}
