//! The units of a coin's amounts, if a response states them: `{"units": {"market_cap": "million USD"}}`,
//! `{"market_cap_unit": "million"}`.

use super::field::Field;
use crate::client::decode::money::{AmountUnit, Quantity};
use crate::client::decode::names::{Found, Lookup, Names as _};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::{Coin, Currency};

/// Further names in `units`.
const SUPPLIES: &[&str] = &["supply", "supplies", "circulating_supply", "total_supply", "max_supply"];
const PRICES: &[&str] = &["prices"];

/// Maximum fields of an object around a list that states units. A larger one is a map of coins.
const MAX_AROUND: usize = 100;

/// The stated units.
#[derive(Clone, Debug, Default)]
pub(super) struct AmountUnits {
    price: Option<AmountUnit>,
    volume: Option<AmountUnit>,
    market_cap: Option<AmountUnit>,
    supply: Option<AmountUnit>,
}

impl AmountUnits {
    /// The units stated next to the list of a response, or in its metadata.
    pub(super) fn around(root: Value<'_>, lookup: &mut Lookup<Field>) -> AmountUnits {
        let mut units = AmountUnits::default();
        let places = [Some(root), root.get("meta"), root.get("data")].into_iter().flatten();
        for place in places.filter(|place| place.is_object() && place.fields().nth(MAX_AROUND).is_none()) {
            units.add(&lookup.read(place));
        }
        units
    }

    /// Adds the units that an object states, unless they are known.
    pub(super) fn add(&mut self, found: &Found<'_, '_, Field>) {
        let own = [
            (&mut self.price, Field::PriceUnit),
            (&mut self.volume, Field::VolumeUnit),
            (&mut self.market_cap, Field::MarketCapUnit),
            (&mut self.supply, Field::SupplyUnit),
        ];
        for (unit, field) in own {
            // Other names of the price's unit are those of its currency.
            let may_state = || !matches!(field, Field::PriceUnit) || found.is_first_name(field);
            if let Some(value) = found.get(field).filter(|_| unit.is_none() && may_state()) {
                *unit = AmountUnit::parse(value).filter(|unit| !matches!(field, Field::PriceUnit) || unit.is_scaled());
            }
        }
        if let Some(units) = found.get(Field::Units).filter(Value::is_object) {
            for (unit, names, more) in [
                (&mut self.price, Field::Price.names(), PRICES),
                (&mut self.volume, Field::QuoteVolume.names(), Field::Volume.names()),
                (&mut self.market_cap, Field::MarketCap.names(), &[]),
                (&mut self.supply, SUPPLIES, &[]),
            ] {
                if unit.is_none() {
                    *unit = units.any(names).or_else(|| units.any(more)).and_then(AmountUnit::parse);
                }
            }
        }
        // A unit of all amounts doesn't fit prices and market caps alike.
        let shared = found.get(Field::PriceUnit).filter(|_| found.name(Field::PriceUnit) == Some("unit"));
        if let Some(shared) = shared.and_then(AmountUnit::parse).filter(AmountUnit::is_scaled) {
            for unit in [&mut self.price, &mut self.volume, &mut self.market_cap] {
                unit.get_or_insert_with(|| shared.clone().into_unclear());
            }
        }
        // Next to the volume in money, a unit may be that of the volume in coins.
        if found.get(Field::QuoteVolume).is_some() {
            self.volume.take_if(|unit| !unit.is_scaled());
        }
    }

    /// The currency of prices.
    pub(super) fn currency(&self) -> Option<Currency> {
        self.price.as_ref()?.currency.clone()
    }

    /// Converts the amounts of a coin, whose prices are in this currency. Amounts in an unclear unit are removed, with a
    /// warning. `around` has the units of the response.
    pub(super) fn apply(
        &self,
        around: &AmountUnits,
        context: &mut Context<'_>,
        (item, coin): (Value<'_>, &mut Coin),
        currency: &Currency,
    ) {
        let price = self.price.as_ref().or(around.price.as_ref());
        let volume = self.volume.as_ref().or(around.volume.as_ref());
        let cap = self.market_cap.as_ref().or(around.market_cap.as_ref());
        let supply = self.supply.as_ref().or(around.supply.as_ref());
        let money = Quantity::Money(currency);
        if let Some(unit) = price {
            let amounts = [
                &mut coin.price,
                &mut coin.high_24h,
                &mut coin.low_24h,
                &mut coin.all_time_high,
                &mut coin.all_time_low,
            ];
            unit.convert(context, item, amounts, (money, "price"));
        }
        if let Some(unit) = volume {
            unit.convert(context, item, [&mut coin.volume_24h], (money, "volume"));
        }
        if let Some(unit) = cap {
            unit.convert(context, item, [&mut coin.market_cap], (money, "market cap"));
        }
        if let Some(unit) = supply {
            let amounts = [&mut coin.circulating_supply, &mut coin.total_supply, &mut coin.max_supply];
            unit.convert(context, item, amounts, (Quantity::Coins { symbol: &coin.symbol }, "supply"));
        }
        if price.is_some_and(|unit| unit.is_scaled() || unit.money(1.0, currency).is_none()) {
            coin.sparkline_7d.clear();
        }
    }
}
