//! Prices by currency under a name that 7-day prices have, too: `{"prices": {"usd": 8.41, "eur": 7.7}}`.

use super::field::Field;
use crate::client::decode::money;
use crate::client::decode::names::Found;
use crate::client::decode::points;
use crate::client::decode::tape::Value;

/// The prices by currency of a coin: a map, or a list of prices with their currency.
pub(super) fn by_currency<'a>(found: &Found<'_, 'a, Field>) -> Option<Value<'a>> {
    let prices = found.get(Field::Sparkline)?;
    let has_currency =
        |price: Value<'_>| price.is_object() && money::stated_currency(price).is_some() && !points::has_time(price);
    let is_list = || prices.items().next().is_some() && prices.items().all(has_currency);
    (money::is_by_currency(prices) || is_list()).then_some(prices)
}
