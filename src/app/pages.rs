//! A long list of the indexer, loaded page by page as the cursor approaches its end.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::{Arc, Weak};

use crate::client::{Request, ResponseData};
use crate::model::{Identity, Page, provider};

use super::responses::{Remote, Responses};

/// Rows of a page; the maximum of Hiro's API.
pub const PAGE_SIZE: u32 = 60;

/// Maximum pages of a list: 3,000 rows.
pub const MAX_PAGES: u32 = 50;

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
        if self.0 < MAX_PAGES && list.is_whole(self) && list.has_more() && cursor.saturating_add(margin) >= list.len() {
            self.0 += 1;
        }
    }

    /// The requests for these pages: the page of the row at the cursor, the first page, the pages of rows within
    /// `margin` of the cursor, the last page, all pages that are not loaded, and the next page from a provider other
    /// than the first page's.
    pub fn requests(
        &self,
        responses: &Responses,
        order: &RowOrder,
        cursor: usize,
        margin: usize,
        make: impl Fn(u64) -> Request,
    ) -> Vec<Request> {
        let near = cursor.saturating_sub(margin)..cursor.saturating_add(margin + 1).min(order.rows.len());
        let page = |row: usize| order.rows.get(row).map(|place| place.page as usize);
        let mut visible: Vec<usize> = near.filter_map(page).collect();
        visible.sort_unstable();
        visible.dedup();
        let mut wanted: Vec<usize> = page(cursor).into_iter().chain([0]).chain(visible).collect();
        wanted.push(self.0 as usize - 1);
        let request = |page: usize| make(page as u64 * u64::from(PAGE_SIZE));
        wanted.extend((0..self.0 as usize).filter(|&page| responses.response(&request(page)).is_none()));
        let provider_of = |page: usize| responses.get(&request(page)).provider().map(provider::first);
        let first = provider_of(0);
        let is_of_other = |page: &usize| provider_of(*page).zip(first).is_some_and(|(own, first)| own != first);
        wanted.extend((0..self.0 as usize).find(is_of_other));
        let mut seen = Vec::new();
        for page in wanted {
            if !seen.contains(&page) && page < self.0 as usize {
                seen.push(page);
            }
        }
        seen.into_iter().map(request).collect()
    }

    /// The requests of all its pages.
    pub fn all(&self, make: impl Fn(u64) -> Request) -> impl Iterator<Item = Request> {
        (0..self.0).map(move |page| make(u64::from(page) * u64::from(PAGE_SIZE)))
    }

    /// How many pages.
    pub fn pages(&self) -> u32 {
        self.0
    }
}

/// The position of a row: its page, and its index on that page.
#[derive(Clone, Copy, Debug)]
struct RowPosition {
    page: u32,
    item: u32,
}

/// How to sort two items of a list.
pub(in crate::app) type Compare<'a, T> = &'a dyn Fn(&T, &T) -> Ordering;

/// The order of the rows of all pages. A screen keeps it between messages, so that pages are joined and sorted again
/// only if one of them has changed.
#[derive(Debug, Default)]
pub struct RowOrder {
    /// The joined pages. Weak, since only [`Responses`] decides how long to keep them.
    pages: Vec<Weak<ResponseData>>,
    rows: Vec<RowPosition>,
    /// Rows of these pages that were skipped or could not be read.
    missing: usize,
    total: Option<u64>,
    /// Whether the last page had new rows.
    has_new: bool,
    /// Whether the last page was full.
    is_full: bool,
    /// Whether sorting changed the server's order.
    is_sorted: bool,
}

impl RowOrder {
    /// Whether it is the order of exactly these pages.
    fn is_of<T>(&self, pages: &[Loaded<'_, T>]) -> bool {
        let same =
            |(known, loaded): (&Weak<ResponseData>, &Loaded<'_, T>)| known.as_ptr() == Arc::as_ptr(loaded.response);
        self.pages.len() == pages.len() && self.pages.iter().zip(pages).all(same)
    }

    /// Joins pages without duplicates: if the list grows between two responses, the next page repeats items.
    fn join<T: Identity>(pages: &[Loaded<'_, T>], compare: Option<Compare<'_, T>>) -> RowOrder {
        let mut order = RowOrder::default();
        let mut seen = HashSet::new();
        for (number, Loaded { response, page, rows, .. }) in pages.iter().enumerate() {
            order.pages.push(Arc::downgrade(response));
            let before = order.rows.len();
            for (index, item) in page.items.iter().enumerate() {
                // A single page has no duplicates.
                if pages.len() == 1 || item.identity().is_none_or(|identity| seen.insert(identity)) {
                    order.rows.push(RowPosition { page: number as u32, item: index as u32 });
                }
            }
            order.total = order.total.or(page.total);
            let rows = (*rows).max(page.items.len());
            order.missing += rows - page.items.len();
            // If all rows of a page were skipped, there may be further pages.
            order.has_new = order.rows.len() > before || page.items.is_empty() && rows > 0;
            order.is_full = rows >= PAGE_SIZE as usize;
        }
        if let Some(compare) = compare {
            let by_item = |a: &RowPosition, b: &RowPosition| match (item(pages, *a), item(pages, *b)) {
                (Some(a), Some(b)) => compare(a, b),
                _ => Ordering::Equal,
            };
            if !order.rows.is_sorted_by(|a, b| by_item(a, b).is_le()) {
                order.rows.sort_by(by_item);
                order.is_sorted = true;
            }
        }
        order
    }
}

/// A loaded page.
#[derive(Debug)]
struct Loaded<'a, T> {
    response: &'a Arc<ResponseData>,
    page: &'a Page<T>,
    remote: Remote<'a, ResponseData>,
    /// Rows that the server sent, including those that were skipped or could not be read; 0 if unknown.
    rows: usize,
}

fn item<'a, T>(pages: &[Loaded<'a, T>], place: RowPosition) -> Option<&'a T> {
    pages.get(place.page as usize)?.page.items.get(place.item as usize)
}

/// The loaded pages of a list, joined.
#[derive(Debug)]
pub struct PagedList<'a, T> {
    pages: Vec<Loaded<'a, T>>,
    order: Arc<RowOrder>,
    /// The first page, with its loading state, failure and age.
    pub first: Remote<'a, ResponseData>,
    /// The last requested page.
    pub last: Remote<'a, ResponseData>,
}

impl<'a, T: Identity> PagedList<'a, T> {
    /// Joins the pages up to the first missing one, and sorts their items; equal items keep the server's order. `known`
    /// is the previous order, which is used again if no page has changed.
    pub fn read(
        responses: &'a Responses,
        (depth, known): (&Depth, &Arc<RowOrder>),
        make: impl Fn(u64) -> Request,
        part: impl Fn(&'a ResponseData) -> Option<&'a Page<T>>,
        compare: Option<Compare<'_, T>>,
    ) -> PagedList<'a, T> {
        let first = responses.get(&make(0));
        let mut last = first;
        let mut pages = Vec::new();
        for request in depth.all(make) {
            last = responses.get(&request);
            let loaded = last.entry.and_then(|entry| {
                let response = entry.response.as_ref()?;
                let rows = entry.receipt.as_ref().map_or(0, |receipt| receipt.rows);
                Some(Loaded { response, page: part(response)?, remote: last, rows })
            });
            let Some(loaded) = loaded else { break };
            pages.push(loaded);
        }
        let order = if known.is_of(&pages) { Arc::clone(known) } else { Arc::new(RowOrder::join(&pages, compare)) };
        PagedList { pages, order, first, last }
    }
}

impl<'a, T> PagedList<'a, T> {
    /// The order of its rows, to pass to the next [`PagedList::read`].
    pub fn order(&self) -> &Arc<RowOrder> {
        &self.order
    }

    /// Number of loaded items.
    pub fn len(&self) -> usize {
        self.order.rows.len()
    }

    /// Whether nothing is loaded.
    pub fn is_empty(&self) -> bool {
        self.order.rows.is_empty()
    }

    /// Whether the first page is loaded.
    pub fn is_loaded(&self) -> bool {
        !self.pages.is_empty()
    }

    /// Whether all requested pages are loaded.
    pub fn is_whole(&self, depth: &Depth) -> bool {
        self.pages.len() == depth.0 as usize
    }

    /// The length of the list, if the server sends it.
    pub fn total(&self) -> Option<u64> {
        self.order.total
    }

    /// The item in a row.
    pub fn get(&self, row: usize) -> Option<&'a T> {
        item(&self.pages, *self.order.rows.get(row)?)
    }

    /// The page of the item in a row, with its loading state, failure and age.
    pub fn page_of(&self, row: usize) -> Option<Remote<'a, ResponseData>> {
        Some(self.pages.get(self.order.rows.get(row)?.page as usize)?.remote)
    }

    /// Whether its pages come from several providers, so that rows may be missing or repeated.
    pub fn is_mixed(&self) -> bool {
        let mut providers = self.pages.iter().filter_map(|page| page.remote.provider()).map(provider::first);
        let first = providers.next();
        providers.any(|other| Some(other) != first)
    }

    /// Whether only the loaded items are in this order, since the server has more in another order.
    pub fn is_order_partial(&self) -> bool {
        self.order.is_sorted && self.has_more()
    }

    /// All loaded items.
    pub fn iter(&self) -> impl Iterator<Item = &'a T> {
        self.order.rows.iter().filter_map(|place| item(&self.pages, *place))
    }

    /// Whether the server has more rows, as far as known.
    pub fn has_more(&self) -> bool {
        let RowOrder { missing, total, has_new, is_full, .. } = *self.order;
        let rows = (self.len() + missing) as u64;
        has_new && total.map_or(is_full, |total| rows < total)
    }
}
