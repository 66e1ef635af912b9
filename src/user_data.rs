//! User data, saved between runs: watchlist, lots, addresses, alerts, notes, session, provider choices and shown
//! notices. [`crate::app`] changes them, and [`crate::store`] saves them.

pub mod address;
pub mod alert;
mod apply;
pub mod assigned_ids;
mod balance;
mod edit;
pub mod lot;
mod missing;
pub mod note;
mod notice;
mod read_posts;
pub mod source_choices;
mod store_notice;
mod subject;
mod undo;
mod unreadable;
pub mod watchlist;

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Text;

pub use address::WalletAddress;
pub use alert::{Alert, AlertEvent, AlertId, AlertState, SeenAlerts, UncheckedPeriod};
pub use balance::{MAX_PAST_BALANCES, PastBalance};
pub use edit::Edit;
pub use lot::{Lot, LotId, LotKind, LotPrice};
pub use note::{MAX_NOTES, NOTES_FULL, Note};
pub use notice::Notice;
pub use read_posts::MAX_READ_POSTS;
pub use source_choices::{SourceChange, SourceChoices};
pub use store_notice::StoreNotice;
pub use unreadable::{Unreadable, UnreadablePart};
pub use watchlist::{WatchChanges, Watched};

/// The saved data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserData {
    /// The watchlist, as changes to the configured one.
    pub watchlist: WatchChanges,
    /// The wallet's lots, by ID. Not read before the first frame.
    pub lots: Vec<Lot>,
    /// The wallet's addresses, in the order they were added. Not read before the first frame.
    pub addresses: Vec<WalletAddress>,
    /// The balances of the addresses, oldest first. Not read before the first frame.
    pub past_balances: Vec<PastBalance>,
    /// The session of the last run, as names and values. Other versions of satscope may use other names.
    pub session: SessionEntries,
    /// The choices about the providers of live data.
    pub sources: SourceChoices,
    /// The alerts, by ID. Not read before the first frame.
    pub alerts: Vec<Alert>,
    /// The newest firings of alerts, oldest first. Not read before the first frame.
    pub alert_events: Vec<AlertEvent>,
    /// The unchecked periods that the user has not seen, oldest first; at most [`alert::MAX_UNCHECKED`]. Not read
    /// before the first frame.
    pub unchecked: Vec<UncheckedPeriod>,
    /// The notices that were shown. Not read before the first frame.
    pub notices: BTreeSet<Notice>,
    /// Ids of the posts that were read, oldest first; at most [`MAX_READ_POSTS`]. Not read before the first frame.
    pub read_posts: Vec<Text>,
    /// The notes in charts, by slug and time; at most [`MAX_NOTES`]. Not read before the first frame.
    pub notes: Vec<Note>,
    /// Unreadable parts of the store. They are omitted above.
    pub unreadable: Vec<Unreadable>,
}

/// A session as names and values.
pub type SessionEntries = BTreeMap<String, String>;

/// A change to the user data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Add a coin to the watchlist.
    Watch(Watched),
    /// Remove a coin from the watchlist.
    Unwatch(Watched),
    /// Add a coin to the watchlist that was removed.
    Rewatch {
        /// The coin.
        coin: Watched,
        /// The added coin that came after it.
        before: Watched,
    },
    /// Add a lot. The store assigns it an ID, unless it has one above 0 that is free: a removed lot is restored.
    AddLot(Box<Lot>),
    /// Change parts of the lot with this ID.
    EditLot(Box<Edit<Lot>>),
    /// Remove the lot with this ID.
    RemoveLot(Box<Lot>),
    /// Add an address, or replace its label.
    PutAddress(WalletAddress),
    /// Replace the label of an address that is in the wallet.
    LabelAddress(WalletAddress),
    /// Remove an address and its recorded balances.
    RemoveAddress(WalletAddress),
    /// Add an address that was removed, with its recorded balances.
    RestoreAddress {
        /// The address.
        entry: WalletAddress,
        /// The balances of the address.
        balances: Vec<PastBalance>,
        /// The address that came after it, if any.
        before: Option<Text>,
    },
    /// Balances of addresses have changed.
    BalancesChanged(Vec<PastBalance>),
    /// Add an alert. The store assigns it an ID, unless it has one above 0 that is free.
    AddAlert(Box<Alert>),
    /// Change the rule of the alert with this ID or turn it on or off, with its state.
    EditAlert(Box<Edit<Alert>>),
    /// Remove the alert with this ID, and its firings.
    RemoveAlert(Box<Alert>),
    /// Add an alert that was removed, with its firings.
    RestoreAlert(Box<Alert>, Vec<AlertEvent>),
    /// Turn the bell and the notification of the alert with this ID on or off, regardless of its state.
    AlertSignals {
        /// The alert.
        id: AlertId,
        /// Whether it rings the terminal's bell.
        bell: bool,
        /// Whether it sends a notification and runs the user's command.
        notify: bool,
    },
    /// Record the state of alerts, unless the store has a newer one.
    AlertsChecked(Vec<(AlertId, AlertState)>),
    /// Record that an alert fired, with its new state. An alert that fires only once is turned off.
    AlertFired(Box<AlertEvent>, Box<AlertState>),
    /// Record unchecked periods until the user has seen them.
    AlertsUnchecked(Vec<UncheckedPeriod>),
    /// The user has seen firings, and unchecked periods.
    AlertsSeen(Box<SeenAlerts>),
    /// Replace the session.
    Session(SessionEntries),
    /// Choose how the providers of live data are used.
    Source(SourceChange),
    /// A notice was shown.
    Shown(Notice),
    /// Posts with these ids were read.
    PostsRead(Vec<Text>),
    /// Add a note to a coin's chart, or replace the one at its time. Ignored if there are [`MAX_NOTES`] others.
    PutNote(Note),
    /// Remove the note at this time.
    RemoveNote(Note),
    /// Undo a change, unless its result has changed since.
    Undo {
        /// The change.
        made: Box<Change>,
        /// The change that undoes it.
        back: Box<Change>,
    },
}

impl Change {
    /// The change that an earlier one undoes, if this one doesn't make that undo unnecessary.
    fn undone_before(&self, earlier: &Change) -> Option<Change> {
        match earlier {
            Change::Undo { made, .. } if !self.replaces(earlier) => Some((**made).clone()),
            _ => None,
        }
    }

    /// Whether the user made this change, and not the program.
    pub fn is_by_user(&self) -> bool {
        match self {
            Change::Watch(_)
            | Change::Unwatch(_)
            | Change::Rewatch { .. }
            | Change::AddLot(_)
            | Change::EditLot(_)
            | Change::RemoveLot(_)
            | Change::PutAddress(_)
            | Change::LabelAddress(_)
            | Change::RemoveAddress(_)
            | Change::RestoreAddress { .. }
            | Change::AddAlert(_)
            | Change::EditAlert(_)
            | Change::RemoveAlert(_)
            | Change::RestoreAlert(..)
            | Change::AlertSignals { .. }
            | Change::Source(_)
            | Change::PutNote(_)
            | Change::RemoveNote(_)
            | Change::Undo { .. } => true,
            Change::BalancesChanged(_)
            | Change::AlertsChecked(_)
            | Change::AlertFired(..)
            | Change::AlertsUnchecked(_)
            | Change::AlertsSeen(_)
            | Change::Session(_)
            | Change::Shown(_)
            | Change::PostsRead(_) => false,
        }
    }

    /// The change that removes the subject of an edit, which another process may already have removed; also of a note,
    /// since there may be too many.
    pub fn removal(&self) -> Option<Change> {
        match self {
            Change::EditLot(edit) => Some(Change::RemoveLot(Box::new(edit.after.clone()))),
            Change::EditAlert(edit) => Some(Change::RemoveAlert(Box::new(edit.after.clone()))),
            Change::LabelAddress(entry) => Some(Change::RemoveAddress(entry.clone())),
            Change::PutNote(note) => Some(Change::RemoveNote(note.clone())),
            _ => None,
        }
    }

    /// Whether both edit the same lot, alert or address.
    pub fn edits_same(&self, other: &Change) -> bool {
        match (self, other) {
            (Change::EditLot(edit), Change::EditLot(other)) => edit.after.id == other.after.id,
            (Change::EditAlert(edit), Change::EditAlert(other)) => edit.after.id == other.after.id,
            (Change::LabelAddress(entry), Change::LabelAddress(other)) => entry.address == other.address,
            _ => false,
        }
    }

    /// Joins this edit and the next one of the same lot or alert.
    #[must_use]
    pub fn joined(self, next: Change) -> Change {
        match (self, next) {
            (Change::EditLot(first), Change::EditLot(next)) => {
                Change::EditLot(Box::new(Edit { before: first.before, after: next.after }))
            }
            (Change::EditAlert(first), Change::EditAlert(next)) => {
                Change::EditAlert(Box::new(Edit { before: first.before, after: next.after }))
            }
            (_, next) => next,
        }
    }

    /// Whether this change makes an earlier one unnecessary.
    ///
    /// An edit of a lot or an alert never does: it replaces only the parts that it changed relative to the earlier
    /// result, and an alert may have fired in between.
    pub fn replaces(&self, earlier: &Change) -> bool {
        match (self, earlier) {
            (
                Change::Watch(coin) | Change::Unwatch(coin) | Change::Rewatch { coin, .. },
                Change::Watch(other) | Change::Unwatch(other) | Change::Rewatch { coin: other, .. },
            ) => coin == other,
            (Change::RemoveLot(lot), Change::EditLot(other)) => lot.id == other.after.id,
            (Change::RemoveAlert(alert), Change::EditAlert(other)) => alert.id == other.after.id,
            (
                Change::PutAddress(entry) | Change::RemoveAddress(entry),
                Change::PutAddress(other) | Change::RemoveAddress(other) | Change::LabelAddress(other),
            )
            | (Change::LabelAddress(entry), Change::LabelAddress(other)) => entry.address == other.address,
            (Change::AlertSignals { id, .. }, Change::AlertSignals { id: other, .. }) => id == other,
            (Change::AlertsChecked(states), Change::AlertsChecked(others)) => {
                others.iter().all(|(id, _)| states.iter().any(|(own, _)| own == id))
            }
            (Change::Session(_), Change::Session(_)) => true,
            (Change::Source(change), Change::Source(other)) => change.replaces(other),
            (Change::Shown(notice), Change::Shown(other)) => notice == other,
            (Change::PutNote(note) | Change::RemoveNote(note), Change::PutNote(other) | Change::RemoveNote(other)) => {
                note.is_at(other)
            }
            // It applies whether or not the undo does.
            (_, Change::Undo { back, .. }) => self.replaces(back),
            _ => false,
        }
    }
}

/// Adds a change to those that are not saved yet. Earlier ones that it makes unnecessary are removed, or joined with
/// it, so that their number is limited if nothing can be saved. Only edits of lots and alerts accumulate, one for each
/// key press.
pub fn queue(changes: &mut Vec<(u64, Change)>, number: u64, mut change: Change) {
    // A remaining undo needs the result of its change.
    let undone: Vec<Change> = changes.iter().filter_map(|(_, earlier)| change.undone_before(earlier)).collect();
    changes.retain_mut(|(_, earlier)| match (&mut change, earlier) {
        (Change::AlertsUnchecked(periods), Change::AlertsUnchecked(others)) => {
            UncheckedPeriod::add(periods, others);
            false
        }
        (Change::AlertsSeen(seen), Change::AlertsSeen(other)) => {
            seen.add(other);
            false
        }
        // A later change would add seen firings again.
        (Change::AlertsSeen(seen), Change::AlertsUnchecked(periods)) => {
            seen.retain_unseen(periods);
            !periods.is_empty()
        }
        (change, earlier) => undone.contains(earlier) || !change.replaces(earlier),
    });
    changes.push((number, change));
}
