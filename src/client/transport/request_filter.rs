//! Removes rows that don't match the request: some services ignore or misinterpret parameters. Hiro's API treats `%`
//! and `_` in a ticker prefix as wildcards and ignores a block height of 0.

use super::page_response::with_page;
use super::reply::Reply;
use crate::client::endpoint;
use crate::client::request::{Request, Warning};
use crate::client::response_data::ResponseData;
use crate::format::Count;
use crate::model::text::unescape_ticker;
use crate::model::{Chart, Page, Point};

/// Maximum points per series. Three months at 5-minute steps are 26,000.
const MAX_POINTS: usize = 50_000;

/// The start of the warning about a list that ends too early.
pub(super) const HAS_MORE: &str = "the service has more rows";

/// Whether the rows of a page that is longer than requested may be those from the start of the list, although later
/// ones were requested.
pub(super) fn has_unknown_start(request: &Request, reply: &Reply) -> bool {
    let Some((offset, limit)) = endpoint::span(request) else { return false };
    let rows = reply.rows as u64;
    let total = with_page!(&reply.response, Some(page) => page.total, else None);
    offset > 0 && rows > u64::from(limit) && total.is_none_or(|total| total == rows)
}

/// Cuts a page to the requested rows if the service sent more than that. The page `is_from_start` if the service ignores
/// pagination and sent the list from its start (all of it, unless it has more). Adds a warning if the service has more
/// rows than it sends.
pub(super) fn cut_to_page(request: &Request, reply: &mut Reply, is_from_start: bool) {
    fn cut<T>(
        page: &mut Page<T>,
        (offset, limit): (u64, usize),
        (rows, has_more): (usize, bool),
        is_from_start: bool,
    ) -> (usize, Option<Warning>) {
        if rows <= limit {
            return (rows, None);
        }
        let mut warning = None;
        if is_from_start && page.total.is_none_or(|total| total == rows as u64) {
            let length = page.items.len();
            page.total = (!has_more).then_some(length as u64);
            page.items.drain(..usize::try_from(offset).map_or(length, |offset| offset.min(length)));
            if has_more && page.items.len() < limit {
                warning = Some(format!("{HAS_MORE}, but sends only the first {}", Count(rows as u64)));
            }
        }
        page.items.truncate(limit);
        (page.items.len(), warning)
    }
    let Some((offset, limit)) = endpoint::span(request) else { return };
    let (whole, window) = ((reply.rows, reply.has_more), (offset, limit as usize));
    let cut =
        with_page!(&mut reply.response, Some(page) => cut(page, window, whole, is_from_start), else (reply.rows, None));
    reply.rows = cut.0;
    reply.warns_of_more_rows |= cut.1.is_some();
    reply.warnings.extend(cut.1);
}

/// Removes rows that don't match the request, with a warning.
pub(super) fn keep_only(request: &Request, reply: &mut Reply) {
    let Some(response) = &mut reply.response else { return };
    match (request, response) {
        (Request::Chart { period, .. }, ResponseData::Chart(chart)) => {
            let out = cut_to_period(chart);
            if out > 0 {
                let period = period.as_str();
                let points = if out == 1 { "1 point" } else { &format!("{out} points") };
                let warning = format!("ignored {points} outside the period {period}");
                reply.warnings.push(warning);
                chart.candles = None;
            }
            reply.warnings.extend(keep_newest(&mut chart.points, MAX_POINTS, &chart.slug));
        }
        (Request::MarketData { count, .. }, ResponseData::Market(series)) => {
            let most = MAX_POINTS.max(*count as usize);
            let cut = series.iter_mut().filter_map(|series| keep_newest(&mut series.points, most, &series.symbol));
            reply.warnings.extend(cut);
        }
        (request, response) => {
            let out = keep_matches(request, response);
            if out > 0 {
                let rows = if out == 1 { "1 row that doesn't" } else { &format!("{out} rows that don't") };
                let warning = format!("ignored {rows} match the request");
                reply.warnings.push(warning);
            }
        }
    }
}

/// Removes rows that don't match the request; returns how many.
pub(super) fn keep_matches(request: &Request, response: &mut ResponseData) -> usize {
    match (request, response) {
        (Request::Brc20Tokens { ticker: Some(prefix), .. }, ResponseData::Brc20Tokens(page)) => {
            let prefix = folded(prefix);
            retain(page, |token| folded(&token.ticker).starts_with(&prefix))
        }
        (Request::Brc20Activity { ticker, block_height, .. }, ResponseData::Activity(page)) => {
            let ticker = ticker.as_deref().map(folded);
            retain(page, |event| {
                let elsewhere =
                    block_height.is_some() && event.block_height.is_some_and(|at| Some(at) != *block_height);
                !elsewhere && ticker.as_ref().is_none_or(|ticker| folded(&event.ticker) == *ticker)
            })
        }
        (Request::InscriptionStats { from_block, to_block }, ResponseData::InscriptionStats(page)) => {
            let is_within = |at: u64| from_block.is_none_or(|from| at >= from) && to_block.is_none_or(|to| at <= to);
            retain(page, |block| block.block_height.is_none_or(is_within))
        }
        _ => 0,
    }
}

/// Cuts a series to its newest `max` points. Returns a warning if points were removed.
fn keep_newest(points: &mut Vec<Point>, max: usize, name: &str) -> Option<Warning> {
    let count = points.len();
    let cut = count.checked_sub(max).filter(|cut| *cut > 0)?;
    points.drain(..cut);
    points.shrink_to_fit();
    Some(format!("{name}: kept the newest {max} of {count} points"))
}

/// Whether the service may return rows that don't match the request.
pub(super) fn has_wildcards(request: &Request) -> bool {
    match request {
        Request::Brc20Tokens { ticker: Some(prefix), .. } => unescape_ticker(prefix).contains(['%', '_']),
        _ => false,
    }
}

/// Removes points outside the chart's period, so that a chart never shows a longer period than its label. Services
/// count months differently and may start one point earlier, so up to 1.5 times the period is accepted.
///
/// The period ends with the last point, unless that point is isolated: then its time is wrong.
fn cut_to_period(chart: &mut Chart) -> usize {
    let period = i64::from(chart.period.days()) * 24 * 60 * 60 * 1000;
    let times = || chart.points.iter().map(|point| point.time.millis());
    let (Some(first), Some(last)) = (times().next(), times().next_back()) else { return 0 };
    if last.saturating_sub(first) <= period + period / 2 {
        return 0;
    }
    let within = |end: i64| times().filter(move |time| (0..=period).contains(&end.saturating_sub(*time))).count();
    let before_last = times().rev().nth(1).filter(|end| within(last) == 1 && within(*end) > 1);
    let end = before_last.unwrap_or(last);
    let before = chart.points.len();
    chart.points.retain(|point| (0..=period).contains(&end.saturating_sub(point.time.millis())));
    before - chart.points.len()
}

/// Whether a service that ignores a parameter would return its whole list.
pub(super) fn may_ignore_parameter(request: &Request) -> bool {
    matches!(request, Request::Brc20Activity { block_height: Some(0), .. })
}

/// A ticker in the form in which BRC-20 compares it.
fn folded(ticker: &str) -> String {
    unescape_ticker(ticker).to_lowercase()
}

fn retain<T>(page: &mut Page<T>, matches: impl FnMut(&T) -> bool) -> usize {
    let before = page.items.len();
    page.items.retain(matches);
    let out = before - page.items.len();
    if out > 0 {
        // It would include the removed rows.
        page.total = None;
    }
    out
}
