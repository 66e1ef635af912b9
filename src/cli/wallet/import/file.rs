//! Recognises the program that wrote a CSV file by its header, and reads its lots.

use jiff::civil::Date;

use super::super::export::COLUMNS;
use super::draft::{Draft, Format};
use super::rows;

/// A line that can't be imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) line: u64,
    pub(super) reason: String,
}

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

/// Reads a file with commas or semicolons.
///
/// # Errors
/// Its header is not known.
pub(super) fn read(bytes: &[u8], today: Date) -> Result<Import, FileError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let number = |wanted: u8| first.iter().filter(|byte| **byte == wanted).count();
    let delimiter = if number(b';') > number(b',') { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(bytes);
    let header: Vec<String> = match reader.byte_headers() {
        Ok(header) => header.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_ascii_lowercase()).collect(),
        Err(_) => return Err(FileError::Empty),
    };
    if header.iter().all(String::is_empty) {
        return Err(FileError::Empty);
    }
    let shown = || header.join(", ").chars().take(120).collect();
    let format = recognise(&header).ok_or_else(|| FileError::Unknown { found: shown() })?;
    let mut import = Import { format, drafts: Vec::new(), problems: Vec::new(), skipped: 0 };
    let mut record = csv::StringRecord::new();
    loop {
        let line = reader.position().line();
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                let line = record.position().map_or(line, csv::Position::line);
                if record.iter().all(|cell| cell.trim().is_empty()) {
                    continue;
                }
                // A comma in a number that is not quoted makes two cells of it.
                if record.iter().skip(header.len()).any(|cell| !cell.trim().is_empty()) {
                    let reason = format!("{} cells, but {} columns", record.len(), header.len());
                    import.problems.push(Problem { line, reason });
                    continue;
                }
                let row = rows::Row { header: &header, cells: &record, line, today };
                match row.drafts(format) {
                    Ok(drafts) if drafts.is_empty() => import.skipped += 1,
                    Ok(drafts) => import.drafts.extend(drafts),
                    Err(reason) => import.problems.push(Problem { line, reason }),
                }
            }
            Err(error) => {
                let is_over = error.is_io_error();
                import.problems.push(Problem { line, reason: String::from("not UTF-8 text") });
                if is_over {
                    break;
                }
            }
        }
    }
    Ok(import)
}

/// The program with this header.
fn recognise(header: &[String]) -> Option<Format> {
    /// Columns of `wallet --format csv` that say nothing about the lot itself.
    const DERIVED: [&str; 7] = ["id", "price", "value", "profit", "profit_pct", "share_pct", "convert"];
    let has = |names: &[&str]| names.iter().all(|name| header.iter().any(|column| column == name));
    let is_own = |column: &String| COLUMNS.contains(&column.as_str()) || DERIVED.contains(&column.as_str());
    if has(&["amount"]) && (has(&["slug"]) || has(&["symbol"])) && header.iter().all(is_own) {
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
            sell;ordi;x;;;\nswap;ordi;1;;;\nbuy;ordi;1;;;2999-01-01\nbuy;;1;;;\nbuy;ordi;1;;;03/02/2025\nbuy;ordi\n";
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
                "9! no amount",
            ]
        );
    }

    #[test]
    fn unknown_file_names_the_columns() {
        let error = read(b"a,b\n1,2\n", TODAY).unwrap_err().to_string();
        assert!(error.contains("unknown columns (a, b)") && error.contains("amount and slug"), "{error}");
        assert_eq!(read(b"", TODAY).unwrap_err(), FileError::Empty);
    }

    proptest::proptest! {
        #[test]
        fn any_file_is_read_without_a_panic(text in "(kind,symbol,amount\n)?(\\PC|[\",;\n']){0,80}") {
            let _ = read(text.as_bytes(), TODAY);
        }
    }
}
