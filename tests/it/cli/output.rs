//! Output of commands: documented JSON and CSV fields, and tables.

use std::collections::HashMap;
use std::io::Read as _;

use portable_pty::{Child, MasterPty};
use serde_json::Value;

use super::server::{Server, Shell};
use super::world;

/// The documented fields of each type, in order. `[…]` is a list, `{…}` a list of objects.
const CONTRACT: &str = "
coin: id, rank, name, symbol, slug, tags[], convert, price, change_1h_pct, change_24h_pct, change_7d_pct, high_24h, low_24h, all_time_high, all_time_low, volume_24h, market_cap, circulating_supply, total_supply, max_supply, links[{kind,url}], contracts[{platform,address}], sparkline_7d[number], updated_at
post: id, author, network, text, likes, comments, reposts, posted_at, url, symbols[], language, sensitive
market pair: exchange, pair, base, quote, category, price, volume_24h, volume_share_pct, depth_plus_2pct, depth_minus_2pct, outlier, updated_at
chart: slug, period, convert, points[{time,price,volume,market_cap}]
market series: id, name, symbol, slug, convert, interval, points[{time,price,volume,market_cap}]
brc20 token: ticker, inscription_id, inscription_number, deployer, deployed_at, block_height, tx_id, max_supply, minted_supply, mint_limit, decimals, self_mint, tx_count, holders
holder: address, balance
balance: ticker, available, transferable, overall
activity: operation, ticker, amount, from, to, address, block_height, block_hash, tx_id, inscription_id, location, time, max_supply, mint_limit, decimals
sat: number, name, decimal, degree, percentile, rarity, block_height, cycle, epoch, period, offset, charms[], inscription_id, disagreements[{field,indexer,computed}]
inscription: id, number, address, genesis_address, genesis_block_height, genesis_time, genesis_fee, tx_id, location, output, value, offset, sat, rarity, content_type, content_length, curse_type, recursive, parents[], charms[], time
inscription stats: block_height, block_hash, inscriptions, inscriptions_total, time
";

/// The fields of a type, each with the fields of its items; `None` if it is not a list.
fn contract(kind: &str) -> Vec<(String, Option<String>)> {
    let line = CONTRACT.lines().find_map(|line| line.strip_prefix(kind)?.strip_prefix(": ")).unwrap();
    line.split(", ")
        .map(|field| match field.split_once('[') {
            Some((name, rest)) => (name.to_owned(), Some(rest.trim_end_matches(']').to_owned())),
            None => (field.to_owned(), None),
        })
        .collect()
}

/// The keys of the first JSON object that `text` begins with, in their order.
fn keys_in_order(object: &Value, text: &str) -> Vec<String> {
    let keys = object.as_object().unwrap().keys();
    let mut keys: Vec<_> = keys.map(|key| (text.find(&format!("\"{key}\":")).unwrap(), key.clone())).collect();
    keys.sort();
    keys.into_iter().map(|(_, key)| key).collect()
}

fn is_time(value: &Value) -> bool {
    value.as_str().is_some_and(|time| time.parse::<jiff::Timestamp>().is_ok() && time.ends_with('Z'))
}

#[test]
fn every_operation_prints_documented_json() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    for (kind, command, is_list) in world::OPERATIONS {
        let run = shell.run(command).ok();
        let whole = run.json();
        assert_eq!(
            keys_in_order(&whole, &run.stdout.replace(&whole["data"].to_string(), "")),
            ["data", "source", "simulated", "provider", "fetched_at", "warnings"]
        );
        assert!(whole["source"].as_str().unwrap().starts_with(&server.url), "{command}");
        assert_eq!((&whole["simulated"], &whole["provider"]), (&Value::Bool(false), &Value::Null), "{command}");
        assert!(is_time(&whole["fetched_at"]), "{command}");
        assert_eq!(whole["warnings"], serde_json::json!([]), "{command}");
        let item = if is_list { &whole["data"][0] } else { &whole["data"] };
        let fields = contract(kind);
        let names: Vec<_> = fields.iter().map(|(name, _)| name.clone()).collect();
        let mut keys: Vec<_> = item.as_object().expect(command).keys().cloned().collect();
        let mut sorted = names.clone();
        keys.sort();
        sorted.sort();
        assert_eq!(keys, sorted, "{command}");
        let start = run.stdout.find(&format!("\"{}\":", names[0])).unwrap();
        let places: Vec<_> = names.iter().map(|name| run.stdout[start..].find(&format!("\"{name}\":"))).collect();
        assert!(places.is_sorted(), "{command}: the order of fields");
        for (name, list) in fields {
            match list {
                None => assert!(!item[&name].is_array() && !item[&name].is_object(), "{command}: {name}"),
                Some(inner) => {
                    let items = item[&name].as_array().unwrap_or_else(|| panic!("{command}: {name} is no list"));
                    let inner = inner.trim_matches(['{', '}']);
                    for object in items.iter().filter_map(Value::as_object) {
                        assert_eq!(object.keys().len(), inner.split(',').count(), "{command}: {name}");
                        assert!(inner.split(',').all(|key| object.contains_key(key)), "{command}: {name}");
                    }
                }
            }
        }
    }
}

#[test]
fn json_values_have_documented_types() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    let data = |command: &str| shell.run(command).ok().json()["data"].clone();
    let coin = &data("coins --limit 1")[0];
    assert_eq!((coin["price"].as_f64(), coin["change_24h_pct"].as_f64()), (Some(8.4127), Some(-3.8)));
    assert!(coin["max_supply"].is_null() && is_time(&coin["updated_at"]));
    assert_eq!(coin["convert"], "USD");
    let token = data("brc20 token ordi");
    assert_eq!((token["max_supply"].as_str(), token["holders"].as_u64()), (Some("21000000"), Some(23411)));
    assert_eq!(token["minted_supply"], "20999999.000000000000000001");
    assert_eq!(data("brc20 holders ordi")[0]["balance"], "0.000000000000000001");
    assert_eq!(data("brc20 balances bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8")[0]["overall"], "18446744073709551615");
    assert_eq!(data("inscription -7")["value"].as_u64(), Some(546));
    assert_eq!(data("chart ordi")["points"].as_array().unwrap().len(), 2);
    let sat = data("sat ahehcbywzae");
    assert_eq!(sat["number"].as_u64(), Some(1_914_287_520_444_193));
    assert_eq!(
        sat["disagreements"],
        serde_json::json!([{"field": "rarity", "indexer": "legendary", "computed": "common"}])
    );
}

#[test]
fn unknown_pair_is_null_in_json_and_empty_in_csv() {
    let body = r#"{"data":{"market_pairs":[{"exchange":{"name":"X"},"quote":{"USD":{"price":8.41}}}]}}"#;
    let server = Server::start(|target| {
        let is_of_pairs = target.starts_with("/exchanges");
        if is_of_pairs { (200, body.to_owned()) } else { world::response(target) }
    });
    let shell = Shell::on(&server);
    let pair = &shell.run("pairs ORDI").ok().json()["data"][0];
    assert_eq!((&pair["exchange"], &pair["pair"]), (&Value::from("X"), &Value::Null));
    assert!(shell.run("pairs ORDI --format csv").ok().stdout.contains("\nX,,"));
}

#[test]
fn narrow_table_drops_a_column_without_values_first() {
    let server = Server::start(|_| {
        let quote = serde_json::json!({"USD": {"price": 8.41, "volume_24h": 12e6}});
        let pair = serde_json::json!({"exchange": {"name": "Binance"}, "market_pair": "ORDI/USDT", "quote": quote});
        (200, serde_json::json!({"data": {"market_pairs": [pair]}}).to_string())
    });
    let table = on_terminal(&Shell::on(&server), 50, "pairs ORDI --format table", true);
    let titles: Vec<&str> =
        table.lines().next().unwrap().split("  ").map(str::trim).filter(|title| !title.is_empty()).collect();
    assert_eq!(titles, ["Exchange", "Pair", "Price (USD)", "Volume 24h"], "{table}");
    // Columns without values are not missed.
    assert!(!table.contains("hidden"), "{table}");
}

#[test]
fn outliers_are_the_last_pairs() {
    let pair = |exchange: &str, volume: f64, outlier: u8| {
        serde_json::json!({"exchange": {"name": exchange}, "market_pair": "ORDI/USDT", "outlier_detected": outlier,
            "quote": {"USD": {"price": 8.41, "volume_24h": volume}}})
    };
    let pairs = [pair("Far", 9e9, 1), pair("Binance", 12e6, 0), pair("Farther", 8e6, 1), pair("OKX", 3e6, 0)];
    let body = serde_json::json!({"data": {"market_pairs": pairs}}).to_string();
    let server =
        Server::start(
            move |target| {
                if target.starts_with("/exchanges") { (200, body.clone()) } else { world::response(target) }
            },
        );
    let shell = Shell::on(&server);
    for (command, expected) in
        [("pairs ORDI", &["Binance", "OKX", "Far", "Farther"][..]), ("pairs ORDI --limit 2", &["Binance", "OKX"][..])]
    {
        let pairs = shell.run(command).ok().json();
        let exchanges: Vec<_> = pairs["data"].as_array().unwrap().iter().map(|pair| &pair["exchange"]).collect();
        assert_eq!(exchanges, expected, "{command}");
    }
}

#[test]
fn csv_has_header_fixed_columns_and_no_formulas() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    for (kind, command, _) in world::OPERATIONS {
        let run = shell.run(&format!("{command} --format csv")).ok();
        let mut reader = csv::Reader::from_reader(run.stdout.as_bytes());
        let header: Vec<_> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        // A series is printed flat, one line per point.
        let points = "time price volume market_cap".split(' ').map(str::to_owned).collect::<Vec<_>>();
        let expected: Vec<_> = contract(kind)
            .into_iter()
            .flat_map(|(name, _)| if name == "points" { points.clone() } else { vec![name] })
            .collect();
        assert_eq!(header, expected, "{command}");
        let rows: Vec<HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
        assert!(!rows.is_empty(), "{command}");
        for (name, cell) in rows.iter().flatten() {
            let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err();
            assert!(!formula, "{command}: {name}: {cell}");
        }
        match command {
            "coins --limit 1" => {
                assert_eq!(rows[0]["name"], "ORDI, the first");
                assert_eq!(rows[0]["tags"], "brc-20;bitcoin-ecosystem");
                assert_eq!(rows[0]["change_24h_pct"], "-3.8");
                assert_eq!(rows[0]["max_supply"], "");
                assert_eq!(rows[0]["links"], "website https://ordi.example/;chat https://t.example/ordi");
            }
            "posts ORDI" => {
                assert_eq!(rows[0]["author"], "'=cmd|calc");
                assert_eq!(rows[0]["text"], "one\ntwo, \"three\"");
                assert_eq!(rows[0]["symbols"], "ORDI;BTC");
            }
            "brc20 balances bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8" => assert_eq!(rows[0]["ticker"], "'-1+2"),
            "inscription -7" => assert_eq!(rows[0]["number"], "-7"),
            "chart ordi --period 1d" => assert_eq!((rows.len(), rows[1]["price"].as_str()), (2, "8.5")),
            _ => {}
        }
    }
}

#[test]
fn tables_in_a_pipe_have_no_colour() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    for (_, command, is_list) in world::OPERATIONS {
        let run = shell.run(&format!("{command} --format TABLE")).ok();
        assert!(!run.stdout.contains('\x1b'), "{command}");
        assert!(run.stdout.lines().count() >= 2, "{command}");
        assert!(run.stdout.lines().all(|line| line == line.trim_end()), "{command}");
        assert!(
            !is_list || run.stdout.trim_start().starts_with(|first: char| first.is_uppercase() || first == '#'),
            "{command}"
        );
    }
    let posts = shell.run("posts ORDI --format table").ok().stdout;
    assert!(posts.contains("one two, \"three\"") && posts.lines().count() == 2, "{posts}");
    for command in ["coins", "stats", "pairs ORDI", "chart ordi"] {
        let table = shell.run(&format!("{command} --format table")).ok().stdout;
        assert!(table.lines().next().unwrap().contains("Price (USD)"), "{table}");
    }
    let market = shell.run("market ORDI --convert EUR --format table").ok().stdout;
    assert!(market.lines().next().unwrap().contains("Price (EUR)"), "{market}");
    let inscription = shell.run("inscription -7 --format table").ok().stdout;
    for line in [
        "Sat            1,232,735,286,933,201",
        "Inscribed      2023-03-02 04:59 UTC",
        "Value (sats)   546",
        "Length         59 B",
    ] {
        assert!(inscription.lines().any(|shown| shown == line), "{line}\n{inscription}");
    }
    let holders = shell.run("brc20 holders ordi --format table").ok().stdout;
    assert!(holders.contains("0.000000000000000001"), "{holders}");
}

#[test]
fn candle_volumes_are_printed_as_the_service_sends_them() {
    let server = Server::start(|target| match target.split('?').next().unwrap() {
        "/chart" | "/market/data" => {
            let candle = r#"{"time":1795074900,"open":8.4,"high":8.5,"low":8.3,"close":8.41,"volume":12197.9}"#;
            (200, format!("[{candle}]"))
        }
        _ => (404, String::new()),
    });
    let shell = Shell::on(&server);
    for (command, points) in [("chart ordi", "/data/points"), ("market ORDI", "/data/0/points")] {
        let json = shell.run(&format!("{command} --format json")).ok().json();
        let point = &json.pointer(points).unwrap()[0];
        assert_eq!((point["price"].as_f64(), point["volume"].as_f64()), (Some(8.41), Some(12197.9)), "{command}");
        let csv = shell.run(&format!("{command} --format csv"));
        assert!(csv.stdout.contains(",8.41,12197.9,"), "{command}: {}", csv.stdout);
    }
}

#[test]
fn ascii_mode_changes_tables_and_cards_but_not_json_or_csv() {
    let server = Server::start(world::response);
    let plain = Shell::on(&server).with("LC_ALL", "C");
    let mut others = String::new();
    for (_, command, _) in world::OPERATIONS {
        let table = plain.run(&format!("{command} --format table")).ok().stdout;
        assert!(table.is_ascii() && table.lines().all(|line| line == line.trim_end()), "{command}: {table}");
        others += &plain.run(&format!("{command} --format csv")).ok().stdout;
        others += &plain.run(&format!("{command} --format json")).ok().stdout;
    }
    assert!(others.contains("0°122860′892″20444193‴"));
    let coins = plain.run("stats --format table").ok().stdout;
    assert!(coins.contains("-3.8%") && coins.contains("__.."), "{coins}");

    // Set by the configuration, on and off.
    for (setting, locale, ascii) in [("true", "en_US.UTF-8", true), ("false", "C", false)] {
        let shell = Shell::on(&server).with("LC_ALL", locale);
        std::fs::write(shell.home.path().join("a.toml"), format!("[display]\nascii = {setting}\n")).unwrap();
        let line = format!("coins --format table --config {}", shell.home.path().join("a.toml").display());
        assert_eq!(shell.run(&line).ok().stdout.is_ascii(), ascii, "{setting}");
    }
}

#[test]
fn ascii_mode_changes_lines_and_messages() {
    let server = Server::start(|_| (503, String::from("{}")));
    let failing = Shell::on(&server).with("LC_ALL", "C");
    let run = failing.run("--timeout 1 coins");
    assert!(run.status == 1 && run.stderr.contains("Coin list 1-200") && run.stderr.is_ascii(), "{}", run.stderr);
    let plain = Shell::new().with("LC_ALL", "C");
    assert_eq!(plain.run("--demo line {ordi}").ok().stdout, "-\n");
    plain.run("--demo line --refresh {ordi.24h}").ok();
    let line = plain.run("--demo line {ordi.24h}").ok().stdout;
    assert!(line.starts_with("DEMO ") && line.trim_end().ends_with('%') && line.is_ascii(), "{line}");
    let help = plain.run("alerts --help").ok().stdout;
    assert!(help.contains("  bc... receives ") && help.is_ascii(), "{help}");
    let usage = plain.run("coins --tag naïve");
    assert!(usage.status == 2 && usage.stderr.contains("'na?ve'"), "{}", usage.stderr);
    // Set by the configuration, on and off.
    for (setting, locale, expected) in [("true", "en_US.UTF-8", "-\n"), ("false", "C", "—\n")] {
        let shell = Shell::new().with("LC_ALL", locale);
        let file = shell.home.path().join("a.toml");
        std::fs::write(&file, format!("[display]\nascii = {setting}\n")).unwrap();
        let line = shell.run(&format!("--demo line {{ordi}} --config {}", file.display())).ok().stdout;
        assert_eq!(line, expected, "{setting}");
    }
}

/// A command on a terminal of this many columns, and the terminal.
pub(super) fn start_on_terminal(
    shell: &Shell,
    columns: u16,
    line: &str,
    no_color: bool,
) -> (Box<dyn Child + Send + Sync>, Box<dyn MasterPty + Send>) {
    let size = portable_pty::PtySize { rows: 24, cols: columns, pixel_width: 0, pixel_height: 0 };
    let pty = portable_pty::native_pty_system().openpty(size).unwrap();
    let plain = shell.command(line);
    let mut command = portable_pty::CommandBuilder::new(plain.get_program());
    command.env_clear();
    command.args(plain.get_args());
    for (name, value) in plain.get_envs() {
        command.env(name, value.unwrap());
    }
    if no_color {
        command.env("NO_COLOR", "1");
    }
    (pty.slave.spawn_command(command).unwrap(), pty.master)
}

/// Output of a command on a terminal of this many columns, including escape sequences.
pub(super) fn on_terminal(shell: &Shell, columns: u16, line: &str, no_color: bool) -> String {
    let (mut child, terminal) = start_on_terminal(shell, columns, line, no_color);
    let mut bytes = Vec::new();
    // On Linux, reading from a closed terminal is an error.
    let _ = terminal.try_clone_reader().unwrap().read_to_end(&mut bytes);
    assert!(child.wait().unwrap().success());
    String::from_utf8(bytes).unwrap().replace('\r', "")
}

#[test]
fn terminal_table_fits_and_gains_are_green() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    let colours = ["\x1b[32m", "\x1b[31m", "\x1b[39m", "\x1b[2m", "\x1b[22m"];
    for (_, command, is_list) in world::OPERATIONS {
        for columns in [40, 80, 120] {
            let shown = on_terminal(&shell, columns, &format!("{command} --format table"), false);
            let plain = colours.iter().fold(shown, |text, colour| text.replace(colour, ""));
            assert!(!plain.contains('\x1b'), "{command}: {plain}");
            // All fields of a single item are shown in full; the largest amounts need more than 40 columns.
            if is_list && !(columns == 40 && command.contains("balances")) {
                // The terminal wraps a message.
                let table = plain.lines().filter(|line| !line.starts_with("satscope: hidden columns: "));
                let widest = table.map(unicode_width::UnicodeWidthStr::width).max().unwrap();
                assert!(widest <= usize::from(columns), "{command} at {columns}: {plain}");
            }
        }
    }
    let shown = on_terminal(&shell, 80, "coins --limit 1", false);
    assert!(shown.contains("\x1b[32m+11.0%\x1b[39m") && shown.contains("\x1b[31m−3.8%\x1b[39m"), "{shown}");
    assert!(!on_terminal(&shell, 80, "coins --limit 1", true).contains('\x1b'));
}

#[test]
fn next_page_of_coins_starts_after_unreadable_rows() {
    let server = Server::start(|target| {
        let start: u32 = target.split("start=").nth(1).unwrap().split('&').next().unwrap().parse().unwrap();
        let row = |n| if n == 7 { String::from("7") } else { format!(r#"{{"id":{n},"name":"C{n}","symbol":"C{n}"}}"#) };
        let rows: Vec<_> = (start..=25.min(start + 9)).map(row).collect();
        (200, format!("[{}]", rows.join(",")))
    });
    let json = Shell::on(&server).run("coins --limit 30 --format json").ok().json();
    assert_eq!(json["data"].as_array().map(Vec::len), Some(24));
    let starts: Vec<_> =
        server.targets().iter().map(|target| target.split("start=").nth(1).unwrap().to_owned()).collect();
    assert_eq!(starts, ["1&limit=30", "11&limit=21", "21&limit=11", "26&limit=6"]);
}
