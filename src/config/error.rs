//! What is wrong with the configuration, in one sentence with its place.

use super::Origin;

/// A configuration that cannot be used. Never shows a value that may be secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", .place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default())]
pub struct Error {
    /// File and line, variable, or flag.
    place: Option<String>,
    message: String,
}

impl Error {
    /// An error at a place.
    pub(super) fn at(origin: &Origin, message: impl Into<String>) -> Error {
        Error { place: Some(origin.to_string()), message: message.into() }
    }

    /// An error of the whole.
    pub(super) fn general(message: impl Into<String>) -> Error {
        Error { place: None, message: message.into() }
    }
}
