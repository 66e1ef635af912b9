//! A list of coins by tag: its pages joined by id, sorted, searched.

mod order;
mod pages;
mod summary;
mod trends;

use tui_input::Input;

use crate::app::cursor::Cursor;
use crate::app::search::{self, Key};
use crate::app::store::{Kept, Store};
use crate::client::{Answer, Request};
use crate::model::{Coin, CoinId, Currency, Tag, UtcTime};

pub use order::{Column, Sort};
pub use summary::Summary;
pub use trends::{TREND_INTERVAL, TREND_POINTS};

use pages::{Pages, Place};
use trends::Trends;

/// A list of coins.
#[derive(Debug)]
pub struct ListScreen {
    /// Which list.
    pub tag: Tag,
    /// Its order; what a search found stands in it only where [`ListScreen::order`] says so.
    pub sort: Sort,
    /// What is searched for; empty: nothing.
    pub search: Input,
    /// Whether the search line is being edited.
    pub searching: bool,
    /// The reader sorted what the search found; until then the best match stands first.
    sorted_found: bool,
    /// The selected coin.
    pub cursor: Cursor,
    pages: Pages,
    rows: Vec<Place>,
    shown: Option<Vec<u32>>,
    /// The end of the list that the selection stays at while more of it comes in; `None`: it stays on its coin.
    held: Option<End>,
    /// What the rows are found by, made when they are searched.
    keys: Vec<Key>,
    trends: Trends,
    summary: Summary,
}

/// An end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// No more coins than this are loaded for sorting and searching over everything.
const MOST: usize = 5_000;

impl ListScreen {
    /// An empty list.
    pub fn new(tag: Tag, page_size: u32) -> ListScreen {
        ListScreen {
            tag,
            sort: Sort::default(),
            search: Input::default(),
            searching: false,
            sorted_found: false,
            cursor: Cursor::default(),
            pages: Pages::new(tag, page_size),
            rows: Vec::new(),
            shown: None,
            held: None,
            keys: Vec::new(),
            trends: Trends::default(),
            summary: Summary::default(),
        }
    }

    /// Coins shown: all loaded ones, or those that match the search.
    pub fn len(&self) -> usize {
        self.shown.as_ref().map_or(self.rows.len(), Vec::len)
    }

    /// Whether nothing is shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Coins loaded.
    pub fn loaded(&self) -> usize {
        self.rows.len()
    }

    /// How many the service has, where it says so or the end was reached.
    pub fn total(&self) -> Option<u64> {
        self.pages.total().or_else(|| self.pages.ended().then_some(self.rows.len() as u64))
    }

    /// What the loaded coins come to.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The coin in a row of what is shown.
    pub fn get(&self, row: usize) -> Option<&Coin> {
        self.pages.at(self.place(row)?)
    }

    /// The selected coin; `None` while it is not there (its page is still to come).
    pub fn selected(&self) -> Option<&Coin> {
        self.get(self.cursor.index()).filter(|coin| self.cursor.is_on(*coin))
    }

    /// The row of the selected coin, while it is there.
    pub fn selected_row(&self) -> Option<usize> {
        self.selected().map(|_| self.cursor.index())
    }

    /// A loaded coin by its identity.
    pub fn coin(&self, id: &CoinId) -> Option<&Coin> {
        self.coins().find(|coin| coin.id == *id)
    }

    /// All loaded coins, in the order of the list.
    pub fn coins(&self) -> impl Iterator<Item = &Coin> + Clone {
        self.rows.iter().filter_map(|&place| self.pages.at(place))
    }

    /// A coin's prices over seven days, from the list itself or asked for beside it.
    pub fn trend<'a>(&'a self, coin: &'a Coin) -> &'a [f64] {
        if coin.sparkline_7d.is_empty() { self.trends.get(&coin.id) } else { &coin.sparkline_7d }
    }

    /// The request of the first page: what says whether the list loads, fails or is stale.
    pub fn first_request(&self, convert: &Currency) -> Request {
        self.page_request(1, convert)
    }

    /// The first coin, from 1, of the page that holds a coin.
    pub fn start_of(&self, id: &CoinId) -> Option<u32> {
        self.pages.start_of(id)
    }

    /// The first coin, from 1, of the page that the coin in a row of what is shown comes from.
    pub fn page_start(&self, row: usize) -> Option<u32> {
        self.pages.start(self.place(row)?)
    }

    /// The request of the page that begins at a coin, counted from 1.
    pub fn page_request(&self, start: u32, convert: &Currency) -> Request {
        self.pages.request(start, convert)
    }

    /// The requests of the pages that are there.
    pub fn loaded_requests(&self, convert: &Currency) -> impl Iterator<Item = Request> {
        self.pages.starts().map(|start| self.pages.request(start, convert))
    }

    /// The page that is there longest: its request, and when it came.
    pub fn oldest(&self, convert: &Currency) -> Option<(Request, UtcTime)> {
        self.pages.oldest().map(|(start, at)| (self.pages.request(start, convert), at))
    }

    /// The order of what is shown; `None` for what a search found, the best match first.
    pub fn order(&self) -> Option<Sort> {
        (self.search.value().trim().is_empty() || self.sorted_found).then_some(self.sort)
    }

    /// Whether sorting or searching needs the whole list, and all of it fresh.
    pub fn needs_all(&self) -> bool {
        !self.search.value().trim().is_empty() || self.searching || self.sort.column != Column::Rank
    }

    /// The pages wanted: those with coins in sight, the first in any case, those still to come, the last where it
    /// brought nothing and the end is near, and all where the whole list is needed.
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

    /// The request of a page that is still to come, where the selection is close to the last row.
    pub fn next_request(&self, convert: &Currency) -> Option<Request> {
        let near = self.cursor.index() + 2 >= self.len();
        let start = self.pages.next_to_come().filter(|_| near)?;
        Some(self.page_request(start, convert))
    }

    /// What is asked for beside the list to draw its trends where its own answers hold none: for the rows that can be
    /// in sight, the selected one's first.
    pub fn trend_requests(&self, rows: usize, convert: &Currency) -> Vec<Request> {
        let mut requests = Vec::new();
        for (from, len) in trends::chunks(self.cursor.index(), rows, self.len()) {
            let coins = (from..from + len).map_while(|row| self.get(row));
            requests.extend(trends::request(self.tag, coins, convert).filter(|request| !requests.contains(request)));
        }
        requests
    }

    /// Whether a request is one of those that [`ListScreen::trend_requests`] makes.
    pub fn is_trend(&self, request: &Request, convert: &Currency) -> bool {
        trends::is_trend(self.tag, request, convert)
    }

    /// Takes in an answer to one of [`ListScreen::trend_requests`].
    pub fn take_trends(&mut self, answer: &Answer) {
        let ListScreen { trends, pages, rows, .. } = self;
        trends.take(std::iter::once(answer), rows.iter().filter_map(|&place| pages.at(place)));
    }

    /// Takes in what the store has of the pages and of their trends.
    pub fn sync(&mut self, store: &Store, convert: &Currency) {
        self.pages.sync(store, convert);
        self.rows = self.pages.join();
        let mut summary = Summary::default();
        self.coins().for_each(|coin| summary.add(coin));
        let first = self.coins().next().map(|coin| &coin.convert);
        if self.coins().any(|coin| Some(&coin.convert) != first) {
            // A sum over several currencies means nothing.
            summary.market_cap = 0.0;
        }
        self.summary = summary;
        self.arrange();
        let ListScreen { trends, pages, rows, tag, .. } = self;
        let known = store.answers(|request| trends::is_trend(*tag, request, convert));
        trends.take(known.into_iter(), rows.iter().filter_map(|&place| pages.at(place)));
        self.hold();
    }

    /// What came to the request of a page, as it came: for a store that has forgotten it.
    pub fn kept(&self, request: &Request) -> Option<Kept> {
        self.pages.kept(request)
    }

    /// Whether the page that begins at a coin has rows, in whatever currency.
    pub fn has_rows(&self, start: u32) -> bool {
        self.pages.has_rows(start)
    }

    /// Requests the same pages in another currency, the selected coin's first. What is loaded stays until then.
    pub fn restart(&mut self) {
        let place = self.selected_row().and_then(|row| self.place(row));
        self.pages.restart(place);
    }

    /// Asks for one page more where the cursor nears the end of what is loaded, or where sorting or searching needs
    /// everything. Called after every change; `true` where it did ask.
    pub fn extend(&mut self, rows: usize) -> bool {
        let near = self.is_near_end(rows);
        if self.pages.ended() || self.pages.waits() || !(near || self.needs_all()) || self.rows.len() >= MOST {
            return false;
        }
        self.pages.extend();
        true
    }

    /// Whether the cursor is within two screens of the end of what is loaded.
    fn is_near_end(&self, rows: usize) -> bool {
        self.cursor.index().saturating_add(rows.saturating_mul(2)) >= self.len()
    }

    /// Changes the order, also of what a search found, and goes to its first row: who sorts wants to see what is first
    /// now, not where the coin went.
    pub fn sort_by(&mut self, sort: Sort) {
        self.sort = sort;
        self.sorted_found = true;
        self.arrange();
        self.select(0);
        self.hold_at(End::First);
    }

    /// Takes over the order and the selected coin of an earlier session, while neither was touched. The coin is
    /// selected where the first rows that come have it, so that no later one moves the selection.
    pub fn restore(&mut self, sort: Option<Sort>, coin: Option<CoinId>) {
        if let Some(sort) = sort.filter(|_| self.sort == Sort::default()) {
            self.sort_by(sort);
        }
        if let Some(coin) = coin.filter(|_| self.rows.is_empty()) {
            self.held = None;
            self.cursor = Cursor::at(coin.0);
        }
    }

    /// Goes to the last row, and on to what is still to come.
    pub fn last(&mut self) {
        self.select(usize::MAX);
        self.hold_at(End::Last);
    }

    /// Keeps the selection at the end where the reader put it, until the whole list is there.
    fn hold(&mut self) {
        let Some(end) = self.held else { return };
        self.select(if end == End::First { 0 } else { usize::MAX });
        self.hold_at(end);
    }

    /// Only the reading on that the reader's own key began may move the selection; a refresh never does.
    fn hold_at(&mut self, end: End) {
        let reads_on = end == End::Last || self.sort.column != Column::Rank;
        let whole = self.pages.ended() || self.rows.len() >= MOST;
        self.held = (reads_on && (!whole || self.pages.waits())).then_some(end);
    }

    /// Shows the whole list again, in the order that it was sorted by last; the selected coin stays selected.
    pub fn end_search(&mut self) {
        self.search.reset();
        self.sorted_found = false;
        self.held = None;
        self.pick();
        self.settle();
    }

    /// Applies what is in the search line: the best match first.
    pub fn filter(&mut self) {
        self.sorted_found = false;
        self.pick();
        self.held = None;
        self.cursor.reset();
        self.settle();
    }

    /// Moves the selection.
    pub fn step(&mut self, rows: isize) {
        self.held = None;
        let mut cursor = std::mem::take(&mut self.cursor);
        cursor.step(rows, self.len(), |row| self.get(row));
        self.cursor = cursor;
    }

    /// Selects a row.
    pub fn select(&mut self, row: usize) {
        self.held = None;
        let mut cursor = std::mem::take(&mut self.cursor);
        cursor.select(row, self.len(), |row| self.get(row));
        self.cursor = cursor;
    }

    /// Finds the selected coin again. Where it is gone takes its neighbour, but not while its page may be still to come.
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

    fn place(&self, row: usize) -> Option<Place> {
        let row = match &self.shown {
            Some(shown) => *shown.get(row)? as usize,
            None => row,
        };
        self.rows.get(row).copied()
    }

    /// Sorts and searches, and finds the selected coin again.
    fn arrange(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        order::sort(&mut rows, self.sort, |place| self.pages.at(place), |place| self.pages.is_outdated(place));
        self.rows = rows;
        self.keys = Vec::new();
        self.pick();
        self.settle();
    }

    /// Picks the rows that match the search. While the rows stay, every letter more costs only the comparison.
    fn pick(&mut self) {
        let query = self.search.value().trim();
        if query.is_empty() {
            self.shown = None;
            self.keys = Vec::new();
            return;
        }
        if self.keys.len() != self.rows.len() {
            self.keys = self.coins().map(|coin| Key::new(&coin.symbol, &coin.name)).collect();
        }
        let mut hits = search::hits(query, self.keys.iter());
        if self.order().is_none() {
            let coin = |row: usize| self.rows.get(row).and_then(|&place| self.pages.at(place));
            match self.sort {
                // The rows stand so already.
                Sort { column: Column::Rank, descending: false } => hits.sort_by_key(|&(class, _)| class),
                // Which of equal matches is first must not depend on the order behind the search.
                _ => hits.sort_by_cached_key(|&(class, row)| {
                    let rank = coin(row).and_then(|coin| coin.rank);
                    (class, rank.is_none(), rank, self.rows.get(row).map(|place| (place.page, place.item)))
                }),
            }
        }
        self.shown = Some(hits.into_iter().map(|(_, row)| row as u32).collect());
    }
}
