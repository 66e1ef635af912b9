//! When time alone changes the picture. Nothing ticks: the loop sleeps until then.

use std::time::Duration;

use crate::format;
use crate::keymap::Tab;
use crate::model::UtcTime;

use super::demand::demand;
use super::state::{Panel, State};
use super::store::{Entry, GRACE};

const MINUTE: i64 = 60_000;

/// Ages and waits change their texts on the clock's tens of seconds only: any number of them costs six wakeups a minute,
/// and no text is late by more than its own step.
const GRID: i64 = 10_000;

/// Returns the next time at which the screen changes without a message: the clock's minute, the next coarse step of an
/// age or of a wait, something that becomes stale, the end of a toast, a selection that has rested.
pub fn next_deadline(state: &State) -> UtcTime {
    let now = state.now;
    let exact = state.toast.as_ref().map(|toast| toast.until).into_iter().chain(state.indexer.rest_until);
    let attempts = is_status(state);
    let changes = shown(state).into_iter().filter_map(|entry| next_change(entry, now, attempts));
    let queue = state.background_queue.until.filter(|_| attempts);
    let wait = queue.and_then(|until| Some(now.plus(format::time::next_until_change(until.since(now))?)));
    let coarse = changes.chain(next_update_age(state)).chain(wait).map(|time| rounded_up(time, GRID));
    let minute = rounded_up(now.plus(Duration::from_millis(1)), MINUTE);
    exact.chain(coarse).filter(|time| *time > now).fold(minute, UtcTime::min)
}

fn is_status(state: &State) -> bool {
    state.token.is_none() && state.tab == Tab::Status
}

/// The resources whose ages and waits the screen shows.
fn shown(state: &State) -> Vec<&Entry> {
    if is_status(state) {
        return state.store.all().into_iter().map(|(_, entry)| entry).collect();
    }
    demand(state).visible.iter().filter_map(|request| state.store.get(request).entry).collect()
}

/// When the age of the open coin's last update changes, if the About panel shows it.
fn next_update_age(state: &State) -> Option<UtcTime> {
    let token = state.token.as_ref().filter(|token| token.shows(Panel::About, state.size))?;
    next_age(state.coin(token.id.as_ref()?)?.updated_at?, state.now)
}

/// When the text of an age changes; `None` from a minute on, for then it changes with the clock.
fn next_age(since: UtcTime, now: UtcTime) -> Option<UtcTime> {
    let age = now.since(since);
    (age.as_secs() < 60).then(|| now.plus(format::time::next_age_change(age)))
}

/// When the text about a resource changes next; `attempts` if the age of its last attempt is shown, too.
fn next_change(entry: &Entry, now: UtcTime, attempts: bool) -> Option<UtcTime> {
    let receipt = entry.receipt.as_ref();
    let tried = entry.loading.map(|(_, since)| since).or(entry.failure.as_ref().map(|failure| failure.at));
    let tried = tried.filter(|_| attempts).and_then(|since| next_age(since, now));
    let succeeded = receipt.and_then(|receipt| next_age(receipt.fetched_at, now));
    let next = match (&entry.failure, receipt) {
        _ if entry.loading.is_some() => None,
        (Some(failure), _) => failure.next_try,
        (None, receipt) => receipt.map(|receipt| receipt.fresh_until),
    };
    let wait = next.and_then(|next| Some(now.plus(format::time::next_until_change(next.since(now))?)));
    // One instant later, for only then is it over. After a failure there is no refresh to wait for.
    let grace = if entry.failure.is_some() { Duration::ZERO } else { GRACE };
    let stale = receipt.map(|receipt| receipt.fresh_until.plus(grace + Duration::from_millis(1)));
    [tried, succeeded, wait, stale].into_iter().flatten().filter(|time| *time > now).min()
}

fn rounded_up(time: UtcTime, step: i64) -> UtcTime {
    let past = time.millis().rem_euclid(step);
    UtcTime::from_millis(if past == 0 { time.millis() } else { time.millis().saturating_add(step - past) })
}
