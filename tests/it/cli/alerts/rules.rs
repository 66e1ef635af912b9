//! Rules of alerts as they are typed and shown.

use super::super::output::on_terminal;
use super::with_rule;
use crate::cli::server::Shell;

#[test]
fn table_drops_columns_before_it_shortens_a_rule() {
    let shell = Shell::new();
    shell.run("--demo wallet address add bc1qd2mzs0p9rhjrp9494u0edtlleulfqt4x268cg8 --label cold").ok();
    let rules = [
        "bitcoin > 100000 usd",
        "bitcoin > 1000000 usd",
        "bitcoin > 100000000 krw",
        "ordi > 1000.5 usd",
        "ordi > 20 usd rearm 19.123456789012",
        "cold ordi > 12345.000000000000000001",
    ];
    let address = "bc1qxhmdufsvnuaaaer4ynz88fspdsxq2h9e9cetdj";
    let long = format!("{address} btc > 1");
    for rule in rules.into_iter().chain([long.as_str()]) {
        with_rule(&shell, "--demo alerts add", rule).ok();
    }
    for columns in [60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 200] {
        let shown = on_terminal(&shell, columns, "--demo alerts", true);
        let has = |text: &str| assert!(shown.contains(text), "{text} at {columns}: {shown}");
        rules.iter().for_each(|rule| has(&format!("DEMO {rule} ")));
        has(" btc > 1 ");
        for row in shown.lines().filter(|row| row.contains('…')) {
            assert!(row.contains("DEMO bc1qxhmd…cetdj btc > 1 "), "only an address is cut at {columns}: {shown}");
        }
        let widest = shown.lines().map(unicode_width::UnicodeWidthStr::width).max().unwrap();
        assert!(widest <= usize::from(columns), "{columns}: {shown}");
    }
    assert!(on_terminal(&shell, 200, "--demo alerts", true).contains(&long));
}
