//! The number of a sat.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The ordinal number of a sat: 0 to 2099999997689999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "u64", try_from = "u64")]
pub struct SatNumber(u64);

impl SatNumber {
    /// The number of sats that will ever exist, 2099999997690000.
    pub const SUPPLY: u64 = ordinals::Sat::SUPPLY;

    /// A sat number; `None` unless it is less than [`SatNumber::SUPPLY`].
    pub fn new(number: u64) -> Option<SatNumber> {
        (number < Self::SUPPLY).then_some(SatNumber(number))
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl From<SatNumber> for u64 {
    fn from(number: SatNumber) -> u64 {
        number.0
    }
}

impl TryFrom<u64> for SatNumber {
    type Error = &'static str;

    fn try_from(number: u64) -> Result<SatNumber, &'static str> {
        SatNumber::new(number).ok_or("sat number too large")
    }
}

impl From<SatNumber> for ordinals::Sat {
    fn from(number: SatNumber) -> ordinals::Sat {
        ordinals::Sat(number.get())
    }
}

impl fmt::Display for SatNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
