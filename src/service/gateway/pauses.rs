//! The pauses of providers in the store: a command doesn't query a provider that has just told the last one to wait,
//! and `satscope sources` shows the reason.

use std::time::Duration;

use parking_lot::MutexGuard;
use tokio::task::spawn_blocking;

use super::Gateway;
use super::circuit_breaker::Pause;
use crate::model::ProviderName;
use crate::service::operation::Operation;
use crate::service::providers::source::Provider;
use crate::service::time_source::Moment;
use crate::service::upstream::error::{ErrorClass, SourceError};
use crate::store::{Database, Error, ProviderPause};

/// How long a pause without an end is kept: an operation that a provider forbids, a key that it rejects, or a provider
/// that no longer exists. The provider may allow it later.
const FORBIDDEN: Duration = Duration::from_hours(24);

/// How long the number of failures is kept after a pause.
const KEEP_REPEATS: Duration = Duration::from_hours(1);

/// A pause that ends later was set with a wrong clock.
const MAX_PAUSE: Duration = Duration::from_hours(32 * 24);

impl Gateway {
    /// Restores the pauses set by earlier and other processes on this machine, once. If the store is busy, the next
    /// call tries again.
    pub(super) async fn restore_pauses(&self) {
        let restore = || async {
            let pauses = match self.with_store(Database::provider_pauses).await {
                Err(Error::NoDirectory) => Vec::new(),
                pauses => pauses?,
            };
            let (now, is_command) = (self.0.time.moment(), self.settings().is_command);
            for saved in pauses {
                if !is_command && ErrorClass::parse_saved(&saved.class) == Some(ErrorClass::Gone) {
                    // If it stays there, later commands don't send the request again.
                    let _ = self.with_store(move |database| database.remove_pauses(&[saved])).await;
                } else {
                    self.restore(&saved, now);
                    self.saved_pauses().push(saved);
                }
            }
            Ok::<(), Error>(())
        };
        // It is logged.
        let _ = self.0.restored.get_or_try_init(restore).await;
    }

    fn restore(&self, saved: &ProviderPause, now: Moment) {
        let provider = ProviderName::parse(&saved.provider).and_then(|name| self.provider(name));
        let Some((provider, class)) = provider.zip(ErrorClass::parse_saved(&saved.class)) else { return };
        let operation = Operation::parse(&saved.operation);
        let is_known = operation.is_some() || saved.operation.is_empty();
        let today = now.wall;
        let is_recent = today.since(saved.until) <= KEEP_REPEATS && saved.until.since(today) <= MAX_PAUSE;
        if !is_known || !is_recent {
            return;
        }
        let until = Some(now.plus(saved.until.since(today)));
        let pause = Pause { until, set_at: now.monotonic, error: SourceError::new(class, saved.reason.as_str()) };
        // Its server for operations that need a key has separate pauses.
        for operation_of_server in provider.operations_by_server() {
            let server = provider.upstream_for(operation_of_server).map(|upstream| upstream.server_id());
            if server == Some(saved.server) {
                self.with_circuit(provider, operation_of_server, |circuit| {
                    circuit.restore(operation, pause.clone(), saved.repeats, now);
                });
            }
        }
    }

    /// Saves the pause that a failure of an operation caused.
    pub(super) async fn save_pause(&self, provider: &Provider, operation: Operation, class: ErrorClass) {
        let (Some(name), Some(upstream)) = (class.saved_name(), provider.upstream_for(operation)) else { return };
        let _order = self.0.pauses_order.lock().await;
        let now = self.0.time.moment();
        let pause = self.with_circuit(provider, operation, |circuit| {
            let pause = circuit.pause(operation, now)?.clone();
            Some((pause, circuit.pause_of_all(now).is_some(), circuit.repeats(class)))
        });
        let Some((pause, is_of_all, repeats)) = pause.filter(|(pause, ..)| pause.error.class == class) else {
            return;
        };
        let saved = ProviderPause {
            provider: provider.name.as_str().to_owned(),
            server: upstream.server_id(),
            operation: if is_of_all { String::new() } else { operation.as_str().to_owned() },
            until: now.wall.plus(pause.remaining(now).unwrap_or(FORBIDDEN)),
            class: name.to_owned(),
            repeats,
            reason: pause.error.reason,
        };
        {
            let mut known = self.saved_pauses();
            known.retain(|other| !is_same_place(other, &saved));
            known.push(saved.clone());
        }
        let _ = self.with_store(move |database| database.save_pause(&saved)).await;
    }

    /// Removes the saved pauses that affect an operation after a success. Those that another process has saved in the
    /// meantime stay.
    pub(super) async fn remove_pauses(&self, provider: &Provider, operation: Operation) {
        let Some(server) = provider.upstream_for(operation).map(|upstream| upstream.server_id()) else { return };
        let is_over = |pause: &ProviderPause| {
            (pause.provider.as_str(), pause.server) == (provider.name.as_str(), server)
                && (pause.operation.is_empty() || pause.operation == operation.as_str())
        };
        if !self.saved_pauses().iter().any(is_over) {
            return;
        }
        let _order = self.0.pauses_order.lock().await;
        let over: Vec<ProviderPause> = self.saved_pauses().iter().filter(|pause| is_over(pause)).cloned().collect();
        let removed = over.clone();
        // After a failure, the next success tries again.
        if self.with_store(move |database| database.remove_pauses(&removed)).await.is_ok() {
            self.saved_pauses().retain(|pause| !over.contains(pause));
        }
    }

    /// The saved pauses of an operation's server, including other processes' pauses.
    pub(super) async fn pauses_of_server(&self, provider: &Provider, operation: Operation) -> Vec<ProviderPause> {
        let Some(server) = provider.upstream_for(operation).map(|upstream| upstream.server_id()) else {
            return Vec::new();
        };
        let mut pauses = self.with_store(Database::provider_pauses).await.unwrap_or_default();
        pauses.retain(|pause| (pause.provider.as_str(), pause.server) == (provider.name.as_str(), server));
        pauses
    }

    /// Removes these saved pauses after a test by the user.
    pub(super) async fn remove_tested_pauses(&self, pauses: Vec<ProviderPause>) {
        self.saved_pauses().retain(|known| !pauses.contains(known));
        let _ = self.with_store(move |database| database.remove_pauses(&pauses)).await;
    }

    fn saved_pauses(&self) -> MutexGuard<'_, Vec<ProviderPause>> {
        self.0.saved_pauses.lock()
    }

    /// Runs `work` with the store. A failure is logged; it only causes extra requests.
    ///
    /// # Errors
    /// The store can't be used.
    async fn with_store<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Database) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let store = self.settings().store.clone();
        // The panic hook reports panics.
        let done = spawn_blocking(move || store.count(work)).await.unwrap_or(Err(Error::NoDirectory));
        if let Err(error) = &done
            && !matches!(error, Error::NoDirectory)
        {
            tracing::info!(%error, "can't read or save provider pauses");
        }
        done
    }
}

/// Whether one of two pauses replaces the other in the store.
fn is_same_place(one: &ProviderPause, other: &ProviderPause) -> bool {
    let place = |pause: &ProviderPause| (pause.provider.clone(), pause.server, pause.operation.clone());
    place(one) == place(other)
}
