//! `satscope wallet`.

mod addresses;
mod import;
mod import_again;
mod invalid_lines;
mod own_transfers;

use std::process::Command;

use serde_json::{Value, json};

pub(super) use addresses::many;

use super::output::on_terminal;
use super::server::{Run, Server, Shell};

/// A market with two coins: ORDI rose by 25% in a day, to its highest price, SATS has no known change.
fn market() -> Server {
    Server::start(|_| {
        let coin = |id: u32, symbol: &str, slug: &str, quote: Value| json!({"id": id, "cmcRank": id, "name": symbol, "symbol": symbol, "slug": slug, "quotes": [quote]});
        let ordi = json!({"name": "USD", "price": 0.1, "percentChange24h": 25, "high24h": 0.1, "low24h": 0.075});
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
    assert_eq!(keys.len(), 17, "{keys:?}");
    assert_eq!(lots[0]["address"], Value::Null);
    assert_eq!(lots[0]["value"], "0.2", "two are left of the first lot");
    assert_eq!((&lots[0]["amount"], &lots[0]["remaining"]), (&json!("3"), &json!("2")));
    assert_eq!((&lots[2]["amount"], &lots[2]["remaining"]), (&json!("1"), &Value::Null), "a sale");
    assert_eq!(lots[3]["amount"], lots[3]["remaining"]);
    assert_eq!((&lots[1]["note"], &lots[1]["amount"]), (&json!("dust"), &json!("0.000000000000000001")));
    assert_eq!((&lots[2]["value"], &lots[2]["profit"]), (&Value::Null, &json!("0.14")));
    assert_eq!(lots[3]["price"], "0.000000734");
    assert_eq!(lots[3]["profit"], Value::Null, "its cost is unknown");
}

#[test]
fn narrow_table_always_names_the_kind_of_a_lot() {
    let server = market();
    let shell = Shell::on(&server);
    for line in [
        "500 ordi @ 0.05 eur 2025-03-02",
        "0.000000000000000001 ordi @ 3 2025-03-03",
        "sell 100 ordi @ 0.2 2025-03-04",
        "send 5 ordi 2025-03-05",
        "receive 418000000000000000 sats 2025-03-06",
    ] {
        shell.run(&format!("wallet add {line}")).ok();
    }
    for columns in [60, 80, 120] {
        let table = on_terminal(&shell, columns, "wallet --format table", true);
        for kind in ["buy", "sell", "send", "receive"] {
            assert!(table.lines().any(|line| line.split_whitespace().any(|word| word == kind)), "{kind}: {table}");
        }
        // A price has its currency beside it, which isn't that of the values.
        let heading = table.lines().find(|line| line.starts_with("ID ")).unwrap();
        assert!(!heading.contains("Unit price") || table.contains("0.05000 EUR"), "{table}");
        let amounts = ["418,000,000,000,000,000", " 0.000000000000000001"];
        assert!(amounts.iter().all(|amount| table.contains(amount)), "{table}");
        assert!(table.contains("395 of 500") && table.matches(" of ").count() == 1, "{table}");
    }
    let table = on_terminal(&shell, 80, "wallet --format table", true);
    assert!(table.contains("Value") && table.contains("Profit"), "{table}");
}

#[test]
fn narrow_table_keeps_dates_and_names_hidden_columns() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 500 ordi @ 0.05 eur 2025-03-02 --note cold").ok();
    shell.run("wallet add receive 30000 ordi 2025-03-03").ok();
    let hint =
        |table: &str| table.lines().find(|line| line.starts_with("satscope: hidden columns: ")).map(str::to_owned);
    let table = on_terminal(&shell, 72, "wallet --format table", true);
    assert!(table.contains("2025-03-02") && table.contains("2025-03-03"), "{table}");
    assert!(!table.contains("Profit"), "a column without values is dropped first: {table}");
    let hidden = "satscope: hidden columns: Note (all: --format csv)";
    assert_eq!(hint(&table).as_deref(), Some(hidden), "{table}");
    let table = on_terminal(&shell, 160, "wallet --format table", true);
    assert!(table.contains("Share") && hint(&table).is_none(), "{table}");
}

#[test]
fn sold_lot_shows_that_nothing_is_left() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 10.5 ordi @ 0.05 2025-03-02").ok();
    let run = shell.run("wallet add sell 10.5 ordi @ 0.2 2025-03-04 --format table");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let table = run.stdout;
    assert!(table.contains(" 0 of 10.5 ") && table.matches(" of ").count() == 1, "{table}");
}

#[test]
fn totals_say_that_the_profit_covers_only_a_part() {
    let server = market();
    let shell = Shell::on(&server);
    let first = |run: &Run| {
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stdout.lines().next().unwrap().to_owned()
    };
    let known = shell.run("wallet add 10 ordi @ 0.05 2025-03-02 --format table");
    assert!(first(&known).ends_with("profit +0.50 (+100%)"), "{}", known.stdout);
    let partial = shell.run("wallet add receive 1000 ordi 2025-03-03 --format table");
    assert!(first(&partial).ends_with("profit +0.50 (+100%) on known cost"), "{}", partial.stdout);
}

#[test]
fn added_lot_of_a_shared_symbol_is_named_by_its_slug() {
    let shell = Shell::new();
    let added = shell.run("--demo wallet add 5 pepe 2025-03-02 --format table");
    assert_eq!(added.status, 0, "{}", added.stderr);
    assert!(added.stderr.contains("satscope: added: buy 5 PEPE (pepe)\n"), "{}", added.stderr);
    assert!(added.stdout.contains(" PEPE ") && !added.stdout.contains("pepe"), "{}", added.stdout);
    let run = shell.run("--demo wallet add 7 pepebrc 2025-03-02 --format table");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let table = run.stdout;
    let symbols: Vec<&str> = table.lines().filter_map(|line| line.split_whitespace().nth(3)).collect();
    assert!(symbols.ends_with(&["pepe", "pepebrc"]), "{table}");
    shell.run("--demo wallet add 5 PEPE").fails(1, "several coins use PEPE (use the slug: pepe or pepebrc)");
}

#[test]
fn added_lot_far_from_the_prices_of_the_day_says_how_it_counts() {
    let server = market();
    let shell = Shell::on(&server);
    let sentence = |line: &str| {
        let run = shell.run(&format!("wallet add {line} --format table"));
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stderr.lines().find(|line| line.contains("treats this lot as held")).map(str::to_owned)
    };
    assert_eq!(sentence("2 ordi @ 0.05 2025-03-02"), None);
    let far = sentence("2 ordi @ 0.05").unwrap();
    assert!(far.contains("far from today's prices (if the lot is older: satscope wallet edit 2 --date DATE)"), "{far}");
    for line in ["2 ordi @ 0.09", "2 ordi", "2 sats @ 5", "sell 1 ordi @ 0.05"] {
        assert_eq!(sentence(line), None, "{line}");
    }
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
    shell.run("wallet add 1 ordi 2025-03-02").ok();
    assert_eq!(shell.run("wallet remove 2").status, 0);
    let third = shell.run("wallet add 1 ordi 2025-03-02").ok().json();
    let ids: Vec<&Value> = third["data"]["lots"].as_array().unwrap().iter().map(|lot| &lot["id"]).collect();
    assert_eq!(ids, [1, 3], "the number of a removed lot is not used again");
    let csv = shell.run("wallet --format csv").ok().stdout;
    assert!(csv.starts_with("id,kind,slug,symbol,amount,unit_price,"), "{csv}");
    let table = shell.run("wallet --format table").ok().stdout;
    assert!(table.starts_with("USD 0.20 · 24h +0.04 (+25.0%)"), "{table}");
}

#[test]
fn removed_lots_can_be_added_again() {
    let server = market();
    let shell = Shell::on(&server);
    let add = ["wallet", "add", "2 ordi @ 0.05 fee 1 2025-03-02", "--note", "don't sell"];
    Run::of("wallet add", shell.command("").args(add).output().unwrap()).ok();
    let before = shell.run("wallet").ok().json();
    let removed = shell.run("wallet remove 1-9 --format json");
    let lot = r#"buy 2 ordi @ 0.05 USD fee 1 2025-03-02 "don'\''t sell""#;
    let command = format!("satscope wallet add '{lot}'");
    assert_eq!(removed.stderr, format!("satscope: removed lot 1; to undo: {command}\n"));
    // As a shell reads it.
    let mut shell_command = shell.command("");
    let binary = shell_command.get_program().to_owned();
    let mut sh = Command::new("sh");
    sh.arg("-c").arg(command.replacen("satscope", "\"$0\"", 1)).arg(binary);
    let variables = shell_command.env("PATH", "/usr/bin:/bin").get_envs();
    sh.env_clear().envs(variables.filter_map(|(name, value)| Some((name, value?))));
    let added = Run::of(&command, sh.output().unwrap()).ok().json();
    for field in ["kind", "amount", "unit_price", "fee", "currency", "date", "note"] {
        assert_eq!(added["data"]["lots"][0][field], before["data"]["lots"][0][field], "{field}");
    }
    assert_eq!(added["data"]["lots"][0]["note"], "don't sell");
}

#[test]
fn only_some_of_many_removed_lots_are_listed() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    let lots = "buy,ordi,2,0.05,2025-03-02\n".repeat(25);
    std::fs::write(&file, format!("kind,slug,amount,unit_price,date\n{lots}")).unwrap();
    let imported = shell.run(&format!("wallet import {} --yes", file.display()));
    assert_eq!(imported.status, 0, "{}", imported.stderr);
    let removed = shell.run("wallet remove 1-25 --format csv").stderr;
    let lines: Vec<&str> = removed.lines().collect();
    assert_eq!((lines.len(), lines[20]), (21, "satscope: removed 5 more lots"), "{removed}");
    assert!(lines[19].starts_with("satscope: removed lot 20; to undo: satscope wallet add 'buy 2 ordi @ 0.05 USD"));
}

#[test]
fn value_of_an_option_that_begins_with_a_hyphen_stays_one_value() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 2 ordi @ 60000").ok();
    let run = |words: &[&str]| Run::of("wallet", shell.command("wallet").args(words).output().unwrap());
    for note in ["-7 3 ordi", "-10%", "-10% since May", "-5", "- sold by mistake", "--fee 3 is too much"] {
        let lot = run(&["edit", "1", "--note", note]).ok().json()["data"]["lots"][0].clone();
        let fields = ["amount", "unit_price", "note"].map(|name| lot[name].as_str().unwrap().to_owned());
        assert_eq!(fields, ["2", "60000", note]);
    }
    run(&["edit", "1", "--amount", "-5"]).fails(2, "an amount can't be negative: -5");
    // The shell removes the quotes of a note.
    let unexpected = "unexpected `sell` (expected a currency, date, address or quoted note); for a note, use --note";
    run(&["add", "5", "ordi", "@", "12", "sell above 25"]).fails(2, unexpected);
    run(&["edit", "1", "5", "ordi", "sell above 25"]).fails(2, unexpected);
    let hint = "; for a note, use --note";
    run(&["add", "5", "ordi", "@", "12", "dust"]).fails(2, hint);
    for words in
        [&["add", "5 ordi dust"][..], &["add", "5", "ordi", "dust", "eur"], &["add", "5", "ordi", "@", "1", "2"]]
    {
        let refused = run(words);
        assert!(refused.status == 2 && !refused.stderr.contains(hint), "{words:?}: {}", refused.stderr);
    }
    // A line is split.
    run(&["add", "-5 ordi"]).fails(2, "an amount can't be negative: -5");
    run(&["edit", "1", "--note", "--fee", "3"]).fails(2, "a value is required for '--note <TEXT>'");
}

#[test]
fn empty_values_are_named_in_errors() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 2 ordi @ 60000").ok();
    shell.run("wallet edit 1 --price=").fails(2, "not a number: \"\" (examples: 500,");
    shell.run("wallet edit 1 --date=").fails(2, "invalid date \"\" (expected YYYY-MM-DD");
}

#[test]
fn edit_removes_price_fee_address_and_note() {
    let server = market();
    let shell = Shell::on(&server);
    let address = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";
    shell.run(&format!("wallet add 2 ordi @ 0.05 fee 1 2025-03-02 {address} --note dust")).ok();
    let edited = |options: &str| {
        let lot = shell.run(&format!("wallet edit 1 {options}")).ok().json()["data"]["lots"][0].clone();
        ["unit_price", "fee", "address", "note", "profit"].map(|name| lot[name].is_null())
    };
    // The fee is a loss.
    assert_eq!(edited("--price none"), [true, false, false, false, false]);
    assert_eq!(edited("--fee None --note="), [true, true, false, true, true]);
    assert_eq!(edited("--address none --price 0.05"), [false, true, true, true, false]);
    shell.run("wallet edit 1 --amount none").fails(2, "not a number: none");
}

#[test]
fn lot_is_edited_by_a_line_whose_missing_parts_stay() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add sell 0.5 ordi @@ 50 eur 2025-03-02 fee 1 --note half").ok();
    let edited = |line: &str| {
        let lot = shell.run(&format!("wallet edit 1 {line}")).ok().json()["data"]["lots"][0].clone();
        let fields = ["kind", "amount", "slug", "unit_price", "currency", "fee", "date", "note"];
        fields.map(|name| lot[name].as_str().unwrap().to_owned()).join(" ")
    };
    assert_eq!(edited("2*0.5 ORDI"), "sell 1 ordi 50 EUR 1 2025-03-02 half");
    assert_eq!(edited("buy 2 sats @ 3 usd 2025-03-03 fee 2"), "buy 2 sats-ordinals 3 USD 2 2025-03-03 half");
    assert_eq!(edited("3 sats --note all --date 2025-03-04"), "buy 3 sats-ordinals 3 USD 2 2025-03-04 all");
    for (line, status, reason) in [
        ("3 sats --amount 4", 2, "amount given twice: in LOT and with --amount"),
        ("3 sats @ 1 --price 4", 2, "price given twice: in LOT and with --price"),
        ("3 sats eur --currency eur", 2, "currency given twice: in LOT and with --currency"),
        ("sell 3 sats --kind buy", 2, "kind given twice: in LOT and with --kind"),
        ("500", 2, "expected a coin after the amount"),
        ("3 nosuch", 1, "unknown coin nosuch"),
        (
            "3 ordi eur fee 2",
            2,
            "lot not changed: its price is for sats-ordinals (give the price of ordi as @ PRICE or @@ TOTAL, or \
             remove the lot and add a new one)\n",
        ),
    ] {
        shell.run(&format!("wallet edit 1 {line}")).fails(status, reason);
    }
    // Its coin isn't looked up if its name stays.
    let failing = Server::start(|_| (500, String::new()));
    shell.run(&format!("wallet edit 1 4 sats-ordinals --base-url {}", failing.url)).ok();
    shell.run(&format!("wallet edit 1 4 ordi --base-url {}", failing.url)).fails(1, "lot not changed: ");
    shell.run("wallet edit 7 3 sats").fails(1, "unknown lot 7");
    // A total or unit price as an option also counts.
    assert_eq!(edited("2 ordi --total 10"), "buy 2 ordi 5 USD 2 2025-03-04 all");
    assert_eq!(edited("2 sats --price 4"), "buy 2 sats-ordinals 4 USD 2 2025-03-04 all");
}

#[test]
fn lot_without_a_price_can_change_its_coin() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add receive 0.5 ordi").ok();
    let lot = shell.run("wallet edit 1 450 sats").ok().json()["data"]["lots"][0].clone();
    assert_eq!(
        [&lot["slug"], &lot["amount"], &lot["unit_price"]],
        [&json!("sats-ordinals"), &json!("450"), &Value::Null]
    );
}

#[test]
fn wrong_lot_changes_nothing() {
    let server = market();
    let shell = Shell::on(&server);
    for (command, status, reason) in [
        ("wallet add", 2, "LOT"),
        ("wallet add 5 ordi @ 14 --total 7", 2, "price given twice: in LOT and with --total"),
        ("wallet add 10 ordi @ 14 @@ 150", 2, "price given twice"),
        ("wallet add 500", 2, "expected a coin after the amount"),
        ("wallet add ordi 500", 2, "expected an amount before ordi, such as 500 ordi"),
        ("wallet address remove foo", 1, "no address has the label foo (list addresses: satscope wallet address)"),
        ("wallet add 1,500 ordi", 2, "ambiguous number 1,500 (expected 1500 or 1.5)"),
        ("wallet add 1.500 ordi @ 14,10", 2, "ambiguous number 1.500 (expected 1500 or 1.5)"),
        ("wallet add 1.500 ordi --total 14,10", 2, "ambiguous number 1.500 (expected 1500 or 1.5)"),
        ("wallet edit 7 --amount 1,5 --price 1.500", 2, "ambiguous number 1.500 (expected 1500 or 1.5)"),
        ("wallet add 1 ordi @ 1 2999-01-01", 2, "2999-01-01 is in the future"),
        ("wallet add 1 ordi --date soon", 2, "invalid date soon (expected YYYY-MM-DD, today or yesterday)"),
        ("wallet add 1 ordi 2009-01-02", 2, "2009-01-02 is before the first block (2009-01-03)"),
        ("wallet add 1 ordi --date 1999-01-01", 2, "1999-01-01 is before the first block"),
        ("wallet add -5 ordi", 2, "an amount can't be negative: -5 (to reduce a holding, use sell or send)"),
        ("wallet add 1e99 ordi", 2, "not a number: 1e99"),
        ("wallet add 500 ordi @ -3", 2, "a price or fee can't be negative: -3"),
        ("wallet add 1 ordi --kind gift", 2, "possible values: buy, sell, receive, send"),
        ("wallet add 1 no-such-coin", 1, "unknown coin no-such-coin"),
        ("wallet edit 7", 2, "nothing to change"),
        ("wallet edit x --amount 1", 2, "not the ID of a lot, such as 3"),
        ("wallet edit 7 --currency ZZZ", 2, "not a currency code such as EUR"),
        ("wallet edit 7 --currency sats", 2, "not a currency code (the currency is SAT; SATS is a token)"),
        ("wallet edit 7 --amount 1", 1, "unknown lot 7"),
        ("wallet remove 7", 1, "unknown lot 7"),
        ("wallet remove 7-9", 1, "no lots with IDs 7-9"),
        ("wallet remove 9-7", 2, "not a lot ID or a range such as 3-8"),
    ] {
        shell.run(command).fails(status, reason);
    }
    // A quoted line isn't an option.
    for (command, reason) in [("wallet add", "an amount can't be negative: -5"), ("wallet edit 7", "-5 (to reduce")] {
        let output = shell.command(command).args(["-5 ordi @ 3"]).output().unwrap();
        Run::of(command, output).fails(2, reason);
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
fn edited_and_removed_lots_are_printed_with_values() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 3 ordi @ 0.05 2025-03-02").ok();
    let edited = shell.run("wallet edit 1 --amount 4").ok().json();
    assert_eq!((&edited["data"]["value"], &edited["data"]["lots"][0]["value"]), (&json!("0.4"), &json!("0.4")));
    shell.run("wallet add 1 ordi @ 1 2025-03-03").ok();
    let removed = shell.run("wallet remove 2").json();
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
    let warning = "warning: lot 2: 2 ORDI more than held on 2025-03-03; the excess is excluded from profit";
    assert!(sold.stderr.contains(warning), "{}", sold.stderr);
    // Buying them before makes up for it.
    let bought = shell.run("wallet add 2 ordi @ 0.05 2025-03-01 --format table");
    assert_eq!(bought.status, 0, "{}", bought.stderr);
    assert!(!bought.stderr.contains("more than held"), "{}", bought.stderr);
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
fn ambiguous_symbol_is_not_read_as_a_slug() {
    let server = Server::start(|target| {
        if target.starts_with("/x/") {
            return (404, String::new());
        }
        let coin = |id: u32, slug: &str| json!({"id": id, "cmcRank": id, "name": "Pepe", "symbol": "PEPE", "slug": slug, "quotes": [{"name": "USD", "price": id}]});
        (
            200,
            json!({"data": {"cryptoCurrencyList": [coin(1, "pepe"), coin(2, "pepe-brc"), coin(3, "pepe-sol")], "totalCount": "3"}})
                .to_string(),
        )
    });
    let shell = Shell::on(&server);
    shell.run("wallet add 1 PEPE").fails(1, "several coins use PEPE (use the slug: pepe, pepe-brc or pepe-sol)");
    shell.run("wallet add 1 pep").fails(1, "unknown coin pep (similar: pepe, pepe-brc, pepe-sol)");
    let whole = shell.run("wallet add 1 pepe").ok().json();
    assert_eq!(whole["data"]["value"], "1");
}

/// A market with ORDI in dollars and bitcoin.
fn in_bitcoin() -> Server {
    Server::start(|target| {
        let quote = if target.contains("convert=BTC") {
            json!({"BTC": {"price": 0.00023796462709189137}})
        } else {
            json!({"USD": {"price": 17}})
        };
        (200, json!({"data": [{"id": 1, "name": "Ordi", "symbol": "ORDI", "slug": "ordi", "quote": quote}], "status": {"error_code": 0}}).to_string())
    })
}

#[test]
fn values_in_bitcoin_have_its_digits() {
    let server = in_bitcoin();
    let shell = Shell::on(&server);
    let run = shell.run("wallet --convert BTC add receive 5 ordi --format table");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let table = run.stdout;
    assert!(table.starts_with("BTC 0.00118982"), "{table}");
    let row = table.lines().find(|line| line.contains("ORDI")).unwrap();
    assert!(row.contains(" 0.00118982 "), "{table}");
}

#[test]
fn total_in_sats_is_exactly_that_in_bitcoin() {
    let server = in_bitcoin();
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
    shell.run("wallet add receive 3 ordi 2025-03-02").ok();
    let run = shell.run("wallet add receive 5000000 sats --format table");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("USD 3.97 · 24h +0.06 (+25.0%) without SATS"), "{}", run.stdout);
    assert!(run.stderr.contains("24h change excludes SATS (change unknown)"), "{}", run.stderr);
}

#[test]
fn lot_of_today_changes_since_its_cost() {
    let server = market();
    let shell = Shell::on(&server);
    let added = shell.run("wallet add 4 ordi @ 0.09 fee 0.02").ok().json();
    assert_eq!(added["data"]["day_change"], "0.02", "{added}");
    let run = shell.run("wallet --format table");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("USD 0.40 · 24h +0.02 (+5.3%) · profit +0.02 (+5.3%)"), "{}", run.stdout);
    let whole = shell.run("wallet add receive 1 ordi --format table");
    assert_eq!(whole.status, 0, "{}", whole.stderr);
    assert!(whole.stdout.starts_with("USD 0.50 · 24h +0.04 (+8.7%) · profit"), "{}", whole.stdout);
    assert!(!whole.stderr.contains("24h change"), "{}", whole.stderr);
}

#[test]
fn old_lot_without_a_date_has_the_whole_change_of_its_coin() {
    let server = market();
    let shell = Shell::on(&server);
    let run = shell.run("wallet add 4 ordi @ 0.05 --format table");
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("USD 0.40 · 24h +0.08 (+25.0%) · profit +0.20"), "{}", run.stdout);
}

/// A market in euros with ORDI, and SATS without a price.
fn in_euros() -> Server {
    let headers = "X-Satscope-Provider: coingecko\r\nX-Satscope-Rate-Provider: frankfurter\r\n\
                   X-Satscope-Rate-Time: Thu, 19 Nov 2026 08:00:00 GMT\r\n";
    Server::with_headers(headers, |target| {
        if target.starts_with("/x/rates") {
            // A euro was 1.0801 dollars.
            let rate = json!({
                "date": "2025-03-02", "from": "USD", "to": "EUR", "rate": "0.925840199981483196",
                "fraction": ["1", "1.0801"], "day": "2025-02-28",
            });
            return (200, json!([rate]).to_string());
        }
        let coin = |id: u32, symbol: &str, slug: &str, quote: Value| json!({"id": id, "cmcRank": id, "name": symbol, "symbol": symbol, "slug": slug, "quotes": [quote]});
        let ordi = coin(1, "ORDI", "ordi", json!({"name": "EUR", "price": 15}));
        let sats = coin(2, "SATS", "sats-ordinals", json!({"name": "EUR"}));
        (200, json!({"data": {"cryptoCurrencyList": [ordi, sats], "totalCount": "2"}}).to_string())
    })
}

#[test]
fn cost_in_another_currency_is_divided_once() {
    let server = in_euros();
    let shell = Shell::on(&server);
    let run = shell.run("wallet add 500 ordi @ 14.10 usd 2025-03-02 fee 1.5 --convert eur").ok();
    // 7051.5 / 1.0801 = 6528.56217016942875659661…
    let whole = run.json();
    let wallet = &whole["data"];
    assert_eq!(wallet["cost"], "6528.562170169428756597");
    assert_eq!(wallet["profit"], "971.437829830571243403");
    let sold = shell.run("wallet add sell 1 ordi @ 20 usd 2025-03-02 --convert eur").ok().json();
    // 20 / 1.0801 - 7051.5 / 1.0801 / 500, each rounded.
    assert_eq!(sold["data"]["realised"], "5.459679659290806407");
}

#[test]
fn table_names_the_origin_and_age_of_the_exchange_rate() {
    let server = in_euros();
    let shell = Shell::on(&server);
    shell.run("wallet add receive 2 ordi --convert eur").ok();
    let table = shell.run("wallet --convert eur --format table").ok().stdout;
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!((lines[0], lines[2]), ("EUR 30.00", ""), "{table}");
    assert!(lines[1].starts_with("EUR rate: Frankfurter · ") && lines[1].ends_with(" ago"), "{table}");
}

#[test]
fn holding_without_a_price_has_a_warning_with_the_reason() {
    let server = in_euros();
    let shell = Shell::on(&server);
    let whole = shell.run("wallet add receive 2 sats --convert eur").ok().json();
    assert_eq!(whole["data"]["unvalued"], json!(["SATS"]));
    assert!(whole["warnings"].to_string().contains("no value for SATS: no price from CoinGecko"), "{whole}");
    // The coin is gone.
    let other = Server::start(|_| (200, json!({"data": {"cryptoCurrencyList": [], "totalCount": "0"}}).to_string()));
    let gone = shell.command("wallet --convert eur").env("SATSCOPE_BASE_URL", &other.url).output().unwrap();
    let gone = String::from_utf8(gone.stdout).unwrap();
    assert!(gone.contains(r#""no value for SATS: no matching coin""#), "{gone}");
}

#[test]
fn unreadable_lot_is_named_in_the_totals_and_can_be_removed() {
    let server = market();
    let shell = Shell::on(&server);
    for amount in [1, 2] {
        shell.run(&format!("wallet add {amount} ordi @ 5")).ok();
    }
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    let database = rusqlite::Connection::open(file).unwrap();
    database.execute("UPDATE lot SET amount = 'many' WHERE id = 1", []).unwrap();
    let reason = "can't read lot 1 (invalid amount \"many\")";
    for command in ["wallet", "wallet export --format json", "wallet add 3 ordi @ 5"] {
        let run = shell.run(command);
        assert_eq!((run.status, run.stderr.as_str()), (0, format!("satscope: {reason}\n").as_str()), "{command}");
        assert_eq!(run.json()["warnings"], json!([reason]), "{command}");
    }
    let table = shell.run("wallet --format table");
    assert!(table.stdout.contains(" without 1 unreadable lot"), "{}", table.stdout);
    assert_eq!(table.stderr, format!("satscope: {reason}\n"));
    shell.run("line --refresh {wallet.price}");
    assert_eq!(shell.run("line {wallet.price}").stdout, "$0.50*\n");
    let edited = shell.run("wallet edit 1 --note x");
    assert!(edited.status == 1 && edited.stderr.contains("(remove it: satscope wallet remove 1)"), "{}", edited.stderr);
    assert_eq!(shell.run("wallet remove 1").status, 0);
    assert_eq!(shell.run("wallet").ok().json()["warnings"], json!([]));
}

#[test]
fn totals_without_readable_lots_are_unknown() {
    let server = market();
    let shell = Shell::on(&server);
    shell.run("wallet add 1 ordi @ 5").ok();
    let file = shell.home.path().join(".local/state/satscope").join(satscope::store::FILE);
    rusqlite::Connection::open(file).unwrap().execute_batch("DROP TABLE lot").unwrap();
    let wallet = shell.run("wallet").json();
    for total in ["value", "cost", "profit", "realised", "day_change"] {
        assert_eq!(wallet["data"][total], Value::Null, "{total}");
    }
    assert_eq!(wallet["warnings"], json!(["can't read lots (unexpected table structure)"]));
    let table = shell.run("wallet --format table");
    assert!(!table.stderr.contains("no lots"), "{}", table.stderr);
}

#[test]
fn long_notes_and_labels_are_refused() {
    let server = market();
    let shell = Shell::on(&server);
    let long = "x".repeat(201);
    let reason = "note too long: 201 characters (at most 200)";
    shell.run(&format!("wallet add 1 ordi @ 5 --note {long}")).fails(2, reason);
    shell.run(&format!("wallet add 1 ordi @ 5 \"{long}\"")).fails(2, reason);
    let address = "bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8";
    let label = reason.replace("note", "label");
    shell.run(&format!("wallet address add {address} --label {long}")).fails(2, &label);
    shell.run(&format!("wallet add 1 ordi @ 5 --note {}", "x".repeat(200))).ok();
    shell.run(&format!("wallet edit 1 --note {long}")).fails(2, reason);
    assert_eq!(shell.run("wallet").ok().json()["data"]["lots"].as_array().unwrap().len(), 1);
    let file = shell.home.path().join("lots.csv");
    std::fs::write(&file, format!("symbol,amount,note\nORDI,2,short\nORDI,3,{long}\n")).unwrap();
    let imported = shell.run(&format!("wallet import {} --yes", file.display()));
    assert_eq!(imported.status, 0, "{}", imported.stderr);
    assert!(imported.stderr.contains("notes truncated to 200 characters: line 3\n"), "{}", imported.stderr);
    let again = shell.run(&format!("wallet import {} --yes", file.display()));
    assert!(again.stderr.contains("skipped 2 lots already in the wallet"), "{}", again.stderr);
}
