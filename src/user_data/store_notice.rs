//! Messages about the saved data.

use std::fmt;

/// The beginning of a sentence about a failure that concerns no file.
const CANT_SAVE: &str = "Can't save changes: ";

/// What happened to the saved data, for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreNotice {
    /// One sentence for a toast, with the names of files.
    pub summary: String,
    /// One sentence for the Status tab, the log and commands, with whole paths.
    pub details: String,
}

impl StoreNotice {
    /// The sentence that changes can't be saved for a reason that concerns no file.
    pub fn cant_save(reason: impl fmt::Display) -> String {
        format!("{CANT_SAVE}{reason}")
    }

    /// The reason in a sentence about a failure, for text that already says that changes are not saved. The whole
    /// sentence if it is not from [`StoreNotice::cant_save`].
    pub fn reason(sentence: &str) -> &str {
        sentence.strip_prefix(CANT_SAVE).unwrap_or(sentence)
    }
}

impl From<String> for StoreNotice {
    fn from(sentence: String) -> Self {
        StoreNotice { summary: sentence.clone(), details: sentence }
    }
}
