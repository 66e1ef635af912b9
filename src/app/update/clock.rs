//! The clock was set back: what was set for later times must not wait for them.

use std::time::Duration;

use crate::app::state::State;
use crate::model::UtcTime;

use super::{extension, toast};

/// Background requests wait for at most a minute, since their budget is per minute.
const MAX_BACKGROUND_WAIT: Duration = Duration::from_mins(1);

/// Applies the time `now`, which is before the time of the last message.
pub(super) fn set_back(state: &mut State, now: UtcTime) {
    let limit = |until: &mut UtcTime, most: UtcTime| *until = (*until).min(most);
    state.order_hold.set_back(now);
    let toast_until = state.toast.iter_mut().filter_map(|toast| toast.until.as_mut());
    toast_until.for_each(|until| limit(until, now.plus(toast::TOAST_DURATION)));
    state.manual_refresh.set_back(now);
    state.indexer.debounce_until.iter_mut().for_each(|until| limit(until, now));
    state.search_debounce_until.iter_mut().for_each(|until| limit(until, now));
    state.session_saves.set_back(now);
    state.background_queue.until.iter_mut().for_each(|until| limit(until, now.plus(MAX_BACKGROUND_WAIT)));
    state.alerts.saved_at = None;
    state.alerts.command_failure.iter_mut().for_each(|(at, _)| limit(at, now));
    state.seen.set_back(now);
    state.store_log.set_back(now);
    extension::set_back(state, now);
    state.live.set_back(now);
    state.responses.set_back(now);
    state.lists.iter_mut().for_each(|list| list.set_back(now));
}
