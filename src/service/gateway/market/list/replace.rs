//! Lists of which a later page fails: the whole list is loaded from the next provider that has this page.

use tokio::time::{Instant, timeout_at};

use super::{first_page_key, key};
use crate::model::{ProviderName, Tag};
use crate::service::call::{in_background, is_background};
use crate::service::gateway::Gateway;
use crate::service::gateway::cache::Failure;
use crate::service::gateway::list_providers::{ListName, ListProvider};
use crate::service::gateway::stored::CachedValue as _;
use crate::service::operation::{Key, Operation};

impl Gateway {
    /// Replaces a list because its provider failed for a later page. Returns whether that succeeded within the time of a
    /// request that began at this time. Dashboards that have other pages then request them again.
    pub(super) async fn replace_list(
        &self,
        operation: Operation,
        tag: Tag,
        page: usize,
        failure: &Failure,
        began: Instant,
    ) -> bool {
        // For the first page, all providers were tried.
        let Some(first) = self.first_page(operation, tag).filter(|_| page > 0) else { return false };
        let requested = key(operation, tag, page, Some(first.provider));
        let is_fault = matches!(failure, Failure::Unavailable { .. }) && self.has_failed(first.provider, &requested);
        if !first.is_fresh(None) || !is_fault {
            self.refresh_first_page(operation, tag);
            return false;
        }
        let gateway = self.clone();
        let loading = async move { gateway.load_from_next(operation, tag, page, first.provider).await };
        // It continues for the next request if this one can't wait any longer.
        let loading = if is_background() { tokio::spawn(in_background(loading)) } else { tokio::spawn(loading) };
        matches!(timeout_at(began + self.fallback_limit(), loading).await, Ok(Ok(true)))
    }

    /// Whether a provider has failed for a page, rather than just being too busy for the request.
    fn has_failed(&self, name: ProviderName, page: &Key) -> bool {
        self.provider(name).is_none_or(|provider| {
            let operation = page.operation;
            let fails = self.with_circuit(provider, operation, |circuit| circuit.last_failure(operation).is_some());
            fails || self.miss(Some(name), page, None).is_some() || self.unavailable(provider, page).is_some()
        })
    }

    /// Refreshes the first page in the background: the next provider may have the whole list.
    fn refresh_first_page(&self, operation: Operation, tag: Tag) {
        let gateway = self.clone();
        tokio::spawn(in_background(async move {
            if let Err(failure) = gateway.page(operation, tag, 0, None).await {
                tracing::debug!(?failure, "first page not refreshed");
            }
        }));
    }

    /// Loads a list from the first other provider that has a page of it. Returns whether there is one.
    async fn load_from_next(&self, operation: Operation, tag: Tag, page: usize, failed: ProviderName) -> bool {
        let known = self.replacing(operation, tag).filter(|known| known.name == failed);
        let replaced = known.and_then(|known| known.replaced).map(|(before, _)| before);
        for other in self.next_providers(operation, failed, replaced) {
            let of_other = first_page_key(operation, tag, other);
            let Ok(first) = self.page_of(operation, tag, 0, Some(other), of_other).await else { continue };
            let is_usable = first.is_up_to_date() && first.value.fallback_reason(self.0.time.now()).is_none();
            if !is_usable || first.value.is_end {
                continue;
            }
            let later = self.page_of(operation, tag, page, Some(other), key(operation, tag, page, Some(other))).await;
            if !later.is_ok_and(|later| later.refresh_error.is_none() && !later.value.coins.is_empty()) {
                continue;
            }
            // Unless another request has replaced it in the meantime.
            if self.provider_of_list(operation, tag).is_none_or(|name| name == failed) {
                tracing::info!(%operation, from = failed.as_str(), to = other.as_str(), "list switched");
                let replaced = ListProvider { name: other, replaced: Some((failed, Instant::now())) };
                self.0.list_providers.put(&list_name(operation, tag), replaced);
                self.0.cache.put(key(operation, tag, 0, None), first.into());
            }
            return true;
        }
        false
    }

    /// The provider that has replaced the preferred one of a list, which failed for a later page; `None` once this one
    /// fails, too.
    pub(super) fn replacement(&self, operation: Operation, tag: Tag) -> Option<ProviderName> {
        let known = self.replacing(operation, tag)?;
        let provider = self.serving(operation).find(|provider| provider.name == known.name)?;
        let works = self.with_circuit(provider, operation, |circuit| circuit.last_failure(operation).is_none());
        (works && self.is_available(provider, operation)).then_some(known.name)
    }

    /// The provider that has replaced the preferred one of a list.
    fn replacing(&self, operation: Operation, tag: Tag) -> Option<ListProvider> {
        let changed = self.changed().get(&operation).copied();
        self.0.list_providers.get(&list_name(operation, tag)).filter(|known| known.has_replaced(changed))
    }
}

fn list_name(operation: Operation, tag: Tag) -> ListName {
    (operation, String::from(tag.as_str()))
}
