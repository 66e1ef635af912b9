//! A parsed response: describes non-JSON content and computes paths of values.

use super::node::{Kind, SyntaxError, Tape};
use super::scan;
use super::value::Value;
use crate::client::error::{ErrorKind, HTML_PAGE};
use crate::model::text;

/// A skimmed response.
#[derive(Debug)]
pub(in crate::client::decode) struct Document<'a> {
    text: &'a str,
    tape: Tape,
    /// Whether there is data other than white space after the value.
    pub(in crate::client::decode) trailing: bool,
    /// Whether there are objects deeper than the skim parsed.
    pub(in crate::client::decode) is_deep: bool,
}

impl<'a> Document<'a> {
    /// Skims a string.
    ///
    /// # Errors [`ErrorKind::Empty`]; [`ErrorKind::NotJson`] for HTML, XML and plain text; [`ErrorKind::Incomplete`]
    /// for truncated JSON; [`ErrorKind::TooDeep`]; [`ErrorKind::TooMany`]; [`ErrorKind::Corrupt`] for other errors
    /// outside list items; [`ErrorKind::TooLarge`] above 4 GiB.
    pub(in crate::client::decode) fn parse(text: &'a str, depth: usize) -> Result<Document<'a>, ErrorKind> {
        Document::skim(text, depth, scan::SKIM_LEVELS)
    }

    /// Parses like [`Document::parse`], for a response with more wrappers than a skim parses.
    ///
    /// # Errors
    /// See [`Document::parse`].
    pub(in crate::client::decode) fn parse_deep(text: &'a str, depth: usize) -> Result<Document<'a>, ErrorKind> {
        Document::skim(text, depth, scan::DEEP_LEVELS)
    }

    fn skim(text: &'a str, depth: usize, levels: usize) -> Result<Document<'a>, ErrorKind> {
        if u32::try_from(text.len()).is_err() {
            return Err(ErrorKind::TooLarge(u64::from(u32::MAX)));
        }
        let body = text.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t', '\0']);
        let start = text.len() - body.len();
        let behind = |end: usize| {
            !text.get(end..).unwrap_or_default().trim_matches(|c: char| c == '\0' || c.is_whitespace()).is_empty()
        };
        match body.as_bytes().first() {
            None => return Err(ErrorKind::Empty),
            Some(b'{' | b'[' | b'"') => {}
            Some(_) if matches!(body.trim_end(), "null" | "true" | "false") => {}
            Some(b'0'..=b'9' | b'-') if body.trim_end().parse::<f64>().is_ok() => {}
            Some(_) => return Err(ErrorKind::NotJson(describe_content(body))),
        }
        let mut tape = Tape { skim_depth: levels, ..Tape::default() };
        let end = scan::scan::<true>(&mut tape, text, start, depth).map_err(|error| match error {
            SyntaxError::Truncated => ErrorKind::Incomplete,
            SyntaxError::TooDeep => ErrorKind::TooDeep(depth),
            SyntaxError::TooMany(most) => ErrorKind::TooMany(most),
            SyntaxError::Unexpected { .. } => ErrorKind::Corrupt(format!("JSON, {}", error.describe())),
        })?;
        let is_deep = tape.left_raw && levels < scan::DEEP_LEVELS;
        Ok(Document { text, trailing: behind(end), is_deep, tape })
    }

    /// The outermost value.
    pub(in crate::client::decode) fn root(&self) -> Value<'_> {
        Value { nodes: &self.tape.nodes, text: self.text, index: 0 }
    }

    /// The path of a value, such as `$.data[3].quote.USD.price`. The value may come from any tape over this document.
    pub(in crate::client::decode) fn path(&self, value: Value<'_>) -> String {
        let mut path = String::from("$");
        let Some(offset) = value.node().map(|node| node.start) else { return path };
        let closed = walk(self.root(), offset, &mut path);
        let mut tape = Tape::default();
        if let Some(Ok(item)) = closed.map(|raw| tape.expand(raw)) {
            walk(item, offset, &mut path);
        }
        path
    }
}

/// Follows the containers around `offset`; returns the raw one that contains it, if any.
fn walk<'a>(from: Value<'a>, offset: u32, path: &mut String) -> Option<Value<'a>> {
    let mut at = from;
    let holds = |value: &Value<'_>| value.node().is_some_and(|node| node.start <= offset && offset <= node.end);
    loop {
        let node = at.node()?;
        match node.kind {
            Kind::RawArray | Kind::RawObject => return (node.start != offset).then_some(at),
            Kind::Array => {
                let (index, item) = at.items().enumerate().find(|(_, item)| holds(item))?;
                path.push_str(&format!("[{index}]"));
                at = item;
            }
            Kind::Object => {
                let (key, item) = at.entries().find(|(_, item)| holds(item))?;
                let key = text::cut(text::clean(&key).into_owned().into(), 60);
                if !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_') {
                    path.push('.');
                    path.push_str(&key);
                } else {
                    path.push_str(&format!("[\"{key}\"]"));
                }
                at = item;
            }
            _ => return None,
        }
    }
}

/// Whether more than a tenth of the start is control characters or invalid UTF-8.
fn is_binary(start: &str) -> bool {
    let is_odd = |c: &char| *c == char::REPLACEMENT_CHARACTER || c.is_control() && !c.is_whitespace();
    let beginning = || start.chars().take(200);
    beginning().filter(is_odd).count() * 10 > beginning().count()
}

/// Describes a response that is not JSON.
fn describe_content(body: &str) -> String {
    let end = body.char_indices().map(|(at, _)| at).take_while(|at| *at <= 4096).last().unwrap_or(0);
    let start = if body.len() > 4096 { body.get(..end).unwrap_or_default() } else { body };
    if !start.starts_with('<') && is_binary(start) {
        return "binary data".to_owned();
    }
    if !start.starts_with('<') {
        return format!("text: {}", text::cut(text::clean(start), 300));
    }
    let lower = start.to_ascii_lowercase(); // of the same length, byte by byte
    let inside = |tag: &str, end: &str| {
        let from = lower.find(tag)?;
        let from = from + lower.get(from..)?.find('>')? + 1;
        let to = from + lower.get(from..)?.find(end)?;
        start.get(from..to).map(|title| text::cut(text::clean(title), 120).into_owned()).filter(|t| !t.is_empty())
    };
    let html = ["<!doctype html", "<html", "<head", "<body"].iter().any(|tag| lower.contains(tag));
    match inside("<title", "</title").or_else(|| inside("<h1", "</h1")) {
        Some(title) => format!("{HTML_PAGE} (“{title}”)"),
        None if html => HTML_PAGE.to_owned(),
        None => "XML".to_owned(),
    }
}
