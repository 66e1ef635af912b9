//! Reads the lots of a file.

use std::str;

use jiff::civil::Date;

use super::super::export::COLUMNS;
use super::contents::{FileError, Import};
use super::dates::Dates;
use super::decimals::Decimals;
use super::draft::{Format, Line, Problem, Skipped};
use super::header::{is_read, recognise, rename, unknown};
use super::lines::Lines;
use super::row_error::RowError;
use super::{cointop_config, json, rows, text};

/// Reads a file with commas, semicolons or tabs, our own JSON, or cointop's configuration.
///
/// # Errors
/// The header is unknown.
pub(super) fn read(bytes: &[u8], today: Date) -> Result<Import, FileError> {
    let text::Decoded { bytes, note: encoding } = text::decode(bytes)?;
    let bytes = &*bytes;
    if json::is_json(bytes) {
        return json::read(bytes, today);
    }
    let first = table(bytes);
    if let Err(FileError::Config { program: COINTOP, .. }) = &first
        && let Some(import) = cointop_config::read(bytes)
    {
        return Ok(import);
    }
    let (mut decimals, mut dates) = notations_of(first?);
    let Table { mut reader, header, names, format, bytes, line } = table(bytes)?;
    let has = |name: &str| header.iter().any(|column| column == name);
    let has_lot_order = format == Format::Own && (has("id") || COLUMNS.iter().all(|name| has(name)));
    let mut import = Import {
        format,
        drafts: Vec::new(),
        problems: Vec::new(),
        skipped: Vec::new(),
        other_fees: Vec::new(),
        readings: Vec::new(),
        encoding,
        has_lot_order,
    };
    let mut record = csv::StringRecord::new();
    let mut lines = Lines::new(bytes, line);
    loop {
        let line = lines.of_record(reader.position());
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {
                if record.iter().all(|cell| cell.trim().is_empty()) {
                    continue;
                }
                if lines.has_open_quote(reader.position()) {
                    import.problems.push(Problem::new(line, RowError::OpenQuote));
                    continue;
                }
                // A comma in an unquoted number splits it into two cells. Empty cells at the end don't matter.
                let is_long = record.iter().skip(header.len()).any(|cell| !cell.trim().is_empty());
                if is_long || record.len() < header.len() {
                    let reason = RowError::Cells { cells: record.len(), columns: header.len() };
                    import.problems.push(Problem::new(line, reason));
                    continue;
                }
                dates.resolve(&mut record);
                let resolved = decimals.resolve(&mut record);
                let row = rows::Row { header: &header, names: &names, cells: &record, line, today };
                if format == Format::CoinTracking && row.has_other_fee() {
                    import.other_fees.push(line);
                }
                match resolved.and_then(|()| row.line(format)) {
                    Ok(Line::Skipped(reason)) => import.skipped.push(Skipped { line, reason }),
                    Ok(Line::Lots(drafts)) => import.drafts.extend(drafts),
                    Err(reason) => import.problems.push(row.problem(format, reason)),
                }
            }
            Err(error) => {
                let is_over = error.is_io_error();
                import.problems.push(Problem::new(line, RowError::NotText));
                if is_over {
                    break;
                }
            }
        }
    }
    import.readings = decimals.reading().into_iter().chain(dates.reading()).collect();
    Ok(import)
}

/// Reads how the numbers and dates of a file are written.
fn notations_of(table: Table<'_>) -> (Decimals, Dates) {
    let Table { mut reader, header, bytes, line, .. } = table;
    let (mut decimals, mut dates) = (Decimals::new(&header), Dates::new(&header));
    let (mut record, mut lines) = (csv::StringRecord::new(), Lines::new(bytes, line));
    loop {
        let line = lines.of_record(reader.position());
        match reader.read_record(&mut record) {
            Ok(true) => {
                decimals.note(line, &record);
                dates.note(line, &record);
            }
            Err(error) if !error.is_io_error() => {}
            Ok(false) | Err(_) => return (decimals, dates),
        }
    }
}

/// A header, and the reader of the lines after it.
struct Table<'a> {
    reader: csv::Reader<&'a [u8]>,
    /// The columns in our names.
    header: Vec<String>,
    /// The columns, as named in the file.
    names: Vec<String>,
    format: Format,
    /// The file, starting at its header.
    bytes: &'a [u8],
    /// The line of the header, from 1.
    line: u64,
}

/// Maximum lines before the header, such as the title of a Koinly report, or what Coinbase says about taxes.
const MAX_TITLE_LINES: usize = 8;

/// Finds the header: the first line, or a known header below a title. Without one, the error names the first line that
/// isn't followed by one with far more columns, since a title has few.
fn table(bytes: &[u8]) -> Result<Table<'_>, FileError> {
    let mut closest: Option<(usize, FileError)> = None;
    let (mut start, mut line) = (0, 1);
    for _ in 0..=MAX_TITLE_LINES {
        let rest = bytes.get(start..).unwrap_or_default();
        match table_at(rest, line) {
            Ok(table) => return Ok(table),
            Err((_, FileError::Empty)) => {}
            Err((columns, error)) => {
                let is_header = matches!(error, FileError::Column { .. } | FileError::Twice(_));
                let is_closer = closest.as_ref().is_none_or(|(fewer, _)| columns >= 2 * *fewer);
                if is_closer || is_header || matches!(error, FileError::NotText { .. }) {
                    closest = Some((columns, error));
                }
                if is_header {
                    break;
                }
            }
        }
        let Some(end) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else { break };
        start += end + if rest.get(end..end + 2) == Some(b"\r\n") { 2 } else { 1 };
        line += 1;
    }
    let closest = || closest.map_or(FileError::Empty, |(_, error)| error);
    Err(config(bytes).unwrap_or_else(closest))
}

/// The program whose configuration is read.
const COINTOP: &str = "cointop";

/// The error for the configuration of ticker, `.ticker.yaml`, or of cointop, `config.toml`.
fn config(bytes: &[u8]) -> Option<FileError> {
    const PROGRAMS: [(&str, &str, &[&[u8]]); 2] = [
        ("ticker", "ticker print", &[b"lots:", b"watchlist:", b"groups:"]),
        (COINTOP, "cointop holdings", &[b"[portfolio]"]),
    ];
    let has = |key: &[u8]| bytes.split(|byte| matches!(byte, b'\r' | b'\n')).any(|line| line.starts_with(key));
    PROGRAMS
        .into_iter()
        .find(|(_, _, keys)| keys.iter().any(|key| has(key)))
        .map(|(program, command, _)| FileError::Config { program, command })
}

/// Reads the header at the start of some bytes.
///
/// # Errors
/// The header is unknown. The error comes with its number of columns.
fn table_at(bytes: &[u8], line: u64) -> Result<Table<'_>, (usize, FileError)> {
    let first = bytes.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
    let number = |wanted: u8| first.iter().filter(|byte| **byte == wanted).count();
    // On a tie, the last one wins: the comma.
    let delimiter = [b'\t', b';', b','].into_iter().max_by_key(|wanted| number(*wanted)).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(bytes);
    let names: Vec<String> = match reader.byte_headers() {
        Ok(header) => header.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_lowercase()).collect(),
        Err(_) => return Err((0, FileError::Empty)),
    };
    if names.iter().all(String::is_empty) {
        return Err((0, FileError::Empty));
    }
    let mut header = names.clone();
    rename(&mut header);
    let Some(format) = recognise(&header) else {
        return Err((names.len(), not_text(&reader, bytes, line).unwrap_or_else(|| unknown(&header))));
    };
    // CoinTracking has several columns `Cur.`, each beside its number.
    let is_twice = |(index, name): (usize, &String)| {
        let is_own = format != Format::CoinTracking || name != "cur.";
        let is_twice = is_own && is_read(name) && header.iter().take(index).any(|other| other == name);
        names.get(index).filter(|_| is_twice).cloned()
    };
    if let Some(name) = header.iter().enumerate().find_map(is_twice) {
        return Err((names.len(), FileError::Twice(name)));
    }
    Ok(Table { reader, header, names, format, bytes, line })
}

/// The error for a header that is not UTF-8 text.
fn not_text(reader: &csv::Reader<&[u8]>, bytes: &[u8], line: u64) -> Option<FileError> {
    let end = usize::try_from(reader.position().byte()).unwrap_or(usize::MAX);
    let error = str::from_utf8(bytes.get(..end).unwrap_or(bytes)).err()?;
    Some(FileError::NotText { line: line + text::line_at(bytes, error.valid_up_to()) - 1 })
}

#[cfg(test)]
mod tests;
