//! What a change is about, for sentences.

use super::alert::Target;
use super::{Alert, Change, Lot, MAX_NOTES, NOTES_FULL};
use crate::model::address::short;

impl Change {
    /// The subject of this change, for a sentence.
    fn subject(&self) -> String {
        match self {
            Change::AddLot(lot) | Change::RemoveLot(lot) => lot_subject(lot),
            Change::EditLot(edit) => lot_subject(&edit.after),
            Change::AddAlert(alert) | Change::RemoveAlert(alert) => alert_subject(alert),
            Change::EditAlert(edit) => alert_subject(&edit.after),
            Change::PutAddress(entry) | Change::LabelAddress(entry) | Change::RemoveAddress(entry) => {
                format!("address {}", entry.name())
            }
            Change::Watch(coin) | Change::Unwatch(coin) => coin.symbol.to_string(),
            Change::PutNote(_) | Change::RemoveNote(_) => String::from("the note"),
            Change::Undo { made, .. } => made.subject(),
            _ => String::from("it"),
        }
    }

    /// The error if this change was not undone.
    pub fn not_undone(&self) -> String {
        format!("Can't undo: {} has changed since then", self.subject())
    }

    /// The error if the store did not undo this change: its result is no longer in place, or there are too many notes to
    /// restore this one.
    pub fn not_undone_in_store(&self) -> String {
        match self {
            Change::RemoveNote(_) => {
                format!("Can't restore note (limit of {MAX_NOTES} reached, or changed by another process)")
            }
            made => made.not_undone(),
        }
    }

    /// The error if this edit was not saved because its subject is gone, or this note because there are too many.
    pub fn not_saved(&self) -> String {
        match self {
            Change::PutNote(_) => format!("Can't add note ({NOTES_FULL}) · remove one first"),
            edit => format!("Can't save: another process removed {}", edit.subject()),
        }
    }
}

fn lot_subject(lot: &Lot) -> String {
    format!("the {} lot", lot.coin.symbol)
}

fn alert_subject(alert: &Alert) -> String {
    // Safe to show while amounts are hidden.
    let words = alert.rule.without_amounts("…");
    match &alert.rule.target {
        Target::Address(address) => format!("the alert {}", words.replacen(address.as_str(), &short(address), 1)),
        _ => format!("the alert {words}"),
    }
}
