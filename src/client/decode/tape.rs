//! JSON without copies: a flat tape of nodes over the borrowed text.
//!
//! A service's answers are big lists of small items. [`Document::parse`] makes one pass that opens only the outer
//! levels and leaves every item of a list raw; [`Tape::expand`] then opens one item at a time into a tape that is used
//! again for the next. So memory stays that of the body and of one item, and an item that is no JSON costs only itself.
//!
//! Strings are spans of the text and are unescaped on demand; numbers are spans too, so `1e999`, 38 digits and `0E-8`
//! lose nothing here. Nothing recurses, nothing panics.

mod document;
mod node;
mod scan;
#[cfg(test)]
mod tests;
mod value;

pub(super) use self::document::Document;
pub(super) use self::node::{Flaw, Kind, Tape};
pub(super) use self::value::Value;
