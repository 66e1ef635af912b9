//! The numbers of new lots and alerts.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use super::{Alert, AlertId, Change, Edit, Lot, LotId, UserData};

/// The numbers that the store gave to new lots and alerts, by their temporary ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct AssignedIds {
    lots: HashMap<LotId, LotId>,
    alerts: HashMap<AlertId, AlertId>,
}

impl AssignedIds {
    /// The numbers of the lots and alerts that had temporary ones `before`, as found in newly loaded data. Those that
    /// are not found keep their temporary ones.
    pub(crate) fn between(before: &UserData, now: &UserData) -> AssignedIds {
        let is_same_lot = |own: &Lot, new: &Lot| Lot { id: own.id, ..new.clone() } == *own;
        // The state of an alert changes with each check.
        let is_same_alert = |own: &Alert, new: &Alert| own.rule == new.rule;
        AssignedIds {
            lots: assigned(&before.lots, &now.lots, |lot| lot.id, is_same_lot),
            alerts: assigned(&before.alerts, &now.alerts, |alert| alert.id, is_same_alert),
        }
    }

    /// Whether no number is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.lots.is_empty() && self.alerts.is_empty()
    }

    /// The assigned number of a lot, or the same one.
    pub(crate) fn lot(&self, id: LotId) -> LotId {
        *self.lots.get(&id).unwrap_or(&id)
    }

    /// The assigned number of an alert, or the same one.
    pub(crate) fn alert(&self, id: AlertId) -> AlertId {
        *self.alerts.get(&id).unwrap_or(&id)
    }

    /// Forgets the temporary number of a new lot or alert, which an earlier one had.
    pub(crate) fn forget(&mut self, change: &Change) {
        match change {
            Change::AddLot(lot) => drop(self.lots.remove(&lot.id)),
            Change::AddAlert(alert) => drop(self.alerts.remove(&alert.id)),
            _ => {}
        }
    }

    /// Records that a change was saved: the lot or alert added under a temporary number has the number `assigned`.
    pub(crate) fn add(&mut self, change: &Change, assigned: i64) {
        match change {
            Change::AddLot(lot) if lot.id < LotId::default() => drop(self.lots.insert(lot.id, LotId(assigned))),
            Change::AddAlert(alert) | Change::RestoreAlert(alert, _) if alert.id < AlertId::default() => {
                self.alerts.insert(alert.id, AlertId(assigned));
            }
            _ => {}
        }
    }

    /// Replaces the temporary number in a change of a lot or an alert with the assigned one.
    pub(crate) fn with_assigned_id<'a>(&self, change: &'a Change) -> Cow<'a, Change> {
        let lot = |lot: &Lot| Some(Box::new(Lot { id: *self.lots.get(&lot.id)?, ..lot.clone() }));
        let alert = |alert: &Alert| Some(Box::new(Alert { id: *self.alerts.get(&alert.id)?, ..alert.clone() }));
        let renumbered = match change {
            Change::EditLot(edit) => edited(edit, lot).map(Change::EditLot),
            Change::RemoveLot(removed) => lot(removed).map(Change::RemoveLot),
            Change::EditAlert(edit) => edited(edit, alert).map(Change::EditAlert),
            Change::RemoveAlert(removed) => alert(removed).map(Change::RemoveAlert),
            Change::Undo { made, back } => {
                let own = |change: &Change| Box::new(self.with_assigned_id(change).into_owned());
                Some(Change::Undo { made: own(made), back: own(back) })
            }
            Change::AlertSignals { id, bell, notify } => {
                let (bell, notify) = (*bell, *notify);
                self.alerts.get(id).map(|id| Change::AlertSignals { id: *id, bell, notify })
            }
            Change::RestoreAlert(removed, events) => {
                alert(removed).map(|alert| Change::RestoreAlert(alert, events.clone()))
            }
            Change::AlertsChecked(states) if states.iter().any(|(id, _)| self.alerts.contains_key(id)) => {
                let states = states.iter().map(|(id, state)| (*self.alerts.get(id).unwrap_or(id), state.clone()));
                Some(Change::AlertsChecked(states.collect()))
            }
            Change::AlertsSeen(seen) if seen.firings.iter().any(|(id, _)| self.alerts.contains_key(id)) => {
                let mut seen = seen.clone();
                seen.firings.iter_mut().for_each(|(id, _)| *id = *self.alerts.get(id).unwrap_or(id));
                Some(Change::AlertsSeen(seen))
            }
            Change::AlertFired(event, state) => self.alerts.get(&event.alert).map(|id| {
                let mut event = event.clone();
                event.alert = *id;
                Change::AlertFired(event, state.clone())
            }),
            _ => None,
        };
        renumbered.map_or(Cow::Borrowed(change), Cow::Owned)
    }
}

/// The numbers of rows that had temporary ones `before`. Equal rows were added in the same order.
fn assigned<T, I: Copy + Ord + Default + Hash>(
    before: &[T],
    now: &[T],
    id: impl Fn(&T) -> I,
    is_same: impl Fn(&T, &T) -> bool,
) -> HashMap<I, I> {
    let mut found = HashMap::new();
    if before.iter().all(|row| id(row) >= I::default()) {
        return found;
    }
    let known: HashSet<I> = before.iter().map(&id).collect();
    let mut new: Vec<&T> = now.iter().filter(|row| !known.contains(&id(row))).collect();
    for row in before.iter().rev().filter(|row| id(row) < I::default()) {
        if let Some(place) = new.iter().rposition(|new| is_same(row, new)) {
            found.insert(id(row), id(new.remove(place)));
        }
    }
    found
}

/// Both sides of an edit under another number.
fn edited<T>(edit: &Edit<T>, renumbered: impl Fn(&T) -> Option<Box<T>>) -> Option<Box<Edit<T>>> {
    Some(Box::new(Edit { before: *renumbered(&edit.before)?, after: *renumbered(&edit.after)? }))
}
