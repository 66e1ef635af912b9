//! Databases of older versions.

use super::*;
use crate::store::database::IfCorrupt;

#[test]
fn migration_makes_a_backup_first() {
    let directory = saved(&["ORDI"]);
    let migrations = [schema::MIGRATIONS, &["CREATE TABLE next (id INTEGER PRIMARY KEY) STRICT;"]].concat();
    let before = i32::try_from(schema::MIGRATIONS.len()).unwrap();
    let (path, connection, _) =
        database::prepare(directory.path(), lock::LOCK_TIMEOUT, &migrations, IfCorrupt::MoveAside).unwrap();
    let version = |connection: &Connection| connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i32>(0));
    assert_eq!(version(&connection), Ok(before + 1));
    assert_eq!(connection.query_row("SELECT symbol FROM watchlist", [], |row| row.get(0)), Ok(String::from("ORDI")));
    drop(connection);
    let backup = PathBuf::from(format!("{}.v{before}", path.display()));
    assert_eq!((mode(&backup), version(&Connection::open(&backup).unwrap())), (0o600, Ok(before)));
    assert_eq!(symbols(&database::read_only(&backup, tables::load_first, Duration::ZERO).unwrap()), ["ORDI"]);
}

#[test]
fn store_of_an_older_version_is_migrated() {
    let directory = tempfile::tempdir().unwrap();
    let is_older = |step: &&&str| !step.contains("CREATE TABLE provider_month ");
    let older: Vec<&str> = schema::MIGRATIONS.iter().take_while(is_older).copied().collect();
    assert_eq!(older.len() + 2, schema::MIGRATIONS.len());
    drop(database::prepare(directory.path(), lock::LOCK_TIMEOUT, &older, IfCorrupt::MoveAside).unwrap());
    execute(&directory, "INSERT INTO read_post (id) VALUES ('p1')");
    let counts = "('coingecko', 0, '2026-11', 40), ('coinmarketcap', 0, '2026-11', 15000), ('okx', 7, '', 0),
        ('coinpaprika', 0, '2026-11', 300), ('unisat', 0, '2026-11', 60000)";
    execute(&directory, &format!("INSERT INTO provider_use VALUES {counts}"));
    // CoinMarketCap said that the month is used up, CoinPaprika that an earlier one was.
    let year_2100 = 4_102_444_800_000_i64;
    let pauses = format!(
        "('coinmarketcap', 1, '', {year_2100}, 'monthly-quota', 0, 'used up'),
        ('coinpaprika', 1, '', 9000, 'monthly-quota', 0, 'used up'),
        ('unisat', 1, '', {year_2100}, 'monthly-quota', 0, 'error -2003: quota unavailable')"
    );
    execute(&directory, &format!("INSERT INTO provider_pause VALUES {pauses}"));
    let note = Note { slug: "ordi".into(), time: UtcTime::from_secs(7), text: "listed".into() };
    execute(&directory, "INSERT INTO note (slug, time, text) VALUES ('ordi', 7000, 'listed')");
    let at = UtcTime::from_secs;
    let (subject, reason) = ("ORDI".into(), "no data".into());
    let period = UncheckedPeriod { alert: AlertId(1), subject, from: at(1), until: at(2), reason };
    execute(&directory, "INSERT INTO unchecked VALUES (1, 'ORDI', 1000, 2000, 'no data')");
    let mut database = Database::open(directory.path()).unwrap();
    let paused: Vec<String> = database.provider_pauses().unwrap().into_iter().map(|pause| pause.provider).collect();
    assert_eq!(paused, ["coinmarketcap", "coinpaprika"]);
    let names = ["coingecko", "coinmarketcap", "okx", "coinpaprika", "unisat"];
    assert_eq!(names.map(|name| database.used(name, 1, "2026-11").unwrap()), [40, 0, 0, 300, 0]);
    let data = database.load().unwrap();
    assert_eq!((data.read_posts, data.notes, data.unchecked), (vec!["p1".into()], vec![note], vec![period]));
}

/// The reverse of the last migration.
const UNDO_LAST: &str = "ALTER TABLE provider_use DROP COLUMN set_at;";

/// Makes a database one of the previous version.
fn make_older(directory: &TempDir) {
    let before = schema::MIGRATIONS.len() - 1;
    execute(directory, &format!("{UNDO_LAST} PRAGMA user_version = {before};"));
}

#[test]
fn store_of_an_older_version_is_read_without_being_changed() {
    for has_log in [false, true] {
        let directory = saved(&["ORDI"]);
        let note = Note { slug: "ordi".into(), time: UtcTime::from_secs(7), text: "listed".into() };
        Database::open(directory.path()).unwrap().save(&[Change::PutNote(note.clone())]).unwrap();
        make_older(&directory);
        let open = has_log.then(|| Connection::open(file(&directory)).unwrap());
        if let Some(open) = &open {
            open.execute_batch("INSERT INTO session (name, value) VALUES ('tab', 'wallet')").unwrap();
        }
        let content = || (names(directory.path()), fs::read(file(&directory)).unwrap());
        let before = content();
        assert_eq!(files::has_log(&file(&directory)), has_log);
        let first = read(directory.path()).unwrap();
        assert_eq!((symbols(&first), first.session.len()), (vec!["ORDI"], usize::from(has_log)));
        let all = read_all(directory.path()).unwrap();
        assert_eq!((all.notes, all.unreadable), (vec![note], vec![]));
        assert_eq!(content(), before);
    }
}

#[tokio::test]
async fn older_store_that_cannot_be_upgraded_is_shown_and_the_reason_reported() {
    let directory = saved(&["ORDI"]);
    make_older(&directory);
    // Nothing can be written without the lock.
    fs::remove_file(directory.path().join("satscope.lock")).unwrap();
    fs::create_dir(directory.path().join("satscope.lock")).unwrap();
    let mut writer = Writer::start(SharedDatabase::new(Some(directory.path().to_owned())), UtcTime::now());
    let Event::Loaded(data) = writer.next().await else { panic!("nothing loaded") };
    assert_eq!(symbols(&data), ["ORDI"]);
    let Event::Failed(notice) = writer.next().await else { panic!("not reported") };
    assert!(notice.summary.ends_with("; changes stay in memory"), "{notice:?}");
}

#[test]
fn older_store_restored_in_place_is_migrated_by_the_running_instance() {
    let directory = saved(&["ORDI"]);
    let mut running = Database::open(directory.path()).unwrap();
    running.load().unwrap();
    let before = schema::MIGRATIONS.len() - 1;
    assert!(schema::MIGRATIONS[before].contains("ADD COLUMN set_at "));
    let older = format!("{UNDO_LAST} PRAGMA user_version = {before};");
    execute(&directory, &older);
    assert!(running.load().unwrap().unreadable.is_empty());
    execute(&directory, &older);
    running.save(&[watch("SATS")]).unwrap();
    assert_eq!(symbols(&running.load().unwrap()), ["ORDI", "SATS"]);
    assert!(names(directory.path()).contains(&format!("{FILE}.v{before}")), "the backup");
}

#[test]
fn failed_migration_changes_nothing_and_leaves_no_backup() {
    let directory = saved(&["ORDI"]);
    let before = names(directory.path());
    let migrations = [schema::MIGRATIONS, &["CREATE TABLE next (id INTEGER); this is not SQL;"]].concat();
    for _ in 0..3 {
        let error =
            database::prepare(directory.path(), lock::LOCK_TIMEOUT, &migrations, IfCorrupt::MoveAside).unwrap_err();
        assert!(error.to_string().ends_with("satscope.db (upgrade failed: unexpected table structure)"), "{error}");
        assert_eq!(names(directory.path()), before);
    }
    let mut database = Database::open(directory.path()).unwrap();
    assert_eq!(symbols(&database.load().unwrap()), ["ORDI"]);
    assert!(database.take_notices().is_empty());
}
