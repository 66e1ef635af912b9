//! Commands that change the same data at the same time.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Output};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use rusqlite::{Connection, TransactionBehavior};
use satscope::store::{self, Database};
use satscope::user_data::{AlertId, Change};
use serde_json::json;

use super::server::{Run, Server, Shell};
use super::world;
use crate::support::session::TEST_TIMEOUT;

/// A server that answers the first request whose target has this start when a second one has arrived.
fn two_at_once(start: &'static str) -> Server {
    let gate = Arc::new((Mutex::new(0), Condvar::new()));
    Server::start(move |target| {
        if target.starts_with(start) {
            let (count, changed) = &*gate;
            let mut count = count.lock();
            *count += 1;
            changed.notify_all();
            changed.wait_while(&mut count, |count| *count < 2);
        }
        world::response(target)
    })
}

fn outputs(children: Vec<Child>) -> Vec<Output> {
    children.into_iter().map(|child| child.wait_with_output().unwrap()).collect()
}

#[test]
fn file_imported_by_two_commands_at_once_is_added_once() {
    let server = two_at_once("/coins");
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    // Two equal lots are two lots.
    std::fs::write(&file, "symbol,amount,date\nORDI,1.5,2025-03-02\nORDI,1.5,2025-03-02\n").unwrap();
    let import = format!("wallet import {} --yes", file.display());
    let both = outputs((0..2).map(|_| shell.command(&import).spawn().unwrap()).collect());
    let said: Vec<String> = both.iter().map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).collect();
    assert!(both.iter().all(|output| output.status.success()), "{said:?}");
    let skipped = "skipped 2 lots already added by another process";
    assert_eq!(said.iter().filter(|said| said.contains(skipped)).count(), 1, "{said:?}");
    assert_eq!(shell.run("wallet").ok().json()["data"]["lots"].as_array().unwrap().len(), 2);
}

#[test]
fn rule_added_by_two_commands_at_once_is_added_once() {
    let server = two_at_once("/coins?ids=");
    let shell = Shell::on(&server);
    let add = || {
        let mut command = shell.command("alerts add");
        command.arg("ordi > 10").spawn().unwrap()
    };
    let both = outputs(vec![add(), add()]);
    let failed: Vec<&Output> = both.iter().filter(|output| !output.status.success()).collect();
    let said: Vec<_> = failed.iter().map(|output| String::from_utf8_lossy(&output.stderr)).collect();
    assert_eq!(said, ["satscope: alert 1 already has this rule\n"]);
    assert_eq!(shell.run("alerts").ok().json()["data"].as_array().unwrap().len(), 1);
}

#[test]
fn signals_changed_while_an_alert_is_edited_are_kept() {
    let directory: Arc<Mutex<Option<PathBuf>>> = Arc::default();
    let changed = Arc::clone(&directory);
    // The edit has read the alert when it requests the coin's value.
    let server = Server::start(move |target| {
        if target.starts_with("/coins?ids=")
            && let Some(directory) = changed.lock().take()
        {
            let signals = Change::AlertSignals { id: AlertId(1), bell: false, notify: false };
            Database::open(&directory).unwrap().save(&[signals]).unwrap();
        }
        world::response(target)
    });
    let shell = Shell::on(&server);
    let run = |words: &[&str]| {
        let output = shell.command("alerts").args(words).output().unwrap();
        Run::of(&format!("alerts {words:?}"), output).ok();
    };
    run(&["add", "ordi > 10"]);
    let state = shell.home.path().join(".local/state/satscope");
    *directory.lock() = Some(state.clone());
    run(&["edit", "1", "ordi > 12"]);
    assert!(directory.lock().is_none(), "the edit requested no value");
    let data = Database::open(&state).unwrap().load().unwrap();
    let [alert] = data.alerts.as_slice() else { panic!("{:?}", data.alerts) };
    assert_eq!((alert.rule.to_string().as_str(), alert.bell, alert.notify), ("ordi > 12 usd", false, false));
}

#[test]
fn fields_of_a_lot_edited_by_several_commands_at_once_are_all_saved() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    shell.run("wallet add 1 ordi @ 3").ok();
    let edits = ["--note n", "--fee 3", "--price 7", "--amount 9"];
    let all = outputs(edits.map(|edit| shell.command(&format!("wallet edit 1 {edit}")).spawn().unwrap()).into());
    assert!(all.iter().all(|output| output.status.success()), "{all:?}");
    let lot = shell.run("wallet").ok().json()["data"]["lots"][0].clone();
    let fields = ["note", "fee", "unit_price", "amount"].map(|name| lot[name].clone());
    assert_eq!(fields, [json!("n"), json!("3"), json!("7"), json!("9")]);
}

/// Runs a command that reads the data before another process has saved `sql`, and writes after that.
fn run_beside(shell: &Shell, words: &[&str], sql: &str) -> Run {
    let state = shell.home.path().join(".local/state/satscope");
    let mut other = Connection::open(state.join(store::FILE)).unwrap();
    let transaction = other.transaction_with_behavior(TransactionBehavior::Immediate).unwrap();
    transaction.execute_batch(sql).unwrap();
    let child = shell.command("").args(words).spawn().unwrap();
    // A command that waits to write shares the lock.
    let lock = File::open(state.join("satscope.lock")).unwrap();
    let deadline = Instant::now() + TEST_TIMEOUT;
    while lock.try_lock().is_ok() {
        lock.unlock().unwrap();
        assert!(Instant::now() < deadline, "{words:?} doesn't write");
        std::thread::yield_now();
    }
    transaction.commit().unwrap();
    Run::of(&words.join(" "), child.wait_with_output().unwrap())
}

#[test]
fn note_beyond_the_limit_is_refused_although_another_process_added_the_last_one() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    shell.run("notes add ordi first").ok();
    let fill = "WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 999)
        INSERT INTO note SELECT 'ordi', value, 'x' FROM numbers";
    let added = run_beside(&shell, &["notes", "add", "ordi", "one", "more"], fill);
    added.fails(1, "can't add note: limit of 1,000 for all coins reached (remove one: satscope notes remove)");
    assert_eq!(shell.run("notes").ok().json()["data"].as_array().unwrap().len(), 1_000);
}

#[test]
fn label_that_another_process_has_just_given_is_refused() {
    let shell = Shell::new();
    let [first, second] = ["bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"];
    shell.run(&format!("--demo wallet address add {first}")).ok();
    let label = format!("UPDATE address SET label = 'cold' WHERE address = '{first}'");
    let added = run_beside(&shell, &["--demo", "wallet", "address", "add", second, "--label", "cold"], &label);
    added.fails(1, &format!("{first} already has the label cold"));
    // By its label, which is now another address's.
    let swap = format!("UPDATE address SET label = NULL; INSERT INTO address VALUES (9, '{second}', 'cold', 0)");
    let removed = run_beside(&shell, &["--demo", "wallet", "address", "remove", "cold"], &swap);
    assert_eq!(removed.status, 0, "{}", removed.stderr);
    let left = shell.run("wallet address list").ok().json()["data"].clone();
    assert_eq!((left[0]["address"].as_str(), left.as_array().unwrap().len()), (Some(first), 1));
}

#[test]
fn coin_that_another_process_has_just_unwatched_is_watched_again() {
    let shell = Shell::new();
    shell.run("--demo watchlist add tether").ok();
    let unwatch = "UPDATE watchlist SET watched = 0 WHERE slug = 'tether'";
    let added = run_beside(&shell, &["--demo", "watchlist", "add", "tether", "ethereum"], unwatch);
    assert_eq!(added.status, 0, "{}", added.stderr);
    let watched = shell.run("--demo watchlist").ok().json()["data"].clone();
    assert!(watched.as_array().unwrap().iter().any(|coin| coin["slug"] == "tether"), "{watched}");
}

#[test]
fn lot_that_another_process_has_just_removed_is_unknown() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    shell.run("wallet add 1 ordi @ 3").ok();
    run_beside(&shell, &["wallet", "remove", "1"], "DELETE FROM lot").fails(1, "unknown lot 1");
}

#[test]
fn addition_to_a_locked_database_waits_only_once() {
    let shell = Shell::new();
    shell.run("--demo wallet add 1 ordi").ok();
    let file = shell.home.path().join(".local/state/satscope").join(store::FILE);
    let database = Connection::open(file).unwrap();
    database.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE other (n)").unwrap();
    let began = Instant::now();
    shell.run("--demo wallet add 1 ordi").fails(1, "can't read the wallet: ");
    // The timeout of a lock is five seconds.
    assert!(began.elapsed() < Duration::from_secs(9), "{:?}", began.elapsed());
}
