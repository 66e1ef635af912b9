//! The responses by request.

mod coins_by_id;
mod resource;

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use crate::client::{Error, ErrorKind, Group, Request, ResponseData};
use crate::fetch::{Event, FetchId, MAX_APP_RESPONSES, Receipt, RefreshFailure};
use crate::model::{
    Brc20Token, ChainState, Chart, Coin, Content, HistoricalRate, IndexedName, Inscription, InscriptionStat,
    MarketPair, MarketSeries, Page, Picture, Post, Sat, Source, Text, UtcTime,
};

pub use resource::{CachedResponse, Entry, Failure, GRACE, Remote};

/// Maximum failures cached for the Status tab.
pub const MAX_ERRORS: usize = 50;

/// Maximum total size, in bytes, of the bodies of responses that are neither demanded nor held by a screen; beyond
/// that, the least recently demanded ones are dropped. A decoded response takes about half as much memory as its body,
/// at most four times as much (coins with only a name).
pub const MAX_BODY_BYTES: u64 = 8 << 20;

/// All resources, in bounded memory: the least recently demanded ones are dropped first.
#[derive(Debug, Default)]
pub struct Responses {
    entries: HashMap<Request, Entry>,
    clock: u64,
    errors: VecDeque<(Request, Failure)>,
    /// The groups with a response in this run.
    succeeded: HashSet<Group>,
}

impl Responses {
    /// A resource with its response as the value.
    pub fn get(&self, request: &Request) -> Remote<'_, ResponseData> {
        let entry = self.entries.get(request);
        Remote { value: entry.and_then(|e| e.response.as_deref()), entry }
    }

    /// The response of a resource.
    pub fn response(&self, request: &Request) -> Option<&Arc<ResponseData>> {
        self.entries.get(request).and_then(|e| e.response.as_ref())
    }

    /// The newest response to the same request in another currency.
    pub fn in_other_currency(&self, request: &Request) -> Option<&Arc<ResponseData>> {
        let others = self
            .entries
            .iter()
            .filter(|(other, entry)| entry.response.is_some() && request.is_in_other_currency(other));
        let newest = others.max_by_key(|(_, entry)| entry.receipt.as_ref().map(|receipt| receipt.fetched_at));
        newest.and_then(|(_, entry)| entry.response.as_ref())
    }

    /// A resource; until its first response arrives, with the value in another currency if there is one. The value
    /// contains its currency.
    fn get_in_any_currency(&self, request: &Request) -> Remote<'_, ResponseData> {
        let own = self.get(request);
        let value = own.value.or_else(|| self.in_other_currency(request).map(Arc::as_ref));
        Remote { value, ..own }
    }

    /// The responses to the requests that `wanted` selects, oldest first.
    pub fn matching(&self, wanted: impl Fn(&Request) -> bool) -> Vec<&ResponseData> {
        let entries = self.entries.iter().filter(|(request, _)| wanted(request));
        let mut found: Vec<_> = entries
            .filter_map(|(_, entry)| Some((entry.receipt.as_ref()?.fetched_at, entry.response.as_deref()?)))
            .collect();
        found.sort_by_key(|&(at, _)| at);
        found.into_iter().map(|(_, response)| response).collect()
    }

    /// The receipt of the newest response of a group.
    pub fn last_receipt(&self, group: Group) -> Option<&Receipt> {
        let of_group = self.entries.iter().filter(|(request, _)| request.group() == group);
        of_group.filter_map(|(_, entry)| entry.receipt.as_ref()).max_by_key(|receipt| receipt.fetched_at)
    }

    /// Whether requests of a group have failed and none has succeeded in this run.
    pub fn has_only_failed(&self, group: Group) -> bool {
        let has_fault = |entry: &Entry| entry.failure.as_ref().is_some_and(|failure| failure.not_found.is_none());
        let mut entries = self.entries.iter();
        !self.succeeded.contains(&group) && entries.any(|(request, entry)| request.group() == group && has_fault(entry))
    }

    /// All resources, most recently demanded first.
    pub fn all(&self) -> Vec<(&Request, &Entry)> {
        let mut all: Vec<_> = self.entries.iter().collect();
        all.sort_by(|(a, x), (b, y)| y.demanded.cmp(&x.demanded).then_with(|| a.cmp(b)));
        all
    }

    /// The last failures, newest first.
    pub fn errors(&self) -> impl ExactSizeIterator<Item = &(Request, Failure)> {
        self.errors.iter()
    }

    /// Whether any resource is being fetched.
    pub fn is_loading(&self) -> bool {
        self.entries.values().any(|e| e.loading.is_some())
    }

    /// Records the current demand: creates missing entries, and drops the least recently demanded ones beyond
    /// [`MAX_APP_RESPONSES`] and [`MAX_BODY_BYTES`].
    pub fn record_demand<'a>(&mut self, requests: impl IntoIterator<Item = &'a Request>) {
        self.clock += 1;
        for request in requests {
            match self.entries.get_mut(request) {
                Some(entry) => entry.demanded = self.clock,
                None => {
                    self.entries.insert(request.clone(), Entry { demanded: self.clock, ..Entry::default() });
                }
            }
        }
        self.trim();
    }

    fn trim(&mut self) {
        let mut bodies: u64 = self.entries.values().map(|entry| self.weight(entry)).sum();
        loop {
            let are_many = self.entries.len() > MAX_APP_RESPONSES;
            if !are_many && bodies <= MAX_BODY_BYTES {
                return;
            }
            // If only the bodies are too large, keep entries that would free none of them.
            let left = self.entries.iter().filter(|(_, entry)| entry.demanded < self.clock);
            let left = left.map(|(request, entry)| (request, entry.demanded, self.weight(entry)));
            let oldest = left.filter(|(.., weight)| are_many || *weight > 0).min_by_key(|(_, wanted, _)| *wanted);
            let Some((request, _, weight)) = oldest else { return };
            let request = request.clone();
            self.entries.remove(&request);
            // Another thread may have dropped its response in the meantime.
            bodies = bodies.saturating_sub(weight);
        }
    }

    /// The memory that dropping it would free, as the length of its body.
    fn weight(&self, entry: &Entry) -> u64 {
        let is_alone =
            entry.demanded < self.clock && entry.response.as_ref().is_some_and(|it| Arc::strong_count(it) == 1);
        let body = match entry.response.as_deref() {
            // A small file may be a large image.
            Some(ResponseData::Picture(picture)) => picture.pixels.len() as u64,
            _ => entry.receipt.as_ref().map_or(0, |receipt| receipt.bytes),
        };
        if is_alone { body } else { 0 }
    }

    /// Records that resources are still needed although they aren't fetched: the next [`Responses::record_demand`]
    /// keeps them.
    pub fn keep(&mut self, requests: &[Request]) {
        for request in requests {
            if let Some(entry) = self.entries.get_mut(request) {
                entry.demanded = self.clock + 1;
            }
        }
    }

    /// Restores a response of an earlier run with its age. Returns `false` if a newer one is known. A fetch in progress
    /// or a failure stays.
    pub fn restore(&mut self, cached: CachedResponse) -> bool {
        let entry = self.entries.entry(cached.request).or_default();
        if entry.receipt.as_ref().is_some_and(|receipt| receipt.fetched_at > cached.receipt.fetched_at) {
            return false;
        }
        entry.response = Some(cached.response);
        entry.receipt = Some(cached.receipt);
        entry.abridged = cached.abridged;
        entry.restored = true;
        true
    }

    /// Restores a response that was dropped here but cached by a list. A complete one is of this run.
    pub(super) fn restore_dropped(&mut self, cached: CachedResponse) {
        let request = cached.request.clone();
        if self.restore(cached)
            && let Some(entry) = self.entries.get_mut(&request)
        {
            entry.restored = entry.abridged;
        }
    }

    /// Whether this fetch of a resource is in progress.
    pub fn is_fetching(&self, request: &Request, fetch_id: FetchId) -> bool {
        let loading = self.entries.get(request).and_then(|entry| entry.loading);
        loading.is_some_and(|(own, _)| own == fetch_id)
    }

    /// Stops showing that known values are being fetched, for a pause; returns the events that started these fetches.
    pub(super) fn pause(&mut self) -> Vec<Event> {
        let known = self.entries.iter_mut().filter(|(_, entry)| entry.response.is_some());
        let started = known.filter_map(|(request, entry)| {
            let (fetch_id, at) = entry.loading.take()?;
            Some(Event::Started { request: request.clone(), fetch_id, at })
        });
        started.collect()
    }

    /// Swaps these responses with the known ones to the same requests.
    pub(super) fn swap(&mut self, responses: &mut [(Request, Arc<ResponseData>, Receipt)]) {
        for (request, response, receipt) in responses {
            if let Some(Entry { response: Some(known), receipt: Some(known_receipt), .. }) =
                self.entries.get_mut(request)
            {
                std::mem::swap(known, response);
                std::mem::swap(known_receipt, receipt);
            }
        }
    }

    /// Applies an event of a request. Returns `false` if nothing waits for it: the request was dropped or cancelled, or
    /// a newer fetch of it has started.
    pub fn apply(&mut self, event: Event) -> bool {
        match event {
            Event::Started { request, fetch_id, at } => {
                let Some(entry) = self.entries.get_mut(&request) else { return false };
                entry.loading = Some((fetch_id, at));
                true
            }
            Event::Arrived { request, fetch_id, response, mut receipt } => {
                let Some(entry) = self.waiting(&request, fetch_id) else { return false };
                let before = entry.failure.take();
                let not_refreshed = receipt.any_refresh_failure().cloned();
                entry.failure = not_refreshed.map(|RefreshFailure { error, next_try }| Failure {
                    error,
                    at: receipt.fetched_at,
                    next_try: Some(next_try),
                    not_found: None,
                });
                // The service responds at once, so the same failure would fill the log.
                let is_new = |failure: &&Failure| before.as_ref().is_none_or(|before| before.error != failure.error);
                let record = entry.failure.as_ref().filter(is_new).cloned();
                entry.loading = None;
                entry.restored = false;
                if response.is_some() {
                    entry.response = response;
                    entry.abridged = false;
                } else if let Some(before) = &entry.receipt {
                    // The rows of the response that is still valid.
                    receipt.warnings = Arc::clone(&before.warnings);
                    receipt.rows = before.rows;
                    receipt.bytes = before.bytes;
                    receipt.simulated |= before.simulated;
                }
                entry.receipt = Some(receipt);
                self.succeeded.insert(request.group());
                if let Some(failure) = record {
                    self.record_error(request, failure);
                }
                true
            }
            Event::Failed { request, fetch_id, error, at, next_try } => {
                let is_listed = self.lists_token(&request);
                let Some(entry) = self.waiting(&request, fetch_id) else { return false };
                // "Not found" for something known to exist is an ordinary failure.
                let not_found = match &error.kind {
                    _ if entry.response.is_some() => None,
                    ErrorKind::NotFound { .. } => request.not_found().filter(|_| !is_listed).map(Text::from),
                    ErrorKind::Explained { status: 404 | 501, message, .. } => Some(Text::from(message.as_str())),
                    _ => None,
                };
                let failure = Failure { error, at, next_try, not_found };
                // The fetch task checks by this `Arc` whether the entry still has the error, so the log gets its own
                // copy.
                let record = Failure { error: Arc::new(Error::clone(&failure.error)), ..failure.clone() };
                let is_unserved = failure.is_unserved();
                entry.loading = None;
                entry.failure = Some(failure);
                if !is_unserved {
                    self.record_error(request, record);
                }
                true
            }
            Event::Cancelled { request, fetch_id } => {
                let Some(entry) = self.waiting(&request, fetch_id) else { return false };
                entry.loading = None;
                true
            }
            // Not about a single resource.
            Event::RefreshSkipped { .. } | Event::Background { .. } | Event::Prices { .. } | Event::PriceState(_) => {
                false
            }
        }
    }

    fn record_error(&mut self, request: Request, failure: Failure) {
        self.errors.push_front((request, failure));
        self.errors.truncate(MAX_ERRORS);
    }

    /// The exchange rates of past days of all responses.
    pub fn historical_rates_of_all(&self) -> impl Iterator<Item = &HistoricalRate> {
        let responses = self.entries.values().filter_map(|entry| entry.response.as_deref());
        let rates =
            responses.filter_map(
                |response| if let ResponseData::HistoricalRates(rates) = response { Some(rates) } else { None },
            );
        rates.flatten()
    }

    /// Moves the times of responses and failures back to `now`, after the clock was set back.
    pub(super) fn set_back(&mut self, now: UtcTime) {
        for Entry { receipt, failure, loading, .. } in self.entries.values_mut() {
            receipt.iter_mut().for_each(|receipt| receipt.set_back(now));
            failure.iter_mut().for_each(|failure| failure.set_back(now));
            loading.iter_mut().for_each(|(_, since)| *since = now.min(*since));
        }
        self.errors.iter_mut().for_each(|(_, failure)| failure.set_back(now));
    }

    /// Drops a resource and its failures.
    pub(super) fn forget(&mut self, request: &Request) {
        self.entries.remove(request);
        self.errors.retain(|(failed, _)| failed != request);
    }

    /// Whether a loaded list has the token that a request is about.
    fn lists_token(&self, request: &Request) -> bool {
        let (Request::Brc20Token { ticker }
        | Request::Brc20Holders { ticker, .. }
        | Request::Brc20Activity { ticker: Some(ticker), .. }) = request
        else {
            return false;
        };
        let responses = self.entries.values().filter_map(|entry| entry.response.as_deref());
        let has_it = |page: &Page<Brc20Token>| page.items.iter().any(|token| token.ticker == *ticker);
        responses.into_iter().any(|response| matches!(response, ResponseData::Brc20Tokens(page) if has_it(page)))
    }

    fn waiting(&mut self, request: &Request, fetch_id: FetchId) -> Option<&mut Entry> {
        self.entries.get_mut(request).filter(|e| e.loading.is_some_and(|(t, _)| t == fetch_id))
    }
}

macro_rules! typed {
    ($get:ident; $($(#[$doc:meta])* $name:ident: $variant:ident => $value:ty;)*) => {
        impl Responses {
            $($(#[$doc])*
            pub fn $name(&self, request: &Request) -> Remote<'_, $value> {
                self.$get(request).map(|response| match response {
                    ResponseData::$variant(value) => Some(value),
                    _ => None,
                })
            })*
        }
    };
}

typed! {
    get;
    /// A page of coins, or the coins of a category.
    coins: Coins => Page<Coin>;
    /// Posts.
    posts: Posts => Page<Post>;
    /// One BRC-20 token.
    brc20_token: Brc20Token => Box<Brc20Token>;
    /// A sat.
    sat: Sat => Box<Sat>;
    /// One inscription.
    inscription: Inscription => Box<Inscription>;
    /// The content of an inscription.
    content: InscriptionContent => Box<Content>;
    /// An image.
    picture: Picture => Box<Picture>;
    /// The providers of live data.
    sources: Sources => Vec<Source>;
    /// The names of all coins.
    coin_names: CoinNames => Vec<IndexedName>;
    /// Inscriptions per block.
    inscription_stats: InscriptionStats => Page<InscriptionStat>;
    /// The newest block.
    chain_state: ChainState => ChainState;
}

typed! {
    get_in_any_currency;
    /// Market pairs, in another currency until those in the current one arrive.
    market_pairs: MarketPairs => Page<MarketPair>;
    /// A chart, in another currency until the one in the current currency arrives.
    chart: Chart => Chart;
    /// Series of several coins, in another currency until those in the current one arrive.
    market: Market => Vec<MarketSeries>;
}
