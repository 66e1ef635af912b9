//! Figures of a market pair in objects of their own, and their units: `{"volume": {"usd": 123}}`,
//! `{"depth": {"+2%": 5, "-2%": 6}}`, `{"volume_unit": "thousand USD"}`.

use std::borrow::Cow;

use super::field::Field;
use crate::client::decode::envelope::{IsItem, describing};
use crate::client::decode::money::{self, AmountUnit, Quantity};
use crate::client::decode::names::{Found, Lookup, Names as _};
use crate::client::decode::read::{Context, names_money};
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

/// The attributes and the exchange of a GeckoTerminal pool, which are beside each other.
pub(super) fn pool<'a>(item: Value<'a>) -> Option<(Value<'a>, Cow<'a, str>)> {
    let dex = item.get("relationships")?.get("dex")?.get("data")?.get("id")?.str()?;
    item.get("attributes").filter(Value::is_object).map(|pool| (pool, dex))
}

/// The volume over 24 hours among volumes by period; other values unchanged. A price under a period may be an earlier one
/// or a change.
pub(super) fn of_day(value: Value<'_>, field: Field) -> Value<'_> {
    let is_volume = matches!(field, Field::Volume | Field::UnclearVolume | Field::VolumeUsd) && value.is_object();
    if is_volume { value.any(DAY).unwrap_or(value) } else { value }
}

/// The volumes by currency in an object, or one that states its currency: `"2.26B USD"`. `None` if it may be in coins: a
/// number, or under the coin's symbol.
pub(super) fn volume<'a>(value: Value<'a>, symbol: &str) -> Option<Value<'a>> {
    let volumes = of_day(value, Field::UnclearVolume);
    if volumes.str().is_some_and(|words| names_money(&words)) {
        return Some(volumes);
    }
    let has_coin = || volumes.fields().any(|(key, _)| key.raw().eq_ignore_ascii_case(symbol));
    (money::is_by_currency(volumes) && !has_coin()).then_some(volumes)
}

/// Whether a volume is in an unknown unit.
pub(super) fn is_unclear(value: Value<'_>, symbol: &str) -> bool {
    let has_digit = |words: &str| words.bytes().any(|b| b.is_ascii_digit());
    let is_amount = value.number().is_some() || value.is_object() || value.str().is_some_and(|words| has_digit(&words));
    is_amount && volume(value, symbol).is_none()
}

/// The depth above or below the price in an object with both, and the currency that the object states.
pub(super) fn depth<'a>(found: &Found<'_, 'a, Field>, is_above: bool) -> Option<(Value<'a>, Option<Currency>)> {
    let depths = found.get(Field::Depth).filter(Value::is_object)?;
    let (names, signed, sides) =
        if is_above { (ABOVE, ABOVE_SIGNED, SIDES_ABOVE) } else { (BELOW, BELOW_SIGNED, SIDES_BELOW) };
    let by_sign = || {
        let is_it = |key: &str| signed.iter().any(|name| key.replace('\u{2212}', "-").trim() == *name);
        depths.fields().find(|(key, value)| is_it(key.raw()) && !value.is_null()).map(|(_, value)| value)
    };
    let is_named = found.name(Field::Depth).is_some_and(|name| NAMED.contains(&name));
    let by_side = || if is_named { depths.any(sides) } else { None };
    let depth = depths.any(names).or_else(by_sign).or_else(by_side)?;
    Some((depth, money::stated_currency(depths)))
}

/// The units that a pair or a response states.
#[derive(Debug, Default)]
pub(super) struct Units {
    price: Option<AmountUnit>,
    volume: Option<AmountUnit>,
    depth: Option<AmountUnit>,
}

impl Units {
    /// The units stated around the list of a response, or in its metadata. The outermost ones win.
    pub(super) fn around(root: Value<'_>, is_item: IsItem<'_>, lookup: &mut Lookup<Field>) -> Units {
        let mut units = Units::default();
        for place in describing(root, is_item) {
            units.add(&lookup.read(place));
        }
        units
    }

    /// The units in the quote of a pair, or else in the pair.
    pub(super) fn of(found: &Found<'_, '_, Field>, quote: Option<&Found<'_, '_, Field>>) -> Units {
        let mut units = Units::default();
        for place in quote.into_iter().chain([found]) {
            units.add(place);
        }
        units
    }

    /// Adds the units that an object states, unless they are known.
    fn add(&mut self, found: &Found<'_, '_, Field>) {
        let inside = found.get(Field::Units).filter(Value::is_object);
        for (unit, field, names, more) in [
            (&mut self.price, Field::PriceUnit, Field::Price.names(), &[][..]),
            (&mut self.volume, Field::VolumeUnit, Field::Volume.names(), Field::UnclearVolume.names()),
            (&mut self.depth, Field::DepthUnit, Field::Depth.names(), &[]),
        ] {
            if unit.is_none() {
                let in_units = || inside.and_then(|inside| inside.any(names).or_else(|| inside.any(more)));
                *unit = found.get(field).or_else(in_units).and_then(AmountUnit::parse);
            }
        }
        let of_depths = || found.get(Field::Depth)?.get("unit").and_then(AmountUnit::parse);
        self.depth = self.depth.take().or_else(of_depths);
        // A unit of all amounts doesn't fit prices and volumes alike.
        if let Some(shared) = found.get(Field::Unit).and_then(AmountUnit::parse).filter(AmountUnit::is_scaled) {
            for unit in [&mut self.price, &mut self.volume, &mut self.depth] {
                unit.get_or_insert_with(|| shared.clone().into_unclear());
            }
        }
    }

    /// The currency in the unit of the price.
    pub(super) fn currency(&self) -> Option<&Currency> {
        self.price.as_ref()?.currency.as_ref()
    }

    /// Converts the price, the volume and the depths of a pair in this currency. Amounts in an unclear unit are removed,
    /// with a warning. `around` has the units of the response.
    pub(super) fn apply(
        &self,
        around: &Units,
        context: &mut Context<'_>,
        (item, amounts): (Value<'_>, &mut [Option<f64>; 4]),
        currency: &Currency,
    ) {
        let depth = self.depth.as_ref().or(around.depth.as_ref());
        let units = [
            (self.price.as_ref().or(around.price.as_ref()), "price"),
            (self.volume.as_ref().or(around.volume.as_ref()), "volume"),
            (depth, "depth"),
            (depth, "depth"),
        ];
        for (amount, (unit, what)) in amounts.iter_mut().zip(units) {
            if let Some(unit) = unit {
                unit.convert(context, item, [amount], (Quantity::Money(currency), what));
            }
        }
    }
}
