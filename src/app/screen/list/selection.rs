//! The selected coin of a list.

use super::order::{Column, Sort};
use super::{End, ListScreen, MAX_COINS};
use crate::app::cursor::Cursor;
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
    /// The coin is selected only if the first page that arrives has it, so that no later page moves the selection.
    pub fn restore(&mut self, sort: Option<Sort>, coin: Option<CoinId>) {
        if let Some(sort) = sort.filter(|_| self.sort == Sort::default()) {
            self.sort_by(sort);
        }
        if let Some(coin) = coin.filter(|_| self.rows.is_empty()) {
            self.pinned = None;
            self.cursor = Cursor::at(coin.0);
        }
    }

    /// Selects the last row, and stays at the end while more rows are loaded.
    pub fn last(&mut self) {
        self.select(usize::MAX);
        self.pin(End::Last);
    }

    /// Keeps the selection on its coin from now on, if it stayed at the top after sorting: the user acts on the coin.
    pub fn unpin(&mut self) {
        self.pinned = self.pinned.filter(|end| *end == End::Last);
    }

    /// Keeps the selection at the end that the user chose, until the whole list is loaded.
    pub(super) fn keep_pinned(&mut self) {
        let Some(end) = self.pinned else { return };
        self.select(if end == End::First { 0 } else { usize::MAX });
        self.pin(end);
    }

    /// The selection moves only while rows are loaded because of the user's own command, never because of a refresh.
    pub(super) fn pin(&mut self, end: End) {
        let reads_on = end == End::Last || self.sort.column != Column::Rank;
        let whole = self.pages.ended() || self.rows.len() >= MAX_COINS;
        self.pinned = (reads_on && (!whole || self.pages.is_incomplete())).then_some(end);
    }

    /// Moves the selection.
    pub fn step(&mut self, rows: isize) {
        self.pinned = None;
        let mut cursor = std::mem::take(&mut self.cursor);
        cursor.step(rows, self.len(), |row| self.get(row));
        self.cursor = cursor;
    }

    /// Selects a row.
    pub fn select(&mut self, row: usize) {
        self.pinned = None;
        let mut cursor = std::mem::take(&mut self.cursor);
        cursor.select(row, self.len(), |row| self.get(row));
        self.cursor = cursor;
    }

    /// Selects a coin, if a row shows it.
    pub fn select_coin(&mut self, id: &CoinId) {
        if let Some(row) = (0..self.len()).find(|row| self.get(*row).is_some_and(|coin| coin.id == *id)) {
            self.select(row);
        }
    }

    /// Finds the selected coin again. If it is gone, selects its neighbour, unless its page may still arrive.
    pub(super) fn settle(&mut self) {
        let mut cursor = std::mem::take(&mut self.cursor);
        let item_at = |row| self.get(row);
        if self.pages.has_gaps() {
            cursor.seek(self.len(), item_at);
        } else {
            cursor.settle(self.len(), item_at);
        }
        self.cursor = cursor;
    }
}
