//! Parsers of raw values. Errors state the expected format and never contain values that may be secret.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use ratatui::style::Color;

use super::error::short;
use super::hint;
use super::value_error::{PathError, UrlError, ValueError};
use crate::app::screen::list::CoinColumn;
use crate::model::{Period, Text, interval, text};
use crate::theme::parse_colour;

/// A raw value from the file, the environment or a flag.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    /// Text. Environment variables are always text.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A number with decimals.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// A list.
    List(Vec<Raw>),
    /// A path from the command line, which may not be UTF-8.
    Path(PathBuf),
    /// A table, whose entries are values of their own.
    Table,
    /// An unsupported type, described with its article.
    Other(&'static str),
}

impl Raw {
    /// The type with its article, for errors.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Raw::Text(_) | Raw::Path(_) => "a string",
            Raw::Integer(_) | Raw::Float(_) => "a number",
            Raw::Bool(_) => "true or false",
            Raw::List(_) => "a list",
            Raw::Table => "a table",
            Raw::Other(kind) => kind,
        }
    }
}

/// Parses an interval of `/market/data`: a count and a unit (`5m`, `1h`, `1d`), or a word (`hourly`, `daily`, …).
pub fn interval(text: &str) -> Option<Text> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let length = interval::length(text).filter(|length| !length.is_zero() && digits <= MAX_DIGITS);
    length.map(|_| Text::from(text))
}

/// Maximum digits of the count of an interval.
const MAX_DIGITS: usize = 4;

/// Parses a period of charts (case-insensitive).
pub fn period(text: &str) -> Option<Period> {
    Period::ALL.into_iter().find(|period| period.as_str().eq_ignore_ascii_case(text))
}

pub(super) fn text(raw: &Raw) -> Result<&str, ValueError> {
    match raw {
        Raw::Text(text) => Ok(text),
        other => Err(ValueError::of_type("a string", other.kind())),
    }
}

/// Parses a boolean.
pub(super) fn flag(raw: &Raw) -> Result<bool, ValueError> {
    match raw {
        Raw::Bool(flag) => Ok(*flag),
        other => Err(ValueError::of_type("true or false", other.kind())),
    }
}

pub(super) fn integer(raw: &Raw, range: RangeInclusive<i64>) -> Result<i64, ValueError> {
    match raw {
        Raw::Integer(number) if range.contains(number) => Ok(*number),
        Raw::Integer(number) => Err(ValueError::Range { value: *number, range }),
        other => {
            Err(ValueError::of_type(format!("a whole number from {} to {}", range.start(), range.end()), other.kind()))
        }
    }
}

/// Parses seconds, optionally with decimals.
pub(super) fn seconds(raw: &Raw, range: RangeInclusive<f64>) -> Result<Duration, ValueError> {
    let number = match raw {
        #[expect(clippy::cast_precision_loss, reason = "numbers that lose precision are out of range anyway")]
        Raw::Integer(number) => *number as f64,
        Raw::Float(number) => *number,
        other => {
            return Err(ValueError::of_type(
                format!("seconds from {} to {}", range.start(), range.end()),
                other.kind(),
            ));
        }
    };
    let duration = Duration::try_from_secs_f64(number).ok().filter(|_| range.contains(&number));
    duration.ok_or(ValueError::Seconds { value: number, range })
}

pub(super) fn file_path(raw: &Raw) -> Result<PathBuf, ValueError> {
    match raw {
        Raw::Path(path) => Ok(path.clone()),
        Raw::Text(text) if !text.is_empty() => Ok(PathBuf::from(text)),
        Raw::Text(_) => Err(ValueError::Type { expected: Cow::Borrowed("a file path"), found: "an empty string" }),
        other => Err(ValueError::of_type("a file path", other.kind())),
    }
}

/// Maximum length of a base URL in bytes. Servers reject much longer ones.
const MAX_URL_BYTES: usize = 2_048;

/// Parses a base URL and removes a trailing slash.
pub(super) fn base_url(raw: &Raw) -> Result<String, ValueError> {
    let text = text(raw)?.trim();
    if text.len() > MAX_URL_BYTES {
        return Err(UrlError::TooLong.into());
    }
    let url = url::Url::parse(text).map_err(|error| match error {
        url::ParseError::RelativeUrlWithoutBase => UrlError::Relative,
        other => UrlError::Syntax(other),
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(UrlError::Scheme(url.scheme().to_owned()).into());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(UrlError::Credentials.into());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(UrlError::Query.into());
    }
    match url.host_str() {
        Some(host) if !host.is_empty() => Ok(url.as_str().trim_end_matches('/').to_owned()),
        _ => Err(UrlError::NoHost.into()),
    }
}

/// Parses a WebSocket URL.
pub(super) fn stream_url(raw: &Raw) -> Result<String, ValueError> {
    let text = text(raw)?.trim();
    let http = match text.split_once("://") {
        Some(("ws", rest)) => format!("http://{rest}"),
        Some(("wss", rest)) => format!("https://{rest}"),
        _ => return Err(UrlError::NoWebSocket.into()),
    };
    base_url(&Raw::Text(http)).map(|_| text.trim_end_matches('/').to_owned())
}

/// Parses a path relative to a base URL. It must contain the `placeholder`, if any.
pub(super) fn path(raw: &Raw, placeholder: Option<&str>) -> Result<String, ValueError> {
    let text = text(raw)?;
    if !text.starts_with('/') {
        return Err(PathError::Relative.into());
    }
    if text.chars().any(|c| c.is_whitespace() || c.is_control() || c == '#') {
        return Err(PathError::Character.into());
    }
    if text::clean(text) != text {
        return Err(PathError::Invisible.into());
    }
    let mut rest = text.to_owned();
    if let Some(wanted) = placeholder {
        if text.matches(wanted).count() != 1 {
            return Err(PathError::Placeholder(wanted.to_owned()).into());
        }
        rest = rest.replace(wanted, "");
    }
    if rest.contains(['{', '}']) {
        return Err(PathError::UnknownPlaceholder { expected: placeholder.map(str::to_owned) }.into());
    }
    Ok(text.to_owned())
}

/// Parses coin symbols: not empty, without commas (`/market/data` joins them by commas).
pub(super) fn symbols(raw: &Raw) -> Result<Vec<Text>, ValueError> {
    let Raw::List(items) = raw else {
        return Err(ValueError::of_type("a list such as [\"BTC\", \"ORDI\"]", raw.kind()));
    };
    let mut symbols = Vec::new();
    let mut known = HashSet::new();
    for item in items {
        let symbol = text(item)?.trim();
        if symbol.is_empty() {
            return Err(ValueError::EmptySymbol);
        }
        if symbol.contains(',') || text::clean(symbol) != symbol {
            return Err(ValueError::Symbol);
        }
        if known.insert(symbol) {
            symbols.push(Text::from(symbol));
        }
    }
    Ok(symbols)
}

/// Parses a colour.
pub(super) fn colour(raw: &Raw) -> Result<Color, ValueError> {
    const EXPECTED: &str = "a colour such as \"green\", \"bright-blue\", 208 or \"#e69f00\"";
    let text = match raw {
        Raw::Text(text) => Cow::from(text),
        Raw::Integer(number) => number.to_string().into(),
        other => return Err(ValueError::of_type(EXPECTED, other.kind())),
    };
    parse_colour(&text).ok_or(ValueError::Format(EXPECTED))
}

/// Parses columns of the lists. All errors are reported at once.
pub(super) fn columns(raw: &Raw) -> Result<Vec<CoinColumn>, ValueError> {
    let Raw::List(items) = raw else {
        return Err(ValueError::of_type("a list such as [\"price\", \"24h\"]", raw.kind()));
    };
    let (mut columns, mut wrong, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
    for item in items {
        let name = match item {
            Raw::Text(name) => name,
            other => {
                wrong.push(format!("expected the name of a column, found {}", other.kind()));
                continue;
            }
        };
        match CoinColumn::parse(name) {
            Some(column) if columns.contains(&column) => wrong.push(format!("{name:?} is listed twice")),
            Some(column) => columns.push(column),
            None if name == CoinColumn::Name.as_str() => {
                wrong.push(format!("{name:?} is always shown; leave it out"));
            }
            None => unknown.push(name.as_str()),
        }
    }
    let names = || CoinColumn::optional().map(CoinColumn::as_str);
    wrong.extend(match unknown.as_slice() {
        [] => None,
        [name] => Some(format!("unknown column {:?}{}", short(name), hint::similar_or_list(name, names(), "columns"))),
        several => {
            let quoted: Vec<String> = several.iter().map(|name| format!("{:?}", short(name))).collect();
            Some(format!("unknown columns {}{}", quoted.join(", "), hint::list("columns")))
        }
    });
    if items.is_empty() {
        wrong.push(String::from("list at least one column"));
    }
    if wrong.is_empty() { Ok(columns) } else { Err(ValueError::Columns(wrong.join("; "))) }
}

/// Parses a program with its arguments.
pub(super) fn command(raw: &Raw) -> Result<Vec<String>, ValueError> {
    let Raw::List(items) = raw else {
        return Err(ValueError::of_type("a list such as [\"notify-send\", \"{title}\", \"{text}\"]", raw.kind()));
    };
    match items.first() {
        Some(Raw::Text(program)) if program.trim().is_empty() => {
            Err(ValueError::Format("a program as the first string"))
        }
        _ => items.iter().map(|item| text(item).map(str::to_owned)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_count_and_unit_or_word() {
        for good in ["5m", "15m", "1h", "24h", "1d", "7d", "hourly", "daily"] {
            assert_eq!(interval(good).as_deref(), Some(good));
        }
        for bad in ["", "5", "m", "0m", "-5m", "5 m", "5m,1h", "99999m", "5x", "fünf", "5m&a=b"] {
            assert_eq!(interval(bad), None, "{bad}");
        }
    }

    #[test]
    fn colour_is_text_or_number() {
        assert_eq!(colour(&Raw::Text("blue".into())), Ok(Color::Blue));
        assert_eq!(colour(&Raw::Integer(208)), Ok(Color::Indexed(208)));
        for (raw, error) in [
            (Raw::Text("bleu".into()), "expected a colour such as"),
            (Raw::Integer(256), "expected a colour such as"),
            (Raw::Integer(-1), "expected a colour such as"),
            (Raw::Bool(true), "\"#e69f00\", found true or false"),
        ] {
            let text = colour(&raw).unwrap_err().to_string();
            assert!(text.contains(error), "{text}");
        }
    }

    #[test]
    fn base_url_loses_only_its_trailing_slash() {
        let read = |text: &str| base_url(&Raw::Text(text.into()));
        assert_eq!(read("http://127.0.0.1:8787/"), Ok("http://127.0.0.1:8787".into()));
        assert_eq!(read(" https://Example.org/api/v1/ "), Ok("https://example.org/api/v1".into()));
        assert_eq!(read("http://[::1]:80"), Ok("http://[::1]".into()));
    }

    #[test]
    fn invalid_url_is_not_repeated_in_error() {
        for bad in
            ["https://user:hunter2@example.org", "https://example.org/?key=hunter2", "https://example.org/#hunter2"]
        {
            let error = base_url(&Raw::Text(bad.into())).unwrap_err().to_string();
            assert!(!error.contains("hunter2"), "{error}");
            assert!(error.contains("use a header"), "{error}");
        }
        for bad in
            ["localhost:8787", "example.org", "ftp://example.org", "http://", "", "http:///", "file:///etc/passwd"]
        {
            assert!(base_url(&Raw::Text(bad.into())).is_err(), "{bad}");
        }
    }

    #[test]
    fn path_contains_its_placeholder_once() {
        let read = |text: &str, placeholder| path(&Raw::Text(text.into()), placeholder);
        assert!(read("/v2/coins", None).is_ok());
        assert!(read("/t?tick={ticker}", Some("{ticker}")).is_ok());
        assert!(read("/t/{ticker}/holders", Some("{ticker}")).is_ok());
        for (bad, placeholder) in [
            ("coins", None),
            ("/coins/{ticker}", None),
            ("/t", Some("{ticker}")),
            ("/t/{id}", Some("{ticker}")),
            ("/t/{ticker}/{ticker}", Some("{ticker}")),
            ("/t/{ticker}/{x}", Some("{ticker}")),
            ("/a b", None),
        ] {
            assert!(read(bad, placeholder).is_err(), "{bad}");
        }
    }
}
