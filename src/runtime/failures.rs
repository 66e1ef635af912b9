//! What could not be saved or shown when the dashboard ended.

use crate::app::State;
use crate::store::Finished;

use super::outcome::Error;

/// The failures that no frame has shown.
#[derive(Debug)]
pub(super) struct Failures {
    /// One sentence each.
    pub(super) sentences: Vec<String>,
    /// The texts of the alerts that fired too late for a frame.
    pub(super) alerts: Vec<String>,
    /// The changes by the user that are lost, even if a frame has shown that they weren't saved.
    pub(super) lost: Option<Error>,
}

impl Failures {
    /// Collects what could not be saved. The saved changes must already be confirmed in `state`.
    pub(super) fn new(state: &State, finished: Finished) -> Failures {
        let Finished { saved: _, fired_elsewhere: _, change_failure, session_failure, late, notices } = finished;
        let mut sentences = notices;
        let known = || state.store_log.failure().map(|(_, sentence)| sentence.to_owned());
        // Without a report about the last changes, the reason is that the database could not be opened.
        let opening = session_failure.clone().filter(|_| late.is_some());
        let reason = change_failure
            .clone()
            .or(opening)
            .or_else(|| late.clone())
            .or_else(known)
            .or_else(|| session_failure.clone());
        let reason = reason.unwrap_or_else(|| String::from("the writer thread has stopped"));
        let lost = state.lost_changes_message(&reason);
        if lost.is_none() {
            // Of changes by the program.
            sentences.extend(change_failure.filter(|sentence| session_failure.as_ref() != Some(sentence)));
            sentences.extend(late.filter(|_| state.session_saves.is_restored && session_failure.is_none()));
        }
        sentences.extend(session_failure.filter(|sentence| lost.is_none() || *sentence != reason));
        Failures { sentences, alerts: Vec::new(), lost: lost.map(Error::NotSaved) }
    }
}
