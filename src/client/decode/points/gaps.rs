//! Replaces points without a real price with gaps.

use crate::client::decode::read::Context;
use crate::format::words::counted;
use crate::model::{Currency, Point};

/// The lowest price after which a 0 can't be a rounded price.
const MIN_EXACT: f64 = 1e-6;

/// Replaces points with gaps if their price is 0. Some services (CryptoCompare) send zeros for the time before a coin
/// existed; others send them for missing prices, which a warning counts. Zeros at the end are kept after a tiny price,
/// since they may be rounded. So are those of a chart with nothing else.
pub(super) fn remove_zeros(context: &mut Context<'_>, points: &mut [Point]) {
    let is_positive = |point: &Point| point.price.is_some_and(|price| price > 0.0);
    let Some(last) = points.iter().rposition(is_positive) else { return };
    let is_tiny = points.get(last).and_then(|point| point.price).is_none_or(|price| price < MIN_EXACT);
    let end = if is_tiny { last } else { points.len() };
    let (mut is_leading, mut missing) = (true, 0);
    for point in points.iter_mut().take(end) {
        is_leading &= !is_positive(point);
        if point.price == Some(0.0) {
            missing += usize::from(!is_leading);
            *point = Point { time: point.time, price: None, volume: None, market_cap: None };
        }
    }
    if missing > 0 {
        context.warn(|| format!("skipped {}", counted(missing, "zero price")));
    }
}

/// Replaces negative values and impossibly large amounts with gaps.
pub(super) fn remove_implausible(context: &mut Context<'_>, points: &mut [Point], convert: &Currency) {
    let most = convert.max_amount();
    let (mut negative, mut huge) = (0, 0);
    for figure in points.iter_mut().flat_map(Point::money_fields) {
        match *figure {
            Some(..0.0) => negative += 1,
            Some(amount) if amount > most => huge += 1,
            _ => continue,
        }
        *figure = None;
    }
    if negative > 0 {
        context.warn(|| format!("skipped {negative} negative point values"));
    }
    if huge > 0 {
        context.warn(|| format!("skipped {huge} point values above {most:e}"));
    }
}
