//! When time alone changes the picture. Nothing ticks: the loop sleeps until then.

use std::time::Duration;

use crate::format;
use crate::keymap::Tab;
use crate::model::UtcTime;

use super::demand::demand;
use super::state::State;
use super::store::{Entry, GRACE};

const MINUTE: i64 = 60_000;

/// Ages and waits change their texts on the clock's tens of seconds only: many of them then cost six wakeups a minute,
/// and no text is late by more than its own coarseness.
const GRID: i64 = 10_000;

/// The next time at which something on the screen changes although nothing happens: the clock's minute, the next coarse
/// step of an age or of a wait, what becomes stale, a toast's end, a selection that has rested.
pub fn next_deadline(state: &State) -> UtcTime {
    let now = state.now;
    let exact = state.toast.as_ref().map(|toast| toast.until).into_iter().chain(state.indexer.rest_until);
    let attempts = is_status(state);
    let changes = shown(state).into_iter().filter_map(|entry| next_change(entry, now, attempts));
    let coarse = changes.map(|time| rounded_up(time, GRID));
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
    demand(state).requests.iter().filter_map(|request| state.store.get(request).entry).collect()
}

/// When what is said of a resource changes next; `attempts` where the age of its last attempt is shown, too. Ages of a minute and more wait for the clock's minute, which is
/// painted anyway.
fn next_change(entry: &Entry, now: UtcTime, attempts: bool) -> Option<UtcTime> {
    let receipt = entry.receipt.as_ref();
    let age = |since: Option<UtcTime>| {
        let age = since.map(|since| now.since(since)).filter(|age| age.as_secs() < 60)?;
        Some(now.plus(format::time::next_age_change(age)))
    };
    let tried = entry.loading.map(|(_, since)| since).or(entry.failure.as_ref().map(|failure| failure.at));
    let (tried, succeeded) = (age(tried.filter(|_| attempts)), age(receipt.map(|receipt| receipt.fetched_at)));
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
