//! What `alerts watch` prints.

use std::io::{BufRead as _, BufReader};
use std::sync::atomic::Ordering;

use super::{Shell, add, end, market};

const HEADER: &str = "id,rule,at,after,title,text,value,missed,simulated\n";

#[test]
fn csv_has_a_header_and_the_fields_of_json() {
    let (server, cents) = market();
    let shell = Shell::on(&server);
    let run = shell.run("alerts watch --for 1 --format csv");
    assert_eq!((run.status, run.stdout.as_str()), (0, HEADER), "{}", run.stderr);
    add(&shell, "ordi > 10");
    cents.store(1_005, Ordering::SeqCst);
    let mut watch = shell.command("alerts watch --format csv").spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap());
    let mut printed = String::new();
    for _ in 0..2 {
        lines.read_line(&mut printed).unwrap();
    }
    end(&mut watch);
    let row = printed.strip_prefix(HEADER).unwrap_or_else(|| panic!("{printed}"));
    assert!(row.starts_with("1,ordi > 10 usd,20"), "{row}");
    assert!(row.ends_with(",ORDI is 10.05 USD (limit > 10),10.05,false,false\n"), "{row}");
}

#[test]
fn large_limits_are_short_only_in_the_table() {
    let (server, _) = market();
    let shell = Shell::on(&server);
    assert_eq!(add(&shell, "ordi cap > 2000000000000")["rule"], "ordi cap > 2000000000000 usd");
    let table = shell.run("alerts --format table").ok().stdout;
    assert!(table.contains(" ordi cap > 2T usd "), "{table}");
    assert_eq!(shell.run("alerts").ok().json()["data"][0]["rule"], "ordi cap > 2000000000000 usd");
    assert!(shell.run("alerts --format csv").ok().stdout.contains("1,ordi cap > 2000000000000 usd,"));
}
