//! Commands that find coins by their names.

use std::time::Duration;

use satscope::model::UtcTime;
use serde_json::Value;

use super::fake::{Fake, json};
use super::{configure, world};
use crate::cli::server::Shell;

#[test]
fn new_coin_that_old_names_lack_is_found() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let shell = Shell::new();
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko)]);
    shell.run("--live pairs newcoin").fails(1, "unknown coin newcoin");
    // The coin is listed.
    cmc.edit(|request, response| match (request.path.as_str(), request.query("slug")) {
        ("/v1/cryptocurrency/map", _) => json(
            200,
            r#"{"data":[{"id":7,"rank":7,"name":"New","symbol":"NEWC","slug":"newcoin"}],"status":{"error_code":0}}"#,
        ),
        ("/v3/cryptocurrency/quotes/latest", "newcoin") => json(
            200,
            r#"{"data":[{"id":7,"name":"New","symbol":"NEWC","slug":"newcoin",
            "quote":[{"symbol":"USD","price":1.5,"market_cap":1000000}]}],"status":{"error_code":0}}"#,
        ),
        _ => response,
    });
    let requests = || cmc.paths().iter().filter(|path| path.ends_with("/map")).count();
    let before = requests();
    shell.run("--live pairs newcoin").fails(1, "unknown coin newcoin");
    assert_eq!(requests(), before, "new names are complete");
    let file = shell.home.path().join(".cache/satscope/coin-names-coinmarketcap.json");
    let mut saved: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    saved["at"] = UtcTime::now().minus(Duration::from_hours(2)).to_string().into();
    std::fs::write(&file, saved.to_string()).unwrap();
    shell.run("--live pairs newcoin").fails(1, "NEWC");
    assert_eq!(requests(), before + 1);
}

#[test]
fn chart_by_symbol_costs_few_requests() {
    let now = UtcTime::now().secs();
    let (cmc, gecko, paprika) = (world::coinmarketcap(), world::coingecko_at(now), world::coinpaprika());
    let (binance, okx, llama) = (world::binance(), world::okx(), world::defillama());
    let shell = Shell::new();
    let fakes = [
        ("coinmarketcap", &cmc),
        ("coingecko", &gecko),
        ("coinpaprika", &paprika),
        ("binance", &binance),
        ("okx", &okx),
        ("defillama", &llama),
    ];
    configure(shell.home.path(), &fakes);
    let requests = || -> Vec<String> {
        fakes.iter().flat_map(|(_, fake)| fake.requests().into_iter().map(|request| request.line())).collect()
    };
    shell.run("--live chart o7 --period 7D").ok();
    assert!(requests().len() <= 8, "{:#?}", requests());
    // Names, ids and listings are known for the next one, which requests the chart, and whether it is an id of CoinGecko.
    let before = requests().len();
    shell.run("--live chart o7 --period 7D").ok();
    assert!(requests().len() <= before + 2, "{:#?}", requests());
}

#[test]
fn coin_that_only_the_next_provider_lists_is_found() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let trac = r#"[{"id":"trac","symbol":"trc","name":"TRAC (Ordinals)","current_price":0.41,"market_cap":8600000}]"#;
    gecko.edit(move |request, response| match (request.path.as_str(), request.query("ids")) {
        ("/coins/list", _) | ("/coins/markets", "trac") => json(200, trac),
        _ => response,
    });
    let shell = Shell::new();
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko)]);
    let watched = shell.run("--live watchlist add trac").ok().json();
    let rows = watched["data"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["slug"] == "trac" && row["symbol"] == "TRC"), "{watched}");
    for name in ["trac", "TRC"] {
        let run = shell.run(&format!("--live wallet add 5 {name}"));
        assert_eq!(run.status, 0, "{name}: {}", run.stderr);
    }
    let lists = |fake: &Fake, path: &str| fake.paths().iter().filter(|own| own.ends_with(path)).count();
    assert_eq!((lists(&cmc, "/map"), lists(&gecko, "/coins/list")), (1, 1), "the names are requested once a day");
    // Nobody lists it any more.
    gecko.edit(|request, response| match request.query("ids") {
        "trac" => json(200, "[]"),
        _ => response,
    });
    for name in ["trac", "TRC"] {
        let run = shell.run(&format!("--live wallet add 5 {name}"));
        assert_eq!(run.status, 0, "{name}: {}", run.stderr);
    }
    shell.run("--live wallet add 5 trc2").fails(1, "unknown coin trc2");
}

#[test]
fn unknown_coin_names_the_provider_whose_names_are_missing() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    gecko.edit(|request, response| if request.path == "/coins/list" { json(503, "") } else { response });
    let shell = Shell::new();
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko)]);
    let reason = "unknown coin trc; some coin names are missing: CoinGecko: server error (503)";
    shell.run("--live wallet add 5 trc").fails(1, reason);
}
