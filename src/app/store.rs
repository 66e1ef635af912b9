//! What was fetched, by request: the value, its age, and how its last fetch went.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::client::{Answer, Error, Group, Request};
use crate::fetch::{Event, KEPT_BY_APP, Receipt, Ticket};
use crate::model::{
    Brc20Token, Chart, Coin, Content, Inscription, InscriptionStat, MarketPair, MarketSeries, Page, Post, Sat, UtcTime,
};

/// How many of the last failures the Status tab can show.
pub const ERRORS_KEPT: usize = 50;

/// How large the bodies of answers may be together, in bytes, that are not wanted now and that no screen holds on to,
/// before those wanted longest ago are forgotten. What is kept of a body takes about half of its length, at most four
/// times as much (of coins that have nothing but a name).
pub const BODIES_KEPT: u64 = 8 << 20;

/// How long past its freshness a value may be before it is called stale: time for the refresh that is under way.
pub const GRACE: Duration = Duration::from_secs(30);

/// A failed fetch.
#[derive(Clone, Debug)]
pub struct Failure {
    /// Why.
    pub error: Arc<Error>,
    /// When.
    pub at: UtcTime,
    /// When it is tried again, if nothing changes; `None` where only a change could help.
    pub next_try: Option<UtcTime>,
}

/// One resource. A failure keeps the old value, and stays known until a fetch succeeds.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The last good answer.
    pub answer: Option<Arc<Answer>>,
    /// How that answer came (or was last confirmed).
    pub receipt: Option<Receipt>,
    /// The fetch under way, and since when.
    pub loading: Option<(Ticket, UtcTime)>,
    /// How the last fetch failed, if it did.
    pub failure: Option<Failure>,
    /// The answer is from an earlier run and not whole: rows and details that the first frame does not need are
    /// missing.
    pub abridged: bool,
    /// The answer is from an earlier run, and nothing newer has come.
    pub restored: bool,
    wanted: u64,
    /// Length of the answer's body in bytes.
    body: u64,
}

/// An answer of an earlier run, as it came then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    /// What was asked.
    pub request: Request,
    /// What came.
    pub answer: Arc<Answer>,
    /// How it came. Its times are those of the earlier run.
    pub receipt: Receipt,
    /// See [`Entry::abridged`].
    pub abridged: bool,
}

/// A resource as a screen sees it.
#[derive(Debug)]
pub struct Remote<'a, T> {
    /// The last good value.
    pub value: Option<&'a T>,
    /// The resource; `None` if it was never asked for.
    pub entry: Option<&'a Entry>,
}

impl<T> Clone for Remote<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Remote<'_, T> {}

impl<'a, T> Remote<'a, T> {
    /// Whether a fetch is under way.
    pub fn is_loading(&self) -> bool {
        self.entry.is_some_and(|e| e.loading.is_some())
    }

    /// How the last fetch failed, if it did.
    pub fn failure(&self) -> Option<&'a Failure> {
        self.entry.and_then(|e| e.failure.as_ref())
    }

    /// When the value was fetched or last confirmed.
    pub fn fetched_at(&self) -> Option<UtcTime> {
        self.entry.and_then(|e| e.receipt.as_ref()).map(|r| r.fetched_at)
    }

    /// Until when the value counts as fresh.
    pub fn fresh_until(&self) -> Option<UtcTime> {
        self.entry.and_then(|e| e.receipt.as_ref()).map(|r| r.fresh_until)
    }

    /// Whether the value must be shown as old: it is past its freshness, and its refresh failed or is overdue. A failed
    /// refresh of a fresh value changes nothing about the value.
    pub fn is_stale(&self, now: UtcTime) -> bool {
        let grace = if self.failure().is_some() { Duration::ZERO } else { GRACE };
        let is_over = match self.fresh_until() {
            Some(until) => now > until.plus(grace),
            // A value in another currency, which could not be fetched in the one wanted.
            None => self.failure().is_some(),
        };
        self.value.is_some() && is_over
    }

    /// The same resource, another view of its value.
    pub fn map<U>(self, part: impl FnOnce(&'a T) -> Option<&'a U>) -> Remote<'a, U> {
        Remote { value: self.value.and_then(part), entry: self.entry }
    }
}

/// All resources, bounded: those wanted longest ago are forgotten first.
#[derive(Debug, Default)]
pub struct Store {
    entries: HashMap<Request, Entry>,
    clock: u64,
    errors: VecDeque<(Request, Failure)>,
}

impl Store {
    /// A resource with its value as a whole answer.
    pub fn get(&self, request: &Request) -> Remote<'_, Answer> {
        let entry = self.entries.get(request);
        Remote { value: entry.and_then(|e| e.answer.as_deref()), entry }
    }

    /// The shared answer of a resource.
    pub fn answer(&self, request: &Request) -> Option<&Arc<Answer>> {
        self.entries.get(request).and_then(|e| e.answer.as_ref())
    }

    /// The newest answer to the same request in another currency.
    pub fn in_other_currency(&self, request: &Request) -> Option<&Arc<Answer>> {
        let others =
            self.entries.iter().filter(|(other, entry)| entry.answer.is_some() && request.is_in_other_currency(other));
        let newest = others.max_by_key(|(_, entry)| entry.receipt.as_ref().map(|receipt| receipt.fetched_at));
        newest.and_then(|(_, entry)| entry.answer.as_ref())
    }

    /// A resource; until its first answer arrives, with the value in another currency where that is known. The value
    /// says which.
    fn get_in_any_currency(&self, request: &Request) -> Remote<'_, Answer> {
        let own = self.get(request);
        let value = own.value.or_else(|| self.in_other_currency(request).map(Arc::as_ref));
        Remote { value, ..own }
    }

    /// The answers to some requests, the oldest first.
    pub fn answers(&self, wanted: impl Fn(&Request) -> bool) -> Vec<&Answer> {
        let entries = self.entries.iter().filter(|(request, _)| wanted(request));
        let mut found: Vec<_> = entries
            .filter_map(|(_, entry)| Some((entry.receipt.as_ref()?.fetched_at, entry.answer.as_deref()?)))
            .collect();
        found.sort_by_key(|&(at, _)| at);
        found.into_iter().map(|(_, answer)| answer).collect()
    }

    /// How the newest answer of a group came.
    pub fn last_receipt(&self, group: Group) -> Option<&Receipt> {
        let of_group = self.entries.iter().filter(|(request, _)| request.group() == group);
        of_group.filter_map(|(_, entry)| entry.receipt.as_ref()).max_by_key(|receipt| receipt.fetched_at)
    }

    /// Every resource, those wanted last first.
    pub fn all(&self) -> Vec<(&Request, &Entry)> {
        let mut all: Vec<_> = self.entries.iter().collect();
        all.sort_by(|(a, x), (b, y)| y.wanted.cmp(&x.wanted).then_with(|| a.cmp(b)));
        all
    }

    /// The last failures, the newest first.
    pub fn errors(&self) -> impl ExactSizeIterator<Item = &(Request, Failure)> {
        self.errors.iter()
    }

    /// Whether any wanted resource is being fetched.
    pub fn is_loading(&self) -> bool {
        self.entries.values().any(|e| e.loading.is_some())
    }

    /// Notes what is wanted now: gives each a place, and forgets the oldest beyond [`KEPT_BY_APP`] and [`BODIES_KEPT`].
    pub fn want<'a>(&mut self, requests: impl IntoIterator<Item = &'a Request>) {
        self.clock += 1;
        for request in requests {
            match self.entries.get_mut(request) {
                Some(entry) => entry.wanted = self.clock,
                None => {
                    self.entries.insert(request.clone(), Entry { wanted: self.clock, ..Entry::default() });
                }
            }
        }
        self.trim();
    }

    fn trim(&mut self) {
        let mut bodies: u64 = self.entries.values().map(|entry| self.weight(entry)).sum();
        loop {
            let are_many = self.entries.len() > KEPT_BY_APP;
            if !are_many && bodies <= BODIES_KEPT {
                return;
            }
            // Where only the bodies are too large, what would free none of them stays.
            let left = self.entries.iter().filter(|(_, entry)| entry.wanted < self.clock);
            let left = left.map(|(request, entry)| (request, entry.wanted, self.weight(entry)));
            let oldest = left.filter(|(.., weight)| are_many || *weight > 0).min_by_key(|(_, wanted, _)| *wanted);
            let Some((request, _, weight)) = oldest else { return };
            let request = request.clone();
            self.entries.remove(&request);
            // Another thread may have let go of its answer since all were weighed.
            bodies = bodies.saturating_sub(weight);
        }
    }

    /// What would be free without it, as the length of its body.
    fn weight(&self, entry: &Entry) -> u64 {
        let is_alone = entry.wanted < self.clock && entry.answer.as_ref().is_some_and(|it| Arc::strong_count(it) == 1);
        if is_alone { entry.body } else { 0 }
    }

    /// Notes that resources are still needed, although none of them must be fetched: the next [`Store::want`] does not
    /// forget them.
    pub fn keep(&mut self, requests: &[Request]) {
        for request in requests {
            if let Some(entry) = self.entries.get_mut(request) {
                entry.wanted = self.clock + 1;
            }
        }
    }

    /// Takes in an answer of an earlier run, as old as it is. `false` where a newer one is known. It changes nothing of
    /// a fetch under way or a failure.
    pub fn restore(&mut self, kept: Kept) -> bool {
        let entry = self.entries.entry(kept.request).or_default();
        if entry.receipt.as_ref().is_some_and(|receipt| receipt.fetched_at > kept.receipt.fetched_at) {
            return false;
        }
        entry.answer = Some(kept.answer);
        entry.body = kept.receipt.bytes;
        entry.receipt = Some(kept.receipt);
        entry.abridged = kept.abridged;
        entry.restored = true;
        true
    }

    /// Takes back an answer that was forgotten here, as old as it is. What is whole came in this run, or stands for what
    /// did.
    pub(super) fn give_back(&mut self, kept: Kept) {
        let request = kept.request.clone();
        if self.restore(kept)
            && let Some(entry) = self.entries.get_mut(&request)
        {
            entry.restored = entry.abridged;
        }
    }

    /// Takes in what happened to a request. `false` where nobody waits for it: it was forgotten, cancelled, or a newer
    /// fetch of the same request has begun.
    pub fn apply(&mut self, event: Event) -> bool {
        match event {
            Event::Started { request, ticket, at } => {
                let Some(entry) = self.entries.get_mut(&request) else { return false };
                entry.loading = Some((ticket, at));
                true
            }
            Event::Arrived { request, ticket, answer, mut receipt } => {
                let Some(entry) = self.waiting(&request, ticket) else { return false };
                entry.loading = None;
                entry.failure = None;
                entry.restored = false;
                if answer.is_some() {
                    entry.answer = answer;
                    entry.body = receipt.bytes;
                    entry.abridged = false;
                } else if let Some(before) = &entry.receipt {
                    // What could not be read of the answer that still holds.
                    receipt.warnings = Arc::clone(&before.warnings);
                    receipt.rows = before.rows;
                    receipt.simulated |= before.simulated;
                }
                entry.receipt = Some(receipt);
                true
            }
            Event::Failed { request, ticket, error, at, next_try } => {
                let Some(entry) = self.waiting(&request, ticket) else { return false };
                let failure = Failure { error, at, next_try };
                // While its error lives, the task takes the failure for known: that is so with the entry only.
                let record = Failure { error: Arc::new(Error::clone(&failure.error)), ..failure };
                entry.loading = None;
                entry.failure = Some(failure);
                self.errors.push_front((request, record));
                self.errors.truncate(ERRORS_KEPT);
                true
            }
            Event::Cancelled { request, ticket } => {
                let Some(entry) = self.waiting(&request, ticket) else { return false };
                entry.loading = None;
                true
            }
            // It says nothing of a resource.
            Event::RefreshHeld { .. } | Event::Background { .. } => false,
        }
    }

    fn waiting(&mut self, request: &Request, ticket: Ticket) -> Option<&mut Entry> {
        self.entries.get_mut(request).filter(|e| e.loading.is_some_and(|(t, _)| t == ticket))
    }
}

macro_rules! typed {
    ($get:ident; $($(#[$doc:meta])* $name:ident: $variant:ident => $value:ty;)*) => {
        impl Store {
            $($(#[$doc])*
            pub fn $name(&self, request: &Request) -> Remote<'_, $value> {
                self.$get(request).map(|answer| match answer {
                    Answer::$variant(value) => Some(value),
                    _ => None,
                })
            })*
        }
    };
}

typed! {
    get;
    /// A page of coins, or those of a category.
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
    /// Inscriptions per block.
    inscription_stats: InscriptionStats => Page<InscriptionStat>;
}

typed! {
    get_in_any_currency;
    /// Market pairs, in another currency until those in the one wanted arrive.
    market_pairs: MarketPairs => Page<MarketPair>;
    /// A chart, in another currency until the one in the currency wanted arrives.
    chart: Chart => Chart;
    /// Series of several tokens, in another currency until those in the one wanted arrive.
    market: Market => Vec<MarketSeries>;
}
