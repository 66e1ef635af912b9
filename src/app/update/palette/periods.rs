//! The periods of the charts, as commands of the palette.

use std::borrow::Cow;

use crate::app::find::fuzzy::{Quality, words_quality};
use crate::app::find::palette::{Action, Item, Kind, Palette};
use crate::app::state::State;
use crate::model::Period;

use super::coins;
use super::destination::Destination;
use super::found::{Found, Group};

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
        found.push(Found::new(quality.max(Quality::Word), Group::Last, place, item));
    }
}

/// Adds that there is no such period, if a word beside a coin looks like one: `btc 5y`.
pub(super) fn find_unknown(state: &State, palette: &mut Palette, typed: &str, found: &mut Vec<Found>) {
    let looks_like_period = |word: &str| {
        let number = word.strip_suffix(['d', 'w', 'm', 'y']);
        // More months or years than that are an amount: `100m sat`.
        let max_digits = if word.ends_with('d') { 3 } else { 2 };
        let is_number = |number: &str| number.bytes().all(|b| b.is_ascii_digit());
        number.is_some_and(|number| (1..=max_digits).contains(&number.len()) && is_number(number))
            && !Period::ALL.iter().any(|period| period.as_str().eq_ignore_ascii_case(word))
    };
    let ends = [typed.rsplit_once(' '), typed.split_once(' ').map(|(first, rest)| (rest, first))];
    let Some((name, word)) = ends.into_iter().flatten().find(|(_, word)| looks_like_period(word)) else { return };
    let coin = coins::matching(state, &mut palette.index, name.trim()).into_iter().next();
    let Some((_, coin)) = coin.filter(|(quality, _)| *quality <= Quality::Prefix) else { return };
    let periods = Period::ALL.map(Period::as_str).join(", ");
    let item = Item {
        effect: "no such period".into(),
        action: Action::Say(Cow::Owned(format!("No period {word} (periods: {periods})"))),
        ..coins::item(coin, name, Destination::default())
    };
    found.push(Found::new(Quality::Prefix, Group::Last, 0, item));
}

/// The command that changes the period of all charts.
pub(super) fn item(state: &State, period: Period) -> Item {
    let effect = if period == state.period { "current" } else { "all charts" };
    let title = format!("chart period {}", period.as_str());
    Item { effect: effect.into(), ..Item::new(Kind::Command, title, Action::SetPeriod(period, None)) }
}
