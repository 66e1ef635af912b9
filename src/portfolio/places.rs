//! How much of a coin is where: at addresses whose balance counts, or elsewhere.

use super::cost::{Holding, LotProblem, LotState, part};
use crate::model::{Decimal, Text};
use crate::user_data::Lot;

/// A place: an address, or `None` for everything else.
pub(super) type Place<'a> = Option<&'a Text>;

/// The amount of one coin at each place, by its lots. A sale takes the cost of the oldest lots at any place,
/// but its amount leaves the place that it names.
#[derive(Clone, Debug, Default)]
pub(super) struct Places<'a>(Vec<(Place<'a>, Decimal)>);

impl<'a> Places<'a> {
    /// Counts the next lot in the order of time. Its address is a place if `counts` accepts it.
    pub(super) fn count(&mut self, lot: &'a Lot, counts: impl Fn(&Text) -> bool) {
        let place = place_of(lot, counts);
        let mut amount = Decimal::from(lot.amount);
        let own = self.0.iter().position(|(known, _)| *known == place).unwrap_or_else(|| {
            self.0.push((place, Decimal::default()));
            self.0.len() - 1
        });
        if lot.kind.adds() {
            self.0.iter_mut().skip(own).take(1).for_each(|(_, held)| *held = held.clone() + &amount);
            return;
        }
        // A sale without an address may take lots of an address.
        let others = self.0.len() * usize::from(place.is_none());
        for index in std::iter::once(own).chain(0..others) {
            let Some((_, held)) = self.0.get_mut(index) else { continue };
            let taken = amount.clone().min(held.clone());
            *held = held.clone() - &taken;
            amount = amount - &taken;
        }
    }

    /// The amount at a place.
    pub(super) fn at(&self, place: Place<'_>) -> Decimal {
        self.0.iter().find(|(known, _)| *known == place).map(|(_, held)| held.clone()).unwrap_or_default()
    }

    /// Takes up to an amount from a place; returns how much.
    fn take(&mut self, place: Place<'_>, amount: &Decimal) -> Decimal {
        let Some((_, held)) = self.0.iter_mut().find(|(known, _)| *known == place) else { return Decimal::default() };
        let taken = amount.clone().min(held.clone());
        *held = held.clone() - &taken;
        taken
    }
}

/// The address that a lot names, if it counts as a place.
pub(super) fn place_of(lot: &Lot, counts: impl Fn(&Text) -> bool) -> Place<'_> {
    lot.address.as_ref().filter(|address| counts(address))
}

/// Divides a coin's holding among places: elsewhere, and each address with the amount that its lots give. A lot stays
/// at its own place as far as the amount there allows; the rest goes where lots already sold have left an amount.
/// `lots` are the holding's lots, in its order.
pub(super) fn divided(whole: Holding, lots: &[&Lot], addresses: &[&Text]) -> (Holding, Vec<Holding>) {
    let counts = |address: &Text| addresses.contains(&address);
    let mut places = Places::default();
    lots.iter().for_each(|lot| places.count(lot, counts));
    let empty = |address: Place<'_>| {
        let amount = places.at(address);
        Holding { amount, ..Holding::empty(whole.coin.clone(), address.cloned()) }
    };
    let mut elsewhere = empty(None);
    let mut there: Vec<Holding> = addresses.iter().map(|address| empty(Some(address))).collect();
    let mut free = places.clone();
    let mut parts: Vec<(usize, Place<'_>, LotState)> = Vec::new();
    let mut rests: Vec<(usize, LotState)> = Vec::new();
    for (index, (mut state, lot)) in whole.lots.into_iter().zip(lots).enumerate() {
        let own = place_of(lot, counts);
        if state.open.is_zero() {
            parts.push((index, own, state));
            continue;
        }
        let taken = free.take(own, &state.open);
        if !taken.is_zero() {
            parts.push((index, own, split_off(&mut state, &taken)));
        }
        if !state.open.is_zero() {
            rests.push((index, state));
        }
    }
    for (index, mut state) in rests {
        for place in std::iter::once(None).chain(addresses.iter().copied().map(Some)) {
            let taken = free.take(place, &state.open);
            if !taken.is_zero() {
                parts.push((index, place, split_off(&mut state, &taken)));
            }
        }
    }
    parts.sort_by_key(|(index, ..)| *index);
    for (_, place, state) in parts {
        let address = there.iter_mut().find(|held| held.address.as_ref() == place && place.is_some());
        let held = address.unwrap_or(&mut elsewhere);
        if let Some(cost) = &state.cost {
            held.costed = held.costed.clone() + &state.open;
            held.cost = held.cost.clone() + cost;
        }
        held.realised = held.realised.clone() + &state.realised.clone().unwrap_or_default();
        held.lots.push(state);
    }
    // Average costs of lots are rounded, but their sum is not.
    elsewhere.cost = there.iter().fold(whole.cost, |cost, held| cost - &held.cost);
    if elsewhere.costed.is_zero()
        && let Some(last) = there.iter_mut().rfind(|held| !held.costed.is_zero())
    {
        last.cost = last.cost.clone() + &std::mem::take(&mut elsewhere.cost);
    }
    (elsewhere, there)
}

/// Removes an amount that exceeds the balance of an address from the lots there: from the oldest first, like a sale.
pub(super) fn remove_excess(held: &mut Holding, excess: &Decimal) {
    let mut rest = excess.clone();
    for state in held.lots.iter_mut().filter(|state| !state.open.is_zero()) {
        if rest.is_zero() {
            break;
        }
        let taken = rest.clone().min(state.open.clone());
        if let Some(cost) = split_cost(&mut state.cost, &taken, &state.open) {
            held.costed = held.costed.clone() - &taken;
            held.cost = held.cost.clone() - &cost;
        }
        split_cost(&mut state.own_cost, &taken, &state.open);
        state.open = state.open.clone() - &taken;
        state.problem = Some(LotProblem::MoreThanBalance(taken.clone()));
        rest = rest - &taken;
    }
    if held.costed.is_zero() {
        held.cost = Decimal::default();
    }
}

/// Splits an amount with its cost off a lot. Realised profit moves with it, so that it counts once.
fn split_off(state: &mut LotState, amount: &Decimal) -> LotState {
    let split = LotState {
        id: state.id,
        date: state.date,
        open: amount.clone(),
        cost: split_cost(&mut state.cost, amount, &state.open),
        own_cost: split_cost(&mut state.own_cost, amount, &state.open),
        realised: state.realised.take(),
        problem: state.problem.clone(),
    };
    state.open = state.open.clone() - amount;
    split
}

/// Splits off the share of a cost that `amount` has in `all`.
fn split_cost(cost: &mut Option<Decimal>, amount: &Decimal, all: &Decimal) -> Option<Decimal> {
    let share = part(cost.as_ref()?, amount, all);
    *cost = cost.take().map(|whole| whole - &share);
    Some(share)
}
