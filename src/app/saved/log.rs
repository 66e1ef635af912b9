//! What happened to the saved data in this run, for the Status tab.

use std::collections::VecDeque;

use crate::model::{UtcTime, text};
use crate::user_data::StoreNotice;

/// Maximum number of notices. A database that is replaced again and again must not fill the tab.
const MAX_NOTICES: usize = 5;

/// Notices about the saved data, and why changes can't be saved now or the data was not read.
#[derive(Debug, Default)]
pub struct StoreLog {
    failure: Option<(UtcTime, String)>,
    unread: Option<String>,
    notices: VecDeque<(UtcTime, String)>,
    /// The number of notices that the Status tab has not shown yet.
    unseen: usize,
}

impl StoreLog {
    /// Records that changes can't be saved.
    pub(in crate::app) fn failed(&mut self, at: UtcTime, notice: &StoreNotice) {
        self.failure = Some((at, text::clean(&notice.details).into_owned()));
    }

    /// Records that all changes are saved.
    pub(in crate::app) fn saved(&mut self) {
        self.failure = None;
    }

    /// Records that no user data could be read, with the database and the reason, or that it was read.
    pub(in crate::app) fn set_unread(&mut self, database: Option<&str>) {
        self.unread = database.map(|database| text::clean(database).into_owned());
    }

    /// Records something that happened to the saved data.
    pub(in crate::app) fn add(&mut self, at: UtcTime, notice: &StoreNotice) {
        let sentence = text::clean(&notice.details).into_owned();
        self.notices.retain(|(_, earlier)| *earlier != sentence);
        self.notices.push_front((at, sentence));
        self.notices.truncate(MAX_NOTICES);
        self.unseen = self.notices.len().min(self.unseen + 1);
    }

    /// Moves the times back to `now`, after the clock was set back.
    pub(in crate::app) fn set_back(&mut self, now: UtcTime) {
        let times = self.failure.iter_mut().chain(&mut self.notices).map(|(at, _)| at);
        times.for_each(|at| *at = now.min(*at));
    }

    /// Records that the Status tab shows the notices.
    pub(in crate::app) fn mark_seen(&mut self) {
        self.unseen = 0;
    }

    /// The number of notices that the Status tab has not shown yet.
    pub fn unseen(&self) -> usize {
        self.unseen
    }

    /// Why changes are not saved, and since when.
    pub fn failure(&self) -> Option<(UtcTime, &str)> {
        self.failure.as_ref().map(|(at, sentence)| (*at, sentence.as_str()))
    }

    /// The database with the reason, if no user data could be read.
    pub fn unread(&self) -> Option<&str> {
        self.unread.as_deref()
    }

    /// What happened to the saved data, newest first.
    pub fn notices(&self) -> impl Iterator<Item = (UtcTime, &str)> {
        self.notices.iter().map(|(at, sentence)| (*at, sentence.as_str()))
    }
}
