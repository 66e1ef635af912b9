//! The service's providers have changed: what it could not do before may be possible now.

use crate::app::state::State;

use super::extension;

/// Forgets what the service could not do.
pub(super) fn apply(state: &mut State) {
    state.sources.changes += 1;
    state.live.sources_changed();
    state.alerts.retry_all_missing();
    // The last values of an open coin, even of one below a lookup, may be from a provider that is no longer used.
    let below = state.indexer.trail.iter_mut().filter_map(|visit| visit.origin.as_mut()?.token.as_deref_mut());
    state.token.iter_mut().chain(below).for_each(|token| token.last_coin = None);
    extension::request_again(state);
}
