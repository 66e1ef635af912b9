mod backup;
mod damage;
mod locks;
mod migration;
mod writer;

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
    account: 1,
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

/// A database whose last write was interrupted: its journal has to be rolled back.
#[test]
fn interrupted_write_is_not_read() {
    let directory = saved(&["ORDI"]);
    let elsewhere = tempfile::tempdir().unwrap();
    let writer = Connection::open(file(&directory)).unwrap();
    writer.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1; BEGIN IMMEDIATE").unwrap();
    writer.execute_batch("DELETE FROM watchlist; CREATE TABLE filler (bytes BLOB)").unwrap();
    for _ in 0..100 {
        writer.execute("INSERT INTO filler VALUES (randomblob(4000))", []).unwrap();
    }
    for name in names(directory.path()) {
        fs::copy(directory.path().join(&name), elsewhere.path().join(&name)).unwrap();
    }
    let before = names(elsewhere.path());
    assert!(before.contains(&String::from("satscope.db-journal")), "{before:?}");
    assert_eq!(symbols(&read(elsewhere.path()).unwrap()), ["ORDI"]);
    assert_eq!(names(elsewhere.path()), before, "reading changes nothing");
    assert_eq!(symbols(&Database::open(elsewhere.path()).unwrap().load().unwrap()), ["ORDI"]);
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
    // As files restored from a backup or written by another program, while they are in use; and as those that SQLite
    // created while the database was read-only.
    let beside = ["satscope.db-wal", "satscope.db-shm"];
    for (names, wrong) in [(&[FILE][..], 0o644), (&beside, 0o644), (&beside, 0o400)] {
        let paths: Vec<PathBuf> = names.iter().map(|name| directory.join(name)).collect();
        for path in &paths {
            fs::set_permissions(path, fs::Permissions::from_mode(wrong)).unwrap();
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
    let notices = database.take_notices();
    assert!(notices.len() == 1 && notices[0].details.contains("watched.json"), "{notices:?}");
    assert_eq!(database.load().unwrap(), UserData::default());
    assert_eq!(fs::read_to_string(&old).unwrap(), "not ours");
}
