use std::fs;

use rusqlite::{Connection, TransactionBehavior};
use tempfile::TempDir;

use super::super::FILE;
use super::super::lease::{self, LEASE_LENGTH, Lease};
use super::*;
use crate::alerts::parse::parse;
use crate::user_data::alert::DataScope;
use crate::user_data::{Alert, Edit, Lot, Note, WalletAddress, Watched};

/// Real prices.
const PRICES: DataKind = DataKind::real(DataScope::Market);

/// The kinds of a process whose prices or whose indexer are simulated, or not.
fn kinds(prices: bool, indexer: bool) -> PerKind<bool> {
    DataKind::of_process(prices, indexer, true)
}

/// An alert on a coin's price.
fn alert() -> Change {
    let coin = Watched { slug: Some("ordi".into()), ..Watched::by_symbol("ORDI") };
    let rule = parse("ordi > 20 usd").unwrap().rule(Some(coin), &crate::model::Currency::usd()).unwrap();
    Change::AddAlert(Box::new(Alert::new(rule, false)))
}

/// A state directory with a lot, an address, an alert and a note.
fn saved() -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let coin = Watched { slug: Some("ordi".into()), ..Watched::by_symbol("ORDI") };
    let lot = Lot::bought(coin, "1000".parse().unwrap());
    let address = WalletAddress { address: "bc1q".into(), label: None, added_at: UtcTime::from_secs(1) };
    let note = Note { slug: "ordi".into(), time: UtcTime::from_secs(7), text: "listed".into() };
    let changes = [Change::AddLot(Box::new(lot)), Change::PutAddress(address), alert(), Change::PutNote(note)];
    Database::open(directory.path()).unwrap().save(&changes).unwrap();
    directory
}

/// Changes the database like another program.
fn execute(directory: &TempDir, sql: &str) {
    Connection::open(directory.path().join(FILE)).unwrap().execute_batch(sql).unwrap();
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

/// A worker and its events, with a short timeout for locks.
fn worker(directory: &TempDir) -> (Worker, UnboundedReceiver<Event>) {
    let (send, events) = unbounded_channel();
    let database = SharedDatabase::new(Some(directory.path().to_owned()));
    database.with(|database| database.set_timeout(Duration::from_millis(10))).unwrap();
    let (leases, unreadable, reported_ids) = (AlertLeases::new(), Vec::new(), AssignedIds::default());
    (Worker { database, unsaved: Vec::new(), events: send, leases, unreadable, reported_ids }, events)
}

/// The loaded data among events, and the messages for the user.
fn loaded(events: &[Event]) -> (Vec<&UserData>, Vec<&str>) {
    let data = events.iter().filter_map(|event| if let Event::Loaded(data) = event { Some(&**data) } else { None });
    let notes = events.iter().filter_map(|event| match event {
        Event::Failed(notice) | Event::Note(notice) => Some(notice.details.as_str()),
        _ => None,
    });
    (data.collect(), notes.collect())
}

#[tokio::test]
async fn store_of_a_newer_version_is_loaded_and_its_alerts_are_checked() {
    let directory = saved();
    execute(&directory, "PRAGMA user_version = 99");
    let mut writer = Writer::start(SharedDatabase::new(Some(directory.path().to_owned())), UtcTime::now());
    writer.check_alerts(kinds(false, false));
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
    writer.check_alerts(kinds(false, false));
    let (events, holds) = until_lease(&mut writer).await;
    let (data, notes) = loaded(&events);
    assert_eq!(data.first().map(|data| (data.lots.len(), data.alerts.len())), Some((1, 1)), "{notes:?}");
    assert!(notes.len() == 1 && notes[0].starts_with("Can't write "), "{notes:?}");
    assert!(holds);
}

#[tokio::test]
async fn alerts_of_another_process_are_not_checked_if_the_store_cannot_be_written() {
    let directory = saved();
    let lease = Lease { name: lease::alerts(PRICES), owner: "newer", length: LEASE_LENGTH };
    Database::open(directory.path()).unwrap().take_lease(&lease, UtcTime::now()).unwrap();
    execute(&directory, "PRAGMA user_version = 99");
    let mut writer = Writer::start(SharedDatabase::new(Some(directory.path().to_owned())), UtcTime::now());
    writer.check_alerts(kinds(false, false));
    let (events, holds) = until_lease(&mut writer).await;
    assert_eq!(loaded(&events).0.len(), 1);
    assert!(!holds);
}

#[tokio::test]
async fn alerts_are_checked_without_a_state_directory() {
    let mut writer = Writer::start(SharedDatabase::default(), UtcTime::now());
    writer.check_alerts(kinds(false, false));
    writer.save(1, alert());
    let (_, holds) = until_lease(&mut writer).await;
    assert!(holds);
}

#[test]
fn unreadable_lot_is_reported_once() {
    let directory = saved();
    let (mut worker, mut events) = worker(&directory);
    execute(&directory, "UPDATE lot SET amount = 'many'");
    worker.load().unwrap();
    worker.load().unwrap();
    let events: Vec<Event> = std::iter::from_fn(|| events.try_recv().ok()).collect();
    let (data, notes) = loaded(&events);
    assert_eq!((data.len(), data[0].alerts.len()), (2, 1));
    assert_eq!(notes, ["Can't read lot 1 (invalid amount \"many\")"]);
}

#[test]
fn number_of_a_new_lot_is_reported_once_after_it_is_saved() {
    let directory = saved();
    let (mut worker, mut events) = worker(&directory);
    let lot = Lot { id: LotId(-1), ..Lot::bought(Watched::by_symbol("SATS"), "1".parse().unwrap()) };
    let noted = Lot { note: Some("x".into()), ..lot.clone() };
    let add = Change::AddLot(Box::new(lot.clone()));
    let edit = Change::EditLot(Box::new(Edit { before: lot, after: noted }));
    for (change, expected) in [(add.clone(), Some(2)), (edit, None), (add, Some(3))] {
        worker.save(vec![(1, change)], None);
        assert!(matches!(events.try_recv(), Ok(Event::Saved(1, Ok(())))));
        if let Some(id) = expected {
            let Ok(Event::Numbered(ids)) = events.try_recv() else { panic!("no number {id}") };
            assert_eq!(ids.lot(LotId(-1)), LotId(id));
        }
        assert!(matches!(events.try_recv(), Ok(Event::Loaded(_))));
        assert!(events.try_recv().is_err());
    }
}

#[test]
fn number_is_reported_again_if_a_new_database_gives_the_same_one() {
    let directories = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [(mut worker, mut events), (mut other, _)] = directories.each_ref().map(worker);
    let lot = Lot { id: LotId(-1), ..Lot::bought(Watched::by_symbol("SATS"), "1".parse().unwrap()) };
    for _ in 0..2 {
        worker.save(vec![(1, Change::AddLot(Box::new(lot.clone())))], None);
        let numbers: Vec<LotId> = std::iter::from_fn(|| events.try_recv().ok())
            .filter_map(|event| if let Event::Numbered(ids) = event { Some(ids.lot(LotId(-1))) } else { None })
            .collect();
        assert_eq!(numbers, [LotId(1)]);
        // As after the first one was damaged.
        std::mem::swap(&mut worker.database, &mut other.database);
    }
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
        let lease = Lease { name: lease::alerts(PRICES), owner: "live", length: LEASE_LENGTH };
        other.take_lease(&lease, UtcTime::now()).unwrap()
    };
    assert_eq!(take(), None, "it is free");
    worker.leases.of(PRICES).renewed = None;
    worker.renew_leases();
    assert_eq!(checker(), Some(Checker::OtherProcess));
    // Real data are chosen when the other process ends, and simulated ones again.
    Database::open(directory.path()).unwrap().release_lease(lease::alerts(PRICES), "live").unwrap();
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
        let lease = Lease { name: lease::alerts(PRICES), owner: "other", length: LEASE_LENGTH };
        let holder = Database::open(directory.path()).unwrap().take_lease(&lease, UtcTime::now()).unwrap();
        assert_eq!(holder, None, "others can check the alerts at once");
    }
}

/// Whether an edit was saved, the sentence if its subject was gone, and the data loaded afterwards.
fn outcome(events: &mut UnboundedReceiver<Event>) -> (bool, Option<String>, Option<UserData>) {
    let (mut is_saved, mut sentence, mut data) = (false, None, None);
    while let Ok(event) = events.try_recv() {
        match event {
            Event::Saved(_, Ok(())) => is_saved = true,
            Event::NotEdited(1, text) => sentence = Some(text),
            Event::Loaded(loaded) => data = Some(*loaded),
            Event::Numbered(_) => {}
            other => panic!("{other:?}"),
        }
    }
    (is_saved, sentence, data)
}

/// Loads the data; returns the first lot, address and alert.
fn load_first(worker: &mut Worker, events: &mut UnboundedReceiver<Event>) -> (Lot, WalletAddress, Alert) {
    worker.load().unwrap();
    let data = outcome(events).2.unwrap();
    (data.lots[0].clone(), data.addresses[0].clone(), data.alerts[0].clone())
}

#[test]
fn edit_of_a_removed_item_is_reported() {
    let directory = saved();
    let (mut worker, mut events) = worker(&directory);
    let (lot, entry, alert) = load_first(&mut worker, &mut events);
    let noted = Lot { note: Some("x".into()), ..lot.clone() };
    let once = Alert { once: true, ..alert.clone() };
    let edits = [
        (Change::EditLot(Box::new(Edit { before: lot.clone(), after: noted })), "the ORDI lot"),
        (Change::EditAlert(Box::new(Edit { before: alert.clone(), after: once })), "the alert ordi > 20 usd"),
        (Change::LabelAddress(WalletAddress { label: Some("cold".into()), ..entry.clone() }), "address cold"),
    ];
    let removals =
        [Change::RemoveLot(Box::new(lot)), Change::RemoveAlert(Box::new(alert)), Change::RemoveAddress(entry)];
    Database::open(directory.path()).unwrap().save(&removals).unwrap();
    for (edit, subject) in edits {
        worker.save(vec![(1, edit)], None);
        let (is_saved, sentence, data) = outcome(&mut events);
        assert_eq!(sentence, Some(format!("Can't save: another process removed {subject}")));
        let data = data.unwrap();
        let counts = [data.lots.len(), data.alerts.len(), data.addresses.len()];
        assert_eq!((is_saved, counts), (true, [0; 3]), "it is not tried again");
    }
}

#[test]
fn edit_before_an_own_removal_is_not_reported() {
    let directory = saved();
    let (mut worker, mut events) = worker(&directory);
    let (lot, entry, alert) = load_first(&mut worker, &mut events);
    let edits = [
        Change::EditLot(Box::new(Edit { before: lot.clone(), after: lot })),
        Change::EditAlert(Box::new(Edit { before: alert.clone(), after: Alert { once: true, ..alert } })),
        Change::LabelAddress(WalletAddress { label: Some("cold".into()), ..entry }),
    ];
    for edit in edits {
        let removal = edit.removal().unwrap();
        // A commit that was reported as failed.
        worker.database.with(|database| database.save(&[edit.clone(), removal.clone()])).unwrap();
        worker.unsaved = vec![(1, edit)];
        worker.save(vec![(2, removal)], None);
        let (is_saved, sentence, _) = outcome(&mut events);
        assert_eq!((is_saved, sentence), (true, None));
    }
}

#[test]
fn change_of_a_lot_under_its_temporary_number_is_loaded() {
    let directory = tempfile::tempdir().unwrap();
    let (mut worker, mut events) = worker(&directory);
    let lot = |amount: &str| Lot { id: LotId(-1), ..Lot::bought(Watched::by_symbol("ORDI"), amount.parse().unwrap()) };
    worker.save(vec![(1, Change::AddLot(Box::new(lot("1"))))], None);
    let (_, _, data) = outcome(&mut events);
    assert_eq!(data.unwrap().lots[0].id, LotId(1));
    let edit = Edit { before: lot("1"), after: lot("2") };
    worker.save(vec![(1, Change::EditLot(Box::new(edit)))], None);
    let (_, _, data) = outcome(&mut events);
    assert_eq!(data.unwrap().lots, [Lot { id: LotId(1), ..lot("2") }]);
    worker.save(vec![(1, Change::RemoveLot(Box::new(lot("2"))))], None);
    let (_, _, data) = outcome(&mut events);
    assert!(data.unwrap().lots.is_empty());
}

#[test]
fn data_are_loaded_after_a_retry_that_may_have_been_saved_before() {
    let directory = saved();
    let (mut worker, mut events) = worker(&directory);
    worker.load().unwrap();
    let (_, _, data) = outcome(&mut events);
    let first = data.unwrap().alerts[0].clone();
    let edited = |alert: &Alert| Alert { once: !alert.once, state: alert.state.restarted(false), ..alert.clone() };
    let second = edited(&first);
    let third = edited(&second);
    let edit = |before: Alert, after: Alert| Change::EditAlert(Box::new(Edit { before, after }));
    let edits = [edit(first, second.clone()), edit(second, third)];
    worker.database.with(|database| database.save(&edits)).unwrap();
    worker.unsaved = (1..).zip(edits).collect();
    worker.save(Vec::new(), None);
    let (is_saved, _, data) = outcome(&mut events);
    let stored = worker.database.with(Database::load).unwrap().alerts;
    // A firing is recorded only under the stored revision.
    assert_eq!((is_saved, data.map(|data| data.alerts)), (true, Some(stored)));
}
