//! One upstream value: from the cache, or from the first provider in the order that answers.

use std::sync::PoisonError;
use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::budget::Allowance;
use super::cache::{Failure, Key, Stored, Weigh};
use super::call::is_manual;
use super::circuit::Circuit;
use super::error::{ErrorClass, NOT_SERVED, SourceError, SourceResult};
use super::{Gateway, Operation};
use crate::service::providers::{Answer, Provider, ProviderError, ProviderName};

/// What nobody knows is not asked for again for so long.
const NOTHING: Duration = Duration::from_mins(10);

/// By then the refresh of a stale value should have come.
const REFRESHED: Duration = Duration::from_secs(15);

/// A value that is younger satisfies the user's wish for a new one.
const JUST_NOW: Duration = Duration::from_secs(10);

/// So long the user's wish for a new value is waited for; then the old one must do.
const MANUAL_PATIENCE: Duration = Duration::from_secs(10);

/// Where a provider's turn is further away, the next provider is asked, if there is one.
const LONG_WAIT: Duration = Duration::from_secs(8);

impl Gateway {
    /// The value of a key: fresh from the cache; stale from the cache while a refresh runs; or from the first provider in
    /// the operation's order that is not paused and answers `call`. Where the user asks by hand, a new one within the
    /// budget, else the cached one.
    ///
    /// # Errors
    /// No provider answers, and nothing is cached.
    pub(super) async fn ask<T, C, F>(&self, key: Key, call: C) -> Result<Stored<T>, Failure>
    where
        T: Weigh + Send + Sync + 'static,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send,
    {
        self.ask_of(None, key, call).await
    }

    /// The same of one provider only, which need not list the operation.
    ///
    /// # Errors
    /// The provider does not answer, and nothing is cached.
    pub(super) async fn ask_of<T, C, F>(
        &self,
        only: Option<ProviderName>,
        key: Key,
        call: C,
    ) -> Result<Stored<T>, Failure>
    where
        T: Weigh + Send + Sync + 'static,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send,
    {
        let operation = key.operation;
        let Some(stored) = self.0.cache.get::<T>(&key) else {
            return match self.0.cache.nothing(&key) {
                Some(nothing) if !is_manual() => Err(nothing),
                _ => self.load(only, &key, call).await,
            };
        };
        self.note_wanted(&key, stored.provider);
        if is_manual() && stored.age() >= JUST_NOW {
            return match timeout(MANUAL_PATIENCE, self.load(only, &key, call)).await {
                Ok(Ok(new)) => Ok(new),
                Ok(Err(failure)) => Ok(stored.because(failure.reason())),
                Err(_) => Ok(stored.because(Some(String::from("Refresh still waiting for its turn")))),
            };
        }
        if stored.is_fresh() {
            return Ok(stored);
        }
        match self.trouble(only, operation) {
            Ok(()) => {
                self.refresh(only, key, call);
                Ok(stored)
            }
            Err(trouble) => Ok(stored.because(trouble.into_failure().reason())),
        }
    }

    /// Loads a value in the background, unless that is under way.
    fn refresh<T, C, F>(&self, only: Option<ProviderName>, key: Key, call: C)
    where
        T: Weigh + Send + Sync + 'static,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send,
    {
        if self.0.cache.is_loading(&key) {
            return;
        }
        let gateway = self.clone();
        tokio::spawn(async move {
            if let Err(failure) = gateway.load(only, &key, call).await {
                tracing::debug!(?key, ?failure, "not refreshed");
            }
        });
    }

    async fn load<T, C, F>(&self, only: Option<ProviderName>, key: &Key, call: C) -> Result<Stored<T>, Failure>
    where
        T: Weigh + Send + Sync + 'static,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send,
    {
        let work = || {
            let (gateway, key) = (self.clone(), key.clone());
            async move {
                let result = gateway.fetch(only, &key, call).await;
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
    async fn fetch<T, C, F>(&self, only: Option<ProviderName>, key: &Key, call: C) -> Result<Stored<T>, Failure>
    where
        T: Send + Sync,
        C: Fn(Provider) -> F,
        F: Future<Output = SourceResult<T>>,
    {
        let operation = key.operation;
        let mut trouble = Trouble::default();
        for provider in self.candidates(only, operation) {
            let name = provider.name;
            if self.0.cache.is_missing(name, key) && !is_manual() {
                trouble.not_found.get_or_insert_with(|| format!("{} doesn't know it", name.title()));
                continue;
            }
            if let Some((wait, reason)) = self.closed(provider, operation) {
                trouble.fails(name, reason, wait);
                continue;
            }
            let turn = wait_of(provider, operation);
            if turn > LONG_WAIT && only.is_none() && self.is_better_later(name, operation) {
                trouble.fails(name, String::from("Waiting for its turn"), Some(turn));
                continue;
            }
            match call(provider.clone()).await {
                Ok(value) => {
                    self.with_circuit(name, |circuit| circuit.succeeded(operation));
                    self.note_wanted(key, name);
                    let fresh_for = fresh_for(provider, key);
                    let (at, since) = (self.0.time.now(), Instant::now());
                    return Ok(Stored { provider: name, at, since, fresh_for, notice: None, value: value.into() });
                }
                Err(error) if error.class == ErrorClass::Abandoned => return Err(Failure::Abandoned),
                Err(error) => {
                    self.failed(provider, operation, &error).await;
                    if matches!(error.class, ErrorClass::NotFound | ErrorClass::Rejected) {
                        self.0.cache.put_missing(name, key.clone());
                    }
                    trouble.failed(name, error, || self.closed(provider, operation).and_then(|(wait, _)| wait));
                }
            }
        }
        Err(trouble.into_failure())
    }

    /// Who may be asked, in order.
    fn candidates(&self, only: Option<ProviderName>, operation: Operation) -> Vec<&Provider> {
        match only {
            Some(name) => self.0.providers.iter().filter(|provider| provider.name == name).collect(),
            None => self.serving(operation).collect(),
        }
    }

    /// Whether a provider may be asked now.
    pub(super) fn is_open(&self, provider: &Provider, operation: Operation) -> bool {
        self.closed(provider, operation).is_none()
    }

    /// The providers that serve an operation, in order.
    pub(super) fn serving(&self, operation: Operation) -> impl Iterator<Item = &Provider> {
        let order = self.0.settings.order(operation).iter();
        let provider = |name: &ProviderName| self.0.providers.iter().find(|provider| provider.name == *name);
        order.filter_map(provider).filter(move |provider| provider.operations.contains(&operation))
    }

    /// Whether a provider that comes after this one could answer sooner.
    fn is_better_later(&self, name: ProviderName, operation: Operation) -> bool {
        let later = self.serving(operation).skip_while(|provider| provider.name != name).skip(1);
        later
            .into_iter()
            .any(|provider| self.closed(provider, operation).is_none() && wait_of(provider, operation) <= LONG_WAIT)
    }

    /// Why nobody can be asked, if nobody can.
    fn trouble(&self, only: Option<ProviderName>, operation: Operation) -> Result<(), Trouble> {
        let mut trouble = Trouble::default();
        for provider in self.candidates(only, operation) {
            match self.closed(provider, operation) {
                None => return Ok(()),
                Some((wait, reason)) => trouble.fails(provider.name, reason, wait),
            }
        }
        Err(trouble)
    }

    /// For how long a provider must not be asked, and why; without a time, until something changes.
    fn closed(&self, provider: &Provider, operation: Operation) -> Option<(Option<Duration>, String)> {
        let now = Instant::now();
        let pause = self.with_circuit(provider.name, |circuit| {
            let pause = circuit.pause(operation, now)?;
            Some((pause.until.map(|until| until - now), pause.error.reason.clone()))
        });
        pause.or_else(|| {
            let gate = provider.upstream_for(operation)?.gate();
            let is_closed = !is_manual() && gate.allowance() == Allowance::ManualOnly;
            is_closed.then(|| (None, String::from("Allowance of the month runs low, only manual refreshes are sent")))
        })
    }

    async fn failed(&self, provider: &Provider, operation: Operation, error: &SourceError) {
        let name = provider.name;
        tracing::info!(provider = name.as_str(), %operation, class = ?error.class, reason = %error, "failed");
        let (now, today) = (Instant::now(), self.0.time.now());
        let pause = self.with_circuit(name, |circuit| {
            circuit.failed(operation, error, now, today);
            circuit.pause(operation, now).and_then(|pause| pause.until).map(|until| until - now)
        });
        let Some(gate) = provider.upstream_for(operation).map(|upstream| upstream.gate()) else { return };
        match (error.class, pause) {
            // Other instances share the address and the key.
            (ErrorClass::Wait(_) | ErrorClass::UntilTomorrow, Some(pause)) => gate.hold(pause).await,
            (ErrorClass::UntilNextMonth, _) => gate.set_spent().await,
            _ => {}
        }
    }

    /// Somebody looks at a value of a provider, so it is to be kept fresh.
    fn note_wanted(&self, key: &Key, name: ProviderName) {
        let provider = self.0.providers.iter().find(|provider| provider.name == name);
        if let Some(provider) = provider
            && let Some(upstream) = provider.upstream_for(key.operation)
        {
            upstream.gate().wants(key, base(provider, key));
        }
    }

    fn with_circuit<R>(&self, name: ProviderName, work: impl FnOnce(&mut Circuit) -> R) -> R {
        let mut circuits = self.0.circuits.lock().unwrap_or_else(PoisonError::into_inner);
        work(circuits.entry(name).or_default())
    }
}

/// How long a value of an operation is fresh: the interface's time, or longer where the provider's terms or what is left
/// of its allowance require it.
fn fresh_for(provider: &Provider, key: &Key) -> Duration {
    let fresh_for = base(provider, key);
    match provider.upstream_for(key.operation).map(|upstream| upstream.gate().allowance()) {
        Some(Allowance::Stretched(stretch)) => fresh_for.mul_f64(stretch),
        _ => fresh_for,
    }
}

/// How long it is fresh by the interface and the provider's terms.
fn base(provider: &Provider, key: &Key) -> Duration {
    key.operation.fresh_for().max(provider.fresh_at_least).max(key.fresh_at_least)
}

fn wait_of(provider: &Provider, operation: Operation) -> Duration {
    provider.upstream_for(operation).map_or(Duration::ZERO, |upstream| upstream.gate().wait())
}

/// Why no provider answered so far.
#[derive(Default)]
struct Trouble {
    not_found: Option<String>,
    /// What would serve this part of the operation.
    not_served: Option<String>,
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
            ErrorClass::Unsupported if error.reason == NOT_SERVED => {}
            ErrorClass::Unsupported => {
                self.not_served.get_or_insert(error.reason);
            }
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
            (None, None) => self.not_served.map_or(Failure::Unsupported, Failure::NotServed),
        }
    }
}

impl Failure {
    /// Why, where there is more to say than that nobody serves it.
    fn reason(self) -> Option<String> {
        match self {
            Failure::NotFound(reason) | Failure::Unavailable { reason, .. } => Some(reason),
            Failure::Unsupported | Failure::NotServed(_) | Failure::Abandoned => None,
        }
    }

    /// The error of the interface.
    pub(super) fn into_error(self, operation: Operation) -> ProviderError {
        match self {
            Failure::Unsupported => ProviderError::Unsupported(operation.remedy().to_owned()),
            Failure::NotServed(sentence) => ProviderError::Unsupported(sentence),
            Failure::NotFound(reason) => ProviderError::NotFound(reason),
            Failure::Unavailable { reason, retry_after } => ProviderError::Unavailable { reason, retry_after },
            Failure::Abandoned => {
                ProviderError::Unavailable { reason: String::from("The request was given up"), retry_after: None }
            }
        }
    }
}

impl<T> Stored<T> {
    /// The same, with why it is old.
    fn because(self, reason: Option<String>) -> Stored<T> {
        Stored { notice: reason.map(Into::into), ..self }
    }

    /// An answer made of this value.
    pub(super) fn answer<U>(&self, data: U) -> Answer<U> {
        let age = self.age();
        let fresh_for = match self.fresh_for.saturating_sub(age) {
            Duration::ZERO => REFRESHED,
            rest => rest,
        };
        let notice = self.notice.as_ref().map(ToString::to_string);
        Answer { data, at: self.at, age, fresh_for, provider: Some(self.provider), notice }
    }
}
