//! Lots of a file whose coins are known.

use super::draft::TransferSide;
use super::time::LotTime;
use crate::user_data::{Lot, LotId};

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

/// A lot of a file that is already in the wallet.
pub(super) struct Known {
    pub(super) line: u64,
    /// Whether the file has its date.
    pub(super) has_date: bool,
    /// The lot of the wallet.
    pub(super) lot: LotId,
}

/// Splits off the lots that are already in the wallet. Each lot of the wallet counts once.
pub(super) fn split_known(found: Vec<Found>, lots: &[Lot]) -> (Vec<Known>, Vec<Found>) {
    let mut unmatched: Vec<&Lot> = lots.iter().collect();
    let (mut all, mut new) = (Vec::new(), found);
    new.retain(|found| match unmatched.iter().position(|known| found.is_same(known)) {
        Some(index) => {
            let known = unmatched.swap_remove(index);
            all.push(Known { line: found.line, has_date: found.has_date, lot: known.id });
            false
        }
        None => true,
    });
    (all, new)
}
