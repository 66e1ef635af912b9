//! User data, kept between runs: watchlist, lots, addresses, session, choices of data sources and shown notices. [`crate::app`] changes
//! them, and [`crate::store`] saves them.

pub mod address;
pub mod lot;
pub mod source_choices;
pub mod watchlist;

use std::collections::{BTreeMap, BTreeSet};

pub use address::WalletAddress;
pub use lot::{Lot, LotId, LotKind, LotPrice};
pub use source_choices::{SourceChange, SourceChoices};
pub use watchlist::{WatchChanges, Watched};

/// The saved data.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserData {
    /// The watchlist, as changes to the configured one.
    pub watchlist: WatchChanges,
    /// The wallet's lots, by number. Not read before the first frame.
    pub lots: Vec<Lot>,
    /// The wallet's addresses, in the order they were added. Not read before the first frame.
    pub addresses: Vec<WalletAddress>,
    /// The session of the last run, as names and values. Other versions of satscope may use other names.
    pub session: SessionEntries,
    /// The choices about the providers of live data.
    pub sources: SourceChoices,
    /// The notices that were shown. Not read before the first frame.
    pub notices: BTreeSet<Notice>,
}

/// A notice that is shown once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Notice {
    /// Addresses that are looked up are sent to a provider.
    AddressLookup,
}

impl Notice {
    /// All notices.
    pub const ALL: [Notice; 1] = [Notice::AddressLookup];

    /// Its name in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Notice::AddressLookup => "address-lookup",
        }
    }
}

/// A session as names and values.
pub type SessionEntries = BTreeMap<String, String>;

/// A change to the user data. A new kind of user data needs a variant here, a field of [`UserData`] and a table in the
/// store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Add a coin to the watchlist.
    Watch(Watched),
    /// Remove a coin from the watchlist.
    Unwatch(Watched),
    /// Add a lot. The store gives it a number, unless it has one above 0 that is free: a removed lot is restored.
    AddLot(Box<Lot>),
    /// Replace the lot with this number.
    EditLot(Box<Lot>),
    /// Remove the lot with this number.
    RemoveLot(Box<Lot>),
    /// Add an address, or replace its label.
    PutAddress(WalletAddress),
    /// Remove an address.
    RemoveAddress(WalletAddress),
    /// Replace the session.
    Session(SessionEntries),
    /// Choose how the providers of live data are used.
    Source(SourceChange),
    /// A notice was shown.
    Shown(Notice),
}

impl Change {
    /// Whether this change makes an earlier one unnecessary.
    pub fn replaces(&self, earlier: &Change) -> bool {
        match (self, earlier) {
            (Change::Watch(coin) | Change::Unwatch(coin), Change::Watch(other) | Change::Unwatch(other)) => {
                coin == other
            }
            (Change::EditLot(lot), Change::EditLot(other)) => lot.id == other.id,
            (Change::RemoveLot(lot), Change::EditLot(other)) => lot.id == other.id,
            (
                Change::PutAddress(entry) | Change::RemoveAddress(entry),
                Change::PutAddress(other) | Change::RemoveAddress(other),
            ) => entry.address == other.address,
            (Change::Session(_), Change::Session(_)) => true,
            (Change::Source(change), Change::Source(other)) => change.replaces(other),
            (Change::Shown(notice), Change::Shown(other)) => notice == other,
            _ => false,
        }
    }
}

impl UserData {
    /// A temporary number for a new lot, below 0.
    pub fn next_lot(&self) -> LotId {
        LotId(self.lots.iter().map(|lot| lot.id.0).min().unwrap_or(0).min(0) - 1)
    }

    /// Applies a change.
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Watch(coin) => self.watchlist.set_watched(coin, true),
            Change::Unwatch(coin) => self.watchlist.set_watched(coin, false),
            Change::AddLot(lot) => {
                if !self.lots.contains(lot) {
                    let is_taken = self.lots.iter().any(|known| known.id == lot.id);
                    let id = if is_taken || lot.id == LotId::default() { self.next_lot() } else { lot.id };
                    self.lots.push(Lot { id, ..(**lot).clone() });
                }
            }
            Change::EditLot(lot) => {
                self.lots.iter_mut().filter(|known| known.id == lot.id).for_each(|known| known.clone_from(lot));
            }
            Change::RemoveLot(removed) => self.lots.retain(|lot| lot.id != removed.id),
            Change::PutAddress(entry) => match self.addresses.iter_mut().find(|known| known.address == entry.address) {
                Some(known) => known.clone_from(entry),
                None => self.addresses.push(entry.clone()),
            },
            Change::RemoveAddress(entry) => self.addresses.retain(|known| known.address != entry.address),
            Change::Session(session) => self.session = session.clone(),
            Change::Source(change) => self.sources.apply(change),
            Change::Shown(notice) => drop(self.notices.insert(*notice)),
        }
    }
}
