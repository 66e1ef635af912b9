//! Maestro: single BRC-20 tokens and balances of addresses. Needs a free key with daily credits.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;

use super::info::ProviderInfo;
use super::source::{IndexerSource, Provider};
use super::terms::Terms;
use super::url::segment;
use crate::model::{Amount, Balance, Brc20Token, Page, ProviderName, Text};
use crate::service::backend::indexer::{BalancesQuery, PageQuery};
use crate::service::like::like_prefix;
use crate::service::operation::Operation;
use crate::service::upstream::budget::Gate;
use crate::service::upstream::error::{ErrorClass, SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;
use crate::service::upstream::{Response, Upstream};

struct Maestro {
    upstream: Upstream,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo = ProviderInfo {
    needs_key: true,
    ..ProviderInfo::new(ProviderName::Maestro, provider, Terms::at("https://xbt-mainnet.gomaestro-api.org/v0", 250))
};

/// The provider. It serves nothing without a key, because requests would then cost money.
pub(super) fn provider(settings: &ResolvedSettings, gate: Gate) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("api-key", key.to_owned()), gate, api_error);
    let source = Arc::new(Maestro { upstream: upstream.clone() });
    let operations: &[Operation] = if upstream.has_key() { &[Operation::Brc20] } else { &[] };
    Provider::new(settings, upstream).tested_by("/assets/brc20/ordi").with_indexer(source, operations)
}

#[derive(Deserialize)]
struct Of<T> {
    data: T,
}

#[derive(Deserialize)]
struct Info {
    ticker: Text,
    deploy_inscription: Option<Text>,
    holders: Option<u64>,
    minted_supply: Option<String>,
    terms: Option<TokenTerms>,
}

#[derive(Deserialize)]
struct TokenTerms {
    dec: Option<u8>,
    limit: Option<String>,
    max: Option<String>,
    self_mint: Option<bool>,
}

/// Balance of a token: the total (older API versions), or total and available.
#[derive(Deserialize)]
#[serde(untagged)]
enum Quantity {
    Total(String),
    Parts { total: Option<String>, available: Option<String> },
}

#[async_trait]
impl IndexerSource for Maestro {
    async fn token(&self, ticker: &str) -> SourceResult<Brc20Token> {
        let response = self.upstream.get(&format!("/assets/brc20/{}", segment(ticker))).await?;
        let Of { data: Info { ticker: own, deploy_inscription, holders, minted_supply, terms } } = response.json()?;
        if own.to_lowercase() != ticker.to_lowercase().as_str() {
            return Err(SourceError::unexpected_format("another token"));
        }
        let terms = terms.unwrap_or(TokenTerms { dec: None, limit: None, max: None, self_mint: None });
        Ok(Brc20Token {
            inscription_id: deploy_inscription,
            max_supply: amount(terms.max),
            minted_supply: amount(minted_supply),
            mint_limit: amount(terms.limit),
            decimals: terms.dec.filter(|decimals| *decimals <= 18),
            self_mint: terms.self_mint,
            holders,
            ..Brc20Token::new(own)
        })
    }

    async fn balances(&self, query: &BalancesQuery, page: PageQuery) -> SourceResult<Page<Balance>> {
        if query.block_height.is_some() {
            return Err(SourceError::unsupported_because("Balances at a block height need UniSat or your own indexer"));
        }
        let response = self.upstream.get(&format!("/addresses/{}/brc20", segment(&query.address))).await;
        let Of { data }: Of<BTreeMap<String, Quantity>> = match response {
            Ok(response) => response.json()?,
            // Unknown address.
            Err(SourceError { class: ErrorClass::NotFound, .. }) => Of { data: BTreeMap::new() },
            Err(error) => return Err(error),
        };
        let wanted =
            |ticker: &str| query.tickers.is_empty() || query.tickers.iter().any(|prefix| like_prefix(ticker, prefix));
        let balances = data.into_iter().filter(|(ticker, _)| wanted(ticker)).map(|(ticker, quantity)| {
            let (overall, available) = match quantity {
                Quantity::Total(total) => (amount(Some(total)), None),
                Quantity::Parts { total, available } => (amount(total), amount(available)),
            };
            let transferable = overall.zip(available).and_then(|(overall, available)| overall.checked_sub(available));
            Balance { ticker: Some(Text::from(ticker)), available, transferable, overall }
        });
        let all: Vec<Balance> = balances.filter(|balance| balance.overall != Some(Amount::ZERO)).collect();
        let total = Some(all.len() as u64);
        let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
        Ok(Page { items: all.into_iter().skip(offset).take(page.limit).collect(), total })
    }
}

/// Parses an amount; `None` if it is unreadable.
fn amount(text: Option<String>) -> Option<Amount> {
    let text = text?;
    match text.trim().parse() {
        Ok(amount) => Some(amount),
        Err(error) => {
            tracing::info!(%error, "Maestro: unreadable amount");
            None
        }
    }
}

/// Recognises used-up daily credits.
fn api_error(response: &Response) -> Option<SourceError> {
    match response.status() {
        402 => Some(SourceError::new(ErrorClass::DailyQuota, "No credits left today (402)")),
        429 if response.header("x-maestro-credits-remaining").is_some_and(|left| left.starts_with(['0', '-'])) => {
            Some(SourceError::new(ErrorClass::DailyQuota, "No credits left today (429)"))
        }
        _ => None,
    }
}
