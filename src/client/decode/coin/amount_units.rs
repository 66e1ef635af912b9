//! The units of a coin's amounts, if a response states them: `{"units": {"market_cap": "million USD"}}`,
//! `{"market_cap_unit": "million"}`.

use super::field::Field;
use crate::client::decode::envelope::{IsItem, describing};
use crate::client::decode::money::{AmountUnit, Quantity};
use crate::client::decode::names::{Found, Lookup, Names as _};
use crate::client::decode::read::Context;
use crate::client::decode::tape::Value;
use crate::model::{Coin, Currency};

/// What a unit applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Amount {
    /// All prices.
    Price,
    Volume,
    MarketCap,
    /// The supplies without a unit of their own.
    Supply,
    Circulating,
    Total,
    Max,
}

/// The fields that state the unit of an amount.
const FIELDS: [(Amount, Field); 7] = [
    (Amount::Price, Field::PriceUnit),
    (Amount::Volume, Field::VolumeUnit),
    (Amount::MarketCap, Field::MarketCapUnit),
    (Amount::Supply, Field::SupplyUnit),
    (Amount::Circulating, Field::CirculatingUnit),
    (Amount::Total, Field::TotalUnit),
    (Amount::Max, Field::MaxUnit),
];

/// Further names in `units`.
const PRICES: &[&str] = &["prices"];
const SUPPLIES: &[&str] = &["supply", "supplies"];

/// The names of the circulating supply in `units`: those of the field, except the one for all supplies.
const CIRCULATING: &[&str] = &[
    "circulating_supply",
    "available_supply",
    "csupply",
    "circulating",
    "circ_supply",
    "supply_circulating",
    "supply_current",
];

/// The stated units. Most coins have none.
#[derive(Clone, Debug, Default)]
pub(super) struct AmountUnits(Vec<(Amount, AmountUnit)>);

impl AmountUnits {
    /// The units stated around the list of a response. The outermost ones win.
    pub(super) fn around(root: Value<'_>, is_item: IsItem<'_>, lookup: &mut Lookup<Field>) -> AmountUnits {
        let mut units = AmountUnits::default();
        for place in describing(root, is_item) {
            units.add(&lookup.read(place));
        }
        units
    }

    /// Adds the units that an object states, unless they are known.
    pub(super) fn add(&mut self, found: &Found<'_, '_, Field>) {
        for (amount, field) in FIELDS {
            let Some(value) = found.get(field) else { continue };
            // Other names of the price's unit are those of its currency.
            let is_price = amount == Amount::Price;
            let is_unit = |value: Value<'_>| value.number().is_none() && found.name(field) == Some("denomination");
            if !is_price || found.is_first_name(field) || is_unit(value) {
                self.insert(amount, AmountUnit::parse(value).filter(|unit| !is_price || unit.is_scaled()));
            }
        }
        if let Some(units) = found.get(Field::Units).filter(Value::is_object) {
            for (amount, names, more) in [
                (Amount::Price, Field::Price.names(), PRICES),
                (Amount::Volume, Field::QuoteVolume.names(), Field::Volume.names()),
                (Amount::MarketCap, Field::MarketCap.names(), &[]),
                (Amount::Supply, SUPPLIES, &[]),
                (Amount::Circulating, CIRCULATING, &[]),
                (Amount::Total, Field::Total.names(), &[]),
                (Amount::Max, Field::Max.names(), &[]),
            ] {
                self.insert(amount, units.any(names).or_else(|| units.any(more)).and_then(AmountUnit::parse));
            }
            // `total` may be the number of results.
            for (amount, name) in [(Amount::Total, "total"), (Amount::Max, "max")] {
                let unit = units.get(name).filter(|unit| unit.number().is_none()).and_then(AmountUnit::parse);
                self.insert(amount, unit.filter(AmountUnit::is_known_multiple));
            }
        }
        // A unit of all amounts doesn't fit prices and market caps alike.
        let shared = found.get(Field::PriceUnit).filter(|_| found.name(Field::PriceUnit) == Some("unit"));
        if let Some(shared) = shared.and_then(AmountUnit::parse).filter(AmountUnit::is_scaled) {
            for amount in [Amount::Price, Amount::Volume, Amount::MarketCap] {
                self.insert(amount, Some(shared.clone().into_unclear()));
            }
        }
        // Next to the volume in money, a unit may be that of the volume in coins.
        if found.get(Field::QuoteVolume).is_some() {
            self.0.retain(|(amount, unit)| *amount != Amount::Volume || unit.is_scaled());
        }
    }

    fn insert(&mut self, amount: Amount, unit: Option<AmountUnit>) {
        if let Some(unit) = unit.filter(|_| self.get(amount).is_none()) {
            self.0.push((amount, unit));
        }
    }

    fn get(&self, amount: Amount) -> Option<&AmountUnit> {
        self.0.iter().find(|(own, _)| *own == amount).map(|(_, unit)| unit)
    }

    /// The currency of prices.
    pub(super) fn currency(&self) -> Option<Currency> {
        self.get(Amount::Price)?.currency.clone()
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
        if self.0.is_empty() && around.0.is_empty() {
            return;
        }
        let unit = |amount: Amount| self.get(amount).or_else(|| around.get(amount));
        let money = Quantity::Money(currency);
        if let Some(unit) = unit(Amount::Price) {
            let amounts = [
                &mut coin.price,
                &mut coin.high_24h,
                &mut coin.low_24h,
                &mut coin.all_time_high,
                &mut coin.all_time_low,
            ];
            unit.convert(context, item, amounts, (money, "price"));
            if unit.is_scaled() || unit.money(1.0, currency).is_none() {
                coin.sparkline_7d.clear();
            }
        }
        if let Some(unit) = unit(Amount::Volume) {
            unit.convert(context, item, [&mut coin.volume_24h], (money, "volume"));
        }
        if let Some(unit) = unit(Amount::MarketCap) {
            unit.convert(context, item, [&mut coin.market_cap], (money, "market cap"));
        }
        let coins = Quantity::Coins { symbol: &coin.symbol };
        let mut others = Vec::new();
        for (amount, supply, name) in [
            (Amount::Circulating, &mut coin.circulating_supply, "circulating supply"),
            (Amount::Total, &mut coin.total_supply, "total supply"),
            (Amount::Max, &mut coin.max_supply, "max supply"),
        ] {
            // A unit that the coin states for all supplies wins over one that the response states for a single supply.
            let stated = self.get(amount).or_else(|| around.get(amount).filter(|_| self.get(Amount::Supply).is_none()));
            match stated {
                Some(unit) => unit.convert(context, item, [supply], (coins, name)),
                None => others.push(supply),
            }
        }
        if let Some(unit) = unit(Amount::Supply) {
            unit.convert(context, item, others, (coins, "supply"));
        }
    }
}
