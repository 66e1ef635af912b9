//! Values on a tape.

use std::borrow::Cow;
use std::ops::Range;

use super::node::{Kind, Node, SyntaxError, Tape};
use super::scan;
use crate::client::decode::escape::unescape;
use crate::client::decode::field_name::same_name;

impl Tape {
    /// Parses a value with all its children, replacing the contents of the tape.
    ///
    /// # Errors
    /// A value that a skim left raw may be invalid JSON.
    pub(in crate::client::decode) fn expand<'t>(&'t mut self, value: Value<'t>) -> Result<Value<'t>, SyntaxError> {
        let Some(node) = value.node() else { return Ok(value) };
        if matches!(node.kind, Kind::String | Kind::EscapedString) {
            return Ok(value);
        }
        scan::scan::<false>(self, value.text, node.start as usize, usize::MAX)?;
        Ok(Value { nodes: &self.nodes, text: value.text, index: 0 })
    }
}

/// A value on a tape. Cheap to copy.
#[derive(Clone, Copy)]
pub(in crate::client::decode) struct Value<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) text: &'a str,
    pub(super) index: u32,
}

impl std::fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.raw())
    }
}

impl<'a> Value<'a> {
    /// The type of the value.
    #[inline]
    pub(in crate::client::decode) fn kind(&self) -> Kind {
        self.node().map_or(Kind::Null, |node| node.kind)
    }

    /// Whether it is `null`.
    pub(in crate::client::decode) fn is_null(&self) -> bool {
        self.kind() == Kind::Null
    }

    /// Whether it is an object, parsed or raw.
    pub(in crate::client::decode) fn is_object(&self) -> bool {
        matches!(self.kind(), Kind::Object | Kind::RawObject)
    }

    /// Whether it is a raw object or array.
    pub(in crate::client::decode) fn is_raw(&self) -> bool {
        matches!(self.kind(), Kind::RawObject | Kind::RawArray)
    }

    /// Whether it is an array, parsed or raw.
    pub(in crate::client::decode) fn is_array(&self) -> bool {
        matches!(self.kind(), Kind::Array | Kind::RawArray)
    }

    /// A string's text, unescaped; a lone surrogate becomes U+FFFD, an unknown escape stays as it is.
    pub(in crate::client::decode) fn str(&self) -> Option<Cow<'a, str>> {
        match self.kind() {
            Kind::String => Some(Cow::Borrowed(self.raw())),
            Kind::EscapedString => Some(Cow::Owned(unescape(self.raw()))),
            _ => None,
        }
    }

    /// The exact text of a number, or of one in a string.
    pub(in crate::client::decode) fn number(&self) -> Option<&'a str> {
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

    /// An object's value by name, ignoring case, `_` and `-`. The last duplicate wins, as in browsers. `null` counts as
    /// absent.
    pub(in crate::client::decode) fn get(&self, name: &str) -> Option<Value<'a>> {
        self.entry(name).map(|(_, value)| value)
    }

    /// The value of a field, like [`Value::get`], with its key.
    pub(in crate::client::decode) fn entry(&self, name: &str) -> Option<(Value<'a>, Value<'a>)> {
        self.fields().filter(|(key, value)| same_name(key.raw(), name) && !value.is_null()).last()
    }

    /// The value of the first name that has one.
    pub(in crate::client::decode) fn any(&self, names: &[&str]) -> Option<Value<'a>> {
        names.iter().find_map(|name| self.get(name))
    }

    /// An array's items; none for other types and raw arrays.
    pub(in crate::client::decode) fn items(&self) -> Children<'a> {
        self.children(Kind::Array)
    }

    /// An object's names and values in order; none for other types and raw objects.
    pub(in crate::client::decode) fn entries(&self) -> impl Iterator<Item = (Cow<'a, str>, Value<'a>)> + use<'a> {
        self.fields().filter_map(|(key, value)| Some((key.str()?, value)))
    }

    /// The entries like [`Value::entries`], with the names as values.
    #[inline]
    pub(in crate::client::decode) fn fields(&self) -> Fields<'a> {
        Fields(self.children(Kind::Object))
    }

    /// The source text, without the quotes of a string.
    #[inline]
    pub(in crate::client::decode) fn raw(&self) -> &'a str {
        self.node().and_then(|node| self.text.get(node.start as usize..node.end as usize)).unwrap_or_default()
    }

    /// The place of [`Value::raw`] in the source text.
    pub(in crate::client::decode) fn span(&self) -> Option<Range<usize>> {
        self.node().map(|node| node.start as usize..node.end as usize)
    }

    /// The index on the tape.
    #[inline]
    pub(in crate::client::decode) fn index(&self) -> u32 {
        self.index
    }

    /// Another value on the same tape.
    #[inline]
    pub(in crate::client::decode) fn at(&self, index: u32) -> Value<'a> {
        Value { index, ..*self }
    }

    /// The node on the tape.
    #[inline]
    pub(super) fn node(&self) -> Option<&'a Node> {
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

/// The direct children of a container.
#[derive(Clone, Debug)]
pub(in crate::client::decode) struct Children<'a> {
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
pub(in crate::client::decode) struct Fields<'a>(Children<'a>);

impl<'a> Iterator for Fields<'a> {
    type Item = (Value<'a>, Value<'a>);

    #[inline]
    fn next(&mut self) -> Option<(Value<'a>, Value<'a>)> {
        Some((self.0.next()?, self.0.next()?))
    }
}
