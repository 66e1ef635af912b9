//! JSON without copies: a flat tape of nodes over the borrowed text.
//!
//! A service's answers are big lists of small items. [`Document::parse`] makes one pass that opens only the outer
//! levels and leaves every item of a list raw; [`Tape::expand`] then opens one item at a time into a tape that is used
//! again for the next. So memory stays that of the body and of one item, and an item that is no JSON costs only itself.
//!
//! Strings are spans of the text and are unescaped on demand; numbers are spans too, so `1e999`, 38 digits and `0E-8`
//! lose nothing here. Nothing recurses, nothing panics.

mod document;
mod scan;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub(super) use self::document::Document;
use super::names::same_name;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `null`.
    Null,
    /// `true`.
    True,
    /// `false`.
    False,
    /// Something that begins like a number.
    Number,
    /// A string without a backslash.
    String,
    /// A string with a backslash.
    EscapedString,
    /// A bare word that JSON does not know, such as `NaN`; empty where a value is missing.
    Word,
    /// An array, opened.
    Array,
    /// An object, opened.
    Object,
    /// An array that the skim left closed: expand it to see inside.
    RawArray,
    /// An object that the skim left closed.
    RawObject,
}

/// Sixteen bytes a value or key. Strings' spans are inside their quotes, containers' include their brackets.
#[derive(Clone, Copy, Debug)]
struct Node {
    start: u32,
    end: u32,
    /// Index of the node behind this value and all that is in it.
    next: u32,
    kind: Kind,
}

impl Node {
    const NONE: u32 = u32::MAX;
}

/// Why a text is no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    /// It ends in the middle.
    Truncated,
    /// Too many levels.
    TooDeep,
    /// More values than this.
    TooMany(usize),
    /// Something else stands where this is expected.
    Syntax {
        /// Byte of the text, from 0.
        at: usize,
        /// What should stand there.
        expected: &'static str,
    },
}

impl Flaw {
    /// In words, for a warning.
    pub(super) fn describe(&self) -> String {
        match self {
            Flaw::Truncated => "it ends in the middle".to_owned(),
            Flaw::TooDeep => "it is nested too deep".to_owned(),
            Flaw::TooMany(most) => format!("it holds more than {most} values"),
            Flaw::Syntax { at, expected } => format!("{expected} expected at byte {at}"),
        }
    }
}

/// Nodes that a tape may hold whatever the text's length: 8 MiB.
const NODES: usize = 512 * 1024;

/// Beyond [`NODES`], bytes of text for each further node, so that a tape takes no more memory than its text. The items
/// of a list are one node each on a skim and hundreds of bytes long; a megabyte of `[1,1,1,…]` is no list of ours.
const BYTES_PER_NODE: usize = size_of::<Node>();

/// A reusable tape.
#[derive(Debug, Default)]
pub(super) struct Tape {
    nodes: Vec<Node>,
    open: Vec<u32>,
    /// The most nodes for the text that is scanned.
    most: usize,
    /// Objects nested deeper than this are not opened by a skim.
    levels: usize,
    /// A skim left an object closed for that.
    left_closed: bool,
}

impl Tape {
    /// Opens a value with everything in it, in place of what the tape held before.
    ///
    /// # Errors
    /// What a skim passed over may turn out to be no JSON.
    pub(super) fn expand<'t>(&'t mut self, value: Value<'t>) -> Result<Value<'t>, Flaw> {
        let Some(node) = value.node() else { return Ok(value) };
        if matches!(node.kind, Kind::String | Kind::EscapedString) {
            return Ok(value);
        }
        scan::scan::<false>(self, value.text, node.start as usize, usize::MAX)?;
        Ok(Value { nodes: &self.nodes, text: value.text, index: 0 })
    }

    /// Forgets everything; from now on a text of so many bytes is scanned.
    fn restart(&mut self, bytes: usize) {
        self.nodes.clear();
        self.open.clear();
        self.most = NODES + bytes / BYTES_PER_NODE;
    }

    #[inline]
    fn is_full(&self) -> bool {
        self.nodes.len() >= self.most
    }

    #[inline]
    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        if self.nodes.len() == self.nodes.capacity() {
            self.grow();
        }
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { start: start as u32, end: end as u32, next, kind });
    }

    /// Makes room as a vector does, by doubling, but never for more than may come.
    #[cold]
    fn grow(&mut self) {
        let room = self.most.saturating_sub(self.nodes.len());
        self.nodes.reserve_exact(self.nodes.len().max(64).min(room.max(2)));
    }
}

/// A value on a tape. Cheap to copy.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    nodes: &'a [Node],
    text: &'a str,
    index: u32,
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.raw())
    }
}

impl<'a> Value<'a> {
    /// What it is.
    #[inline]
    pub(super) fn kind(&self) -> Kind {
        self.node().map_or(Kind::Null, |node| node.kind)
    }

    /// Whether it is `null`.
    pub(super) fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    /// Whether it is an object, opened or not.
    pub(super) fn is_object(&self) -> bool {
        matches!(self.kind(), Kind::Object | Kind::RawObject)
    }

    /// Whether it is an object or array that was left closed.
    pub(super) fn is_closed(&self) -> bool {
        matches!(self.kind(), Kind::RawObject | Kind::RawArray)
    }

    /// Whether it is an array, opened or not.
    pub(super) fn is_array(&self) -> bool {
        matches!(self.kind(), Kind::Array | Kind::RawArray)
    }

    /// A string's text, unescaped; a lone surrogate becomes U+FFFD, an unknown escape stays as it is.
    pub(super) fn str(&self) -> Option<Cow<'a, str>> {
        match self.kind() {
            Kind::String => Some(Cow::Borrowed(self.raw())),
            Kind::EscapedString => Some(Cow::Owned(unescape(self.raw()))),
            _ => None,
        }
    }

    /// A number's digits as they stand in the text, exact; also those of a number written as a string.
    pub(super) fn number(&self) -> Option<&'a str> {
        match self.kind() {
            Kind::Number => Some(self.raw()),
            Kind::String => {
                let digits = self.raw().trim();
                let digit = |b: u8| matches!(b, b'0'..=b'9' | b'.' | b'-' | b'+' | b'e' | b'E');
                (digits.bytes().all(digit) && digits.bytes().any(|b| b.is_ascii_digit())).then_some(digits)
            }
            _ => None,
        }
    }

    /// An object's value by name, written in any case and with or without `_` and `-`. Of several the last counts, as
    /// in every browser. `null` counts as absent.
    pub(super) fn get(&self, name: &str) -> Option<Value<'a>> {
        self.fields()
            .filter(|(key, value)| same_name(key.raw(), name) && !value.is_null())
            .last()
            .map(|(_, value)| value)
    }

    /// The first of these names that has a value.
    pub(super) fn any(&self, names: &[&str]) -> Option<Value<'a>> {
        names.iter().find_map(|name| self.get(name))
    }

    /// An array's items; none for anything else, and for an array that is still closed.
    pub(super) fn items(&self) -> Children<'a> {
        self.children(Kind::Array)
    }

    /// An object's names and values, in the order of the text; none for anything else, and for an object that is still
    /// closed.
    pub(super) fn entries(&self) -> impl Iterator<Item = (Cow<'a, str>, Value<'a>)> + use<'a> {
        self.fields().filter_map(|(key, value)| Some((key.str()?, value)))
    }

    /// As [`Value::entries`], with the names as values.
    #[inline]
    pub(super) fn fields(&self) -> Fields<'a> {
        Fields(self.children(Kind::Object))
    }

    /// The source: of a string what is between its quotes.
    #[inline]
    pub(super) fn raw(&self) -> &'a str {
        self.node().and_then(|node| self.text.get(node.start as usize..node.end as usize)).unwrap_or_default()
    }

    /// Its place on the tape.
    #[inline]
    pub(super) fn index(&self) -> u32 {
        self.index
    }

    /// Another value of the same tape.
    #[inline]
    pub(super) fn at(&self, index: u32) -> Value<'a> {
        Value { index, ..*self }
    }

    #[inline]
    fn node(&self) -> Option<&'a Node> {
        self.nodes.get(self.index as usize)
    }

    #[inline]
    fn children(&self, kind: Kind) -> Children<'a> {
        let (next, end) = match self.node() {
            Some(node) if node.kind == kind => (self.index + 1, node.next),
            _ => (0, 0),
        };
        Children { nodes: self.nodes, text: self.text, next, end }
    }
}

/// A container's nodes, one level deep.
#[derive(Clone, Debug)]
pub(super) struct Children<'a> {
    nodes: &'a [Node],
    text: &'a str,
    next: u32,
    end: u32,
}

impl<'a> Iterator for Children<'a> {
    type Item = Value<'a>;

    #[inline]
    fn next(&mut self) -> Option<Value<'a>> {
        if self.next >= self.end {
            return None;
        }
        let value = Value { nodes: self.nodes, text: self.text, index: self.next };
        self.next = value.node()?.next;
        Some(value)
    }
}

/// An object's names and values.
#[derive(Clone, Debug)]
pub(super) struct Fields<'a>(Children<'a>);

impl<'a> Iterator for Fields<'a> {
    type Item = (Value<'a>, Value<'a>);

    #[inline]
    fn next(&mut self) -> Option<(Value<'a>, Value<'a>)> {
        Some((self.0.next()?, self.0.next()?))
    }
}

fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let mut chars = after.chars();
        let c = match chars.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('r') => '\r',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('u') => {
                let (c, length) = unicode_escape(after);
                out.push(c);
                rest = after.get(length..).unwrap_or_default();
                continue;
            }
            Some(c @ ('"' | '\\' | '/')) => c,
            Some(c) => {
                out.push('\\');
                c
            }
            None => '\\',
        };
        out.push(c);
        rest = chars.as_str();
    }
    out.push_str(rest);
    out
}

/// Reads `uXXXX`, with the `\uXXXX` behind it where the two are a surrogate pair; returns the bytes that it took.
fn unicode_escape(text: &str) -> (char, usize) {
    let unit = |from: usize| {
        let hex = text.get(from..from + 4).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u32::from_str_radix(hex, 16).ok()
    };
    let Some(first) = unit(1) else { return (char::REPLACEMENT_CHARACTER, 1) };
    if let (0xd800..=0xdbff, Some("\\u"), Some(second @ 0xdc00..=0xdfff)) = (first, text.get(5..7), unit(7)) {
        let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 11);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 5)
}
