//! Databases that are deleted, out of reach or not writable: with commands and dashboards.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Output;

use satscope::store::Database;
use satscope::user_data::{Change, Watched};

use super::{dashboard, database, quit, run, state};

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
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
    let mut session = dashboard(home.path());
    session.until_text("Can't open satscope.db (dangling symlink); changes stay in memory");
    quit(session);
    fs::create_dir(target.parent().unwrap()).unwrap();
    reads();
    assert!(!target.exists());
    for change in ["notes add ordi x", "wallet add 5 ordi", "watchlist add ordi", "alerts add ordi>1"] {
        let arguments: Vec<&str> = std::iter::once("--demo").chain(change.split(' ')).collect();
        let output = run(home.path(), &arguments);
        assert!(output.status.success() && target.is_file(), "{change}: {}", stderr(&output));
        fs::remove_file(&target).unwrap();
    }
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
