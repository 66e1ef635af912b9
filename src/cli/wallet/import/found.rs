//! Lots of a file whose coins are known, and the transfers among them.

use super::draft::TransferSide;
use super::time::LotTime;
use crate::user_data::Lot;

/// A lot of a file.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) line: u64,
    /// Whether the file has its date.
    pub(super) has_date: bool,
    /// Whether the file has the currency of its price and fee.
    pub(super) has_currency: bool,
    /// Whether its note was too long and is cut.
    pub(super) has_cut_note: bool,
    pub(super) time: LotTime,
    /// Whether it may be one side of a transfer between two wallets of the user.
    pub(super) transfer: Option<TransferSide>,
    pub(super) lot: Lot,
}

/// A withdrawal and a deposit of a file that move a coin between two wallets of the user.
pub(super) struct Transfer {
    /// The line of the withdrawal.
    pub(super) sent: u64,
    /// The line of the deposit.
    pub(super) received: u64,
    /// Whether the wallet has its fee from an earlier import.
    pub(super) has_known_fee: bool,
}
