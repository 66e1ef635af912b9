//! Which provider each list of the indexer comes from, and lists of coins that were loaded from another one.

use std::time::Duration;

use tokio::time::Instant;

use crate::model::ProviderName;
use crate::service::operation::Operation;

/// How long a list comes from the provider that has its later pages, before the preferred one is tried again.
const REPLACED_FOR: Duration = Duration::from_hours(1);

/// Maximum lists whose provider is remembered.
const MAX_LISTS: u64 = 2_000;

/// How long the provider of a list is remembered.
const LIST_TTL: Duration = Duration::from_hours(24);

/// A list: its operation, and its name with all parameters but the page's.
pub(super) type ListName = (Operation, String);

/// The provider of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ListProvider {
    pub(super) name: ProviderName,
    /// The provider that it replaced, which lacks a later page, and when; `None` if the first page may come from any
    /// provider.
    pub(super) replaced: Option<(ProviderName, Instant)>,
}

impl ListProvider {
    /// Whether it still replaces a preferred one. `changed`: when the user last changed the order of providers.
    pub(super) fn has_replaced(self, changed: Option<Instant>) -> bool {
        let is_valid = |since: Instant| since.elapsed() < REPLACED_FOR && changed.is_none_or(|changed| changed < since);
        self.replaced.is_some_and(|(_, since)| is_valid(since))
    }
}

/// The providers of lists.
#[derive(Debug)]
pub(super) struct ListProviders(moka::sync::Cache<ListName, ListProvider>);

impl Default for ListProviders {
    fn default() -> Self {
        ListProviders(moka::sync::Cache::builder().max_capacity(MAX_LISTS).time_to_live(LIST_TTL).build())
    }
}

impl ListProviders {
    /// The provider of a list, if it is known.
    pub(super) fn get(&self, list: &ListName) -> Option<ListProvider> {
        self.0.get(list)
    }

    /// Remembers the provider of a list.
    pub(super) fn put(&self, list: &ListName, provider: ListProvider) {
        if self.get(list) != Some(provider) {
            self.0.insert(list.clone(), provider);
        }
    }
}
