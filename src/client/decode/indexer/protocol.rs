//! Skips tokens of other protocols in lists of BRC-20 balances: wallets also list runes.

use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::format::words::counted;

/// Field names of the protocol of a token.
const NAMES: [&str; 7] =
    ["protocol", "standard", "token_standard", "token_protocol", "token_type", "asset_type", "type"];

/// Other protocols for tokens on Bitcoin.
const OTHERS: [&str; 10] = ["rune", "runes", "src20", "arc20", "atomicals", "cbrc20", "alkanes", "rgb", "trac", "pipe"];

/// Counts the skipped balances of other protocols.
#[derive(Debug, Default)]
pub(super) struct OtherProtocols {
    first: Option<String>,
    count: usize,
}

impl OtherProtocols {
    /// Whether a balance is of another protocol. Counts it if so.
    pub(super) fn contain(&mut self, item: Value<'_>) -> bool {
        let other = NAMES.iter().find_map(|name| other_protocol(item.get(name)?));
        let is_other = other.is_some();
        self.count += usize::from(is_other);
        self.first = self.first.take().or(other);
        is_other
    }

    /// Warns about skipped balances; returns whether there were any.
    pub(super) fn finish(self, context: &mut Context<'_>) -> bool {
        let count = self.count;
        if let Some(protocol) = self.first {
            context.warn(|| format!("skipped {} of another protocol ({protocol})", counted(count, "balance")));
        }
        count > 0
    }
}

/// The name of the protocol if it is a known one other than BRC-20.
fn other_protocol(value: Value<'_>) -> Option<String> {
    let words = value.str()?;
    let letters = words.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase());
    Some(letters.collect()).filter(|letters: &String| OTHERS.contains(&letters.as_str()))
}
