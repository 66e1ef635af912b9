//! The choice between live and simulated data.

use crate::app::effect::Effect;
use crate::app::preferences::EMBEDDED;
use crate::app::state::State;

use super::session_save;
use super::toast::toast;

/// Switches between live and simulated data, and remembers the choice. A group with a URL keeps its service.
pub(super) fn toggle(state: &mut State, effects: &mut Vec<Effect>) {
    let Some(is_live) = state.preferences.live else {
        let sentence = "Nothing to switch: base_url and indexer_url are both configured";
        return toast(state, sentence);
    };
    choose(state, !is_live, effects);
    let now = if is_live { "simulated" } else { "live" };
    let [market, indexer] = &state.preferences.urls;
    let sentence = match (market == EMBEDDED, indexer == EMBEDDED) {
        (false, true) => Some(format!("Indexer data is now {now} · market data still from {market} (configured)")),
        (true, false) => Some(format!("Market data is now {now} · indexer data still from {indexer} (configured)")),
        // The header says it.
        _ => None,
    };
    if let Some(sentence) = sentence {
        toast(state, sentence);
    }
    effects.push(Effect::SwitchSource { live: !is_live });
}

/// Hides the offer of live data, also on later starts. Nothing is chosen, so the configuration still decides.
pub(super) fn dismiss(state: &mut State, effects: &mut Vec<Effect>) {
    state.live_choice.hides_offer = true;
    session_save::save(state, effects);
}

/// Remembers the choice at once, since commands follow it; if the session of the previous run is not read yet, as soon
/// as it is.
fn choose(state: &mut State, live: bool, effects: &mut Vec<Effect>) {
    state.live_choice.live = Some(live);
    session_save::save(state, effects);
}
