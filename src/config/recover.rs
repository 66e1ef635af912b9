//! Finds the mistakes in a file that is not valid TOML, so that all mistakes of a file are reported at once.

use toml::de::{DeTable, Error};

/// Maximum lines of a statement. Each further line is another attempt to read the statement.
const MAX_LINES: usize = 500;

/// A file without its invalid statements.
pub(super) struct Recovered {
    /// The file, with blank lines in their place.
    pub(super) text: String,
    /// The line of each, from 1, and what is wrong.
    pub(super) errors: Vec<(usize, String)>,
}

/// Removes the statements (`key = value`, `[table]`) that are invalid by themselves.
pub(super) fn recover(text: &str) -> Recovered {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut recovered = Recovered { text: String::new(), errors: Vec::new() };
    let (mut at, mut is_skipping) = (0, false);
    let mut table = String::new();
    while let Some(rest) = lines.get(at..).filter(|rest| !rest.is_empty()) {
        let (count, error) = statement(rest);
        let all = rest.iter().take(count).copied();
        let is_header = rest.first().is_some_and(|line| line.trim_start().starts_with('['));
        if is_header {
            is_skipping = false;
            table = rest.first().and_then(|line| table_name(line)).unwrap_or_default().to_owned();
        }
        match error {
            None if !is_skipping => recovered.text.extend(all),
            None => recovered.text.extend(all.map(|_| "\n")),
            Some(error) => {
                let unquoted =
                    rest.first().and_then(|line| unquoted_key(&table, line)).filter(|_| error.contains(UNQUOTED));
                let error = unquoted.map_or(error, |key| format!("{key}: text needs quotes, as in \"EUR\""));
                recovered.errors.push((at + 1, error));
                let header = if is_header { rest.first().and_then(|line| table_name(line)) } else { None };
                // The keys below belong to this table, not to the one before.
                is_skipping |= is_header && header.is_none();
                recovered.text.extend(header.map(|name| format!("[{name}]")));
                recovered.text.extend(all.map(|_| "\n"));
            }
        }
        at += count;
    }
    recovered
}

/// Reads the first statement of lines: its number of lines, and what is wrong with it.
fn statement(lines: &[&str]) -> (usize, Option<String>) {
    let (mut text, mut incomplete) = (String::new(), None);
    for (count, line) in lines.iter().take(MAX_LINES).enumerate() {
        text.push_str(line);
        let Err(error) = DeTable::parse(&text) else { return (count + 1, None) };
        // More lines may complete an array or a string.
        if error.span().is_none_or(|span| span.start >= end_of_code(&text)) {
            incomplete = Some(message(&error));
        } else if count > 0 && begins_statement(line) {
            return (count, incomplete);
        } else {
            return (count + lines_to_end(lines.get(count..).unwrap_or_default()), Some(message(&error)));
        }
    }
    (lines.len().min(MAX_LINES), incomplete)
}

/// The length of a string without blanks and a comment at its end.
fn end_of_code(text: &str) -> usize {
    let text = text.trim_end();
    let last_line = text.rfind('\n').map_or(0, |newline| newline + 1);
    let comment = text.get(last_line..).and_then(|line| line.find('#')).map_or(text.len(), |at| last_line + at);
    text.get(..comment).unwrap_or(text).trim_end().len()
}

/// Whether a line starts with `[table]` or `key =`.
fn begins_statement(line: &str) -> bool {
    let line = line.trim_start();
    let is_header = table_name(line).is_some_and(|name| name.contains(char::is_alphabetic));
    let is_key = |key: &str| {
        let key = key.trim();
        !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '"' | '\'' | ' '))
    };
    (line.starts_with('[') && is_header) || line.split_once('=').is_some_and(|(key, _)| is_key(key))
}

/// The number of lines up to the end of an invalid statement: one that closes a bracket, or the one before the next
/// statement.
fn lines_to_end(lines: &[&str]) -> usize {
    for (count, line) in lines.iter().take(MAX_LINES).enumerate() {
        if count > 0 && begins_statement(line) {
            return count;
        }
        if line.trim_start().starts_with([']', '}']) {
            return count + 1;
        }
    }
    1
}

/// The name in an invalid header such as `[list` or `[list]]`.
fn table_name(line: &str) -> Option<&str> {
    let name = line.trim().trim_start_matches('[').split([']', '#']).next()?.trim();
    let is_bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    (name.chars().all(is_bare) && name.split('.').all(|part| !part.is_empty())).then_some(name)
}

/// What a parser says about text without quotes.
const UNQUOTED: &str = "string values must be quoted";

/// The dotted key of a line `key = value` in a table.
fn unquoted_key(table: &str, line: &str) -> Option<String> {
    let (key, value) = line.split_once('=')?;
    let key = key.trim();
    let is_text = value.trim_start().starts_with(char::is_alphabetic);
    is_text.then(|| if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") })
}

/// What a parser says about a file, as a reason in one line.
pub(super) fn message(error: &Error) -> String {
    format!("not valid TOML ({})", error.message().lines().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        recover(text).errors.into_iter().map(|(line, _)| line).collect()
    }

    #[test]
    fn only_invalid_statements_are_removed() {
        let text = "[source]\nbase_url = \nlive = true\n[display\nconvert = 'EUR'\n";
        let recovered = recover(text);
        assert_eq!(recovered.text, "[source]\n\nlive = true\n[display]\nconvert = 'EUR'\n");
        assert_eq!(recovered.errors.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(recovered.errors[1].1, "not valid TOML (unclosed table, expected `]`)");
    }

    #[test]
    fn statements_may_have_several_lines() {
        let valid = "[a]\nb = [\n  1, # one\n\n  2,\n]\nc = \"\"\"\nd = e f\n\"\"\"\nf = { g = 1,\n h = 2 }\n";
        assert_eq!(recover(valid).text, valid);
        assert_eq!(lines(&format!("x y\n{valid}z = 1 2\n")), [1, 13]);
        assert_eq!(lines("a = [\n  'x',\n  'y'\n[b]\nc = 1\n"), [1], "an array without an end");
        assert_eq!(lines("a = 'x\nb = 'y'\nc\n\nd = tru\n"), [1, 3, 5]);
        assert_eq!(lines("a = \"\"\"x\n[b]\n"), [1], "the rest may belong to the string");
        let recovered = recover("coins = [\n  'a'\n  'b',\n  [1, 2],\n]\n[b]\nc = 1\nd = \n");
        assert_eq!(recovered.text, "\n\n\n\n\n[b]\nc = 1\n\n");
        assert_eq!(
            recovered.errors[0],
            (1, String::from("not valid TOML (missing comma between array elements, expected `,`)"))
        );
        assert_eq!(recovered.errors[1].0, 8);
    }

    #[test]
    fn keys_below_an_unreadable_header_are_skipped() {
        let recovered = recover("[a]\nb = 1\n[c d]\ne = 1\n[f]\ng = 1\n");
        assert_eq!(recovered.text, "[a]\nb = 1\n\n\n[f]\ng = 1\n");
    }
}
