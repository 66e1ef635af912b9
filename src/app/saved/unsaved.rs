//! The user data as the state sees it.
//!
//! The state shows a change at once and requests that it is saved ([`crate::app::Effect::Save`]). Until the store confirms
//! it by its number, the change is applied to all loaded data, so that a late load never undoes a newer key press.

use std::borrow::Cow;

use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{self, Change, UserData};

/// The loaded user data, and the changes that are not saved yet.
#[derive(Debug, Default)]
pub struct Unsaved {
    loaded: UserData,
    changes: Vec<(u64, Change)>,
    last: u64,
}

impl Unsaved {
    /// Adds a change and returns its number, by which the store confirms it.
    pub fn push(&mut self, change: Change) -> u64 {
        self.last += 1;
        user_data::queue(&mut self.changes, self.last, change);
        self.last
    }

    /// Applies a change that the store has confirmed.
    pub fn confirm(&mut self, number: u64) {
        if let Some(change) = self.remove(number) {
            self.loaded.apply(&change);
        }
    }

    /// Removes an edit that the store rejected because its subject is gone. Removes later edits of the subject and the
    /// subject, too, and returns the edits, oldest first.
    pub fn take_back(&mut self, number: u64) -> Vec<Change> {
        let Some(place) = self.changes.iter().position(|(own, _)| *own == number) else { return Vec::new() };
        let mut edits: Vec<Change> = Vec::new();
        for (number, change) in self.changes.split_off(place) {
            match edits.first() {
                Some(first) if !change.edits_same(first) => self.changes.push((number, change)),
                _ => edits.push(change),
            }
        }
        edits.first().and_then(Change::removal).iter().for_each(|removal| self.loaded.apply(removal));
        edits
    }

    fn remove(&mut self, number: u64) -> Option<Change> {
        let place = self.changes.iter().position(|(own, _)| *own == number)?;
        Some(self.changes.remove(place).1)
    }

    /// The number of the last change, unless that is saved.
    pub fn last_unsaved(&self) -> Option<u64> {
        self.changes.iter().map(|(number, _)| *number).find(|number| *number == self.last)
    }

    /// Replaces the loaded data.
    pub fn replace_loaded(&mut self, data: UserData) {
        self.loaded = data;
    }

    /// Replaces temporary IDs of lots and alerts with those that the store has assigned, in unsaved changes, too.
    /// Returns the IDs without those whose temporary ID an unsaved lot or alert has got since.
    pub(crate) fn assign_ids(&mut self, mut ids: AssignedIds) -> AssignedIds {
        ids.apply_to(&mut self.loaded);
        for (_, change) in &mut self.changes {
            let assigned = ids.with_assigned_id(change).into_owned();
            *change = assigned;
            ids.forget(change);
        }
        ids
    }

    /// The numbers of the changes by the user.
    pub fn by_user(&self) -> impl Iterator<Item = u64> {
        self.changes.iter().filter(|(_, change)| change.is_by_user()).map(|(number, _)| *number)
    }

    /// Whether all changes are saved.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The user data with all unsaved changes; a copy only if there are any.
    pub fn current(&self) -> Cow<'_, UserData> {
        if self.changes.is_empty() {
            return Cow::Borrowed(&self.loaded);
        }
        let mut data = self.loaded.clone();
        self.changes.iter().for_each(|(_, change)| data.apply(change));
        Cow::Owned(data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::UtcTime;
    use crate::user_data::{AlertId, Edit, Lot, LotId, SeenAlerts, UncheckedPeriod, Watched};

    fn coin(symbol: &str) -> Watched {
        Watched::by_symbol(symbol)
    }

    fn watched(unsaved: &Unsaved) -> Vec<String> {
        unsaved.current().watchlist.added.iter().map(|coin| coin.symbol.to_string()).collect()
    }

    #[test]
    fn late_load_keeps_newer_changes() {
        let mut unsaved = Unsaved::default();
        let first = unsaved.push(Change::Watch(coin("ORDI")));
        let second = unsaved.push(Change::Unwatch(coin("ORDI")));
        unsaved.confirm(first);
        let mut data = UserData::default();
        data.apply(&Change::Watch(coin("ORDI")));
        data.apply(&Change::Watch(coin("SATS")));
        unsaved.replace_loaded(data);
        assert_eq!(watched(&unsaved), ["SATS"]);
        unsaved.confirm(second);
        assert!(unsaved.is_empty());
        assert_eq!(watched(&unsaved), ["SATS"]);
    }

    #[test]
    fn later_change_replaces_an_unsaved_one() {
        let mut unsaved = Unsaved::default();
        for _ in 0..1_000 {
            unsaved.push(Change::Watch(coin("ORDI")));
            unsaved.push(Change::Unwatch(coin("ORDI")));
            unsaved.push(Change::Watch(coin("SATS")));
        }
        assert_eq!((unsaved.changes.len(), watched(&unsaved)), (2, vec![String::from("SATS")]));
        // Late confirmations of replaced changes.
        unsaved.confirm(1);
        unsaved.confirm(2_999);
        unsaved.confirm(3_000);
        assert!(unsaved.is_empty());
        assert_eq!(watched(&unsaved), ["SATS"]);
    }

    #[test]
    fn unchecked_periods_are_joined_until_they_are_saved() {
        let period = |number: i64| UncheckedPeriod {
            alert: AlertId(1),
            subject: "ORDI".into(),
            from: UtcTime::from_secs(number),
            until: UtcTime::from_secs(number + 1),
            reason: "no data".into(),
        };
        let mut unsaved = Unsaved::default();
        for number in 0..1_000 {
            unsaved.push(Change::AlertsUnchecked(vec![period(number)]));
        }
        let newest: Vec<UncheckedPeriod> = (980..1_000).map(period).collect();
        assert_eq!((unsaved.changes.len(), &unsaved.current().unchecked), (1, &newest));
        // Seen items don't reappear.
        for number in 1_000..1_010 {
            let seen = SeenAlerts { firings: Vec::new(), unchecked: unsaved.current().unchecked.clone() };
            unsaved.push(Change::AlertsSeen(Box::new(seen)));
            assert_eq!((unsaved.changes.len(), unsaved.current().unchecked.len()), (1, 0));
            unsaved.push(Change::AlertsUnchecked(vec![period(number)]));
            assert_eq!((unsaved.changes.len(), unsaved.current().unchecked.clone()), (2, vec![period(number)]));
        }
    }

    #[test]
    fn unsaved_changes_survive_a_load() {
        let mut unsaved = Unsaved::default();
        unsaved.push(Change::Watch(coin("ORDI")));
        unsaved.replace_loaded(UserData::default());
        assert_eq!(watched(&unsaved), ["ORDI"]);
        assert!(!unsaved.is_empty());
    }

    fn lot(id: i64, amount: &str) -> Lot {
        Lot { id: LotId(id), ..Lot::bought(coin("ORDI"), amount.parse().unwrap()) }
    }

    /// An edit of a lot of ORDI.
    fn edited(before: &Lot, after: &Lot) -> Change {
        Change::EditLot(Box::new(Edit { before: before.clone(), after: after.clone() }))
    }

    fn add(id: i64, amount: &str) -> Change {
        Change::AddLot(Box::new(lot(id, amount)))
    }

    /// The IDs that the store has assigned to lots.
    fn assigned(all: &[(i64, i64)]) -> AssignedIds {
        let mut ids = AssignedIds::default();
        for (id, assigned) in all {
            ids.add(&add(*id, "1"), *assigned);
        }
        ids
    }

    #[test]
    fn unsaved_edits_of_new_lots_get_the_ids_of_the_store() {
        let mut unsaved = Unsaved::default();
        let added = [-1, -2].map(|id| unsaved.push(add(id, "1")));
        let edits = [(-1, "5"), (-2, "7")].map(|(id, amount)| unsaved.push(edited(&lot(id, "1"), &lot(id, amount))));
        added.into_iter().for_each(|number| unsaved.confirm(number));
        let with = |first: &str, second: &str| UserData {
            // Another process has added equal lots before and after.
            lots: vec![lot(2, "1"), lot(3, first), lot(4, second), lot(5, "1")],
            ..UserData::default()
        };
        let ids = unsaved.assign_ids(assigned(&[(-1, 3), (-2, 4)]));
        assert_eq!([-1, -2].map(|id| ids.lot(LotId(id))), [LotId(3), LotId(4)]);
        assert_eq!(unsaved.current().lots, [lot(3, "5"), lot(4, "7")]);
        unsaved.replace_loaded(with("1", "1"));
        assert_eq!(*unsaved.current(), with("5", "7"));
        // Another process has edited one.
        unsaved.replace_loaded(with("9", "1"));
        assert_eq!(*unsaved.current(), with("5", "7"));
        edits.into_iter().for_each(|number| unsaved.confirm(number));
        assert!(unsaved.is_empty() && *unsaved.current() == with("5", "7"));
        unsaved.replace_loaded(with("5", "7"));
        assert_eq!(*unsaved.current(), with("5", "7"));
    }

    #[test]
    fn new_lot_keeps_a_temporary_id_that_a_removed_one_had() {
        let mut unsaved = Unsaved::default();
        let added = unsaved.push(add(-1, "1"));
        unsaved.confirm(added);
        unsaved.push(Change::RemoveLot(Box::new(lot(-1, "1"))));
        unsaved.push(add(-1, "3"));
        unsaved.push(edited(&lot(-1, "3"), &lot(-1, "4")));
        let ids = unsaved.assign_ids(assigned(&[(-1, 2)]));
        assert_eq!(ids.lot(LotId(-1)), LotId(-1));
        unsaved.replace_loaded(UserData { lots: vec![lot(2, "1")], ..UserData::default() });
        assert_eq!(unsaved.current().lots, [lot(-1, "4")]);
    }

    #[test]
    fn later_edits_of_a_removed_lot_are_taken_back_with_the_first() {
        let mut unsaved = Unsaved::default();
        unsaved.replace_loaded(UserData { lots: vec![lot(1, "1"), lot(2, "1")], ..UserData::default() });
        let edits = [("1", "5"), ("5", "7")].map(|(before, after)| edited(&lot(1, before), &lot(1, after)));
        let other = edited(&lot(2, "1"), &lot(2, "9"));
        let [first, _, last] = [&edits[0], &other, &edits[1]].map(|change| unsaved.push(change.clone()));
        assert_eq!(unsaved.take_back(first), edits);
        assert_eq!(unsaved.take_back(last), []);
        assert_eq!((unsaved.changes.len(), unsaved.current().lots.clone()), (1, vec![lot(2, "9")]));
    }

    #[test]
    fn edit_after_an_unsaved_one_keeps_its_result_when_the_first_is_saved_and_loaded() {
        let lot = |amount: &str| lot(1, amount);
        let noted = Lot { note: Some("n".into()), ..lot("20") };
        let undo = Change::Undo {
            made: Box::new(edited(&lot("13"), &lot("20"))),
            back: Box::new(edited(&lot("20"), &lot("13"))),
        };
        for first in [undo, edited(&lot("20"), &lot("13"))] {
            let data = |amount| UserData { lots: vec![lot(amount)], ..UserData::default() };
            let mut unsaved = Unsaved::default();
            unsaved.replace_loaded(data("20"));
            let first = unsaved.push(first);
            let second = unsaved.push(edited(&lot("13"), &noted));
            let is_noted = |unsaved: &Unsaved| unsaved.current().lots == [noted.clone()];
            assert!(is_noted(&unsaved));
            // The store saves the first one before it knows of the second.
            unsaved.confirm(first);
            unsaved.replace_loaded(data("13"));
            assert!(is_noted(&unsaved), "{:?}", unsaved.current().lots);
            unsaved.confirm(second);
            assert!(is_noted(&unsaved) && unsaved.is_empty(), "{:?}", unsaved.current().lots);
        }
    }
}
