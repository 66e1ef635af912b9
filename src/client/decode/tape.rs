//! Zero-copy JSON parser: a flat tape of nodes over the borrowed text.
//!
//! Responses are large lists of small items. [`Document::parse`] makes one pass (a skim) that parses only the outer
//! levels and leaves every list item raw; [`Tape::expand`] then parses one item at a time into a reused tape. So only
//! the body and one item are in memory, and an invalid item doesn't affect the others.
//!
//! Strings are spans of the text and unescaped on demand. Numbers are spans, too, so `1e999`, 38 digits and `0E-8` are
//! exact. The parser is not recursive and never panics.

mod document;
mod node;
mod scan;
#[cfg(test)]
mod tests;
mod value;

pub(super) use self::document::Document;
pub(super) use self::node::{Kind, SyntaxError, Tape};
pub(super) use self::value::Value;
