//! Which coins need live prices, and when these are shown instead of polled ones.

use std::ops::Range;

use crate::alerts::Values;
use crate::alerts::values::Origin;
use crate::client::Group;
use crate::fetch::{LiveCoins, Tick};
use crate::model::{Coin, CoinId, DayRange, MarketSeries, Tag};
use crate::user_data::alert::ValueSource;

use crate::app::live::{exchange_range, is_shown};
use crate::app::preferences::EMBEDDED;
use crate::app::screen::wallet::WalletRow;
use crate::app::state::State;

/// Maximum coins of a stream, as many as the service accepts.
pub(in crate::app) const MAX_LIVE_COINS: usize = 400;

/// Rows of a list are demanded in blocks of this size, so that a few steps of the selection change nothing.
const BLOCK: usize = 50;

/// A live price of a coin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LivePrice<'a> {
    /// The price, in the currency of the coin.
    pub price: f64,
    /// The title of the exchange.
    pub exchange: &'a str,
    /// The coin's 24-hour range on the exchange, if it is known there.
    pub range: Option<DayRange>,
    /// Whether it rose, if it has just changed.
    pub rose: Option<bool>,
}

impl LivePrice<'_> {
    /// The lowest and the highest price of a coin in 24 hours, from its list, or else from the exchange. They include
    /// the live price.
    pub fn range_of(live: Option<&Self>, coin: &Coin) -> (Option<f64>, Option<f64>) {
        let Some(LivePrice { price, range, .. }) = live else { return (coin.low_24h, coin.high_24h) };
        let (low, high) = match exchange_range(coin, *range) {
            Some(DayRange { low, high }) => (Some(low), Some(high)),
            None => (coin.low_24h, coin.high_24h),
        };
        (low.map(|low| low.min(*price)), high.map(|high| high.max(*price)))
    }
}

impl State {
    /// The live price of a coin, unless a newer one was polled with the page that the coin comes from: a list and the
    /// start of its page. Other lists can have the same coin with an older price. A coin that is on no page has one only
    /// if it was fetched by its id.
    pub fn live_price(&self, coin: &Coin, source: Option<(Tag, u32)>) -> Option<LivePrice<'_>> {
        let tick = self.live.tick(&coin.id, &coin.convert, self.now)?;
        let rose = self.live.rose(&coin.id, self.now);
        let polled_at = match source {
            Some((tag, start)) => self.responses.get(&self.list(tag).page_request(start, &coin.convert)).updated_at(),
            None => Some(self.responses.dated_coins_by_id().find(|(_, known)| known.id == coin.id)?.0),
        };
        is_shown(tick, coin.price, polled_at).then(|| self.live_price_of(tick, rose))
    }

    /// The live price of a watched coin, unless its series has a newer one.
    pub fn watched_live_price(&self, row: &WalletRow, series: &MarketSeries) -> Option<LivePrice<'_>> {
        let id = self.watched_id(row)?;
        let tick = self.live.tick(&id, &series.convert, self.now)?;
        let rose = self.live.rose(&id, self.now);
        let last = series.points.iter().rev().find(|point| point.price.is_some())?;
        is_shown(tick, last.price, Some(last.time)).then(|| self.live_price_of(tick, rose))
    }

    /// Adds the live price of a coin to the values of alerts, with its source.
    pub(in crate::app) fn add_live_value<'a>(
        &'a self,
        id: &'a CoinId,
        source: ValueSource<&'a str>,
        values: &mut Values<'a>,
    ) {
        if let Some(tick) = self.live.tick(id, &self.convert, self.now) {
            values.add_live(id, tick.price, &self.convert, Origin { at: tick.at, source });
        }
    }

    /// The live price of a held coin, unless a newer one was polled.
    pub(in crate::app) fn held_live_price(&self, coin: &Coin) -> Option<LivePrice<'_>> {
        let tick = self.live.tick(&coin.id, &coin.convert, self.now)?;
        let rose = self.live.rose(&coin.id, self.now);
        is_shown(tick, coin.price, self.held_price_time(&coin.id)).then(|| self.live_price_of(tick, rose))
    }

    fn live_price_of(&self, tick: &Tick, rose: Option<bool>) -> LivePrice<'_> {
        LivePrice { price: tick.price, exchange: self.live.exchange(), range: tick.range, rose }
    }

    /// Whether the market service is at a URL and has real data, so that it may have live prices.
    fn may_have_stream(&self) -> bool {
        let [market, _] = &self.preferences.urls;
        market != EMBEDDED && self.simulates(Group::Market) == Some(false)
    }

    /// The id of a watched coin, if the coin is known.
    pub(in crate::app) fn watched_id(&self, row: &WalletRow) -> Option<CoinId> {
        if row.ambiguous.is_some() {
            return None;
        }
        let known = self.watched_coin(row.watched_index).map(|coin| coin.id.clone());
        known.or_else(|| row.watched.id.clone().map(CoinId))
    }

    /// The coins whose live prices are on the screen or needed by alerts.
    pub(in crate::app) fn live_coins(&self) -> Option<LiveCoins> {
        // Only alerts try whether a service that names no providers has live prices.
        if !self.live.may_stream(self.may_have_stream()) {
            return None;
        }
        let shows_prices = self.live.is_on && self.live.is_offered;
        let mut ids = if shows_prices { self.open_screen().live_ids(self) } else { Vec::new() };
        // At least half of the places are left for alerts, or their rules would fire late on a screen full of coins.
        let alerts = self.alert_live_ids().take(MAX_LIVE_COINS.saturating_sub(ids.len()).max(MAX_LIVE_COINS / 2));
        let alerts: Vec<CoinId> = alerts.collect();
        ids.truncate(MAX_LIVE_COINS.saturating_sub(alerts.len()));
        ids.extend(alerts);
        ids.sort_unstable();
        ids.dedup();
        (!ids.is_empty()).then(|| LiveCoins { ids, convert: self.convert.clone() })
    }
}

/// The rows that can be visible on a screen with `rows` rows whose selection is at `index`: in whole blocks, unless
/// these are too many.
pub(in crate::app) fn live_window(index: usize, rows: usize) -> Range<usize> {
    let (first, end) = (index.saturating_sub(rows), index + rows + 1);
    let blocks = first / BLOCK * BLOCK..end.next_multiple_of(BLOCK);
    match blocks.len() {
        ..=MAX_LIVE_COINS => blocks,
        _ if end - first <= MAX_LIVE_COINS => first..end,
        _ => index.saturating_sub(MAX_LIVE_COINS / 2)..index + MAX_LIVE_COINS / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn window_has_all_rows_that_can_be_visible() {
        assert_eq!(live_window(0, 40), 0..50);
        assert_eq!(live_window(60, 40), 0..150);
        for rows in 1..MAX_LIVE_COINS / 2 {
            for index in [0, 1, 7, 49, 50, 199, 1_000, 4_999] {
                let window = live_window(index, rows);
                assert!(window.len() <= MAX_LIVE_COINS, "{window:?}");
                assert!(window.start <= index.saturating_sub(rows) && window.end > index + rows, "{rows}: {window:?}");
            }
        }
        assert!(live_window(1_000, 1_000).contains(&1_000));
    }
}
