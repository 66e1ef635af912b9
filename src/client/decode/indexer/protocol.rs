//! Skips tokens of other protocols in BRC-20 lists: services also list runes, and wallets hold them.

use crate::client::decode::identity::another;
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::client::error::ErrorKind;
use crate::format::words::counted;

/// Field names of the protocol of a token. The last one, of the inscription itself, may also be a price.
const NAMES: [&str; 8] =
    ["protocol", "standard", "token_standard", "token_protocol", "token_type", "asset_type", "type", "p"];

/// Other protocols for tokens. An unknown word may not name a protocol.
const OTHERS: [&str; 16] = [
    "rune",
    "runes",
    "src20",
    "arc20",
    "atomicals",
    "cbrc20",
    "brc100",
    "orc20",
    "drc20",
    "ltc20",
    "alkanes",
    "rgb",
    "trac",
    "pipe",
    "tap",
    "dunes",
];

/// Maximum length of a protocol's name in bytes.
const MAX_NAME: usize = 20;

/// Counts the skipped items of other protocols.
#[derive(Debug)]
pub(super) struct OtherProtocols {
    /// What an item is.
    what: &'static str,
    first: Option<String>,
    count: usize,
}

impl OtherProtocols {
    pub(super) fn new(what: &'static str) -> OtherProtocols {
        OtherProtocols { what, first: None, count: 0 }
    }

    /// Whether an item is of another protocol. Counts it if so.
    pub(super) fn contain(&mut self, item: Value<'_>) -> bool {
        let other = NAMES.iter().find_map(|name| other_protocol(item.get(name)?));
        let is_other = other.is_some();
        self.count += usize::from(is_other);
        self.first = self.first.take().or(other);
        is_other
    }

    /// The error for a response with only tokens of other protocols, if any were skipped.
    pub(super) fn mismatch(&self, requested: &str) -> Option<ErrorKind> {
        let other = format!("a token of another protocol ({})", self.first.as_deref()?);
        Some(another(&[&other], requested))
    }

    /// Warns about skipped items; returns whether there were any.
    pub(super) fn finish(self, context: &mut Context<'_>) -> bool {
        let OtherProtocols { what, count, .. } = self;
        if let Some(protocol) = self.first {
            context.warn(|| match count {
                1 => format!("skipped 1 {what} of another protocol ({protocol})"),
                _ => format!("skipped {} of other protocols (such as {protocol})", counted(count, what)),
            });
        }
        count > 0
    }
}

/// The name of the protocol if it is a known one other than BRC-20.
fn other_protocol(value: Value<'_>) -> Option<String> {
    let words = value.str().filter(|words| words.len() <= MAX_NAME)?;
    let letters = words.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase());
    Some(letters.collect()).filter(|letters: &String| OTHERS.contains(&letters.as_str()))
}
