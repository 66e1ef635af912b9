//! The wallet tab: the holdings, and the watched coins, each with a small chart.

pub mod holdings;
pub mod order;
mod selection;
pub(crate) mod series;
pub mod value_chart;

use std::borrow::Cow;
use std::collections::HashSet;
use std::time::Duration;

use crate::app::cursor::Cursor;
use crate::app::step::Step;
use crate::model::{Identity, Period, Text, UtcTime};
use crate::portfolio::wallet::TokenBalance;
use crate::portfolio::{Deploys, HoldingValue, Valuation};
use crate::user_data::LotId;
use crate::user_data::assigned_ids::AssignedIds;
use crate::user_data::watchlist::Watched;

use order::{HoldingSort, Order, WatchedFigures};
use value_chart::ValueChart;

use holdings::{CostedLots, HeldAddress, HeldCoins, HoldingValues, Holdings, LineKind, WalletLine, lot_key};

/// A row of the wallet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalletRow {
    /// The watched coin.
    pub watched: Watched,
    /// The coin's current symbol, if it was renamed.
    pub renamed: Option<Text>,
    /// The index among the watched coins.
    pub watched_index: usize,
    /// Index of its series in the response to its request; `None` if there is none.
    pub series: Option<usize>,
    /// Number of coins in the response that share the symbol, if the watched one is unknown.
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
    /// The selected row of an earlier session, until the user acts on a row.
    restored: Option<Text>,
    /// Whether the user has acted on a row, so that no other one is selected by itself.
    is_acted_on: bool,
    /// Whether amounts and values are hidden.
    pub hides_amounts: bool,
    /// Whether the tab was open in this run.
    pub was_open: bool,
    /// The deploy inscriptions of tokens whose details were loaded.
    pub(in crate::app) deploys: Deploys,
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
    /// The current symbol of each watched coin.
    symbols: Vec<Text>,
    rows: Vec<WalletRow>,
}

impl WalletScreen {
    /// Creates an empty wallet whose charts cover this period.
    pub fn new(period: Period) -> WalletScreen {
        WalletScreen {
            cursor: Cursor::default(),
            restored: None,
            is_acted_on: false,
            hides_amounts: false,
            was_open: false,
            deploys: Deploys::new(),
            holdings: Holdings::default(),
            value_chart: ValueChart::default(),
            held_batches: Vec::new(),
            shared_batches: Vec::new(),
            lines: Vec::new(),
            period,
            batches: Vec::new(),
            batch_of: Vec::new(),
            symbols: Vec::new(),
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

    /// Keeps the lot selected whose temporary ID the store has replaced. [`WalletScreen::set_lots`] follows.
    pub(in crate::app) fn assign_ids(&mut self, ids: &AssignedIds) {
        let Some(LineKind::Lot(holding, place)) = self.line() else { return };
        let lot = self.holdings.lot_of(holding, place).map(|(lot, _)| lot.id);
        if let Some((id, held)) = lot.zip(self.holdings.holding(holding)) {
            self.cursor.follow(lot_key(ids.lot(id), held.holding.address.as_ref()));
        }
    }

    /// Replaces the lots and everything derived from them. [`WalletScreen::set_values`] shows them.
    pub fn set_lots(&mut self, costed: CostedLots) {
        self.holdings.set_lots(costed);
        self.batch_held();
    }

    /// Takes out the lots, their values and the selection; [`WalletScreen::restore_values`] puts them back.
    pub(in crate::app) fn take_values(&mut self) -> (HoldingValues, Cursor) {
        (self.holdings.take_values(), self.cursor.clone())
    }

    /// Shows what was taken.
    pub(in crate::app) fn restore_values(&mut self, taken: (HoldingValues, Cursor)) {
        let ((costed, valuation, coins), cursor) = taken;
        self.set_lots(costed);
        self.holdings.set_values(valuation, coins);
        self.cursor = cursor;
        self.relist();
    }

    /// The value of the holdings over time.
    pub fn value_chart(&self) -> &ValueChart {
        &self.value_chart
    }

    /// About when the charts start.
    pub fn chart_start(&self, now: UtcTime) -> UtcTime {
        now.minus(Duration::from_hours(24) * self.period.days())
    }

    /// Replaces the values of the holdings.
    pub fn set_values(&mut self, valuation: Valuation, coins: HeldCoins) {
        let before = &self.holdings.valuation().holdings;
        let is_unsorted = before.iter().all(|held| held.value.is_none());
        if is_unsorted && self.cursor.index() == 0 && (!self.is_acted_on || before.is_empty()) {
            // The most valuable holding is now first, in place of the one that was first without prices, or above the
            // watched coins.
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
            self.restored = None;
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

    /// Sorts the holdings. `State::order_watched` follows.
    pub fn sort(&mut self, order: HoldingSort, manual_order: Option<Vec<Text>>) {
        self.holdings.set_order(order, manual_order);
        self.relist();
    }

    /// Moves the selected holding or watched coin up or down within its section, as shown on the screen. The holdings
    /// keep their order if a watched coin is moved. Returns whether it has moved; `None` if the row can't be moved.
    pub fn move_selected(&mut self, by: isize) -> Option<bool> {
        let mut held = self.holdings.keys();
        let mut watched: Vec<Text> = self.rows.iter().map(|row| order::watched_key(&row.watched)).collect();
        // Coins that share an entry move together.
        let mut seen = HashSet::new();
        watched.retain(|key| seen.insert(key.clone()));
        let line = self.line()?;
        let (key, keys) = match line {
            LineKind::Watched(index) => (order::watched_key(&self.rows.get(index)?.watched), &mut watched),
            _ => (order::row_key(&self.selected_holding()?.holding), &mut held),
        };
        let here = keys.iter().position(|known| *known == key)?;
        let there = here.saturating_add_signed(by);
        if there == here || there >= keys.len() {
            return Some(false);
        }
        keys.swap(here, there);
        let (mut sort, manual_order) = self.holdings.order();
        if matches!(line, LineKind::Watched(_)) && self.held_lines() > 0 && sort.by != Order::Manual {
            held = manual_order.iter().filter(|key| !order::is_watched_key(key)).cloned().collect();
            sort.has_manual_watchlist = true;
        } else {
            sort = Order::Manual.into();
        }
        held.extend(watched);
        self.sort(sort, Some(held));
        Some(true)
    }

    /// Sorts the watched coins, whose figures are in the order of their rows.
    pub(in crate::app) fn sort_watched(&mut self, figures: Vec<WatchedFigures>) {
        let mut watched: Vec<_> = figures.into_iter().zip(std::mem::take(&mut self.rows)).collect();
        watched.sort_by_key(|(_, row)| (row.watched_index, row.series));
        let (sort, manual_order) = self.holdings.order();
        sort.sort_watched(&mut watched, manual_order, |row| order::watched_key(&row.watched));
        self.rows = watched.into_iter().map(|(_, row)| row).collect();
        self.relist();
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
        self.cursor.reselect(lines.len(), |line| lines.get(line));
        self.select_restored();
    }

    /// The rows of the watched coins.
    pub fn rows(&self) -> &[WalletRow] {
        &self.rows
    }

    /// Moves the selection.
    pub fn step(&mut self, step: Step) {
        self.restored = None;
        let lines = &self.lines;
        self.cursor.step(step, lines.len(), |line| lines.get(line));
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
