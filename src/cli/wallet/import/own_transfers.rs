//! Transfers between the user's own wallets, in a file that lists them as a withdrawal and a deposit.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::ToSpan as _;
use jiff::civil::{Date, Time};

use super::draft::{SkipReason, Skipped};
use super::found::Found;
use super::known::Unmatched;
use super::time::LotTime;
use crate::model::{Amount, Decimal, Text};
use crate::user_data::{Lot, LotKind};

/// Maximum days between a withdrawal and its deposit.
const MAX_DAYS: i32 = 3;

/// Removes the lots of transfers, so that their coins keep their cost. A fee stays as sent, unless it is among the other
/// lots of the wallet. A withdrawal is a transfer if exactly one deposit has its amount, with or without the fee, and no
/// other withdrawal fits that deposit. Returns the lines without lots.
pub(super) fn remove_transfers(new: &mut Vec<Found>, wallet: &mut Unmatched<'_>) -> Vec<Skipped> {
    let (sent, received) = (sides(new, LotKind::Send), sides(new, LotKind::Receive));
    let mut transfers = Vec::new();
    for from in sent.values().flatten() {
        let mut deposits = near(&received, from).filter(|received| is_transfer(from, received));
        let (Some(to), None) = (deposits.next(), deposits.next()) else { continue };
        if near(&sent, to).filter(|sent| is_transfer(sent, to)).count() == 1 {
            transfers.push((from.line, to.line, fee_lot(&from.lot, &to.lot)));
        }
    }
    // Each of these lines has one lot.
    let places: HashMap<u64, usize> = new.iter().enumerate().map(|(place, found)| (found.line, place)).collect();
    let mut lines = BTreeSet::new();
    for (from, to, fee) in transfers {
        lines.insert(to);
        let sent = places.get(&from).and_then(|place| new.get_mut(*place));
        let has_new_fee = fee.zip(sent).is_some_and(|(fee, sent)| {
            sent.lot = fee;
            wallet.take_any(sent).is_none()
        });
        if !has_new_fee {
            lines.insert(from);
        }
    }
    new.retain(|found| !lines.contains(&found.line));
    lines.into_iter().map(|line| Skipped { line, reason: SkipReason::OwnTransfer }).collect()
}

/// Lots by day.
type ByDay<'a> = BTreeMap<Date, Vec<&'a Found>>;

/// The lots of a kind that may be one side of a transfer.
fn sides(lots: &[Found], kind: LotKind) -> ByDay<'_> {
    let is_side = |found: &&Found| found.transfer.is_some() && found.lot.kind == kind && found.lot.price.is_none();
    let mut sides = ByDay::new();
    for found in lots.iter().filter(is_side) {
        sides.entry(found.lot.date).or_default().push(found);
    }
    sides
}

/// The lots of days that are near enough for a transfer. In UTC, each may be of the day before or after.
fn near<'a>(sides: &'a ByDay<'a>, other: &Found) -> impl Iterator<Item = &'a Found> {
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
    is_soon() && sent.lot.coin.is_same(&received.lot.coin) && arrives()
}

/// What doesn't arrive, as a lot; `None` if all arrives.
fn fee_lot(sent: &Lot, received: &Lot) -> Option<Lot> {
    let fee = Decimal::from(sent.amount) - &Decimal::from(received.amount);
    let amount = fee.to_string().parse::<Amount>().ok().filter(|amount| *amount > Amount::ZERO)?;
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
            transfer: Some(TransferSide { fee: None }),
            lot: Lot {
                kind: if line.is_multiple_of(2) { LotKind::Send } else { LotKind::Receive },
                date: day(line),
                ..Lot::bought(Watched::by_symbol("ORDI"), (line / 2 + 1).to_string().parse().unwrap())
            },
        };
        let mut new: Vec<Found> = (0..2_000).map(found).collect();
        assert_eq!(remove_transfers(&mut new, &mut Unmatched::new(&[])).len(), 2_000);
        assert!(new.is_empty());
    }
}
