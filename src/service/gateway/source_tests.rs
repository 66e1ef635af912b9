//! Test requests by the user: whether a provider works now.

use std::time::Duration;

use super::Gateway;
use super::circuit_breaker::CircuitBreaker;
use crate::model::ProviderName;
use crate::service::operation::Operation;
use crate::service::providers::info_of;
use crate::service::providers::source::{Keyed, Provider};
use crate::service::upstream::Upstream;

impl Gateway {
    /// Sends one request to a provider now, even if it is disabled or paused or its month is used up, within its rate
    /// limits. A success ends all pauses, but doesn't change the count of the month; a failure counts like any other
    /// request's. A separate server for the key is tested as well. Returns the latency.
    ///
    /// # Errors
    /// Why the provider doesn't work, or what it needs, in a few words.
    pub async fn test_source(&self, name: ProviderName) -> Result<Duration, String> {
        let settings = self.settings().provider(name).with_key();
        let provider = self.provider(name).ok_or_else(|| String::from("No such provider"))?;
        if settings.base_url.is_none() {
            return Err(format!("Set providers.{name}.base_url"));
        }
        if settings.api_key.is_none() && info_of(name).is_some_and(|info| info.needs_key) {
            return Err(format!("Set providers.{name}.api_key"));
        }
        let (Some(upstream), Some(operation)) = (&provider.upstream, provider.operations.first()) else {
            return Err(String::from("Serves nothing"));
        };
        let latency = self.test_server(provider, upstream, &provider.test_path, *operation).await?;
        self.0.ticker.resume(name);
        if provider.operations.contains(&Operation::Block) {
            self.0.block_stream.allow_sockets();
        }
        if let Some(Keyed { upstream, operations, test_path }) = &provider.keyed
            && let Some(operation) = operations.first()
        {
            return self.test_server(provider, upstream, test_path, *operation).await;
        }
        Ok(latency)
    }

    /// Sends a test request to the server of an operation.
    async fn test_server(
        &self,
        provider: &Provider,
        upstream: &Upstream,
        path: &str,
        operation: Operation,
    ) -> Result<Duration, String> {
        let pauses = self.pauses_of_server(provider, operation).await;
        upstream.budget().resume();
        match upstream.test(path).await {
            Ok(response) => {
                self.with_circuit(provider, operation, CircuitBreaker::reset);
                self.remove_tested_pauses(pauses).await;
                Ok(response.latency())
            }
            Err(error) => {
                self.failed(provider, operation, &error).await;
                Err(error.reason)
            }
        }
    }
}
