//! The change of the wallet's value, for the rules about it.

use crate::alerts::needs::{MAX_SLOW_DATA_AGE, is_balance};
use crate::alerts::wallet::{WalletChange, day_change};
use crate::client::Request;
use crate::model::{Tag, Text};
use crate::portfolio::Unvalued;

use crate::app::extension::Extension;
use crate::app::screen::wallet::holdings::HeldAddress;
use crate::app::state::State;

impl State {
    /// The change of the wallet's value over 24 hours, or why it is unknown in a few words.
    pub(in crate::app) fn wallet_change(&self) -> Result<WalletChange, String> {
        let holdings = self.wallet.holdings();
        if let Some(address) = holdings.addresses().iter().find(|address| address.tokens.is_none()) {
            return Err(format!("no balances for {}", address.name()));
        }
        // Without the bitcoin of an address, the change would cover only the tokens.
        let is_requested =
            |address: &&HeldAddress| !self.lacks(Extension::BitcoinBalances) && self.may_send(&address.bitcoin_request);
        let is_unknown = |address: &&HeldAddress| address.bitcoin.is_none() && is_requested(address);
        if let Some(address) = holdings.addresses().iter().find(is_unknown) {
            return Err(format!("no bitcoin balance for {}", address.name()));
        }
        let is_loaded = self.has_holdings_prices();
        if self.lacks_bitcoin_price() && (!is_loaded || self.is_partly_simulated()) {
            return Err(String::from("no price for BTC"));
        }
        let tokens = holdings.addresses().iter().flat_map(|address| address.tokens.iter().flatten());
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
        let tokens: Vec<Unvalued> = tokens.filter_map(|token| token.problem(is_requested)).collect();
        let prices = prices.iter().filter_map(updated_at).min().or_else(|| updated_at(&list));
        // Balances are refreshed less often than prices.
        let balances = balances.iter().filter_map(updated_at).min().map(|at| at.plus(MAX_SLOW_DATA_AGE));
        let at = prices.map(|at| balances.map_or(at, |balances| balances.min(at)));
        day_change(holdings.valuation(), tokens, at, is_loaded, self.has_simulated_wallet())
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
