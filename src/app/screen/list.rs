//! A list of coins by tag: joins its pages by id, sorts and searches them.

mod columns;
mod layout;
mod order;
mod pages;
mod summary;
mod trends;

use std::collections::HashMap;

use tui_input::Input;

use crate::app::cursor::Cursor;
use crate::app::filter::Filter;
use crate::app::search::{self, Key};
use crate::app::store::{CachedResponse, Store};
use crate::client::{Request, ResponseData};
use crate::model::{Coin, CoinId, Currency, Tag, UtcTime};

pub use columns::CoinColumn;
pub use layout::{ListColumns, PlacedColumns, WIDE};
pub use order::{Column, Sort};
pub use summary::Summary;
pub use trends::{TREND_INTERVAL, TREND_POINTS};

use pages::{Pages, RowPosition};
use trends::Trends;

/// A list of coins.
#[derive(Debug)]
pub struct ListScreen {
    /// Which list.
    pub tag: Tag,
    /// The sort order; search results have it only if [`ListScreen::order`] returns it.
    pub sort: Sort,
    /// The search query; empty if there is no search.
    pub search: Input,
    /// Whether the query is being edited.
    pub searching: bool,
    /// The filter, which the rows and the results of a search satisfy.
    filter: Option<AppliedFilter>,
    /// Whether the user sorted the search results, which otherwise start with the best match.
    results_sorted: bool,
    /// The selected coin.
    pub cursor: Cursor,
    pages: Pages,
    rows: Vec<RowPosition>,
    shown: Option<Vec<u32>>,
    /// The end of the list that the selection stays at while more rows are loaded; `None` if it stays on its coin.
    pinned: Option<End>,
    /// The coins that the search found beyond the loaded pages, after its other results.
    more: Vec<Coin>,
    /// The number of names that were searched for them, if they are known.
    names: Option<usize>,
    /// The search keys of the rows, made by the first search.
    keys: Vec<Key>,
    trends: Trends,
    summary: Summary,
    /// Whether the rows are in the order of an earlier response.
    order_held: bool,
    /// Whether the palette needs all coins.
    whole: bool,
}

/// A filter with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct AppliedFilter {
    /// As it was typed.
    pub text: String,
    /// What it means.
    pub filter: Filter,
}

/// An end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Maximum coins loaded to find one in the palette.
const MAX_FOUND_COINS: usize = 20_000;

/// Maximum coins loaded to sort or search the whole list.
const MAX_COINS: usize = 5_000;

impl ListScreen {
    /// An empty list.
    pub fn new(tag: Tag, page_size: u32) -> ListScreen {
        ListScreen {
            tag,
            sort: Sort::default(),
            search: Input::default(),
            searching: false,
            filter: None,
            results_sorted: false,
            cursor: Cursor::default(),
            pages: Pages::new(tag, page_size),
            rows: Vec::new(),
            shown: None,
            pinned: None,
            more: Vec::new(),
            names: None,
            keys: Vec::new(),
            trends: Trends::default(),
            summary: Summary::default(),
            order_held: false,
            whole: false,
        }
    }

    /// The number of rows: all loaded coins, or those that match the search, with those beyond the loaded pages.
    pub fn len(&self) -> usize {
        self.listed_len() + self.more.len()
    }

    /// The number of rows with coins of the loaded pages.
    fn listed_len(&self) -> usize {
        self.shown.as_ref().map_or(self.rows.len(), Vec::len)
    }

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
        self.filter = filter;
        self.pinned = None;
        self.find_matches();
        let mut cursor = std::mem::take(&mut self.cursor);
        if !cursor.seek(self.len(), |row| self.get(row)) && !self.is_empty() {
            cursor.select(0, self.len(), |row| self.get(row));
        }
        self.cursor = cursor;
    }

    /// The number of loaded coins that satisfy a filter.
    pub fn count(&self, filter: &Filter) -> usize {
        self.coins().filter(|coin| filter.accepts(coin)).count()
    }

    /// Whether a requested page is still missing.
    pub fn is_loading(&self) -> bool {
        self.pages.is_incomplete()
    }

    /// The coins that the search found beyond the loaded pages.
    pub fn more_coins(&self) -> &[Coin] {
        &self.more
    }

    /// The number of names of all coins, if the search included them.
    pub fn searched_names(&self) -> Option<usize> {
        self.names
    }

    /// Shows coins beyond the loaded pages after the results of the search; `names` is the number of names searched.
    pub fn set_more_coins(&mut self, coins: Vec<Coin>, names: Option<usize>) {
        self.names = names;
        if self.more.is_empty() && coins.is_empty() {
            return;
        }
        self.more = coins;
        self.settle();
    }

    /// Whether nothing is shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of loaded coins.
    pub fn loaded(&self) -> usize {
        self.rows.len()
    }

    /// The number of coins that the service has, if it says so or the end was reached.
    pub fn total(&self) -> Option<u64> {
        self.pages.total().or_else(|| self.pages.ended().then_some(self.rows.len() as u64))
    }

    /// Statistics of the loaded coins.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The coin in a row.
    pub fn get(&self, row: usize) -> Option<&Coin> {
        match row.checked_sub(self.listed_len()) {
            Some(more) => self.more.get(more),
            None => self.pages.at(self.place(row)?),
        }
    }

    /// The selected coin; `None` while its page is not loaded.
    pub fn selected(&self) -> Option<&Coin> {
        self.get(self.cursor.index()).filter(|coin| self.cursor.is_on(*coin))
    }

    /// The row of the selected coin; `None` while its page is not loaded.
    pub fn selected_row(&self) -> Option<usize> {
        self.selected().map(|_| self.cursor.index())
    }

    /// Finds a loaded coin by its id.
    pub fn coin(&self, id: &CoinId) -> Option<&Coin> {
        self.coins().find(|coin| coin.id == *id)
    }

    /// All loaded coins, in their sort order.
    pub fn coins(&self) -> impl Iterator<Item = &Coin> + Clone {
        self.rows.iter().filter_map(|&place| self.pages.at(place))
    }

    /// A coin's prices over seven days, from the list or from a separate response.
    pub fn trend<'a>(&'a self, coin: &'a Coin) -> &'a [f64] {
        if coin.sparkline_7d.is_empty() { self.trends.get(&coin.id) } else { &coin.sparkline_7d }
    }

    /// The request for the first page, whose state is that of the list: loading, failed, stale.
    pub fn first_request(&self, convert: &Currency) -> Request {
        self.page_request(1, convert)
    }

    /// The start (from 1) of the page that contains a coin.
    pub fn start_of(&self, id: &CoinId) -> Option<u32> {
        self.pages.start_of(id)
    }

    /// The start (from 1) of the page that contains the coin in a row.
    pub fn page_start(&self, row: usize) -> Option<u32> {
        self.pages.start(self.place(row)?)
    }

    /// The request for the page with this start (from 1).
    pub fn page_request(&self, start: u32, convert: &Currency) -> Request {
        self.pages.request(start, convert)
    }

    /// The requests for the loaded pages.
    pub fn loaded_requests(&self, convert: &Currency) -> impl Iterator<Item = Request> {
        self.pages.starts().map(|start| self.pages.request(start, convert))
    }

    /// The oldest loaded page: its request, and when its data were up to date.
    pub fn oldest(&self, convert: &Currency) -> Option<(Request, UtcTime)> {
        self.pages.oldest().map(|(start, at)| (self.pages.request(start, convert), at))
    }

    /// The sort order of the rows; `None` for search results that start with the best match.
    pub fn order(&self) -> Option<Sort> {
        (self.search.value().trim().is_empty() || self.results_sorted).then_some(self.sort)
    }

    /// The sort column if the user chose it; the default order needs no column.
    pub fn chosen_sort(&self) -> Option<Column> {
        self.order().map(|order| order.column).filter(|by| *by != Column::Rank || self.sort.descending)
    }

    /// Whether sorting, searching or filtering needs the whole list, all of it fresh.
    pub fn needs_all(&self) -> bool {
        let is_searched = !self.search.value().trim().is_empty() || self.searching;
        is_searched || self.whole || self.filter.is_some() || self.sort.column != Column::Rank
    }

    /// The requests to keep fresh: pages with visible rows, the first page, pages that are not loaded yet, the last
    /// page if it added nothing and the end is near, and all pages if the whole list is needed.
    pub fn requests(&self, rows: usize, convert: &Currency) -> Vec<Request> {
        let mut in_sight: Vec<u32> = Vec::new();
        let from = self.cursor.index().saturating_sub(rows);
        for row in from..self.cursor.index().saturating_add(rows + 1).min(self.len()) {
            if let Some(start) = self.page_start(row)
                && !in_sight.contains(&start)
            {
                in_sight.push(start);
            }
        }
        let wanted = self.pages.wanted(in_sight, self.is_near_end(rows), self.needs_all());
        wanted.into_iter().map(|start| self.page_request(start, convert)).collect()
    }

    /// The request for a page that is not loaded yet, if the selection is close to the last row.
    pub fn next_request(&self, convert: &Currency) -> Option<Request> {
        let near = self.cursor.index() + 2 >= self.len();
        let start = self.pages.next_incomplete().filter(|_| near)?;
        Some(self.page_request(start, convert))
    }

    /// The separate requests for trends that the list itself doesn't have: for all rows that can be visible, the
    /// selected one's first.
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
    pub fn add_trends(&mut self, answer: &ResponseData) {
        let ListScreen { trends, pages, rows, .. } = self;
        trends.add(std::iter::once(answer), rows.iter().filter_map(|&place| pages.at(place)));
    }

    /// Updates pages and trends from the store. With `holds_order`, the rows keep their order until
    /// [`ListScreen::release_order`], unless rows were added.
    pub fn sync(&mut self, store: &Store, convert: &Currency, holds_order: bool) {
        let before: Vec<CoinId> = match holds_order && self.pinned.is_none() && !self.pages.has_gaps() {
            true => self.coins().map(|coin| coin.id.clone()).collect(),
            false => Vec::new(),
        };
        self.pages.sync(store, convert);
        self.rows = self.pages.join();
        let mut summary = Summary::default();
        self.coins().for_each(|coin| summary.add(coin));
        let first = self.coins().next().map(|coin| &coin.convert);
        if self.coins().any(|coin| Some(&coin.convert) != first) {
            // Amounts in several currencies can't be added.
            summary = summary.without_sums();
        }
        self.summary = summary;
        self.order_held = !before.is_empty() && before.len() == self.rows.len();
        match self.order_held {
            true => self.keep_order(&before),
            false => self.sort_and_search(),
        }
        let ListScreen { trends, pages, rows, tag, .. } = self;
        let known = store.answers(|request| trends::is_trend(*tag, request, convert));
        trends.add(known.into_iter(), rows.iter().filter_map(|&place| pages.at(place)));
        self.keep_pinned();
    }

    /// Whether the rows are in an earlier order.
    pub fn is_order_held(&self) -> bool {
        self.order_held
    }

    /// Sorts the rows that kept an earlier order.
    pub fn release_order(&mut self) {
        if std::mem::take(&mut self.order_held) {
            self.sort_and_search();
        }
    }

    /// Puts the rows into this order; new coins come last.
    fn keep_order(&mut self, ids: &[CoinId]) {
        let mut rows = std::mem::take(&mut self.rows);
        order::sort(&mut rows, self.sort, |place| self.pages.at(place), |place| self.pages.is_outdated(place));
        let places: HashMap<&CoinId, usize> = ids.iter().zip(0..).collect();
        rows.sort_by_key(|&place| {
            self.pages.at(place).and_then(|coin| places.get(&coin.id)).copied().unwrap_or(usize::MAX)
        });
        self.rows = rows;
        self.keys = Vec::new();
        self.find_matches();
        self.settle();
    }

    /// Loads all coins, for the palette; or only those that are needed otherwise.
    pub fn set_whole(&mut self, whole: bool) {
        if std::mem::replace(&mut self.whole, whole) && !whole {
            self.pages.stop();
        }
    }

    /// Whether all coins are loaded.
    pub fn is_complete(&self) -> bool {
        self.pages.ended() || self.rows.len() >= MAX_FOUND_COINS
    }

    /// The start (from 1) of the page that is loaded next.
    pub fn loading_start(&self) -> Option<u32> {
        self.pages.next_incomplete()
    }

    /// The response to a page's request, for a store that has forgotten it.
    pub fn cached_answer(&self, request: &Request) -> Option<CachedResponse> {
        self.pages.cached_answer(request)
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

    /// Requests one more page if the cursor is near the end or if sorting or searching needs the whole list. Called
    /// after every change; returns whether it did.
    pub fn extend(&mut self, rows: usize) -> bool {
        let near = self.is_near_end(rows);
        if self.pages.ended()
            || self.pages.is_incomplete()
            || !(near || self.needs_all())
            || self.rows.len() >= if self.whole { MAX_FOUND_COINS } else { MAX_COINS }
        {
            return false;
        }
        self.pages.extend();
        true
    }

    /// Whether the cursor is within two screens of the last loaded row.
    fn is_near_end(&self, rows: usize) -> bool {
        self.cursor.index().saturating_add(rows.saturating_mul(2)) >= self.len()
    }

    /// Changes the sort order, also of search results, and selects the first row, where users look after sorting. From
    /// then on, the selection stays on that coin, which moves down if pages with greater values arrive.
    pub fn sort_by(&mut self, sort: Sort) {
        self.sort = sort;
        self.results_sorted = true;
        self.sort_and_search();
        self.select(0);
    }

    /// Restores the sort order and the selected coin of an earlier session, unless they were changed in the meantime.
    /// The coin is selected only if the first page that arrives has it, so that no later page moves the selection.
    pub fn restore(&mut self, sort: Option<Sort>, coin: Option<CoinId>) {
        if let Some(sort) = sort.filter(|_| self.sort == Sort::default()) {
            self.sort_by(sort);
            // The user hasn't selected a coin yet.
            self.pin(End::First);
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

    /// Keeps the selection at the end that the user chose, until the whole list is loaded.
    fn keep_pinned(&mut self) {
        let Some(end) = self.pinned else { return };
        self.select(if end == End::First { 0 } else { usize::MAX });
        self.pin(end);
    }

    /// The selection moves only while rows are loaded because of the user's own command, never because of a refresh.
    fn pin(&mut self, end: End) {
        let reads_on = end == End::Last || self.sort.column != Column::Rank;
        let whole = self.pages.ended() || self.rows.len() >= MAX_COINS;
        self.pinned = (reads_on && (!whole || self.pages.is_incomplete())).then_some(end);
    }

    /// Shows the whole list again, in its last sort order; the selected coin stays selected.
    pub fn end_search(&mut self) {
        self.search.reset();
        self.more = Vec::new();
        self.results_sorted = false;
        self.pinned = None;
        self.find_matches();
        self.settle();
    }

    /// Applies the search query; the best match comes first.
    pub fn filter(&mut self) {
        self.more = Vec::new();
        self.results_sorted = false;
        self.find_matches();
        self.pinned = None;
        self.cursor.reset();
        self.settle();
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
    fn settle(&mut self) {
        let mut cursor = std::mem::take(&mut self.cursor);
        let item_at = |row| self.get(row);
        if self.pages.has_gaps() {
            cursor.seek(self.len(), item_at);
        } else {
            cursor.settle(self.len(), item_at);
        }
        self.cursor = cursor;
    }

    fn place(&self, row: usize) -> Option<RowPosition> {
        let row = match &self.shown {
            Some(shown) => *shown.get(row)? as usize,
            None => row,
        };
        self.rows.get(row).copied()
    }

    /// Sorts and searches the rows, and finds the selected coin again.
    fn sort_and_search(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        order::sort(&mut rows, self.sort, |place| self.pages.at(place), |place| self.pages.is_outdated(place));
        self.rows = rows;
        self.keys = Vec::new();
        self.find_matches();
        self.settle();
    }

    /// Finds the rows that match the search. If the rows are the same as last time, their keys are used again.
    fn find_matches(&mut self) {
        let query = self.search.value().trim();
        let accepts = |row: usize| match &self.filter {
            Some(applied) => {
                let coin = self.rows.get(row).and_then(|&place| self.pages.at(place));
                coin.is_some_and(|coin| applied.filter.accepts(coin))
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
        hits.retain(|&(_, row)| accepts(row));
        if self.order().is_none() {
            let coin = |row: usize| self.rows.get(row).and_then(|&place| self.pages.at(place));
            match self.sort {
                // The rows are in this order already.
                Sort { column: Column::Rank, descending: false } => hits.sort_by_key(|&(class, _)| class),
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
