//! The wallet tab: the holdings, and the watched coins, each with a small chart.

pub mod holdings;
pub mod order;
pub mod value_chart;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::app::cursor::Cursor;
use crate::app::store::{Remote, Store};
use crate::client::{Request, endpoint};
use crate::model::{Currency, Identity, MarketSeries, Period, Text, UtcTime};
use crate::portfolio::wallet::TokenBalance;
use crate::portfolio::{HoldingValue, Valuation};
use crate::user_data::LotId;
use crate::user_data::watchlist::{IgnoreCase, Watched};

use order::Order;
use value_chart::ValueChart;

use holdings::{CostedLots, HeldAddress, HeldCoins, Holdings, LineKind, WalletLine};

/// A row of the wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletRow {
    /// The watched coin.
    pub watched: Watched,
    /// Its index among the watched coins.
    pub watched_index: usize,
    /// Index of its series in the response to its request; `None` if there is none.
    pub series: Option<usize>,
    /// How many coins of the response share the symbol, if it is unknown which of them is watched.
    pub ambiguous: Option<usize>,
    /// Index of the request for its symbol.
    pub batch: usize,
    /// The slug or id, which with the symbol identifies the row.
    name: Option<Text>,
}

/// The wallet tab.
#[derive(Debug)]
pub struct WalletScreen {
    /// The selected row: a holding, a lot, or a watched coin by its symbol and the slug or id of the series or the coin.
    pub cursor: Cursor,
    /// Whether amounts and values are hidden.
    pub hides_amounts: bool,
    /// Whether the tab was open in this run.
    pub was_open: bool,
    holdings: Holdings,
    /// The value of the holdings over time.
    pub(in crate::app) value_chart: ValueChart,
    /// Symbols of holdings that the watched coins' requests don't cover, one batch per request.
    held_batches: Vec<Vec<Text>>,
    /// Indices of the watched coins' batches that also cover holdings.
    shared_batches: Vec<usize>,
    lines: Vec<WalletLine>,
    period: Period,
    /// The watched symbols of each request.
    batches: Vec<Vec<Text>>,
    /// For each watched coin, the index of the request for its symbol.
    batch_of: Vec<usize>,
    rows: Vec<WalletRow>,
}

impl WalletScreen {
    /// Creates an empty wallet whose charts cover this period.
    pub fn new(period: Period) -> WalletScreen {
        WalletScreen {
            cursor: Cursor::default(),
            hides_amounts: false,
            was_open: false,
            holdings: Holdings::default(),
            value_chart: ValueChart::default(),
            held_batches: Vec::new(),
            shared_batches: Vec::new(),
            lines: Vec::new(),
            period,
            batches: Vec::new(),
            batch_of: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// The period of the charts.
    pub fn period(&self) -> Period {
        self.period
    }

    /// Changes the period; [`WalletScreen::sync`] shows its charts.
    pub(in crate::app) fn set_period(&mut self, period: Period) {
        self.period = period;
    }

    /// The holdings.
    pub fn holdings(&self) -> &Holdings {
        &self.holdings
    }

    /// All rows: holdings with the lots of those that are expanded, then the watched coins.
    pub fn lines(&self) -> &[WalletLine] {
        &self.lines
    }

    /// How many of the rows are about holdings.
    pub fn held_lines(&self) -> usize {
        self.lines.len().saturating_sub(self.rows.len())
    }

    /// The selected row.
    pub fn line(&self) -> Option<LineKind> {
        self.lines.get(self.cursor.index()).map(|line| line.kind)
    }

    /// The selected holding, or the one that the selected lot belongs to.
    pub fn selected_holding(&self) -> Option<&HoldingValue> {
        match self.line()? {
            LineKind::Holding(index) | LineKind::Lot(index, _) => self.holdings.holding(index),
            LineKind::Address(_) | LineKind::Unvalued(..) | LineKind::Watched(_) => None,
        }
    }

    /// The selected lot, or the only one of the selected holding.
    pub fn selected_lot(&self) -> Option<LotId> {
        let (holding, place) = match self.line()? {
            LineKind::Lot(holding, place) => (holding, place),
            LineKind::Holding(holding) if self.holdings.holding(holding)?.holding.lots.len() == 1 => (holding, 0),
            _ => return None,
        };
        self.holdings.lot_of(holding, place).map(|(lot, _)| lot.id)
    }

    /// Replaces the lots and what follows from them. [`WalletScreen::value`] shows them.
    pub fn hold(&mut self, costed: CostedLots) {
        self.holdings.set_lots(costed);
        self.batch_held();
    }

    /// The value of the holdings over time.
    pub fn value_chart(&self) -> &ValueChart {
        &self.value_chart
    }

    /// About when the charts start.
    pub fn chart_start(&self, now: UtcTime) -> UtcTime {
        now.minus(Duration::from_hours(24) * self.period.days())
    }

    /// The requests for the prices of the holdings over time: those for the watched coins where they have them.
    pub fn history_requests(&self, convert: &Currency) -> Vec<Request> {
        let shared = self.shared_batches.iter().filter_map(|batch| self.request(*batch, convert));
        shared.chain(self.held_batches.iter().map(|symbols| self.series_request(symbols, convert))).collect()
    }

    /// Divides the symbols of the holdings among the requests.
    fn batch_held(&mut self) {
        let batches = self.batches.iter().enumerate();
        let known: HashMap<IgnoreCase<'_>, usize> =
            batches.flat_map(|(batch, own)| own.iter().map(move |symbol| (IgnoreCase(symbol), batch))).collect();
        let mut done = HashSet::new();
        let (mut shared, mut others) = (Vec::new(), Vec::new());
        let symbols = self.holdings.costed().charted.iter().map(|held| &held.coin.symbol);
        for symbol in symbols.filter(|symbol| !symbol.contains(',') && done.insert(IgnoreCase(symbol))) {
            match known.get(&IgnoreCase(symbol)) {
                Some(batch) if shared.contains(batch) => {}
                Some(batch) => shared.push(*batch),
                None => others.push(symbol.clone()),
            }
        }
        (self.shared_batches, self.held_batches) = (shared, endpoint::symbol_batches(others));
    }

    /// Replaces the values of the holdings.
    pub fn value(&mut self, valuation: Valuation, coins: HeldCoins) {
        let is_unsorted = self.holdings.valuation().holdings.iter().all(|held| held.value.is_none());
        if is_unsorted && self.cursor.index() == 0 {
            // The most valuable holding takes the place of whatever came first without prices.
            self.cursor.reset();
        }
        self.holdings.set_values(valuation, coins);
        self.relist();
    }

    /// Shows or hides the lots of the selected holding, or the balances of the selected address.
    pub fn expand(&mut self, expand: bool) {
        let head = match self.line() {
            Some(LineKind::Lot(index, _)) => LineKind::Holding(index),
            Some(LineKind::Holding(index)) => match self.holdings.holding(index) {
                Some(held) if !expand && !self.holdings.is_expanded(held) => {
                    self.address_of(held).unwrap_or(LineKind::Holding(index))
                }
                _ => LineKind::Holding(index),
            },
            Some(LineKind::Address(index) | LineKind::Unvalued(index, _)) => LineKind::Address(index),
            Some(LineKind::Watched(_)) | None => return,
        };
        if !expand {
            let place = self.lines.iter().position(|line| line.kind == head).unwrap_or(0);
            let lines = &self.lines;
            self.cursor.select(place, lines.len(), |line| lines.get(line));
        }
        match head {
            LineKind::Address(index) => self.holdings.show_balances(index, expand),
            LineKind::Holding(index) => self.holdings.expand(index, expand),
            _ => {}
        }
        self.relist();
    }

    /// The row of a holding's address.
    fn address_of(&self, held: &HoldingValue) -> Option<LineKind> {
        let address = held.holding.address.as_ref()?;
        self.holdings.addresses().iter().position(|held| held.entry.address == *address).map(LineKind::Address)
    }

    /// Sorts the holdings.
    pub fn sort(&mut self, order: Order, by_hand: Option<Vec<Text>>) {
        self.holdings.set_order(order, by_hand);
        self.relist();
    }

    /// Moves the selected holding up or down, from the order on the screen. Returns whether it has moved.
    pub fn move_holding(&mut self, by: isize) -> bool {
        let Some(held) = self.selected_holding() else { return false };
        let (key, mut keys) = (order::row_key(&held.holding), self.holdings.keys());
        let Some(here) = keys.iter().position(|known| *known == key) else { return false };
        let there = here.saturating_add_signed(by);
        if there == here || there >= keys.len() {
            return false;
        }
        keys.swap(here, there);
        self.sort(Order::Hand, Some(keys));
        true
    }

    fn relist(&mut self) {
        self.lines = self.holdings.lines();
        let watched = self.rows.iter().enumerate();
        let line = |(index, row): (usize, &WalletRow)| WalletLine {
            kind: LineKind::Watched(index),
            key: row.key().unwrap_or_default(),
        };
        self.lines.extend(watched.map(line));
        let lines = &self.lines;
        self.cursor.settle(lines.len(), |line| lines.get(line));
    }

    /// The rows of the watched coins.
    pub fn rows(&self) -> &[WalletRow] {
        &self.rows
    }

    /// Whether no coin is watched, so that there is nothing to request.
    pub fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    /// The requests for rows within `margin` of the selected one, its own first. There is one for all symbols, unless
    /// they exceed the maximum of a request.
    pub fn requests(&self, margin: usize, convert: &Currency) -> Vec<Request> {
        self.near_batches(margin).into_iter().filter_map(|batch| self.request(batch, convert)).collect()
    }

    /// The batches of [`WalletScreen::requests`] that have an answer or failed, each with its rows.
    pub(in crate::app) fn answered_rows(
        &self,
        margin: usize,
        store: &Store,
        convert: &Currency,
    ) -> impl Iterator<Item = impl Iterator<Item = &WalletRow>> {
        let is_answered = |batch: &usize| {
            let remote = self.request(*batch, convert).map(|request| store.market(&request));
            remote.is_some_and(|remote| remote.value.is_some() || remote.failure().is_some())
        };
        let batches: Vec<usize> = self.near_batches(margin).into_iter().filter(is_answered).collect();
        batches.into_iter().map(|batch| self.rows.iter().filter(move |row| row.batch == batch))
    }

    /// The batches of the rows within `margin` of the selected one, its own first.
    fn near_batches(&self, margin: usize) -> Vec<usize> {
        let here = self.cursor.index().saturating_sub(self.held_lines()).min(self.rows.len().saturating_sub(1));
        let from = here.saturating_sub(margin);
        let near = self.rows.iter().skip(from).take(here - from + margin + 1);
        let mut batches: Vec<usize> = Vec::new();
        for row in self.rows.get(here).into_iter().chain(near) {
            if !batches.contains(&row.batch) {
                batches.push(row.batch);
            }
        }
        batches
    }

    /// The resource that contains a row's series; `None` if no coin is watched.
    pub fn remote<'a>(
        &self,
        row: Option<&WalletRow>,
        store: &'a Store,
        convert: &Currency,
    ) -> Option<Remote<'a, Vec<MarketSeries>>> {
        let request = self.request(row.map_or(0, |row| row.batch), convert)?;
        Some(store.market(&request))
    }

    /// The series of a row.
    pub fn series<'a>(&self, row: &WalletRow, store: &'a Store, convert: &Currency) -> Option<&'a MarketSeries> {
        self.remote(Some(row), store, convert)?.value?.get(row.series?)
    }

    /// All series that the store has, in any order.
    pub fn all_series<'a>(&self, store: &'a Store, convert: &Currency) -> impl Iterator<Item = &'a MarketSeries> {
        let requests = (0..self.batches.len()).filter_map(|batch| self.request(batch, convert));
        requests.filter_map(|request| store.market(&request).value).flatten()
    }

    fn request(&self, batch: usize, convert: &Currency) -> Option<Request> {
        Some(self.series_request(self.batches.get(batch)?, convert))
    }

    fn series_request(&self, symbols: &[Text], convert: &Currency) -> Request {
        let (symbols, count) = (symbols.to_vec(), self.period.points());
        let interval = Text::const_new(self.period.interval());
        Request::MarketData { symbols, convert: convert.clone(), count, interval }
    }

    /// Changes the watched coins; [`WalletScreen::sync`] shows them.
    pub fn watch(&mut self, watched: &[Watched]) {
        let mut known = HashSet::new();
        let symbols = watched.iter().map(|coin| &coin.symbol).filter(|symbol| !symbol.contains(','));
        let distinct = symbols.filter(|symbol| known.insert(IgnoreCase(symbol))).cloned();
        self.batches = endpoint::symbol_batches(distinct);
        let batches = self.batches.iter().enumerate();
        let places: HashMap<IgnoreCase<'_>, usize> = batches
            .flat_map(|(batch, symbols)| symbols.iter().map(move |symbol| (IgnoreCase(symbol), batch)))
            .collect();
        self.batch_of =
            watched.iter().map(|coin| places.get(&IgnoreCase(&coin.symbol)).copied().unwrap_or(0)).collect();
        self.batch_held();
    }

    /// Updates the rows from the watched coins and the store. [`WalletScreen::watch`] must have been called with the
    /// same coins.
    pub fn sync(&mut self, store: &Store, watched: &[Watched], convert: &Currency) {
        let answers: Vec<&[MarketSeries]> = (0..self.batches.len())
            .map(|batch| {
                let request = self.request(batch, convert);
                request.and_then(|request| store.market(&request).value).map_or(&[][..], Vec::as_slice)
            })
            .collect();
        let mut by_symbol: HashMap<(usize, IgnoreCase<'_>), Vec<usize>> = HashMap::new();
        for (batch, series) in answers.iter().enumerate() {
            for (place, series) in series.iter().enumerate() {
                by_symbol.entry((batch, IgnoreCase(&series.symbol))).or_default().push(place);
            }
        }
        self.rows.clear();
        for (watched_index, (coin, &batch)) in watched.iter().zip(&self.batch_of).enumerate() {
            let sharing = by_symbol.get(&(batch, IgnoreCase(&coin.symbol))).map_or(&[][..], Vec::as_slice);
            let series = answers.get(batch).copied().unwrap_or(&[]);
            for (own, ambiguous) in choices(coin, series, sharing) {
                let named = own.and_then(|own| series.get(own)).and_then(|own| own.slug.clone().or(own.id.clone()));
                let name = named.or_else(|| coin.slug.clone());
                self.rows.push(WalletRow { watched: coin.clone(), watched_index, series: own, ambiguous, batch, name });
            }
        }
        self.relist();
    }

    /// Moves the selection.
    pub fn step(&mut self, by: isize) {
        let lines = &self.lines;
        self.cursor.step(by, lines.len(), |line| lines.get(line));
    }

    /// The selected watched coin.
    pub fn selected(&self) -> Option<&WalletRow> {
        match self.line()? {
            LineKind::Watched(index) => self.rows.get(index),
            _ => None,
        }
    }

    /// The selected address.
    pub fn selected_address(&self) -> Option<&HeldAddress> {
        match self.line()? {
            LineKind::Address(index) => self.holdings.addresses().get(index),
            _ => None,
        }
    }

    /// The selected balance without a value.
    pub fn selected_unvalued(&self) -> Option<&TokenBalance> {
        match self.line()? {
            LineKind::Unvalued(address, place) => self.holdings.addresses().get(address)?.tokens.as_ref()?.get(place),
            _ => None,
        }
    }
}

impl Identity for WalletRow {
    /// The symbol with the slug or id.
    fn identity(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Owned(format!("{} {}", self.watched.symbol, self.name.as_deref().unwrap_or_default())))
    }
}

/// The rows of one watched coin, as series and [`WalletRow::ambiguous`]: its series; or, if only the symbol is known
/// and several coins share it, the series of each. `sharing` are the indices of the series with its symbol.
pub(crate) fn choices(
    coin: &Watched,
    series: &[MarketSeries],
    sharing: &[usize],
) -> Vec<(Option<usize>, Option<usize>)> {
    let is_it = |i: &&usize| series.get(**i).is_some_and(|s| coin.has_same_id(&Watched::from_series(s)));
    if let Some(&known) = sharing.iter().find(is_it) {
        return vec![(Some(known), None)];
    }
    match sharing {
        [] => vec![(None, None)],
        // A single coin with the symbol is the watched one, unless both have a slug or both have an id, which differ.
        [only] => {
            let named = series
                .get(*only)
                .is_some_and(|s| (s.slug.is_some() && coin.slug.is_some()) || (s.id.is_some() && coin.id.is_some()));
            vec![((!named).then_some(*only), None)]
        }
        several => several.iter().map(|&i| (Some(i), Some(several.len()))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_series_with_the_symbol_is_the_watched_coin_unless_ids_differ() {
        let series = |slug: Option<&str>, id: Option<&str>| MarketSeries {
            id: id.map(Text::from),
            name: None,
            symbol: "CAT".into(),
            slug: slug.map(Text::from),
            convert: Currency::usd(),
            interval: Some("1h".into()),
            points: Vec::new(),
        };
        let cat = |slug: Option<&str>, id: Option<&str>| Watched {
            symbol: "CAT".into(),
            slug: slug.map(Text::from),
            id: id.map(Text::from),
        };
        for (watched, found, taken) in [
            (cat(None, None), series(Some("cat"), Some("1")), true),
            (cat(Some("cat"), None), series(Some("cat"), None), true),
            (cat(Some("cat"), None), series(Some("tac"), None), false),
            (cat(Some("cat"), None), series(None, Some("1")), true),
            (cat(None, Some("1")), series(None, Some("1")), true),
            (cat(None, Some("1")), series(None, Some("2")), false),
            (cat(None, Some("1")), series(Some("cat"), None), true),
        ] {
            let rows = choices(&watched, std::slice::from_ref(&found), &[0]);
            assert_eq!(rows, [(taken.then_some(0), None)], "{watched:?} {found:?}");
        }
        // Of several series, the one with the id is the watched coin.
        let several = [series(Some("tac"), Some("2")), series(Some("cat"), Some("1"))];
        assert_eq!(choices(&cat(None, Some("1")), &several, &[0, 1]), [(Some(1), None)]);
    }
}
