//! Explains each failure once on a screen: one outage often fails all of its panels.

use std::cell::{Cell, RefCell};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Fitted, Health, Kind, MIN_AGE, Missing, Part, next_step, old};
use crate::app::responses::Failure;
use crate::app::{Remote, State, visible_requests};
use crate::client::Request;
use crate::view::area::below;

/// The failures that the screen explains already. One outage often fails all panels and is explained only once.
#[derive(Debug, Default)]
pub(in crate::view) struct ExplainedFailures {
    reasons: RefCell<Vec<String>>,
    /// Whether the summary line had no room for the reason.
    is_brief: Cell<bool>,
    /// Whether a panel shows the way back to simulated data.
    has_way_back: Cell<bool>,
}

impl ExplainedFailures {
    /// Records that a failure is explained; returns `false` if it was already.
    fn add(&self, failure: &Failure) -> bool {
        let reason = failure.error.reason();
        let is_new = !self.contains(&reason);
        if is_new {
            self.reasons.borrow_mut().push(reason);
        }
        is_new
    }

    fn contains(&self, reason: &str) -> bool {
        self.reasons.borrow().iter().any(|known| known == reason)
    }

    /// Records the text of the summary line for a failure. If it had no room for the reason, the first panel shows the
    /// reason instead of its age.
    pub(in crate::view) fn add_summary(&self, shown: &Fitted, failure: &Failure) {
        if shown.has_reason {
            self.add(failure);
        } else {
            self.is_brief.set(true);
        }
    }

    /// The problem of the whole screen, for its summary line, which has the full width: the first failed refresh of a
    /// visible resource, with the resource's name unless all have failed. Record it with
    /// [`ExplainedFailures::add_summary`].
    pub(in crate::view) fn screen_health<'a>(&self, state: &'a State) -> Option<(Health, &'a Failure)> {
        let requests = visible_requests(state);
        let failure = |request: &Request| state.responses.get(request).failure();
        // A token's details are visible even if they failed, since its list has most of them.
        let is_shown = |request: &Request| {
            state.responses.get(request).value.is_some() || matches!(request, Request::Brc20Token { .. })
        };
        let is_fault = |request: &Request| failure(request).is_some_and(|failure| failure.not_found.is_none());
        let request = requests.iter().find(|request| is_fault(request) && is_shown(request))?;
        let (remote, failed) = (state.responses.get(request), failure(request)?);
        let is_shared = |other: &Request| failure(other).is_some_and(|f| f.error.reason() == failed.error.reason());
        let what = if requests.iter().all(is_shared) { "" } else { resource_name(request) };
        let parts = [Part::of_error(what, &failed.error), next_step(failed, remote, state)];
        Some((Health::problem(parts), failed))
    }

    /// The health of `remote`. For a failure that is already explained, only the age of the value or, while that is
    /// new, the time of the retry.
    pub(in crate::view) fn health<T>(&self, remote: Remote<'_, T>, state: &State) -> Health {
        let now = state.now;
        let age = remote.updated_at().filter(|_| remote.value.is_some()).map(|at| now.since(at));
        let health = || Health::uncredited(remote, remote.provider().unwrap_or_default(), state);
        let Some(failure) = remote.failure() else { return health() };
        if failure.not_found.is_some() {
            // The panel shows it in place of its content.
            return Health::default();
        }
        let next = || next_step(failure, remote, state);
        match age.filter(|age| remote.is_stale(now) || *age >= MIN_AGE) {
            Some(_) if self.is_brief.get() && self.add(failure) => {
                Health::problem([Part::of_error("", &failure.error), next()])
            }
            Some(age) if self.contains(&failure.error.reason()) => Health::problem([Part::new(Kind::Age, old(age))]),
            None if self.contains(&failure.error.reason()) => Health::problem([next()]),
            _ => {
                // Without a value, the reason is in the middle of the panel.
                if age.is_some() {
                    self.add(failure);
                }
                health()
            }
        }
    }

    /// The health of `remote` if it failed for a reason that is not explained yet.
    pub(in crate::view) fn unexplained<T>(&self, remote: Remote<'_, T>, state: &State) -> Option<Health> {
        let is_new = |failure: &&Failure| failure.not_found.is_none() && !self.contains(&failure.error.reason());
        let failure = remote.failure().filter(is_new);
        failure.map(|_| self.health(remote, state))
    }

    /// Paints like [`Missing::paint`], but without a reason that is explained already, and with the way back to
    /// simulated data only once.
    pub(in crate::view) fn missing<T>(&self, buf: &mut Buffer, area: Rect, missing: &Missing<'_, T>) {
        let Some(failure) = missing.fault() else { return missing.paint(buf, area) };
        let rows = if self.add(failure) {
            missing.paint_reason(buf, area)
        } else {
            missing.paint_without_reason(buf, area, failure)
        };
        if !self.has_way_back.get() {
            self.has_way_back.set(missing.paint_way_back(buf, below(area, rows)));
        }
    }
}

/// The name of a resource, in one word.
fn resource_name(request: &Request) -> &'static str {
    match request {
        Request::Coins { .. } => "price",
        Request::Posts { .. } => "posts",
        Request::MarketPairs { .. } => "markets",
        Request::Chart { .. } => "chart",
        Request::MarketData { .. } | Request::CategoryStats { .. } => "trends",
        Request::Brc20Tokens { .. } => "tokens",
        Request::Brc20Token { .. } => "details",
        Request::Brc20Holders { .. } => "holders",
        Request::Brc20Balances { .. } => "balances",
        Request::Brc20Activity { .. } => "activity",
        Request::Sat { .. } => "sat",
        Request::Inscription { .. } => "inscription",
        Request::InscriptionContent { .. } => "content",
        Request::InscriptionImage { .. } => "image",
        Request::SatInscriptions { .. } | Request::Inscriptions { .. } => "inscriptions",
        Request::InscriptionStats { .. } => "statistics",
        Request::ChainState => "block height",
        Request::BitcoinBalance { .. } => "bitcoin balance",
        Request::CoinsById { .. } => "coins",
        Request::CoinNames => "coin names",
        Request::HistoricalRates { .. } => "exchange rates",
        Request::Sources => "providers",
    }
}
