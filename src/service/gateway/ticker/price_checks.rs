//! Which prices on a socket are plausible. A socket may send an old price first, or that of another coin.

use std::collections::HashMap;

/// Maximum factor between a price and the last one before it has to be confirmed by the next one.
const MAX_JUMP: f64 = 1.5;

/// Maximum factor between a price and the one that confirms it.
const MAX_MOVE: f64 = 1.1;

/// A price that differs from the list's by more than this factor is that of another coin or unit.
const MAX_FROM_LIST: f64 = 10.0;

/// Whether a price is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service::gateway) enum Plausibility {
    /// It is.
    Plausible,
    /// Not until the next price confirms it.
    Unconfirmed,
    /// It contradicts the list.
    Wrong,
}

/// The prices on one socket, by symbol.
#[derive(Debug, Default)]
pub(in crate::service::gateway) struct PriceChecks {
    last: HashMap<String, f64>,
    unconfirmed: HashMap<String, f64>,
}

impl PriceChecks {
    /// Compares a price with the last one, or with the list's if it is the first, and with an unconfirmed one.
    pub(in crate::service::gateway) fn check(&mut self, symbol: &str, price: f64, listed: Option<f64>) -> Plausibility {
        let before = self.unconfirmed.remove(symbol);
        if listed.is_some_and(|listed| is_far(price, listed, MAX_FROM_LIST)) {
            return Plausibility::Wrong;
        }
        let known = self.last.get(symbol).copied().or(listed);
        let is_near = known.is_none_or(|known| !is_far(price, known, MAX_JUMP));
        if is_near || before.is_some_and(|before| !is_far(price, before, MAX_MOVE)) {
            self.last.insert(symbol.to_owned(), price);
            return Plausibility::Plausible;
        }
        self.unconfirmed.insert(symbol.to_owned(), price);
        Plausibility::Unconfirmed
    }
}

/// Whether two prices differ by more than a factor.
pub(in crate::service::gateway) fn is_far(a: f64, b: f64, factor: f64) -> bool {
    a.max(b) > a.min(b) * factor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jump_is_confirmed_by_the_next_price_and_the_list_is_never_contradicted() {
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
            assert_eq!(checks.check("ORDI", price, listed), expected, "{price} {listed:?}");
        }
        assert_eq!(PriceChecks::default().check("ORDI", 9_000.0, None), Plausible, "nothing to compare with");
    }
}
