//! When the session is saved while the program runs.

use std::time::Duration;

use super::session::Session;
use crate::model::UtcTime;

/// Delay between a change of the tab, the currency or another choice and the save, so that quick key presses cause only
/// one write.
const SAVE_DELAY: Duration = Duration::from_secs(3);

/// What is known about the saved session, and when it is saved next. Nothing is saved before the earlier one is restored,
/// since it would be overwritten.
#[derive(Debug, Default)]
pub struct SessionSaves {
    /// Whether the session was restored, or doesn't exist.
    pub is_restored: bool,
    /// The choices as last saved: the part of the session that is saved soon after it has changed.
    choices: Session,
    /// When the current choices are saved, if they differ.
    due: Option<UtcTime>,
    /// Whether the order of the holdings has changed and is not saved.
    pub(in crate::app) has_unsaved_order: bool,
}

impl SessionSaves {
    /// When the current choices are saved; `None` if they are.
    pub(in crate::app) fn due(&self) -> Option<UtcTime> {
        self.due
    }

    /// Whether it is time to look for changed choices: the session is restored, and no later save is due.
    pub(in crate::app) fn checks_choices(&self, now: UtcTime) -> bool {
        self.is_restored && self.due.is_none_or(|due| due <= now)
    }

    /// Compares the current choices with the saved ones. They are due [`SAVE_DELAY`] after the first of them has
    /// changed. Returns whether they are to be saved now, and then counts them as saved.
    pub(in crate::app) fn save_if_due(&mut self, choices: Session, now: UtcTime) -> bool {
        let was_due = self.due.is_some();
        let is_changed = choices != self.choices;
        self.due = (is_changed && !was_due).then(|| now.plus(SAVE_DELAY));
        if is_changed && was_due {
            self.choices = choices;
        }
        is_changed && was_due
    }

    /// Counts these choices as saved: the whole session was just restored or saved.
    pub(in crate::app) fn set_saved(&mut self, choices: Session) {
        self.choices = choices;
        self.due = None;
    }

    /// Makes a pending save due after the clock was set back to `now`.
    pub(in crate::app) fn set_back(&mut self, now: UtcTime) {
        self.due = self.due.map(|due| due.min(now));
    }
}
