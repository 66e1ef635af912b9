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
    assert_eq!(symbols(&database::read_only(&backup, tables::load_first).unwrap()), ["ORDI"]);
}

#[test]
fn store_of_the_previous_version_is_migrated() {
    let directory = tempfile::tempdir().unwrap();
    let is_older = |step: &&&str| !step.contains("ADD COLUMN bitcoin_at ");
    let older: Vec<&str> = schema::MIGRATIONS.iter().take_while(is_older).copied().collect();
    assert_eq!(older.len() + 1, schema::MIGRATIONS.len());
    drop(database::prepare(directory.path(), lock::LOCK_TIMEOUT, &older, IfCorrupt::MoveAside).unwrap());
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
