//! Configuration errors: one message each, with its location.

use std::borrow::Cow;
use std::fmt;

use super::origin::Origin;
use crate::model::text;

/// Maximum length of a name from the file in an error.
const MAX_NAME: usize = 80;

/// Maximum length of an error message, which may contain a parser's message.
const MAX_MESSAGE: usize = 400;

/// Maximum reported errors.
const MAX_ERRORS: usize = 100;

/// Shortens a name from the file for an error.
pub(super) fn short(name: &str) -> Cow<'_, str> {
    text::cut(Cow::Borrowed(name), MAX_NAME)
}

/// An invalid configuration. Displays as one line per error and never contains values that may be secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    messages: Vec<String>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.messages.join("\n"))
    }
}

impl Error {
    /// An error with its location: file and line, variable, or flag.
    pub(super) fn at(origin: &Origin, message: impl Into<String>) -> Error {
        Error::general(format!("{origin}: {}", text::cut(Cow::Owned(message.into()), MAX_MESSAGE)))
    }

    /// An error without a location.
    pub(super) fn general(message: impl Into<String>) -> Error {
        Error { messages: vec![text::clean(&message.into()).into_owned()] }
    }

    /// Combines errors.
    ///
    /// # Errors
    /// There is at least one error.
    pub(super) fn all(errors: impl Iterator<Item = Error>) -> Result<(), Error> {
        let mut messages: Vec<String> = errors.flat_map(|error| error.messages).collect();
        let more = messages.len().saturating_sub(MAX_ERRORS);
        if more > 0 {
            messages.truncate(MAX_ERRORS);
            messages.push(format!("and {more} more"));
        }
        if messages.is_empty() { Ok(()) } else { Err(Error { messages }) }
    }

    /// The messages, one per error.
    pub fn messages(&self) -> &[String] {
        &self.messages
    }
}
