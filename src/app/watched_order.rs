//! The order of the wallet's watched coins.

use std::time::Duration;

use crate::model::{MarketSeries, Period, Point, Text, UtcTime, chart};
use crate::user_data::Watched;

use super::screen::wallet::WalletRow;
use super::screen::wallet::order::{HoldingSort, WatchedFigures};
use super::state::State;

const DAY: Duration = Duration::from_hours(24);

/// Maximum distance of the points between which a price is interpolated.
const MAX_STEP: Duration = Duration::from_hours(4);

/// Maximum distance of a point from a time whose price can't be interpolated.
const MAX_DISTANCE: Duration = Duration::from_mins(30);

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

    /// The price of a watched coin, live or from a newer response than the series if there is one, and its change over
    /// 24 hours in percent.
    pub fn price_and_change(&self, row: &WalletRow, series: &MarketSeries) -> (Option<f64>, Option<f64>) {
        let last = series.points.iter().rfind(|point| point.price.is_some_and(f64::is_finite));
        let live = self.watched_live_price(row, series).map(|live| live.price);
        let newer = live.or_else(|| self.watched_price(row, series)).map(|price| (price, self.now));
        let current = newer.or_else(|| last.and_then(|point| Some((point.price?, point.time))));
        let listed = self.listed_change(&Watched::from_series(series), Period::Day, &series.points, &series.convert);
        let of_series = |(price, at): (f64, UtcTime)| {
            let before = price_at(&series.points, at.minus(DAY)).filter(|before| *before > 0.0)?;
            Some((price / before - 1.0) * 100.0)
        };
        (current.map(|(price, _)| price), listed.or_else(|| current.and_then(of_series)))
    }
}

/// The price at a time, between the two nearest points if they are near; else that of a point near the time, since the
/// points of a day may start some minutes later.
fn price_at(points: &[Point], time: UtcTime) -> Option<f64> {
    price_between(points, time).or_else(|| {
        let (place, price) = chart::nearest_price(points, time)?;
        let at = points.get(place)?.time;
        (at.since(time).max(time.since(at)) <= MAX_DISTANCE).then_some(price)
    })
}

fn price_between(points: &[Point], time: UtcTime) -> Option<f64> {
    let next = points.partition_point(|point| point.time < time);
    let right = points.get(next)?;
    if right.time == time {
        return right.price;
    }
    let left = points.get(next.checked_sub(1)?)?;
    if right.time.since(left.time) <= MAX_STEP { chart::price_at(points, time) } else { None }
}
