//! A satoshi by ordinal theory, computed with the `ordinals` crate.

use std::fmt;

use serde::Serialize;

use super::Text;

/// The number of a sat by ordinal theory: 0 to 2099999997689999.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct SatNumber(u64);

impl SatNumber {
    /// The number of sats that will ever be, 2099999997690000.
    pub const SUPPLY: u64 = ordinals::Sat::SUPPLY;

    /// `None` from [`SatNumber::SUPPLY`] on.
    pub fn new(number: u64) -> Option<SatNumber> {
        (number < Self::SUPPLY).then_some(SatNumber(number))
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for SatNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What ordinal theory says of a sat, what an indexer adds, and where the two differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sat {
    /// Identity.
    pub number: SatNumber,
    /// 1 to 11 letters a to z.
    pub name: Text,
    /// `height.offset`.
    pub decimal: Text,
    /// `cycle°epoch offset′period offset″block offset‴`.
    pub degree: Text,
    /// Share of all sats that came before, with `%`.
    pub percentile: Text,
    /// `common` to `mythic`.
    pub rarity: Text,
    /// The block that mines it.
    pub block_height: u64,
    /// Conjunctions of halving and difficulty adjustment before it.
    pub cycle: u64,
    /// Halvings before it.
    pub epoch: u64,
    /// Difficulty adjustments before it.
    pub period: u64,
    /// Its place in the block's subsidy.
    pub offset: u64,
    /// `coin`, `nineball`, `palindrome`, `uncommon`, … as far as the number alone tells.
    pub charms: Vec<Text>,
    /// The latest inscription on it, from the indexer.
    pub inscription_id: Option<Text>,
    /// Where the indexer says otherwise.
    pub disagreements: Vec<Disagreement>,
}

/// A field in which an indexer's answer differs from ordinal theory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Disagreement {
    /// The field of [`Sat`].
    pub field: Text,
    /// What the indexer says.
    pub indexer: Text,
    /// What ordinal theory says.
    pub computed: Text,
}
