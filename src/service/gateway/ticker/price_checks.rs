//! Which prices on a socket are plausible. A socket may send an old price first, or another coin's price.

use std::collections::HashMap;

use crate::model::live_price::is_far;

/// Maximum factor between a price and the last one before it has to be confirmed by the next one.
const MAX_JUMP: f64 = 1.5;

/// Maximum factor between a price and the one that confirms it.
const MAX_MOVE: f64 = 1.1;

/// A price that differs from the prices of all lists by more than this factor belongs to another coin or unit.
const MAX_FROM_LIST: f64 = 10.0;

/// Whether a price is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service::gateway) enum Plausibility {
    /// It is.
    Plausible,
    /// Not until the next price confirms it.
    Unconfirmed,
    /// It contradicts the lists.
    Wrong,
}

/// The prices on one socket, by symbol.
#[derive(Debug, Default)]
pub(in crate::service::gateway) struct PriceChecks {
    /// The last price, and whether it was compared with a list, or is near one that was.
    last: HashMap<String, (f64, bool)>,
    unconfirmed: HashMap<String, f64>,
}

impl PriceChecks {
    /// Compares a price with the last one, or with the prices of lists if it is the first, and with an unconfirmed one.
    pub(in crate::service::gateway) fn check(&mut self, symbol: &str, price: f64, listed: &[f64]) -> Plausibility {
        let before = self.unconfirmed.remove(symbol);
        let last = self.last.get(symbol).copied();
        let is_near = |known: &[f64], factor| known.iter().any(|known| !is_far(price, *known, factor));
        let last_compared = last.filter(|(_, is_compared)| *is_compared).map(|(last, _)| last);
        // A price can move far from the lists, which may be minutes old, but not in one step.
        if !listed.is_empty() && !is_near(listed, MAX_FROM_LIST) && !is_near(last_compared.as_slice(), MAX_JUMP) {
            return Plausibility::Wrong;
        }
        let last_price = last.map(|(last, _)| last);
        let known = if last.is_some() { last_price.as_slice() } else { listed };
        if known.is_empty() || is_near(known, MAX_JUMP) || is_near(before.as_slice(), MAX_MOVE) {
            let is_compared = !listed.is_empty() || last_compared.is_some();
            self.last.insert(symbol.to_owned(), (price, is_compared));
            return Plausibility::Plausible;
        }
        self.unconfirmed.insert(symbol.to_owned(), price);
        Plausibility::Unconfirmed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jump_is_confirmed_by_the_next_price_unless_it_contradicts_the_lists() {
        use Plausibility::{Plausible, Unconfirmed, Wrong};
        let mut checks = PriceChecks::default();
        for (price, listed, expected) in [
            (3.0, Some(8.0), Unconfirmed),
            (8.1, Some(8.0), Plausible),
            (3.0, Some(8.0), Unconfirmed),
            (3.1, Some(8.0), Plausible),
            (3.2, Some(8.0), Plausible),
            (9_000.0, Some(8.0), Wrong),
            (9_000.0, Some(8.0), Wrong),
            (0.7, Some(8.0), Wrong),
            (3.3, Some(8.0), Plausible),
            (9_000.0, None, Unconfirmed),
            (3.3, None, Plausible),
        ] {
            assert_eq!(checks.check("ORDI", price, listed.as_slice()), expected, "{price} {listed:?}");
        }
        assert_eq!(PriceChecks::default().check("ORDI", 9_000.0, &[]), Plausible, "nothing to compare with");
    }

    #[test]
    fn price_may_move_far_from_the_lists_in_steps() {
        let mut checks = PriceChecks::default();
        for price in [8.1, 6.0, 4.5, 3.5, 2.5, 1.8, 1.3, 0.9, 0.7, 0.5] {
            assert_eq!(checks.check("ORDI", price, &[8.0]), Plausibility::Plausible, "{price}");
        }
        // Not from a price that no list has confirmed.
        let mut checks = PriceChecks::default();
        assert_eq!(checks.check("ORDI", 0.5, &[]), Plausibility::Plausible);
        assert_eq!(checks.check("ORDI", 0.5, &[8.0]), Plausibility::Wrong);
        // One of the lists may be wrong, or newer than the others.
        assert_eq!(checks.check("ORDI", 0.5, &[8.0, 0.6]), Plausibility::Plausible);
    }
}
