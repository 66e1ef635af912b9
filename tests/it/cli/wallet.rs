//! `satscope wallet`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::server::{Server, Shell};

/// A market with two coins: ORDI rose by 25% in a day, SATS has no known change.
fn market() -> Server {
    Server::start(|_| {
        let coin = |id: u32, symbol: &str, slug: &str, quote: Value| json!({"id": id, "cmcRank": id, "name": symbol, "symbol": symbol, "slug": slug, "quotes": [quote]});
        let ordi = json!({"name": "USD", "price": 0.1, "percentChange24h": 25});
        let sats = json!({"name": "USD", "price": 7.34e-7});
        let list = [coin(1, "ORDI", "ordi", ordi), coin(2, "SATS", "sats-ordinals", sats)];
        (200, json!({"data": {"cryptoCurrencyList": list, "totalCount": "2"}}).to_string())
    })
}

#[test]
fn wallet_is_exact_to_the_last_digit() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 3 ordi @ 0.05 2025-03-02").ok();
    shell.run("wallet add 0.000000000000000001 ordi @ 3 2025-03-03 --note dust").ok();
    shell.run("wallet add sell 1 ordi @ 0.2 fee 0.01 2025-03-04").ok();
    shell.run("wallet add receive 15300000000000.000000000000000001 sats").ok();
    let whole = shell.run("wallet").ok().json();
    let wallet = &whole["data"];
    assert_eq!(wallet["convert"], "USD");
    // 2.000000000000000001 * 0.1 + 15300000000000.000000000000000001 * 0.000000734
    assert_eq!(wallet["value"], "11230200.200000000000000000100000734");
    assert_eq!(wallet["cost"], "0.100000000000000003");
    assert_eq!(wallet["profit"], "0.0999999999999999971");
    assert_eq!(wallet["realised"], "0.14");
    // A fifth of the value of ORDI; the change of SATS is unknown.
    assert_eq!(wallet["day_change"], "0.0400000000000000001");
    assert_eq!(wallet["unvalued"], json!([]));
    let lots = wallet["lots"].as_array().unwrap();
    let ids: Vec<i64> = lots.iter().map(|lot| lot["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [1, 2, 3, 4]);
    let keys: Vec<&String> = lots[0].as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 15, "{keys:?}");
    assert_eq!(lots[0]["value"], "0.2", "two are left of the first lot");
    assert_eq!((&lots[1]["note"], &lots[1]["amount"]), (&json!("dust"), &json!("0.000000000000000001")));
    assert_eq!((&lots[2]["value"], &lots[2]["profit"]), (&Value::Null, &json!("0.14")));
    assert_eq!(lots[3]["price"], "0.000000734");
    assert_eq!(lots[3]["profit"], Value::Null, "its cost is unknown");
}

#[test]
fn lot_is_edited_and_removed_by_its_number() {
    let server = market();
    let shell = Shell::on(&server);
    let added = shell.run("wallet add 2*0.25 ORDI @@ 50 --date 2025-03-02 --fee 1").ok().json();
    assert_eq!(added["data"]["lots"][0]["unit_price"], "100");
    let edited = shell.run("wallet edit 1 --kind receive --amount 1 --price 7 --note gift").ok().json();
    let lot = &edited["data"]["lots"][0];
    let fields = ["kind", "amount", "unit_price", "fee", "note", "date"].map(|name| lot[name].as_str().unwrap());
    assert_eq!(fields, ["receive", "1", "7", "1", "gift", "2025-03-02"]);
    shell.run("wallet add 1 ordi").ok();
    shell.run("wallet remove 2").ok();
    let third = shell.run("wallet add 1 ordi").ok().json();
    let ids: Vec<&Value> = third["data"]["lots"].as_array().unwrap().iter().map(|lot| &lot["id"]).collect();
    assert_eq!(ids, [1, 3], "the number of a removed lot is not used again");
    let csv = shell.run("wallet --format csv").ok().stdout;
    assert!(csv.starts_with("id,kind,slug,symbol,amount,unit_price,"), "{csv}");
    let table = shell.run("wallet --format table").ok().stdout;
    assert!(table.starts_with("USD 0.20 · 24h +0.04 (+25.0%)"), "{table}");
}

#[test]
fn wrong_lot_changes_nothing() {
    let server = market();
    let shell = Shell::on(&server);
    for (command, status, reason) in [
        ("wallet add", 2, "LOT"),
        ("wallet add 5 ordi @ 14 --total 7", 2, "price given twice: in the lot and with --total"),
        ("wallet add 10 ordi @ 14 @@ 150", 2, "price given twice"),
        ("wallet add 500", 2, "expected a coin after the amount"),
        ("wallet add ordi 500", 2, "expected an amount before ordi, such as 500 ordi"),
        ("wallet address remove foo", 1, "no address has the label foo (list addresses: satscope wallet address)"),
        ("wallet add 1,500 ordi", 2, "ambiguous number 1,500 (expected 1500 or 1.500)"),
        ("wallet add 1 ordi @ 1 2999-01-01", 2, "2999-01-01 is in the future"),
        ("wallet add 1 ordi --date soon", 2, "invalid date soon"),
        ("wallet add 1 ordi 2009-01-02", 2, "2009-01-02 is before the first block (2009-01-03)"),
        ("wallet add 1 ordi --date 1999-01-01", 2, "1999-01-01 is before the first block"),
        ("wallet add 1e3 ordi", 2, "not a number: 1e3"),
        ("wallet add 500 ordi @ -3", 2, "a price or fee can't be negative: -3"),
        ("wallet add 1 ordi --kind gift", 2, "possible values: buy, sell, receive, send"),
        ("wallet add 1 no-such-coin", 1, "unknown slug no-such-coin"),
        ("wallet edit 7", 2, "nothing to change"),
        ("wallet edit x --amount 1", 2, "not the ID of a lot, such as 3"),
        ("wallet edit 7 --currency ZZZ", 2, "not a currency code such as EUR"),
        ("wallet edit 7 --currency sats", 2, "not a currency code (the currency is SAT; SATS is a token)"),
        ("wallet edit 7 --amount 1", 1, "unknown lot 7"),
        ("wallet remove 7", 1, "unknown lot 7"),
    ] {
        shell.run(command).fails(status, reason);
    }
    assert_eq!(shell.run("wallet").ok().json()["data"]["lots"], json!([]));
}

#[test]
fn holdings_without_price_or_rate_are_omitted_and_named() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 2 ordi @ 0.05").ok();
    shell.run("wallet add 2 ordi @ 0.04 eur 2025-03-02").ok();
    let whole = shell.run("wallet").ok().json();
    assert_eq!((&whole["data"]["value"], &whole["data"]["cost"]), (&json!("0.4"), &json!("0.1")));
    let warnings = whole["warnings"].to_string();
    assert!(warnings.contains("lot 2: no EUR/USD rate for 2025-03-02"), "{warnings}");

    let failing = Server::start(|_| (503, String::new()));
    let run = shell.run(&format!("wallet --base-url {} --format json", failing.url));
    assert_eq!(run.status, 1);
    let wallet = &run.json()["data"];
    assert_eq!((&wallet["value"], &wallet["unvalued"]), (&Value::Null, &json!(["ORDI"])));
    assert_eq!(wallet["lots"].as_array().unwrap().len(), 2);
}

#[test]
fn export_is_imported_unchanged() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 0.000000000000000001 ordi @ 3.000000000000000000001 eur 2025-03-02 fee 0.01").ok();
    shell.run("wallet add sell 3 sats-ordinals @@ 1 2025-03-03 --note '=HYPERLINK(1),x").ok();
    shell.run("wallet add receive 7 ordi --address 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa --note =1").ok();
    let json = shell.run("wallet export --format json").ok().stdout;
    let exported = shell.run("wallet export").ok().stdout;
    assert!(exported.starts_with("kind,slug,symbol,coin_id,amount,unit_price,total_price,"), "{exported}");
    let file = shell.home.path().join("lots.csv");
    std::fs::write(&file, &exported).unwrap();

    let other = Shell::on(&server);
    let import = format!("wallet import {} --yes", file.display());
    let run = other.run(&import);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.json()["data"]["lots"].as_array().unwrap().len(), 3);
    assert!(run.stderr.contains("3 new lots in ") && run.stderr.contains("line 2: buy 0.000000000000000001 ordi @"));
    assert_eq!(other.run("wallet export").ok().stdout, exported);
    let again = other.run(&import);
    assert_eq!((again.status, again.json()["data"]["lots"].as_array().unwrap().len()), (0, 3));
    assert!(again.stderr.contains("skipped 3 lots already in the wallet"), "{}", again.stderr);
    assert_eq!(other.run("wallet export").ok().stdout, exported);

    let other = Shell::on(&server);
    std::fs::write(&file, json).unwrap();
    let run = other.run(&import);
    assert!(run.status == 0 && run.stderr.contains("lot 1: buy 0.000000000000000001 ordi @"), "{}", run.stderr);
    assert_eq!(other.run("wallet export").ok().stdout, exported);

    // The newest lot was entered first, and of the others, which are of one day, the sale is the second.
    let shell = Shell::on(&server);
    for lot in ["1 sats-ordinals @ 1 2026-03-01", "buy 10 ordi @ 5 2025-03-01", "sell 10 ordi @ 6 2025-03-01"] {
        shell.run(&format!("wallet add {lot}")).ok();
    }
    for export in ["wallet export", "wallet --format csv"] {
        std::fs::write(&file, shell.run(export).ok().stdout).unwrap();
        let other = Shell::on(&server);
        let wallet = other.run(&import).json();
        assert_eq!(wallet["data"]["realised"], "10", "{export}: {wallet}");
        assert_eq!(other.run("wallet export").ok().stdout, shell.run("wallet export").ok().stdout, "{export}");
    }
}

#[test]
fn import_of_a_bad_file_adds_nothing() {
    let server = Server::start(|_| {
        let coin = |id: u32, symbol: &str, slug: &str| json!({"id": id, "cmcRank": id, "name": symbol, "symbol": symbol, "slug": slug, "quotes": [{"name": "USD", "price": 1}]});
        let list = [coin(1, "ORDI", "ordi"), coin(2, "PEPE", "pepe-a"), coin(3, "PEPE", "pepe-b")];
        (200, json!({"data": {"cryptoCurrencyList": list, "totalCount": "3"}}).to_string())
    });
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {}", file.display());
    shell.run(&format!("{import} --yes")).fails(1, "can't import");
    std::fs::write(&file, "symbol,amount\nORDI,1\nPEPE,2\nNOPE,3\n").unwrap();
    let run = shell.run(&format!("{import} --yes"));
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("line 3: PEPE is ambiguous: pepe-a or pepe-b (use the slug)"), "{}", run.stderr);
    assert!(run.stderr.contains("line 4: no coin has the slug or symbol NOPE"), "{}", run.stderr);
    assert!(run.stderr.contains("nothing imported: 2 invalid lines"), "{}", run.stderr);
    std::fs::write(&file, "symbol,amount\nORDI,1\nORDI,1,500\nordi,\"1,500\"\n").unwrap();
    let run = shell.run(&format!("{import} --yes"));
    assert!(run.stderr.contains("line 3: 3 cells, but 2 columns"), "{}", run.stderr);
    assert!(run.stderr.contains("line 4: ambiguous number 1,500 (expected 1500 or 1.500)"), "{}", run.stderr);
    for end in ["", "\n"] {
        std::fs::write(&file, format!("amount,symbol,date\n1,ORDI,1990-01-01\n8,\"ORDI,2025-03-02{end}")).unwrap();
        let run = shell.run(&format!("{import} --yes"));
        assert!(run.stderr.contains("line 2: 1990-01-01 is before the first block"), "{}", run.stderr);
        assert!(run.stderr.contains("line 3: unclosed quote"), "{}", run.stderr);
    }
    std::fs::write(&file, "when,what\n1,2\n").unwrap();
    shell.run(&format!("{import} --yes")).fails(1, "unknown columns (when, what)");
    assert_eq!(shell.run("wallet").ok().json()["data"]["lots"], json!([]));
}

#[test]
fn import_reports_all_bad_lines_at_once() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {} --yes", file.display());
    let lines = "kind,slug,amount,unit_price,currency,date\nbuy,nosuch,5,3,EUR,2025-03-02\nbuy,ordi,abc,3,EUR,2025-03-02\n\
                 buy,ordi,5,3,EUR\nbuy,ordi,5,3,EUR,2025-03-02\n";
    std::fs::write(&file, lines).unwrap();
    let run = shell.run(&import);
    for line in [
        "line 2: no coin has the slug or symbol nosuch",
        "line 3: not a number: abc",
        "line 4: 5 cells, but 6 columns",
        "nothing imported: 3 invalid lines",
    ] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
    // Without a list of coins, the other bad lines are still reported.
    let failing = Server::start(|_| (503, String::new()));
    let run = shell.run(&format!("{import} --base-url {}", failing.url));
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("line 3: not a number: abc"), "{}", run.stderr);
    assert!(run.stderr.contains("2 invalid lines:\n"), "{}", run.stderr);
    assert_eq!(shell.run("wallet").ok().json()["data"]["lots"], json!([]));
}

#[test]
fn import_of_bad_json_adds_nothing() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.json");
    let import = format!("wallet import {} --yes", file.display());
    let lot = |amount: Value, currency: &str| json!({"slug": "ordi", "amount": amount, "currency": currency});
    let lots = json!({"data": [lot(json!("1"), "EUR"), lot(json!(2), "EUR"), lot(json!("3"), "sats")]});
    std::fs::write(&file, lots.to_string()).unwrap();
    let run = shell.run(&import);
    for line in [
        "lot 2: amount is not a string",
        "lot 3: sats is not a currency code (the currency is SAT; SATS is a token)",
        "nothing imported: 2 invalid lots",
    ] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
    for (content, reason) in [
        ("{\"data\": [", "expected the JSON of satscope wallet export ("),
        ("{\"data\": {\"lots\": []}}", "expected the JSON of satscope wallet export ("),
        ("{\"data\": [{\"amount\": \"1\", \"coin\": \"ordi\"}]}", "unknown column coin; known: kind, "),
    ] {
        std::fs::write(&file, content).unwrap();
        shell.run(&import).fails(1, reason);
    }
    assert_eq!(shell.run("wallet").ok().json()["data"]["lots"], json!([]));
}

#[test]
fn import_refuses_names_of_different_coins() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {} --yes", file.display());
    let lines = "slug,symbol,coin_id,amount,date\nsats-ordinals,ORDI,1,1,2025-03-02\nordi,SATS,2,2,2025-03-02\n\
                 nosuch,ORDI,1,3,2025-03-02\nordi,ORDI,,4,2025-03-02\nordi,SATS,,5,2025-03-02\n";
    std::fs::write(&file, lines).unwrap();
    let run = shell.run(&import);
    for line in [
        "line 2: sats-ordinals is the slug of SATS, not of ORDI",
        "line 4: ORDI with coin_id 1 has the slug ordi, not nosuch",
        "lines 3, 6: ordi is the slug of ORDI, not of SATS",
        "nothing imported: 4 invalid lines",
    ] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
    // The id of another service, and a coin that isn't listed.
    let lines = "slug,symbol,coin_id,amount,date\nordi,ORDI,999,1,2025-03-02\ngone,GONE,1,2,2025-03-02\n";
    std::fs::write(&file, lines).unwrap();
    assert_eq!(shell.run(&import).status, 0);
    let exported = shell.run("wallet export").ok().stdout;
    assert!(exported.contains(",ordi,ORDI,1,1,") && exported.contains(",gone,GONE,1,2,"), "{exported}");
    // Known coins are imported without a list of coins, too.
    let failing = Server::start(|_| (503, String::new()));
    let run = Shell::on(&failing).run(&import);
    assert!(run.status == 0 && run.stderr.contains("coins not checked: "), "{}", run.stderr);
}

/// A file of CoinTracking with a dead token, a mistyped amount and sales.
const WITH_INVALID_LINES: &str = "Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Date\n\
    Trade,5,ORDI,10,EUR,,,2025-03-01\n\
    Trade,7,DEAD,1,ORDI,,,2025-03-02\n\
    Trade,2,SATS,9,DEAD,,,2025-03-03\n\
    Trade,x,SATS,9,EUR,,,2025-03-04\n\
    Trade,9,EUR,2,SATS,,,2025-03-05\n\
    Trade,9,EUR,2,ORDI,,,2025-03-06\n\
    Deposit,9,EUR,,,,,2025-03-06\n";

#[test]
fn import_without_invalid_lines_is_an_option() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    std::fs::write(&file, WITH_INVALID_LINES).unwrap();
    let import = format!("wallet import {}", file.display());
    let listed = [
        "2 new lots in ",
        "satscope: 3 invalid lines:\n",
        "satscope: lines 3, 4: no coin has the slug or symbol DEAD\n",
        "satscope: line 5: not a number: x",
        "satscope: lines 3, 4: whole trades are skipped\n",
        "satscope: line 6: also skipped: sells SATS that invalid lines bought\n",
        "satscope: skipped line 8: no coin\n",
    ];
    for (options, status, end) in [
        ("", 1, "nothing imported: 3 invalid lines (--skip-invalid imports 2 lots)\n"),
        ("--yes", 1, "nothing imported: 3 invalid lines (--skip-invalid imports 2 lots)\n"),
        ("--skip-invalid", 2, "nothing imported: pass --yes to import 2 lots without a terminal\n"),
    ] {
        let run = shell.run(&format!("{import} {options}"));
        assert_eq!((run.status, run.stdout.as_str()), (status, ""), "{options}: {}", run.stderr);
        for line in listed.into_iter().chain([end]) {
            assert!(run.stderr.contains(line), "{options}: {line}: {}", run.stderr);
        }
        assert_eq!(shell.run("wallet").ok().json()["data"]["lots"], json!([]));
    }
    let run = shell.run(&format!("{import} --yes --skip-invalid"));
    assert_eq!((run.status, run.json()["data"]["lots"].as_array().unwrap().len()), (0, 2), "{}", run.stderr);
    // Once corrected, the file adds the other lots.
    std::fs::write(&file, WITH_INVALID_LINES.replace("x,SATS", "4,SATS")).unwrap();
    let run = shell.run(&format!("{import} --yes --skip-invalid"));
    assert_eq!((run.status, run.json()["data"]["lots"].as_array().unwrap().len()), (0, 4), "{}", run.stderr);
    let again = shell.run(&format!("{import} --yes --skip-invalid"));
    assert!(again.status == 0 && again.stderr.contains("satscope: nothing imported\n"), "{}", again.stderr);
}

#[test]
fn import_in_a_pipe_shows_everything_and_imports_nothing() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    std::fs::write(&file, "symbol,amount,date\nORDI,1.5,2025-03-02\n").unwrap();
    let run = shell.run(&format!("wallet import {}", file.display()));
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    for line in [
        "1 new lot in ",
        "line 2: buy 1.5 ordi 2025-03-02 (no price)\n",
        "pass --yes to import 1 lot without a terminal\n",
    ] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
    assert_eq!(shell.run("wallet").ok().json()["data"]["lots"], json!([]));
}

#[test]
fn lines_after_an_open_quote_are_never_skipped() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    std::fs::write(&file, "symbol,amount,note\nORDI,1,\nORDI,1,\"a\nORDI,2,b\n").unwrap();
    let run = shell.run(&format!("wallet import {} --yes --skip-invalid", file.display()));
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    let reason = "nothing imported: 1 invalid line (lines after an open quote are unknown)";
    assert!(run.stderr.contains(reason), "{}", run.stderr);
}

#[test]
fn import_asks_once_on_a_terminal() {
    use crate::support::session::Session;
    let server = market();
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("lots.csv"), "symbol,amount,date\nORDI,1.5,2025-03-02\nNOPE,1,2025-03-02\n")
        .unwrap();
    for (key, count) in [("n\r", 0), ("y\r", 1)] {
        let mut command = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
        command.args(["wallet", "import", "lots.csv", "--base-url", &server.url]);
        let mut session = Session::start_in(home.path(), (120, 35), command, &[]);
        session.until_text("buy 1.5 ordi 2025-03-02");
        session.until_text("line 3: no coin has the slug or symbol NOPE");
        session.until_text("Import 1 of 2 lots? [y/N]");
        session.press(key);
        assert_eq!(session.wait().0, 0);
        let mut list = portable_pty::CommandBuilder::new(env!("CARGO_BIN_EXE_satscope"));
        list.args(["wallet", "export"]);
        let (status, rows) = Session::start_in(home.path(), (120, 35), list, &[]).wait();
        assert_eq!(status, 0);
        assert_eq!(rows.lines().filter(|row| row.starts_with("buy,ordi,ORDI")).count(), count, "{rows}");
    }
}

const COLD: &str = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa";
const HOT: &str = "bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj";

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
    assert!(table.starts_with("USD 0.50 without twin, mine") && table.contains("cold"), "{table}");
    let csv = shell.run("wallet --format csv");
    assert!(csv.status == 0 && csv.stderr.contains("the CSV omits addresses and their balances"), "{}", csv.stderr);

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
    shell.run("wallet add 1 slug-1 cold --address cold").fails(2, "address given twice: in the lot and with --address");
    shell.run("wallet add 1 slug-1 --address warm").fails(2, "unknown address or label warm");
    let exported = shell.run("wallet export").ok().stdout;
    assert_eq!(exported.matches(COLD).count(), 2, "{exported}");
    let table = shell.run("wallet --format table").ok().stdout;
    let rows: Vec<&str> = table.lines().filter(|row| row.contains("2025-03-02")).collect();
    for (row, note) in rows.iter().zip(["cold, dust", "cold", "bc1qxhmd…etdj"]) {
        assert!(row.trim_end().ends_with(note), "{note}: {table}");
    }
    shell.run("wallet edit 3 --address cold").ok();
    assert_eq!(shell.run("wallet export").ok().stdout.matches(COLD).count(), 3);
    let json = shell.run("wallet").ok().json();
    assert_eq!(json["data"]["lots"][0]["note"], "dust");

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
    assert!(table.contains("BTC") && table.contains("cold, -0.5 unconfirmed"), "{table}");
    // The balance gives the amount, and the lot the cost.
    shell.run(&format!("wallet add 1 bitcoin @ 50000 --address {COLD}")).ok();
    let whole = shell.run("wallet").ok().json();
    let totals = ["value", "cost", "profit"].map(|name| whole["data"][name].as_str().unwrap());
    assert_eq!(totals, ["90000.0006", "50000", "10000"]);
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
}

#[test]
fn invalid_address_is_refused() {
    let shell = Shell::new();
    for (address, reason) in [
        ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "checksum"),
        ("bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdx", "checksum"),
        ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "test network"),
        ("ordi", "is not a Bitcoin address"),
    ] {
        shell.run(&format!("wallet address add {address}")).fails(2, reason);
    }
    shell.run("wallet add 1 ordi --address bc1q").fails(2, "unknown address or label bc1q");
    let upper = shell.run(&format!("--demo wallet address add {}", HOT.to_uppercase())).ok().json();
    assert_eq!(upper["data"]["addresses"][0]["address"], HOT);
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
fn newest_first_file_is_imported_in_reverse() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("newest-first.csv");
    let trades = "kind,slug,amount,unit_price,currency,date\nbuy,ordi,1,1,USD,2025-03-05\n\
                  sell,ordi,1,3,USD,2025-03-04\nbuy,ordi,1,2,USD,2025-03-04\n";
    std::fs::write(&file, trades).unwrap();
    assert_eq!(shell.run(&format!("wallet import {} --yes", file.display())).status, 0);
    let whole = shell.run("wallet").ok().json();
    assert_eq!((&whole["data"]["realised"], &whole["warnings"]), (&json!("1"), &json!([])));
}

#[test]
fn trades_of_one_day_keep_their_order_in_time() {
    let server = market();
    let header = "\"Type\",\"Buy\",\"Cur.\",\"Sell\",\"Cur.\",\"Fee\",\"Cur.\",\"Date\"\n";
    let bought = "Trade,1,ORDI,2,USD,,,2025-03-04 08:00:00\n";
    let sold = "Trade,3,USD,1,ORDI,,,2025-03-04 09:30:00\n";
    for rows in [format!("{sold}{bought}"), format!("{bought}{sold}")] {
        let shell = Shell::on(&server);
        let file = shell.home.path().join("trades.csv");
        std::fs::write(&file, format!("{header}{rows}")).unwrap();
        let run = shell.run(&format!("wallet import {} --yes", file.display()));
        assert_eq!(run.status, 0, "{}", run.stderr);
        let whole = shell.run("wallet").ok().json();
        assert_eq!((&whole["data"]["realised"], &whole["warnings"]), (&json!("1"), &json!([])), "{rows}");
    }
}

#[test]
fn file_without_dates_does_not_double_holdings_on_another_day() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("cointop.csv");
    let import = format!("wallet import {} --yes", file.display());
    std::fs::write(&file, "name,symbol,price,holdings,balance\nOrdi,ORDI,1,5,5\n").unwrap();
    assert_eq!(shell.run(&import).status, 0);
    shell.run("wallet edit 1 --date 2025-03-02").ok();
    let again = shell.run(&import);
    assert!(again.stderr.contains("skipped 1 lot already in the wallet"), "{}", again.stderr);
    std::fs::write(&file, "name,symbol,price,holdings,balance\nOrdi,ORDI,1,6,6\n").unwrap();
    let more = shell.run(&import);
    assert!(more.stderr.contains("line 2: the wallet already holds 5 ORDI, and this adds to it"), "{}", more.stderr);
}

#[test]
fn file_without_currencies_does_not_double_holdings_in_another_currency() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("cointop.csv");
    std::fs::write(&file, "name,symbol,price,holdings,balance\nOrdi,ORDI,1,5,5\n").unwrap();
    assert_eq!(shell.run(&format!("wallet import {} --yes", file.display())).status, 0);
    let again = shell.run(&format!("wallet import {} --yes --convert EUR", file.display()));
    assert!(again.stderr.contains("skipped 1 lot already in the wallet"), "{}", again.stderr);
    // A price makes the currency matter.
    let priced = shell.home.path().join("own.csv");
    std::fs::write(&priced, "kind,slug,amount,unit_price,currency,date\nbuy,ordi,2,3,USD,2025-03-02\n").unwrap();
    assert_eq!(shell.run(&format!("wallet import {} --yes", priced.display())).status, 0);
    std::fs::write(&priced, "kind,slug,amount,unit_price,currency,date\nbuy,ordi,2,3,EUR,2025-03-02\n").unwrap();
    let other = shell.run(&format!("wallet import {} --yes", priced.display()));
    assert!(!other.stderr.contains("skipped"), "{}", other.stderr);
}

#[test]
fn import_names_lines_that_it_skips_or_completes() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {} --yes --convert EUR", file.display());
    let lines = "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Deleted\n\
                 2025-03-01,,,100,EUR,,,false\n2025-03-02,,,5,ORDI,,,true\n2025-03-03,,,100,EUR,,,false\n\
                 2025-03-04,1,ORDI,1,ORDI,,,false\n2025-03-05,,,5,ORDI,,,false\n2025-03-06,,,5,ORDI,,,TRUE\n";
    std::fs::write(&file, lines).unwrap();
    let run = shell.run(&import);
    for line in [
        "skipped lines 2, 4: no coin\n",
        "skipped line 5: between your own wallets\n",
        "skipped lines 3, 7: deleted in Koinly\n",
    ] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
    std::fs::write(&file, "symbol,amount,price,currency,date\nORDI,1,2,EUR,\nORDI,2,2,,2025-03-02\nORDI,3,,,\n")
        .unwrap();
    let run = shell.run(&import);
    for line in ["no date in lines 2, 4: dated today (20", "no currency in line 3: taken as EUR\n"] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
    assert_eq!(shell.run("wallet").ok().json()["data"]["lots"].as_array().unwrap().len(), 4);
}

#[test]
fn edited_and_removed_lots_are_printed_with_values() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 3 ordi @ 0.05 2025-03-02").ok();
    let edited = shell.run("wallet edit 1 --amount 4").ok().json();
    assert_eq!((&edited["data"]["value"], &edited["data"]["lots"][0]["value"]), (&json!("0.4"), &json!("0.4")));
    shell.run("wallet add 1 ordi @ 1 2025-03-03").ok();
    let removed = shell.run("wallet remove 2").ok().json();
    assert_eq!(removed["data"], shell.run("wallet").ok().json()["data"]);
    assert_eq!((&removed["data"]["value"], &removed["data"]["cost"]), (&json!("0.4"), &json!("0.2")));
    let failing = Server::start(|_| (503, String::new()));
    let run = shell.run(&format!("wallet edit 1 --amount 5 --base-url {}", failing.url));
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(run.json()["data"]["value"], Value::Null);
    assert!(run.json()["warnings"].to_string().contains("no values: "), "{}", run.stdout);
    let csv = shell.run("wallet --format csv").ok().stdout;
    assert!(csv.starts_with("id,") && csv.lines().next().unwrap().ends_with(",convert"), "{csv}");
    assert!(csv.lines().nth(1).unwrap().ends_with(",USD"), "{csv}");
}

#[test]
fn sale_of_more_than_held_is_named() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 3 ordi @ 0.05 2025-03-02").ok();
    let sold = shell.run("wallet add sell 5 ordi @ 0.1 2025-03-03 --format table");
    assert_eq!(sold.status, 0);
    let warning = "warning: lot 2 exceeds the holding on 2025-03-03 by 2 ORDI; the excess is excluded from profit";
    assert!(sold.stderr.contains(warning), "{}", sold.stderr);
    // Buying them before makes up for it.
    let bought = shell.run("wallet add 2 ordi @ 0.05 2025-03-01 --format table");
    assert!(!bought.stderr.contains("exceeds the holding"), "{}", bought.stderr);
}

#[test]
fn cost_basis_is_an_option_and_a_setting() {
    let server = market();
    let shell = Shell::on(&server);
    for lot in ["1 ordi @ 3 2025-03-02", "1 ordi @ 7 2025-03-03", "sell 1 ordi @ 9 2025-03-04"] {
        shell.run(&format!("wallet add {lot}")).ok();
    }
    let cost = |command: &str| shell.run(command).ok().json()["data"]["cost"].clone();
    assert_eq!((cost("wallet"), cost("wallet --cost average")), (json!("7"), json!("5")));
    shell.run("wallet --cost lifo").fails(2, "possible values: fifo, average");
}

#[test]
fn coins_of_lots_are_fetched_by_id() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 1 ordi").ok();
    let before = server.targets().len();
    shell.run("wallet").ok();
    let targets = server.targets();
    let [only] = &targets[before..] else { panic!("{targets:?}") };
    assert!(only.contains("ids=1"), "{only}");
}

#[test]
fn costs_are_converted_into_bitcoin_and_from_it() {
    let shell = Shell::new();
    let day = "2026-01-05";
    shell.run(&format!("--demo wallet add 100 ordi @ 10 usd {day}")).ok();
    shell.run(&format!("--demo wallet add 100 ordi @ 10 eur {day}")).ok();
    let number = |whole: &Value, name: &str| whole["data"][name].as_str().unwrap().parse::<f64>().unwrap();
    let in_dollars = shell.run("--demo wallet").ok().json();
    let in_bitcoin = shell.run("--demo wallet --convert btc").ok().json();
    assert_eq!(in_bitcoin["warnings"], json!([]));
    let price = number(&in_dollars, "cost") / number(&in_bitcoin, "cost");
    // A lot in bitcoin has the price of the same day.
    let other = Shell::new();
    other.run(&format!("--demo wallet add 1 ordi @ 1 btc {day}")).ok();
    let whole = other.run("--demo wallet").ok().json();
    assert!((number(&whole, "cost") / price - 1.0).abs() < 1e-9, "{price}: {whole}");
    assert_eq!(whole["data"]["lots"][0]["currency"], "BTC");
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
fn lot_with_a_part_of_unknown_value_has_no_value() {
    let server = both();
    let shell = Shell::on(&server);
    shell.run(&format!("wallet address add {COLD} --label cold")).ok();
    // Of the second lot, 3 are elsewhere and 5 at the address, whose lots exceed its balance.
    for lot in ["8 slug-1 @ 0.05 2025-03-01 cold", "8 slug-1 @ 0.05 2025-03-02", "sell 5 slug-1 @ 0.1 2025-03-03"] {
        shell.run(&format!("wallet add {lot}")).ok();
    }
    let whole = shell.run("wallet").ok().json();
    let lot = &whole["data"]["lots"][1];
    assert!(whole["warnings"].to_string().contains("lots exceed the balance"), "{whole}");
    assert_eq!((&lot["value"], &lot["profit"], &lot["share_pct"]), (&Value::Null, &Value::Null, &Value::Null), "{lot}");
}

/// A service of both groups without bitcoin. Of 450 coins, the last is the token `ordi` by its deploy inscription, whose
/// fall over 24 hours in percent is `fall`; of the others, every tenth has a ticker. An address has 2 `ordi`, 3 `t240`
/// and a token that is no coin.
pub(super) fn many(fall: &Arc<AtomicU32>) -> Server {
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
    for part in ["low volume: ORDI, T240", "cold, no known coin for the ticker"] {
        assert!(table.contains(part), "{part}: {table}");
    }
}

#[test]
fn ambiguous_symbol_is_not_read_as_a_slug() {
    let server = Server::start(|target| {
        if target.starts_with("/x/") {
            return (404, String::new());
        }
        let coin = |id: u32, slug: &str| json!({"id": id, "cmcRank": id, "name": "Pepe", "symbol": "PEPE", "slug": slug, "quotes": [{"name": "USD", "price": id}]});
        (
            200,
            json!({"data": {"cryptoCurrencyList": [coin(1, "pepe"), coin(2, "pepe-brc")], "totalCount": "2"}})
                .to_string(),
        )
    });
    let shell = Shell::on(&server);
    shell.run("wallet add 1 PEPE").fails(1, "several coins use PEPE; did you mean pepe or pepe-brc?");
    shell.run("wallet add 1 pep").fails(1, "unknown slug pep; did you mean pepe or pepe-brc?");
    let whole = shell.run("wallet add 1 pepe").ok().json();
    assert_eq!(whole["data"]["value"], "1");
}

#[test]
fn export_as_json_has_the_same_fields() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 2 ordi @ €3 2025/03/02").ok();
    let exported = shell.run("wallet export --format json").ok().json();
    let lot = &exported["data"][0];
    let fields = ["kind", "slug", "amount", "unit_price", "currency", "date"].map(|name| lot[name].as_str().unwrap());
    assert_eq!(fields, ["buy", "ordi", "2", "3", "EUR", "2025-03-02"]);
    assert_eq!(lot["note"], Value::Null);
    assert!(shell.run("wallet export").ok().stdout.starts_with("kind,"));
}

#[test]
fn import_preview_shows_addresses_missing_prices_and_skipped_stocks() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run(&format!("wallet address add {COLD} --label cold"));
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {} --yes", file.display());
    std::fs::write(
        &file,
        format!("kind,slug,amount,unit_price,date,address\nbuy,ordi,2,,2025-03-02,{COLD}\nsend,ordi,1,,2025-03-03,\n"),
    )
    .unwrap();
    let run = shell.run(&import);
    for line in [
        "line 2: buy 2 ordi 2025-03-02 cold (no price)",
        "line 3: send 1 ordi 2025-03-03\n",
        "no price for 1 lot, so profit excludes it",
    ] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
    std::fs::write(
        &file,
        "name,symbol,price,value,cost,quantity,weight\nOrdi,ORDI.X,1,1,5,2,1\nApple Inc,AAPL,1,1,5,2,1\n",
    )
    .unwrap();
    let run = shell.run(&import);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("skipped AAPL (not coins)") && run.stderr.contains("1 new lot in"), "{}", run.stderr);
}

#[test]
fn total_in_sats_is_exactly_that_in_bitcoin() {
    let server = Server::start(|target| {
        let quote = if target.contains("convert=BTC") {
            json!({"BTC": {"price": 0.00023796462709189137}})
        } else {
            json!({"USD": {"price": 17}})
        };
        (200, json!({"data": [{"id": 1, "name": "Ordi", "symbol": "ORDI", "slug": "ordi", "quote": quote}], "status": {"error_code": 0}}).to_string())
    });
    let shell = Shell::on(&server);
    shell.run("wallet add receive 300000000 ordi").ok();
    let value = |code: &str| {
        shell.run(&format!("wallet --convert {code}")).ok().json()["data"]["value"].as_str().unwrap().to_owned()
    };
    let moved = value("BTC").parse::<bigdecimal::BigDecimal>().unwrap() * 100_000_000;
    assert_eq!(value("SAT").parse::<bigdecimal::BigDecimal>().unwrap(), moved);
}

#[test]
fn day_change_names_coins_without_a_change() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add receive 3 ordi").ok();
    let run = shell.run("wallet add receive 5000000 sats --format table");
    assert!(run.stdout.starts_with("USD 3.97 · 24h +0.06 (+25.0%) without SATS"), "{}", run.stdout);
    assert!(run.stderr.contains("24h change excludes SATS (change unknown)"), "{}", run.stderr);
}
