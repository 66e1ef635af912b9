//! Lots of a file whose coins are known.

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
    pub(super) time: LotTime,
    /// Whether it may be one side of a transfer between two wallets of the user.
    pub(super) transfer: Option<TransferSide>,
    pub(super) lot: Lot,
}

impl Found {
    /// Whether a lot of the wallet is this one. A missing date or currency was filled in by an earlier import, so it is
    /// not compared, nor is the currency of a lot without a price or fee.
    pub(super) fn is_same(&self, known: &Lot) -> bool {
        let Found { has_date, has_currency, lot, .. } = self;
        let currency_counts = *has_currency && (lot.price.is_some() || lot.fee.is_some());
        let filled = |known: &Lot| Lot {
            id: lot.id,
            date: if *has_date { known.date } else { lot.date },
            currency: if currency_counts { known.currency.clone() } else { lot.currency.clone() },
            ..known.clone()
        };
        known.amount == lot.amount && known.kind == lot.kind && filled(known) == *lot
    }
}

/// Counts the lots that are already in the wallet, and returns the others. Each lot of the wallet counts once.
pub(super) fn split_known(found: Vec<Found>, lots: &[Lot]) -> (usize, Vec<Found>) {
    let mut unmatched: Vec<&Lot> = lots.iter().collect();
    let before = found.len();
    let mut new = found;
    new.retain(|found| match unmatched.iter().position(|known| found.is_same(known)) {
        Some(index) => {
            unmatched.swap_remove(index);
            false
        }
        None => true,
    });
    (before - new.len(), new)
}
