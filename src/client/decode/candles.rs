//! The candles of an exchange that our own service adds to a chart or series.

use super::envelope::WRAPPERS;
use super::points::MAX_POINTS;
use super::read::Context;
use super::tape::{Tape, Value};
use crate::model::{Candle, Currency, ExchangeCandles, Point};

/// Finds the candles next to the points of a chart. `None` if there are no candles in this currency, or if any of them
/// can't be read: then candles are built from the points.
pub(super) fn find(root: Value<'_>, convert: &Currency, context: &mut Context<'_>) -> Option<ExchangeCandles> {
    let inside = || WRAPPERS.iter().find_map(|name| root.get(name)?.get("candles"));
    let found = root.get("candles").or_else(inside).filter(Value::is_object)?;
    let mut tape = Tape::default();
    let candles = tape.expand(found).ok()?;
    // Other services may have a field of this name.
    let items = candles.get("items").filter(Value::is_array)?;
    let currency = candles.get("convert").and_then(|code| Currency::parse(&code.str()?))?;
    let (exchange, interval) = (context.text(candles.get("exchange"))?, context.text(candles.get("interval"))?);
    let count = items.items().count();
    let read: Vec<Candle> = items.items().take(MAX_POINTS).filter_map(|item| candle(item, context)).collect();
    let most = currency.max_amount();
    let is_whole = currency == *convert && read.len() == count && read.iter().all(|candle| candle.high <= most);
    let candles = is_whole.then(|| ExchangeCandles::new(exchange, interval, read)).flatten();
    if candles.is_none() && count > 0 {
        context.warn(|| format!("ignored {count} exchange candles"));
    }
    candles
}

/// The candles, unless the last one starts after the last of these points.
pub(super) fn of_points(points: &[Point], candles: Option<ExchangeCandles>) -> Option<ExchangeCandles> {
    let starts = |candles: &ExchangeCandles| candles.candles().last().map(|last| last.start);
    let end = points.last().map(|last| last.time);
    candles.filter(|candles| starts(candles) <= end)
}

fn candle(item: Value<'_>, context: &mut Context<'_>) -> Option<Candle> {
    Some(Candle {
        start: context.time(item.get("timestamp"))?,
        open: context.f64(item.get("open"))?,
        high: context.f64(item.get("high"))?,
        low: context.f64(item.get("low"))?,
        close: context.f64(item.get("close"))?,
        volume: context.f64(item.get("volume")),
    })
}

#[cfg(test)]
mod tests {
    use crate::client::decode::decode;
    use crate::client::{Limits, Request, ResponseData};
    use crate::model::{Currency, ExchangeCandles, Period};

    const BODY: &str = r#"{"data":{"slug":"ordi","quotes":[{"timestamp":"2026-11-19T08:00:00Z","quote":{"USD":{"price":
        8.41}}}],"candles":{"exchange":"binance","convert":"USD","interval":"1h","items":[{"timestamp":
        "2026-11-19T07:00:00Z","open":8.3,"high":8.5,"low":8.2,"close":8.41,"volume":1000.5}]}}}"#;

    fn read(body: &str) -> (Option<ExchangeCandles>, usize, usize) {
        let request = Request::Chart { slug: "ordi".into(), period: Period::Week, convert: Currency::usd() };
        match decode(&request, body.as_bytes(), None, &Limits::default()).unwrap() {
            (ResponseData::Chart(chart), warnings) => (chart.candles, chart.points.len(), warnings.len()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn candles_of_an_exchange_are_read() {
        let (candles, points, warnings) = read(BODY);
        let candles = candles.unwrap();
        assert_eq!((candles.exchange().as_str(), candles.interval().as_str()), ("binance", "1h"));
        let first = candles.candles()[0];
        assert_eq!((first.open, first.high, first.low, first.close), (8.3, 8.5, 8.2, 8.41));
        assert_eq!((first.start.to_string().as_str(), first.volume), ("2026-11-19T07:00:00Z", Some(1000.5)));
        assert_eq!((points, warnings), (1, 0));
    }

    #[test]
    fn wrong_candles_are_ignored_with_a_warning() {
        for (text, wrong) in [
            ("\"high\":8.5", "\"high\":8.4"),
            ("\"low\":8.2", "\"low\":null"),
            ("\"high\":8.5", "\"high\":8.5e300"),
            ("\"interval\":\"1h\"", "\"interval\":\"2h\""),
            ("\"convert\":\"USD\"", "\"convert\":\"EUR\""),
        ] {
            let (candles, points, warnings) = read(&BODY.replace(text, wrong));
            assert_eq!((candles, points, warnings), (None, 1, 1), "{wrong}");
        }
    }

    #[test]
    fn candles_in_another_format_are_ignored() {
        for other in ["null", "[]", "[[1795075200000,8.3,8.5,8.2,8.41]]", "{\"interval\":\"1h\"}", "\"1h\""] {
            let body = format!("{},\"candles\":{other}}}}}", BODY.split_once(",\"candles\"").unwrap().0);
            assert_eq!(read(&body), (None, 1, 0), "{other}");
        }
    }
}
