//! The choice between live and simulated data.

use crate::app::effect::Effect;
use crate::app::state::State;
use crate::user_data::Change;

use super::toast::toast;
use super::user::save;

/// Switches between live and simulated data, and remembers the choice.
pub(super) fn toggle(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(is_live) = state.preferences.live else {
        let [market, _] = &state.preferences.sources;
        return toast(state, format!("Data come from {market} · remove its URL to switch"), false);
    };
    choose(state, !is_live, effects);
    effects.push(Effect::SwitchSource { live: !is_live });
}

/// Keeps simulated data and hides the offer of live data.
pub(super) fn dismiss(state: &mut State, effects: &mut Vec<Effect>) {
    choose(state, false, effects);
}

/// Remembers the choice at once, since commands follow it.
fn choose(state: &mut State, live: bool, effects: &mut Vec<Effect>) {
    state.live_choice = Some(live);
    let session = state.session().entries();
    save(state, Change::Session(session), effects);
}
