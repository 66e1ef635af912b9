//! Loads and saves.

mod leases;

use rusqlite::Connection;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::*;
use crate::alerts::parse::parse;
use crate::model::UtcTime;
use crate::store::FILE;
use crate::user_data::{Alert, Edit, Lot, Note, WalletAddress, Watched};

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

/// A worker and its events, with a short timeout for locks.
fn worker(directory: &TempDir) -> (Worker, UnboundedReceiver<Event>) {
    let (send, events) = unbounded_channel();
    let database = SharedDatabase::new(Some(directory.path().to_owned()));
    database.with(|database| database.set_timeout(Duration::from_millis(10))).unwrap();
    (Worker::new(database, send), events)
}

/// The loaded data among events, and the messages for the user.
fn loaded(events: &[Event]) -> (Vec<&UserData>, Vec<&str>) {
    let data = events.iter().filter_map(|event| if let Event::Loaded(data) = event { Some(&**data) } else { None });
    let notices = events.iter().filter_map(|event| match event {
        Event::Failed(notice) | Event::Notice(notice) => Some(notice.details.as_str()),
        _ => None,
    });
    (data.collect(), notices.collect())
}

#[test]
fn unreadable_lot_is_reported_once() {
    let directory = saved();
    let (mut worker, mut events) = worker(&directory);
    execute(&directory, "UPDATE lot SET amount = 'many'");
    worker.load().unwrap();
    worker.load().unwrap();
    let events: Vec<Event> = std::iter::from_fn(|| events.try_recv().ok()).collect();
    let (data, notices) = loaded(&events);
    assert_eq!((data.len(), data[0].alerts.len()), (2, 1));
    assert_eq!(notices, ["Can't read lot 1 (invalid amount \"many\")"]);
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
            let Ok(Event::IdsAssigned(ids)) = events.try_recv() else { panic!("no ID {id}") };
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
            .filter_map(|event| if let Event::IdsAssigned(ids) = event { Some(ids.lot(LotId(-1))) } else { None })
            .collect();
        assert_eq!(numbers, [LotId(1)]);
        // As after the first one was damaged.
        std::mem::swap(&mut worker.database, &mut other.database);
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
            Event::IdsAssigned(_) => {}
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
fn note_that_is_not_stored_is_reported() {
    let directory = saved();
    let (mut worker, mut events) = worker(&directory);
    let note = |secs| Note { slug: "sats".into(), time: UtcTime::from_secs(secs), text: "x".into() };
    let fill: Vec<Change> = (1..1_000).map(|secs| Change::PutNote(note(secs))).collect();
    Database::open(directory.path()).unwrap().save(&fill).unwrap();
    worker.save(vec![(1, Change::PutNote(note(1_000)))], None);
    let (is_saved, sentence, data) = outcome(&mut events);
    let refusal = "Can't add note (limit of 1,000 for all coins reached) · remove one first";
    assert_eq!((is_saved, sentence.as_deref()), (true, Some(refusal)));
    assert_eq!(data.map(|data| data.notes.iter().filter(|note| note.slug == "sats").count()), Some(999));
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

/// Makes the next save look failed although it is committed.
fn lose_confirmation(worker: &Worker) {
    let lose = |database: &mut Database| {
        database.loses_confirmation = true;
        Ok(())
    };
    worker.database.with(lose).unwrap();
}

#[test]
fn additions_whose_commit_was_reported_as_failed_are_not_repeated() {
    let directory = tempfile::tempdir().unwrap();
    let (mut worker, mut events) = worker(&directory);
    let lot = |amount: &str| Lot { id: LotId(-1), ..Lot::bought(Watched::by_symbol("ORDI"), amount.parse().unwrap()) };
    let Change::AddAlert(new) = alert() else { panic!("an alert") };
    let new = Change::AddAlert(Box::new(Alert { id: AlertId(-1), ..*new }));
    let edit = |before: &str, after: &str| Change::EditLot(Box::new(Edit { before: lot(before), after: lot(after) }));
    lose_confirmation(&worker);
    worker.save(vec![(1, Change::AddLot(Box::new(lot("1")))), (2, new), (3, edit("1", "2"))], None);
    let failed = std::iter::from_fn(|| events.try_recv().ok()).filter(|event| matches!(event, Event::Saved(_, Err(_))));
    assert_eq!(failed.count(), 3);
    // So is the first retry.
    lose_confirmation(&worker);
    worker.save(Vec::new(), None);
    worker.save(vec![(4, edit("2", "3"))], None);
    let mut assigned = AssignedIds::default();
    let mut data = None;
    while let Ok(event) = events.try_recv() {
        match event {
            Event::IdsAssigned(ids) => assigned = ids,
            Event::Loaded(loaded) => data = Some(loaded),
            other => assert!(matches!(other, Event::Saved(_, Ok(()))), "{other:?}"),
        }
    }
    let data = data.unwrap();
    assert_eq!((data.lots, data.alerts.len()), (vec![Lot { id: LotId(1), ..lot("3") }], 1));
    assert_eq!((assigned.lot(LotId(-1)), assigned.alert(AlertId(-1))), (LotId(1), AlertId(1)));
    // An equal lot is another one.
    worker.save(vec![(5, Change::AddLot(Box::new(lot("3"))))], None);
    assert_eq!(worker.database.with(Database::load).unwrap().lots.len(), 2);
}

#[test]
fn additions_that_were_not_committed_are_saved_with_the_retry() {
    let directory = tempfile::tempdir().unwrap();
    let (mut worker, _events) = worker(&directory);
    let lot = |amount: &str| Lot { id: LotId(-1), ..Lot::bought(Watched::by_symbol("ORDI"), amount.parse().unwrap()) };
    lose_confirmation(&worker);
    worker.save(vec![(1, Change::AddLot(Box::new(lot("1"))))], None);
    // As if it had not been committed, and another process had added a lot.
    execute(&directory, "UPDATE lot SET amount = '7'");
    worker.save(vec![(2, Change::AddLot(Box::new(lot("1"))))], None);
    let amounts = |lots: Vec<Lot>| lots.iter().map(|lot| lot.amount.to_string()).collect::<Vec<_>>();
    assert_eq!(amounts(worker.database.with(Database::load).unwrap().lots), ["7", "1", "1"]);
}
