//! The prices of a coin over a year, which come from `/market/data`.

use std::time::Duration;

use crate::app::chart::compare::{SeriesError, find_series};
use crate::client::Request;
use crate::model::{Currency, MarketSeries, Period, Text, interval};
use crate::user_data::Watched;

/// Minimum interval of the points: closer ones cover only days or weeks.
const MIN_INTERVAL: Duration = Duration::from_hours(12);

/// The request for the prices of the coins with this symbol; `None` for a symbol with a comma, since commas join
/// symbols.
pub fn request(symbol: &Text, convert: &Currency) -> Option<Request> {
    let symbols = vec![Some(symbol.clone()).filter(|symbol| !symbol.contains(','))?];
    let (count, interval) = (Period::Year.points(), Text::const_new(Period::Year.interval()));
    Some(Request::MarketData { symbols, convert: convert.clone(), count, interval })
}

/// The coin's prices in a response. Services may ignore the requested interval.
///
/// # Errors
/// There are none, or only at short intervals; a sentence says why.
pub fn series<'a>(coin: &Watched, response: &'a [MarketSeries]) -> Result<&'a MarketSeries, String> {
    let symbol = &coin.symbol;
    let series = find_series(coin, response).map_err(|why| match why {
        SeriesError::Missing => format!("No 1Y prices for {symbol} from this service"),
        SeriesError::Ambiguous(several) => format!("No 1Y prices: {several} coins use {symbol}"),
    })?;
    match &series.interval {
        Some(interval) if interval::length(interval).is_some_and(|length| length < MIN_INTERVAL) => {
            Err(format!("No 1Y prices for {symbol} from this service (only {interval} intervals)"))
        }
        _ => Ok(series),
    }
}
