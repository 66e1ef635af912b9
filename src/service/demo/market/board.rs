//! All coins at one tick.

use super::Market;
use super::catalogue::Coin;
use super::money::{Money, convert};
use super::price::{MarketTrend, Price, Volume};
use super::series::{DAY, cap};
use crate::service::demo::noise::significant;

/// All coins at a tick.
#[derive(Debug)]
pub(crate) struct Board<'a> {
    market: &'a Market,
    money: Money,
    now: i64,
    /// Market trend and exchange rate now, and an hour, a day and a week ago.
    moments: [(i64, f64, f64); 4],
    /// Coins by rank; those without a rank at the end, by id.
    order: Vec<&'a Coin>,
    ranked: usize,
}

/// Changing values of a coin. Prices are in the currency of the board, changes in percent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figures {
    /// Last price.
    pub(crate) price: f64,
    /// 24-hour volume.
    pub(crate) volume_24h: f64,
    /// Price times circulating supply.
    pub(crate) market_cap: Option<f64>,
    /// 1-hour change.
    pub(crate) change_1h: Option<f64>,
    /// 24-hour change.
    pub(crate) change_24h: Option<f64>,
    /// 7-day change.
    pub(crate) change_7d: Option<f64>,
    /// High of the one-day chart.
    pub(crate) high_24h: f64,
    /// Low of the one-day chart.
    pub(crate) low_24h: f64,
    /// Highest price in all charts.
    pub(crate) all_time_high: f64,
    /// Lowest price in all charts.
    pub(crate) all_time_low: f64,
}

impl Market {
    /// Creates the board of a tick.
    pub(crate) fn board(&self, money: Money, now: i64) -> Board<'_> {
        let mut trend = MarketTrend::new(self.seed);
        let mut bitcoin = Price::new(self.seed, self.bitcoin(), self.bitcoin());
        let moments = [0, 3_600, DAY, 7 * DAY].map(|ago| {
            let trend = trend.at(now - ago);
            (now - ago, trend, money.fixed().unwrap_or_else(|| money.per_dollar(bitcoin.at(now - ago, trend))))
        });
        let (_, trend, _) = moments[0];
        let mut caps: Vec<(Option<f64>, &Coin)> = self
            .coins()
            .iter()
            .map(|coin| {
                let price = || Price::new(self.seed, coin, self.bitcoin()).at(now, trend);
                (coin.circulating.map(|supply| price() * supply), coin)
            })
            .collect();
        caps.sort_by(|(a, _), (b, _)| b.unwrap_or(-1.0).total_cmp(&a.unwrap_or(-1.0)));
        let ranked = caps.iter().filter(|(cap, _)| cap.is_some()).count();
        Board { market: self, money, now, moments, order: caps.into_iter().map(|(_, coin)| coin).collect(), ranked }
    }
}

impl<'a> Board<'a> {
    /// The coins of a tag with their ranks, by rank.
    pub(crate) fn tagged(&self, tag: Option<&str>) -> Vec<(Option<u32>, &'a Coin)> {
        self.order
            .iter()
            .enumerate()
            .filter(|(_, coin)| tag.is_none_or(|tag| coin.tags.contains(&tag)))
            .map(|(place, coin)| ((place < self.ranked).then_some(place as u32 + 1), *coin))
            .collect()
    }

    /// The values of a coin.
    pub(crate) fn figures(&self, coin: &Coin) -> Figures {
        let market = self.market;
        let mut function = Price::new(market.seed, coin, market.bitcoin());
        let [price, hour, day, week] = self.moments.map(|(secs, trend, rate)| convert(function.at(secs, trend), rate));
        let change = |before: f64| coin.changes_known.then(|| significant((price / before - 1.0) * 100.0, 6));
        let (low, high) = market.extremes(coin, self.money, self.now);
        let rate = self.money.fixed().unwrap_or(1.0);
        let high_24h = convert(high, rate).max(price).max(day);
        let low_24h = convert(low, rate).min(price).min(day);
        let (lowest, highest) = market.all_time(coin, self.money, self.now);
        let (_, _, rate_now) = self.moments[0];
        Figures {
            price,
            volume_24h: convert(Volume::new(market.seed, coin).at(self.now), rate_now),
            market_cap: coin.circulating.map(|supply| cap(price, supply)),
            change_1h: change(hour),
            change_24h: change(day),
            change_7d: change(week),
            high_24h,
            low_24h,
            all_time_high: convert(highest, rate).max(high_24h),
            all_time_low: convert(lowest, rate).min(low_24h),
        }
    }
}
