//! `satscope wallet import` and `export`.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::addresses::COLD;
use super::market;
use crate::cli::server::{Run, Shell};

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
fn standard_input_is_imported() {
    for name in ["-", "/dev/stdin"] {
        let shell = Shell::on(&market());
        let import = |options: &str| {
            let mut command = shell.command(&format!("wallet import {name} {options}"));
            let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
            child.stdin.take().unwrap().write_all(b"symbol,amount,date\nORDI,5,2025-03-02\n").unwrap();
            Run::of(name, child.wait_with_output().unwrap())
        };
        let run = import("");
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        assert!(run.stderr.starts_with("satscope: 1 new lot in standard input (satscope)\n"), "{}", run.stderr);
        assert!(run.stderr.ends_with("pass --yes to import 1 lot without a terminal\n"), "{}", run.stderr);
        let run = import("--yes");
        assert_eq!((run.status, &run.json()["data"]["lots"][0]["amount"]), (0, &json!("5")), "{}", run.stderr);
    }
}

#[test]
fn lots_are_imported_from_a_named_pipe() {
    let shell = Shell::on(&market());
    let pipe = shell.home.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let end = pipe.clone();
    let writer = std::thread::spawn(move || std::fs::write(end, "symbol,amount,date\nORDI,5,2025-03-02\n"));
    let run = shell.run(&format!("wallet import {} --yes", pipe.display()));
    assert_eq!((run.status, &run.json()["data"]["lots"][0]["amount"]), (0, &json!("5")), "{}", run.stderr);
    writer.join().unwrap().unwrap();
    shell.run("wallet import / --yes").fails(1, "satscope: can't import /: is a directory\n");
}

#[test]
fn import_names_lines_with_unreadable_times() {
    let shell = Shell::on(&market());
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {} --yes", file.display());
    std::fs::write(
        &file,
        "symbol,amount,date\nORDI,1,2025-03-02 14:00\nORDI,2,2025-03-02 25:00\nORDI,3,2025-03-02 9:00 CET\n",
    )
    .unwrap();
    let run = shell.run(&import);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let note = "can't read the time in lines 3, 4: lots of the same day are ordered by line\n";
    assert!(run.stderr.contains(note), "{}", run.stderr);
    let amounts: Vec<Value> =
        run.json()["data"]["lots"].as_array().unwrap().iter().map(|lot| lot["amount"].clone()).collect();
    assert_eq!(amounts, ["1", "2", "3"]);
    let readable = Shell::on(&market());
    std::fs::write(&file, "symbol,amount,date\nORDI,1,2025-03-02 14:00\n").unwrap();
    let run = readable.run(&import);
    assert!(run.status == 0 && !run.stderr.contains("can't read"), "{}", run.stderr);
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
fn coins_of_cointop_configuration_are_found_by_name() {
    let shell = Shell::new();
    let file = shell.home.path().join("config.toml");
    let holdings = r#"holdings = [["Bitcoin", "0.5", "30000", "EUR"], ["Pepe (Ordinals)", "3"]]"#;
    std::fs::write(&file, format!("currency = \"USD\"\n[portfolio]\n{holdings}\n")).unwrap();
    let run = shell.run(&format!("--demo wallet import {} --yes", file.display()));
    assert_eq!(run.status, 0, "{}", run.stderr);
    let lots = run.json()["data"]["lots"].clone();
    let slugs = [0, 1].map(|index| lots[index]["slug"].clone());
    assert_eq!(slugs, [json!("bitcoin"), json!("pepebrc")]);
    assert_eq!((&lots[0]["unit_price"], &lots[0]["currency"]), (&json!("30000"), &json!("EUR")));
    assert!(run.stderr.contains("lots are dated today"), "{}", run.stderr);
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
    assert!(again.stderr.contains("line 2 has no date: treated as a duplicate of lot 1\n"), "{}", again.stderr);
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
    for line in ["no date in lines 2, 4: assuming today (20", "no currency in line 3: assuming EUR\n"] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
    assert_eq!(shell.run("wallet").ok().json()["data"]["lots"].as_array().unwrap().len(), 4);
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
        "name,symbol,price,value,cost,quantity,weight\nOrdi,ORDI,1,1,5,2,1\nApple Inc,AAPL,1,1,5,2,1\n",
    )
    .unwrap();
    let run = shell.run(&import);
    assert_eq!(run.status, 0, "{}", run.stderr);
    for line in ["skipped AAPL (not a coin)\n", "1 new lot in ", "no currency in line 2: assuming USD\n"] {
        assert!(run.stderr.contains(line), "{line}: {}", run.stderr);
    }
}

#[test]
fn cost_of_a_coin_at_coinbase_from_ticker_is_in_dollars() {
    let shell = Shell::on(&market());
    let file = shell.home.path().join("ticker.csv");
    std::fs::write(&file, "name,symbol,price,value,cost,quantity,weight\nOrdi,ORDI.CB,1,1,5,2,1\n").unwrap();
    let run = shell.run(&format!("wallet import {} --yes --convert EUR", file.display()));
    for text in ["line 2: buy 2 ordi @@ 5 USD ", "(to change it: satscope wallet edit ID --currency CODE)\n"] {
        assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
    }
    assert!(!run.stderr.contains("no currency in"), "{}", run.stderr);
}

#[test]
fn coin_from_ticker_is_found_without_the_number_that_yahoo_adds() {
    let shell = Shell::on(&market());
    let file = shell.home.path().join("ticker.csv");
    std::fs::write(
        &file,
        "name,symbol,price,value,cost,quantity,weight\nOrdi USD,ORDI25028-USD,1,1,5,2,1\nNone,NONE7-USD,1,1,5,2,1\n",
    )
    .unwrap();
    let run = shell.run(&format!("wallet import {} --yes", file.display()));
    for text in ["line 2: buy 2 ordi @@ 5 USD ", "skipped NONE7 (not a coin)\n"] {
        assert!(run.stderr.contains(text), "{text}: {}", run.stderr);
    }
}

#[test]
fn import_warns_about_sales_of_more_than_was_held() {
    let shell = Shell::on(&market());
    shell.run("wallet add 5 ordi @ 3 2025-03-02").ok();
    shell.run("wallet add sell 5 ordi @ 4 2025-03-20").ok();
    let file = shell.home.path().join("lots.csv");
    let header = "kind,slug,amount,unit_price,currency,date";
    let import = |lots: &str| {
        std::fs::write(&file, format!("{header}\n{lots}")).unwrap();
        shell.run(&format!("wallet import {}", file.display())).stderr
    };
    let warns = |stderr: &str| stderr.contains("warning:");
    let covered = import("buy,ordi,1,3,USD,2025-03-03\nsell,ordi,1,3,USD,2025-03-04\n");
    assert!(!warns(&covered), "{covered}");
    let early = import("sell,sats-ordinals,2,3,USD,2025-03-01\nbuy,sats-ordinals,2,3,USD,2025-03-02\n");
    let sentence =
        "warning: line 2 sells or sends more than you hold: your lots hold no SATS on 2025-03-01; this sells 2\n";
    assert!(early.contains(sentence), "{early}");
    // A sale that leaves too little for a later one in the wallet.
    let later = import("send,ordi,2,,,2025-03-05\n");
    let sentence = "warning: lot 2 of the wallet sells or sends more than you hold: your lots hold 3 ORDI on 2025-03-20; this sells 5\n";
    assert!(later.contains(sentence), "{later}");
    let both = import("sell,ordi,6,3,USD,2025-03-05\n");
    let sentence = "warning: 2 lots sell or send more than you hold, such as line 2: your lots hold 5 ORDI on 2025-03-05; this sells 6\n";
    assert!(both.contains(sentence), "{both}");
    // It doesn't stop the import.
    let run = shell.run(&format!("wallet import {} --yes", file.display()));
    assert!(run.status == 0 && warns(&run.stderr), "{}", run.stderr);
    assert_eq!(run.json()["data"]["lots"].as_array().unwrap().len(), 3);
}
