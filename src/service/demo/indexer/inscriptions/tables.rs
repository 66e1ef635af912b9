//! The tables of inscriptions.

use crate::service::demo::indexer::addresses::AddressId;

/// Number of cursed inscriptions. There are none after block 824,544.
pub(in crate::service::demo::indexer) const CURSED: i64 = 472_043;

/// An inscription in the history.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixed {
    pub(super) sat: u64,
    pub(super) height: u32,
    pub(super) number: i32,
    /// Index of its event in the ledger's history.
    pub(super) event: Option<u32>,
    /// Block and receiver of its transfer.
    pub(super) moved: Option<(u32, AddressId)>,
}

/// An inscription of each week after the history.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weekly {
    pub(super) offset: u16,
    /// Index of its event in the ledger's cycle.
    pub(super) event: Option<u16>,
    /// Offset and receiver of its transfer.
    pub(super) moved: Option<(u16, AddressId)>,
}
