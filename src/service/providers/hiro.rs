//! Any server with Hiro's Ordinals API, and the indexer group of another satscope service. Requests are forwarded
//! unchanged.

mod locations;
mod query;

use std::sync::Arc;

use async_trait::async_trait;

use self::query::Query;
use super::defaults::ProviderDefaults;
use super::expect::{decode, decode_with_rows};
use super::full_page::full_page;
use super::info::ProviderInfo;
use super::source::{IndexerSource, Provider};
use super::url::segment;
use crate::client::{Request, SIMULATED};
use crate::model::{
    Activity, Balance, Brc20Token, Holder, Inscription, InscriptionRef, InscriptionStat, Page, ProviderName, SatNumber,
    Text,
};
use crate::service::backend::indexer::{
    ActivityQuery, BalancesQuery, BlockRef, Content, InscriptionLocation, InscriptionTransfer, InscriptionsQuery,
    PageQuery, TokenOrder, TokensQuery,
};
use crate::service::operation::Operation;
use crate::service::upstream::budget::RequestBudget;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{Response, Upstream};

/// The indexer group of a server.
pub(super) struct Hiro {
    upstream: Upstream,
    /// Path prefix of the group; empty if the base URL contains it.
    root: &'static str,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    benefit: Some("A server with Hiro's API adds BRC-20 data and inscriptions (set providers.hiro.base_url)"),
    ..ProviderInfo::new(ProviderName::Hiro, provider, ProviderDefaults::OWN_SERVER)
};

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, budget: RequestBudget) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("x-api-key", key.to_owned()), budget, |_| None);
    let source = Arc::new(Hiro::new(upstream.clone(), settings));
    let test = format!("{}/brc-20/tokens?limit=1", source.root);
    Provider::new(settings, upstream).tested_by(test).with_indexer(source, &[Operation::Brc20, Operation::Inscriptions])
}

/// Rejects simulated data, which must not be mistaken for real, and records the age of the data.
pub(super) fn check_origin(response: &Response) -> SourceResult<()> {
    match response.header(SIMULATED) {
        Some(value) if value.eq_ignore_ascii_case("true") => {
            Err(SourceError::new(ErrorClass::Misconfigured, "This service serves simulated data"))
        }
        _ => {
            response.note_origin();
            Ok(())
        }
    }
}

#[async_trait]
impl IndexerSource for Hiro {
    async fn tokens(&self, query: &TokensQuery, page: PageQuery) -> SourceResult<Page<Brc20Token>> {
        full_page(page, self.upstream.warnings(), |part| self.tokens_page(query, part)).await
    }

    async fn token(&self, ticker: &str) -> SourceResult<Brc20Token> {
        let response = self.get(Query::new(format!("{}/brc-20/tokens/{}", self.root, segment(ticker)))).await?;
        decode!(response, Request::Brc20Token { ticker: Text::from(ticker) }, Brc20Token).map(|token| *token)
    }

    async fn holders(&self, ticker: &str, page: PageQuery) -> SourceResult<Page<Holder>> {
        full_page(page, self.upstream.warnings(), |part| self.holders_page(ticker, part)).await
    }

    async fn balances(&self, query: &BalancesQuery, page: PageQuery) -> SourceResult<Page<Balance>> {
        full_page(page, self.upstream.warnings(), |part| self.balances_page(query, part)).await
    }

    async fn activity(&self, query: &ActivityQuery, page: PageQuery) -> SourceResult<Page<Activity>> {
        full_page(page, self.upstream.warnings(), |part| self.activity_page(query, part)).await
    }

    async fn inscription_on(&self, number: SatNumber) -> SourceResult<Option<Text>> {
        let response = self.get(Query::new(format!("{}/sats/{number}", self.root))).await?;
        decode!(response, Request::Sat { number }, Sat).map(|sat| sat.inscription_id)
    }

    async fn sat_inscriptions(&self, number: SatNumber, page: PageQuery) -> SourceResult<Page<Inscription>> {
        full_page(page, self.upstream.warnings(), |part| self.sat_inscriptions_page(number, part)).await
    }

    async fn inscriptions(&self, query: &InscriptionsQuery, page: PageQuery) -> SourceResult<Page<Inscription>> {
        full_page(page, self.upstream.warnings(), |part| self.inscriptions_page(query, part)).await
    }

    async fn inscription(&self, inscription: &InscriptionRef) -> SourceResult<Inscription> {
        let response = self.get(Query::new(self.inscription_path(inscription))).await?;
        decode!(response, Request::Inscription { inscription: inscription.clone() }, Inscription).map(|found| *found)
    }

    async fn content(&self, inscription: &InscriptionRef) -> SourceResult<Content> {
        let response = self.upstream.get_content(&format!("{}/content", self.inscription_path(inscription))).await?;
        self.check(&response)?;
        let content_type = response.header("content-type").unwrap_or("application/octet-stream");
        Ok(Content { content_type: Text::from(content_type), bytes: response.body().to_vec() })
    }

    async fn locations(
        &self,
        inscription: &InscriptionRef,
        page: PageQuery,
    ) -> SourceResult<Page<InscriptionLocation>> {
        let path = format!("{}/transfers", self.inscription_path(inscription));
        locations::of_inscription(&self.get(Query::new(path).page(page)).await?, self.upstream.warnings())
    }

    async fn transfers(&self, block: &BlockRef, page: PageQuery) -> SourceResult<Page<InscriptionTransfer>> {
        let block = match block {
            BlockRef::Height(height) => height.to_string(),
            BlockRef::Hash(hash) => hash.clone(),
        };
        let path = Query::new(format!("{}/inscriptions/transfers", self.root)).one("block", Some(block)).page(page);
        locations::of_block(&self.get(path).await?, self.upstream.warnings())
    }

    async fn inscription_stats(&self, from: Option<u64>, to: Option<u64>) -> SourceResult<Vec<InscriptionStat>> {
        let path = Query::new(format!("{}/stats/inscriptions", self.root))
            .one("from_block_height", from)
            .one("to_block_height", to);
        let response = self.get(path).await?;
        let request = Request::InscriptionStats { from_block: from, to_block: to };
        decode!(response, request, InscriptionStats).map(|page| page.items)
    }
}

impl Hiro {
    /// The indexer group of an upstream server.
    pub(super) fn new(upstream: Upstream, settings: &ResolvedSettings) -> Hiro {
        let base = settings.base_url.as_deref().unwrap_or_default().trim_end_matches('/');
        let has_root = base.ends_with("/ordinals") || base.ends_with("/ordinals/v1");
        Hiro { upstream, root: if has_root { "" } else { "/ordinals" } }
    }

    async fn get(&self, query: Query) -> SourceResult<Response> {
        let response = self.upstream.get(&query.into_path()).await?;
        self.check(&response)?;
        Ok(response)
    }

    async fn tokens_page(&self, query: &TokensQuery, page: PageQuery) -> SourceResult<(Page<Brc20Token>, usize)> {
        let plain = || Query::new(format!("{}/brc-20/tokens", self.root)).all("ticker", &query.tickers).page(page);
        let response = match query.order {
            TokenOrder::Index => self.get(plain()).await?,
            TokenOrder::TxCount => match self.get(plain().one("order_by", Some("tx_count"))).await {
                // Some servers don't support sorting.
                Err(SourceError { class: ErrorClass::Rejected, .. }) => self.get(plain()).await?,
                outcome => outcome?,
            },
        };
        let request = Request::Brc20Tokens { ticker: None, offset: page.offset, limit: rows(page) };
        decode_with_rows!(response, request, Brc20Tokens)
    }

    async fn holders_page(&self, ticker: &str, page: PageQuery) -> SourceResult<(Page<Holder>, usize)> {
        let path = format!("{}/brc-20/tokens/{}/holders", self.root, segment(ticker));
        let response = self.get(Query::new(path).page(page)).await?;
        let request = Request::Brc20Holders { ticker: Text::from(ticker), offset: page.offset, limit: rows(page) };
        decode_with_rows!(response, request, Holders)
    }

    async fn balances_page(&self, query: &BalancesQuery, page: PageQuery) -> SourceResult<(Page<Balance>, usize)> {
        let path = format!("{}/brc-20/balances/{}", self.root, segment(&query.address));
        let path = Query::new(path).all("ticker", &query.tickers).one("block_height", query.block_height).page(page);
        let response = self.get(path).await?;
        let address = Text::from(query.address.as_str());
        let request = Request::Brc20Balances { address, offset: page.offset, limit: rows(page) };
        decode_with_rows!(response, request, Balances)
    }

    async fn activity_page(&self, query: &ActivityQuery, page: PageQuery) -> SourceResult<(Page<Activity>, usize)> {
        let path = Query::new(format!("{}/brc-20/activity", self.root))
            .all("ticker", &query.tickers)
            .one("block_height", query.block_height)
            .all("operation", &query.operations)
            .one("address", query.address.as_ref())
            .page(page);
        let response = self.get(path).await?;
        let ticker = match query.tickers.as_slice() {
            [ticker] => Some(Text::from(ticker.as_str())),
            _ => None,
        };
        let request =
            Request::Brc20Activity { ticker, block_height: query.block_height, offset: page.offset, limit: rows(page) };
        let (events, rows): (Page<Activity>, _) = decode_with_rows!(response, request, Activity)?;
        let is_other = |event: &Activity| event.block_height.is_some() && event.block_height != query.block_height;
        match events.items.iter().find(|event| query.block_height.is_some() && is_other(event)) {
            Some(_) => Err(SourceError::unexpected_format("events of another block")),
            None => Ok((events, rows)),
        }
    }

    async fn sat_inscriptions_page(
        &self,
        number: SatNumber,
        page: PageQuery,
    ) -> SourceResult<(Page<Inscription>, usize)> {
        let response = self.get(Query::new(format!("{}/sats/{number}/inscriptions", self.root)).page(page)).await?;
        let request = Request::SatInscriptions { number, offset: page.offset, limit: rows(page) };
        decode_with_rows!(response, request, Inscriptions)
    }

    async fn inscriptions_page(
        &self,
        query: &InscriptionsQuery,
        page: PageQuery,
    ) -> SourceResult<(Page<Inscription>, usize)> {
        let path = Query::new(format!("{}/inscriptions", self.root)).inscriptions(query).page(page);
        let response = self.get(path).await?;
        let address = match query.addresses.as_slice() {
            [address] => Some(Text::from(address.as_str())),
            _ => None,
        };
        let request = Request::Inscriptions { address, offset: page.offset, limit: rows(page) };
        decode_with_rows!(response, request, Inscriptions)
    }

    /// Rejects simulated data.
    fn check(&self, response: &Response) -> SourceResult<()> {
        check_origin(response)
    }

    fn inscription_path(&self, inscription: &InscriptionRef) -> String {
        let name = match inscription {
            InscriptionRef::Id(id) => id.clone(),
            InscriptionRef::Number(number) => Text::from(number.to_string()),
        };
        format!("{}/inscriptions/{}", self.root, segment(&name))
    }
}

fn rows(page: PageQuery) -> u32 {
    u32::try_from(page.limit).unwrap_or(u32::MAX)
}
