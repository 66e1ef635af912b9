//! Checks Bitcoin addresses on the command line.

use super::failure::{Failure, MAX_QUOTED};
use crate::client::Group;
use crate::config::Settings;
use crate::model::address::{self, AddressError};
use crate::model::{Text, text};

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

/// An address to look up. The user's own indexer may also know those of a test network.
///
/// # Errors
/// A usage error: indexers return an empty list for an invalid address, as for an unused one.
pub(super) fn looked_up(text: &Text, settings: &Settings) -> Result<Text, Failure> {
    match canonical(text) {
        Ok(address) => Ok(address),
        Err(error) if error.reason == AddressError::Network && settings.url(Group::Indexer).is_some() => {
            Ok(text.trim().into())
        }
        Err(error) => Err(Failure::Usage(error.to_string())),
    }
}
