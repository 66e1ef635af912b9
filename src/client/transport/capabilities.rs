//! What a service supports, learned from its responses and errors to save requests.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::{Discriminant, discriminant};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use parking_lot::Mutex;

use crate::client::endpoint;
use crate::client::request::Request;

/// Common page limits. A list with exactly this many rows may have more pages later.
const PAGE_LIMITS: [u64; 7] = [10, 15, 20, 25, 30, 40, 50];

/// Maximum lists whose end is known.
const MAX_ENDS: usize = 2_000;

/// What is known about a service.
#[derive(Debug)]
pub(super) struct Capabilities {
    /// The maximum rows of a page that it accepts; unknown at first.
    page_limit: AtomicU32,
    rejects_order: AtomicBool,
    refuses_all_time: AtomicBool,
    pages: Mutex<Pages>,
}

/// How the service pages its lists.
#[derive(Debug, Default)]
struct Pages {
    /// Rows of the longest page by the kind of request. A shorter page is the last one.
    longest: HashMap<Discriminant<Request>, u64>,
    /// Rows of short pages, by their URL, that were the last ones.
    ends: HashMap<u64, u64>,
    /// Whether the service ignores `offset`, by the kind of request.
    ignores_offset: HashMap<Discriminant<Request>, bool>,
}

impl Default for Capabilities {
    fn default() -> Capabilities {
        Capabilities {
            page_limit: AtomicU32::new(u32::MAX),
            rejects_order: AtomicBool::default(),
            refuses_all_time: AtomicBool::default(),
            pages: Mutex::default(),
        }
    }
}

impl Capabilities {
    /// The request with fewer rows, if it is for more than the service accepts.
    pub(super) fn narrowed(&self, request: &Request) -> Option<Request> {
        endpoint::with_limit(request, self.page_limit.load(Ordering::Relaxed))
    }

    /// Remembers that the service accepts this request, but none for more rows.
    pub(super) fn note_page_limit(&self, request: &Request) {
        if let Some(limit) = endpoint::limit(request) {
            self.page_limit.fetch_min(limit, Ordering::Relaxed);
        }
    }

    /// Whether the service rejects the sort parameter.
    pub(super) fn rejects_order(&self) -> bool {
        self.rejects_order.load(Ordering::Relaxed)
    }

    /// Remembers whether the service rejects the sort parameter.
    pub(super) fn set_rejects_order(&self, rejects_order: bool) {
        self.rejects_order.store(rejects_order, Ordering::Relaxed);
    }

    /// Whether the service refuses requests for all time, but not those for a year.
    pub(super) fn refuses_all_time(&self) -> bool {
        self.refuses_all_time.load(Ordering::Relaxed)
    }

    /// Remembers whether the service refuses requests for all time.
    pub(super) fn set_refuses_all_time(&self, refuses_all_time: bool) {
        self.refuses_all_time.store(refuses_all_time, Ordering::Relaxed);
    }

    /// Records the rows of a page that has fewer than requested and no total. Returns whether it is the last one of its
    /// list.
    pub(super) fn is_end(&self, request: &Request, url: &str, rows: u64) -> bool {
        let mut pages = self.pages.lock();
        let is_known = pages.ends.get(&hash(url)) == Some(&rows);
        let longest = pages.longest.entry(discriminant(request)).or_default();
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
        let mut pages = self.pages.lock();
        if pages.ends.len() >= MAX_ENDS {
            pages.ends.clear();
        }
        pages.ends.insert(hash(url), rows);
    }

    /// Whether the service ignores `offset`, if known.
    pub(super) fn ignores_offset(&self, request: &Request) -> Option<bool> {
        self.pages.lock().ignores_offset.get(&discriminant(request)).copied()
    }

    /// Remembers whether the service ignores `offset`.
    pub(super) fn set_ignores_offset(&self, request: &Request, ignores_offset: bool) {
        self.pages.lock().ignores_offset.insert(discriminant(request), ignores_offset);
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
        let service = Capabilities::default();
        assert!(!service.is_end(&holders(), "a", 30), "its limit may be 30");
        assert!(!service.is_end(&holders(), "b", 30));
        assert!(service.is_end(&holders(), "c", 29));
        assert!(!service.is_end(&holders(), "e", 20), "its limit may be lower now");
        let later = Request::Brc20Holders { ticker: Text::const_new("ordi"), offset: 60, limit: 60 };
        assert!(service.is_end(&later, "f", 20));
        let tokens = Request::Brc20Tokens { ticker: None, offset: 0, limit: 60 };
        assert!(!service.is_end(&tokens, "d", 7), "each kind may have its own limit");
    }

    #[test]
    fn known_end_needs_the_same_number_of_rows() {
        let service = Capabilities::default();
        service.note_end("a", 7);
        assert!(service.is_end(&holders(), "a", 7));
        assert!(!service.is_end(&holders(), "a", 8));
        service.note_end("b", 20);
        assert!(!service.is_end(&holders(), "b", 20), "a common limit of pages");
    }
}
