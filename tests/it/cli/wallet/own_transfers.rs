//! Transfers between the user's own wallets in imported files.

use serde_json::Value;

use super::market;
use crate::cli::server::Shell;

#[test]
fn own_transfer_of_cointracking_keeps_its_cost() {
    let server = market();
    let shell = Shell::on(&server);
    let file = shell.home.path().join("lots.csv");
    let lines = [
        "Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Exchange,Group,Comment,Date",
        "Trade,10,ORDI,50,USD,,,A,,,2025-03-01 10:00:00",
        // All of it arrives.
        "Withdrawal,,,1,ORDI,,,A,,,2025-03-02 10:00:00",
        "Deposit,1,ORDI,,,,,B,,,2025-03-02 11:00:00",
        // Without the fee.
        "Withdrawal,,,2,ORDI,0.5,ORDI,A,,,2025-03-10 10:00:00",
        "Deposit,1.5,ORDI,,,,,B,,,2025-03-13 10:00:00",
        // The first of two deposits.
        "Withdrawal,,,3,ORDI,,,A,,,2025-04-01 10:00:00",
        "Deposit,3,ORDI,,,,,B,,,2025-04-01 11:00:00",
        "Deposit,3,ORDI,,,,,B,,,2025-04-01 12:00:00",
        // Too late, before the withdrawal, another coin, another type.
        "Withdrawal,,,0.1,ORDI,,,A,,,2025-05-01 10:00:00",
        "Deposit,0.1,ORDI,,,,,B,,,2025-05-04 10:00:01",
        "Deposit,0.2,ORDI,,,,,B,,,2025-06-01 09:00:00",
        "Withdrawal,,,0.2,ORDI,,,A,,,2025-06-01 10:00:00",
        "Deposit,0.2,SATS,,,,,B,,,2025-06-01 11:00:00",
        "Gift,0.3,ORDI,,,,,B,,,2025-07-01 11:00:00",
        "Withdrawal,,,0.3,ORDI,,,A,,,2025-07-01 10:00:00",
    ];
    std::fs::write(&file, lines.join("\n")).unwrap();
    let run = shell.run(&format!("wallet import {} --yes", file.display()));
    assert!(run.stderr.contains("skipped lines 3, 4, 6–8: between your own wallets\n"), "{}", run.stderr);
    assert_eq!(
        lots(&run.json()),
        [
            "buy 10 2025-03-01",
            "send 0.5 2025-03-10",
            "receive 3 2025-04-01",
            "send 0.1 2025-05-01",
            "receive 0.1 2025-05-04",
            "receive 0.2 2025-06-01",
            "send 0.2 2025-06-01",
            "receive 0.2 2025-06-01",
            "send 0.3 2025-07-01",
            "receive 0.3 2025-07-01",
        ]
    );
    // The same file adds nothing, not even the fee.
    let again = shell.run(&format!("wallet import {} --yes", file.display()));
    assert!(again.stderr.contains("nothing imported"), "{}", again.stderr);
}

/// The lots of a CoinTracking file, as kind, amount and day, and what the import prints.
fn imported(lines: &[&str]) -> (Vec<String>, String) {
    imported_with("Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Exchange,Group,Comment,Date", lines)
}

fn imported_with(header: &str, lines: &[&str]) -> (Vec<String>, String) {
    let shell = Shell::on(&market());
    let file = shell.home.path().join("lots.csv");
    std::fs::write(&file, format!("{header}\n{}", lines.join("\n"))).unwrap();
    let run = shell.run(&format!("wallet import {} --yes", file.display()));
    assert_eq!(run.status, 0, "{}", run.stderr);
    (lots(&run.json()), run.stderr)
}

/// The lots of a wallet as kind, amount and day.
fn lots(wallet: &Value) -> Vec<String> {
    let text = |lot: &Value| ["kind", "amount", "date"].map(|name| lot[name].as_str().unwrap()).join(" ");
    wallet["data"]["lots"].as_array().unwrap().iter().map(text).collect()
}

#[test]
fn deposits_are_paired_in_chronological_order() {
    let (lots, stderr) = imported(&[
        "Withdrawal,,,1,ORDI,0.1,ORDI,A,,,2025-03-02 14:30:00",
        "Deposit,0.9,ORDI,,,,,B,,,2025-03-02 15:00:00",
        "Withdrawal,,,1,ORDI,0.1,ORDI,A,,,2025-03-03 14:30:00",
        "Deposit,0.9,ORDI,,,,,B,,,2025-03-03 15:00:00",
        // One more deposit than withdrawals.
        "Withdrawal,,,2,ORDI,,,A,,,2025-04-02 14:30:00",
        "Withdrawal,,,2,ORDI,,,A,,,2025-04-02 15:30:00",
        "Deposit,2,ORDI,,,,,B,,,2025-04-02 16:00:00",
        "Deposit,2,ORDI,,,,,B,,,2025-04-02 17:00:00",
        "Deposit,2,ORDI,,,,,B,,,2025-04-02 18:00:00",
        // The second withdrawal is later than both deposits.
        "Withdrawal,,,3,ORDI,,,A,,,2025-05-02 10:00:00",
        "Deposit,3,ORDI,,,,,B,,,2025-05-02 11:00:00",
        "Deposit,3,ORDI,,,,,B,,,2025-05-02 12:00:00",
        "Withdrawal,,,3,ORDI,,,A,,,2025-05-02 13:00:00",
        // Each deposit fits both withdrawals.
        "Withdrawal,,,4,ORDI,0.5,ORDI,A,,,2025-06-02 10:00:00",
        "Withdrawal,,,3.5,ORDI,,,A,,,2025-06-02 10:00:00",
        "Deposit,3.5,ORDI,,,,,B,,,2025-06-02 11:00:00",
        "Deposit,3.5,ORDI,,,,,B,,,2025-06-02 12:00:00",
    ]);
    assert!(stderr.contains("skipped lines 3, 5–9, 11, 12, 16–18: between your own wallets\n"), "{stderr}");
    assert_eq!(
        lots,
        [
            "send 0.1 2025-03-02",
            "send 0.1 2025-03-03",
            "receive 2 2025-04-02",
            "receive 3 2025-05-02",
            "send 3 2025-05-02",
            "send 0.5 2025-06-02",
        ]
    );
}

#[test]
fn transfers_in_spanish_are_found_and_those_in_other_languages_reported() {
    let warning = "warning: unknown types in lines 3, 4 that look like transfers between your own wallets: ";
    for (sent, received, is_found) in [("Retirada", "Depósito", true), ("Retrait", "Dépôt", false)] {
        let (lots, stderr) = imported(&[
            "Operación,10,ORDI,50,USD,,,A,,,2025-03-01 10:00:00",
            &format!("{sent},,,1,ORDI,,,A,,,2025-03-02 10:00:00"),
            &format!("{received},1,ORDI,,,,,B,,,2025-03-02 11:00:00"),
            // No transfers: income, a known type, and another amount.
            "Ingresos,2,ORDI,,,,,B,,,2025-03-05 11:00:00",
            &format!("{sent},,,2,ORDI,,,A,,,2025-03-05 10:00:00"),
            "Deposit,3,ORDI,,,,,B,,,2025-04-05 11:00:00",
            "Autre,,,3,ORDI,,,A,,,2025-04-05 10:00:00",
            &format!("{sent},,,4,ORDI,,,A,,,2025-05-05 10:00:00"),
        ]);
        assert_eq!(lots.len(), if is_found { 6 } else { 8 }, "{lots:?}");
        assert_eq!(stderr.contains("skipped lines 3, 4: between your own wallets\n"), is_found, "{stderr}");
        assert_eq!(stderr.contains(warning), !is_found, "{stderr}");
    }
}

#[test]
fn lines_of_koinly_with_the_same_transaction_are_a_transfer() {
    let header =
        "Koinly Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Label,TxHash";
    let (lots, stderr) = imported_with(
        header,
        &[
            "2025-03-01 10:00 UTC,100,USD,10,ORDI,,,,",
            "2025-03-02 10:00 UTC,0.5,ORDI,,,0.1,ORDI,,abc",
            "2025-03-02 10:30 UTC,,,0.5,ORDI,,,,abc",
            "2025-03-03 10:00 UTC,0.4,ORDI,,,,,withdrawal,def",
            "2025-03-03 10:30 UTC,,,0.4,ORDI,,,deposit,0xDEF",
            // Another transaction, none, a gift, and a fee that would be lost.
            "2025-04-02 10:00 UTC,1,ORDI,,,,,,abc",
            "2025-04-02 10:30 UTC,,,1,ORDI,,,,def",
            "2025-05-02 10:00 UTC,2,ORDI,,,,,,",
            "2025-05-02 10:30 UTC,,,2,ORDI,,,,",
            "2025-06-02 10:00 UTC,3,ORDI,,,,,gift,abc",
            "2025-06-02 10:30 UTC,,,3,ORDI,,,,abc",
            "2025-07-02 10:00 UTC,4,ORDI,,,2,USD,,abc",
            "2025-07-02 10:30 UTC,,,4,ORDI,,,,abc",
        ],
    );
    assert!(stderr.contains("skipped lines 4–6: between your own wallets\n"), "{stderr}");
    assert_eq!(lots[..2], ["buy 10 2025-03-01", "send 0.1 2025-03-02"]);
    assert_eq!(lots.len(), 2 + 8, "{lots:?}");
}

#[test]
fn lot_on_the_other_side_of_a_transfer_is_named() {
    let shell = Shell::on(&market());
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {}", file.display());
    let half = "Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Date\nTrade,1,ORDI,5,USD,,,2025-03-01 10:00:00\n\
                Withdrawal,,,0.5,ORDI,,,2025-03-02 10:00:00\n";
    std::fs::write(&file, half).unwrap();
    assert_eq!(lots(&shell.run(&format!("{import} --yes")).json()), ["buy 1 2025-03-01", "send 0.5 2025-03-02"]);
    std::fs::write(&file, format!("{half}Deposit,0.5,ORDI,,,,,2025-03-02 11:00:00\n")).unwrap();
    let sentence = "line 4: the other side of a transfer that is already in the wallet (to keep the cost: satscope \
                    wallet remove 2, then import the file again)\n";
    let again = shell.run(&import);
    assert!(again.stderr.contains("1 new lot in ") && again.stderr.contains(sentence), "{}", again.stderr);
    assert_eq!(shell.run("wallet remove 2").status, 0);
    let run = shell.run(&format!("{import} --yes"));
    assert!(run.stderr.contains("skipped lines 3, 4: between your own wallets\n"), "{}", run.stderr);
    assert!(!run.stderr.contains("the other side"), "{}", run.stderr);
    assert_eq!(lots(&run.json()), ["buy 1 2025-03-01"]);
}

#[test]
fn longer_file_keeps_the_transfers_of_the_first_import() {
    let shell = Shell::on(&market());
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {} --yes", file.display());
    let first = "Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Date\nTrade,9,ORDI,45,USD,,,2025-03-01 10:00:00\n\
                 Withdrawal,,,1,ORDI,,,2025-03-02 10:00:00\nDeposit,1,ORDI,,,,,2025-03-02 11:00:00\n\
                 Withdrawal,,,1,ORDI,,,2025-03-03 10:00:00\n";
    std::fs::write(&file, first).unwrap();
    let run = shell.run(&import);
    assert!(run.stderr.contains("skipped lines 3, 4: between your own wallets\n"), "{}", run.stderr);
    assert_eq!(lots(&run.json()), ["buy 9 2025-03-01", "send 1 2025-03-03"]);
    // The second deposit also fits the first withdrawal.
    std::fs::write(&file, format!("{first}Deposit,1,ORDI,,,,,2025-03-03 11:00:00\n")).unwrap();
    let run = shell.run(&import);
    assert!(run.stderr.contains("skipped lines 3, 4: between your own wallets\n"), "{}", run.stderr);
    assert!(run.stderr.contains("line 6: the other side of a transfer"), "{}", run.stderr);
    assert_eq!(lots(&run.json()), ["buy 9 2025-03-01", "send 1 2025-03-03", "receive 1 2025-03-03"]);
}

#[test]
fn longer_file_does_not_undo_the_transfers_of_the_first_import() {
    for (line, lot) in [
        ("Deposit,1,ORDI,,,,,2025-03-03 11:00:00", "receive 1 2025-03-03"),
        ("Deposit,1,ORDI,,,,,2025-03-02 10:30:00", "receive 1 2025-03-02"),
        ("Withdrawal,,,1,ORDI,,,2025-03-02 09:00:00", "send 1 2025-03-02"),
        ("Withdrawal,,,1,ORDI,,,2025-03-02 10:30:00", "send 1 2025-03-02"),
        // Also fits the deposit, without its fee.
        ("Withdrawal,,,1.5,ORDI,0.5,ORDI,2025-03-02 10:30:00", "send 1.5 2025-03-02"),
    ] {
        let shell = Shell::on(&market());
        let file = shell.home.path().join("lots.csv");
        let import = format!("wallet import {} --yes", file.display());
        let first = "Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Date\nTrade,9,ORDI,45,USD,,,2025-03-01 10:00:00\n\
                     Withdrawal,,,1,ORDI,,,2025-03-02 10:00:00\nDeposit,1,ORDI,,,,,2025-03-02 11:00:00\n";
        std::fs::write(&file, first).unwrap();
        assert_eq!(lots(&shell.run(&import).json()), ["buy 9 2025-03-01"]);
        std::fs::write(&file, format!("{first}{line}\n")).unwrap();
        let run = shell.run(&import);
        assert!(run.stderr.contains("1 new lot in "), "{line}: {}", run.stderr);
        assert_eq!(lots(&run.json()), ["buy 9 2025-03-01", lot], "{line}");
    }
}

#[test]
fn longer_file_counts_the_fee_of_an_imported_transfer_once() {
    for (line, lot) in [
        // What arrived of the first withdrawal.
        ("Withdrawal,,,0.9,ORDI,,,2025-03-02 09:00:00", "send 0.9 2025-03-02"),
        ("Withdrawal,,,1,ORDI,0.1,ORDI,2025-03-01 12:00:00", "send 1 2025-03-01"),
        ("Deposit,1,ORDI,,,,,2025-03-02 10:30:00", "receive 1 2025-03-02"),
    ] {
        let shell = Shell::on(&market());
        let file = shell.home.path().join("lots.csv");
        let import = format!("wallet import {} --yes", file.display());
        let first = "Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Date\nTrade,9,ORDI,45,USD,,,2025-03-01 10:00:00\n\
                     Withdrawal,,,1,ORDI,0.1,ORDI,2025-03-02 10:00:00\nDeposit,0.9,ORDI,,,,,2025-03-02 11:00:00\n";
        std::fs::write(&file, first).unwrap();
        assert_eq!(lots(&shell.run(&import).json()), ["buy 9 2025-03-01", "send 0.1 2025-03-02"]);
        std::fs::write(&file, format!("{first}{line}\n")).unwrap();
        let run = shell.run(&import);
        assert!(run.stderr.contains("skipped lines 3, 4: between your own wallets\n"), "{line}: {}", run.stderr);
        assert_eq!(lots(&run.json()), ["buy 9 2025-03-01", "send 0.1 2025-03-02", lot], "{line}");
        let again = shell.run(&import);
        assert!(again.stderr.contains("0 new lots in "), "{line}: {}", again.stderr);
    }
}

#[test]
fn lot_that_equals_a_side_of_a_transfer_is_not_imported_again() {
    let shell = Shell::on(&market());
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {} --yes", file.display());
    let lines = "Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Date\nTrade,9,ORDI,45,USD,,,2025-03-01 10:00:00\n\
                 Withdrawal,,,1,ORDI,,,2025-03-02 10:00:00\nDeposit,1,ORDI,,,,,2025-03-02 11:00:00\n\
                 Withdrawal,,,1,ORDI,,,2025-03-02 12:00:00\nDeposit,1,ORDI,,,,,2025-03-02 09:00:00\n";
    std::fs::write(&file, lines).unwrap();
    let imported = lots(&shell.run(&import).json());
    assert_eq!(imported, ["buy 9 2025-03-01", "receive 1 2025-03-02", "send 1 2025-03-02"]);
    let again = shell.run(&import);
    for sentence in
        ["0 new lots in ", "skipped lines 3, 4: between your own wallets\n", "skipped 3 lots already in the"]
    {
        assert!(again.stderr.contains(sentence), "{sentence}: {}", again.stderr);
    }
    assert!(!again.stderr.contains("the other side"), "{}", again.stderr);
}
