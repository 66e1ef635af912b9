//! The prices of BRC-20 tokens in the loaded coins.

use std::collections::HashMap;

use crate::client::{Group, Request};
use crate::fetch::Receipt;
use crate::model::{Brc20Token, Coin, Period, Tag, Text};
pub use crate::portfolio::TokenPrices;

use crate::app::find::lookup::Subject;
use crate::app::panel::Panel;
use crate::app::screen::IndexerScreen;
use crate::app::screen::indexer::SortValues;
use crate::app::state::State;

/// The period of a token's chart in the indexer tab.
pub const TOKEN_CHART_PERIOD: Period = Period::Week;

impl State {
    /// The coin of the token that the indexer tab shows, if `find` is certain about its ticker and deploy inscription.
    pub fn shown_token_coin<'a>(&'a self, find: impl Fn(&str, Option<&str>) -> Option<&'a Coin>) -> Option<&'a Coin> {
        let Some(Subject::Token(ticker)) = self.indexer.subject() else { return None };
        let details = self.indexer.facts_request().and_then(|request| self.responses.brc20_token(&request).value);
        let listed = self.indexer.token_list(&self.responses);
        let token = details.map(Box::as_ref).or_else(|| listed.iter().find(|token| token.ticker == ticker));
        find(&ticker, token.and_then(|token| token.inscription_id.as_deref()))
    }

    /// [`State::shown_token_coin`] among the loaded coins.
    pub(in crate::app) fn token_coin(&self) -> Option<&Coin> {
        if self.is_partly_simulated() {
            return None;
        }
        self.shown_token_coin(|ticker, inscription| {
            TokenPrices::find(self.list(Tag::Brc20).coins(), ticker, inscription)
        })
    }

    /// The request for the chart of a coin beside or below the token's details; `None` without room, or while the
    /// selection moves.
    pub fn token_chart_request<'a>(&'a self, coin: impl FnOnce() -> Option<&'a Coin>) -> Option<Request> {
        let waits = self.indexer.debounce_until.is_some_and(|until| self.now < until);
        let has_room = self.indexer.shows(Panel::Details, self.size)
            && (IndexerScreen::has_room_for_two(self.size.0) || self.indexer.has_room_below_details(self.size));
        let slug = if waits || !has_room { None } else { coin()?.slug.clone() };
        Some(Request::Chart { slug: slug?, period: TOKEN_CHART_PERIOD, convert: self.convert.clone() })
    }

    /// The prices of BRC-20 tokens in the loaded coins. None while one of the two groups has simulated data and the other
    /// real data.
    pub fn token_prices(&self) -> TokenPrices<'_> {
        if self.is_partly_simulated() {
            return TokenPrices::default();
        }
        TokenPrices::new(self.list(Tag::Brc20).coins())
    }

    /// Whether tokens or balances of the indexer are sorted by values of coins.
    pub(in crate::app) fn sorts_by_coin_values(&self) -> bool {
        self.indexer.sort.column.of_coin().is_some() || self.indexer.sorts_balances_by_value()
    }

    /// Updates the coin values by which the indexer's tokens and balances are sorted. While the coins are in several
    /// currencies, the earlier values are kept.
    pub(in crate::app) fn update_sort_values(&mut self) {
        self.order_hold.has_new_token_values = false;
        self.update_balance_prices();
        let Some(value) = self.indexer.sort.column.of_coin().filter(|_| !self.has_mixed_prices()) else { return };
        let prices = self.token_prices();
        let tokens = self.indexer.token_list(&self.responses);
        let valued = |token: &Brc20Token| Some((token.ticker.clone(), value(prices.of_token(token)?)?));
        let values = tokens.iter().filter_map(valued).collect();
        self.indexer.set_sort_values(values, &self.responses, usize::from(self.size.1));
    }

    /// Updates the prices by which the balances are sorted, like [`State::update_sort_values`].
    pub(in crate::app) fn update_balance_prices(&mut self) {
        if self.indexer.sorts_balances_by_value() && !self.has_mixed_prices() {
            let prices = self.prices_by_ticker();
            self.indexer.set_balance_prices(prices, &self.responses, usize::from(self.size.1));
        }
    }

    /// Whether the prices of tokens are in several currencies.
    fn has_mixed_prices(&self) -> bool {
        let currencies = || self.list(Tag::Brc20).coins().map(|coin| &coin.convert);
        let first = currencies().next();
        currencies().any(|convert| Some(convert) != first)
    }

    /// The prices of all tokens with a coin, by ticker in lower case.
    fn prices_by_ticker(&self) -> SortValues {
        let prices = self.token_prices();
        let tokens = self.indexer.token_list(&self.responses);
        let listed = tokens.iter().map(|token| (token.ticker.to_lowercase(), token.inscription_id.as_deref()));
        let mut deploys: HashMap<Text, Option<&str>> = listed.collect();
        for ticker in self.list(Tag::Brc20).coins().filter_map(|coin| coin.brc20_ticker.as_ref()) {
            deploys.entry(ticker.to_lowercase()).or_default();
        }
        let priced = |(ticker, deploy): (Text, Option<&str>)| {
            let price = prices.coin(&ticker, deploy)?.price?;
            Some((ticker, price))
        };
        deploys.into_iter().filter_map(priced).collect()
    }

    /// Whether one of the two groups has simulated data and the other real data.
    pub(in crate::app) fn is_partly_simulated(&self) -> bool {
        let is_simulated = |group| self.responses.last_receipt(group).map(|receipt| receipt.simulated);
        let (market, indexer) = (is_simulated(Group::Market), is_simulated(Group::Indexer));
        market != indexer && market.is_some() && indexer.is_some()
    }

    /// Whether a balance or price of the wallet is simulated.
    pub(in crate::app) fn has_simulated_wallet(&self) -> bool {
        let mut requests = self.address_requests().into_iter().chain(self.holdings_requests());
        let is_simulated = |receipt: &Receipt| receipt.simulated;
        // Prices may come from any list.
        self.responses.last_receipt(Group::Market).is_some_and(is_simulated)
            || requests.any(|request| {
                let receipt = self.responses.get(&request).entry.and_then(|entry| entry.receipt.as_ref());
                receipt.is_some_and(is_simulated)
            })
    }

    /// The request for the prices of the tokens, which the BRC-20 list shares; `None` if no panel shows them.
    pub(crate) fn token_prices_request(&self) -> Option<Request> {
        let shows = |panel: &Panel| self.indexer.shows(*panel, self.size);
        let is_visible = [Panel::Tokens, Panel::Details, Panel::Holders, Panel::Balances].iter().any(shows);
        is_visible.then(|| self.list(Tag::Brc20).first_request(&self.convert))
    }
}
