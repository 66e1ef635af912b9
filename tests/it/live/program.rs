//! The program itself with `--live`.

use satscope::model::UtcTime;
use serde_json::Value;

use super::fake::{Fake, html, json};
use super::{configure, indexer_fakes, world};
use crate::cli::server::Shell;
use crate::support::session::Session;

#[test]
fn commands_name_the_provider_and_are_not_simulated() {
    // The program's clock is the real one.
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko_at(UtcTime::now().secs()));
    for fake in [&cmc, &gecko] {
        fake.edit(|_, response| world::updated_now(response));
    }
    let shell = Shell::new();
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko)]);
    for (command, provider) in [
        ("coins --limit 3", "coinmarketcap"),
        ("coins --tag brc-20 --limit 3", "coingecko"),
        ("stats", "coingecko"),
        ("pairs ORDI", "coingecko"),
        ("chart ordi --period 1D", "coingecko"),
    ] {
        let run = shell.run(&format!("--live {command}")).ok();
        let whole = run.json();
        assert_eq!(
            (&whole["provider"], &whole["simulated"]),
            (&Value::from(provider), &Value::from(false)),
            "{command}"
        );
        assert_eq!(
            (run.stderr.as_str(), whole["warnings"].as_array().map(Vec::len)),
            ("", Some(0)),
            "{command}: {whole}"
        );
    }
    let coins = shell.run("--live coins --limit 1").ok().json();
    assert_eq!(coins["data"][0]["name"], "Bitcoin");
    // The embedded service has ended.
    assert_eq!(coins["source"].as_str(), Some(cmc.url.as_str()));
}

#[test]
fn chart_of_an_exchange_prints_its_candles_as_json() {
    let now = UtcTime::now().secs() / 300 * 300;
    let binance = Fake::start(move |request| {
        let open = |n: i64| (now - (575 - n) * 300) * 1_000;
        let row = |n: i64| {
            format!(r#"[{},"8.3","8.5","8.2","8.41","10",{},"84.1",7,"5","42","0"]"#, open(n), open(n) + 299_999)
        };
        match request.path.as_str() {
            "/api/v3/klines" => json(200, format!("[{}]", (0..576).map(row).collect::<Vec<_>>().join(","))),
            _ => json(404, ""),
        }
    });
    let shell = Shell::new();
    configure(shell.home.path(), &[("binance", &binance)]);
    let whole = shell.run("--live chart ordi --period 1D").ok().json();
    let candles = &whole["data"]["candles"];
    assert_eq!((&candles["exchange"], &candles["interval"]), (&Value::from("binance"), &Value::from("5m")));
    let last = candles["items"].as_array().and_then(|items| items.last()).unwrap_or_else(|| panic!("{whole}"));
    let figures = ["open", "high", "low", "close", "volume"].map(|name| last[name].as_f64());
    assert_eq!(figures, [8.3, 8.5, 8.2, 8.41, 84.1].map(Some));
    assert_eq!(last["time"], UtcTime::from_secs(now).to_string());
    // CSV has a line for each point.
    let csv = shell.run("--live chart ordi --period 1D --format csv").ok();
    assert!(csv.stdout.starts_with("slug,period,convert,time,price,volume,market_cap\n"), "{}", csv.stdout);
    assert_eq!(csv.stdout.lines().count(), 289);
}

#[test]
fn slug_that_no_list_of_names_has_is_looked_up() {
    let cmc = world::coinmarketcap();
    let gecko = Fake::start(|request| {
        let rows = match request.query("ids") {
            "pizza-brc" => r#"[{"id":"pizza-brc","symbol":"pizza","name":"Pizza","current_price":2.5}]"#,
            _ => "[]",
        };
        json(200, rows)
    });
    let shell = Shell::new();
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko)]);
    shell.run("--live watchlist add pizza-brc").ok();
    let list = shell.run("--live watchlist list").ok().json();
    let rows = list["data"].as_array().unwrap();
    let added = rows.iter().find(|row| row["slug"] == "pizza-brc").unwrap_or_else(|| panic!("{list}"));
    assert_eq!((&added["id"], &added["price"]), (&Value::from("pizza-brc"), &Value::from(2.5)));
    shell.run("--live watchlist add no-such-coin").fails(1, "unknown coin no-such-coin");
}

#[test]
fn unknown_slug_costs_few_requests() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let shell = Shell::new();
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko)]);
    shell.run("--live chart no-such-coin").fails(1, "unknown coin no-such-coin");
    assert_eq!((cmc.paths().len(), gecko.paths().len()), (1, 1), "{:?} {:?}", cmc.paths(), gecko.paths());
    // The list, its names, and a lookup by id: it is not looked up as a symbol, too.
    shell.run("--live pairs no-such-coin").fails(1, "unknown coin no-such-coin");
    assert!(cmc.paths().len() <= 3 && gecko.paths().len() <= 3, "{:?} {:?}", cmc.paths(), gecko.paths());
    let before = cmc.paths().len();
    shell.run("--live pairs nosuchcoin").fails(1, "unknown coin nosuchcoin");
    assert_eq!(cmc.paths().len(), before, "the names are known for a day");
    // It may be a symbol.
    shell.run("--live chart nosuch").fails(1, "unknown coin nosuch");
    assert!(gecko.paths().len() <= 6 && cmc.paths().len() <= 8, "{:?} {:?}", cmc.paths(), gecko.paths());
}

#[test]
fn known_coin_without_prices_is_not_called_misspelt() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko_at(UtcTime::now().secs()));
    let shell = Shell::new();
    let llama = Fake::start(|_| json(200, r#"{"coins":{}}"#));
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko), ("defillama", &llama)]);
    let requests = || cmc.paths().len() + gecko.paths().len() + llama.paths().len();
    // A built-in coin that no provider lists.
    for command in ["market RATS", "chart rats --period 7D"] {
        let before = requests();
        let run = shell.run(&format!("--live {command}"));
        assert_eq!(
            (run.status, run.stderr.contains("RATS is not listed by any provider")),
            (1, true),
            "{}",
            run.stderr
        );
        assert!(!run.stderr.contains("check"), "{}", run.stderr);
        assert!(requests() - before <= 4, "{:?} {:?} {:?}", cmc.paths(), gecko.paths(), llama.paths());
    }
    // A coin that is listed without them.
    gecko.edit(|request, response| {
        let is_chart = request.path.ends_with("/market_chart");
        if is_chart { json(404, r#"{"error":"no data"}"#) } else { response }
    });
    for command in ["market ORDI", "chart ordi --period 7D"] {
        let run = shell.run(&format!("--live {command}"));
        assert_eq!((run.status, run.stderr.contains(": No prices for ORDI (")), (1, true), "{}", run.stderr);
        assert!(!run.stderr.contains("check"), "{}", run.stderr);
    }
}

#[test]
fn provider_that_is_gone_is_not_queried_by_the_next_command() {
    let (cmc, gecko) = (world::coinmarketcap(), Fake::start(|_| json(410, r#"{"error":"Gone"}"#)));
    let shell = Shell::new();
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko)]);
    let gone = "service no longer exists at this address (410): set providers.coingecko.base_url";
    for _ in 0..2 {
        shell.run("--live pairs ORDI").fails(1, gone);
    }
    assert_eq!(gecko.paths().len(), 1);
    let sources = shell.run("--live sources --format json").ok().json();
    let rows = sources["data"].as_array().unwrap();
    let listed = rows.iter().find(|row| row["name"] == "coingecko").unwrap();
    assert_eq!(listed["state"], "off", "{listed}");
    assert!(listed["missing"].as_str().unwrap().to_lowercase().contains(gone), "{listed}");
}

#[test]
fn unavailable_live_operation_names_required_provider() {
    let gecko = world::coingecko();
    let shell = Shell::new();
    configure(shell.home.path(), &[("coingecko", &gecko)]);
    for (command, sentence) in [
        ("inscription-stats", "Inscription statistics need your own indexer: set indexer_url"),
        ("brc20 tokens", "BRC-20 needs an indexer: enable UniSat (satscope sources enable unisat)"),
        ("posts ORDI", "Posts need a provider: enable Bluesky or Mastodon (satscope sources enable bluesky)"),
        (
            "coins --convert EUR",
            "Other currencies need a provider: enable Frankfurter or the ECB (satscope sources enable frankfurter)",
        ),
    ] {
        let run = shell.run(&format!("--live {command}"));
        run.fails(1, sentence);
        assert!(run.stderr.trim_end().ends_with(sentence), "{}", run.stderr);
    }
}

#[test]
fn demo_and_live_conflict() {
    let shell = Shell::new();
    shell.run("--demo --live coins").fails(2, "--demo can't be used with --live");
    // A flag overrides the file.
    let file = shell.home.path().join(".config/satscope/config.toml");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, "[source]\nlive = true\n").unwrap();
    let coins = shell.run("--demo coins --limit 1").ok().json();
    assert_eq!((&coins["simulated"], &coins["provider"]), (&Value::from(true), &Value::Null));
}

#[test]
fn dashboard_shows_live_coins_and_label() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let home = tempfile::tempdir().unwrap();
    configure(home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko)]);
    let mut session = Session::dashboard_in(home.path(), (120, 35), &["--live"]);
    session.until_text("Bitcoin");
    let screen = session.text();
    assert!(screen.contains("LIVE") && !screen.contains("DEMO"), "{screen}");
    session.press("2");
    session.until_text("SATS");
    // The list has the market caps of the built-in coins, which are otherwise requested for the first screen.
    let paths = gecko.paths();
    assert!(paths == ["/coins/markets"] || paths == ["/coins/markets"; 2], "{paths:?}");
    session.press("q");
    session.wait();
}

#[test]
fn access_denied_by_provider_is_one_sentence() {
    let gecko = world::coingecko();
    gecko.respond_with(html(403));
    let shell = Shell::new();
    configure(shell.home.path(), &[("coingecko", &gecko)]);
    shell.run("--live coins").fails(1, "CoinGecko: access denied (403)");
    assert_eq!(gecko.paths().len(), 1, "a refusal is not request about again");
}

#[test]
fn sources_are_changed_without_a_restart_here_and_by_commands() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let shell = Shell::new();
    let home = shell.home.path();
    configure(home, &[("coinmarketcap", &cmc), ("coingecko", &gecko)]);
    let mut session = Session::dashboard_in(home, (120, 35), &["--live"]);
    session.until_text("Bitcoin");
    assert!(gecko.paths().is_empty());
    session.press("D");
    session.until_text("CoinMarketCap");
    session.press("t");
    session.until_text("Test passed in");
    session.press(" ");
    session.until_text("disabled (Space: enable)");
    session.press("\u{1b}");
    session.until_text("CoinGecko ·");
    assert!(!gecko.paths().is_empty(), "the list comes from the other provider at once");
    let requests = cmc.paths().len();

    let sources = shell.run("--live sources").ok().json();
    let state = |name: &str| {
        let rows = sources["data"].as_array().unwrap();
        rows.iter().find(|row| row["name"] == name).unwrap()["state"].clone()
    };
    assert_eq!((state("coinmarketcap"), state("coingecko")), (Value::from("unused"), Value::from("ready")));

    session.press("D");
    session.until_text("disabled (Space: enable)");
    shell.run("sources reset").ok();
    session.until("the change of the command", |screen| screen.contents().contains("● CoinMarketCap"));
    assert_eq!(cmc.paths().len(), requests, "nothing is requested from a provider that is not shown");
    session.press("qq");
    session.wait();
}

#[test]
fn dashboard_does_not_send_an_address_before_it_is_confirmed() {
    let (cmc, unisat) = (world::coinmarketcap(), indexer_fakes::UniSat::default().start());
    let home = tempfile::tempdir().unwrap();
    configure(home.path(), &[("coinmarketcap", &cmc), ("unisat", &unisat)]);
    let address = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";
    let sent = || unisat.paths().iter().filter(|path| path.contains(address)).count();
    let look_up = |session: &mut Session| {
        session.press("5");
        session.until_text("ordi");
        session.press(":");
        session.until_text("Find");
        session.press(&format!("{address}\r"));
    };
    let mut session = Session::dashboard_in(home.path(), (120, 35), &["--live"]);
    session.until_text("Bitcoin");
    look_up(&mut session);
    session.until_text("Addresses that you look up are sent to UniSat.");
    session.press("\u{1b}");
    session.until("the closed notice", |screen| !screen.contents().contains("are sent to UniSat"));
    assert_eq!(sent(), 0);
    look_up(&mut session);
    session.until_text("are sent to UniSat");
    assert_eq!(sent(), 0);
    session.press("\r");
    session.until_text("No BRC-20 balance");
    assert!(sent() > 0);
    session.press("q");
    session.wait();

    let mut again = Session::dashboard_in(home.path(), (120, 35), &["--live"]);
    again.until_text("Indexer");
    look_up(&mut again);
    again.until_text("No BRC-20 balance");
    assert!(!again.text().contains("are sent to"), "{}", again.text());
    again.press("q");
    again.wait();
}

#[test]
fn indexer_commands_name_their_provider() {
    let unisat = indexer_fakes::UniSat::default().start();
    let ordinals = indexer_fakes::ord(false, true);
    let shell = Shell::new();
    configure(shell.home.path(), &[("unisat", &unisat), ("ordinals", &ordinals)]);
    let sat = indexer_fakes::SAT;
    for (command, provider, path, expected) in [
        ("brc20 tokens --limit 2", "unisat", "/data/1/ticker", Value::from("sats")),
        ("brc20 token ordi", "unisat", "/data/ticker", Value::from("ordi")),
        ("brc20 holders ordi --limit 1", "unisat", "/data/1", Value::Null),
        (&format!("sat inscriptions {sat} --limit 1"), "ordinals", "/data/1", Value::Null),
    ] {
        let run = shell.run(&format!("--live {command}")).ok();
        let whole = run.json();
        assert_eq!(whole["provider"], provider, "{command}: {whole}");
        assert_eq!(whole["simulated"], false, "{command}");
        assert_eq!(whole.pointer(path).cloned().unwrap_or_default(), expected, "{command}: {whole}");
        assert!(whole["data"].as_array().is_none_or(|rows| !rows.is_empty()), "{command}: {whole}");
    }
    for command in ["brc20 token nowhere", "brc20 holders nowhere"] {
        let run = shell.run(&format!("--live {command}"));
        run.fails(1, "Not found (404): UniSat: error -1: get brc20 ");
    }
    unisat.respond_with(json(404, "{}"));
    shell.run("--live brc20 token none").fails(1, "Not found (404): not on UniSat; check the spelling");
}

#[test]
fn dashboard_goes_live_without_a_network_and_recovers() {
    let cmc = world::coinmarketcap();
    let home = tempfile::tempdir().unwrap();
    configure(home.path(), &[("coinmarketcap", &cmc)]);
    cmc.respond_with(html(503));
    let mut session = Session::dashboard_in(home.path(), (120, 35), &[]);
    session.until_text("DEMO");
    session.press("L");
    session.until_text("server error (503)");
    let screen = session.text();
    assert!(screen.contains("LIVE") && !screen.contains("DEMO") && screen.contains("CoinMarketCap"), "{screen}");
    cmc.respond_with(None);
    session.until_text("Bitcoin");
    session.until("the end of the failure", |screen| !screen.contents().contains("server error"));
    session.press("q");
    session.wait();
}

#[test]
fn links_and_contracts_are_requested_only_where_they_are_printed() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko());
    let shell = Shell::new();
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko)]);
    let requested = |command: &str| {
        let before = cmc.paths().len();
        // The prices are old by now, which is a warning.
        assert_eq!(shell.run(&format!("--live {command}")).status, 0, "{command}");
        cmc.paths().split_off(before).iter().any(|path| path == "/v2/cryptocurrency/info")
    };
    for (command, prints_details) in [
        ("coins --limit 3 --format table", false),
        ("coins --limit 3 --format csv", true),
        ("coins --limit 3 --format json", true),
        ("watchlist add other-500", false),
        ("watchlist list", false),
        ("notes add other-400 text", false),
        ("wallet add 1 other-300 @ 4", false),
    ] {
        assert_eq!(requested(command), prints_details, "{command}");
    }
}

#[test]
fn currency_without_rate_is_one_sentence() {
    let (gecko, frankfurter) = (world::coingecko(), world::frankfurter());
    frankfurter.respond_with(json(200, r#"[{"date":"2026-11-20","base":"USD","quote":"JPY","rate":157.42}]"#));
    let shell = Shell::new();
    configure(shell.home.path(), &[("coingecko", &gecko), ("frankfurter", &frankfurter)]);
    let sentence = "no exchange rate for EUR from Frankfurter (try USD or BTC)";
    shell.run("--live coins --convert EUR").fails(1, sentence);
}

#[test]
fn reason_for_no_chart_is_the_missing_match() {
    let now = UtcTime::now().secs();
    let (cmc, gecko, binance) = (world::coinmarketcap(), world::coingecko_at(now), world::binance());
    gecko.edit(|request, response| if request.path.ends_with("/coins/markets") { json(200, "[]") } else { response });
    let shell = Shell::new();
    configure(shell.home.path(), &[("coinmarketcap", &cmc), ("coingecko", &gecko), ("binance", &binance)]);
    shell
        .run("--live chart other-7 --period 7D")
        .fails(1, "No prices for O7 (CoinGecko has no unique match for Other 7)");
    // The coin and its tradable pairs are looked up, but not whether it is still listed.
    let paths = [cmc.paths(), gecko.paths(), binance.paths()].concat();
    assert!(paths.len() <= 3, "{paths:?}");
}

#[test]
fn bitcoin_that_was_not_requested_yet_has_a_warning() {
    let (cmc, gecko) = (world::coinmarketcap(), world::coingecko_at(UtcTime::now().secs()));
    let (unisat, mempool) = (indexer_fakes::UniSat::default().start(), Fake::start(|_| json(404, "")));
    let shell = Shell::new();
    let providers = [("coinmarketcap", &cmc), ("coingecko", &gecko), ("unisat", &unisat), ("mempool", &mempool)];
    configure(shell.home.path(), &providers);
    let holder = indexer_fakes::HOLDER;
    let add = || shell.run(&format!("--live wallet address add {holder}")).ok().json()["warnings"].clone();
    let is_warned = |warnings: &Value| {
        let sentence = "address balances not requested yet (run satscope wallet)";
        warnings.as_array().unwrap().iter().any(|warning| warning == sentence)
    };
    let requests_bitcoin = || mempool.paths().iter().any(|path| path.starts_with("/address/"));
    assert!(is_warned(&add()), "no address was sent yet");
    // It announces where the address is sent, but not that of the bitcoin balance.
    assert_eq!(shell.run(&format!("--live brc20 balances {holder}")).status, 0);
    let warnings = add();
    assert!(is_warned(&warnings) && !requests_bitcoin(), "{warnings}");
    shell.run("--live wallet");
    let warnings = add();
    assert!(!is_warned(&warnings) && requests_bitcoin(), "{warnings}");
}
