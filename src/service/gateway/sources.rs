//! The state of the providers, for the user.

use std::collections::HashMap;
use std::time::Duration;

use async_trait::async_trait;
use jiff::civil::Date;

use super::Gateway;
use super::circuit_breaker::{CircuitBreaker, Pause};
use crate::format::words::{capitalised, in_sentence, join_words};
use crate::model::source::DISABLED;
use crate::model::{
    BitcoinBalance, BudgetPeriod, ChainState, CoinId, CoinName, Currency, HistoricalRate, KeyState, ProviderName,
    Source, SourceBudget, SourceState, Text,
};
use crate::service::backend::extensions::{ExtensionProvider, PriceStream};
use crate::service::data_version::DataVersions;
use crate::service::operation::Operation;
use crate::service::provider_response::{ProviderError, ProviderResult};
use crate::service::providers::info_of;
use crate::service::providers::source::Provider;
use crate::service::time_source::Moment;
use crate::service::upstream::Upstream;
use crate::service::upstream::budget::Shortage;
use crate::service::upstream::error::ErrorClass;

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

    fn coin_aliases(&self) -> HashMap<Text, Vec<Text>> {
        self.identity().aliases()
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
        let is_month_known = match upstream {
            Some(upstream) => upstream.budget().load_usage().await,
            None => true,
        };
        let in_order = |operation: &Operation| all.order(*operation).contains(&name);
        let serves: Vec<Operation> = provider.operations.iter().copied().filter(in_order).collect();
        let key = match settings.api_key {
            Some(_) => KeyState::Configured,
            None if info_of(name).is_some_and(|info| info.needs_key) => KeyState::Missing,
            None => KeyState::Keyless,
        };
        let (now, failures) = (self.0.time.moment(), self.last_failures(provider, &serves));
        // If an exchange refuses only the price socket, its other operations keep working.
        let is_off_for = |(operation, Pause { until, error, .. }): &(Operation, Pause)| {
            let is_refused = *operation == Operation::Ticker && error.class == ErrorClass::Blocked;
            until.is_none() || error.class.is_lasting() || is_refused && serves.len() > 1
        };
        let (off, waiting): (Vec<_>, Vec<_>) = failures.into_iter().partition(is_off_for);
        // An operation that is off doesn't turn off the provider's other operations.
        let is_off = off.len() == serves.len();
        let partly_off = partly_off(&off).filter(|_| !is_off);
        let failure = longest(if is_off { off } else { waiting }, now);
        let shortage = upstream.and_then(|upstream| upstream.budget().shortage());
        let unused = |code, sentence| (SourceState::Unused, Some((code, sentence)));
        let waiting = |code, sentence| (SourceState::Waiting, Some((code, sentence)));
        let (state, missing) = match &failure {
            _ if !all.is_enabled(name) => {
                unused(DISABLED, format!("Disabled (enable it: satscope sources enable {name})"))
            }
            _ if settings.base_url.is_none() => unused("no_url", benefit(name, "base_url")),
            _ if key == KeyState::Missing => unused("no_key", benefit(name, "api_key")),
            _ if serves.is_empty() => unused("no_operation", format!("Add {name} to an operation under [live]")),
            Some(Pause { error, .. }) if is_off => (SourceState::Off, Some((error.class.code(), error.reason.clone()))),
            Some(Pause { error, .. }) => waiting(error.class.code(), error.reason.clone()),
            None => match shortage {
                None => (SourceState::Ready, None),
                Some(Shortage::UsedUp) => {
                    waiting(ErrorClass::MonthlyQuota.code(), Shortage::UsedUp.reason().to_owned())
                }
                Some(shortage) => waiting("low_quota", format!("{}; manual refresh only", shortage.reason())),
            },
        };
        let rest = failure.and_then(|pause| pause.remaining(now)).filter(|rest| !rest.is_zero());
        let budget = match upstream {
            Some(upstream) => budget(upstream, settings.per_minute, is_month_known).await,
            None => None,
        };
        let recommended = info_of(name).filter(|info| settings.api_key.is_none() && !info.is_own_server());
        let missing = missing
            .or(partly_off)
            .or_else(|| Some(("unreadable", warnings(provider)?)))
            .or_else(|| Some(("key_recommended", recommended?.benefit?.to_owned())));
        let (missing_code, missing) = missing.unzip();
        Source {
            name: Text::from(name.as_str()),
            key,
            serves: serves.iter().map(|operation| Text::from(operation.as_str())).collect(),
            state,
            latency_ms: upstream.and_then(Upstream::latency).map(millis),
            budget,
            next_try_at: rest.filter(|_| state == SourceState::Waiting).map(|rest| now.wall.plus(rest)),
            attribution: name.attribution().map(Text::const_new),
            missing: missing.map(Text::from),
            missing_code: missing_code.map(Text::const_new),
        }
    }

    /// The last failure of each of the operations that has one. Live prices work again with the next price, although the
    /// backoff of their sockets ends only after a minute of prices.
    fn last_failures(&self, provider: &Provider, operations: &[Operation]) -> Vec<(Operation, Pause)> {
        let now = self.0.time.moment();
        let is_over = |pause: &Pause| self.0.ticker.has_delivered_since(provider.name, pause.set_at);
        let failure = |operation: &Operation| {
            let last = |circuit: &mut CircuitBreaker| circuit.last_failure(*operation).cloned();
            let request = self.with_circuit(provider, *operation, last);
            let stream = match operation {
                Operation::Ticker => self.0.ticker.with_circuit(provider.name, last).filter(|pause| !is_over(pause)),
                _ => None,
            };
            let of_operation = |pause: Pause| (*operation, pause);
            longest(request.into_iter().chain(stream).map(of_operation).collect(), now).map(of_operation)
        };
        operations.iter().filter_map(failure).collect()
    }
}

/// What a setting of an unused provider would add.
fn benefit(name: ProviderName, setting: &str) -> String {
    let benefit = info_of(name).and_then(|info| info.benefit);
    benefit.map_or_else(|| format!("Set providers.{name}.{setting}"), str::to_owned)
}

/// The longest pause.
fn longest(failures: Vec<(Operation, Pause)>, now: Moment) -> Option<Pause> {
    let end = |pause: &Pause| (pause.remaining(now).unwrap_or(Duration::MAX), pause.until.map(|until| until.monotonic));
    failures.into_iter().map(|(_, pause)| pause).max_by_key(end)
}

/// The code and the sentence about the operations that are off for the same reason as the first.
fn partly_off(off: &[(Operation, Pause)]) -> Option<(&'static str, String)> {
    let (_, Pause { error, .. }) = off.first()?;
    let same = off.iter().filter(|(_, pause)| pause.error.reason == error.reason);
    let titles: Vec<&str> = same.map(|(operation, _)| operation.title()).collect();
    let sentence = format!("{} off: {}", capitalised(&join_words(&titles, "and")), in_sentence(&error.reason));
    Some((error.class.code(), sentence))
}

/// The unreadable parts of a provider's last responses.
fn warnings(provider: &Provider) -> Option<String> {
    provider.upstreams().find_map(|upstream| upstream.warnings().sentence())
}

/// The upstream whose limits matter: the one with the key, if there is one.
pub(super) fn upstream(provider: &Provider) -> Option<&Upstream> {
    provider.keyed.as_ref().map(|keyed| &keyed.upstream).or(provider.upstream.as_ref())
}

async fn budget(upstream: &Upstream, per_minute: Option<u32>, is_month_known: bool) -> Option<SourceBudget> {
    if let (used, Some(limit)) = upstream.budget().month() {
        return Some(SourceBudget { limit, period: BudgetPeriod::Month, used: is_month_known.then_some(used) });
    }
    let used = upstream.budget().count_last_minute().await;
    per_minute.map(|limit| SourceBudget { limit: u64::from(limit), period: BudgetPeriod::Minute, used })
}

fn millis(latency: Duration) -> u64 {
    u64::try_from(latency.as_millis()).unwrap_or(u64::MAX)
}
