//! Undoes changes to the data as it is now: another process, or a check of the alerts, may have changed it since.

use std::borrow::Cow;

use super::{Alert, AlertId, AlertState, Change, Edit, Lot, LotId, UserData};

impl UserData {
    /// Whether the result of a change is still in place. New lots and alerts may have got their IDs since, as long as
    /// the change has their temporary ID.
    pub fn has_result_of(&self, made: &Change) -> bool {
        let is_same_alert = |known: &Alert, alert: &Alert| {
            let settings = |alert: &Alert| (alert.once, alert.bell, alert.notify);
            known.has_same_on_state(alert) && known.rule == alert.rule && settings(known) == settings(alert)
        };
        match made {
            Change::Watch(coin) => self.watchlist.added.iter().any(|known| known.is_same(coin)),
            Change::Unwatch(coin) => !self.watchlist.added.iter().any(|known| known.is_same(coin)),
            Change::RemoveAlert(alert) => !self.alerts.iter().any(|known| known.rule.is_same(&alert.rule)),
            Change::AddLot(lot) => {
                let is_same = |known: &Lot| Lot { id: lot.id, ..known.clone() } == **lot;
                // Another lot may be the same.
                let mut own = self.lots.iter().filter(|known| known.id == lot.id || lot.id <= LotId::default());
                own.any(is_same)
            }
            Change::EditLot(edit) => match self.lots.iter().find(|known| known.id == edit.after.id) {
                Some(known) => edit.is_in(known),
                None => {
                    let is_same = |known: &Lot| Lot { id: edit.after.id, ..known.clone() } == edit.after;
                    edit.after.id < LotId::default() && self.lots.iter().any(is_same)
                }
            },
            Change::PutAddress(entry) | Change::LabelAddress(entry) => {
                self.addresses.iter().any(|known| (&known.address, &known.label) == (&entry.address, &entry.label))
            }
            Change::RemoveAddress(entry) => !self.addresses.iter().any(|known| known.address == entry.address),
            Change::AddAlert(alert) => {
                let has_assigned_id = alert.id > AlertId::default();
                let mut own = self.alerts.iter().filter(|known| known.id == alert.id || !has_assigned_id);
                own.any(|known| is_same_alert(known, alert))
            }
            Change::EditAlert(edit) => {
                let alert = &edit.after;
                let mut own = self.alerts.iter().filter(|known| known.id == alert.id || alert.id < AlertId::default());
                own.any(|known| is_same_alert(known, alert))
            }
            Change::AlertSignals { id, bell, notify } => match self.alerts.iter().find(|known| known.id == *id) {
                Some(known) => (known.bell, known.notify) == (*bell, *notify),
                None => *id < AlertId::default(),
            },
            Change::PutNote(note) => self.notes.contains(note),
            Change::RemoveNote(note) => !self.notes.iter().any(|known| known.is_at(note)),
            Change::Rewatch { .. }
            | Change::RemoveLot(_)
            | Change::RestoreAddress { .. }
            | Change::BalancesChanged(_)
            | Change::RestoreAlert(..)
            | Change::AlertsChecked(_)
            | Change::AlertFired(..)
            | Change::AlertsSeen(_)
            | Change::AlertsUnchecked(_)
            | Change::Session(_)
            | Change::Source(_)
            | Change::Shown(_)
            | Change::PostsRead(_)
            | Change::Undo { .. } => true,
        }
    }

    /// The inverse of a change, with a state of the alert that fits what has happened to it since.
    pub fn fitting_inverse<'a>(&self, made: &Change, back: &'a Change) -> Cow<'a, Change> {
        match (made, back) {
            (Change::EditAlert(made), Change::EditAlert(back)) => {
                let Edit { before, after } = &**back;
                let known = self.alerts.iter().find(|known| known.id == after.id).unwrap_or(before);
                let before = Alert { state: known.state.clone(), ..before.clone() };
                let after = Alert { state: restored_state(after, &made.after, known), ..after.clone() };
                Cow::Owned(Change::EditAlert(Box::new(Edit { before, after })))
            }
            _ => Cow::Borrowed(back),
        }
    }
}

/// The state of an alert whose edit is undone: `before` the edit, as `made` by it, and as `known` now.
fn restored_state(before: &Alert, made: &Alert, known: &Alert) -> AlertState {
    let has_other_rule = made.rule != before.rule || made.state.is_simulated() != before.state.is_simulated();
    let checks = |alert: &Alert| (alert.state.revision, alert.state.fired);
    let is_as_made = checks(known) == checks(made) && known.state.armed != Some(true);
    let state = match (made.on && known.on, is_as_made) {
        _ if !before.on => before.state.clone(),
        // The old state doesn't cover the time when the alert was off or had another rule.
        (false, _) => before.state.restarted(true),
        _ if has_other_rule => before.state.restarted(true),
        // The edit may have hidden a crossing, which the old state finds.
        (true, true) => before.state.clone(),
        // The old state would fire again for the same value.
        (true, false) => known.state.clone(),
    };
    AlertState { revision: known.state.revision.max(made.state.revision).saturating_add(1), ..state }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::parse::parse;
    use crate::alerts::values::Origin;
    use crate::alerts::{Tracked, Values};
    use crate::model::{Coin, CoinId, Currency, UtcTime};
    use crate::store::Database;
    use crate::user_data::Watched;
    use crate::user_data::alert::{Rule, ValueSource};

    fn rule(line: &str) -> Rule {
        let coin = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("1".into()) };
        parse(line).unwrap().rule(Some(coin), &Currency::usd()).unwrap()
    }

    fn edit(before: &Alert, after: &Alert) -> Change {
        Change::EditAlert(Box::new(Edit { before: before.clone(), after: after.clone() }))
    }

    fn undo(made: &Change) -> Change {
        let Change::EditAlert(edit) = made else { panic!("{made:?}") };
        let back = Box::new(Change::EditAlert(Box::new(edit.inverse())));
        Change::Undo { made: Box::new(made.clone()), back }
    }

    /// A checked alert that has fired twice before.
    fn alert() -> Alert {
        let state = AlertState {
            revision: 3,
            armed: Some(true),
            checked_at: Some(UtcTime::from_secs(5)),
            fired: 2,
            fired_at: Some(UtcTime::from_secs(4)),
            ..AlertState::unchecked(true)
        };
        Alert { id: AlertId(1), state, ..Alert::new(rule("ordi > 20"), false) }
    }

    #[test]
    fn alert_that_was_off_or_had_another_rule_is_restored_unchecked() {
        let alert = alert();
        let restored = |edited: Alert| {
            let made = edit(&alert, &Alert { state: edited.state.restarted(true), ..edited });
            let mut data = UserData { alerts: vec![alert.clone()], ..UserData::default() };
            data.apply(&made);
            data.apply(&undo(&made));
            let back = data.alerts.remove(0);
            assert_eq!((&back.rule, back.on, back.once), (&alert.rule, true, false));
            back.state
        };
        let restarted = AlertState { revision: 5, ..alert.state.restarted(true) };
        assert_eq!(restored(Alert { on: false, ..alert.clone() }), restarted);
        assert_eq!(restored(Alert { rule: rule("ordi > 30"), ..alert.clone() }), restarted);
        assert_eq!(restored(Alert { once: true, ..alert.clone() }), AlertState { revision: 5, ..alert.state.clone() });
        assert!(restarted.checked_at.is_none() && restarted.fired == 2 && restarted.is_simulated());
    }

    /// Evaluates a price of ORDI a number of seconds ago, and saves the firings. Returns how many there are.
    fn fires(price: f64, secs: i64, data: &mut UserData, database: &mut Database) -> usize {
        let coin = Coin { price: Some(price), ..Coin::new(CoinId("1".into()), "ORDI".into(), "ORDI".into()) };
        let mut values = Values::default();
        values.add_coins(
            std::iter::once(&coin),
            Origin { at: UtcTime::from_secs(secs), source: ValueSource::parse("a") },
        );
        values.sort();
        let mut changes = Vec::new();
        let mut tracked: Vec<Tracked> = data.alerts.iter().cloned().map(Tracked::new).collect();
        crate::alerts::check::check(&mut tracked, &values, &mut changes);
        database.save(&changes).unwrap();
        changes.iter().for_each(|change| data.apply(change));
        changes.iter().filter(|change| matches!(change, Change::AlertFired(..))).count()
    }

    #[test]
    fn undone_edit_of_an_alert_that_has_fired_since_does_not_fire_again() {
        for (before, after) in [(false, true), (true, false)] {
            let directory = tempfile::tempdir().unwrap();
            let mut database = Database::open(directory.path()).unwrap();
            let new = Alert { once: before, ..Alert::new(rule("ordi > 10"), false) };
            database.save(&[Change::AddAlert(Box::new(new))]).unwrap();
            let mut data = database.load().unwrap();
            assert_eq!(fires(9.0, 0, &mut data, &mut database), 0);
            let old = data.alerts[0].clone();
            let made = edit(&old, &Alert { once: after, state: old.state.restarted(false), ..old.clone() });
            let save = |change: &Change, data: &mut UserData, database: &mut Database| {
                database.save(std::slice::from_ref(change)).unwrap();
                data.apply(change);
            };
            save(&made, &mut data, &mut database);
            assert_eq!(fires(9.0, 30, &mut data, &mut database), 0);
            assert_eq!(fires(11.0, 60, &mut data, &mut database), 1);
            save(&undo(&made), &mut data, &mut database);
            assert_eq!(database.load().unwrap().alerts, data.alerts);
            assert_eq!((data.alerts[0].on, data.alerts[0].once), (true, before));
            let later = [(11.0, 60), (11.0, 61), (11.5, 90), (9.0, 120), (11.0, 150)];
            let fired = later.map(|(price, secs)| fires(price, secs, &mut data, &mut database));
            assert_eq!(fired, [0, 0, 0, 0, 1], "once: {before}");
            let numbers: Vec<u32> = database.load().unwrap().alert_events.iter().map(|event| event.number).collect();
            assert_eq!(numbers, [1, 2]);
        }
    }

    #[test]
    fn firing_after_an_undone_edit_has_a_new_number() {
        let known = alert();
        let mut data = UserData { alerts: vec![known.clone()], ..UserData::default() };
        let after = Alert { rule: rule("ordi > 30"), state: known.state.restarted(true), ..known.clone() };
        let made = edit(&known, &after);
        data.apply(&made);
        data.alerts[0].state.fired = 3;
        data.apply(&undo(&made));
        assert_eq!((&data.alerts[0].rule, data.alerts[0].state.fired), (&known.rule, 3));
    }

    #[test]
    fn alert_that_another_process_turned_off_stays_off_after_an_undo() {
        let known = alert();
        let made = edit(&known, &Alert { once: true, state: known.state.restarted(true), ..known.clone() });
        let mut data = UserData { alerts: vec![known], ..UserData::default() };
        data.apply(&made);
        let edited = data.alerts[0].clone();
        data.alerts[0].on = false;
        let off = data.clone();
        assert!(!data.has_result_of(&made));
        data.apply(&undo(&made));
        assert_eq!(data, off);
        // Off because it has fired.
        data.alerts[0].state.fired = edited.state.fired + 1;
        assert!(data.has_result_of(&made));
    }

    #[test]
    fn lot_or_alert_with_an_assigned_id_is_not_mistaken_for_an_equal_one() {
        let lot = |id| Lot { id: LotId(id), ..Lot::bought(Watched::by_symbol("ORDI"), "1".parse().unwrap()) };
        let alert = |id| Alert { id: AlertId(id), ..alert() };
        let data = UserData { lots: vec![lot(3)], alerts: vec![alert(3)], ..UserData::default() };
        for (id, expected) in [(3, true), (6, false), (-1, true)] {
            assert_eq!(data.has_result_of(&Change::AddLot(Box::new(lot(id)))), expected, "{id}");
            assert_eq!(data.has_result_of(&Change::AddAlert(Box::new(alert(id)))), expected, "{id}");
        }
    }
}
