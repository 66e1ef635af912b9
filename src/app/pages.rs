//! A long list of the indexer, read page by page as the cursor nears the end of what is loaded.

use crate::client::{Answer, Request};
use crate::model::Page;

use super::store::{Remote, Store};

/// Items on a page: the most that Hiro's API gives at once.
pub const PAGE: u32 = 60;

/// How many pages of a list are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Depth(u32);

impl Default for Depth {
    fn default() -> Self {
        Depth(1)
    }
}

impl Depth {
    /// Asks for one page more where the cursor is within `margin` rows of the end of what is loaded, and there is more.
    pub fn follow<T>(&mut self, cursor: usize, margin: usize, list: &PagedList<'_, T>) {
        let all_there = list.parts.len() == self.0 as usize;
        if all_there && list.has_more() && cursor + margin >= list.len() {
            self.0 += 1;
        }
    }

    /// The requests for these pages: the one under the cursor first, then the first, then the others in sight.
    pub fn requests(&self, cursor: usize, rows: usize, make: impl Fn(u64) -> Request) -> Vec<Request> {
        let page = |row: usize| (row / PAGE as usize).min(self.0 as usize - 1);
        let mut wanted = vec![page(cursor)];
        for row in [cursor.saturating_sub(rows), cursor + rows] {
            wanted.push(page(row));
        }
        wanted.push(self.0 as usize - 1);
        let mut seen = Vec::new();
        for page in wanted {
            if !seen.contains(&page) {
                seen.push(page);
            }
        }
        seen.into_iter().map(|page| make(page as u64 * u64::from(PAGE))).collect()
    }

    /// How many pages.
    pub fn pages(&self) -> u32 {
        self.0
    }
}

/// The loaded pages of a list, joined.
#[derive(Debug)]
pub struct PagedList<'a, T> {
    parts: Vec<&'a Page<T>>,
    /// The first page as a resource: whether it loads, fails, is stale.
    pub first: Remote<'a, Answer>,
    /// The last page that was asked for.
    pub last: Remote<'a, Answer>,
}

impl<'a, T> PagedList<'a, T> {
    /// Joins what is loaded without a gap.
    pub fn read(
        store: &'a Store,
        depth: &Depth,
        make: impl Fn(u64) -> Request,
        part: impl Fn(&'a Answer) -> Option<&'a Page<T>>,
    ) -> PagedList<'a, T> {
        let mut parts = Vec::new();
        let first = store.get(&make(0));
        let mut last = first;
        for page in 0..depth.0 {
            last = store.get(&make(u64::from(page) * u64::from(PAGE)));
            match last.value.and_then(&part) {
                Some(items) => parts.push(items),
                None => break,
            }
        }
        PagedList { parts, first, last }
    }

    /// Items loaded.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|p| p.items.len()).sum()
    }

    /// Whether nothing is loaded.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the first page has arrived.
    pub fn is_loaded(&self) -> bool {
        !self.parts.is_empty()
    }

    /// How many there are, where the server says so.
    pub fn total(&self) -> Option<u64> {
        self.parts.iter().find_map(|p| p.total)
    }

    /// The item in a row.
    pub fn get(&self, mut row: usize) -> Option<&'a T> {
        for part in &self.parts {
            match part.items.get(row) {
                Some(item) => return Some(item),
                None => row -= part.items.len(),
            }
        }
        None
    }

    /// All loaded items.
    pub fn iter(&self) -> impl Iterator<Item = &'a T> {
        self.parts.iter().flat_map(|p| p.items.iter())
    }

    /// Whether the server has more than is loaded, as far as can be told.
    pub fn has_more(&self) -> bool {
        let Some(last) = self.parts.last() else { return false };
        match self.total() {
            Some(total) => (self.len() as u64) < total && !last.items.is_empty(),
            None => last.items.len() == PAGE as usize,
        }
    }
}
