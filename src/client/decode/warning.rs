//! Warnings about a response, with their subjects.

use crate::client::request::Warning;

/// A warning about a response.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodeWarning {
    /// The sentence. If it is about a field, it starts with the path.
    pub sentence: Warning,
    /// What it is about.
    pub subject: Subject,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A field or an item; also the number of further warnings.
    Field,
    /// Prices in another currency than the requested one, or values that were skipped because of theirs.
    Currency,
    /// Anything else about the response.
    Response,
}

impl DecodeWarning {
    /// A warning about a field or an item.
    pub(super) fn of_field(sentence: Warning) -> DecodeWarning {
        DecodeWarning { sentence, subject: Subject::Field }
    }

    /// A warning about the response.
    pub(super) fn of_response(sentence: Warning) -> DecodeWarning {
        DecodeWarning { sentence, subject: Subject::Response }
    }
}
