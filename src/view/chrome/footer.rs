//! The footer: what can be done here, where in the list the reader is, and short messages.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::state::Panel;
use crate::app::{Command, Overlay, State, Tab};
use crate::format::Count;
use crate::keymap::{self, Binding};
use crate::view::chrome::pieces::{self, Piece};
use crate::view::widgets::text;
use crate::view::{Glyphs, Look};

/// Columns that the hints have at least where the place in the list is shown.
const PLACE_FROM: u16 = 40;

/// Hints at most.
const MOST: usize = 8;

pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, look: &Look) {
    let inner = text::shifted(Rect { width: area.width.saturating_sub(1), ..area }, 1);
    let theme = &look.theme;
    let mut right = inner;
    if let Some(place) = place(state).filter(|place| text::width(place) + PLACE_FROM <= inner.width) {
        right.width = inner.width - text::put_right(buf, inner, &place, theme.dim) - 2;
    }
    let keys: Vec<Piece<'_>> = hints(state, look.glyphs)
        .into_iter()
        .map(|(key, word)| Piece::new(key, theme.key).and(" ", theme.dim).and(word, theme.dim))
        .collect();
    // The last one says how to see the others (or how to leave), so the others go before it.
    let Some((last, others)) = keys.split_last() else { return };
    let room = Rect { width: right.width.saturating_sub(last.width() + 2), ..right };
    let fits = others.first().is_some_and(|first| first.width() <= room.width);
    let used = if fits { pieces::paint(buf, room, others, 2) + 2 } else { 0 };
    last.paint(buf, text::shifted(right, used));
}

/// Paints the message, wrapped over three rows at most, over whatever stands at the foot.
pub(super) fn toast(buf: &mut Buffer, area: Rect, state: &State, look: &Look) {
    let Some(toast) = &state.toast else { return };
    let (sign, style) = if toast.is_error { ("× ", look.theme.warn) } else { ("", look.theme.text) };
    let sign_width = text::width(sign);
    let columns = area.width.saturating_sub(2 + sign_width);
    let lines: Vec<&str> = text::wrap(&toast.text, columns).take(3).collect();
    let height = u16::try_from(lines.len()).unwrap_or(0).min(area.height);
    let place = Rect { y: area.bottom().saturating_sub(height), height, ..area };
    super::super::overlay::clear(buf, place);
    let inner = text::shifted(place, 1);
    text::put(buf, inner, sign, style);
    for (row, line) in (0..height).zip(lines) {
        text::put(buf, text::line(text::shifted(inner, sign_width), row), line, style);
    }
}

/// The keys with a word or two each.
fn hints(state: &State, glyphs: Glyphs) -> Vec<(String, &'static str)> {
    let key = |sign: &str| match (glyphs, sign) {
        (Glyphs::Ascii, "↵") => String::from("Enter"),
        (Glyphs::Ascii, "↑↓") => String::from("Up/Down"),
        (_, sign) => sign.to_owned(),
    };
    let fixed = |hints: &[(&str, &'static str)]| hints.iter().map(|(sign, word)| (key(sign), *word)).collect();
    match &state.overlay {
        Some(Overlay::Currency { .. } | Overlay::Lookup { .. }) => {
            return fixed(&[("↵", "choose"), ("↑↓", "select"), ("Esc", "close")]);
        }
        Some(Overlay::Links { .. }) => {
            return fixed(&[("↵", "open in the browser"), ("↑↓", "select"), ("y", "copy"), ("Esc", "close")]);
        }
        Some(Overlay::Help { .. }) => return fixed(&[("↑↓", "scroll"), ("Esc", "close")]),
        Some(Overlay::Post { .. }) => {
            return fixed(&[("↑↓", "scroll"), ("o", "links"), ("y", "copy"), ("Esc", "close")]);
        }
        None if keymap::is_editing(state) => return fixed(&[("↵", "keep"), ("Esc", "clear")]),
        None => {}
    }
    let searched =
        matches!((&state.token, state.tab), (None, Tab::List(tag)) if !state.list(tag).search.value().is_empty());
    let zoomed = state.token.as_ref().map_or(state.tab == Tab::Indexer && state.indexer.zoom, |token| token.zoom);
    let can_go_back = (state.token.is_some() || state.tab == Tab::Indexer) && !zoomed;
    let here = || keymap::hints(keymap::place(state)).filter(|binding| can_go_back || binding.command != Command::Back);
    // The help is the way to all that has no room here, so it is never the one that is left out.
    let is_help = |binding: &&Binding| binding.command == Command::Help;
    let keys = here()
        .filter(|binding| !is_help(binding))
        .filter(|binding| !zoomed || binding.command != Command::Open || opens(state))
        .take(MOST - 1 - usize::from(searched || zoomed))
        .chain(here().filter(is_help))
        .map(|binding| (binding.keys.first().map(|key| key.name(glyphs)).unwrap_or_default(), binding.hint));
    let all = match (zoomed, searched) {
        (true, _) => Some((String::from("Esc"), "all panels")),
        (false, true) => Some((String::from("Esc"), "all coins")),
        (false, false) => None,
    };
    all.into_iter().chain(keys).collect()
}

/// Whether what is selected on the zoomed panel can be opened: a post, or anything of the indexer's.
fn opens(state: &State) -> bool {
    state.token.as_ref().map_or(state.tab == Tab::Indexer, |token| token.focus == Panel::Posts)
}

/// Where in the list of a tab the reader is.
fn place(state: &State) -> Option<String> {
    if state.token.is_some() {
        return None;
    }
    let (row, len, more) = match state.tab {
        Tab::List(tag) => {
            let list = state.list(tag);
            let searched = !list.search.value().trim().is_empty();
            let len = if searched { list.len() as u64 } else { list.total().unwrap_or(list.len() as u64) };
            (list.cursor.index(), len.max(list.len() as u64), !searched && list.total().is_none())
        }
        Tab::Wallet => (state.wallet.cursor.index(), state.wallet.rows().len() as u64, false),
        Tab::Indexer | Tab::Status => return None,
    };
    (len > 0).then(|| format!("row {} of {}{}", Count(row as u64 + 1), Count(len), if more { "+" } else { "" }))
}
