//! Charts compared with the prices in the lists of coins.

use std::time::Duration;

use crate::model::chart::longest_step;
use crate::model::live_price::is_plausible;
use crate::model::{Coin, CoinId, Currency, MarketSeries, Point, UtcTime, VolumeSpan};
use crate::user_data::Watched;

use crate::app::screen::token::{OpenCoin, ShownChart};
use crate::app::state::State;

/// Prices are compared if they are at most this old.
const MAX_AGE: Duration = Duration::from_hours(1);

/// Maximum ratio of a chart's prices of the last hour to the listed range of the last day. Prices of another coin or in
/// another unit differ more.
const MAX_RATIO: f64 = 2.0;

impl State {
    /// The newest copy of a coin in the lists, or fetched by its id, if it is in this currency.
    pub(in crate::app) fn listed_coin(&self, coin: &Watched, convert: &Currency) -> Option<&Coin> {
        if coin.has_only_symbol() {
            return None;
        }
        let by_id = coin.id.as_ref().and_then(|id| self.coin(&CoinId(id.clone())));
        by_id.or_else(|| self.held_coin(coin)).filter(|listed| listed.convert == *convert)
    }

    /// Whether all prices of the last hour in a chart are far from the price of `listed`, the newest copy of its coin:
    /// the chart is of another coin or in another unit, or the list has a wrong price.
    pub fn differs_from_list(&self, listed: &Coin, points: &[Point]) -> bool {
        let since = self.now.minus(MAX_AGE);
        let recent = || points.iter().rev().take_while(|point| point.time >= since).filter_map(|point| point.price);
        if recent().next().is_none() {
            return false;
        }
        let Some((low, high)) = listed_range(listed, self.now) else { return false };
        recent().all(|price| price > high * MAX_RATIO || price * MAX_RATIO < low)
    }

    /// The lowest and the highest known price over a period: of these points of a series, which may be hours apart, the
    /// exchange's candles behind them, the list's last 24 hours, and the current price.
    pub fn low_and_high(&self, series: &MarketSeries, points: &[Point], current: Option<f64>) -> Option<(f64, f64)> {
        let listed = self.listed_coin(&Watched::from_series(series), &series.convert);
        let listed = listed.filter(|listed| !self.differs_from_list(listed, points));
        let day = listed.and_then(|listed| listed_range(listed, self.now));
        let candles = series.candles.as_ref().and_then(|candles| candles.of_period(points));
        let candles = candles.map_or(&[][..], |slice| slice.candles).iter().map(|candle| (candle.low, candle.high));
        let prices = points.iter().filter_map(|point| point.price).chain(current).map(|price| (price, price));
        let known = prices.chain(candles).chain(day).filter(|(low, high)| low.is_finite() && high.is_finite());
        known.reduce(|all, range| (all.0.min(range.0), all.1.max(range.1)))
    }

    /// The points of the open chart, followed by the coin's current price; `None` if that is unknown or not newer. An
    /// exchange's candles end with its own price.
    pub fn points_up_to_now(&self) -> Option<Vec<Point>> {
        let (chart, current) = self.chart_and_current_price()?;
        Some(chart.all_points.iter().copied().chain([current]).collect())
    }

    /// The open chart, and the coin's current price as the point after its last one.
    fn chart_and_current_price(&self) -> Option<(ShownChart<'_>, Point)> {
        let token = self.token.as_ref()?;
        let chart = token.chart(&self.responses, &self.convert)?;
        if matches!(self.open_coin(), Some(OpenCoin::Last(_)))
            || chart.data(self.chart.style).exchange().is_some()
            || token.period.early_end(chart.all_points, self.now).is_some()
        {
            return None;
        }
        let listed = self.listed_coin(&token.named_coin().coin, chart.convert)?;
        let source = token.id.as_ref().and_then(|id| self.source_of(id));
        let live = self.live_price(listed, source).map(|live| live.price);
        let current = self.newest_point(listed, live, (chart.all_points, chart.volume_span))?;
        Some((chart, current))
    }

    /// Keeps the cursor of the open chart on the current price, whose time changes, if it is after the last received
    /// point.
    pub(in crate::app) fn follow_current_price(&mut self) {
        let Some((token, cursor)) = self.token.as_ref().and_then(|token| Some((token, token.chart_cursor?))) else {
            return;
        };
        let received = token.chart(&self.responses, &self.convert).and_then(|chart| chart.all_points.last());
        if received.is_none_or(|last| cursor <= last.time) {
            return;
        }
        let current = self.chart_and_current_price().map(|(_, current)| current.time);
        if let (Some(token), Some(current)) = (&mut self.token, current) {
            token.chart_cursor = Some(current);
        }
    }

    /// The current price of `listed`, the newest copy of the coin of a chart, as a point after its last one: the live price
    /// if there is one. `None` if it isn't newer, comes after a gap, or can't be of the same coin.
    fn newest_point(&self, listed: &Coin, live: Option<f64>, (points, span): (&[Point], VolumeSpan)) -> Option<Point> {
        let last = points.last()?;
        let of_list = || Some((listed.price?, listed.updated_at?.min(self.now)));
        let (price, time) = live.map(|price| (price, self.now)).or_else(of_list)?;
        let is_next = time > last.time && time.since(last.time) <= longest_step(points);
        // The candle of this price has no known volume of its own.
        let volume = match span {
            VolumeSpan::Day => last.volume,
            VolumeSpan::Candle => Some(0.0),
        };
        let point = Point { time, price: Some(price), volume, ..*last };
        Some(point).filter(|_| is_next && last.price.is_some_and(|last| is_plausible(price, last)))
    }
}

/// The lowest and highest listed price of the last day, as far as they are known; `None` if the list's price is old, or
/// if its age is unknown: a chart may then rightly differ from it.
fn listed_range(listed: &Coin, now: UtcTime) -> Option<(f64, f64)> {
    let updated = listed.updated_at?;
    if !(now.minus(MAX_AGE)..=now.plus(MAX_AGE)).contains(&updated) {
        return None;
    }
    let price = listed.price.filter(|price| *price > 0.0)?;
    // The last point of a chart may be from before the price moved.
    let before = |change: Option<f64>| change.map(|change| price / (1.0 + change / 100.0));
    let known = [before(listed.change_1h_pct), before(listed.change_24h_pct), listed.low_24h, listed.high_24h];
    let known = known.into_iter().flatten().filter(|price| *price > 0.0 && price.is_finite());
    Some(known.fold((price, price), |(low, high), price| (low.min(price), high.max(price))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_range_has_the_prices_of_the_last_day() {
        let now = UtcTime::from_secs(1_795_075_200);
        let coin = Coin {
            price: Some(8.0),
            updated_at: Some(now.minus(Duration::from_mins(20))),
            ..Coin::new(CoinId("ordi".into()), "ORDI".into(), "ORDI".into())
        };
        let range = |coin: Coin| listed_range(&coin, now);
        assert_eq!(range(coin.clone()), Some((8.0, 8.0)));
        assert_eq!(range(Coin { change_1h_pct: Some(100.0), ..coin.clone() }), Some((4.0, 8.0)));
        let fallen = Coin { change_1h_pct: Some(-50.0), change_24h_pct: Some(-75.0), ..coin.clone() };
        assert_eq!(range(fallen), Some((8.0, 32.0)));
        assert_eq!(range(Coin { low_24h: Some(2.0), high_24h: Some(9.0), ..coin.clone() }), Some((2.0, 9.0)));
        // A change of -100% has no price before it.
        assert_eq!(range(Coin { change_24h_pct: Some(-100.0), ..coin.clone() }), Some((8.0, 8.0)));
        assert_eq!(range(Coin { price: None, ..coin.clone() }), None);
        assert_eq!(range(Coin { updated_at: None, ..coin.clone() }), None);
        for hours in [2, 9 * 24] {
            let updated_at = Some(now.minus(Duration::from_hours(hours)));
            assert_eq!(range(Coin { updated_at, ..coin.clone() }), None);
        }
    }
}
