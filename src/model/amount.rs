//! BRC-20 amounts, exact: a `u128` that counts 10^-18.

use std::fmt;

use serde::{Serialize, Serializer};

/// A BRC-20 amount: at most 18446744073709551615 whole units of at most 18 decimals (1.84e37 < 2^128).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(u128);

impl Amount {
    /// From a count of 10^-18.
    pub const fn from_atoms(atoms: u128) -> Amount {
        Amount(atoms)
    }

    /// The count of 10^-18.
    pub const fn atoms(self) -> u128 {
        self.0
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
