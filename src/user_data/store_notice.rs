//! Messages about the saved data.

/// What happened to the saved data, for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreNotice {
    /// One sentence for a toast, with the names of files.
    pub summary: String,
    /// One sentence for the Status tab, the log and commands, with whole paths.
    pub details: String,
}

impl From<String> for StoreNotice {
    fn from(sentence: String) -> Self {
        StoreNotice { summary: sentence.clone(), details: sentence }
    }
}
