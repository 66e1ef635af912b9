//! Edits of lots and alerts. Several processes may edit the same one at once, so an edit replaces only the parts that it
//! changes.

use super::alert::{Alert, AlertState};
use super::lot::{Lot, LotPrice};

/// A lot or an alert before and after an edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit<T> {
    /// What the user saw.
    pub before: T,
    /// What the user wants.
    pub after: T,
}

impl<T: Clone> Edit<T> {
    /// An edit that changes nothing yet.
    pub fn unchanged(known: T) -> Edit<T> {
        Edit { before: known.clone(), after: known }
    }

    /// The edit that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Edit<T> {
        Edit { before: self.after.clone(), after: self.before.clone() }
    }
}

/// A part after the edit, if that changes it, or else the known one.
fn part<P: Clone + PartialEq>(before: &P, after: &P, known: &P) -> P {
    if before == after { known.clone() } else { after.clone() }
}

impl Edit<Lot> {
    /// The known lot with the parts that are changed.
    pub fn applied_to(&self, known: &Lot) -> Lot {
        let Edit { before, after } = self;
        let mut edited = Lot {
            id: known.id,
            kind: part(&before.kind, &after.kind, &known.kind),
            coin: part(&before.coin, &after.coin, &known.coin),
            amount: part(&before.amount, &after.amount, &known.amount),
            price: part(&before.price, &after.price, &known.price),
            fee: part(&before.fee, &after.fee, &known.fee),
            currency: part(&before.currency, &after.currency, &known.currency),
            date: part(&before.date, &after.date, &known.date),
            note: part(&before.note, &after.note, &known.note),
            address: part(&before.address, &after.address, &known.address),
        };
        let money = |lot: &Lot| (lot.price.clone(), lot.fee.clone(), lot.currency.clone());
        let cost = |lot: &Lot| (lot.amount, lot.price.clone());
        let is_other_currency = before.currency != after.currency || before.currency != known.currency;
        let has_total = [before, after, known].iter().any(|lot| matches!(lot.price, Some(LotPrice::Total(_))));
        let has_own_money = is_other_currency && money(before) != money(after);
        let has_own_cost = has_total && cost(before) != cost(known) && (cost(before) != cost(after) || has_own_money);
        if has_own_cost {
            // A total is the price of one amount: the total of one edit doesn't fit the amount of another.
            (edited.amount, edited.price) = cost(after);
        }
        if has_own_money || (has_own_cost && is_other_currency) {
            // A price and a fee are in one currency: numbers of one edit don't fit the currency of another, either.
            (edited.price, edited.fee, edited.currency) = money(after);
        }
        edited
    }

    /// Whether the result of this edit is still in place.
    pub fn is_in(&self, known: &Lot) -> bool {
        self.applied_to(known) == *known
    }
}

impl Edit<Alert> {
    /// The known alert with the parts that are changed. Bell and notification are not edited.
    pub fn applied_to(&self, known: &Alert) -> Alert {
        let Edit { before, after } = self;
        let rule = part(&before.rule, &after.rule, &known.rule);
        let once = part(&before.once, &after.once, &known.once);
        let is_done = known.has_same_on_state(after) && known.rule == rule && known.once == once;
        if is_done && known.state.revision >= after.state.revision && before.state.revision < after.state.revision {
            // It was applied before, but not confirmed.
            return known.clone();
        }
        let state = if rule == after.rule {
            after.state.clone()
        } else if known.on && after.on {
            known.state.clone()
        } else {
            known.state.restarted(true)
        };
        // Another process may have seen it fire. The numbers of firings are never used again.
        let last = if known.state.fired > state.fired { &known.state } else { &state };
        let (fired, fired_at) = (last.fired, last.fired_at);
        let revision = if known.state.revision == before.state.revision {
            after.state.revision
        } else {
            after.state.revision.max(known.state.revision.saturating_add(1))
        };
        let state = AlertState { revision, fired, fired_at, ..state };
        Alert { id: known.id, rule, once, on: after.on, bell: known.bell, notify: known.notify, state }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::parse::parse;
    use crate::model::{Amount, Currency, Decimal};
    use crate::user_data::{AlertId, LotId, Watched};

    fn lot() -> Lot {
        let lot = Lot::bought(Watched::by_symbol("ORDI"), "2".parse().unwrap());
        Lot { id: LotId(1), price: Some(LotPrice::Unit(Decimal::from(8))), ..lot }
    }

    #[test]
    fn edit_of_a_lot_keeps_the_parts_that_another_process_has_changed() {
        let known = Lot { note: Some("from cli".into()), fee: Some(Decimal::from(2)), ..lot() };
        let edit = |after| Edit { before: lot(), after };
        let amount = "4".parse().unwrap();
        let edited = edit(Lot { amount, ..lot() }).applied_to(&known);
        assert_eq!(edited, Lot { amount, ..known.clone() });
        let price = Some(LotPrice::Unit(Decimal::from(9)));
        let dearer = edit(Lot { price: price.clone(), ..lot() });
        assert_eq!(dearer.applied_to(&known), Lot { price: price.clone(), ..known.clone() });
        assert!(!dearer.is_in(&known) && dearer.is_in(&dearer.applied_to(&known)));
        assert_eq!(dearer.inverse().applied_to(&dearer.applied_to(&known)), known);
        assert_eq!(edit(lot()).applied_to(&known), known);
    }

    #[test]
    fn edited_price_is_never_in_the_currency_of_another_edit() {
        let eur = Currency::parse("EUR").unwrap();
        let price = Some(LotPrice::Unit(Decimal::from(9)));
        let edit = Edit { before: lot(), after: Lot { price, ..lot() } };
        let known = Lot { currency: eur.clone(), fee: Some(Decimal::from(2)), note: Some("x".into()), ..lot() };
        assert_eq!(edit.applied_to(&known), Lot { note: Some("x".into()), ..edit.after.clone() });
        let edit = Edit { before: lot(), after: Lot { currency: eur, ..lot() } };
        let known = Lot { fee: Some(Decimal::from(2)), ..lot() };
        assert_eq!(edit.applied_to(&known), edit.after);
    }

    fn alert(line: &str) -> Alert {
        let coin = Watched { slug: Some("ordi".into()), ..Watched::by_symbol("ORDI") };
        let rule = parse(line).unwrap().rule(Some(coin), &Currency::usd()).unwrap();
        Alert { id: AlertId(1), ..Alert::new(rule, false) }
    }

    fn restarted(alert: Alert) -> Alert {
        Alert { state: alert.state.restarted(false), ..alert }
    }

    #[test]
    fn edit_of_an_alert_keeps_the_rule_that_another_process_has_changed() {
        let before = alert("ordi > 10");
        let known = restarted(Alert { bell: false, ..alert("ordi > 20") });
        for after in [Alert { once: true, ..before.clone() }, Alert { on: false, ..before.clone() }] {
            let edit = Edit { before: before.clone(), after: restarted(after) };
            let edited = edit.applied_to(&known);
            let parts = |alert: &Alert| (alert.once, alert.on);
            assert_eq!((&edited.rule, edited.bell, parts(&edited)), (&known.rule, false, parts(&edit.after)));
            assert!(edited.state.revision > known.state.revision);
        }
    }

    #[test]
    fn edit_that_is_applied_again_keeps_the_state_of_later_checks() {
        let before = alert("ordi > 10");
        let edit = Edit { before: before.clone(), after: restarted(alert("ordi > 20")) };
        let mut edited = edit.applied_to(&before);
        assert_eq!(edited, edit.after);
        edited.state.armed = Some(true);
        assert_eq!(edit.applied_to(&edited), edited);
    }

    #[test]
    fn edited_amount_never_gets_the_total_of_another_edit() {
        let total = |total: &str| Some(LotPrice::Total(total.parse().unwrap()));
        let (one, ten): (Amount, Amount) = ("1".parse().unwrap(), "10".parse().unwrap());
        let unit = Lot { amount: one, ..lot() };
        let of = |amount, price: &Option<LotPrice>| Lot { amount, price: price.clone(), ..lot() };
        for (before, after, known) in [
            // The amount here, the total there.
            (unit.clone(), of(ten, &unit.price), of(one, &total("9"))),
            (of(one, &total("8")), of(ten, &total("8")), of(one, &total("9"))),
            // The other way round.
            (of(one, &total("8")), of(one, &total("9")), of(ten, &total("8"))),
        ] {
            let noted = Lot { note: Some("x".into()), ..known };
            let edit = Edit { before, after };
            assert_eq!(edit.applied_to(&noted), Lot { note: noted.note.clone(), ..edit.after.clone() });
        }
        // Only the amount was edited, so another edit of the note changes neither.
        let edit = Edit { before: of(one, &total("8")), after: of(ten, &total("8")) };
        assert_eq!(edit.inverse().applied_to(&edit.applied_to(&edit.before)), edit.before);
        // The currency of the total comes with it.
        let eur = Currency::parse("EUR").unwrap();
        let known = Lot { currency: eur, ..of(one, &total("9")) };
        assert_eq!(edit.applied_to(&known), edit.after);
        let edit = Edit { before: edit.before.clone(), after: Lot { currency: known.currency, ..edit.before } };
        assert_eq!(edit.applied_to(&of(ten, &total("16"))), edit.after);
    }

    #[test]
    fn edit_that_is_applied_again_leaves_an_alert_off_that_has_fired_once() {
        let before = alert("ordi > 10");
        let edit = Edit { after: restarted(Alert { once: true, ..before.clone() }), before };
        let mut edited = edit.applied_to(&edit.before);
        (edited.on, edited.state.fired) = (false, 1);
        assert_eq!(edit.applied_to(&edited), edited);
    }
}
