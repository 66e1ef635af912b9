//! `satscope market`: what is printed if some coins have no prices.

use serde_json::json;

use super::server::{Server, Shell};

/// The series of a symbol with a single price.
fn series(symbol: &str) -> String {
    let point = r#"{"timestamp":"2026-11-19T08:00:00Z","quote":{"USD":{"price":7.5}}}"#;
    format!(r#"{{"data":{{"{symbol}":[{{"name":"{symbol}","symbol":"{symbol}","quotes":[{point}]}}]}}}}"#)
}

#[test]
fn series_that_arrived_are_printed_if_those_of_slugs_fail() {
    let server = Server::start(|target| {
        let names = r#"[{"id":"1","name":"Bitcoin","symbol":"BTC","slug":"bitcoin","rank":1},
            {"id":"7","name":"Pad 1","symbol":"PAD1","slug":"pad-coin-1","rank":70},
            {"id":"8","name":"Pad 2","symbol":"PAD2","slug":"pad-coin-2","rank":80}]"#;
        match target {
            target if target.starts_with("/x/names") => (200, String::from(names)),
            target if target.starts_with("/market/data?symbol=BTC") => (200, series("BTC")),
            target if target.starts_with("/market/data?symbol=PAD1,PAD2&") => (503, String::from("{}")),
            _ => (404, String::from("{}")),
        }
    });
    let shell = Shell::on(&server);
    let market = "market BTC pad-coin-1 pad-coin-2 --count 2 --interval 1d";
    let reason = "no data for pad-coin-1, pad-coin-2: server error (503)";
    let csv = shell.run(&format!("{market} --format csv"));
    assert_eq!((csv.status, csv.stderr.as_str()), (1, format!("satscope: {reason}\n").as_str()));
    assert!(csv.stdout.lines().nth(1).is_some_and(|row| row.contains("BTC")), "{}", csv.stdout);
    let whole = shell.run(&format!("{market} --format json"));
    assert_eq!(whole.status, 1);
    let whole = whole.json();
    assert_eq!((&whole["data"][0]["symbol"], &whole["warnings"]), (&json!("BTC"), &json!([reason])));
}
