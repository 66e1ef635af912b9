//! A list over the indexer's page size: several HTTP requests, joined into one answer.

use std::borrow::Cow;
use std::collections::HashSet;

use super::exchange::Service;
use super::identity::Item;
use super::{Reply, asked};
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

/// Pages of a list of which only some rows match that are read at most.
const MOST_SEARCHED: u32 = 200;

/// Fetches `limit` items from `offset` on, page by page, until the list ends or breaks a limit.
///
/// Items that the list's growth moved onto a second page are taken once. A page that brings nothing new ends the
/// list: some services ignore `offset`.
pub(super) async fn get(
    service: &Service,
    config: &ClientConfig,
    request: &Request,
    (offset, limit): (u64, u32),
) -> Result<Reply, ErrorKind> {
    let mut list = Gathered::default();
    let mut at = offset;
    let end = offset.saturating_add(u64::from(limit));
    while at < end {
        let wanted = u32::try_from(end - at).unwrap_or(u32::MAX).min(endpoint::INDEXER_PAGE);
        let Some(page) = endpoint::at_page(request, at, wanted) else { break };
        let reply = service.exchange(config, &page, None).await?;
        let Some(added) = list.add(reply, wanted) else { break };
        at = at.saturating_add(added.listed);
        if added.is_last(at) {
            break;
        }
        if list.is_cut(config, at.saturating_sub(offset), at) {
            break;
        }
    }
    list.joined.ok_or_else(|| ErrorKind::InvalidRequest(String::from("the list has no pages")))
}

/// The same of a list that the service filters by more than was asked for: reads it from its beginning and keeps what
/// matches, so that `offset` and `limit` count matches.
pub(super) async fn search(
    service: &Service,
    config: &ClientConfig,
    request: &Request,
    (offset, limit): (u64, u32),
) -> Result<Reply, ErrorKind> {
    let mut list = Gathered::default();
    let end = offset.saturating_add(u64::from(limit));
    let mut at = 0;
    let mut is_whole = false;
    for page_number in 1..=MOST_SEARCHED {
        let Some(page) = endpoint::at_page(request, at, endpoint::INDEXER_PAGE) else { break };
        let reply = service.exchange(config, &page, None).await?;
        let Some(added) = list.add(reply, endpoint::INDEXER_PAGE) else { break };
        at = at.saturating_add(added.listed);
        is_whole = added.is_last(at);
        let matches = list.joined.as_mut().and_then(|joined| joined.answer.as_mut()).map_or(0, |answer| {
            asked::keep_matches(request, answer);
            length(answer)
        });
        if is_whole || matches >= end || list.is_cut(config, at, at) {
            break;
        }
        if page_number == MOST_SEARCHED {
            let warning = format!("search stopped after {at} rows; there may be more matches");
            list.joined.iter_mut().for_each(|joined| joined.warnings.push(warning.clone()));
        }
    }
    let mut joined = list.joined.ok_or_else(|| ErrorKind::InvalidRequest(String::from("the list has no pages")))?;
    if let Some(answer) = joined.answer.as_mut() {
        let total = is_whole.then(|| length(answer));
        on_list!(answer, page => keep_window(page, offset, limit, total), else ());
    }
    Ok(joined)
}

fn keep_window<T>(page: &mut Page<T>, offset: u64, limit: u32, total: Option<u64>) {
    let skipped = usize::try_from(offset).map_or(page.items.len(), |offset| offset.min(page.items.len()));
    page.items.drain(..skipped);
    page.items.truncate(limit as usize);
    page.total = total;
}

/// The pages of a list so far, as one reply.
#[derive(Default)]
struct Gathered {
    joined: Option<Reply>,
    seen: HashSet<String>,
}

/// What a page brought.
struct Added {
    /// Items on it, known ones among them.
    listed: u64,
    fresh: usize,
    total: Option<u64>,
    is_short: bool,
}

impl Added {
    /// Whether the list ends before row `at`. A short page is the last one, unless the service says that more follows
    /// (its pages may be smaller).
    fn is_last(&self, at: u64) -> bool {
        self.fresh == 0 || self.total.map_or(self.is_short, |total| at >= total)
    }
}

impl Gathered {
    /// Adds a page of which `wanted` items were asked for; `None` for an answer that is no page.
    fn add(&mut self, mut reply: Reply, wanted: u32) -> Option<Added> {
        let mut answer = reply.answer.take()?;
        let listed = length(&answer);
        let is_short = listed + (reply.unreadable as u64) < u64::from(wanted);
        let (fresh, total) = keep_new(&mut answer, &mut self.seen);
        match &mut self.joined {
            // One ETag cannot stand for several pages.
            None => self.joined = Some(Reply { answer: Some(answer), validator: None, ..reply }),
            Some(joined) => {
                append(joined, answer);
                joined.bytes += reply.bytes;
                joined.unreadable += reply.unreadable;
                joined.latency += reply.latency;
                joined.fetched_at = reply.fetched_at;
                joined.max_age = joined.max_age.min(reply.max_age).or(joined.max_age).or(reply.max_age);
                joined.simulated |= reply.simulated;
                joined.warn_too(reply.warnings);
            }
        }
        Some(Added { listed, fresh, total, is_short })
    }

    /// Whether the list breaks a limit after so many rows; then a warning says so.
    fn is_cut(&mut self, config: &ClientConfig, rows: u64, next: u64) -> bool {
        let Some(joined) = &mut self.joined else { return false };
        let cut = config.limits.end_of_list(rows, joined.bytes, format_args!("offset {next}"));
        let is_cut = cut.is_some();
        joined.warnings.extend(cut);
        is_cut
    }
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
