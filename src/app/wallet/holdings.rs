//! The values of the wallet's lots and addresses.

use std::collections::HashSet;
use std::sync::Arc;

use crate::client::endpoint::balances_of;
use crate::client::{Group, Request, ResponseData};
use crate::model::{Coin, CoinId, Currency, Tag, Text, UtcTime, provider};
use crate::portfolio::wallet::{self, KnownAddress, TokenBalance};
use crate::portfolio::{self, HistoricalRates, Holding, HoldingValue, LotState, TokenPrices, Unvalued, Valuation};
use crate::user_data::watchlist::{ResolvedCoins, Watched};
use crate::user_data::{LotId, WalletAddress};

use crate::app::coins::more::ids_of;
use crate::app::extension::Extension;
use crate::app::find::lookup::Subject;
use crate::app::preferences::EMBEDDED;
use crate::app::responses::Remote;
use crate::app::screen::wallet::holdings::{CostedLots, HeldAddress, HeldCoin, HeldCoins};
use crate::app::screen::wallet::order::key;
use crate::app::state::State;
use crate::app::wallet::counted_coins::CountedCoins;

impl State {
    /// Turns the wallet's lots and balances into holdings and values them. Called after the lots, the balances, the
    /// coins of BRC-20 tokens, the exchange rates or the currency have changed.
    ///
    /// With thousands of lots, that takes longer than all else after a response: while another event follows at once, it
    /// waits for [`State::settle_holdings`], unless an alert is about the wallet.
    pub(in crate::app) fn update_holdings(&mut self) {
        self.has_outdated_holdings = self.expects_event && !self.alerts.any_about_wallet();
        if !self.has_outdated_holdings {
            self.update_holdings_without_chart();
            self.update_value_chart();
        }
    }

    /// Updates the holdings if that has waited and no other event follows at once. Returns whether it did.
    pub(in crate::app) fn settle_holdings(&mut self) -> bool {
        let is_due = self.has_outdated_holdings && !self.expects_event;
        if is_due {
            self.update_holdings();
        }
        is_due
    }

    /// Updates the holdings, but leaves the value chart unchanged.
    pub(in crate::app) fn update_holdings_without_chart(&mut self) {
        let user = self.user.current();
        let before = self.wallet.holdings();
        let is_empty = user.lots.is_empty() && user.addresses.is_empty();
        if is_empty && before.lots().is_empty() && before.addresses().is_empty() {
            return;
        }
        let rates = HistoricalRates::new(&self.convert, self.responses.historical_rates_of_all());
        let rate = |currency: &_, date| rates.rate(currency, date);
        let is_partial = !self.list(Tag::Brc20).has_all();
        let of_lots = self.responses.coins_by_id().filter(|_| !self.is_partly_simulated());
        let tokens =
            self.token_prices().with_deploys(&self.wallet.deploys).partial(is_partial).with_coins_of_lots(of_lots);
        let addresses: Vec<HeldAddress> =
            user.addresses.iter().map(|entry| self.held_address(entry, &tokens)).collect();
        let bitcoin = self.bitcoin().map(Watched::from_coin);
        let has_bitcoin = bitcoin.is_some();
        let known: Vec<KnownAddress<'_>> =
            addresses.iter().map(|held| held.known(self.lacks(Extension::BitcoinBalances))).collect();
        let (holdings, _) =
            wallet::build_holdings(&user.lots, (self.preferences.cost, &rate), &known, &tokens, bitcoin.as_ref());
        let mut ids: Vec<CoinId> = holdings.iter().filter_map(|held| held.coin.id.clone().map(CoinId)).collect();
        ids.sort_unstable();
        ids.dedup();
        let needed = portfolio::rates::needed(&user.lots, &self.convert).into_iter();
        let holdings: Vec<Arc<Holding>> = holdings.into_iter().map(Arc::new).collect();
        let start = self.wallet.chart_start(self.now);
        let first_day = self.preferences.zone.at(start).date();
        let recent: HashSet<LotId> = user.lots.iter().filter(|lot| lot.date >= first_day).map(|lot| lot.id).collect();
        let is_recent = |state: &LotState| recent.contains(&state.id);
        let is_charted = |held: &&Arc<Holding>| !held.amount.is_zero() || held.lots.iter().any(is_recent);
        let costed = CostedLots {
            charted: holdings.iter().filter(is_charted).cloned().collect(),
            prices: self.by_ids(&ids).collect(),
            rates: needed
                .map(|(days, from)| Request::HistoricalRates { days, from, to: self.convert.requested() })
                .collect(),
            tokens: self.token_requests(&addresses, &tokens),
            holdings,
            addresses,
            lots: user.into_owned().lots,
        };
        self.wallet.set_lots(costed);
        self.counted_coins = CountedCoins { has_bitcoin, tokens: self.tokens_by_id() };
        self.value_holdings();
    }

    /// How many of the coins fetched by their ids are tokens. A new one may be a token that was spent at an address.
    pub(in crate::app) fn tokens_by_id(&self) -> usize {
        self.responses.coins_by_id().filter(|coin| portfolio::is_token(coin)).count()
    }

    /// An address with its balances.
    fn held_address(&self, entry: &WalletAddress, tokens: &TokenPrices<'_>) -> HeldAddress {
        let request = balances_of(&entry.address);
        let bitcoin_request = Request::BitcoinBalance { address: entry.address.clone() };
        let bitcoin = match self.responses.response(&bitcoin_request).map(AsRef::as_ref) {
            Some(ResponseData::BitcoinBalance(balance)) => Some(balance.clone()),
            _ => None,
        };
        let Some(ResponseData::Balances(page)) = self.responses.response(&request).map(AsRef::as_ref) else {
            return HeldAddress { entry: entry.clone(), request, tokens: None, more: 0, bitcoin_request, bitcoin };
        };
        let has_coins = self.list(Tag::Brc20).coins().next().is_some();
        let prices = if !has_coins {
            Err(Unvalued::NotLoaded)
        } else if self.is_partly_simulated() {
            Err(Unvalued::PartlySimulated)
        } else {
            Ok(tokens)
        };
        let more = page.total.map_or(0, |total| total.saturating_sub(page.items.len() as u64));
        let tokens = Some(page.items.iter().map(|balance| TokenBalance::new(balance, prices)).collect());
        HeldAddress { entry: entry.clone(), request, tokens, more, bitcoin_request, bitcoin }
    }

    /// The requests for the coins of the addresses' tokens.
    fn token_requests(&self, addresses: &[HeldAddress], prices: &TokenPrices<'_>) -> Vec<Request> {
        if addresses.is_empty() {
            return Vec::new();
        }
        let balances = || addresses.iter().flat_map(|held| held.tokens.iter().flatten());
        let ids: HashSet<&Text> = balances().filter_map(|token| token.coin.as_ref().ok()?.id.as_ref()).collect();
        let list = self.list(Tag::Brc20);
        let mut requests = vec![list.first_request(&self.convert)];
        for start in list.starts_of(&ids) {
            requests.push(list.page_request(start, &self.convert));
        }
        requests.dedup();
        let tickers = balances().filter_map(|token| token.balance.ticker.as_ref());
        requests.extend(prices.tickers_to_look_up(tickers).into_iter().map(|ticker| Request::Brc20Token { ticker }));
        requests
    }

    /// Whether further pages of the BRC-20 list may have the coin of a balance.
    pub(in crate::app) fn lacks_token_coins(&self) -> bool {
        self.wallet.holdings().addresses().iter().any(HeldAddress::lacks_coins)
    }

    /// Remembers the deploy inscription of a token's details, or that the indexer doesn't find it. Returns whether it
    /// is new.
    pub(in crate::app) fn add_deploy(&mut self, request: &Request) -> bool {
        let Request::Brc20Token { ticker } = request else { return false };
        let remote = self.responses.brc20_token(request);
        let is_missing = remote.failure().is_some_and(|failure| failure.not_found.is_some());
        let id = match remote.value {
            Some(token) => token.inscription_id.clone(),
            None if is_missing => None,
            None => return false,
        };
        self.wallet.deploys.insert(Text::from(ticker.to_lowercase()), id.clone()) != Some(id)
    }

    /// The newest copy of the coin of bitcoin balances; `None` if it is not loaded, or if simulated data is mixed with real data.
    pub fn bitcoin(&self) -> Option<&Coin> {
        if self.is_partly_simulated() {
            return None;
        }
        self.newest(self.dated_coins().filter(|(_, coin)| portfolio::balance::is_bitcoin(coin)))
    }

    /// The wallet's addresses with their known balances.
    pub(in crate::app) fn known_addresses(&self) -> impl Iterator<Item = KnownAddress<'_>> {
        self.wallet.holdings().addresses().iter().map(|held| held.known(self.lacks(Extension::BitcoinBalances)))
    }

    /// Whether the amounts of the indexer tab's subject are hidden, since it is an address of the wallet.
    pub fn hides_indexer_amounts(&self) -> bool {
        let subject = self.indexer.subject().filter(|_| self.wallet.hides_amounts);
        let Some(Subject::Address(address)) = subject else { return false };
        self.user.current().addresses.iter().any(|known| known.address == address)
    }

    /// Whether a bitcoin balance is waiting for the coin's price.
    pub(in crate::app) fn lacks_bitcoin_price(&self) -> bool {
        let has_bitcoin = |held: &HeldAddress| held.bitcoin.as_ref().is_some_and(|balance| balance.confirmed > 0);
        self.wallet.holdings().addresses().iter().any(has_bitcoin) && self.bitcoin().is_none()
    }

    /// The requests for the balances of all addresses, which the user has agreed to send, and for the coins of BRC-20
    /// tokens.
    pub(in crate::app) fn address_requests(&self) -> Vec<Request> {
        let addresses = self.wallet.holdings().addresses();
        let may_request_bitcoin = self.may_request(Extension::BitcoinBalances);
        let bitcoin = addresses.iter().map(|held| &held.bitcoin_request).filter(|_| may_request_bitcoin);
        let all = addresses.iter().map(|held| &held.request).chain(bitcoin);
        let mut requests: Vec<Request> = all.filter(|request| self.may_send(request)).cloned().collect();
        // A token that the indexer doesn't find is not requested again.
        let is_open = |request: &&Request| {
            self.responses.get(request).failure().is_none_or(|failure| failure.not_found.is_none())
        };
        requests.extend(self.wallet.holdings().costed().tokens.iter().filter(is_open).cloned());
        let list = self.list(Tag::Brc20);
        let page = list.loading_start().filter(|_| self.lacks_token_coins());
        let page = page.map(|start| list.page_request(start, &self.convert));
        requests.extend(page.filter(|page| !requests.contains(page)));
        requests
    }

    /// Values the holdings again. Called after the known coins or live prices have changed.
    pub(in crate::app) fn value_holdings(&mut self) {
        let held = &self.wallet.holdings().costed().holdings;
        let has_address = !self.wallet.holdings().addresses().is_empty();
        if held.is_empty() && !has_address && self.wallet.held_lines() == 0 {
            return;
        }
        let wanted: Vec<Watched> = held.iter().map(|holding| holding.coin.clone()).collect();
        let wanted = ResolvedCoins::of(&wanted);
        let known: Vec<(UtcTime, &Coin)> = self.dated_coins().filter(|(_, coin)| wanted.contains(coin)).collect();
        let coin_of =
            |holding: &Holding| self.newest(known.iter().copied().filter(|(_, coin)| holding.coin.is_coin(coin)));
        let newest = self.newest_update_near(None);
        let coins: HeldCoins = held
            .iter()
            .filter_map(|holding| {
                let coin = coin_of(holding)?;
                let volume_24h = coin.volume_24h.filter(|_| coin.convert == self.convert);
                let is_old = coin.price.is_some() && coin.old_age(newest, self.now).is_some();
                let has_old_price = is_old && self.held_live_price(coin).is_none();
                let (id, name) = (coin.id.clone(), coin.name.clone());
                Some((key(&holding.coin), HeldCoin { id, name, volume_24h, has_old_price }))
            })
            .collect();
        let valuation = self.valuation_of(held, coin_of);
        self.wallet.set_values(valuation, coins);
    }

    /// The values of holdings with the coins that `coin_of` finds.
    pub(in crate::app) fn valuation_of<'a>(
        &'a self,
        held: &[Arc<Holding>],
        coin_of: impl Fn(&Holding) -> Option<&'a Coin>,
    ) -> Valuation {
        let addresses: Vec<KnownAddress<'_>> = self.known_addresses().collect();
        let today = self.preferences.zone.at(self.now).date();
        wallet::value_holdings(held.iter().cloned(), &addresses, self.bitcoin().is_some(), today, |holding| {
            let coin = coin_of(holding).filter(|coin| coin.convert == self.convert)?;
            Some((coin, self.held_live_price(coin).map(|live| live.price)))
        })
    }

    /// The coin of a holding, from the lists or fetched by its id: the newest copy, one in the current currency if
    /// there is any.
    pub fn held_coin(&self, coin: &Watched) -> Option<&Coin> {
        self.newest(self.dated_coins().filter(|(_, known)| coin.is_coin(known)))
    }

    /// [`State::known_coins`], each with the time when it was up to date.
    fn dated_coins(&self) -> impl Iterator<Item = (UtcTime, &Coin)> {
        self.responses.dated_coins_by_id().chain(self.lists.iter().flat_map(|list| list.dated_coins()))
    }

    /// The coins fetched by their ids, which are fresh while the wallet is open, and the coins of all lists.
    pub fn known_coins(&self) -> impl Iterator<Item = &Coin> {
        self.responses.coins_by_id().chain(self.lists.iter().flat_map(|list| list.coins()))
    }

    /// Why a holding has no price, the longest form first; `None` if it has one, isn't held, or if its price may still
    /// arrive.
    pub fn missing_price(&self, holding: &HoldingValue) -> Option<Vec<String>> {
        if holding.price.is_some() || holding.holding.amount.is_zero() {
            return None;
        }
        match self.held_coin(&holding.holding.coin) {
            Some(coin) if coin.convert != self.convert => {
                let other = self.only_currency(holding)?;
                Some(vec![format!("price only in {other}"), format!("only in {other}")])
            }
            Some(coin) if coin.price.is_some() => None,
            Some(coin) => {
                let receipt = self.responses.last_receipt(Group::Market);
                let names = receipt.and_then(|receipt| receipt.provider.as_deref());
                let own = coin.provider.map(|provider| provider.title().to_owned());
                let name = own.or_else(|| names.map(provider::credits));
                let short = String::from("no price");
                Some(name.map(|name| format!("no price from {name}")).into_iter().chain([short]).collect())
            }
            None if self.has_holdings_responses() => {
                Some(["no matching coin", "not matched"].map(String::from).to_vec())
            }
            None => None,
        }
    }

    /// The currency of a holding's price, if the service answered in a currency other than the current one; `None`
    /// while a price in the current one may still arrive.
    pub fn only_currency(&self, holding: &HoldingValue) -> Option<&Currency> {
        if holding.price.is_some() || holding.holding.amount.is_zero() {
            return None;
        }
        let coin = self.held_coin(&holding.holding.coin).filter(|coin| coin.price.is_some())?;
        (coin.convert != self.convert && self.has_holdings_responses()).then_some(&coin.convert)
    }

    /// Whether all requests for the prices of the holdings have a response.
    fn has_holdings_responses(&self) -> bool {
        let is_loaded = |request: &Request| self.responses.get(request).value.is_some();
        !self.lacks_held_coins() && self.holdings_requests().iter().all(is_loaded)
    }

    /// The response with the prices of the holdings: of several, the one that failed or is missing, or else the oldest.
    /// If none of them has an id, the first page of the list while a price is missing; `None` afterwards.
    pub fn holdings_remote(&self) -> Option<Remote<'_, ResponseData>> {
        self.prices_remote().or_else(|| self.holdings_requests().first().map(|request| self.responses.get(request)))
    }

    /// [`State::holdings_remote`], but `None` if no holding has an id.
    fn prices_remote(&self) -> Option<Remote<'_, ResponseData>> {
        let pages = self.holding_pages();
        let requests = self.wallet.holdings().costed().prices.iter().chain(&pages);
        let remotes = requests.map(|request| self.responses.get(request));
        remotes.min_by_key(|remote| (remote.failure().is_none(), remote.updated_at()))
    }

    /// When the price of a held coin was up to date: in the response for its id or, if the service ignores ids, on its
    /// page, or else in [`State::prices_remote`].
    pub(in crate::app) fn held_price_time(&self, id: &CoinId) -> Option<UtcTime> {
        // The ids are sorted.
        let has_id = |request: &&Request| ids_of(request).binary_search(id).is_ok();
        let list = self.list(Tag::All);
        let start = self.ignores_ids().then(|| list.start_of(id)).flatten();
        let page = start.map(|start| self.responses.get(&list.page_request(start, &self.convert)));
        let by_id = || self.wallet.holdings().costed().prices.iter().find(has_id);
        let own = page.or_else(|| by_id().map(|request| self.responses.get(request)));
        own.or_else(|| self.prices_remote())?.updated_at()
    }

    /// The requests for the prices of the holdings: by id, and the first page of all coins if the service has not found
    /// all of them that way; see also [`State::holding_pages`].
    pub(in crate::app) fn holdings_requests(&self) -> Vec<Request> {
        let mut requests = self.wallet.holdings().costed().prices.clone();
        let is_answered = requests
            .iter()
            .map(|request| self.responses.get(request))
            .all(|remote| remote.value.is_some() || remote.failure().is_some());
        let holdings = &self.wallet.holdings().valuation().holdings;
        if is_answered && (holdings.iter().any(|held| held.price.is_none()) || self.lacks_bitcoin_price()) {
            requests.push(self.list(Tag::All).first_request(&self.convert));
        }
        requests.extend(self.holding_pages());
        requests.dedup();
        requests
    }

    /// Whether the service has found none of the held coins by their ids: services other than our own may ignore ids.
    fn ignores_ids(&self) -> bool {
        let [market, _] = &self.preferences.urls;
        let prices = &self.wallet.holdings().costed().prices;
        let is_empty = |request| match self.responses.get(request).value {
            Some(ResponseData::Coins(page)) => page.items.is_empty(),
            _ => false,
        };
        market != EMBEDDED && !prices.is_empty() && prices.iter().all(is_empty)
    }

    /// Whether a further page of the list may have a held coin.
    pub(in crate::app) fn lacks_held_coins(&self) -> bool {
        self.ignores_ids() && !self.list(Tag::All).has_all() && {
            let holdings = self.wallet.holdings();
            let mut held = holdings.valuation().holdings.iter().filter(|held| !held.holding.amount.is_zero());
            held.any(|held| holdings.coin(held).is_none())
        }
    }

    /// The pages of the list with held coins, and the next one while a coin is missing, if the service ignores ids.
    fn holding_pages(&self) -> Vec<Request> {
        if !self.ignores_ids() {
            return Vec::new();
        }
        let list = self.list(Tag::All);
        let mut starts = list.starts_of(&self.wallet.holdings().coins().map(|coin| &coin.id.0).collect());
        starts.extend(list.loading_start().filter(|_| self.lacks_held_coins()));
        starts.into_iter().map(|start| list.page_request(start, &self.convert)).collect()
    }

    /// The requests for the exchange rates on the days of the lots; none if the service doesn't offer them.
    pub(in crate::app) fn rate_requests(&self) -> &[Request] {
        if self.may_request(Extension::Rates) { &self.wallet.holdings().costed().rates } else { &[] }
    }

    /// Whether rates of lots were requested and have not arrived.
    pub fn waits_for_rates(&self) -> bool {
        self.rate_requests().iter().any(|request| {
            let remote = self.responses.get(request);
            remote.value.is_none() && remote.failure().is_none()
        })
    }
}
