//! When time alone changes the picture. Nothing ticks: the loop sleeps until then.

use std::time::Duration;

use crate::format;
use crate::model::UtcTime;

use super::demand::demand;
use super::state::State;

/// The next time at which something on the screen changes although nothing happens: the clock's minute, an age's next
/// coarse step, a toast's end, a selection that has rested.
pub fn next_deadline(state: &State) -> UtcTime {
    let now = state.now;
    let minute = Duration::from_mins(1);
    let mut next = UtcTime::from_secs((now.secs().div_euclid(60) + 1) * 60).min(now.plus(minute));
    let mut at = |time: UtcTime| {
        if time > now && time < next {
            next = time;
        }
    };
    if let Some(toast) = &state.toast {
        at(toast.until);
    }
    if let Some(rest) = state.indexer.rest_until {
        at(rest);
    }
    for request in demand(state).requests {
        let remote = state.store.get(&request);
        if let Some(fetched) = remote.fetched_at() {
            let age = now.since(fetched);
            if age < minute {
                at(now.plus(format::time::next_age_change(age)));
            }
        }
    }
    next
}
