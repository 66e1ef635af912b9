//! The user's changes that can't be saved.

use crate::app::state::State;
use crate::format::words::{counted, in_sentence};
use crate::user_data::StoreNotice;

impl State {
    /// The number of changes by the user that could not be saved yet.
    pub fn failed_changes(&self) -> usize {
        if self.store_log.failure().is_some() { self.user.by_user().count() } else { 0 }
    }

    /// The message at exit about lost changes by the user; `None` if there are none.
    pub fn lost_changes_message(&self, reason: &str) -> Option<String> {
        let changes = match self.user.by_user().count() {
            0 => return None,
            count => counted(count, "change"),
        };
        let reason = in_sentence(StoreNotice::reason(reason));
        Some(format!("{changes} not saved: {reason}"))
    }
}
