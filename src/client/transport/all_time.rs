//! Price history of all time, which has more points than some services serve, shortened to a year.

use super::reply::Reply;
use crate::client::error::ErrorKind;
use crate::client::request::Request;
use crate::format::Count;
use crate::model::{Period, interval};

/// The request for a year instead of one for all time; `None` for other requests.
pub(super) fn year(request: &Request) -> Option<Request> {
    let Request::MarketData { symbols, convert, count, interval } = request else { return None };
    interval::is_all_time(*count, interval).then(|| Request::MarketData {
        symbols: symbols.clone(),
        convert: convert.clone(),
        count: Period::Year.points(),
        interval: interval.clone(),
    })
}

/// The reply to the request for a year, with a warning.
pub(super) fn shortened(mut reply: Reply, request: &Request) -> Reply {
    if let Request::MarketData { count, .. } = request {
        let (all, year) = (Count(u64::from(*count)), Period::Year.points());
        reply.warnings.push(format!("the service refused {all} points; requested {year}"));
    }
    reply
}

/// CoinMarketCap's code for a plan without the requested data.
const OTHER_PLAN: i64 = 1006;

/// Whether the error may be about the number of points, or about a plan without older prices.
pub(super) fn may_be_too_long(refusal: &ErrorKind) -> bool {
    match refusal {
        ErrorKind::Status { status, .. } => matches!(status, 400 | 403 | 413 | 422),
        ErrorKind::InBody { code, .. } => matches!(code, None | Some(400 | 403 | 413 | 422 | OTHER_PLAN)),
        ErrorKind::TooLarge(_) => true,
        _ => false,
    }
}

/// Whether the service would refuse other requests for all time, too. The size of a response depends on its coins.
pub(super) fn is_lasting(refusal: &ErrorKind) -> bool {
    !matches!(refusal, ErrorKind::TooLarge(_))
}
