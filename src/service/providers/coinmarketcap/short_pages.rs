//! The pages of lists that have fewer coins than requested, so that the missing ones are not requested at each refresh.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::model::Tag;

/// How long a page counts as short.
const TTL: Duration = Duration::from_hours(6);

/// How long a page must have been short before it counts: shorter may be one failure of the server.
const MIN_TIME: Duration = Duration::from_mins(5);

/// The short pages, by tag and offset.
#[derive(Debug, Default)]
pub(super) struct ShortPages(Mutex<HashMap<(Tag, usize), ShortPage>>);

#[derive(Debug)]
struct ShortPage {
    /// Number of rows.
    rows: usize,
    /// Reported length of the list.
    total: Option<u64>,
    /// The first and the last time that the server said so without a different answer in between.
    times: (Instant, Instant),
}

impl ShortPages {
    /// Records that a page has only these rows, while the list has this reported length.
    pub(super) fn insert(&self, tag: Tag, offset: usize, rows: usize, total: Option<u64>) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = pages.get(&(tag, offset)).filter(|page| (page.rows, page.total) == (rows, total));
        let now = Instant::now();
        let first = known.map_or(now, |page| page.times.0);
        pages.insert((tag, offset), ShortPage { rows, total, times: (first, now) });
    }

    /// Records that a page has at least these rows.
    pub(super) fn remove_shorter(&self, tag: Tag, offset: usize, rows: usize) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.retain(|of, page| *of != (tag, offset) || page.rows >= rows);
    }

    /// Whether a page had only these rows for some minutes, last some hours ago, when the list had the same length.
    pub(super) fn contains(&self, tag: Tag, offset: usize, rows: usize, total: Option<u64>) -> bool {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.get(&(tag, offset)).is_some_and(|page| {
            let (first, last) = page.times;
            (page.rows, page.total) == (rows, total) && last - first >= MIN_TIME && last.elapsed() < TTL
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn page_counts_as_short_after_the_same_end_for_minutes() {
        let pages = ShortPages::default();
        let is_short = || pages.contains(Tag::All, 0, 100, Some(600));
        let insert = |rows, total| pages.insert(Tag::All, 0, rows, Some(total));
        insert(100, 600);
        assert!(!is_short());
        // Another length, another end, or more rows in between.
        let others: [fn(&ShortPages); 3] = [
            |pages| pages.insert(Tag::All, 0, 100, Some(601)),
            |pages| pages.insert(Tag::All, 0, 200, Some(600)),
            |pages| pages.remove_shorter(Tag::All, 0, 200),
        ];
        for other in others {
            tokio::time::advance(MIN_TIME).await;
            other(&pages);
            insert(100, 600);
            assert!(!is_short());
        }
        // Two manual refreshes.
        tokio::time::advance(Duration::from_secs(10)).await;
        insert(100, 600);
        assert!(!is_short());
        tokio::time::advance(MIN_TIME).await;
        pages.remove_shorter(Tag::All, 0, 100);
        pages.remove_shorter(Tag::All, 250, 400);
        insert(100, 600);
        assert!(is_short());
        tokio::time::advance(TTL).await;
        assert!(!is_short());
        insert(100, 600);
        assert!(is_short());
    }
}
