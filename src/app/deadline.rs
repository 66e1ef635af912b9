//! When the screen changes without a message. There is no periodic tick: the event loop sleeps until then.

use std::time::Duration;

use crate::fetch::Receipt;
use crate::format;
use crate::model::UtcTime;

use super::demand::visible_requests;
use super::overlay::Overlay;
use super::panel::Panel;
use super::responses::{Entry, GRACE};
use super::state::State;

const MINUTE: i64 = 60_000;

/// Ages and countdowns are updated only at multiples of ten seconds of the clock, so any number of them causes at most
/// six wakeups a minute. No text is late by more than its precision.
const COARSE_STEP: i64 = 10_000;

/// Returns when the screen next changes without a message: the minute of the clock, the text of an age or a countdown,
/// data that becomes stale, a toast that disappears, the end of the debounce time of the selection or of a search,
/// changed prices that are no longer bright, a list that is re-sorted after the end of typing, or a changed session that
/// is to be saved.
pub fn next_deadline(state: &State) -> UtcTime {
    let now = state.now;
    let debounces = state.indexer.debounce_until.into_iter().chain(state.search_debounce_until);
    let exact = state.shown_toast().and_then(|toast| toast.until).into_iter().chain(debounces);
    let exact = exact.chain(state.next_highlight_end()).chain(state.order_due()).chain(state.session_saves.due());
    let attempts = state.open_screen().shows_all_requests();
    let changes = shown(state).into_iter().filter_map(|entry| next_change(entry, now, attempts));
    let queue = state.background_queue.until.filter(|_| attempts);
    let wait = queue.and_then(|until| Some(now.plus(format::time::next_until_change(until.since(now))?)));
    let live = state.live.next_change(now);
    let alerts = next_alert_age(state);
    let coarse = changes
        .chain(next_coin_age(state))
        .chain(wait)
        .chain(live)
        .chain(alerts)
        .map(|time| rounded_up(time, COARSE_STEP));
    let minute = rounded_up(now.plus(Duration::from_millis(1)), MINUTE);
    exact.chain(coarse).filter(|time| *time > now).fold(minute, UtcTime::min)
}

/// The resources whose ages and countdowns are on the screen.
fn shown(state: &State) -> Vec<&Entry> {
    if state.open_screen().shows_all_requests() {
        return state.responses.all().into_iter().map(|(_, entry)| entry).collect();
    }
    visible_requests(state).iter().filter_map(|request| state.responses.get(request).entry).collect()
}

/// When the text for the open coin's last update changes, if the About panel shows it, or the age of its last copy.
fn next_coin_age(state: &State) -> Option<UtcTime> {
    let shows_update = state.token.as_ref()?.shows(Panel::About, state.size);
    let coin = state.open_coin()?;
    let updated = coin.coin().updated_at.filter(|_| shows_update);
    let last_seen = coin.last().and_then(|last| last.at);
    updated.into_iter().chain(last_seen).filter_map(|at| next_age(at, state.now)).min()
}

/// When the age of a value in the Alerts dialog changes.
fn next_alert_age(state: &State) -> Option<UtcTime> {
    if !matches!(state.overlay, Some(Overlay::Alerts(_))) {
        return None;
    }
    let checked = state.alerts.tracked.iter().filter_map(|tracked| tracked.alert.state.checked_at);
    checked.filter_map(|at| next_age(at, state.now)).min()
}

/// When the text of an age changes; `None` after the first minute, since it then changes with the clock.
fn next_age(since: UtcTime, now: UtcTime) -> Option<UtcTime> {
    let age = now.since(since);
    (age.as_secs() < 60).then(|| now.plus(format::time::next_age_change(age)))
}

/// When the text about a resource changes next. `attempts` includes the age of the last attempt.
fn next_change(entry: &Entry, now: UtcTime, attempts: bool) -> Option<UtcTime> {
    let receipt = entry.receipt.as_ref();
    let tried = entry.loading.map(|(_, since)| since).or(entry.failure.as_ref().map(|failure| failure.at));
    let tried = tried.filter(|_| attempts).and_then(|since| next_age(since, now));
    // The Status tab shows the time of the response, the others the age of the data.
    let since = |receipt: &Receipt| if attempts { receipt.succeeded_at() } else { receipt.updated_at() };
    let succeeded = receipt.and_then(|receipt| next_age(since(receipt), now));
    let rate = receipt.and_then(|receipt| next_age(receipt.rate.as_ref()?.at, now));
    let next = match (&entry.failure, receipt) {
        _ if entry.loading.is_some() => None,
        (Some(failure), _) => failure.next_try,
        (None, receipt) => receipt.map(|receipt| receipt.fresh_until),
    };
    let wait = next.and_then(|next| Some(now.plus(format::time::next_until_change(next.since(now))?)));
    // It becomes stale one millisecond after that. After a failure there is no refresh to wait for.
    let grace = if entry.failure.is_some() { Duration::ZERO } else { GRACE };
    let stale = receipt.map(|receipt| receipt.fresh_until.plus(grace + Duration::from_millis(1)));
    [tried, succeeded, rate, wait, stale].into_iter().flatten().filter(|time| *time > now).min()
}

fn rounded_up(time: UtcTime, step: i64) -> UtcTime {
    let past = time.millis().rem_euclid(step);
    UtcTime::from_millis(if past == 0 { time.millis() } else { time.millis().saturating_add(step - past) })
}
