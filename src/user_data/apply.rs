//! Applies changes to the data.

use super::{
    Alert, AlertEvent, AlertId, AlertState, Change, Lot, LotId, UncheckedPeriod, UserData, WalletAddress, balance,
    note, read_posts,
};
use crate::model::UtcTime;

impl UserData {
    /// A temporary ID for a new lot, below 0.
    pub fn next_lot(&self) -> LotId {
        LotId(self.lots.iter().map(|lot| lot.id.0).min().unwrap_or(0).min(0) - 1)
    }

    /// The ID that a new lot gets: its own if it has one that is free, or else a temporary one.
    pub fn id_of_new(&self, lot: &Lot) -> LotId {
        let is_free = lot.id != LotId::default() && self.lots.iter().all(|known| known.id != lot.id);
        if is_free { lot.id } else { self.next_lot() }
    }

    /// A temporary ID for a new alert, below 0.
    pub fn next_alert(&self) -> AlertId {
        AlertId(self.alerts.iter().map(|alert| alert.id.0).min().unwrap_or(0).min(0) - 1)
    }

    fn add_alert(&mut self, alert: &Alert) -> AlertId {
        if self.alerts.contains(alert) {
            return alert.id;
        }
        let is_taken = self.alerts.iter().any(|known| known.id == alert.id);
        let id = if is_taken || alert.id == AlertId::default() { self.next_alert() } else { alert.id };
        let place = place_of(id.0, self.alerts.iter().map(|known| known.id.0));
        self.alerts.insert(place, Alert { id, ..alert.clone() });
        id
    }

    fn put_address(&mut self, entry: &WalletAddress) {
        match self.addresses.iter_mut().find(|known| known.address == entry.address) {
            Some(known) => known.clone_from(entry),
            None => self.addresses.push(entry.clone()),
        }
    }

    fn restore_alert(&mut self, alert: &Alert, events: &[AlertEvent]) {
        let alert = self.add_alert(alert);
        for event in events {
            let event = AlertEvent { alert, ..event.clone() };
            if !self.alert_events.iter().any(|known| known.is_same(&event)) {
                self.alert_events.push(event);
            }
        }
        self.alert_events.sort_by_key(|event| event.at);
    }

    fn alert_checked(&mut self, id: AlertId, state: &AlertState) {
        // The time is not known here, so no check counts as one with a wrong clock.
        let follows = |known: &AlertState| state.follows(known, UtcTime::from_millis(i64::MAX));
        let older = self.alerts.iter_mut().filter(|alert| alert.id == id && follows(&alert.state));
        older.for_each(|alert| alert.state.clone_from(state));
    }

    /// Applies a change.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Watch(coin) => self.watchlist.set_watched(coin, true),
            Change::Unwatch(coin) => self.watchlist.set_watched(coin, false),
            Change::Rewatch { coin, before } => self.watchlist.watch_before(coin, before),
            Change::AddLot(lot) => {
                if !self.lots.contains(lot) {
                    let id = self.id_of_new(lot);
                    let place = place_of(id.0, self.lots.iter().map(|known| known.id.0));
                    self.lots.insert(place, Lot { id, ..(**lot).clone() });
                }
            }
            Change::EditLot(edit) => {
                let known = self.lots.iter_mut().find(|known| known.id == edit.after.id);
                known.into_iter().for_each(|known| *known = edit.applied_to(known));
            }
            Change::RemoveLot(removed) => self.lots.retain(|lot| lot.id != removed.id),
            Change::PutAddress(entry) => self.put_address(entry),
            Change::LabelAddress(entry) => {
                let known = self.addresses.iter_mut().filter(|known| known.address == entry.address);
                known.for_each(|known| known.label.clone_from(&entry.label));
            }
            Change::RestoreAddress { entry, balances, before } => {
                self.put_address(entry);
                if let Some(place) = self.addresses.iter().position(|known| Some(&known.address) == before.as_ref())
                    && let Some(last) = self.addresses.pop_if(|last| last.address == entry.address)
                {
                    self.addresses.insert(place, last);
                }
                balance::add(&mut self.past_balances, balances);
            }
            Change::RemoveAddress(entry) => {
                self.addresses.retain(|known| known.address != entry.address);
                self.past_balances.retain(|balance| balance.address != entry.address);
            }
            Change::BalancesChanged(balances) => balance::add(&mut self.past_balances, balances),
            Change::Undo { made, back } => {
                if self.has_result_of(made) {
                    let back = self.fitting_inverse(made, back).into_owned();
                    self.apply(&back);
                }
            }
            Change::AddAlert(alert) => drop(self.add_alert(alert)),
            Change::RestoreAlert(alert, events) => self.restore_alert(alert, events),
            Change::AlertSignals { id, bell, notify } => {
                let changed = self.alerts.iter_mut().filter(|alert| alert.id == *id);
                changed.for_each(|alert| (alert.bell, alert.notify) = (*bell, *notify));
            }
            Change::EditAlert(edit) => {
                let known = self.alerts.iter_mut().find(|known| known.id == edit.after.id);
                known.into_iter().for_each(|known| *known = edit.applied_to(known));
            }
            Change::RemoveAlert(removed) => {
                self.alerts.retain(|alert| alert.id != removed.id);
                self.alert_events.retain(|event| event.alert != removed.id);
            }
            Change::AlertsChecked(states) => states.iter().for_each(|(id, state)| self.alert_checked(*id, state)),
            Change::AlertFired(event, state) => {
                if !self.alert_events.iter().any(|known| known.is_same(event)) {
                    self.alert_events.push((**event).clone());
                }
                self.alert_checked(event.alert, state);
                let fired = self.alerts.iter_mut().filter(|alert| alert.id == event.alert && alert.once);
                fired.for_each(|alert| alert.on = false);
            }
            Change::AlertsUnchecked(periods) => drop(UncheckedPeriod::add(&mut self.unchecked, periods)),
            Change::AlertsSeen(seen) => {
                self.alert_events.iter_mut().filter(|event| seen.has(event)).for_each(|event| event.seen = true);
                seen.retain_unseen(&mut self.unchecked);
            }
            Change::Session(session) => self.session = session.clone(),
            Change::Source(change) => self.sources.apply(change),
            Change::Shown(notice) => drop(self.notices.insert(*notice)),
            Change::PostsRead(ids) => read_posts::add(&mut self.read_posts, ids),
            Change::PutNote(note) => note::put(&mut self.notes, note),
            Change::RemoveNote(note) => self.notes.retain(|known| !known.is_at(note)),
        }
    }
}

/// The index of a new row: rows are in the order of their IDs, and those with temporary ones come last.
fn place_of(id: i64, known: impl Iterator<Item = i64>) -> usize {
    known.take_while(|known| id <= 0 || (1..id).contains(known)).count()
}
