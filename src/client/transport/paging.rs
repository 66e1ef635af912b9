//! How a service pages its lists, learned from its responses.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::{Discriminant, discriminant};

use parking_lot::{Mutex, MutexGuard};

use crate::client::endpoint;
use crate::client::request::Request;

/// Common page limits of servers. A list of such a length may grow beyond its only page.
const PAGE_LIMITS: [u64; 7] = [10, 15, 20, 25, 30, 40, 50];

/// Maximum lists whose end is known.
const MAX_ENDS: usize = 2_000;

/// What is known about the pages of a service. It saves requests.
#[derive(Debug, Default)]
pub(super) struct Paging {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// Rows of the longest page by the kind of request. A shorter page is the last one.
    longest: HashMap<Discriminant<Request>, u64>,
    /// Rows of short pages, by their URL, that were the last ones.
    ends: HashMap<u64, u64>,
    /// Whether the service ignores `offset`, by the kind of request.
    ignores_offset: HashMap<Discriminant<Request>, bool>,
}

impl Paging {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock()
    }

    /// Adds a page of so many rows. Returns whether it is the last one of its list, if it has fewer rows than requested
    /// and no total.
    pub(super) fn is_end(&self, request: &Request, url: &str, rows: u64) -> bool {
        let mut known = self.known();
        let is_known = known.ends.get(&hash(url)) == Some(&rows);
        let longest = known.longest.entry(discriminant(request)).or_default();
        // The limit may have become lower since an earlier list.
        let may_be_limit = PAGE_LIMITS.contains(&rows) && endpoint::span(request).is_none_or(|(offset, _)| offset == 0);
        let is_end = is_known || rows < *longest && !may_be_limit;
        *longest = rows.max(*longest);
        is_end
    }

    /// Remembers that a short page was the last one of its list.
    pub(super) fn note_end(&self, url: &str, rows: u64) {
        if PAGE_LIMITS.contains(&rows) {
            return;
        }
        let mut known = self.known();
        if known.ends.len() >= MAX_ENDS {
            known.ends.clear();
        }
        known.ends.insert(hash(url), rows);
    }

    /// Whether the service ignores `offset`, if known.
    pub(super) fn ignores_offset(&self, request: &Request) -> Option<bool> {
        self.known().ignores_offset.get(&discriminant(request)).copied()
    }

    /// Remembers whether the service ignores `offset`.
    pub(super) fn set_ignores_offset(&self, request: &Request, ignores_offset: bool) {
        self.known().ignores_offset.insert(discriminant(request), ignores_offset);
    }
}

fn hash(url: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    url.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Text;

    fn holders() -> Request {
        Request::Brc20Holders { ticker: Text::const_new("ordi"), offset: 0, limit: 60 }
    }

    #[test]
    fn page_shorter_than_another_one_is_the_last() {
        let paging = Paging::default();
        assert!(!paging.is_end(&holders(), "a", 30), "its limit may be 30");
        assert!(!paging.is_end(&holders(), "b", 30));
        assert!(paging.is_end(&holders(), "c", 29));
        assert!(!paging.is_end(&holders(), "e", 20), "its limit may be lower now");
        let later = Request::Brc20Holders { ticker: Text::const_new("ordi"), offset: 60, limit: 60 };
        assert!(paging.is_end(&later, "f", 20));
        let tokens = Request::Brc20Tokens { ticker: None, offset: 0, limit: 60 };
        assert!(!paging.is_end(&tokens, "d", 7), "each kind may have its own limit");
    }

    #[test]
    fn known_end_needs_the_same_number_of_rows() {
        let paging = Paging::default();
        paging.note_end("a", 7);
        assert!(paging.is_end(&holders(), "a", 7));
        assert!(!paging.is_end(&holders(), "a", 8));
        paging.note_end("b", 20);
        assert!(!paging.is_end(&holders(), "b", 20), "a common limit of pages");
    }
}
