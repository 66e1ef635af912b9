//! The inscriptions on a sat. The server lists the oldest first, in pages, without their number.

use std::sync::Arc;

use super::{IDS, Ids, Ord};
use crate::model::{SatNumber, Text};
use crate::service::upstream::error::{SourceError, SourceResult};

/// Maximum pages of a sat.
const MAX_PAGES: usize = 1 << 20;

/// A page of the inscriptions on a sat.
struct SatPage {
    ids: Arc<Vec<Text>>,
    /// Whether it is the last one, or beyond it.
    is_end: bool,
}

impl Ord {
    /// Ids of the inscriptions on a sat, newest first, and their total number.
    pub(super) async fn ids_on_sat(
        &self,
        number: SatNumber,
        offset: usize,
        limit: usize,
    ) -> SourceResult<(Vec<Text>, usize)> {
        let (last, newest) = self.last_page_on_sat(number).await?;
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
        Ok((ids, total))
    }

    /// The last page of a sat and its number, found by doubling and bisecting.
    async fn last_page_on_sat(&self, number: SatNumber) -> SourceResult<(usize, Arc<Vec<Text>>)> {
        let mut last = self.page_on_sat(number, 0).await?;
        if last.is_end {
            return Ok((0, last.ids));
        }
        let (mut full, mut end) = (0, 1);
        loop {
            last = self.page_on_sat(number, end).await?;
            if last.is_end {
                break;
            }
            (full, end) = (end, end * 2);
            if end > MAX_PAGES {
                return Err(SourceError::unexpected_format("too many pages of inscriptions"));
            }
        }
        while end - full > 1 {
            let middle = full + (end - full) / 2;
            let page = self.page_on_sat(number, middle).await?;
            match page.is_end {
                true => (end, last) = (middle, page),
                false => full = middle,
            }
        }
        Ok((end, last.ids))
    }

    async fn page_on_sat(&self, number: SatNumber, at: usize) -> SourceResult<SatPage> {
        if let Some(ids) = self.sat_pages.get(&(number, at)) {
            return Ok(SatPage { ids, is_end: false });
        }
        let path = if at == 0 { format!("/r/sat/{number}") } else { format!("/r/sat/{number}/{at}") };
        let Ids { ids, more } = self.get(&path).await?;
        let page = SatPage { is_end: !more || ids.is_empty(), ids: Arc::new(ids.0) };
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
