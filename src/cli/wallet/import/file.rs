//! Recognises the program that wrote a file, a CSV file by its header, and reads its lots.

use jiff::civil::Date;

use super::super::export::COLUMNS;
use super::contents::{FileError, Import};
use super::decimals::Decimals;
use super::draft::{Format, Problem};
use super::json;
use super::lines::Lines;
use super::row_error::RowError;
use super::rows;

/// Reads a file with commas, semicolons or tabs, or our own JSON.
///
/// # Errors
/// The header is unknown.
pub(super) fn read(bytes: &[u8], today: Date) -> Result<Import, FileError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
        return Err(FileError::Encoding);
    }
    if json::is_json(bytes) {
        return json::read(bytes, today);
    }
    let Table { mut reader, header, names, format, bytes, line } = table(bytes)?;
    let has = |name: &str| header.iter().any(|column| column == name);
    let has_lot_order = format == Format::Own && (has("id") || COLUMNS.iter().all(|name| has(name)));
    let mut import = Import { format, drafts: Vec::new(), problems: Vec::new(), skipped: 0, has_lot_order };
    let mut record = csv::StringRecord::new();
    let mut lines = Lines::new(bytes, line);
    let mut decimals = Decimals::new(&header);
    loop {
        let line = lines.of_record(reader.position());
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                if record.iter().all(|cell| cell.trim().is_empty()) {
                    continue;
                }
                if lines.has_open_quote(reader.position()) {
                    import.problems.push(Problem { line, reason: RowError::OpenQuote });
                    continue;
                }
                // A comma in an unquoted number splits it into two cells. Empty cells at the end don't matter.
                let is_long = record.iter().skip(header.len()).any(|cell| !cell.trim().is_empty());
                if is_long || record.len() < header.len() {
                    let reason = RowError::Cells { cells: record.len(), columns: header.len() };
                    import.problems.push(Problem { line, reason });
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

/// A header, and the reader of the lines after it.
struct Table<'a> {
    reader: csv::Reader<&'a [u8]>,
    /// The columns in our names.
    header: Vec<String>,
    /// The columns, as named in the file.
    names: Vec<String>,
    format: Format,
    /// The file from its header on.
    bytes: &'a [u8],
    /// The line of the header, from 1.
    line: u64,
}

/// Maximum lines before the header, such as the title of a Koinly report.
const MAX_TITLE_LINES: usize = 5;

/// Finds the header: the first line, or a known header below a title.
fn table(bytes: &[u8]) -> Result<Table<'_>, FileError> {
    let mut first = None;
    let (mut start, mut line) = (0, 1);
    for _ in 0..=MAX_TITLE_LINES {
        let rest = bytes.get(start..).unwrap_or_default();
        match table_at(rest, line) {
            Ok(table) => return Ok(table),
            // Without a known header below, the first line with text is the one to name.
            Err(FileError::Empty) => {}
            Err(error @ (FileError::Column { .. } | FileError::Twice(_))) => return Err(first.unwrap_or(error)),
            Err(error) => first = first.or(Some(error)),
        }
        let Some(end) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else { break };
        start += end + if rest.get(end..end + 2) == Some(b"\r\n") { 2 } else { 1 };
        line += 1;
    }
    Err(first.unwrap_or(FileError::Empty))
}

/// Reads the header at the start of some bytes.
fn table_at(bytes: &[u8], line: u64) -> Result<Table<'_>, FileError> {
    let first = bytes.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
    let number = |wanted: u8| first.iter().filter(|byte| **byte == wanted).count();
    // On a tie, the last one wins: the comma.
    let delimiter = [b'\t', b';', b','].into_iter().max_by_key(|wanted| number(*wanted)).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(bytes);
    let names: Vec<String> = match reader.byte_headers() {
        Ok(header) => header.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_lowercase()).collect(),
        Err(_) => return Err(FileError::Empty),
    };
    if names.iter().all(String::is_empty) {
        return Err(FileError::Empty);
    }
    let mut header = names.clone();
    rename(&mut header);
    let format = recognise(&header).ok_or_else(|| unknown(&header))?;
    // CoinTracking has several columns `Cur.`, each beside its number.
    let is_twice = |(index, name): (usize, &String)| {
        let is_own = format != Format::CoinTracking || name != "cur.";
        let is_twice = is_own && is_read(name) && header.iter().take(index).any(|other| other == name);
        names.get(index).filter(|_| is_twice).cloned()
    };
    if let Some(name) = header.iter().enumerate().find_map(is_twice) {
        return Err(FileError::Twice(name));
    }
    Ok(Table { reader, header, names, format, bytes, line })
}

/// Columns of `wallet --format csv` that aren't part of the lot itself.
const DERIVED: [&str; 7] = ["id", "price", "value", "profit", "profit_pct", "share_pct", "convert"];

/// Columns beside which `price` is the current price, not the price paid.
const BESIDE_CURRENT_PRICE: [&str; 7] =
    ["unit_price", "total_price", "value", "profit", "profit_pct", "share_pct", "convert"];

/// Alternative names of another program's columns, each with the name used here.
const OTHER_NAMES: [(&str, &str); 13] = [
    // CoinTracking's template for imports.
    ("buy amount", "buy"),
    ("sell amount", "sell"),
    // CoinTracking in German.
    ("typ", "type"),
    ("kauf", "buy"),
    ("verkauf", "sell"),
    ("gebühr", "fee"),
    ("kommentar", "comment"),
    ("datum", "date"),
    // Koinly's transaction history.
    ("date (utc)", "date"),
    ("from amount", "sent amount"),
    ("from currency", "sent currency"),
    ("to amount", "received amount"),
    ("to currency", "received currency"),
];

/// Renames `price` and `total` of a user's own file to our names, and [`OTHER_NAMES`].
fn rename(header: &mut [String]) {
    for (other, own) in OTHER_NAMES {
        header.iter_mut().filter(|column| *column == other).for_each(|column| own.clone_into(column));
    }
    let has_any = |names: &[&str]| header.iter().any(|column| names.contains(&column.as_str()));
    let is_simple = is_own(header);
    let (has_price, has_total) = (!has_any(&BESIDE_CURRENT_PRICE), !has_any(&["total_price"]));
    for (other, own, has_column) in [("price", "unit_price", has_price), ("total", "total_price", has_total)] {
        if is_simple && has_column {
            header.iter_mut().filter(|column| *column == other).for_each(|column| own.clone_into(column));
        }
    }
}

/// Whether a header has the minimum columns of our own files.
fn is_own(header: &[String]) -> bool {
    let has = |name: &str| header.iter().any(|column| column == name);
    has("amount") && (has("slug") || has("symbol"))
}

/// Whether a column is read in any format.
fn is_read(column: &str) -> bool {
    const OTHERS: [&str; 14] = [
        "buy",
        "buy currency",
        "sell",
        "sell currency",
        "sent amount",
        "sent currency",
        "received amount",
        "received currency",
        "fee amount",
        "fee currency",
        "net worth amount",
        "net worth currency",
        "holdings",
        "quantity",
    ];
    COLUMNS.contains(&column) || OTHERS.contains(&column)
}

fn is_known(column: &str) -> bool {
    COLUMNS.contains(&column) || DERIVED.contains(&column)
}

fn unknown(header: &[String]) -> FileError {
    let mut columns: Vec<&str> = header.iter().map(String::as_str).collect();
    if is_own(header) {
        columns.retain(|column| !is_known(column));
        return FileError::column(&columns);
    }
    FileError::unknown(&columns)
}

/// The program with this header.
fn recognise(header: &[String]) -> Option<Format> {
    let has = |names: &[&str]| names.iter().all(|name| header.iter().any(|column| column == name));
    if is_own(header) && header.iter().all(|column| is_known(column)) {
        Some(Format::Own)
    } else if has(&["type", "buy", "sell", "fee", "date"])
        && (has(&["cur."]) || has(&["buy currency", "sell currency"]))
    {
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
mod tests;
