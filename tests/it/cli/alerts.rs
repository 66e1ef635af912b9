//! `satscope alerts`.

mod output;
mod rules;

use std::io::{BufRead as _, BufReader, PipeReader, PipeWriter, Read as _, Write as _};
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use satscope::model::UtcTime;
use serde_json::Value;

use super::output::start_on_terminal;
use super::server::{Run, STREAM, Server, Shell};
use super::{wallet, world};

const ADDRESS: &str = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";

/// An address with bitcoin.
const HOLDER: &str = "bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj";

/// A server whose price of ORDI, in cents, can be changed.
fn market() -> (Server, Arc<AtomicU32>) {
    market_with("")
}

/// The same with extra header lines in its responses.
fn market_with(headers: &'static str) -> (Server, Arc<AtomicU32>) {
    let cents = Arc::new(AtomicU32::new(841));
    let shared = cents.clone();
    let server = Server::with_headers(headers, move |target| {
        let price = f64::from(shared.load(Ordering::SeqCst)) / 100.0;
        let (status, body) = world::response(target);
        (status, body.replace("\"price\":8.4127", &format!("\"price\":{price}")))
    });
    (server, cents)
}

/// `satscope alerts` with a rule as one argument.
fn with_rule(shell: &Shell, line: &str, rule: &str) -> super::server::Run {
    let mut command = shell.command(line);
    command.arg(rule);
    super::server::Run::of(rule, command.output().unwrap())
}

fn add(shell: &Shell, rule: &str) -> Value {
    with_rule(shell, "alerts add", rule).ok().json()["data"][0].clone()
}

/// The first line that a watching process prints; the process is ended by TERM.
fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    end(child);
    line
}

fn end(child: &mut Child) {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
}

#[test]
fn alerts_are_added_changed_and_removed() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    let first = add(&shell, "ordi > 10");
    let keys: Vec<&String> = first.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "checked_at",
            "distance_pct",
            "id",
            "last_fired_at",
            "last_value",
            "once",
            "rule",
            "simulated",
            "state",
            "value",
            "waits_for"
        ]
    );
    assert_eq!((&first["id"], &first["rule"], &first["state"]), (&1.into(), &"ordi > 10 usd".into(), &"armed".into()));
    assert_eq!((first["value"].as_f64(), first["distance_pct"].as_f64()), (Some(8.41), Some(18.91)));
    // By symbol, already beyond the limit.
    let whole = with_rule(&shell, "alerts add", "ORDI < 9 once").ok().json();
    let second = whole["data"][0].clone();
    let note = "already true · must first rise to $9.04 or above";
    assert_eq!(whole["warnings"], serde_json::json!([note]));
    assert_eq!((&second["state"], &second["once"]), (&"disarmed".into(), &true.into()));
    let third = add(&shell, "ordi holders >= 50k");
    assert_eq!((&third["value"], &third["state"]), (&23_411.into(), &"armed".into()));
    let fourth = add(&shell, "ordi minted >= 99%");
    assert!(fourth["value"].as_f64().unwrap() < 100.0, "almost minted is not minted");

    let near = with_rule(&shell, "alerts add", "ordi > 8.410001").json()["data"][0].clone();
    assert_eq!(near["distance_pct"], 0.000012, "two significant digits");
    shell.run("alerts remove 5").ok();

    let edited = with_rule(&shell, "alerts edit 1", "ordi 24h < -8%").ok().json()["data"][0].clone();
    assert_eq!((&edited["id"], &edited["rule"]), (&1.into(), &"ordi 24h < -8%".into()));
    shell.run("alerts off 1 2").ok();
    shell.run("alerts remove 3").ok();
    let list = shell.run("alerts").ok().json();
    let states: Vec<_> = list["data"].as_array().unwrap().iter().map(|row| row["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["off", "off", "disarmed"]);
    assert_eq!(shell.run("alerts on 1").ok().json()["data"][0]["state"], "unchecked");
    let table = shell.run("alerts --format table").ok().stdout;
    assert!(table.contains("ordi 24h < -8%") && table.contains("Distance"), "{table}");
    assert!(table.contains(" waits ") && table.contains(" ≤ 98.5% "), "{table}");
    assert!(table.contains("−3.8%") && table.contains("4.2 points away") && table.contains("$8.41"), "{table}");
}

#[test]
fn unreadable_alert_is_reported_once() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 2 ordi @ 5").ok();
    for rule in ["ordi > 10", "wallet 24h < -5%", "ordi > 20"] {
        add(&shell, rule);
    }
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    let database = rusqlite::Connection::open(file).unwrap();
    database.execute("UPDATE alert SET target = 'galaxy' WHERE id = 3", []).unwrap();
    let reports = |run: &super::server::Run| run.stderr.matches("can't read alert 3").count();
    for line in ["alerts --format table", "alerts --format json"] {
        let run = shell.run(line);
        assert_eq!((run.status, reports(&run)), (0, 1), "{line}: {}", run.stderr);
    }
    for (line, rule) in [
        ("alerts add --format table", "ordi > 30"),
        ("alerts edit 1 --format table", "ordi > 40"),
        ("alerts edit 2 --format table", "wallet 24h < -6%"),
    ] {
        let run = with_rule(&shell, line, rule);
        assert_eq!((run.status, reports(&run)), (0, 1), "{line}: {}", run.stderr);
        assert!(run.stdout.contains(rule), "{}", run.stdout);
    }
    let warnings = shell.run("alerts --format json").json()["warnings"].to_string();
    assert!(warnings.contains("can't read alert 3"), "{warnings}");
    let turned = shell.run("alerts on 3");
    assert!(turned.status == 1 && turned.stderr.contains("(remove it: satscope alerts remove 3)"), "{}", turned.stderr);
    assert_eq!(shell.run("alerts remove 3 1").ok().json()["data"][0]["id"], 1);
    assert_eq!(reports(&shell.run("alerts --format json")), 0);
}

#[test]
fn ranges_of_ids_are_turned_off_turned_on_and_removed() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    for limit in 10..=15 {
        add(&shell, &format!("ordi > {limit}"));
    }
    let ids = |line: &str| -> Vec<i64> {
        let data = shell.run(line).ok().json()["data"].clone();
        data.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(ids("alerts off 1-3 2"), [1, 2, 3]);
    assert_eq!(ids("alerts on 2-2 3"), [2, 3]);
    let list = shell.run("alerts").ok().json();
    let states: Vec<_> = list["data"].as_array().unwrap().iter().map(|row| row["state"].as_str().unwrap()).collect();
    assert_eq!(states.iter().filter(|state| **state == "off").count(), 1, "{states:?}");
    shell.run("alerts remove 2 7-9").fails(1, "no alerts with IDs 7-9 (list alerts: satscope alerts)");
    // Some IDs in a range may have no alert.
    assert_eq!(ids("alerts remove 5-9000000000 2"), [5, 6, 2]);
    assert_eq!(ids("alerts"), [1, 3, 4]);
    for range in ["3-1", "0-3", "1-", "-3", "1-2-3", "1-x"] {
        let run = shell.run(&format!("alerts remove {range}"));
        assert_eq!(run.status, 2, "{range}: {}", run.stderr);
    }
    assert_eq!(ids("alerts"), [1, 3, 4]);
}

#[test]
fn invalid_rules_have_a_position_and_a_suggestion() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    let fails = |rule: &str, status, part: &str| with_rule(&shell, "alerts add", rule).fails(status, part);
    fails("ordi > 1,500", 2, "character 8: ambiguous number 1,500 (expected 1500 or 1.5)");
    fails("ordi", 2, "expected a condition after ordi");
    fails(&format!("{} receives", ADDRESS.replace("mdq", "mdp")), 2, "invalid checksum");
    fails("nosuch > 5", 1, "unknown coin nosuch");
    fails("nope minted > 5%", 1, "alert not added: unknown BRC-20 token nope");
    add(&shell, "ordi > 10");
    with_rule(&shell, "alerts edit 1", "nope minted > 5%").fails(1, "alert not changed: unknown BRC-20 token nope");
    let advice = "alert 1 already has this rule (change it: satscope alerts edit 1 'ordi > 10 usd once')";
    fails("ORDI > 10.0 usd once", 1, advice);
    fails("fees < 0", 2, "a fee rate can't be zero");
    fails("ordi holders < 0", 2, "a number of holders can't be below zero");
    fails("24h < -8%", 2, "expected a coin, ticker, address, wallet or fees before 24h");
    shell.run("alerts off 1").ok();
    fails("ordi > 10", 1, "alert 1 already has this rule (turn it on: satscope alerts on 1)");
    shell.run("alerts remove 1").ok();
    shell.run("alerts remove 7").fails(1, "unknown alert 7");
    shell.run("alerts off x").fails(2, "not an alert ID or a range such as 3-8");
    assert_eq!(shell.run("alerts").ok().json()["data"], Value::Array(Vec::new()));
}

#[test]
fn symbol_of_several_coins_names_their_slugs() {
    let server = Server::start(|_| {
        let coin = |id: u32| {
            format!(r#"{{"id":{id},"name":"P","symbol":"PEPE","slug":"pepe-{id}","quote":{{"USD":{{"price":5}}}}}}"#)
        };
        (200, format!("[{},{}]", coin(1), coin(2)))
    });
    let shell = Shell::on(&server);
    with_rule(&shell, "alerts add", "pepe > 10").fails(1, "several coins use pepe (use the slug: pepe-1 or pepe-2)");
    assert_eq!(add(&shell, "pepe-2 > 10")["rule"], "pepe-2 > 10 usd");
}

#[test]
fn symbol_that_is_also_a_slug_is_ambiguous_in_capitals() {
    let server = Server::start(|_| {
        let coin = |id: u32, slug: &str| {
            format!(r#"{{"id":{id},"name":"P","symbol":"PEPE","slug":"{slug}","quote":{{"USD":{{"price":5}}}}}}"#)
        };
        (200, format!("[{},{}]", coin(1, "pepe"), coin(2, "pepe-2")))
    });
    let shell = Shell::on(&server);
    with_rule(&shell, "alerts add", "PEPE > 10").fails(1, "several coins use PEPE (use the slug: pepe or pepe-2)");
    assert_eq!(add(&shell, "pepe > 10")["rule"], "pepe > 10 usd");
}

#[test]
fn rule_that_no_source_can_check_has_a_warning() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    let run = with_rule(&shell, "alerts add", "fees < 3");
    let whole = run.json();
    assert_eq!(whole["data"][0]["state"], "unchecked");
    assert!(whole["warnings"][0].as_str().unwrap().starts_with("not checked yet: "), "{whole}");
}

#[test]
fn rule_about_a_coin_that_its_provider_has_not_updated_has_a_warning() {
    let updated = UtcTime::now().minus(Duration::from_hours(5));
    let server = Server::with_headers("x-satscope-provider: coingecko\r\n", move |_| {
        let coin = format!(
            r#"{{"id":1,"name":"Old","symbol":"OLD","slug":"old-coin","cmc_rank":9,"last_updated":"{updated}",
            "quote":{{"USD":{{"price":5}}}}}}"#
        );
        (200, format!("[{coin}]"))
    });
    let whole = with_rule(&Shell::on(&server), "alerts add", "old-coin rank < 5").json();
    let warnings = whole["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning == "not checked yet: latest data is 5 h old"), "{whole}");
}

#[test]
fn alert_without_a_value_has_no_distance() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    let failing = Server::start(|_| (503, String::new()));
    let run = shell.run(&format!("alerts --base-url {}", failing.url));
    let row = run.json()["data"][0].clone();
    assert_eq!((run.status, row["last_value"].as_f64()), (1, Some(8.41)));
    assert!(row["value"].is_null() && row["distance_pct"].is_null(), "{row}");
}

#[test]
fn watch_with_simulated_data_does_not_change_alerts_on_real_ones() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    let added = add(&shell, "ordi > 10");
    let mut watch = shell.command("alerts watch --demo").spawn().unwrap();
    let mut said = String::new();
    BufReader::new(watch.stderr.take().unwrap()).read_line(&mut said).unwrap();
    end(&mut watch);
    assert_eq!(said, "satscope: alert 1 not checked (needs live data)\n");
    let row = shell.run("alerts").ok().json()["data"][0].clone();
    assert_eq!((&row["state"], &row["last_value"]), (&"armed".into(), &added["value"]));
}

#[test]
fn watch_exits_when_its_output_pipe_is_closed() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    cents.store(1_005, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch").spawn().unwrap();
    let mut line = String::new();
    BufReader::new(watch.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("ORDI is 10.05 USD"), "{line}");
    assert!(watch.wait().unwrap().success());
    let row = shell.run("alerts").ok().json()["data"][0].clone();
    assert_eq!(row["state"], "disarmed", "the printed alert is recorded");
}

#[test]
fn watch_prints_an_alert_that_fires_and_only_one_process_checks() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    cents.store(1_005, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --format json").spawn().unwrap();
    let line = first_line(&mut watch);
    let event: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&event["id"], &event["text"]), (&1.into(), &"ORDI is 10.05 USD (limit > 10)".into()));
    assert_eq!(event["value"], 10.05);
    let row = shell.run("alerts").ok().json()["data"][0].clone();
    assert_eq!((&row["state"], &row["last_value"]), (&"disarmed".into(), &10.05.into()));
    assert!(row["last_fired_at"].is_string());

    // Back and beyond again, with two processes.
    cents.store(900, Ordering::SeqCst);
    let mut waits = shell.command("alerts watch --for 600").spawn().unwrap();
    let mut said = String::new();
    while !shell.run("alerts").ok().json()["data"][0]["state"].as_str().unwrap().contains("armed") {}
    let mut other = shell.command("alerts watch --for 1").spawn().unwrap();
    other.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(other.wait().unwrap().success());
    assert_eq!(said, "satscope: another satscope process is checking alerts; taking over when it exits\n");
    end(&mut waits);
    // The lease was released.
    cents.store(1_010, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --format table").spawn().unwrap();
    let line = first_line(&mut watch);
    assert!(line.ends_with(" ORDI is 10.10 USD (limit > 10)\n"), "{line}");
}

/// What `alerts watch` prints on a terminal. It is ended by TERM when it has printed `last`.
fn watched_on_terminal(shell: &Shell, last: &str) -> String {
    let (mut child, terminal) = start_on_terminal(shell, 120, "alerts watch", true);
    let mut lines = BufReader::new(terminal.try_clone_reader().unwrap());
    let mut printed = String::new();
    while !printed.contains(last) {
        assert!(lines.read_line(&mut printed).unwrap() > 0, "{printed}");
    }
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.process_id().unwrap()).unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    // On Linux, reading from a closed terminal is an error.
    while lines.read_line(&mut printed).is_ok_and(|count| count > 0) {}
    assert!(child.wait().unwrap().success(), "{printed}");
    printed.replace('\r', "")
}

#[test]
fn watch_says_first_what_it_watches() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    with_rule(&shell, "alerts add --demo", "ordi > 1000").ok();
    with_rule(&shell, "alerts add", "wallet 24h < -5%");
    cents.store(1_005, Ordering::SeqCst);
    let printed = watched_on_terminal(&shell, "ORDI is 10.05 USD");
    assert!(printed.starts_with("satscope: watching 2 alerts · press Ctrl-C to stop\nsatscope: "), "{printed}");
}

#[test]
fn watch_says_at_the_end_how_many_alerts_fired() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    let last = |last| watched_on_terminal(&shell, last).lines().last().unwrap().to_owned();
    let summary = last("watching 1 alert");
    assert!(summary.starts_with("satscope: watched for ") && summary.ends_with(" s · no alerts fired"), "{summary}");
    cents.store(1_005, Ordering::SeqCst);
    let summary = last("ORDI is 10.05 USD");
    assert!(summary.ends_with(" s · 1 alert fired"), "{summary}");
}

#[test]
fn alerts_of_a_killed_process_are_checked_by_another_one() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    let mut first = shell.command("alerts watch").spawn().unwrap();
    while !shell.run("alerts").ok().json()["data"][0]["state"].as_str().unwrap().contains("armed") {}
    let mut second = shell.command("alerts watch --format table").spawn().unwrap();
    let mut said = String::new();
    BufReader::new(second.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert!(said.contains("another satscope process is checking alerts"), "{said}");
    first.kill().unwrap();
    first.wait().unwrap();
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    let database = rusqlite::Connection::open(file).unwrap();
    let lease = || {
        let columns = "SELECT owner, until FROM lease WHERE name = 'alerts'";
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?));
        database.query_row(columns, [], row).unwrap()
    };
    let (killed, killed_until) = lease();
    cents.store(1_005, Ordering::SeqCst);
    let mut line = String::new();
    BufReader::new(second.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.ends_with(" ORDI is 10.05 USD (limit > 10)\n"), "{line}");
    let (owner, until) = lease();
    let taken_at = until - i64::try_from(satscope::store::LEASE_LENGTH.as_millis()).unwrap();
    assert!(owner != killed && taken_at < killed_until, "it didn't wait for the end of the lease");
    end(&mut second);
    let state = shell.home.path().join(".local/state/satscope");
    let files = || std::fs::read_dir(&state).unwrap().flatten().map(|file| file.file_name());
    assert!(files().all(|name| !name.to_string_lossy().ends_with(".alive")), "nothing is left");
}

#[test]
fn watch_checks_alerts_on_the_simulated_data_of_a_service() {
    let (server, cents) = market_with("X-Satscope-Simulated: true\r\n");
    let shell = Shell::on(&server);
    let added = with_rule(&shell, "alerts add", "ordi > 10").json();
    assert_eq!(added["data"][0]["simulated"], true);
    cents.store(1_005, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --for 20 --format table").spawn().unwrap();
    let line = first_line(&mut watch);
    assert!(line.ends_with(" DEMO ORDI is 10.05 USD (limit > 10)\n"), "{line}");

    // Beside an alert on real data, the first response says it.
    let real = market().0;
    with_rule(&shell, &format!("alerts add --base-url {}", real.url), "ordi > 9").ok();
    with_rule(&shell, "alerts add", "ordi > 11").json();
    cents.store(1_150, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --for 20 --format table").spawn().unwrap();
    let line = first_line(&mut watch);
    assert!(line.ends_with(" DEMO ORDI is 11.50 USD (limit > 11)\n"), "{line}");
}

#[test]
fn watch_with_simulated_data_lets_other_processes_check() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    let mut demo = shell.command("alerts watch --demo").spawn().unwrap();
    let mut said = String::new();
    BufReader::new(demo.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert!(said.contains("not checked (needs live data)"), "it runs: {said}");
    cents.store(1_005, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --for 20 --format table").spawn().unwrap();
    let line = first_line(&mut watch);
    end(&mut demo);
    assert!(line.ends_with(" ORDI is 10.05 USD (limit > 10)\n"), "{line}");
}

#[test]
fn indexer_alerts_are_checked_beside_a_watcher_with_a_simulated_indexer() {
    let holders = Arc::new(AtomicU32::new(23_411));
    let shared = holders.clone();
    let server = Server::start(move |target| {
        let (status, body) = world::response(target);
        (status, body.replace("\"holders\":23411", &format!("\"holders\":{}", shared.load(Ordering::SeqCst))))
    });
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    add(&shell, "ordi holders >= 24k");
    let mut mixed = shell.command("alerts watch").env_remove("SATSCOPE_INDEXER_URL").spawn().unwrap();
    let mut said = String::new();
    BufReader::new(mixed.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert!(said.contains("alert 2 not checked (needs live data)"), "{said}");
    holders.store(24_100, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --for 20 --format table").spawn().unwrap();
    let line = first_line(&mut watch);
    end(&mut mixed);
    assert!(line.ends_with(" ordi has 24,100 holders (limit ≥ 24,000)\n"), "{line}");
}

#[test]
fn list_shows_no_simulated_value_beside_a_real_alert() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    let real = add(&shell, "ordi > 10");
    with_rule(&shell, "alerts add --demo", "ordi > 1000").ok();
    let whole = shell.run("alerts --demo").ok().json();
    let rows = whole["data"].as_array().unwrap();
    assert_eq!((&rows[0]["simulated"], &rows[0]["value"]), (&false.into(), &Value::Null));
    assert_eq!(rows[0]["last_value"], real["value"]);
    assert!(rows[1]["simulated"] == true && rows[1]["value"].is_number(), "{whole}");
    assert_eq!(whole["warnings"], serde_json::json!(["alert 1 not checked (needs live data)"]));
    let table = shell.run("alerts --demo --format table").stdout;
    assert!(table.contains("$8.41") && table.contains("DEMO ordi > 1000 usd"), "{table}");
    let whole = shell.run("alerts").ok().json();
    assert_eq!((&whole["data"][0]["value"], &whole["data"][1]["value"]), (&real["value"], &Value::Null));
}

#[test]
fn list_waits_if_the_service_limits_the_rate_of_requests() {
    let is_limited = Arc::new(AtomicBool::new(false));
    let shared = is_limited.clone();
    let server = Server::with_headers("Retry-After: 1\r\n", move |target| {
        if shared.swap(false, Ordering::SeqCst) { (429, String::from("{}")) } else { world::response(target) }
    });
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    let requests = server.targets().len();
    is_limited.store(true, Ordering::SeqCst);
    let list = shell.run("alerts").ok().json();
    assert!(list["data"][0]["value"].is_number(), "{list}");
    let targets = server.targets().split_off(requests);
    assert_eq!(targets.first(), targets.get(1), "the same request again");
}

#[test]
fn watch_checks_alerts_that_it_cannot_save() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    // The lock file can't be opened, as in a read-only directory.
    let lock = shell.home.path().join(".local/state/satscope/satscope.lock");
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    cents.store(1_005, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --for 20 --format table").spawn().unwrap();
    let line = first_line(&mut watch);
    let mut said = String::new();
    watch.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(line.ends_with(" ORDI is 10.05 USD (limit > 10)\n"), "{line}{said}");
    assert!(said.starts_with("satscope: can't write ") && said.lines().count() == 1, "{said}");
    assert!(said.ends_with(" · alerts are printed but not recorded\n"), "{said}");
}

#[test]
fn firings_are_recorded_once_an_older_database_can_be_upgraded() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    let state = shell.home.path().join(".local/state/satscope");
    let open = || rusqlite::Connection::open(state.join(satscope::store::FILE)).unwrap();
    let older = "ALTER TABLE provider_use DROP COLUMN set_at; PRAGMA user_version = 15;";
    open().execute_batch(older).unwrap();
    let lock = state.join("satscope.lock");
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    cents.store(1_005, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --format table").spawn().unwrap();
    let mut out = BufReader::new(watch.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert!(line.ends_with(" ORDI is 10.05 USD (limit > 10)\n"), "{line}");
    std::fs::remove_dir(&lock).unwrap();
    let mut errors = BufReader::new(watch.stderr.take().unwrap());
    let mut said = String::new();
    while !said.contains("satscope: alerts are recorded now\n") {
        assert!(errors.read_line(&mut said).unwrap() > 0, "{said}");
    }
    end(&mut watch);
    line.clear();
    out.read_to_string(&mut line).unwrap();
    assert_eq!(line, "", "it is printed once");
    let fired = open().query_row("SELECT count(*) FROM alert_event", [], |row| row.get::<_, u32>(0)).unwrap();
    assert_eq!(fired, 1);
    assert_eq!(shell.run("alerts").ok().json()["data"][0]["state"], "disarmed");
}

#[test]
fn firing_that_cannot_be_printed_is_not_recorded() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    cents.store(1_005, Ordering::SeqCst);
    for is_closed in [false, true] {
        let mut command = shell.command("alerts watch --format table");
        if !is_closed {
            command.stdout(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
        }
        let mut watch = command.spawn().unwrap();
        drop(watch.stdout.take());
        let mut said = String::new();
        watch.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        // A pipe that is closed early is not an error.
        assert_eq!(watch.wait().unwrap().code(), Some(i32::from(!is_closed)), "{said}");
        let sentence = "satscope: can't write to standard output (disk full); alert 1 is not recorded as fired\n";
        assert_eq!(said.contains(sentence), !is_closed, "{said}");
        let row = shell.run("alerts").ok().json()["data"][0].clone();
        assert!(row["last_fired_at"].is_null(), "{row}");
    }
    let mut watch = shell.command("alerts watch --format table").spawn().unwrap();
    assert!(first_line(&mut watch).ends_with(" ORDI is 10.05 USD (limit > 10)\n"));
}

/// A pipe that takes no more bytes until it is read; they are empty lines.
fn full_pipe() -> (PipeReader, PipeWriter) {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let flags = fcntl_getfl(&writer).unwrap();
    fcntl_setfl(&writer, flags | OFlags::NONBLOCK).unwrap();
    for length in [4096, 1] {
        while matches!(writer.write(&[b'\n'; 4096][..length]), Ok(1..)) {}
    }
    fcntl_setfl(&writer, flags).unwrap();
    (reader, writer)
}

#[test]
fn watch_ends_while_a_firing_waits_for_standard_output() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi < 5");
    add(&shell, "ordi > 10");
    cents.store(1_005, Ordering::SeqCst);
    let start = |arguments: &str| {
        let (reader, writer) = full_pipe();
        let mut command = shell.command(&format!("alerts watch --format table {arguments}"));
        (reader, command.stdout(writer).spawn().unwrap())
    };
    let fired = || !shell.run("alerts").ok().json()["data"][1]["last_fired_at"].is_null();
    let (_timed, mut watch) = start("--for 2");
    watch.wait().unwrap();
    assert!(!fired());

    // The first alert, which is recorded before the second, shows when both were checked.
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    let database = rusqlite::Connection::open(file).unwrap();
    database.execute("UPDATE alert SET armed = NULL, checked_at = NULL WHERE id = 1", []).unwrap();
    drop(database);
    let (_ended, mut watch) = start("");
    wait_until(&shell, true);
    end(&mut watch);
    assert!(!fired());

    let (read, mut watch) = start("");
    let line = BufReader::new(read).lines().map(Result::unwrap).find(|line| !line.is_empty());
    end(&mut watch);
    assert!(line.as_ref().is_some_and(|line| line.ends_with(" ORDI is 10.05 USD (limit > 10)")), "{line:?}");
    assert!(fired());
}

#[test]
fn watch_reports_missed_alerts_with_time_and_value() {
    let now = UtcTime::now();
    let point = |minutes: u64| {
        let price = if minutes == 60 { 10.6 } else { 8.4 };
        let time = UtcTime::from_secs(now.secs()).minus(Duration::from_mins(minutes));
        (time, format!(r#"{{"timestamp":"{time}","quote":{{"USD":{{"price":{price}}}}}}}"#))
    };
    // No data for half an hour.
    let points: Vec<_> = (1..60)
        .rev()
        .map(|place| point(place * 5))
        .filter(|(time, _)| {
            let minutes = now.since(*time).as_secs() / 60;
            !(20..50).contains(&minutes)
        })
        .collect();
    let quotes: Vec<&str> = points.iter().map(|(_, text)| text.as_str()).collect();
    let series = format!(
        r#"{{"data":{{"ORDI":[{{"id":25028,"name":"ORDI","symbol":"ORDI","quotes":[{}]}}]}}}}"#,
        quotes.join(",")
    );
    let server = Server::start(move |target| {
        let is_series = target.starts_with("/market/data");
        if is_series { (200, series.clone()) } else { world::response(target) }
    });
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    // The program was not running for two hours.
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    let database = rusqlite::Connection::open(file).unwrap();
    database.execute("UPDATE alert SET checked_at = checked_at - 7200000", []).unwrap();
    drop(database);

    let mut watch = shell.command("alerts watch --format json").spawn().unwrap();
    let line = first_line(&mut watch);
    let event: Value = serde_json::from_str(&line).unwrap();
    let at = point(60).0.to_string();
    assert_eq!((&event["missed"], &event["at"]), (&true.into(), &Value::String(at)));
    assert_eq!((&event["value"], &event["after"]), (&10.6.into(), &Value::Null));
    assert_eq!(event["text"], "ORDI is 10.60 USD (limit > 10) · 5 m prices");
    let mut said = String::new();
    watch.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains(" ORDI not checked: no data"), "{said}");
    let requests = server.targets().into_iter().filter(|target| target.starts_with("/market/data")).count();
    assert_eq!(requests, 1);
}

#[test]
fn watch_fires_by_the_first_price_of_a_stream() {
    let server = Server::start(|target| {
        if target.starts_with("/x/stream") { (200, String::from(STREAM)) } else { world::response(target) }
    });
    let shell = Shell::on(&server);
    add(&shell, "ordi > 8.5");
    let mut watch = shell.command("alerts watch --format json").spawn().unwrap();
    // The list has 8.4127 for the next five minutes.
    while !server.targets().iter().any(|target| target.starts_with("/coins?ids=25028")) {
        std::thread::yield_now();
    }
    server.send_event("prices", r#"{"provider":"binance","prices":[{"id":"25028","price":8.51,"age":0}]}"#);
    let began = Instant::now();
    let event: Value = serde_json::from_str(&first_line(&mut watch)).unwrap();
    assert!(began.elapsed() < Duration::from_secs(5));
    assert_eq!((&event["text"], &event["missed"]), (&"ORDI is 8.51 USD (limit > 8.5)".into(), &false.into()));
    assert!(server.targets().contains(&String::from("/x/stream?ids=25028&convert=USD")), "{:?}", server.targets());
}

/// Writes the configuration of a home.
fn configure(shell: &Shell, text: &str) {
    let directory = shell.home.path().join(".config/satscope");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("config.toml"), text).unwrap();
}

/// Waits until the first alert is armed, or not.
fn wait_until(shell: &Shell, armed: bool) {
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    let database = rusqlite::Connection::open(file).unwrap();
    let now = || database.query_row("SELECT armed FROM alert", [], |row| row.get::<_, Option<bool>>(0)).unwrap();
    while now() != Some(armed) {
        std::thread::yield_now();
    }
}

#[test]
fn watch_runs_the_command_and_shows_its_failure() {
    let (server, cents) = market();
    for (program, failure) in [("mkdir", ""), ("false", "satscope: alert command false failed: exit status: 1\n")] {
        cents.store(841, Ordering::SeqCst);
        let shell = Shell::on(&server);
        add(&shell, "ordi > 10");
        let marker = shell.home.path().join("ORDI > 10");
        let command = format!("\"{program}\", \"{}/{{title}}\"", shell.home.path().display());
        configure(&shell, &format!("[alerts]\ncommand = [{command}]\n"));
        cents.store(1_005, Ordering::SeqCst);
        let mut watch = shell.command("alerts watch").spawn().unwrap();
        first_line(&mut watch);
        let mut said = String::new();
        watch.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((marker.is_dir(), said.as_str()), (failure.is_empty(), failure), "the end waits for the command");
    }
}

#[test]
fn quiet_hours_silence_the_command_but_not_the_line() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    let directory = shell.home.path().join("marker");
    // From an hour ago until in an hour.
    let hour = UtcTime::now().secs().div_euclid(3_600) + 24;
    let quiet = format!("{:02}:00-{:02}:00", (hour - 1) % 24, (hour + 2) % 24);
    let command = format!("[alerts]\nquiet = \"{quiet}\"\ncommand = [\"mkdir\", \"{}\"]\n", directory.display());
    configure(&shell, &command);
    cents.store(1_005, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch").spawn().unwrap();
    assert!(first_line(&mut watch).contains("ORDI is 10.05 USD"));
    assert!(!directory.exists());
}

#[test]
fn two_watchers_that_both_check_print_a_firing_once() {
    let (cents, held) = (Arc::new(AtomicU32::new(841)), Arc::new((Mutex::new(0), Condvar::new())));
    let (price, gate) = (cents.clone(), held.clone());
    // Answers the prices of both watchers at the same time.
    let server = Server::start(move |target| {
        let price = price.load(Ordering::SeqCst);
        if target.starts_with("/coins") && price > 1_000 {
            let (count, changed) = &*gate;
            let mut count = count.lock();
            *count += 1;
            changed.notify_all();
            changed.wait_while(&mut count, |count| *count < 2);
        }
        let (status, body) = world::response(target);
        (status, body.replace("\"price\":8.4127", &format!("\"price\":{}", f64::from(price) / 100.0)))
    });
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    cents.store(1_005, Ordering::SeqCst);
    let mut first = shell.command("alerts watch").spawn().unwrap();
    let (count, changed) = &*held;
    changed.wait_while(&mut count.lock(), |count| *count == 0);
    // The second one takes the leases although the first one has not given them back.
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    assert_eq!(rusqlite::Connection::open(file).unwrap().execute("DELETE FROM lease", []).unwrap(), 3);
    let mut second = shell.command("alerts watch").spawn().unwrap();
    wait_until(&shell, false);
    let mut printed = String::new();
    for watch in [&mut first, &mut second] {
        let mut out = watch.stdout.take().unwrap();
        end(watch);
        out.read_to_string(&mut printed).unwrap();
    }
    assert_eq!(printed.matches("ORDI is 10.05 USD (limit > 10)").count(), 1, "{printed}");
}

#[test]
fn watch_checks_the_wallet() {
    let change = Arc::new(AtomicU32::new(2));
    let shared = change.clone();
    let server = Server::start(move |target| {
        let (status, body) = world::response(target);
        let change = format!("\"percent_change_24h\":-{}", shared.load(Ordering::SeqCst));
        (status, body.replace("\"percent_change_24h\":-3.8", &change))
    });
    let shell = Shell::on(&server);
    let run = with_rule(&shell, "alerts add", "wallet 24h < -5%");
    assert!(run.json()["warnings"][0].as_str().unwrap().contains("not checked yet: no holdings"), "{}", run.stdout);
    shell.run("wallet add 2 ordi @ 5 2025-03-02").ok();
    let row = shell.run("alerts").ok().json()["data"][0].clone();
    assert!((row["value"].as_f64().unwrap() + 2.0).abs() < 1e-9, "{row}");
    let mut watch = shell.command("alerts watch").spawn().unwrap();
    wait_until(&shell, true);
    end(&mut watch);
    change.store(7, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch").spawn().unwrap();
    let line = first_line(&mut watch);
    assert!(line.contains("\"Wallet value changed −7.0% in 24h (limit < −5%)"), "{line}");
}

#[test]
fn watch_checks_the_value_of_the_wallet() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 2000 ordi @ 5 2025-03-02").ok();
    let row = add(&shell, "wallet > 20000");
    assert_eq!((&row["rule"], &row["state"]), (&"wallet > 20000 usd".into(), &"armed".into()));
    assert_eq!(row["value"].as_f64(), Some(16_820.0), "{row}");
    assert_eq!(shell.run("alerts").ok().json()["data"][0]["value"].as_f64(), Some(16_820.0));
    assert!(shell.run("alerts --format table").ok().stdout.contains("$16,820"));
    let csv = shell.run("alerts --format csv").ok().stdout;
    assert!(csv.contains("wallet > 20000 usd") && csv.contains("16820"), "{csv}");
    cents.store(1_005, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch").spawn().unwrap();
    let line = first_line(&mut watch);
    assert!(line.contains("\"Wallet value is 20,100.00 USD (limit > 20,000)"), "{line}");
}

/// A server with the status of its responses about the bitcoin of [`HOLDER`], and bitcoin's fall over 24 hours in
/// percent.
fn bitcoin(status: u32) -> (Server, Arc<AtomicU32>, Arc<AtomicU32>) {
    let (status, change) = (Arc::new(AtomicU32::new(status)), Arc::new(AtomicU32::new(2)));
    let (shared_status, shared_change) = (status.clone(), change.clone());
    let server = Server::start(move |target| {
        if target == format!("/x/address/{HOLDER}") {
            let status = u16::try_from(shared_status.load(Ordering::SeqCst)).unwrap();
            return (status, format!(r#"{{"address":"{HOLDER}","confirmed":50000000,"unconfirmed":0}}"#));
        }
        if target.contains("/brc-20/balances/") {
            return (200, String::from(r#"{"limit":500,"offset":0,"total":0,"results":[]}"#));
        }
        if !target.starts_with("/coins") {
            return world::response(target);
        }
        let change = shared_change.load(Ordering::SeqCst);
        let coin = format!(
            r#"{{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","cmc_rank":1,
                "quote":{{"USD":{{"price":60000,"percent_change_24h":-{change}}}}}}}"#
        );
        (200, format!(r#"{{"status":{{"error_code":0}},"data":[{coin}]}}"#))
    });
    (server, status, change)
}

#[test]
fn alert_says_why_bitcoin_is_not_checked() {
    for (status, reason) in [(503, "503"), (501, "no enabled provider has it")] {
        let (server, _, _) = bitcoin(status);
        let whole = with_rule(&Shell::on(&server), "alerts add", &format!("{HOLDER} receives")).json();
        let warnings = whole["warnings"].to_string();
        assert!(warnings.contains("BTC balance not checked: ") && warnings.contains(reason), "{warnings}");
    }
}

#[test]
fn wallet_alert_is_checked_beside_a_watcher_with_a_simulated_indexer() {
    let (server, _, change) = bitcoin(200);
    let shell = Shell::on(&server);
    shell.run(&format!("wallet address add {HOLDER} --label cold")).ok();
    with_rule(&shell, "alerts add", "wallet 24h < -5%").ok();
    wait_until(&shell, true);
    let mut mixed = shell.command("alerts watch").env_remove("SATSCOPE_INDEXER_URL").spawn().unwrap();
    let mut said = String::new();
    BufReader::new(mixed.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert!(said.contains("alert 1 not checked (needs live data)"), "{said}");
    change.store(7, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --for 20 --format table").spawn().unwrap();
    let line = first_line(&mut watch);
    end(&mut mixed);
    assert!(line.ends_with("Wallet value changed −7.0% in 24h (limit < −5%)\n"), "{line}");
}

#[test]
fn watch_checks_the_wallet_with_the_bitcoin_of_addresses() {
    let (server, status, change) = bitcoin(500);
    let shell = Shell::on(&server);
    shell.run(&format!("wallet address add {HOLDER} --label cold")).ok();
    with_rule(&shell, "alerts add", "wallet 24h < -5%");
    let run = shell.run("alerts watch --for 1");
    assert!(run.stderr.contains("wallet alerts are not checked: no bitcoin balance for cold"), "{}", run.stderr);
    status.store(200, Ordering::SeqCst);
    let row = shell.run("alerts").ok().json()["data"][0].clone();
    assert!((row["value"].as_f64().unwrap() + 2.0).abs() < 1e-9, "{row}");
    let mut watch = shell.command("alerts watch").spawn().unwrap();
    wait_until(&shell, true);
    end(&mut watch);
    change.store(7, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch").spawn().unwrap();
    let line = first_line(&mut watch);
    assert!(line.contains("\"Wallet value changed −7.0% in 24h (limit < −5%)"), "{line}");
}

#[test]
fn watch_values_tokens_on_any_page_and_by_their_deploy_inscription() {
    let fall = Arc::new(AtomicU32::new(2));
    let server = wallet::many(&fall);
    let shell = Shell::on(&server);
    with_rule(&shell, "alerts add", "wallet 24h < -5%");
    shell.run(&format!("wallet address add {ADDRESS} --label cold")).ok();
    // Of 2.5, 1 was 1 / 0.98.
    let row = shell.run("alerts").ok().json()["data"][0].clone();
    assert!((row["value"].as_f64().unwrap() + 0.81).abs() < 0.01, "{row}");
    let mut watch = shell.command("alerts watch").spawn().unwrap();
    wait_until(&shell, true);
    end(&mut watch);
    let mut said = String::new();
    watch.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "", "a token without details is no failure");
    fall.store(50, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch").spawn().unwrap();
    let line = first_line(&mut watch);
    assert!(line.contains("\"Wallet value changed −28.6% in 24h (limit < −5%)"), "{line}");
}

#[test]
fn watch_checks_the_wallet_without_coins_that_have_no_price() {
    let change = Arc::new(AtomicU32::new(2));
    let shared = change.clone();
    let server = Server::start(move |target| {
        let (status, body) = world::response(target);
        let change = format!("\"percent_change_24h\":-{}", shared.load(Ordering::SeqCst));
        let body = body.replace("\"percent_change_24h\":-3.8", &change);
        let sats = r#""data":[{"id":9,"name":"SATS","symbol":"SATS","slug":"sats","quote":{"USD":{}}},"#;
        (status, if target.starts_with("/coins") { body.replacen("\"data\":[", sats, 1) } else { body })
    });
    let shell = Shell::on(&server);
    for lot in ["2 ordi @ 5 2025-03-02", "5 sats @ 1 2025-03-02"] {
        shell.run(&format!("wallet add {lot}")).ok();
    }
    let run = with_rule(&shell, "alerts add", "wallet 24h < -5%").ok();
    let note = "wallet alerts exclude SATS (no price or 24h change)";
    assert!(run.json()["warnings"].to_string().contains(note), "{}", run.stdout);
    let mut watch = shell.command("alerts watch").spawn().unwrap();
    let mut said = String::new();
    let mut errors = BufReader::new(watch.stderr.take().unwrap());
    errors.read_line(&mut said).unwrap();
    assert_eq!(said, format!("satscope: {note}\n"));
    wait_until(&shell, true);
    end(&mut watch);
    change.store(7, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch").spawn().unwrap();
    let line = first_line(&mut watch);
    assert!(line.contains("\"Wallet value changed −7.0% in 24h (limit < −5%)"), "{line}");
}

#[test]
fn value_of_the_wallet_waits_for_the_price_of_every_coin() {
    let server = Server::start(|target| {
        let (status, body) = world::response(target);
        let sats = r#""data":[{"id":9,"name":"SATS","symbol":"SATS","slug":"sats","quote":{"USD":{}}},"#;
        (status, if target.starts_with("/coins") { body.replacen("\"data\":[", sats, 1) } else { body })
    });
    let shell = Shell::on(&server);
    for lot in ["2 ordi @ 5 2025-03-02", "5 sats @ 1 2025-03-02"] {
        shell.run(&format!("wallet add {lot}")).ok();
    }
    let run = with_rule(&shell, "alerts add", "wallet > 10").ok().json();
    assert!(run["warnings"].to_string().contains("not checked yet: no price for SATS"), "{run}");
    assert!(run["data"][0]["value"].is_null(), "{run}");
    let run = shell.run("alerts watch --for 1s");
    let problem = "wallet alerts are not checked: no price for SATS";
    assert!(run.stdout.is_empty() && run.stderr.contains(problem), "{}{}", run.stdout, run.stderr);
}

#[test]
fn firing_that_cannot_be_recorded_is_announced_once() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    rusqlite::Connection::open(file).unwrap().execute("DROP TABLE alert_event", []).unwrap();
    cents.store(1_005, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --format table").spawn().unwrap();
    let mut said = String::new();
    let mut errors = watch.stderr.take().unwrap();
    let line = first_line(&mut watch);
    assert!(line.ends_with(" ORDI is 10.05 USD (limit > 10)\n"), "{line}");
    errors.read_to_string(&mut said).unwrap();
    assert_eq!(said.matches("can't read fired alerts").count(), 1, "{said}");
    let again = shell.run("alerts watch --for 1 --format table");
    assert_eq!(again.stdout, "", "{}", again.stderr);
}

#[test]
fn watch_reports_why_a_wallet_rule_is_not_checked() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    with_rule(&shell, "alerts add", "wallet 24h < -5%");
    let run = shell.run("alerts watch --for 1s");
    assert_eq!(
        run.stderr,
        "satscope: wallet alerts are not checked: no holdings\nsatscope: alert 1 was not checked: no value received\n"
    );
}

#[test]
fn watch_reports_why_there_are_no_fee_rates() {
    let headers = "x-satscope-notice: No%20fee%20rates%20(mempool.space%3A%20rate-limited%20(429))\r\n";
    let server = Server::with_headers(headers, |target| match target {
        "/x/chain" => (200, String::from(r#"{"height":923105,"hash":null,"fees":null}"#)),
        target => world::response(target),
    });
    let shell = Shell::on(&server);
    let added = with_rule(&shell, "alerts add", "fees < 3").json();
    let warning = "not checked yet: no fee rates (mempool.space: rate-limited (429))";
    assert_eq!(added["warnings"], Value::from(vec![warning]), "{added}");
    let run = shell.run("alerts watch --for 5s");
    let reason = "satscope: alert 1 was not checked: no fee rates (mempool.space: rate-limited (429))\n";
    assert_eq!((run.status, run.stderr.as_str()), (1, reason));
}

#[test]
fn firing_is_printed_once_although_it_is_saved_later() {
    let (cents, gate) = (Arc::new(AtomicU32::new(841)), Arc::new((Mutex::new((false, false)), Condvar::new())));
    let (price, shared) = (cents.clone(), gate.clone());
    let server = Server::start(move |target| {
        let price = price.load(Ordering::SeqCst);
        if target.starts_with("/coins") && price > 1_000 {
            let (state, changed) = &*shared;
            let mut state = state.lock();
            state.0 = true;
            changed.notify_all();
            changed.wait_while(&mut state, |state| !state.1);
        }
        let (status, body) = world::response(target);
        (status, body.replace("\"price\":8.4127", &format!("\"price\":{}", f64::from(price) / 100.0)))
    });
    let shell = Shell::on(&server);
    add(&shell, "ordi > 10");
    cents.store(1_005, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --format table").spawn().unwrap();
    let (state, changed) = &*gate;
    let mut state = state.lock();
    changed.wait_while(&mut state, |state| !state.0);
    // Another process keeps the database locked while the alert fires.
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    let database = rusqlite::Connection::open(file).unwrap();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    state.1 = true;
    changed.notify_all();
    drop(state);
    let mut out = BufReader::new(watch.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert!(line.ends_with(" ORDI is 10.05 USD (limit > 10)\n"), "{line}");
    database.execute_batch("ROLLBACK").unwrap();
    end(&mut watch);
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    let saved: u32 = database.query_row("SELECT count(*) FROM alert_event", [], |row| row.get(0)).unwrap();
    assert_eq!(saved, 1);
}

#[test]
fn rule_that_the_shell_took_for_a_redirection_needs_quotes() {
    let shell = Shell::new();
    for (command, error) in [
        ("--demo alerts add ordi", "character 5: expected a condition after ordi, such as > 10"),
        ("--demo coins --filter 24h", "expected"),
    ] {
        let redirected = |stdout: std::process::Stdio| {
            let run = Run::of(command, shell.command(command).stdout(stdout).output().unwrap());
            run.fails(2, error);
            run.stderr
        };
        let file = std::fs::File::create(shell.home.path().join("10")).unwrap();
        assert!(redirected(file.into()).ends_with("(a condition with > or < needs quotes)\n"));
        assert!(!redirected(std::process::Stdio::piped()).contains("quotes"));
    }
    // An operator arrived, or none belongs there.
    for (command, last) in [
        ("--demo alerts add", "ordi > x"),
        ("--demo alerts add", "bc1qxyz receives"),
        ("--demo coins --filter", "beauty"),
    ] {
        let file = std::fs::File::create(shell.home.path().join("out")).unwrap();
        let run = Run::of(last, shell.command(command).arg(last).stdout(file).output().unwrap());
        run.fails(2, "");
        assert!(!run.stderr.contains("quotes"), "{}", run.stderr);
    }
}
