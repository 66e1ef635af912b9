//! Which pages of a list are requested.

use std::collections::HashSet;

use super::{End, ListScreen, MAX_COINS, MAX_FRESH_COINS, Pages, Sort, trends};
use crate::app::responses::{CachedResponse, Responses};
use crate::client::{Request, ResponseData};
use crate::model::{Coin, CoinId, Currency, Text, UtcTime};

/// Rows below the selected one in [`ListScreen::first_frame`].
const ROWS_BELOW: usize = 50;

/// How many coins are loaded to sort or filter live data. Public providers limit requests, and most coins beyond are
/// hardly traded: their changes would fill the top of the list.
const LIVE_SCOPE: usize = 1_000;

impl ListScreen {
    /// Whether a requested page is still missing, unless one keeps coming from a provider other than the list's.
    pub fn is_loading(&self) -> bool {
        self.pages.is_loading()
    }

    /// Whether the requested page with this start (from 1) has no rows yet.
    pub fn lacks_page(&self, start: u32) -> bool {
        self.pages.lacks(start)
    }

    /// The provider of the newest response for the page with this start (from 1), and the list's provider, if they
    /// differ, so that the rows of the response are not shown.
    pub fn rejected_provider(&self, start: u32) -> Option<(&str, &str)> {
        self.pages.rejected_provider(start)
    }

    /// The request for the first page, whose state is the list's state: loading, failed, stale.
    pub fn first_request(&self, convert: &Currency) -> Request {
        self.page_request(1, convert)
    }

    /// Whether the page with this start (from 1) is kept until one from another provider arrives, and is no longer
    /// fresh.
    pub fn is_kept_and_stale(&self, start: u32, now: UtcTime) -> bool {
        self.pages.is_kept_and_stale(start, now)
    }

    /// The start (from 1) of the page that contains a coin.
    pub fn start_of(&self, id: &CoinId) -> Option<u32> {
        self.pages.start_of(id)
    }

    /// The starts (from 1) of the pages that contain any of these coins.
    pub fn starts_of(&self, ids: &HashSet<&Text>) -> Vec<u32> {
        self.pages.starts_of(ids)
    }

    /// The start (from 1) of the page that contains the coin in a row.
    pub fn page_start(&self, row: usize) -> Option<u32> {
        self.pages.start(self.place(row)?)
    }

    /// When the page of the coin in a row was up to date.
    pub fn updated_at(&self, row: usize) -> Option<UtcTime> {
        self.place(row).map(|place| self.pages.updated_at(place))
    }

    /// The newest update of a coin of the page with this start (from 1), if the provider reports any.
    pub fn newest_update(&self, start: u32) -> Option<UtcTime> {
        self.pages.newest_update(start)
    }

    /// The newest update of a coin of any loaded page, if the provider reports any.
    pub fn newest_update_of_all(&self) -> Option<UtcTime> {
        self.pages.newest_update_of_all()
    }

    /// The request for the page with this start (from 1).
    pub fn page_request(&self, start: u32, convert: &Currency) -> Request {
        self.pages.request(start, convert)
    }

    /// The requests for the loaded pages.
    pub fn loaded_requests(&self, convert: &Currency) -> impl Iterator<Item = Request> {
        self.pages.starts().map(|start| self.pages.request(start, convert))
    }

    /// The oldest loaded page: its request, and when its data was up to date.
    pub fn oldest(&self, convert: &Currency) -> Option<(Request, UtcTime)> {
        self.pages.oldest(usize::MAX).map(|(start, at)| (self.pages.request(start, convert), at))
    }

    /// The oldest of the loaded pages that are kept fresh while the whole list is needed.
    pub fn oldest_fresh(&self, convert: &Currency) -> Option<Request> {
        self.pages.oldest(MAX_FRESH_COINS).map(|(start, _)| self.pages.request(start, convert))
    }

    /// Whether the values of all loaded coins decide which rows are visible: it is filtered or not in the default order.
    pub fn depends_on_all(&self) -> bool {
        !self.has_all_watched() && (self.filter.is_some() || self.chosen_sort().is_some())
    }

    /// The requests for the loaded pages beyond the first 5,000 coins, if [`ListScreen::depends_on_all`].
    pub fn hidden_requests(&self, convert: &Currency) -> Vec<Request> {
        let starts = self.pages.starts().filter(|start| *start as usize > MAX_FRESH_COINS && self.depends_on_all());
        starts.map(|start| self.pages.request(start, convert)).collect()
    }

    /// Whether sorting, searching or filtering needs the whole list, all of it fresh.
    pub fn needs_all(&self) -> bool {
        self.loads_all || (!self.has_all_watched() && (self.narrows_all() || self.sort != Sort::default()))
    }

    /// Whether it is searched or filtered.
    fn is_narrowed(&self) -> bool {
        self.is_searched() || self.filter.is_some()
    }

    /// Whether a search or filter needs the whole list. In a search, the names of all coins replace it.
    fn narrows_all(&self) -> bool {
        self.is_narrowed() && !self.searches_by_name()
    }

    /// Whether the rows are the results of a search that includes the names of all coins.
    fn searches_by_name(&self) -> bool {
        self.is_searched() && self.filter.is_none() && self.names.is_some()
    }

    /// Whether pages are loading only for the sort order, so that the user can stop them. The end of a search or filter
    /// stops those that it needs.
    pub fn can_stop(&self) -> bool {
        let reads_on = !self.has_scope() || self.pinned == Some(End::Last) && !self.is_complete();
        let loads = self.chosen_sort().is_some() && !self.is_stopped && reads_on;
        loads && !self.is_narrowed() && !self.searching && !self.loads_all
    }

    /// Loads no more pages for the sort order until it changes.
    pub fn stop(&mut self) {
        self.is_stopped = true;
        self.pages.stop();
        self.forget_place();
    }

    /// The requests to keep fresh: pages with visible rows or, if the filter accepts only these, with watched coins; the
    /// first page, pages that are not loaded yet, the last page if it added nothing and the end is near, and all pages if
    /// the whole list is needed, but no more than 5,000 coins: see [`ListScreen::hidden_requests`] for the others.
    pub fn requests(&self, rows: usize, convert: &Currency) -> Vec<Request> {
        let mut in_sight: Vec<u32> = Vec::new();
        let from = self.cursor.index().saturating_sub(rows);
        let to = self.cursor.index().saturating_add(rows + 1).min(self.len());
        let watched = self.watched_rows.iter().flatten().copied();
        for place in (from..to).filter_map(|row| self.place(row)).chain(watched) {
            if let Some(start) = self.pages.start(place)
                && !in_sight.contains(&start)
            {
                in_sight.push(start);
            }
        }
        let fresh = if self.needs_all() { MAX_FRESH_COINS } else { 0 };
        let wanted = self.pages.wanted(in_sight, self.is_near_end(rows), fresh);
        wanted.into_iter().map(|start| self.page_request(start, convert)).collect()
    }

    /// The request for a page that is not loaded yet, if the selection is close to the last row.
    pub fn next_request(&self, convert: &Currency) -> Option<Request> {
        let near = self.cursor.index() + 2 >= self.len();
        let start = self.pages.next_incomplete().filter(|_| near)?;
        Some(self.page_request(start, convert))
    }

    /// The separate requests for trends that the list doesn't have, for all rows that can be visible, starting with the
    /// selected one's.
    pub fn trend_requests(&self, rows: usize, convert: &Currency) -> Vec<Request> {
        let mut requests = Vec::new();
        for (from, len) in trends::chunks(self.cursor.index(), rows, self.listed_len()) {
            let coins = (from..from + len).map_while(|row| self.get(row));
            requests.extend(trends::request(self.tag, coins, convert).filter(|request| !requests.contains(request)));
        }
        requests
    }

    /// Whether a request is one of [`ListScreen::trend_requests`].
    pub fn is_trend(&self, request: &Request, convert: &Currency) -> bool {
        trends::is_trend(self.tag, request, convert)
    }

    /// Adds the trends of a response to one of [`ListScreen::trend_requests`].
    pub fn add_trends(&mut self, response: &ResponseData) {
        let ListScreen { trends, pages, rows, .. } = self;
        trends.add(std::iter::once(response), rows.iter().filter_map(|&place| pages.at(place)));
    }

    /// Loads all coins, for the palette; or only those that are needed otherwise.
    pub fn set_loads_all(&mut self, loads_all: bool) {
        if std::mem::replace(&mut self.loads_all, loads_all) && !loads_all {
            self.pages.stop();
        }
    }

    /// Whether all coins are loaded.
    pub fn is_complete(&self) -> bool {
        self.pages.ended() || self.rows.len() >= MAX_COINS
    }

    /// The start (from 1) of the page that is loaded next.
    pub fn loading_start(&self) -> Option<u32> {
        self.pages.next_incomplete()
    }

    /// The response to a page's request, if [`Responses`] has dropped it.
    pub fn cached_response(&self, request: &Request) -> Option<CachedResponse> {
        self.pages.cached_response(request)
    }

    /// Whether the page with this start has rows, in any currency.
    pub fn has_rows(&self, start: u32) -> bool {
        self.pages.has_rows(start)
    }

    /// Requests the same pages in another currency, the page of the selected coin first. The loaded ones stay until
    /// then.
    pub fn restart(&mut self) {
        let place = self.selected_row().and_then(|row| self.place(row));
        self.pages.restart(place);
    }

    /// Requests one more page if the cursor is near the end or if sorting or searching needs the whole list, or stops
    /// requesting one that a search no longer needs. Called after every change; returns whether it requested one.
    pub fn extend(&mut self, rows: usize) -> bool {
        let loads_whole = self.loads_whole();
        if loads_whole {
            self.pages.need_all();
        } else if self.searches_by_name() {
            self.pages.stop();
        }
        // The end of a filtered list is near while few coins match.
        let may_read_on = self.filter.is_none() || self.pinned == Some(End::Last);
        let reads_on = may_read_on && self.is_near_end(rows) && !self.searches_by_name();
        reads_on && self.extend_to(MAX_COINS) || loads_whole && self.extend_to(self.scope())
    }

    /// How many coins are loaded to sort, search or filter the list: of live data, only the first ones by rank, unless
    /// a search covers all coins. At the end of the list, more are loaded.
    fn scope(&self) -> usize {
        let searches_pages = self.is_searched() && self.filter.is_none() && !self.searches_by_name();
        let needs_all = self.loads_all || self.watched_rows.is_some() || searches_pages;
        // Only live data has a provider.
        if needs_all || self.pages.provider().is_none() { MAX_COINS } else { LIVE_SCOPE }
    }

    /// Whether all coins are loaded that a sort order or filter covers.
    pub(super) fn has_scope(&self) -> bool {
        self.is_complete() || self.rows.len() >= self.scope()
    }

    /// The number of coins that a sort order or filter covers, if these are only the first ones by rank.
    pub fn covered(&self) -> Option<u64> {
        let covered = self.scope().max(self.rows.len());
        let is_part = covered < MAX_COINS && !self.pages.ended();
        (is_part && self.total().is_none_or(|total| total > covered as u64)).then_some(covered as u64)
    }

    /// Whether all pages are loaded, one after the other.
    fn loads_whole(&self) -> bool {
        let is_sorted = self.sort != Sort::default() && !self.is_stopped;
        self.loads_all || (!self.has_all_watched() && (self.narrows_all() || is_sorted))
    }

    /// Adds the loaded pages if all are needed, or those up to the page of a restored coin.
    pub(super) fn add_known_pages(&mut self, responses: &Responses, convert: &Currency) {
        if self.loads_whole() {
            self.pages.add_known(responses, convert);
        } else if let Some(id) = &self.restored {
            self.pages.add_known_to(id, responses, convert);
        }
    }

    /// The coins that the first frame of the next start needs, with the starts of their pages: `rows` rows around the
    /// selected one. A page before the last one of these has at least one coin, so that the pages can be joined.
    pub fn first_frame(&self, rows: usize) -> Vec<(u32, Vec<&Coin>)> {
        let selected = self.saved_coin().and_then(|id| self.coins().position(|coin| coin.id == id)).unwrap_or(0);
        // The view shows the selected row at the end of the screen.
        let end = selected.saturating_add(ROWS_BELOW).max(rows).min(self.rows.len());
        self.pages.parts(self.rows.get(end.saturating_sub(rows)..end).unwrap_or_default())
    }

    /// Requests one more page of a list whose coins are all needed. Returns whether it did.
    pub fn extend_whole(&mut self) -> bool {
        let extends = self.extend_to(MAX_FRESH_COINS);
        self.has_wallet_coins |= extends;
        extends
    }

    /// The wallet no longer needs the pages that [`ListScreen::extend_whole`] requested.
    pub fn release_wallet_coins(&mut self) {
        self.has_wallet_coins = false;
    }

    /// The number of pages whose rows are needed: those up to two screens below the selected row, or all that are kept
    /// fresh.
    pub(super) fn pages_in_sight(&self, rows: usize) -> usize {
        if self.needs_all() || self.watched_rows.is_some() || self.has_wallet_coins {
            return self.pages.count_within(MAX_FRESH_COINS);
        }
        let end = self.cursor.index().saturating_add(rows.saturating_mul(2)).saturating_add(1).min(self.rows.len());
        Pages::count(self.rows.get(..end).unwrap_or_default()).max(1) as usize
    }

    /// Whether all its coins are loaded, as far as [`ListScreen::extend_whole`] loads them.
    pub fn has_all(&self) -> bool {
        self.pages.ended() || self.rows.len() >= MAX_FRESH_COINS
    }

    fn extend_to(&mut self, limit: usize) -> bool {
        let extends = !self.pages.ended() && !self.pages.is_incomplete() && self.rows.len() < limit;
        if extends {
            self.pages.extend();
        }
        extends
    }

    /// Whether the cursor is within two screens of the last loaded row, after which there may be others.
    pub(super) fn is_near_end(&self, rows: usize) -> bool {
        !self.has_all_watched() && self.cursor.index().saturating_add(rows.saturating_mul(2)) >= self.len()
    }
}
