//! The change of the wallet's value, from responses.

use std::collections::HashMap;
use std::time::Duration;

use super::super::today::today;
use super::received::{Received, page};
use super::tokens::Tokens;
use crate::alerts::needs::{MAX_PRICE_AGE, MAX_SLOW_DATA_AGE, is_balance};
use crate::alerts::wallet::{WalletChange, day_change};
use crate::client::endpoint::{MAX_IDS, balances_of};
use crate::client::{Request, ResponseData};
use crate::config::Settings;
use crate::model::{Balance, Coin, CoinId, Tag};
use crate::portfolio::balance::is_bitcoin;
use crate::portfolio::cost::Rate;
use crate::portfolio::wallet::{self, KnownAddress, TokenBalance};
use crate::portfolio::{HistoricalRates, TokenPrices, Unvalued};
use crate::user_data::{Lot, UserData, WalletAddress, Watched};

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

    /// Whether its value needs balances.
    pub(super) fn has_addresses(&self) -> bool {
        !self.addresses.is_empty()
    }

    /// The requests for balances and prices, each with the maximum age of its response. `has_failed` tells which
    /// requests the service does not offer.
    pub(super) fn requests<'a>(
        &self,
        settings: &Settings,
        response_to: impl Fn(&Request) -> Option<Received<'a>>,
        has_failed: impl Fn(&Request) -> bool,
    ) -> Vec<(Request, Duration)> {
        let mut requests = Vec::new();
        if !self.addresses.is_empty() {
            requests.extend(self.addresses.iter().map(|entry| (balances_of(&entry.address), MAX_SLOW_DATA_AGE)));
            let bitcoin = self.addresses.iter().map(bitcoin_balance).filter(|request| !has_failed(request));
            requests.extend(bitcoin.map(|request| (request, MAX_SLOW_DATA_AGE)));
            let held = self.held(&response_to);
            requests.extend(Tokens::new(&held, settings, &response_to, &has_failed).requests(&held));
        }
        let by_id = self.by_id(settings);
        let is_found = |lot: &Lot| {
            by_id.iter().any(|request| match response_to(request) {
                Some(received) => received.coins().iter().any(|coin| lot.coin.is_coin(coin)),
                // Not answered yet.
                None => !has_failed(request) && lot.coin.id.is_some(),
            })
        };
        let has_bitcoin = |entry: &WalletAddress| match response_to(&bitcoin_balance(entry)) {
            Some(Received { response: ResponseData::BitcoinBalance(balance), .. }) => balance.confirmed > 0,
            _ => false,
        };
        if !self.lots.iter().all(is_found) || self.addresses.iter().any(has_bitcoin) {
            requests.push((page(Tag::All, 1, settings), MAX_PRICE_AGE));
        }
        requests.extend(by_id.into_iter().map(|request| (request, MAX_PRICE_AGE)));
        requests
    }

    /// The change over 24 hours. `is_lacking` tells which requests the service does not offer.
    ///
    /// # Errors
    /// It is unknown; the reason is a few words.
    pub(super) fn change<'a>(
        &self,
        settings: &Settings,
        response_to: impl Fn(&Request) -> Option<Received<'a>>,
        is_lacking: impl Fn(&Request) -> bool,
    ) -> Result<WalletChange, String> {
        let convert = &settings.display.convert;
        let held = self.held(&response_to);
        let brc20 = Tokens::new(&held, settings, &response_to, &is_lacking);
        let by_id: Vec<Received<'_>> = self.by_id(settings).iter().filter_map(&response_to).collect();
        let tokens = brc20.prices().with_coins_of_lots(by_id.iter().flat_map(|received| received.coins()));
        let mut is_mixed = false;
        let requests = self.requests(settings, &response_to, &is_lacking);
        let requests: Vec<Request> = requests.into_iter().map(|(request, _)| request).collect();
        // A page that is no longer requested gets older and older.
        let first = Some(page(Tag::All, 1, settings)).filter(|page| requests.contains(page));
        let listed = self.by_id(settings).into_iter().chain(first);
        let pages = brc20.held(&held).into_iter().map(|(_, received)| *received);
        let prices: Vec<Received<'_>> = listed.filter_map(|request| response_to(&request)).chain(pages).collect();
        // The first coin with an id counts, so that finding it is one lookup.
        let mut coins: HashMap<&str, &Coin> = HashMap::new();
        for coin in prices.iter().flat_map(|received| received.coins()).filter(|coin| coin.convert == *convert) {
            for key in [coin.slug.as_deref(), Some(coin.id.0.as_str())].into_iter().flatten() {
                coins.entry(key).or_insert(coin);
            }
        }
        let bitcoin = coins.get("bitcoin").filter(|coin| is_bitcoin(coin)).map(|coin| Watched::from_coin(coin));
        let is_answered = |request: &Request| response_to(request).is_some() || is_lacking(request);
        let is_loaded = requests.iter().all(|request| is_balance(request) || is_answered(request));
        let mut is_simulated = prices.iter().any(|received| received.simulated);
        let (mut balances, mut oldest) = (Vec::new(), prices.iter().map(|received| received.at).min());
        for entry in &self.addresses {
            let name = entry.name();
            let Some(Received { response: ResponseData::Balances(list), at, simulated, .. }) =
                response_to(&balances_of(&entry.address))
            else {
                return Err(format!("no balances for {name}"));
            };
            is_simulated |= simulated;
            // Balances are refreshed less often than prices.
            oldest = oldest.map(|oldest| oldest.min(at.plus(MAX_SLOW_DATA_AGE)));
            is_mixed |= brc20.is_simulated().is_some_and(|prices| prices != simulated);
            let prices = match brc20.is_simulated() {
                None => Err(Unvalued::NotLoaded),
                Some(is_simulated) if is_simulated != simulated => Err(Unvalued::PartlySimulated),
                Some(_) => Ok(&tokens),
            };
            let request = bitcoin_balance(entry);
            let found = match response_to(&request).map(|received| received.response) {
                Some(ResponseData::BitcoinBalance(balance)) => Some(balance),
                _ if is_lacking(&request) => None,
                // Without it, the change would cover only the tokens.
                _ => return Err(format!("no bitcoin balance for {name}")),
            };
            if bitcoin.is_none() && !is_loaded && found.is_some_and(|balance| balance.confirmed > 0) {
                return Err(String::from("no price for BTC"));
            }
            let own: Vec<TokenBalance> = list.items.iter().map(|it| TokenBalance::new(it, prices)).collect();
            let is_complete = list.total.is_none_or(|total| total <= list.items.len() as u64);
            balances.push((entry, name, own, is_complete, found));
        }
        let addresses: Vec<KnownAddress<'_>> = balances
            .iter()
            .map(|(entry, name, own, is_complete, bitcoin)| KnownAddress {
                address: &entry.address,
                name: name.clone(),
                tokens: Some(own),
                is_complete: *is_complete,
                bitcoin: *bitcoin,
                lacks_bitcoin: bitcoin.is_none(),
            })
            .collect();
        // Only the cost of today's lots matters; in another currency it counts as unknown, rather than being requested.
        let rates = HistoricalRates::new(convert, []);
        let rate = |currency: &_, date| rates.rate(currency, date);
        let cost: (_, Rate<'_>) = (settings.wallet.cost, &rate);
        let none = TokenPrices::default();
        let known_tokens = if is_mixed { &none } else { &tokens };
        let (holdings, _) = wallet::build_holdings(&self.lots, cost, &addresses, known_tokens, bitcoin.as_ref());
        let today = today(settings);
        let valuation = wallet::value_holdings(holdings, &addresses, bitcoin.is_some(), today, |holding| {
            let keys = [&holding.coin.slug, &holding.coin.id].into_iter().flatten();
            let mut found = keys.filter_map(|key| coins.get(key.as_str()));
            found.find(|coin| holding.coin.is_coin(coin)).map(|coin| (*coin, None))
        });
        let details = brc20.details(&held);
        let is_requested = |ticker: &Text| details.contains(ticker);
        let problems = balances.iter().flat_map(|(_, _, own, ..)| own).filter_map(|it| it.problem(is_requested));
        day_change(&valuation, problems, oldest, is_loaded, is_simulated)
    }

    /// The balances of tokens that are known.
    fn held<'a>(&self, response_to: &impl Fn(&Request) -> Option<Received<'a>>) -> Vec<&'a Balance> {
        let responses = self.addresses.iter().filter_map(|entry| response_to(&balances_of(&entry.address)));
        let items = responses.filter_map(|received| match received.response {
            ResponseData::Balances(page) => Some(&page.items),
            _ => None,
        });
        items.flatten().collect()
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

fn bitcoin_balance(entry: &WalletAddress) -> Request {
    Request::BitcoinBalance { address: entry.address.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Page, UtcTime};
    use crate::user_data::LotId;

    #[test]
    fn unrequested_list_does_not_age_the_wallet_change() {
        let coin = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("123".into()) };
        let lot = Lot { id: LotId(1), ..Lot::bought(coin, "10".parse().unwrap()) };
        let (wallet, settings) = (Wallet { lots: vec![lot], addresses: Vec::new() }, Settings::default());
        let (by_id, list) = (wallet.by_id(&settings).remove(0), page(Tag::All, 1, &settings));
        let coins = |change: Option<f64>| {
            let coin = |change| Coin {
                slug: Some("ordi".into()),
                price: Some(5.0),
                change_24h_pct: Some(change),
                ..Coin::new(CoinId("123".into()), "Ordi".into(), "ORDI".into())
            };
            ResponseData::Coins(Page { items: change.map(coin).into_iter().collect(), total: None })
        };
        let mut responses: HashMap<Request, (ResponseData, UtcTime)> = HashMap::new();
        let at = |secs| UtcTime::from_secs(secs);
        // The coin is missing once, so the list is requested.
        responses.insert(by_id.clone(), (coins(None), at(100)));
        responses.insert(list.clone(), (coins(Some(-1.0)), at(100)));
        let known = |responses: &HashMap<Request, (ResponseData, UtcTime)>| {
            let response_to = |request: &Request| {
                let (response, at) = responses.get(request)?;
                Some(Received { response, at: *at, simulated: false, rows: 1 })
            };
            let requests = wallet.requests(&settings, response_to, |_| false);
            let change = wallet.change(&settings, response_to, |_| false).unwrap();
            (requests.iter().any(|(request, _)| *request == list), change.percent.round(), change.at)
        };
        assert_eq!(known(&responses), (true, -1.0, at(100)));
        responses.insert(by_id, (coins(Some(-10.0)), at(400)));
        assert_eq!(known(&responses), (false, -10.0, at(400)));
    }
}
