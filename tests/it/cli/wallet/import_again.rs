//! Files that are imported again.

use super::addresses::{COLD, HOT};
use super::market;
use crate::cli::server::Shell;

#[test]
fn lots_whose_details_were_edited_are_not_imported_again() {
    let shell = Shell::on(&market());
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {} --yes", file.display());
    let lots = "kind,slug,amount,unit_price,currency,fee,date,note\nbuy,ordi,2,3,USD,1,2025-03-02,first\n\
                buy,ordi,2,3,USD,1,2025-03-02,first\nsell,ordi,1,4,USD,,2025-03-03,\n";
    std::fs::write(&file, lots).unwrap();
    assert_eq!(shell.run(&import).status, 0);
    shell.run("wallet edit 1 --note mine --fee 2 --total 6").ok();
    shell.run("wallet edit 3 --note later").ok();
    let again = shell.run(&import);
    for sentence in [
        "skipped 3 lots already in the wallet\n",
        "kept the wallet's fee, note and address for lines 3, 4 (to add another lot: satscope wallet add)\n",
        "nothing imported\n",
    ] {
        assert!(again.stderr.contains(sentence), "{sentence}: {}", again.stderr);
    }
    // A third equal trade is a new lot, and so is one at another price or on another day.
    let more =
        "buy,ordi,2,3,USD,1,2025-03-02,third\nbuy,ordi,2,3.5,USD,1,2025-03-02,first\nsell,ordi,1,4,USD,,2025-03-04,\n";
    std::fs::write(&file, format!("{lots}{more}")).unwrap();
    let run = shell.run(&import);
    assert!(run.stderr.contains("3 new lots in ") && run.stderr.contains("skipped 3 lots already"), "{}", run.stderr);
    let whole = run.json();
    let lots = whole["data"]["lots"].as_array().unwrap();
    let notes: Vec<&str> = lots.iter().map(|lot| lot["note"].as_str().unwrap_or("none")).collect();
    assert_eq!(notes, ["mine", "first", "later", "third", "first", "none"]);
}

#[test]
fn fee_that_is_not_imported_is_named_once() {
    let shell = Shell::on(&market());
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {} --yes --skip-invalid", file.display());
    let line = |amount: &str, day: u8| format!("Trade,{amount},ORDI,10,EUR,2,BNB,2025-03-0{day} 10:00:00\n");
    let first = format!("Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Date\n{}{}", line("abc", 1), line("1", 2));
    // Neither the invalid line nor, the second time, the line that is already in the wallet.
    for (lines, named) in [(first.clone(), 3), (first + &line("1", 3), 4)] {
        std::fs::write(&file, lines).unwrap();
        let run = shell.run(&import);
        let sentence = format!("not imported: fee in line {named} (in a currency");
        assert!(run.status == 0 && run.stderr.contains(&sentence), "{}", run.stderr);
    }
}

#[test]
fn equal_lots_of_two_addresses_are_two_lots() {
    let shell = Shell::on(&market());
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {} --yes", file.display());
    for (address, sentence) in [(HOT, "1 new lot in "), (COLD, "1 new lot in "), ("", "0 new lots in ")] {
        std::fs::write(&file, format!("kind,slug,amount,date,address\nreceive,ordi,5,2025-03-02,{address}\n")).unwrap();
        let run = shell.run(&import);
        assert!(run.status == 0 && run.stderr.contains(sentence), "{address}: {}", run.stderr);
    }
}

#[test]
fn import_is_undone_by_the_command_that_it_prints() {
    let shell = Shell::on(&market());
    shell.run("wallet add 5 ordi @ 3 2025-03-02").ok();
    let before = shell.run("wallet export").ok().stdout;
    let file = shell.home.path().join("lots.csv");
    let import = format!("wallet import {} --yes", file.display());
    std::fs::write(&file, "symbol,amount,date\nORDI,1,2025-03-02\nORDI,1,2025-03-02\nORDI,2,2025-03-03\n").unwrap();
    let run = shell.run(&import);
    let undo = "satscope: imported 3 lots (to undo: satscope wallet remove 2-4)\n";
    assert!(run.status == 0 && run.stderr.ends_with(undo), "{}", run.stderr);
    let again = shell.run(&import);
    assert!(again.status == 0 && !again.stderr.contains("to undo"), "{}", again.stderr);
    // One was removed before.
    assert_eq!(shell.run("wallet remove 3").status, 0);
    assert_eq!(shell.run("wallet remove 2-4").status, 0);
    assert_eq!(shell.run("wallet export").ok().stdout, before);
    shell.run("wallet remove 1 2-4").fails(1, "no lots with IDs 2-4");
    assert_eq!(shell.run("wallet export").ok().stdout, before);
    // IDs are never used again.
    assert!(shell.run(&import).stderr.ends_with("wallet remove 5-7)\n"));
}
