//! Symbols of exchanges whose prices contradict the lists. They are not subscribed to for a while, so that a coin that
//! is listed under the wrong symbol doesn't keep a socket open.

use std::collections::HashMap;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::time::Instant;

use crate::model::{ProviderName, Text};

/// How long a symbol is left out. By then, the lists have new prices.
const TTL: Duration = Duration::from_mins(30);

/// The symbols, each with the time when it may be used again.
#[derive(Debug, Default)]
pub(in crate::service::gateway) struct Contradicting(Mutex<HashMap<(ProviderName, Text), Instant>>);

impl Contradicting {
    /// Leaves a symbol out.
    pub(in crate::service::gateway) fn insert(&self, name: ProviderName, symbol: &str) {
        let now = Instant::now();
        let mut ends = self.lock();
        ends.retain(|_, end| *end > now);
        ends.insert((name, Text::from(symbol)), now + TTL);
    }

    /// Uses the symbols of an exchange again.
    pub(in crate::service::gateway) fn remove_all(&self, of: ProviderName) {
        self.lock().retain(|(name, _), _| *name != of);
    }

    /// Whether a symbol is left out.
    pub(in crate::service::gateway) fn contains(&self, name: ProviderName, symbol: &Text) -> bool {
        self.lock().get(&(name, symbol.clone())).is_some_and(|end| *end > Instant::now())
    }

    /// When the next symbol of an exchange may be used again.
    pub(in crate::service::gateway) fn next_end(&self, of: ProviderName) -> Option<Instant> {
        let now = Instant::now();
        self.lock().iter().filter(|((name, _), end)| *name == of && **end > now).map(|(_, end)| *end).min()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(ProviderName, Text), Instant>> {
        self.0.lock()
    }
}
