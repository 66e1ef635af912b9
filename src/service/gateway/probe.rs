//! Checks undocumented provider behaviour with one request each. Maintainers run it before a release.

use tokio::time::Instant;

use super::Gateway;
use crate::model::ProviderName;
use crate::service::providers::info::Probe;
use crate::service::providers::info_of;
use crate::service::upstream::error::ErrorClass;

/// A checked fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeResult {
    /// The provider.
    pub provider: ProviderName,
    /// The fact, in a few words.
    pub fact: &'static str,
    /// Whether the check passed; the reason if the request failed.
    pub outcome: Result<bool, String>,
}

impl Gateway {
    /// Checks undocumented behaviour of the providers in use, one request each, within their rate limits.
    pub async fn probe(&self) -> Vec<ProbeResult> {
        // A probe that passes ends a pause.
        self.restore_pauses().await;
        let mut results = Vec::new();
        for name in ProviderName::ALL {
            let provider = self.provider(name).filter(|_| self.settings().is_enabled(name));
            let probe = info_of(name).and_then(|info| info.probe);
            let Some((provider, Probe { fact, path, holds })) = provider.zip(probe) else { continue };
            let (Some(upstream), Some(operation)) = (&provider.upstream, provider.operations.first()) else { continue };
            let sent = Instant::now();
            let outcome = match upstream.get(path).await {
                Ok(response) => {
                    self.succeeded(provider, *operation, sent).await;
                    Ok(holds(&response))
                }
                Err(error) => {
                    self.failed(provider, *operation, &error).await;
                    if is_response_of_provider(error.class) { Ok(false) } else { Err(error.reason) }
                }
            };
            results.push(ProbeResult { provider: name, fact, outcome });
        }
        results
    }
}

/// Whether an error is the provider's response, so that the check fails. Other errors leave the result open.
fn is_response_of_provider(class: ErrorClass) -> bool {
    use ErrorClass::{Empty, Forbidden, NotFound, Rejected, UnexpectedFormat};
    matches!(class, Empty | Forbidden | NotFound | Rejected | UnexpectedFormat)
}
