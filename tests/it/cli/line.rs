//! `satscope line`.

use std::time::{Duration, Instant};

use serde_json::json;

use super::server::{Server, Shell};

fn market() -> Server {
    Server::start(|_| {
        let quote = json!({"name": "USD", "price": 17.24, "percentChange24h": -13.4});
        let ordi = json!({"id": 1, "cmcRank": 1, "name": "Ordi", "symbol": "ORDI", "slug": "ordi", "quotes": [quote]});
        (200, json!({"data": {"cryptoCurrencyList": [ordi], "totalCount": "1"}}).to_string())
    })
}

#[test]
fn line_prints_cached_values_and_sends_nothing() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 2 ordi @ 10").ok();
    shell.run("line --refresh {ordi}|{ordi.price}|{wallet}|{nothing}").ok();
    let before = server.targets().len();
    let line = shell.run("line {ordi}|{ordi.price}|{wallet}|{nothing}").ok().stdout;
    assert_eq!(line, "ORDI 17.24 ▼13.4%|17.24|$34.48 ▼13.4%|—\n");
    assert_eq!(server.targets().len(), before);
}

#[test]
fn first_line_starts_a_background_process() {
    let server = market();
    let shell = Shell::on(&server);
    assert_eq!(shell.run("line {ordi.24h}").ok().stdout, "—\n");
    let deadline = Instant::now() + Duration::from_secs(60);
    while shell.run("line {ordi.24h}").ok().stdout != "▼13.4%\n" {
        assert!(Instant::now() < deadline, "{:?}", server.targets());
    }
}

#[test]
fn invalid_format_is_refused() {
    let shell = Shell::new();
    shell.run("line {ordi").fails(2, "missing }");
    shell.run("line {ordi.cap}").fails(2, "unknown value {ordi.cap}");
}
