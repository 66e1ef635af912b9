//! Databases that are deleted, out of reach or not writable: with commands and dashboards.

use std::fs;
use std::path::Path;
use std::process::Output;

use satscope::store::Database;
use satscope::user_data::{Change, Watched};

use super::{database, state};

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
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
