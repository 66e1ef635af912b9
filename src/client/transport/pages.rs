//! Indexer lists, requested page by page and joined into one response.

use std::collections::HashSet;

use super::exchange::Service;
use super::page_response::{append, keep_new, length, remove_equal, with_page};
use super::page_start;
use super::reply::{Reply, Validator};
use super::request_filter::{self, HAS_MORE};
use crate::client::config::ClientConfig;
use crate::client::endpoint;
use crate::client::error::ErrorKind;
use crate::client::request::Request;
use crate::client::response_data::ResponseData;
use crate::format::Count;
use crate::model::{Page, Text};

/// Maximum pages of a list that is filtered on our side.
const MAX_SEARCHED: u32 = 200;

/// The warning about a list whose pages come from several providers.
const MIXED: &str = "rows come from several providers; some may be missing or repeated";

/// The warning about a list whose rows moved between pages.
pub(crate) const LIST_CHANGED: &str = "the list changed while it was loading; some rows may be missing";

/// Maximum rows that may have moved to the next page while a list was fetched.
const MAX_MOVED: u64 = 10;

/// Maximum consecutive pages whose rows were all skipped or unreadable.
const MAX_UNUSABLE: u32 = 10;

/// Fetches `limit` rows, starting at `offset`, page by page, until the list ends or reaches a limit. The first page is a
/// conditional request if `cached` is given.
///
/// Rows that the list's growth moved to the next page are taken once. A page that has no new rows ends the list, since
/// some services ignore `offset`. If the service has switched to another provider, which may sort the rows differently,
/// the list is fetched from its start once more.
pub(super) async fn get(
    service: &Service,
    config: &ClientConfig,
    request: &Request,
    (offset, limit): (u64, u32),
    cached: Option<&Validator>,
) -> Result<Reply, ErrorKind> {
    let mut list = JoinedPages::default();
    let mut at = offset;
    let end = offset.saturating_add(u64::from(limit));
    let mut is_repeated = false;
    let mut last: Option<Added> = None;
    while at < end {
        let from = at;
        let wanted = u32::try_from(end - at).unwrap_or(u32::MAX).min(endpoint::MAX_INDEXER_PAGE);
        let Some(page) = endpoint::with_page(request, at, wanted) else { break };
        let cached = cached.filter(|_| at == offset && !is_repeated);
        let reply = match service.exchange(config, &page, cached).await {
            Err(error) => {
                let Some(last) = last.filter(|last| last.may_end(&error)) else { return Err(error) };
                list.end_at(service, &last, &error, at);
                break;
            }
            Ok(reply) => reply,
        };
        if reply.response.is_none() {
            return Ok(reply);
        }
        if list.is_of_other_provider(&reply) && !is_repeated {
            (list, at, is_repeated, last) = (JoinedPages::default(), offset, true, None);
            continue;
        }
        let is_guessed = last.as_ref().is_some_and(Added::is_guessed_end);
        let Some(added) = list.add(service, config, (&page, is_guessed), reply).await else { break };
        at = at.saturating_add(added.rows);
        if added.is_last(at) {
            list.finish(service, last.as_ref(), &added, if added.adds_nothing { from } else { at });
            break;
        }
        if list.is_cut(config, at.saturating_sub(offset), at) {
            break;
        }
        last = Some(added);
    }
    list.warn_of_change(offset, at, limit);
    let mut joined = list.joined.ok_or_else(|| ErrorKind::InvalidRequest(String::from("the list has no pages")))?;
    with_page!(&mut joined.response, Some(page) => keep_plausible_total(page, offset), else ());
    Ok(joined)
}

/// Removes a total that is smaller than the list: some services send the page's length.
fn keep_plausible_total<T>(page: &mut Page<T>, offset: u64) {
    page.total =
        page.total.filter(|total| page.items.is_empty() || *total >= offset.saturating_add(page.items.len() as u64));
}

/// Gets a list that the service filters less strictly than requested: reads it from the start and keeps matching rows,
/// so that `offset` and `limit` count matches. Otherwise like [`get`].
pub(super) async fn search(
    service: &Service,
    config: &ClientConfig,
    request: &Request,
    (offset, limit): (u64, u32),
) -> Result<Reply, ErrorKind> {
    let mut list = JoinedPages::default();
    let end = offset.saturating_add(u64::from(limit));
    let mut at = 0;
    let (mut is_whole, mut is_repeated) = (false, false);
    let mut last: Option<Added> = None;
    for page_number in 1..=MAX_SEARCHED {
        let from = at;
        let Some(page) = endpoint::with_page(request, at, endpoint::MAX_INDEXER_PAGE) else { break };
        let reply = match service.exchange(config, &page, None).await {
            Err(error) => {
                let Some(last) = last.filter(|last| last.may_end(&error)) else { return Err(error) };
                list.end_at(service, &last, &error, at);
                break;
            }
            Ok(reply) => reply,
        };
        if list.is_of_other_provider(&reply) && !is_repeated {
            (list, at, is_repeated, last) = (JoinedPages::default(), 0, true, None);
            continue;
        }
        let is_guessed = last.as_ref().is_some_and(Added::is_guessed_end);
        let Some(added) = list.add(service, config, (&page, is_guessed), reply).await else { break };
        at = at.saturating_add(added.rows);
        let is_last = added.is_last(at);
        is_whole = is_last && !added.has_more;
        let matches = list.joined.as_mut().and_then(|joined| joined.response.as_mut()).map_or(0, |response| {
            request_filter::keep_matches(request, response);
            length(response)
        });
        if is_last && matches < end {
            list.finish(service, last.as_ref(), &added, if added.adds_nothing { from } else { at });
            list.warn_of_change(0, at, u32::MAX);
        }
        if is_last || matches >= end || list.is_cut(config, at, at) {
            break;
        }
        if page_number == MAX_SEARCHED {
            let warning = format!("search stopped after {at} rows; there may be more matches");
            list.joined.iter_mut().for_each(|joined| joined.warnings.push(warning.clone()));
        }
        last = Some(added);
    }
    let mut joined = list.joined.ok_or_else(|| ErrorKind::InvalidRequest(String::from("the list has no pages")))?;
    joined.validator = None;
    if let Some(response) = joined.response.as_mut() {
        let total = is_whole.then(|| length(response));
        with_page!(response, page => keep_window(page, offset, limit, total), else ());
        joined.rows = usize::try_from(length(response)).unwrap_or(usize::MAX);
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
struct JoinedPages {
    joined: Option<Reply>,
    seen: HashSet<String>,
    /// Whether the first page was requested.
    is_from_start: bool,
    /// The first row of the first page.
    first: Option<Text>,
    /// Length of the list according to the service.
    total: Option<u64>,
    /// The smallest and the largest length that a page reported.
    totals: Option<(u64, u64)>,
    /// Rows that earlier pages had, too.
    repeated: u64,
    /// Whether a warning says that rows may be missing.
    warns_of_missing_rows: bool,
    /// Consecutive pages, up to the last one, without a usable row.
    unusable: u32,
}

/// What a page added.
struct Added {
    /// URL of the page.
    url: String,
    /// Rows that the server sent, repeated, skipped and unreadable ones included.
    rows: u64,
    /// Whether all its rows were on earlier pages, or too many pages in a row had no usable one.
    adds_nothing: bool,
    /// Length of the list according to this page.
    total: Option<u64>,
    /// Whether it has fewer rows than requested.
    is_shorter_than_requested: bool,
    /// Whether a page that is shorter than requested is the last one: our own service has no smaller limit, and other
    /// services end lists so ([`super::capabilities`]).
    is_end_if_shorter: bool,
    /// Whether the service says that it has more rows.
    has_more: bool,
    /// Whether there may be no further page: no page had a total, and the service isn't ours.
    may_be_last: bool,
}

impl Added {
    /// Whether the list ends before row `at`. A short page is the last one, unless the service reports more rows or
    /// its pages may be smaller than requested.
    fn is_last(&self, at: u64) -> bool {
        let is_short_end = self.is_shorter_than_requested && self.is_end_if_shorter;
        self.adds_nothing || !self.has_more && self.total.map_or(is_short_end, |total| at >= total)
    }

    /// Whether the page after this one is only a guess.
    fn is_guessed_end(&self) -> bool {
        self.is_short_without_total() && !self.has_more
    }

    /// Whether it has fewer rows than requested, and no total says whether there are more.
    fn is_short_without_total(&self) -> bool {
        self.is_shorter_than_requested && self.total.is_none()
    }

    /// Remembers that this page was the last one, so that its list takes one request less the next time.
    fn note_end(&self, service: &Service) {
        if self.is_guessed_end() {
            service.capabilities().note_end(&self.url, self.rows);
        }
    }

    /// Whether the list may end here if the next page fails: there may be none, or only one by a cursor.
    fn may_end(&self, error: &ErrorKind) -> bool {
        self.is_guessed_end() || (self.is_short_without_total() || self.may_be_last) && is_no_such_page(error)
    }
}

/// Whether a service may answer so if a page doesn't exist.
fn is_no_such_page(error: &ErrorKind) -> bool {
    match error {
        ErrorKind::Status { status, .. } | ErrorKind::Explained { status, .. } => {
            matches!(status, 400 | 404 | 410 | 416 | 422)
        }
        ErrorKind::NotFound { .. } | ErrorKind::Unrecognised(_) | ErrorKind::Empty => true,
        _ => false,
    }
}

impl JoinedPages {
    /// Whether a page comes from another provider than the pages so far.
    fn is_of_other_provider(&self, reply: &Reply) -> bool {
        let known = self.joined.as_ref().and_then(|joined| joined.provider.as_ref());
        known.zip(reply.provider.as_ref()).is_some_and(|(known, own)| known != own)
    }

    /// Adds the page of a request; `None` for a response that is not a page. If the page `is_guessed`, its rows may
    /// repeat earlier pages even if they have no identity.
    async fn add(
        &mut self,
        service: &Service,
        config: &ClientConfig,
        (request, is_guessed): (&Request, bool),
        mut reply: Reply,
    ) -> Option<Added> {
        let (at, wanted) = endpoint::span(request)?;
        if request_filter::has_unknown_start(request, &reply) {
            let is_from_start = page_start::is_list_start(service, config, request, &reply, self.first.as_ref()).await;
            request_filter::cut_to_page(request, &mut reply, is_from_start);
            if !is_from_start {
                // The first page had this total because it was taken for the whole list.
                (self.total, self.totals) = (None, None);
                let known = self.joined.as_mut().and_then(|joined| joined.response.as_mut());
                with_page!(known, Some(page) => page.total = None, else ());
            }
        }
        let mut response = reply.response.take()?;
        if at == 0 {
            self.is_from_start = true;
            self.first = page_start::first_row(&response);
        }
        let (rows, has_more) = (reply.rows as u64, reply.has_more);
        // Our own service has no smaller limit.
        let is_own = reply.provider.is_some();
        let usable = length(&response);
        if let Some(joined) = self.joined.as_ref().and_then(|joined| joined.response.as_ref()).filter(|_| is_guessed) {
            remove_equal(&mut response, joined);
        }
        let (new, total) = keep_new(&mut response, &mut self.seen);
        self.total = total.or(self.total);
        if let Some(total) = total {
            let (least, most) = self.totals.unwrap_or((total, total));
            self.totals = Some((least.min(total), most.max(total)));
        }
        self.repeated += usable.saturating_sub(new as u64);
        self.unusable = if usable == 0 && rows > 0 { self.unusable + 1 } else { 0 };
        let is_mixed = self.is_of_other_provider(&reply);
        let adds_nothing = if self.unusable > 0 { self.unusable >= MAX_UNUSABLE } else { new == 0 };
        let url = reply.url.clone();
        match &mut self.joined {
            None => self.joined = Some(Reply { response: Some(response), ..reply }),
            // The page after the last one. Its warnings would be about rows that are not in the list.
            Some(joined) if new == 0 && self.unusable == 0 => {
                let notice = reply.notice.as_ref().map(|notice| &notice.sentence);
                let warnings = notice.into_iter().chain(&reply.refresh_error).cloned().collect();
                let validator = joined.validator.take();
                joined.append(Reply { rows: 0, warnings, warns_of_more_rows: false, ..reply });
                joined.validator = validator;
            }
            Some(joined) => {
                append(joined, response);
                joined.append(reply);
                if is_mixed {
                    self.warns_of_missing_rows = true;
                    joined.add_warnings(vec![String::from(MIXED)]);
                }
            }
        }
        let is_end = service.capabilities().is_end(request, &url, rows);
        Some(Added {
            adds_nothing,
            total,
            is_shorter_than_requested: rows < u64::from(wanted),
            is_end_if_shorter: is_own || is_end,
            has_more,
            may_be_last: self.total.is_none() && !is_own,
            url,
            rows,
        })
    }

    /// Ends the list at row `rows`, where the page after the `last` one failed. Only a guessed page may fail for any
    /// reason.
    fn end_at(&mut self, service: &Service, last: &Added, error: &ErrorKind, rows: u64) {
        self.warn_of_more(last, rows);
        if is_no_such_page(error) {
            last.note_end(service);
        } else if let Some(joined) = &mut self.joined {
            self.warns_of_missing_rows = true;
            joined.warnings.push(format!("there may be more than {} rows: {error}", Count(rows)));
        }
    }

    /// Ends the list at row `rows`, with its last page, or with one without new rows after it (`before`).
    fn finish(&mut self, service: &Service, before: Option<&Added>, last: &Added, rows: u64) {
        if last.adds_nothing {
            before.iter().for_each(|before| before.note_end(service));
        }
        self.warn_of_more(last, rows);
    }

    /// Warns if the service has more rows after the last page.
    fn warn_of_more(&mut self, last: &Added, rows: u64) {
        let different = rows.saturating_sub(self.repeated);
        let missing = match self.total.filter(|total| different < *total) {
            _ if last.has_more => Some(format!("{HAS_MORE}, but sends only the first {}", Count(rows))),
            Some(total) if last.adds_nothing && rows == 0 => {
                Some(format!("the service has {} rows, but sends none", Count(total)))
            }
            Some(total) if last.adds_nothing && rows < total && !self.is_from_start => {
                Some(format!("the service has {} rows, but doesn't send all of them", Count(total)))
            }
            Some(total) if last.adds_nothing && rows < total => {
                Some(format!("the service has {} rows, but sends only the first {}", Count(total), Count(rows)))
            }
            Some(total) if self.repeated > MAX_MOVED && !last.adds_nothing => Some(format!(
                "the service has {} rows, but sends only {} distinct ones",
                Count(total),
                Count(different)
            )),
            _ => None,
        };
        let Some((joined, missing)) = self.joined.as_mut().zip(missing) else { return };
        self.warns_of_missing_rows = true;
        if !std::mem::replace(&mut joined.warns_of_more_rows, true) {
            joined.warnings.push(missing);
        }
    }

    /// Warns that rows may be missing: the list's total changed, or rows appeared on two pages, and fewer were received
    /// from `offset` up to `at` than the list has within `limit`.
    fn warn_of_change(&mut self, offset: u64, at: u64, limit: u32) {
        let Some((least, most)) = self.totals.filter(|_| !self.warns_of_missing_rows) else { return };
        let different = at.saturating_sub(offset).saturating_sub(self.repeated);
        let possible = most.saturating_sub(offset).min(u64::from(limit));
        if (least < most || self.repeated > 0)
            && different < possible
            && let Some(joined) = &mut self.joined
        {
            joined.warnings.push(String::from(LIST_CHANGED));
        }
    }

    /// Whether the list reached a limit after so many rows; if so, adds a warning.
    fn is_cut(&mut self, config: &ClientConfig, rows: u64, next: u64) -> bool {
        let Some(joined) = &mut self.joined else { return false };
        let cut = config.limits.truncation_warning(rows, joined.bytes, format_args!("offset {next}"));
        let is_cut = cut.is_some();
        self.warns_of_missing_rows |= is_cut;
        joined.warnings.extend(cut);
        is_cut
    }
}
