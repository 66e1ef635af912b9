//! The prices of a coin over a year or all time, which come from `/market/data`.

use std::time::Duration;

use crate::app::chart::compare::{SeriesError, find_series};
use crate::client::Request;
use crate::model::{Currency, MarketSeries, Period, Text, interval};
use crate::user_data::Watched;

/// Minimum interval of the points: closer ones cover only days or weeks.
const MIN_INTERVAL: Duration = Duration::from_hours(12);

/// The request for the prices of the coins with this symbol over a [long](Period::is_long) period; `None` for a symbol
/// with a comma, since commas join symbols.
pub fn request(symbol: &Text, period: Period, convert: &Currency) -> Option<Request> {
    let symbols = vec![Some(symbol.clone()).filter(|symbol| !symbol.contains(','))?];
    let (count, interval) = (period.points(), Text::const_new(period.interval()));
    Some(Request::MarketData { symbols, convert: convert.clone(), count, interval })
}

/// The coin's prices in a response. Services may ignore the requested interval.
///
/// # Errors
/// There are none, or only at short intervals; a sentence says why.
pub fn series<'a>(coin: &Watched, period: Period, response: &'a [MarketSeries]) -> Result<&'a MarketSeries, String> {
    let (symbol, prices) = (&coin.symbol, prices(period));
    let series = find_series(coin, response).map_err(|why| match why {
        SeriesError::Missing => format!("No {prices} for {symbol} from this service"),
        SeriesError::Ambiguous(several) => format!("No {prices}: {several} coins use {symbol}"),
    })?;
    match &series.interval {
        Some(interval) if interval::length(interval).is_some_and(|length| length < MIN_INTERVAL) => {
            Err(format!("No {prices} for {symbol} from this service (only {interval} intervals)"))
        }
        _ => Ok(series),
    }
}

/// What a period's prices are called in a sentence: `1Y prices`, `daily prices`.
pub fn prices(period: Period) -> String {
    // Not "All prices", which would mean something else.
    if period == Period::AllTime { String::from("daily prices") } else { format!("{} prices", period.as_str()) }
}
