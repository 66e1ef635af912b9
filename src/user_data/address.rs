//! The wallet's addresses.

use crate::model::{Text, UtcTime};

/// An address whose balances count in the wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletAddress {
    /// The address on Bitcoin's main network, checked before it is stored.
    pub address: Text,
    /// The user's name for it.
    pub label: Option<Text>,
    /// When it was added. Its balance before then is unknown.
    pub added_at: UtcTime,
}

/// A label that several addresses have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{count} addresses have the label {label} (use the address)")]
pub struct LabelError {
    /// The label, as typed.
    pub label: String,
    /// The number of addresses.
    pub count: usize,
}

/// The address with a label, in any case; `None` if there is none.
///
/// # Errors
/// Several addresses have it.
pub fn labelled<'a>(label: &str, addresses: &'a [WalletAddress]) -> Result<Option<&'a WalletAddress>, LabelError> {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let wanted = words(label);
    let has_label = |known: &&WalletAddress| known.label.as_ref().is_some_and(|label| words(label) == wanted);
    let mut found = addresses.iter().filter(has_label);
    let first = found.next().filter(|_| !wanted.is_empty());
    match found.count() {
        _ if first.is_none() => Ok(None),
        0 => Ok(first),
        others => Err(LabelError { label: label.trim().to_owned(), count: others + 1 }),
    }
}
