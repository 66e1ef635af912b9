//! The order of the wallet's watched coins.

use crate::model::{MarketSeries, Text};
use crate::user_data::Watched;

use super::screen::wallet::WalletRow;
use super::screen::wallet::order::{HoldingSort, WatchedFigures};
use super::state::State;

impl State {
    /// Sorts holdings and watched coins. Without keys, the last manual order is kept.
    pub(super) fn sort_wallet(&mut self, order: HoldingSort, manual_order: Option<Vec<Text>>) {
        self.wallet.sort(order, manual_order);
        self.order_watched();
    }

    /// Sorts the watched coins. Called after they, their series, the known coins or the order have changed.
    pub(super) fn order_watched(&mut self) {
        let is_by_list = !self.wallet.holdings().order().0.by.is_of_watched();
        let figures = |row: &WalletRow| match is_by_list {
            true => WatchedFigures::default(),
            false => self.figures_of(row),
        };
        let figures = self.wallet.rows().iter().map(figures).collect();
        self.wallet.sort_watched(figures);
    }

    fn figures_of(&self, row: &WalletRow) -> WatchedFigures {
        let named = |name: Option<&Text>| name.unwrap_or(&row.watched.symbol).clone();
        if let Some(series) = self.wallet.series(row, &self.store, &self.convert) {
            let (price, change_pct) = self.price_and_change(row, series);
            return WatchedFigures { name: named(series.name.as_ref()), price, change_pct };
        }
        let known = self.watched_coin(row.watched_index);
        let price = known.filter(|coin| coin.convert == self.convert).and_then(|coin| coin.price);
        WatchedFigures { name: named(known.map(|coin| &coin.name)), price, change_pct: None }
    }

    /// The price of a watched coin, and its change over the shown period in percent: live or from a newer response than
    /// the series if there is one.
    pub fn price_and_change(&self, row: &WalletRow, series: &MarketSeries) -> (Option<f64>, Option<f64>) {
        let period = self.wallet.period();
        let mut prices = period.of(&series.points).iter().filter_map(|point| point.price).filter(|it| it.is_finite());
        let opening = prices.next();
        let live = self.watched_live_price(row, series).map(|live| live.price);
        let newer = live.or_else(|| self.watched_price(row, series));
        let price = newer.or_else(|| prices.next_back()).or(opening);
        let listed = self.listed_change(&Watched::from_series(series), period, &series.points, &series.convert);
        let ends = opening.zip(price).filter(|(opening, _)| *opening != 0.0);
        (price, listed.or_else(|| ends.map(|(opening, price)| (price / opening - 1.0) * 100.0)))
    }
}
