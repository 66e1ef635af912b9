//! A long list of the indexer, loaded page by page as the cursor approaches its end.

use std::cmp::Ordering;
use std::collections::HashSet;

use crate::client::{Answer, Request};
use crate::model::{Identity, Page};

use super::store::{Remote, Store};

/// Rows of a page: the maximum of Hiro's API.
pub const PAGE: u32 = 60;

/// Maximum pages of a list: 3,000 rows.
pub const MOST_PAGES: u32 = 50;

/// How many pages of a list are requested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depth(u32);

impl Default for Depth {
    fn default() -> Self {
        Depth(1)
    }
}

impl Depth {
    /// Requests one more page if the cursor is within `margin` rows of the last loaded one and there is more.
    pub fn follow<T>(&mut self, cursor: usize, margin: usize, list: &PagedList<'_, T>) {
        if self.0 < MOST_PAGES && list.is_whole(self) && list.has_more() && cursor + margin >= list.len() {
            self.0 += 1;
        }
    }

    /// The requests for these pages: that of the cursor first, then the first page, then the visible ones, then those
    /// that the store does not have.
    pub fn requests(&self, store: &Store, cursor: usize, rows: usize, make: impl Fn(u64) -> Request) -> Vec<Request> {
        let page = |row: usize| (row / PAGE as usize).min(self.0 as usize - 1);
        let mut wanted = vec![page(cursor), 0, page(cursor.saturating_sub(rows)), page(cursor.saturating_add(rows))];
        wanted.push(self.0 as usize - 1);
        let request = |page: usize| make(page as u64 * u64::from(PAGE));
        wanted.extend((0..self.0 as usize).filter(|&page| store.answer(&request(page)).is_none()));
        let mut seen = Vec::new();
        for page in wanted {
            if !seen.contains(&page) {
                seen.push(page);
            }
        }
        seen.into_iter().map(request).collect()
    }

    /// The requests of all its pages.
    pub fn all(&self, make: impl Fn(u64) -> Request) -> impl Iterator<Item = Request> {
        (0..self.0).map(move |page| make(u64::from(page) * u64::from(PAGE)))
    }

    /// How many pages.
    pub fn pages(&self) -> u32 {
        self.0
    }
}

/// The loaded pages of a list, joined.
#[derive(Debug)]
pub struct PagedList<'a, T> {
    items: Vec<&'a T>,
    /// Rows of the loaded pages that were skipped or could not be read.
    missing: usize,
    pages: usize,
    total: Option<u64>,
    /// Whether the last loaded page had new rows.
    has_new: bool,
    /// Whether the last loaded page was full.
    is_full: bool,
    /// Whether sorting changed the server's order.
    reordered: bool,
    /// The first page as a resource: whether it loads, fails, is stale.
    pub first: Remote<'a, Answer>,
    /// The last requested page.
    pub last: Remote<'a, Answer>,
}

impl<'a, T: Identity> PagedList<'a, T> {
    /// Joins the pages that are loaded without a gap.
    pub fn read(
        store: &'a Store,
        depth: &Depth,
        make: impl Fn(u64) -> Request,
        part: impl Fn(&'a Answer) -> Option<&'a Page<T>>,
    ) -> PagedList<'a, T> {
        let first = store.get(&make(0));
        let mut list = PagedList {
            items: Vec::new(),
            missing: 0,
            pages: 0,
            total: None,
            has_new: false,
            is_full: false,
            reordered: false,
            first,
            last: first,
        };
        let mut seen = HashSet::new();
        for request in depth.all(make) {
            list.last = store.get(&request);
            let Some(page) = list.last.value.and_then(&part) else { break };
            let before = list.items.len();
            // A single page repeats nothing.
            match depth.0 {
                1 => list.items.extend(&page.items),
                _ => {
                    list.items.extend(page.items.iter().filter(|item| item.identity().is_none_or(|id| seen.insert(id))))
                }
            }
            list.pages += 1;
            list.total = list.total.or(page.total);
            let receipt = list.last.entry.and_then(|entry| entry.receipt.as_ref());
            let rows = receipt.map_or(0, |receipt| receipt.rows).max(page.items.len());
            list.missing += rows - page.items.len();
            // A page of skipped rows is not known to be the last one.
            list.has_new = list.items.len() > before || page.items.is_empty() && rows > 0;
            list.is_full = rows >= PAGE as usize;
        }
        list
    }
}

impl<'a, T> PagedList<'a, T> {
    /// Items loaded.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether nothing is loaded.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether the first page is loaded.
    pub fn is_loaded(&self) -> bool {
        self.pages > 0
    }

    /// Whether all requested pages are loaded.
    pub fn is_whole(&self, depth: &Depth) -> bool {
        self.pages == depth.0 as usize
    }

    /// The length of the list, if the server sends it.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// The item in a row.
    pub fn get(&self, row: usize) -> Option<&'a T> {
        self.items.get(row).copied()
    }

    /// Sorts the loaded items; equal ones keep the server's order.
    pub fn sort_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        if !self.items.is_sorted_by(|a, b| compare(a, b).is_le()) {
            self.items.sort_by(|a, b| compare(a, b));
            self.reordered = true;
        }
    }

    /// Whether only the loaded items are in this order: the server has more, in another order.
    pub fn is_order_partial(&self) -> bool {
        self.reordered && self.has_more()
    }

    /// All loaded items.
    pub fn iter(&self) -> impl Iterator<Item = &'a T> {
        self.items.iter().copied()
    }

    /// Whether the server has more rows, as far as known.
    pub fn has_more(&self) -> bool {
        let rows = (self.len() + self.missing) as u64;
        self.has_new && self.total.map_or(self.is_full, |total| rows < total)
    }
}
