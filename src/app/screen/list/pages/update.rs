//! Updates the pages of a list from the responses, and replaces them once the service has switched to another provider.

use std::time::Duration;

use super::Pages;
use super::slot::{Slot, provider_of};
use crate::app::responses::{Entry, Responses};
use crate::client::Request;
use crate::model::{Currency, Text};

/// How long a provider's pages stay while pages of its replacement are missing.
const MAX_SWITCH: Duration = Duration::from_mins(30);

impl Pages {
    /// Updates the pages from the responses. Each provider ranks coins differently. If the service has switched to
    /// another one, the current pages stay until the first `in_sight` pages have arrived from the new one, but no
    /// longer than [`MAX_SWITCH`]. Then its pages replace them, and those out of sight are no longer requested. Returns
    /// whether that happened. If the service keeps alternating between providers, the list keeps the first page's
    /// provider.
    pub(in crate::app::screen::list) fn sync(
        &mut self,
        responses: &Responses,
        convert: &Currency,
        in_sight: usize,
    ) -> bool {
        let requests: Vec<Request> = self.slots.iter().map(|slot| self.request(slot.start, convert)).collect();
        let arrived: Vec<Option<&Entry>> = (requests.iter())
            .map(|request| responses.get(request).entry.filter(|entry| entry.response.is_some()))
            .collect();
        let receipts = (self.slots.iter().zip(&arrived))
            .filter_map(|(slot, entry)| entry.and_then(|entry| entry.receipt.as_ref()).or(slot.receipt.as_ref()));
        let newest = receipts.max_by_key(|receipt| receipt.fetched_at);
        let now = newest.map(|receipt| receipt.fetched_at).unwrap_or_default();
        let provider = newest.and_then(provider_of).map(Text::from);
        let is_of_list = |entry: &Entry| {
            let own = entry.receipt.as_ref().and_then(provider_of);
            own.zip(provider.as_deref()).is_none_or(|(own, list)| own == list)
        };
        let has_changed = self.provider().zip(provider.as_deref()).is_some_and(|(shown, list)| shown != list);
        if has_changed {
            let has_arrived = |entry: &&Option<&Entry>| entry.is_some_and(is_of_list);
            let since = *self.switching_since.get_or_insert(now);
            let mut pages = self.slots.iter().zip(&arrived).take(in_sight);
            let is_complete = pages.all(|(slot, entry)| slot.response.is_none() || has_arrived(&entry));
            let is_late = now.since(since) >= MAX_SWITCH && arrived.first().is_some_and(|first| has_arrived(&first));
            if !is_complete && !is_late {
                self.slots.iter_mut().take(in_sight).for_each(|slot| slot.outdated = slot.response.is_some());
                return false;
            }
            let more = arrived.iter().skip(in_sight).take_while(has_arrived).count();
            self.slots.truncate(in_sight.saturating_add(more));
            let missing = self.slots.iter_mut().zip(&arrived).filter(|(_, entry)| !has_arrived(entry));
            missing.for_each(|(slot, _)| *slot = Slot::new(slot.start));
            self.switched_at = now;
        }
        // Responses of both providers may alternate.
        if has_changed || arrived.iter().copied().flatten().all(is_of_list) {
            self.switching_since = None;
        }
        let switched_at = self.switched_at;
        for ((slot, request), entry) in self.slots.iter_mut().zip(&requests).zip(arrived) {
            match entry {
                Some(entry) if is_of_list(entry) => slot.accept(entry),
                // `Responses` drops pages that were not visible for long. They are kept here.
                None if slot.response.is_none() => slot.use_other_currency(responses, request),
                None => {}
                Some(entry) => slot.reject(entry, switched_at, now, MAX_SWITCH),
            }
        }
        has_changed
    }
}
