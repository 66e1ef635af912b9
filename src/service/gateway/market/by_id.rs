//! Coins by id.

mod found;

use std::collections::HashMap;

use tokio::time::Instant;

use self::found::Found;
use super::currency::convert_coin;
use crate::client::NoticeCode;
use crate::model::{Coin, CoinId, CoinName, Currency, Page, ProviderName, Text};
use crate::service::call::{is_manual, with_alternative};
use crate::service::gateway::Gateway;
use crate::service::gateway::availability::is_slow;
use crate::service::gateway::cache::Failure;
use crate::service::gateway::identity::UNMATCHED_TTL;
use crate::service::gateway::stored::{CachedValue, STALE_FRESH_FOR, Stored};
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::{ProviderResponse, ProviderResult, joined_notices};
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::source::{CoinSlice, Provider};
use crate::service::upstream::error::SourceError;

impl Gateway {
    /// The coins in the order of ids: from the cached lists, else from the first provider that has their current prices;
    /// with old prices, or without, if none has. Unknown ids are left out.
    ///
    /// # Errors
    /// No coin was found, and a provider failed.
    pub(super) async fn coins_with_ids(&self, ids: &[CoinId], convert: &Currency) -> ProviderResult<Page<Coin>> {
        let (response, rate) = tokio::try_join!(self.coins_in_dollars(ids), self.rate_or_dollars(convert))?;
        let mut response = if response.provider.is_some() { rate.note_in(response) } else { response };
        response.data.items.iter_mut().for_each(|coin| convert_coin(coin, &rate));
        Ok(response)
    }

    /// The coins in dollars.
    async fn coins_in_dollars(&self, ids: &[CoinId]) -> ProviderResult<Page<Coin>> {
        let began = Instant::now();
        let mut found = Found::at(self.0.time.now());
        let pages = self.cached_pages();
        let is_usable = |page: &&Stored<CoinSlice>| {
            if is_manual() {
                page.refresh_error.is_none() && page.age() < self.min_refresh_age(page.fresh_for)
            } else {
                page.is_up_to_date()
            }
        };
        found.add_from(pages.iter().filter(is_usable), ids);
        let mut failure = None;
        let providers: Vec<Provider> = self.serving(Operation::Coins).cloned().collect();
        for provider in &providers {
            let has_alternative = self.has_alternative(provider.name, Operation::Coins);
            let adding = self.add_by_native_id(provider.name, ids, &mut found);
            failure = more_telling(failure, with_alternative(has_alternative, adding).await.err());
        }
        // Providers whose ids of the missing coins aren't known yet.
        for provider in &providers {
            if self.match_missing(provider, ids, &found).await {
                let error = self.add_by_native_id(provider.name, ids, &mut found).await.err();
                failure = more_telling(failure, error);
            }
        }
        self.identity().set_wanted(ids);
        self.save_ids().await;
        let why_missing = failure.as_ref().and_then(|failure| found.add_without_refresh(&pages, ids, failure));
        let is_partial = failure.is_some() && ids.iter().any(|id| !found.coins.contains_key(id));
        let old_prices = found.add_without_price(ids);
        let (notice, code) = match failure {
            Some(_) => (why_missing, None),
            None => self.change_notice(ids, &found),
        };
        let notice = joined_notices(notice, old_prices);
        let Found { mut coins, oldest, providers, refresh_error, not_refreshed, rest, .. } = found;
        let items: Vec<Coin> = ids.iter().filter_map(|id| coins.remove(id)).collect();
        let page = Page { total: Some(items.len() as u64), items };
        match (oldest, failure) {
            (Some(oldest), _) => {
                let mut response = oldest.response(page).with_others(providers);
                response.refresh_error = refresh_error.map(|reason| reason.to_string());
                response.not_refreshed = not_refreshed.map(|reason| reason.to_string());
                if is_partial || response.refresh_error.is_some() {
                    response.fresh_for = rest.unwrap_or(STALE_FRESH_FOR);
                }
                response.notice = joined_notices(response.notice, notice);
                response.notice_code = code.or(response.notice_code);
                self.add_details(&mut response, began).await;
                Ok(response)
            }
            (None, Some(failure @ Failure::Unavailable { .. })) => Err(failure.into_error()),
            (None, _) => {
                let none = ProviderResponse::new(page, self.0.time.now(), Operation::Coins.fresh_for());
                Ok(ProviderResponse { notice, notice_code: code, ..none })
            }
        }
    }

    /// Adds the missing coins whose ids at a provider are known, unless a new list of the provider has no current price
    /// of them.
    async fn add_by_native_id(&self, name: ProviderName, ids: &[CoinId], found: &mut Found) -> Result<(), Failure> {
        let wanted: Vec<(&CoinId, Text)> = {
            let identity = self.identity();
            let missing = ids.iter().filter(|id| !found.coins.contains_key(*id) && !found.lacks_price(id, name));
            missing.filter_map(|id| Some((id, identity.native_id(name, id)?))).collect()
        };
        if wanted.is_empty() {
            return Ok(());
        }
        let stored = self.fetch_by_id(name, wanted.iter().map(|(_, native)| native.clone()).collect()).await?;
        let identity = self.identity();
        // By the provider's own id: ours may have changed since the client learned it.
        let native = |coin: &Coin| identity.native_id(name, &coin.id);
        // The first row of a coin, as in lists.
        let by_native: HashMap<Text, &Coin> =
            stored.value.iter().rev().filter_map(|coin| Some((native(coin)?, coin))).collect();
        for (id, native) in wanted {
            if let Some(coin) = by_native.get(&native) {
                found.add(id, coin, &stored);
                found.note_rest(stored.rest());
            }
        }
        Ok(())
    }

    /// Looks up the ids of the missing known coins at a provider that has none for them. Returns whether any was found.
    async fn match_missing(&self, provider: &Provider, ids: &[CoinId], found: &Found) -> bool {
        let Some(native_of) = provider.coin_ids else { return false };
        let now = self.0.time.now();
        let missing: Vec<CoinRef> = {
            let identity = self.identity();
            let missing = ids.iter().filter(|id| !found.coins.contains_key(*id));
            let known = missing.filter_map(|id| identity.by_id(id));
            let can_match = |coin: &CoinRef| {
                coin.native_id(native_of).is_none()
                    && coin.market_cap.is_some()
                    && !identity.is_unmatched(native_of, &coin.id, now)
            };
            known.filter(can_match).collect()
        };
        let is_usable = self.is_available(provider, Operation::Coins) && !is_slow(provider, Operation::Coins);
        if missing.is_empty() || !is_usable {
            return false;
        }
        let has_id = |coin: &CoinRef| coin.native_id(native_of).is_some();
        if provider.market.has_id_filter() {
            return self.with_native_ids(provider, missing).await.is_ok_and(|coins| coins.iter().any(has_id));
        }
        // If it has them, they are in its list of all coins.
        if self.fetch_by_id(provider.name, Vec::new()).await.is_err() {
            return false;
        }
        let missing: Vec<CoinId> = missing.into_iter().map(|coin| coin.id).collect();
        let mut identity = self.identity();
        identity.set_unmatched(native_of, &missing, now, UNMATCHED_TTL);
        missing.iter().filter_map(|id| identity.by_id(id)).any(|coin| has_id(&coin))
    }

    /// Reports renamed coins, and known ones that no provider lists any more, although all responded.
    fn change_notice(&self, ids: &[CoinId], found: &Found) -> (Option<String>, Option<NoticeCode>) {
        let (identity, now) = (self.identity(), self.0.time.now());
        let mut code = None;
        let sentence = |id: &CoinId| {
            if found.coins.contains_key(id) {
                identity.renaming(id, now)
            } else {
                let name = identity.by_id(id)?.name;
                code = Some(NoticeCode::NotListed);
                Some(format!("{name} is not listed by any provider"))
            }
        };
        let sentences: Vec<String> = ids.iter().filter_map(sentence).collect();
        ((!sentences.is_empty()).then(|| sentences.join("; ")), code)
    }

    /// Fetches coins by a provider's own ids. The result may contain other known coins, too.
    pub(super) async fn fetch_by_id(
        &self,
        name: ProviderName,
        mut ids: Vec<Text>,
    ) -> Result<Stored<Vec<Coin>>, Failure> {
        ids.sort_unstable();
        let has_filter = self.serving(Operation::Coins).any(|it| it.name == name && it.market.has_id_filter());
        let key = if has_filter {
            Key::new(Operation::Coins, format!("ids {name} {}", ids.join(",")))
        } else {
            // One download for all ids.
            Key::new(Operation::Coins, format!("all of {name}"))
        };
        let is_first = self.serving(Operation::Coins).next().is_some_and(|first| first.name == name);
        let gateway = self.clone();
        let fetched = self.get_or_fetch_from(Some(name), key, move |provider| {
            let (ids, gateway) = (ids.clone(), gateway.clone());
            async move {
                let mut coins = provider.market.coins_by_id(&ids).await?;
                if coins.is_empty() && !has_filter {
                    return Err(SourceError::empty("list"));
                }
                if has_filter {
                    gateway.remove_unrequested(provider.name, &mut coins, |coin| ids.contains(&coin.id.0));
                }
                gateway.add_market_caps(provider.name, &coins).await;
                if has_filter || is_first {
                    gateway.assign_ids(provider.name, &mut coins);
                } else {
                    gateway.assign_known_ids(provider.name, &mut coins, &ids);
                }
                // A download of all coins is too large for this.
                if has_filter {
                    gateway.cache_ranges(&provider, &coins);
                }
                Ok(coins)
            }
        });
        fetched.await
    }
}

/// The failure that says more: the first one, unless it only says that the coins are unknown there.
fn more_telling(first: Option<Failure>, next: Option<Failure>) -> Option<Failure> {
    match (first, next) {
        (Some(Failure::NotFound(_)), Some(next)) => Some(next),
        (first, next) => first.or(next),
    }
}

impl CachedValue for Vec<CoinName> {
    fn weight(&self) -> usize {
        self.len() * size_of::<CoinName>()
    }
}
