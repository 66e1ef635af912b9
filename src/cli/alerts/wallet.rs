//! The change of the wallet's value, from a few answers.

use std::time::Duration;

use crate::alerts::needs::{MAX_BALANCES, PRICES, SLOW};
use crate::alerts::wallet::day_change;
use crate::client::{Answer, Request};
use crate::config::Settings;
use crate::model::{Coin, CoinId, Decimal, Tag, UtcTime};
use crate::portfolio::balance::coin_of;
use crate::portfolio::{self, AddressBalances, Quote, TokenPrices, Unvalued, Valuation};
use crate::user_data::{Lot, UserData, WalletAddress, Watched};

/// Maximum coins of one request.
const MAX_IDS: usize = 200;

/// What is known about a request.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// Its answer.
    pub(super) answer: &'a Answer,
    /// When that was up to date.
    pub(super) at: UtcTime,
    /// Whether it is simulated.
    pub(super) simulated: bool,
}

/// The lots and addresses of the wallet.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wallet {
    lots: Vec<Lot>,
    addresses: Vec<WalletAddress>,
}

impl Wallet {
    pub(super) fn of(data: &UserData) -> Wallet {
        Wallet { lots: data.lots.clone(), addresses: data.addresses.clone() }
    }

    /// The requests for balances and prices, each with the maximum age of its answer. `has_failed` says which requests
    /// the service does not offer.
    pub(super) fn requests<'a>(
        &self,
        settings: &Settings,
        known: impl Fn(&Request) -> Option<Known<'a>>,
        has_failed: impl Fn(&Request) -> bool,
    ) -> Vec<(Request, Duration)> {
        let mut requests = Vec::new();
        if !self.addresses.is_empty() {
            requests.extend(self.addresses.iter().map(|entry| (balances(entry), SLOW)));
            requests.push((page(Tag::Brc20, settings), PRICES));
        }
        let by_id = self.by_id(settings);
        let is_found = |lot: &Lot| {
            by_id.iter().any(|request| match known(request) {
                Some(known) => coins(known).iter().any(|coin| lot.coin.is_coin(coin)),
                // Not answered yet.
                None => !has_failed(request) && lot.coin.id.is_some(),
            })
        };
        if !self.lots.iter().all(is_found) {
            requests.push((page(Tag::All, settings), PRICES));
        }
        requests.extend(by_id.into_iter().map(|request| (request, PRICES)));
        requests
    }

    /// The change over 24 hours in percent, and when its newest part was up to date.
    ///
    /// # Errors
    /// It is unknown; the reason is a few words.
    pub(super) fn change<'a>(
        &self,
        settings: &Settings,
        known: impl Fn(&Request) -> Option<Known<'a>>,
    ) -> Result<(f64, UtcTime), String> {
        let convert = &settings.display.convert;
        let mut newest = None;
        let mut add = |known: Option<Known<'a>>| {
            newest = newest.max(known.map(|known| known.at));
            known
        };
        let brc20 = add(known(&page(Tag::Brc20, settings)).filter(|_| !self.addresses.is_empty()));
        let token_coins = brc20.map(coins).unwrap_or_default();
        let tokens = TokenPrices::new(token_coins.iter());
        // The cost doesn't matter, so no exchange rates are needed.
        let mut holdings = portfolio::holdings(&self.lots, settings.wallet.cost, &|_, _| None);
        let mut problems = Vec::new();
        for entry in &self.addresses {
            let found = add(known(&balances(entry)));
            let Some(Known { answer: Answer::Balances(list), simulated, .. }) = found else {
                return Err(format!("no balances of {}", crate::model::address::short(&entry.address)));
            };
            let prices = match brc20 {
                None => Err(Unvalued::NotLoaded),
                Some(brc20) if brc20.simulated != simulated => Err(Unvalued::PartlySimulated),
                Some(_) => Ok(&tokens),
            };
            let mut amounts = Vec::with_capacity(list.items.len());
            for balance in &list.items {
                let coin = coin_of(balance, prices).map(Watched::from_coin);
                problems.extend(coin.as_ref().err());
                amounts.push((coin.ok(), balance.overall.map(Decimal::from)));
            }
            let is_complete = list.total.is_none_or(|total| total <= list.items.len() as u64);
            let found = AddressBalances { address: &entry.address, balances: &amounts, is_complete };
            portfolio::count_balances(&mut holdings, &found, &tokens, &self.lots);
        }
        let mut all: Vec<&Coin> = Vec::new();
        for request in self.by_id(settings).iter().chain([&page(Tag::All, settings)]) {
            all.extend(add(known(request)).map(coins).unwrap_or_default());
        }
        all.extend(token_coins);
        let valuation = Valuation::new(holdings, |holding| {
            let coin = all.iter().find(|coin| holding.coin.is_coin(coin) && coin.convert == *convert);
            coin.map_or_else(Quote::default, |coin| Quote { price: coin.price, change_24h_pct: coin.change_24h_pct })
        });
        let change = day_change(&valuation, problems)?;
        newest.map(|at| (change, at)).ok_or_else(|| String::from("no prices"))
    }

    /// The requests for the coins of the lots that have ids.
    fn by_id(&self, settings: &Settings) -> Vec<Request> {
        let mut ids: Vec<CoinId> = self.lots.iter().filter_map(|lot| lot.coin.id.clone().map(CoinId)).collect();
        ids.sort_unstable();
        ids.dedup();
        let request =
            |ids: &[CoinId]| Request::CoinsById { ids: ids.to_vec(), convert: settings.display.convert.clone() };
        ids.chunks(MAX_IDS).map(request).collect()
    }
}

fn balances(entry: &WalletAddress) -> Request {
    Request::Brc20Balances { address: entry.address.clone(), offset: 0, limit: MAX_BALANCES }
}

/// The first page of a list.
fn page(tag: Tag, settings: &Settings) -> Request {
    Request::Coins { tag, start: 1, limit: settings.display.page_size, convert: settings.display.convert.clone() }
}

/// The coins of an answer.
fn coins(known: Known<'_>) -> &[Coin] {
    if let Answer::Coins(page) = known.answer { &page.items } else { &[] }
}
