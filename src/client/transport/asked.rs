//! Holds an answer to the question: some services take a parameter for something else, or not at all.
//!
//! Hiro's API takes `%` and `_` in a ticker's prefix for wildcards and ignores a block height of 0.

use super::Reply;
use super::pages::on_list;
use crate::client::{Answer, Request, endpoint};
use crate::model::Page;
use crate::model::text::unescape_ticker;

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
        _ => 0,
    };
    if out > 0 {
        reply.warnings.push(format!("the service also sent {out} that were not asked for; they are left out"));
    }
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
