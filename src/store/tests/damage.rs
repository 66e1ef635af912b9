//! Databases that are damaged, foreign, or of a newer version.

use std::io::Write as _;

use super::*;

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
        let notices = database.take_notices();
        assert!(
            notices.len() == 1 && notices[0].details.starts_with("Damaged database moved to "),
            "{damage}: {notices:?}"
        );
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
fn database_that_must_be_sound_is_never_moved_aside() {
    let directory = saved(&["ORDI"]);
    let path = file(&directory);
    let sound = fs::read(&path).unwrap();
    let mut corrupt = sound.clone();
    corrupt[4096..].fill(0xff);
    let replace = |bytes: &[u8]| {
        let other = directory.path().join("other");
        fs::write(&other, bytes).unwrap();
        fs::rename(&other, &path).unwrap();
    };
    let mut open = Database::open_unless_corrupt(directory.path()).unwrap();
    assert_eq!(symbols(&open.load().unwrap()), ["ORDI"]);
    replace(&corrupt);
    assert!(open.load().is_err_and(|error| error.is_corruption()), "even if it is corrupt later");
    assert!(Database::open_unless_corrupt(directory.path()).is_err_and(|error| error.is_corruption()));
    assert_eq!(fs::read(&path).unwrap(), corrupt);
    assert!(names(directory.path()).iter().all(|name| !name.contains("damaged")));
    replace(&sound);
    assert_eq!(symbols(&open.load().unwrap()), ["ORDI"], "once it is repaired");
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
    assert!(error.to_string().ends_with("satscope.db (damaged database)"), "{error}");
    let mut database = Database::open(directory.path()).unwrap();
    let notices = database.take_notices();
    assert!(notices.len() == 1 && notices[0].details.starts_with("Damaged database moved to "), "{notices:?}");
    // A new database whose process was killed before it wrote anything.
    let directory = tempfile::tempdir().unwrap();
    fs::write(file(&directory), "").unwrap();
    assert_eq!(read(directory.path()).unwrap(), UserData::default());
    assert!(Database::open(directory.path()).unwrap().take_notices().is_empty());
}

#[test]
fn log_of_an_emptied_store_is_kept_by_readers() {
    // SQLite treats a file of one byte as an empty database.
    for len in [0, 1] {
        let directory = saved(&["ORDI"]);
        fs::write(file(&directory), vec![0; len]).unwrap();
        let log = directory.path().join("satscope.db-wal");
        fs::write(&log, "log").unwrap();
        let copied = backup(directory.path(), &directory.path().join("copy.db"));
        for error in [read(directory.path()).unwrap_err(), read_all(directory.path()).unwrap_err(), copied.unwrap_err()]
        {
            assert!(error.is_corruption(), "{len}: {error}");
        }
        assert_eq!(fs::read(&log).unwrap(), b"log", "{len}");
        let notices = Database::open(directory.path()).unwrap().take_notices();
        assert!(notices[0].details.starts_with("Damaged database moved to "), "{len}: {notices:?}");
        let is_log = |name: &String| name.contains(".damaged-") && name.ends_with("-wal");
        assert!(names(directory.path()).iter().any(is_log), "{len}: {:?}", names(directory.path()));
    }
}

#[test]
fn data_of_a_deleted_store_are_saved_to_a_new_one() {
    let directory = saved(&["ORDI"]);
    let mut running = Database::open(directory.path()).unwrap();
    let mut other = Database::open_unless_corrupt(directory.path()).unwrap();
    running.save(&[watch("SATS")]).unwrap();
    fs::remove_file(file(&directory)).unwrap();
    running.save(&[watch("RATS")]).unwrap();
    let notices = running.take_notices();
    let path = file(&directory);
    let sentence = format!("{} was deleted; saved its data to a new one", path.display());
    assert_eq!(notices.iter().map(|notice| notice.details.as_str()).collect::<Vec<_>>(), [sentence.as_str()]);
    assert_eq!(notices[0].summary, "satscope.db was deleted; saved its data to a new one");
    for database in [&mut running, &mut other] {
        assert_eq!(symbols(&database.load().unwrap()), ["ORDI", "SATS", "RATS"]);
    }
    assert!(other.take_notices().is_empty(), "reported once");
    // Also with the whole directory.
    fs::remove_dir_all(directory.path()).unwrap();
    other.save(&[watch("PEPE")]).unwrap();
    assert_eq!((other.take_notices().len(), symbols(&running.load().unwrap()).len()), (1, 4));
    assert_eq!(symbols(&read(directory.path()).unwrap()), ["ORDI", "SATS", "RATS", "PEPE"]);
}

#[test]
fn index_of_a_deleted_store_is_not_corruption() {
    let directory = saved(&["ORDI"]);
    fs::remove_file(file(&directory)).unwrap();
    // A backup leaves them behind.
    fs::write(directory.path().join("satscope.db-wal"), "").unwrap();
    fs::write(directory.path().join("satscope.db-shm"), vec![1; 32_768]).unwrap();
    let mut database = Database::open_unless_corrupt(directory.path()).unwrap();
    let notices = database.take_notices();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!(notices[0].summary, "satscope.db was deleted; started a new one");
    database.save(&[watch("SATS")]).unwrap();
    drop(database);
    assert_eq!(symbols(&read(directory.path()).unwrap()), ["SATS"]);
    assert!(!names(directory.path()).iter().any(|name| name.contains("damaged")), "{:?}", names(directory.path()));
}

#[test]
fn log_of_a_deleted_store_is_moved_aside() {
    let directory = saved(&["ORDI"]);
    fs::remove_file(file(&directory)).unwrap();
    fs::write(directory.path().join("satscope.db-wal"), "log").unwrap();
    assert!(Database::open_unless_corrupt(directory.path()).is_err_and(|error| error.is_corruption()));
    fs::remove_file(file(&directory)).unwrap();
    let notices = Database::open(directory.path()).unwrap().take_notices();
    assert_eq!(notices[0].summary, "satscope.db was deleted; started a new one");
    assert!(names(directory.path()).iter().any(|name| name.contains(".damaged-") && name.ends_with("-wal")));
    assert_eq!(notices.len(), 1);
}

#[test]
fn store_emptied_or_overwritten_while_open_is_moved_aside() {
    let damages: [fn(&fs::File, &[u8]); 3] = [
        |file, _| file.set_len(0).unwrap(),
        |file, _| file.set_len(1_000).unwrap(),
        |mut file, bytes| file.write_all(&vec![b'x'; bytes.len()]).unwrap(),
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        let directory = saved(&["ORDI"]);
        let mut running = Database::open(directory.path()).unwrap();
        running.save(&[watch("SATS")]).unwrap();
        let bytes = fs::read(file(&directory)).unwrap();
        damage(&fs::OpenOptions::new().write(true).open(file(&directory)).unwrap(), &bytes);
        running.save(&[watch("RATS")]).unwrap();
        let notices = running.take_notices();
        assert!(
            notices.len() == 1 && notices[0].details.starts_with("Damaged database moved to "),
            "{number}: {notices:?}"
        );
        assert_eq!(symbols(&running.load().unwrap()), ["RATS"], "{number}");
        assert_eq!(symbols(&read(directory.path()).unwrap()), ["RATS"], "{number}");
        // A process that needs the data notices it, too.
        let mut sound = Database::open_unless_corrupt(directory.path()).unwrap();
        damage(&fs::OpenOptions::new().write(true).open(file(&directory)).unwrap(), &bytes);
        assert!(sound.load().is_err_and(|error| error.is_corruption()), "{number}");
        assert!(sound.save(&[watch("PEPE")]).is_err_and(|error| error.is_corruption()), "{number}");
    }
}

#[test]
fn changed_or_missing_table_is_named_and_the_others_are_read() {
    for (sql, sentence) in [
        ("DROP TABLE session", "Can't read the session (unexpected table structure)"),
        ("DROP TABLE source_choice", "Can't read the provider choices (unexpected table structure)"),
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
                (data.unreadable_about(|_| true).collect::<Vec<_>>(), &data.addresses),
                (vec![sentence], &vec![entry.clone()])
            );
            assert_eq!(symbols(&data).is_empty(), sql.contains("watchlist"));
            assert_eq!(data.session.is_empty(), sql.contains("session"));
        }
        assert!(read(directory.path()).is_ok(), "{sql}");
    }
}

#[test]
fn messages_do_not_quote_sqlite() {
    let directory = saved(&["ORDI"]);
    let mut database = Database::open(directory.path()).unwrap();
    execute(&directory, "ALTER TABLE watchlist RENAME COLUMN slug TO coin_slug");
    let path = fs::canonicalize(file(&directory)).unwrap();
    let error = database.save(&[watch("SATS")]).unwrap_err();
    let notice = error.save_notice();
    assert_eq!(notice.details, format!("Can't write {} (unexpected table structure)", path.display()));
    let words = "Can't write satscope.db (unexpected table structure); changes stay in memory";
    assert_eq!(notice.summary, words);
    for (code, words) in [
        (ffi::SQLITE_READONLY, "read-only file"),
        (ffi::SQLITE_FULL, "disk full"),
        (ffi::SQLITE_IOERR_WRITE, "disk error"),
        (ffi::SQLITE_CANTOPEN, "can't open the file"),
        (ffi::SQLITE_NOTADB, "damaged database"),
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
        let notices = database.take_notices();
        assert_eq!(!notices.is_empty(), is_corrupt, "{notices:?}");
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
    // As another instance does with a corrupt database.
    let aside = files::move_aside(&file(&directory), UtcTime::now()).unwrap();
    let mut other = Database::open(directory.path()).unwrap();
    other.save(&[watch("RATS")]).unwrap();
    assert!(running.is_changed().unwrap());
    assert!(running.take_notices().is_empty());
    running.save(&[watch("PEPE")]).unwrap();
    let [notice] = &running.take_notices()[..] else { panic!("it doesn't say where its data is") };
    assert_eq!(notice.details, format!("Damaged database moved to {}; started a new one", aside.display()));
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
    let first = files::move_aside(&file(&directory), now).unwrap();
    fs::write(file(&directory), "another").unwrap();
    let second = files::move_aside(&file(&directory), now).unwrap();
    assert_ne!(first, second);
    assert_eq!(fs::read_to_string(second).unwrap(), "another");
    assert!(first.exists());
}

#[test]
fn backup_restored_beside_a_stale_wal_is_not_opened() {
    let directory = saved(&["ORDI"]);
    let place = tempfile::tempdir().unwrap();
    let copy = place.path().join("copy.db");
    backup(directory.path(), &copy).unwrap();
    for running in [true, false] {
        let mut database = Database::open(directory.path()).unwrap();
        database.save(&[watch("SATS")]).unwrap();
        if !running {
            // As after a kill: the log stays.
            let wal = directory.path().join("satscope.db-wal");
            let log = fs::read(&wal).unwrap();
            drop(database);
            fs::write(wal, log).unwrap();
            database = Database::open(tempfile::tempdir().unwrap().path()).unwrap();
        }
        fs::copy(&copy, file(&directory)).unwrap();
        let reason = "satscope.db (stale satscope.db-wal: quit satscope, delete it and satscope.db-shm)";
        let mut errors = vec![
            Database::open(directory.path()).unwrap_err(),
            read(directory.path()).unwrap_err(),
            backup(directory.path(), &place.path().join("other.db")).unwrap_err(),
        ];
        if running {
            errors.push(database.load().unwrap_err());
            errors.push(database.save(&[watch("RATS")]).unwrap_err());
        }
        for error in errors {
            assert!(error.to_string().ends_with(reason), "{error}");
        }
        drop(database);
        fs::remove_file(directory.path().join("satscope.db-wal")).unwrap();
        assert_eq!(symbols(&read(directory.path()).unwrap()), ["ORDI"], "running: {running}");
        assert_eq!(symbols(&Database::open(directory.path()).unwrap().load().unwrap()), ["ORDI"]);
    }
}
