//! The events of the writer thread.

use crate::user_data::alert::{Checker, DataKind};
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::{StoreNotice, UserData};

/// What the writer thread reports.
#[derive(Clone, Debug)]
pub enum Event {
    /// The user data as read from the store, at the start and after another process changed them.
    Loaded(Box<UserData>),
    /// The change with this number is saved, or not.
    Saved(u64, Result<(), StoreNotice>),
    /// The IDs assigned to new lots and alerts. It follows [`Event::Saved`] of their changes.
    IdsAssigned(AssignedIds),
    /// The change with this number is a firing that another process had recorded before. [`Event::Saved`] follows.
    FiredElsewhere(u64),
    /// Which process checks the alerts on a kind of data, when that changes.
    AlertLease {
        /// The kind of data.
        kind: DataKind,
        /// Who checks them.
        checker: Checker,
    },
    /// Changes can't be saved.
    Failed(StoreNotice),
    /// No user data was read: the database with the reason, `satscope.db (permission denied)`.
    Unread(String),
    /// Something happened to the saved data.
    Notice(StoreNotice),
    /// A change could not be undone, in one sentence.
    NotUndone(String),
    /// The edit with this number was not applied, in one sentence: another process has removed its subject, or there
    /// are too many notes. [`Event::Saved`] and [`Event::Loaded`] follow.
    NotEdited(u64, String),
}
