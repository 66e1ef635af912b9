//! The pages of lists that have fewer coins than requested, so that the missing ones are not requested at each refresh.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::model::Tag;

/// How long a page counts as short.
const TTL: Duration = Duration::from_hours(6);

/// The short pages, by tag and offset.
#[derive(Debug, Default)]
pub(super) struct ShortPages(Mutex<HashMap<(Tag, usize), ShortPage>>);

#[derive(Debug)]
struct ShortPage {
    /// Number of rows.
    rows: usize,
    /// Reported length of the list.
    total: Option<u64>,
    since: Instant,
}

impl ShortPages {
    /// Records that a page has only these rows, while the list has this reported length.
    pub(super) fn insert(&self, tag: Tag, offset: usize, rows: usize, total: Option<u64>) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pages.insert((tag, offset), ShortPage { rows, total, since: Instant::now() });
    }

    /// Whether a page had only these rows some hours ago, when the list had the same length.
    pub(super) fn contains(&self, tag: Tag, offset: usize, rows: usize, total: Option<u64>) -> bool {
        let pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = pages.get(&(tag, offset)).filter(|page| page.since.elapsed() < TTL);
        known.is_some_and(|page| (page.rows, page.total) == (rows, total))
    }
}
