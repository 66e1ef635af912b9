//! Transfers between the user's own wallets, in a file that lists them as a withdrawal and a deposit.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jiff::ToSpan as _;
use jiff::civil::{Date, DateTime, Time};

use super::draft::{SkipReason, Skipped};
use super::found::{Found, Transfer};
use super::known::{Known, Unmatched};
use super::time::LotTime;
use crate::model::{Amount, Decimal, Text};
use crate::user_data::{Lot, LotId, LotKind};

/// Maximum days between a withdrawal and its deposit.
const MAX_DAYS: i32 = 3;

/// Removes the lots of the file's transfers if both sides are new, so that their coins keep their cost. A fee stays as
/// sent, unless it is among the other lots of the wallet. Returns the lines without lots.
pub(super) fn remove_transfers(
    new: &mut Vec<Found>,
    transfers: &[Transfer],
    wallet: &mut Unmatched<'_>,
) -> Vec<Skipped> {
    // Each of these lines has one side. Another lot of the line is a fee.
    let sides = new.iter().enumerate().filter(|(_, found)| found.transfer.is_some());
    let places: HashMap<u64, usize> = sides.map(|(place, found)| (found.line, place)).collect();
    let mut lines = BTreeSet::new();
    for Transfer { sent: from, received: to, has_known_fee } in transfers {
        let Some((sent, received)) = places.get(from).zip(places.get(to)) else { continue };
        lines.insert(*to);
        let fee = new.get(*sent).zip(new.get(*received)).and_then(|(sent, received)| fee_lot(&sent.lot, &received.lot));
        let has_new_fee = fee.zip(new.get_mut(*sent)).is_some_and(|(fee, sent)| {
            sent.lot = fee;
            !has_known_fee && wallet.take_any(sent).is_none()
        });
        if !has_new_fee {
            lines.insert(*from);
        }
    }
    new.retain(|found| found.transfer.is_none() || !lines.contains(&found.line));
    for found in &*new {
        lines.remove(&found.line);
    }
    lines.into_iter().map(|line| Skipped { line, reason: SkipReason::OwnTransfer }).collect()
}

/// The transfers in a file, including those already in the wallet. Takes the fees that the wallet has from `wallet`. A
/// deposit fits a withdrawal of its amount, with or without the fee.
pub(super) fn transfers(lots: &[Found], wallet: &mut Unmatched<'_>) -> Vec<Transfer> {
    pairs(lots, true, wallet)
}

/// The new lines of transfers whose other side is already in the wallet, each with the lot of that side.
pub(super) fn halves(transfers: &[Transfer], new: &[Found], known: &[Known]) -> Vec<(u64, LotId)> {
    let sides = known.iter().filter(|known| known.is_transfer_side);
    let lots: HashMap<u64, LotId> = sides.map(|known| (known.line, known.lot)).collect();
    let new: HashSet<u64> = new.iter().filter(|found| found.transfer.is_some()).map(|found| found.line).collect();
    let half = |line: u64, other: u64| Some((*new.get(&line)?, *lots.get(&other)?));
    transfers.iter().filter_map(|it| half(it.sent, it.received).or_else(|| half(it.received, it.sent))).collect()
}

/// The lines with unknown types that would be transfers if these meant withdrawals and deposits.
pub(super) fn possible_transfers(lots: &[Found]) -> Vec<u64> {
    let pairs = pairs(lots, false, &mut Unmatched::new(&[]));
    pairs.into_iter().flat_map(|pair| [pair.sent, pair.received]).collect()
}

/// The withdrawals and deposits that are transfers, of known or of unknown types. Each deposit is paired with the first
/// withdrawal that fits it and is not paired yet, so that a longer file doesn't undo a transfer whose lines were left
/// out before: the wallet doesn't have them, and they would be added as lots. Withdrawals whose fee the wallet has go
/// first: if such a withdrawal were added as a lot, the fee would count twice.
fn pairs(lots: &[Found], has_known_type: bool, wallet: &mut Unmatched<'_>) -> Vec<Transfer> {
    let [sent, received] = [LotKind::Send, LotKind::Receive].map(|kind| sides(lots, kind, has_known_type));
    let mut deposits: Vec<&Found> = received.into_values().flatten().collect();
    deposits.sort_by_key(|to| moment(to));
    let (mut pairs, mut paired) = (Vec::new(), HashSet::new());
    for has_known_fee in [true, false] {
        deposits.retain(|to| {
            let fits = |from: &&Found| !paired.contains(&from.line) && is_transfer(from, to);
            let mut fitting: Vec<&Found> = near(&sent, to).filter(fits).collect();
            fitting.sort_by_key(|from| moment(from));
            let is_paired = |from: &&Found| !has_known_fee || take_fee(wallet, from, to);
            let Some(from) = fitting.into_iter().find(is_paired) else { return true };
            paired.insert(from.line);
            pairs.push(Transfer { sent: from.line, received: to.line, has_known_fee });
            false
        });
    }
    pairs
}

/// Takes the lot that an earlier import added for the fee of a transfer; false if there is none, or the user edited it.
fn take_fee(wallet: &mut Unmatched<'_>, sent: &Found, received: &Found) -> bool {
    let fee = fee_lot(&sent.lot, &received.lot).map(|lot| Found { lot, ..sent.clone() });
    fee.is_some_and(|fee| wallet.take_identical(&fee).is_some())
}

/// The time of a lot; without one, the start of its day.
fn moment(found: &Found) -> DateTime {
    match found.time {
        LotTime::At(time) => time,
        LotTime::Unknown | LotTime::Unreadable => found.lot.date.to_datetime(Time::midnight()),
    }
}

/// Lots by day.
type ByDay<'a> = BTreeMap<Date, Vec<&'a Found>>;

/// The lots of a kind that may be one side of a transfer.
fn sides(lots: &[Found], kind: LotKind, has_known_type: bool) -> ByDay<'_> {
    let has_type = |found: &Found| found.transfer.as_ref().is_some_and(|side| side.has_known_type == has_known_type);
    // A fee in money would be lost.
    let is_free = |found: &Found| found.lot.price.is_none() && found.lot.fee.is_none();
    let is_side = |found: &&Found| has_type(found) && found.lot.kind == kind && is_free(found);
    let mut sides = ByDay::new();
    for found in lots.iter().filter(is_side) {
        sides.entry(found.lot.date).or_default().push(found);
    }
    sides
}

/// The lots of days that are near enough for a transfer. In UTC, each may be of the day before or after.
fn near<'a>(sides: &ByDay<'a>, other: &Found) -> impl Iterator<Item = &'a Found> {
    let (day, days) = (other.lot.date, (MAX_DAYS + 2).days());
    let range = day.saturating_sub(days)..=day.saturating_add(days);
    sides.range(range).flat_map(|(_, found)| found.iter().copied())
}

/// Whether a deposit may be what arrived of a withdrawal.
fn is_transfer(sent: &Found, received: &Found) -> bool {
    let [sent_at, received_at] = match (sent.time, received.time) {
        (LotTime::At(sent), LotTime::At(received)) => [sent, received],
        // Without a time, any on the same day.
        _ => [sent, received].map(|found| found.lot.date.to_datetime(Time::midnight())),
    };
    let is_soon = || sent_at.checked_add(MAX_DAYS.days()).is_ok_and(|end| (sent_at..=end).contains(&received_at));
    let arrives = || {
        let [amount, arrived] = [sent, received].map(|found| Decimal::from(found.lot.amount));
        let fee = sent.transfer.as_ref().and_then(|side| side.fee.as_ref());
        amount == arrived || fee.is_some_and(|fee| amount - fee == arrived)
    };
    let [sent_in, received_in] =
        [sent, received].map(|found| found.transfer.as_ref().and_then(|side| side.hash.as_ref()));
    is_soon() && sent_in == received_in && sent.lot.coin.is_same(&received.lot.coin) && arrives()
}

/// What doesn't arrive, as a lot; `None` if all arrives.
fn fee_lot(sent: &Lot, received: &Lot) -> Option<Lot> {
    let fee = Decimal::from(sent.amount) - &Decimal::from(received.amount);
    let amount = fee.floor_amount().filter(|amount| *amount > Amount::ZERO)?;
    Some(Lot { amount, note: Some(Text::const_new("fee")), ..sent.clone() })
}

#[cfg(test)]
mod tests {
    use super::super::draft::TransferSide;
    use super::*;
    use crate::user_data::Watched;

    #[test]
    fn each_of_many_transfers_is_found() {
        let day = |line: u64| Date::constant(2012, 1, 1).saturating_add((i64::try_from(line).unwrap() / 8).days());
        let found = |line: u64| Found {
            line,
            has_date: true,
            has_currency: false,
            has_cut_note: false,
            time: LotTime::Unknown,
            transfer: Some(TransferSide { fee: None, has_known_type: true, hash: None }),
            lot: Lot {
                kind: if line.is_multiple_of(2) { LotKind::Send } else { LotKind::Receive },
                date: day(line),
                ..Lot::bought(Watched::by_symbol("ORDI"), (line / 2 + 1).to_string().parse().unwrap())
            },
        };
        let mut new: Vec<Found> = (0..2_000).map(found).collect();
        let mut wallet = Unmatched::new(&[]);
        let transfers = transfers(&new, &mut wallet);
        assert_eq!(remove_transfers(&mut new, &transfers, &mut wallet).len(), 2_000);
        assert!(new.is_empty());
    }
}
