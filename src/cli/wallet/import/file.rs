//! Recognises the program that wrote a CSV file by its header, and reads its lots.

use jiff::civil::Date;

use super::super::export::COLUMNS;
use super::decimals::Decimals;
use super::draft::{Draft, Format, Problem};
use super::lines::Lines;
use super::row_error::RowError;
use super::rows;

/// The contents of a file.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) format: Format,
    pub(super) drafts: Vec<Draft>,
    pub(super) problems: Vec<Problem>,
    /// Lines that only move money, such as a deposit of euros.
    pub(super) skipped: usize,
}

/// A file that is not recognised.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum FileError {
    /// It is UTF-16.
    #[error("not UTF-8 text")]
    Encoding,
    /// It has lots, but also unknown columns.
    #[error("unknown column{} {found}; known: {}", if found.contains(',') { "s" } else { "" }, COLUMNS.join(", "))]
    Column {
        /// The unknown columns.
        found: String,
    },
    /// Nothing known has this header.
    #[error(
        "unknown columns ({found}); expected a file from satscope, CoinTracking, Koinly, cointop or ticker, or columns \
         amount and slug (or symbol)"
    )]
    Unknown {
        /// The columns found.
        found: String,
    },
    /// There is no header.
    #[error("file is empty")]
    Empty,
}

/// Reads a file with commas, semicolons or tabs.
///
/// # Errors
/// Its header is not known.
pub(super) fn read(bytes: &[u8], today: Date) -> Result<Import, FileError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(FileError::Encoding);
    }
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let number = |wanted: u8| first.iter().filter(|byte| **byte == wanted).count();
    // On a tie, the last one wins: the comma.
    let delimiter = [b'\t', b';', b','].into_iter().max_by_key(|wanted| number(*wanted)).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(bytes);
    let mut header: Vec<String> = match reader.byte_headers() {
        Ok(header) => header.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_ascii_lowercase()).collect(),
        Err(_) => return Err(FileError::Empty),
    };
    if header.iter().all(String::is_empty) {
        return Err(FileError::Empty);
    }
    let names = header.clone();
    rename(&mut header);
    let format = recognise(&header).ok_or_else(|| unknown(&header))?;
    let mut import = Import { format, drafts: Vec::new(), problems: Vec::new(), skipped: 0 };
    let mut record = csv::StringRecord::new();
    let mut lines = Lines::new(bytes);
    let mut decimals = Decimals::new(&header);
    loop {
        let line = lines.of_record(reader.position());
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                if record.iter().all(|cell| cell.trim().is_empty()) {
                    continue;
                }
                // A comma in a number that is not quoted makes two cells of it.
                if record.iter().skip(header.len()).any(|cell| !cell.trim().is_empty()) {
                    let reason = RowError::Cells { cells: record.len(), columns: header.len() };
                    import.problems.push(Problem { line, reason });
                    continue;
                }
                if lines.has_open_quote(reader.position()) {
                    import.problems.push(Problem { line, reason: RowError::OpenQuote });
                    continue;
                }
                decimals.read(line, &record);
                let row = rows::Row { header: &header, names: &names, cells: &record, line, today };
                match row.drafts(format) {
                    Ok(drafts) if drafts.is_empty() => import.skipped += 1,
                    Ok(drafts) => import.drafts.extend(drafts),
                    Err(reason) => import.problems.push(Problem { line, reason }),
                }
            }
            Err(error) => {
                let is_over = error.is_io_error();
                import.problems.push(Problem { line, reason: RowError::NotText });
                if is_over {
                    break;
                }
            }
        }
    }
    for problem in decimals.ambiguous() {
        import.drafts.retain(|draft| draft.line != problem.line);
        import.problems.push(problem);
    }
    Ok(import)
}

/// Columns of `wallet --format csv` that say nothing about the lot itself.
const DERIVED: [&str; 7] = ["id", "price", "value", "profit", "profit_pct", "share_pct", "convert"];

/// Columns beside which `price` is the current price, not the price paid.
const BESIDE_CURRENT_PRICE: [&str; 7] =
    ["unit_price", "total_price", "value", "profit", "profit_pct", "share_pct", "convert"];

/// Renames `price` and `total` of a user's own file to our names.
fn rename(header: &mut [String]) {
    let has_any = |names: &[&str]| header.iter().any(|column| names.contains(&column.as_str()));
    let is_simple = is_own(header);
    let (has_price, has_total) = (!has_any(&BESIDE_CURRENT_PRICE), !has_any(&["total_price"]));
    for (other, own, is_meant) in [("price", "unit_price", has_price), ("total", "total_price", has_total)] {
        if is_simple && is_meant {
            header.iter_mut().filter(|column| *column == other).for_each(|column| own.clone_into(column));
        }
    }
}

/// Whether a header has the minimum columns of our own files.
fn is_own(header: &[String]) -> bool {
    let has = |name: &str| header.iter().any(|column| column == name);
    has("amount") && (has("slug") || has("symbol"))
}

fn is_known(column: &str) -> bool {
    COLUMNS.contains(&column) || DERIVED.contains(&column)
}

fn unknown(header: &[String]) -> FileError {
    let shown = |columns: Vec<&str>| columns.join(", ").chars().take(120).collect();
    match is_own(header) {
        true => {
            let unknown = header.iter().map(String::as_str).filter(|column| !is_known(column));
            FileError::Column { found: shown(unknown.collect()) }
        }
        false => FileError::Unknown { found: shown(header.iter().map(String::as_str).collect()) },
    }
}

/// The program with this header.
fn recognise(header: &[String]) -> Option<Format> {
    let has = |names: &[&str]| names.iter().all(|name| header.iter().any(|column| column == name));
    if is_own(header) && header.iter().all(|column| is_known(column)) {
        Some(Format::Own)
    } else if has(&["type", "buy", "sell", "fee", "cur.", "date"]) {
        Some(Format::CoinTracking)
    } else if has(&["date", "sent amount", "sent currency", "received amount", "received currency"]) {
        Some(Format::Koinly)
    } else if has(&["symbol", "cost", "quantity", "weight"]) {
        Some(Format::Ticker)
    } else if has(&["symbol", "holdings", "balance"]) {
        Some(Format::Cointop)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::draft::CoinName;
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

    #[test]
    fn cointracking_trades_become_lots() {
        let file = "\u{feff}\"Type\",\"Buy\",\"Cur.\",\"Sell\",\"Cur.\",\"Fee\",\"Cur.\",\"Exchange\",\"Group\",\"Comment\",\"Date\",\"Tx-ID\"\n\
            \"Trade\",\"500\",\"ORDI\",\"7050,00\",\"EUR\",\"2\",\"EUR\",\"X\",\"\",\"\",\"02.03.2025 14:30:00\",\"\"\n\
            \"Trade\",\"0.5\",\"BTC\",\"10\",\"ORDI\",\"\",\"\",\"X\",\"\",\"\",\"2025-03-03 10:00:00\",\"\"\n\
            \"Deposit\",\"5000\",\"EUR\",\"\",\"\",\"\",\"\",\"X\",\"\",\"\",\"2025-03-01 10:00:00\",\"\"\n\
            \"Withdrawal\",\"\",\"\",\"1\",\"ORDI\",\"\",\"\",\"X\",\"\",\"\",\"2025/03/04 10:00:00\",\"\"\n";
        assert_eq!(
            understood(file),
            [
                "2: buy 500 ORDI @@ 7050 EUR 2025-03-02",
                "3: sell 10 ORDI @@ 0.5 BTC 2025-03-03",
                "3: buy 0.5 BTC @ 1 BTC 2025-03-03",
                "5: send 1 ORDI 2025-03-04",
            ]
        );
        assert_eq!(read(file.as_bytes(), TODAY).unwrap().skipped, 1);
    }

    #[test]
    fn koinly_fees_are_part_of_the_lot_or_sent() {
        let file = "Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash\n\
            2025-03-02 10:00:00 UTC,100,USD,7,ORDI,0.5,USD,,,,,\n\
            2025-03-03T10:00:00Z,0.1,BTC,,,0.0001,BTC,,,,cold storage,\n\
            2025-03-04,,,5,SATS,,,,,airdrop,,\n";
        assert_eq!(
            understood(file),
            [
                "2: buy 7 ORDI @@ 100 USD fee 0.5 2025-03-02",
                "3: send 0.1 BTC 2025-03-03",
                "3: send 0.0001 BTC 2025-03-03",
                "4: receive 5 SATS 2025-03-04",
            ]
        );
    }

    #[test]
    fn holdings_of_cointop_and_ticker_are_lots_without_a_date() {
        let cointop =
            "name,symbol,price,holdings,balance,24h%,%holdings\nBitcoin,BTC,11833.16,10.25,118331.6,-1.02,74.16\n";
        assert_eq!(understood(cointop), ["2: receive 10.25 BTC"]);
        let ticker =
            "name,symbol,price,value,cost,quantity,weight\nBitcoin,BTC-USD,1,2,3000.50,0.1,100\nB,SATS,1,1,0,1.5 M,1\n";
        assert_eq!(understood(ticker), ["2: buy 0.1 BTC @@ 3000.5", "3: buy 1500000 SATS @@ 0"]);
    }

    #[test]
    fn semicolons_and_decimal_commas_are_read_where_unambiguous() {
        let file = "kind;symbol;amount;unit_price;currency;date\nbuy;ordi;0,5;14,10;eur;2025-03-02\nbuy;ordi;1,500;1;eur;\n\
            sell;ordi;x;;;\nswap;ordi;1;;;\nbuy;ordi;1;;;2999-01-01\nbuy;;1;;;\nbuy;ordi;1;;;03/02/2025\nbuy;ordi;1;2;xyz;2025-03-02\nbuy;ordi\n";
        assert_eq!(
            understood(file),
            [
                "2: buy 0.5 ordi @ 14.1 EUR 2025-03-02",
                "3! ambiguous number 1,500 (expected 1500 or 1.500)",
                "4! not a number: x (expected one such as 500, 0.25, 1.5k or 2*0.25)",
                "5! swap is not one of buy, sell, receive, send",
                "6! 2999-01-01 is in the future",
                "7! no slug or symbol",
                "8! 03/02/2025 is not a date such as 2025-03-02",
                "9! xyz is not a currency code such as EUR",
                "10! no amount",
            ]
        );
    }

    #[test]
    fn unknown_file_names_the_columns() {
        let error = read(b"a,b\n1,2\n", TODAY).unwrap_err().to_string();
        assert!(error.contains("unknown columns (a, b)") && error.contains("amount and slug"), "{error}");
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
        for other in ["total_price", "value", "profit", "profit_pct", "share_pct"] {
            let lots = understood(&format!("symbol,amount,price,{other}\nordi,500,8.41,7050\n"));
            let paid = if other == "total_price" { " @@ 7050" } else { "" };
            assert_eq!(lots, [format!("2: buy 500 ordi{paid}")], "the current price beside {other}");
        }
        let error = read(b"symbol,amount,gain\nordi,1,2\n", TODAY).unwrap_err().to_string();
        assert!(error.starts_with("unknown column gain; known: kind, slug, "), "{error}");
        assert_eq!(read(b"\xff\xfek\0i\0", TODAY).unwrap_err(), FileError::Encoding);
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
    }

    #[test]
    fn point_in_a_file_with_decimal_commas_may_separate_thousands() {
        let file = "symbol;amount;unit_price\nordi;1.234;14,10\nordi;1.234,5;2.5\nordi;1.2345;1\n";
        assert_eq!(
            understood(file),
            [
                "3: buy 1234.5 ordi @ 2.5",
                "4: buy 1.2345 ordi @ 1",
                "2! ambiguous number 1.234 (expected 1234 or 1,234)",
            ]
        );
        assert_eq!(understood("symbol;amount\nordi;1.234\n"), ["2: buy 1.234 ordi"]);
    }

    proptest::proptest! {
        #[test]
        fn any_file_is_read_without_a_panic(text in "(kind,symbol,amount\n)?(\\PC|[\",;\n']){0,80}") {
            let _ = read(text.as_bytes(), TODAY);
        }
    }
}
