//! Commands about the user's data while the service can't be reached.

use serde_json::json;

use super::server::{Run, Server, Shell};
use super::world;

/// Nothing listens there.
const OFFLINE: &str = "--base-url http://127.0.0.1:1";

/// `satscope` offline, with a last argument that may have spaces.
fn offline(shell: &Shell, line: &str, last: &str) -> Run {
    Run::of(line, shell.command(&format!("{OFFLINE} {line}")).arg(last).output().unwrap())
}

/// Asserts success with a message about the coin.
fn uses_own(run: Run, slug: &str) -> serde_json::Value {
    let note = &format!("satscope: using {slug} from your data: ");
    assert_eq!((run.status, run.stderr.lines().count()), (0, 1), "{}", run.stderr);
    assert!(run.stderr.starts_with(note) && run.stderr.contains("connection refused"), "{}", run.stderr);
    run.json()
}

#[test]
fn known_coin_needs_no_service() {
    let shell = Shell::new();
    shell.run("--demo wallet add 5 ordi").ok();
    for name in ["ordi", "ORDI"] {
        let whole = uses_own(offline(&shell, "wallet add 6", name), "ordi");
        assert_eq!(whole["data"]["lots"].as_array().unwrap().last().unwrap()["slug"], "ordi");
    }
    let note = uses_own(offline(&shell, "notes add ORDI", "text"), "ordi");
    assert_eq!((&note["data"][0]["slug"], &note["data"][0]["text"]), (&json!("ordi"), &json!("text")));
    let alert = uses_own(offline(&shell, "alerts add", "ordi > 10"), "ordi");
    assert_eq!((&alert["data"][0]["rule"], &alert["data"][0]["state"]), (&json!("ordi > 10 usd"), &json!("unchecked")));
}

#[test]
fn note_about_a_coin_with_notes_needs_no_service() {
    let shell = Shell::new();
    shell.run("--demo notes add tether first --at 2025-11-20").ok();
    let note = uses_own(offline(&shell, "notes add tether", "second"), "tether");
    assert_eq!(note["data"][0]["slug"], "tether");
}

#[test]
fn unknown_or_ambiguous_coin_is_refused_offline() {
    let shell = Shell::new();
    shell.run("--demo wallet add 5 pepe").ok();
    shell.run("--demo wallet add 5 pepebrc").ok();
    offline(&shell, "wallet add 6", "tether").fails(1, "lot not added: ");
    offline(&shell, "wallet add 6", "PEPE").fails(1, "lot not added: ");
    assert_eq!(offline(&shell, "wallet add 6", "pepe").status, 0);
}

#[test]
fn watched_coin_is_removed_offline_by_its_slug() {
    let shell = Shell::new();
    // Only its symbol is configured.
    offline(&shell, "watchlist remove", "bitcoin").fails(1, "nothing removed: ");
    shell.run("--demo watchlist add bitcoin tether").ok();
    let removed = offline(&shell, "watchlist remove", "bitcoin").ok().json();
    assert_eq!(removed["data"][0]["slug"], "bitcoin");
    shell.run("--demo watchlist remove tether bitcoin").fails(1, "nothing removed: bitcoin is not on the watchlist");
}

#[test]
fn reason_for_missing_values_is_a_warning_in_json() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    shell.run("wallet add 5 ordi").ok();
    assert!(shell.command("alerts add").arg("ordi > 10").output().unwrap().status.success());
    for command in ["wallet", "watchlist", "alerts"] {
        let run = shell.run(&format!("{OFFLINE} {command}"));
        let reason = run.stderr.strip_prefix("satscope: ").unwrap().trim_end();
        assert!(run.status == 1 && reason.ends_with("(connection refused)"), "{command}: {}", run.stderr);
        assert_eq!(run.json()["warnings"], json!([reason]), "{command}");
        let csv = shell.run(&format!("{OFFLINE} {command} --format csv"));
        assert_eq!((csv.status, &csv.stderr), (1, &run.stderr), "{command}");
    }
}
