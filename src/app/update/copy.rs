//! Copying: offers everything of the selected row, panel or dialog that is useful elsewhere.
//!
//! The letters have the same meaning everywhere: `c` contract, `a` address, `l` link, `p` price, `i` id, `r` the row as
//! text.

pub(super) mod coin;
pub(super) mod indexer;
pub(super) mod items;
pub(super) mod post;
pub(super) mod token;
pub(super) mod wallet;

use crate::app::coins::named_coin::NamedCoin;
use crate::app::effect::Effect;
use crate::app::menu::{Menu, MenuAction};
use crate::app::state::State;
use crate::format::words;
use crate::model::{CoinId, text};

use items::Items;

use super::toast::{error_toast, lasting_error_toast, toast};

/// Maximum columns of the copied text in the toast.
const COPIED_COLUMNS: u16 = 40;

/// The letters that have the same meaning everywhere.
const LETTERS: [(char, &str); 5] = [('c', "contract"), ('a', "address"), ('l', "link"), ('p', "price"), ('i', "ID")];

/// The text copied by a letter of the menu everywhere.
pub(super) fn label(key: char) -> Option<&'static str> {
    LETTERS.iter().find(|(letter, _)| *letter == key).map(|(_, label)| *label)
}

/// Opens the menu of what can be copied here; a single item is copied at once.
pub(super) fn open(state: &mut State, effects: &mut Vec<Effect>) {
    let mut menu = Menu::new("copy");
    let mut items = Items::new(&mut menu);
    match state.open_dialog() {
        Some(dialog) => dialog.copy(state, &mut items),
        None => state.open_screen().copy(state, &mut items),
    }
    match menu.items.as_slice() {
        [] => toast(state, "Nothing to copy"),
        [only] => {
            let MenuAction::Copy { text, note } = only.action.clone() else { return };
            copy(state, text, &note, effects);
        }
        _ => state.menu = Some(menu),
    }
}

/// Opens the copy menu of a coin.
pub(super) fn open_about(state: &mut State, named: &NamedCoin) {
    state.menu = Some(menu_about(state, named));
}

/// The copy menu of a coin.
pub(super) fn menu_about(state: &State, named: &NamedCoin) -> Menu {
    let mut menu = Menu::new("copy");
    let mut items = Items::new(&mut menu);
    let id = named.coin.id.as_ref();
    match id.and_then(|id| state.coin(&CoinId(id.clone()))) {
        Some(coin) => coin::add_coin(&mut items, coin),
        None => {
            items.maybe('i', "ID", named.coin.slug.as_ref().or(id));
            items.add('s', "symbol", &named.coin.symbol);
            items.add('n', "name", &named.name);
        }
    }
    menu
}

/// Copies text and shows a toast, which ends with the note.
pub(super) fn copy(state: &mut State, text: String, note: &str, effects: &mut Vec<Effect>) {
    if !state.preferences.clipboard {
        return error_toast(state, "Can't copy: this terminal has no clipboard");
    }
    toast(state, copied(&text, note));
    effects.push(Effect::Copy(text));
}

/// Copies the link that no browser could open, or shows it.
pub(super) fn link_not_opened(state: &mut State, link: String, effects: &mut Vec<Effect>) {
    if !state.preferences.clipboard {
        // The toast is the only way to get at the link.
        return lasting_error_toast(state, format!("Can't open a browser for {link}"));
    }
    effects.push(Effect::Copy(link));
    error_toast(state, "Can't open a browser · link copied");
}

/// The message after copying text, with its beginning and a note, which may be empty.
fn copied(text: &str, note: &str) -> String {
    let line = text::clean(text.lines().next().unwrap_or_default()).replace('\t', "  ");
    let begin = words::fit(line.trim(), COPIED_COLUMNS);
    let more = if begin.len() < text.trim().len() { "…" } else { "" };
    let separator = if note.is_empty() { "" } else { " · " };
    format!("Copied “{begin}{more}”{separator}{note}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toast_shows_the_beginning_of_the_copied_text() {
        assert_eq!(copied("bitcoin", ""), "Copied “bitcoin”");
        assert_eq!(copied("one\ntwo", "a note"), "Copied “one…” · a note");
        assert_eq!(copied(&"ab".repeat(40), ""), format!("Copied “{}…”", "ab".repeat(19) + "a"));
    }
}
