//! The coins fetched by id.

use crate::client::{Request, ResponseData};
use crate::model::{Coin, CoinId, Page, UtcTime};

use super::{Entry, Responses};

impl Responses {
    /// The newest copy of a coin among those fetched by id, in any currency.
    pub fn coin_by_id(&self, id: &CoinId) -> Option<&Coin> {
        self.coins_by_id().find(|coin| coin.id == *id)
    }

    /// Whether a complete response to a request for coins by id lacks this one.
    pub(in crate::app) fn lacks_coin(&self, id: &CoinId) -> bool {
        let requests_it = |request: &Request| matches!(request, Request::CoinsById { ids, .. } if ids.contains(id));
        let mut complete = self.entries.iter().filter(|(request, entry)| requests_it(request) && entry.has_all_coins());
        let lacks_it = |page: &Page<Coin>| page.items.iter().all(|coin| coin.id != *id);
        complete
            .any(|(_, entry)| matches!(entry.response.as_deref(), Some(ResponseData::Coins(page)) if lacks_it(page)))
    }

    /// See [`Entry::has_all_coins`].
    pub(in crate::app) fn has_all_coins(&self, request: &Request) -> bool {
        self.entries.get(request).is_some_and(Entry::has_all_coins)
    }

    /// All coins fetched by id, newest first.
    pub fn coins_by_id(&self) -> impl Iterator<Item = &Coin> {
        self.dated_coins_by_id().map(|(_, coin)| coin)
    }

    /// [`Responses::coins_by_id`], each with the time when it was up to date.
    pub(in crate::app) fn dated_coins_by_id(&self) -> impl Iterator<Item = (UtcTime, &Coin)> {
        let is_by_id = |request: &Request| matches!(request, Request::CoinsById { .. });
        let pages = self.entries.iter().filter(|(request, _)| is_by_id(request)).filter_map(|(_, entry)| {
            match (entry.response.as_deref()?, &entry.receipt) {
                (ResponseData::Coins(page), Some(receipt)) => Some((receipt.updated_at(), page)),
                _ => None,
            }
        });
        let mut pages: Vec<_> = pages.collect();
        pages.sort_by_key(|&(at, _)| std::cmp::Reverse(at));
        pages.into_iter().flat_map(|(at, page)| page.items.iter().map(move |coin| (at, coin)))
    }
}
