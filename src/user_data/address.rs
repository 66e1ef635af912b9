//! The wallet's addresses.

use crate::model::address::short;
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

/// A label that another address has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{other} already has the label {label}")]
pub struct LabelTaken {
    /// The label, as typed.
    pub label: Text,
    /// The other address.
    pub other: Text,
}

/// Checks that no other address has the label of this one, so that the label identifies it.
///
/// # Errors
/// Another address has it.
pub fn check_label(entry: &WalletAddress, addresses: &[WalletAddress]) -> Result<(), LabelTaken> {
    let Some(label) = &entry.label else { return Ok(()) };
    let wanted = normalised_label(label);
    let is_other = |known: &&WalletAddress| known.address != entry.address && known.has_label(&wanted);
    match addresses.iter().find(is_other) {
        Some(other) => Err(LabelTaken { label: label.clone(), other: other.address.clone() }),
        None => Ok(()),
    }
}

/// A label in lowercase with single spaces.
fn normalised_label(label: &str) -> String {
    label.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

impl WalletAddress {
    /// The label, or else the shortened address.
    pub fn name(&self) -> Text {
        self.label.clone().unwrap_or_else(|| Text::from(short(&self.address)))
    }

    fn has_label(&self, wanted: &str) -> bool {
        self.label.as_ref().is_some_and(|label| normalised_label(label) == wanted)
    }
}

/// The address with a label, in any case; `None` if there is none.
///
/// # Errors
/// Several addresses have it.
pub fn labelled<'a>(label: &str, addresses: &'a [WalletAddress]) -> Result<Option<&'a WalletAddress>, LabelError> {
    let wanted = normalised_label(label);
    let mut found = addresses.iter().filter(|known| known.has_label(&wanted));
    let first = found.next().filter(|_| !wanted.is_empty());
    match found.count() {
        _ if first.is_none() => Ok(None),
        0 => Ok(first),
        others => Err(LabelError { label: label.trim().to_owned(), count: others + 1 }),
    }
}
