//! Frankfurter: daily exchange rates of central banks. Needs no key.

use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;

use super::info::ProviderInfo;
use super::source::{Provider, RateSource, Rates};
use super::terms::Terms;
use crate::model::{Currency, ProviderName};
use crate::service::upstream::Upstream;
use crate::service::upstream::budget::Gate;
use crate::service::upstream::error::{SourceError, SourceResult};
use crate::service::upstream::settings::ResolvedSettings;

struct Frankfurter {
    upstream: Upstream,
}

/// URLs, limits and key benefits.
pub(super) const INFO: ProviderInfo =
    ProviderInfo::new(ProviderName::Frankfurter, Terms::at("https://api.frankfurter.dev", 1_000));

/// The provider.
pub(super) fn provider(settings: &ResolvedSettings, gate: Gate) -> Provider {
    let upstream = Upstream::new(settings.clone(), |key| ("authorization", key.to_owned()), gate, |_| None);
    let source = Arc::new(Frankfurter { upstream: upstream.clone() });
    Provider::new(settings, upstream).tested_by("/v2/rates?base=USD").with_rates(source)
}

#[derive(Deserialize)]
struct Row {
    base: String,
    quote: String,
    rate: f64,
}

#[async_trait]
impl RateSource for Frankfurter {
    async fn rates(&self) -> SourceResult<Rates> {
        let rows: Vec<Row> = self.upstream.get("/v2/rates?base=USD").await?.json()?;
        let mut rates = Rates::default();
        for Row { base, quote, rate } in rows {
            if base == "USD" && rate.is_finite() && rate > 0.0 {
                rates.0.extend(Currency::parse(&quote).map(|quote| (quote, rate)));
            }
        }
        match rates.0.is_empty() {
            true => Err(SourceError::unexpected_format("no rates for USD")),
            false => Ok(rates),
        }
    }
}
