//! Pages of the indexer's lists. Providers sort rows differently, so all pages of a list come from the same one; mixing
//! two would repeat or lose rows.

use tokio::time::Instant;

use super::Gateway;
use super::cache::Failure;
use super::fallback_reason::FallbackReason;
use super::list_providers::{ListName, ListProvider};
use super::stored::{CachedValue, Stored};
use crate::model::{Page, ProviderName};
use crate::service::backend::indexer::PageQuery;
use crate::service::call::in_background;
use crate::service::operation::Key;
use crate::service::provider_response::{
    ProviderError, ProviderResponse, ProviderResult, joined_notices, partial_notice,
};
use crate::service::providers::source::Provider;
use crate::service::upstream::error::SourceResult;

/// Rows per upstream page, as many as a request of the interface may have.
const PAGE: u64 = 60;

impl Gateway {
    /// Returns any part of a list from the same few upstream pages.
    pub(super) async fn aligned<T, C, F>(&self, list: ListName, page: PageQuery, call: C) -> ProviderResult<Page<T>>
    where
        T: Clone + Send + Sync + 'static,
        Page<T>: CachedValue,
        C: Fn(Provider, PageQuery) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = SourceResult<Page<T>>> + Send + 'static,
    {
        match self.join_pages(&list, page, &call, false).await? {
            Some(joined) => Ok(joined),
            // From its start, all pages are the new provider's.
            None => self.join_pages(&list, page, &call, true).await?.ok_or_else(ProviderError::unsupported),
        }
    }

    /// Joins the upstream pages that cover a part of a list. If the provider changes after the first page, returns
    /// `None`, or the rows so far if `must_end` is set.
    async fn join_pages<T, C, F>(
        &self,
        list: &ListName,
        page: PageQuery,
        call: &C,
        must_end: bool,
    ) -> Result<Option<ProviderResponse<Page<T>>>, ProviderError>
    where
        T: Clone + Send + Sync + 'static,
        Page<T>: CachedValue,
        C: Fn(Provider, PageQuery) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = SourceResult<Page<T>>> + Send + 'static,
    {
        let PageQuery { offset, limit } = page;
        let end = offset.saturating_add(limit as u64);
        let mut provider = None;
        let mut joined: Option<ProviderResponse<Page<T>>> = None;
        for number in offset / PAGE..end.div_ceil(PAGE).max(offset / PAGE + 1) {
            let part = PageQuery { offset: number * PAGE, limit: PAGE as usize };
            let failure = match self.page_of_list(list, part, call).await {
                Ok(stored) if provider.is_none_or(|first| first == stored.provider) => {
                    provider = Some(stored.provider);
                    let response = stored.response(Page::clone(&stored.value));
                    let Page { items, total } = &response.data;
                    // Unreadable rows are missing.
                    let is_last = match total {
                        Some(total) => *total <= part.offset + PAGE,
                        None => (items.len() as u64) < PAGE,
                    };
                    let skipped = usize::try_from(offset.saturating_sub(part.offset)).unwrap_or(usize::MAX);
                    let taken = usize::try_from(end - part.offset.max(offset)).unwrap_or(usize::MAX);
                    let rows = items.iter().skip(skipped).take(taken).cloned().collect();
                    let found = response.map(|Page { total, .. }| Page { items: rows, total });
                    joined = Some(match joined {
                        None => found,
                        Some(first) => first.followed_by(found),
                    });
                    if is_last {
                        break;
                    }
                    continue;
                }
                Ok(_) if !must_end => return Ok(None),
                Ok(_) => Failure::Unavailable {
                    reason: String::from("Provider changed"),
                    retry_after: None,
                    must_wait: false,
                },
                Err(Failure::Cancelled) => return Err(Failure::Cancelled.into_error()),
                Err(failure) => failure,
            };
            let Some(first) = joined.take() else { return Err(failure.into_error()) };
            // Return the rows so far; the next request tries the rest again.
            return Ok(Some(with_failure(first, failure, page)));
        }
        Ok(joined)
    }

    /// Returns a page of a list.
    pub(super) async fn list_page<T, C, F>(&self, list: ListName, page: PageQuery, call: C) -> ProviderResult<Page<T>>
    where
        T: Clone + Send + Sync + 'static,
        Page<T>: CachedValue,
        C: Fn(Provider, PageQuery) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = SourceResult<Page<T>>> + Send + 'static,
    {
        match self.page_of_list(&list, page, &call).await {
            Ok(stored) => Ok(stored.response(Page::clone(&stored.value))),
            Err(failure) => Err(failure.into_error()),
        }
    }

    /// Returns an upstream page of a list: the first from any provider, later ones from the first page's. If that
    /// provider can't serve a later page at all, but another one can serve both, the list is loaded from that one.
    async fn page_of_list<T, C, F>(
        &self,
        list: &ListName,
        page: PageQuery,
        call: &C,
    ) -> Result<Stored<Page<T>>, Failure>
    where
        T: Clone + Send + Sync + 'static,
        Page<T>: CachedValue,
        C: Fn(Provider, PageQuery) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = SourceResult<Page<T>>> + Send + 'static,
    {
        let fetch_part = |part: PageQuery, of: Option<ProviderName>| {
            let call = call.clone();
            self.get_or_fetch_from(of, key(list, part, of), move |provider| call(provider, part))
        };
        let fetch = |of| fetch_part(page, of);
        let known = self.list_provider(list, page);
        if page.offset == 0 {
            if let Some(ListProvider { name, replaced: Some(_) }) = known
                && let Ok(stored) = fetch(Some(name)).await
            {
                return Ok(stored);
            }
            let stored = fetch(None).await?;
            self.0.list_providers.put(list, ListProvider { name: stored.provider, replaced: None });
            return Ok(stored);
        }
        let found = fetch(known.map(|known| known.name)).await;
        let Some(ListProvider { name, replaced }) = known else {
            if let Ok(Stored { provider, .. }) = &found {
                self.0.list_providers.put(list, ListProvider { name: *provider, replaced: None });
            }
            return found;
        };
        let first = PageQuery { offset: 0, ..page };
        if lacks_page(&found, self) {
            // An old page says nothing about whether the provider still has it.
            let has_first = |first: Stored<Page<T>>| first.is_up_to_date() && first.value.row_count() > 0;
            for other in self.next_providers(list.0, name, replaced.map(|(before, _)| before)) {
                if let Ok(stored) = fetch(Some(other)).await
                    && stored.refresh_error.is_none()
                    && stored.value.row_count() > 0
                    && fetch_part(first, Some(other)).await.is_ok_and(has_first)
                {
                    tracing::info!(operation = %list.0, from = name.as_str(), to = other.as_str(), "list switched");
                    let replaced = Some((name, Instant::now()));
                    self.0.list_providers.put(list, ListProvider { name: other, replaced });
                    // An encoded response may contain the first page of the other provider.
                    self.0.cache.bump_version(list.0);
                    return Ok(stored);
                }
            }
        }
        if replaced.is_none() && found.as_ref().map_or(true, |page| page.refresh_error.is_some()) {
            let call = call.clone();
            self.refresh_if_stale(key(list, first, None), move |provider| call(provider, first));
        }
        found
    }

    /// The provider of a list whose page is requested, unless it no longer serves such lists.
    fn list_provider(&self, list: &ListName, page: PageQuery) -> Option<ListProvider> {
        let remembered = self.0.list_providers.get(list);
        let changed = self.changed().get(&list.0).copied();
        let known = match remembered {
            Some(known) if known.has_replaced(changed) => remembered,
            // It may have been refreshed since it was returned.
            _ => match self.0.cache.get(&key(list, PageQuery { offset: 0, ..page }, None)) {
                Some(first) => Some(ListProvider { name: first.provider, replaced: None }),
                None => remembered.filter(|known| known.replaced.is_none()),
            },
        };
        known.filter(|known| self.serving(list.0).any(|provider| provider.name == known.name))
    }

    /// Refreshes the first page of a list in the background if it is not fresh: the next provider may have the whole
    /// list.
    fn refresh_if_stale<T, C, F>(&self, key: Key, call: C)
    where
        T: CachedValue,
        C: Fn(Provider) -> F + Send + Sync + 'static,
        F: Future<Output = SourceResult<T>> + Send + 'static,
    {
        let gateway = self.clone();
        tokio::spawn(in_background(async move {
            let tip = gateway.newest_block().await.map(|(tip, _)| tip);
            if gateway.0.cache.get(&key).is_some_and(|first| !first.is_fresh(tip))
                && let Err(failure) = gateway.get_or_fetch(key, call).await
            {
                tracing::debug!(?failure, "first page not refreshed");
            }
        }));
    }
}

/// The cache key of a page: from provider `of`, or from any provider.
fn key((operation, list): &ListName, PageQuery { offset, limit }: PageQuery, of: Option<ProviderName>) -> Key {
    let of = of.map(|name| format!(" of {name}")).unwrap_or_default();
    Key::new(*operation, format!("{list} {offset}+{limit}{of}"))
}

/// Whether a provider can't serve a page of a list, as opposed to a temporary failure.
fn lacks_page<T: CachedValue>(found: &Result<Stored<T>, Failure>, gateway: &Gateway) -> bool {
    match found {
        Ok(page) => page.value.fallback_reason(gateway.0.time.now()) == Some(FallbackReason::Empty),
        Err(Failure::NotFound(_) | Failure::Unsupported(_) | Failure::NotServed(_)) => true,
        Err(Failure::Unavailable { .. } | Failure::Cancelled) => false,
    }
}

/// The rows of a part of a list before those that failed to load, with a notice.
fn with_failure<T>(first: ProviderResponse<Page<T>>, failure: Failure, page: PageQuery) -> ProviderResponse<Page<T>> {
    let wait = failure.wait();
    let reason = match failure.into_error() {
        ProviderError::NotFound(_) => String::from("no more rows were found"),
        error => error.to_string(),
    };
    // The panel already names the provider of the rows.
    let own = first.provider.map(|name| format!("{}: ", name.title())).unwrap_or_default();
    let reason = reason.strip_prefix(&own).unwrap_or(&reason);
    let (loaded, of) = (first.data.items.len(), page.expected_items(first.data.total));
    let notice = Some(partial_notice(loaded, of, "rows", reason));
    let notice = joined_notices(notice, first.notice.clone());
    ProviderResponse { fresh_for: first.fresh_for.min(wait), notice, ..first }
}
