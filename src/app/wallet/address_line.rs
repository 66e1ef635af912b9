//! The line that adds an address or edits its label.

use crate::format::words::capitalised;
use crate::model::Text;
use crate::model::address::{self, AddressError};
use crate::portfolio::entry::{EntryError, label_text};
use crate::user_data::WalletAddress;
use crate::user_data::address::{LabelTaken, check_label};

use crate::app::state::State;

/// Why a line is neither an address with its label nor a label, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressLineError {
    /// The first word is not an address.
    #[error("{}", capitalised(&.0.to_string()))]
    Address(#[from] AddressError),
    /// Another address has the label.
    #[error(transparent)]
    Label(#[from] LabelTaken),
    /// The label is too long, or would be read as something else.
    #[error("{}", capitalised(&.0.to_string()))]
    InvalidLabel(#[from] EntryError),
}

impl State {
    /// Reads the line: an address and its label, or only the label of the address `edited`. Returns the address with its
    /// kind. An address of the wallet keeps its label if the line has none.
    ///
    /// # Errors
    /// The first word is not an address of Bitcoin's main network, another address has the label, or it is
    /// invalid.
    pub fn read_address(
        &self,
        line: &str,
        edited: Option<&Text>,
    ) -> Result<(WalletAddress, &'static str), AddressLineError> {
        let user = self.user.current();
        let known = |address: &Text| user.addresses.iter().find(|known| known.address == *address);
        let current = |address: &Text| known(address).and_then(|known| known.label.as_ref());
        let added_at = |address: &Text| known(address).map_or(self.now, |known| known.added_at);
        if let Some(edited) = edited {
            let kind = address::parse(edited).map_or("", |known| known.kind);
            let label = label(line, current(edited))?;
            let entry = WalletAddress { address: edited.clone(), label, added_at: added_at(edited) };
            check_label(&entry, &user.addresses)?;
            return Ok((entry, kind));
        }
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let parsed = address::parse(word)?;
        let current = current(&parsed.text);
        let label = label(rest, current)?.or_else(|| current.cloned());
        let added_at = added_at(&parsed.text);
        let entry = WalletAddress { address: parsed.text, label, added_at };
        check_label(&entry, &user.addresses)?;
        Ok((entry, parsed.kind))
    }
}

/// A label, with or without quotes. `current` is the one that the address has now.
fn label(text: &str, current: Option<&Text>) -> Result<Option<Text>, EntryError> {
    label_text(text.trim().trim_matches('"'), current)
}
