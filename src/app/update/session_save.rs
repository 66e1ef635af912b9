//! Saves the session while the program runs, so that a crash doesn't lose what the user has arranged or seen.

use std::time::Duration;

use crate::app::effect::Effect;
use crate::app::seen::Seen;
use crate::app::state::State;
use crate::keymap::Tab;
use crate::user_data::Change;

use super::user::save_without_undo;

/// Saves the session. Before it is restored, it would replace that of the run before.
pub(super) fn save(state: &mut State, effects: &mut Vec<Effect>) {
    if state.restored {
        let entries = state.session().entries();
        save_without_undo(state, Change::Session(entries), effects);
    }
}

/// How often the prices that the user has seen are saved while the wallet is open.
const PRICES_EVERY: Duration = Duration::from_mins(10);

/// Saves what the user has seen of the wallet if its tab was left, a balance changed, or it is a while ago.
/// `has_arrived` is whether balances or prices of the wallet arrived.
pub(super) fn save_seen(state: &mut State, has_left: bool, has_arrived: bool, effects: &mut Vec<Effect>) {
    if !state.restored || !(has_left || has_arrived && state.tab == Tab::Wallet) {
        return;
    }
    let Some(now) = seen_in_wallet(state) else { return };
    let is_new = match &state.seen_last {
        Some(last) if has_left => last.prices != now.prices || last.balances != now.balances,
        Some(last) => last.balances != now.balances || now.at.since(last.at) >= PRICES_EVERY,
        None => state.seen.as_ref() != Some(&now),
    };
    if is_new {
        state.seen_last = Some(now);
        save(state, effects);
    }
}

/// What is to be seen in the wallet, also just after its tab was left.
fn seen_in_wallet(state: &mut State) -> Option<Seen> {
    let tab = std::mem::replace(&mut state.tab, Tab::Wallet);
    let seen = state.seen_now();
    state.tab = tab;
    seen
}
