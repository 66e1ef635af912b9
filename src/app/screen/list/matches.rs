//! The rows of a list that match the search and the filter.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use super::order::{Sort, SortColumn};
use super::{AppliedFilter, ListScreen, MAX_FRESH_COINS, MoreCoins, RowPosition, Selection, WatchedSearch};
use crate::app::coins::filter::Filter;
use crate::app::find::search::{self, FIRST_FUZZY_CLASS, Key, SLUG_CLASS};
use crate::model::{Coin, UtcTime};
use crate::user_data::watchlist::ResolvedCoins;

/// How long to wait before searching again for a watched coin that is on no page.
const WATCHED_SEARCH_INTERVAL: Duration = Duration::from_hours(24);

/// In a list up to this length, every coin must have a name.
const SHORT_LIST: u64 = 1_000;

/// A long list may have grown by one part in this many since its names were loaded.
const DAILY_GROWTH: u64 = 50;

impl ListScreen {
    /// Whether there is a search query.
    pub fn is_searched(&self) -> bool {
        !self.search.value().trim().is_empty()
    }

    /// The filter of the rows.
    pub fn applied_filter(&self) -> Option<&AppliedFilter> {
        self.filter.as_ref()
    }

    /// Changes the filter; the selected coin stays selected if it is still shown.
    pub fn set_filter(&mut self, filter: Option<AppliedFilter>) {
        // Without a filter, loading for the sort order stays stopped.
        self.is_stopped &= filter.is_none();
        self.filter = filter;
        self.pinned = None;
        self.find_matches();
        let mut cursor = std::mem::take(&mut self.cursor);
        cursor.forget_missing();
        if !cursor.seek(self.len(), |row| self.get(row)) && !self.is_empty() {
            cursor.select(0, self.len(), |row| self.get(row));
        }
        self.cursor = cursor;
    }

    /// Uses this watchlist for filters. If a watched coin disappears from the rows, its neighbour is selected.
    pub(in crate::app) fn set_watched(&mut self, watched: &Arc<ResolvedCoins>) {
        self.watched = Arc::clone(watched);
        self.watched_search = WatchedSearch::default();
        if self.filter.as_ref().is_some_and(|applied| applied.filter.uses_watchlist()) {
            self.find_matches();
            let mut cursor = std::mem::take(&mut self.cursor);
            cursor.reselect(self.len(), |row| self.get(row));
            self.cursor = cursor;
            self.keep_pinned();
        }
    }

    /// The number of watched coins, whether this list has them or not; `None` unless the filter accepts only these.
    pub fn watched_count(&self) -> Option<usize> {
        self.watched_rows.as_ref().map(|_| self.watched.entries())
    }

    /// Whether the filter accepts only watched coins and all of these are loaded, except those that are on no page, so that
    /// no other coins are needed.
    pub fn has_all_watched(&self) -> bool {
        let rows = self.watched_rows.as_ref();
        rows.is_some_and(|rows| self.watched_search.is_over || rows.len() >= self.watched.entries())
    }

    /// Ends the search for the watched coins once all pages were searched. If one of those found disappears, starts
    /// another one: the coin may have moved to a page that was not refreshed. If one was never found, another one starts
    /// each day: the coin may have been listed since.
    fn update_watched_search(&mut self) {
        let Some(found) = self.watched_rows.as_ref().map(Vec::len) else {
            self.watched_search = WatchedSearch::default();
            return;
        };
        let (search, now) = (&mut self.watched_search, self.pages.newest_arrival());
        if search.is_over && found < search.found {
            (search.is_over, search.since) = (false, now);
        } else if search.is_over
            && found < self.watched.entries()
            && now.since(search.ended_at) >= WATCHED_SEARCH_INTERVAL
        {
            *search = WatchedSearch { since: now, ..WatchedSearch::default() };
        }
        let WatchedSearch { is_over: was_over, found: before, since, .. } = self.watched_search;
        let is_found_again = before > 0 && found >= before;
        if was_over {
            self.watched_search.found = found;
        } else if is_found_again || self.has_searched_all(since) {
            self.watched_search = WatchedSearch { is_over: true, found, since, ended_at: now };
        }
    }

    /// Whether all pages are loaded, and those that are kept fresh arrived at `since` or later.
    fn has_searched_all(&self, since: UtcTime) -> bool {
        self.is_complete() && self.pages.are_searched(MAX_FRESH_COINS, since)
    }

    /// The number of loaded coins that satisfy a filter.
    pub fn count(&self, filter: &Filter) -> usize {
        self.coins().filter(|coin| filter.accepts(coin, &self.watched)).count()
    }

    /// The coins that the search found beyond the loaded pages.
    pub fn more_coins(&self) -> &[Coin] {
        &self.more
    }

    /// The number of names of all coins, if the search included them and they are complete as far as known.
    pub fn searched_names(&self) -> Option<usize> {
        self.names
    }

    /// Whether the rows may not be all results of the search, but only the best ones.
    pub fn omits_results(&self) -> bool {
        self.omits_results && self.is_searched()
    }

    /// Shows coins beyond the loaded pages after the results of the search.
    pub fn set_more_coins(&mut self, more: MoreCoins) {
        let MoreCoins { coins, names, is_literal, omits_some } = more;
        (self.names, self.omits_results) = (names.filter(|names| self.are_all_names(*names)), omits_some);
        if self.more.is_empty() && coins.is_empty() {
            return;
        }
        let has_literal = is_literal && !coins.is_empty();
        self.more = coins;
        let has_literal_changed = std::mem::replace(&mut self.has_literal_more, has_literal) != has_literal;
        if has_literal_changed {
            self.find_matches();
        }
        self.reselect();
        if has_literal_changed {
            // The change may hide or show coins, so none of them is missing.
            self.cursor.forget_missing();
        }
    }

    /// Whether this many names are the names of all coins, as far as known. If not, the other pages are searched, too.
    /// Names may be a day old, and a long list grows in a day. Without a total, only our own service is known to have
    /// all names.
    fn are_all_names(&self, names: usize) -> bool {
        match self.total() {
            Some(total) => total.saturating_sub(names as u64) <= total.saturating_sub(SHORT_LIST) / DAILY_GROWTH,
            None => names > self.loaded() && self.pages.provider().is_some(),
        }
    }

    /// Shows the whole list again, in its last sort order; the selected coin stays selected.
    pub fn end_search(&mut self) {
        self.search.reset();
        self.more = Vec::new();
        self.has_literal_more = false;
        self.results_sorted = false;
        self.pinned = None;
        self.find_matches();
        self.reselect();
    }

    /// Starts to edit the search query.
    pub fn start_search(&mut self) {
        self.searching = true;
        self.before_search = None;
    }

    /// Ends editing the query, and keeps its results.
    pub fn keep_search(&mut self) {
        self.searching = false;
        self.before_search = None;
    }

    /// Ends editing the query, and shows the whole list with the coin selected that was selected before.
    pub fn cancel_search(&mut self) {
        self.searching = false;
        if let Some(Selection { cursor, pinned, restored }) = self.before_search.take() {
            self.cursor = cursor;
            self.end_search();
            (self.pinned, self.restored) = (pinned, restored);
            self.keep_pinned();
        } else if !self.search.value().is_empty() {
            self.end_search();
        }
    }

    /// Applies the search query; the best match comes first.
    pub fn apply_search(&mut self) {
        if self.searching && self.before_search.is_none() {
            let (cursor, restored) = (self.cursor.clone(), self.restored.clone());
            self.before_search = Some(Selection { cursor, pinned: self.pinned, restored });
        }
        self.more = Vec::new();
        self.has_literal_more = false;
        self.results_sorted = false;
        self.find_matches();
        self.forget_place();
        self.cursor.reset();
        self.reselect();
    }

    /// Adds the coins whose slugs begin with a query that looks like one: `sats-ord`. They come before fuzzy matches.
    fn add_slugs(&self, query: &str, hits: &mut Vec<(u32, usize)>) {
        let Some(start) = search::slug_query(query) else { return };
        let known: HashSet<usize> = hits.iter().filter(|(class, _)| *class < SLUG_CLASS).map(|(_, row)| *row).collect();
        let begins = |coin: &Coin| coin.slug.as_deref().is_some_and(|slug| search::slug_begins_with(slug, start));
        let found = self.coins().enumerate().filter(|(row, coin)| !known.contains(row) && begins(coin));
        let found: HashSet<usize> = found.map(|(row, _)| row).collect();
        hits.retain(|(_, row)| !found.contains(row));
        hits.extend(found.into_iter().map(|row| (SLUG_CLASS, row)));
        hits.sort_by_key(|&(_, row)| row);
    }

    /// Finds the rows that match the search. If the rows are the same as last time, their keys are used again.
    pub(super) fn find_matches(&mut self) {
        let only_watched = self.filter.as_ref().is_some_and(|applied| applied.filter.accepts_only_watched());
        let is_watched = |place: &RowPosition| self.pages.at(*place).is_some_and(|coin| self.watched.contains(coin));
        self.watched_rows = only_watched.then(|| self.rows.iter().copied().filter(is_watched).collect());
        self.update_watched_search();
        let query = self.search.value().trim();
        let accepts = |row: usize| match &self.filter {
            Some(applied) => {
                let coin = self.rows.get(row).and_then(|&place| self.pages.at(place));
                coin.is_some_and(|coin| applied.filter.accepts(coin, &self.watched))
            }
            None => true,
        };
        if query.is_empty() {
            let rows = || (0..self.rows.len()).filter(|row| accepts(*row)).map(|row| row as u32).collect();
            self.shown = self.filter.is_some().then(rows);
            self.keys = Vec::new();
            return;
        }
        if self.keys.len() != self.rows.len() {
            self.keys = self.coins().map(|coin| Key::new(&coin.symbol, &coin.name)).collect();
        }
        let mut hits = search::hits(query, self.keys.iter());
        self.add_slugs(query, &mut hits);
        hits.retain(|&(class, row)| accepts(row) && (class < FIRST_FUZZY_CLASS || !self.has_literal_more));
        if self.order().is_none() {
            let coin = |row: usize| self.rows.get(row).and_then(|&place| self.pages.at(place));
            match self.sort {
                // The rows are already in this order.
                Sort { column: SortColumn::Rank, descending: false } => hits.sort_by_key(|&(class, _)| class),
                // The order of equal matches must not depend on the list's sort order.
                _ => hits.sort_by_cached_key(|&(class, row)| {
                    let rank = coin(row).and_then(|coin| coin.rank);
                    (class, rank.is_none(), rank, self.rows.get(row).map(|place| (place.page, place.item)))
                }),
            }
        }
        self.shown = Some(hits.into_iter().map(|(_, row)| row as u32).collect());
    }
}
