//! A page of a list: its request, its response, and whether it is up to date.

use std::sync::Arc;
use std::time::Duration;

use crate::app::responses::{Entry, GRACE, Responses};
use crate::client::{Request, ResponseData};
use crate::fetch::Receipt;
use crate::model::coin::newest_update;
use crate::model::{Coin, CoinId, Page, Text, UtcTime, provider};

/// A requested page.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// The position of its first row, from 1.
    pub(super) start: u32,
    pub(super) response: Option<Arc<ResponseData>>,
    /// The newest update of a coin of the response. Every row of every frame compares its own with it.
    pub(super) newest_update: Option<UtcTime>,
    /// The receipt of the response.
    pub(super) receipt: Option<Receipt>,
    /// See [`crate::app::responses::Entry::abridged`].
    pub(super) abridged: bool,
    /// Whether the response is in a currency or from a provider other than the current one; it stays until the new one
    /// arrives.
    pub(super) outdated: bool,
    /// The provider of the newest response, if it differs from the list's provider, and the list has not switched
    /// providers since that response.
    pub(super) other_provider: Option<Text>,
    /// Whether an abridged response is enough while its rows are not visible: only a later page was needed.
    pub(super) is_optional: bool,
}

impl Slot {
    pub(super) fn new(start: u32) -> Slot {
        Slot {
            start,
            response: None,
            newest_update: None,
            receipt: None,
            abridged: false,
            outdated: false,
            other_provider: None,
            is_optional: false,
        }
    }

    /// Whether the page is still missing, completely or in part.
    pub(super) fn is_incomplete(&self) -> bool {
        self.response.is_none() || self.outdated || (self.abridged && !self.is_optional)
    }

    /// Whether the response is no longer fresh.
    pub(super) fn is_stale(&self, now: UtcTime) -> bool {
        self.receipt.as_ref().is_some_and(|receipt| now > receipt.fresh_until.plus(GRACE))
    }

    /// Updates the page from its entry in the responses, if that has a response.
    pub(super) fn accept(&mut self, entry: &Entry) {
        if let Some(response) = &entry.response {
            self.receipt = entry.receipt.clone();
            self.set_response(response);
            self.abridged = entry.abridged;
            self.outdated = false;
            self.other_provider = None;
        }
    }

    /// Keeps the known rows instead of the rows of `entry`, which are from a provider other than the list's. On pages
    /// after the first, they are dropped once they are stale and older than `max_age`. `switched_at`: when the list
    /// switched to its provider.
    pub(super) fn reject(&mut self, entry: &Entry, switched_at: UtcTime, now: UtcTime, max_age: Duration) {
        let is_old = |receipt: &Receipt| now.since(receipt.fetched_at) >= max_age;
        if self.start > 1 && self.is_stale(now) && self.receipt.as_ref().is_some_and(is_old) {
            *self = Slot::new(self.start);
        }
        self.outdated = self.response.is_some();
        let newer = entry.receipt.as_ref().filter(|receipt| receipt.fetched_at > switched_at);
        self.other_provider = newer.and_then(provider_of).map(Text::from);
    }

    /// Uses the response in another currency, if there is one, until the page's own arrives.
    pub(super) fn use_other_currency(&mut self, responses: &Responses, request: &Request) {
        if let Some(response) = responses.in_other_currency(request) {
            self.set_response(response);
            self.outdated = true;
        }
    }

    /// Whether the page has a coin.
    pub(super) fn has(&self, id: &CoinId) -> bool {
        self.page().is_some_and(|page| page.items.iter().any(|coin| coin.id == *id))
    }

    pub(super) fn page(&self) -> Option<&Page<Coin>> {
        match self.response.as_deref() {
            Some(ResponseData::Coins(page)) => Some(page),
            _ => None,
        }
    }

    fn set_response(&mut self, response: &Arc<ResponseData>) {
        if self.response.as_ref().is_some_and(|known| Arc::ptr_eq(known, response)) {
            return;
        }
        self.response = Some(Arc::clone(response));
        let arrived = self.receipt.as_ref().map(|receipt| receipt.fetched_at).unwrap_or_default();
        self.newest_update = self.page().and_then(|page| newest_update(&page.items, arrived));
    }

    /// Rows that the server sent, including unreadable ones.
    pub(super) fn rows(&self) -> usize {
        let read = self.page().map_or(0, |page| page.items.len());
        self.receipt.as_ref().map_or(0, |receipt| receipt.rows).max(read)
    }
}

/// The provider of the rows of a response, if the service names one.
pub(super) fn provider_of(receipt: &Receipt) -> Option<&str> {
    receipt.provider.as_deref().map(provider::first)
}
