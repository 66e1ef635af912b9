//! Databases that are deleted, out of reach or not writable: with commands and dashboards.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use rusqlite::Connection;
use satscope::store::Database;
use satscope::user_data::{Change, Watched};

use super::{dashboard, database, quit, run, state};

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Makes the database one of the previous version.
fn make_older(home: &Path) {
    let sql = "ALTER TABLE provider_use DROP COLUMN set_at; PRAGMA user_version = 15;";
    Connection::open(database(home)).unwrap().execute_batch(sql).unwrap();
}

#[test]
fn dangling_symlink_in_place_of_the_database_is_an_error() {
    let (home, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let target = elsewhere.path().join("unmounted/mine.db");
    fs::create_dir_all(state(home.path())).unwrap();
    symlink(&target, database(home.path())).unwrap();
    let reason = format!("{} (dangling symlink)\n", database(home.path()).display());
    let fails = |arguments: &[&str], what: &str| {
        let output = run(home.path(), arguments);
        assert_eq!((output.status.code(), stderr(&output)), (Some(1), format!("satscope: {what}{reason}")));
    };
    let reads = || {
        fails(&["--demo", "wallet"], "can't read the wallet: ");
        fails(&["wallet", "export"], "can't read the wallet: ");
        fails(&["notes"], "can't read the notes: ");
        fails(&["--demo", "watchlist"], "can't read the watchlist: ");
    };
    reads();
    fails(&["--demo", "notes", "add", "ordi", "x"], "note not saved: can't write ");
    let address = "bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj";
    fails(&["--demo", "wallet", "address", "add", address], "wallet not saved: can't write ");
    fails(&["--demo", "wallet", "address", "remove", address], "can't read the wallet: ");
    let mut session = dashboard(home.path());
    session.until_text("Can't open satscope.db (dangling symlink); changes stay in memory");
    quit(session);
    fs::create_dir(target.parent().unwrap()).unwrap();
    reads();
    assert!(!target.exists());
    let lots = elsewhere.path().join("lots.csv");
    fs::write(&lots, "slug,amount\nordi,5\n").unwrap();
    for change in [
        "notes add ordi x",
        "wallet add 5 ordi",
        "wallet address add bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj",
        &format!("wallet import --yes {}", lots.display()),
        "watchlist add ordi",
        "alerts add ordi>1",
    ] {
        let arguments: Vec<&str> = std::iter::once("--demo").chain(change.split(' ')).collect();
        let output = run(home.path(), &arguments);
        assert!(output.status.success() && target.is_file(), "{change}: {}", stderr(&output));
        fs::remove_file(&target).unwrap();
    }
}

#[test]
fn database_of_an_older_version_is_read_on_a_full_disk() {
    let home = tempfile::tempdir().unwrap();
    assert!(run(home.path(), &["--demo", "notes", "add", "ordi", "listed"]).status.success());
    make_older(home.path());
    let before = fs::read(database(home.path())).unwrap();
    let program = env!("CARGO_BIN_EXE_satscope");
    // No file may grow, as on a full disk.
    let run = |arguments: &str| {
        let script = format!("trap '' XFSZ; ulimit -f 0; exec {program} --demo {arguments}");
        Command::new("sh").args(["-c", &script]).env_clear().env("HOME", home.path()).output().unwrap()
    };
    let listed = run("notes --format csv");
    let text = String::from_utf8(listed.stdout.clone()).unwrap();
    assert!(listed.status.success() && text.contains("listed"), "{text}{}", stderr(&listed));
    let added = run("notes add ordi x");
    assert!(added.status.code() == Some(1) && stderr(&added).contains("note not saved: can't write "), "{added:?}");
    assert_eq!(fs::read(database(home.path())).unwrap(), before);
}

#[test]
fn dashboard_shows_an_older_database_that_it_cannot_upgrade() {
    let home = tempfile::tempdir().unwrap();
    Database::open(&state(home.path())).unwrap().save(&[Change::Watch(Watched::by_symbol("USDT"))]).unwrap();
    make_older(home.path());
    // Nothing can be written without the lock.
    fs::remove_file(state(home.path()).join("satscope.lock")).unwrap();
    fs::create_dir(state(home.path()).join("satscope.lock")).unwrap();
    let mut session = dashboard(home.path());
    session.until_text("changes stay in memory");
    session.press("4");
    session.until("the saved watchlist", |screen| {
        let text = screen.contents();
        text.contains("No holdings") && text.contains("Tether")
    });
    quit(session);
}

#[test]
fn unreadable_log_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    // Permissions do not stop root, and only root can run the program as another user.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let mut open = Database::open(&state(home.path())).unwrap();
    open.save(&[Change::Watch(Watched::by_symbol("USDT"))]).unwrap();
    let folders =
        [state(home.path()), home.path().join(".local/state"), home.path().join(".local"), home.path().into()];
    folders.iter().for_each(|folder| set(folder, 0o755));
    set(&database(home.path()), 0o644);
    let log = state(home.path()).join("satscope.db-wal");
    let listed = super::visitor(home.path(), &["--demo", "watchlist"]).output().unwrap();
    let expected = format!("satscope: can't read the watchlist: {} (permission denied)\n", log.display());
    assert_eq!((listed.status.code(), stderr(&listed)), (Some(1), expected));
}
