//! Sales of more than is held.

use std::collections::HashMap;

use jiff::civil::Date;

use super::cost::{CostMethod, LotProblem, holdings};
use crate::model::{Decimal, Text};
use crate::user_data::{Lot, LotId, LotKind};

/// The ID of a checked lot that replaces none: it follows all others of its day.
const LAST: LotId = LotId(i64::MIN);

/// A lot that sells or sends more than the lots before it hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oversold {
    /// The coin.
    pub symbol: Text,
    /// What the lot does with it.
    pub kind: LotKind,
    /// The amount that it sells or sends.
    pub amount: Decimal,
    /// The amount that is held then.
    pub held: Decimal,
    /// The date of the lot.
    pub date: Date,
    /// Whether it is a later lot than the checked one.
    pub is_later: bool,
}

/// Whether a lot would sell or send more than is held, or make a later lot do so. It replaces the lot with its ID, or
/// follows the other lots of its day. Only lots count, since it is unknown when the balance of an address arrived.
pub fn oversold(lots: &[Lot], lot: &Lot, replaced: Option<LotId>) -> Option<Oversold> {
    let own: Vec<Lot> = lots.iter().filter(|other| other.coin.is_same(&lot.coin)).cloned().collect();
    let id = replaced.unwrap_or(LAST);
    let others = own.iter().filter(|other| Some(other.id) != replaced).cloned();
    let after: Vec<Lot> = others.chain([Lot { id, ..lot.clone() }]).collect();
    let (before, now) = (excesses(&own), excesses(&after));
    let known = |id: LotId| before.iter().find(|(other, _)| *other == id).map(|(_, excess)| excess);
    let (id, excess) = now
        .iter()
        .find(|(other, _)| *other == id)
        .or_else(|| now.iter().find(|(id, excess)| known(*id).is_none_or(|before| before < excess)))?;
    let found = after.iter().find(|lot| lot.id == *id)?;
    Some(Oversold { is_later: found.id != replaced.unwrap_or(LAST), ..Oversold::of(found, excess) })
}

/// The lots that sell or send more than is held because of the `new` lots, or exceed it by more than without them: new
/// ones, which have temporary IDs, and others.
pub fn newly_oversold(lots: &[Lot], new: &[Lot]) -> Vec<(LotId, Oversold)> {
    let before: HashMap<LotId, Decimal> = excesses(lots).into_iter().collect();
    let all = [lots, new].concat();
    let by_id: HashMap<LotId, &Lot> = all.iter().map(|lot| (lot.id, lot)).collect();
    let is_new = |id: &LotId, excess: &Decimal| before.get(id).is_none_or(|before| before < excess);
    let now = excesses(&all).into_iter().filter(|(id, excess)| is_new(id, excess));
    now.filter_map(|(id, excess)| Some((id, Oversold::of(by_id.get(&id)?, &excess)))).collect()
}

/// The lots that sell or send more than is held, each with the excess; the lots of a coin are ordered by time.
fn excesses(lots: &[Lot]) -> Vec<(LotId, Decimal)> {
    let held = holdings(lots, CostMethod::Fifo, &|_, _| None);
    let excess = |problem: Option<LotProblem>| match problem {
        Some(LotProblem::MoreThanHeld(excess)) => Some(excess),
        _ => None,
    };
    held.into_iter().flat_map(|held| held.lots).filter_map(|lot| Some((lot.id, excess(lot.problem)?))).collect()
}

impl Oversold {
    /// A lot that exceeds what is held by `excess`.
    fn of(lot: &Lot, excess: &Decimal) -> Oversold {
        let amount = Decimal::from(lot.amount);
        let (symbol, held) = (lot.coin.symbol.clone(), amount.clone() - excess);
        Oversold { symbol, kind: lot.kind, amount, held, date: lot.date, is_later: false }
    }

    /// The sentence, without a full stop and without amounts.
    pub fn sentence_without_amounts(&self) -> String {
        let lot = if self.is_later { "A later lot" } else { "This" };
        format!("{lot} {} more {} than your lots hold", self.verb(), self.symbol)
    }

    fn verb(&self) -> &'static str {
        if self.kind == LotKind::Send { "sends" } else { "sells" }
    }

    /// The sentence, without a full stop; `digits` formats amounts.
    pub fn sentence(&self, digits: impl Fn(&Decimal) -> String) -> String {
        let Oversold { symbol, amount, held, date, is_later, .. } = self;
        let held = if held.is_zero() { String::from("no") } else { digits(held) };
        let lot = if *is_later { "a later lot" } else { "this" };
        format!("Your lots hold {held} {symbol} on {date}; {lot} {} {}", self.verb(), digits(amount))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Currency;
    use crate::user_data::Watched;

    fn lot(id: i64, kind: LotKind, amount: u64, day: i8) -> Lot {
        Lot {
            id: LotId(id),
            kind,
            coin: Watched::by_symbol("ORDI"),
            amount: crate::model::Amount::from_units(amount),
            price: None,
            fee: None,
            currency: Currency::usd(),
            date: Date::constant(2025, 3, day),
            note: None,
            address: None,
        }
    }

    #[test]
    fn new_lots_of_a_day_count_in_their_order_after_the_others() {
        use LotKind::{Buy, Sell};
        assert_eq!(excesses(&[lot(-1, Buy, 3, 2), lot(-2, Sell, 3, 2)]), []);
        assert_eq!(excesses(&[lot(1, Buy, 3, 2), lot(-1, Sell, 3, 2)]), []);
        assert_eq!(oversold(&[lot(-1, Buy, 3, 2), lot(-2, Buy, 1, 2)], &lot(0, Sell, 4, 2), None), None);
    }

    #[test]
    fn lots_oversold_by_new_ones_are_found() {
        use LotKind::{Buy, Sell};
        let lots = [lot(1, Sell, 1, 1), lot(2, Buy, 3, 2), lot(3, Sell, 3, 9)];
        let found = |new: &[Lot]| -> Vec<(i64, String)> {
            let all = newly_oversold(&lots, new).into_iter();
            all.map(|(id, oversold)| (id.0, oversold.sentence(ToString::to_string))).collect()
        };
        assert_eq!(found(&[]), []);
        assert_eq!(found(&[lot(-1, Buy, 1, 5), lot(-2, Sell, 1, 6)]), []);
        let sentence = |text: &str| String::from(text);
        let early = sentence("Your lots hold no ORDI on 2025-03-01; this sells 2");
        let late = sentence("Your lots hold 2 ORDI on 2025-03-09; this sells 3");
        assert_eq!(found(&[lot(-1, Sell, 2, 1), lot(-2, Sell, 1, 5)]), [(-1, early), (3, late)]);
    }

    #[test]
    fn lot_that_sells_more_than_held_is_explained() {
        use LotKind::{Buy, Sell, Send};
        let lots = [lot(1, Buy, 3, 2), lot(2, Sell, 2, 9)];
        let sentence = |lot: &Lot, replaced| Some(oversold(&lots, lot, replaced)?.sentence(ToString::to_string));
        let says = |lot: &Lot, replaced| sentence(lot, replaced).unwrap_or_default();
        assert_eq!(says(&lot(0, Sell, 5, 2), None), "Your lots hold 3 ORDI on 2025-03-02; this sells 5");
        assert_eq!(says(&lot(0, Send, 1, 1), None), "Your lots hold no ORDI on 2025-03-01; this sends 1");
        assert_eq!(says(&lot(0, Sell, 3, 5), None), "Your lots hold no ORDI on 2025-03-09; a later lot sells 2");
        assert_eq!(says(&lot(0, Sell, 1, 5), None), "");
        assert_eq!(says(&lot(0, Buy, 1, 9), None), "");
        assert_eq!(says(&lot(2, Sell, 4, 9), Some(LotId(2))), "Your lots hold 3 ORDI on 2025-03-09; this sells 4");
        assert_eq!(
            says(&lot(1, Buy, 1, 2), Some(LotId(1))),
            "Your lots hold 1 ORDI on 2025-03-09; a later lot sells 2"
        );
    }
}
