//! Reads the lots that `wallet export --format json` prints.

use csv::StringRecord;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::super::csv::escape;
use super::super::export::COLUMNS;
use super::contents::{FileError, Import};
use super::draft::{Format, Problem};
use super::row_error::RowError;
use super::rows::Row;

/// The part of an export that is read.
#[derive(Deserialize)]
struct Export {
    data: Vec<Map<String, Value>>,
}

/// Whether a file is JSON. No header of a CSV file starts like that.
pub(super) fn is_json(bytes: &[u8]) -> bool {
    matches!(bytes.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Reads an export. Its lots are numbered from 1.
///
/// # Errors
/// It is another kind of JSON.
pub(super) fn read(bytes: &[u8], today: Date) -> Result<Import, FileError> {
    if bytes.trim_ascii_start().starts_with(b"[") {
        return Err(FileError::JsonList);
    }
    let Export { data } = serde_json::from_slice(bytes).map_err(|error| FileError::Json(error.to_string()))?;
    let mut unknown: Vec<&str> = data.iter().flat_map(Map::keys).map(String::as_str).collect();
    unknown.retain(|key| !COLUMNS.contains(key));
    unknown.sort_unstable();
    unknown.dedup();
    if !unknown.is_empty() {
        return Err(FileError::column(&unknown));
    }
    let header = COLUMNS.map(str::to_owned);
    let mut import = Import {
        format: Format::Json,
        drafts: Vec::new(),
        problems: Vec::new(),
        skipped: Vec::new(),
        other_fees: Vec::new(),
        readings: Vec::new(),
        encoding: None,
        has_lot_order: true,
    };
    for (line, lot) in (1..).zip(&data) {
        let cells = match cells(lot) {
            Ok(cells) => cells,
            Err(reason) => {
                import.problems.push(Problem::new(line, reason));
                continue;
            }
        };
        let row = Row { header: &header, names: &header, cells: &cells, line, today };
        match row.own() {
            Ok(draft) => import.drafts.push(draft),
            Err(reason) => import.problems.push(row.problem(Format::Json, reason)),
        }
    }
    Ok(import)
}

/// The cells of a lot, as in a CSV file. Numbers are text, since a JSON number may have lost digits.
fn cells(lot: &Map<String, Value>) -> Result<StringRecord, RowError> {
    let cell = |name: &&str| match lot.get(*name) {
        Some(Value::String(text)) => Ok(escape(text).into_owned()),
        None | Some(Value::Null) => Ok(String::new()),
        Some(_) => Err(RowError::NotString((*name).to_owned())),
    };
    let cells: Vec<String> = COLUMNS.iter().map(cell).collect::<Result<_, _>>()?;
    Ok(StringRecord::from(cells))
}
