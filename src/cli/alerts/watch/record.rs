//! Saves the results of a watcher, and announces the firings that it was the first to record.

use super::super::super::failure::{Failure, say};
use super::Watch;
use crate::alerts::check::unsaved;
use crate::format::words::{counted, in_sentence};
use crate::format::{Span, TimeRange};
use crate::model::UtcTime;
use crate::store::Error;
use crate::user_data::{Alert, Change, UncheckedPeriod};

impl Watch<'_> {
    /// Saves changes, announces the firings among them, and says which time could not be checked.
    pub(super) fn record(&mut self, changes: &[Change]) -> Result<(), Failure> {
        for change in changes {
            if let Change::AlertsUnchecked(periods) = change {
                self.say_unchecked(periods);
            }
        }
        self.unsaved.extend(changes.iter().cloned());
        match self.save() {
            Ok(fired) => self.announce(&fired),
            Err(error) => {
                say(&format!("can't save the alerts: {error} · retrying in 60 s"));
                // An alert must not be missed because of a full disk.
                for change in changes {
                    if let Change::AlertFired(event, _) = change {
                        self.announced.push((event.alert, event.number));
                    }
                }
                self.announce(changes)
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

    /// Announces the firings that this process has recorded. Another process may have recorded the same firing before.
    pub(super) fn announce(&mut self, fired: &[Change]) -> Result<(), Failure> {
        for change in fired {
            if let Change::AlertFired(event, state) = change
                && let Some(tracked) = self.tracked.iter().find(|tracked| tracked.alert.id == event.alert)
            {
                let value = Alert { state: (**state).clone(), ..tracked.alert.clone() }.last_value();
                self.announcer.announce(&tracked.alert, event, value)?;
                self.fired += 1;
            }
        }
        Ok(())
    }

    /// Saves the last values of all alerts, and earlier results that could not be saved. Returns the firings that this
    /// process has recorded.
    pub(super) fn save_checked(&mut self) -> Result<Vec<Change>, Error> {
        self.unsaved.extend(unsaved(&mut self.tracked));
        self.save()
    }

    /// Saves unsaved results, and returns the firings that no other process had recorded. After a failure, they are
    /// kept for the next attempt, except those of a damaged table.
    fn save(&mut self) -> Result<Vec<Change>, Error> {
        if self.unsaved.is_empty() {
            return Ok(Vec::new());
        }
        let outcomes = self.database.save(&self.unsaved)?;
        let announced = std::mem::take(&mut self.announced);
        let is_announced = |change: &Change| match change {
            Change::AlertFired(event, _) => announced.contains(&(event.alert, event.number)),
            _ => false,
        };
        let mut new = Vec::new();
        for (change, outcome) in std::mem::take(&mut self.unsaved).into_iter().zip(outcomes) {
            let is_new = outcome.unwrap_or_else(|sentence| {
                self.say_damage(&sentence);
                // An alert must not be missed because it can't be recorded.
                matches!(change, Change::AlertFired(..))
            });
            if is_new && !is_announced(&change) {
                new.push(change);
            }
        }
        Ok(new)
    }

    /// Says once that a part of the store is damaged.
    pub(super) fn say_damage(&mut self, sentence: &str) {
        if !self.damages.iter().any(|known| known == sentence) {
            say(&in_sentence(sentence));
            self.damages.push(sentence.to_owned());
        }
    }

    /// Saves the checked times, releases the leases and waits for the user's commands. Returns how many alerts fired
    /// and how long they were watched; `None` if none was checked.
    pub(super) async fn finish(mut self) -> Option<String> {
        match self.save_checked() {
            Ok(fired) => drop(self.announce(&fired)),
            Err(error) => say(&format!("can't save the alerts: {error}")),
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
