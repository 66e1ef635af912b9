//! The command line, by running the real binary against services on loopback.

pub(crate) mod server;
mod world;

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use serde_json::Value;
use server::{Server, Shell};

/// The contract: which fields each kind of data has, in order. `[…]` is a list, `{…}` of objects.
const CONTRACT: &str = "
coin: id, rank, name, symbol, slug, tags[], convert, price, change_1h_pct, change_24h_pct, change_7d_pct, high_24h, low_24h, all_time_high, all_time_low, volume_24h, market_cap, circulating_supply, total_supply, max_supply, links[{kind,url}], contracts[{platform,address}], sparkline_7d[number], updated_at
post: id, author, text, likes, comments, reposts, posted_at, url, symbols[], language
market pair: exchange, pair, base, quote, category, price, volume_24h, volume_share_pct, depth_plus_2pct, depth_minus_2pct, outlier, updated_at
chart: slug, period, convert, points[{time,price,volume,market_cap}]
market series: id, name, symbol, slug, convert, interval, points[{time,price,volume,market_cap}]
brc20 token: ticker, inscription_id, inscription_number, deployer, deployed_at, block_height, tx_id, max_supply, minted_supply, mint_limit, decimals, self_mint, tx_count, holders
holder: address, balance
balance: ticker, available, transferable, overall
activity: operation, ticker, amount, from, to, address, block_height, block_hash, tx_id, inscription_id, location, time, max_supply, mint_limit, decimals
sat: number, name, decimal, degree, percentile, rarity, block_height, cycle, epoch, period, offset, charms[], inscription_id, disagreements[{field,indexer,computed}]
inscription: id, number, address, genesis_address, genesis_block_height, genesis_time, genesis_fee, tx_id, location, output, value, offset, sat, rarity, content_type, content_length, curse_type, recursive, parents[], time
inscription stats: block_height, block_hash, inscriptions, inscriptions_total, time
";

/// A kind's fields, each with what a list of it holds: `None` for what is no list.
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
fn every_operation_prints_the_contracts_json() {
    let server = Server::start(world::answer);
    let shell = Shell::on(&server);
    for (kind, command, is_list) in world::OPERATIONS {
        let run = shell.run(command).ok();
        let whole = run.json();
        assert_eq!(
            keys_in_order(&whole, &run.stdout.replace(&whole["data"].to_string(), "")),
            ["data", "source", "fetched_at", "warnings"]
        );
        assert!(whole["source"].as_str().unwrap().starts_with(&server.url), "{command}");
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
fn values_are_of_the_kinds_that_the_contract_names() {
    let server = Server::start(world::answer);
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
    assert_eq!(data("brc20 balances bc1qto")[0]["overall"], "18446744073709551615");
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
fn csv_has_a_header_the_same_columns_and_no_formula() {
    let server = Server::start(world::answer);
    let shell = Shell::on(&server);
    for (kind, command, _) in world::OPERATIONS {
        let run = shell.run(&format!("{command} --format csv")).ok();
        let mut reader = csv::Reader::from_reader(run.stdout.as_bytes());
        let header: Vec<_> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        // A series is laid out flat, a line a point.
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
            "brc20 balances bc1qto" => assert_eq!(rows[0]["ticker"], "'-1+2"),
            "inscription -7" => assert_eq!(rows[0]["number"], "-7"),
            "chart ordi --period 1d" => assert_eq!((rows.len(), rows[1]["price"].as_str()), (2, "8.5")),
            _ => {}
        }
    }
}

#[test]
fn tables_are_lines_without_colour_in_a_pipe() {
    let server = Server::start(world::answer);
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
    let holders = shell.run("brc20 holders ordi --format table").ok().stdout;
    assert!(holders.contains("0.000000000000000001"), "{holders}");
}

/// What a terminal of this many columns shows of a command, with its escapes.
fn on_terminal(shell: &Shell, columns: u16, line: &str, no_color: bool) -> String {
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
    let mut child = pty.slave.spawn_command(command).unwrap();
    drop(pty.slave);
    let mut bytes = Vec::new();
    // On Linux the end of a terminal reads as an error.
    let _ = pty.master.try_clone_reader().unwrap().read_to_end(&mut bytes);
    assert!(child.wait().unwrap().success());
    String::from_utf8(bytes).unwrap().replace('\r', "")
}

#[test]
fn on_a_terminal_a_table_fits_and_gains_are_green() {
    let server = Server::start(world::answer);
    let shell = Shell::on(&server);
    let colours = ["\x1b[32m", "\x1b[31m", "\x1b[39m"];
    for (_, command, is_list) in world::OPERATIONS {
        for columns in [40, 80, 120] {
            let shown = on_terminal(&shell, columns, command, false);
            let plain = colours.iter().fold(shown, |text, colour| text.replace(colour, ""));
            assert!(!plain.contains('\x1b'), "{command}: {plain}");
            // Of one thing every field is shown whole; the largest amounts need more than 40 columns.
            if is_list && !(columns == 40 && command.contains("balances")) {
                let widest = plain.lines().map(unicode_width::UnicodeWidthStr::width).max().unwrap();
                assert!(widest <= usize::from(columns), "{command} at {columns}: {plain}");
            }
        }
    }
    let shown = on_terminal(&shell, 80, "coins --limit 1", false);
    assert!(shown.contains("\x1b[32m+11.0%\x1b[39m") && shown.contains("\x1b[31m−3.8%\x1b[39m"), "{shown}");
    assert!(!on_terminal(&shell, 80, "coins --limit 1", true).contains('\x1b'));
}

#[test]
fn requests_say_what_the_options_say() {
    let server = Server::start(world::answer);
    let shell = Shell::on(&server);
    for (command, target) in [
        ("coins --tag BRC-20 --start 5 --limit 1 --convert eur", "/coins?tag=brc-20&start=5&limit=1&convert=EUR"),
        ("posts $OG$ --type latest", "/content?post_type=latest&symbol=%24OG%24"),
        (
            "--convert EUR market ORDI BTC ORDI --count 2 --interval 1h",
            "/market/data?symbol=ORDI,BTC&convert=EUR&count=2&interval=1h",
        ),
        ("stats --tag bitcoin-ecosystem", "/coins/stats?tag=bitcoin-ecosystem"),
        ("brc20 holders 🔥 --offset 40 --limit 60", "/ordinals/brc-20/tokens/%F0%9F%94%A5/holders?offset=40&limit=60"),
        ("brc20 token -- -a/b", "/ordinals/brc-20/tokens/-a%2Fb"),
        ("sat 0.5", "/ordinals/sats/5"),
        ("sat inscriptions --limit 3 5", "/ordinals/sats/5/inscriptions?offset=0&limit=3"),
        ("sat --format json inscriptions 5", "/ordinals/sats/5/inscriptions?offset=0&limit=20"),
        ("inscription-stats --from-block 7", "/ordinals/stats/inscriptions?from_block_height=7"),
    ] {
        shell.run(command);
        let last = server.targets().pop().unwrap();
        assert!(last.starts_with(target), "{command}: {last}");
    }
}

/// A service of 250 coins that puts at most 40 on a page.
fn many_coins(target: &str) -> (u16, String) {
    let number = |name: &str| {
        let value = target.split(['?', '&']).find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        value.unwrap().parse::<u32>().unwrap()
    };
    let (start, limit) = (number("start"), number("limit"));
    let coins: Vec<_> = (start..=250)
        .take(limit.min(40) as usize)
        .map(|id| {
            format!(r#"{{"id":{id},"name":"C{id}","symbol":"C","slug":"c{id}","quote":{{"USD":{{"price":1}}}}}}"#)
        })
        .collect();
    (200, format!(r#"{{"data":[{}]}}"#, coins.join(",")))
}

#[test]
fn coins_come_from_as_many_pages_as_it_takes() {
    let server = Server::start(many_coins);
    let shell = Shell::on(&server);
    let ids = |command: &str| -> Vec<String> {
        let data = shell.run(command).ok().json()["data"].clone();
        data.as_array().unwrap().iter().map(|coin| coin["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("coins --limit 100"), (1..=100).map(|id| id.to_string()).collect::<Vec<_>>());
    assert_eq!(server.targets().len(), 3, "{:?}", server.targets());
    assert_eq!(ids("coins --start 201 --limit 4294967295").len(), 50, "until a page is empty");
    assert_eq!(ids("coins").len(), 200);
}

#[test]
fn pages_that_bring_nothing_new_or_are_refused_end_the_list() {
    // Whatever is asked, the same coin.
    let server = Server::start(world::answer);
    assert_eq!(Shell::on(&server).run("coins --limit 1000").ok().json()["data"].as_array().unwrap().len(), 1);
    assert_eq!(server.targets().len(), 2);

    // A service that takes a start behind the end for a mistake.
    let server = Server::start(|target| match target {
        first if first.contains("start=1&") => world::answer(first),
        _ => (400, String::from(r#"{"error":"start is out of range"}"#)),
    });
    let whole = Shell::on(&server).run("coins --limit 1000").ok().json();
    assert_eq!(whole["data"].as_array().unwrap().len(), 1);
    assert!(whole["warnings"][0].as_str().unwrap().contains("end of the list"), "{whole}");

    // A service that breaks down in between: what came is not the answer.
    let server = Server::start(|target| match target {
        first if first.contains("start=1&") => world::answer(first),
        _ => (500, String::new()),
    });
    Shell::on(&server).run("coins --limit 1000").fails(1, "500");
}

#[test]
fn a_sat_is_told_without_the_indexer_but_not_as_a_success() {
    let server = Server::start(|_| (503, String::new()));
    let run = Shell::on(&server).run("sat 5000000000 --format json");
    assert_eq!(run.status, 1);
    assert!(
        run.stderr.starts_with("satscope: sat 5000000000 from http://") && run.stderr.lines().count() == 1,
        "{}",
        run.stderr
    );
    let whole = run.json();
    assert_eq!((whole["data"]["decimal"].as_str(), whole["data"]["rarity"].as_str()), (Some("1.0"), Some("uncommon")));
    assert!(whole["data"]["inscription_id"].is_null());
    assert_eq!(whole["source"], format!("{}/ordinals/sats/5000000000", server.url));
    assert!(whole["warnings"][0].as_str().unwrap().contains("503"), "{whole}");

    // The others say it once.
    let run = Shell::on(&server).run("sat 5000000000 --format csv");
    assert_eq!((run.status, run.stdout.lines().count(), run.stderr.lines().count()), (1, 2, 1), "{}", run.stderr);
}

#[test]
fn the_embedded_service_answers_every_operation() {
    let shell = Shell::new();
    let first = |command: &str, field: &str| {
        let value = shell.run(command).ok().json()["data"][0][field].clone();
        value.as_str().map_or_else(|| value.to_string(), str::to_owned)
    };
    let holder = first("brc20 holders ordi --limit 1", "address");
    let id = first("inscriptions --limit 1", "id");
    let sat = first("inscriptions --limit 1", "sat");
    let commands = [
        String::from("coins --limit 3"),
        String::from("coins --tag bitcoin-ecosystem --start 101"),
        String::from("posts ORDI"),
        String::from("posts ORDI --type latest"),
        String::from("pairs ORDI"),
        String::from("chart bitcoin --period 3M"),
        String::from("market BTC ORDI --convert EUR --count 5 --interval 1h"),
        String::from("stats"),
        String::from("brc20 tokens --limit 61"),
        String::from("brc20 token ordi"),
        String::from("brc20 holders ordi"),
        format!("brc20 balances {holder}"),
        String::from("brc20 activity --ticker ordi"),
        format!("sat {sat}"),
        format!("sat inscriptions {sat}"),
        format!("inscription {id}"),
        String::from("inscriptions --limit 5"),
        String::from("inscription-stats"),
    ];
    for command in commands {
        for format in ["json", "csv", "table"] {
            let run = shell.run(&format!("{command} --format {format}")).ok();
            if format == "json" {
                let whole = run.json();
                assert_eq!(whole["warnings"], serde_json::json!([]), "{command}");
                let data = &whole["data"];
                assert!(data.as_array().map_or(data.is_object(), |items| !items.is_empty()), "{command}");
            } else {
                assert!(run.stdout.lines().count() >= 2, "{command}");
            }
        }
    }
}

#[test]
fn wrong_command_lines_end_with_2_before_anything_is_asked() {
    let server = Server::start(world::answer);
    let shell = Shell::on(&server);
    let long = "x".repeat(300);
    for (command, part) in [
        ("stars", "unrecognized subcommand"),
        ("wallet add ordi 5", "unrecognized subcommand"),
        ("alerts", "unrecognized subcommand"),
        ("--live coins", "unexpected argument"),
        ("coins extra", "unexpected argument"),
        ("coins --tag nft", "not one of all, brc-20, bitcoin-ecosystem"),
        ("coins --limit 0", "not a whole number from 1"),
        ("coins --limit 4294967296", "not a whole number from 1 to 4294967295"),
        ("coins --limit -1", "not a whole number from 1"),
        ("coins --start 0", "not a whole number from 1"),
        ("coins --format xml", "invalid value 'xml'"),
        ("coins --convert US$", "--convert: display.convert: not a currency code"),
        ("coins --timeout 0", "--timeout: limits.timeout: 0 is not within"),
        ("coins --timeout -1", "-1 is not within"),
        ("coins --timeout inf", "inf is not within"),
        ("coins --timeout soon", "invalid value 'soon'"),
        ("coins --base-url localhost:1", "--base-url: source.base_url"),
        ("coins --base-url http://a:b@localhost", "--base-url: source.base_url"),
        ("coins --demo --base-url http://localhost", "--demo: not together with --base-url"),
        ("coins --config missing.toml", "missing.toml: the configuration cannot be read"),
        ("posts", "required"),
        ("posts ORDI,BTC", "no comma"),
        ("posts ORDI --type best", "not one of top, latest"),
        ("pairs", "required"),
        ("chart", "required"),
        ("chart ordi --period 1Y", "not one of 1D, 7D, 1M, 3M"),
        ("market", "required"),
        ("market BTC,ORDI", "no comma"),
        ("market BTC --count 0", "not a whole number from 1"),
        ("market BTC --interval 5&x=1", "not an interval"),
        ("stats --tag x", "not one of"),
        ("brc20", "requires a subcommand"),
        ("brc20 token", "required"),
        (&format!("brc20 token {long}"), "longer than 256 bytes"),
        ("brc20 holders ordi --offset -1", "not a whole number from 0"),
        ("brc20 holders ordi --offset 18446744073709551616", "invalid value"),
        ("brc20 activity --block-height 0", "not a whole number from 1"),
        ("brc20 activity --block-height x", "invalid value"),
        ("brc20 balances", "required"),
        ("sat", "required"),
        ("sat -5", "\"-5\" is no satoshi"),
        ("sat 2099999997690000", "is no satoshi"),
        ("sat nvtdijuwxlpa", "is no satoshi"),
        ("sat 1.5000000000", "is no satoshi"),
        ("sat inscriptions", "required"),
        ("sat inscriptions x1", "is no satoshi"),
        ("sat 5 inscriptions 5", "not both at once"),
        ("inscription", "required"),
        ("inscription i0", "names no inscription"),
        ("inscription 1.5", "names no inscription"),
        ("inscription-stats --from-block 9 --to-block 8", "swap them"),
        ("serve --listen 8787", "invalid value '8787'"),
        ("serve --error-rate 2", "not within 0 to 1"),
        ("completions tcsh", "invalid value 'tcsh'"),
        ("config", "requires a subcommand"),
    ] {
        let run = shell.run(command);
        if matches!(command, "brc20" | "config") {
            assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{command}");
        } else {
            run.fails(2, part);
        }
    }
    assert_eq!(server.targets(), Vec::<String>::new());
}

#[test]
fn failures_end_with_1_and_one_sentence() {
    for (status, body, part) in [
        (404, r#"{"error":"Not found"}"#, "not found"),
        (429, "{}", "limits the rate"),
        (401, r#"{"status":{"error_code":1001,"error_message":"bad key\u001b[2J"}}"#, "check the API key"),
        (200, r#"{"status":{"error_code":1002,"error_message":"key missing"}}"#, "key missing"),
        (200, "<html>", "not JSON"),
        (200, "", "empty"),
        (200, r#"{"hello":"world"}"#, "shape that is not known"),
    ] {
        let server = Server::start(move |_| (status, body.to_owned()));
        let run = Shell::on(&server).run("coins");
        run.fails(1, part);
        assert!(run.stderr.contains(&server.url) && !run.stderr.contains('\x1b'), "{}", run.stderr);
    }
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    Shell::new().run(&format!("coins --base-url http://{closed}")).fails(1, "connection refused");
}

#[test]
fn options_stand_before_and_after_the_command_and_outrank_variables() {
    let server = Server::start(world::answer);
    let elsewhere =
        Shell::new().with("SATSCOPE_BASE_URL", "http://127.0.0.1:1").with("SATSCOPE_INDEXER_URL", "nonsense");
    elsewhere.run("coins").fails(2, "SATSCOPE_INDEXER_URL: source.indexer_url");
    let elsewhere = Shell::new().with("SATSCOPE_BASE_URL", "http://127.0.0.1:1");
    elsewhere.run("coins").fails(1, "http://127.0.0.1:1");
    elsewhere.run(&format!("--base-url {} coins --limit 1 --format json", server.url)).ok().json();
    elsewhere.run(&format!("coins --limit 1 --base-url {} --format json", server.url)).ok().json();
    // The later one counts.
    let run = elsewhere.run(&format!(
        "--format csv --base-url http://127.0.0.1:1 coins --limit 1 --format json --base-url {}",
        server.url
    ));
    run.ok().json();
}

#[test]
fn headers_go_to_their_group_and_never_to_an_output() {
    let server = Server::start(world::answer);
    let shell = Shell::on(&server).with("MARKET_KEY", "hunter2").with("SATSCOPE_LOG", "trace");
    let config = shell.home.path().join("own.toml");
    std::fs::write(&config, "[source.market_headers]\nX-Key = 'env:MARKET_KEY'\n").unwrap();
    let log = shell.home.path().join("a.log");
    let options = format!("--config {} --log {}", config.display(), log.display());
    let run = shell.run(&format!("{options} coins --limit 1")).ok();
    assert!(server.heads()[0].to_lowercase().contains("x-key: hunter2"));
    shell.run(&format!("{options} brc20 token ordi")).ok();
    assert!(!server.heads()[1].contains("hunter2"));
    let shown = shell.run(&format!("{options} config show --format table")).ok();
    assert!(shown.stdout.contains("source.market_headers.x-key"), "{}", shown.stdout);
    shell.run(&format!("{options} posts nobody --base-url http://127.0.0.1:1")).fails(1, "posts nobody");
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("posts nobody"), "{log}");
    for text in [&run.stdout, &run.stderr, &shown.stdout, &log] {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[test]
fn an_empty_list_of_a_mistyped_address_is_doubted() {
    let server = Server::start(|_| (200, String::from(r#"{"limit":20,"offset":0,"total":0,"results":[]}"#)));
    let shell = Shell::on(&server);
    for (address, doubts) in [
        ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", 0),
        ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", 1),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", 0),
        ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", 1),
        ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", 0),
    ] {
        for command in ["brc20 balances", "inscriptions --address"] {
            let whole = shell.run(&format!("{command} {address}")).ok().json();
            assert_eq!(whole["data"], serde_json::json!([]));
            assert_eq!(whole["warnings"].as_array().unwrap().len(), doubts, "{whole}");
        }
    }
}

#[test]
fn a_symbol_for_which_nothing_came_is_named() {
    let server = Server::start(world::answer);
    let run = Shell::on(&server).run("market ordi NOPE --format csv");
    assert_eq!((run.status, run.stdout.lines().count()), (0, 3), "{}", run.stdout);
    assert_eq!(run.stderr, "satscope: warning: nothing came for NOPE; is the symbol right?\n");
}

#[test]
fn an_answer_that_does_not_come_ends_with_the_timeout() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap();
    Shell::new().run(&format!("coins --timeout 0.2 --base-url http://{address}")).fails(1, "within 0.2 s");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    let server = Server::start(world::answer);
    for command in ["coins --format json", "coins --format csv", "coins --format table", "config path", "man"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Shell::on(&server).command(command).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert!(said.starts_with("satscope: standard output cannot be written (No space left"), "{command}: {said}");
    }
}

#[test]
fn the_log_is_a_file_or_nothing() {
    let server = Server::start(world::answer);
    let shell = Shell::on(&server);
    shell.run("coins --log /nonexistent/a.log").fails(2, "the log /nonexistent/a.log cannot be written");
    shell.with("SATSCOPE_LOG", "a=b=c").run("coins").fails(2, "SATSCOPE_LOG: log.filter: not a log filter");
}

#[test]
fn a_closed_pipe_is_silent() {
    let server = Server::start(many_coins);
    for command in
        ["coins", "coins --format csv", "coins --format table", "man", "completions bash", "--help", "config show"]
    {
        let mut child = Shell::on(&server).command(command).spawn().unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!((child.wait().unwrap().code(), said.as_str()), (Some(0), ""), "{command}");
    }
}

#[test]
fn config_tells_its_path_and_writes_a_new_file_only() {
    let shell = Shell::new();
    let path = shell.home.path().join(".config/satscope/config.toml");
    assert_eq!(shell.run("config path").ok().stdout, format!("{}\n", path.display()));
    assert!(!path.exists());
    assert_eq!(shell.run("config init").ok().stdout, format!("{}\n", path.display()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), satscope::config::TEMPLATE);
    std::fs::write(&path, "[display]\nconvert = 'EUR'\nwrong = 1\n").unwrap();
    shell.run("config init").fails(1, "exists already");
    shell.run("config show").fails(2, "config.toml:3: unknown key \"display.wrong\"");
    shell.run("coins").fails(2, "config.toml:3");
    assert_eq!(shell.run("config path").ok().stdout, format!("{}\n", path.display()));
    std::fs::write(&path, "[display]\nconvert = 'EUR'\n").unwrap();
    let whole = shell.run("config show --demo").ok().json();
    let find = |key: &str| whole["data"].as_array().unwrap().iter().find(|row| row["key"] == key).unwrap().clone();
    assert_eq!(find("display.convert")["value"], "EUR");
    assert_eq!(find("display.convert")["origin"], format!("{}:2", path.display()));
    assert_eq!(find("source.base_url")["origin"], "--demo");
    assert_eq!(whole["source"], path.display().to_string());
}

#[test]
fn help_version_completions_and_the_manual() {
    let shell = Shell::new();
    let help = shell.run("--help").ok().stdout;
    for word in
        ["coins", "brc20", "inscription-stats", "--base-url", "SATSCOPE_INDEXER_URL", "Examples:", "Exit status"]
    {
        assert!(help.contains(word), "{word}");
    }
    for planned in ["stars", "wallet ", "alerts", "--live"] {
        assert!(!help.contains(planned), "{planned}");
    }
    assert_eq!(shell.run("--version").ok().stdout, format!("satscope {}\n", env!("CARGO_PKG_VERSION")));
    for command in
        ["coins", "posts", "market", "brc20 activity", "sat", "sat inscriptions", "inscription", "serve", "config"]
    {
        let help = shell.run(&format!("{command} --help")).ok().stdout;
        assert!(help.contains("Usage: satscope"), "{command}: {help}");
    }
    for name in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(shell.run(&format!("completions {name}")).ok().stdout.contains("inscription-stats"), "{name}");
    }
    let manual = shell.run("man").ok().stdout;
    for heading in [
        ".TH satscope 1",
        ".SH \"SATSCOPE COINS\"",
        ".SH \"SATSCOPE BRC20 ACTIVITY\"",
        ".SH \"SATSCOPE SAT INSCRIPTIONS\"",
    ] {
        assert!(manual.contains(heading), "{heading}");
    }
    assert!(manual.contains("--base\\-url") || manual.contains("\\-\\-base\\-url"));
}

#[test]
fn the_dashboard_needs_a_terminal() {
    Shell::new().run("--demo").fails(2, "needs a terminal");
}

#[test]
#[cfg(unix)]
fn serve_prints_its_address_serves_and_ends_with_term() {
    let shell = Shell::new();
    let mut child = shell.command("serve --listen 127.0.0.1:0 --seed 7").stderr(Stdio::inherit()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut address = String::new();
    out.read_line(&mut address).unwrap();
    let address = address.trim_end();
    let port = address.strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{address}"));
    Shell::new().run(&format!("serve --listen 127.0.0.1:{port}")).fails(1, "is in use");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    assert!(child.wait().unwrap().success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

#[test]
#[cfg(unix)]
fn a_reader_that_has_enough_is_no_failure_in_any_format() {
    for format in ["csv", "json", "table"] {
        let mut child = Shell::new()
            .command(&format!("coins --limit 1200 --format {format}"))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // As `head -1` does it: one line, and gone.
        drop(child.stdout.take());
        let mut words = String::new();
        child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        assert_eq!((child.wait().unwrap().success(), words.as_str()), (true, ""), "{format}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_a_failure() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let out = Shell::new().command("--help").stdout(full).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stderr).contains("cannot be written"));
}

#[test]
fn mistakes_are_answered_with_what_to_write() {
    let shell = Shell::new();
    shell.run("coins --limit -5").fails(2, "not a whole number from 1");
    shell.run("brc20 tokens --offset -1").fails(2, "not a whole number from 0");
    shell.run("--timeout 0 coins").fails(2, "--timeout");
    shell.run("chart BTC").fails(1, "the embedded service: not found");
    shell.run("chart BTC").fails(1, "slug");
    shell.run("brc20 token nope").fails(1, "brc20 token nope from the embedded service: not found");
    let empty = shell.run("coins --start 9000 --format table");
    assert_eq!((empty.status, empty.stderr.as_str()), (0, "satscope: no coins\n"));
    assert!(shell.run("coins --help").ok().stdout.contains("all, brc-20 or bitcoin-ecosystem"));
}
