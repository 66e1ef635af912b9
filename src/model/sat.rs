//! Satoshis in ordinal theory, computed with the `ordinals` crate.
//!
//! Terms and notations follow the ordinal theory handbook: a sat has a number and can also be written as a name
//! (`ahehcbywzae`), as `height.offset`, as a degree (`0°122860′892″20444193‴`) or as a percentile.

mod notation;
mod number;

use std::fmt;

use serde::{Deserialize, Serialize};

use super::text::Text;

pub use notation::SatParseError;
pub use number::SatNumber;

/// The ordinal fields of a sat, the fields that an indexer adds, and where the two disagree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sat {
    /// Identity.
    pub number: SatNumber,
    /// 1 to 11 letters a to z.
    pub name: Text,
    /// `height.offset`.
    pub decimal: Text,
    /// `cycle°epoch offset′period offset″block offset‴`.
    pub degree: Text,
    /// The share of sats before it, with `%`.
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
    /// The sat's offset in the block's subsidy.
    pub offset: u64,
    /// `coin`, `nineball`, `palindrome`, `uncommon`, …: the charms that follow from the number alone.
    pub charms: Vec<Text>,
    /// The latest inscription on it, from the indexer.
    pub inscription_id: Option<Text>,
    /// Fields in which the indexer disagrees.
    pub disagreements: Vec<Disagreement>,
}

impl Sat {
    /// Everything that follows from the number alone.
    pub fn computed(number: SatNumber) -> Sat {
        let sat = ordinals::Sat::from(number);
        let text = |value: &dyn fmt::Display| Text::from(value.to_string());
        Sat {
            number,
            name: Text::from(sat.name()),
            decimal: text(&sat.decimal()),
            degree: text(&sat.degree()),
            percentile: Text::from(sat.percentile()),
            rarity: text(&sat.rarity()),
            block_height: u64::from(sat.height().n()),
            cycle: u64::from(sat.cycle()),
            epoch: u64::from(sat.epoch().0),
            period: u64::from(sat.period()),
            offset: sat.third(),
            charms: ordinals::Charm::charms(sat.charms()).iter().map(|charm| text(charm)).collect(),
            inscription_id: None,
            disagreements: Vec::new(),
        }
    }

    /// Compares an indexer's value of `field` (a field of this type) with the computed one, and records a difference.
    /// Different spellings don't count: ASCII degree marks, or other digits of the same float.
    ///
    /// From the tenth halving on, Hiro's API computes fractional subsidies, so it differs for such sats.
    pub fn compare(&mut self, field: &'static str, indexer: &str) {
        let computed = match field {
            "name" => self.name.clone(),
            "decimal" => self.decimal.clone(),
            "degree" => self.degree.clone(),
            "percentile" => self.percentile.clone(),
            "rarity" => self.rarity.clone(),
            "number" => Text::from(self.number.to_string()),
            "block_height" => Text::from(self.block_height.to_string()),
            "cycle" => Text::from(self.cycle.to_string()),
            "epoch" => Text::from(self.epoch.to_string()),
            "period" => Text::from(self.period.to_string()),
            "offset" => Text::from(self.offset.to_string()),
            _ => return,
        };
        if !notation::same(field, indexer, &computed) {
            self.disagreements.push(Disagreement {
                field: Text::const_new(field),
                indexer: Text::from(indexer),
                computed,
            });
        }
    }
}

/// A field in which an indexer disagrees with ordinal theory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disagreement {
    /// The field of [`Sat`].
    pub field: Text,
    /// The indexer's value.
    pub indexer: Text,
    /// The computed value.
    pub computed: Text,
}
