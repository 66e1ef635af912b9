//! Parsers of raw values. Errors state the expected format and never contain values that may be secret.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use super::error::short;
use crate::app::screen::list::CoinColumn;
use crate::model::{Period, Text, interval, text};

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

pub(super) fn text(raw: &Raw) -> Result<&str, String> {
    match raw {
        Raw::Text(text) => Ok(text),
        other => Err(format!("expected a string, found {}", other.kind())),
    }
}

/// Parses a boolean.
pub(super) fn flag(raw: &Raw) -> Result<bool, String> {
    match raw {
        Raw::Bool(flag) => Ok(*flag),
        other => Err(format!("expected true or false, found {}", other.kind())),
    }
}

pub(super) fn integer(raw: &Raw, range: RangeInclusive<i64>) -> Result<i64, String> {
    match raw {
        Raw::Integer(number) if range.contains(number) => Ok(*number),
        Raw::Integer(number) => Err(format!("{number} is not between {} and {}", range.start(), range.end())),
        other => {
            Err(format!("expected a whole number from {} to {}, found {}", range.start(), range.end(), other.kind()))
        }
    }
}

/// Parses seconds, optionally with decimals.
pub(super) fn seconds(raw: &Raw, range: RangeInclusive<f64>) -> Result<Duration, String> {
    let number = match raw {
        #[expect(clippy::cast_precision_loss, reason = "what loses precision is out of range anyway")]
        Raw::Integer(number) => *number as f64,
        Raw::Float(number) => *number,
        other => {
            return Err(format!("expected seconds from {} to {}, found {}", range.start(), range.end(), other.kind()));
        }
    };
    if range.contains(&number) {
        Duration::try_from_secs_f64(number).map_err(|error| error.to_string())
    } else {
        Err(format!("{number} is not between {} and {} seconds", range.start(), range.end()))
    }
}

pub(super) fn file_path(raw: &Raw) -> Result<PathBuf, String> {
    match raw {
        Raw::Path(path) => Ok(path.clone()),
        Raw::Text(text) if !text.is_empty() => Ok(PathBuf::from(text)),
        Raw::Text(_) => Err(String::from("expected a file path, found an empty string")),
        other => Err(format!("expected a file path, found {}", other.kind())),
    }
}

/// Parses a base URL and removes a trailing slash.
pub(super) fn base_url(raw: &Raw) -> Result<String, String> {
    let text = text(raw)?.trim();
    let url = url::Url::parse(text).map_err(|error| match error {
        url::ParseError::RelativeUrlWithoutBase => {
            String::from("not a complete URL; write it as http://host:port or https://host/path")
        }
        other => format!("not a URL ({other})"),
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("unsupported scheme {}; use http or https", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(String::from(
            "a URL with a user name or password in it is not taken, because URLs are shown and logged; \
             put them into source.market_headers or source.indexer_headers of the configuration",
        ));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(String::from(
            "a base URL has no query (?…) and no fragment (#…); an API key belongs into source.market_headers or \
             source.indexer_headers of the configuration",
        ));
    }
    match url.host_str() {
        Some(host) if !host.is_empty() => Ok(url.as_str().trim_end_matches('/').to_owned()),
        _ => Err(String::from("the URL has no host; write it as http://host:port or https://host/path")),
    }
}

/// Parses a WebSocket URL.
pub(super) fn stream_url(raw: &Raw) -> Result<String, String> {
    let text = text(raw)?.trim();
    let http = match text.split_once("://") {
        Some(("ws", rest)) => format!("http://{rest}"),
        Some(("wss", rest)) => format!("https://{rest}"),
        _ => return Err(String::from("not a WebSocket URL; write it as wss://host/path")),
    };
    base_url(&Raw::Text(http)).map(|_| text.trim_end_matches('/').to_owned())
}

/// Parses a path relative to a base URL. It must contain the `placeholder`, if any.
pub(super) fn path(raw: &Raw, placeholder: Option<&str>) -> Result<String, String> {
    let text = text(raw)?;
    if !text.starts_with('/') {
        return Err(String::from("a path must start with /"));
    }
    if text.chars().any(|c| c.is_whitespace() || c.is_control() || c == '#') {
        return Err(String::from("a path can't contain spaces or #"));
    }
    if text::clean(text) != text {
        return Err(String::from("a path can't contain invisible characters (use %XX instead)"));
    }
    let mut rest = text.to_owned();
    if let Some(wanted) = placeholder {
        if text.matches(wanted).count() != 1 {
            return Err(format!("the path must contain {wanted} exactly once"));
        }
        rest = rest.replace(wanted, "");
    }
    if rest.contains(['{', '}']) {
        let known = placeholder.map_or(String::from("no placeholder allowed"), |wanted| format!("expected {wanted}"));
        return Err(format!("unknown placeholder; {known}"));
    }
    Ok(text.to_owned())
}

/// Parses coin symbols: not empty, without commas (`/market/data` joins them by commas).
pub(super) fn symbols(raw: &Raw) -> Result<Vec<Text>, String> {
    let Raw::List(items) = raw else {
        return Err(format!("expected a list such as [\"BTC\", \"ORDI\"], found {}", raw.kind()));
    };
    let mut symbols = Vec::new();
    let mut known = HashSet::new();
    for item in items {
        let symbol = text(item)?.trim();
        if symbol.is_empty() || symbol.contains(',') || text::clean(symbol) != symbol {
            return Err(String::from(
                "each symbol must be a separate text without commas, such as [\"BTC\", \"ORDI\"]",
            ));
        }
        if known.insert(symbol) {
            symbols.push(Text::from(symbol));
        }
    }
    Ok(symbols)
}

/// Parses columns of the lists. All errors are reported at once.
pub(super) fn columns(raw: &Raw) -> Result<Vec<CoinColumn>, String> {
    let Raw::List(items) = raw else {
        return Err(format!("expected a list such as [\"price\", \"24h\"], found {}", raw.kind()));
    };
    let (mut columns, mut wrong) = (Vec::new(), Vec::new());
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
            None => wrong.push(format!("unknown column {:?}", short(name))),
        }
    }
    if wrong.iter().any(|words| words.starts_with("unknown")) {
        let names: Vec<&str> = CoinColumn::optional().map(CoinColumn::as_str).collect();
        wrong.push(format!("available columns: {}", names.join(", ")));
    }
    if items.is_empty() {
        wrong.push(String::from("list at least one column"));
    }
    if wrong.is_empty() { Ok(columns) } else { Err(wrong.join("; ")) }
}

/// Parses a program with its arguments.
pub(super) fn command(raw: &Raw) -> Result<Vec<String>, String> {
    let Raw::List(items) = raw else {
        return Err(format!(
            "expected a list such as [\"notify-send\", \"{{title}}\", \"{{text}}\"], found {}",
            raw.kind()
        ));
    };
    items.iter().map(|item| text(item).map(str::to_owned)).collect()
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
            let error = base_url(&Raw::Text(bad.into())).unwrap_err();
            assert!(!error.contains("hunter2"), "{error}");
            assert!(error.contains("source.market_headers"), "{error}");
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
