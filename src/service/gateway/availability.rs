//! Which providers serve an operation, and which of them can be used now.

use std::time::Duration;

use tokio::time::Instant;

use super::Gateway;
use super::blocks::BlockStamp;
use super::circuit_breaker::{CircuitBreaker, Pause, is_isolated};
use super::failure::Failures;
use super::freshness::base_freshness;
use crate::model::ProviderName;
use crate::service::call::{is_background, is_manual};
use crate::service::operation::{Key, Operation};
use crate::service::providers::source::Provider;
use crate::service::upstream::budget::Shortage;
use crate::service::upstream::calendar::until_next_month;
use crate::service::upstream::error::{ErrorClass, SourceError};
use crate::service::upstream::{LONG_WAIT, Upstream};

impl Gateway {
    /// The provider with a name.
    pub(super) fn provider(&self, name: ProviderName) -> Option<&Provider> {
        self.0.providers.iter().find(|provider| provider.name == name)
    }

    /// The providers to try, in order.
    pub(super) fn candidates(&self, only: Option<ProviderName>, operation: Operation) -> Vec<&Provider> {
        match only {
            Some(name) => self.provider(name).filter(|_| self.settings().is_enabled(name)).into_iter().collect(),
            None => self.serving(operation).collect(),
        }
    }

    /// Whether a provider can be used now, even for data that nobody waits for.
    pub(super) fn is_available(&self, provider: &Provider, operation: Operation) -> bool {
        self.paused(provider, operation).is_none() && self.short_of_requests(provider, operation, false).is_none()
    }

    /// The providers that serve an operation, in order.
    pub(super) fn serving(&self, operation: Operation) -> impl Iterator<Item = &Provider> {
        let in_use: Vec<ProviderName> = self.settings().in_use(operation).collect();
        let provider = |name| self.provider(name);
        in_use.into_iter().filter_map(provider).filter(move |provider| provider.operations.contains(&operation))
    }

    /// The providers to try, in order, if `failed`, the provider of a list, lacks a later page. If it has itself replaced
    /// another one, only those after it, so that providers that lack different pages don't replace each other in turn.
    pub(super) fn next_providers(
        &self,
        operation: Operation,
        failed: ProviderName,
        replaced: Option<ProviderName>,
    ) -> Vec<ProviderName> {
        let serving = self.serving(operation).map(|provider| provider.name);
        match replaced {
            Some(before) => serving.skip_while(|name| *name != failed).skip(1).filter(|name| *name != before).collect(),
            None => serving.filter(|name| *name != failed).collect(),
        }
    }

    /// Whether a later provider in the order could answer soon.
    pub(super) fn has_alternative(&self, name: ProviderName, operation: Operation) -> bool {
        let mut later = self.serving(operation).skip_while(|provider| provider.name != name).skip(1);
        later.any(|provider| self.is_available(provider, operation) && queue_wait(provider, operation) <= LONG_WAIT)
    }

    /// Checks that at least one provider is available for a key. The error says why none is.
    pub(super) fn failures(
        &self,
        only: Option<ProviderName>,
        key: &Key,
        tip: Option<BlockStamp>,
    ) -> Result<(), Failures> {
        let mut failures = Failures::default();
        for provider in self.candidates(only, key.operation) {
            let name = provider.name;
            match (self.miss(Some(name), key, tip), self.unavailable(provider, key)) {
                (Some((miss, remaining)), _) if miss.may_exist() => failures.add_miss(name, &miss, remaining),
                (_, None) => return Ok(()),
                (_, Some(why)) => failures.add_unavailable(name, why, self.may_retry(provider, key.operation)),
            }
        }
        Err(failures)
    }

    /// How long a provider can't be used for a key, and why; `None` if it can. No duration means until a change.
    pub(super) fn unavailable(&self, provider: &Provider, key: &Key) -> Option<(Option<Duration>, String)> {
        self.paused(provider, key.operation).or_else(|| {
            let is_awaited = self.0.cache.get(key).is_none() && !is_background();
            let (wait, reason) = self.short_of_requests(provider, key.operation, is_awaited)?;
            // By then, data that is no longer on the screen doesn't count as demand.
            Some((Some(wait.unwrap_or_else(|| base_freshness(provider, key) * 2)), reason))
        })
    }

    /// Whether a manual refresh queries providers although none is available. A service with many clients doesn't: each
    /// of them would retry.
    pub(super) fn retries_paused(&self, only: Option<ProviderName>, key: &Key, tip: Option<BlockStamp>) -> bool {
        is_manual() && !self.settings().has_many_clients && self.failures(only, key, tip).is_err()
    }

    /// Ends the wait for a paused provider for a manual refresh, unless the provider itself demands a pause, or one has
    /// just begun. Returns whether the provider may be queried.
    pub(super) fn end_wait(&self, provider: &Provider, operation: Operation) -> bool {
        let (now, min_age) = (self.0.time.moment(), self.min_refresh_age(Duration::ZERO));
        let may_retry =
            self.with_circuit(provider, operation, |circuit| circuit.may_end_early(operation, min_age, now));
        if may_retry && let Some(upstream) = provider.upstream_for(operation) {
            upstream.budget().resume();
        }
        may_retry
    }

    /// Whether a manual refresh queries a provider, even if it is not available otherwise.
    pub(super) fn may_retry(&self, provider: &Provider, operation: Operation) -> bool {
        let now = self.0.time.moment();
        let (is_paused, may_end_early) = self.with_circuit(provider, operation, |circuit| {
            (circuit.pause(operation, now).is_some(), circuit.may_end_early(operation, Duration::ZERO, now))
        });
        let shortage = provider.upstream_for(operation).and_then(|upstream| upstream.budget().shortage());
        if self.settings().has_many_clients {
            !is_paused && shortage.is_none()
        } else {
            (!is_paused || may_end_early) && shortage != Some(Shortage::UsedUp)
        }
    }

    /// How long a provider is paused, and why.
    fn paused(&self, provider: &Provider, operation: Operation) -> Option<(Option<Duration>, String)> {
        let now = self.0.time.moment();
        self.with_circuit(provider, operation, |circuit| {
            let pause = circuit.pause(operation, now)?;
            Some((pause.remaining(now), pause.error.reason.clone()))
        })
    }

    /// Whether the monthly limit forbids a request: for how long, if known, and why. `is_awaited`: somebody waits for
    /// the data, and there is no older data.
    fn short_of_requests(
        &self,
        provider: &Provider,
        operation: Operation,
        is_awaited: bool,
    ) -> Option<(Option<Duration>, String)> {
        let shortage = provider.upstream_for(operation)?.budget().shortage()?;
        let has_many_clients = self.settings().has_many_clients;
        let is_allowed = match shortage {
            // The budget refuses the request.
            Shortage::UsedUp => is_manual() && !has_many_clients,
            // They must not use up the rest for each other.
            Shortage::Low if has_many_clients => false,
            Shortage::Low | Shortage::Demand => is_awaited || is_manual() && !has_many_clients,
        };
        let reason = shortage.reason();
        match shortage {
            _ if is_allowed => None,
            Shortage::UsedUp => Some((Some(until_next_month(self.0.time.now())), reason.to_owned())),
            _ if has_many_clients => Some((None, reason.to_owned())),
            _ => Some((None, format!("{reason} · manual refresh only"))),
        }
    }

    /// Records a failure of a provider: the circuit breaker may pause the operation or the provider.
    pub(super) async fn failed(&self, provider: &Provider, operation: Operation, error: &SourceError) {
        let (name, error_class) = (provider.name, error.class);
        tracing::info!(provider = name.as_str(), %operation, class = ?error_class, reason = %error, "failed");
        let now = self.0.time.moment();
        let pause = self.with_circuit(provider, operation, |circuit| {
            circuit.failed(operation, error, now);
            circuit.pause_of_all(now).cloned()
        });
        let Some(budget) = provider.upstream_for(operation).map(|upstream| upstream.budget()) else { return };
        // Queued requests are not sent either.
        if let Some(Pause { until, error, .. }) = &pause {
            budget.pause(*until, error);
        }
        self.save_pause(provider, operation, error_class).await;
        let pause = pause.and_then(|pause| pause.remaining(now));
        match (error.class, pause) {
            // Other instances share the address and the key.
            (ErrorClass::RateLimited(_) | ErrorClass::DailyQuota, Some(pause)) => budget.pause_in_redis(pause).await,
            (ErrorClass::MonthlyQuota, _) => budget.set_used_up().await,
            _ => {}
        }
    }

    /// Records a failure of a provider for a value. If it [fails alone](is_isolated), others are still requested.
    pub(super) async fn value_failed(&self, provider: &Provider, key: &Key, error: &SourceError) {
        let (name, operation) = (provider.name, key.operation);
        if !is_isolated(key, error.class) {
            return self.failed(provider, operation, error).await;
        }
        tracing::info!(provider = name.as_str(), %operation, class = ?error.class, reason = %error, "one value failed");
        let now = self.0.time.moment();
        self.with_circuit(provider, operation, |circuit| circuit.value_failed(key, error, now));
        self.save_pause(provider, operation, error.class).await;
    }

    /// Records the success of a request that began at this time. If another request has paused the operation of the
    /// provider since then, it stays paused.
    pub(super) async fn succeeded(&self, provider: &Provider, operation: Operation, began: Instant) {
        let had_failed = self.with_circuit(provider, operation, |circuit| {
            (!circuit.was_paused_since(operation, began)).then(|| circuit.succeeded(operation))
        });
        let Some(had_failed) = had_failed else { return };
        if had_failed {
            self.remove_pauses(provider, operation).await;
        }
        if let Some(upstream) = provider.upstream_for(operation) {
            upstream.budget().resume();
        }
    }

    /// The circuit breaker of the server that an operation of a provider uses.
    pub(super) fn with_circuit<R>(
        &self,
        provider: &Provider,
        operation: Operation,
        work: impl FnOnce(&mut CircuitBreaker) -> R,
    ) -> R {
        let mut circuits = self.0.circuits.lock();
        work(circuits.entry((provider.name, provider.is_keyed(operation))).or_default())
    }
}

/// Whether a provider is slow now, so that nothing optional should wait for it.
pub(super) fn is_slow(provider: &Provider, operation: Operation) -> bool {
    provider.upstream_for(operation).is_some_and(Upstream::is_slow)
}

/// How long a request to a provider would wait.
pub(super) fn queue_wait(provider: &Provider, operation: Operation) -> Duration {
    provider.upstream_for(operation).map_or(Duration::ZERO, |upstream| upstream.budget().wait())
}
