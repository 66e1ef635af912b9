//! The values of the wallet's lots.

use crate::client::{Answer, Request};
use crate::model::{Coin, CoinId, Tag};
use crate::portfolio::{self, CostMethod, PastRates, Quote, Valuation};
use crate::user_data::watchlist::{ResolvedCoins, Watched};

use super::state::State;
use super::store::Remote;

/// Maximum ids of a request.
const MAX_IDS: usize = 200;

impl State {
    /// Values the wallet's lots again. Called after the lots, the known coins or the currency have changed.
    pub(super) fn value_holdings(&mut self) {
        let lots = self.user.current().lots;
        if lots.is_empty() && self.wallet.holdings().lots().is_empty() {
            return;
        }
        let rates = PastRates::new(&self.convert, self.store.past_rates_of_all());
        let rate = |currency: &_, date| rates.rate(currency, date);
        let holdings = portfolio::holdings(&lots, CostMethod::default(), &rate);
        let wanted: Vec<Watched> = holdings.iter().map(|holding| holding.coin.clone()).collect();
        let wanted = ResolvedCoins::of(&wanted);
        let known: Vec<&Coin> = self.known_coins().filter(|coin| wanted.contains(coin)).collect();
        let valuation = Valuation::new(holdings, |holding| {
            let coin = known.iter().find(|coin| coin.convert == self.convert && holding.coin.is_coin(coin));
            coin.map_or_else(Quote::default, |coin| {
                let live = self.held_live_price(coin).map(|live| live.price);
                Quote { price: live.or(coin.price), change_24h_pct: coin.change_24h_pct }
            })
        });
        let needed = portfolio::rates::needed(&lots, &self.convert);
        let request = |(days, from)| Request::PastRates { days, from, to: self.convert.clone() };
        let needed = needed.into_iter().map(request).collect();
        self.wallet.hold(lots, valuation, needed);
    }

    /// The coin of a holding, from the lists or fetched by its id; one in the current currency if there is any.
    pub fn held_coin(&self, coin: &Watched) -> Option<&Coin> {
        let mut known = self.known_coins().filter(|known| coin.is_coin(known));
        let first = known.next()?;
        let is_current = |coin: &&Coin| coin.convert == self.convert;
        Some(if is_current(&first) { first } else { known.find(is_current).unwrap_or(first) })
    }

    /// The coins fetched by their ids, which are fresh while the wallet is open, and those of all lists.
    pub(super) fn known_coins(&self) -> impl Iterator<Item = &Coin> {
        self.store.coins_by_id().chain(self.lists.iter().flat_map(|list| list.coins()))
    }

    /// The response with the prices of the holdings; `None` if none of them has an id.
    pub fn holdings_remote(&self) -> Option<Remote<'_, Answer>> {
        self.holdings_requests().first().map(|request| self.store.get(request))
    }

    /// The requests for the prices of the holdings: by id, and the first page of all coins if the service has not found
    /// all of them that way.
    pub(super) fn holdings_requests(&self) -> Vec<Request> {
        let holdings = &self.wallet.holdings().valuation().holdings;
        let mut ids: Vec<CoinId> =
            holdings.iter().filter_map(|held| held.holding.coin.id.clone().map(CoinId)).collect();
        ids.sort_unstable();
        ids.truncate(MAX_IDS);
        let mut requests: Vec<Request> = self.by_id(ids).into_iter().collect();
        let is_answered = requests.iter().all(|request| {
            let remote = self.store.get(request);
            remote.value.is_some() || remote.failure().is_some()
        });
        if is_answered && holdings.iter().any(|held| held.price.is_none()) {
            requests.push(self.list(Tag::All).first_request(&self.convert));
        }
        requests
    }

    /// The requests for the exchange rates on the days of the lots; none if the service doesn't offer them.
    pub(super) fn rate_requests(&self) -> &[Request] {
        if self.lacks_rates { &[] } else { self.wallet.holdings().needed_rates() }
    }

    /// Whether rates of lots were requested and have not arrived.
    pub fn waits_for_rates(&self) -> bool {
        self.rate_requests().iter().any(|request| {
            let remote = self.store.get(request);
            remote.value.is_none() && remote.failure().is_none()
        })
    }
}
