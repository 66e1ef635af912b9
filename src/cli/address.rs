//! Bitcoin addresses on the command line, also by the labels of saved ones.

use super::failure::{Failure, MAX_QUOTED, with_short_words};
use super::user_store;
use crate::client::Group;
use crate::config::Settings;
use crate::model::address::{self, AddressError};
use crate::model::{Text, text};
use crate::user_data::WalletAddress;
use crate::user_data::address::labelled;

/// A string that is not an address of the main network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .reason.of(.text))]
pub(super) struct InvalidAddress {
    text: String,
    pub(super) reason: AddressError,
}

/// The canonical form of an address of the main network, or why the text is not one.
pub(super) fn canonical(text: &str) -> Result<Text, InvalidAddress> {
    let invalid =
        |reason| InvalidAddress { text: text::cut(text::clean(text.trim()), MAX_QUOTED).into_owned(), reason };
    address::parse(text).map(|address| address.text).map_err(invalid)
}

/// The canonical form of an address of the main network.
///
/// # Errors
/// A usage error.
pub(super) fn checked(text: &str) -> Result<Text, Failure> {
    canonical(text).map_err(|error| Failure::Usage(error.to_string()))
}

/// The canonical form of an address of the main network, or of the saved one with this label.
///
/// # Errors
/// A usage error.
pub(super) fn named(text: &str, saved: &[WalletAddress]) -> Result<Text, Failure> {
    let labelled = if address::is_similar(text) { Ok(None) } else { labelled(text, saved) };
    match labelled.map_err(|error| Failure::Usage(error.to_string()))? {
        Some(found) => Ok(found.address.clone()),
        None => canonical(text).map_err(|error| match error.reason {
            AddressError::Kind => {
                let sentence = format!("unknown address or label {text} (list them: satscope wallet address)");
                Failure::Usage(with_short_words(&sentence))
            }
            _ => Failure::Usage(error.to_string()),
        }),
    }
}

/// An address to look up, or the label of a saved one. The user's own indexer may also know addresses of a test
/// network.
///
/// # Errors
/// A usage error, since indexers return an empty list for an invalid address, as for an unused one. An operation error
/// if the saved addresses can't be read.
pub(super) fn looked_up(text: &Text, settings: &Settings) -> Result<Text, Failure> {
    match canonical(text) {
        Ok(address) => Ok(address),
        Err(error) if error.reason == AddressError::Network && settings.url(Group::Indexer).is_some() => {
            Ok(text.trim().into())
        }
        Err(error) if error.reason == AddressError::Kind => named(text, &user_store::addresses(settings)?),
        Err(error) => Err(Failure::Usage(error.to_string())),
    }
}
