//! The periods of the charts, as commands of the palette.

use crate::app::fuzzy::{Quality, words_quality};
use crate::app::palette::{Action, Item, Kind};
use crate::app::state::State;
use crate::model::Period;

use super::coins;
use super::destination::{Destination, Found};

/// Adds the periods whose command matches: `chart period 1y`, `period`. In a coin's view, they open its chart.
pub(super) fn find(state: &State, typed: &str, found: &mut Vec<Found>) {
    const WORD: &str = "period";
    const MIN_LETTERS: usize = 5;
    let is_period = |word: &str| word.len() >= MIN_LETTERS && WORD.starts_with(word);
    if !typed.split_whitespace().any(is_period) {
        return;
    }
    for (place, period) in Period::ALL.into_iter().enumerate() {
        let item = item(state, period);
        let quality = words_quality(typed, &item.title.to_lowercase());
        let Some(quality) = quality.filter(|quality| *quality < Quality::Typo) else { continue };
        let item = match &state.token {
            Some(token) => {
                let destination = Destination { period: Some(period), ..Destination::default() };
                coins::item(token.named_coin(), "", destination)
            }
            None => Item { query: typed.to_owned(), ..item },
        };
        // After the other commands with these words.
        found.push(((quality.max(Quality::Word), u8::MAX, place), item));
    }
}

/// The command that changes the period of all charts.
pub(super) fn item(state: &State, period: Period) -> Item {
    Item {
        kind: Kind::Command,
        title: format!("chart period {}", period.as_str()),
        detail: String::new(),
        query: String::new(),
        effect: String::from(if period == state.period { "current" } else { "all charts" }),
        keys: None,
        letter: None,
        is_guess: false,
        action: Action::SetPeriod(period),
    }
}
