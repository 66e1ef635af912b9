//! A list over the indexer's page size: several HTTP requests, joined into one answer.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Reply;
use super::exchange::Service;
use super::identity::Item;
use crate::client::{Answer, ClientConfig, ErrorKind, Request, endpoint};
use crate::model::Page;

/// Does the same with the page of any answer that the indexer pages.
macro_rules! on_list {
    ($answer:expr, $page:ident => $then:expr, else $other:expr) => {
        match $answer {
            Answer::Brc20Tokens($page) => $then,
            Answer::Holders($page) => $then,
            Answer::Balances($page) => $then,
            Answer::Activity($page) => $then,
            Answer::Inscriptions($page) => $then,
            _ => $other,
        }
    };
}
pub(super) use on_list;

/// Fetches `limit` items from `offset` on, page by page, until the list ends.
///
/// Items that the list's growth moved onto a second page are taken once. A page that brings nothing new ends the
/// list: some services ignore `offset`.
pub(super) async fn get(
    service: &Service,
    config: &ClientConfig,
    request: &Request,
    (offset, limit): (u64, u32),
) -> Result<Reply, ErrorKind> {
    let mut joined: Option<Reply> = None;
    let mut seen = HashSet::new();
    let mut at = offset;
    let end = offset.saturating_add(u64::from(limit));
    while at < end {
        let wanted = u32::try_from(end - at).unwrap_or(u32::MAX).min(endpoint::INDEXER_PAGE);
        let Some(page) = endpoint::at_page(request, at, wanted) else { break };
        let mut reply = service.exchange(config, &page, None).await?;
        let listed = reply.answer.as_ref().map_or(0, length);
        // An item that could not be read has a warning in its place.
        let is_short = listed + (reply.warnings.len() as u64) < u64::from(wanted);
        at = at.saturating_add(listed);
        let (fresh, total) = match (&mut joined, reply.answer.take()) {
            (None, Some(mut answer)) => {
                let first = keep_new(&mut answer, &mut seen);
                // One ETag cannot stand for several pages.
                joined = Some(Reply { answer: Some(answer), validator: None, ..reply });
                first
            }
            (Some(joined), Some(mut answer)) => {
                let more = keep_new(&mut answer, &mut seen);
                append(joined, answer);
                joined.bytes += reply.bytes;
                joined.latency += reply.latency;
                joined.fetched_at = reply.fetched_at;
                joined.max_age = joined.max_age.min(reply.max_age).or(joined.max_age).or(reply.max_age);
                joined.warn_too(reply.warnings);
                more
            }
            (_, None) => break,
        };
        // A short page is the last one, unless the service says that more follows (its pages may be smaller).
        let complete = total.map_or(is_short, |total| at >= total);
        if fresh == 0 || complete {
            break;
        }
    }
    joined.ok_or_else(|| ErrorKind::Unaskable(String::from("the list has no pages")))
}

/// Takes out of a page what earlier pages had; tells how many items are left, and the list's length. What one page has
/// twice stays: no growth of the list explains it.
fn keep_new(answer: &mut Answer, seen: &mut HashSet<String>) -> (usize, Option<u64>) {
    fn of<T: Item>(page: &mut Page<T>, seen: &mut HashSet<String>) -> (usize, Option<u64>) {
        let mut new = Vec::new();
        page.items.retain(|item| {
            let identity = item.identity().map(Cow::into_owned);
            let is_new = identity.as_ref().is_none_or(|identity| !seen.contains(identity));
            new.extend(identity.filter(|_| is_new));
            is_new
        });
        seen.extend(new);
        (page.items.len(), page.total)
    }
    on_list!(answer, page => of(page, seen), else (0, None))
}

/// Adds a page's items to what is joined. A later page without a total leaves the known one.
fn append(joined: &mut Reply, more: Answer) {
    fn join<T>(page: &mut Page<T>, more: Page<T>) {
        page.items.extend(more.items);
        page.total = more.total.or(page.total);
    }
    match (joined.answer.as_mut(), more) {
        (Some(Answer::Brc20Tokens(page)), Answer::Brc20Tokens(more)) => join(page, more),
        (Some(Answer::Holders(page)), Answer::Holders(more)) => join(page, more),
        (Some(Answer::Balances(page)), Answer::Balances(more)) => join(page, more),
        (Some(Answer::Activity(page)), Answer::Activity(more)) => join(page, more),
        (Some(Answer::Inscriptions(page)), Answer::Inscriptions(more)) => join(page, more),
        _ => {}
    }
}

/// Items on a page.
fn length(answer: &Answer) -> u64 {
    on_list!(answer, page => page.items.len() as u64, else 0)
}
