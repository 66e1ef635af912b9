//! Undoes the last changes to watchlist, wallet, alerts and notes, and the removal of coins from the comparison.

use std::collections::VecDeque;

use crate::app::screen::wallet::order::HoldingSort;
use crate::model::Text;
use crate::user_data::alert::Rule;
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{Alert, Change, Lot, LotId, UserData, Watched};

/// How many changes can be undone.
const MAX: usize = 10;

/// The inverses of the last changes, oldest first.
#[derive(Debug, Default)]
pub struct Undo(VecDeque<Inverse>);

/// What an undo does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoStep {
    /// A change of the user data.
    Change(Change),
    /// The former order of the holdings, and their keys in the manual order.
    Order(HoldingSort, Vec<Text>),
    /// A coin that was removed from the comparison, and its slot there.
    Compared(Watched, usize),
}

/// A change that undoes another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inverse {
    step: UndoStep,
    /// The change, if its result may change before it is undone.
    made: Option<Change>,
    /// The effect of the undo, for the user.
    done: Done,
}

/// The effect of an undo, for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// The effect in one sentence.
    Sentence(String),
    /// What happened to the alert of a rule: `Restored`.
    Alert(&'static str, Box<Rule>),
}

impl Undo {
    /// Remembers how to undo a change.
    pub fn push(&mut self, inverse: Inverse) {
        self.0.push_back(inverse);
        if self.0.len() > MAX {
            self.0.pop_front();
        }
    }

    /// Forgets a change that was not applied.
    pub fn forget(&mut self, change: &Change) {
        self.0.retain(|inverse| inverse.made.as_ref() != Some(change));
    }

    /// Replaces temporary IDs of lots and alerts with those that the store has assigned.
    pub(in crate::app) fn assign_ids(&mut self, ids: &AssignedIds) {
        if ids.is_empty() {
            return;
        }
        for Inverse { step, made, .. } in &mut self.0 {
            if let UndoStep::Change(change) = step {
                *change = ids.with_assigned_id(change).into_owned();
            }
            if let Some(made) = made {
                *made = ids.with_own_id(made).into_owned();
            }
        }
    }

    /// Remembers the order of the holdings before one was moved.
    pub fn push_order(&mut self, order: HoldingSort, manual_order: Vec<Text>) {
        let step = UndoStep::Order(order, manual_order);
        self.push(Inverse { step, made: None, done: Done::Sentence(String::from("Restored order")) });
    }

    /// Remembers a coin that was removed from this slot of the comparison.
    pub fn push_compared(&mut self, coin: Watched, slot: usize) {
        let done = Done::Sentence(format!("Restored {}", coin.symbol));
        self.push(Inverse { step: UndoStep::Compared(coin, slot), made: None, done });
    }

    /// Removes and returns the inverse of the last change; a sentence if its result has changed since. Its lot has the
    /// ID assigned by the store.
    pub fn pop(&mut self, data: &UserData) -> Option<Result<(UndoStep, Done), String>> {
        let Inverse { step, made, done } = self.0.pop_back()?;
        let UndoStep::Change(change) = step else { return Some(Ok((step, done))) };
        if let Some(made) = made.as_ref().filter(|made| !data.has_result_of(made)) {
            return Some(Err(made.not_undone()));
        }
        let change = match change {
            // Another instance may have taken the ID in the meantime.
            Change::RemoveLot(lot) => Change::RemoveLot(stored(&lot, data)),
            Change::RemoveAlert(alert) => {
                // The store may have assigned it an ID in the meantime.
                let same = |known: &&Alert| known.id == alert.id || (alert.id.0 <= 0 && known.rule == alert.rule);
                Change::RemoveAlert(Box::new(data.alerts.iter().rev().find(same).unwrap_or(&*alert).clone()))
            }
            change => change,
        };
        let change = match made {
            // The store may already have another process's changes.
            Some(made) => Change::Undo { made: Box::new(made), back: Box::new(change) },
            None => change,
        };
        Some(Ok((UndoStep::Change(change), done)))
    }

    /// Whether there is nothing to undo.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The lot as it is stored. Only one with a temporary ID is found by its content: another lot may be the same.
fn stored(lot: &Lot, data: &UserData) -> Box<Lot> {
    let same = |known: &&Lot| lot.id <= LotId::default() && Lot { id: lot.id, ..(*known).clone() } == *lot;
    let exact = data.lots.iter().find(|known| *known == lot);
    Box::new(exact.or_else(|| data.lots.iter().rev().find(same)).unwrap_or(lot).clone())
}

/// The inverse of `change`, to be applied to `data` after it; `None` if it can't be undone.
pub(in crate::app) fn inverse(change: &Change, data: &UserData) -> Option<Inverse> {
    let made = change;
    let about = |change: Change, words: &'static str, rule: &Rule| {
        let made = Some(made.clone());
        Some(Inverse { step: UndoStep::Change(change), made, done: Done::Alert(words, Box::new(rule.clone())) })
    };
    let (change, done) = match change {
        Change::Watch(coin) => (Change::Unwatch(coin.clone()), format!("Stopped watching {}", coin.symbol)),
        Change::Unwatch(coin) => {
            let mut added = data.watchlist.added.iter().skip_while(|known| !known.is_same(coin));
            let back = match added.nth(1) {
                Some(next) => Change::Rewatch { coin: coin.clone(), before: next.clone() },
                None => Change::Watch(coin.clone()),
            };
            (back, format!("Watching {} again", coin.symbol))
        }
        Change::AddLot(lot) => {
            let id = data.id_of_new(lot);
            let done = format!("Removed {} lot", lot.coin.symbol);
            (Change::RemoveLot(Box::new(Lot { id, ..(**lot).clone() })), done)
        }
        Change::EditLot(edit) => {
            (Change::EditLot(Box::new(edit.inverse())), format!("Restored {} lot", edit.before.coin.symbol))
        }
        Change::RemoveLot(lot) => (Change::AddLot(lot.clone()), format!("Restored {} lot", lot.coin.symbol)),
        Change::PutAddress(entry) => match data.addresses.iter().find(|known| known.address == entry.address) {
            Some(before) => (Change::PutAddress(before.clone()), format!("Restored the label of {}", entry.name())),
            None => (Change::RemoveAddress(entry.clone()), format!("Removed address {}", entry.name())),
        },
        Change::LabelAddress(entry) => {
            let before = data.addresses.iter().find(|known| known.address == entry.address)?;
            (Change::LabelAddress(before.clone()), format!("Restored the label of {}", entry.name()))
        }
        Change::RemoveAddress(entry) => {
            let balances = data.past_balances.iter().filter(|balance| balance.address == entry.address);
            let mut from = data.addresses.iter().skip_while(|known| known.address != entry.address);
            let before = from.nth(1).map(|next| next.address.clone());
            let back = Change::RestoreAddress { entry: entry.clone(), balances: balances.cloned().collect(), before };
            (back, format!("Restored address {}", entry.name()))
        }
        Change::EditAlert(edit) => {
            // The saved state may be older, but it follows from the edited alert's state.
            return about(Change::EditAlert(Box::new(edit.inverse())), "Restored", &edit.before.rule);
        }
        Change::AddAlert(alert) => return about(Change::RemoveAlert(alert.clone()), "Removed", &alert.rule),
        Change::RemoveAlert(alert) => {
            let events = data.alert_events.iter().filter(|event| event.alert == alert.id);
            let back = Change::RestoreAlert(alert.clone(), events.cloned().collect());
            return about(back, "Restored", &alert.rule);
        }
        Change::AlertSignals { id, .. } => {
            let before = data.alerts.iter().find(|known| known.id == *id)?;
            let back = Change::AlertSignals { id: *id, bell: before.bell, notify: before.notify };
            return about(back, "Restored", &before.rule);
        }
        Change::PutNote(note) => match data.notes.iter().find(|known| known.is_at(note)) {
            Some(before) => (Change::PutNote(before.clone()), String::from("Restored note")),
            None => (Change::RemoveNote(note.clone()), String::from("Removed note")),
        },
        Change::RemoveNote(note) => (Change::PutNote(note.clone()), String::from("Restored note")),
        Change::RestoreAddress { .. }
        | Change::Rewatch { .. }
        | Change::RestoreAlert(..)
        | Change::Undo { .. }
        | Change::AlertsChecked(_)
        | Change::AlertFired(..)
        | Change::AlertsUnchecked(_)
        | Change::AlertsSeen(_)
        | Change::BalancesChanged(_)
        | Change::Session(_)
        | Change::Source(_)
        | Change::Shown(_)
        | Change::PostsRead(_) => return None,
    };
    // A removed lot keeps its ID, which the store gives to no other lot.
    let may_change = !matches!(made, Change::RemoveLot(_));
    let made = may_change.then(|| made.clone());
    Some(Inverse { step: UndoStep::Change(change), made, done: Done::Sentence(done) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::parse::parse;
    use crate::model::{Currency, UtcTime};
    use crate::store::Database;
    use crate::user_data::{AlertEvent, AlertId, AlertState, PastBalance, WalletAddress};

    /// The data as the state and the store have it after `change` and its undo.
    fn undone(change: &Change, database: &mut Database, data: &mut UserData) -> UserData {
        let back = inverse(change, data).unwrap();
        let UndoStep::Change(back) = back.step else { panic!("no change of the user data") };
        for change in [change, &back] {
            data.apply(change);
            database.save(std::slice::from_ref(change)).unwrap();
        }
        database.load().unwrap()
    }

    #[test]
    fn restored_address_has_its_recorded_balances() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let entry = WalletAddress { address: "a".into(), label: None, added_at: UtcTime::from_secs(1) };
        let balance = |address: &str, secs: i64| PastBalance {
            address: address.into(),
            ticker: "ordi".into(),
            since: UtcTime::from_secs(secs),
            amount: "1000".parse().unwrap(),
        };
        let balances = vec![balance("a", 1), balance("b", 2), balance("a", 3)];
        database.save(&[Change::PutAddress(entry.clone()), Change::BalancesChanged(balances.clone())]).unwrap();
        let mut data = database.load().unwrap();
        let stored = undone(&Change::RemoveAddress(entry.clone()), &mut database, &mut data);
        assert_eq!((&stored.addresses, &stored.past_balances), (&vec![entry], &balances));
        assert_eq!(stored, data);
    }

    /// Removes the middle one of three and takes that back; then removes the second and the first, and takes both back.
    fn removed_and_restored(changes: [Change; 2], database: &mut Database) {
        let mut data = database.load().unwrap();
        let before = data.clone();
        assert_eq!(undone(&changes[0], database, &mut data), before);
        assert_eq!(data, before, "the state has the order of the store");
        let backs = changes.each_ref().map(|change| {
            let back = inverse(change, &data).unwrap();
            data.apply(change);
            database.save(std::slice::from_ref(change)).unwrap();
            back.step
        });
        for back in backs.into_iter().rev() {
            let UndoStep::Change(back) = back else { panic!("no change of the user data") };
            data.apply(&back);
            database.save(&[back]).unwrap();
        }
        assert_eq!((database.load().unwrap(), data), (before.clone(), before));
    }

    #[test]
    fn restored_addresses_return_to_their_positions() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let entry = |name: &str| WalletAddress { address: name.into(), label: None, added_at: UtcTime::from_secs(1) };
        database.save(&["a", "b", "c"].map(|name| Change::PutAddress(entry(name)))).unwrap();
        removed_and_restored(["b", "a"].map(|name| Change::RemoveAddress(entry(name))), &mut database);
    }

    #[test]
    fn coins_watched_again_return_to_their_positions() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        database.save(&["A", "B", "C"].map(|name| Change::Watch(Watched::by_symbol(name)))).unwrap();
        removed_and_restored(["B", "A"].map(|name| Change::Unwatch(Watched::by_symbol(name))), &mut database);
    }

    #[test]
    fn restored_lots_return_to_their_positions() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let lot = |symbol| Lot::bought(Watched::by_symbol(symbol), "1".parse().unwrap());
        database.save(&["A", "B", "C"].map(|symbol| Change::AddLot(Box::new(lot(symbol))))).unwrap();
        let lots = database.load().unwrap().lots;
        removed_and_restored([1, 0].map(|place| Change::RemoveLot(Box::new(lots[place].clone()))), &mut database);
    }

    #[test]
    fn restored_alerts_return_to_their_positions() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let add = |line: &str| {
            let coin = Watched { slug: Some("ordi".into()), ..Watched::by_symbol("ORDI") };
            let rule = parse(line).unwrap().rule(Some(coin), &Currency::usd()).unwrap();
            Change::AddAlert(Box::new(Alert::new(rule, false)))
        };
        database.save(&["ordi > 1", "ordi > 2", "ordi > 3"].map(add)).unwrap();
        let alerts = database.load().unwrap().alerts;
        removed_and_restored([1, 0].map(|place| Change::RemoveAlert(Box::new(alerts[place].clone()))), &mut database);
    }

    #[test]
    fn restored_alert_has_its_firings() {
        let directory = tempfile::tempdir().unwrap();
        let mut database = Database::open(directory.path()).unwrap();
        let coin = Watched { slug: Some("ordi".into()), ..Watched::by_symbol("ORDI") };
        let rule = parse("ordi > 20 usd").unwrap().rule(Some(coin), &Currency::usd()).unwrap();
        let alert = Alert { id: AlertId(1), ..Alert::new(rule, false) };
        let event = AlertEvent {
            alert: AlertId(1),
            number: 1,
            at: UtcTime::from_secs(5),
            after: None,
            title: "ORDI > 20".into(),
            text: "ORDI is 21 USD".into(),
            missed: false,
            seen: false,
        };
        let state = AlertState { fired: 1, fired_at: Some(event.at), ..AlertState::default() };
        let fired = Change::AlertFired(Box::new(event.clone()), Box::new(state));
        database.save(&[Change::AddAlert(Box::new(alert)), fired]).unwrap();
        let mut data = database.load().unwrap();
        let alert = Box::new(data.alerts[0].clone());
        let stored = undone(&Change::RemoveAlert(alert), &mut database, &mut data);
        assert_eq!((stored.alerts.len(), &stored.alert_events), (1, &vec![event]));
        assert_eq!(stored, data);
    }

    #[test]
    fn undo_of_an_added_lot_never_removes_an_equal_one() {
        let lot = |id| Lot { id: LotId(id), ..Lot::bought(Watched::by_symbol("ORDI"), "1".parse().unwrap()) };
        let data = |ids: &[i64]| UserData { lots: ids.iter().map(|id| lot(*id)).collect(), ..UserData::default() };
        let added = Change::AddLot(Box::new(lot(-1)));
        let mut ids = AssignedIds::default();
        ids.add(&added, 6);
        let pop = |data: &UserData| {
            let mut undo = Undo::default();
            undo.push(inverse(&added, &UserData::default()).unwrap());
            undo.assign_ids(&ids);
            undo.pop(data).unwrap().map(|(step, _)| step)
        };
        // Another process has removed it.
        assert_eq!(pop(&data(&[3])), Err(added.not_undone()));
        let (made, back) = (Box::new(Change::AddLot(Box::new(lot(6)))), Box::new(Change::RemoveLot(Box::new(lot(6)))));
        assert_eq!(pop(&data(&[3, 6, 7])), Ok(UndoStep::Change(Change::Undo { made, back })));
    }
}
