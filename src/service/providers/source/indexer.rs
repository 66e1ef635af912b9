//! BRC-20 tokens, inscriptions and sats.

use async_trait::async_trait;

use crate::model::{
    Activity, Balance, Brc20Token, Holder, Inscription, InscriptionRef, InscriptionStat, Page, SatNumber, Text,
};
use crate::service::backend::indexer::{
    ActivityQuery, BalancesQuery, BlockRef, Content, InscriptionLocation, InscriptionTransfer, InscriptionsQuery,
    PageQuery, TokensQuery,
};
#[cfg(doc)]
use crate::service::operation::Operation;
use crate::service::upstream::error::{SourceError, SourceResult};

/// [`Operation::Brc20`] and [`Operation::Inscriptions`], with the queries of
/// [`IndexerProvider`](crate::service::backend::indexer::IndexerProvider). Sat properties are computed, not fetched.
#[async_trait]
pub trait IndexerSource: Send + Sync {
    /// BRC-20 tokens.
    async fn tokens(&self, _query: &TokensQuery, _page: PageQuery) -> SourceResult<Page<Brc20Token>> {
        Err(SourceError::unsupported())
    }

    /// One BRC-20 token.
    async fn token(&self, _ticker: &str) -> SourceResult<Brc20Token> {
        Err(SourceError::unsupported())
    }

    /// Holders of a token, largest balance first.
    async fn holders(&self, _ticker: &str, _page: PageQuery) -> SourceResult<Page<Holder>> {
        Err(SourceError::unsupported())
    }

    /// BRC-20 balances of an address.
    async fn balances(&self, _query: &BalancesQuery, _page: PageQuery) -> SourceResult<Page<Balance>> {
        Err(SourceError::unsupported())
    }

    /// BRC-20 events, newest first.
    async fn activity(&self, _query: &ActivityQuery, _page: PageQuery) -> SourceResult<Page<Activity>> {
        Err(SourceError::unsupported())
    }

    /// The latest inscription on a sat.
    async fn inscription_on(&self, _number: SatNumber) -> SourceResult<Option<Text>> {
        Err(SourceError::unsupported())
    }

    /// Inscriptions on a sat, highest number first.
    async fn sat_inscriptions(&self, _number: SatNumber, _page: PageQuery) -> SourceResult<Page<Inscription>> {
        Err(SourceError::unsupported())
    }

    /// Inscriptions that match all filters.
    async fn inscriptions(&self, _query: &InscriptionsQuery, _page: PageQuery) -> SourceResult<Page<Inscription>> {
        Err(SourceError::unsupported())
    }

    /// One inscription.
    async fn inscription(&self, _inscription: &InscriptionRef) -> SourceResult<Inscription> {
        Err(SourceError::unsupported())
    }

    /// The content of an inscription.
    async fn content(&self, _inscription: &InscriptionRef) -> SourceResult<Content> {
        Err(SourceError::unsupported())
    }

    /// Locations of an inscription, newest first.
    async fn locations(
        &self,
        _inscription: &InscriptionRef,
        _page: PageQuery,
    ) -> SourceResult<Page<InscriptionLocation>> {
        Err(SourceError::unsupported())
    }

    /// Inscriptions that moved in a block.
    async fn transfers(&self, _block: &BlockRef, _page: PageQuery) -> SourceResult<Page<InscriptionTransfer>> {
        Err(SourceError::unsupported())
    }

    /// Inscriptions per block between two heights (inclusive), newest block first.
    async fn inscription_stats(&self, _from: Option<u64>, _to: Option<u64>) -> SourceResult<Vec<InscriptionStat>> {
        Err(SourceError::unsupported())
    }

    /// Clears cached blocks after a chain reorganisation.
    fn clear_blocks(&self) {}
}
