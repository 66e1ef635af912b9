//! Sats as the display currency, in all commands: requests ask services for bitcoin.

use serde_json::{Value, json};

use super::server::{Server, Shell};

/// A service that knows dollars and bitcoin: ORDI costs 0.00020345 BTC, and half of that an hour before.
fn market() -> Server {
    Server::start(|target| {
        let is_bitcoin = target.contains("convert=BTC");
        let price = if is_bitcoin { 0.000_203_45 } else { 20.345 };
        let name = if is_bitcoin { "BTC" } else { "USD" };
        let points = json!([
            {"timestamp": 1_795_000_000, "price": price / 2.0},
            {"timestamp": 1_795_003_600, "price": price},
        ]);
        if target.starts_with("/chart") {
            return (200, json!({"data": {"points": points}}).to_string());
        }
        if target.starts_with("/market/data") {
            let series = json!({"id": 1, "symbol": "ORDI", "slug": "ordi", "convert": name, "points": points});
            return (200, json!({"data": [series]}).to_string());
        }
        if target.contains("EUR") || target.contains("SAT&") || target.ends_with("SAT") {
            return (400, json!({"error": "convert is not supported"}).to_string());
        }
        let quote = json!({"name": name, "price": price, "marketCap": price * 2e7, "percentChange24h": 25});
        let coin = json!({"id": 1, "cmcRank": 1, "name": "ORDI", "symbol": "ORDI", "slug": "ordi", "quotes": [quote]});
        (200, json!({"data": {"cryptoCurrencyList": [coin], "totalCount": "1"}}).to_string())
    })
}

#[test]
fn lists_are_requested_in_bitcoin_and_printed_in_sats() {
    let server = market();
    let shell = Shell::on(&server);
    let coins = shell.run("coins --convert sat").ok().json();
    let coin = &coins["data"][0];
    assert_eq!((&coin["convert"], &coin["price"]), (&json!("SAT"), &json!(20345.0)));
    assert!((coin["market_cap"].as_f64().unwrap() / 406.9e9 - 1.0).abs() < 1e-9, "{coin}");
    assert!(server.targets().iter().all(|target| target.contains("convert=BTC")), "{:?}", server.targets());
    let line = shell.run("line {ordi} --convert SAT");
    assert_eq!(line.status, 0, "{}", line.stderr);
}

#[test]
fn charts_and_series_are_in_sats() {
    let server = market();
    let shell = Shell::on(&server);
    let chart = shell.run("chart ordi --convert SAT").ok().json();
    let last = |points: &Value| points.as_array().unwrap().last().unwrap()["price"].clone();
    assert_eq!((&chart["data"]["convert"], last(&chart["data"]["points"])), (&json!("SAT"), json!(20345.0)));
    let series = shell.run("market ORDI --convert SAT").ok().json();
    assert_eq!((&series["data"][0]["convert"], last(&series["data"][0]["points"])), (&json!("SAT"), json!(20345.0)));
}

#[test]
fn wallet_in_sats_is_exact() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 3 ordi @ 20000 sat 2025-03-02").ok();
    shell.run("wallet add 1 ordi @@ 0.0001 btc 2025-03-02").ok();
    let wallet = |convert: &str| shell.run(&format!("wallet --convert {convert}")).ok().json();
    let totals =
        |whole: &Value| ["value", "cost", "profit"].map(|name| whole["data"][name].as_str().unwrap().to_owned());
    let before = server.targets().len();
    // Between bitcoin and sats, no exchange rate is needed.
    let sats = wallet("SAT");
    assert_eq!((totals(&sats), &sats["warnings"]), (["81380", "70000", "11380"].map(String::from), &json!([])));
    let bitcoin = wallet("BTC");
    assert_eq!(totals(&bitcoin), ["0.0008138", "0.0007", "0.0001138"].map(String::from));
    let table = shell.run("wallet --convert SAT --format table").ok().stdout;
    assert!(table.starts_with("SAT 81,380 · "), "{table}");
    let targets = &server.targets()[before..];
    assert!(targets.iter().all(|target| target.contains("convert=BTC")), "{targets:?}");
}

#[test]
fn lots_in_sats_have_the_exchange_rate_of_bitcoin() {
    let shell = Shell::new();
    shell.run("--demo wallet add 1 ordi @ 20000 sat 2026-01-05").ok();
    let cost = |shell: &Shell, convert: &str| {
        let whole = shell.run(&format!("--demo wallet --convert {convert}")).ok().json();
        whole["data"]["cost"].as_str().unwrap().parse::<f64>().unwrap()
    };
    let other = Shell::new();
    other.run("--demo wallet add 1 ordi @ 0.0002 btc 2026-01-05").ok();
    let third = Shell::new();
    third.run("--demo wallet add 1 ordi @ 10 eur 2026-01-05").ok();
    assert_eq!(cost(&shell, "EUR"), cost(&other, "EUR"));
    let (sats, bitcoin) = (cost(&third, "SAT"), cost(&third, "BTC"));
    assert!((sats / bitcoin / 1e8 - 1.0).abs() < 1e-9, "{sats} {bitcoin}");
}

#[test]
fn rule_may_have_its_limit_in_sats() {
    let server = market();
    let shell = Shell::on(&server);
    let added = shell.run("alerts add ordi > 30000 sat").ok().json();
    let alert = &added["data"][0];
    assert_eq!((&alert["rule"], &alert["value"]), (&json!("ordi > 30000 sat"), &json!(20345.0)));
}
