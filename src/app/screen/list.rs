//! A list of coins by tag: joins its pages by id, sorts and searches them.

mod columns;
mod frozen;
mod layout;
mod matches;
mod order;
mod pages;
mod paging;
mod selection;
mod summary;
mod trends;

use std::sync::Arc;

use tui_input::Input;

use crate::app::coins::filter::Filter;
use crate::app::cursor::Cursor;
use crate::app::find::search::Key;
use crate::app::live::LiveRanges;
use crate::app::responses::Responses;
use crate::model::{Coin, CoinId, Currency, Tag, UtcTime};
use crate::user_data::watchlist::ResolvedCoins;

pub use columns::{CoinColumn, SPECS};
pub use layout::{ListColumns, PlacedColumns, WIDE};
pub use order::{Sort, SortColumn, sorted_coins};
pub use summary::Summary;
pub use trends::{TREND_INTERVAL, TREND_POINTS};

use pages::{MAX_COINS, Pages, RowPosition};
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
    /// The watched coins, for filters.
    watched: Arc<ResolvedCoins>,
    /// The rows of the watched coins, if the filter accepts no others.
    watched_rows: Option<Vec<RowPosition>>,
    /// The search of all pages for them.
    watched_search: WatchedSearch,
    /// Whether the user sorted the search results, which otherwise start with the best match.
    results_sorted: bool,
    /// The selection before the query was edited, while it is being edited.
    before_search: Option<Selection>,
    /// The selected coin.
    pub cursor: Cursor,
    pages: Pages,
    rows: Vec<RowPosition>,
    shown: Option<Vec<u32>>,
    /// The end of the list that the selection stays at while more rows are loaded; `None` if it stays on its coin.
    pinned: Option<End>,
    /// The selected coin of an earlier session, until it is found or the user selects another one.
    restored: Option<CoinId>,
    /// The coins that the search found beyond the loaded pages, after its other results.
    more: Vec<Coin>,
    /// Whether these contain the words of the query. If so, loaded coins that don't are hidden.
    has_literal_more: bool,
    /// Whether the search may have found other coins that are not among them.
    omits_results: bool,
    /// The number of names that the search included, if the names of all coins are known.
    names: Option<usize>,
    /// The search keys of the rows, made by the first search.
    keys: Vec<Key>,
    /// The columns, and how far they are scrolled.
    pub columns: ListColumns,
    trends: Trends,
    summary: Summary,
    /// The 24h ranges of an exchange.
    ranges: Arc<LiveRanges>,
    /// Whether the rows are in the order of an earlier response.
    order_frozen: bool,
    /// The number of rows that were sorted last.
    sorted: usize,
    /// Whether the palette needs all coins.
    loads_all: bool,
    /// Whether the wallet needs coins from later pages.
    has_wallet_coins: bool,
    /// Whether the user stopped loading the coins that the sort order needs.
    is_stopped: bool,
}

/// A filter with its text.
#[derive(Clone, Debug, PartialEq)]
pub struct AppliedFilter {
    /// As it was typed, with each `and` that was left out.
    pub text: String,
    /// What it means.
    pub filter: Filter,
}

/// A search of all pages for the watched coins. Coins that are on no page must not keep all pages fresh.
#[derive(Clone, Copy, Debug, Default)]
struct WatchedSearch {
    /// Whether all pages were searched.
    is_over: bool,
    /// How many coins it found.
    found: usize,
    /// When it ended, by the time of the newest response.
    ended_at: UtcTime,
    /// Earlier responses don't count.
    since: UtcTime,
}

/// What is selected, and what the selection waits for.
#[derive(Clone, Debug)]
struct Selection {
    cursor: Cursor,
    pinned: Option<End>,
    restored: Option<CoinId>,
}

/// An end of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// Maximum coins that are kept fresh because the whole list is needed.
const MAX_FRESH_COINS: usize = 5_000;

/// The coins that a search finds beyond the loaded pages.
#[derive(Debug, Default)]
pub struct MoreCoins {
    /// The coins.
    pub coins: Vec<Coin>,
    /// The number of names searched; `None` if they are not loaded or not searched.
    pub names: Option<usize>,
    /// Whether the coins contain the words of the search.
    pub is_literal: bool,
    /// Whether there may be others.
    pub omits_some: bool,
}

impl ListScreen {
    /// An empty list.
    pub fn new(tag: Tag, page_size: u32) -> ListScreen {
        ListScreen {
            tag,
            sort: Sort::default(),
            search: Input::default(),
            searching: false,
            before_search: None,
            filter: None,
            watched: Arc::default(),
            watched_rows: None,
            watched_search: WatchedSearch::default(),
            results_sorted: false,
            cursor: Cursor::default(),
            pages: Pages::new(tag, page_size),
            rows: Vec::new(),
            shown: None,
            pinned: None,
            restored: None,
            more: Vec::new(),
            has_literal_more: false,
            omits_results: false,
            names: None,
            keys: Vec::new(),
            columns: ListColumns::default(),
            trends: Trends::default(),
            summary: Summary::default(),
            ranges: Arc::default(),
            order_frozen: false,
            sorted: 0,
            loads_all: false,
            has_wallet_coins: false,
            is_stopped: false,
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

    /// Whether nothing is shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of loaded coins.
    pub fn loaded(&self) -> usize {
        self.rows.len()
    }

    /// The number of coins that the service has, if it reports it or the end was reached.
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

    /// Finds a loaded coin by its id.
    pub fn coin(&self, id: &CoinId) -> Option<&Coin> {
        self.coins().find(|coin| coin.id == *id)
    }

    /// All loaded coins in their sort order, each with the time when its page was up to date.
    pub(in crate::app) fn dated_coins(&self) -> impl Iterator<Item = (UtcTime, &Coin)> {
        self.rows.iter().filter_map(|&place| Some((self.pages.updated_at(place), self.pages.at(place)?)))
    }

    /// Moves the times of loaded coins back to `now`, after the clock was set back.
    pub(in crate::app) fn set_back(&mut self, now: UtcTime) {
        self.pages.set_back(now);
        let WatchedSearch { since, ended_at, .. } = &mut self.watched_search;
        (*since, *ended_at) = ((*since).min(now), (*ended_at).min(now));
    }

    /// All loaded coins, in their sort order.
    pub fn coins(&self) -> impl Iterator<Item = &Coin> + Clone {
        self.rows.iter().filter_map(|&place| self.pages.at(place))
    }

    /// A coin's prices over seven days, from the list or from a separate response.
    pub fn trend<'a>(&'a self, coin: &'a Coin) -> &'a [f64] {
        if coin.sparkline_7d.is_empty() { self.trends.get(&coin.id) } else { &coin.sparkline_7d }
    }

    /// The sort order of the rows; `None` for search results that start with the best match.
    pub fn order(&self) -> Option<Sort> {
        (self.search.value().trim().is_empty() || self.results_sorted).then_some(self.sort)
    }

    /// The sort column if the user chose it; the default order needs no column.
    pub fn chosen_sort(&self) -> Option<SortColumn> {
        self.order().map(|order| order.column).filter(|by| *by != SortColumn::Rank || self.sort.descending)
    }

    /// The number of coins missing from the chosen sort order because their pages are still loading; `None` if all pages
    /// that are loaded for sorting have arrived, or the user stopped loading them.
    pub fn unsorted(&self) -> Option<u64> {
        self.chosen_sort().filter(|_| !self.is_stopped && !self.has_scope() && !self.has_all_watched())?;
        let covered = self.covered().or(self.total())?;
        covered.checked_sub(self.loaded() as u64).filter(|missing| *missing > 0)
    }

    /// The number of coins that are in their sort order: not those that arrived while the rows keep their order.
    pub fn sorted(&self) -> usize {
        if self.order_frozen { self.sorted.min(self.rows.len()) } else { self.rows.len() }
    }

    /// Updates pages and trends from the responses. `rows`: the height of the screen. With `freezes_order`, no row moves
    /// until [`ListScreen::release_order`]: new coins come last, and those that are on no page for now (one page is
    /// newer than the next) stay.
    pub fn sync(&mut self, responses: &Responses, convert: &Currency, rows: usize, freezes_order: bool) {
        let is_frozen =
            freezes_order && self.pinned.is_none() && !self.pages.awaits_currency() && !self.rows.is_empty();
        let before = is_frozen.then(|| self.frozen_rows());
        let in_sight = self.pages_in_sight(rows);
        let has_other_provider = self.pages.sync(responses, convert, in_sight);
        if has_other_provider {
            self.watched_search = WatchedSearch::default();
        }
        self.add_known_pages(responses, convert);
        self.rows = self.pages.join();
        let mut summary = Summary::default();
        self.coins().for_each(|coin| summary.add(coin));
        let first = self.coins().next().map(|coin| &coin.convert);
        if self.coins().any(|coin| Some(&coin.convert) != first) {
            // Amounts in several currencies can't be added.
            summary = summary.without_sums();
        }
        self.summary = summary;
        // Rows of another provider have another order.
        let before = before.filter(|_| !has_other_provider);
        self.order_frozen = before.is_some();
        match before {
            Some(before) => self.keep_order(&before),
            None => self.sort_and_search(),
        }
        let ListScreen { trends, pages, rows, tag, .. } = self;
        let known = responses.matching(|request| trends::is_trend(*tag, request, convert));
        trends.add(known.into_iter(), rows.iter().filter_map(|&place| pages.at(place)));
        self.keep_pinned();
    }

    /// Whether the rows are in an earlier order.
    pub fn is_order_frozen(&self) -> bool {
        self.order_frozen
    }

    /// Sorts the rows that kept an earlier order.
    pub fn release_order(&mut self) {
        if std::mem::take(&mut self.order_frozen) {
            self.rows = self.pages.join();
            self.sort_and_search();
        }
    }

    fn sort_rows(&self, rows: &mut [RowPosition]) {
        let is_outdated = |place| self.pages.is_outdated(place);
        let coin = |place| Some((self.pages.updated_at(place), self.pages.at(place)?));
        order::sort(rows, self.sort, &self.ranges, coin, is_outdated);
    }

    /// Uses these 24h ranges for coins whose list has none. Returns whether the rows have to be sorted again.
    pub(in crate::app) fn set_ranges(&mut self, ranges: &Arc<LiveRanges>) -> bool {
        let shown = |ranges: &LiveRanges| -> Vec<bool> {
            self.dated_coins().map(|(at, coin)| ranges.of(coin, at).is_some()).collect()
        };
        let has_changed = self.sort.column.is_of_range() && shown(&self.ranges) != shown(ranges);
        self.ranges = Arc::clone(ranges);
        has_changed
    }

    /// Changes the sort order (of search results too) and selects the first row. The selection stays on the first row
    /// while the pages that sorting needs arrive, until [`ListScreen::unpin`].
    pub fn sort_by(&mut self, sort: Sort) {
        self.sort = sort;
        self.is_stopped = false;
        self.results_sorted = true;
        self.sort_and_search();
        self.select(0);
        self.pin(End::First);
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
        self.sort_rows(&mut rows);
        self.rows = rows;
        self.sorted = self.rows.len();
        self.keys = Vec::new();
        self.find_matches();
        self.reselect();
    }
}
