//! The command line, by running the real binary against services on loopback.

mod alerts;
mod block_range;
mod coin_rows;
mod concurrent;
mod damaged;
mod failures;
mod last_seen;
mod limits;
mod line;
mod market;
mod notes;
mod offline;
mod output;
mod plot;
mod posts;
mod progress;
mod provider_slugs;
mod sats;
mod serve;
pub(crate) mod server;
mod shared_symbols;
mod sources;
mod timed_watch;
mod wallet;
mod watchlist;
pub(crate) mod world;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

use server::{Server, Shell};

use crate::support::session::TEST_TIMEOUT;

#[test]
fn command_options_set_request_parameters() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    for (command, target) in [
        ("coins --tag BRC-20 --start 5 --limit 1 --convert eur", "/coins?tag=brc-20&start=5&limit=1&convert=EUR"),
        // The last one counts, wherever it is.
        ("--convert BTC --convert EUR coins --limit 1", "/coins?tag=all&start=1&limit=1&convert=EUR"),
        ("--convert BTC coins --limit 1 --convert EUR", "/coins?tag=all&start=1&limit=1&convert=EUR"),
        ("coins --limit 1 --convert BTC --convert EUR", "/coins?tag=all&start=1&limit=1&convert=EUR"),
        ("posts $OG$ --type latest", "/content?post_type=latest&symbol=%24OG%24"),
        (
            "--convert EUR market ORDI ordi ORDI --count 2 --interval 1h",
            "/market/data?symbol=ORDI,ordi&convert=EUR&count=2&interval=1h",
        ),
        ("market ORDI --period 7d", "/market/data?symbol=ORDI&convert=USD&count=169&interval=1h"),
        ("stats --tag bitcoin-ecosystem", "/coins/stats?tag=bitcoin-ecosystem"),
        ("brc20 holders 🔥 --offset 40 --limit 60", "/ordinals/brc-20/tokens/%F0%9F%94%A5/holders?offset=40&limit=60"),
        ("brc20 token -- -a/b", "/ordinals/brc-20/tokens/-a%2Fb"),
        ("brc20 activity", "/ordinals/brc-20/activity?offset=0"),
        ("brc20 activity ordi", "/ordinals/brc-20/activity?ticker=ordi&"),
        ("brc20 activity --ticker ordi", "/ordinals/brc-20/activity?ticker=ordi&"),
        ("brc20 activity ordi --ticker ORDI", "/ordinals/brc-20/activity?ticker=ordi&"),
        ("sat 0.5", "/ordinals/sats/5"),
        ("sat inscriptions --limit 3 5", "/ordinals/sats/5/inscriptions?offset=0&limit=3"),
        ("sat --format json inscriptions 5", "/ordinals/sats/5/inscriptions?offset=0&limit=20"),
        ("sat 5,000,000,000", "/ordinals/sats/5000000000"),
        ("inscription #348,020", "/ordinals/inscriptions/348020"),
        ("inscription #348020", "/ordinals/inscriptions/348020"),
        ("inscription-stats --from-block 7", "/ordinals/stats/inscriptions?from_block_height=7"),
    ] {
        let before = server.targets().len();
        shell.run(command);
        let first = server.targets()[before].clone();
        assert!(first.starts_with(target), "{command}: {first}");
    }
}

#[test]
fn series_have_the_symbols_and_the_interval_of_the_service() {
    let server = Server::start(world::response);
    Shell::on(&server).run("market ordi --period 7D --count 5").fails(2, "cannot be used with");
    let series = Shell::on(&server).run("market ordi --count 2 --interval 1h").ok().json()["data"][0].clone();
    assert_eq!((series["symbol"].as_str(), series["interval"].as_str()), (Some("ORDI"), Some("1h")));
    for count in [1, 2] {
        let series = Shell::new().run(&format!("--demo market btc --count {count}")).ok().json()["data"][0].clone();
        let points = series["points"].as_array().unwrap().len();
        assert_eq!((series["symbol"].as_str(), series["interval"].as_str(), points), (Some("BTC"), Some("5m"), count));
    }
}

#[test]
fn posts_and_pairs_of_a_slug_are_those_of_its_coin() {
    let shell = Shell::new();
    for command in ["posts", "pairs"] {
        let by = |name: &str| shell.run(&format!("--demo {command} {name}")).ok().json()["data"].clone();
        // Simulated data changes with time, so all must be of the same moment.
        let (by_slug, by_symbol) = loop {
            let (before, by_symbol, after) = (by("bitcoin"), by("BTC"), by("bitcoin"));
            if before == after {
                break (before, by_symbol);
            }
        };
        assert_eq!(by_slug, by_symbol, "{command}");
        shell.run(&format!("--demo {command} no-such-coin")).fails(1, "unknown coin no-such-coin");
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
fn coins_command_fetches_as_many_pages_as_needed() {
    let server = Server::start(many_coins);
    let shell = Shell::on(&server);
    let ids = |command: &str| -> Vec<String> {
        let data = shell.run(command).ok().json()["data"].clone();
        data.as_array().unwrap().iter().map(|coin| coin["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("coins --limit 100"), (1..=100).map(|id| id.to_string()).collect::<Vec<_>>());
    assert_eq!(server.targets().len(), 3, "{:?}", server.targets());
    assert_eq!(ids("coins --start 201 --limit 4294967295").len(), 50, "up to an empty page");
    assert_eq!(ids("coins").len(), 200);
}

#[test]
fn coins_list_that_changes_between_its_pages_has_a_warning() {
    let changed = "the list changed while it was loading; some rows may be missing";
    // On later pages, coins at the top are gone, or there are new ones.
    for (first, limit, coins, warnings) in [
        (4, 450, 447, vec![changed]),
        (4, 1000, 447, vec![changed]),
        (4, 400, 400, vec![]),
        (1, 1000, 450, vec![]),
        (-2, 450, 450, vec![]),
        (-2, 1000, 450, vec![changed]),
    ] {
        let server = Server::start(move |target| {
            let number = |name: &str| {
                let value = target.split(['?', '&']).find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
                value.unwrap().parse::<i64>().unwrap()
            };
            let (start, limit) = (number("start"), number("limit").min(200));
            let first = if start == 1 { 1 } else { first };
            let id = |at: i64| if at > 0 { at } else { 9000 - at };
            let coin = |at: i64| format!(r#"{{"id":{0},"name":"C{0}","symbol":"C","slug":"c{0}","price":1}}"#, id(at));
            let from = first + start - 1;
            let rows: Vec<_> = (from..(from + limit).min(451)).map(coin).collect();
            (200, format!(r#"{{"data":[{}],"total":{}}}"#, rows.join(","), 451 - first))
        });
        let whole = Shell::on(&server).run(&format!("coins --limit {limit}")).ok().json();
        assert_eq!(whole["data"].as_array().unwrap().len(), coins, "{first} {limit}");
        assert_eq!(whole["warnings"], serde_json::json!(warnings), "{first} {limit}");
    }
}

#[test]
fn repeated_or_rejected_page_ends_coins_list() {
    // The same coin for every request.
    let server = Server::start(world::response);
    assert_eq!(Shell::on(&server).run("coins --limit 1000").ok().json()["data"].as_array().unwrap().len(), 1);
    assert_eq!(server.targets().len(), 2);

    // A service that sends its first page again and again.
    let coin =
        |id| format!(r#"{{"id":{id},"name":"C{id}","symbol":"C","slug":"c{id}","quote":{{"USD":{{"price":1}}}}}}"#);
    let body = |count| format!(r#"{{"data":[{}]}}"#, (1..=count).map(coin).collect::<Vec<_>>().join(","));
    let repeats = "The service repeats its first 100 coins; the list may be incomplete";
    for (count, limit, warnings) in [(100, 100, vec![]), (100, 1_000, vec![repeats]), (99, 1_000, vec![])] {
        let body = body(count);
        let server = Server::start(move |_| (200, body.clone()));
        let whole = Shell::on(&server).run(&format!("coins --limit {limit}")).ok().json();
        assert_eq!((whole["data"].as_array().unwrap().len(), &whole["warnings"]), (count, &warnings.into()), "{limit}");
    }

    let one = body(1).replacen('{', r#"{"total":450,"#, 1);
    let server = Server::start(move |_| (200, one.clone()));
    let whole = Shell::on(&server).run("coins --limit 1000").ok().json();
    let repeats = "The service repeats its first coin; the list may be incomplete";
    assert_eq!(whole["warnings"], serde_json::json!([repeats]));

    // A service whose list ends before its total.
    let first = body(100).replacen('{', r#"{"total":450,"#, 1);
    let server = Server::start(move |target| match target {
        target if target.contains("start=1&") => (200, first.clone()),
        _ => (200, String::from(r#"{"data":[]}"#)),
    });
    let whole = Shell::on(&server).run("coins --limit 1000").ok().json();
    assert_eq!(whole["warnings"], serde_json::json!(["Only 100 of 450 coins loaded: the next page is empty"]));

    // A service that rejects a start beyond the end, or has no content there.
    for (status, body) in [(400, r#"{"error":"start is out of range"}"#), (204, "")] {
        let server = Server::start(move |target| match target {
            first if first.contains("start=1&") => world::response(first),
            _ => (status, String::from(body)),
        });
        let whole = Shell::on(&server).run("coins --limit 1000").ok().json();
        assert_eq!(whole["data"].as_array().unwrap().len(), 1);
        assert!(whole["warnings"][0].as_str().unwrap().contains("end of the list"), "{whole}");
    }

    // A service that fails in between: the coins so far are not the response.
    let server = Server::start(|target| match target {
        first if first.contains("start=1&") => world::response(first),
        _ => (500, String::new()),
    });
    Shell::on(&server).run("coins --limit 1000").fails(1, "500");
}

#[test]
fn first_page_in_place_of_a_later_one_has_a_warning() {
    let first = r#"[{"id":1,"rank":1,"name":"A","symbol":"A","slug":"a","price":1}]"#;
    let server = Server::start(move |_| (200, String::from(first)));
    let whole = Shell::on(&server).run("coins --start 201 --limit 1").ok().json();
    assert_eq!(whole["warnings"][0], "List starts at rank 1 instead of 201: the service ignores start");
    let whole = Shell::on(&server).run("coins --limit 1").ok().json();
    assert_eq!(whole["warnings"], serde_json::json!([]));
}

#[test]
fn pages_are_as_long_as_the_service_accepts() {
    let coin = |id| format!(r#"{{"id":{id},"name":"C{id}","symbol":"C{id}","slug":"c{id}","price":1}}"#);
    let first = format!("[{}]", (1..=100).map(coin).collect::<Vec<_>>().join(","));
    let server = Server::start(move |target| match target {
        long if !long.ends_with("limit=100") => (400, String::from(r#"{"error":"limit must be <= 100"}"#)),
        first_page if first_page.contains("start=1&") => (200, first.clone()),
        _ => (200, String::from(r#"{"data":[]}"#)),
    });
    let whole = Shell::on(&server).run("coins --limit 1000").ok().json();
    assert_eq!((whole["data"].as_array().unwrap().len(), &whole["warnings"]), (100, &serde_json::json!([])));
    assert_eq!(server.targets().len(), 3, "{:?}", server.targets());
}

#[test]
fn sat_command_prints_sat_and_fails_without_indexer() {
    let server = Server::start(|_| (503, String::new()));
    let run = Shell::on(&server).run("sat 5000000000 --format json");
    assert_eq!(run.status, 1);
    assert!(
        run.stderr.starts_with("satscope: Sat 5000000000 from 127.0.0.1:") && run.stderr.lines().count() == 1,
        "{}",
        run.stderr
    );
    let whole = run.json();
    assert_eq!((whole["data"]["decimal"].as_str(), whole["data"]["rarity"].as_str()), (Some("1.0"), Some("uncommon")));
    assert!(whole["data"]["inscription_id"].is_null());
    assert_eq!(whole["source"], format!("{}/ordinals/sats/5000000000", server.url));
    assert!(whole["warnings"][0].as_str().unwrap().contains("503"), "{whole}");

    // Other formats report it once.
    let run = Shell::on(&server).run("sat 5000000000 --format csv");
    assert_eq!((run.status, run.stdout.lines().count(), run.stderr.lines().count()), (1, 2, 1), "{}", run.stderr);
}

#[test]
fn embedded_service_answers_every_operation() {
    let shell = Shell::new();
    let first = |command: &str, field: &str| {
        let value = shell.run(&format!("--demo {command}")).ok().json()["data"][0][field].clone();
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
            let run = shell.run(&format!("{command} --demo --format {format}")).ok();
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
fn options_work_anywhere_and_override_variables() {
    let server = Server::start(world::response);
    let elsewhere =
        Shell::new().with("SATSCOPE_BASE_URL", "http://127.0.0.1:1").with("SATSCOPE_INDEXER_URL", "nonsense");
    elsewhere.run("coins").fails(2, "SATSCOPE_INDEXER_URL: source.indexer_url");
    elsewhere.run("--demo coins --limit 1 --format json").ok().json();
    // It gets as far as its own options.
    elsewhere.run("serve --token-env NO_SUCH").fails(2, "environment variable NO_SUCH is not set");
    let elsewhere = Shell::new().with("SATSCOPE_BASE_URL", "http://127.0.0.1:1");
    elsewhere.run("coins").fails(1, "127.0.0.1:1");
    elsewhere.run(&format!("--base-url {} coins --limit 1 --format json", server.url)).ok().json();
    elsewhere.run(&format!("coins --limit 1 --base-url {} --format json", server.url)).ok().json();
    // The last one wins.
    let run = elsewhere.run(&format!(
        "--format csv --base-url http://127.0.0.1:1 coins --limit 1 --format json --base-url {}",
        server.url
    ));
    run.ok().json();
}

#[test]
fn headers_go_only_to_their_group_and_never_to_output() {
    let server = Server::start(world::response);
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
    shell.run(&format!("{options} posts nobody --base-url http://127.0.0.1:1")).fails(1, "Top posts about nobody");
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("Top posts about nobody"), "{log}");
    for text in [&run.stdout, &run.stderr, &shown.stdout, &log] {
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[test]
fn mistyped_address_is_refused_before_any_request() {
    for command in ["brc20 balances", "inscriptions --address"] {
        let server = Server::start(|_| (200, String::from(r#"{"limit":20,"offset":0,"total":0,"results":[]}"#)));
        let shell = Shell::on(&server);
        for (address, reason) in [
            ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "invalid checksum"),
            ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "invalid checksum"),
            ("NOT_AN_ADDRESS", "unknown address or label NOT_AN_ADDRESS (list them: satscope wallet address)"),
        ] {
            shell.run(&format!("{command} {address}")).fails(2, reason);
            Shell::new().run(&format!("--demo {command} {address}")).fails(2, reason);
        }
        assert_eq!(server.targets(), [""; 0]);
        // The indexer of the user may be that of a test network.
        let test = "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx";
        Shell::new()
            .run(&format!("--demo {command} {test}"))
            .fails(2, "is not a Bitcoin mainnet address: it is a testnet address");
        for address in ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", test] {
            assert_eq!(shell.run(&format!("{command} {address}")).ok().json()["data"], serde_json::json!([]));
            let sent = server.targets().pop().unwrap();
            assert!(sent.contains(&address.to_lowercase()) || sent.contains(address), "{sent}");
        }
    }
}

#[test]
fn saved_address_is_looked_up_by_its_label() {
    let server = Server::start(|_| (200, String::from(r#"{"limit":20,"offset":0,"total":0,"results":[]}"#)));
    let shell = Shell::on(&server);
    let address = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    shell.run(&format!("wallet address add {address} --label cold")).ok();
    for command in ["brc20 balances", "inscriptions --address"] {
        assert_eq!(shell.run(&format!("{command} Cold")).ok().json()["data"], serde_json::json!([]));
        let sent = server.targets().pop().unwrap();
        assert!(sent.contains(address), "{sent}");
        shell.run(&format!("{command} warm")).fails(2, "unknown address or label warm");
    }
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    let damaged = vec![b'x'; std::fs::read(&file).unwrap().len()];
    std::fs::write(&file, &damaged).unwrap();
    let run = shell.run("brc20 balances cold");
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("can't read the labels of addresses: "), "{}", run.stderr);
    assert_eq!(std::fs::read(&file).unwrap(), damaged, "it stays in place");
    assert_eq!(shell.run(&format!("brc20 balances {address}")).status, 0);
}

#[test]
fn source_of_local_data_is_the_database() {
    let shell = Shell::new();
    let database = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    for command in ["wallet", "wallet address", "wallet export --format json", "notes", "alerts"] {
        let whole = shell.run(&format!("--demo {command}")).ok().json();
        assert_eq!(whole["source"], database.display().to_string(), "{command}");
    }
}

#[test]
fn table_of_removed_rows_says_so() {
    let shell = Shell::new();
    shell.run("--demo alerts add ordi > 100").ok();
    shell.run("--demo watchlist add solana").ok();
    shell.run("--demo notes add ordi text").ok();
    for (command, sentence) in [
        ("alerts remove 1", "satscope: removed 1 alert\n"),
        ("watchlist remove solana", "satscope: removed 1 coin\n"),
        ("notes remove ordi --all", "satscope: removed 1 note\n"),
    ] {
        let run = shell.run(&format!("--demo {command} --format table"));
        assert_eq!((run.status, run.stderr.as_str()), (0, sentence), "{}", run.stdout);
    }
}

#[test]
fn lots_are_exported_with_their_fields_in_order() {
    let shell = Shell::new();
    shell.run("--demo wallet add 2 ordi @ 5 2025-03-02").ok();
    let json = shell.run("--demo wallet export --format json").ok().stdout;
    assert!(json.starts_with(r#"{"data":[{"kind":"buy","slug":"ordi","symbol":"ORDI","coin_id":"#), "{json}");
}

#[test]
fn unknown_coin_is_named_in_one_short_line() {
    let shell = Shell::new();
    for command in ["posts", "pairs", "chart", "chart --period 1Y"] {
        let run = shell.run(&format!("--demo {command} nosuch"));
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{command}");
        assert_eq!(
            run.stderr, "satscope: unknown coin nosuch (list slugs: satscope coins --limit 5000 --format csv)\n",
            "{command}"
        );
    }
    let slugs = shell.run("--demo coins --limit 5000 --format csv").ok().stdout;
    assert!(slugs.lines().count() > 1_000, "the advice prints all coins, not the first page");
    shell.run("--demo market nosuch").fails(1, "satscope: no data for nosuch (check the symbol)\n");
}

#[test]
fn pairs_of_a_shared_symbol_say_which_coin_they_are_of() {
    let note = "2 coins share the symbol PEPE (pepe, pepebrc); using the first (to select one, use its slug)";
    let shell = Shell::new();
    assert_eq!(shell.run("--demo pairs PEPE").ok().json()["warnings"], serde_json::json!([note]));
    assert_eq!(shell.run("--demo pairs PEPE --format csv").stderr, format!("satscope: warning: {note}\n"));
}

#[test]
fn market_command_prints_the_others_if_the_prices_of_a_slug_fail() {
    let server = Server::start(|target| match target {
        _ if target.starts_with("/coins?") => {
            (200, world::response(target).1.replace("ORDI", "DOG").replace("\"ordi\"", "\"runes-dog\""))
        }
        _ if target.contains("=DOG") => (404, String::from(r#"{"error":"no prices for these coins"}"#)),
        _ => world::response(target),
    });
    let run = Shell::on(&server).run("market ORDI runes-dog --format csv");
    assert_eq!((run.status, run.stdout.lines().count()), (1, 3), "{}", run.stdout);
    assert_eq!(run.stderr, "satscope: no data for runes-dog (check the symbol)\n");
}

#[test]
fn market_command_names_symbols_without_data() {
    let server = Server::start(world::response);
    let run = Shell::on(&server).run("market ordi NOPE --format csv");
    assert_eq!((run.status, run.stdout.lines().count()), (1, 3), "{}", run.stdout);
    assert_eq!(run.stderr, "satscope: no data for NOPE (check the symbol)\n");
    let run = Shell::on(&server).run("market ordi NOPE");
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((run.status, &json["warnings"]), (1, &serde_json::json!(["no data for NOPE (check the symbol)"])));
    assert_eq!(json["data"].as_array().unwrap().len(), 1);
    let many: Vec<String> = (0..150).map(|number| format!("NO{number}")).collect();
    let run = Shell::on(&server).run(&format!("market ordi {} --format csv", many.join(" ")));
    assert!(run.stderr.ends_with(", NO9 and 140 more (check the symbols)\n"), "{}", run.stderr);
    let run = Shell::new().run(&format!("--demo market {}", many.join(" ")));
    assert!(run.status == 1 && run.stderr.len() < 250, "{}", run.stderr);
}

#[test]
fn slug_of_a_chart_is_requested_in_lower_case() {
    let chart = r#"{"data":{"points":{"1795000000":{"v":[61000]},"1795003600":{"v":[61500]}}}}"#;
    // A list of coins that has the slug or lacks it, or no list.
    for coin in [Some("bitcoin"), Some("ordi"), None] {
        let server = Server::start(move |target| match (target.split('?').next().unwrap(), coin) {
            ("/chart", _) if target.contains("slug=bitcoin&") => (200, String::from(chart)),
            ("/coins", Some(slug)) => {
                let coin = format!(r#"{{"id":1,"name":"X","symbol":"X","slug":"{slug}","quotes":[]}}"#);
                (200, format!(r#"{{"data":{{"cryptoCurrencyList":[{coin}],"totalCount":"1"}}}}"#))
            }
            _ => (404, String::from("{}")),
        });
        let run = Shell::on(&server).run("chart BitCoin").ok();
        assert_eq!(run.json()["data"]["slug"], "bitcoin", "{coin:?}");
        let charts: Vec<String> = server.targets().into_iter().filter(|it| it.starts_with("/chart")).collect();
        assert_eq!(charts.len(), 1, "{charts:?}");
    }
}

#[test]
fn charts_and_series_accept_slugs_and_symbols() {
    let shell = Shell::new();
    let slug = |command: &str| shell.run(&format!("{command} --demo")).ok().json()["data"]["slug"].clone();
    for (command, expected) in [
        ("chart BTC", "bitcoin"),
        ("chart Ordi", "ordi"),
        ("chart BITCOIN", "bitcoin"),
        ("chart BTC --period 1Y", "bitcoin"),
        ("chart ordi --period 1y", "ordi"),
    ] {
        assert_eq!(slug(command), expected, "{command}");
    }
    let year = shell.run("chart bitcoin --period 1Y --demo").ok().json();
    assert_eq!(year["data"]["period"], "1Y");
    let points = year["data"]["points"].as_array().unwrap();
    let first: jiff::Timestamp = points[0]["time"].as_str().unwrap().parse().unwrap();
    let last: jiff::Timestamp = points[points.len() - 1]["time"].as_str().unwrap().parse().unwrap();
    assert!((360..=365).contains(&(last.duration_since(first).as_hours() / 24)), "{first} {last}");

    // All time has the prices of the year, and earlier ones.
    let all = shell.run("chart bitcoin --period all --demo").ok().json();
    assert_eq!(all["data"]["period"], "All");
    let prices = |json: &serde_json::Value| -> Vec<String> {
        let points = json["data"]["points"].as_array().unwrap().iter();
        points.map(|point| format!("{} {}", point["time"], point["price"])).collect()
    };
    let (year, all) = (prices(&year), prices(&all));
    assert!(all[0].starts_with("\"2010-07-13T") && all.len() > 5_000, "{}", all[0]);
    // The last one is the current price.
    let shared = year.iter().rev().skip(1).filter(|price| all.contains(price)).count();
    assert!(shared >= year.len() - 2, "{shared} of {}", year.len());

    // Two coins are called WZRD, and neither has that slug.
    for command in ["chart WZRD", "chart WZRD --period 1Y"] {
        let run = shell.run(&format!("{command} --demo"));
        run.fails(1, "several coins use WZRD (use the slug: wzrd-brc-20 or magic-internet-wizard)");
    }
    // One of the coins called PEPE has that slug, but capitals mean a symbol.
    shell.run("chart PEPE --demo").fails(1, "several coins use PEPE (use the slug: pepe or pepebrc)");
    assert_eq!(slug("chart pepe"), "pepe");
    shell.run("chart xxxxx --demo").fails(1, "(list slugs: satscope coins --limit 5000 --format csv)");

    let symbols = |command: &str| {
        let json = shell.run(&format!("{command} --count 2 --demo")).ok().json();
        json["data"].as_array().unwrap().iter().map(|it| it["symbol"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(symbols("market bitcoin"), ["BTC"]);
    assert_eq!(symbols("market ORDI bitcoin BTC"), ["ORDI", "BTC"]);
    assert_eq!(symbols("market bitcoin ordi"), ["BTC", "ORDI"]);
    assert_eq!(symbols("market ethereum ORDI bitcoin"), ["ETH", "ORDI", "BTC"]);
    // A symbol stands for all its coins.
    let shared = shell.run("market PEPE --count 2 --format csv --demo");
    let warning = "several coins use PEPE: pepe, pepebrc (to select one, use its slug)";
    assert_eq!((shared.status, shared.stderr), (0, format!("satscope: warning: {warning}\n")));
    assert_eq!(symbols("market PEPE"), ["PEPE", "PEPE"]);
    // A slug stands for its own.
    assert_eq!(symbols("market pepe"), ["PEPE"]);
    assert_eq!(symbols("market pepe WZRD"), ["PEPE", "WZRD", "WZRD"]);
    assert_eq!(shell.run("market pepe --count 2 --format csv --demo").ok().stderr, "");
    // Of the coins called WZRD only the named one.
    assert_eq!(symbols("market wzrd-brc-20"), ["WZRD"]);
    shell.run("market xx yy --demo").fails(1, "satscope: no data for xx, yy (check the symbols)\n");
    let sentence = "satscope: no data for xx (check the symbol and --interval)\n";
    shell.run("market xx --interval 1h --demo").fails(1, sentence);
}

#[test]
fn log_is_written_only_to_a_file() {
    let server = Server::start(world::response);
    let shell = Shell::on(&server);
    shell.run("coins --log /nonexistent/a.log").fails(2, "can't write to the log /nonexistent/a.log");
    shell.with("SATSCOPE_LOG", "a=b=c").run("coins").fails(2, "SATSCOPE_LOG: log.filter: invalid log filter");
}

#[test]
fn config_prints_path_and_init_never_overwrites() {
    let shell = Shell::new();
    let path = shell.home.path().join(".config/satscope/config.toml");
    assert_eq!(shell.run("config path").ok().stdout, format!("{}\n", path.display()));
    assert!(!path.exists());
    assert_eq!(shell.run("config init").ok().stdout, format!("{}\n", path.display()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), satscope::config::TEMPLATE);
    std::fs::write(&path, "[display]\nconvert = 'EUR'\nwrong = 1\n").unwrap();
    shell.run("config init").fails(1, "already exists; not overwritten");
    shell
        .run("config show")
        .fails(2, "config.toml:3: unknown key \"display.wrong\" (list keys: satscope config default)");
    assert_eq!(shell.run("config default").ok().stdout, satscope::config::TEMPLATE);
    shell.run("coins").fails(2, "config.toml:3");
    std::fs::write(&path, "[display]\nconvert = 'ZZZ'\nwrong = 1\n").unwrap();
    let run = shell.run("config show");
    let mut lines = run.stderr.lines();
    assert_eq!(lines.next(), Some(format!("satscope: {}:", path.display()).as_str()));
    assert_eq!(
        lines.next(),
        Some("  line 2: display.convert: \"ZZZ\" is not a currency code (examples: USD, EUR, BTC)")
    );
    assert!(
        lines.next().is_some_and(|line| line.starts_with("  line 3: unknown key \"display.wrong\" (")),
        "{}",
        run.stderr
    );
    assert_eq!((run.status, lines.next()), (2, None));
    assert_eq!(shell.run("config path").ok().stdout, format!("{}\n", path.display()));
    std::fs::write(&path, "[display]\nconvert = 'EUR'\n").unwrap();
    let whole = shell.run("config show --demo").ok().json();
    let find = |key: &str| whole["data"].as_array().unwrap().iter().find(|row| row["key"] == key).unwrap().clone();
    assert_eq!(find("display.convert")["value"], "EUR");
    assert_eq!(find("display.convert")["origin"], format!("{}:2", path.display()));
    assert_eq!(find("source.base_url")["origin"], "--demo");
    let home = shell.home.path().display().to_string();
    assert_eq!(find("state directory")["value"], format!("{home}/.local/state/satscope"));
    assert_eq!(find("state directory")["origin"], "default");
    assert_eq!(whole["source"], path.display().to_string());
}

#[test]
fn commands_never_change_the_configuration() {
    let shell = Shell::new();
    let path = shell.home.path().join(".config/satscope/config.toml");
    shell.run("config init").ok();
    let text = "# mine\n[wallet]\nsymbols = ['BTC', 'ORDI']\n";
    std::fs::write(&path, text).unwrap();
    for command in [
        "--demo watchlist add tether",
        "--demo watchlist remove bitcoin",
        "--demo wallet add 1 ordi @ 10 eur 2026-01-05",
        "config show",
    ] {
        shell.run(command).ok();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{command}");
    }
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn help_version_completions_and_manual_are_printed() {
    let shell = Shell::new();
    let help = shell.run("--help").ok().stdout;
    for word in
        ["coins", "brc20", "inscription-stats", "--base-url", "SATSCOPE_INDEXER_URL", "Examples:", "Exit status"]
    {
        assert!(help.contains(word), "{word}");
    }
    assert_eq!(shell.run("--version").ok().stdout, format!("satscope {}\n", env!("CARGO_PKG_VERSION")));
    for command in
        ["coins", "posts", "market", "brc20 activity", "sat", "sat inscriptions", "inscription", "serve", "config"]
    {
        let help = shell.run(&format!("{command} --help")).ok().stdout;
        assert!(help.contains("Usage: satscope"), "{command}: {help}");
    }
    // Paragraphs wrap at full lines only.
    let sat = shell.run("sat --help").ok().stdout;
    let about = sat.split("\n\n").last().unwrap().trim_end().lines().collect::<Vec<_>>();
    assert!(about.len() > 1 && about[..about.len() - 1].iter().all(|line| line.len() > 80), "{about:?}");
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("ignoring URLs in the configuration file and the environment"), "{help}");
    for name in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(shell.run(&format!("completions {name}")).ok().stdout.contains("inscription-stats"), "{name}");
    }
    let bash = shell.run("completions bash").ok().stdout;
    assert!(bash.contains("brc-20 bitcoin-ecosystem") && bash.contains("fifo average"), "{bash}");
    let options = |command: &str| {
        let case = bash.split(&format!("        satscope__subcmd__{command})\n")).nth(1).unwrap_or_default();
        case.lines().find(|line| line.contains("opts=")).unwrap_or_else(|| panic!("{command}: {bash}")).to_owned()
    };
    let (serve, line) = (options("serve"), options("line"));
    assert!(serve.contains("--seed") && serve.contains("--timeout"), "{serve}");
    assert!(!serve.contains("--convert") && !serve.contains("--base-url"), "{serve}");
    assert!(line.contains("--convert") && !line.contains("--refresh"), "{line}");
    for command in ["line", "completions", "man", "config path", "config init", "config default", "config backup"] {
        let offered = options(&command.replace(' ', "__subcmd__"));
        assert!(offered.contains("--config ") && !offered.contains("--format "), "{command}: {offered}");
    }
    let [export, list] = ["export", "list"].map(|name| options(&format!("wallet__subcmd__{name}")));
    assert!(export.contains("--format ") && !export.contains("--cost "), "{export}");
    assert!(list.contains("--format ") && list.contains("--cost "), "{list}");
    let manual = shell.run("man").ok().stdout;
    for (text, count) in [
        ("rearm 9.5", 1),
        ("A LOT is: [buy", 1),
        ("Files are recognised by their header", 1),
        ("  satscope inscription 0 ", 1),
        ("{ordi.symbol}", 1),
        ("\\-\\-refresh", 0),
    ] {
        assert_eq!(manual.matches(text).count(), count, "{text}");
    }
    for heading in [
        ".TH satscope 1",
        ".SH \"SATSCOPE COINS\"",
        ".SH \"SATSCOPE BRC20 ACTIVITY\"",
        ".SH \"SATSCOPE SAT INSCRIPTIONS\"",
    ] {
        assert!(manual.contains(heading), "{heading}");
    }
    for example in [
        "Example:\n.nf\n  satscope posts ORDI \\-\\-type latest\n.fi\n",
        "Examples:\n.nf\n  satscope                                       dashboard with simulated data\n",
        ".PP\nExit status: 0 success",
    ] {
        assert!(manual.contains(example), "{example}: {manual}");
    }
    assert!(manual.contains("--base\\-url") || manual.contains("\\-\\-base\\-url"));
}

#[test]
fn help_of_a_command_has_its_own_options() {
    let shell = Shell::new();
    for (command, own) in [
        ("coins", "--start <N>"),
        ("stats", "--filter <FILTER>"),
        ("brc20", "holders"),
        ("brc20 holders", "--offset <N>"),
        ("sat inscriptions", "--limit <N>"),
        ("inscription", "satscope inscription -5"),
        ("watchlist", "remove"),
        ("watchlist add", "<COIN>..."),
        ("wallet", "satscope wallet add 500 ordi"),
        ("wallet add", "--note <TEXT>"),
        ("wallet", "--cost <METHOD>"),
        ("wallet list", "--cost <METHOD>"),
        ("sources order", "bitcoin_balance"),
        ("config show", "Print every setting"),
        ("serve", "--seed <N>"),
    ] {
        for help in [format!("{command} --help"), format!("{command} -h"), format!("help {command}")] {
            let help = shell.run(&help).ok().stdout;
            assert!(help.contains(own), "{command}: {help}");
            let lines: Vec<&str> = help.lines().filter(|line| line.contains("satscope --help")).collect();
            assert!(lines.len() == 1 && lines[0].starts_with("Global options: "), "{command}: {help}");
            assert!(!help.contains("Display currency") && !help.contains("\nGlobal options:\n"), "{command}: {help}");
        }
    }
    assert!(!shell.run("wallet export --help").ok().stdout.contains("--cost"), "it is refused");
    assert_eq!(shell.run("man").ok().stdout.matches("Cost basis of sales").count(), 1, "described once");
    let help = shell.run("--help").ok().stdout;
    assert!(help.contains("Display currency") && help.contains("\nGlobal options:\n"), "{help}");
}

#[test]
fn serve_rejects_options_that_it_would_ignore() {
    let shell = Shell::new();
    for option in ["--convert EUR", "--format csv", "--base-url http://a.example", "--indexer-url http://a.example"] {
        let name = option.split(' ').next().unwrap();
        for line in [format!("serve {option}"), format!("{option} serve")] {
            let run = shell.run(&line);
            run.fails(2, "");
            assert_eq!(run.stderr, format!("satscope: {name} doesn't apply to serve\n"));
        }
        assert!(!shell.run("serve --help").ok().stdout.contains(name), "{name}");
    }
}

#[test]
fn simulated_data_is_announced_without_demo() {
    let other = Server::start(world::response);
    let ours = satscope::service::start(satscope::service::Options::default()).unwrap();
    for (command, option) in [("coins --limit 1", "--base-url"), ("brc20 token ordi", "--indexer-url")] {
        for format in ["json", "csv", "table"] {
            // Not with a URL or --demo, nor with other services; then our own service by its URL.
            let note = "satscope: simulated data: pass --live for real data, or --demo to silence this\n";
            let by_url = format!("satscope: simulated data, according to the service at {option}\n");
            for (rest, simulated, said) in [
                (String::new(), true, note),
                (String::from("--demo"), true, ""),
                (format!("{option} {}", other.url), false, ""),
                (format!("{option} {}", ours.url()), true, by_url.as_str()),
            ] {
                let run = Shell::new().run(&format!("{command} --format {format} {rest}"));
                assert_eq!((run.status, run.stderr.as_str()), (0, said), "{command} {rest}");
                assert!(run.stderr.lines().all(|line| line.chars().count() <= 80), "{}", run.stderr);
                if format == "json" {
                    assert_eq!(run.json()["simulated"], simulated, "{command} {rest}");
                }
            }
        }
    }
    // Computed data and settings are not simulated.
    assert_eq!(Shell::new().run("config show --format json").ok().json()["simulated"], false);
    let run = Shell::new().run("sat 5 --format json --indexer-url http://127.0.0.1:1");
    assert_eq!((run.status, &run.json()["simulated"]), (1, &serde_json::Value::Bool(false)));
}

#[test]
fn simulated_indexer_data_with_real_prices_print_a_note() {
    let market = Server::start(world::response);
    let shell = Shell::new().with("SATSCOPE_BASE_URL", &market.url);
    let note = "satscope: simulated indexer data: pass --live or --indexer-url for real data\n";
    let run = shell.run("wallet address add bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
    assert_eq!((run.status, run.stderr.as_str()), (0, note));
    for format in ["table", "json", "csv"] {
        let run = shell.run(&format!("wallet --format {format}"));
        assert_eq!((run.status, run.stderr.matches(note).count()), (0, 1), "{format}: {}", run.stderr);
    }
    let run = server::Run::of("alerts add", shell.command("alerts add").arg("ordi holders > 5").output().unwrap());
    assert_eq!((run.status, run.stderr.as_str()), (0, note));
    let run = shell.run("alerts watch --for 2");
    assert_eq!((run.status, run.stderr.matches(note).count()), (0, 1), "{}", run.stderr);
    let run = shell.run("wallet --demo");
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
}

#[test]
fn dashboard_needs_a_terminal() {
    Shell::new().run("--demo").fails(2, "needs a terminal");
}

#[test]
#[cfg(unix)]
fn serve_prints_address_and_ends_on_sigterm() {
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
fn second_signal_ends_serve_at_once() {
    let shell = Shell::new();
    // The response would take longer than the ten seconds that a stopping service waits for it.
    let mut child = shell.command("serve --listen 127.0.0.1:0 --delay-ms 3600000").spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let address = address.trim_end().strip_prefix("http://").unwrap();
    let mut client = TcpStream::connect(address).unwrap();
    // A response that isn't delayed, so that the service has accepted the connection.
    client.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut healthy = BufReader::new(client.try_clone().unwrap());
    let mut line = String::new();
    while line != "ok\n" {
        line.clear();
        assert_ne!(healthy.read_line(&mut line).unwrap(), 0, "the connection is closed");
    }
    client.write_all(b"GET /coins HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let terminate = |child: &std::process::Child| {
        rustix::process::kill_process(rustix::process::Pid::from_child(child), rustix::process::Signal::TERM).unwrap();
    };
    terminate(&child);
    let started = Instant::now();
    while TcpStream::connect(address).is_ok() {
        assert!(started.elapsed() < TEST_TIMEOUT, "it still accepts connections");
        std::thread::yield_now();
    }
    assert!(child.try_wait().unwrap().is_none(), "a response is in progress");
    terminate(&child);
    let again = Instant::now();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(again.elapsed() < Duration::from_secs(5), "{:?}", again.elapsed());
}

#[test]
fn serve_responds_although_its_output_is_not_read() {
    let (reader, mut full) = std::io::pipe().unwrap();
    rustix::io::ioctl_fionbio(&full, true).unwrap();
    while full.write(b"x").is_ok() {}
    rustix::io::ioctl_fionbio(&full, false).unwrap();
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let shell = Shell::new();
    let mut serve = shell.command(&format!("serve --listen {address}")).stdout(full).spawn().unwrap();
    let deadline = Instant::now() + TEST_TIMEOUT;
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(error) => assert!(Instant::now() < deadline, "{error}"),
        }
        std::thread::yield_now();
    };
    stream.write_all(b"GET /coins?limit=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut response = String::new();
    stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 200"), "{response}");
    rustix::process::kill_process(rustix::process::Pid::from_child(&serve), rustix::process::Signal::TERM).unwrap();
    assert!(serve.wait().unwrap().success());
    drop(reader);
}
