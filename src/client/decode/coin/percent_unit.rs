//! The unit of changes, if a response states it: `{"percent_unit": "fraction"}`, or by field in `units`.

use super::field::Field;
use crate::client::decode::envelope::{IsItem, describing};
use crate::client::decode::names::{Found, Names as _};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::{Coin, Currency};

/// Names of changes in `units`.
const CHANGES: &[&str] = &["percent_change_24h", "change_24h", "percent_change", "change", "percent"];

/// The unit of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PercentUnit {
    Percent,
    /// 0.038 is 3.8%.
    Fraction,
    Unknown,
}

impl PercentUnit {
    /// The unit that a coin states.
    pub(super) fn of(found: &Found<'_, '_, Field>) -> Option<PercentUnit> {
        let unit = found.get(Field::PercentUnit).or_else(|| found.get(Field::Units)?.any(CHANGES))?;
        PercentUnit::parse(unit)
    }

    /// The unit stated around the list of a response. The outermost one wins.
    pub(super) fn around(root: Value<'_>, is_item: IsItem<'_>) -> Option<PercentUnit> {
        describing(root, is_item).into_iter().find_map(|place| {
            let units = || place.entry("units").filter(|entry| !is_item(place, *entry))?.1.any(CHANGES);
            PercentUnit::parse(place.any(Field::PercentUnit.names()).or_else(units)?)
        })
    }

    fn parse(unit: Value<'_>) -> Option<PercentUnit> {
        let unit = unit.str()?;
        let unit = unit.trim();
        let is_one_of = |words: &[&str]| words.iter().any(|word| unit.eq_ignore_ascii_case(word));
        // A period, or the currency of changes in money.
        let is_other = unit.bytes().any(|b| b.is_ascii_digit()) || Currency::parse_known(unit).is_some();
        if unit.is_empty() || is_other {
            None
        } else if is_one_of(&["percent", "percentage", "pct", "%"]) {
            Some(PercentUnit::Percent)
        } else if is_one_of(&["fraction", "ratio"]) {
            Some(PercentUnit::Fraction)
        } else {
            Some(PercentUnit::Unknown)
        }
    }

    /// Converts the changes of a coin to percent. Changes in an unknown unit are removed, with a warning.
    pub(super) fn apply(self, context: &mut Context<'_>, item: Value<'_>, coin: &mut Coin) {
        let changes = [&mut coin.change_1h_pct, &mut coin.change_24h_pct, &mut coin.change_7d_pct];
        match self {
            PercentUnit::Percent => {}
            PercentUnit::Fraction => changes.into_iter().flatten().for_each(|change| *change = in_percent(*change)),
            PercentUnit::Unknown => {
                if changes.into_iter().filter_map(Option::take).count() > 0 {
                    context.warn_at(item, || String::from("ignored changes in an unknown unit"));
                }
            }
        }
    }
}

/// A fraction in percent, without the digits that a float adds.
fn in_percent(fraction: f64) -> f64 {
    (fraction * 1e12).round() / 1e10
}
