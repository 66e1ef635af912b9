//! The prices of BRC-20 tokens in the loaded coins.

use crate::client::{Group, Request};
use crate::model::Tag;
pub use crate::portfolio::TokenPrices;

use super::panel::Panel;
use super::state::State;

impl State {
    /// The prices of BRC-20 tokens in the loaded coins. None while one of the two groups has simulated data and the other
    /// real ones.
    pub fn token_prices(&self) -> TokenPrices<'_> {
        if self.is_partly_simulated() {
            return TokenPrices::default();
        }
        TokenPrices::new(self.list(Tag::Brc20).coins())
    }

    /// Whether one of the two groups has simulated data and the other real ones.
    pub(super) fn is_partly_simulated(&self) -> bool {
        let is_simulated = |group| self.store.last_receipt(group).map(|receipt| receipt.simulated);
        let (market, indexer) = (is_simulated(Group::Market), is_simulated(Group::Indexer));
        market != indexer && market.is_some() && indexer.is_some()
    }

    /// The request for the prices of the tokens, which the BRC-20 list shares; `None` if no panel shows them.
    pub(crate) fn token_prices_request(&self) -> Option<Request> {
        let shows = |panel: &Panel| self.indexer.shows(*panel, self.size);
        let is_visible = [Panel::Tokens, Panel::Details, Panel::Holders, Panel::Balances].iter().any(shows);
        is_visible.then(|| self.list(Tag::Brc20).first_request(&self.convert))
    }
}
