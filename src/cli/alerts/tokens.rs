//! The BRC-20 tokens that the value of the wallet needs: pages of the list, and details with deploy inscriptions.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::time::Duration;

use super::received::{Received, page};
use crate::alerts::needs::MAX_PRICE_AGE;
use crate::client::{Request, ResponseData};
use crate::config::Settings;
use crate::model::page::is_short;
use crate::model::{Balance, Coin, CoinId, Tag, Text};
use crate::portfolio::balance::coin_of;
use crate::portfolio::{Deploys, TokenPrices, Unvalued};

/// Maximum coins of the list that are searched.
const MAX_COINS: usize = 5_000;

/// The received parts of the BRC-20 list and of the details of tokens.
pub(super) struct Tokens<'a> {
    /// The pages with their requests, starting with the first.
    pages: Vec<(Request, Received<'a>)>,
    /// The request for the next page; `None` if there is none.
    next: Option<Request>,
    /// The coins of the pages: the newest copy of each.
    coins: Vec<&'a Coin>,
    deploys: Deploys,
}

impl<'a> Tokens<'a> {
    /// Joins the responses for these balances. `is_lacking` tells which requests the service does not offer.
    pub(super) fn new(
        balances: &[&Balance],
        settings: &Settings,
        response_to: &impl Fn(&Request) -> Option<Received<'a>>,
        is_lacking: &impl Fn(&Request) -> bool,
    ) -> Tokens<'a> {
        let mut tokens = Tokens { pages: Vec::new(), next: None, coins: Vec::new(), deploys: Deploys::new() };
        tokens.add_pages(settings, response_to, is_lacking);
        for ticker in balances.iter().filter_map(|balance| balance.ticker.as_ref()) {
            let request = Request::Brc20Token { ticker: ticker.clone() };
            let deploy = match response_to(&request).map(|received| received.response) {
                Some(ResponseData::Brc20Token(token)) => token.inscription_id.clone(),
                _ if is_lacking(&request) => None,
                _ => continue,
            };
            tokens.deploys.insert(Text::from(ticker.to_lowercase()), deploy);
        }
        tokens
    }

    fn add_pages(
        &mut self,
        settings: &Settings,
        response_to: &impl Fn(&Request) -> Option<Received<'a>>,
        is_lacking: &impl Fn(&Request) -> bool,
    ) {
        let (mut start, mut seen) = (1_u32, HashSet::<&CoinId>::new());
        loop {
            let request = page(Tag::Brc20, start, settings);
            let Some(received) = response_to(&request) else {
                // Some services reject a start beyond the last coin.
                self.next = Some(request).filter(|request| !is_lacking(request));
                break;
            };
            let ResponseData::Coins(list) = received.response else { break };
            let known = seen.len();
            seen.extend(list.items.iter().map(|coin| &coin.id));
            self.pages.push((request, received));
            start = start.saturating_add(u32::try_from(received.rows).unwrap_or(u32::MAX));
            let is_last = match list.total {
                Some(total) => u64::from(start) > total,
                None => is_short(received.rows, settings.display.page_size),
            };
            if is_last || seen.len() == known || seen.len() >= MAX_COINS {
                break;
            }
        }
        let mut newest: Vec<Received<'a>> = self.received().collect();
        newest.sort_by_key(|received| Reverse(received.at));
        seen.clear();
        self.coins = newest.into_iter().flat_map(Received::coins).filter(|coin| seen.insert(&coin.id)).collect();
    }

    /// The received pages.
    pub(super) fn received(&self) -> impl Iterator<Item = Received<'a>> {
        self.pages.iter().map(|(_, received)| *received)
    }

    /// Whether the list is simulated; `None` without a page.
    pub(super) fn is_simulated(&self) -> Option<bool> {
        self.received().next().map(|received| received.simulated)
    }

    /// The prices of the tokens.
    pub(super) fn prices(&self) -> TokenPrices<'_> {
        TokenPrices::new(self.coins.iter().copied()).with_deploys(&self.deploys).partial(self.next.is_some())
    }

    /// The pages with a coin of these balances, and the first one.
    pub(super) fn held(&self, balances: &[&Balance]) -> Vec<&(Request, Received<'a>)> {
        let prices = self.prices();
        let found = balances.iter().filter_map(|balance| coin_of(balance, Ok(&prices)).ok());
        let held: HashSet<&CoinId> = found.map(|coin| &coin.id).collect();
        let has_any = |received: Received<'_>| received.coins().iter().any(|coin| held.contains(&coin.id));
        let pages = self.pages.iter().enumerate();
        pages.filter(|(index, (_, received))| *index == 0 || has_any(*received)).map(|(_, page)| page).collect()
    }

    /// The requests for the coins of these balances: pages until all are found, and then details.
    pub(super) fn requests(&self, balances: &[&Balance]) -> Vec<(Request, Duration)> {
        let prices = self.prices();
        let is_missing = |balance: &&Balance| coin_of(balance, Ok(&prices)) == Err(Unvalued::NotLoaded);
        let next = self.next.iter().filter(|_| self.pages.is_empty() || balances.iter().any(is_missing));
        let details = if next.clone().next().is_none() { self.details(balances) } else { Vec::new() };
        let details = details.into_iter().map(|ticker| Request::Brc20Token { ticker });
        let pages = self.held(balances).into_iter().map(|(request, _)| request).chain(next).cloned();
        pages.chain(details).map(|request| (request, MAX_PRICE_AGE)).collect()
    }

    /// The tickers of these balances whose missing details may identify the coin.
    pub(super) fn details(&self, balances: &[&Balance]) -> Vec<Text> {
        self.prices().tickers_to_look_up(balances.iter().filter_map(|balance| balance.ticker.as_ref()))
    }
}
