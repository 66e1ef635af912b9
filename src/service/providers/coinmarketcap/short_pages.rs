//! The pages of lists that have fewer coins than requested, so that the missing ones are not requested at each refresh.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::model::Tag;

/// How long a page counts as short.
const TTL: Duration = Duration::from_hours(6);

/// How long a page must stay short before it counts: a failure of the server may look the same and last for several
/// refreshes.
const MIN_TIME: Duration = Duration::from_mins(30);

/// Maximum time between two short responses. After a longer gap, the page may have been complete in between.
const MAX_GAP: Duration = Duration::from_hours(1);

/// The short pages, by tag and offset.
#[derive(Debug, Default)]
pub(super) struct ShortPages(Mutex<HashMap<(Tag, usize), ShortPage>>);

#[derive(Debug)]
struct ShortPage {
    /// Number of rows.
    rows: usize,
    /// Reported length of the list.
    total: Option<u64>,
    /// The first time that the server said so, without a different response or a gap since.
    first_seen: Instant,
    /// The last time.
    last_seen: Instant,
}

impl ShortPages {
    /// Records that a page has only these rows, while the list has this reported length.
    pub(super) fn insert(&self, tag: Tag, offset: usize, rows: usize, total: Option<u64>) {
        let mut pages = self.0.lock();
        let is_same = |page: &&ShortPage| {
            (page.rows, page.total) == (rows, total) && (page.is_confirmed() || page.last_seen.elapsed() < MAX_GAP)
        };
        let known = pages.get(&(tag, offset)).filter(is_same);
        let last_seen = Instant::now();
        let first_seen = known.map_or(last_seen, |page| page.first_seen);
        pages.insert((tag, offset), ShortPage { rows, total, first_seen, last_seen });
    }

    /// Records that a page has at least these rows.
    pub(super) fn remove_shorter(&self, tag: Tag, offset: usize, rows: usize) {
        let mut pages = self.0.lock();
        pages.retain(|of, page| *of != (tag, offset) || page.rows >= rows);
    }

    /// Whether a page has had only these rows for [`MIN_TIME`], most recently within [`TTL`], while the list had the same
    /// length.
    pub(super) fn contains(&self, tag: Tag, offset: usize, rows: usize, total: Option<u64>) -> bool {
        let pages = self.0.lock();
        pages.get(&(tag, offset)).is_some_and(|page| {
            (page.rows, page.total) == (rows, total) && page.is_confirmed() && page.last_seen.elapsed() < TTL
        })
    }
}

impl ShortPage {
    /// Whether it has been short for [`MIN_TIME`].
    fn is_confirmed(&self) -> bool {
        self.last_seen - self.first_seen >= MIN_TIME
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn page_counts_as_short_after_half_an_hour() {
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
        // Several refreshes.
        for minutes in [5, 10, 14] {
            tokio::time::advance(Duration::from_mins(minutes)).await;
            insert(100, 600);
            assert!(!is_short());
        }
        tokio::time::advance(Duration::from_mins(1)).await;
        pages.remove_shorter(Tag::All, 0, 100);
        pages.remove_shorter(Tag::All, 250, 400);
        insert(100, 600);
        assert!(is_short());
        tokio::time::advance(TTL).await;
        assert!(!is_short());
        insert(100, 600);
        assert!(is_short());
    }

    #[tokio::test(start_paused = true)]
    async fn two_short_pages_with_a_long_time_in_between_may_be_errors() {
        let pages = ShortPages::default();
        for _ in 0..2 {
            pages.insert(Tag::All, 0, 100, Some(600));
            assert!(!pages.contains(Tag::All, 0, 100, Some(600)));
            tokio::time::advance(MAX_GAP).await;
        }
    }
}
