//! A list of coins by tag: its pages joined by id, sorted, searched.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tui_input::Input;

use crate::app::cursor::Cursor;
use crate::app::search::{self, Key};
use crate::app::store::Store;
use crate::client::{Answer, Request};
use crate::model::{Coin, CoinId, Currency, Page, Tag, Text};

/// The columns that a list can be sorted by, in their order on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Column {
    /// Rank by market capitalisation.
    Rank,
    /// Name.
    Name,
    /// Price.
    Price,
    /// Change over an hour.
    Change1h,
    /// Change over a day.
    Change24h,
    /// Change over seven days.
    Change7d,
    /// Volume over a day.
    Volume,
    /// Market capitalisation.
    MarketCap,
}

impl Column {
    /// All of them, in their order on the screen.
    pub const ALL: [Column; 8] = [
        Column::Rank,
        Column::Name,
        Column::Price,
        Column::Change1h,
        Column::Change24h,
        Column::Change7d,
        Column::Volume,
        Column::MarketCap,
    ];

    /// Whether the largest comes first at the first press: numbers, but not the rank or the name.
    pub fn begins_descending(self) -> bool {
        !matches!(self, Column::Rank | Column::Name)
    }

    fn number(self, coin: &Coin) -> Option<f64> {
        match self {
            Column::Rank => coin.rank.map(f64::from),
            Column::Name => None,
            Column::Price => coin.price,
            Column::Change1h => coin.change_1h_pct,
            Column::Change24h => coin.change_24h_pct,
            Column::Change7d => coin.change_7d_pct,
            Column::Volume => coin.volume_24h,
            Column::MarketCap => coin.market_cap,
        }
    }
}

/// By which column, and in which direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    /// The column.
    pub column: Column,
    /// The largest first.
    pub descending: bool,
}

/// What the loaded coins come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Sum of the known market capitalisations.
    pub market_cap: f64,
    /// Coins that rose over the day.
    pub up: usize,
    /// Coins that fell.
    pub down: usize,
    /// The one that rose most, with its change in percent.
    pub best: Option<(Text, f64)>,
    /// The one that fell most.
    pub worst: Option<(Text, f64)>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    page: u32,
    item: u32,
}

#[derive(Clone, Debug)]
struct Slot {
    start: u32,
    answer: Option<Arc<Answer>>,
    /// See [`crate::app::store::Entry::abridged`].
    abridged: bool,
}

impl Slot {
    fn new(start: u32) -> Slot {
        Slot { start, answer: None, abridged: false }
    }

    /// Whether the page, or the rest of it, is still to come.
    fn waits(&self) -> bool {
        self.answer.is_none() || self.abridged
    }
}

/// A list of coins.
#[derive(Debug)]
pub struct ListScreen {
    /// Which list.
    pub tag: Tag,
    /// Its order.
    pub sort: Sort,
    /// What is searched for; empty: nothing.
    pub search: Input,
    /// Whether the search line is being edited.
    pub searching: bool,
    /// The selected coin.
    pub cursor: Cursor<CoinId>,
    page_size: u32,
    slots: Vec<Slot>,
    ended: bool,
    total: Option<u64>,
    rows: Vec<Place>,
    shown: Option<Vec<u32>>,
    /// The end of the list that the selection stays at while more of it comes in; `None`: it stays on its coin.
    held: Option<End>,
    /// What the rows are found by, made when they are searched.
    keys: Vec<Key>,
    trends: HashMap<CoinId, Arc<[f64]>>,
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
            sort: Sort { column: Column::Rank, descending: false },
            search: Input::default(),
            searching: false,
            cursor: Cursor::default(),
            page_size: page_size.max(1),
            slots: vec![Slot::new(1)],
            ended: false,
            total: None,
            rows: Vec::new(),
            shown: None,
            held: None,
            keys: Vec::new(),
            trends: HashMap::new(),
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
        self.total.or_else(|| self.ended.then_some(self.rows.len() as u64))
    }

    /// What the loaded coins come to.
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// The coin in a row of what is shown.
    pub fn get(&self, row: usize) -> Option<&Coin> {
        let row = match &self.shown {
            Some(shown) => *shown.get(row)? as usize,
            None => row,
        };
        self.at(*self.rows.get(row)?)
    }

    /// The selected coin.
    pub fn selected(&self) -> Option<&Coin> {
        self.get(self.cursor.index())
    }

    /// A loaded coin by its identity.
    pub fn coin(&self, id: &CoinId) -> Option<&Coin> {
        self.coins().find(|coin| coin.id == *id)
    }

    /// All loaded coins, in the order of the list.
    pub fn coins(&self) -> impl Iterator<Item = &Coin> + Clone {
        self.rows.iter().filter_map(|&place| self.at(place))
    }

    /// A coin's prices over seven days, from the list itself or asked for beside it.
    pub fn trend<'a>(&'a self, coin: &'a Coin) -> &'a [f64] {
        if coin.sparkline_7d.is_empty() { self.trends.get(&coin.id).map_or(&[], |t| t) } else { &coin.sparkline_7d }
    }

    /// The request of the first page: what says whether the list loads, fails or is stale.
    pub fn first_request(&self, convert: &Currency) -> Request {
        self.request(1, convert)
    }

    /// The request of the page that holds a coin.
    pub fn request_of(&self, id: &CoinId, convert: &Currency) -> Option<Request> {
        let holds = |slot: &&Slot| page_of(slot).is_some_and(|page| page.items.iter().any(|coin| coin.id == *id));
        self.slots.iter().find(holds).map(|slot| self.request(slot.start, convert))
    }

    /// The first coin, from 1, of the page that the coin in a row of what is shown comes from.
    pub fn page_start(&self, row: usize) -> Option<u32> {
        let row = match &self.shown {
            Some(shown) => *shown.get(row)? as usize,
            None => row,
        };
        let place = self.rows.get(row)?;
        self.slots.get(place.page as usize).map(|slot| slot.start)
    }

    /// The request of the page that begins at a coin, counted from 1.
    pub fn page_request(&self, start: u32, convert: &Currency) -> Request {
        self.request(start, convert)
    }

    /// The pages wanted: those with coins in sight, the next one when the end is near or the whole list is needed.
    pub fn requests(&self, rows: usize, convert: &Currency) -> Vec<Request> {
        let mut wanted: Vec<u32> = Vec::new();
        let from = self.cursor.index().saturating_sub(rows);
        for row in from..(self.cursor.index() + rows + 1).min(self.len()) {
            let place = match &self.shown {
                Some(shown) => shown.get(row).and_then(|&r| self.rows.get(r as usize)),
                None => self.rows.get(row),
            };
            if let Some(start) = place.and_then(|p| self.slots.get(p.page as usize)).map(|slot| slot.start)
                && !wanted.contains(&start)
            {
                wanted.push(start);
            }
        }
        wanted.sort_unstable();
        for slot in &self.slots {
            if slot.waits() && !wanted.contains(&slot.start) {
                wanted.push(slot.start);
            }
        }
        wanted.into_iter().map(|start| self.request(start, convert)).collect()
    }

    /// What is asked for beside the list to draw its trends where its own answers hold none.
    pub fn trend_request(&self, rows: usize, convert: &Currency) -> Option<Request> {
        let from = (self.cursor.index() / rows.max(1)) * rows.max(1);
        let bare: Vec<&Coin> = (from..(from + rows).min(self.len()))
            .filter_map(|row| self.get(row))
            .filter(|coin| coin.sparkline_7d.is_empty())
            .collect();
        if bare.is_empty() {
            return None;
        }
        if self.tag == Tag::Brc20 {
            return Some(Request::CategoryStats { tag: self.tag, convert: convert.clone() });
        }
        let mut symbols: Vec<Text> = bare.iter().map(|coin| coin.symbol.clone()).filter(|s| !s.contains(',')).collect();
        symbols.sort_unstable();
        symbols.dedup();
        Some(Request::MarketData {
            symbols,
            convert: convert.clone(),
            count: TREND_POINTS,
            interval: Text::const_new(TREND_INTERVAL),
        })
    }

    /// Whether a request is one of those that [`ListScreen::trend_request`] makes.
    pub fn is_trend(&self, request: &Request, convert: &Currency) -> bool {
        match request {
            Request::CategoryStats { tag, convert: asked } => *tag == self.tag && asked == convert,
            Request::MarketData { convert: asked, count, interval, .. } => {
                asked == convert && *count == TREND_POINTS && interval == TREND_INTERVAL
            }
            _ => false,
        }
    }

    /// Takes in an answer to [`ListScreen::trend_request`].
    pub fn take_trends(&mut self, answer: &Answer) {
        let mut found: Vec<(CoinId, Arc<[f64]>)> = Vec::new();
        match answer {
            Answer::Coins(page) => {
                for coin in page.items.iter().filter(|coin| !coin.sparkline_7d.is_empty()) {
                    found.push((coin.id.clone(), Arc::from(coin.sparkline_7d.as_slice())));
                }
            }
            Answer::Market(series) => {
                for coin in self.coins().filter(|coin| coin.sparkline_7d.is_empty()) {
                    let is_it = |s: &&crate::model::MarketSeries| match (&s.id, &s.slug) {
                        (Some(id), _) => *id == coin.id.0,
                        (None, Some(slug)) => Some(slug) == coin.slug.as_ref(),
                        (None, None) => false,
                    };
                    if let Some(series) = series.iter().find(is_it) {
                        found.push((coin.id.clone(), series.points.iter().filter_map(|p| p.price).collect()));
                    }
                }
            }
            _ => {}
        }
        self.trends.extend(found);
    }

    /// Takes in what the store has of the pages.
    pub fn sync(&mut self, store: &Store, convert: &Currency) {
        let (tag, limit) = (self.tag, self.page_size);
        for slot in &mut self.slots {
            let request = Request::Coins { tag, start: slot.start, limit, convert: convert.clone() };
            // What the store has forgotten (pages out of sight for long) stays here.
            if let Some(answer) = store.answer(&request) {
                slot.answer = Some(Arc::clone(answer));
                slot.abridged = store.is_abridged(&request);
            }
        }
        self.join();
        self.arrange();
        self.hold();
    }

    /// Starts anew: another currency, or the same one asked again from the first page.
    pub fn restart(&mut self) {
        self.slots = vec![Slot::new(1)];
        self.ended = false;
        self.total = None;
        self.trends.clear();
    }

    /// Asks for one page more where the cursor nears the end of what is loaded, or where sorting or searching needs
    /// everything. Called after every change; `true` where it did ask.
    pub fn extend(&mut self, rows: usize) -> bool {
        let everything = !self.search.value().trim().is_empty() || self.searching || self.sort.column != Column::Rank;
        let near = self.cursor.index() + 2 * rows >= self.len();
        let waiting = self.slots.iter().any(Slot::waits);
        if self.ended || waiting || !(near || everything) || self.rows.len() >= MOST {
            return false;
        }
        let loaded: usize = self.slots.iter().filter_map(page_of).map(|page| page.items.len()).sum();
        self.slots.push(Slot::new(u32::try_from(loaded).unwrap_or(u32::MAX).saturating_add(1)));
        true
    }

    /// Changes the order. Who is at the first row wants to see what is first now, not where the coin went.
    pub fn sort_by(&mut self, sort: Sort) {
        let at_first = self.cursor.index() == 0;
        self.sort = sort;
        self.arrange();
        if at_first {
            self.select(0);
            self.hold_at(End::First);
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
        let whole = self.ended || self.rows.len() >= MOST;
        self.held = (reads_on && (!whole || self.slots.iter().any(Slot::waits))).then_some(end);
    }

    /// Shows the whole list again; the selected coin stays selected.
    pub fn end_search(&mut self) {
        self.search.reset();
        self.held = None;
        self.pick();
        self.settle();
    }

    /// Applies what is in the search line.
    pub fn filter(&mut self) {
        self.pick();
        self.held = None;
        self.cursor.reset();
        self.settle();
    }

    /// Moves the selection.
    pub fn step(&mut self, rows: isize) {
        self.held = None;
        let mut cursor = std::mem::take(&mut self.cursor);
        cursor.step(rows, self.len(), |row| self.get(row).map(|coin| coin.id.clone()));
        self.cursor = cursor;
    }

    /// Selects a row.
    pub fn select(&mut self, row: usize) {
        self.held = None;
        let mut cursor = std::mem::take(&mut self.cursor);
        cursor.select(row, self.len(), |row| self.get(row).map(|coin| coin.id.clone()));
        self.cursor = cursor;
    }

    fn settle(&mut self) {
        let mut cursor = std::mem::take(&mut self.cursor);
        cursor.settle(self.len(), |row| self.get(row).map(|coin| coin.id.clone()));
        self.cursor = cursor;
    }

    fn request(&self, start: u32, convert: &Currency) -> Request {
        Request::Coins { tag: self.tag, start, limit: self.page_size, convert: convert.clone() }
    }

    fn at(&self, place: Place) -> Option<&Coin> {
        page_of(self.slots.get(place.page as usize)?)?.items.get(place.item as usize)
    }

    /// Joins the pages by id: an overlap of pages (a server that counts from 0, a coin that changed its rank between
    /// two answers) shows no coin twice.
    fn join(&mut self) {
        let mut seen: HashSet<&CoinId> = HashSet::new();
        let mut rows = Vec::new();
        let mut total = None;
        let mut ended = false;
        for (index, slot) in self.slots.iter().enumerate() {
            let Some(page) = page_of(slot) else { break };
            total = total.or(page.total);
            let before = rows.len();
            for (item, coin) in page.items.iter().enumerate() {
                if seen.insert(&coin.id) {
                    rows.push(Place { page: index as u32, item: item as u32 });
                }
            }
            let through = total.is_some_and(|total| rows.len() as u64 >= total);
            ended = !slot.abridged && (through || rows.len() == before || (total.is_none() && self.is_short(page)));
        }
        let mut summary = Summary::default();
        for &place in &rows {
            if let Some(coin) = self.at(place) {
                summary.add(coin);
            }
        }
        self.rows = rows;
        self.total = total;
        self.ended = ended;
        self.summary = summary;
    }

    /// A short page is the last one, unless its length is one that servers cap pages at.
    fn is_short(&self, page: &Page<Coin>) -> bool {
        page.items.len() < self.page_size as usize && !(page.items.len() >= 50 && page.items.len().is_multiple_of(50))
    }

    /// Sorts and searches, and finds the selected coin again.
    fn arrange(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        sort(&mut rows, self.sort, |place| self.at(place));
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
        self.shown = Some(search::find(query, self.keys.iter()).into_iter().map(|row| row as u32).collect());
    }
}

/// Points of a trend that is asked for beside the list: 42 steps of four hours are seven days.
pub const TREND_POINTS: u32 = 42;

/// Step of a trend that is asked for beside the list.
pub const TREND_INTERVAL: &str = "4h";

fn page_of(slot: &Slot) -> Option<&Page<Coin>> {
    match slot.answer.as_deref() {
        Some(Answer::Coins(page)) => Some(page),
        _ => None,
    }
}

/// Sorts by a key that is looked up once a row; rows without a value stand last in both directions, equal ones keep
/// the service's order.
fn sort<'a>(rows: &mut [Place], order: Sort, coin: impl Fn(Place) -> Option<&'a Coin>) {
    rows.sort_unstable_by_key(|place| (place.page, place.item));
    if order.column == Column::Name {
        let name = |place: &Place| coin(*place).map(|c| c.name.to_lowercase()).unwrap_or_default();
        rows.sort_by_cached_key(name);
        if order.descending {
            rows.reverse();
        }
        return;
    }
    let mut keyed: Vec<(Option<f64>, Place)> =
        rows.iter().map(|&place| (coin(place).and_then(|c| order.column.number(c)), place)).collect();
    keyed.sort_by(|(a, _), (b, _)| match (a, b) {
        (Some(a), Some(b)) if order.descending => b.total_cmp(a),
        (Some(a), Some(b)) => a.total_cmp(b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    });
    for (row, (_, place)) in rows.iter_mut().zip(keyed) {
        *row = place;
    }
}

impl Summary {
    fn add(&mut self, coin: &Coin) {
        self.market_cap += coin.market_cap.filter(|cap| cap.is_finite()).unwrap_or(0.0);
        let Some(change) = coin.change_24h_pct.filter(|change| change.is_finite()) else { return };
        if change > 0.0 {
            self.up += 1;
        } else if change < 0.0 {
            self.down += 1;
        }
        if self.best.as_ref().is_none_or(|(_, best)| change > *best) {
            self.best = Some((coin.symbol.clone(), change));
        }
        if self.worst.as_ref().is_none_or(|(_, worst)| change < *worst) {
            self.worst = Some((coin.symbol.clone(), change));
        }
    }
}
