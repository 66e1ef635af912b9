//! `satscope alerts watch --for`.

use std::io::{BufRead as _, BufReader};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::output::on_terminal;
use super::server::{Run, Server, Shell};
use super::world;

/// A shell with the alert `ordi > 10` and a price of 8.41 USD.
fn with_alert(server: &Server) -> Shell {
    let shell = Shell::on(server);
    let mut command = shell.command("alerts add");
    command.arg("ordi > 10");
    Run::of("alerts add", command.output().unwrap()).ok();
    shell
}

#[test]
fn watch_that_checked_nothing_fails() {
    let server = Server::start(world::response);
    let shell = with_alert(&server);
    let failing = Server::start(|_| (503, String::new()));
    let run = shell.run(&format!("alerts watch --for 1 --base-url {}", failing.url));
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(run.stderr.ends_with("satscope: alert 1 was not checked: no value received\n"), "{}", run.stderr);
    shell.run("alerts watch --for 5").ok();
    shell.run("alerts off 1").ok();
    let run = shell.run(&format!("alerts watch --for 1 --base-url {}", failing.url));
    assert_eq!(run.status, 0, "{}", run.stderr);
}

#[test]
fn watch_of_less_than_a_minute_says_that_it_checks_once() {
    let server = Server::start(world::response);
    let shell = with_alert(&server);
    let printed = on_terminal(&shell, 100, "alerts watch --for 5", true);
    let first = "satscope: watching 1 alert once (values are requested every minute)\n";
    assert!(printed.starts_with(first), "{printed}");
}

#[test]
fn timed_watch_checks_again_at_its_end() {
    let seconds = [11, 4];
    let [long, short] = seconds.map(|seconds| {
        // The price passes the limit after the first check.
        let began = Arc::new(OnceLock::<Instant>::new());
        let shared = began.clone();
        let server = Server::start(move |target| {
            let (status, body) = world::response(target);
            let is_later = shared.get().is_some_and(|began| began.elapsed() > Duration::from_secs(3));
            (status, if is_later { body.replace("\"price\":8.4127", "\"price\":10.05") } else { body })
        });
        let shell = with_alert(&server);
        began.set(Instant::now()).unwrap();
        let watch = shell.command(&format!("alerts watch --for {seconds} --format table")).spawn().unwrap();
        (watch, shell, server)
    });
    let [long, short] = [long, short].map(|(watch, shell, _server)| {
        let output = watch.wait_with_output().unwrap();
        drop(shell);
        Run::of("alerts watch", output).ok().stdout
    });
    assert!(long.ends_with(" ORDI is 10.05 USD (limit > 10)\n"), "{long}");
    assert_eq!(short, "", "its check is less than ten seconds old");
}

#[test]
fn watch_without_the_price_history_that_it_needs_fails() {
    let server = Server::start(|target| {
        if target.starts_with("/market/data") {
            loop {
                std::thread::park();
            }
        } else {
            world::response(target)
        }
    });
    let shell = with_alert(&server);
    // The program was not running for five hours.
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    let database = rusqlite::Connection::open(file).unwrap();
    database.execute("UPDATE alert SET checked_at = checked_at - 18000000", []).unwrap();
    drop(database);
    let run = shell.run("alerts watch --for 5");
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert_eq!(run.stderr, "satscope: alert 1 was not checked: price history not received\n");
}

#[test]
fn timed_watch_is_retried_within_seconds_at_its_start() {
    // First the price for the new alert; then a failure, and a price beyond the limit.
    let requests = Arc::new(AtomicU32::new(0));
    let shared = requests.clone();
    let server = Server::start(move |target| {
        let (status, body) = world::response(target);
        let is_late = target.starts_with("/coins") && shared.load(Ordering::SeqCst) > 0;
        match is_late.then(|| shared.fetch_add(1, Ordering::SeqCst)) {
            Some(1) => (503, String::new()),
            Some(_) => (200, body.replace("\"price\":8.4127", "\"price\":10.05")),
            None => (status, body),
        }
    });
    let shell = with_alert(&server);
    requests.store(1, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --for 50 --format table").spawn().unwrap();
    let mut line = String::new();
    BufReader::new(watch.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.ends_with(" ORDI is 10.05 USD (limit > 10)\n"), "{line}");
    watch.kill().unwrap();
    watch.wait().unwrap();
}
