//! The service's providers have changed: what it could not do before may be possible now.

use crate::app::state::State;

use super::extension;

/// Forgets what the service could not do.
pub(super) fn apply(state: &mut State) {
    state.sources.changes += 1;
    state.live.sources_changed();
    state.alerts.retry_all_missing();
    // Its last values may be from a provider that is no longer used.
    state.token.iter_mut().for_each(|token| token.last_coin = None);
    extension::request_again(state);
}
