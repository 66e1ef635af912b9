//! Maestro: single BRC-20 tokens and balances of addresses. Needs a free key with daily credits.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::info::ProviderInfo;
use super::lenient::{BoundedMap, RawRow};
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

/// Reads the fields of an object. One of another type is unknown, and reported with the others of the response.
struct Fields<'a> {
    upstream: &'a Upstream,
    unreadable: Vec<String>,
}

impl<'a> Fields<'a> {
    fn of(upstream: &'a Upstream) -> Fields<'a> {
        Fields { upstream, unreadable: Vec::new() }
    }

    fn read<T: DeserializeOwned>(&mut self, object: &Value, name: &str) -> Option<T> {
        let value = object.get(name).filter(|value| !value.is_null())?;
        let read = T::deserialize(value).ok();
        if read.is_none() {
            self.unreadable.push(name.to_owned());
        }
        read
    }

    /// Reads a value of any type.
    fn value(&mut self, name: &str, raw: &RawRow) -> Value {
        serde_json::from_str(raw.get()).unwrap_or_else(|_| {
            self.unreadable.push(name.to_owned());
            Value::Null
        })
    }

    /// Reads an exact amount. It is a string: a number would have lost digits.
    fn amount(&mut self, object: &Value, name: &str) -> Option<Amount> {
        let text: String = self.read(object, name)?;
        let read = text.trim().parse().ok();
        if read.is_none() {
            self.unreadable.push(name.to_owned());
        }
        read
    }
}

impl Drop for Fields<'_> {
    fn drop(&mut self) {
        let first = self.unreadable.first().map(String::as_str);
        self.upstream.warnings().record(self.unreadable.len(), "field", first);
    }
}

#[async_trait]
impl IndexerSource for Maestro {
    async fn token(&self, ticker: &str) -> SourceResult<Brc20Token> {
        let response = self.upstream.get(&format!("/assets/brc20/{}", segment(ticker))).await?;
        let Of::<Value> { data } = response.json()?;
        let mut fields = Fields::of(&self.upstream);
        let own: Text = fields.read(&data, "ticker").ok_or_else(|| SourceError::unexpected_format("no ticker"))?;
        if own.to_lowercase() != ticker.to_lowercase().as_str() {
            return Err(SourceError::unexpected_format("another token"));
        }
        let terms = data.get("terms").unwrap_or(&Value::Null);
        Ok(Brc20Token {
            inscription_id: fields.read(&data, "deploy_inscription"),
            max_supply: fields.amount(terms, "max"),
            minted_supply: fields.amount(&data, "minted_supply"),
            mint_limit: fields.amount(terms, "limit"),
            decimals: fields.read(terms, "dec").filter(|decimals| *decimals <= 18),
            self_mint: fields.read(terms, "self_mint"),
            holders: fields.read(&data, "holders"),
            ..Brc20Token::new(own)
        })
    }

    async fn balances(&self, query: &BalancesQuery, page: PageQuery) -> SourceResult<Page<Balance>> {
        if query.block_height.is_some() {
            return Err(SourceError::unsupported_because("Balances at a block height need UniSat or your own indexer"));
        }
        let response = self.upstream.get(&format!("/addresses/{}/brc20", segment(&query.address))).await;
        let Of { data: BoundedMap(data) }: Of<BoundedMap<RawRow>> = match response {
            Ok(response) => response.json()?,
            // Unknown address.
            Err(SourceError { class: ErrorClass::NotFound, .. }) => Of { data: BoundedMap(BTreeMap::new()) },
            Err(error) => return Err(error),
        };
        let wanted =
            |ticker: &str| query.tickers.is_empty() || query.tickers.iter().any(|prefix| like_prefix(ticker, prefix));
        let mut fields = Fields::of(&self.upstream);
        let balances = data.into_iter().filter(|(ticker, _)| wanted(ticker)).map(|(ticker, quantity)| {
            let quantity = fields.value(&ticker, &quantity);
            // Older API versions have the total only.
            let parts = if quantity.is_object() { quantity } else { json!({ "total": quantity }) };
            let (overall, available) = (fields.amount(&parts, "total"), fields.amount(&parts, "available"));
            let transferable = overall.zip(available).and_then(|(overall, available)| overall.checked_sub(available));
            Balance { ticker: Some(Text::from(ticker)), available, transferable, overall }
        });
        let all: Vec<Balance> = balances.filter(|balance| balance.overall != Some(Amount::ZERO)).collect();
        let total = Some(all.len() as u64);
        let offset = usize::try_from(page.offset).unwrap_or(usize::MAX);
        Ok(Page { items: all.into_iter().skip(offset).take(page.limit).collect(), total })
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
