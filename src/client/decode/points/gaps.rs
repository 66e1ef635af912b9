//! Replaces points without a real price with gaps.

use crate::client::decode::read::Context;
use crate::format::words::counted;
use crate::model::{Currency, Point};

/// Replaces the points before the last positive price with gaps if their price is 0: some services (CryptoCompare) send
/// zeros for the time before a coin existed, and others for missing prices, which are counted in a warning. If all prices
/// are 0, they are kept.
pub(super) fn remove_zeros(context: &mut Context<'_>, points: &mut [Point]) {
    let is_positive = |point: &Point| point.price.is_some_and(|price| price > 0.0);
    let Some(last) = points.iter().rposition(is_positive) else { return };
    let (mut is_leading, mut missing) = (true, 0);
    for point in points.iter_mut().take(last) {
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
