//! Rows that keep their order while the user acts on them.

use std::collections::{HashMap, HashSet};

use super::ListScreen;
use super::pages::{Pages, RowPosition};
use crate::model::CoinId;

/// The rows before a response.
pub(super) struct FrozenRows {
    pages: Pages,
    rows: Vec<RowPosition>,
    /// The rows that match the search and the filter. While the search is typed, these change.
    shown: Option<Vec<CoinId>>,
}

impl FrozenRows {
    /// The ids of the rows.
    fn ids(&self) -> impl Iterator<Item = &CoinId> {
        self.rows.iter().filter_map(|&place| Some(&self.pages.at(place)?.id))
    }
}

impl ListScreen {
    /// The current rows.
    pub(super) fn frozen_rows(&self) -> FrozenRows {
        let id = |row: usize| Some(self.pages.at(*self.rows.get(row)?)?.id.clone());
        let shown = self.shown.as_ref().filter(|_| !self.searching);
        FrozenRows {
            pages: self.pages.clone(),
            rows: self.rows.clone(),
            shown: shown.map(|shown| shown.iter().filter_map(|&row| id(row as usize)).collect()),
        }
    }

    /// Puts the rows into this order. New coins come last. Coins that are no longer on any page stay, with their
    /// last values.
    pub(super) fn keep_order(&mut self, before: &FrozenRows) {
        let here: HashSet<&CoinId> = self.coins().map(|coin| &coin.id).collect();
        let is_gone = |place: &&RowPosition| before.pages.at(**place).is_some_and(|coin| !here.contains(&coin.id));
        let gone: Vec<RowPosition> = before.rows.iter().filter(is_gone).copied().collect();
        let mut rows = std::mem::take(&mut self.rows);
        self.sort_rows(&mut rows);
        rows.extend(gone.into_iter().filter_map(|place| self.pages.keep(&before.pages, place)));
        let places: HashMap<&CoinId, usize> = before.ids().zip(0..).collect();
        rows.sort_by_key(|&place| {
            self.pages.at(place).and_then(|coin| places.get(&coin.id)).copied().unwrap_or(usize::MAX)
        });
        self.rows = rows;
        self.keys = Vec::new();
        self.find_matches();
        if let Some(before) = &before.shown
            && let Some(matches) = self.shown.take()
        {
            self.shown = Some(self.keep_shown(before, matches));
        }
        self.reselect();
    }

    /// The rows that matched before, even if they no longer do, then the new `matches`.
    fn keep_shown(&self, before: &[CoinId], matches: Vec<u32>) -> Vec<u32> {
        let rows: HashMap<&CoinId, u32> = self.coins().map(|coin| &coin.id).zip(0..).collect();
        let mut shown: Vec<u32> = before.iter().filter_map(|id| rows.get(id).copied()).collect();
        let known: HashSet<u32> = shown.iter().copied().collect();
        shown.extend(matches.into_iter().filter(|row| !known.contains(row)));
        shown
    }
}
