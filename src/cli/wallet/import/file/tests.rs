mod holdings;
mod programs;

use super::super::draft::{CoinName, Draft, SkipReason};
use super::*;
use crate::user_data::LotPrice;

const TODAY: Date = Date::constant(2026, 11, 22);

/// The lots of a file in one line each, then its problems.
fn understood(text: &str) -> Vec<String> {
    let import = read(text.as_bytes(), TODAY).unwrap();
    let draft = |draft: &Draft| {
        let CoinName::Named(coin) = &draft.coin else { return String::from("exact") };
        let price = match &draft.price {
            Some(LotPrice::Unit(unit)) => format!(" @ {unit}"),
            Some(LotPrice::Total(total)) => format!(" @@ {total}"),
            None => String::new(),
        };
        let currency = draft.currency.as_ref().map(|code| format!(" {code}")).unwrap_or_default();
        let fee = draft.fee.as_ref().map(|fee| format!(" fee {fee}")).unwrap_or_default();
        let date = draft.date.map(|date| format!(" {date}")).unwrap_or_default();
        let Draft { line, kind, amount, .. } = draft;
        format!("{line}: {} {amount} {coin}{price}{currency}{fee}{date}", kind.as_str())
    };
    let problem = |problem: &Problem| format!("{}! {}", problem.line, problem.reason);
    import.drafts.iter().map(draft).chain(import.problems.iter().map(problem)).collect()
}

/// The lines without lots.
fn skipped(text: &str) -> Vec<(u64, SkipReason)> {
    let import = read(text.as_bytes(), TODAY).unwrap();
    import.skipped.iter().map(|Skipped { line, reason }| (*line, *reason)).collect()
}

#[test]
fn title_above_the_header_is_skipped() {
    let report = "Transaction report 2025\n\nDate,Type,Tag,Sending Wallet,Sent Amount,Sent Currency,Sent Cost Basis,\
        Receiving Wallet,Received Amount,Received Currency,Received Cost Basis,Fee Amount,Fee Currency,Gain (EUR),Description\n\
        2025-01-10 09:00:00 UTC,buy,,Kraken,30000,EUR,,Kraken,0.5,BTC,30000,12.5,EUR,0,\n\
        2025-01-11 09:00:00 UTC,buy,,Kraken,x,EUR,,Kraken,0.5,BTC,30000,12.5,EUR,0,\n";
    for end in ["\n", "\r\n", "\r"] {
        assert_eq!(
            understood(&report.replace('\n', end)),
            ["4: buy 0.5 BTC @@ 30000 EUR fee 12.5 2025-01-10", "5! not a number: x (examples: 500, 0.25, 1.5k)"],
            "{end:?}"
        );
    }
    let far = format!("{}symbol,amount\nordi,1\n", "title\n".repeat(20));
    let error = read(far.as_bytes(), TODAY).unwrap_err().to_string();
    assert!(error.contains("unknown column title"), "{error}");
}

#[test]
fn sats_in_a_file_are_the_token_not_the_currency() {
    let file = "symbol,amount,unit_price,currency\nORDI,5,300,SAT\nORDI,5,300,SATS\n";
    assert_eq!(
        understood(file),
        ["2: buy 5 ORDI @ 300 SAT", "3! SATS is not a currency code (the currency is SAT; SATS is a token)"]
    );
}

#[test]
fn line_with_too_few_or_too_many_cells_is_invalid() {
    let file = "kind,slug,amount,unit_price,currency,date\nbuy,ordi,5,3,EUR\nbuy,ordi,5,3,EUR,\n\
        buy,ordi,6,3,EUR,2025-03-02,extra,fields\nbuy,ordi,7,3,EUR,2025-03-02,,\n";
    assert_eq!(
        understood(file),
        [
            "3: buy 5 ordi @ 3 EUR",
            "5: buy 7 ordi @ 3 EUR 2025-03-02",
            "2! 5 cells, but 6 columns",
            "4! 8 cells, but 6 columns",
        ]
    );
}

#[test]
fn duplicate_column_is_rejected() {
    for (header, name) in [("symbol,amount,amount", "amount"), ("symbol,amount,price,price", "price")] {
        let error = read(format!("{header}\nordi,1,2,3,4\n").as_bytes(), TODAY).unwrap_err();
        assert_eq!(error.to_string(), format!("duplicate column {name}"));
    }
}

#[test]
fn semicolons_and_decimal_commas_are_read_where_unambiguous() {
    let file = "kind;symbol;amount;unit_price;currency;date\nbuy;ordi;0,5;14,10;eur;2025-03-02\nbuy;ordi;1,500;1;eur;\n\
        sell;ordi;x;;;\nswap;ordi;1;;;\nbuy;ordi;1;;;2999-01-01\nbuy;;1;;;\nbuy;ordi;1;;;03/02/2025\nbuy;ordi;1;2;xyz;2025-03-02\nbuy;ordi\n";
    assert_eq!(
        understood(file),
        [
            "2: buy 0.5 ordi @ 14.1 EUR 2025-03-02",
            "3! ambiguous number 1,500 (expected 1500 or 1.5)",
            "4! not a number: x (examples: 500, 0.25, 1.5k)",
            "5! swap is not one of buy, sell, receive, send",
            "6! 2999-01-01 is in the future",
            "7! no slug or symbol",
            "8! ambiguous date 03/02/2025 (expected 2025-03-02 or 2025-02-03)",
            "9! xyz is not a currency code such as EUR",
            "10! 2 cells, but 6 columns",
        ]
    );
}

#[test]
fn day_of_a_time_may_be_tomorrow() {
    let file = "symbol,amount,date\nordi,1,2026-11-23 00:30:00 UTC\nordi,2,2026-11-23T00:30Z\n\
        ordi,3,2026-11-23\nordi,4,2026-11-24 00:30\n";
    assert_eq!(
        understood(file),
        [
            "2: buy 1 ordi 2026-11-23",
            "3: buy 2 ordi 2026-11-23",
            "4! 2026-11-23 is in the future",
            "5! 2026-11-24 is in the future",
        ]
    );
}

#[test]
fn sheet_with_common_names_is_imported() {
    let file = "Date,Type,Coin,Quantity,Price,Currency,Notes\n2025-03-02,sell,ordi,0.5,14.1,EUR,half\n";
    assert_eq!(understood(file), ["2: sell 0.5 ordi @ 14.1 EUR 2025-03-02"]);
    // Our own names count first, so that nothing is read twice.
    let error = read(b"symbol,coin,amount\nordi,sats,1\n", TODAY).unwrap_err().to_string();
    assert_eq!(error, "unknown column coin (list columns: satscope wallet import --help)");
}

#[test]
fn unknown_file_names_its_columns_and_the_formats() {
    let error = |file: &str| read(file.as_bytes(), TODAY).unwrap_err().to_string();
    let rest = "needs at least the columns amount and slug (or symbol), or an export from CoinTracking (trade list), \
                Koinly, Coinbase, cointop or ticker (see satscope wallet import --help)";
    for (file, unknown) in [
        ("a,b\n1,2\n", "unknown columns a, b; "),
        ("date,a,price\n1,2,3\n", "unknown column a; "),
        ("date,note\n1,2\n", ""),
        // Titles have far fewer columns than the header, whose lines may have more.
        ("\nTransactions\nUser,Jane\nID,When,What,Where\n1,2,3,4,5\n", "unknown columns when, what, where; "),
        // Only whole columns are named.
        (
            "Date,Way,Base amount,Base currency (name),Base type,Quote amount,Quote currency\n1,BUY,2,ETH,CRYPTO,3,BTC\n",
            "unknown columns way, base amount, base currency (name), base type, …; ",
        ),
    ] {
        assert_eq!(error(file), format!("{unknown}{rest}"), "{file}");
    }
    let long = error(&format!("{},b\n", "a".repeat(70)));
    assert!(long.starts_with(&format!("unknown columns {}…, …; ", "a".repeat(60))), "{long}");
    assert!(error("Export,of,2025\nsymbol,amount,gain\n").starts_with("unknown column gain ("));
    assert_eq!(read(b"", TODAY).unwrap_err(), FileError::Empty);
}

#[test]
fn lines_are_counted_as_in_an_editor() {
    let file = "kind,symbol,amount,note\nbuy,ordi,x,\n\nbuy,ordi,1,\"two\nlines\"\nbuy,ordi,y,\n";
    for end in ["\n", "\r\n", "\r"] {
        let found = understood(&file.replace('\n', end));
        let lines: Vec<&str> = found.iter().map(|line| line.split([':', '!']).next().unwrap()).collect();
        assert_eq!(lines, ["4", "2", "6"], "{end:?} {found:?}");
    }
}

#[test]
fn open_quote_does_not_swallow_the_lines_after_it() {
    let file = "kind,symbol,amount,note\nbuy,ordi,5,\"open\nbuy,ordi,6,x\n";
    assert_eq!(understood(file), ["2! unclosed quote"]);
    let file = "kind,symbol,amount,note\nbuy,ordi,5,5\" nails\nbuy,ordi,6,x\n";
    assert_eq!(understood(file), ["2: buy 5 ordi", "3: buy 6 ordi"]);
}

#[test]
fn price_and_total_of_a_spreadsheet_are_those_of_the_lot() {
    let file = "date\tsymbol\tamount\tprice\tcurrency\n2025-03-02\tordi\t500\t14.10\teur\n";
    assert_eq!(understood(file), ["2: buy 500 ordi @ 14.1 EUR 2025-03-02"]);
    let file = "date,symbol,amount,total,currency\n2025-03-02,ordi,500,7050,EUR\n";
    assert_eq!(understood(file), ["2: buy 500 ordi @@ 7050 EUR 2025-03-02"]);
    let file = "symbol,amount,unit_price,price\nordi,500,14.1,8.41\n";
    assert_eq!(understood(file), ["2: buy 500 ordi @ 14.1"], "the price of now");
    let file = "symbol,amount,price,remaining\nordi,500,8.41,400\n";
    assert_eq!(understood(file), ["2: buy 500 ordi @ 8.41"], "the price paid");
    for other in ["total_price", "value", "profit", "profit_pct", "share_pct"] {
        let lots = understood(&format!("symbol,amount,price,{other}\nordi,500,8.41,7050\n"));
        let paid = if other == "total_price" { " @@ 7050" } else { "" };
        assert_eq!(lots, [format!("2: buy 500 ordi{paid}")], "the current price beside {other}");
    }
    let scientific = "symbol,amount,unit_price,total_price\nrats,1E6,8.8e-8,0.088\nrats,1E6,8.8e-8,0.2\n";
    let [lot, mismatch] = understood(scientific).try_into().unwrap();
    assert_eq!(lot, "2: buy 1000000 rats @@ 0.088");
    assert!(mismatch.starts_with("3! "), "{mismatch}");
    let error = read(b"symbol,amount,gain\nordi,1,2\n", TODAY).unwrap_err().to_string();
    assert!(error.starts_with("unknown column gain ("), "{error}");
}

#[test]
fn utf16_with_a_mark_is_read() {
    let text = "kind\tsymbol\tamount\tnote\nbuy\tordi\t5\tgrün 🟠\n";
    for (mark, bytes) in [
        (b"\xff\xfe", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
        (b"\xfe\xff", text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
    ] {
        let file = [mark.as_slice(), bytes.as_slice()].concat();
        let import = read(&file, TODAY).unwrap();
        assert_eq!(import.drafts[0].note.as_deref(), Some("grün 🟠"));
        assert_eq!(read(&bytes, TODAY).unwrap_err(), FileError::NotText { line: 1 }, "without a mark");
        let cut = read(&file[..file.len() - 1], TODAY).unwrap_err();
        assert_eq!(cut, FileError::NotText { line: 2 });
    }
}

#[test]
fn file_in_windows_1252_is_read_below_a_title_too() {
    // As Excel's "CSV" has it in Germany.
    let header = b"Typ;Kauf;Cur.;Verkauf;Cur.;Geb\xfchr;Cur.;B\xf6rse;Gruppe;Kommentar;Datum\n";
    let line = b"Trade;1;ORDI;2;EUR;;;X;;f\xfcr 5 \x80;02.03.2025\n";
    for title in [b"".as_slice(), b"Export\n\n", b"K\xe4ufe\r\n"] {
        let import = read(&[title, header, line].concat(), TODAY).unwrap();
        assert_eq!(import.drafts[0].note.as_deref(), Some("für 5 €"), "{title:?}");
        assert_eq!(import.encoding, Some("not UTF-8, so read as Windows-1252 (check accented letters)"));
        let utf8: String = [title, header, line].concat().into_iter().map(char::from).collect();
        let import = read(utf8.as_bytes(), TODAY).unwrap();
        assert_eq!((import.drafts.len(), import.encoding), (1, None));
    }
}

#[test]
fn header_in_an_unknown_encoding_is_reported_with_its_line() {
    // UTF-8 and another encoding in one file; and a byte that Windows-1252 doesn't define.
    for header in [b"Typ;Kauf;Cur.;Verkauf;Cur.;Geb\xfchr;G\xc3\xbc\n".as_slice(), b"Typ;Kauf;Cur.;Geb\x81hr\n"] {
        for (title, number) in [(b"".as_slice(), 1), (b"Export\n\n", 3)] {
            let error = read(&[title, header].concat(), TODAY).unwrap_err();
            assert_eq!(error.to_string(), format!("line {number} is not UTF-8 text (save the file as UTF-8)"));
        }
    }
    let titled = b"Export\r\n\r\nBuchungen \xc3\xbc \xfc\r\nkind,symbol,amount\nbuy,ordi,1\n";
    assert_eq!(read(titled, TODAY).unwrap().drafts.len(), 1);
}

#[test]
fn ambiguous_numbers_use_the_separators_of_the_whole_file() {
    let header = "Type,Buy,Cur.,Sell,Cur.,Fee,Cur.,Exchange,Group,Comment,Date\n";
    let file = |numbers: &[(&str, &str)]| {
        let lines = numbers
            .iter()
            .map(|(bought, sold)| format!("Trade,\"{bought}\",ORDI,\"{sold}\",EUR,,,X,,,02.03.2025 14:30:00\n"));
        format!("{header}{}", lines.collect::<String>())
    };
    let lot = |line: u64, bought: &str, sold: &str| format!("{line}: buy {bought} ORDI @@ {sold} EUR 2025-03-02");
    let german = file(&[("1.500", "2,125"), ("3", "1.234,56")]);
    assert_eq!(understood(&german), [lot(2, "1500", "2.125"), lot(3, "3", "1234.56")]);
    let readings = read(german.as_bytes(), TODAY).unwrap().readings;
    assert_eq!(readings, ["1.500 is read as 1500, since line 3 has 1.234,56"]);
    let english = file(&[("1.500", "2,125"), ("3", "1,234.56")]);
    assert_eq!(understood(&english), [lot(2, "1.5", "2125"), lot(3, "3", "1234.56")]);
    // Nothing shows what separates thousands, or the lines contradict each other.
    for numbers in
        [[("1", "2,125"), ("3", "12")], [("1,500", "2"), ("3", "14,10")], [("1,500", "1,234.56"), ("1", "2,5")]]
    {
        let found = understood(&file(&numbers));
        assert!(found.iter().any(|line| line.starts_with("2! ambiguous number ")), "{numbers:?}: {found:?}");
    }
    assert_eq!(understood(&file(&[("1.500", "2.5")])), [lot(2, "1.5", "2.5")]);
    assert_eq!(read(file(&[("1.500", "2.5")]).as_bytes(), TODAY).unwrap().readings, Vec::<String>::new());
}

#[test]
fn ambiguous_dates_use_the_order_of_the_whole_file() {
    let file = |dates: &[&str]| {
        let lines = dates.iter().map(|date| format!("ordi,1,{date}\n"));
        format!("symbol,amount,date\n{}", lines.collect::<String>())
    };
    let lots = |dates: &[&str]| -> Vec<String> {
        (2..).zip(dates).map(|(line, date)| format!("{line}: buy 1 ordi {date}")).collect()
    };
    let american = file(&["03/02/2025 10:00", "03/14/2025", "04/04/2025", "2025-01-31", "5-6-2025"]);
    assert_eq!(understood(&american), lots(&["2025-03-02", "2025-03-14", "2025-04-04", "2025-01-31", "2025-05-06"]));
    let readings = read(american.as_bytes(), TODAY).unwrap().readings;
    assert_eq!(readings, ["03/02/2025 is read as 2025-03-02, since line 3 has 03/14/2025"]);
    assert_eq!(understood(&file(&["14/03/2025", "03/02/2025"])), lots(&["2025-03-14", "2025-02-03"]));
    // Nothing shows the order, or the lines contradict each other.
    for others in [["2025-03-14", "14.03.2025"], ["14/03/2025", "03/14/2025"], ["13/13/2025", "2025/31/12"]] {
        let found = understood(&file(&["03/02/2025", others[0], others[1]]));
        let ambiguous = "2! ambiguous date 03/02/2025 (expected 2025-03-02 or 2025-02-03)";
        assert!(found.iter().any(|line| line == ambiguous), "{others:?}: {found:?}");
    }
}

#[test]
fn price_and_total_must_match_within_their_digits() {
    let file = "date,symbol,amount,price,total\n2025-03-02,ordi,500,14.10,7050\n2025-03-03,ordi,3,0.33,1.00\n\
        2025-03-04,ordi,3,,1\n2025-03-05,ordi,3,0.33,\n2025-03-06,ordi,500,14.10,8000\n";
    assert_eq!(
        understood(file),
        [
            "2: buy 500 ordi @@ 7050 2025-03-02",
            "3: buy 3 ordi @@ 1 2025-03-03",
            "4: buy 3 ordi @@ 1 2025-03-04",
            "5: buy 3 ordi @ 0.33 2025-03-05",
            "6! price 14.10 and total 8000 don't match (expected a total of 7050)",
        ]
    );
    let file = "symbol;amount;unit_price;total\nordi;2;1234567,3;2,469,135\nordi;2;1,5;3,1\n";
    let expected = ["2: buy 2 ordi @@ 2469135", "3: buy 2 ordi @@ 3.1"];
    assert_eq!(understood(file), expected);
    let file = "symbol,amount,unit_price,total\nordi,2,1.50,3.10\n";
    assert_eq!(understood(file), ["2! unit_price 1.50 and total 3.10 don't match (expected a total of 3)"]);
    // A whole number is not rounded by half of the price.
    let file = "symbol,amount,unit_price,total\nordi,5,1,2\nordi,3,14,42.5\n";
    let mismatch = "2! unit_price 1 and total 2 don't match (expected a total of 5)";
    assert_eq!(understood(file), ["3: buy 3 ordi @@ 42.5", mismatch]);
}

#[test]
fn fee_inside_the_total_counts_once() {
    let file = "Type,Symbol,Amount,Price,Total,Fee\nbuy,ORDI,500,14.1,7065,15\nsell,ORDI,500,14.1,7035,15\n\
        buy,ORDI,500,14.1,7050,15\nbuy,ORDI,0.33333,14.1,19.70,15\nbuy,ORDI,500,14.1,7050.10,15\n\
        buy,ORDI,500,14.1,7035,15\nbuy,ORDI,500,14.1,7150,15\n";
    assert_eq!(
        understood(file),
        [
            "2: buy 500 ORDI @@ 7050 fee 15",
            "3: sell 500 ORDI @@ 7050 fee 15",
            "4: buy 500 ORDI @@ 7050 fee 15",
            "5: buy 0.33333 ORDI @@ 4.7 fee 15",
            "6: buy 500 ORDI @@ 7050.1 fee 15",
            "7: buy 500 ORDI @@ 7035 fee 15",
            "8! price 14.1 and total 7150 don't match (expected a total of 7050)",
        ]
    );
}

#[test]
fn only_plain_numbers_are_read_and_parentheses_are_negative() {
    let file = "symbol,amount,unit_price,fee\nORDI,(5),,\nORDI,5-3,,\nORDI,3/4,,\nORDI,5,(2),\nORDI,5,2,(1.50)\n\
        ORDI,-5,,\nORDI,1.5k,2e-1,\n";
    let negative = "an amount can't be negative: -5 (to reduce a holding, use sell or send)";
    assert_eq!(
        understood(file),
        [
            String::from("8: buy 1500 ORDI @ 0.2"),
            format!("2! {negative}"),
            String::from("3! not a number: 5-3 (examples: 500, 0.25, 1.5k)"),
            String::from("4! not a number: 3/4 (examples: 500, 0.25, 1.5k)"),
            String::from("5! a price or fee can't be negative: (2)"),
            String::from("6! a price or fee can't be negative: (1.50)"),
            format!("7! {negative}"),
        ]
    );
    // A decimal comma in parentheses is one, too.
    let file = "symbol;amount\nORDI;(1.234,5)\nORDI;1.234\n";
    assert_eq!(understood(file)[0], "3: buy 1234 ORDI");
}

#[test]
fn configuration_of_ticker_or_cointop_is_recognised() {
    let ticker =
        "# comment\nshow-summary: true\nwatchlist:\n  - BTC.X\nlots:\n  - symbol: \"BTC.X\"\n    quantity: 1\n";
    let cointop = "currency = \"USD\"\n\n[portfolio]\n  holdings = [[\"Bitcoin\",\n";
    for (file, reason) in [
        (ticker, "this is ticker's configuration (import the output of ticker print --format csv)"),
        (
            "lots:\n  - symbol: ORDI\n",
            "this is ticker's configuration (import the output of ticker print --format csv)",
        ),
        (cointop, "this is cointop's configuration (import the output of cointop holdings --format csv)"),
    ] {
        assert_eq!(read(file.as_bytes(), TODAY).unwrap_err().to_string(), reason);
    }
}

#[test]
fn point_in_a_file_with_decimal_commas_may_separate_thousands() {
    let file = "symbol;amount;unit_price\nordi;1.234;14,10\nordi;1.234,5;2.5\nordi;1.2345;1\n";
    assert_eq!(
        understood(file),
        ["3: buy 1234.5 ordi @ 2.5", "4: buy 1.2345 ordi @ 1", "2! ambiguous number 1.234 (expected 1234 or 1,2340)",]
    );
    assert_eq!(understood("symbol;amount\nordi;1.234\n"), ["2: buy 1.234 ordi"]);
}

proptest::proptest! {
    #[test]
    fn any_file_is_read_without_a_panic(text in "(kind,symbol,amount\n)?(\\PC|[\",;\n']){0,80}") {
        let _ = read(text.as_bytes(), TODAY);
    }
}
