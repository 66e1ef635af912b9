//! The wallet's value and its change, for the rules about it.

use crate::alerts::needs::is_balance;
use crate::alerts::wallet::{LoadedWallet, WalletValues, price_in, price_requests};
use crate::client::Request;
use crate::model::{CoinId, Currency, Tag, Text};
use crate::portfolio::HoldingValue;
use crate::portfolio::wallet::{self, KnownAddress};

use crate::app::extension::Extension;
use crate::app::screen::wallet::holdings::HeldAddress;
use crate::app::state::State;

impl State {
    /// The change of the wallet's value over 24 hours, and the value in these currencies.
    pub(in crate::app) fn wallet_values(&self, currencies: Vec<Currency>) -> WalletValues {
        let holdings = self.wallet.holdings();
        let lacks_bitcoin =
            |held: &HeldAddress| self.lacks(Extension::BitcoinBalances) || !self.may_send(&held.bitcoin_request);
        let addresses: Vec<KnownAddress<'_>> =
            holdings.addresses().iter().map(|held| held.known(lacks_bitcoin(held))).collect();
        let updated_at = |request: &Request| self.responses.get(request).updated_at();
        let (balances, prices): (Vec<Request>, Vec<Request>) =
            self.address_requests().into_iter().chain(self.holdings_requests()).partition(is_balance);
        let list = self.list(Tag::All).first_request(&self.convert);
        let is_requested = |ticker: &Text| {
            let request = Request::Brc20Token { ticker: ticker.clone() };
            let is_missing =
                self.responses.get(&request).failure().is_some_and(|failure| failure.error.is_not_offered());
            !is_missing && prices.contains(&request)
        };
        let (costed, today) = (holdings.costed(), self.preferences.zone.at(self.now).date());
        let own_costs = wallet::without_converted_costs(&costed.holdings, &costed.lots, today, &self.convert);
        let valuation = own_costs.map(|held| self.valuation_of(&held, |holding| self.held_coin(&holding.coin)));
        let wallet = LoadedWallet {
            addresses: &addresses,
            valuation: valuation.as_ref().unwrap_or(holdings.valuation()),
            convert: &self.convert,
            knows_bitcoin: self.bitcoin().is_some(),
            prices_at: prices.iter().filter_map(updated_at).min().or_else(|| updated_at(&list)),
            balances_at: balances.iter().filter_map(updated_at).min(),
            has_all_prices: self.has_holdings_prices(),
            is_simulated: self.has_simulated_wallet(),
            is_partly_simulated: self.is_partly_simulated(),
        };
        let other: Vec<(Currency, Vec<Request>)> =
            self.other_currencies(&currencies).map(|other| (other.clone(), self.price_requests_in(other))).collect();
        let price = |held: &HoldingValue, currency: &Currency| {
            let (_, requests) = other.iter().find(|(known, _)| known == currency)?;
            price_in(requests, &self.id_of(held)?, |request| {
                let remote = self.responses.get(request);
                Some((remote.value?, remote.updated_at()?))
            })
        };
        WalletValues::new(&wallet, currencies, is_requested, price)
    }

    /// The requests for the prices of held coins in the other ones of these currencies.
    pub(in crate::app) fn other_price_requests(&self, currencies: &[Currency]) -> Vec<Request> {
        self.other_currencies(currencies).flat_map(|other| self.price_requests_in(other)).collect()
    }

    fn other_currencies<'a>(&'a self, currencies: &'a [Currency]) -> impl Iterator<Item = &'a Currency> {
        currencies.iter().filter(|currency| **currency != self.convert)
    }

    fn price_requests_in(&self, currency: &Currency) -> Vec<Request> {
        let holdings = self.wallet.holdings().valuation().holdings.iter();
        let priced = holdings.filter(|held| held.price.is_some() && !held.holding.amount.is_zero());
        price_requests(priced.filter_map(|held| self.id_of(held)).collect(), currency)
    }

    /// The ID of a held coin, if it is known.
    fn id_of(&self, held: &HoldingValue) -> Option<CoinId> {
        self.wallet.holdings().coin(held).map(|coin| coin.id.clone())
    }

    /// Whether all prices of the holdings have arrived, so that a missing one doesn't exist.
    fn has_holdings_prices(&self) -> bool {
        let is_answered = |request: &Request| {
            let remote = self.responses.get(request);
            let is_optional = !matches!(request, Request::Coins { start: ..=1, .. });
            let is_whole = remote.value.is_some() && remote.entry.is_none_or(|entry| !entry.abridged);
            is_whole || is_optional && remote.failure().is_some_and(|failure| failure.error.is_not_offered())
        };
        let tokens = self.address_requests().into_iter().filter(|request| !is_balance(request));
        tokens.chain(self.holdings_requests()).all(|request| is_answered(&request))
    }
}
