//! The comparison of several coins from a common start.

use crate::app::screen::wallet::series::choices;
use crate::client::Request;
use crate::client::endpoint;
use crate::keymap::Tab;
use crate::model::{Coin, Currency, MarketSeries, Period, Point, Text, UtcTime, chart};
use crate::user_data::Watched;

/// Maximum coins of a comparison.
pub const MAX_COINS: usize = 6;

/// The compared coins.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The coins, in the order of their letters.
    coins: Vec<Watched>,
    /// The number of the letter and colour of each coin, which it keeps while others are added and removed.
    slots: Vec<usize>,
    /// The requested symbols: of the coins, and of coins that were removed since [`Comparison::rebuild_symbols`], so
    /// that removing a coin needs no new response.
    symbols: Vec<Text>,
    period: Period,
    /// The time under the cursor, if there is a cursor.
    pub cursor: Option<UtcTime>,
    /// Index of the selected coin.
    pub selected: usize,
    /// Whether closing it unmarks its only coin, which was marked just to open it.
    pub is_unmarked: bool,
    /// The tab on which a dialog covers it. It appears again after that dialog.
    pub(in crate::app) covered_on: Option<Tab>,
}

impl Default for Comparison {
    fn default() -> Comparison {
        Comparison {
            coins: Vec::new(),
            slots: Vec::new(),
            symbols: Vec::new(),
            period: Period::Week,
            cursor: None,
            selected: 0,
            is_unmarked: false,
            covered_on: None,
        }
    }
}

/// Why a coin has no line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineError {
    /// It has no series.
    Series(SeriesError),
    /// All its prices are before this time, when the lines start.
    Ended(UtcTime),
}

/// Why a coin has no series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeriesError {
    /// The service has no prices for it.
    Missing,
    /// This many coins share its symbol, and it is ambiguous.
    Ambiguous(usize),
}

impl Comparison {
    /// The coins.
    pub fn coins(&self) -> &[Watched] {
        &self.coins
    }

    /// The letter of the coin with this index: `A` to `F`.
    pub fn letter(&self, index: usize) -> char {
        let letter = b'A'.saturating_add(u8::try_from(self.slot(index)).unwrap_or(u8::MAX).min(25));
        char::from(letter)
    }

    /// The number of the letter and colour of the coin with this index, less than [`MAX_COINS`].
    pub fn slot(&self, index: usize) -> usize {
        self.slots.get(index).copied().unwrap_or(index)
    }

    /// The index of a coin, if it is compared.
    pub fn index_of(&self, coin: &Coin) -> Option<usize> {
        self.coins.iter().position(|other| !other.has_only_symbol() && other.is_coin(coin))
    }

    /// Unmarks a coin that was marked just to open it.
    pub(in crate::app) fn leave(&mut self) {
        if self.is_unmarked && self.coins.len() == 1 {
            self.remove(0);
        }
    }

    /// Doesn't appear again after the dialog that covers it, since another screen opens.
    pub(in crate::app) fn abandon(&mut self) {
        if self.covered_on.take().is_some() {
            self.leave();
        }
    }

    /// The selected coin, if a dialog covers the comparison on this tab.
    pub(in crate::app) fn covered_coin(&self, tab: Tab) -> Option<&Watched> {
        self.coins.get(self.selected).filter(|_| self.covered_on == Some(tab))
    }

    /// The period.
    pub fn period(&self) -> Period {
        self.period
    }

    /// Changes to a longer period, or a shorter one if `by` is negative; stops at the ends.
    pub fn change_period(&mut self, by: isize) {
        self.period = self.period.step(by);
    }

    /// Changes to this period.
    pub fn set_period(&mut self, period: Period) {
        self.period = period;
    }

    /// Adds a coin with the first free letter unless it is already compared. Returns `false` if there is no room.
    pub fn add(&mut self, coin: Watched) -> bool {
        self.add_at(None, coin)
    }

    /// Restores a removed coin and selects it. It gets its former letter, unless another coin has that letter now.
    /// Returns `false` if the comparison is full.
    pub(in crate::app) fn restore(&mut self, coin: &Watched, slot: usize) -> bool {
        let is_added = self.add_at(Some(slot), coin.clone());
        self.select(coin);
        is_added
    }

    /// Selects a coin if it is in the comparison.
    pub(in crate::app) fn select(&mut self, coin: &Watched) {
        self.selected = self.position(coin).unwrap_or(self.selected);
    }

    /// Adds a coin like [`Comparison::add`], in this slot if it is free.
    fn add_at(&mut self, wanted: Option<usize>, coin: Watched) -> bool {
        let is_known = self.coins.iter().any(|other| other.is_same(&coin));
        if !is_known && !self.is_full() {
            let mut slots = wanted.into_iter().chain(0..MAX_COINS);
            let slot = slots.find(|slot| !self.slots.contains(slot)).unwrap_or(self.slots.len());
            let index = self.slots.partition_point(|other| *other < slot);
            if index <= self.selected && index < self.coins.len() {
                self.selected += 1;
            }
            self.slots.insert(index, slot);
            self.coins.insert(index, coin);
            self.rebuild_symbols();
            return true;
        }
        is_known
    }

    /// Whether no other coin can be added.
    pub fn is_full(&self) -> bool {
        self.coins.len() >= MAX_COINS
    }

    /// Makes the request contain exactly the symbols of the compared coins.
    pub fn rebuild_symbols(&mut self) {
        self.symbols.clear();
        for coin in &self.coins {
            if !self.symbols.iter().any(|symbol| symbol.eq_ignore_ascii_case(&coin.symbol)) {
                self.symbols.push(coin.symbol.clone());
            }
        }
    }

    /// Removes the coin with this index.
    pub fn remove(&mut self, index: usize) {
        if index < self.coins.len() {
            self.coins.remove(index);
            self.slots.remove(index);
            self.selected -= usize::from(index < self.selected);
        }
        self.selected = self.selected.min(self.coins.len().saturating_sub(1));
    }

    /// Removes all coins.
    pub fn clear(&mut self) {
        self.coins.clear();
        self.slots.clear();
        self.selected = 0;
    }

    /// The index of a coin.
    pub fn position(&self, coin: &Watched) -> Option<usize> {
        self.coins.iter().position(|other| other.is_same(coin))
    }

    /// The request for all coins; `None` if there are none.
    pub fn request(&self, convert: &Currency) -> Option<Request> {
        // A request can contain more symbols than the maximum number of coins.
        let symbols =
            endpoint::symbol_batches(self.symbols.iter().cloned(), endpoint::MAX_SYMBOLS).into_iter().next()?;
        let (count, interval) = (self.period.points(), Text::const_new(self.period.interval()));
        Some(Request::MarketData { symbols, convert: convert.clone(), count, interval })
    }

    /// The series of each coin: matched by id or slug, by symbol only if a single coin has it.
    pub fn series<'a>(&self, response: &'a [MarketSeries]) -> Vec<Result<&'a MarketSeries, SeriesError>> {
        self.coins.iter().map(|coin| find_series(coin, response)).collect()
    }

    /// Moves the cursor by points of the grid, from the last one if there is no cursor.
    pub fn move_cursor(&mut self, grid: &[Point], by: isize) {
        let Some(last) = grid.len().checked_sub(1) else { return };
        let there = match self.cursor.and_then(|time| chart::nearest(grid, time)) {
            Some(here) => here.saturating_add_signed(by).min(last),
            None if by < 0 => last.saturating_add_signed(by + 1),
            None => last,
        };
        self.cursor = grid.get(there).map(|point| point.time);
    }
}

/// The series of a coin: matched by id or slug, by symbol only if a single coin has it.
///
/// # Errors
/// There is none with a price, or several coins share the symbol.
pub fn find_series<'a>(coin: &Watched, response: &'a [MarketSeries]) -> Result<&'a MarketSeries, SeriesError> {
    let shares = |series: &MarketSeries| series.symbol.eq_ignore_ascii_case(&coin.symbol);
    let sharing: Vec<usize> = (0..response.len()).filter(|&i| response.get(i).is_some_and(shares)).collect();
    let found = match choices(coin, response, &sharing).first() {
        Some((Some(own), None)) => response.get(*own).ok_or(SeriesError::Missing)?,
        Some((_, Some(several))) => return Err(SeriesError::Ambiguous(*several)),
        _ => return Err(SeriesError::Missing),
    };
    let is_known = found.points.iter().any(|point| point.price.is_some());
    if is_known { Ok(found) } else { Err(SeriesError::Missing) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::VolumeSpan;

    fn coin(symbol: &str, id: Option<&str>) -> Watched {
        Watched { symbol: symbol.into(), slug: None, id: id.map(Text::from) }
    }

    fn series(symbol: &str, id: &str) -> MarketSeries {
        let point = Point { time: UtcTime::from_secs(7), price: Some(1.0), volume: None, market_cap: None };
        MarketSeries {
            id: Some(id.into()),
            name: None,
            symbol: symbol.into(),
            slug: None,
            convert: Currency::usd(),
            interval: None,
            points: vec![point],
            volume_span: VolumeSpan::Day,
            candles: None,
        }
    }

    #[test]
    fn coins_that_share_a_symbol_are_distinguished_by_id() {
        let mut comparison = Comparison::default();
        for coin in [coin("RATS", Some("2")), coin("RATS", Some("1")), coin("rats", None), coin("CAT", Some("9"))] {
            comparison.add(coin);
        }
        let Some(Request::MarketData { symbols, .. }) = comparison.request(&Currency::usd()) else { panic!() };
        assert_eq!(symbols, ["RATS", "CAT"]);
        let response = [series("RATS", "1"), series("RATS", "2"), series("CAT", "8")];
        let found: Vec<_> =
            comparison.series(&response).into_iter().map(|it| it.map(|series| series.id.clone().unwrap())).collect();
        assert_eq!(found, [Ok("2".into()), Ok("1".into()), Err(SeriesError::Missing)], "{:?}", comparison.coins());
    }

    #[test]
    fn bare_symbol_of_several_coins_is_ambiguous() {
        let mut comparison = Comparison::default();
        comparison.add(coin("RATS", None));
        let response = [series("RATS", "1"), series("RATS", "2")];
        assert_eq!(comparison.series(&response), [Err(SeriesError::Ambiguous(2))]);
    }

    #[test]
    fn comparison_has_room_for_six() {
        let mut comparison = Comparison::default();
        for id in 0..6 {
            assert!(comparison.add(coin("X", Some(&id.to_string()))));
        }
        assert!(comparison.add(coin("X", Some("3"))), "it is there already");
        assert!(!comparison.add(coin("X", Some("6"))));
        comparison.selected = 5;
        comparison.remove(5);
        assert_eq!((comparison.coins().len(), comparison.selected), (5, 4));
    }

    #[test]
    fn coins_keep_their_letters_when_others_are_removed() {
        let mut comparison = Comparison::default();
        for id in ["btc", "usdt", "sol"] {
            comparison.add(coin("X", Some(id)));
        }
        let letters = |comparison: &Comparison| {
            let coins = comparison.coins().iter().enumerate();
            coins
                .map(|(index, coin)| format!("{} {}", comparison.letter(index), coin.id.clone().unwrap()))
                .collect::<Vec<_>>()
        };
        comparison.selected = 2;
        comparison.remove(0);
        assert_eq!((letters(&comparison), comparison.selected), (vec!["B usdt".into(), "C sol".into()], 1));
        comparison.add(coin("X", Some("bnb")));
        let all = vec!["A bnb".into(), "B usdt".into(), "C sol".into()];
        assert_eq!((letters(&comparison), comparison.selected), (all, 2), "the first free letter");
    }
}
