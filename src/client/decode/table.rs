//! Tables: lists whose rows are arrays, with the names of the columns beside them or in the first row.

use std::ops::Range;

use super::points::HEADERS;
use super::tape::{Kind, Tape, Value};

/// Field name of the columns in ClickHouse's compact format.
const META: &str = "meta";

/// Field names of a column's name, where the column is an object.
const NAMES: &[&str] = &["name", "key", "field"];

/// Maximum levels of wrappers around a table, and fields of each that are searched.
const LEVELS: usize = 8;
const FIELDS: usize = 32;

/// The objects may be this many times as long as the rows, plus [`SPARE`] bytes: a limit for hostile responses with
/// long names and short cells.
const GROWTH: usize = 6;
const SPARE: usize = 64 * 1024;

/// The text of a response with the rows of its table as objects. `None` if it has no table.
pub(super) fn to_objects(root: Value<'_>, text: &str) -> Option<String> {
    let Table { header, rows, objects } = find(root, LEVELS)?;
    let mut edits = vec![(rows, objects.as_str())];
    edits.extend(header.map(|header| (header, "null")));
    edits.sort_by_key(|(place, _)| place.start);
    let mut rewritten = String::with_capacity(text.len() + objects.len());
    let mut at = 0;
    for (place, new) in edits {
        rewritten.push_str(text.get(at..place.start)?);
        rewritten.push_str(new);
        at = place.end;
    }
    rewritten.push_str(text.get(at..)?);
    Some(rewritten)
}

/// A table and its place in the response.
struct Table {
    /// The place of the columns' names beside the rows.
    header: Option<Range<usize>>,
    rows: Range<usize>,
    /// The rows as a list of objects.
    objects: String,
}

fn find(at: Value<'_>, levels: usize) -> Option<Table> {
    let levels = levels.checked_sub(1)?;
    if at.is_array() {
        return with_header_row(at).or_else(|| {
            let mut items = at.items();
            let only = items.next().filter(|only| only.is_object() && items.next().is_none())?;
            let mut tape = Tape::default();
            find(tape.expand(only).ok()?, levels)
        });
    }
    with_columns(at).or_else(|| at.fields().take(FIELDS).find_map(|(_, inner)| find(inner, levels)))
}

/// A table whose first row has the names of its columns.
fn with_header_row(rows: Value<'_>) -> Option<Table> {
    let first = rows.items().next().filter(Value::is_array)?;
    of_rows(rows, 1, &names(first)?)
}

/// A table beside the names of its columns.
fn with_columns(object: Value<'_>) -> Option<Table> {
    let header = object.any(&HEADERS).or_else(|| object.get(META)).filter(Value::is_array)?;
    let columns = names(header)?;
    let mut others = object.fields().map(|(_, other)| other).filter(|other| other.index() != header.index());
    let table = others.find_map(|rows| of_rows(rows, 0, &columns))?;
    Some(Table { header: header.span(), ..table })
}

/// The names of several columns, in quotes.
fn names(header: Value<'_>) -> Option<Vec<String>> {
    let mut tape = Tape::default();
    let header = tape.expand(header).ok()?;
    let in_quotes = |column: Value<'_>| {
        let name = if column.is_object() { column.any(NAMES)? } else { column };
        let is_name = matches!(name.kind(), Kind::String | Kind::EscapedString) && name.number().is_none();
        is_name.then(|| format!("\"{}\"", name.raw()))
    };
    let names = header.items().map(in_quotes).collect::<Option<Vec<_>>>()?;
    (names.len() > 1).then_some(names)
}

/// The rows after the first `skipped` ones, if the first of them has a cell for each column. A row with another number
/// of cells stays an array, which no list accepts as an item.
fn of_rows(rows: Value<'_>, skipped: usize, columns: &[String]) -> Option<Table> {
    let most = rows.raw().len().saturating_mul(GROWTH).saturating_add(SPARE);
    let mut tape = Tape::default();
    let mut objects = String::new();
    for row in rows.items().skip(skipped) {
        let is_row = |cells: &Value<'_>| cells.is_array() && cells.items().count() == columns.len();
        let cells = tape.expand(row).ok().filter(is_row);
        if objects.is_empty() && cells.is_none() || objects.len() > most {
            return None;
        }
        objects.push(if objects.is_empty() { '[' } else { ',' });
        let Some(cells) = cells else {
            push(&mut objects, row);
            continue;
        };
        for (at, (name, cell)) in columns.iter().zip(cells.items()).enumerate() {
            objects.push(if at == 0 { '{' } else { ',' });
            objects.push_str(name);
            objects.push(':');
            push(&mut objects, cell);
        }
        objects.push('}');
    }
    if objects.is_empty() {
        return None;
    }
    objects.push(']');
    Some(Table { header: None, rows: rows.span()?, objects })
}

/// Appends the source text of a value.
fn push(text: &mut String, value: Value<'_>) {
    match value.kind() {
        Kind::String | Kind::EscapedString => text.extend(["\"", value.raw(), "\""]),
        _ => text.push_str(value.raw()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::decode::tape::Document;

    fn objects(text: &str) -> Option<String> {
        to_objects(Document::parse(text, 64).unwrap().root(), text)
    }

    #[test]
    fn rows_get_the_names_of_their_columns() {
        for (table, rewritten) in [
            (
                r#"{"columns":["a","b"],"rows":[[1,"x"],[2,null]]}"#,
                r#"{"columns":null,"rows":[{"a":1,"b":"x"},{"a":2,"b":null}]}"#,
            ),
            (r#"{"data":[[1,[2]]],"meta":[{"name":"a"},{"name":"b"}]}"#, r#"{"data":[{"a":1,"b":[2]}],"meta":null}"#),
            (r#"[["a","b"],[1,"\"x"],[2],{"c":3}]"#, r#"[{"a":1,"b":"\"x"},[2],{"c":3}]"#),
            (
                r#"{"results":[{"series":[{"columns":["a","b"],"values":[[1,2]]}]}]}"#,
                r#"{"results":[{"series":[{"columns":null,"values":[{"a":1,"b":2}]}]}]}"#,
            ),
        ] {
            assert_eq!(objects(table).as_deref(), Some(rewritten), "{table}");
        }
    }

    #[test]
    fn other_lists_are_not_tables() {
        for text in [
            "[]",
            "7",
            r#"[["a","b"]]"#,
            r#"[["a",1],["b",2]]"#,
            r#"[["1","2"],["3","4"]]"#,
            r#"{"columns":["a","b"],"rows":[]}"#,
            r#"{"columns":["a","b"],"rows":[{"a":1,"b":2}]}"#,
            r#"{"columns":["a","b"],"rows":[[1,2,3]]}"#,
            r#"{"fields":["a"],"rows":[[1]]}"#,
        ] {
            assert_eq!(objects(text), None, "{text}");
        }
    }
}
