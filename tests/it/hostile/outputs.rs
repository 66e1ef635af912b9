//! What the commands print, what the log holds, and what is said on standard error.

use std::os::unix::ffi::OsStringExt as _;

use crate::cli::server::{Server, Shell};
use crate::support::hostile::{PAYLOADS, assert_harmless, body};

/// Every operation, as a command.
const COMMANDS: [&str; 14] = [
    "coins --limit 3",
    "posts ORDI",
    "pairs ORDI",
    "chart ordi",
    "market BTC ORDI GONE",
    "stats",
    "brc20 tokens",
    "brc20 token ordi",
    "brc20 holders ordi",
    "brc20 balances bc1qto",
    "brc20 activity",
    "sat 1914287520444193",
    "inscriptions",
    "inscription-stats",
];

/// The payloads, a few to a word, so that a handful of runs has them all.
fn bundles() -> Vec<String> {
    PAYLOADS.chunks(9).map(|some| some.concat()).chain(["=1+1".into(), " =1+1".into(), "\u{3000}＝1".into()]).collect()
}

fn hostile(payload: String) -> Server {
    Server::start(move |target| (200, body(target, &payload)))
}

#[test]
fn every_format_of_every_command_is_harmless() {
    for payload in bundles() {
        let server = hostile(payload);
        let shell = Shell::on(&server);
        for command in COMMANDS {
            for format in ["table", "json", "csv"] {
                let run = shell.run(&format!("{command} --format {format}"));
                assert!(run.status <= 1, "{command}: {}", run.stderr);
                for (text, name) in [(&run.stdout, "output"), (&run.stderr, "complaints")] {
                    assert_harmless(text, true, &format!("the {name} of {command} as {format}"));
                }
                match format {
                    "json" if run.status == 0 => assert_strings(&run.json()),
                    "csv" => assert_cells(&run.stdout),
                    _ => {}
                }
            }
        }
    }
}

/// What JSON's escapes hide is looked at too.
fn assert_strings(value: &serde_json::Value) {
    match value {
        serde_json::Value::String(text) => assert_harmless(text, true, "a string of JSON"),
        serde_json::Value::Array(items) => items.iter().for_each(assert_strings),
        serde_json::Value::Object(map) => map.iter().for_each(|(key, value)| {
            assert_harmless(key, false, "a key of JSON");
            assert_strings(value);
        }),
        _ => {}
    }
}

/// No cell is a formula, for a spreadsheet that parts cells by commas, nor for one that parts them by semicolons.
fn assert_cells(csv: &str) {
    let formula = |cell: &str| {
        let cell = cell.trim_start_matches(['"', ' ', '\u{3000}']);
        cell.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) && cell.parse::<f64>().is_err()
    };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    for record in reader.records() {
        for cell in record.unwrap().iter() {
            assert!(!formula(cell), "{cell:?}");
        }
    }
    for cell in csv.lines().flat_map(|line| line.split([';', '\t'])) {
        let first = cell.split(',').next().unwrap_or_default();
        assert!(!formula(first), "{cell:?}");
    }
}

/// The log at its most talkative, with keys in headers and in URLs.
#[test]
fn the_log_holds_neither_secrets_nor_orders_for_a_terminal() {
    let payload = PAYLOADS.concat();
    let shared = payload.clone();
    let server = Server::start(move |target| {
        let status = if target.contains("content") { 500 } else { 200 };
        (status, body(target, &shared))
    });
    let shell = Shell::on(&server).with("SATSCOPE_LOG", "trace").with("API_KEY", "hunter2-in-the-environment");
    let config = shell.home.path().join("config.toml");
    let file = "[source.market_headers]\nX-Key = \"hunter2-in-the-file\"\nX-Other = \"env:API_KEY\"\n";
    std::fs::write(&config, file).unwrap();
    let log = shell.home.path().join("log");
    for command in COMMANDS {
        let mut command = shell.command(command);
        command.args(["--log".as_ref(), log.as_os_str(), "--config".as_ref(), config.as_os_str()]);
        command.output().unwrap();
    }
    for ticker in PAYLOADS {
        let mut command = shell.command("brc20 token");
        command.arg("--log").arg(&log).arg("--").arg(ticker.replace('\0', ""));
        let output = command.output().unwrap();
        assert_harmless(&String::from_utf8(output.stderr).unwrap(), true, "complaints about a ticker");
        assert_harmless(&String::from_utf8(output.stdout).unwrap(), true, "what came for a ticker");
    }
    let written = std::fs::read_to_string(&log).unwrap();
    assert!(written.lines().count() > 2 * COMMANDS.len(), "{written}");
    assert_harmless(&written, true, "the log");
    assert!(!written.contains("hunter2"), "{written}");
    assert!(written.lines().all(|line| line.starts_with("20")), "an event is one line: {written}");
}

/// Whatever a command line, a file or the environment has in it, the complaint about it can be read.
#[test]
fn complaints_repeat_nothing_that_a_terminal_obeys() {
    let bad = PAYLOADS.concat().replace('\0', "");
    let shell = Shell::new();
    let with = |arguments: &[&str]| {
        let mut command = shell.command("");
        command.args(arguments);
        command
    };
    let mut commands = vec![
        with(&[&bad]),
        with(&["coins", &bad]),
        with(&["coins", "--tag", &bad]),
        with(&["coins", "--limit", &bad]),
        with(&["coins", "--format", &bad]),
        with(&["chart", "ordi", "--period", &bad]),
        with(&["market", "BTC", "--interval", &bad]),
        with(&["sat", &bad]),
        with(&["inscription", &bad]),
        with(&["serve", "--listen", &bad]),
        with(&["completions", &bad]),
        with(&[&format!("--{bad}")]),
        with(&["coins", "--base-url", &bad]),
        with(&["coins", "--convert", &bad]),
        with(&["coins", "--config", &bad]),
        with(&["coins", "--demo", "--log", &format!("/nowhere/{bad}")]),
        with(&["brc20", "balances", &bad, "--indexer-url", "http://127.0.0.1:1"]),
        with(&["posts", &bad, "--base-url", "http://127.0.0.1:1"]),
        with(&["config", "show", "--format", "table", "--log", &bad]),
        with(&["config", "show", "--format", "csv", "--log", &bad]),
        with(&["config", "show", "--format", "json", "--log", &bad]),
    ];
    for variable in ["SATSCOPE_BASE_URL", "SATSCOPE_INDEXER_URL", "SATSCOPE_LOG", "HOME", "XDG_CONFIG_HOME"] {
        let mut command = with(&["config", "show", "--format", "table"]);
        command.env(variable, &bad);
        commands.push(command);
    }
    let files = [
        format!("[source]\nbase_url = {}\n", serde_json::json!(bad)),
        format!("[{}]\nx = 1\n", serde_json::json!(bad)),
        format!("[source.market_headers]\n{} = \"x\"\n", serde_json::json!(bad)),
        format!("[source.market_headers]\nX-A = {}\n", serde_json::json!(format!("env:{bad}"))),
        format!("[source.paths]\ncoins = {}\n", serde_json::json!(format!("/{bad}"))),
        format!("[wallet]\nsymbols = [{}]\n", serde_json::json!(bad)),
        bad.clone(),
    ];
    for (number, text) in files.iter().enumerate() {
        let path = shell.home.path().join(format!("{number}.toml"));
        std::fs::write(&path, text).unwrap();
        let mut command = with(&["config", "show", "--format", "json", "--config"]);
        command.arg(&path);
        commands.push(command);
    }
    let mut command = with(&["coins"]);
    command.arg(std::ffi::OsString::from_vec(b"\xff\x1b[31m\xfe".to_vec()));
    commands.push(command);
    for mut command in commands {
        let output = command.output().unwrap();
        let shown = format!("{:?}", command.get_args().collect::<Vec<_>>());
        let context = shown.chars().take(120).collect::<String>();
        assert!(output.status.code().is_some_and(|code| code <= 2), "{context}");
        assert_harmless(&String::from_utf8(output.stderr).unwrap(), true, &context);
        assert_harmless(&String::from_utf8(output.stdout).unwrap(), true, &context);
    }
}

/// A failure's words: of an error's body, of what is no JSON, and of a redirect.
#[test]
fn a_server_s_words_about_failures_are_harmless() {
    for payload in bundles() {
        for status in [200, 400, 404, 500] {
            for html in [false, true] {
                let words = payload.clone();
                let server = Server::start(move |_| {
                    let error = serde_json::json!({ "error": words, "message": words, words.as_str(): words });
                    (status, if html { format!("<html><title>{words}</title>") } else { error.to_string() })
                });
                let run = Shell::on(&server).run("coins");
                assert_eq!(run.status, 1, "{}", run.stdout);
                assert_harmless(&run.stderr, true, "a failure");
                assert_eq!(run.stderr.lines().count(), 1, "{}", run.stderr);
            }
        }
    }
}
