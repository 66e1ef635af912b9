//! Coins whose data is missing because a lookup failed.

use std::time::Duration;

use crate::client::error;
use crate::client::notice::symbol_names;
use crate::model::Text;
use crate::service::gateway::cache::{Failure, MISS_TTL};
use crate::service::gateway::stored::MAX_RETRY_WAIT;

/// Coins that could not be looked up. A later lookup may find them.
#[derive(Clone, Debug)]
pub(super) struct FailedLookup {
    /// Their symbols.
    pub(super) symbols: Vec<Text>,
    /// Why the lookup failed.
    pub(super) reason: String,
    /// The time from the failure to the next lookup, if known.
    retry_after: Option<Duration>,
}

impl FailedLookup {
    /// Coins with these symbols whose lookup has just failed.
    pub(super) fn new(symbols: Vec<Text>, failure: Failure) -> FailedLookup {
        let retry_after = failure.retry_after();
        FailedLookup { symbols, retry_after, reason: failure.reason().unwrap_or_default() }
    }

    /// The time from the failure to the next lookup. The end of some pauses isn't known.
    pub(super) fn wait(&self) -> Duration {
        self.retry_after.unwrap_or(MISS_TTL).min(MAX_RETRY_WAIT)
    }

    /// Whether it is about coins with this symbol.
    pub(super) fn has(&self, symbol: &str) -> bool {
        self.symbols.iter().any(|known| known.eq_ignore_ascii_case(symbol))
    }

    /// The part about coins with these symbols; `None` if it has none of them.
    pub(super) fn only(&self, symbols: &[Text]) -> Option<FailedLookup> {
        let symbols: Vec<Text> = symbols.iter().filter(|symbol| self.has(symbol)).cloned().collect();
        (!symbols.is_empty()).then(|| FailedLookup { symbols, ..self.clone() })
    }

    /// The sentence for the user. With the time since the failure, it has the remaining wait, if known.
    pub(super) fn sentence(&self, since: Option<Duration>) -> String {
        let rest = self.retry_after.zip(since).map(|(wait, since)| wait.saturating_sub(since));
        let again = rest.filter(|rest| !rest.is_zero()).map(|rest| format!("; try again in {}", error::span(rest)));
        let (symbols, reason) = (symbol_names(&self.symbols), &self.reason);
        format!("Can't look up {symbols} ({reason}){}", again.unwrap_or_default())
    }
}
