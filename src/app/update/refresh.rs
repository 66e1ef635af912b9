//! Manual refreshes, and the toast for one that is not sent.

use std::time::Duration;

use crate::app::demand::demand;
use crate::app::effect::Effect;
use crate::app::state::State;
use crate::fetch::Hold;
use crate::glyphs::Glyphs;
use crate::keymap::Command;
use crate::model::UtcTime;

use super::toast::toast;

/// Refreshes everything on the screen.
pub(super) fn run(state: &mut State, effects: &mut Vec<Effect>) {
    let requests = demand(state).visible;
    if requests.is_empty() {
        return toast(state, String::from("Nothing to refresh"), false);
    }
    effects.push(Effect::Refresh(requests));
}

/// Shows why a manual refresh was not sent, or not for all resources.
pub(super) fn held(state: &mut State, sent: usize, held: usize, hold: Hold, until: UtcTime) {
    let key = state.keys().name(Command::Refresh, state.screen(), Glyphs::Ascii);
    let message = refusal_message(key.as_deref(), sent, held, hold, until.since(state.now));
    toast(state, message, false);
}

/// Returns why resources are not refreshed, and when `key` can refresh them: `Just refreshed (r: in 7 s)`.
fn refusal_message(key: Option<&str>, sent: usize, held: usize, hold: Hold, wait: Duration) -> String {
    let key = key.map_or_else(String::new, |key| format!("{key}: "));
    let wait = wait.as_millis().div_ceil(1000);
    let progress = format!("Refreshing {sent} of {}", sent + held);
    match (hold, sent) {
        (Hold::Recent, 0) => format!("Just refreshed ({key}in {wait} s)"),
        (Hold::Recent, _) => format!("{progress} · others are fresh ({key}in {wait} s)"),
        (Hold::RateLimited, 0) => format!("Rate-limited (429) · next refresh in {wait} s"),
        (Hold::RateLimited, _) => format!("{progress} · rate-limited (429) · next refresh in {wait} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_refresh_says_why_and_when() {
        let wait = Duration::from_secs(7);
        for (sent, count, hold, text) in [
            (0, 3, Hold::Recent, "Just refreshed (r: in 7 s)"),
            (1, 3, Hold::Recent, "Refreshing 1 of 4 · others are fresh (r: in 7 s)"),
            (0, 1, Hold::RateLimited, "Rate-limited (429) · next refresh in 7 s"),
            (1, 3, Hold::RateLimited, "Refreshing 1 of 4 · rate-limited (429) · next refresh in 7 s"),
        ] {
            assert_eq!(refusal_message(Some("r"), sent, count, hold, wait), text);
            assert!(text.chars().count() <= 80);
        }
    }
}
