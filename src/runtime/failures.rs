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
        const LATE: &str = "disk slow or database locked";
        let Finished { saved: _, fired_elsewhere: _, change_failure, session_failure, is_late, notes } = finished;
        let mut sentences = notes;
        let known = || state.store_log.failure().map(|(_, sentence)| sentence.to_owned());
        let late = is_late.then(|| String::from(LATE));
        let reason = late.or_else(|| change_failure.clone()).or_else(known).or_else(|| session_failure.clone());
        let reason = reason.unwrap_or_else(|| String::from("the writer thread has stopped"));
        let lost = state.lost_changes_message(&reason);
        if lost.is_none() {
            // Of changes by the program.
            sentences.extend(change_failure.filter(|sentence| session_failure.as_ref() != Some(sentence)));
            sentences.extend((is_late && state.restored).then(|| format!("Session not saved ({LATE})")));
        }
        sentences.extend(session_failure.filter(|sentence| lost.is_none() || *sentence != reason));
        Failures { sentences, alerts: Vec::new(), lost: lost.map(Error::NotSaved) }
    }
}
