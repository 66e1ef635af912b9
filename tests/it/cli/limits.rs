//! `--limit` of lists that a service sends as a whole, and price histories that it sends in parts.

use serde_json::json;

use super::output::on_terminal;
use super::server::{Server, Shell};

/// Five coins, posts or market pairs.
fn response(target: &str) -> (u16, String) {
    let row = |number: u32| match target.split('?').next() {
        Some("/content") => json!({"id": number.to_string(), "author": format!("author{number}"), "text": "text"}),
        Some("/exchanges") => json!({
            "exchange": {"name": format!("Exchange{number}")},
            "market_pair": "ORDI/USDT",
            "category": "spot",
            "market_pair_base": {"currency_symbol": "ORDI"},
            "market_pair_quote": {"currency_symbol": "USDT"},
            "quote": {"USD": {"price": 8.41, "volume_24h": 1_000}},
        }),
        _ => json!({
            "id": number,
            "name": format!("Coin{number}"),
            "symbol": "C",
            "slug": format!("c{number}"),
            "tags": ["brc-20"],
            "quote": {"USD": {"price": 1}},
        }),
    };
    (200, json!({"data": (1..=5).map(row).collect::<Vec<_>>()}).to_string())
}

#[test]
fn limit_keeps_the_first_rows_in_every_format() {
    let server = Server::start(response);
    let shell = Shell::on(&server);
    for (command, field, name) in
        [("posts ORDI", "author", "author"), ("pairs ORDI", "exchange", "Exchange"), ("stats", "name", "Coin")]
    {
        let names = |options: &str| -> Vec<String> {
            let data = shell.run(&format!("{command} --format json {options}")).ok().json()["data"].clone();
            data.as_array().unwrap().iter().map(|row| row[field].as_str().unwrap().to_owned()).collect()
        };
        let first = |rows: u32| (1..=rows).map(|number| format!("{name}{number}")).collect::<Vec<_>>();
        assert_eq!(names(""), first(5), "{command}");
        assert_eq!(names("--limit 2"), first(2), "{command}");
        assert_eq!(names("--limit 4294967295"), first(5), "{command}");
        for format in ["csv", "table"] {
            let shown = shell.run(&format!("{command} --format {format} --limit 2")).ok().stdout;
            assert_eq!(shown.lines().count(), 3, "{command}: {shown}");
            assert!(shown.contains(&format!("{name}2")) && !shown.contains(&format!("{name}3")), "{command}: {shown}");
        }
    }
    let shown = on_terminal(&shell.with("LC_ALL", "C.UTF-8"), 80, "posts ORDI --limit 2", true);
    assert!(shown.contains("author2") && !shown.contains("author3"), "{shown}");
}

#[test]
fn long_histories_of_several_coins_are_requested_in_parts() {
    // One response of the service has at most 25,000 points.
    let whole = Shell::new().run("market BTC ORDI SATS --count 9000 --demo --format json").ok().json();
    let points: Vec<usize> = (0..3).filter_map(|coin| Some(whole["data"][coin]["points"].as_array()?.len())).collect();
    assert_eq!(points, [9_000; 3]);
}
