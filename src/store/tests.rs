use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rusqlite::{Connection, ffi};
use tempfile::TempDir;

use super::*;
use crate::model::ProviderName;
use crate::model::UtcTime;
use crate::user_data::{
    AlertId, Change, Note, Notice, SessionEntries, SourceChange, SourceChoices, UncheckedPeriod, UserData,
    WalletAddress, Watched,
};

const ONE_REQUEST: Reservation<'_> = Reservation {
    provider: "coingecko",
    server: 1,
    now: 0,
    gap: 0,
    patience: 0,
    month: "2026-11",
    cost: 1,
    per_minute: None,
};

fn watch(symbol: &str) -> Change {
    Change::Watch(Watched::by_symbol(symbol))
}

fn unwatch(symbol: &str) -> Change {
    Change::Unwatch(Watched::by_symbol(symbol))
}

fn session(tab: &str) -> SessionEntries {
    SessionEntries::from([(String::from("tab"), tab.to_owned())])
}

fn symbols(data: &UserData) -> Vec<&str> {
    data.watchlist.added.iter().map(|coin| coin.symbol.as_str()).collect()
}

/// A state directory with these coins saved.
fn saved(symbols: &[&str]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let changes: Vec<Change> = symbols.iter().map(|symbol| watch(symbol)).collect();
    Database::open(directory.path()).unwrap().save(&changes).unwrap();
    directory
}

/// The names in a directory, sorted.
fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn file(directory: &TempDir) -> PathBuf {
    directory.path().join(FILE)
}

/// Changes the database like another program.
fn execute(directory: &TempDir, sql: &str) {
    Connection::open(file(directory)).unwrap().execute_batch(sql).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn saved_changes_are_loaded_in_order() {
    let directory = saved(&["ORDI", "SATS", "RATS"]);
    let mut database = Database::open(directory.path()).unwrap();
    database.save(&[unwatch("SATS"), watch("ordi")]).unwrap();
    let session = session("wallet");
    database.save(&[Change::Session(SessionEntries::new()), Change::Session(session.clone())]).unwrap();
    for data in [database.load().unwrap(), read(directory.path()).unwrap()] {
        assert_eq!(symbols(&data), ["RATS", "ordi"]);
        assert_eq!(data.watchlist.removed, [Watched::by_symbol("SATS")]);
        assert_eq!(data.session, session);
    }
    drop(database);
    assert_eq!(names(directory.path()), [FILE, "satscope.lock"], "the log is removed with the last connection");
}

#[test]
fn first_frame_read_omits_notices() {
    let directory = saved(&["ORDI"]);
    let mut database = Database::open(directory.path()).unwrap();
    database.save(&[Change::Shown(Notice::AddressLookup), Change::Shown(Notice::AddressLookup)]).unwrap();
    let all = database.load().unwrap();
    assert_eq!(all.notices, [Notice::AddressLookup].into());
    let first = read(directory.path()).unwrap();
    assert_eq!(first, UserData { notices: [].into(), ..all });
}

#[test]
fn choices_of_sources_are_read_with_the_session() {
    let directory = saved(&["ORDI"]);
    let mut database = Database::open(directory.path()).unwrap();
    let order = SourceChange::Order("coins".into(), vec![ProviderName::CoinGecko, ProviderName::CoinPaprika]);
    let disable = SourceChange::Enable(ProviderName::CoinGecko, false);
    let enable = SourceChange::Enable(ProviderName::CoinGecko, true);
    database.save(&[disable, order, enable].map(Change::Source)).unwrap();
    for data in [database.load().unwrap(), read(directory.path()).unwrap()] {
        assert!(data.sources.is_enabled(ProviderName::CoinGecko, false));
        assert_eq!(data.sources.orders["coins"], [ProviderName::CoinGecko, ProviderName::CoinPaprika]);
    }
    let newer = "INSERT INTO source_choice VALUES ('providers.newer.enabled', 'false'), ('theme', 'dark');";
    execute(&directory, newer);
    assert_eq!(read(directory.path()).unwrap().sources.enabled.len(), 1, "choices of a newer version are skipped");
    database.save(&[Change::Source(SourceChange::Reset)]).unwrap();
    assert_eq!(read(directory.path()).unwrap().sources, SourceChoices::default());
}

#[test]
fn missing_store_is_empty_and_reading_does_not_create_a_file() {
    let directory = tempfile::tempdir().unwrap();
    for place in [directory.path().to_owned(), directory.path().join("no/such")] {
        assert_eq!(read(&place).unwrap(), UserData::default());
    }
    assert!(names(directory.path()).is_empty());
    let directory = saved(&["ORDI"]);
    read(directory.path()).unwrap();
    assert_eq!(names(directory.path()), [FILE, "satscope.lock"], "neither log nor index");
}

#[test]
fn files_are_readable_only_by_the_user() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("state/satscope");
    let mut database = Database::open(&directory).unwrap();
    database.save(&[watch("ORDI")]).unwrap();
    assert_eq!(mode(&directory), 0o700);
    for name in names(&directory) {
        assert_eq!(mode(&directory.join(&name)), 0o600, "{name}");
    }
    // As files restored from a backup or written by another program, while they are in use.
    for names in [&[FILE][..], &["satscope.db-wal", "satscope.db-shm"]] {
        let paths: Vec<PathBuf> = names.iter().map(|name| directory.join(name)).collect();
        for path in &paths {
            fs::set_permissions(path, fs::Permissions::from_mode(0o644)).unwrap();
        }
        Database::open(&directory).unwrap();
        assert!(paths.iter().all(|path| mode(path) == 0o600), "{names:?}");
    }
    drop(database);
}

#[test]
fn change_by_another_process_is_detected() {
    let directory = saved(&[]);
    let (mut one, mut other) = (Database::open(directory.path()).unwrap(), Database::open(directory.path()).unwrap());
    assert_eq!(symbols(&one.load().unwrap()).len(), 0);
    assert!(!one.is_changed().unwrap());
    one.save(&[watch("ORDI")]).unwrap();
    assert!(!one.is_changed().unwrap(), "its own change doesn't count");
    other.save(&[watch("SATS")]).unwrap();
    assert!(one.is_changed().unwrap());
    assert_eq!(symbols(&one.load().unwrap()), ["ORDI", "SATS"]);
    assert!(!one.is_changed().unwrap());
}

#[test]
fn old_watchlist_is_imported_once_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let old = directory.path().join("watched.json");
    let content = r#"{"added":[{"symbol":"ORDI","slug":"ordi"}],"removed":[{"symbol":"BTC"}]}"#;
    fs::write(&old, content).unwrap();
    assert_eq!(symbols(&read(directory.path()).unwrap()), ["ORDI"], "before the import, too");
    let mut database = Database::open(directory.path()).unwrap();
    let data = database.load().unwrap();
    assert_eq!((symbols(&data), data.watchlist.removed.len()), (vec!["ORDI"], 1));
    database.save(&[Change::Unwatch(data.watchlist.added[0].clone())]).unwrap();
    drop(database);
    assert!(symbols(&Database::open(directory.path()).unwrap().load().unwrap()).is_empty());
    fs::write(file(&directory), "damage").unwrap();
    assert!(symbols(&Database::open(directory.path()).unwrap().load().unwrap()).is_empty(), "nor after damage");
    fs::remove_file(file(&directory)).unwrap();
    assert!(symbols(&read(directory.path()).unwrap()).is_empty());
    assert_eq!(fs::read_to_string(&old).unwrap(), content);
}

#[test]
fn unreadable_old_watchlist_is_reported_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let old = directory.path().join("watched.json");
    fs::write(&old, "not ours").unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    let notes = database.notes();
    assert!(notes.len() == 1 && notes[0].contains("watched.json"), "{notes:?}");
    assert_eq!(database.load().unwrap(), UserData::default());
    assert_eq!(fs::read_to_string(&old).unwrap(), "not ours");
}

fn start(directory: &TempDir) -> Writer {
    Writer::start(SharedDatabase::new(Some(directory.path().to_owned())), UtcTime::now())
}

/// The messages of the writer thread, up to and including the last one.
async fn until(writer: &mut Writer, is_last: impl Fn(&Event) -> bool) -> Vec<Event> {
    let mut said = Vec::new();
    loop {
        said.push(writer.next().await);
        if said.last().is_some_and(&is_last) {
            return said;
        }
    }
}

#[tokio::test]
async fn writer_confirms_each_change() {
    let directory = tempfile::tempdir().unwrap();
    let mut writer = start(&directory);
    for (number, change) in (1..).zip([watch("ORDI"), watch("SATS"), unwatch("ORDI")]) {
        writer.save(number, change);
    }
    let said = until(&mut writer, |event| matches!(event, Event::Saved(3, Ok(())))).await;
    assert_eq!(symbols(&read(directory.path()).unwrap()), ["SATS"]);
    let numbers: Vec<u64> =
        said.iter().filter_map(|m| if let Event::Saved(n, Ok(())) = m { Some(*n) } else { None }).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let session = session("status");
    assert!(writer.finish(Some(session.clone()), true).is_empty());
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
    let Event::Note(sentence) = writer.next().await else { panic!("no message at the start") };
    assert!(sentence.starts_with("Can't save changes: no home directory"), "{sentence}");
    writer.save(1, watch("ORDI"));
    let Event::Saved(1, Err(sentence)) = writer.next().await else { panic!("it was saved") };
    assert!(sentence.starts_with("Can't save changes: no home directory"), "{sentence}");
    assert!(writer.finish(None, false).is_empty(), "already reported");
}

#[tokio::test]
async fn failed_changes_are_saved_with_the_next_one() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("satscope");
    fs::write(&directory, "in the way").unwrap();
    let mut writer = Writer::start(SharedDatabase::new(Some(directory.clone())), UtcTime::now());
    writer.save(1, watch("ORDI"));
    until(&mut writer, |event| matches!(event, Event::Saved(1, Err(_)))).await;
    fs::remove_file(&directory).unwrap();
    writer.save(2, watch("SATS"));
    until(&mut writer, |event| matches!(event, Event::Saved(2, Ok(())))).await;
    assert_eq!(symbols(&read(&directory).unwrap()), ["ORDI", "SATS"]);
}

#[tokio::test]
async fn damaged_tables_do_not_stop_changes_of_the_others() {
    let directory = saved(&["ORDI"]);
    execute(&directory, "DROP TABLE session; DROP TABLE note; DROP TABLE past_balance;");
    let mut writer = start(&directory);
    until(&mut writer, |event| matches!(event, Event::Loaded(_))).await;
    let note = Note { slug: "ordi".into(), time: UtcTime::from_secs(7), text: "listed".into() };
    writer.save(1, Change::PutNote(note));
    let said = until(&mut writer, |event| matches!(event, Event::Saved(1, _))).await;
    let Some(Event::Saved(1, Err(sentence))) = said.last() else { panic!("{said:?}") };
    assert_eq!(sentence, "Can't save notes (unexpected table structure)");
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
    let said = until(&mut writer, |event| matches!(event, Event::Saved(6, _))).await;
    let failed = |event: &Event| if let Event::Saved(number, Err(_)) = event { Some(*number) } else { None };
    assert_eq!(said.iter().filter_map(failed).collect::<Vec<_>>(), [3], "{said:?}");
    let failures = writer.finish(Some(session("wallet")), true);
    assert_eq!(failures, ["Can't save the session (unexpected table structure)"]);
    let data = read_all(directory.path()).unwrap();
    assert_eq!((symbols(&data), data.addresses.len()), (vec!["SATS"], 0));
}

#[tokio::test]
async fn session_that_cannot_be_saved_is_reported_at_the_end() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("satscope");
    fs::write(&directory, "in the way").unwrap();
    let mut writer = Writer::start(SharedDatabase::new(Some(directory)), UtcTime::now());
    assert!(matches!(writer.next().await, Event::Note(_)), "shown on the screen");
    let failures = writer.finish(Some(session("wallet")), true);
    assert!(failures.len() == 1 && failures[0].starts_with("Can't save to "), "{failures:?}");
}

#[test]
fn session_that_waits_for_a_stuck_lock_is_reported_at_the_end() {
    let directory = saved(&[]);
    let mut holder = Connection::open(file(&directory)).unwrap();
    let _transaction = holder.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    let failures = start(&directory).finish(Some(session("wallet")), true);
    assert_eq!(failures, ["Session not saved (disk slow or database locked)"]);
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

#[test]
fn stuck_lock_does_not_delay_quitting() {
    let directory = saved(&[]);
    let mut holder = Connection::open(file(&directory)).unwrap();
    let _transaction = holder.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    let writer = start(&directory);
    writer.save(1, watch("ORDI"));
    let failures = writer.finish(None, false);
    assert!(failures.len() == 1 && failures[0].contains("not saved"), "{failures:?}");
}

#[test]
fn newer_store_is_read_and_not_written() {
    let directory = saved(&["ORDI"]);
    let mut running = Database::open(directory.path()).unwrap();
    execute(&directory, "ALTER TABLE watchlist ADD COLUMN note TEXT; PRAGMA user_version = 99;");
    let before = fs::read(file(&directory)).unwrap();
    let stopped = running.save(&[watch("SATS")]).unwrap_err();
    let refused = Database::open(directory.path()).unwrap_err();
    for error in [stopped, refused] {
        assert!(error.to_string().contains("newer satscope"), "{error}");
    }
    assert_eq!(symbols(&read(directory.path()).unwrap()), ["ORDI"]);
    assert_eq!(fs::read(file(&directory)).unwrap(), before);
}

#[test]
fn foreign_files_are_refused_and_left_alone() {
    let directory = saved(&[]);
    fs::remove_file(file(&directory)).unwrap();
    execute(&directory, "CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup');");
    let error = Database::open(directory.path()).unwrap_err();
    assert!(error.to_string().contains("not a satscope database"), "{error}");
    assert!(read(directory.path()).is_err());
    let soup = |connection: Connection| connection.query_row("SELECT name FROM recipes", [], |row| row.get(0));
    assert_eq!(soup(Connection::open(file(&directory)).unwrap()), Ok(String::from("soup")));
    fs::remove_file(file(&directory)).unwrap();
    fs::create_dir(file(&directory)).unwrap();
    assert!(matches!(Database::open(directory.path()), Err(Error::Foreign { .. })));
    assert!(matches!(read(directory.path()), Err(Error::Foreign { .. })));
}

#[test]
fn corrupt_store_is_moved_aside_with_its_log() {
    for damage in ["all", "pages", "emptied"] {
        let directory = saved(&["ORDI"]);
        let path = file(&directory);
        let mut bytes = fs::read(&path).unwrap();
        match damage {
            "all" => bytes.fill(b'x'),
            "pages" => bytes[4096..].fill(0xff),
            _ => bytes.clear(),
        }
        fs::write(&path, &bytes).unwrap();
        fs::write(directory.path().join("satscope.db-wal"), "log").unwrap();
        fs::write(directory.path().join("satscope.db-shm"), "index").unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let notes = database.notes();
        assert!(notes.len() == 1 && notes[0].starts_with("Corrupt database moved to "), "{damage}: {notes:?}");
        database.save(&[watch("SATS")]).unwrap();
        assert_eq!(symbols(&database.load().unwrap()), ["SATS"], "{damage}");
        drop(database);
        let aside: Vec<String> = names(directory.path()).into_iter().filter(|name| name.contains("damaged")).collect();
        let [file, shm, wal] = &aside[..] else { panic!("{damage}: {aside:?}") };
        assert!(wal.ends_with("-wal") && shm.ends_with("-shm"), "{damage}: {aside:?}");
        assert_eq!(fs::read(directory.path().join(file)).unwrap(), bytes, "{damage}");
        assert_eq!(fs::read(directory.path().join(wal)).unwrap(), b"log", "{damage}");
    }
}

#[test]
fn emptied_store_is_corrupt() {
    let directory = saved(&["ORDI"]);
    let emptied = fs::OpenOptions::new().write(true).open(file(&directory)).unwrap();
    emptied.set_len(0).unwrap();
    if emptied.metadata().unwrap().created().is_err() {
        return;
    }
    emptied.set_modified(SystemTime::now() + Duration::from_hours(1)).unwrap();
    let error = read(directory.path()).unwrap_err();
    assert!(error.to_string().starts_with("corrupt database: "), "{error}");
    let mut database = Database::open(directory.path()).unwrap();
    let notes = database.notes();
    assert!(notes.len() == 1 && notes[0].starts_with("Corrupt database moved to "), "{notes:?}");
    // A new one that a process was killed before it wrote.
    let directory = tempfile::tempdir().unwrap();
    fs::write(file(&directory), "").unwrap();
    assert_eq!(read(directory.path()).unwrap(), UserData::default());
    assert!(Database::open(directory.path()).unwrap().notes().is_empty());
}

#[test]
fn changed_or_missing_table_is_named_and_the_others_are_read() {
    for (sql, sentence) in [
        ("DROP TABLE session", "Can't read the session (unexpected table structure)"),
        ("DROP TABLE source_choice", "Can't read the choices of sources (unexpected table structure)"),
        (
            "ALTER TABLE watchlist RENAME COLUMN slug TO coin_slug",
            "Can't read the watchlist (unexpected table structure)",
        ),
        ("DROP TABLE note", "Can't read notes (unexpected table structure)"),
    ] {
        let directory = saved(&["ORDI"]);
        let mut database = Database::open(directory.path()).unwrap();
        let entry = WalletAddress { address: "bc1q".into(), label: None, added_at: UtcTime::from_secs(1) };
        database.save(&[Change::PutAddress(entry.clone()), Change::Session(session("wallet"))]).unwrap();
        execute(&directory, sql);
        for data in [database.load().unwrap(), read_all(directory.path()).unwrap()] {
            assert_eq!(
                (data.unreadable.as_slice(), &data.addresses),
                (&[sentence.to_owned()][..], &vec![entry.clone()])
            );
            assert_eq!(symbols(&data).is_empty(), sql.contains("watchlist"));
            assert_eq!(data.session.is_empty(), sql.contains("session"));
        }
        assert!(read(directory.path()).is_ok(), "{sql}");
    }
}

#[test]
fn messages_are_not_in_the_words_of_sqlite() {
    let directory = saved(&["ORDI"]);
    let mut database = Database::open(directory.path()).unwrap();
    execute(&directory, "ALTER TABLE watchlist RENAME COLUMN slug TO coin_slug");
    let path = fs::canonicalize(file(&directory)).unwrap();
    let error = database.save(&[watch("SATS")]).unwrap_err();
    assert_eq!(error.save_message(), format!("Can't save to {} (unexpected table structure)", path.display()));
    for (code, words) in [
        (ffi::SQLITE_READONLY, "read-only file"),
        (ffi::SQLITE_FULL, "disk full"),
        (ffi::SQLITE_IOERR_WRITE, "disk error"),
        (ffi::SQLITE_CANTOPEN, "can't open the file"),
        (ffi::SQLITE_NOTADB, "corrupt database"),
    ] {
        let failure = rusqlite::Error::SqliteFailure(ffi::Error::new(code), Some(String::from("from SQLite")));
        assert_eq!(error::reason(&failure), words);
    }
}

#[test]
fn kill_during_creation_is_not_corruption() {
    for (pages, is_corrupt) in [(0_u8, false), (5, true)] {
        let directory = tempfile::tempdir().unwrap();
        fs::write(file(&directory), "").unwrap();
        // The journal as SQLite leaves it: the number of pages before, and the sizes of sectors and pages.
        let mut journal = [0; 512];
        (journal[19], journal[22], journal[26]) = (pages, 2, 16);
        fs::write(directory.path().join("satscope.db-journal"), journal).unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let notes = database.notes();
        assert_eq!(!notes.is_empty(), is_corrupt, "{notes:?}");
        assert_eq!(names(directory.path()).iter().any(|name| name.contains("damaged")), is_corrupt);
        database.save(&[watch("ORDI")]).unwrap();
        assert_eq!(symbols(&database.load().unwrap()), ["ORDI"]);
    }
}

#[test]
fn running_instance_reopens_a_store_that_was_moved_aside() {
    let directory = saved(&["ORDI"]);
    let mut running = Database::open(directory.path()).unwrap();
    running.save(&[watch("SATS")]).unwrap();
    running.load().unwrap();
    // As another instance does with a corrupt one.
    let aside = files::set_aside(&file(&directory), UtcTime::now()).unwrap();
    let mut other = Database::open(directory.path()).unwrap();
    other.save(&[watch("RATS")]).unwrap();
    assert!(running.is_changed().unwrap());
    running.save(&[watch("PEPE")]).unwrap();
    drop(running);
    assert_eq!(symbols(&other.load().unwrap()), ["RATS", "PEPE"]);
    drop(other);
    assert_eq!(symbols(&read(directory.path()).unwrap()), ["RATS", "PEPE"]);
    assert!(aside.exists());
}

#[test]
fn two_corrupt_stores_in_one_second_are_both_kept() {
    let directory = saved(&[]);
    let now = UtcTime::from_secs(1_795_313_566);
    let first = files::set_aside(&file(&directory), now).unwrap();
    fs::write(file(&directory), "another").unwrap();
    let second = files::set_aside(&file(&directory), now).unwrap();
    assert_ne!(first, second);
    assert_eq!(fs::read_to_string(second).unwrap(), "another");
    assert!(first.exists());
}

#[test]
fn migration_makes_a_backup_first() {
    let directory = saved(&["ORDI"]);
    let migrations = [schema::MIGRATIONS, &["CREATE TABLE next (id INTEGER PRIMARY KEY) STRICT;"]].concat();
    let before = i32::try_from(schema::MIGRATIONS.len()).unwrap();
    let (path, connection, _) = database::prepare(directory.path(), lock::LOCK_TIMEOUT, &migrations).unwrap();
    let version = |connection: &Connection| connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i32>(0));
    assert_eq!(version(&connection), Ok(before + 1));
    assert_eq!(connection.query_row("SELECT symbol FROM watchlist", [], |row| row.get(0)), Ok(String::from("ORDI")));
    drop(connection);
    let backup = PathBuf::from(format!("{}.v{before}", path.display()));
    assert_eq!((mode(&backup), version(&Connection::open(&backup).unwrap())), (0o600, Ok(before)));
    assert_eq!(symbols(&database::read_only(&backup, tables::load_first).unwrap()), ["ORDI"]);
}

#[test]
fn store_of_the_version_before_is_migrated() {
    let directory = tempfile::tempdir().unwrap();
    let is_older = |step: &&&str| !step.contains("ADD COLUMN bitcoin_at ");
    let older: Vec<&str> = schema::MIGRATIONS.iter().take_while(is_older).copied().collect();
    assert_eq!(older.len() + 1, schema::MIGRATIONS.len());
    drop(database::prepare(directory.path(), lock::LOCK_TIMEOUT, &older).unwrap());
    execute(&directory, "INSERT INTO read_post (id) VALUES ('p1')");
    let note = Note { slug: "ordi".into(), time: UtcTime::from_secs(7), text: "listed".into() };
    execute(&directory, "INSERT INTO note (slug, time, text) VALUES ('ordi', 7000, 'listed')");
    let at = UtcTime::from_secs;
    let (subject, reason) = ("ORDI".into(), "no data".into());
    let period = UncheckedPeriod { alert: AlertId(1), subject, from: at(1), until: at(2), reason };
    execute(&directory, "INSERT INTO unchecked VALUES (1, 'ORDI', 1000, 2000, 'no data')");
    let mut database = Database::open(directory.path()).unwrap();
    assert!(database.provider_pauses().unwrap().is_empty());
    let data = database.load().unwrap();
    assert_eq!((data.read_posts, data.notes, data.unchecked), (vec!["p1".into()], vec![note], vec![period]));
}

#[test]
fn older_store_restored_in_place_is_migrated_by_the_running_instance() {
    let directory = saved(&["ORDI"]);
    let mut running = Database::open(directory.path()).unwrap();
    running.load().unwrap();
    let before = schema::MIGRATIONS.len() - 1;
    assert!(schema::MIGRATIONS[before].contains("ADD COLUMN bitcoin_at "));
    let columns = ["bitcoin_source", "bitcoin_at"].map(|column| format!("ALTER TABLE alert DROP COLUMN {column};"));
    let older = format!("{} PRAGMA user_version = {before};", columns.concat());
    execute(&directory, &older);
    assert!(running.load().unwrap().unreadable.is_empty());
    execute(&directory, &older);
    running.save(&[watch("SATS")]).unwrap();
    assert_eq!(symbols(&running.load().unwrap()), ["ORDI", "SATS"]);
    assert!(names(directory.path()).contains(&format!("{FILE}.v{before}")), "the backup");
}

#[test]
fn failed_migration_changes_nothing() {
    let directory = saved(&["ORDI"]);
    let migrations = [schema::MIGRATIONS, &["CREATE TABLE next (id INTEGER); this is not SQL;"]].concat();
    assert!(database::prepare(directory.path(), lock::LOCK_TIMEOUT, &migrations).is_err());
    let mut database = Database::open(directory.path()).unwrap();
    assert_eq!(symbols(&database.load().unwrap()), ["ORDI"]);
    assert!(database.notes().is_empty());
}

#[test]
fn store_symlink_stays_a_symlink() {
    let directory = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("mine.db");
    symlink(&target, file(&directory)).unwrap();
    Database::open(directory.path()).unwrap().save(&[watch("ORDI")]).unwrap();
    assert_eq!(fs::read_link(file(&directory)).unwrap(), target);
    assert_eq!(mode(&target), 0o600);
    // If it is corrupt, the target of the link is moved, not the link.
    fs::write(&target, "damaged").unwrap();
    let mut database = Database::open(directory.path()).unwrap();
    assert_eq!(database.notes().len(), 1);
    database.save(&[watch("SATS")]).unwrap();
    drop(database);
    assert_eq!(fs::read_link(file(&directory)).unwrap(), target);
    assert_eq!(names(elsewhere.path()).len(), 2);
    assert_eq!(symbols(&read(directory.path()).unwrap()), ["SATS"]);
}

#[test]
fn symlink_instead_of_lock_is_rejected_and_target_kept() {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("diary");
    fs::write(&target, "dear diary").unwrap();
    for lock in ["satscope.lock", "watched.lock"] {
        symlink(&target, directory.path().join(lock)).unwrap();
    }
    assert!(matches!(Database::open(directory.path()), Err(Error::File { .. })));
    assert_eq!(fs::read_to_string(&target).unwrap(), "dear diary");
}

#[test]
fn counting_requests_delays_nothing_while_another_process_holds_the_lock() {
    let directory = saved(&["ORDI"]);
    let shared = SharedDatabase::new(Some(directory.path().to_owned()));
    let count = |shared: &SharedDatabase| shared.count(|database| database.reserve(&ONE_REQUEST));
    count(&shared).unwrap();
    let locked = Connection::open(file(&directory)).unwrap();
    locked.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let since = Instant::now();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                while !is_done.load(Ordering::SeqCst) {
                    assert!(matches!(count(&shared), Err(Error::Busy { .. })));
                }
            });
        }
        // Reading needs no lock of the store, only the connection.
        for _ in 0..4 {
            assert_eq!(symbols(&shared.with(Database::load).unwrap()), ["ORDI"]);
        }
        is_done.store(true, Ordering::SeqCst);
    });
    // With the usual time to wait, each of the threads would block for 5 seconds.
    assert!(since.elapsed() < lock::LOCK_TIMEOUT, "{:?}", since.elapsed());
    // A save still waits for the other process.
    thread::scope(|scope| {
        let saving = scope.spawn(|| shared.with(|database| database.save(&[watch("SATS")])));
        while shared.count(|_| Ok(())).is_ok() {}
        locked.execute_batch("ROLLBACK").unwrap();
        saving.join().unwrap().unwrap();
    });
    assert_eq!(count(&shared).unwrap().used, 2);
}

#[test]
fn counting_requests_does_not_wait_for_a_locked_store_to_open() {
    let directory = saved(&["ORDI"]);
    let shared = SharedDatabase::new(Some(directory.path().to_owned()));
    let locked = lock::Lock::open(directory.path(), lock::LOCK_TIMEOUT).unwrap();
    let since = Instant::now();
    let held = locked.exclusive().unwrap();
    assert!(matches!(shared.count(|_| Ok(())), Err(Error::Busy { .. })));
    assert!(since.elapsed() < lock::LOCK_TIMEOUT, "{:?}", since.elapsed());
    drop(held);
    shared.count(|_| Ok(())).unwrap();
}

#[test]
fn first_frame_does_not_wait_for_locked_store() {
    let directory = saved(&["ORDI"]);
    execute(&directory, "PRAGMA journal_mode = DELETE");
    let mut holder = Connection::open(file(&directory)).unwrap();
    let transaction = holder.transaction_with_behavior(rusqlite::TransactionBehavior::Exclusive).unwrap();
    transaction.execute("DELETE FROM watchlist", []).unwrap();
    let began = Instant::now();
    assert!(matches!(read(directory.path()), Err(Error::Busy { .. })));
    // With the busy timeout of a writer it would return the same error later.
    assert!(began.elapsed() < lock::LOCK_TIMEOUT, "{:?}", began.elapsed());
}

#[test]
fn backup_is_complete_and_overwrites_nothing() {
    let directory = saved(&["ORDI"]);
    let mut running = Database::open(directory.path()).unwrap();
    running.save(&[watch("SATS")]).unwrap();
    let place = tempfile::tempdir().unwrap();
    let copy = place.path().join(FILE);
    backup(directory.path(), &copy).unwrap();
    assert_eq!(mode(&copy), 0o600);
    assert_eq!(symbols(&read(place.path()).unwrap()), ["ORDI", "SATS"]);
    Database::open(place.path()).unwrap().save(&[watch("RATS")]).unwrap();
    assert!(matches!(backup(directory.path(), &copy), Err(Error::Exists { .. })));
    assert_eq!(symbols(&read(place.path()).unwrap()), ["ORDI", "SATS", "RATS"]);
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(backup(empty.path(), &place.path().join("none")), Err(Error::Missing { .. })));
    assert!(backup(directory.path(), &place.path().join("no/such/file")).is_err());
}
