//! Figures of a market pair in objects of their own, and their units: `{"volume": {"usd": 123}}`,
//! `{"depth": {"+2%": 5, "-2%": 6}}`, `{"volume_unit": "thousand USD"}`.

use super::field::Field;
use crate::client::decode::money::{self, AmountUnit, Quantity};
use crate::client::decode::names::{Found, Names as _};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::Currency;

/// Field names of values over a day.
const DAY: &[&str] = &["24h", "h24", "24hr", "1d", "day"];

/// Field names of the depth 2% above and below the price. Signs are compared exactly.
const ABOVE: &[&str] = &["plus2", "plus_2pct", "plus_two", "positive_two", "positive2", "up2", "up_2pct"];
const BELOW: &[&str] = &["minus2", "minus_2pct", "minus_two", "negative_two", "negative2", "down2", "down_2pct"];
const ABOVE_SIGNED: [&str; 4] = ["+2%", "+2", "+2pct", "+2.0%"];
const BELOW_SIGNED: [&str; 4] = ["-2%", "-2", "-2pct", "-2.0%"];

/// The same in an object that is itself named after the 2%.
const SIDES_ABOVE: &[&str] = &["plus", "positive", "up", "above", "upper"];
const SIDES_BELOW: &[&str] = &["minus", "negative", "down", "below", "lower"];

/// Names of [`Field::Depth`] that include the 2%.
const NAMED: [&str; 2] = ["depth_2pct", "depth_2_percent"];

/// The volume over 24 hours among volumes by period; other values unchanged. A price under a period may be an earlier one
/// or a change.
pub(super) fn of_day(value: Value<'_>, field: Field) -> Value<'_> {
    let is_volume = matches!(field, Field::Volume | Field::UnclearVolume | Field::VolumeUsd) && value.is_object();
    if is_volume { value.any(DAY).unwrap_or(value) } else { value }
}

/// The volumes by currency in an object. `None` if it may be in coins: a number, or under the coin's symbol.
pub(super) fn volume<'a>(value: Value<'a>, symbol: &str) -> Option<Value<'a>> {
    let volumes = of_day(value, Field::UnclearVolume);
    let has_coin = || volumes.fields().any(|(key, _)| key.raw().eq_ignore_ascii_case(symbol));
    (money::is_by_currency(volumes) && !has_coin()).then_some(volumes)
}

/// Whether a volume is in an unknown unit.
pub(super) fn is_unclear(value: Value<'_>, symbol: &str) -> bool {
    value.number().is_some() || value.is_object() && volume(value, symbol).is_none()
}

/// The depth above or below the price in an object with both.
pub(super) fn depth<'a>(found: &Found<'_, 'a, Field>, is_above: bool) -> Option<Value<'a>> {
    let depths = found.get(Field::Depth).filter(Value::is_object)?;
    let (names, signed, sides) =
        if is_above { (ABOVE, ABOVE_SIGNED, SIDES_ABOVE) } else { (BELOW, BELOW_SIGNED, SIDES_BELOW) };
    let by_sign = || {
        let is_it = |key: &str| signed.iter().any(|name| key.replace('\u{2212}', "-").trim() == *name);
        depths.fields().find(|(key, value)| is_it(key.raw()) && !value.is_null()).map(|(_, value)| value)
    };
    let is_named = found.name(Field::Depth).is_some_and(|name| NAMED.contains(&name));
    let by_side = || if is_named { depths.any(sides) } else { None };
    depths.any(names).or_else(by_sign).or_else(by_side)
}

/// The units that a pair states.
#[derive(Debug)]
pub(super) struct Units {
    price: Option<AmountUnit>,
    volume: Option<AmountUnit>,
    depth: Option<AmountUnit>,
}

impl Units {
    /// The units in a pair.
    pub(super) fn of(found: &Found<'_, '_, Field>) -> Units {
        let units = found.get(Field::Units).filter(Value::is_object);
        let unit = |field: Field, names: &[&str]| {
            let value = found.get(field).or_else(|| units?.any(names))?;
            AmountUnit::parse(value)
        };
        let price = unit(Field::PriceUnit, Field::Price.names());
        let volume =
            unit(Field::VolumeUnit, Field::Volume.names()).or_else(|| AmountUnit::parse(units?.get("volume")?));
        Units { price, volume, depth: unit(Field::DepthUnit, Field::Depth.names()) }
    }

    /// Converts the price, the volume and the depths of a pair in this currency. Amounts in an unclear unit are removed,
    /// with a warning.
    pub(super) fn apply(
        &self,
        context: &mut Context<'_>,
        (item, amounts): (Value<'_>, &mut [Option<f64>; 4]),
        currency: &Currency,
    ) {
        let units = [(&self.price, "price"), (&self.volume, "volume"), (&self.depth, "depth"), (&self.depth, "depth")];
        for (amount, (unit, what)) in amounts.iter_mut().zip(units) {
            if let Some(unit) = unit {
                unit.convert(context, item, [amount], (Quantity::Money(currency), what));
            }
        }
    }
}
