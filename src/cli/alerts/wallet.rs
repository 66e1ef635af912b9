//! The wallet's value and its change, from responses.

use std::collections::HashMap;
use std::time::Duration;

use super::super::today::today;
use super::received::{Received, page};
use super::tokens::Tokens;
use crate::alerts::needs::{MAX_PRICE_AGE, MAX_SLOW_DATA_AGE, is_balance};
use crate::alerts::wallet::{LoadedWallet, WalletValues, currencies, measures, price_in, price_requests};
use crate::client::endpoint::{MAX_IDS, balances_of};
use crate::client::{Request, ResponseData};
use crate::config::Settings;
use crate::model::{Balance, Coin, CoinId, Currency, Tag, Text};
use crate::portfolio::balance::is_bitcoin;
use crate::portfolio::cost::{Holding, Rate};
use crate::portfolio::wallet::{self, KnownAddress, TokenBalance};
use crate::portfolio::{HistoricalRates, HoldingValue, TokenPrices, Unvalued};
use crate::user_data::alert::Measure;
use crate::user_data::{Alert, Lot, UserData, WalletAddress, Watched};

/// The lots and addresses of the wallet, and what alerts need from it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wallet {
    lots: Vec<Lot>,
    addresses: Vec<WalletAddress>,
    /// The measures of active alerts about it.
    measures: Vec<Measure>,
}

impl Wallet {
    /// The wallet for these alerts.
    pub(super) fn of(data: &UserData, alerts: &[Alert]) -> Wallet {
        let rules = alerts.iter().filter(|alert| alert.on).map(|alert| &alert.rule);
        Wallet { lots: data.lots.clone(), addresses: data.addresses.clone(), measures: measures(rules) }
    }

    /// What its values leave out, and why one of them is unknown, as far as alerts need it.
    pub(super) fn note_and_problem(&self, values: &WalletValues) -> (Option<String>, Option<String>) {
        let found = || self.measures.iter().filter_map(|measure| values.of(measure));
        let note = found().find_map(|value| value.ok()?.note());
        (note, found().find_map(Result::err).map(ToString::to_string))
    }

    /// Whether any of the values that alerts need is known.
    pub(super) fn knows_any(&self, values: &WalletValues) -> bool {
        self.measures.iter().filter_map(|measure| values.of(measure)).any(|value| value.is_ok())
    }

    /// Whether its value needs balances.
    pub(super) fn has_addresses(&self) -> bool {
        !self.addresses.is_empty()
    }

    /// The requests for balances and prices, also in the currencies of alerts, each with the maximum age of its
    /// response. `has_failed` tells which requests the service does not offer.
    pub(super) fn requests<'a>(
        &self,
        settings: &Settings,
        response_to: impl Fn(&Request) -> Option<Received<'a>>,
        has_failed: impl Fn(&Request) -> bool,
    ) -> Vec<(Request, Duration)> {
        let mut requests = self.own_requests(settings, &response_to, &has_failed);
        let convert = &settings.display.convert;
        let other: Vec<Currency> = currencies(&self.measures).into_iter().filter(|other| other != convert).collect();
        if !other.is_empty() {
            let ids = self.with_loaded(settings, response_to, has_failed, |loaded| loaded.priced_ids());
            let priced = other.iter().flat_map(|other| price_requests(ids.clone(), other));
            requests.extend(priced.map(|request| (request, MAX_PRICE_AGE)));
        }
        requests
    }

    /// The requests for balances and prices in the display currency.
    fn own_requests<'a>(
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

    /// The change over 24 hours, and the value in the currencies of alerts. `is_lacking` tells which requests the
    /// service does not offer.
    pub(super) fn values<'a>(
        &self,
        settings: &Settings,
        response_to: impl Fn(&Request) -> Option<Received<'a>>,
        is_lacking: impl Fn(&Request) -> bool,
    ) -> WalletValues {
        self.with_loaded(settings, &response_to, is_lacking, |loaded| {
            let ids = loaded.priced_ids();
            let price = |held: &HoldingValue, currency: &Currency| {
                let requests = price_requests(ids.clone(), currency);
                price_in(&requests, loaded.id_of(held)?, |request| {
                    let received = response_to(request)?;
                    Some((received.response, received.at))
                })
            };
            let currencies = currencies(&self.measures);
            WalletValues::new(&loaded.wallet, currencies, |ticker| loaded.details.contains(ticker), price)
        })
    }

    /// Calls a function with the loaded parts of the wallet.
    fn with_loaded<'a, T>(
        &self,
        settings: &Settings,
        response_to: impl Fn(&Request) -> Option<Received<'a>>,
        is_lacking: impl Fn(&Request) -> bool,
        function: impl FnOnce(&Loaded<'_>) -> T,
    ) -> T {
        let convert = &settings.display.convert;
        let held = self.held(&response_to);
        let brc20 = Tokens::new(&held, settings, &response_to, &is_lacking);
        let by_id: Vec<Received<'_>> = self.by_id(settings).iter().filter_map(&response_to).collect();
        let tokens = brc20.prices().with_coins_of_lots(by_id.iter().flat_map(|received| received.coins()));
        let requests = self.own_requests(settings, &response_to, &is_lacking);
        let requests: Vec<Request> = requests.into_iter().map(|(request, _)| request).collect();
        // A page that is no longer requested gets older and older.
        let first = Some(page(Tag::All, 1, settings)).filter(|page| requests.contains(page));
        let listed = self.by_id(settings).into_iter().chain(first);
        let pages = brc20.held(&held).into_iter().map(|(_, received)| *received);
        let prices: Vec<Received<'_>> = listed.filter_map(|request| response_to(&request)).chain(pages).collect();
        let received = |entry: &WalletAddress| {
            [balances_of(&entry.address), bitcoin_balance(entry)].map(|request| response_to(&request))
        };
        let balances: Vec<[Option<Received<'_>>; 2]> = self.addresses.iter().map(received).collect();
        let all_balances = || balances.iter().flatten().flatten();
        let all = || prices.iter().chain(all_balances());
        let is_simulated = all().any(|received| received.simulated);
        let is_partly_simulated = is_simulated && !all().all(|received| received.simulated);
        // The first coin with an id counts, so that finding it is one lookup.
        let mut coins: HashMap<&str, &Coin> = HashMap::new();
        for coin in prices.iter().flat_map(|received| received.coins()).filter(|coin| coin.convert == *convert) {
            for key in [coin.slug.as_deref(), Some(coin.id.0.as_str())].into_iter().flatten() {
                coins.entry(key).or_insert(coin);
            }
        }
        let bitcoin = coins.get("bitcoin").filter(|coin| is_bitcoin(coin) && !is_partly_simulated);
        let bitcoin = bitcoin.map(|coin| Watched::from_coin(coin));
        let own_tokens = |[list, _]: &[Option<Received<'_>>; 2]| {
            let Received { response: ResponseData::Balances(list), simulated, .. } = (*list)? else { return None };
            let prices = match brc20.is_simulated() {
                None => Err(Unvalued::NotLoaded),
                Some(is_simulated) if is_simulated != simulated => Err(Unvalued::PartlySimulated),
                Some(_) => Ok(&tokens),
            };
            let own: Vec<TokenBalance> = list.items.iter().map(|item| TokenBalance::new(item, prices)).collect();
            Some((own, list.total.is_none_or(|total| total <= list.items.len() as u64)))
        };
        let own: Vec<Option<(Vec<TokenBalance>, bool)>> = balances.iter().map(own_tokens).collect();
        let mut addresses: Vec<KnownAddress<'_>> = Vec::new();
        for ((entry, [_, bitcoin]), own) in self.addresses.iter().zip(&balances).zip(&own) {
            addresses.push(KnownAddress {
                address: &entry.address,
                name: entry.name(),
                tokens: own.as_ref().map(|(tokens, _)| tokens.as_slice()),
                is_complete: own.as_ref().is_some_and(|(_, is_complete)| *is_complete),
                bitcoin: match bitcoin {
                    Some(Received { response: ResponseData::BitcoinBalance(balance), .. }) => Some(balance),
                    _ => None,
                },
                lacks_bitcoin: is_lacking(&bitcoin_balance(entry)),
            });
        }
        // Only the cost of today's lots matters. In another currency it counts as unknown here and in the dashboard
        // (`without_converted_costs`), rather than being requested.
        let rates = HistoricalRates::new(convert, []);
        let rate = |currency: &_, date| rates.rate(currency, date);
        let cost: (_, Rate<'_>) = (settings.wallet.cost, &rate);
        let none = TokenPrices::default();
        let known_tokens = if is_partly_simulated { &none } else { &tokens };
        let (holdings, _) = wallet::build_holdings(&self.lots, cost, &addresses, known_tokens, bitcoin.as_ref());
        let today = today(settings);
        let valuation = wallet::value_holdings(holdings, &addresses, bitcoin.is_some(), today, |holding| {
            find_coin(&coins, holding).map(|coin| (coin, None))
        });
        let is_answered = |request: &Request| response_to(request).is_some() || is_lacking(request);
        let wallet = LoadedWallet {
            addresses: &addresses,
            valuation: &valuation,
            convert,
            knows_bitcoin: bitcoin.is_some(),
            prices_at: prices.iter().map(|received| received.at).min(),
            balances_at: all_balances().map(|received| received.at).min(),
            has_all_prices: requests.iter().all(|request| is_balance(request) || is_answered(request)),
            is_simulated,
            is_partly_simulated,
        };
        function(&Loaded { wallet, coins: &coins, details: brc20.details(&held) })
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

/// The loaded parts of the wallet.
struct Loaded<'a> {
    wallet: LoadedWallet<'a>,
    /// The coins in the display currency, by slug and by ID.
    coins: &'a HashMap<&'a str, &'a Coin>,
    /// The tokens whose details are requested.
    details: Vec<Text>,
}

impl Loaded<'_> {
    /// The ID of a held coin, if it is known.
    fn id_of(&self, held: &HoldingValue) -> Option<&CoinId> {
        find_coin(self.coins, &held.holding).map(|coin| &coin.id)
    }

    /// The IDs of the held coins that have prices.
    fn priced_ids(&self) -> Vec<CoinId> {
        let priced = self.wallet.valuation.holdings.iter();
        let priced = priced.filter(|held| held.price.is_some() && !held.holding.amount.is_zero());
        priced.filter_map(|held| self.id_of(held).cloned()).collect()
    }
}

/// The coin of a holding.
fn find_coin<'a>(coins: &HashMap<&str, &'a Coin>, holding: &Holding) -> Option<&'a Coin> {
    let keys = [&holding.coin.slug, &holding.coin.id].into_iter().flatten();
    let mut found = keys.filter_map(|key| coins.get(key.as_str()).copied());
    found.find(|coin| holding.coin.is_coin(coin))
}

fn bitcoin_balance(entry: &WalletAddress) -> Request {
    Request::BitcoinBalance { address: entry.address.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alerts::wallet::UnknownValue;
    use crate::model::{BitcoinBalance, Page, UtcTime};
    use crate::user_data::LotId;

    #[test]
    fn bitcoin_of_a_simulated_address_is_not_valued_at_real_prices() {
        let address: crate::model::Text = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq".into();
        let entry = WalletAddress { address: address.clone(), label: None, added_at: UtcTime::from_secs(0) };
        let (wallet, settings) = (Wallet { addresses: vec![entry], ..Wallet::default() }, Settings::default());
        let bitcoin = Coin {
            slug: Some("bitcoin".into()),
            price: Some(60_000.0),
            change_24h_pct: Some(-2.0),
            ..Coin::new(CoinId("1".into()), "Bitcoin".into(), "BTC".into())
        };
        let coins = |items: Vec<Coin>| ResponseData::Coins(Page { total: Some(items.len() as u64), items });
        let (list, no_coins) = (coins(vec![bitcoin]), coins(Vec::new()));
        let no_tokens = ResponseData::Balances(Page { items: Vec::new(), total: Some(0) });
        let balance = ResponseData::BitcoinBalance(BitcoinBalance { address, confirmed: 1, unconfirmed: 0 });
        let change = |are_balances_simulated| {
            let response_to = |request: &Request| {
                let (response, rows) = match request {
                    Request::Coins { tag: Tag::All, .. } => (&list, 1),
                    Request::Coins { .. } => (&no_coins, 0),
                    Request::Brc20Balances { .. } => (&no_tokens, 0),
                    Request::BitcoinBalance { .. } => (&balance, 0),
                    _ => return None,
                };
                let simulated = is_balance(request) && are_balances_simulated;
                Some(Received { response, at: UtcTime::from_secs(100), simulated, rows })
            };
            let values = wallet.values(&settings, response_to, |_| false);
            values.of(&Measure::Change24h).unwrap().cloned().map(|change| change.number.round()).map_err(Clone::clone)
        };
        assert_eq!(change(false), Ok(-2.0));
        assert_eq!(change(true), Err(UnknownValue::Price("BTC".into())));
    }

    #[test]
    fn unrequested_list_does_not_age_the_wallet_change() {
        let coin = Watched { symbol: "ORDI".into(), slug: Some("ordi".into()), id: Some("123".into()) };
        let lot = Lot { id: LotId(1), ..Lot::bought(coin, "10".parse().unwrap()) };
        let (wallet, settings) = (Wallet { lots: vec![lot], ..Wallet::default() }, Settings::default());
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
            let values = wallet.values(&settings, response_to, |_| false);
            let change = values.of(&Measure::Change24h).unwrap().unwrap();
            (requests.iter().any(|(request, _)| *request == list), change.number.round(), change.at)
        };
        assert_eq!(known(&responses), (true, -1.0, at(100)));
        responses.insert(by_id, (coins(Some(-10.0)), at(400)));
        assert_eq!(known(&responses), (false, -10.0, at(400)));
    }
}
