//! Saves the results of a watcher, and announces the firings that it is the first to record.

use super::super::super::failure::{Failure, say};
use super::super::announce::{Announcer, is_writable};
use super::Watch;
use super::save_error::SaveError;
use crate::alerts::Tracked;
use crate::alerts::check::unsaved;
use crate::format::words::{counted, in_sentence};
use crate::format::{Span, TimeRange};
use crate::model::UtcTime;
use crate::store::SaveOutcome;
use crate::user_data::{Alert, AlertEvent, AlertId, Change, UncheckedPeriod};

/// Maximum results kept while the database can only be read.
const MAX_KEPT: usize = 1_000;

/// The alert and the number of a firing.
fn firing(change: &Change) -> Option<(AlertId, u32)> {
    if let Change::AlertFired(event, _) = change { Some((event.alert, event.number)) } else { None }
}

/// Prints a firing. Returns it with its alert, unless that was removed.
fn print(announcer: &Announcer, all: &[Tracked], change: &Change) -> Result<Option<(Alert, AlertEvent)>, Failure> {
    let Change::AlertFired(event, state) = change else { return Ok(None) };
    let Some(tracked) = all.iter().find(|tracked| tracked.alert.id == event.alert) else { return Ok(None) };
    let value = Alert { state: (**state).clone(), ..tracked.alert.clone() }.last_value();
    announcer.print(&tracked.alert, event, value)?;
    Ok(Some((tracked.alert.clone(), (**event).clone())))
}

impl Watch<'_> {
    /// Saves changes, announces the firings among them, and says which time could not be checked.
    pub(super) fn record(&mut self, changes: &[Change]) -> Result<(), Failure> {
        for change in changes {
            if let Change::AlertsUnchecked(periods) = change {
                self.say_unchecked(periods);
            }
        }
        self.unsaved.extend(changes.iter().cloned());
        self.save_or_announce()
    }

    /// Saves the unsaved changes and announces the firings among them, even if they can't be saved.
    fn save_or_announce(&mut self) -> Result<(), Failure> {
        match self.save() {
            Ok(()) => Ok(()),
            Err(SaveError::Output(failure)) => Err(failure),
            Err(SaveError::Database(error)) => {
                say(&format!("can't save the alerts: {error} · retrying in 60 s"));
                // An alert must not be missed because of a full disk.
                self.announce_unsaved()
            }
        }
    }

    fn say_unchecked(&self, periods: &[UncheckedPeriod]) {
        let zone = self.settings.display.time_zone.zone();
        for UncheckedPeriod { subject, from, until, reason, .. } in periods {
            let [from, until, now] = [*from, *until, UtcTime::now()].map(|time| zone.at(time));
            let range = TimeRange { from: Some(from), until, now };
            say(&format!("{range} {subject} not checked: {reason}"));
        }
    }

    /// Announces firings that wait for standard output, if it is writable again.
    pub(super) fn announce_waiting(&mut self) -> Result<(), Failure> {
        if self.is_blocked() { Ok(()) } else { self.save_or_announce() }
    }

    /// Announces the firings that can't be saved now, as far as standard output takes them.
    fn announce_unsaved(&mut self) -> Result<(), Failure> {
        let Watch { unsaved, announcer, tracked, announced, has_output_failed, .. } = self;
        let mut printed = Vec::new();
        let done = unsaved.iter().try_for_each(|change| {
            if let Some(new) = firing(change).filter(|firing| !announced.contains(firing))
                && !*has_output_failed
                && is_writable()
            {
                printed.extend(print(announcer, tracked, change).inspect_err(|_| *has_output_failed = true)?);
                announced.push(new);
            }
            Ok(())
        });
        self.notify(printed);
        done
    }

    /// Notifies the user of firings that were printed.
    fn notify(&mut self, printed: Vec<(Alert, AlertEvent)>) {
        for (alert, event) in printed {
            self.announcer.notify(&alert, &event, UtcTime::now());
            self.fired += 1;
        }
    }

    /// Saves the last values of all alerts, and earlier results that could not be saved.
    pub(super) fn save_checked(&mut self) -> Result<(), SaveError> {
        self.unsaved.extend(unsaved(&mut self.tracked));
        self.save()
    }

    /// Saves unsaved results, and announces the firings among them that no process has recorded before. They are
    /// printed right before they are on disk, so that a kill in between repeats a line rather than losing it. After a
    /// failure, the results are kept for the next attempt, except for results of a damaged table. If standard output
    /// would block or has failed, the first firing that can't be printed is kept with all later results.
    fn save(&mut self) -> Result<(), SaveError> {
        if self.database.directory().is_none() {
            self.announce_unsaved()?;
            self.keep_unsaved();
            return Ok(());
        }
        if self.unsaved.is_empty() {
            return Ok(());
        }
        let Watch { database, unsaved, announcer, tracked, announced, has_output_failed, .. } = self;
        let (mut printed, mut failure) = (Vec::new(), None);
        let saved = database.save(unsaved, |change| {
            let Some(new) = firing(change).filter(|firing| !announced.contains(firing)) else { return true };
            // Nothing may block while other processes can't write.
            match (!*has_output_failed && is_writable()).then(|| print(announcer, tracked, change)) {
                Some(Ok(firing)) => {
                    printed.extend(firing);
                    announced.push(new);
                    true
                }
                Some(Err(error)) => {
                    *has_output_failed = true;
                    failure = Some(error);
                    false
                }
                None => false,
            }
        });
        self.notify(printed);
        let saved = saved.map(|outcomes| self.saved(outcomes));
        match failure {
            Some(failure) => Err(failure.into()),
            None => saved.map_err(SaveError::Database),
        }
    }

    /// Whether a firing was neither saved nor announced.
    pub(super) fn has_new_firing(&self) -> bool {
        self.unsaved.iter().filter_map(firing).any(|firing| !self.announced.contains(&firing))
    }

    /// Whether a firing waits for standard output.
    pub(super) fn is_blocked(&self) -> bool {
        self.has_new_firing() && !is_writable()
    }

    /// Removes the first changes from the unsaved ones, and says why some of them could not be saved.
    fn saved(&mut self, outcomes: Vec<SaveOutcome>) {
        self.unsaved.drain(..outcomes.len().min(self.unsaved.len()));
        for outcome in outcomes {
            if let SaveOutcome::Skipped(sentence) = outcome {
                self.say_damage(&sentence);
            }
        }
        self.forget_saved();
    }

    /// Keeps the newest results of a read-only database until it can be written. The last values are saved then anyway.
    fn keep_unsaved(&mut self) {
        self.unsaved.retain(|change| !matches!(change, Change::AlertsChecked(_)));
        self.unsaved.drain(..self.unsaved.len().saturating_sub(MAX_KEPT));
        self.forget_saved();
    }

    /// Forgets the announced firings that are no longer unsaved.
    fn forget_saved(&mut self) {
        let Watch { announced, unsaved, .. } = self;
        announced.retain(|known| unsaved.iter().any(|change| firing(change) == Some(*known)));
    }

    /// Opens a database for writing that could only be read, if that is possible now.
    pub(super) fn reopen_database(&mut self) {
        let Some(notices) = self.database.reopen() else { return };
        notices.iter().for_each(|notice| say(notice));
        say("alerts are recorded now");
        let checked = self.tracked.iter().map(|tracked| &tracked.alert).filter(|alert| self.is_checked(alert));
        let states = checked.map(|alert| (alert.id, alert.state.clone())).collect();
        self.unsaved.push(Change::AlertsChecked(states));
    }

    /// Says once that a part of the store is damaged.
    pub(super) fn say_damage(&mut self, sentence: &str) {
        if !self.damages.iter().any(|known| known == sentence) {
            say(&in_sentence(sentence));
            self.damages.push(sentence.to_owned());
        }
    }

    /// Saves the checked times and the results up to a firing that can't be printed, releases the leases and waits for
    /// the user's commands. Returns how many alerts fired and how long they were watched; `None` if none was checked.
    pub(super) async fn finish(mut self) -> Option<String> {
        match self.save_checked() {
            Err(SaveError::Output(Failure::Operation(sentence))) => say(&sentence),
            // A closed pipe is not an error.
            Ok(()) | Err(SaveError::Output(_)) => {}
            Err(SaveError::Database(error)) => say(&format!("can't save the alerts: {error}")),
        }
        if let Err(error) = self.release_leases() {
            say(&format!("can't save the alerts: {error}"));
        }
        let summary = self.began.map(|began| {
            let fired = match self.fired {
                0 => String::from("no alerts"),
                count => counted(count, "alert"),
            };
            format!("watched for {} · {fired} fired", Span(began.elapsed()))
        });
        self.announcer.finish().await;
        summary
    }
}
