//! The selected coin of a list.

use super::order::Sort;
use super::{End, ListScreen};
use crate::app::step::Step;
use crate::model::{Coin, CoinId};

impl ListScreen {
    /// The selected coin; `None` while its page is not loaded.
    pub fn selected(&self) -> Option<&Coin> {
        self.get(self.cursor.index()).filter(|coin| self.cursor.is_on(*coin))
    }

    /// The row of the selected coin; `None` while its page is not loaded.
    pub fn selected_row(&self) -> Option<usize> {
        self.selected().map(|_| self.cursor.index())
    }

    /// Restores the sort order and the selected coin of an earlier session, unless they were changed in the meantime.
    /// The first row is selected until the coin's page arrives or is found in the cache. No page is requested only to
    /// find it.
    pub fn restore(&mut self, sort: Option<Sort>, coin: Option<CoinId>) {
        if let Some(sort) = sort.filter(|_| self.sort == Sort::default()) {
            self.sort_by(sort);
        }
        if let Some(coin) = coin.filter(|_| self.cursor.index() == 0) {
            self.restored = Some(coin);
            // The user may already have acted on a shown coin.
            self.pinned = self.pinned.or(self.rows.is_empty().then_some(End::First));
        }
    }

    /// The coin to select at the next start. `None` in the first row: the user is at the top of the list, regardless of
    /// the coin there, unless it was searched. A restored coin that has not been found stays until the user selects
    /// another one.
    pub fn saved_coin(&self) -> Option<CoinId> {
        let is_found = self.is_searched() && !self.searching;
        let selected = || self.cursor.key().filter(|_| is_found || self.cursor.index() > 0).cloned().map(CoinId);
        self.restored.clone().or_else(selected)
    }

    /// Selects the last row, and stays at the end while more rows are loaded.
    fn select_last(&mut self) {
        self.select(usize::MAX);
        self.pin(End::Last);
    }

    /// Keeps the selection on its coin from now on, if it stayed at the top: the user acts on the coin.
    pub fn unpin(&mut self) {
        self.pinned = self.pinned.filter(|end| *end == End::Last || self.rows.is_empty());
    }

    /// Keeps the selection at the end that the user chose, until the whole list is loaded or a restored coin is found.
    pub(super) fn keep_pinned(&mut self) {
        let Some(end) = self.pinned else { return };
        let restored = self.restored.clone();
        self.select(if end == End::First { 0 } else { usize::MAX });
        if !restored.as_ref().is_some_and(|id| self.select_coin(id)) {
            self.restored = restored.filter(|_| !self.is_whole(End::First));
            self.pin(end);
        }
    }

    /// Whether no more rows are loaded for sorting or, at the last row, to reach the end.
    fn is_whole(&self, end: End) -> bool {
        let has_rows = if end == End::First { self.has_scope() } else { self.is_complete() };
        (has_rows || self.is_stopped || self.has_all_watched()) && !self.pages.is_incomplete()
    }

    /// The selection moves only while rows are loaded because of the user's own command, never because of a refresh.
    pub(super) fn pin(&mut self, end: End) {
        let is_awaited = self.restored.is_some() && self.pages.is_incomplete();
        let reads_on = end == End::Last || self.sort != Sort::default() || is_awaited;
        self.pinned = (reads_on && !self.is_whole(end)).then_some(end);
    }

    /// Moves the selection. The last row stays selected while more rows are loaded.
    pub fn step(&mut self, step: Step) {
        if step == Step::Last {
            return self.select_last();
        }
        self.forget_place();
        let mut cursor = std::mem::take(&mut self.cursor);
        cursor.step(step, self.len(), |row| self.get(row));
        self.cursor = cursor;
    }

    /// Selects a row.
    pub fn select(&mut self, row: usize) {
        self.forget_place();
        let mut cursor = std::mem::take(&mut self.cursor);
        cursor.select(row, self.len(), |row| self.get(row));
        self.cursor = cursor;
    }

    /// Selects a coin, if a row shows it. Returns whether one does.
    pub fn select_coin(&mut self, id: &CoinId) -> bool {
        let row = (0..self.len()).find(|row| self.get(*row).is_some_and(|coin| coin.id == *id));
        row.into_iter().for_each(|row| self.select(row));
        row.is_some()
    }

    /// Stops following an end or waiting for a restored coin, since the selection moves.
    pub(super) fn forget_place(&mut self) {
        self.pinned = None;
        self.restored = None;
    }

    /// Finds the selected coin again. If it is gone, selects its neighbour, unless its page may still arrive.
    pub(super) fn reselect(&mut self) {
        let mut cursor = std::mem::take(&mut self.cursor);
        let item_at = |row| self.get(row);
        if self.pages.has_gaps() {
            cursor.seek(self.len(), item_at);
        } else {
            cursor.reselect(self.len(), item_at);
        }
        self.cursor = cursor;
    }
}
