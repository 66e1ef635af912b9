//! Output of commands, log and standard error.

use std::os::unix::ffi::OsStringExt as _;

use crate::cli::server::{Server, Shell};
use crate::support::hostile::{PAYLOADS, assert_harmless, body};
use crate::support::session::Session;

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
    "brc20 balances bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8",
    "brc20 activity",
    "sat 1914287520444193",
    "inscriptions",
    "inscription-stats",
];

/// The payloads, several per argument, so that few runs cover all.
fn bundles() -> Vec<String> {
    PAYLOADS.chunks(9).map(|some| some.concat()).chain(["=1+1".into(), " =1+1".into(), "\u{3000}＝1".into()]).collect()
}

fn hostile(payload: String) -> Server {
    Server::start(move |target| (200, body(target, &payload)))
}

#[test]
fn command_output_is_harmless_in_every_format() {
    for payload in bundles() {
        let server = hostile(payload);
        let shell = Shell::on(&server);
        for command in COMMANDS {
            for format in ["table", "json", "csv"] {
                let run = shell.run(&format!("{command} --format {format}"));
                assert!(run.status <= 1, "{command}: {}", run.stderr);
                assert_harmless(&run.stderr, true, &format!("the errors of {command} as {format}"));
                match format {
                    // CSV in a file is unmodified; on a terminal it is cleaned.
                    "csv" => assert_cells(&run.stdout),
                    _ => assert_harmless(&run.stdout, true, &format!("the output of {command} as {format}")),
                }
            }
        }
    }
}

/// No cell is a formula.
fn assert_cells(csv: &str) {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(csv.as_bytes());
    for record in reader.records() {
        for cell in record.unwrap().iter() {
            let begin = cell.trim_start_matches([' ', '\u{3000}']);
            let formula =
                begin.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) && begin.parse::<f64>().is_err();
            assert!(!formula, "{cell:?}");
        }
    }
}

#[test]
fn json_and_csv_keep_texts_unmodified() {
    for payload in PAYLOADS {
        let server = hostile(payload.to_owned());
        let shell = Shell::on(&server);
        for (command, path, column) in [
            ("coins --limit 3", "/data/0/name", 2),
            ("posts ORDI", "/data/0/author", 1),
            ("brc20 tokens", "/data/0/ticker", 0),
            ("brc20 activity", "/data/0/ticker", 1),
            ("brc20 balances bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8", "/data/0/ticker", 0),
            ("inscriptions", "/data/0/content_type", 16),
        ] {
            // A placeholder for missing data is not text.
            let came = |shown: &str| shown == payload || matches!(payload.trim(), "" | "-") && shown.is_empty();
            let whole = shell.run(&format!("{command} --format json")).json();
            let text = whole.pointer(path).and_then(serde_json::Value::as_str).unwrap_or_default();
            assert!(came(text), "{command}: {text:?} for {payload:?}");
            let csv = shell.run(&format!("{command} --format csv")).stdout;
            let row = csv::Reader::from_reader(csv.as_bytes()).into_records().next().unwrap().unwrap();
            let cell = row.get(column).unwrap();
            assert!(came(cell) || cell.strip_prefix('\'').is_some_and(came), "{command}: {cell:?} for {payload:?}");
        }
    }
}

/// A terminal interprets control characters in every format.
#[test]
fn no_output_format_controls_the_terminal() {
    let server = hostile(PAYLOADS.concat());
    for format in ["table", "json", "csv"] {
        let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
        command.args(["coins", "--limit", "3", "--format", format, "--base-url", &server.url]);
        let (status, screen) = Session::start((160, 40), command).wait();
        assert_eq!(status, 0, "{format}: {screen}");
        assert!(screen.contains("owned") && !screen.contains('\u{202e}'), "{format}: {screen}");
    }
}

/// The log at its most verbose level, with keys in headers and in URLs.
#[test]
fn log_has_no_secrets_and_no_escape_sequences() {
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
        assert_harmless(&String::from_utf8(output.stderr).unwrap(), true, "an error about a ticker");
        assert_harmless(&String::from_utf8(output.stdout).unwrap(), true, "what came for a ticker");
    }
    let written = std::fs::read_to_string(&log).unwrap();
    assert!(written.lines().count() > 2 * COMMANDS.len(), "{written}");
    assert_harmless(&written, true, "the log");
    assert!(!written.contains("hunter2"), "{written}");
    assert!(written.lines().all(|line| line.starts_with("20")), "an event is one line: {written}");
}

/// Error messages are readable with any command line, file or environment.
#[test]
fn command_line_errors_have_no_escape_sequences() {
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

/// Error messages: of an error body, of a body that is not JSON, and of a redirect.
#[test]
fn server_error_messages_are_sanitised() {
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
