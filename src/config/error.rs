//! What is wrong with the configuration, in one sentence with its place.

use std::borrow::Cow;

use super::Origin;
use crate::model::text;

/// Characters of a name from the file that an error repeats.
const NAME: usize = 80;

/// Characters of an error's message: names and words of parsers may be of any length.
const MESSAGE: usize = 400;

/// A name from the file, no longer than it takes to find it.
pub(super) fn short(name: &str) -> Cow<'_, str> {
    text::cut(Cow::Borrowed(name), NAME)
}

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
        let message = text::cut(Cow::Owned(message.into()), MESSAGE).into_owned();
        Error { place: Some(origin.to_string()), message }
    }

    /// An error of the whole.
    pub(super) fn general(message: impl Into<String>) -> Error {
        Error { place: None, message: message.into() }
    }
}
