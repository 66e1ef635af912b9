//! Copies of the database.

use super::*;

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
    // A process was killed before it wrote anything.
    fs::write(file(&empty), "").unwrap();
    assert!(matches!(backup(empty.path(), &place.path().join("none")), Err(Error::Missing { .. })));
    assert!(backup(directory.path(), &place.path().join("no/such/file")).is_err());
    let foreign = tempfile::tempdir().unwrap();
    execute(&foreign, "CREATE TABLE other (value)");
    assert!(matches!(backup(foreign.path(), &place.path().join("other.db")), Err(Error::Foreign { .. })));
}

#[test]
fn backup_removes_the_incomplete_one_of_a_killed_process() {
    let directory = saved(&["ORDI"]);
    let place = tempfile::tempdir().unwrap();
    let part = |end: &str| place.path().join(format!("{}{end}", super::super::backup::PART));
    let sqlite = fs::read(file(&directory)).unwrap();
    for (end, content) in
        [("killed", &sqlite[..]), ("empty", &b""[..]), ("other", &b"dear diary"[..]), ("in-use", &sqlite[..])]
    {
        fs::write(part(end), content).unwrap();
    }
    symlink(file(&directory), part("link")).unwrap();
    let running = fs::File::open(part("in-use")).unwrap();
    running.lock().unwrap();
    backup(directory.path(), &place.path().join("copy.db")).unwrap();
    let mut kept = ["in-use", "link", "other"].map(|end| format!("{}{end}", super::super::backup::PART)).to_vec();
    kept.push(String::from("copy.db"));
    assert_eq!(names(place.path()), kept);
    assert_eq!(symbols(&read(directory.path()).unwrap()), ["ORDI"]);
}

#[test]
fn backup_of_a_damaged_database_names_the_database() {
    let directory = saved(&["ORDI"]);
    let mut bytes = fs::read(file(&directory)).unwrap();
    bytes[4096..].fill(0xff);
    fs::write(file(&directory), &bytes).unwrap();
    let place = tempfile::tempdir().unwrap();
    let error = backup(directory.path(), &place.path().join("copy.db")).unwrap_err();
    assert_eq!(error.to_string(), format!("{} (damaged database)", file(&directory).display()));
    assert!(names(place.path()).is_empty());
}

#[test]
fn database_that_cannot_be_reached_is_not_a_missing_one() {
    let directory = tempfile::tempdir().unwrap();
    let place = tempfile::tempdir().unwrap();
    for (target, reason) in [(FILE, "too many levels of symbolic links"), ("nowhere", "dangling symlink")] {
        symlink(target, file(&directory)).unwrap();
        let error = backup(directory.path(), &place.path().join("copy.db")).unwrap_err().to_string();
        assert!(error.ends_with(&format!("satscope.db ({reason})")), "{error}");
        fs::remove_file(file(&directory)).unwrap();
    }
}
