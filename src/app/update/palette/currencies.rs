//! The currencies of the palette.

use crate::app::find::fuzzy::{Quality, fuzzy_quality, quality};
use crate::app::find::palette::{Action, Item, Kind};
use crate::app::overlay::currencies;
use crate::app::state::State;
use crate::keymap::Command;
use crate::model::Currency;
use crate::model::currency::COMMON;

use super::found::{Found, Group};

/// Minimum letters of a code without the word `currency` before it.
const MIN_LETTERS: usize = 2;

/// Minimum letters of a name without the word `currency` before it.
const MIN_NAME: usize = 4;

/// Minimum letters of a code after an abbreviation of `currency`.
const MIN_ABBREVIATED: usize = 3;

/// The code with the word `currency` before or after it, or with `convert` before it.
pub(super) fn named(typed: &str) -> Option<&str> {
    const WORD: &str = "currency";
    const ALIAS: &str = "convert";
    let (first, after) = typed.split_once(' ')?;
    let code = after.trim();
    let is_near = || WORD.starts_with(first) || fuzzy_quality(first, WORD) == Some(Quality::Typo);
    let is_named = [WORD, ALIAS].contains(&first) || (code.len() >= MIN_ABBREVIATED && is_near());
    if is_named { Some(code) } else { typed.strip_suffix(WORD).and_then(|code| code.strip_suffix(' ')).map(str::trim) }
}

/// Adds the currencies whose code, or a word of whose name, begins with the typed text. The word `currency` may precede
/// the text, also abbreviated, or follow it.
pub(super) fn find(state: &State, typed: &str, found: &mut Vec<Found>) {
    let (code, is_named) = named(typed).map_or((typed, false), |code| (code, true));
    if code.len() < MIN_LETTERS && !is_named {
        return;
    }
    // The name of a coin alone means the coin, even while no list is loaded.
    let is_offered = |currency: &Currency| currency.exists() && (is_named || !currency.is_quote_coin());
    let known = currencies(code).into_iter().filter(is_offered);
    for (place, currency) in known.enumerate() {
        // Codes of rare currencies are also words: ALL, TOP.
        let is_rare = !is_named && !COMMON.contains(&currency.as_str());
        // The name of a coin alone means the coin, too.
        let may_be_name = is_named || (code.len() >= MIN_NAME && !currency.is_coin() && !currency.is_sats());
        let by_name = || (may_be_name && currency.is_named(code)).then_some(Quality::Word);
        let by_code = quality(code, &currency.as_str().to_lowercase());
        let begins = by_code.filter(|quality| *quality <= Quality::Prefix);
        let Some(quality) = begins.or_else(by_name).or(by_code) else { continue };
        let quality = if is_rare { Quality::Word } else { quality };
        let effect = if currency == state.convert { "current" } else { "change currency" };
        let item = Item {
            query: typed.to_owned(),
            effect: effect.into(),
            keys: state.keys().key(Command::Currency, state.screen_context()),
            ..Item::new(Kind::Command, format!("currency {currency}"), Action::ChangeCurrency(currency))
        };
        found.push(Found::new(quality, Group::Command, place, item));
    }
}
