//! Holds an answer to the question: some services take a parameter for something else, or not at all.
//!
//! Hiro's API takes `%` and `_` in a ticker's prefix for wildcards and ignores a block height of 0.

use super::Reply;
use super::pages::on_list;
use crate::client::{Answer, InscriptionRef, Request, endpoint};
use crate::model::text::unescape_ticker;
use crate::model::{Chart, Page};

/// Cuts a list to the page that was asked for, where the service sent more: then it knows no pages, and what it sent
/// is the list from its beginning.
pub(super) fn cut_to_page(request: &Request, answer: &mut Answer) {
    fn cut<T>(page: &mut Page<T>, offset: u64, limit: usize) {
        let listed = page.items.len();
        if listed <= limit {
            return;
        }
        if page.total.is_none_or(|total| total == listed as u64) {
            page.total = Some(listed as u64);
            page.items.drain(..usize::try_from(offset).map_or(listed, |offset| offset.min(listed)));
        }
        page.items.truncate(limit);
    }
    let Some((offset, limit)) = endpoint::span(request) else { return };
    on_list!(answer, page => cut(page, offset, limit as usize), else ());
}

/// Takes out of a list what was not asked for, and says so.
pub(super) fn keep_only(request: &Request, reply: &mut Reply) {
    let Some(answer) = &mut reply.answer else { return };
    let out = match (request, answer) {
        (Request::Brc20Tokens { ticker: Some(prefix), .. }, Answer::Brc20Tokens(page)) => {
            let prefix = folded(prefix);
            retain(page, |token| folded(&token.ticker).starts_with(&prefix))
        }
        (Request::Brc20Activity { ticker, block_height, .. }, Answer::Activity(page)) => {
            let ticker = ticker.as_deref().map(folded);
            retain(page, |event| {
                let elsewhere =
                    block_height.is_some() && event.block_height.is_some_and(|at| Some(at) != *block_height);
                !elsewhere && ticker.as_ref().is_none_or(|ticker| folded(&event.ticker) == *ticker)
            })
        }
        (Request::Chart { period, .. }, Answer::Chart(chart)) => {
            let out = cut_to_period(chart);
            if out > 0 {
                let period = period.as_str();
                let points = if out == 1 { "1 point" } else { &format!("{out} points") };
                let warning = format!("the service sent more than {period}; {points} outside of it left out");
                reply.warnings.push(warning);
            }
            return;
        }
        (Request::Inscription { inscription: asked }, Answer::Inscription(inscription)) => {
            let is_another = match asked {
                InscriptionRef::Id(id) => !inscription.id.eq_ignore_ascii_case(id),
                InscriptionRef::Number(number) => inscription.number.is_some_and(|own| own != *number),
            };
            if is_another {
                let id = &inscription.id;
                reply.warnings.push(format!("the answer is about another inscription than was asked for, {id}"));
            }
            return;
        }
        _ => 0,
    };
    if out > 0 {
        reply.warnings.push(format!("the service also sent {out} that were not asked for; they are left out"));
    }
}

/// Takes out of a chart what lies outside of its period, so that no period stands under another's name. Services count
/// months in their own ways and begin with a point before; half as much again is still taken for the period.
///
/// The period ends with the last point, unless that stands alone and the points before it do not: then its time is
/// wrong.
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

/// Whether a service that overlooks a parameter would send its whole list: one page of it tells.
pub(super) fn may_be_overlooked(request: &Request) -> bool {
    matches!(request, Request::Brc20Activity { block_height: Some(0), .. })
}

/// A ticker as BRC-20 compares it.
fn folded(ticker: &str) -> String {
    unescape_ticker(ticker).to_lowercase()
}

fn retain<T>(page: &mut Page<T>, asked: impl FnMut(&T) -> bool) -> usize {
    let before = page.items.len();
    page.items.retain(asked);
    let out = before - page.items.len();
    if out > 0 {
        // It counts what was not asked for, too.
        page.total = None;
    }
    out
}
