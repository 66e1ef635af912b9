//! The currencies of the palette.

use crate::app::fuzzy::{Quality, quality};
use crate::app::overlay::currencies;
use crate::app::palette::{Action, Item, Kind};
use crate::app::state::State;
use crate::keymap::Command;
use crate::model::Currency;
use crate::model::currency::COMMON;

use super::destination::Found;

/// The order among items of the same quality.
const ORDER: u8 = 4;

/// Minimum letters of a code without the word `currency` before it.
const MIN_LETTERS: usize = 2;

/// Adds the currencies whose codes begin with what is typed, also with the word `currency` before or after it.
pub(super) fn find(state: &State, typed: &str, found: &mut Vec<Found>) {
    let named = typed.strip_prefix("currency ").or_else(|| typed.strip_suffix(" currency"));
    let (code, is_named) = match named {
        Some(code) => (code.trim(), true),
        None => (typed, false),
    };
    if code.len() < MIN_LETTERS && !is_named {
        return;
    }
    // The name of a coin alone means the coin, also while no list is loaded.
    let is_offered = |currency: &Currency| currency.exists() && (is_named || !currency.is_quote_coin());
    let known = currencies(code).into_iter().filter(is_offered);
    for (place, currency) in known.enumerate() {
        // Codes of rare currencies are also words: ALL, TOP.
        let is_rare = !is_named && !COMMON.contains(&currency.as_str());
        let Some(quality) = quality(code, &currency.as_str().to_lowercase()) else { continue };
        let quality = if is_rare { Quality::Word } else { quality };
        let effect = if currency == state.convert { "current" } else { "change currency" };
        let item = Item {
            kind: Kind::Command,
            title: format!("currency {currency}"),
            detail: String::new(),
            query: typed.to_owned(),
            effect: String::from(effect),
            keys: state.keys().key(Command::Currency, state.screen()),
            letter: None,
            is_guess: false,
            action: Action::ChangeCurrency(currency),
        };
        found.push(((quality, ORDER, place), item));
    }
}
