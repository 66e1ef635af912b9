//! The lookups, and the way back to where each was started.

use super::{IndexerScreen, MAX_TRAIL, Place, Visit};
use crate::app::find::lookup::Subject;
use crate::app::panel::Panel;

impl IndexerScreen {
    /// Shows another subject on the right side.
    pub fn visit(&mut self, subject: Subject) {
        if self.trail.last().is_some_and(|last| last.subject == subject) {
            self.reset_right();
        } else {
            let before = self.take_place();
            self.trail.push(Visit { subject, before, origin: None });
            let excess = self.trail.len().saturating_sub(MAX_TRAIL);
            self.trail.drain(..excess);
        }
        self.focus = self.panels().first().copied().unwrap_or(Panel::Tokens);
    }

    /// Goes back to the previous subject, as it was shown then; `false` if there is none.
    pub fn back(&mut self) -> bool {
        let Some(Visit { before, .. }) = self.trail.pop() else { return false };
        // Another token may be selected now, or the first lookups may be forgotten.
        if before.subject == self.subject() {
            self.restore_place(before);
        } else {
            self.reset_right();
            self.focus = match self.panels().first() {
                Some(&first) if !self.trail.is_empty() => first,
                _ => Panel::Tokens,
            };
        }
        true
    }

    /// Makes going back stay in the indexer: the user has left the screens where the lookups were started.
    pub(in crate::app) fn forget_origins(&mut self) {
        self.trail.iter_mut().for_each(|visit| visit.origin = None);
    }

    /// Resets selections and scroll positions of the right side, which now shows another subject.
    pub fn reset_right(&mut self) {
        self.take_place();
    }

    /// Takes what is shown: the selections and scroll positions of the right side are reset.
    pub(super) fn take_place(&mut self) -> Place {
        Place {
            subject: self.subject(),
            focus: self.focus,
            holders: std::mem::take(&mut self.holders),
            activity: std::mem::take(&mut self.activity),
            balances: std::mem::take(&mut self.balances),
            inscriptions: std::mem::take(&mut self.inscriptions),
            scroll: std::mem::take(&mut self.scroll),
        }
    }

    /// Shows the selections and scroll positions of the right side as they were taken.
    pub(super) fn restore_place(&mut self, place: Place) {
        let Place { subject: _, focus, holders, activity, balances, inscriptions, scroll } = place;
        self.focus = focus;
        self.holders = holders;
        self.activity = activity;
        self.balances = balances;
        // The sort order may have changed.
        self.balances.reorder();
        self.inscriptions = inscriptions;
        self.scroll = scroll;
    }
}
