//! The IDs of new lots and alerts.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::Hash;

use super::{Alert, AlertId, Change, Edit, Lot, LotId, UncheckedPeriod, UserData};

/// The IDs that the store has assigned to new lots and alerts, by their temporary ones.
#[derive(Clone, Debug, Default)]
pub struct AssignedIds {
    lots: HashMap<LotId, LotId>,
    alerts: HashMap<AlertId, AlertId>,
}

impl AssignedIds {
    /// The IDs that were not among `earlier` ones.
    pub(crate) fn since(&self, earlier: &AssignedIds) -> AssignedIds {
        AssignedIds { lots: new_entries(&self.lots, &earlier.lots), alerts: new_entries(&self.alerts, &earlier.alerts) }
    }

    /// Whether no ID is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.lots.is_empty() && self.alerts.is_empty()
    }

    /// The assigned ID of a lot, or the same one.
    pub(crate) fn lot(&self, id: LotId) -> LotId {
        *self.lots.get(&id).unwrap_or(&id)
    }

    /// The assigned ID of an alert, or the same one.
    pub(crate) fn alert(&self, id: AlertId) -> AlertId {
        *self.alerts.get(&id).unwrap_or(&id)
    }

    /// Forgets the temporary ID of a new lot or alert, which an earlier one had.
    pub(crate) fn forget(&mut self, change: &Change) {
        match change {
            Change::AddLot(lot) => drop(self.lots.remove(&lot.id)),
            Change::AddAlert(alert) | Change::RestoreAlert(alert, _) => drop(self.alerts.remove(&alert.id)),
            _ => {}
        }
    }

    /// Records that a change was saved: the lot or alert added under a temporary ID has the ID `assigned`. Returns
    /// whether it has added one.
    pub fn add(&mut self, change: &Change, assigned: i64) -> bool {
        match change {
            Change::AddLot(lot) if lot.id < LotId::default() => {
                self.lots.insert(lot.id, LotId(assigned));
                true
            }
            Change::AddAlert(alert) | Change::RestoreAlert(alert, _) if alert.id < AlertId::default() => {
                self.alerts.insert(alert.id, AlertId(assigned));
                true
            }
            _ => false,
        }
    }

    /// Replaces the temporary IDs of lots and alerts in the user data.
    pub(crate) fn apply_to(&self, data: &mut UserData) {
        data.lots.iter_mut().for_each(|lot| lot.id = self.lot(lot.id));
        data.alerts.iter_mut().for_each(|alert| alert.id = self.alert(alert.id));
        data.alert_events.iter_mut().for_each(|event| event.alert = self.alert(event.alert));
        self.apply_to_periods(&mut data.unchecked);
    }

    /// Replaces the temporary IDs of alerts in unchecked periods.
    pub(crate) fn apply_to_periods(&self, periods: &mut [UncheckedPeriod]) {
        periods.iter_mut().for_each(|period| period.alert = self.alert(period.alert));
    }

    /// Whether an unchecked period has a temporary ID of an alert.
    fn has_any(&self, periods: &[UncheckedPeriod]) -> bool {
        periods.iter().any(|period| self.alerts.contains_key(&period.alert))
    }

    /// The change like [`AssignedIds::with_assigned_id`], for a change that was made before. If it added a lot or an
    /// alert, it gets the ID of that lot or alert.
    pub(crate) fn with_own_id<'a>(&self, made: &'a Change) -> Cow<'a, Change> {
        match made {
            Change::AddLot(lot) => {
                Cow::Owned(Change::AddLot(Box::new(Lot { id: self.lot(lot.id), ..(**lot).clone() })))
            }
            Change::AddAlert(alert) => {
                Cow::Owned(Change::AddAlert(Box::new(Alert { id: self.alert(alert.id), ..(**alert).clone() })))
            }
            made => self.with_assigned_id(made),
        }
    }

    /// Replaces the temporary ID in a change of a lot or an alert with the assigned one.
    pub(crate) fn with_assigned_id<'a>(&self, change: &'a Change) -> Cow<'a, Change> {
        let lot = |lot: &Lot| Some(Box::new(Lot { id: *self.lots.get(&lot.id)?, ..lot.clone() }));
        let alert = |alert: &Alert| Some(Box::new(Alert { id: *self.alerts.get(&alert.id)?, ..alert.clone() }));
        let assigned = match change {
            Change::EditLot(edit) => edited(edit, lot).map(Change::EditLot),
            Change::RemoveLot(removed) => lot(removed).map(Change::RemoveLot),
            Change::EditAlert(edit) => edited(edit, alert).map(Change::EditAlert),
            Change::RemoveAlert(removed) => alert(removed).map(Change::RemoveAlert),
            Change::Undo { made, back } => {
                let made = self.with_own_id(made).into_owned();
                let back = self.with_assigned_id(back).into_owned();
                Some(Change::Undo { made: Box::new(made), back: Box::new(back) })
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
            Change::AlertsSeen(seen)
                if seen.firings.iter().any(|(id, _)| self.alerts.contains_key(id)) || self.has_any(&seen.unchecked) =>
            {
                let mut seen = seen.clone();
                seen.firings.iter_mut().for_each(|(id, _)| *id = self.alert(*id));
                self.apply_to_periods(&mut seen.unchecked);
                Some(Change::AlertsSeen(seen))
            }
            Change::AlertsUnchecked(periods) if self.has_any(periods) => {
                let mut periods = periods.clone();
                self.apply_to_periods(&mut periods);
                Some(Change::AlertsUnchecked(periods))
            }
            Change::AlertFired(event, state) => self.alerts.get(&event.alert).map(|id| {
                let mut event = event.clone();
                event.alert = *id;
                Change::AlertFired(event, state.clone())
            }),
            _ => None,
        };
        assigned.map_or(Cow::Borrowed(change), Cow::Owned)
    }
}

/// The entries that were not among `earlier` ones.
fn new_entries<I: Copy + Eq + Hash>(all: &HashMap<I, I>, earlier: &HashMap<I, I>) -> HashMap<I, I> {
    all.iter()
        .filter(|&(id, assigned)| earlier.get(id) != Some(assigned))
        .map(|(id, assigned)| (*id, *assigned))
        .collect()
}

/// An edit with both sides under another ID.
fn edited<T>(edit: &Edit<T>, assigned: impl Fn(&T) -> Option<Box<T>>) -> Option<Box<Edit<T>>> {
    Some(Box::new(Edit { before: *assigned(&edit.before)?, after: *assigned(&edit.after)? }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UtcTime;
    use crate::user_data::SeenAlerts;

    #[test]
    fn unchecked_periods_follow_their_alerts() {
        let rule = crate::alerts::parse::parse("fees > 5").unwrap().rule(None, &crate::model::Currency::usd()).unwrap();
        let mut ids = AssignedIds::default();
        ids.add(&Change::AddAlert(Box::new(Alert { id: AlertId(-1), ..Alert::new(rule, false) })), 5);
        let period = |id| UncheckedPeriod {
            alert: AlertId(id),
            subject: "Fees".into(),
            from: UtcTime::from_secs(1),
            until: UtcTime::from_secs(2),
            reason: "no data".into(),
        };
        let seen = |id| {
            let (firings, unchecked) = (Vec::new(), vec![period(id), period(2)]);
            Change::AlertsSeen(Box::new(SeenAlerts { firings, unchecked }))
        };
        assert_eq!(*ids.with_assigned_id(&seen(-1)), seen(5));
        let unchecked = |id| Change::AlertsUnchecked(vec![period(2), period(id)]);
        assert_eq!(*ids.with_assigned_id(&unchecked(-1)), unchecked(5));
        assert!(matches!(ids.with_assigned_id(&unchecked(3)), Cow::Borrowed(_)));
    }
}
