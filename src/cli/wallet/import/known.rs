//! Finds the lots of a file that are already in the wallet.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;

use super::found::{Found, Transfer};
use crate::model::{Amount, Currency, Decimal, Text};
use crate::user_data::{Lot, LotId, LotKind, Watched};

/// A lot of a file that is already in the wallet.
pub(super) struct Known {
    pub(super) line: u64,
    /// Whether the file has its date.
    pub(super) has_date: bool,
    /// Whether the lot of the wallet has another fee, note or address, such as one that the user edited.
    pub(super) has_other_details: bool,
    /// Whether it may be one side of a transfer between two wallets of the user.
    pub(super) is_transfer_side: bool,
    /// The lot of the wallet.
    pub(super) lot: LotId,
}

/// Splits off the lots that are already in the wallet: the same trades, even if the user has edited their fees, notes or
/// addresses. Each lot of the wallet counts once. The lots in the lines of `transfers` are matched last, since an earlier
/// import has left them out.
pub(super) fn split_known(
    found: Vec<Found>,
    transfers: &[Transfer],
    wallet: &mut Unmatched<'_>,
) -> (Vec<Known>, Vec<Found>) {
    let of_transfers: HashSet<u64> = transfers.iter().flat_map(|it| [it.sent, it.received]).collect();
    let (mut known, mut new) = (Vec::new(), found);
    // Identical lots are matched first, so that among equal trades, the ones with other details are new.
    for (is_of_transfer, has_details) in [(false, true), (false, false), (true, true), (true, false)] {
        new.retain(|found| {
            let Found { line, has_date, .. } = *found;
            if of_transfers.contains(&line) != is_of_transfer {
                return true;
            }
            let Some(lot) = wallet.take(found, has_details) else { return true };
            let is_transfer_side = found.transfer.is_some();
            known.push(Known { line, has_date, has_other_details: !has_details, is_transfer_side, lot });
            false
        });
    }
    known.sort_by_key(|known| known.line);
    (known, new)
}

/// The lots of `now` that were added since the wallet was read as `saved`.
pub(super) fn added_since(saved: &[Lot], now: &[Lot]) -> Vec<Lot> {
    let saved: HashSet<LotId> = saved.iter().map(|lot| lot.id).collect();
    now.iter().filter(|lot| !saved.contains(&lot.id)).cloned().collect()
}

/// The lots of the wallet that no lot of a file has matched yet.
pub(super) struct Unmatched<'a> {
    lots: &'a [Lot],
    is_matched: Vec<bool>,
    /// The indices of equal lots, the first one last.
    indices: HashMap<Fields, HashMap<Identity, Vec<usize>>>,
}

impl<'a> Unmatched<'a> {
    pub(super) fn new(lots: &'a [Lot]) -> Unmatched<'a> {
        Unmatched { lots, is_matched: vec![false; lots.len()], indices: HashMap::new() }
    }

    /// Takes a lot that is the same trade as one of a file.
    pub(super) fn take_any(&mut self, found: &Found) -> Option<LotId> {
        self.take_identical(found).or_else(|| self.take(found, false))
    }

    /// Takes a lot that is the same trade as one of a file, with its fee, note and address.
    pub(super) fn take_identical(&mut self, found: &Found) -> Option<LotId> {
        self.take(found, true)
    }

    /// Takes a lot that is the same trade as one of a file, and with `has_details` also has its fee, note and address.
    fn take(&mut self, found: &Found, has_details: bool) -> Option<LotId> {
        let Unmatched { lots, is_matched, indices } = self;
        let fields = Fields::of(found, has_details);
        let index = indices.entry(fields).or_insert_with(|| index_of(lots, fields));
        let same = index.get_mut(&Identity::of(&found.lot, fields))?;
        let is_free = |place: &usize| is_matched.get(*place).is_some_and(|is_matched| !is_matched);
        while same.pop_if(|place| !is_free(place)).is_some() {}
        let fits = |lot: &Lot| !has_other_address(lot, &found.lot);
        let place = same.iter().rev().copied().find(|place| is_free(place) && lots.get(*place).is_some_and(fits))?;
        *is_matched.get_mut(place)? = true;
        lots.get(place).map(|lot| lot.id)
    }
}

/// Whether both lots name an address, and not the same one: then they are not the same trade.
fn has_other_address(lot: &Lot, other: &Lot) -> bool {
    lot.address.as_ref().zip(other.address.as_ref()).is_some_and(|(address, other)| address != other)
}

fn index_of(lots: &[Lot], fields: Fields) -> HashMap<Identity, Vec<usize>> {
    let mut index: HashMap<Identity, Vec<usize>> = HashMap::new();
    for (place, lot) in lots.iter().enumerate().rev() {
        index.entry(Identity::of(lot, fields)).or_default().push(place);
    }
    index
}

/// Which fields are compared, besides kind, coin, amount and price.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Fields {
    date: bool,
    currency: bool,
    details: bool,
}

impl Fields {
    /// A missing date or currency was filled in by an earlier import, so it is not compared, nor is the currency of a lot
    /// without an amount of money.
    fn of(found: &Found, details: bool) -> Fields {
        let has_money = found.lot.price.is_some() || details && found.lot.fee.is_some();
        Fields { date: found.has_date, currency: found.has_currency && has_money, details }
    }
}

/// What the trade was.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    kind: LotKind,
    coin: CoinKey,
    amount: Amount,
    /// The price of the whole amount.
    total: Option<Decimal>,
    currency: Option<Currency>,
    date: Option<Date>,
    details: Option<(Option<Decimal>, Option<Text>, Option<Text>)>,
}

impl Identity {
    fn of(lot: &Lot, fields: Fields) -> Identity {
        let Lot { kind, coin, amount, price, fee, currency, date, note, address, .. } = lot;
        Identity {
            kind: *kind,
            coin: CoinKey::of(coin),
            amount: *amount,
            total: price.as_ref().map(|price| price.total(*amount)),
            currency: fields.currency.then(|| currency.clone()),
            date: fields.date.then_some(*date),
            details: fields.details.then(|| (fee.clone(), note.clone(), address.clone())),
        }
    }
}

/// What identifies a coin: its slug, else its id, else its symbol.
#[derive(PartialEq, Eq, Hash)]
enum CoinKey {
    Slug(Text),
    Id(Text),
    Symbol(Text),
}

impl CoinKey {
    fn of(coin: &Watched) -> CoinKey {
        match (&coin.slug, &coin.id) {
            (Some(slug), _) => CoinKey::Slug(slug.clone()),
            (None, Some(id)) => CoinKey::Id(id.clone()),
            (None, None) => CoinKey::Symbol(coin.symbol.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::time::LotTime;
    use super::*;

    #[test]
    fn known_lots_of_a_large_wallet_are_found_in_any_order() {
        let coin = Watched { slug: Some("ordi".into()), ..Watched::by_symbol("ORDI") };
        let lot = |id: i64| Lot { id: LotId(id), ..Lot::bought(coin.clone(), id.to_string().parse().unwrap()) };
        let saved: Vec<Lot> = (1..=2_000).map(lot).collect();
        let found = |(line, lot): (u64, &Lot)| Found {
            line,
            has_date: true,
            has_currency: true,
            has_cut_note: false,
            time: LotTime::Unknown,
            transfer: None,
            lot: Lot { id: LotId::default(), ..lot.clone() },
        };
        let found = (2..).zip(saved.iter().rev()).map(found).collect();
        assert!(added_since(&saved, &saved).is_empty());
        let (known, new) = split_known(found, &[], &mut Unmatched::new(&saved));
        assert_eq!((known.len(), new.len()), (saved.len(), 0));
        assert_eq!((known[0].line, known[0].lot), (2, LotId(2_000)));
    }
}
