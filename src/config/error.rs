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

/// A message, or a heading with the lines below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paragraph {
    /// The message or heading.
    pub first: String,
    /// The lines, not indented.
    pub lines: Vec<String>,
}

/// An invalid configuration. Displays as one line per error and never contains values that may be secret.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    messages: Vec<Message>,
}

/// What is wrong with a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Message {
    /// The file and the line.
    place: Option<(String, usize)>,
    /// In one sentence; without a place, it names the variable or flag.
    text: String,
}

impl Message {
    /// The message below a heading with the path: `line 3: …`.
    fn below_path(&self) -> String {
        match &self.place {
            Some((_, line)) => format!("line {line}: {}", self.text),
            None => self.text.clone(),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some((path, line)) => write!(f, "{path}:{line}: {}", self.text),
            None => f.write_str(&self.text),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages: Vec<String> = self.messages.iter().map(Message::to_string).collect();
        f.write_str(&messages.join("\n"))
    }
}

impl Error {
    /// An error with its location: file and line, variable, or flag.
    pub(super) fn at(origin: &Origin, message: impl Into<String>) -> Error {
        let message = text::cut(Cow::Owned(message.into()), MAX_MESSAGE);
        match origin {
            Origin::File { path, line } => {
                let place = Some((text::clean(&path.display().to_string()).into_owned(), *line));
                Error { messages: vec![Message { place, text: text::clean(&message).into_owned() }] }
            }
            _ => Error::general(format!("{origin}: {message}")),
        }
    }

    /// An error without a location.
    pub(super) fn general(message: impl Into<String>) -> Error {
        Error { messages: vec![Message { place: None, text: text::clean(&message.into()).into_owned() }] }
    }

    /// Combines errors.
    ///
    /// # Errors
    /// There is at least one error.
    pub(super) fn all(errors: impl Iterator<Item = Error>) -> Result<(), Error> {
        let mut messages: Vec<Message> = errors.flat_map(|error| error.messages).collect();
        let more = messages.len().saturating_sub(MAX_ERRORS);
        if more > 0 {
            messages.truncate(MAX_ERRORS);
            messages.push(Message { place: None, text: format!("and {more} more") });
        }
        if messages.is_empty() { Ok(()) } else { Err(Error { messages }) }
    }

    /// The messages for a terminal. Several about one file have its path above them, once.
    pub fn paragraphs(&self) -> Vec<Paragraph> {
        let path = |message: &Message| message.place.as_ref().map(|(path, _)| path.clone());
        let groups = self.messages.chunk_by(|one, next| one.place.is_some() && path(one) == path(next));
        let paragraph = |group: &[Message]| match group {
            [first, _, ..] => Paragraph {
                first: format!("{}:", path(first).unwrap_or_default()),
                lines: group.iter().map(Message::below_path).collect(),
            },
            _ => Paragraph { first: group.iter().map(Message::to_string).collect(), lines: Vec::new() },
        };
        groups.map(paragraph).collect()
    }
}
