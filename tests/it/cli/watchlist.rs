//! `satscope watchlist` and `satscope config backup`.

use satscope::model::UtcTime;
use satscope::service::{Options, TimeSource, start};
use serde_json::Value;

use super::server::{Server, Shell};

fn slugs(whole: &Value) -> Vec<&str> {
    whole["data"].as_array().unwrap().iter().map(|coin| coin["slug"].as_str().unwrap_or("–")).collect()
}

#[test]
fn watchlist_has_prices_and_can_be_changed() {
    let shell = Shell::new();
    let whole = shell.run("--demo watchlist").ok().json();
    assert_eq!(slugs(&whole)[..2], ["bitcoin", "ordi"]);
    assert_eq!(whole["simulated"], true);
    for coin in whole["data"].as_array().unwrap() {
        let keys: Vec<&String> = coin.as_object().unwrap().keys().collect();
        assert_eq!(keys.len(), 6, "{keys:?}");
        assert!(coin["price"].is_number() && coin["change_24h_pct"].is_number() && coin["name"].is_string(), "{coin}");
    }
    let added = shell.run("--demo watchlist add tether Ethereum").ok().json();
    assert_eq!(slugs(&added), ["tether", "ethereum"]);
    let removed = shell.run("--demo watchlist remove bitcoin sats TETHER").ok().json();
    assert_eq!(slugs(&removed).len(), 3);
    assert_eq!(removed["data"][0]["name"], "Bitcoin", "it was looked up");
    let whole = shell.run("--demo watchlist list").ok().json();
    assert_eq!(slugs(&whole).first(), Some(&"ordi"));
    assert_eq!(slugs(&whole).last(), Some(&"ethereum"));
    assert!(!slugs(&whole).contains(&"tether") && !slugs(&whole).contains(&"bitcoin"), "{whole}");

    let twice = shell.run("--demo watchlist add solana Solana").ok().json();
    assert_eq!(slugs(&twice), ["solana"]);
    shell.run("--demo watchlist remove solana").ok();

    let csv = shell.run("--demo watchlist --format csv").ok().stdout;
    assert!(csv.starts_with("slug,id,symbol,name,price,change_24h_pct\nordi,"), "{csv}");
    let table = shell.run("--demo watchlist --format table").ok().stdout;
    assert!(table.contains("Symbol") && table.contains("Price") && table.contains("ETH"), "{table}");

    // A unique symbol, too; and an entry of which only the symbol is configured.
    assert_eq!(slugs(&shell.run("--demo watchlist add SOL").ok().json()), ["solana"]);
    assert_eq!(slugs(&shell.run("--demo watchlist remove sol").ok().json()), ["solana"]);
    let ordi = shell.run("--demo watchlist remove ordi").ok().json()["data"][0].clone();
    assert!(ordi["slug"] == "ordi" && ordi["id"].is_string() && ordi["name"] == "ORDI", "{ordi}");
}

#[test]
fn unknown_slugs_change_nothing() {
    let shell = Shell::new();
    shell.run("--demo watchlist add tether no-such-coin").fails(1, "unknown coin no-such-coin");
    shell.run("--demo watchlist remove bitcoin tether").fails(1, "tether is not on the watchlist");
    shell.run("watchlist add").fails(2, "<COIN>");
    assert_eq!(slugs(&shell.run("--demo watchlist").ok().json())[..2], ["bitcoin", "ordi"]);
}

#[test]
fn watchlist_is_printed_without_prices_if_the_service_fails() {
    let server = Server::start(|_| (503, String::new()));
    let run = Shell::on(&server).run("watchlist --format json");
    assert_eq!(run.status, 1);
    let whole = run.json();
    assert_eq!(whole["data"][0]["symbol"], "BTC");
    assert!(whole["data"][0]["price"].is_null() && run.stderr.contains("503"), "{whole} {}", run.stderr);
}

#[test]
fn shared_symbol_has_no_price() {
    let server = Server::start(|_| {
        let series = |id: u32, slug: &str| {
            format!(
                r#"{{"id":{id},"name":"{slug}","symbol":"BTC","slug":"{slug}",
                    "quotes":[{{"timestamp":"2026-11-19T08:00:00Z","quote":{{"USD":{{"price":{id}}}}}}}]}}"#
            )
        };
        (200, format!(r#"{{"data":[{},{}]}}"#, series(1, "bitcoin"), series(2, "batcoin")))
    });
    let whole = Shell::on(&server).run("watchlist").json();
    assert!(whole["data"][0]["price"].is_null() && whole["data"][0]["slug"].is_null(), "{whole}");
    let warnings = whole["warnings"].to_string();
    assert!(warnings.contains("2 coins use BTC; run"), "{warnings}");
}

#[test]
fn backup_copies_the_user_data_once() {
    let shell = Shell::new();
    shell.run("config backup copy.db").fails(1, "no saved data yet");
    shell.run("--demo watchlist add tether").ok();
    let copy = shell.home.path().join("copy.db");
    let command = format!("config backup {}", copy.display());
    let run = shell.run(&command);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    assert_eq!(run.stderr, format!("satscope: user data backed up to {}\n", copy.display()));
    shell.run(&command).fails(1, "already exists; not overwritten");
    let elsewhere = Shell::new();
    let state = elsewhere.home.path().join(".local/state/satscope");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::copy(&copy, state.join("satscope.db")).unwrap();
    assert_eq!(slugs(&elsewhere.run("--demo watchlist").ok().json()).last(), Some(&"tether"));
}

#[test]
fn watchlist_has_24h_change_at_any_minute() {
    let shell = Shell::new();
    for minute in [0, 1, 29, 31, 59] {
        let time = TimeSource::fixed(UtcTime::from_secs(1_795_075_200 + minute * 60));
        let service = start(Options { time, ..Options::default() }).unwrap();
        let whole = shell.run(&format!("--base-url {} watchlist", service.url())).json();
        assert!(whole["data"][0]["change_24h_pct"].is_number(), "minute {minute}: {whole}");
    }
}

/// A service at a fixed time, and a shell with its URL.
fn shell_on_fixed_world() -> (satscope::service::Running, Shell) {
    let time = TimeSource::fixed(UtcTime::from_secs(1_795_075_200 + 17 * 60));
    let service = start(Options { time, ..Options::default() }).unwrap();
    let shell = Shell::new().with("SATSCOPE_BASE_URL", &service.url()).with("SATSCOPE_INDEXER_URL", &service.url());
    (service, shell)
}

#[test]
fn watchlist_has_the_prices_and_changes_of_the_coin_list() {
    let (_service, shell) = shell_on_fixed_world();
    shell.run("watchlist add tether ethereum sats-ordinals");
    let listed = shell.run("coins --limit 1000").json();
    let whole = shell.run("watchlist").json();
    let rows = whole["data"].as_array().unwrap();
    assert!(rows.len() > 4, "{whole}");
    for row in rows {
        let coins = listed["data"].as_array().unwrap();
        let coin = coins.iter().find(|coin| coin["slug"] == row["slug"]).unwrap();
        for field in ["price", "change_24h_pct", "name", "id"] {
            assert_eq!(row[field], coin[field], "{}: {field}", row["slug"]);
        }
    }
}

#[test]
fn missing_change_is_computed_from_the_series() {
    let server = Server::start(|target| {
        let body = match target.split('?').next().unwrap() {
            "/market/data" => {
                r#"{"data":[{"id":7,"name":"Old","symbol":"OLD","slug":"old","quotes":[
                {"timestamp":"2026-11-18T08:00:00Z","quote":{"USD":{"price":2}}},
                {"timestamp":"2026-11-19T08:00:00Z","quote":{"USD":{"price":3}}}]}]}"#
            }
            _ => {
                r#"{"data":[{"id":7,"name":"Old","symbol":"OLD","slug":"old","cmc_rank":1,
                "quote":{"USD":{"price":3.1}}}]}"#
            }
        };
        (200, body.to_owned())
    });
    let shell = Shell::on(&server);
    shell.run("watchlist add old").ok();
    let whole = shell.run("watchlist").json();
    let row = whole["data"].as_array().unwrap().iter().find(|row| row["slug"] == "old").unwrap();
    assert_eq!((row["price"].as_f64(), row["change_24h_pct"].as_f64()), (Some(3.1), Some(50.0)), "{whole}");
}

#[test]
fn missing_price_has_the_warning_of_its_series() {
    let server = Server::start(|target| {
        let body = match target.split('?').next().unwrap() {
            "/market/data" => {
                r#"{"data":[{"id":7,"name":"Old","symbol":"BTC","slug":"old","quotes":[
                {"timestamp":"2026-11-19T08:00:00Z","quote":{"USD":{"price":3}}}]},
                {"id":8,"name":"Odd","symbol":"ORDI","slug":"odd","quotes":[
                {"timestamp":"2026-11-19T08:00:00Z","quote":{"USD":{"price":"unknown"}}}]}]}"#
            }
            _ => {
                r#"{"data":[{"id":7,"name":"Old","symbol":"BTC","slug":"old","cmc_rank":1,
                "quote":{"USD":{"price":3.1,"percent_change_24h":1}}}]}"#
            }
        };
        (200, body.to_owned())
    });
    let whole = Shell::on(&server).run("watchlist").json();
    let prices: Vec<Option<f64>> = (0..2).map(|row| whole["data"][row]["price"].as_f64()).collect();
    assert_eq!(prices, [Some(3.1), None], "{whole}");
    let warnings = whole["warnings"].to_string();
    assert!(warnings.contains("unknown"), "{warnings}");
}

#[test]
fn long_watchlist_is_priced_in_several_requests() {
    let names: Vec<_> = (0..450).map(|n| format!("C{n}")).collect();
    let shell = Shell::new();
    let directory = shell.home.path().join(".config/satscope");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("config.toml"), format!("[wallet]\nsymbols = {names:?}\n")).unwrap();
    for command in ["watchlist", &format!("market {}", names.join(" "))] {
        let server = Server::start(|target| {
            let list = target.split(['?', '&']).find_map(|pair| pair.strip_prefix("symbol=")).unwrap();
            let series = |symbol: &str| {
                format!(
                    r#"{{"name":"{symbol}","symbol":"{symbol}","quotes":[
                        {{"timestamp":"2026-11-19T08:00:00Z","quote":{{"USD":{{"price":7.5}}}}}}]}}"#
                )
            };
            (200, format!(r#"{{"data":[{}]}}"#, list.split(',').map(series).collect::<Vec<_>>().join(",")))
        });
        let whole = shell.run(&format!("--base-url {} {command}", server.url)).ok().json();
        assert_eq!((whole["data"].as_array().unwrap().len(), server.targets().len()), (450, 3), "{command}");
        assert_eq!(whole["warnings"], serde_json::json!([]), "{command}");
    }
}

#[test]
fn coin_named_by_slug_and_symbol_is_removed_once() {
    let shell = Shell::new();
    shell.run("--demo watchlist add solana").ok();
    let removed = shell.run("--demo watchlist remove solana SOL").ok().json();
    assert_eq!(removed["data"].as_array().map(Vec::len), Some(1), "{removed}");
}

/// A list of two coins with their price, whose symbols the configured watchlist has.
fn two_coins() -> String {
    let coin = |id: u32, symbol: &str, price: f64| {
        format!(
            r#"{{"id":{id},"name":"Coin {id}","symbol":"{symbol}","slug":"coin-{id}","cmc_rank":{id},
                "quote":{{"USD":{{"price":{price},"percent_change_24h":1.5}}}}}}"#
        )
    };
    format!(r#"{{"data":[{},{}]}}"#, coin(1, "BTC", 61_000.5), coin(2, "ORDI", 8.25))
}

#[test]
fn configured_symbols_are_found_in_the_list_if_there_are_no_series() {
    for has_ordi in [false, true] {
        let server = Server::start(move |target| match target.split('?').next().unwrap() {
            "/market/data" if has_ordi => {
                let ordi = r#"{"data":[{"id":2,"name":"Coin 2","symbol":"ORDI","slug":"coin-2","quotes":[
                    {"timestamp":"2026-11-19T08:00:00Z","quote":{"USD":{"price":8}}}]}]}"#;
                (200, ordi.to_owned())
            }
            "/coins" => (200, two_coins()),
            _ => (404, String::new()),
        });
        let whole = Shell::on(&server).run("watchlist").ok().json();
        let prices: Vec<Option<f64>> = (0..2).map(|row| whole["data"][row]["price"].as_f64()).collect();
        assert_eq!(prices, [Some(61_000.5), Some(8.25)], "{whole}");
        assert_eq!(
            (&slugs(&whole)[..2], whole["data"][0]["change_24h_pct"].as_f64()),
            (&["coin-1", "coin-2"][..], Some(1.5))
        );
        let warnings = whole["warnings"].to_string();
        assert!(warnings.contains("no data for RATS") && !warnings.contains("no data for BTC"), "{warnings}");
    }
}

#[test]
fn symbol_of_several_listed_coins_has_no_price() {
    let server = Server::start(|target| match target.split('?').next().unwrap() {
        "/coins" => (200, two_coins().replace("ORDI", "BTC")),
        _ => (404, String::new()),
    });
    let whole = Shell::on(&server).run("watchlist").json();
    assert!(whole["data"][0]["price"].is_null() && whole["data"][0]["slug"].is_null(), "{whole}");
}

#[test]
fn price_in_another_currency_is_not_printed() {
    let server = Server::start(|target| match target.split('?').next().unwrap() {
        "/market/data" => {
            let body = r#"{"data":[{"id":1,"name":"Bitcoin","symbol":"BTC","slug":"bitcoin","quotes":[
                {"timestamp":"2026-11-18T08:00:00Z","quote":{"USD":{"price":60000}}},
                {"timestamp":"2026-11-19T08:00:00Z","quote":{"USD":{"price":61000}}}]}]}"#;
            (200, body.to_owned())
        }
        _ => (404, String::new()),
    });
    let whole = Shell::on(&server).run("watchlist --convert EUR").json();
    let bitcoin = &whole["data"][0];
    assert!(bitcoin["price"].is_null() && bitcoin["change_24h_pct"].is_null(), "{whole}");
    assert_eq!(bitcoin["slug"], "bitcoin");
    assert!(whole["warnings"].to_string().contains("USD instead of EUR"), "{whole}");
    let whole = Shell::on(&server).run("watchlist").json();
    assert_eq!(whole["data"][0]["price"].as_f64(), Some(61_000.0), "{whole}");
}
