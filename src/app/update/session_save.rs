//! Saves the session while the program runs, so that a crash doesn't lose it.

use crate::app::effect::Effect;
use crate::app::saved::session::Session;
use crate::app::state::State;
use crate::app::wallet::seen_values::SeenEvent;
use crate::user_data::Change;

/// Saves the session, but only once the previous one is restored, since it would be overwritten.
pub(super) fn save(state: &mut State, effects: &mut Vec<Effect>) {
    if state.session_saves.is_restored {
        let entries = state.session().entries();
        push(state, Change::Session(entries), effects);
        state.session_saves.set_saved(state.choices());
    }
}

/// Saves the session a moment after the first of its choices has changed, unless they are back to the saved ones by
/// then.
pub(super) fn save_choices(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.session_saves.checks_choices(state.now) {
        return;
    }
    let choices = state.choices();
    if state.session_saves.save_if_due(choices, state.now) {
        // The values that the user has seen are saved by `save_seen`.
        let seen = state.seen.latest().cloned();
        effects.push(Effect::SaveSession(Session { seen, ..state.session() }.entries()));
    }
}

/// Records the balances of addresses that have changed, for the chart of the value. Not before the recorded ones are
/// loaded, and never simulated ones.
pub(super) fn record_balances(state: &mut State, effects: &mut Vec<Effect>) {
    if !state.session_saves.is_restored || state.has_simulated_wallet() {
        return;
    }
    let changed = state.changed_balances();
    if !changed.is_empty() {
        push(state, Change::BalancesChanged(changed), effects);
    }
}

/// Saves a change that the screen doesn't show.
fn push(state: &mut State, change: Change, effects: &mut Vec<Effect>) {
    effects.push(Effect::Save(state.user.push(change.clone()), change));
}

/// Saves the last seen values of the wallet if [`SeenValues::record`] finds them new.
///
/// [`SeenValues::record`]: crate::app::wallet::seen_values::SeenValues::record
pub(super) fn save_seen(state: &mut State, event: SeenEvent, effects: &mut Vec<Effect>) {
    if !state.session_saves.is_restored {
        return;
    }
    let Some(now) = state.seen_in_wallet() else { return };
    if state.seen.record(now, event) {
        save(state, effects);
    }
}
