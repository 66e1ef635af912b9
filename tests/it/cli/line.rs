//! `satscope line`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use serde_json::json;

use super::server::{Run, Server, Shell};

/// A list with one coin.
fn ordi() -> String {
    let quote = json!({"name": "USD", "price": 17.24, "percentChange24h": -13.4});
    let ordi = json!({"id": 1, "cmcRank": 1, "name": "Ordi", "symbol": "ORDI", "slug": "ordi", "quotes": [quote]});
    json!({"data": {"cryptoCurrencyList": [ordi], "totalCount": "1"}}).to_string()
}

fn market() -> Server {
    Server::start(|_| (200, ordi()))
}

#[test]
fn line_prints_cached_values_and_sends_nothing() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 2 ordi @ 10 2025-03-02").ok();
    shell.run("line --refresh {ordi}|{ordi.price}|{wallet}").ok();
    let before = server.targets().len();
    let line = shell.run("line {ordi}|{ordi.price}|{wallet}").ok().stdout;
    assert_eq!(line, "ORDI 17.24 ▼13.4%|17.24|$34.48 ▼13.4%\n");
    assert_eq!(server.targets().len(), before);
}

#[test]
fn cached_values_of_a_coin_are_used_in_every_format() {
    let fails = Arc::new(AtomicBool::new(false));
    let server = failing_while(&fails);
    let shell = Shell::on(&server);
    shell.run("line --refresh {ORDI}").ok();
    fails.store(true, Ordering::Relaxed);
    // Also by its slug, and beside a value that is not cached.
    for (format, expected) in [
        ("{ORDI.price}", "17.24\n"),
        ("{ordi.24h}|{ORDI.symbol}", "▼13.4%|ORDI\n"),
        ("{ORDI}|{sats}", "ORDI 17.24 ▼13.4%|—\n"),
    ] {
        assert_eq!(shell.run(&format!("line {format}")).ok().stdout, expected, "{format}");
    }
}

/// Runs a command until its result is as expected.
fn wait_for(shell: &Shell, line: &str, is_expected: impl Fn(&Run) -> bool) -> Run {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let run = shell.run(line);
        if is_expected(&run) {
            return run;
        }
        assert!(Instant::now() < deadline, "{line}: {} {}{}", run.status, run.stdout, run.stderr);
    }
}

#[test]
fn first_line_starts_a_background_process() {
    for line in ["line {ordi.24h}", "line -- {ordi.24h}", "--timeout 30 line {ordi.24h} --convert USD"] {
        let server = market();
        let shell = Shell::on(&server);
        assert_eq!(shell.run(line).ok().stdout, "—\n");
        wait_for(&shell, line, |run| run.status == 0 && run.stdout == "▼13.4%\n");
    }
}

#[test]
fn line_is_refreshed_after_the_clock_was_set_back() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("line --refresh {ordi.price}").ok();
    let files =
        std::fs::read_dir(shell.home.path().join(".cache/satscope")).unwrap().map(|entry| entry.unwrap().path());
    let is_line = |path: &std::path::PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("line-");
    let file = files.filter(is_line).find(|path| path.extension().unwrap() == "json").unwrap();
    let year_2100 = 4_102_444_800_000_u64;
    std::fs::write(&file, json!({"at": year_2100, "values": {"price": "9.00"}}).to_string()).unwrap();
    assert_eq!(shell.run("line {ordi.price}").ok().stdout, "9.00\n");
    wait_for(&shell, "line {ordi.price}", |run| run.stdout == "17.24\n");
}

#[test]
fn line_of_simulated_data_is_fetched_in_the_background() {
    for line in ["line {ordi}", "line --demo {ordi}"] {
        let shell = Shell::new();
        assert_eq!(shell.run(line).ok().stdout, "—\n");
        wait_for(&shell, line, |run| run.status == 0 && run.stdout.starts_with("DEMO ORDI "));
    }
}

#[test]
fn unknown_value_is_refused_as_soon_as_the_coins_are_known() {
    let expected = "unknown value {nope} (expected wallet, a slug or a symbol";
    let (server, line) = (market(), "line {ordi}|{nope}");
    let shell = Shell::on(&server);
    assert_eq!(shell.run(line).ok().stdout, "—|—\n");
    wait_for(&shell, line, |run| run.status != 0).fails(1, expected);
    Shell::new().run("line {volf}").fails(1, "several coins use volf (use {volt-finance} or {voltfield})");
    Shell::new().run("line {nope.24h}").fails(1, "unknown value {nope.24h} (expected wallet");
}

#[test]
fn symbol_of_several_coins_is_refused_with_their_slugs() {
    let server = Server::start(|_| {
        let coin = |id, slug| json!({"id": id, "name": "Rats", "symbol": "RATS", "slug": slug, "quotes": []});
        let list = [coin(1, "rats-ordinals"), coin(2, "rats-sol")];
        (200, json!({"data": {"cryptoCurrencyList": list, "totalCount": "2"}}).to_string())
    });
    let shell = Shell::on(&server);
    shell.run("line --refresh {rats.price}").ok();
    shell.run("line {rats.price}").fails(1, "several coins use rats (use {rats-ordinals.price} or {rats-sol.price})");
}

/// A market with ORDI that refuses all requests while this is `true`.
fn failing_while(fails: &Arc<AtomicBool>) -> Server {
    let fails = Arc::clone(fails);
    Server::start(move |_| if fails.load(Ordering::Relaxed) { (403, String::from("{}")) } else { (200, ordi()) })
}

#[test]
fn failure_is_reported_unless_there_are_older_values() {
    let fails = Arc::new(AtomicBool::new(true));
    let server = failing_while(&fails);
    let shell = Shell::on(&server);
    let failed = shell.run("line --refresh {ordi.price}");
    assert!(failed.status == 1 && failed.stderr.contains("(403)"), "{}", failed.stderr);
    let line = shell.run("line {ordi.price}");
    assert_eq!((line.status, line.stdout.as_str()), (1, "—\n"));
    assert_eq!(line.stderr, failed.stderr);
    fails.store(false, Ordering::Relaxed);
    shell.run("line --refresh {ordi.price}").ok();
    fails.store(true, Ordering::Relaxed);
    assert_eq!(shell.run("line --refresh {ordi.price}").status, 1);
    assert_eq!(shell.run("line {ordi.price}").ok().stdout, "17.24\n");
}

/// A market with ORDI, and a shell with a wallet. The market refuses all requests from the wallet's first one on, which is
/// for coins by their ids.
fn with_failing_wallet() -> (Server, Shell) {
    let (fails, has_wallet_begun) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
    let are_refused = Arc::clone(&fails);
    let server = Server::start(move |request| {
        if are_refused.load(Ordering::Relaxed) {
            has_wallet_begun.fetch_or(request.contains("ids="), Ordering::Relaxed);
        }
        if has_wallet_begun.load(Ordering::Relaxed) { (403, String::from("{}")) } else { (200, ordi()) }
    });
    let shell = Shell::on(&server);
    shell.run("wallet add 2 ordi @ 10 2025-03-02").ok();
    fails.store(true, Ordering::Relaxed);
    (server, shell)
}

#[test]
fn coins_are_shown_while_the_wallet_fails() {
    let (_server, shell) = with_failing_wallet();
    let failed = shell.run("line --refresh {ordi.price}|{wallet.price}");
    assert!(failed.status == 1 && failed.stderr.contains("(403)"), "{}", failed.stderr);
    assert_eq!(shell.run("line {ordi.price}|{wallet.price}").ok().stdout, "17.24|—\n");
    assert_eq!(shell.run("line {wallet.price}").stderr, failed.stderr);
    let (_server, shell) = with_failing_wallet();
    let config = shell.home.path().join("config.toml");
    std::fs::write(&config, "[source]\ncache = false\n").unwrap();
    let uncached = shell.run(&format!("--config {} line {{ordi.price}}|{{wallet.price}}", config.display()));
    assert_eq!((uncached.status, uncached.stdout.as_str()), (1, "17.24|—\n"));
    assert!(uncached.stderr.contains("(403)"), "{}", uncached.stderr);
}

#[test]
fn unused_line_caches_are_removed() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("line --refresh {ordi}").ok();
    let directory = shell.home.path().join(".cache/satscope");
    let names = || {
        let entries = std::fs::read_dir(&directory).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<BTreeSet<String>>()
    };
    let kept = names();
    for (name, days) in [("line-00000000.json", 31), ("line-00000001.started", 31), ("line-00000002.json", 29)] {
        let file = std::fs::File::create(directory.join(name)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_hours(24 * days)).unwrap();
    }
    shell.run("line --refresh {ordi}").ok();
    let added: Vec<String> = names().difference(&kept).cloned().collect();
    assert_eq!(added, ["line-00000002.json"]);
}

#[test]
fn line_that_cannot_be_cached_is_an_error() {
    let server = market();
    let shell = Shell::on(&server);
    std::fs::write(shell.home.path().join(".cache"), "").unwrap();
    let run = shell.run("line {ordi}");
    assert_eq!((run.status, run.stdout.as_str()), (1, "—\n"), "{}", run.stderr);
    assert!(run.stderr.starts_with("satscope: line not cached (") && run.stderr.contains("/.cache/satscope/line-"));
}

#[test]
fn line_without_a_cache_fetches_the_values_and_writes_nothing() {
    let fails = Arc::new(AtomicBool::new(false));
    let server = failing_while(&fails);
    let shell = Shell::on(&server);
    let config = shell.home.path().join("config.toml");
    std::fs::write(&config, "[source]\ncache = false\n").unwrap();
    let line = |format: &str| shell.run(&format!("--config {} line {format}", config.display()));
    assert_eq!(line("{ordi}|{ordi.price}").ok().stdout, "ORDI 17.24 ▼13.4%|17.24\n");
    line("{ordi}|{nope}").fails(1, "unknown value {nope}");
    fails.store(true, Ordering::Relaxed);
    let failed = line("{ordi.price}");
    assert_eq!((failed.status, failed.stdout.as_str()), (1, "—\n"));
    assert!(failed.stderr.contains("(403)"), "{}", failed.stderr);
    assert!(!shell.home.path().join(".cache").exists());
}

#[test]
fn invalid_format_is_refused() {
    let shell = Shell::new();
    shell.run("line {ordi").fails(2, "missing }");
    shell.run("line {ordi.cap}").fails(2, "unknown value {ordi.cap}");
}
