//! Saves the results of a watcher, and announces the firings that it was the first to record.

use super::super::super::failure::{Failure, say};
use super::Watch;
use crate::alerts::Tracked;
use crate::alerts::check::unsaved;
use crate::format::words::in_sentence;
use crate::format::{Span, TimeRange};
use crate::model::UtcTime;
use crate::store::Error;
use crate::user_data::{Alert, AlertId, Change, UncheckedPeriod};

impl Watch<'_> {
    /// Announces the firings among changes, saves the changes, and says which time could not be checked.
    pub(super) fn record(&mut self, changes: &[Change]) -> Result<(), Failure> {
        for change in changes {
            if let Change::AlertsUnchecked(periods) = change {
                self.say_unchecked(periods);
            }
        }
        self.announce_unrecorded(changes)?;
        self.unsaved.extend(changes.iter().cloned());
        match self.save() {
            Ok(fired) => self.announce(&fired),
            Err(error) => {
                say(&format!("can't save the alerts: {error} · retrying in 60 s"));
                Ok(())
            }
        }
    }

    /// Announces the firings that no process has recorded. They are recorded after that: an alert must not be missed
    /// because its line can't be written, or because of a full disk.
    fn announce_unrecorded(&mut self, changes: &[Change]) -> Result<(), Failure> {
        if !changes.iter().any(|change| matches!(change, Change::AlertFired(..))) {
            return Ok(());
        }
        let recorded = self.recorded();
        for (place, change) in changes.iter().enumerate() {
            let Change::AlertFired(event, state) = change else { continue };
            let id = (event.alert, event.number);
            let has_rule =
                |tracked: &Tracked| tracked.alert.id == id.0 && tracked.alert.state.revision == state.revision;
            if recorded.contains(&id) || !self.tracked.iter().any(has_rule) {
                continue;
            }
            if let Err(failure) = self.announce(std::slice::from_ref(change)) {
                self.forget_from(place, changes);
                return Err(failure);
            }
            self.announced.push(id);
        }
        Ok(())
    }

    /// Keeps changes to be saved without the firings from a place on, nor the states of their alerts: the next run
    /// finds these firings again.
    fn forget_from(&mut self, place: usize, changes: &[Change]) {
        let lost = changes.iter().skip(place).filter_map(|change| match change {
            Change::AlertFired(event, _) => Some(event.alert),
            _ => None,
        });
        let lost: Vec<AlertId> = lost.collect();
        let is_kept = |(at, change): &(usize, &Change)| match change {
            Change::AlertFired(..) => *at < place,
            Change::AlertsChecked(states) => states.iter().all(|(alert, _)| !lost.contains(alert)),
            _ => true,
        };
        self.unsaved.extend(changes.iter().enumerate().filter(is_kept).map(|(_, change)| change.clone()));
        self.tracked.retain(|tracked| !lost.contains(&tracked.alert.id));
    }

    /// The firings that other processes have recorded since the alerts were loaded.
    fn recorded(&mut self) -> Vec<(AlertId, u32)> {
        // Saving reports an error of the database.
        let data = match self.database.is_changed() {
            Ok(true) => self.database.load().ok(),
            _ => None,
        };
        let Some(data) = data else { return Vec::new() };
        self.loaded(&data);
        data.alert_events.iter().map(|event| (event.alert, event.number)).collect()
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
                1 => String::from("1 alert"),
                count => format!("{count} alerts"),
            };
            format!("watched for {} · {fired} fired", Span(began.elapsed()))
        });
        self.announcer.finish().await;
        summary
    }
}
