//! The bitcoin balance of an address.

use serde::{Deserialize, Serialize};

use super::amount::Amount;
use super::decimal::Decimal;
use super::text::Text;

/// The bitcoin balance of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BitcoinBalance {
    /// The address.
    pub address: Text,
    /// The balance in the newest block, in sats.
    pub confirmed: u64,
    /// The change by unconfirmed transactions, in sats; negative if more is sent than received.
    pub unconfirmed: i64,
}

/// Maximum sats: all that will ever exist.
pub const MAX_SATS: u64 = 21_000_000 * 100_000_000;

/// Amounts have 18 decimals, bitcoin 8.
const ATOMS_PER_SAT: u128 = 10_000_000_000;

impl BitcoinBalance {
    /// The balance in the newest block, in bitcoin.
    pub fn amount(&self) -> Amount {
        amount(self.confirmed)
    }

    /// The balance in the newest block, in bitcoin, as a decimal number.
    pub fn bitcoin(&self) -> Decimal {
        Decimal::from(self.amount())
    }

    /// The unconfirmed change in bitcoin; `None` if there is none.
    pub fn unconfirmed_bitcoin(&self) -> Option<Decimal> {
        let change = Decimal::from(amount(self.unconfirmed.unsigned_abs()));
        match self.unconfirmed {
            0 => None,
            ..0 => Some(-change),
            _ => Some(change),
        }
    }
}

fn amount(sats: u64) -> Amount {
    Amount::from_atoms(u128::from(sats) * ATOMS_PER_SAT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sats_are_exact_bitcoin() {
        let balance = |confirmed, unconfirmed| BitcoinBalance { address: "bc1q".into(), confirmed, unconfirmed };
        let shown = |it: &BitcoinBalance| (it.bitcoin().to_string(), it.unconfirmed_bitcoin().map(|it| it.to_string()));
        assert_eq!(shown(&balance(MAX_SATS, 0)), ("21000000".into(), None));
        assert_eq!(shown(&balance(1, -150_000_000)), ("0.00000001".into(), Some("-1.5".into())));
        assert_eq!(shown(&balance(0, 7)), ("0".into(), Some("0.00000007".into())));
    }
}
