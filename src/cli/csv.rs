//! `--format csv`: RFC 4180 quoting, a header line, and a leading `'` for cells that a spreadsheet would treat as
//! formulas. Otherwise text is unchanged, control characters and NUL included: the output is data, not for a
//! terminal.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::{Map, Value};

use super::sheet::{Sheet, plain};

/// Writes a sheet.
pub(super) fn write(out: &mut impl Write, sheet: &Sheet) -> io::Result<()> {
    write_header(out, sheet.fields)?;
    write_rows(out, sheet.fields, &sheet.rows)
}

/// Writes the names of the fields.
pub(super) fn write_header(out: &mut impl Write, fields: &[&str]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(fields).map_err(bare)?;
    writer.flush()
}

/// Writes rows without a header.
pub(super) fn write_rows(out: &mut impl Write, fields: &[&str], rows: &[Map<String, Value>]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for row in rows {
        for field in fields {
            let value = row.get(*field).unwrap_or(&Value::Null);
            let cell = plain(value);
            let cell = if value.is_number() { Cow::Owned(cell) } else { escape_formula(&cell).into_owned().into() };
            writer.write_field(cell.as_bytes()).map_err(bare)?;
        }
        writer.write_record(None::<&[u8]>).map_err(bare)?;
    }
    writer.flush()
}

/// Unwraps the I/O error, to distinguish a closed pipe from a full disk.
pub(super) fn bare(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// Adds a leading `'` if a spreadsheet would treat the text as a formula, even after spaces. Negative numbers are
/// unchanged.
fn escape_formula(text: &str) -> Cow<'_, str> {
    if is_active(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Escapes like [`escape_formula`], in a form that [`unescape`] reads back: text that looks escaped is escaped once
/// more.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    let is_escaped = text.starts_with('\'') && is_active(text.trim_start_matches('\''));
    if is_escaped { Cow::Owned(format!("'{text}")) } else { escape_formula(text) }
}

/// The text of a cell that [`escape`] wrote.
pub(super) fn unescape(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_active(text.trim_start_matches('\''))).unwrap_or(cell)
}

fn is_active(text: &str) -> bool {
    is_formula(text) || starts_odd(text)
}

/// Whether a spreadsheet would treat this cell as a formula.
fn is_formula(cell: &str) -> bool {
    let begin = cell.trim_start();
    begin.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) && !is_negative_number(cell)
}

/// Whether a cell starts with characters that some spreadsheets skip.
fn starts_odd(cell: &str) -> bool {
    cell.starts_with(['\t', '\r', '\n'])
}

fn is_negative_number(text: &str) -> bool {
    let Some(number) = text.strip_prefix('-') else { return false };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_escaped_and_numbers_unchanged() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
            ("-", "'-"),
            ("--1", "'--1"),
            ("-1.2.3", "'-1.2.3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\tx", "'\tx"),
            ("\rx", "'\rx"),
            ("-3.8", "-3.8"),
            ("-5", "-5"),
            ("ordi", "ordi"),
            ("", ""),
            ("a=b", "a=b"),
            ("  =1", "'  =1"),
            ("\u{3000}＝1", "'\u{3000}＝1"),
            ("x;=1;-2;@y", "x;=1;-2;@y"),
            ("gm\n=HYPERLINK(1)", "gm\n=HYPERLINK(1)"),
            ("a; b, c", "a; b, c"),
        ] {
            assert_eq!(escape_formula(text), cell);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_round_trips_without_formulas(texts in proptest::collection::vec("[-=+@\\t\\r\\n,;\"'0-9.a-c€]{0,6}", 2)) {
            let row = texts.iter().zip(FIELDS).map(|(text, field)| (field.to_owned(), Value::from(text.as_str())));
            let sheet = Sheet::new(&FIELDS, super::super::sheet::Layout::Plain, vec![row.collect()]);
            let mut bytes = Vec::new();
            write(&mut bytes, &sheet).unwrap();
            let mut reader = csv::Reader::from_reader(bytes.as_slice());
            proptest::prop_assert_eq!(reader.headers().unwrap(), FIELDS.as_slice());
            let cells = reader.records().next().unwrap().unwrap();
            for (cell, text) in cells.iter().zip(&texts) {
                proptest::prop_assert!(cell == text || cell.strip_prefix('\'') == Some(text), "{:?}", cell);
                let formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) && cell.parse::<f64>().is_err();
                proptest::prop_assert!(!formula, "{:?}", cell);
            }
        }
    }

    const FIELDS: [&str; 2] = ["a", "b"];
}
