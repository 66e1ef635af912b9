//! The indexer group: BRC-20, inscriptions, sats.

use async_trait::async_trait;

use super::Gateway;
use super::cache::{Failure, STALE};
use super::fallback_reason::FallbackReason;
use super::stored::CachedValue;
use crate::model::{
    Activity, Balance, Brc20Token, Holder, Inscription, InscriptionRef, InscriptionStat, Page, ProviderName, Sat,
    SatNumber, Text, UtcTime,
};
use crate::service::backend::indexer::{
    ActivityQuery, BalancesQuery, BlockRef, Content, IndexerProvider, InscriptionLocation, InscriptionTransfer,
    InscriptionsQuery, PageQuery, TokensQuery,
};
use crate::service::call::in_background;
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::{
    ProviderError, ProviderResponse, ProviderResult, joined_notices, partial_notice,
};
use crate::service::providers::source::Provider;
use crate::service::upstream::error::SourceResult;

/// Fetches a value of the group. The query is part of the cache key.
macro_rules! fetch {
    ($gateway:expr, $operation:ident, $key:expr, |$source:ident $(, $clone:ident)*| $call:expr) => {{
        $(let $clone = $clone.clone();)*
        let key = Key::new(Operation::$operation, $key);
        $gateway
            .answer(key, move |provider: Provider| {
                $(let $clone = $clone.clone();)*
                async move {
                    let $source = &provider.indexer;
                    $call.await
                }
            })
            .await
    }};
}

#[async_trait]
impl IndexerProvider for Gateway {
    async fn tokens(&self, query: &TokensQuery, page: PageQuery) -> ProviderResult<Page<Brc20Token>> {
        let list = format!("tokens {query:?}");
        let query = query.clone();
        self.aligned(list, page, move |provider, part| {
            let query = query.clone();
            async move { provider.indexer.tokens(&query, part).await }
        })
        .await
    }

    async fn token(&self, ticker: &str) -> ProviderResult<Brc20Token> {
        let ticker = ticker.to_lowercase();
        fetch!(self, Brc20, format!("token {ticker}"), |source, ticker| source.token(&ticker))
    }

    async fn holders(&self, ticker: &str, page: PageQuery) -> ProviderResult<Page<Holder>> {
        let ticker = ticker.to_lowercase();
        let list = format!("holders {ticker}");
        self.aligned(list, page, move |provider, part| {
            let ticker = ticker.clone();
            async move { provider.indexer.holders(&ticker, part).await }
        })
        .await
    }

    async fn balances(&self, query: &BalancesQuery, page: PageQuery) -> ProviderResult<Page<Balance>> {
        let list = format!("balances {query:?}");
        let query = query.clone();
        self.aligned(list, page, move |provider, part| {
            let query = query.clone();
            async move { provider.indexer.balances(&query, part).await }
        })
        .await
    }

    async fn activity(&self, query: &ActivityQuery, page: PageQuery) -> ProviderResult<Page<Activity>> {
        fetch!(self, Brc20, format!("activity {query:?} {page:?}"), |source, query| source.activity(&query, page))
    }

    async fn sat(&self, number: SatNumber) -> ProviderResult<Sat> {
        let found: Result<ProviderResponse<Option<Text>>, ProviderError> =
            fetch!(self, Inscriptions, format!("on {number}"), |source| source.inscription_on(number));
        // Everything else is computed.
        found.map(|answer| answer.map(|inscription_id| Sat { inscription_id, ..Sat::computed(number) }))
    }

    async fn sat_inscriptions(&self, number: SatNumber, page: PageQuery) -> ProviderResult<Page<Inscription>> {
        let key = format!("sat {number} {page:?}");
        let found = fetch!(self, Inscriptions, key, |source| source.sat_inscriptions(number, page));
        with_rarities(found)
    }

    async fn inscriptions(&self, query: &InscriptionsQuery, page: PageQuery) -> ProviderResult<Page<Inscription>> {
        let key = format!("list {query:?} {page:?}");
        let found = fetch!(self, Inscriptions, key, |source, query| source.inscriptions(&query, page));
        with_rarities(found)
    }

    async fn inscription(&self, inscription: &InscriptionRef) -> ProviderResult<Inscription> {
        let key = format!("one {inscription:?}");
        let found: ProviderResult<Inscription> =
            fetch!(self, Inscriptions, key, |source, inscription| source.inscription(&inscription));
        let mut found = found?;
        add_rarity(&mut found.data);
        Ok(found)
    }

    async fn content(&self, inscription: &InscriptionRef) -> ProviderResult<Content> {
        // Content never changes.
        let key = Key::new(Operation::Inscriptions, format!("content {inscription:?}")).fresh_at_least(STALE);
        let inscription = inscription.clone();
        self.answer(key, move |provider: Provider| {
            let inscription = inscription.clone();
            async move { provider.indexer.content(&inscription).await }
        })
        .await
    }

    async fn locations(
        &self,
        inscription: &InscriptionRef,
        page: PageQuery,
    ) -> ProviderResult<Page<InscriptionLocation>> {
        let key = format!("locations {inscription:?} {page:?}");
        fetch!(self, Inscriptions, key, |source, inscription| source.locations(&inscription, page))
    }

    async fn transfers(&self, block: &BlockRef, page: PageQuery) -> ProviderResult<Page<InscriptionTransfer>> {
        let key = format!("transfers {block:?} {page:?}");
        fetch!(self, Inscriptions, key, |source, block| source.transfers(&block, page))
    }

    async fn inscription_stats(&self, from: Option<u64>, to: Option<u64>) -> ProviderResult<Vec<InscriptionStat>> {
        let key = format!("stats {from:?} {to:?}");
        fetch!(self, Inscriptions, key, |source| source.inscription_stats(from, to))
    }
}

/// Adds the rarities that the provider doesn't send.
fn with_rarities(found: ProviderResult<Page<Inscription>>) -> ProviderResult<Page<Inscription>> {
    let mut found = found?;
    found.data.items.iter_mut().for_each(add_rarity);
    Ok(found)
}

/// Computes the rarity of the sat of an inscription, unless it is known.
fn add_rarity(inscription: &mut Inscription) {
    let Inscription { sat, rarity, .. } = inscription;
    *rarity = rarity.take().or_else(|| sat.map(|number| Sat::computed(number).rarity));
}

/// Rows per upstream page, as many as a request of the interface may have.
const PAGE: u64 = 60;

const FIRST_PAGE: PageQuery = PageQuery { offset: 0, limit: PAGE as usize };

impl Gateway {
    /// Returns any part of a list, which its name and parameters identify, from the same few upstream pages. Providers sort
    /// rows differently, so later pages are those of the first one's provider.
    async fn aligned<T, C, F>(&self, list: String, page: PageQuery, call: C) -> ProviderResult<Page<T>>
    where
        T: Clone + Send + Sync + 'static,
        Page<T>: CachedValue,
        C: Fn(Provider, PageQuery) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = SourceResult<Page<T>>> + Send + 'static,
    {
        let PageQuery { offset, limit } = page;
        let end = offset.saturating_add(limit as u64);
        let first_page = Key::new(Operation::Brc20, format!("{list} 0"));
        let is_serving = |name: &ProviderName| self.serving(Operation::Brc20).any(|provider| provider.name == *name);
        let mut provider = self.0.cache.get(&first_page).map(|first| first.provider).filter(is_serving);
        let mut joined: Option<ProviderResponse<Page<T>>> = None;
        for number in offset / PAGE..end.div_ceil(PAGE).max(offset / PAGE + 1) {
            let part = PageQuery { offset: number * PAGE, limit: PAGE as usize };
            let of = provider.filter(|_| number > 0);
            let key = match of {
                Some(name) => Key::new(Operation::Brc20, format!("{list} {} of {name}", part.offset)),
                None => Key::new(Operation::Brc20, format!("{list} {}", part.offset)),
            };
            let page_call = call.clone();
            let found = self.get_or_fetch_from(of, key, move |provider| page_call(provider, part)).await;
            if of.is_some() && joined.is_none() && found.as_ref().map_or(true, |page| page.refresh_error.is_some()) {
                let call = call.clone();
                self.refresh_if_stale(first_page.clone(), move |provider| call(provider, FIRST_PAGE));
            }
            let answer = match found {
                Ok(stored) => {
                    provider = Some(stored.provider);
                    stored.answer(Page::clone(&stored.value))
                }
                Err(Failure::Cancelled) => return Err(Failure::Cancelled.into_error()),
                Err(failure) => {
                    let Some(first) = joined.take() else { return Err(failure.into_error()) };
                    // Return the rows so far; the next request tries the rest again.
                    let wait = failure.wait();
                    let reason = match failure.into_error() {
                        ProviderError::NotFound(_) => String::from("no more rows were found"),
                        error => error.to_string(),
                    };
                    // The panel already names the provider of the rows.
                    let own = first.provider.map(|name| format!("{}: ", name.title())).unwrap_or_default();
                    let reason = reason.strip_prefix(&own).unwrap_or(&reason);
                    let (loaded, of) = (first.data.items.len(), page.expected_items(first.data.total));
                    let notice = Some(partial_notice(loaded, of, "rows", reason));
                    let notice = joined_notices(notice, first.notice.clone());
                    return Ok(ProviderResponse { fresh_for: first.fresh_for.min(wait), notice, ..first });
                }
            };
            let Page { items, total } = &answer.data;
            // Unreadable rows are missing.
            let is_last = match total {
                Some(total) => *total <= part.offset + PAGE,
                None => (items.len() as u64) < PAGE,
            };
            let skipped = usize::try_from(offset.saturating_sub(part.offset)).unwrap_or(usize::MAX);
            let taken = usize::try_from(end - part.offset.max(offset)).unwrap_or(usize::MAX);
            let rows = items.iter().skip(skipped).take(taken).cloned().collect();
            let found = answer.map(|Page { total, .. }| Page { items: rows, total });
            joined = Some(match joined {
                None => found,
                Some(first) => first.followed_by(found),
            });
            if is_last {
                break;
            }
        }
        joined.ok_or_else(ProviderError::unsupported)
    }

    /// Refreshes the first page of a list in the background if it is not fresh: the next provider may have the whole
    /// list.
    fn refresh_if_stale<T, C, F>(&self, key: Key, call: C)
    where
        T: CachedValue,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send + 'static,
    {
        let gateway = self.clone();
        tokio::spawn(in_background(async move {
            let tip = gateway.newest_block().await.map(|(tip, _)| tip);
            if gateway.0.cache.get(&key).is_some_and(|first| !first.is_fresh(tip))
                && let Err(failure) = gateway.get_or_fetch(key, call).await
            {
                tracing::debug!(?failure, "first page not refreshed");
            }
        }));
    }

    async fn answer<T, C, F>(&self, key: Key, call: C) -> Result<ProviderResponse<T>, ProviderError>
    where
        T: CachedValue + Clone,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send + 'static,
    {
        let is_statistics = key.what.starts_with("stats ");
        match self.get_or_fetch(key, call).await {
            Ok(stored) => Ok(stored.answer(T::clone(&stored.value))),
            Err(Failure::Unsupported(_)) if is_statistics => Err(ProviderError::Unsupported(String::from(
                "Inscription statistics need your own indexer: set indexer_url",
            ))),
            Err(failure) => Err(failure.into_error()),
        }
    }
}

macro_rules! weigh {
    ($($item:ty: $stays:literal),*) => {
        $(impl CachedValue for Page<$item> {
            fn weight(&self) -> usize {
                // Includes an estimate for heap-allocated text.
                self.items.len() * (size_of::<$item>() + 256)
            }

            fn row_count(&self) -> usize {
                self.items.len()
            }

            fn stays_if_longer(&self) -> bool {
                $stays
            }
        })*
    };
}

weigh!(Brc20Token: true, Holder: true, Balance: true, InscriptionLocation: false, InscriptionTransfer: false);

impl CachedValue for Page<Activity> {
    fn weight(&self) -> usize {
        self.items.len() * (size_of::<Activity>() + 256)
    }

    fn row_count(&self) -> usize {
        self.items.len()
    }

    /// A provider that searches only the newest blocks doesn't know the total.
    fn fallback_reason(&self, _now: UtcTime) -> Option<FallbackReason> {
        (self.items.is_empty() && self.total.is_none()).then_some(FallbackReason::Empty)
    }
}

impl CachedValue for Page<Inscription> {
    fn weight(&self) -> usize {
        self.items.len() * (size_of::<Inscription>() + 256)
    }

    fn row_count(&self) -> usize {
        self.items.len()
    }

    fn incomplete(&self) -> usize {
        // A provider that fetches each row separately has only the ids at first.
        self.items.iter().filter(|inscription| **inscription == Inscription::new(inscription.id.clone())).count()
    }
}

impl CachedValue for Brc20Token {
    fn weight(&self) -> usize {
        size_of::<Brc20Token>() + 256
    }
}

impl CachedValue for Inscription {
    fn weight(&self) -> usize {
        size_of::<Inscription>() + 512
    }
}

impl CachedValue for Option<Text> {
    fn weight(&self) -> usize {
        128
    }
}

impl CachedValue for Content {
    fn weight(&self) -> usize {
        self.bytes.len()
    }
}

impl CachedValue for Vec<InscriptionStat> {
    fn weight(&self) -> usize {
        self.len() * size_of::<InscriptionStat>()
    }
}
