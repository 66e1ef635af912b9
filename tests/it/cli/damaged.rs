//! Commands on a damaged database.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use satscope::model::ProviderName;
use serde_json::json;

use super::server::{Server, Shell};

/// A shell whose database is damaged, and the database.
fn damaged() -> (Shell, PathBuf) {
    damaged_by(|bytes| bytes.fill(b'x'))
}

fn damaged_by(damage: impl FnOnce(&mut Vec<u8>)) -> (Shell, PathBuf) {
    let shell = Shell::new();
    shell.run("--demo wallet add 2 ordi @ 5").ok();
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    let mut bytes = fs::read(&file).unwrap();
    damage(&mut bytes);
    fs::write(&file, bytes).unwrap();
    (shell, file)
}

/// Whether the damaged database is still at its place.
fn is_there(file: &Path) -> bool {
    fs::read(file).is_ok_and(|bytes| bytes.starts_with(b"xxxx"))
}

#[test]
fn command_whose_data_were_lost_fails_once() {
    for command in
        ["wallet", "wallet list", "wallet export", "wallet address", "watchlist", "alerts", "notes", "notes list ordi"]
    {
        for format in ["json", "csv"] {
            let (shell, file) = damaged();
            let run = shell.run(&format!("--demo {command} --format {format}"));
            assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{command}: {}", run.stderr);
            let lines: Vec<&str> = run.stderr.lines().collect();
            assert!(lines[0].starts_with("satscope: damaged database moved to "), "{command}: {}", run.stderr);
            assert!(lines[1].starts_with("satscope: can't read the "), "{command}: {}", run.stderr);
            assert!(lines[1].ends_with("satscope.db (damaged database)"), "{command}: {}", run.stderr);
            assert!(!is_there(&file), "{command}");
            assert_eq!(shell.run(&format!("--demo {command} --format {format}")).status, 0, "{command}");
        }
    }
}

#[test]
fn lost_data_are_not_printed_as_an_empty_wallet() {
    // The version of an older database, whose upgrade fails, and a list of free pages that doesn't exist.
    let damage = |bytes: &mut Vec<u8>| (bytes[32], bytes[63]) = (0xff, 3);
    let (shell, _) = damaged_by(damage);
    let run = shell.run("--demo wallet export");
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(run.stderr.starts_with("satscope: damaged database moved to "), "{}", run.stderr);
    let (shell, _) = damaged_by(damage);
    let run = shell.run("--demo wallet add 1 ordi --format json");
    assert!(run.status == 0 && run.stderr.contains("damaged database moved to "), "{}", run.stderr);
}

#[test]
fn moved_database_is_a_warning_of_the_json() {
    for command in ["wallet add 1 ordi", "watchlist add ordi", "notes add ordi text"] {
        let (shell, file) = damaged();
        let run = shell.run(&format!("--demo {command} --format json"));
        assert_eq!((run.status, run.stderr.matches("damaged database moved to").count()), (0, 1), "{command}");
        let warning = run.json()["warnings"][0].as_str().unwrap().to_owned();
        assert!(warning.starts_with("damaged database moved to "), "{command}: {warning}");
        assert!(!is_there(&file), "{command}");
        assert_eq!(shell.run("--demo notes").ok().json()["warnings"], serde_json::json!([]), "{command}");
    }
}

#[test]
fn line_leaves_a_damaged_database_and_reports_it() {
    let (shell, file) = damaged();
    let failed = shell.run("--demo line --refresh {wallet}");
    assert_eq!((failed.status, failed.stdout.as_str()), (1, ""));
    assert!(failed.stderr.contains("satscope.db (damaged database)"), "{}", failed.stderr);
    let line = shell.run("--demo line {wallet}");
    assert_eq!((line.status, line.stdout.as_str(), line.stderr), (1, "—\n", failed.stderr));
    assert!(is_there(&file));
    shell.run("--demo line --refresh {ordi}").ok();
}

#[test]
fn line_reports_a_damaged_database_even_with_cached_values() {
    let shell = Shell::new();
    shell.run("--demo wallet add 2 ordi @ 5").ok();
    shell.run("--demo line --refresh {wallet.symbol}").ok();
    fs::write(shell.home.path().join(".local/state/satscope").join(satscope::store::FILE), [b'x'; 8192]).unwrap();
    let failed = shell.run("--demo line --refresh {wallet.symbol}");
    let line = shell.run("--demo line {wallet.symbol}");
    assert_eq!((line.status, line.stdout.as_str(), line.stderr), (1, "DEMO USD\n", failed.stderr));
}

/// A market whose price of ORDI is the number, and a shell with a wallet whose database is then damaged.
fn damaged_beside_a_market(price: &Arc<AtomicU32>) -> (Server, Shell) {
    let shared = Arc::clone(price);
    let server = Server::start(move |_| match shared.load(Ordering::Relaxed) {
        0 => (403, String::from("{}")),
        price => {
            let quote = json!({"name": "USD", "price": price, "percentChange24h": 1.0});
            let ordi = json!({"id": 1, "name": "Ordi", "symbol": "ORDI", "slug": "ordi", "quotes": [quote]});
            (200, json!({"data": {"cryptoCurrencyList": [ordi], "totalCount": "1"}}).to_string())
        }
    });
    let shell = Shell::on(&server);
    shell.run("wallet add 2 ordi @ 10 2025-03-02").ok();
    shell.run("line --refresh {ordi.price}|{wallet.price}").ok();
    fs::write(shell.home.path().join(".local/state/satscope").join(satscope::store::FILE), [b'x'; 8192]).unwrap();
    (server, shell)
}

#[test]
fn coins_of_a_line_are_updated_beside_a_damaged_database() {
    let price = Arc::new(AtomicU32::new(17));
    let (_server, shell) = damaged_beside_a_market(&price);
    price.store(18, Ordering::Relaxed);
    let failed = shell.run("line --refresh {ordi.price}|{wallet.price}");
    assert!(failed.status == 1 && failed.stderr.contains("(damaged database)"), "{}", failed.stderr);
    let line = shell.run("line {ordi.price}|{wallet.price}");
    assert_eq!((line.status, line.stdout.as_str(), line.stderr), (1, "18.00|$34.00\n", failed.stderr));
    assert_eq!(shell.run("line {ordi.price}").ok().stdout, "18.00\n");
    let config = shell.home.path().join("config.toml");
    fs::write(&config, "[source]\ncache = false\n").unwrap();
    let uncached = shell.run(&format!("--config {} line {{ordi.price}}|{{wallet.price}}", config.display()));
    assert_eq!((uncached.status, uncached.stdout.as_str()), (1, "18.00|—\n"));
    assert!(uncached.stderr.contains("(damaged database)"), "{}", uncached.stderr);
}

#[test]
fn damaged_database_is_reported_before_another_failure_of_a_line() {
    let price = Arc::new(AtomicU32::new(17));
    let (_server, shell) = damaged_beside_a_market(&price);
    price.store(0, Ordering::Relaxed);
    let format = "{ordi.price}|{wallet.price}";
    let failed = shell.run(&format!("line --refresh {format}"));
    assert!(failed.status == 1 && failed.stderr.contains("(damaged database)"), "{}", failed.stderr);
    let line = shell.run(&format!("line {format}"));
    assert_eq!((line.status, line.stdout.as_str(), line.stderr), (1, "17.00|$34.00\n", failed.stderr));
}

#[test]
fn line_forgets_a_damaged_database_once_it_is_replaced() {
    let (shell, file) = damaged();
    assert_eq!(shell.run("--demo line --refresh {wallet}").status, 1);
    fs::remove_file(&file).unwrap();
    assert_eq!(shell.run("--demo line {wallet}").ok().stdout, "—\n");
}

#[test]
fn command_that_leaves_a_damaged_database_says_what_to_do() {
    let copies = tempfile::tempdir().unwrap();
    let advice = "satscope.db (damaged database); run satscope watchlist to set it aside\n";
    for (command, status) in [
        ("sources", 0),
        ("config show", 0),
        ("coins --limit 1", 0),
        ("--demo alerts watch --for 1", 1),
        (&format!("config backup {}", copies.path().join("copy.db").display()), 1),
        ("--demo line --refresh {wallet}", 1),
    ] {
        let (shell, file) = damaged();
        let run = shell.run(command);
        assert!(run.status == status && run.stderr.contains(advice), "{command}: {} {}", run.status, run.stderr);
        assert!(is_there(&file), "{command}");
        if status == 0 {
            assert!(run.stderr.starts_with("satscope: warning: can't read the provider choices: "), "{}", run.stderr);
            let warnings = run.json()["warnings"].to_string();
            assert!(warnings.contains("can't read the provider choices"), "{command}: {warnings}");
        }
    }
    // Its warning would come before the message about the moved database.
    let (shell, file) = damaged();
    let run = shell.run("sources disable coingecko");
    assert!(run.status == 0 && !run.stderr.contains("provider choices"), "{}", run.stderr);
    assert!(!is_there(&file));
    let (shell, _) = damaged();
    shell.run("--demo coins --limit 1").ok();
}

#[test]
fn damaged_database_behind_a_symlink_is_left_alone() {
    let copies = tempfile::tempdir().unwrap();
    for (command, status) in [
        ("sources", 0),
        ("--demo wallet", 1),
        ("--demo wallet add 1 ordi", 1),
        ("--demo alerts watch --for 1", 1),
        (&format!("config backup {}", copies.path().join("copy.db").display()), 1),
        ("--demo line --refresh {wallet}", 1),
    ] {
        let (shell, file) = damaged();
        let target = file.with_file_name("mine.db");
        fs::rename(&file, &target).unwrap();
        symlink(&target, &file).unwrap();
        let run = shell.run(command);
        assert_eq!(run.status, status, "{command}: {}", run.stderr);
        assert!(run.stderr.contains("mine.db (symlink to a damaged database)\n"), "{command}: {}", run.stderr);
        assert!(file.is_symlink() && is_there(&target), "{command}");
    }
}

#[test]
fn watch_does_not_start_on_a_database_with_a_damaged_page() {
    let (shell, file) = damaged_by(|bytes| bytes[4096..].fill(0xff));
    let before = fs::read(&file).unwrap();
    shell.run("--demo alerts watch --for 1").fails(1, "can't watch alerts: ");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn watch_does_not_start_on_a_damaged_database() {
    let (shell, file) = damaged();
    shell.run("--demo alerts watch --for 1").fails(1, "can't watch alerts: ");
    assert!(is_there(&file));
    let run = shell.run("--demo alerts");
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(!is_there(&file));
    assert_eq!(shell.run("--demo alerts watch --for 1").status, 0);
}

#[test]
fn counting_requests_leaves_a_damaged_database() {
    let server = Server::start(|_| (503, String::from("{}")));
    let config = tempfile::tempdir().unwrap();
    let file = config.path().join("config.toml");
    let providers = ProviderName::ALL.into_iter().filter(|name| *name != ProviderName::Demo);
    let text = providers.map(|name| format!("[providers.{name}]\nbase_url = \"{}\"\nmin_gap_ms = 0\n", server.url));
    fs::write(&file, text.collect::<String>()).unwrap();
    for (command, status) in [("sources", 0), ("sources test coingecko", 1), ("--live --timeout 5 coins --limit 1", 1)]
    {
        let (shell, database) = damaged();
        let run = shell.run(&format!("--config {} {command}", file.display()));
        assert_eq!(run.status, status, "{command}: {}", run.stderr);
        assert!(is_there(&database), "{command}");
    }
    assert!(!server.targets().is_empty());
}
