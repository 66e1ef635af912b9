//! The order of the wallet's watched coins.

use crate::model::{MarketSeries, Period, Text, chart};
use crate::user_data::Watched;

use crate::app::screen::wallet::WalletRow;
use crate::app::screen::wallet::order::{HoldingSort, WatchedFigures};
use crate::app::state::State;

impl State {
    /// Sorts holdings and watched coins. Without keys, the last manual order is kept.
    pub(in crate::app) fn sort_wallet(&mut self, order: HoldingSort, manual_order: Option<Vec<Text>>) {
        self.wallet.sort(order, manual_order);
        self.order_watched();
    }

    /// Sorts the watched coins. Called after they, their series, the known coins or the order have changed.
    pub(in crate::app) fn order_watched(&mut self) {
        let is_by_list = !self.wallet.holdings().order().0.of_watchlist().by.is_of_watched();
        let figures = |row: &WalletRow| if is_by_list { WatchedFigures::default() } else { self.figures_of(row) };
        let figures = self.wallet.rows().iter().map(figures).collect();
        self.wallet.sort_watched(figures);
    }

    fn figures_of(&self, row: &WalletRow) -> WatchedFigures {
        let named = |name: Option<&Text>| name.unwrap_or(&row.watched.symbol).clone();
        if let Some(series) = self.wallet.series(row, &self.responses, &self.convert) {
            let (price, change_pct) = self.price_and_change(row, series);
            return WatchedFigures { name: named(series.name.as_ref()), price, change_pct };
        }
        let known = self.watched_coin(row.watched_index);
        let price = known.filter(|coin| coin.convert == self.convert).and_then(|coin| coin.price);
        WatchedFigures { name: named(known.map(|coin| &coin.name)), price, change_pct: None }
    }

    /// The price of a watched coin, live or from a newer response than the series if there is one, and its change over
    /// 24 hours in percent.
    pub fn price_and_change(&self, row: &WalletRow, series: &MarketSeries) -> (Option<f64>, Option<f64>) {
        let last = series.points.iter().rfind(|point| point.price.is_some_and(f64::is_finite));
        let live = self.watched_live_price(row, series).map(|live| live.price);
        let newer = live.or_else(|| self.watched_price(row, series)).map(|price| (price, self.now));
        let current = newer.or_else(|| last.and_then(|point| Some((point.price?, point.time))));
        let listed = self.listed_change(&Watched::from_series(series), Period::Day, &series.points, &series.convert);
        let of_series = |(price, at)| chart::day_change_to(&series.points, price, at);
        (current.map(|(price, _)| price), listed.or_else(|| current.and_then(of_series)))
    }
}
