//! The indexer group: BRC-20, inscriptions, sats.

use async_trait::async_trait;

use super::Gateway;
use super::cache::{Failure, STALE};
use super::fallback_reason::FallbackReason;
use super::stored::CachedValue;
use crate::model::{
    Activity, Balance, Brc20Token, Holder, Inscription, InscriptionRef, InscriptionStat, Page, Sat, SatNumber, Text,
    UtcTime,
};
use crate::service::backend::indexer::{
    ActivityQuery, BalancesQuery, BlockRef, Content, IndexerProvider, InscriptionLocation, InscriptionTransfer,
    InscriptionsQuery, PageQuery, TokensQuery,
};
use crate::service::operation::{Key, Operation};
use crate::service::provider_response::{ProviderError, ProviderResponse, ProviderResult};
use crate::service::providers::source::Provider;
use crate::service::upstream::error::SourceResult;

/// Fetches a value of the group. The query is part of the cache key.
macro_rules! fetch {
    ($gateway:expr, $operation:ident, $key:expr, |$source:ident $(, $clone:ident)*| $call:expr) => {{
        $(let $clone = $clone.clone();)*
        let key = Key::new(Operation::$operation, $key);
        $gateway
            .get_response(key, move |provider: Provider| {
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
        let list = (Operation::Brc20, format!("tokens {query:?}"));
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
        let list = (Operation::Brc20, format!("holders {ticker}"));
        self.aligned(list, page, move |provider, part| {
            let ticker = ticker.clone();
            async move { provider.indexer.holders(&ticker, part).await }
        })
        .await
    }

    async fn balances(&self, query: &BalancesQuery, page: PageQuery) -> ProviderResult<Page<Balance>> {
        let list = (Operation::Brc20, format!("balances {query:?}"));
        let query = query.clone();
        self.aligned(list, page, move |provider, part| {
            let query = query.clone();
            async move { provider.indexer.balances(&query, part).await }
        })
        .await
    }

    async fn activity(&self, query: &ActivityQuery, page: PageQuery) -> ProviderResult<Page<Activity>> {
        let list = (Operation::Brc20, format!("activity {query:?}"));
        let query = query.clone();
        self.list_page(list, page, move |provider, page| {
            let query = query.clone();
            async move { provider.indexer.activity(&query, page).await }
        })
        .await
    }

    async fn sat(&self, number: SatNumber) -> ProviderResult<Sat> {
        let found: Result<ProviderResponse<Option<Text>>, ProviderError> =
            fetch!(self, Inscriptions, format!("on {number}"), |source| source.inscription_on(number));
        // Everything else is computed.
        found.map(|response| response.map(|inscription_id| Sat { inscription_id, ..Sat::computed(number) }))
    }

    async fn sat_inscriptions(&self, number: SatNumber, page: PageQuery) -> ProviderResult<Page<Inscription>> {
        let list = (Operation::Inscriptions, format!("sat {number}"));
        let found = self.list_page(list, page, move |provider, page| async move {
            provider.indexer.sat_inscriptions(number, page).await
        });
        with_rarities(found.await)
    }

    async fn inscriptions(&self, query: &InscriptionsQuery, page: PageQuery) -> ProviderResult<Page<Inscription>> {
        let list = (Operation::Inscriptions, format!("list {query:?}"));
        let query = query.clone();
        let found = self.list_page(list, page, move |provider, page| {
            let query = query.clone();
            async move { provider.indexer.inscriptions(&query, page).await }
        });
        with_rarities(found.await)
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
        self.get_response(key, move |provider: Provider| {
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
        let list = (Operation::Inscriptions, format!("locations {inscription:?}"));
        let inscription = inscription.clone();
        self.list_page(list, page, move |provider, page| {
            let inscription = inscription.clone();
            async move { provider.indexer.locations(&inscription, page).await }
        })
        .await
    }

    async fn transfers(&self, block: &BlockRef, page: PageQuery) -> ProviderResult<Page<InscriptionTransfer>> {
        let list = (Operation::Inscriptions, format!("transfers {block:?}"));
        let block = block.clone();
        self.list_page(list, page, move |provider, page| {
            let block = block.clone();
            async move { provider.indexer.transfers(&block, page).await }
        })
        .await
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

impl Gateway {
    async fn get_response<T, C, F>(&self, key: Key, call: C) -> Result<ProviderResponse<T>, ProviderError>
    where
        T: CachedValue + Clone,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send + 'static,
    {
        let is_statistics = key.what.starts_with("stats ");
        match self.get_or_fetch(key, call).await {
            Ok(stored) => Ok(stored.response(T::clone(&stored.value))),
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
        // A provider that fetches each row separately has only the ids at first, on a known sat.
        let lacks_details = |inscription: &&Inscription| {
            let Inscription { id, sat, rarity, .. } = inscription;
            **inscription == Inscription { sat: *sat, rarity: rarity.clone(), ..Inscription::new(id.clone()) }
        };
        self.items.iter().filter(lacks_details).count()
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
