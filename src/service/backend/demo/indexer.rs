//! The simulated indexer: implementation of [`IndexerProvider`].

use std::time::Duration;

use async_trait::async_trait;

use super::DemoProvider;
use crate::model::{
    Activity, Balance, Brc20Token, Holder, Inscription, InscriptionRef, InscriptionStat, Page, Sat, SatNumber,
};
use crate::service::backend::indexer::{
    ActivityQuery, BalancesQuery, BlockRef, Content, IndexerProvider, IndexerStatus, InscriptionLocation,
    InscriptionTransfer, InscriptionsQuery, PageQuery, TokensQuery,
};
use crate::service::demo::indexer::Moment;
use crate::service::provider_response::{ProviderError, ProviderResponse, ProviderResult};

/// Responses change only with a new block, which the group's `ETag` detects.
const FRESH_FOR: Duration = Duration::ZERO;

#[async_trait]
impl IndexerProvider for DemoProvider {
    fn version(&self) -> Option<String> {
        Some(self.moment().time().millis().to_string())
    }

    async fn status(&self) -> ProviderResult<IndexerStatus> {
        self.response(|now| Some(now.status()))
    }

    async fn tokens(&self, query: &TokensQuery, page: PageQuery) -> ProviderResult<Page<Brc20Token>> {
        self.response(|now| Some(now.tokens(query, page)))
    }

    async fn token(&self, ticker: &str) -> ProviderResult<Brc20Token> {
        self.response(|now| now.token(ticker))
    }

    async fn holders(&self, ticker: &str, page: PageQuery) -> ProviderResult<Page<Holder>> {
        self.response(|now| now.holders(ticker, page))
    }

    async fn balances(&self, query: &BalancesQuery, page: PageQuery) -> ProviderResult<Page<Balance>> {
        self.response(|now| Some(now.balances(query, page)))
    }

    async fn activity(&self, query: &ActivityQuery, page: PageQuery) -> ProviderResult<Page<Activity>> {
        self.response(|now| Some(now.activity(query, page)))
    }

    async fn sat(&self, number: SatNumber) -> ProviderResult<Sat> {
        self.response(|now| Some(now.sat(number)))
    }

    async fn sat_inscriptions(&self, number: SatNumber, page: PageQuery) -> ProviderResult<Page<Inscription>> {
        self.response(|now| Some(now.sat_inscriptions(number, page)))
    }

    async fn inscriptions(&self, query: &InscriptionsQuery, page: PageQuery) -> ProviderResult<Page<Inscription>> {
        self.response(|now| Some(now.inscriptions(query, page)))
    }

    async fn inscription(&self, inscription: &InscriptionRef) -> ProviderResult<Inscription> {
        self.response(|now| now.inscription(inscription))
    }

    async fn content(&self, inscription: &InscriptionRef) -> ProviderResult<Content> {
        self.response(|now| now.content(inscription))
    }

    async fn locations(
        &self,
        inscription: &InscriptionRef,
        page: PageQuery,
    ) -> ProviderResult<Page<InscriptionLocation>> {
        self.response(|now| now.locations(inscription, page))
    }

    async fn transfers(&self, block: &BlockRef, page: PageQuery) -> ProviderResult<Page<InscriptionTransfer>> {
        self.response(|now| Some(now.transfers(block, page)))
    }

    async fn inscription_stats(&self, from: Option<u64>, to: Option<u64>) -> ProviderResult<Vec<InscriptionStat>> {
        self.response(|now| Some(now.inscription_stats(from, to)))
    }
}

impl DemoProvider {
    fn moment(&self) -> Moment<'_> {
        self.world.at(self.time.now())
    }

    pub(super) fn response<T>(&self, read: impl FnOnce(Moment<'_>) -> Option<T>) -> ProviderResult<T> {
        let now = self.moment();
        let data = read(now).ok_or_else(|| ProviderError::NotFound(String::from("Not found")))?;
        Ok(ProviderResponse::new(data, now.time(), FRESH_FOR))
    }
}
