//! Addresses of the wallet: their list, labels and balances, and lots that name one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::cli::server::{Server, Shell};

pub(super) const COLD: &str = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";
pub(super) const HOT: &str = "bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj";

/// A service of both groups: ORDI is certainly the coin, two coins claim `twin`, and the hot address fails.
fn both() -> Server {
    Server::start(|target| {
        let coin = |id: u32, symbol: &str, ticker: &str| json!({"id": id, "cmcRank": id, "name": symbol, "symbol": symbol, "slug": format!("slug-{id}"), "brc20_ticker": ticker, "quotes": [{"name": "USD", "price": 0.1}]});
        if target.starts_with("/x/") {
            return (404, String::new());
        }
        if target.contains(HOT) {
            return (500, String::new());
        }
        let balance = |ticker: &str, overall: &str| json!({"ticker": ticker, "available_balance": overall, "transferrable_balance": "0", "overall_balance": overall});
        if target.contains(COLD) {
            let rows = [balance("ordi", "5.000000000000000001"), balance("twin", "2"), balance("mine", "3")];
            return (200, json!({"limit": 500, "offset": 0, "total": 3, "results": rows}).to_string());
        }
        let list = [coin(1, "ORDI", "ordi"), coin(2, "TWIN", "twin"), coin(3, "TWIN", "twin")];
        (200, json!({"data": {"cryptoCurrencyList": list, "totalCount": "3"}}).to_string())
    })
}

#[test]
fn balances_of_addresses_count_where_the_coin_is_certain() {
    let server = both();
    let shell = Shell::on(&server);
    let added = shell.run(&format!("wallet address add {COLD} --label cold")).ok().json();
    assert_eq!(added["data"]["addresses"][0]["label"], "cold");
    let whole = shell.run("wallet").ok().json();
    assert_eq!(added["data"], whole["data"]);
    let wallet = &whole["data"];
    assert_eq!(wallet["value"], "0.5000000000000000001");
    assert_eq!(wallet["unvalued"], json!(["twin", "mine"]));
    let address = &wallet["addresses"][0];
    assert_eq!((&address["address"], &address["btc"]), (&json!(COLD), &Value::Null));
    let ordi = json!({"ticker": "ordi", "overall": "5.000000000000000001", "available": "5.000000000000000001",
        "transferable": "0", "slug": "slug-1", "price": "0.1", "value": "0.5000000000000000001", "unvalued_because": null});
    assert_eq!(address["balances"][0], ordi);
    assert_eq!(address["balances"][1]["unvalued_because"], "several coins claim the ticker");
    assert_eq!(address["balances"][2]["unvalued_because"], "no known coin for the ticker");
    let table = shell.run("wallet --format table").ok().stdout;
    assert!(table.starts_with("USD 0.50 without twin, mine\n"), "{table}");
    let ordi = table.lines().find(|line| line.contains(" ordi ")).unwrap();
    assert!(ordi.contains(" 100% "), "the share in the total: {table}");
    let mine = table.lines().find(|line| line.contains(" mine ")).unwrap();
    assert!(mine.contains("cold") && mine.trim_end().ends_with("no known coin for the ticker"), "{table}");
    let csv = shell.run("wallet --format csv");
    let command = "satscope brc20 balances ADDRESS --format csv";
    assert!(csv.status == 0 && csv.stderr.contains("omits the balances of addresses (use --format json, or "));
    assert!(csv.stderr.contains(command), "{}", csv.stderr);

    // The balance gives the amount, and the lot the cost.
    shell.run(&format!("wallet add 4 slug-1 @ 0.05 --address {COLD}")).ok();
    let whole = shell.run("wallet").ok().json();
    let wallet = &whole["data"];
    let totals = ["value", "cost", "profit"].map(|name| wallet[name].as_str().unwrap());
    assert_eq!(totals, ["0.5000000000000000001", "0.2", "0.2"]);

    shell.run(&format!("wallet address remove {COLD}")).ok();
    assert_eq!(shell.run("wallet").ok().json()["data"]["addresses"], json!([]));
    shell.run(&format!("wallet address remove {COLD}")).fails(1, "unknown address");
}

#[test]
fn lot_counts_nothing_at_an_address_without_its_token() {
    for rest in [json!([]), json!([{"ticker": "zzzz", "overall_balance": "1"}])] {
        let rows = rest.as_array().unwrap().len();
        let list = json!({"limit": 500, "offset": 0, "total": rows, "results": rest});
        let server = Server::start(move |target| {
            if target.starts_with("/x/") {
                return (404, String::new());
            }
            if target.contains(COLD) {
                return (200, list.to_string());
            }
            let quote = json!({"name": "USD", "price": 10});
            let coin = json!({"id": 1, "cmcRank": 1, "name": "ORDI", "symbol": "ORDI", "slug": "ordi", "brc20_ticker": "ordi", "quotes": [quote]});
            (200, json!({"data": {"cryptoCurrencyList": [coin], "totalCount": "1"}}).to_string())
        });
        let shell = Shell::on(&server);
        shell.run(&format!("wallet address add {COLD} --label cold")).ok();
        shell.run("wallet add 400 ordi @ 5 cold 2025-01-01").ok();
        let run = shell.run("wallet --format json");
        assert_eq!(run.status, 0, "{}", run.stderr);
        let whole = run.json();
        let totals = ["value", "profit"].map(|name| whole["data"][name].clone());
        assert_eq!(totals, [json!("0"), json!("0")], "{whole}");
        let warnings = whole["warnings"].to_string();
        assert!(warnings.contains("cold: lots exceed the balance by 400 ORDI"), "{warnings}");
    }
}

#[test]
fn lot_and_alert_name_an_address_by_its_label() {
    let server = both();
    let shell = Shell::on(&server);
    shell.run(&format!("wallet address add {COLD} --label cold")).ok();
    shell.run("wallet add 4 slug-1 @ 0.05 2025-03-02 --address COLD --note dust").ok();
    shell.run("wallet add 1 slug-1 @ 0.05 cold 2025-03-02").ok();
    shell.run(&format!("wallet add 2 slug-1 {HOT} 2025-03-02")).ok();
    shell.run("wallet add 1 slug-1 cold --address cold").fails(2, "address given twice: in LOT and with --address");
    shell.run("wallet add 1 slug-1 --address warm").fails(2, "unknown address or label warm");
    let exported = shell.run("wallet export").ok().stdout;
    assert_eq!(exported.matches(COLD).count(), 2, "{exported}");
    let table = shell.run("wallet --format table").ok().stdout;
    let rows: Vec<&str> = table.lines().filter(|row| row.contains("2025-03-02")).collect();
    let head = table.lines().find(|line| line.starts_with("ID")).unwrap();
    assert_eq!(head.split_whitespace().skip(2).take(3).collect::<Vec<_>>(), ["Kind", "Address", "Symbol"], "{table}");
    for (row, (name, note)) in rows.iter().zip([("cold", "dust"), ("cold", "—"), ("bc1qxhmd…etdj", "—")]) {
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!((words[3], *words.last().unwrap()), (name, note), "{table}");
    }
    shell.run("wallet edit 3 --address cold").ok();
    assert_eq!(shell.run("wallet export").ok().stdout.matches(COLD).count(), 3);
    let json = shell.run("wallet").ok().json();
    assert_eq!((&json["data"]["lots"][0]["note"], &json["data"]["lots"][0]["address"]), (&json!("dust"), &json!(COLD)));
    let csv = shell.run("wallet --format csv").stdout;
    let mut records = csv::Reader::from_reader(csv.as_bytes());
    let column = records.headers().unwrap().iter().position(|name| name == "address").unwrap();
    assert!(records.records().all(|record| &record.unwrap()[column] == COLD), "{csv}");

    let taken = format!("{COLD} already has the label Cold");
    shell.run(&format!("wallet address add {HOT} --label Cold")).fails(1, &taken);
    let added = shell.run("alerts add cold receives").ok().json();
    assert_eq!(added["data"][0]["rule"], format!("{COLD} receives"));
    shell.run("alerts add warm receives").fails(2, "expected an address or its label before");
    let left = shell.run("wallet address remove COLD").ok().json();
    assert_eq!(left["data"]["addresses"], json!([]));
    shell.run("wallet address remove cold").fails(1, "no address has the label cold");
}

#[test]
fn bitcoin_of_addresses_counts() {
    let server = Server::start(|target| {
        if target == format!("/x/address/{COLD}") {
            return (200, json!({"address": COLD, "confirmed": 150_000_001, "unconfirmed": -50_000_000}).to_string());
        }
        if target.contains("/brc-20/") {
            return (200, json!({"limit": 500, "offset": 0, "total": 0, "results": []}).to_string());
        }
        let quote = json!({"name": "USD", "price": 60_000});
        let coin =
            json!({"id": 1, "cmcRank": 1, "name": "Bitcoin", "symbol": "BTC", "slug": "bitcoin", "quotes": [quote]});
        (200, json!({"data": {"cryptoCurrencyList": [coin], "totalCount": "1"}}).to_string())
    });
    let shell = Shell::on(&server);
    shell.run(&format!("wallet address add {COLD} --label cold")).ok();
    let whole = shell.run("wallet").ok().json();
    let wallet = &whole["data"];
    assert_eq!((&wallet["value"], &wallet["unvalued"]), (&json!("90000.0006"), &json!([])));
    let address = &wallet["addresses"][0];
    let btc = ["btc", "btc_unconfirmed", "btc_value"].map(|name| address[name].as_str().unwrap());
    assert_eq!(btc, ["1.50000001", "-0.5", "90000.0006"]);
    let table = shell.run("wallet --format table").ok().stdout;
    let row = table.lines().find(|line| line.contains("BTC")).unwrap();
    assert!(row.contains(" cold ") && row.trim_end().ends_with("-0.5 unconfirmed"), "{table}");
    assert!(row.contains(" 100% "), "the share in the total: {table}");
    // The balance gives the amount, and the lot the cost.
    shell.run(&format!("wallet add 1 bitcoin @ 50000 --address {COLD}")).ok();
    let whole = shell.run("wallet").ok().json();
    let totals = ["value", "cost", "profit"].map(|name| whole["data"][name].as_str().unwrap());
    assert_eq!(totals, ["90000.0006", "50000", "10000"]);
}

#[test]
fn note_of_a_balance_groups_digits_in_the_table_only() {
    let server = Server::start(|target| {
        if target.starts_with("/x/") {
            return (404, String::new());
        }
        if target.contains("/brc-20/") {
            let row = json!({"ticker": "mubi", "available_balance": "28629000", "transferrable_balance": "1145700.5", "overall_balance": "29774700.5"});
            return (200, json!({"limit": 500, "offset": 0, "total": 1, "results": [row]}).to_string());
        }
        let coin = json!({"id": 1, "cmcRank": 1, "name": "MUBI", "symbol": "MUBI", "slug": "mubi", "brc20_ticker": "mubi", "quotes": [{"name": "USD", "price": 0.1}]});
        (200, json!({"data": {"cryptoCurrencyList": [coin], "totalCount": "1"}}).to_string())
    });
    let shell = Shell::on(&server);
    let added = shell.run(&format!("wallet address add {COLD} --label cold")).ok().json();
    assert_eq!(added["data"]["addresses"][0]["balances"][0]["transferable"], "1145700.5");
    let table = shell.run("wallet --format table").ok().stdout;
    let row = table.lines().find(|line| line.contains(" mubi ")).unwrap();
    assert!(row.trim_end().ends_with("28,629,000 available, 1,145,700.5 transferable"), "{table}");
}

#[test]
fn failing_address_does_not_hide_the_others() {
    let server = both();
    let shell = Shell::on(&server);
    let added = shell.run(&format!("wallet address add {HOT} --label hot")).ok().json();
    assert!(added["warnings"].to_string().contains("skipped hot: "), "{added}");
    shell.run(&format!("wallet address add {COLD}")).ok();
    let run = shell.run("wallet");
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("skipped hot: "), "{}", run.stderr);
    let wallet = &run.json()["data"];
    assert_eq!(wallet["value"], "0.5000000000000000001");
    assert_eq!(wallet["unvalued"], json!(["hot", "twin", "mine"]));
    assert_eq!(wallet["addresses"][0]["balances"], json!([]));
    assert_eq!(wallet["addresses"][1]["balances"].as_array().unwrap().len(), 3);
    for format in ["table", "csv", "json"] {
        let run = shell.run(&format!("wallet --format {format}"));
        assert_eq!(run.stderr.matches("skipped hot: ").count(), 1, "{format}: {}", run.stderr);
    }
}

#[test]
fn rejected_address_does_not_hide_the_bitcoin_of_others() {
    for (status, is_first) in [(400, true), (400, false), (404, false), (405, false)] {
        let rejected = if is_first { COLD } else { HOT };
        let server = Server::start(move |target| {
            if target == format!("/x/address/{rejected}") {
                return (status, json!({"error": "invalid address"}).to_string());
            }
            if let Some(address) = target.strip_prefix("/x/address/") {
                return (200, json!({"address": address, "confirmed": 100_000_000, "unconfirmed": 0}).to_string());
            }
            if target.contains("/brc-20/") {
                return (200, json!({"limit": 500, "offset": 0, "total": 0, "results": []}).to_string());
            }
            let quote = json!({"name": "USD", "price": 60_000});
            let coin = json!({"id": 1, "cmcRank": 1, "name": "Bitcoin", "symbol": "BTC", "slug": "bitcoin", "quotes": [quote]});
            (200, json!({"data": {"cryptoCurrencyList": [coin], "totalCount": "1"}}).to_string())
        });
        let shell = Shell::on(&server);
        for (address, label) in [(COLD, "cold"), (HOT, "hot")] {
            shell.run(&format!("wallet address add {address} --label {label}"));
        }
        let run = shell.run("wallet");
        let whole = run.json();
        assert_eq!(whole["data"]["value"], "60000", "{status}, first: {is_first}");
        let name = if is_first { "cold" } else { "hot" };
        assert!(run.stderr.contains(&format!("skipped the BTC balance of {name}: ")), "{}", run.stderr);
    }
}

#[test]
fn invalid_address_is_refused() {
    let shell = Shell::new();
    for (address, reason) in [
        ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "checksum"),
        ("bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdx", "checksum"),
        ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "testnet address"),
        ("ordi", "is not a Bitcoin address"),
    ] {
        shell.run(&format!("wallet address add {address}")).fails(2, reason);
    }
    for label in [COLD, "eur", "2026-11-20"] {
        shell.run(&format!("wallet address add {HOT} --label {label}")).fails(2, "satscope: label can't be a");
    }
    shell.run("wallet add 1 ordi --address bc1q").fails(2, "unknown address or label bc1q");
    let upper = shell.run(&format!("--demo wallet address add {}", HOT.to_uppercase())).ok().json();
    assert_eq!(upper["data"]["addresses"][0]["address"], HOT);
    // An earlier version has saved it.
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    rusqlite::Connection::open(file).unwrap().execute("UPDATE address SET label = 'eur'", []).unwrap();
    let again = shell.run(&format!("--demo wallet address add {HOT} --label eur")).ok().json();
    assert_eq!(again["data"]["addresses"][0]["label"], "eur");
}

#[test]
fn addresses_are_listed_without_requests() {
    let server = both();
    let shell = Shell::on(&server);
    assert_eq!(shell.run("wallet address list").ok().json()["data"], json!([]));
    let run = shell.run("wallet address --format table");
    assert!(run.status == 0 && run.stderr.contains("no addresses (add one: "), "{}", run.stderr);
    shell.run(&format!("wallet address add {COLD} --label cold")).ok();
    let before = server.targets().len();
    let listed = shell.run("wallet address list").ok().json();
    assert_eq!((&listed["data"][0]["address"], &listed["data"][0]["label"]), (&json!(COLD), &json!("cold")));
    assert!(listed["data"][0]["added_at"].is_string(), "{listed}");
    let csv = shell.run("wallet address list --format csv").ok().stdout;
    assert!(csv.starts_with(&format!("address,label,added_at\n{COLD},cold,20")), "{csv}");
    let table = shell.run("wallet address --format table").ok().stdout;
    assert!(table.lines().nth(1).is_some_and(|row| row.starts_with("cold") && row.contains(COLD)), "{table}");
    assert_eq!(server.targets().len(), before);
}

#[test]
fn replaced_label_of_an_address_is_named() {
    let server = both();
    let shell = Shell::on(&server);
    shell.run(&format!("wallet address add {COLD} --label cold")).ok();
    for again in [format!("{COLD} --label cold"), COLD.to_owned()] {
        shell.run(&format!("wallet address add {again}")).ok();
    }
    let renamed = shell.run(&format!("wallet address add {COLD} --label vault"));
    assert_eq!((renamed.status, renamed.stderr.as_str()), (0, "satscope: renamed cold to vault\n"));
    assert_eq!(renamed.json()["data"]["addresses"][0]["label"], "vault");
    let removed = shell.command(&format!("wallet address add {COLD} --label")).arg("").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&removed.stderr), "satscope: removed the label vault\n");
}

#[test]
fn sale_leaves_the_place_that_it_names() {
    for (lots, value, cost, realised) in [
        (
            ["4 slug-1 @ 0.04 2025-01-01 cold", "4 slug-1 @ 0.03 2025-02-01", "sell 4 slug-1 @ 0.06 2025-03-01"],
            "0.5",
            "0.12",
            "0.08",
        ),
        (
            ["4 slug-1 @ 0.04 2025-01-01", "7 slug-1 @ 0.03 2025-02-01 cold", "sell 2 slug-1 @ 0.06 2025-03-01 cold"],
            "0.9",
            "0.29",
            "0.04",
        ),
    ] {
        let server = both();
        let shell = Shell::on(&server);
        shell.run(&format!("wallet address add {COLD} --label cold")).ok();
        for lot in lots {
            shell.run(&format!("wallet add {lot}")).ok();
        }
        let whole = shell.run("wallet").ok().json();
        let totals = ["value", "cost", "realised"].map(|name| whole["data"][name].as_str().unwrap());
        // The balance is 5.000000000000000001.
        assert_eq!(totals, [&format!("{value}000000000000000001"), cost, realised], "{lots:?}");
        let values = whole["data"]["lots"].as_array().unwrap().iter().filter_map(|lot| lot["value"].as_str());
        assert!(values.clone().count() > 0, "{whole}");
        assert!(!whole["warnings"].to_string().contains("exceed"), "{whole}");
    }
}

#[test]
fn excess_over_a_balance_is_removed_from_the_oldest_lot() {
    let server = both();
    let shell = Shell::on(&server);
    shell.run(&format!("wallet address add {COLD} --label cold")).ok();
    // Of the second lot, 3 are elsewhere and 5 at the address. The rest of the first one, also 3, exceeds its balance.
    for lot in ["8 slug-1 @ 0.05 2025-03-01 cold", "8 slug-1 @ 0.05 2025-03-02", "sell 5 slug-1 @ 0.1 2025-03-03"] {
        shell.run(&format!("wallet add {lot}")).ok();
    }
    let whole = shell.run("wallet").ok().json();
    let lots = &whole["data"]["lots"];
    assert!(whole["warnings"].to_string().contains("lots exceed the balance"), "{whole}");
    assert_eq!(lots[0]["remaining"], "0.000000000000000001", "{lots}");
    assert_eq!((&lots[1]["value"], &lots[1]["profit"]), (&json!("0.8"), &json!("0.4")), "{lots}");
}

/// A service of both groups without bitcoin. Of 450 coins, the last is the token `ordi` by its deploy inscription,
/// whose fall over 24 hours in percent is `fall`; of the others, every tenth has a ticker. An address has 2 `ordi`, 3
/// `t240` and a token that is not a coin.
pub(in crate::cli) fn many(fall: &Arc<AtomicU32>) -> Server {
    let fall = fall.clone();
    const DEPLOY: &str = "b61b0172d95e266c18aea0c624db987e971a5d6d4ebc2aaed85da4642d635735i0";
    Server::start(move |target| {
        let param = |name: &str| {
            let pairs = target.split(['?', '&']).filter_map(|pair| pair.split_once('='));
            pairs.into_iter().find(|(key, _)| *key == name).and_then(|(_, value)| value.parse::<usize>().ok())
        };
        if target.contains("/brc-20/balances/") {
            let balance = |(ticker, overall)| json!({"ticker": ticker, "available_balance": overall, "transferrable_balance": "0", "overall_balance": overall});
            let rows: Vec<Value> = [("ordi", "2"), ("t240", "3"), ("none", "4")].map(balance).to_vec();
            return (200, json!({"limit": 500, "offset": 0, "total": 3, "results": rows}).to_string());
        }
        if target.contains("/brc-20/tokens/ordi") {
            let token =
                json!({"id": DEPLOY, "number": 5, "ticker": "ordi", "max_supply": "21000000", "minted_supply": "1"});
            return (200, json!({"token": token, "supply": {}}).to_string());
        }
        if !target.starts_with("/coins") || target.contains("ids=") {
            return (404, String::new());
        }
        let coin = |id: usize| {
            let (symbol, contracts, fall) = match id {
                450 => (String::from("ORDI"), json!([DEPLOY]), fall.load(Ordering::SeqCst)),
                _ => (format!("T{id}"), json!([]), 0),
            };
            let ticker = (id.is_multiple_of(10) && id != 450).then(|| format!("t{id}"));
            let quote = json!({"price": 0.5, "volume_24h": 0.1, "percent_change_24h": -f64::from(fall)});
            json!({"id": id, "name": symbol, "symbol": symbol, "slug": format!("slug-{id}"), "brc20_ticker": ticker,
                "contract_address": contracts, "quote": {"USD": quote}})
        };
        let (start, limit) = (param("start").unwrap_or(1), param("limit").unwrap_or(100));
        let coins: Vec<Value> = (start..=450).take(limit).map(coin).collect();
        (200, json!({"data": coins, "status": {"error_code": 0, "total_count": 450}}).to_string())
    })
}

#[test]
fn token_is_found_by_its_deploy_inscription_on_any_page_of_the_list() {
    let server = many(&Arc::default());
    let shell = Shell::on(&server);
    shell.run(&format!("wallet address add {COLD} --label cold")).ok();
    let before = server.targets().len();
    let whole = shell.run("wallet").ok().json();
    let pages: Vec<String> = server.targets().split_off(before);
    let pages: Vec<&str> = pages.iter().filter_map(|target| target.split("start=").nth(1)?.split('&').next()).collect();
    assert_eq!(pages, ["1", "201", "401", "451"], "each page once");
    assert_eq!((&whole["data"]["value"], &whole["data"]["unvalued"]), (&json!("2.5"), &json!(["none"])));
    let balances = whole["data"]["addresses"][0]["balances"].as_array().unwrap();
    assert_eq!((&balances[0]["slug"], &balances[1]["slug"]), (&json!("slug-450"), &json!("slug-240")));
    let table = shell.run("wallet --format table").ok().stdout;
    for part in ["low volume: ORDI, T240", "no known coin for the ticker"] {
        assert!(table.contains(part), "{part}: {table}");
    }
}

#[test]
fn token_whose_details_fail_does_not_affect_others() {
    let deploy = |letter: &str| format!("{}i0", letter.repeat(64));
    let server = Server::start(move |target| {
        if target.contains("/brc-20/balances/") {
            let rows = ["abcd", "ordi"].map(|ticker| json!({"ticker": ticker, "overall_balance": "3"}));
            return (200, json!({"limit": 500, "offset": 0, "total": 2, "results": rows}).to_string());
        }
        if target.contains("/brc-20/tokens/ordi") {
            let token = json!({"id": deploy("b"), "number": 5, "ticker": "ordi", "max_supply": "21000000", "minted_supply": "1"});
            return (200, json!({"token": token, "supply": {}}).to_string());
        }
        if target.contains("/brc-20/tokens/") {
            return (500, String::new());
        }
        if !target.starts_with("/coins") || target.contains("ids=") {
            return (404, String::new());
        }
        let coin = |id: u32, symbol: &str, letter: &str| {
            json!({"id": id, "name": symbol, "symbol": symbol, "slug": format!("slug-{id}"), "brc20_ticker": null,
                "contract_address": [deploy(letter)], "quote": {"USD": {"price": 0.5, "volume_24h": 0.1}}})
        };
        let coins = [coin(1, "ABCD", "a"), coin(2, "ORDI", "b")];
        (200, json!({"data": coins, "status": {"error_code": 0, "total_count": 2}}).to_string())
    });
    let shell = Shell::on(&server);
    shell.run(&format!("wallet address add {COLD} --label cold"));
    let whole = shell.run("wallet").json();
    assert_eq!((&whole["data"]["value"], &whole["data"]["unvalued"]), (&json!("1.5"), &json!(["abcd"])), "{whole}");
    assert!(whole["warnings"].to_string().contains("no details of abcd: "), "{whole}");
}

#[test]
fn balances_that_are_not_loaded_are_named() {
    let server = Server::start(|target| {
        if target.starts_with("/x/") {
            return (404, String::new());
        }
        if target.contains(COLD) {
            let rows = [json!({"ticker": "ordi", "overall_balance": "1.5"})];
            return (200, json!({"total": 300, "results": rows}).to_string());
        }
        let quote = json!({"name": "USD", "price": 10});
        let coin = json!({"id": 1, "cmcRank": 1, "name": "ORDI", "symbol": "ORDI", "slug": "ordi", "brc20_ticker": "ordi", "quotes": [quote]});
        (200, json!({"data": {"cryptoCurrencyList": [coin], "totalCount": "1"}}).to_string())
    });
    let shell = Shell::on(&server);
    shell.run(&format!("wallet address add {COLD} --label cold")).ok();
    let whole = shell.run("wallet --format json").ok().json();
    assert_eq!((&whole["data"]["value"], &whole["data"]["unvalued"]), (&json!("15"), &json!(["cold"])), "{whole}");
    let warnings = whole["warnings"].to_string();
    assert!(warnings.contains("the value excludes 299 balances of cold (not loaded)"), "{warnings}");
    let table = shell.run("wallet --format table").stdout;
    assert!(table.starts_with("USD 15.00 without cold\n"), "{table}");
}
