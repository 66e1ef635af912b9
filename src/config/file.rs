//! Parses the TOML file to a flat list of dotted keys with line numbers.

use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::Error;
use super::origin::Origin;
use super::recover;
use super::value::Raw;
use crate::model::system_error::reason;

/// A setting in the file.
#[derive(Debug)]
pub(super) struct Entry {
    /// Dotted key, such as `source.base_url`.
    pub(super) key: String,
    pub(super) value: Raw,
    /// Line number, from 1.
    pub(super) line: usize,
}

/// What a file says.
#[derive(Debug)]
pub(super) struct Content {
    /// The settings, in their order.
    pub(super) entries: Vec<Entry>,
    /// Lines that are not valid TOML, with the reason.
    pub(super) errors: Vec<(usize, String)>,
}

/// Maximum size of the file. A larger one is not a configuration.
const MAX_BYTES: u64 = 1024 * 1024;

/// Reads the file; `None` if it doesn't exist and is optional.
pub(super) fn read(path: &Path, must_exist: bool) -> Result<Option<Content>, Error> {
    let failed = |why: String| Error::general(format!("{}: {why}", path.display()));
    // Opening a pipe may block forever. With --config it is intended: `--config <(…)`.
    if !must_exist && is_pipe(path) {
        return Err(failed(String::from("a named pipe, not a regular file")));
    }
    let file = match std::fs::File::open(path) {
        Ok(file) => file,
        // A file instead of the directory means that there is no configuration.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) && !must_exist => {
            return Ok(None);
        }
        Err(error) => {
            let advice = if must_exist { "check the path of --config" } else { "check its permissions" };
            return Err(failed(format!("can't read the configuration ({}); {advice}", reason(&error))));
        }
    };
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(format!("can't read the configuration ({})", reason(&error))))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(failed(String::from("larger than 1 MiB; check the path")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let origin = Origin::File { path: path.to_owned(), line: newlines(valid) + 1 };
        Error::at(&origin, "not UTF-8 text (save the file as UTF-8)")
    })?;
    Ok(Some(content(text.strip_prefix('\u{feff}').unwrap_or(&text))))
}

fn content(text: &str) -> Content {
    if let Ok(table) = DeTable::parse(text) {
        return Content { entries: entries(text, &table), errors: Vec::new() };
    }
    let recover::Recovered { text, mut errors } = recover::recover(text);
    // What is left are names that occur twice.
    let (table, twice) = DeTable::parse_recoverable(&text);
    let entries = entries(&text, &table);
    for error in &twice {
        let span = error.span().unwrap_or_default();
        let line = newlines(text.as_bytes().get(..span.start).unwrap_or_default()) + 1;
        if errors.iter().all(|(other, _)| *other != line) {
            let message = already_set(&text, span, &entries).unwrap_or_else(|| recover::message(error));
            errors.push((line, message));
        }
    }
    Content { entries, errors }
}

/// Says where the key at a span is set before: `keys.open is already set in line 2`.
fn already_set(text: &str, span: Range<usize>, entries: &[Entry]) -> Option<String> {
    let (before, name) = (text.get(..span.start)?, text.get(span)?.trim());
    let headers = before.lines().rev().map(str::trim).filter(|line| line.starts_with('['));
    let table = headers.map(|line| line.trim_matches(['[', ']'])).next();
    let key = table.map_or_else(|| name.to_owned(), |table| format!("{table}.{name}"));
    let first = entries.iter().find(|entry| entry.key == key && entry.line <= newlines(before.as_bytes()))?;
    Some(format!("{key} is already set in line {}", first.line))
}

fn entries(text: &str, table: &Spanned<DeTable<'_>>) -> Vec<Entry> {
    let mut found = Vec::new();
    flatten("", table.get_ref(), &mut found);
    found.sort_by_key(|(offset, ..)| *offset);
    let (mut line, mut counted) = (1, 0);
    let entry = |(offset, key, value)| {
        line += newlines(text.as_bytes().get(counted..offset).unwrap_or_default());
        counted = offset;
        Entry { key, value, line }
    };
    found.into_iter().map(entry).collect()
}

/// Collects all keys with their byte offsets and values.
fn flatten(prefix: &str, table: &DeTable<'_>, found: &mut Vec<(usize, String, Raw)>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name.get_ref().to_string() } else { format!("{prefix}.{}", name.get_ref()) };
        match value.get_ref() {
            DeValue::Table(inner) if !inner.is_empty() => flatten(&key, inner, found),
            // An empty table sets nothing, but its name is checked.
            _ => found.push((name.span().start, key, raw(value))),
        }
    }
}

fn raw(value: &Spanned<DeValue<'_>>) -> Raw {
    match value.get_ref() {
        DeValue::String(text) => Raw::Text(text.to_string()),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_or(Raw::Other("a number larger than 64 bits"), Raw::Integer),
        DeValue::Float(float) => float.as_str().parse().map_or(Raw::Other("a number"), Raw::Float),
        DeValue::Boolean(flag) => Raw::Bool(*flag),
        DeValue::Array(items) => Raw::List(items.iter().map(raw).collect()),
        DeValue::Datetime(_) => Raw::Other("a time"),
        DeValue::Table(_) => Raw::Table,
    }
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    std::fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}
