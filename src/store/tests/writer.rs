//! The thread that writes.

use std::future::{pending, ready};

use super::*;

fn start(directory: &TempDir) -> Writer {
    Writer::start(SharedDatabase::new(Some(directory.path().to_owned())), UtcTime::now())
}

async fn until(writer: &mut Writer, is_last: impl Fn(&Event) -> bool) -> Vec<Event> {
    let mut events = Vec::new();
    loop {
        events.push(writer.next().await);
        if events.last().is_some_and(&is_last) {
            return events;
        }
    }
}

/// A writer whose first change could not be saved, and its directory, which could be created now.
async fn with_failed_change(home: &TempDir) -> (Writer, PathBuf) {
    let directory = home.path().join("satscope");
    fs::write(&directory, "in the way").unwrap();
    let mut writer = Writer::start(SharedDatabase::new(Some(directory.clone())), UtcTime::now());
    writer.save(1, watch("ORDI"));
    until(&mut writer, |event| matches!(event, Event::Saved(1, Err(_)))).await;
    fs::remove_file(&directory).unwrap();
    (writer, directory)
}

#[tokio::test]
async fn writer_confirms_each_change() {
    let directory = tempfile::tempdir().unwrap();
    let mut writer = start(&directory);
    for (number, change) in (1..).zip([watch("ORDI"), watch("SATS"), unwatch("ORDI")]) {
        writer.save(number, change);
    }
    let events = until(&mut writer, |event| matches!(event, Event::Saved(3, Ok(())))).await;
    assert_eq!(symbols(&read(directory.path()).unwrap()), ["SATS"]);
    let numbers: Vec<u64> =
        events.iter().filter_map(|m| if let Event::Saved(n, Ok(())) = m { Some(*n) } else { None }).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let session = session("status");
    assert_eq!(writer.finish(Some(session.clone()), false, |_| {}, pending()).await, Finished::default());
    assert_eq!(read(directory.path()).unwrap().session, session);
}

#[tokio::test]
async fn writer_loads_what_another_process_saved() {
    let directory = tempfile::tempdir().unwrap();
    let mut writer = start(&directory);
    until(&mut writer, |event| matches!(event, Event::Loaded(_))).await;
    Database::open(directory.path()).unwrap().save(&[watch("ORDI")]).unwrap();
    writer.woken(true, UtcTime::now().plus(Duration::from_mins(1)));
    let Event::Loaded(data) = writer.next().await else { panic!("nothing loaded") };
    assert_eq!(symbols(&data), ["ORDI"]);
}

#[tokio::test]
async fn writer_without_directory_reports_that_changes_are_not_saved() {
    let mut writer = Writer::start(SharedDatabase::default(), UtcTime::now());
    let Event::Failed(first) = writer.next().await else { panic!("no message at the start") };
    assert!(first.details.starts_with("Can't save changes: no home directory"), "{first:?}");
    writer.save(1, watch("ORDI"));
    let Event::Saved(1, Err(notice)) = writer.next().await else { panic!("it was saved") };
    assert_eq!(notice, first);
    assert_eq!(writer.finish(None, true, |_| {}, pending()).await, Finished::default(), "already reported");
}

#[tokio::test]
async fn failed_changes_are_saved_with_the_next_one() {
    let home = tempfile::tempdir().unwrap();
    let (mut writer, directory) = with_failed_change(&home).await;
    writer.save(2, watch("SATS"));
    until(&mut writer, |event| matches!(event, Event::Saved(2, Ok(())))).await;
    assert_eq!(symbols(&read(&directory).unwrap()), ["ORDI", "SATS"]);
}

#[tokio::test]
async fn failed_changes_are_saved_at_the_next_wakeup() {
    let home = tempfile::tempdir().unwrap();
    let (mut writer, directory) = with_failed_change(&home).await;
    writer.woken(true, UtcTime::now().plus(Duration::from_mins(1)));
    until(&mut writer, |event| matches!(event, Event::Saved(1, Ok(())))).await;
    assert_eq!(symbols(&read(&directory).unwrap()), ["ORDI"]);
}

#[tokio::test]
async fn damaged_tables_do_not_stop_changes_of_the_others() {
    let directory = saved(&["ORDI"]);
    execute(&directory, "DROP TABLE session; DROP TABLE note; DROP TABLE past_balance;");
    let mut writer = start(&directory);
    until(&mut writer, |event| matches!(event, Event::Loaded(_))).await;
    let note = Note { slug: "ordi".into(), time: UtcTime::from_secs(7), text: "listed".into() };
    writer.save(1, Change::PutNote(note));
    let events = until(&mut writer, |event| matches!(event, Event::Saved(1, _))).await;
    let Some(Event::Saved(1, Err(notice))) = events.last() else { panic!("{events:?}") };
    assert_eq!(notice.summary, "Can't save notes (unexpected table structure)");
    let entry = WalletAddress { address: "bc1q".into(), label: None, added_at: UtcTime::from_secs(1) };
    for (number, change) in (2..).zip([
        watch("SATS"),
        Change::Session(session("status")),
        Change::PutAddress(entry.clone()),
        Change::RemoveAddress(entry.clone()),
        unwatch("ORDI"),
    ]) {
        writer.save(number, change);
    }
    let events = until(&mut writer, |event| matches!(event, Event::Saved(6, _))).await;
    let failed = |event: &Event| if let Event::Saved(number, Err(_)) = event { Some(*number) } else { None };
    assert_eq!(events.iter().filter_map(failed).collect::<Vec<_>>(), [3], "{events:?}");
    let failure = writer.finish(Some(session("wallet")), true, |_| {}, pending()).await.session_failure;
    assert_eq!(failure.as_deref(), Some("Can't save the session (unexpected table structure)"));
    let data = read_all(directory.path()).unwrap();
    assert_eq!((symbols(&data), data.addresses.len()), (vec!["SATS"], 0));
}

#[tokio::test]
async fn session_is_saved_while_the_program_runs() {
    let directory = tempfile::tempdir().unwrap();
    let mut writer = start(&directory);
    writer.save_session(session("wallet"));
    writer.save(1, watch("ORDI"));
    until(&mut writer, |event| matches!(event, Event::Saved(1, Ok(())))).await;
    assert_eq!(read(directory.path()).unwrap().session, session("wallet"));
    // The later one is kept.
    writer.save_session(session("status"));
    writer.save(2, Change::Session(session("indexer")));
    until(&mut writer, |event| matches!(event, Event::Saved(2, Ok(())))).await;
    assert_eq!(read(directory.path()).unwrap().session, session("indexer"));
}

#[tokio::test]
async fn failed_session_save_is_not_reported_before_exit() {
    let home = tempfile::tempdir().unwrap();
    let (mut writer, directory) = with_failed_change(&home).await;
    fs::write(&directory, "in the way").unwrap();
    writer.save_session(session("wallet"));
    writer.save(2, watch("SATS"));
    let events = until(&mut writer, |event| matches!(event, Event::Saved(2, Err(_)))).await;
    assert!(!events.iter().any(|event| matches!(event, Event::Failed(_))), "{events:?}");
}

#[tokio::test]
async fn session_that_cannot_be_saved_is_reported_at_the_end() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("satscope");
    fs::write(&directory, "in the way").unwrap();
    let mut writer = Writer::start(SharedDatabase::new(Some(directory)), UtcTime::now());
    assert!(matches!(writer.next().await, Event::Failed(_)), "shown on the screen");
    let finished = writer.finish(Some(session("wallet")), false, |_| {}, pending()).await;
    assert!(finished.session_failure.as_ref().unwrap().starts_with("Can't write "), "{finished:?}");
}

#[tokio::test]
async fn session_that_waits_for_a_stuck_lock_is_reported_at_the_end() {
    let directory = saved(&[]);
    let mut holder = Connection::open(file(&directory)).unwrap();
    let _transaction = holder.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    let mut waits = Vec::new();
    let wait = |reason: &str| waits.push(reason.to_owned());
    let finished = start(&directory).finish(Some(session("wallet")), false, wait, pending()).await;
    let path = file(&directory).display().to_string();
    let failure = Some(format!("Can't write {path} (locked by another process)"));
    assert_eq!(finished, Finished { session_failure: failure, ..Finished::default() });
    let wait = format!("waiting to save changes to {path} (disk slow or database locked by another process)");
    assert_eq!(waits, [format!("{wait} · press Ctrl-C to quit without saving")]);
}

#[tokio::test]
async fn stop_ends_the_wait_for_a_stuck_lock() {
    let directory = saved(&[]);
    let mut holder = Connection::open(file(&directory)).unwrap();
    let _transaction = holder.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    let writer = start(&directory);
    writer.save(1, watch("ORDI"));
    let finished = writer.finish(Some(session("wallet")), true, |_| {}, ready(())).await;
    let reason =
        format!("Can't write {} (disk slow or database locked by another process)", file(&directory).display());
    assert_eq!(finished, Finished { late: Some(reason), ..Finished::default() });
}

#[test]
fn own_request_counts_are_not_reported_as_external_changes() {
    let directory = saved(&["ORDI"]);
    let database = SharedDatabase::new(Some(directory.path().to_owned()));
    database.with(Database::load).unwrap();
    let count = |database: &SharedDatabase| database.with(|database| database.reserve(&ONE_REQUEST)).unwrap();
    assert_eq!(count(&database.clone()).used, 1);
    assert!(!database.with(Database::is_changed).unwrap());
    assert_eq!(count(&SharedDatabase::new(Some(directory.path().to_owned()))).used, 2);
    assert!(database.with(Database::is_changed).unwrap());
}

#[tokio::test]
async fn change_that_waits_for_a_stuck_lock_is_reported_at_the_end() {
    let directory = saved(&[]);
    let mut holder = Connection::open(file(&directory)).unwrap();
    let _transaction = holder.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    let writer = start(&directory);
    writer.save(1, watch("ORDI"));
    let failure = Some(format!("Can't write {} (locked by another process)", file(&directory).display()));
    assert_eq!(
        writer.finish(None, true, |_| {}, pending()).await,
        Finished { change_failure: failure, ..Finished::default() }
    );
}

#[tokio::test]
async fn failed_changes_are_saved_at_the_end() {
    let home = tempfile::tempdir().unwrap();
    let (writer, directory) = with_failed_change(&home).await;
    assert_eq!(writer.finish(None, true, |_| {}, pending()).await.saved, [1]);
    assert_eq!(symbols(&read(&directory).unwrap()), ["ORDI"]);
}

#[tokio::test]
async fn change_after_a_failed_read_is_reported_with_the_failed_read() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(file(&directory)).unwrap();
    let mut writer = start(&directory);
    let first = until(&mut writer, |event| matches!(event, Event::Failed(_))).await;
    let [Event::Unread(database), Event::Failed(failed)] = &first[..] else { panic!("{first:?}") };
    assert_eq!(database, "satscope.db (not a satscope database)");
    writer.save(1, watch("ORDI"));
    let Some(Event::Saved(1, Err(notice))) = until(&mut writer, |event| matches!(event, Event::Saved(..))).await.pop()
    else {
        panic!("it was saved")
    };
    assert_eq!(notice, *failed);
    assert!(notice.summary.starts_with("Can't open satscope.db"), "{notice:?}");
}
