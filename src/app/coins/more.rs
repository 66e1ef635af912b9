//! Coins beyond the loaded pages: found by name in the names of all coins, and fetched by id.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::client::endpoint::MAX_IDS;
use crate::client::{Request, ResponseData};
use crate::model::{Coin, CoinId, CoinName, Currency, MarketSeries, Tag, Text, UtcTime};

use crate::app::extension::Extension;
use crate::app::find::search;
use crate::app::screen::list::MoreCoins;
use crate::app::screen::wallet::WalletRow;
use crate::app::state::State;

/// Maximum coins that are added to the results of a search.
const MAX_FOUND: usize = 50;

/// How long after the last change of a query the coins that it found are requested.
const SEARCH_DEBOUNCE: Duration = Duration::from_millis(500);

impl State {
    /// Whether the open search of a list continues in the names of all coins.
    pub fn searches_names(&self, tag: Tag) -> bool {
        self.search_covers_names(tag) && !self.lacks(Extension::Names)
    }

    /// Whether the open search of a list continues in the names of all coins if the service has them. They are requested
    /// only then.
    fn search_covers_names(&self, tag: Tag) -> bool {
        let list = self.list(tag);
        tag == Tag::All && list.is_searched() && list.applied_filter().is_none()
    }

    /// Holds back the request for the coins that a changed query has found, until the user pauses typing.
    pub(in crate::app) fn debounce_search(&mut self, tag: Tag) {
        let until = self.now.plus(SEARCH_DEBOUNCE);
        self.search_debounce_until = self.search_covers_names(tag).then_some(until);
    }

    /// The requests of a search for coins that the list doesn't have: the names of all coins; and the prices of those
    /// found, once the query is complete or typing has paused.
    pub(crate) fn more_coins_requests(&self, tag: Tag) -> Vec<Request> {
        let mut requests = Vec::new();
        if self.search_covers_names(tag) && self.may_request(Extension::Names) {
            requests.push(Request::CoinNames);
        }
        if self.searches_names(tag) {
            let list = self.list(tag);
            let ids: Vec<CoinId> = list.more_coins().iter().map(|coin| coin.id.clone()).collect();
            // Each different set of coins is a separate request, so wait for a pause in typing and the end of the list.
            if self.search_debounce_until.is_none() && !list.is_loading() {
                requests.extend(self.by_id(ids));
            }
        }
        requests
    }

    /// The requests for the current prices of the watched coins: the last point of their series may be hours old, or they
    /// have none. Those of holdings are requested anyway. For each request of series, whose response has the ids.
    pub(in crate::app) fn watched_prices_requests(&self) -> Vec<Request> {
        let held: HashSet<&CoinId> = self.wallet.holdings().costed().prices.iter().flat_map(ids_of).collect();
        let batches = self.wallet.answered_rows(self.content_rows(), &self.responses, &self.convert);
        let requests = batches.flat_map(|rows| {
            let mut ids: Vec<CoinId> = rows.filter_map(|row| self.watched.id_of(row)).collect();
            ids.retain(|id| !held.contains(id));
            ids.sort_unstable();
            ids.dedup();
            self.by_ids(&ids).collect::<Vec<_>>()
        });
        requests.collect()
    }

    /// The current price of a watched coin, in the currency of its series, if it is newer than the series.
    pub fn watched_price(&self, row: &WalletRow, series: &MarketSeries) -> Option<f64> {
        self.newer_coin(row, series)?.price
    }

    /// The coin with [`State::watched_price`].
    fn newer_coin(&self, row: &WalletRow, series: &MarketSeries) -> Option<&Coin> {
        let id = self.watched.id_of(row)?;
        let (at, coin) = self.responses.dated_coins_by_id().find(|(_, coin)| coin.id == id)?;
        let last = series.points.iter().rev().find(|point| point.price.is_some());
        let is_newer = last.is_none_or(|last| at > last.time);
        Some(coin).filter(|coin| coin.price.is_some() && is_newer && coin.convert == series.convert)
    }

    /// Whether a watched coin is shown with a price that its provider has not updated for a long time. `series` is the
    /// coin's series, `newest` the newest update of all known coins.
    pub fn has_old_price(&self, row: &WalletRow, series: Option<&MarketSeries>, newest: Option<UtcTime>) -> bool {
        let coin = match series {
            Some(series) if self.watched_live_price(row, series).is_some() => None,
            Some(series) => self.newer_coin(row, series),
            None => self.watched_coin(row.watched_index).filter(|coin| coin.price.is_some()),
        };
        coin.is_some_and(|coin| coin.old_age(newest, self.now).is_some())
    }

    /// The request for coins by id; `None` if there are none.
    pub(in crate::app) fn by_id(&self, ids: Vec<CoinId>) -> Option<Request> {
        (!ids.is_empty()).then(|| Request::CoinsById { ids, convert: self.convert.clone() })
    }

    /// The requests for any number of coins by id.
    pub(in crate::app) fn by_ids(&self, ids: &[CoinId]) -> impl Iterator<Item = Request> {
        ids.chunks(MAX_IDS).filter_map(|ids| self.by_id(ids.to_vec()))
    }

    /// Adds the coins that a search finds in the names of all coins to its results.
    pub(in crate::app) fn find_more_coins(&mut self) {
        let tag = Tag::All;
        let names = self.responses.response(&Request::CoinNames).filter(|_| self.searches_names(tag)).map(Arc::clone);
        let more = match names.as_deref() {
            Some(ResponseData::CoinNames(names)) => {
                let list = self.list(tag);
                let loaded: HashSet<&Text> = list.coins().map(|coin| &coin.id.0).collect();
                let slugs: HashSet<&Text> = list.coins().filter_map(|coin| coin.slug.as_ref()).collect();
                let is_new = |coin: &&CoinName| !loaded.contains(&coin.id) && !slugs.contains(&coin.slug);
                let (hits, is_literal) = search::name_hits(list.search.value(), names);
                let may_lack_hits = hits.len() >= search::MAX_NAMES;
                let mut new = hits.into_iter().filter_map(|index| Some(&names.get(index)?.coin)).filter(is_new);
                let coins = new.by_ref().take(MAX_FOUND).map(|name| self.named_coin(name)).collect();
                let omits_some = may_lack_hits || new.next().is_some();
                MoreCoins { coins, names: Some(names.len()), is_literal, omits_some }
            }
            _ => MoreCoins::default(),
        };
        self.list_mut(tag).set_more_coins(more);
    }

    /// A coin from the names, with its price if it was fetched already.
    fn named_coin(&self, name: &CoinName) -> Coin {
        let id = CoinId(name.id.clone());
        match self.responses.coin_by_id(&id) {
            Some(coin) => coin.clone(),
            None => unpriced(id, name, &self.convert),
        }
    }
}

/// The ids of a request for coins by id.
pub(in crate::app) fn ids_of(request: &Request) -> &[CoinId] {
    match request {
        Request::CoinsById { ids, .. } => ids,
        _ => &[],
    }
}

fn unpriced(id: CoinId, name: &CoinName, convert: &Currency) -> Coin {
    Coin {
        rank: name.rank,
        slug: Some(name.slug.clone()),
        convert: convert.clone(),
        ..Coin::new(id, name.name.clone(), name.symbol.clone())
    }
}
