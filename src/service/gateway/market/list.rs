//! Lists of coins, assembled from upstream pages of a fixed size.

mod replace;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::format::words::in_sentence;
use crate::model::{Coin, Page, ProviderName, Tag};
use crate::service::gateway::Gateway;
use crate::service::gateway::cache::Failure;
use crate::service::gateway::stored::{CachedValue, Stored};
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::{ProviderResult, joined_notices, partial_notice};
use crate::service::providers::source::{CoinSlice, Provider};
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::load::Load;

/// Coins per upstream page.
pub(super) const PAGE: usize = 250;

/// Maximum upstream pages of one list.
pub(super) const PAGES: usize = 40;

/// Maximum renamed coins in a notice.
const MAX_RENAMED: usize = 3;

impl Gateway {
    /// Returns a slice of a list. If a later page of it fails, the list of the next provider that has this page.
    pub(super) async fn list(&self, tag: Tag, offset: usize, limit: usize) -> ProviderResult<Page<Coin>> {
        let operation = if tag == Tag::All { Operation::Coins } else { Operation::Tagged };
        if let Some(known) = self.known_end(operation, tag).filter(|known| offset >= known.value.0) {
            return Ok(known.response(Page { items: Vec::new(), total: Some(known.value.0 as u64) }));
        }
        let (began, range) = (Instant::now(), offset..offset.saturating_add(limit));
        let mut rows = self.rows(operation, tag, range.clone()).await;
        if let Some((page, failure)) = &rows.failure
            && self.replace_list(operation, tag, *page, failure, began).await
        {
            rows = self.rows(operation, tag, range).await;
        }
        self.save_ids().await;
        let Rows { mut items, providers, total, oldest, refresh_error, not_refreshed, retry_after, failure } = rows;
        let failure = failure.map(|(_, failure)| failure);
        match (oldest, failure) {
            (None, Some(failure)) => Err(failure.into_error()),
            (Some(_), Some(failure)) if items.is_empty() => Err(failure.into_error()),
            (Some(oldest), failure) => {
                if providers.iter().all(|name| *name == oldest.origin()) {
                    // The response says it.
                    items.iter_mut().for_each(|coin| coin.provider = None);
                }
                let mut response = oldest.response(Page { items, total }).with_others(providers);
                response.refresh_error = refresh_error.map(|reason| reason.to_string());
                response.not_refreshed = not_refreshed.map(|reason| reason.to_string());
                response.fresh_for = response.fresh_for.min(retry_after);
                let notice = joined_notices(response.notice, self.rename_notice(&response.data.items));
                // The available rows haven't failed.
                let missing = failure.and_then(Failure::reason).map(|reason| {
                    let (loaded, total) = (response.data.items.len(), total.map(usize::try_from));
                    match total {
                        Some(Ok(total)) => {
                            partial_notice(loaded, limit.min(total.saturating_sub(offset)), "coins", &reason)
                        }
                        _ => format!("Only {loaded} coins loaded: {}", in_sentence(&reason)),
                    }
                });
                response.notice = joined_notices(missing, notice);
                Ok(response)
            }
            (None, None) => Err(Failure::NotFound(String::from("an empty page")).into_error()),
        }
    }

    /// The rows of a list in a range, up to the first page that fails. All pages come from the provider of the first.
    async fn rows(&self, operation: Operation, tag: Tag, Range { start: offset, end }: Range<usize>) -> Rows {
        let (mut rows, mut seen, mut of) = (Rows::default(), HashSet::new(), None);
        for page in (offset / PAGE..end.div_ceil(PAGE)).take(PAGES) {
            let stored = match self.page(operation, tag, page, of).await {
                Ok(stored) => stored,
                // Return the rows so far; the next request tries the rest again.
                Err(failure) => {
                    rows.retry_after = rows.retry_after.min(failure.wait());
                    rows.failure = Some((page, failure));
                    break;
                }
            };
            of = Some(stored.provider);
            let slice = &stored.value;
            let part = offset.max(slice.offset) - slice.offset..end.saturating_sub(slice.offset).min(slice.coins.len());
            let part = slice.coins.get(part).unwrap_or_default();
            // Pages of different ages may both contain a coin whose rank has changed.
            let new = part.iter().filter(|coin| seen.insert(coin.id.clone()));
            rows.items.extend(
                new.map(|coin| Coin { provider: coin.provider.or_else(|| Some(stored.origin())), ..coin.clone() }),
            );
            rows.providers.extend(stored.origins());
            rows.refresh_error = rows.refresh_error.take().or_else(|| stored.refresh_error.clone());
            rows.not_refreshed = rows.not_refreshed.take().or_else(|| stored.not_refreshed.clone());
            rows.retry_after = rows.retry_after.min(stored.rest());
            let is_end = slice.is_end;
            let counted = is_end.then(|| (slice.offset + slice.coins.len()) as u64);
            rows.total = slice.total.or(counted).or(rows.total);
            if rows.oldest.as_ref().is_none_or(|oldest| stored.is_older_than(oldest)) {
                rows.oldest = Some(stored);
            }
            if is_end {
                break;
            }
        }
        rows
    }

    /// The first renamed coins of a list.
    fn rename_notice(&self, coins: &[Coin]) -> Option<String> {
        let (identity, now) = (self.identity(), self.0.time.now());
        let renamed = coins.iter().filter_map(|coin| identity.renaming(&coin.id, now));
        let sentences: Vec<String> = renamed.take(MAX_RENAMED).collect();
        (!sentences.is_empty()).then(|| sentences.join("; "))
    }

    /// Returns an upstream page of a list. Providers rank coins differently, so later pages come from the provider of
    /// the page before, `of`, or of the first one if that is not known: it may have been refreshed in the meantime.
    pub(super) async fn page(
        &self,
        operation: Operation,
        tag: Tag,
        page: usize,
        of: Option<ProviderName>,
    ) -> Result<Stored<CoinSlice>, Failure> {
        let serves = |name: &ProviderName| self.serving(operation).any(|provider| provider.name == *name);
        let of = match page {
            0 => self.replacement(operation, tag),
            _ => of.filter(serves).or_else(|| self.provider_of_list(operation, tag)),
        };
        let found = self.page_of(operation, tag, page, of, key(operation, tag, page, of)).await;
        match found {
            Err(_) if page == 0 && of.is_some() => {
                self.page_of(operation, tag, 0, None, key(operation, tag, 0, None)).await
            }
            found => found,
        }
    }

    /// Returns an upstream page of a list from one provider, or from any.
    async fn page_of(
        &self,
        operation: Operation,
        tag: Tag,
        page: usize,
        of: Option<ProviderName>,
        requested: Key,
    ) -> Result<Stored<CoinSlice>, Failure> {
        let gateway = self.clone();
        self.get_or_fetch_from(of, requested.clone(), move |provider| {
            let (gateway, requested) = (gateway.clone(), requested.clone());
            async move {
                let coins = provider.market.coins(tag, page * PAGE, PAGE).await;
                // Later pages may be beyond the end.
                let mut slice =
                    coins.map_err(|error| if page == 0 { error.for_required("Coin list") } else { error })?;
                // It would hide the last list for as long as it is cached.
                if page == 0 && slice.coins.is_empty() {
                    return Err(SourceError::empty("list"));
                }
                // Later pages may consist of coins that are not traded.
                if slice.offset == 0 {
                    check_prices(&slice.coins)?;
                }
                slice.coins.truncate(PAGE * PAGES);
                gateway.add_market_caps(provider.name, &slice.coins).await;
                if gateway.assign_ids(provider.name, &mut slice.coins) {
                    return Err(SourceError::unexpected_format("most prices jumped more than 10x"));
                }
                gateway.note_end(operation, tag, &provider, &slice);
                if slice.coins.len() <= PAGE {
                    return Ok(slice);
                }
                // A provider without pagination returns the whole list.
                let fresh_for = operation.fresh_for().max(provider.fresh_at_least);
                let all = split(slice);
                for (at, part) in all.iter().enumerate() {
                    let key = key(operation, tag, at, Some(provider.name));
                    // The first page may be requested from one provider only.
                    if key != requested && (at > 0 || page > 0) {
                        gateway.cache_value(key, provider.name, fresh_for, part.clone());
                    }
                }
                Ok(all.into_iter().nth(page).unwrap_or_else(|| empty_page(page)))
            }
        })
        .await
    }

    /// The cached first page of a list.
    fn first_page(&self, operation: Operation, tag: Tag) -> Option<Stored<CoinSlice>> {
        self.0.cache.get_as(&key(operation, tag, 0, None))
    }

    /// The provider of a list's cached first page, unless it no longer serves lists.
    fn provider_of_list(&self, operation: Operation, tag: Tag) -> Option<ProviderName> {
        let name = self.first_page(operation, tag)?.provider;
        self.serving(operation).any(|provider| provider.name == name).then_some(name)
    }

    /// The end of a list, if known from a recent page.
    fn known_end(&self, operation: Operation, tag: Tag) -> Option<Stored<ListEnd>> {
        let known = self.0.cache.get_as::<ListEnd>(&end_key(operation, tag))?;
        let is_of_list = self.provider_of_list(operation, tag).is_none_or(|name| name == known.provider);
        (is_of_list && known.is_fresh(None) && !self.is_outdated(&known, operation)).then_some(known)
    }

    /// Remembers the end of a list, so that no further page is requested. Pages of lists other than the cached one don't
    /// count, and neither does the end of a page whose last rows may be missing.
    fn note_end(&self, operation: Operation, tag: Tag, provider: &Provider, slice: &CoinSlice) {
        let CoinSlice { offset, coins, is_end, total } = slice;
        if *offset > 0 && self.provider_of_list(operation, tag).is_some_and(|name| name != provider.name) {
            return;
        }
        let total = total.and_then(|total| usize::try_from(total).ok());
        let is_end = *is_end
            && Load::current().is_none_or(|load| load.partial_error().is_none() && load.unconfirmed_end().is_none());
        let Some(mut end) = total.or(is_end.then_some(offset + coins.len())) else { return };
        // An empty page may be far beyond the end.
        if coins.is_empty() {
            end = self.known_end(operation, tag).map_or(end, |known| end.min(known.value.0));
        }
        let fresh_for = operation.fresh_for().max(provider.fresh_at_least);
        self.cache_value(end_key(operation, tag), provider.name, fresh_for, ListEnd(end));
    }

    /// The cached upstream pages of all lists: the fresh ones, those kept because their refresh failed, and the others.
    pub(in crate::service::gateway) fn cached_pages(&self) -> Vec<Stored<CoinSlice>> {
        let lists =
            [(Operation::Coins, Tag::All), (Operation::Tagged, Tag::Brc20), (Operation::Tagged, Tag::BitcoinEcosystem)];
        let keys = lists.into_iter().flat_map(|(operation, tag)| {
            let of = self.first_page(operation, tag).map(|first| first.provider);
            (0..PAGES).map(move |page| key(operation, tag, page, of))
        });
        let mut pages: Vec<Stored<CoinSlice>> = keys.filter_map(|key| self.0.cache.get_as(&key)).collect();
        pages.sort_by_key(|page| (!page.is_up_to_date(), !page.is_fresh(None)));
        pages
    }

    /// Caches the other values in a response besides the requested one.
    pub(super) fn cache_value<T: CachedValue>(&self, key: Key, provider: ProviderName, fresh_for: Duration, value: T) {
        let load = Load::current();
        let fetched = self.fetched_at(load.as_ref().map_or(Duration::ZERO, |load| load.age()));
        let behind = load.map(|load| load.providers()).unwrap_or_default().into();
        self.0.cache.put(key, Stored { behind, ..Stored::new(provider, fetched, fresh_for, value) }.into());
    }
}

/// The key of a page of a provider's list, or of any provider's. The first page may be any provider's.
fn key(operation: Operation, tag: Tag, page: usize, of: Option<ProviderName>) -> Key {
    let of = of.filter(|_| page > 0).map(|name| format!(" of {name}")).unwrap_or_default();
    Key::new(operation, format!("{}/{page}{of}", tag.as_str()))
}

/// The key of the first page of one provider, which is not the list's first page.
fn first_page_key(operation: Operation, tag: Tag, of: ProviderName) -> Key {
    Key::new(operation, format!("{}/0 of {of}", tag.as_str()))
}

fn end_key(operation: Operation, tag: Tag) -> Key {
    Key::new(operation, format!("end of {}", tag.as_str()))
}

/// Rows of a list.
struct Rows {
    items: Vec<Coin>,
    /// The providers of all pages.
    providers: Vec<ProviderName>,
    total: Option<u64>,
    oldest: Option<Stored<CoinSlice>>,
    refresh_error: Option<Arc<str>>,
    not_refreshed: Option<Arc<str>>,
    /// The time until the next request for a page can bring newer rows.
    retry_after: Duration,
    /// The first page that failed.
    failure: Option<(usize, Failure)>,
}

impl Default for Rows {
    fn default() -> Self {
        Rows {
            items: Vec::new(),
            providers: Vec::new(),
            total: None,
            oldest: None,
            refresh_error: None,
            not_refreshed: None,
            retry_after: Duration::MAX,
            failure: None,
        }
    }
}

/// The number of coins in a list, or a position beyond its end.
#[derive(Clone, Copy, Debug)]
struct ListEnd(usize);

impl CachedValue for ListEnd {
    fn weight(&self) -> usize {
        size_of::<ListEnd>()
    }
}

/// A list this short may have no prices. If the first page of a longer one has none, the provider has changed its
/// format.
const FEW: usize = 2;

/// Fails if none of the coins has a price, so that the next provider is tried.
fn check_prices(coins: &[Coin]) -> SourceResult<()> {
    if coins.len() > FEW && coins.iter().all(|coin| coin.price.is_none()) {
        Err(SourceError::unexpected_format("no prices"))
    } else {
        Ok(())
    }
}

/// Splits a whole list into pages.
fn split(slice: CoinSlice) -> Vec<CoinSlice> {
    let CoinSlice { coins, is_end, total, .. } = slice;
    let total = total.or(is_end.then_some(coins.len() as u64));
    let count = coins.len().div_ceil(PAGE);
    let part = |(at, coins): (usize, &[Coin])| CoinSlice {
        offset: at * PAGE,
        coins: coins.to_vec(),
        is_end: is_end && at + 1 == count,
        total,
    };
    coins.chunks(PAGE).enumerate().map(part).collect()
}

/// A page beyond the end of the list.
fn empty_page(page: usize) -> CoinSlice {
    CoinSlice { offset: page * PAGE, coins: Vec::new(), is_end: true, total: None }
}
