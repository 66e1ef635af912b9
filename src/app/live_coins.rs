//! Which coins need live prices, and when these are shown instead of polled ones.

use std::time::Duration;

use crate::fetch::LiveCoins;
use crate::keymap::Tab;
use crate::model::{Coin, CoinId, Tag};

use super::state::State;

/// Maximum coins of a stream.
const MAX_COINS: usize = 200;

/// Rows of a list are demanded in blocks of this size, so that a few steps of the selection change nothing.
const BLOCK: usize = 50;

/// Polled prices can be this much older than their timestamp, so a live price is shown until a poll is this much newer.
const POLL_LAG: Duration = Duration::from_mins(2);

/// Largest ratio of a live price to the polled one. A larger one means that they belong to different coins.
const MAX_RATIO: f64 = 1.5;

/// A live price of a coin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LivePrice<'a> {
    /// The price, in the currency of the coin.
    pub price: f64,
    /// The title of the exchange.
    pub exchange: &'a str,
}

impl State {
    /// The live price of a coin, unless a newer one was polled with the page that the coin comes from: a list and the
    /// start of its page. Other lists can have the same coin with an older price.
    pub fn live_price(&self, coin: &Coin, source: Option<(Tag, u32)>) -> Option<LivePrice<'_>> {
        let tick = self.live.tick(&coin.id, &coin.convert, self.now)?;
        let polled = coin.price.filter(|price| *price > 0.0)?;
        let ratio = tick.price / polled;
        let is_same_coin = (1.0 / MAX_RATIO..MAX_RATIO).contains(&ratio);
        let (tag, start) = source?;
        let page = self.list(tag).page_request(start, &coin.convert);
        let is_newer = self.store.get(&page).updated_at().is_none_or(|at| tick.at.plus(POLL_LAG) > at);
        (is_same_coin && is_newer).then(|| LivePrice { price: tick.price, exchange: self.live.exchange() })
    }

    /// The coins whose live prices are on the screen.
    pub(super) fn live_coins(&self) -> Option<LiveCoins> {
        if !self.live.is_wanted() {
            return None;
        }
        let mut ids: Vec<CoinId> = match (&self.token, self.tab) {
            (Some(token), _) => token.id.iter().cloned().collect(),
            (None, Tab::List(tag)) => {
                let (list, rows) = (self.list(tag), self.content_rows());
                let first = list.cursor.index().saturating_sub(rows) / BLOCK * BLOCK;
                let end = (list.cursor.index() + rows + 1).next_multiple_of(BLOCK).min(first + MAX_COINS);
                (first..end).map_while(|row| list.get(row)).map(|coin| coin.id.clone()).collect()
            }
            (None, Tab::Wallet | Tab::Indexer | Tab::Status) => Vec::new(),
        };
        ids.sort_unstable();
        ids.dedup();
        (!ids.is_empty()).then(|| LiveCoins { ids, convert: self.convert.clone() })
    }
}
