//! The inscriptions on a sat. The server lists the oldest first, in pages, without their number. It also returns single
//! ones, counted from the newest.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::{IDS, Id, Ids, Ord};
use crate::model::{SatNumber, Text};
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::load::Load;

/// Maximum pages of a sat.
const MAX_PAGES: usize = 1 << 20;

/// How long to search for the last page before the rows are requested one by one: the more rows, the longer.
const SEARCH_PER_ROW: Duration = Duration::from_millis(200);
const MIN_SEARCH: Duration = Duration::from_secs(1);
const MAX_SEARCH: Duration = Duration::from_secs(4);

/// How long the search continues in the background if rows are missing.
const MAX_BACKGROUND_SEARCH: Duration = Duration::from_mins(2);

/// When the last of single rows is requested.
const ROWS_WAIT: Duration = Duration::from_secs(9);

/// A page of the inscriptions on a sat.
struct SatPage {
    ids: Arc<Vec<Text>>,
    /// Whether it is the last one, or beyond it.
    is_end: bool,
}

impl Ord {
    /// Ids of the inscriptions on a sat, newest first, and their total number. If the search for the last page takes too
    /// long, the total is unknown, and the rows may be fewer than requested; then the search continues in the background.
    pub(super) async fn ids_on_sat(
        &self,
        number: SatNumber,
        offset: usize,
        limit: usize,
    ) -> SourceResult<(Vec<Text>, Option<usize>)> {
        let began = Instant::now();
        let wait = SEARCH_PER_ROW.saturating_mul(u32::try_from(limit).unwrap_or(u32::MAX));
        let search_until = began + wait.clamp(MIN_SEARCH, MAX_SEARCH);
        let Some((last, newest)) = self.last_page_on_sat(number, search_until).await? else {
            return self.single_ids_on_sat(number, offset, limit, began + ROWS_WAIT).await;
        };
        let total = last * IDS + newest.len();
        // Positions from the oldest.
        let end = total.saturating_sub(offset);
        let start = end.saturating_sub(limit);
        let mut ids = Vec::with_capacity(end - start);
        let mut at = end;
        while at > start {
            let page = (at - 1) / IDS;
            let first = page * IDS;
            let part = if page == last { Arc::clone(&newest) } else { self.page_on_sat(number, page).await?.ids };
            let rows = part.get(start.saturating_sub(first)..at - first);
            let rows = rows.ok_or_else(|| SourceError::unexpected_format("a page with too few inscriptions"))?;
            ids.extend(rows.iter().rev().cloned());
            at = first;
        }
        Ok((ids, Some(total)))
    }

    /// Ids that are requested one by one, as many as there is time for, and the total if they reach the oldest.
    async fn single_ids_on_sat(
        &self,
        number: SatNumber,
        offset: usize,
        limit: usize,
        until: Instant,
    ) -> SourceResult<(Vec<Text>, Option<usize>)> {
        let mut ids = Vec::new();
        while ids.len() < limit {
            if !ids.is_empty() && Instant::now() >= until {
                let loaded = ids.len();
                let sentence = format!("Only {loaded} of {limit} inscriptions loaded in time: the sat has very many");
                self.upstream.warnings().note(sentence);
                if let Some(load) = Load::current() {
                    load.note_partial(limit - loaded, None);
                    load.note_loading();
                }
                let source = self.clone();
                self.in_background(async move {
                    let until = Instant::now() + MAX_BACKGROUND_SEARCH;
                    if let Err(error) = source.last_page_on_sat(number, until).await {
                        tracing::debug!(%error, "search for the last page of a sat failed");
                    }
                });
                break;
            }
            let from_end = offset.saturating_add(ids.len()).saturating_add(1);
            let Id { id } = self.get(&format!("/r/sat/{number}/at/-{from_end}")).await?;
            match id {
                Some(id) => ids.push(id),
                None => {
                    let total = (!ids.is_empty()).then_some(from_end - 1);
                    return Ok((ids, total));
                }
            }
        }
        Ok((ids, None))
    }

    /// The last page of a sat and its number, found by doubling and bisecting; `None` if that takes too long. Full pages
    /// are cached.
    async fn last_page_on_sat(
        &self,
        number: SatNumber,
        until: Instant,
    ) -> SourceResult<Option<(usize, Arc<Vec<Text>>)>> {
        let first = self.page_on_sat(number, 0).await?;
        if first.is_end {
            return Ok(Some((0, first.ids)));
        }
        let (mut end, mut last) = (self.sat_ends.get(&number), None);
        // A finished search has found the page before the end.
        let before_end = end.and_then(|end| end.checked_sub(1));
        let mut full = before_end.filter(|page| self.sat_pages.contains_key(&(number, *page))).unwrap_or(0);
        loop {
            let at = match (end, &last) {
                (None, _) => usize::max(full * 2, 1),
                (Some(end), _) if end - full > 1 => full + (end - full) / 2,
                (Some(end), None) => end,
                (Some(end), Some(ids)) => return Ok(Some((end, Arc::clone(ids)))),
            };
            if at > MAX_PAGES {
                return Err(SourceError::unexpected_format("too many pages of inscriptions"));
            }
            if Instant::now() >= until && !self.sat_pages.contains_key(&(number, at)) {
                return Ok(None);
            }
            let page = self.page_on_sat(number, at).await?;
            if page.is_end {
                self.sat_ends.insert(number, at);
                (end, last) = (Some(at), Some(page.ids));
            } else {
                full = at;
                if end.is_some_and(|end| at >= end) {
                    // The sat has got more inscriptions.
                    (end, last) = (None, None);
                }
            }
        }
    }

    async fn page_on_sat(&self, number: SatNumber, at: usize) -> SourceResult<SatPage> {
        if let Some(ids) = self.sat_pages.get(&(number, at)) {
            return Ok(SatPage { ids, is_end: false });
        }
        let path = if at == 0 { format!("/r/sat/{number}") } else { format!("/r/sat/{number}/{at}") };
        let Ids { ids, more } = self.get(&path).await?;
        let page = SatPage { is_end: !more || ids.is_empty(), ids: Arc::new(ids.0) };
        if at > 0
            && let Some(first) = self.sat_pages.get(&(number, 0))
            && page.ids.first().is_some_and(|id| first.first() == Some(id))
        {
            return Err(SourceError::unexpected_format("each page of the sat's inscriptions is the first one"));
        }
        if !page.is_end {
            if page.ids.len() != IDS {
                let found = format!("a page of {} inscriptions instead of {IDS}", page.ids.len());
                return Err(SourceError::unexpected_format(found));
            }
            self.sat_pages.insert((number, at), Arc::clone(&page.ids));
        }
        Ok(page)
    }
}
