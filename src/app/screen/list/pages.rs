//! The pages of a list: which are requested, their responses, and their coins joined by id.

mod searched;
mod slot;
mod update;

use std::collections::HashSet;

use crate::app::responses::{CachedResponse, Responses};
use crate::client::Request;
use crate::fetch::Receipt;
use crate::model::page::is_short;
use crate::model::{Coin, CoinId, Currency, Tag, Text, UtcTime};

use slot::{Slot, provider_of};

/// Maximum coins loaded: to reach the end, to sort, search or filter the whole list, or to find a coin in the palette.
pub(super) const MAX_COINS: usize = 20_000;

/// The position of a coin: its page, and its index on that page.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowPosition {
    /// The index of the page, in the order of the requests.
    pub(super) page: u32,
    /// The index of the coin on the page.
    pub(super) item: u32,
}

/// The requested pages. Their responses stay here even if [`Responses`] drops them.
#[derive(Clone, Debug)]
pub(super) struct Pages {
    tag: Tag,
    size: u32,
    slots: Vec<Slot>,
    /// The start of the page to request first after a change of the currency.
    first: u32,
    ended: bool,
    /// Whether the last page is loaded and has no coin that is not on an earlier page.
    last_added_nothing: bool,
    total: Option<u64>,
    /// Coins that are no longer on any page but whose rows are kept, and when their data was up to date.
    departed: Vec<(Coin, UtcTime)>,
    /// When the first page from another provider arrived; `None` once its pages have replaced these.
    switching_since: Option<UtcTime>,
    /// When pages of another provider last replaced these.
    switched_at: UtcTime,
}

/// The page index of a [`RowPosition`] whose coin is in `departed`.
const DEPARTED: u32 = u32::MAX;

impl Pages {
    /// Requests the first page.
    pub(super) fn new(tag: Tag, size: u32) -> Pages {
        Pages {
            tag,
            size: size.max(1),
            slots: vec![Slot::new(1)],
            first: 1,
            ended: false,
            last_added_nothing: false,
            total: None,
            departed: Vec::new(),
            switching_since: None,
            switched_at: UtcTime::default(),
        }
    }

    /// The request for the page with this start (from 1).
    pub(super) fn request(&self, start: u32, convert: &Currency) -> Request {
        Request::Coins { tag: self.tag, start, limit: self.size, convert: convert.clone() }
    }

    /// The start of the page of a position.
    pub(super) fn start(&self, place: RowPosition) -> Option<u32> {
        self.slots.get(place.page as usize).map(|slot| slot.start)
    }

    /// The start of the page that contains a coin.
    pub(super) fn start_of(&self, id: &CoinId) -> Option<u32> {
        self.slots.iter().find(|slot| slot.has(id)).map(|slot| slot.start)
    }

    /// The starts of the pages that contain any of these coins.
    pub(super) fn starts_of(&self, ids: &HashSet<&Text>) -> Vec<u32> {
        let holds = |slot: &&Slot| slot.page().is_some_and(|page| page.items.iter().any(|it| ids.contains(&it.id.0)));
        self.slots.iter().filter(holds).map(|slot| slot.start).collect()
    }

    /// Whether a coin is still in the previous currency or from the previous provider.
    pub(super) fn is_outdated(&self, place: RowPosition) -> bool {
        self.slots.get(place.page as usize).is_some_and(|slot| slot.outdated)
    }

    /// The coin at a position.
    pub(super) fn at(&self, place: RowPosition) -> Option<&Coin> {
        match place.page {
            DEPARTED => self.departed.get(place.item as usize).map(|(coin, _)| coin),
            page => self.slots.get(page as usize)?.page()?.items.get(place.item as usize),
        }
    }

    /// Keeps a coin of earlier pages that is on none of these, until [`Pages::join`].
    pub(super) fn keep(&mut self, before: &Pages, place: RowPosition) -> Option<RowPosition> {
        let item = u32::try_from(self.departed.len()).ok()?;
        self.departed.push((before.at(place)?.clone(), before.updated_at(place)));
        Some(RowPosition { page: DEPARTED, item })
    }

    /// When the page of a position was up to date.
    pub(super) fn updated_at(&self, place: RowPosition) -> UtcTime {
        if place.page == DEPARTED {
            return self.departed.get(place.item as usize).map(|(_, at)| *at).unwrap_or_default();
        }
        let receipt = self.slots.get(place.page as usize).and_then(|slot| slot.receipt.as_ref());
        receipt.map(Receipt::updated_at).unwrap_or_default()
    }

    /// The newest update of a coin of the page with this start.
    pub(super) fn newest_update(&self, start: u32) -> Option<UtcTime> {
        self.slots.iter().find(|slot| slot.start == start)?.newest_update
    }

    /// The newest update of a coin of any loaded page.
    pub(super) fn newest_update_of_all(&self) -> Option<UtcTime> {
        self.slots.iter().filter_map(|slot| slot.newest_update).max()
    }

    /// The total number of coins, if the service reports it.
    pub(super) fn total(&self) -> Option<u64> {
        self.total
    }

    /// Whether the last page is loaded.
    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    /// Whether any requested page is still missing, completely or in part.
    pub(super) fn is_incomplete(&self) -> bool {
        self.slots.iter().any(Slot::is_incomplete)
    }

    /// Whether any requested page is still missing, unless one keeps coming from a provider other than the list's.
    pub(super) fn is_loading(&self) -> bool {
        self.is_incomplete() && self.slots.iter().all(|slot| slot.other_provider.is_none())
    }

    /// Whether the page with this start has no rows yet.
    pub(super) fn lacks(&self, start: u32) -> bool {
        self.slots.iter().any(|slot| slot.start == start && slot.response.is_none())
    }

    /// The provider of the newest response for the page with this start, and the list's provider, if they differ, so
    /// that the rows of the response are not shown.
    pub(super) fn rejected_provider(&self, start: u32) -> Option<(&str, &str)> {
        let slot = self.slots.iter().find(|slot| slot.start == start)?;
        slot.other_provider.as_deref().zip(self.provider())
    }

    /// Whether any requested page is missing or outdated, so that a coin that has moved there can't be found.
    pub(super) fn has_gaps(&self) -> bool {
        self.slots.iter().any(|slot| slot.response.is_none() || slot.outdated)
    }

    /// Whether any page is still in the previous currency, and no pages of another provider are awaited.
    pub(super) fn awaits_currency(&self) -> bool {
        self.switching_since.is_none() && self.slots.iter().any(|slot| slot.outdated)
    }

    /// Whether a page is empty, and the list ends before it according to the total of the first page. It was requested
    /// because a coin was on two pages: its rank changed between their responses. It is not kept fresh: the first page
    /// always is, so its total shows when the list grows. The totals of other pages may be wrong.
    fn is_past_end(&self, slot: &Slot) -> bool {
        let total = self.slots.first().and_then(Slot::page).and_then(|page| page.total);
        let is_empty = slot.start > 1 && slot.page().is_some() && slot.rows() == 0;
        is_empty && total.is_some_and(|total| u64::from(slot.start) > total)
    }

    /// The starts of the pages to keep fresh: the pages `in_sight`, the first page, missing pages, and the pages of the
    /// first `fresh` coins. Near the end, also a last page that added nothing: none of its rows is visible, but without
    /// it the list would never grow again, unless the total of the first page does.
    pub(super) fn wanted(&self, in_sight: Vec<u32>, near_end: bool, fresh: usize) -> Vec<u32> {
        let mut wanted = in_sight;
        wanted.sort_unstable();
        let urgent = self.slots.iter().filter(|slot| slot.start == self.first && slot.is_incomplete());
        let incomplete = self.slots.iter().filter(|slot| slot.is_incomplete());
        let added_nothing = self.slots.last().filter(|_| near_end && self.last_added_nothing);
        let rest = self.slots.iter().filter(|slot| slot.start as usize <= fresh);
        let rest = added_nothing.into_iter().chain(rest).filter(|slot| !self.is_past_end(slot));
        for slot in urgent.chain(self.slots.first()).chain(incomplete).chain(rest) {
            if !wanted.contains(&slot.start) {
                wanted.push(slot.start);
            }
        }
        wanted
    }

    /// The start of the most urgent page that is still missing.
    pub(super) fn next_incomplete(&self) -> Option<u32> {
        let mut incomplete = self.slots.iter().filter(|slot| slot.is_incomplete()).map(|slot| slot.start);
        incomplete.clone().find(|start| *start == self.first).or_else(|| incomplete.next())
    }

    /// The start of the oldest loaded page of the first `coins` coins, and when its data was up to date.
    pub(super) fn oldest(&self, coins: usize) -> Option<(u32, UtcTime)> {
        let is_current = |slot: &&Slot| (!slot.outdated || self.switching_since.is_some()) && !self.is_past_end(slot);
        let current = self.slots.iter().filter(|slot| is_current(slot) && slot.start as usize <= coins);
        let times = current.filter_map(|slot| Some((slot.start, slot.receipt.as_ref()?.updated_at())));
        times.min_by_key(|&(_, at)| at)
    }

    /// The starts of the loaded pages, except an empty one past the end.
    pub(super) fn starts(&self) -> impl Iterator<Item = u32> {
        let loaded = self.slots.iter().filter(|slot| slot.response.is_some() && !self.is_past_end(slot));
        loaded.map(|slot| slot.start)
    }

    /// Whether the page with this start is kept until one from another provider arrives, and is no longer fresh.
    pub(super) fn is_kept_and_stale(&self, start: u32, now: UtcTime) -> bool {
        let mut kept = self.slots.iter().filter(|slot| slot.outdated || self.switching_since.is_some());
        kept.any(|slot| slot.start == start && slot.is_stale(now))
    }

    /// The provider of the pages, if the service names one.
    pub(super) fn provider(&self) -> Option<&str> {
        self.slots.iter().find_map(|slot| provider_of(slot.receipt.as_ref()?))
    }

    /// Adds the next pages as far as they are loaded.
    pub(super) fn add_known(&mut self, responses: &Responses, convert: &Currency) {
        while let Some(slot) = self.next_known(responses, convert) {
            self.slots.push(slot);
        }
    }

    /// Adds the next pages up to the one with a coin, if all of them are loaded.
    pub(super) fn add_known_to(&mut self, id: &CoinId, responses: &Responses, convert: &Currency) {
        let before = self.slots.len();
        if self.start_of(id).is_some() {
            return;
        }
        while let Some(slot) = self.next_known(responses, convert) {
            let is_found = slot.has(id);
            self.slots.push(Slot { is_optional: !is_found, ..slot });
            if is_found {
                return;
            }
        }
        self.slots.truncate(before);
    }

    /// Counts pages of which only a part is known as missing.
    pub(super) fn need_all(&mut self) {
        self.slots.iter_mut().for_each(|slot| slot.is_optional = false);
    }

    /// The next page, if it is loaded.
    fn next_known(&self, responses: &Responses, convert: &Currency) -> Option<Slot> {
        let last = self.slots.last().filter(|last| last.response.is_some() && !last.outdated)?;
        let start = self.next_start();
        if start <= last.start || start as usize > MAX_COINS {
            return None;
        }
        let entry = responses.get(&self.request(start, convert)).entry.filter(|entry| entry.response.is_some())?;
        let own = entry.receipt.as_ref().and_then(provider_of);
        if own.zip(self.provider()).is_some_and(|(own, list)| own != list) {
            return None;
        }
        let mut slot = Slot::new(start);
        slot.accept(entry);
        Some(slot)
    }

    /// The response to a request; `None` if there is none.
    pub(super) fn cached_response(&self, request: &Request) -> Option<CachedResponse> {
        let Request::Coins { start, .. } = request else { return None };
        let slot = self.slots.iter().find(|slot| slot.start == *start && !slot.outdated)?;
        let (response, receipt) = (slot.response.clone()?, slot.receipt.clone()?);
        Some(CachedResponse { request: request.clone(), response, receipt, abridged: slot.abridged })
    }

    /// Whether the page with this start has rows, in any currency.
    pub(super) fn has_rows(&self, start: u32) -> bool {
        let slot = self.slots.iter().find(|slot| slot.start == start);
        slot.and_then(Slot::page).is_some_and(|page| !page.items.is_empty())
    }

    /// Requests the same pages in another currency, the one with the coin in `place` first. The responses in the old
    /// currency stay until then.
    pub(super) fn restart(&mut self, place: Option<RowPosition>) {
        self.first = place.and_then(|place| self.start(place)).unwrap_or(1);
        for slot in &mut self.slots {
            slot.outdated = slot.response.is_some();
            slot.other_provider = None;
        }
    }

    /// Requests one more page, which starts where the last one ends. Earlier pages may overlap, since a page that was
    /// short once can be full later, so the sum of their rows is not the offset of the next page.
    pub(super) fn extend(&mut self) {
        self.slots.push(Slot::new(self.next_start()));
    }

    /// The start of the page after the last one.
    fn next_start(&self) -> u32 {
        let (start, rows) = self.slots.last().map_or((1, 0), |slot| (slot.start, slot.rows()));
        start.saturating_add(u32::try_from(rows).unwrap_or(u32::MAX))
    }

    /// The number of pages that start within this many coins.
    pub(super) fn count_within(&self, coins: usize) -> usize {
        self.slots.partition_point(|slot| slot.start as usize <= coins)
    }

    /// The number of pages up to the last one of these coins.
    pub(super) fn count(places: &[RowPosition]) -> u32 {
        places.iter().map(|place| place.page).filter(|page| *page != DEPARTED).max().map_or(0, |page| page + 1)
    }

    /// For each page up to the last one of these coins, its start and the coins that are on it, or else its first one.
    /// Up to a page without any.
    pub(super) fn parts(&self, places: &[RowPosition]) -> Vec<(u32, Vec<&Coin>)> {
        let mut parts = Vec::new();
        for (page, slot) in (0..Pages::count(places)).zip(&self.slots) {
            let mut items: Vec<u32> =
                places.iter().filter(|place| place.page == page).map(|place| place.item).collect();
            items.sort_unstable();
            if items.is_empty() {
                items.push(0);
            }
            let coins: Vec<&Coin> = items.into_iter().filter_map(|item| self.at(RowPosition { page, item })).collect();
            if coins.is_empty() {
                break;
            }
            parts.push((slot.start, coins));
        }
        parts
    }

    /// Moves the times of pages back to `now`, after the clock was set back.
    pub(super) fn set_back(&mut self, now: UtcTime) {
        self.slots.iter_mut().filter_map(|slot| slot.receipt.as_mut()).for_each(|receipt| receipt.set_back(now));
        self.departed.iter_mut().for_each(|(_, at)| *at = (*at).min(now));
        self.switching_since = self.switching_since.map(|since| since.min(now));
        self.switched_at = self.switched_at.min(now);
    }

    /// Stops requesting the last pages if they are missing.
    pub(super) fn stop(&mut self) {
        while self.slots.len() > 1 && self.slots.last().is_some_and(|slot| slot.response.is_none()) {
            self.slots.pop();
        }
    }

    /// Joins the pages by id, so that overlapping pages (a server that counts from 0, a coin whose rank changed between
    /// two responses) don't repeat a coin.
    pub(super) fn join(&mut self) -> Vec<RowPosition> {
        self.departed.clear();
        let mut seen: HashSet<&CoinId> = HashSet::new();
        let mut rows = Vec::new();
        let mut total = None;
        let (mut ended, mut added_nothing) = (false, false);
        let mut unreadable = 0;
        for (index, slot) in self.slots.iter().enumerate() {
            let Some(page) = slot.page() else {
                (ended, added_nothing) = (false, false);
                continue;
            };
            total = total.or(page.total);
            let before = rows.len();
            for (item, coin) in page.items.iter().enumerate() {
                if seen.insert(&coin.id) {
                    rows.push(RowPosition { page: index as u32, item: item as u32 });
                }
            }
            unreadable += slot.rows() - page.items.len();
            let through = total.is_some_and(|total| (rows.len() + unreadable) as u64 >= total);
            added_nothing = rows.len() == before && (!page.items.is_empty() || slot.rows() == 0);
            ended =
                !slot.abridged && (through || added_nothing || (total.is_none() && is_short(slot.rows(), self.size)));
        }
        self.total = total;
        self.ended = ended;
        self.last_added_nothing = added_nothing;
        rows
    }
}
