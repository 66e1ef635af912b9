//! The state of the providers, for the user.

use std::time::Duration;

use async_trait::async_trait;
use jiff::civil::Date;
use tokio::time::Instant;

use super::Gateway;
use super::circuit_breaker::Pause;
use crate::model::{
    BitcoinBalance, ChainState, CoinId, CoinName, Currency, HistoricalRate, KeyState, ProviderName, Source,
    SourceBudget, SourceState, Text,
};
use crate::service::backend::extensions::{ExtensionProvider, PriceStream};
use crate::service::data_version::DataVersions;
use crate::service::operation::Operation;
use crate::service::provider_response::{ProviderError, ProviderResult};
use crate::service::providers::info_of;
use crate::service::providers::source::Provider;
use crate::service::upstream::Upstream;
use crate::service::upstream::budget::Allowance;

#[async_trait]
impl ExtensionProvider for Gateway {
    async fn chain(&self) -> ProviderResult<ChainState> {
        self.chain_state().await
    }

    async fn bitcoin_balance(&self, address: &str) -> ProviderResult<BitcoinBalance> {
        self.balance_of(address).await
    }

    async fn names(&self) -> ProviderResult<Vec<CoinName>> {
        self.coin_names().await
    }

    async fn historical_rates(
        &self,
        days: &[Date],
        from: &[Currency],
        to: &Currency,
    ) -> ProviderResult<Vec<HistoricalRate>> {
        self.rates_of_days(days, from, to).await
    }

    fn data_versions(&self) -> Option<DataVersions> {
        Some(self.0.cache.versions())
    }

    fn upstream_requests(&self) -> Vec<(ProviderName, u64)> {
        let sent = |provider: &Provider| provider.upstreams().map(|upstream| upstream.budget().requests()).sum();
        self.0.providers.iter().map(|provider| (provider.name, sent(provider))).collect()
    }

    async fn prices(&self, ids: &[CoinId], convert: &Currency) -> Result<Option<PriceStream>, ProviderError> {
        self.stream_prices(ids, convert).await
    }

    /// All real providers, those in use and the disabled ones first.
    async fn sources(&self) -> Vec<Source> {
        self.restore_pauses().await;
        let (mut in_use, mut others) = (Vec::new(), Vec::new());
        for provider in &self.0.providers {
            let source = self.source(provider).await;
            // A provider that the user disables keeps its place.
            let is_unused = source.state == SourceState::Unused && self.settings().is_enabled(provider.name);
            if is_unused { others.push(source) } else { in_use.push(source) }
        }
        in_use.extend(others);
        in_use
    }
}

impl Gateway {
    async fn source(&self, provider: &Provider) -> Source {
        let (name, all) = (provider.name, self.settings());
        let settings = all.provider(name).with_key();
        let upstream = upstream(provider);
        if let Some(upstream) = upstream {
            upstream.budget().load_usage().await;
        }
        let in_order = |operation: &Operation| all.order(*operation).contains(&name);
        let serves: Vec<Operation> = provider.operations.iter().copied().filter(in_order).collect();
        let key = match settings.api_key {
            Some(_) => KeyState::Configured,
            None if info_of(name).is_some_and(|info| info.needs_key) => KeyState::Missing,
            None => KeyState::Keyless,
        };
        let failure = self.last_failure(provider, &serves);
        let used_up = upstream.is_some_and(|upstream| upstream.budget().allowance() == Allowance::ManualOnly);
        let (state, missing) = match &failure {
            _ if !all.is_enabled(name) => {
                (SourceState::Unused, Some(format!("Disabled (enable it: satscope sources enable {name})")))
            }
            _ if settings.base_url.is_none() => (SourceState::Unused, Some(format!("Set providers.{name}.base_url"))),
            _ if key == KeyState::Missing => (SourceState::Unused, Some(format!("Set providers.{name}.api_key"))),
            _ if serves.is_empty() => (SourceState::Unused, Some(format!("Add {name} to an operation under [live]"))),
            Some(Pause { until, error }) if until.is_none() || error.class.is_lasting() => {
                (SourceState::Off, Some(error.reason.clone()))
            }
            Some(Pause { error, .. }) => (SourceState::Waiting, Some(error.reason.clone())),
            None if used_up => {
                (SourceState::Waiting, Some(String::from("Monthly quota almost used up; manual refresh only")))
            }
            None => (SourceState::Ready, None),
        };
        let until =
            failure.and_then(|pause| pause.until).and_then(|until| until.checked_duration_since(Instant::now()));
        let budget = match upstream {
            Some(upstream) => budget(upstream, settings.per_minute).await,
            None => None,
        };
        let benefit = info_of(name).and_then(|info| info.key_benefit).filter(|_| settings.api_key.is_none());
        Source {
            name: Text::from(name.as_str()),
            key,
            serves: serves.iter().map(|operation| Text::from(operation.as_str())).collect(),
            state,
            latency_ms: upstream.and_then(Upstream::latency).map(millis),
            budget,
            next_try_at: until.filter(|_| state == SourceState::Waiting).map(|until| self.0.time.now().plus(until)),
            attribution: name.attribution().map(Text::const_new),
            missing: missing.or_else(|| warnings(provider)).or(benefit.map(str::to_owned)).map(Text::from),
        }
    }

    /// The last failure that affects any of the operations, the one with the longest pause first.
    fn last_failure(&self, provider: &Provider, operations: &[Operation]) -> Option<Pause> {
        let longest = |pauses: Vec<Pause>| pauses.into_iter().max_by_key(|pause| (pause.until.is_none(), pause.until));
        let failure = |operation: &Operation| {
            self.with_circuit(provider, *operation, |circuit| circuit.last_failure(*operation).cloned())
        };
        let requests = longest(operations.iter().filter_map(failure).collect());
        let is_ticker = operations.contains(&Operation::Ticker);
        let stream = is_ticker.then(|| {
            self.0.ticker.with_circuit(provider.name, |circuit| circuit.last_failure(Operation::Ticker).cloned())
        });
        longest(requests.into_iter().chain(stream.flatten()).collect())
    }
}

/// The unreadable parts of a provider's last responses.
fn warnings(provider: &Provider) -> Option<String> {
    provider.upstreams().find_map(|upstream| upstream.warnings().sentence())
}

/// The upstream whose limits matter: the one with the key, if there is one.
pub(super) fn upstream(provider: &Provider) -> Option<&Upstream> {
    provider.keyed.as_ref().map(|keyed| &keyed.upstream).or(provider.upstream.as_ref())
}

async fn budget(upstream: &Upstream, per_minute: Option<u32>) -> Option<SourceBudget> {
    if let (used, Some(limit)) = upstream.budget().month() {
        return Some(SourceBudget { limit, period: Text::const_new("month"), used });
    }
    let used = upstream.budget().count_last_minute().await;
    per_minute.map(|limit| SourceBudget { limit: u64::from(limit), period: Text::const_new("minute"), used })
}

fn millis(latency: Duration) -> u64 {
    u64::try_from(latency.as_millis()).unwrap_or(u64::MAX)
}
