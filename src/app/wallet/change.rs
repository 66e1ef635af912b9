//! The change of the wallet's value, for the rules about it.

use crate::alerts::needs::is_balance;
use crate::alerts::wallet::{LoadedWallet, UnknownChange, WalletChange, day_change};
use crate::client::Request;
use crate::model::{Tag, Text};
use crate::portfolio::wallet::{self, KnownAddress};

use crate::app::extension::Extension;
use crate::app::screen::wallet::holdings::HeldAddress;
use crate::app::state::State;

impl State {
    /// The change of the wallet's value over 24 hours, or why it is unknown.
    pub(in crate::app) fn wallet_change(&self) -> Result<WalletChange, UnknownChange> {
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
            knows_bitcoin: self.bitcoin().is_some(),
            prices_at: prices.iter().filter_map(updated_at).min().or_else(|| updated_at(&list)),
            balances_at: balances.iter().filter_map(updated_at).min(),
            has_all_prices: self.has_holdings_prices(),
            is_simulated: self.has_simulated_wallet(),
            is_partly_simulated: self.is_partly_simulated(),
        };
        day_change(&wallet, is_requested)
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
