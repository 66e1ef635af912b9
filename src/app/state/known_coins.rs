//! The known coins: where each comes from, and which are watched.

use std::time::Duration;

use super::State;
use crate::app::coins::named_coin::NamedCoin;
use crate::app::find::recent;
use crate::app::screen::TokenScreen;
use crate::app::screen::token::{LastCoin, OpenCoin};
use crate::app::screen::wallet::WalletRow;
use crate::client::Request;
use crate::model::coin::{MAX_UPDATE_AGE, newest_update};
use crate::model::{Coin, CoinId, MarketSeries, Tag, UtcTime};
use crate::user_data::watchlist::Watched;

/// How long a newer copy of a coin without a price, or with an old one, doesn't replace the copy before. Lists and coins
/// fetched by their ids are refreshed more often.
const MAX_APART: Duration = Duration::from_mins(15);

impl State {
    /// Finds a coin by its id: the newest copy from the lists and the coins fetched by id. One in the
    /// current currency comes before others.
    pub fn coin(&self, id: &CoinId) -> Option<&Coin> {
        self.dated_coin(id).map(|(_, coin)| coin)
    }

    /// [`State::coin`], with the time when it was up to date.
    fn dated_coin(&self, id: &CoinId) -> Option<(UtcTime, &Coin)> {
        let is_it = |(_, coin): &(UtcTime, &Coin)| coin.id == *id;
        let listed = self.lists.iter().filter_map(|list| list.dated_coins().find(is_it));
        self.newest_dated(self.responses.dated_coins_by_id().find(is_it).into_iter().chain(listed))
    }

    /// The best of several copies of a coin: the newest, or the first of them; one in the current currency if there is
    /// any. A list that has no price of the coin, or an old one, does not replace the price that was fetched by its id.
    pub(in crate::app) fn newest<'a>(&self, copies: impl Iterator<Item = (UtcTime, &'a Coin)>) -> Option<&'a Coin> {
        self.newest_dated(copies).map(|(_, coin)| coin)
    }

    fn newest_dated<'a>(&self, copies: impl Iterator<Item = (UtcTime, &'a Coin)>) -> Option<(UtcTime, &'a Coin)> {
        copies.reduce(|best, next| if self.is_better(next, best) { next } else { best })
    }

    /// Whether a copy of a coin is better than an earlier one of the copies.
    fn is_better(&self, (at, coin): (UtcTime, &Coin), (other_at, other): (UtcTime, &Coin)) -> bool {
        let [is_current, other_is_current] = [coin, other].map(|coin| coin.convert == self.convert);
        if is_current != other_is_current {
            return is_current;
        }
        let lacks_price = coin.price.is_none() && other.price.is_some();
        let is_old = coin.updated_at.zip(other.updated_at).is_some_and(|(at, other)| other.since(at) > MAX_UPDATE_AGE);
        let is_soon = at.since(other_at) < MAX_APART;
        at > other_at && !(is_soon && (lacks_price || is_old))
    }

    /// The coin of the open view, or its last copy if the coin is no longer known. It searches all lists.
    pub fn open_coin(&self) -> Option<OpenCoin<'_>> {
        let token = self.token.as_ref()?;
        let id = token.id.as_ref()?;
        let last = || token.last_coin.as_ref().filter(|last| last.coin.id == *id);
        self.coin(id).map(OpenCoin::Known).or_else(|| last().map(OpenCoin::Last))
    }

    /// Keeps a copy of the coin of the open view. Called after the view was opened or the known coins have changed.
    pub(in crate::app) fn keep_open_coin(&mut self) {
        let last = self.token.as_ref().and_then(|token| {
            let (at, coin) = self.dated_coin(token.id.as_ref()?)?;
            let page = self.page_of(token).map(|request| self.responses.get(&request));
            let provider = page.and_then(|page| page.provider()).map(str::to_owned);
            // Rows that keep their order are on no page for a moment.
            let before = || token.last_coin.as_ref().filter(|last| last.coin.id == coin.id)?.provider.clone();
            let at = Some(at).filter(|at| *at != UtcTime::default());
            Some(LastCoin { coin: coin.clone(), at, provider: provider.or_else(before) })
        });
        if let Some((token, last)) = self.token.as_mut().zip(last) {
            token.last_coin = Some(last);
        }
    }

    /// The request for the data of a token's coin: the list page that it comes from, or the coin itself if it is in no
    /// list. If only its symbol is known, the first page, which may have it; `None` if only its slug is.
    pub fn page_of(&self, token: &TokenScreen) -> Option<Request> {
        self.page_of_source(token, token.id.as_ref().and_then(|id| self.source_of(id)))
    }

    /// Finds the page like [`State::page_of`], with a known source.
    pub fn page_of_source(&self, token: &TokenScreen, source: Option<(Tag, u32)>) -> Option<Request> {
        if token.has_only_symbol() {
            return Some(self.list(Tag::All).page_request(1, &self.convert));
        }
        let id = token.id.as_ref()?;
        match source {
            Some((tag, start)) => Some(self.list(tag).page_request(start, &self.convert)),
            None => self.by_id(vec![id.clone()]),
        }
    }

    /// Where the best listed copy of a coin comes from: a list, and the start of its page. It searches all lists.
    pub fn source_of(&self, id: &CoinId) -> Option<(Tag, u32)> {
        let copies = self.lists.iter().filter_map(|list| {
            let page = (list.tag, list.start_of(id)?);
            Some((page, list.dated_coins().find(|(_, coin)| coin.id == *id)?))
        });
        let best = copies.reduce(|best, next| if self.is_better(next.1, best.1) { next } else { best });
        best.map(|(page, _)| page)
    }

    /// The newest update among the coins of the list page that a coin comes from, or among all known ones if it is in
    /// no list.
    pub fn newest_update_near(&self, source: Option<(Tag, u32)>) -> Option<UtcTime> {
        if let Some((tag, start)) = source {
            return self.list(tag).newest_update(start);
        }
        let of_lists = self.lists.iter().filter_map(|list| list.newest_update_of_all());
        of_lists.chain(newest_update(self.responses.coins_by_id(), self.now)).max()
    }

    /// The watched coin with this index, from any list or fetched by its id: matched by its id, and by symbol only if a
    /// single known coin has that symbol.
    pub fn watched_coin(&self, place: usize) -> Option<&Coin> {
        let resolved = self.watched.resolved().get(place).filter(|coin| !coin.has_only_symbol())?;
        let fetched = self.responses.dated_coins_by_id().find(|(_, coin)| resolved.is_coin(coin));
        let listed = self.lists.iter().filter_map(|list| list.dated_coins().find(|(_, coin)| resolved.is_coin(coin)));
        self.newest(fetched.into_iter().chain(listed))
    }

    /// The coin of any list that a series belongs to.
    pub fn coin_of(&self, series: &MarketSeries) -> Option<&Coin> {
        let own = Watched::from_series(series);
        if own.has_only_symbol() {
            return None;
        }
        self.newest(self.lists.iter().filter_map(|list| list.dated_coins().find(|(_, coin)| own.is_coin(coin))))
    }

    /// Resolves the watched coins. Called after a change of these or of the known coins (in lists and in the wallet's
    /// series).
    pub fn resolve(&mut self) {
        let known_coins = self.lists.iter().flat_map(|list| list.coins());
        let known_series = self.wallet.all_series(&self.responses, &self.convert);
        if self.watched.resolve(known_coins, known_series) {
            self.lists.iter_mut().for_each(|list| list.set_watched(self.watched.index()));
        }
        let known_coins = self.lists.iter().flat_map(|list| list.coins()).chain(self.responses.coins_by_id());
        let symbols = self.watched.current_symbols(known_coins);
        if self.wallet.set_symbols(symbols) {
            self.wallet.sync(&self.responses, self.watched.coins(), &self.convert);
            self.order_watched();
        }
        self.resolve_token();
        self.keep_open_coin();
    }

    /// Resolves the open coin if it was opened by its symbol before any list had it. It stays unresolved if several
    /// coins use the symbol.
    fn resolve_token(&mut self) {
        let Some(token) = self.token.as_ref().filter(|token| token.has_only_symbol()) else { return };
        // As long as names are missing, a coin of a later page may share the symbol.
        if self.missing_names().is_some() {
            return;
        }
        let before = token.named_coin();
        let named: Vec<NamedCoin> = self.names_with_symbol(&token.symbol).map(NamedCoin::from).collect();
        let series = self.wallet.all_series(&self.responses, &self.convert).map(Watched::from_series);
        let known = self.known_coins().map(Watched::from_coin).chain(series);
        let found = before.coin.resolve(known.chain(named.iter().map(|named| named.coin.clone())));
        if found.has_only_symbol() {
            return;
        }
        let listed = self.known_coins().find(|coin| found.is_coin(coin)).map(NamedCoin::from);
        let resolved = listed.or_else(|| named.into_iter().find(|named| named.coin.has_same_id(&found)));
        let resolved = resolved.unwrap_or_else(|| NamedCoin { coin: found, ..before.clone() });
        recent::resolve(&mut self.recent, &before.coin, &resolved);
        if let Some(token) = &mut self.token {
            token.resolve(resolved);
            token.sync(&self.responses, &self.convert, &self.posts);
        }
    }

    /// Whether the service no longer lists a watched coin, although it lists the others.
    pub fn is_delisted(&self, row: &WalletRow) -> bool {
        self.watched.id_of(row).is_some_and(|id| self.responses.lacks_coin(&id))
    }
}
