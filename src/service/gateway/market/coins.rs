//! Resolves slugs and symbols to coins, and coins to the ids of a provider.

use std::collections::{HashSet, VecDeque};

use parking_lot::MutexGuard;

use super::failed_lookup::FailedLookup;
use crate::client::NoticeCode;
use crate::format::words::first_names;
use crate::model::{Coin, CoinId, ProviderName, Text};
use crate::service::gateway::Gateway;
use crate::service::gateway::cache::{Failure, MISS_TTL};
use crate::service::gateway::identity::{Identity, UNMATCHED_TTL};
use crate::service::gateway::ticker::exchange::Exchange;
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::{ProviderError, ProviderResponse, joined_notices};
use crate::service::providers::coin_ref::CoinRef;
use crate::service::providers::source::{CoinLookup, FoundCoins, Provider};
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};

/// Maximum requests for a full lookup of symbols: enough for each quarter of them, or to find the one among eight that
/// makes it fail.
const MAX_PARTS: usize = 7;

/// Maximum coins of the same symbol that a notice names.
const MAX_NAMED: usize = 5;

/// A lookup of symbols of which a part failed.
struct PartialLookup {
    failure: Failure,
    /// The symbols whose coins may be missing.
    symbols: HashSet<Text>,
    /// Whether the lookup would need too many requests, so that it would fail again.
    needs_too_many: bool,
}

impl Gateway {
    /// Locks the coin registry.
    pub(in crate::service::gateway) fn identity(&self) -> MutexGuard<'_, Identity> {
        self.0.identity.lock()
    }

    /// The coin of a slug, here or at a provider, if it is known without a request: a built-in coin, or one that was in
    /// an earlier response. `None` if a known coin has the slug as its symbol.
    pub fn known_coin(&self, slug: &str) -> Option<Coin> {
        let identity = self.identity();
        let coin = identity.by_slug(slug).filter(|coin| coin.has_id() && !coin.is_unnamed())?;
        let CoinRef { id, slug: own_slug, name, symbol, .. } = coin;
        let is_symbol = !identity.by_symbol(slug).is_empty();
        (!is_symbol).then(|| Coin { slug: Some(own_slug), ..Coin::new(id, name, symbol) })
    }

    /// Finds the coin of a slug. A coin that no list contained yet is looked up at the providers.
    pub(super) async fn coin_by_slug(&self, slug: &str) -> Result<CoinRef, ProviderError> {
        let mut failure = None;
        // A coin that the user corrected by its slug has no ids yet.
        let known = self.identity().by_slug(slug);
        if let Some(coin) = known.as_ref().filter(|coin| !coin.has_only_slug()) {
            return Ok(coin.clone());
        }
        for name in self.settings().in_use(Operation::Coins) {
            if self.names_lack_slug(name, slug).await {
                continue;
            }
            match self.look_up(name, CoinLookup::Slug(Text::from(slug.to_lowercase()))).await {
                Ok(_) => {
                    if let Some(coin) = self.identity().by_slug(slug).filter(|coin| !coin.has_only_slug()) {
                        return Ok(coin);
                    }
                }
                Err(why) => failure = Some(why),
            }
        }
        match known {
            Some(coin) => Ok(coin),
            // The other service accepts the slug in requests, although it can't look it up.
            None if self.forwards_slugs() => Ok(CoinRef::of_slug(slug)),
            None => Err(self.unknown("slug", slug, failure)),
        }
    }

    /// Whether all data of a coin comes from another satscope service. Other providers could mistake an unknown
    /// slug, or its symbol, for another coin.
    fn forwards_slugs(&self) -> bool {
        let operations = [Operation::Coins, Operation::Chart, Operation::Pairs, Operation::Posts, Operation::Series];
        let settings = self.settings();
        let mut names = operations.into_iter().flat_map(|operation| settings.in_use(operation)).peekable();
        names.peek().is_some() && names.all(ProviderName::is_service)
    }

    /// Finds the coin of a slug and symbol, or only of a symbol if there is no slug.
    pub(super) async fn selected_coin(&self, symbol: &str, slug: Option<&str>) -> Result<CoinRef, ProviderError> {
        let Some(slug) = slug else { return self.coin_by_symbol(symbol).await };
        let coin = self.coin_by_slug(slug).await?;
        let coin = if coin.has_id() { coin } else { self.coin_by_slug_and_symbol(symbol, coin).await };
        // A renamed coin may be requested by its former symbol.
        let is_own = coin.symbol.eq_ignore_ascii_case(symbol) || self.identity().renamed_from(symbol).is_some();
        if is_own {
            Ok(coin)
        } else {
            Err(ProviderError::NotFound(format!("no coin with the symbol \"{symbol}\" has the slug \"{slug}\"")))
        }
    }

    /// Looks up a coin by its symbol and slug. If that fails, returns a coin with only these.
    async fn coin_by_slug_and_symbol(&self, symbol: &str, coin: CoinRef) -> CoinRef {
        // The provider may still have its posts or pairs.
        let _ = self.look_up_symbols(&[Text::from(symbol)]).await;
        let found = self.identity().by_slug(&coin.slug);
        found.unwrap_or_else(|| CoinRef { symbol: Text::from(symbol), ..coin })
    }

    /// Finds the coin of a symbol: a built-in one, or that with the highest market cap.
    pub(super) async fn coin_by_symbol(&self, symbol: &str) -> Result<CoinRef, ProviderError> {
        let coins = self.coins_by_symbol(symbol).await?;
        coins.into_iter().next().ok_or_else(|| self.unknown("symbol", symbol, None))
    }

    /// Adds the notice that several coins use the symbol of one that was requested without its slug.
    pub(super) fn note_shared_symbol<T>(&self, response: &mut ProviderResponse<T>, coin: &CoinRef) {
        let sharing = self.identity().by_symbol(&coin.symbol);
        let others: Vec<Text> =
            sharing.iter().filter(|other| other.id != coin.id).map(|other| other.slug.clone()).collect();
        if sharing.len() > 1 {
            let CoinRef { symbol, name, slug, .. } = coin;
            let (count, others) = (sharing.len(), first_names(&others, MAX_NAMED));
            let sentence = format!("{count} coins use {symbol}; showing {name} ({slug}), not {others}");
            response.notice = joined_notices(response.notice.take(), Some(sentence));
            response.notice_code = Some(NoticeCode::SharedSymbol(vec![slug.clone()]));
        }
    }

    /// Finds all coins of a symbol, in the order of [`Identity::by_symbol`]; at least one.
    pub(super) async fn coins_by_symbol(&self, symbol: &str) -> Result<Vec<CoinRef>, ProviderError> {
        let failure = self.look_up_symbols(&[Text::from(symbol)]).await;
        let found = self.identity().by_symbol(symbol);
        if found.is_empty() { Err(self.unknown("symbol", symbol, failure)) } else { Ok(found) }
    }

    /// Looks up the symbols that no list contained yet, many per request, until each is known to a provider. Returns the
    /// last failure.
    pub(super) async fn look_up_symbols(&self, symbols: &[Text]) -> Option<Failure> {
        let mut failure = None;
        for name in self.settings().in_use(Operation::Coins) {
            let missing: Vec<Text> = {
                let identity = self.identity();
                symbols.iter().filter(|symbol| identity.by_symbol(symbol).is_empty()).cloned().collect()
            };
            if missing.is_empty() {
                break;
            }
            failure = self.look_up_all(name, missing).await.err().map(|failed| failed.failure).or(failure);
        }
        failure
    }

    /// Adds the provider's id to a coin, like [`Gateway::with_native_ids`].
    ///
    /// # Errors
    /// The provider has no matching coin, or the lookup failed.
    pub(super) async fn with_native_id(&self, provider: &Provider, coin: CoinRef) -> SourceResult<CoinRef> {
        let name = coin.name.clone();
        let coin = self.with_native_ids(provider, vec![coin]).await?.pop();
        match provider.coin_ids {
            Some(ids) => {
                coin.filter(|coin| coin.native_id(ids).is_some()).ok_or_else(|| SourceError::no_match(ids, &name))
            }
            None => coin.ok_or_else(SourceError::unsupported),
        }
    }

    /// Adds the provider's ids to coins. If they aren't known yet, the provider's coins of their symbols are looked up,
    /// many per request, and matched by name and market cap. Coins without a match are left unchanged, and not looked
    /// up again for a day, or for ten minutes if that would need too many requests, unless their lookup failed.
    ///
    /// # Errors
    /// No coin has an id, and a lookup failed.
    pub(in crate::service::gateway) async fn with_native_ids(
        &self,
        provider: &Provider,
        coins: Vec<CoinRef>,
    ) -> SourceResult<Vec<CoinRef>> {
        self.with_known_ids(provider, coins).await.map(|(coins, _)| coins)
    }

    /// [`Gateway::with_native_ids`], with the coins that have no id because a lookup failed and may succeed later.
    ///
    /// # Errors
    /// No coin has an id, and a lookup failed.
    pub(super) async fn with_known_ids(
        &self,
        provider: &Provider,
        mut coins: Vec<CoinRef>,
    ) -> SourceResult<(Vec<CoinRef>, Option<FailedLookup>)> {
        let Some(ids) = provider.coin_ids else {
            let coins = match Exchange::of(provider.name) {
                Some(_) => self.with_listings(provider.name, coins).await,
                None if provider.name.is_service() => self.with_names_at(provider.name, coins).await,
                None => coins,
            };
            return Ok((coins, None));
        };
        let now = self.0.time.now();
        let missing: Vec<&CoinRef> = {
            let identity = self.identity();
            let is_missing =
                |coin: &&CoinRef| coin.native_id(ids).is_none() && !identity.is_unmatched(ids, &coin.id, now);
            coins.iter().filter(is_missing).collect()
        };
        if missing.is_empty() {
            return Ok((coins, None));
        }
        let symbols = missing.iter().map(|coin| coin.symbol.clone()).collect();
        let missing: Vec<(CoinId, Text)> =
            missing.into_iter().map(|coin| (coin.id.clone(), coin.symbol.clone())).collect();
        let failed = self.look_up_all(ids, symbols).await.err();
        let has_failed = |symbol: &Text| failed.as_ref().is_some_and(|failed| failed.symbols.contains(symbol));
        let (failed_ids, looked_up): (Vec<_>, Vec<_>) = missing.into_iter().partition(|(_, symbol)| has_failed(symbol));
        let [failed_ids, looked_up] =
            [failed_ids, looked_up].map(|coins| coins.into_iter().map(|(id, _)| id).collect::<Vec<CoinId>>());
        {
            let mut identity = self.identity();
            for coin in &mut coins {
                if let Some(known) = identity.by_id(&coin.id).filter(|known| known.native_id(ids).is_some()) {
                    *coin = known;
                }
            }
            identity.set_unmatched(ids, &looked_up, now, UNMATCHED_TTL);
            if failed.as_ref().is_some_and(|failed| failed.needs_too_many) {
                identity.set_unmatched(ids, &failed_ids, now, MISS_TTL);
            }
        }
        if self.settings().is_command {
            // It may end before they are saved.
            self.save_ids().await;
        }
        let Some(PartialLookup { failure, symbols, needs_too_many }) = failed else { return Ok((coins, None)) };
        let without: Vec<&CoinRef> = coins.iter().filter(|coin| coin.native_id(ids).is_none()).collect();
        match failure {
            Failure::Cancelled => Err(SourceError::new(ErrorClass::Cancelled, "no longer wanted")),
            // The lookup may succeed later; the provider did not fail.
            other if without.len() == coins.len() => {
                let reason = other.reason().map(|reason| format!(" ({reason})")).unwrap_or_default();
                let sentence = format!("Can't look up the coin{reason}");
                Err(SourceError::new(ErrorClass::NotSent, sentence))
            }
            failure @ Failure::Unavailable { .. } if !needs_too_many => {
                let missing = without.into_iter().map(|coin| &coin.symbol).filter(|symbol| symbols.contains(*symbol));
                let missing: Vec<Text> = missing.cloned().collect();
                let failed = (!missing.is_empty()).then(|| FailedLookup::new(missing, failure));
                Ok((coins, failed))
            }
            _ => Ok((coins, None)),
        }
    }

    /// Adds another service's names of the coins. Coins that it has not returned yet are looked up by our ids; unknown
    /// ones keep our names.
    async fn with_names_at(&self, service: ProviderName, coins: Vec<CoinRef>) -> Vec<CoinRef> {
        let missing: Vec<Text> = {
            let identity = self.identity();
            let is_missing = |coin: &&CoinRef| coin.at_service.is_none() && identity.by_id(&coin.id).is_some();
            coins.iter().filter(is_missing).map(|coin| coin.id.0.clone()).collect()
        };
        let has_lists = self.serving(Operation::Coins).any(|provider| provider.name == service);
        if missing.is_empty() || !has_lists || self.fetch_by_id(service, missing).await.is_err() {
            return coins;
        }
        let identity = self.identity();
        coins.into_iter().map(|coin| identity.by_id(&coin.id).unwrap_or(coin)).collect()
    }

    /// Looks up symbols in as few requests as the provider allows. If its response may lack coins, each half of the symbols
    /// is looked up alone.
    ///
    /// # Errors
    /// A request failed, or too many would be needed; the coins of the others are registered.
    async fn look_up_all(&self, name: ProviderName, mut symbols: Vec<Text>) -> Result<(), PartialLookup> {
        let size = self.provider(name).map_or(1, |provider| provider.market.max_symbols()).max(1);
        // Equal requests share a cached response.
        symbols.sort_unstable();
        symbols.dedup();
        let mut parts: VecDeque<&[Text]> = symbols.chunks(size).collect();
        let (mut requests, max_requests) = (0, parts.len() * MAX_PARTS);
        while let Some(part) = parts.pop_front() {
            let needs_too_many = requests == max_requests;
            let outcome = if needs_too_many {
                Err(too_many_requests())
            } else {
                self.look_up(name, CoinLookup::Symbols(part.to_vec())).await
            };
            requests += 1;
            match outcome {
                Ok(is_partial) if is_partial && part.len() > 1 => {
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([first, second]);
                }
                Ok(_) => {}
                Err(failure) => {
                    parts.push_front(part);
                    let symbols = parts.into_iter().flatten().cloned().collect();
                    return Err(PartialLookup { failure, symbols, needs_too_many });
                }
            }
        }
        Ok(())
    }

    /// Fetches a provider's coins of a slug or of symbols and registers their ids. Returns whether there may be more coins.
    async fn look_up(&self, name: ProviderName, lookup: CoinLookup) -> Result<bool, Failure> {
        let key = Key::new(Operation::Details, format!("{name} {lookup:?}"));
        let gateway = self.clone();
        let fetched = self.get_or_fetch_from(Some(name), key, move |provider| {
            let (lookup, gateway) = (lookup.clone(), gateway.clone());
            async move {
                let FoundCoins { mut coins, is_partial } = provider.market.find(&lookup).await?;
                let own_ids = provider.name.is_service().then_some(provider.name);
                if let Some(ids) = provider.coin_ids.or(own_ids) {
                    gateway.remove_unrequested(provider.name, &mut coins, |coin| match &lookup {
                        CoinLookup::Slug(slug) => coin.slug.as_ref().unwrap_or(&coin.id.0).eq_ignore_ascii_case(slug),
                        CoinLookup::Symbols(all) => all.iter().any(|one| one.eq_ignore_ascii_case(&coin.symbol)),
                    });
                    gateway.add_market_caps(ids, &coins).await;
                    gateway.assign_ids(ids, &mut coins);
                    gateway.cache_ranges(&provider, &coins);
                    // Ours may be another one.
                    if let (CoinLookup::Slug(slug), [coin]) = (&lookup, coins.as_slice()) {
                        gateway.identity().add_slug(slug, &coin.id);
                    }
                }
                Ok(FoundCoins { coins, is_partial })
            }
        });
        fetched.await.map(|found| found.value.is_partial)
    }
}

fn too_many_requests() -> Failure {
    let reason = String::from("Too many requests needed");
    Failure::Unavailable { reason, retry_after: Some(MISS_TTL), must_wait: false }
}
