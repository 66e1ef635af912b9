//! The store with several processes, and where it can't be used: the real program with its own home directory.

mod lost;
mod unsaved;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Instant;

use rusqlite::Connection;
use rustix::process::Signal;
use satscope::store::{self, Database};
use satscope::user_data::{Change, UserData, Watched};

use crate::support::session::{Session, TEST_TIMEOUT};

fn state(home: &Path) -> PathBuf {
    home.join(".local/state/satscope")
}

fn database(home: &Path) -> PathBuf {
    state(home).join(store::FILE)
}

fn dashboard(home: &Path) -> Session {
    let mut session = Session::dashboard_in(home, (120, 30), &[]);
    session.until_text("BTC");
    session
}

fn command(home: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_satscope"));
    command.args(arguments).env_clear().env("HOME", home).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(home: &Path, arguments: &[&str]) -> Output {
    command(home, arguments).output().unwrap()
}

/// The names in a directory, sorted.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn symbols(data: &UserData) -> Vec<&str> {
    data.watchlist.added.iter().map(|coin| coin.symbol.as_str()).collect()
}

fn quit(mut session: Session) {
    session.press("q");
    assert_eq!(session.wait().0, 0);
}

/// Presses keys until the screen matches: the program checks for changes of other processes only when it wakes up
/// anyway.
fn press_until(session: &mut Session, keys: &str, text: &str) {
    let deadline = Instant::now() + TEST_TIMEOUT;
    while !session.text().contains(text) {
        assert!(Instant::now() < deadline, "no {text}; the screen:\n{}", session.text());
        session.press(keys);
        session.catch_up();
        std::thread::yield_now();
    }
}

#[test]
fn change_in_one_dashboard_shows_in_the_other() {
    let home = tempfile::tempdir().unwrap();
    let (mut one, mut other) = (dashboard(home.path()), dashboard(home.path()));
    other.press("4");
    other.until_text("SATS");
    assert!(!other.text().contains("Tether"), "{}", other.text());
    one.press("/tether\r");
    one.until_text("1 of 1,251");
    one.press("f");
    one.until_text("Watching USDT");
    press_until(&mut other, "jk", "Tether");
    quit(one);
    quit(other);
}

#[test]
fn next_start_restores_session() {
    let home = tempfile::tempdir().unwrap();
    let mut session = dashboard(home.path());
    session.press("2sp");
    session.until_text("Price▾");
    quit(session);
    let mut next = Session::dashboard_in(home.path(), (120, 30), &[]);
    let frame = next.first_frame();
    assert!(frame.contains("Price▾") && frame.contains("ORDI"), "{frame}");
    quit(next);
    assert!(fs::metadata(database(home.path())).unwrap().permissions().mode().trailing_zeros() >= 7);
}

#[test]
fn damaged_store_is_reported_and_kept() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(state(home.path())).unwrap();
    fs::write(database(home.path()), "this was a database once").unwrap();
    let mut session = dashboard(home.path());
    session.until_text("Damaged database moved to");
    quit(session);
    let kept: Vec<String> = fs::read_dir(state(home.path()))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().contains(".damaged-"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    assert_eq!(kept, ["this was a database once"]);
}

#[test]
fn newer_store_is_shown_and_not_written() {
    let home = tempfile::tempdir().unwrap();
    Database::open(&state(home.path())).unwrap().save(&[Change::Watch(Watched::by_symbol("USDT"))]).unwrap();
    Connection::open(database(home.path())).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    let before = fs::read(database(home.path())).unwrap();
    let mut session = dashboard(home.path());
    session.until_text("newer satscope");
    session.press("4");
    session.until_text("Tether");
    session.press("f");
    session.until_text("Can't write satscope.db (from a newer satscope); changes stay in memory");
    session.press("q");
    let (status, screen) = session.wait();
    let lost = "satscope: 1 change not saved: can't write ";
    assert!(status == 1 && screen.contains(lost) && screen.matches("satscope: ").count() == 1, "{screen}");
    let output = run(home.path(), &["--demo", "watchlist", "add", "bitcoin"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && error.contains("newer satscope"), "{error}");
    assert_eq!(fs::read(database(home.path())).unwrap(), before);
}

#[test]
fn failed_upgrade_is_reported_with_the_reason_and_leaves_no_copies() {
    let home = tempfile::tempdir().unwrap();
    Database::open(&state(home.path())).unwrap().save(&[Change::Watch(Watched::by_symbol("USDT"))]).unwrap();
    let before = names(&state(home.path()));
    // The tables that the next version adds are already there.
    Connection::open(database(home.path())).unwrap().execute_batch("PRAGMA user_version = 5").unwrap();
    let reason = format!("{} (upgrade failed: unexpected table structure)\n", database(home.path()).display());
    for (arguments, what) in [
        (&["--demo", "wallet"][..], "can't read the wallet: "),
        (&["--demo", "notes", "add", "ordi", "x"], "note not saved: can't write "),
        (&["--demo", "alerts", "watch", "--for", "1"], "can't watch alerts: "),
    ] {
        let output = run(home.path(), arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), error), (Some(1), format!("satscope: {what}{reason}")));
    }
    let mut session = dashboard(home.path());
    session.until_text("Can't open satscope.db (upgrade failed: unexpected table structure)");
    quit(session);
    assert_eq!(names(&state(home.path())), before);
    let version = |connection: Connection| connection.query_row("PRAGMA user_version", [], |row| row.get(0));
    assert_eq!(version(Connection::open(database(home.path())).unwrap()), Ok(5));
}

#[test]
fn commands_fail_without_home_directory() {
    let home = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| command(home.path(), arguments).env("HOME", "relative").output().unwrap();
    for (arguments, what) in [
        (&["wallet", "export"][..], "can't read the wallet"),
        (&["notes", "list"], "can't read the notes"),
        (&["alerts"], "can't read the alerts"),
    ] {
        let output = run(arguments);
        let error = format!("satscope: {what}: no home directory; set HOME or XDG_STATE_HOME to an absolute path\n");
        assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(1), error));
        assert!(output.stdout.is_empty());
    }
    let watched = run(&["--demo", "watchlist"]);
    let error = String::from_utf8(watched.stderr).unwrap();
    assert!(watched.status.success() && error.starts_with("satscope: using the configured watchlist: "), "{error}");
    let added = run(&["--demo", "watchlist", "add", "pepe"]);
    let error = "satscope: watchlist not saved: no home directory; set HOME or XDG_STATE_HOME to an absolute path\n";
    assert_eq!((added.status.code(), String::from_utf8(added.stderr).unwrap().as_str()), (Some(1), error));
}

#[test]
fn dangling_link_in_place_of_the_state_directory_is_named() {
    let home = tempfile::tempdir().unwrap();
    let link = home.path().join(".local/state");
    fs::create_dir_all(home.path().join(".local")).unwrap();
    std::os::unix::fs::symlink("/no/such/place", &link).unwrap();
    let output = run(home.path(), &["--demo", "notes", "add", "ordi", "x"]);
    let error = format!("satscope: note not saved: can't write {} (dangling symlink)\n", link.display());
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(1), error));
}

/// The program as a user with read-only access to the home directory.
fn visitor(home: &Path, arguments: &[&str]) -> Command {
    use std::os::unix::process::CommandExt as _;
    let mut command = command(home, arguments);
    if rustix::process::geteuid().is_root() {
        // Permissions do not stop root.
        command.uid(65_534).gid(65_534);
    }
    command
}

#[test]
fn read_only_home_is_readable_and_save_failure_is_reported() {
    let home = tempfile::tempdir().unwrap();
    let change = |symbol| Change::Watch(Watched { slug: Some("tether".into()), ..Watched::by_symbol(symbol) });
    Database::open(&state(home.path())).unwrap().save(&[change("USDT")]).unwrap();
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    set(&database(home.path()), 0o444);
    let folders =
        [state(home.path()), home.path().join(".local/state"), home.path().join(".local"), home.path().into()];
    folders.iter().for_each(|folder| set(folder, 0o555));
    let listed = visitor(home.path(), &["--demo", "watchlist", "--format", "csv"]).output();
    let added = visitor(home.path(), &["--demo", "watchlist", "add", "bitcoin"]).output();
    folders.iter().for_each(|folder| set(folder, 0o755));
    let (listed, added) = (listed.unwrap(), added.unwrap());
    let text = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.status.success() && text.contains("tether,"), "{text}");
    let error = String::from_utf8(added.stderr).unwrap();
    assert!(
        added.status.code() == Some(1)
            && error.contains("watchlist not saved: can't write ")
            && error.ends_with("satscope (permission denied)\n"),
        "{error}"
    );
}

#[test]
fn alerts_watch_works_with_read_only_database() {
    let home = tempfile::tempdir().unwrap();
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let watched = || {
        let mut folders = vec![home.path().to_owned()];
        if state(home.path()).exists() {
            folders.extend([state(home.path()), home.path().join(".local/state"), home.path().join(".local")]);
        }
        folders.iter().for_each(|folder| set(folder, 0o555));
        let output = visitor(home.path(), &["--demo", "alerts", "watch", "--for", "1"]).output();
        folders.iter().for_each(|folder| set(folder, 0o755));
        let output = output.unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (status, error) = watched();
    let begin = "satscope: no alerts to watch: no database, and can't create one: ";
    assert!(status == Some(1) && error.starts_with(begin) && error.lines().count() == 1, "{error}");
    // A store without alerts may get some from another user.
    Database::open(&state(home.path())).unwrap();
    set(&database(home.path()), 0o444);
    let (status, error) = watched();
    let lines: Vec<&str> = error.lines().collect();
    let [unsaved, none] = lines[..] else { panic!("{error}") };
    assert!(unsaved.ends_with(" · alerts are printed but not recorded"), "{error}");
    assert!(status == Some(0) && none.starts_with("satscope: no alerts yet"), "{error}");
    assert!(run(home.path(), &["--demo", "alerts", "add", "fees < 0.001"]).status.success());
    set(&database(home.path()), 0o444);
    let (status, error) = watched();
    assert!(status == Some(0) && error.lines().count() == 1, "{error}");
    assert!(error.ends_with(" · alerts are printed but not recorded\n"), "{error}");
}

#[test]
fn database_without_read_permission_is_named_with_the_reason() {
    let home = tempfile::tempdir().unwrap();
    Database::open(&state(home.path())).unwrap().save(&[Change::Watch(Watched::by_symbol("USDT"))]).unwrap();
    let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let folders =
        [state(home.path()), home.path().join(".local/state"), home.path().join(".local"), home.path().into()];
    folders.iter().for_each(|folder| set(folder, 0o755));
    set(&database(home.path()), 0);
    let listed = visitor(home.path(), &["--demo", "watchlist"]).output().unwrap();
    let path = database(home.path());
    let expected = format!("satscope: can't read the watchlist: {} (permission denied)\n", path.display());
    let error = String::from_utf8(listed.stderr).unwrap();
    assert_eq!((listed.status.code(), error), (Some(1), expected));
    // A directory that can't be read may have a database.
    set(&state(home.path()), 0);
    let watched = visitor(home.path(), &["--demo", "alerts", "watch", "--for", "1"]).output();
    set(&state(home.path()), 0o755);
    let watched = watched.unwrap();
    let expected = format!("satscope: can't watch alerts: {} (permission denied)\n", state(home.path()).display());
    assert_eq!((watched.status.code(), String::from_utf8(watched.stderr).unwrap()), (Some(1), expected));
}

#[test]
fn full_disk_is_an_error_and_loses_nothing() {
    let home = tempfile::tempdir().unwrap();
    Database::open(&state(home.path())).unwrap().save(&[Change::Watch(Watched::by_symbol("USDT"))]).unwrap();
    let program = env!("CARGO_BIN_EXE_satscope");
    // No file may grow, as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f 0; exec {program} --demo watchlist add bitcoin");
    let output = Command::new("sh").args(["-c", &script]).env_clear().env("HOME", home.path()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && error.contains("watchlist not saved"), "{error}");
    assert_eq!(symbols(&store::read(&state(home.path())).unwrap()), ["USDT"]);
}

/// Two dashboards and ten commands write while some of them are killed. Nothing that a command confirmed is lost.
#[test]
fn killed_writers_keep_all_confirmed_changes() {
    let home = tempfile::tempdir().unwrap();
    let listed = run(home.path(), &["--demo", "coins", "--limit", "100", "--format", "json"]);
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let slugs: Vec<&str> =
        listed["data"].as_array().unwrap().iter().map(|coin| coin["slug"].as_str().unwrap()).collect();
    let (mut one, mut other) = (dashboard(home.path()), dashboard(home.path()));
    let mut confirmed: Vec<&str> = Vec::new();
    for round in 0..2 {
        let mut running: Vec<(&str, Child)> = slugs[60 + 10 * round..70 + 10 * round]
            .iter()
            .map(|slug| (*slug, command(home.path(), &["--demo", "watchlist", "add", slug]).spawn().unwrap()))
            .collect();
        one.press("fjfj");
        other.press("GfkfgG");
        while !running.is_empty() {
            let Some(place) = running.iter_mut().position(|(_, child)| child.try_wait().unwrap().is_some()) else {
                std::thread::yield_now();
                continue;
            };
            let (slug, mut child) = running.remove(place);
            if child.wait().unwrap().success() {
                confirmed.push(slug);
            }
            // For each finished process, another one is killed at a random moment.
            if let Some((_, mut victim)) = running.pop() {
                victim.kill().unwrap();
                victim.wait().unwrap();
            }
        }
    }
    one.signal(Signal::KILL);
    quit(other);
    let data = store::read(&state(home.path())).unwrap();
    let saved: Vec<&str> = data.watchlist.added.iter().filter_map(|coin| coin.slug.as_deref()).collect();
    let lost: Vec<&&str> = confirmed.iter().filter(|slug| !saved.contains(slug)).collect();
    assert!(confirmed.len() >= 4 && lost.is_empty(), "{confirmed:?} of which lost {lost:?}");
    let sound = Connection::open(database(home.path())).unwrap();
    assert_eq!(sound.query_row("PRAGMA integrity_check", [], |row| row.get(0)), Ok(String::from("ok")));
}

#[test]
fn edit_of_an_alert_that_a_command_has_removed_is_not_lost() {
    let home = tempfile::tempdir().unwrap();
    assert!(run(home.path(), &["--demo", "alerts", "add", "ordi > 20"]).status.success());
    let mut session = dashboard(home.path());
    session.press("!");
    session.until_text("Fires when");
    session.press("\x1b");
    session.until_text("Alerts · 1 on");
    session.press("e once");
    session.until_text("ordi > 20 usd once");
    assert!(run(home.path(), &["alerts", "remove", "1"]).status.success());
    session.press("\r");
    session.until_text("another process removed this alert");
    session.press("\r");
    session.until_text("Saved alert");
    session.press("\x1b");
    session.until_text("search");
    quit(session);
    let alerts = store::read_all(&state(home.path())).unwrap().alerts;
    assert_eq!(alerts.iter().map(|alert| alert.once).collect::<Vec<_>>(), [true]);
}
