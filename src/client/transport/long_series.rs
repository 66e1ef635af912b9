//! Price history over all time, which has more points than some services serve.

use super::reply::Reply;
use crate::client::error::ErrorKind;
use crate::client::request::Request;
use crate::format::Count;
use crate::model::Period;

/// The request for a year, if a service may have refused the one for all time because of its length.
pub(super) fn shorter(request: &Request, refusal: &ErrorKind) -> Option<Request> {
    let Request::MarketData { symbols, convert, count, interval } = request else { return None };
    let is_all = *count == Period::All.points() && interval == Period::All.interval();
    (is_all && may_be_too_long(refusal)).then(|| Request::MarketData {
        symbols: symbols.clone(),
        convert: convert.clone(),
        count: Period::Year.points(),
        interval: interval.clone(),
    })
}

/// The reply to the shorter request, with a warning.
pub(super) fn shortened(mut reply: Reply) -> Reply {
    let (all, year) = (Count(Period::All.points().into()), Period::Year.points());
    reply.warnings.push(format!("the service refused {all} points; requested {year}"));
    reply
}

/// Whether the error may be about the number of points, or about a plan without older prices.
fn may_be_too_long(refusal: &ErrorKind) -> bool {
    match refusal {
        ErrorKind::Status { status, .. } => matches!(status, 400 | 403 | 413 | 422),
        ErrorKind::InBody { code, .. } => matches!(code, None | Some(400 | 403 | 413 | 422 | 1006)),
        ErrorKind::TooLarge(_) => true,
        _ => false,
    }
}
