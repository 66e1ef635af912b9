//! Charts by currency: `{"usd": [[ms, price]], "eur": [[ms, price]]}`, also in `prices`.

use super::envelope::{WRAPPED, WRAPPERS};
use super::points::{SERIES, Series, is_not_price};
use super::tape::Value;
use crate::model::Currency;

/// Maximum currencies of a chart. A larger map is by something else, such as time.
const MAX_CURRENCIES: usize = 100;

/// The points of a chart in the requested currency, or else in dollars or the first one, with their currency. `None` if
/// the chart is not by currency. `is_coin` tells whether a currency is the coin itself.
pub(super) fn find<'a>(
    place: Value<'a>,
    requested: &Currency,
    is_coin: &dyn Fn(&Currency) -> bool,
) -> Option<(Series<'a>, Currency)> {
    let mut at = place;
    for _ in 0..WRAPPED {
        if !at.is_object() || at.is_raw() {
            return None;
        }
        if let Some((points, currency)) = choose(at, requested, is_coin) {
            return Some((Series::find(points, WRAPPERS)?, currency));
        }
        let inside = WRAPPERS.iter().chain(SERIES).filter_map(|name| at.get(name));
        at = inside.into_iter().find(Value::is_object)?;
    }
    None
}

/// The points in one currency of a map, all of whose lists and objects are points by currency, except volumes and market
/// caps. At least one is in a currency other than a coin: other codes may be coins with charts of their own.
fn choose<'a>(
    map: Value<'a>,
    requested: &Currency,
    is_coin: &dyn Fn(&Currency) -> bool,
) -> Option<(Value<'a>, Currency)> {
    let (mut best, mut has_fiat): (Option<(u8, Value<'a>, Currency)>, bool) = (None, false);
    for (at, (key, points)) in map.fields().enumerate() {
        if at < MAX_CURRENCIES && (!points.is_array() && !points.is_object() || is_not_price(key.raw())) {
            continue;
        }
        let currency = Currency::parse(key.raw()).filter(|currency| at < MAX_CURRENCIES && currency.exists())?;
        if is_coin(&currency) {
            return None;
        }
        has_fiat |= !currency.is_quote_coin() && currency != Currency::bitcoin();
        let rank = if currency == *requested { 0 } else { 1 + u8::from(currency != Currency::usd()) };
        if best.as_ref().is_none_or(|(known, ..)| rank < *known) {
            best = Some((rank, points, currency));
        }
    }
    best.filter(|_| has_fiat).map(|(_, points, currency)| (points, currency))
}
