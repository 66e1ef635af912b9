//! `--sort`, `--reverse` and `--filter` of `coins` and `stats`.

use serde_json::{Value, json};

use super::server::{Run, Server, Shell};

/// A market with four coins, of which the third has no known change.
fn market() -> Server {
    Server::start(|_| {
        let coin = |rank: u32, slug: &str, change: Value, cap: f64| {
            let quote = json!({"name": "USD", "price": 1, "percentChange24h": change, "marketCap": cap});
            json!({"id": rank, "cmcRank": rank, "name": slug, "symbol": slug, "slug": slug, "quotes": [quote]})
        };
        let list = [
            coin(1, "alpha", json!(5.5), 3e9),
            coin(2, "beta", json!(-2), 2e9),
            coin(3, "gamma", Value::Null, 1e9),
            coin(4, "delta", json!(9), 5e8),
        ];
        (200, json!({"data": {"cryptoCurrencyList": list, "totalCount": "4"}}).to_string())
    })
}

fn coins(shell: &Shell, options: &[&str]) -> Run {
    Run::of("coins", shell.command("coins").args(options).output().unwrap())
}

#[test]
fn fetched_coins_are_sorted_and_filtered() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("watchlist add beta").ok();
    for (options, slugs) in [
        (&["--sort", "24h"][..], "delta alpha beta gamma"),
        (&["--sort", "24H", "--reverse"][..], "beta alpha delta gamma"),
        (&["--sort", "name"][..], "alpha beta delta gamma"),
        (&["--reverse"][..], "delta gamma beta alpha"),
        (&["--filter", "24h > 5 and cap < 1b"][..], "delta"),
        (&["--filter", "not gainers"][..], "beta"),
        (&["--filter", "watched or cap = 1b", "--sort", "cap", "--reverse"][..], "gamma beta"),
        (&[][..], "alpha beta gamma delta"),
    ] {
        let whole = coins(&shell, options).ok().json();
        let rows = whole["data"].as_array().unwrap().iter().map(|coin| coin["slug"].as_str().unwrap());
        assert_eq!(rows.collect::<Vec<_>>().join(" "), slugs, "{options:?}");
    }
    let run = coins(&shell, &["--filter", "24h > 50", "--format", "table"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, "satscope: no matches among 4 coins\n"));
    assert_eq!(run.stdout, "", "no headings without rows");
}

#[test]
fn configured_symbols_are_watched_coins() {
    let server = market();
    let shell = Shell::on(&server);
    let directory = shell.home.path().join(".config/satscope");
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("config.toml"), "[wallet]\nsymbols = [\"GAMMA\"]\n").unwrap();
    for expected in ["gamma", "beta gamma"] {
        for command in ["coins", "stats"] {
            let found = shell.command(command).args(["--filter", "watched"]).output().unwrap();
            let whole = Run::of(command, found).ok().json();
            let rows = whole["data"].as_array().unwrap().iter().map(|coin| coin["slug"].as_str().unwrap());
            assert_eq!(rows.collect::<Vec<_>>().join(" "), expected, "{command}");
        }
        shell.run("watchlist add beta").ok();
    }
}

#[test]
fn limit_applies_after_sort_and_filter() {
    let server = market();
    let shell = Shell::on(&server);
    for (options, slugs) in [
        (&["--limit", "2", "--sort", "24h"][..], "delta alpha"),
        (&["--limit", "1", "--reverse"][..], "delta"),
        (&["--limit", "1", "--filter", "cap < 2b"][..], "gamma"),
        (&["--limit", "1", "--filter", "cap < 2b", "--sort", "cap", "--reverse"][..], "delta"),
        (&["--limit", "2"][..], "alpha beta"),
    ] {
        let whole = coins(&shell, options).ok().json();
        let rows = whole["data"].as_array().unwrap().iter().map(|coin| coin["slug"].as_str().unwrap());
        assert_eq!(rows.collect::<Vec<_>>().join(" "), slugs, "{options:?}");
    }
    let demo = Shell::new();
    let table = demo.run("--demo coins --limit 3 --sort 24h --format table");
    assert_eq!((table.status, table.stdout.lines().count()), (0, 4), "{}", table.stdout);
    assert!(table.stderr.starts_with("satscope: sorted 1,000 of 1,"), "{}", table.stderr);
    let sorted = demo.run("--demo coins --limit 3 --sort 24h").json();
    let warnings = sorted["warnings"].as_array().unwrap();
    assert!(warnings[0].as_str().unwrap().starts_with("sorted 1,000 of 1,"), "{warnings:?}");
    let csv = demo.run("--demo coins --limit 3 --sort 24h --format csv");
    assert!(csv.stderr.starts_with("satscope: sorted 1,000 of 1,"), "{}", csv.stderr);
    assert_eq!(demo.run("--demo coins --limit 3 --format table").ok().stderr, "");
}

#[test]
fn invalid_filter_or_column_is_refused_before_any_request() {
    let server = market();
    let shell = Shell::on(&server);
    let error = "invalid value '24h >' for '--filter <FILTER>': expected a number at character 6, found end of input";
    coins(&shell, &["--filter", "24h >"]).fails(2, error);
    coins(&shell, &["--filter", "cap > €5"]).fails(2, "is not in USD, the currency of the list");
    coins(&shell, &["--sort", "color"]).fails(2, "[possible values: rank, name, price, 1h, 24h, 7d, volume, cap,");
    assert_eq!(server.targets(), [""; 0]);
}

#[test]
fn stats_are_cut_after_they_are_sorted() {
    let server = market();
    let whole = Shell::on(&server).run("stats --sort 24h --limit 2").ok().json();
    let slugs: Vec<&Value> = whole["data"].as_array().unwrap().iter().map(|coin| &coin["slug"]).collect();
    assert_eq!(slugs, ["delta", "alpha"]);
}
