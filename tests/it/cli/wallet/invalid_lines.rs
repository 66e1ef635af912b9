//! Files with lines that can't be imported.

use serde_json::{Value, json};

use super::market;
use crate::cli::server::{Server, Shell};

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
    assert!(run.stderr.contains("line 4: ambiguous number 1,500 (expected 1500 or 1.5)"), "{}", run.stderr);
    for end in ["", "\n"] {
        std::fs::write(&file, format!("amount,symbol,date\n1,ORDI,1990-01-01\n8,\"ORDI,2025-03-02{end}")).unwrap();
        let run = shell.run(&format!("{import} --yes"));
        assert!(run.stderr.contains("line 2: 1990-01-01 is before the first block"), "{}", run.stderr);
        assert!(run.stderr.contains("line 3: unclosed quote"), "{}", run.stderr);
    }
    std::fs::write(&file, "when,what\n1,2\n").unwrap();
    shell.run(&format!("{import} --yes")).fails(1, "unknown columns when, what");
    assert_eq!(shell.run("wallet").ok().json()["data"]["lots"], json!([]));
}

#[test]
fn unknown_cointracking_code_is_explained() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    let header = "Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Date";
    std::fs::write(&file, format!("{header}\nTrade,5,SOL2,10,EUR,,,2025-03-01\nTrade,5,SOL,10,EUR,,,2025-03-01\n"))
        .unwrap();
    let run = shell.run(&format!("wallet import {}", file.display()));
    for line in [
        "line 2: no coin has the slug or symbol SOL2, which may be CoinTracking's own code (use the slug instead)\n",
        "line 3: no coin has the slug or symbol SOL\n",
    ] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
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
        (
            "[{\"name\":\"Ordi\",\"symbol\":\"ORDI.X\",\"cost\":\"5\",\"quantity\":\"1\"}]",
            "expected the JSON of satscope wallet export, not a list (for cointop and ticker, use --format csv)",
        ),
        ("{\"data\": {\"lots\": []}}", "expected the JSON of satscope wallet export ("),
        (
            "{\"data\": [{\"amount\": \"1\", \"coin\": \"ordi\"}]}",
            "unknown column coin (list columns: satscope wallet import --help)",
        ),
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
fn line_that_cannot_be_read_may_have_bought_what_is_sold() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    // The comma splits the amount into two cells.
    std::fs::write(
        &file,
        "kind,symbol,amount,date\nbuy,ORDI,1,5,2025-03-01\nsell,ORDI,1,2025-03-02\nbuy,SATS,3,2025-03-02\n",
    )
    .unwrap();
    let run = shell.run(&format!("wallet import {} --yes --skip-invalid", file.display()));
    let lots = run.json()["data"]["lots"].clone();
    let symbols: Vec<_> = lots.as_array().unwrap().iter().map(|lot| lot["symbol"].clone()).collect();
    assert_eq!((run.status, symbols), (0, vec![json!("SATS")]), "{}", run.stderr);
    assert!(run.stderr.contains("line 3: also skipped"), "{}", run.stderr);
}

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
        "satscope: line 6: also skipped (sale of SATS bought in invalid lines)\n",
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
fn lines_after_an_open_quote_are_never_skipped() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    std::fs::write(&file, "symbol,amount,note\nORDI,1,\nORDI,1,\"a\nORDI,2,b\n").unwrap();
    let run = shell.run(&format!("wallet import {} --yes --skip-invalid", file.display()));
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    let reason = "nothing imported: 1 invalid line (can't read the lines after the unclosed quote)";
    assert!(run.stderr.contains(reason), "{}", run.stderr);
}
