//! What is wrong with the configuration: one sentence for each mistake, with its place.

use std::borrow::Cow;
use std::fmt;

use super::Origin;
use crate::model::text;

/// Characters of a name from the file that an error repeats.
const NAME: usize = 80;

/// Characters of an error's message: names and words of parsers may be of any length.
const MESSAGE: usize = 400;

/// Maximum mistakes that are reported.
const MISTAKES: usize = 100;

/// A name from the file, no longer than it takes to find it.
pub(super) fn short(name: &str) -> Cow<'_, str> {
    text::cut(Cow::Borrowed(name), NAME)
}

/// A configuration that cannot be used. Never shows a value that may be secret. Printed with a line for each mistake.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    mistakes: Vec<String>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.mistakes.join("\n"))
    }
}

impl Error {
    /// An error at a place: file and line, variable, or flag.
    pub(super) fn at(origin: &Origin, message: impl Into<String>) -> Error {
        Error::general(format!("{origin}: {}", text::cut(Cow::Owned(message.into()), MESSAGE)))
    }

    /// An error of the whole.
    pub(super) fn general(message: impl Into<String>) -> Error {
        Error { mistakes: vec![text::clean(&message.into()).into_owned()] }
    }

    /// Several errors as one.
    ///
    /// # Errors
    /// There is any.
    pub(super) fn all(errors: impl Iterator<Item = Error>) -> Result<(), Error> {
        let mut mistakes: Vec<String> = errors.flat_map(|error| error.mistakes).collect();
        let more = mistakes.len().saturating_sub(MISTAKES);
        if more > 0 {
            mistakes.truncate(MISTAKES);
            mistakes.push(format!("{more} more mistakes"));
        }
        if mistakes.is_empty() { Ok(()) } else { Err(Error { mistakes }) }
    }

    /// The sentences, one for each mistake.
    pub fn mistakes(&self) -> &[String] {
        &self.mistakes
    }
}
