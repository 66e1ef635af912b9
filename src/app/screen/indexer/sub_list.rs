//! The state of a paged list: its selection, depth and order.

use std::sync::Arc;

use crate::app::cursor::Cursor;
use crate::app::pages::{Compare, Depth, PagedList, RowOrder};
use crate::app::responses::Responses;
use crate::app::step::Step;
use crate::client::{Request, ResponseData};
use crate::model::{Identity, Page};

/// The state of a paged list.
#[derive(Clone, Debug, Default)]
pub struct SubList {
    /// The selected item.
    pub cursor: Cursor,
    /// How many pages are requested.
    pub depth: Depth,
    /// The order of the loaded rows.
    pub(super) order: Arc<RowOrder>,
    /// Whether the selection stays on its item: once the user moved it or all pages and sort values are loaded. Until
    /// then, it is the first row.
    pub(super) is_settled: bool,
}

impl SubList {
    /// Updates the list from the loaded pages: the selection stays on its item, and another page is requested if it is
    /// near the end.
    pub(super) fn reselect<T: Identity>(&mut self, items: &PagedList<'_, T>, rows: usize) {
        self.order = Arc::clone(items.order());
        if !items.is_loaded() {
            return;
        }
        // The selected item may be on a page that is not loaded yet.
        if items.is_whole(&self.depth) {
            self.cursor.reselect(items.len(), |row| items.get(row));
        } else {
            self.cursor.seek(items.len(), |row| items.get(row));
        }
        self.depth.follow(self.cursor.index(), rows, items);
    }

    /// Updates a list whose sort order needs all pages. Until they are loaded and there are values to sort by, the first
    /// row stays selected, unless the user moves the selection.
    pub(super) fn reselect_loading_all<T: Identity>(&mut self, items: &PagedList<'_, T>, has_values: bool) {
        self.reselect(items, usize::MAX);
        if items.is_loaded() && !self.is_settled {
            self.cursor.select(0, items.len(), |row| items.get(row));
            self.is_settled = has_values && items.is_whole(&self.depth);
        }
    }

    /// The requests for the pages of rows within `margin` of the selection.
    pub(super) fn requests(&self, responses: &Responses, margin: usize, make: impl Fn(u64) -> Request) -> Vec<Request> {
        self.depth.requests(responses, &self.order, self.cursor.index(), margin, make)
    }

    /// Reads the list from the loaded pages.
    pub(super) fn read<'a, T: Identity>(
        &self,
        responses: &'a Responses,
        make: impl Fn(u64) -> Request,
        part: impl Fn(&'a ResponseData) -> Option<&'a Page<T>>,
        compare: Option<Compare<'_, T>>,
    ) -> PagedList<'a, T> {
        PagedList::read(responses, (&self.depth, &self.order), make, part, compare)
    }

    /// Drops the order of the rows after the sort order changed.
    pub(super) fn reorder(&mut self) {
        self.order = Arc::default();
    }

    /// Moves the selection.
    pub(super) fn step<T: Identity>(&mut self, items: &PagedList<'_, T>, step: Step) {
        self.is_settled = true;
        self.cursor.step(step, items.len(), |row| items.get(row));
    }
}
