//! Charts in the formats of chart libraries and services whose times and prices are in different objects: Chart.js,
//! ApexCharts and ECharts (`{"labels": […], "datasets": [{"data": […]}]}`), Yahoo Finance, and GeckoTerminal.

use super::chart::is_same_coin;
use super::envelope::{WRAPPED, WRAPPERS};
use super::field_name::same_name;
use super::money::{self, AmountUnit};
use super::points::is_not_price;
use super::tape::{Kind, Value};
use crate::model::Currency;

/// Field names of times, and of the series that share them.
const TIMES: &[&str] = &["labels", "categories"];
const LISTS: &[&str] = &["datasets", "series"];

/// Words in the name of a series of prices.
const PRICE_WORDS: [&str; 7] = ["price", "prices", "close", "closing", "rate", "in", "value"];

/// Field names of a series that name its coin.
const COIN_NAMES: [&str; 3] = ["slug", "symbol", "coin"];

/// Field names of the axis of prices, of its index in a series, and of an axis's name.
const PRICE_AXES: &[&str] = &["y_axis"];
const AXIS_INDEX: &[&str] = &["y_axis_index"];
const AXIS_NAMES: &[&str] = &["name", "title", "text"];

/// The text of a response with the times and prices of its chart in one object, and with the currency that the response
/// states. `None` if it has another format. `slug` is the coin's.
pub(super) fn to_plain(root: Value<'_>, slug: &str) -> Option<String> {
    let is_coin = |currency: &Currency| is_same_coin(currency, slug);
    let around = || money::stated_around(root, &[WRAPPERS], &is_coin);
    let mut at = root;
    for _ in 0..WRAPPED {
        if let Some(series) = Prices::of_library(at, slug) {
            return series.to_text(around);
        }
        if let Some(text) = of_yahoo(at).or_else(|| of_gecko_terminal(root, at, around)) {
            return Some(text);
        }
        at = WRAPPERS.iter().filter_map(|name| at.get(name)).find(Value::is_object)?;
    }
    None
}

/// The only series of prices in a chart of a library.
struct Prices<'a> {
    times: Value<'a>,
    series: Value<'a>,
    list: Value<'a>,
    /// The currencies that the series states: in its name, in a field, and in the name of its axis.
    stated: [Option<Currency>; 3],
}

impl<'a> Prices<'a> {
    /// Chart.js; ApexCharts; ECharts, whose times are in an axis. `None` also if the unit of the prices is unclear.
    fn of_library(at: Value<'a>, slug: &str) -> Option<Prices<'a>> {
        let axis = || {
            let axis = at.any(&["x_axis"])?;
            axis.any(&["data", "categories"])
        };
        let times = at.any(TIMES).or_else(axis).filter(Value::is_array)?;
        let mut prices = at.any(LISTS)?.items().filter_map(|series| {
            let currency = match series.any(&["label", "name"]) {
                None => None,
                Some(name) => price_name(&name.str()?, slug)?,
            };
            Some((series, series.get("data").filter(Value::is_array)?, currency))
        });
        let (series, list, named) = prices.next().filter(|_| prices.next().is_none())?;
        if series.get("unit").and_then(AmountUnit::parse).is_some_and(|unit| unit.is_scaled()) {
            return None;
        }
        let own = money::stated_around(series, &[], &|currency| is_same_coin(currency, slug));
        let of_axis = match axis_name(at, series) {
            None => None,
            Some(name) => price_name(&name.str()?, slug)?,
        };
        Some(Prices { times, series, list, stated: [named, own, of_axis] })
    }

    /// The times and prices as text, with the name of the coin. The currency is the one that the
    /// series states, or else `around`. `None` if the series states several.
    fn to_text(&self, around: impl FnOnce() -> Option<Currency>) -> Option<String> {
        let mut stated = self.stated.iter().flatten();
        let own = stated.next().cloned();
        if stated.any(|other| own.as_ref() != Some(other)) {
            return None;
        }
        let currency = currency_field(own.or_else(around));
        let text = |name: &&str| self.series.get(name).filter(|value| value.kind() == Kind::String);
        let names = COIN_NAMES.iter().filter_map(|name| Some(format!("\"{name}\":\"{}\",", text(name)?.raw())));
        let names: String = names.collect();
        Some(format!("{{{names}{currency}\"timestamps\":{},\"prices\":{}}}", self.times.raw(), self.list.raw()))
    }
}

/// The name of the axis of a series.
fn axis_name<'a>(at: Value<'a>, series: Value<'a>) -> Option<Value<'a>> {
    let axes = at.any(PRICE_AXES)?;
    let index = series.any(AXIS_INDEX).and_then(|index| index.number()?.parse().ok()).unwrap_or(0);
    let axis = if axes.is_array() { axes.items().nth(index)? } else { axes };
    let name = axis.any(AXIS_NAMES)?;
    if name.is_object() { name.any(AXIS_NAMES) } else { Some(name) }
}

/// The field that states a currency.
fn currency_field(currency: Option<Currency>) -> String {
    currency.map(|currency| format!("\"currency\":\"{currency}\",")).unwrap_or_default()
}

/// Whether a series of this name has prices: `Some` with the currency in the name, if any.
fn price_name(name: &str, slug: &str) -> Option<Option<Currency>> {
    if is_not_price(name) {
        return None;
    }
    let mut currency = None;
    for word in name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let is_known = PRICE_WORDS.iter().any(|known| same_name(known, word)) || same_name(slug, word);
        // Other coins that prices may be in are more likely the subject.
        let parse = || Currency::parse(word).filter(|currency| currency.exists() && !currency.is_quote_coin());
        if !is_known && currency.replace(parse()?).is_some() {
            return None;
        }
    }
    let by_sign = || name.chars().find_map(|c| Currency::of_sign(c.encode_utf8(&mut [0; 4])));
    Some(currency.or_else(by_sign))
}

/// The object in a response of Yahoo Finance that has the data, or an error: `{"chart": {"result": null, "error": {…}}}`.
pub(super) fn yahoo(root: Value<'_>) -> Option<Value<'_>> {
    root.any(&["chart", "spark", "finance"]).filter(Value::is_object)
}

/// Yahoo Finance: `{"chart": {"result": [{"meta": …, "timestamp": […], "indicators": {"quote": [{"close": […]}]}}]}}`.
fn of_yahoo(at: Value<'_>) -> Option<String> {
    let mut results = yahoo(at)?.get("result")?.items();
    let only = results.next().filter(|_| results.next().is_none())?;
    let times = only.get("timestamp").filter(Value::is_array)?;
    let closes = only.get("indicators")?.get("quote")?.items().next()?.get("close").filter(Value::is_array)?;
    let meta = only.get("meta").filter(Value::is_object);
    let meta = meta.map(|meta| format!("\"meta\":{},", meta.raw())).unwrap_or_default();
    Some(format!("{{{meta}\"timestamps\":{},\"prices\":{}}}", times.raw(), closes.raw()))
}

/// GeckoTerminal: `{"data": {"attributes": {"ohlcv_list": [[s, open, high, low, close, volume]]}}, "meta": …}`.
fn of_gecko_terminal(root: Value<'_>, at: Value<'_>, around: impl FnOnce() -> Option<Currency>) -> Option<String> {
    let candles = at.get("attributes")?.get("ohlcv_list").filter(Value::is_array)?;
    let meta = root.get("meta").filter(Value::is_object);
    let base = meta.and_then(|meta| meta.get("base")?.get("symbol"));
    let symbol = base.and_then(|base| base.str()).filter(|base| base.bytes().all(|b| b.is_ascii_alphanumeric()));
    let meta = symbol.map(|symbol| format!("\"meta\":{{\"symbol\":\"{symbol}\"}},")).unwrap_or_default();
    Some(format!("{{{meta}{}\"ohlcv\":{}}}", currency_field(around()), candles.raw()))
}
