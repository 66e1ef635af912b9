//! Links in place of files, and locks of other processes.

use super::*;

#[test]
fn store_symlink_stays_a_symlink() {
    let directory = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("mine.db");
    symlink(&target, file(&directory)).unwrap();
    Database::open(directory.path()).unwrap().save(&[watch("ORDI")]).unwrap();
    assert_eq!(fs::read_link(file(&directory)).unwrap(), target);
    assert_eq!(mode(&target), 0o600);
    assert_eq!(symbols(&read(directory.path()).unwrap()), ["ORDI"]);
}

#[test]
fn dangling_symlink_is_named_and_its_target_is_only_created_to_write() {
    let (directory, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let read_errors = |directory: &Path| {
        let copy = elsewhere.path().join("copy.db");
        [read(directory).unwrap_err(), read_all(directory).unwrap_err(), backup(directory, &copy).unwrap_err()]
    };
    let target = elsewhere.path().join("unmounted/mine.db");
    symlink(&target, file(&directory)).unwrap();
    let reason = format!("{} (dangling symlink)", file(&directory).display());
    for error in read_errors(directory.path()).into_iter().chain([Database::open(directory.path()).unwrap_err()]) {
        assert_eq!(error.to_string(), reason);
        assert!(error.is_dangling());
    }
    // The link may be a directory.
    let link = directory.path().join("state");
    symlink(elsewhere.path().join("unmounted"), &link).unwrap();
    for error in read_errors(&link).into_iter().chain([Database::open(&link).unwrap_err()]) {
        assert_eq!(error.to_string(), format!("{} (dangling symlink)", link.display()));
    }
    fs::create_dir(target.parent().unwrap()).unwrap();
    for error in read_errors(directory.path()) {
        assert_eq!(error.to_string(), reason);
    }
    assert!(!target.exists());
    Database::open(directory.path()).unwrap().save(&[watch("ORDI")]).unwrap();
    assert_eq!(symbols(&read(directory.path()).unwrap()), ["ORDI"]);
    assert!(target.exists());
}

#[test]
fn log_that_is_not_a_file_is_named() {
    let kinds: [fn(&Path); 2] = [|path| fs::create_dir_all(path.join("content")).unwrap(), make_pipe];
    for name in ["satscope.db-wal", "satscope.db-journal"] {
        for make in kinds {
            let directory = saved(&["ORDI"]);
            let log = directory.path().join(name);
            make(&log);
            let errors = [
                read(directory.path()).unwrap_err(),
                backup(directory.path(), &directory.path().join("copy.db")).unwrap_err(),
                Database::open(directory.path()).unwrap_err(),
            ];
            for error in errors {
                assert_eq!(error.to_string(), format!("{} (not a regular file)", log.display()));
            }
            assert!(log.exists(), "{name}");
        }
    }
}

fn make_pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn path_that_is_too_long_for_sqlite_is_named() {
    let (home, name) = (tempfile::tempdir().unwrap(), "x".repeat(200));
    let directory = home.path().join(&name).join(&name).join(&name);
    for error in [Database::open(&directory).unwrap_err(), read(&directory).unwrap_err()] {
        assert_eq!(error.open_notice().summary, "Can't open satscope.db (path too long); changes stay in memory");
    }
}

#[test]
fn pipe_in_place_of_the_database_is_not_opened() {
    let directory = tempfile::tempdir().unwrap();
    make_pipe(&file(&directory));
    fs::write(directory.path().join("satscope.db-wal"), "log").unwrap();
    let (send, received) = std::sync::mpsc::channel();
    let place = directory.path().to_owned();
    thread::spawn(move || {
        let _ = send.send([read(&place).unwrap_err(), Database::open(&place).unwrap_err()]);
    });
    for error in received.recv_timeout(2 * lock::LOCK_TIMEOUT).unwrap() {
        assert!(matches!(error, Error::Foreign { .. }), "{error}");
    }
}

#[test]
fn symlink_target_that_is_not_a_database_is_left_unchanged() {
    let directory = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("diary.txt");
    fs::write(&target, "dear diary").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o644)).unwrap();
    symlink(&target, file(&directory)).unwrap();
    let copied = backup(directory.path(), &directory.path().join("copy.db")).unwrap_err();
    let checked = Database::open_unless_corrupt(directory.path()).unwrap_err();
    for error in [read(directory.path()).unwrap_err(), copied, checked] {
        assert!(matches!(error, Error::LinkedDamaged { .. }), "{error}");
    }
    let error = Database::open(directory.path()).unwrap_err();
    let words = "Can't open diary.txt (symlink to a damaged database); changes stay in memory";
    assert_eq!(error.open_notice().summary, words);
    assert_eq!(fs::read_link(file(&directory)).unwrap(), target);
    assert_eq!((fs::read_to_string(&target).unwrap().as_str(), mode(&target)), ("dear diary", 0o644));
    assert_eq!(names(elsewhere.path()), ["diary.txt"]);
}

#[test]
fn database_of_another_program_behind_a_symlink_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let target = elsewhere.path().join("recipes.db");
    Connection::open(&target).unwrap().execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o644)).unwrap();
    let before = fs::read(&target).unwrap();
    symlink(&target, file(&directory)).unwrap();
    assert!(matches!(Database::open(directory.path()), Err(Error::Foreign { .. })));
    assert_eq!((fs::read(&target).unwrap(), mode(&target)), (before, 0o644));
    assert_eq!(names(elsewhere.path()), ["recipes.db"]);
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
fn lock_that_belongs_to_another_user_is_named() {
    let directory = saved(&["ORDI"]);
    let lock = directory.path().join("satscope.lock");
    fs::set_permissions(&lock, fs::Permissions::from_mode(0o400)).unwrap();
    // Permissions do not stop root.
    if fs::OpenOptions::new().write(true).open(&lock).is_ok() {
        return;
    }
    let error = Database::open(directory.path()).unwrap_err();
    assert_eq!(error.to_string(), format!("{} (permission denied)", lock.display()));
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
fn reading_waits_while_others_create_and_close_the_database() {
    for _ in 0..20 {
        let directory = tempfile::tempdir().unwrap();
        let start = std::sync::Barrier::new(6);
        thread::scope(|scope| {
            for number in 0..6 {
                let (start, directory) = (&start, directory.path());
                scope.spawn(move || {
                    start.wait();
                    for _ in 0..5 {
                        if number % 2 == 0 {
                            drop(Database::open(directory).unwrap());
                        }
                        read_waiting(directory).unwrap();
                        read_all(directory).unwrap();
                    }
                });
            }
        });
    }
}
