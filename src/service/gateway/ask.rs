//! One upstream value: from the cache, or from the first provider in the order that answers.

use std::sync::PoisonError;
use std::time::Duration;

use tokio::time::Instant;

use super::cache::{Failure, Key, Stored, Weigh};
use super::circuit::Circuit;
use super::error::{ErrorClass, SourceError, SourceResult};
use super::{Gateway, Operation};
use crate::service::providers::{Answer, Provider, ProviderError, ProviderName};

/// What nobody knows is not asked for again for so long.
const NOTHING: Duration = Duration::from_mins(10);

/// By then the refresh of a stale value should have come.
const REFRESHED: Duration = Duration::from_secs(15);

impl Gateway {
    /// The value of a key: fresh from the cache; stale from the cache while a refresh runs; or from the first provider in
    /// the operation's order that is not paused and answers `call`.
    ///
    /// # Errors
    /// No provider answers, and nothing is cached.
    pub(super) async fn ask<T, C, F>(&self, key: Key, call: C) -> Result<Stored<T>, Failure>
    where
        T: Weigh + Send + Sync + 'static,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send,
    {
        let cached = self.0.cache.get::<T>(&key);
        match cached {
            Some(stored) if stored.is_fresh() => Ok(stored),
            Some(stale) => {
                self.refresh(key, call);
                Ok(stale)
            }
            None => match self.0.cache.nothing(&key) {
                Some(nothing) => Err(nothing),
                None => self.load(&key, call).await,
            },
        }
    }

    /// Loads a value in the background, unless that is under way.
    fn refresh<T, C, F>(&self, key: Key, call: C)
    where
        T: Weigh + Send + Sync + 'static,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send,
    {
        if self.0.cache.is_loading(&key) || !self.can_ask(key.operation) {
            return;
        }
        let gateway = self.clone();
        tokio::spawn(async move {
            if let Err(failure) = gateway.load(&key, call).await {
                tracing::debug!(?key, ?failure, "not refreshed");
            }
        });
    }

    async fn load<T, C, F>(&self, key: &Key, call: C) -> Result<Stored<T>, Failure>
    where
        T: Weigh + Send + Sync + 'static,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send,
    {
        let work = || {
            let (gateway, key) = (self.clone(), key.clone());
            async move {
                let result = gateway.fetch(key.operation, call).await;
                match &result {
                    Ok(stored) => gateway.0.cache.put(key, stored.clone()),
                    Err(failure @ Failure::NotFound(_)) => {
                        gateway.0.cache.put_nothing(key, failure.clone(), NOTHING);
                    }
                    Err(_) => {}
                }
                result
            }
        };
        self.0.cache.load(key, work).await
    }

    /// Asks the providers in order.
    async fn fetch<T, C, F>(&self, operation: Operation, call: C) -> Result<Stored<T>, Failure>
    where
        T: Send + Sync,
        C: Fn(Provider) -> F,
        F: Future<Output = SourceResult<T>>,
    {
        let mut trouble = Trouble::default();
        for provider in self.serving(operation) {
            let name = provider.name;
            if let Some((wait, reason)) = self.paused(name, operation) {
                trouble.fails(name, reason, wait);
                continue;
            }
            let fresh_for = operation.fresh_for().max(provider.fresh_at_least);
            match call(provider.clone()).await {
                Ok(value) => {
                    self.with_circuit(name, |circuit| circuit.succeeded(operation));
                    let (at, since) = (self.0.time.now(), Instant::now());
                    return Ok(Stored { provider: name, at, since, fresh_for, value: value.into() });
                }
                Err(error) if error.class == ErrorClass::Abandoned => return Err(Failure::Abandoned),
                Err(error) => {
                    self.failed(name, operation, &error);
                    trouble.failed(name, error, || self.paused(name, operation).and_then(|(wait, _)| wait));
                }
            }
        }
        Err(trouble.into_failure())
    }

    /// The providers that serve an operation, in order.
    fn serving(&self, operation: Operation) -> impl Iterator<Item = &Provider> {
        let order = self.0.settings.order(operation).iter();
        let provider = |name: &ProviderName| self.0.providers.iter().find(|provider| provider.name == *name);
        order.filter_map(provider).filter(move |provider| provider.operations.contains(&operation))
    }

    /// Whether any provider of an operation is not paused.
    fn can_ask(&self, operation: Operation) -> bool {
        self.serving(operation).any(|provider| self.paused(provider.name, operation).is_none())
    }

    /// For how long a provider is paused, and why; without a time, until a restart.
    fn paused(&self, name: ProviderName, operation: Operation) -> Option<(Option<Duration>, String)> {
        let now = Instant::now();
        self.with_circuit(name, |circuit| {
            let pause = circuit.pause(operation, now)?;
            Some((pause.until.map(|until| until - now), pause.error.reason.clone()))
        })
    }

    fn failed(&self, name: ProviderName, operation: Operation, error: &SourceError) {
        tracing::info!(provider = name.as_str(), %operation, class = ?error.class, reason = %error, "failed");
        let today = self.0.time.now();
        self.with_circuit(name, |circuit| circuit.failed(operation, error, Instant::now(), today));
    }

    fn with_circuit<R>(&self, name: ProviderName, work: impl FnOnce(&mut Circuit) -> R) -> R {
        let mut circuits = self.0.circuits.lock().unwrap_or_else(PoisonError::into_inner);
        work(circuits.entry(name).or_default())
    }
}

/// Why no provider answered so far.
#[derive(Default)]
struct Trouble {
    not_found: Option<String>,
    /// The first failure that may pass, and its provider: that of the first choice.
    failing: Option<(ProviderName, String)>,
    retry_after: Option<Duration>,
}

impl Trouble {
    fn failed(&mut self, name: ProviderName, error: SourceError, wait: impl FnOnce() -> Option<Duration>) {
        match error.class {
            ErrorClass::NotFound | ErrorClass::Rejected => {
                self.not_found.get_or_insert(error.reason);
            }
            ErrorClass::Unsupported => {}
            _ => self.fails(name, error.reason, wait()),
        }
    }

    fn fails(&mut self, name: ProviderName, reason: String, wait: Option<Duration>) {
        self.failing.get_or_insert((name, reason));
        if let Some(wait) = wait {
            self.retry_after = Some(self.retry_after.map_or(wait, |known| known.min(wait)));
        }
    }

    fn into_failure(self) -> Failure {
        match (self.failing, self.not_found) {
            (Some((name, reason)), _) => {
                let reason = format!("{}: {reason}", name.title());
                Failure::Unavailable { reason, retry_after: self.retry_after }
            }
            (None, Some(reason)) => Failure::NotFound(reason),
            (None, None) => Failure::Unsupported,
        }
    }
}

impl Failure {
    /// The error of the interface.
    pub(super) fn into_error(self, operation: Operation) -> ProviderError {
        match self {
            Failure::Unsupported => ProviderError::Unsupported(operation.remedy().to_owned()),
            Failure::NotFound(reason) => ProviderError::NotFound(reason),
            Failure::Unavailable { reason, retry_after } => ProviderError::Unavailable { reason, retry_after },
            Failure::Abandoned => {
                ProviderError::Unavailable { reason: String::from("The request was given up"), retry_after: None }
            }
        }
    }
}

impl<T> Stored<T> {
    /// An answer made of this value.
    pub(super) fn answer<U>(&self, data: U) -> Answer<U> {
        let age = self.age();
        let fresh_for = match self.fresh_for.saturating_sub(age) {
            Duration::ZERO => REFRESHED,
            rest => rest,
        };
        Answer { data, at: self.at, age, fresh_for, provider: Some(self.provider) }
    }
}
