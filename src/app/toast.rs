//! Short messages at the bottom of the screen.

use crate::model::UtcTime;

/// What makes a message obsolete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToastEnd {
    /// A successful save: the message says that a change was not saved.
    Saved,
    /// A completed refresh: the message says that a manual one failed.
    Refreshed,
    /// The lot or alert that the open line edits is back: the message says that another process removed it.
    Restored,
}

/// A short message at the bottom of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Toast {
    /// The message.
    pub text: String,
    /// Whether it reports a failure.
    pub is_error: bool,
    /// What removes it before its time, if anything.
    pub ends_with: Option<ToastEnd>,
    /// The unsaved change that it confirms. It is shown once the change is saved, so that a confirmed one can't be lost.
    pub waits_for: Option<u64>,
    /// When it disappears; `None` if it stays until the next key, since it has to be read or selected in full.
    pub until: Option<UtcTime>,
}
