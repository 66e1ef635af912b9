//! Rules of alerts as they are typed and shown.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::super::output::on_terminal;
use super::{add, market, market_with, with_rule};
use crate::cli::server::{Run, Server, Shell};
use crate::cli::world;

/// `satscope` with these arguments.
fn with_words(shell: &Shell, words: &[&str]) -> Run {
    let mut command = shell.command("");
    command.args(words);
    Run::of(&words.join(" "), command.output().unwrap())
}

#[test]
fn table_drops_columns_before_it_shortens_a_rule() {
    let shell = Shell::new();
    shell.run("--demo wallet address add bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8 --label cold").ok();
    let rules = [
        "bitcoin > 100000 usd",
        "bitcoin > 1000000 usd",
        "bitcoin > 100000000 krw",
        "ordi > 1000.5 usd",
        "ordi > 20 usd rearm 19.123456789012",
        "cold ordi > 12345.000000000000000001",
    ];
    let address = "bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj";
    let long = format!("{address} btc > 1");
    for rule in rules.into_iter().chain([long.as_str()]) {
        with_rule(&shell, "--demo alerts add", rule).ok();
    }
    for columns in [60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 200] {
        let shown = on_terminal(&shell, columns, "--demo alerts", true);
        let has = |text: &str| assert!(shown.contains(text), "{text} at {columns}: {shown}");
        rules.iter().for_each(|rule| has(&format!("DEMO {rule} ")));
        has(" btc > 1 ");
        for row in shown.lines().filter(|row| row.contains('…')) {
            assert!(row.contains("DEMO bc1qxhmd…cetdj btc > 1 "), "only an address is cut at {columns}: {shown}");
        }
        // The terminal wraps a message.
        let table = shown.lines().filter(|line| !line.starts_with("satscope: hidden columns: "));
        let widest = table.map(unicode_width::UnicodeWidthStr::width).max().unwrap();
        assert!(widest <= usize::from(columns), "{columns}: {shown}");
    }
    assert!(on_terminal(&shell, 200, "--demo alerts", true).contains(&long));
}

#[test]
fn rule_with_a_rearm_value_that_is_already_true_has_a_note() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    for (rule, note) in [
        ("ordi > 8 rearm 7.5", "already true · must first fall to $7.50 or below"),
        ("ordi < 9 rearm 9.25 once", "already true · must first rise to $9.25 or above"),
    ] {
        let added = with_rule(&shell, "alerts add", rule).ok().json();
        assert_eq!((&added["data"][0]["state"], &added["warnings"]), (&"disarmed".into(), &json!([note])));
    }
    let edited = with_rule(&shell, "alerts edit 1", "ordi > 8 rearm 7.25").ok().json();
    assert_eq!(edited["warnings"], json!(["already true · must first fall to $7.25 or below"]));
}

#[test]
fn negative_percentage_needs_no_quotes() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    let added = |words: &[&str]| with_words(&shell, words).ok().json()["data"][0].clone();
    let row = added(&["alerts", "add", "ordi", "24h", "<", "-8%"]);
    assert_eq!((&row["rule"], &row["once"]), (&"ordi 24h < -8%".into(), &Value::from(false)));
    let row = added(&["alerts", "add", "ordi", "24h", "<", "-9.5%", "rearm", "-7%", "--once", "--format", "json"]);
    assert_eq!((&row["rule"], &row["once"]), (&"ordi 24h < -9.5% rearm -7%".into(), &Value::from(true)));
    let row = added(&["alerts", "edit", "1", "ordi", "24h", "<", "-0.5%"]);
    assert_eq!(row["rule"], "ordi 24h < -0.5%");

    let unknown = with_words(&shell, &["alerts", "add", "ordi", ">", "10", "--onec"]);
    assert_eq!(unknown.status, 2);
    assert!(unknown.stderr.contains("unexpected argument '--onec'"), "{}", unknown.stderr);
    let help = with_words(&shell, &["alerts", "add", "ordi", "-h"]);
    assert!(help.stdout.contains("Usage: satscope alerts add"), "{}", help.stdout);
    assert_eq!(shell.run("alerts").ok().json()["data"].as_array().unwrap().len(), 2);
}

#[test]
fn limit_is_relative_to_the_current_price() {
    let (server, cents) = market();
    cents.store(800, Ordering::SeqCst);
    let shell = Shell::on(&server);
    let above = add(&shell, "ordi +5%");
    assert_eq!((&above["rule"], &above["once"]), (&"ordi > 8.4 usd".into(), &Value::from(false)));
    let below = add(&shell, "ORDI -10% once");
    assert_eq!((&below["rule"], &below["once"]), (&"ordi < 7.2 usd".into(), &Value::from(true)));
    cents.store(1_000, Ordering::SeqCst);
    let edited = with_rule(&shell, "alerts edit 1", "ordi +5% rearm 10.25").ok().json();
    assert_eq!(edited["data"][0]["rule"], "ordi > 10.5 usd rearm 10.25");
    with_rule(&shell, "alerts add", "ordi +5% eur").fails(2, "relative alerts use the displayed currency");
}

#[test]
fn limit_relative_to_an_old_or_unknown_price_is_refused() {
    let (old, _) = market_with("Age: 3600\r\n");
    let unknown = Server::start(|target| {
        let (status, body) = world::response(target);
        (status, body.replace("\"price\":8.4127", "\"price\":null"))
    });
    for (server, problem) in [(old, "outdated"), (unknown, "unknown")] {
        let shell = Shell::on(&server);
        let sentence = format!("alert not added: the price of ordi is {problem} (use a limit such as 'ordi > 10')");
        with_rule(&shell, "alerts add", "ordi +5%").fails(1, &sentence);
        assert_eq!(shell.run("alerts").ok().json()["data"], json!([]));
    }
}

#[test]
fn help_of_rules_names_the_limits_of_the_rearm_band() {
    let shell = Shell::new();
    for command in ["alerts add --help", "alerts edit --help"] {
        let help = shell.run(command).ok().stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        let words =
            ["0.5% of the limit", "0.25 percentage points for changes", "1 for counts", "past the limit by that"];
        assert!(words.iter().all(|words| help.contains(words)), "{help}");
    }
}

#[test]
fn edited_alert_is_turned_on_as_its_help_says() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    shell.run("alerts off 1").ok();
    let edited = with_rule(&shell, "alerts edit 1", "ordi > 11").ok().json();
    assert_eq!(edited["data"][0]["state"], "armed");
    for help in ["alerts --help", "alerts edit --help"] {
        let help = shell.run(help).ok().stdout;
        assert!(help.contains("Replace an alert's rule and turn it on"), "{help}");
    }
}
