//! The numbers of new lots and alerts.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::user_data::{Alert, AlertId, Change, Edit, Lot, LotId};

/// The numbers that the store gave to new lots and alerts, by their temporary ones.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct AssignedIds {
    lots: HashMap<LotId, LotId>,
    alerts: HashMap<AlertId, AlertId>,
}

impl AssignedIds {
    /// Records that a change was saved: the lot or alert added under a temporary number has the number `assigned`.
    pub(in crate::store) fn add(&mut self, change: &Change, assigned: i64) {
        match change {
            Change::AddLot(lot) if lot.id < LotId::default() => drop(self.lots.insert(lot.id, LotId(assigned))),
            Change::AddAlert(alert) | Change::RestoreAlert(alert, _) if alert.id < AlertId::default() => {
                self.alerts.insert(alert.id, AlertId(assigned));
            }
            _ => {}
        }
    }

    /// Replaces the temporary number in a change of a lot or an alert with the assigned one.
    pub(in crate::store) fn with_assigned_id<'a>(&self, change: &'a Change) -> Cow<'a, Change> {
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

/// Both sides of an edit under another number.
fn edited<T>(edit: &Edit<T>, renumbered: impl Fn(&T) -> Option<Box<T>>) -> Option<Box<Edit<T>>> {
    Some(Box::new(Edit { before: *renumbered(&edit.before)?, after: *renumbered(&edit.after)? }))
}
