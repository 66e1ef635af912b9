//! What the writer thread reported at its end.

use super::event::Event;
use crate::model::text;

/// What the thread reported at the end, in sentences without control characters.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Finished {
    /// The numbers of the changes that were saved.
    pub saved: Vec<u64>,
    /// The firings among them that another process had recorded first.
    pub fired_elsewhere: Vec<u64>,
    /// Why the last changes were not saved.
    pub change_failure: Option<String>,
    /// Why the session was not saved.
    pub session_failure: Option<String>,
    /// Why nothing more is known, if the thread is still writing.
    pub late: Option<String>,
    /// Other messages.
    pub notices: Vec<String>,
}

impl Finished {
    /// What the last events say.
    pub(super) fn new(late: Option<String>, events: impl Iterator<Item = Event>) -> Finished {
        let mut finished =
            Finished { late: late.map(|reason| text::clean(&reason).into_owned()), ..Finished::default() };
        events.for_each(|event| finished.add(event));
        finished.notices.dedup();
        finished
    }

    fn add(&mut self, event: Event) {
        let clean = |sentence: &str| text::clean(sentence).into_owned();
        match event {
            Event::Saved(number, Ok(())) => self.saved.push(number),
            Event::Saved(_, Err(notice)) => self.change_failure = Some(clean(&notice.details)),
            Event::Failed(notice) => self.session_failure = Some(clean(&notice.details)),
            Event::Notice(notice) => self.notices.push(clean(&notice.details)),
            Event::NotUndone(sentence) | Event::NotEdited(_, sentence) => self.notices.push(clean(&sentence)),
            Event::FiredElsewhere(number) => self.fired_elsewhere.push(number),
            Event::Loaded(_) | Event::Unread(_) | Event::IdsAssigned(_) | Event::AlertLease { .. } => {}
        }
    }
}
