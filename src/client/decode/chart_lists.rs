//! Charts in the formats of chart libraries and services whose times and prices are in different objects: Chart.js,
//! ApexCharts and ECharts (`{"labels": […], "datasets": [{"data": […]}]}`), Yahoo Finance, and GeckoTerminal.

use super::envelope::{WRAPPED, WRAPPERS};
use super::field_name::same_name;
use super::points::is_not_price;
use super::tape::Value;
use crate::model::Currency;

/// Field names of times, and of the series that share them.
const TIMES: &[&str] = &["labels", "categories"];
const LISTS: &[&str] = &["datasets", "series"];

/// Words in the name of a series of prices.
const PRICE_WORDS: [&str; 7] = ["price", "prices", "close", "closing", "rate", "in", "value"];

/// The text of a response with the times and prices of its chart in one object. `None` if it has another format. `slug`
/// is the coin's.
pub(super) fn to_plain(root: Value<'_>, slug: &str) -> Option<String> {
    let mut at = root;
    for _ in 0..WRAPPED {
        if let Some(text) = of_library(at, slug).or_else(|| of_yahoo(at)).or_else(|| of_gecko_terminal(root, at)) {
            return Some(text);
        }
        at = WRAPPERS.iter().filter_map(|name| at.get(name)).find(Value::is_object)?;
    }
    None
}

/// Chart.js; ApexCharts; ECharts, whose times are in an axis.
fn of_library(at: Value<'_>, slug: &str) -> Option<String> {
    let axis = || {
        let axis = at.any(&["x_axis"])?;
        axis.any(&["data", "categories"])
    };
    let times = at.any(TIMES).or_else(axis).filter(Value::is_array)?;
    let mut prices = at.any(LISTS)?.items().filter_map(|list| {
        let currency = match list.any(&["label", "name"]) {
            None => None,
            Some(name) => price_name(&name.str()?, slug)?,
        };
        Some((list.get("data").filter(Value::is_array)?, currency))
    });
    let (list, currency) = prices.next().filter(|_| prices.next().is_none())?;
    let stated = currency.map(|currency| format!("\"currency\":\"{currency}\",")).unwrap_or_default();
    Some(format!("{{{stated}\"timestamps\":{},\"prices\":{}}}", times.raw(), list.raw()))
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

/// Yahoo Finance: `{"chart": {"result": [{"meta": …, "timestamp": […], "indicators": {"quote": [{"close": […]}]}}]}}`.
fn of_yahoo(at: Value<'_>) -> Option<String> {
    let mut results = at.any(&["chart", "spark"])?.get("result")?.items();
    let only = results.next().filter(|_| results.next().is_none())?;
    let times = only.get("timestamp").filter(Value::is_array)?;
    let closes = only.get("indicators")?.get("quote")?.items().next()?.get("close").filter(Value::is_array)?;
    let meta = only.get("meta").filter(Value::is_object);
    let meta = meta.map(|meta| format!("\"meta\":{},", meta.raw())).unwrap_or_default();
    Some(format!("{{{meta}\"timestamps\":{},\"prices\":{}}}", times.raw(), closes.raw()))
}

/// GeckoTerminal: `{"data": {"attributes": {"ohlcv_list": [[s, open, high, low, close, volume]]}}, "meta": …}`.
fn of_gecko_terminal(root: Value<'_>, at: Value<'_>) -> Option<String> {
    let candles = at.get("attributes")?.get("ohlcv_list").filter(Value::is_array)?;
    let meta = root.get("meta").filter(Value::is_object);
    let base = meta.and_then(|meta| meta.get("base")?.get("symbol"));
    let symbol = base.and_then(|base| base.str()).filter(|base| base.bytes().all(|b| b.is_ascii_alphanumeric()));
    let meta = symbol.map(|symbol| format!("\"meta\":{{\"symbol\":\"{symbol}\"}},")).unwrap_or_default();
    Some(format!("{{{meta}\"ohlcv\":{}}}", candles.raw()))
}
