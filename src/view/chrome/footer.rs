//! The footer: key hints, the number of the selected row, and toasts.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use tui_input::InputRequest;

use crate::app::{Command, State};
use crate::format::Count;
use crate::glyphs::Glyphs;
use crate::keymap::{Context, Hint, Key, SCREENS, Sequence};
use crate::view::appearance::Appearance;
use crate::view::area::{clear, inner};
use crate::view::chrome::pieces::{self, Piece};
use crate::view::widgets::text;

/// Minimum columns for the hints if the row number is shown.
const MIN_HINT_COLUMNS: u16 = 40;

/// Clears a text field; only offered while it has the text that its dialog was opened with.
const CLEAR: Command = Command::Edit(InputRequest::DeleteLine);

/// Maximum number of hints.
const MAX_HINTS: usize = 8;

pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, appearance: &Appearance) {
    let inner = inner(area);
    let theme = &appearance.theme;
    let mut right = inner;
    if let Some(place) = row_number(state).filter(|place| text::width(place) + MIN_HINT_COLUMNS <= inner.width) {
        right.width = inner.width - text::put_right(buf, inner, &place, theme.dim) - 2;
    }
    let keys: Vec<Piece<'_>> = hints(state, appearance.glyphs)
        .into_iter()
        .map(|(key, word)| Piece::new(key, theme.key).and(" ", theme.dim).and(word, theme.dim))
        .collect();
    // The last hint is the help or the way back, so the others are dropped before it.
    let Some((last, others)) = keys.split_last() else { return };
    let room = Rect { width: right.width.saturating_sub(last.width() + 2), ..right };
    let fits = others.first().is_some_and(|first| first.width() <= room.width);
    let used = if fits { pieces::paint(buf, room, others, 2) + 2 } else { 0 };
    last.paint(buf, text::shifted(right, used));
}

/// Paints the offer of live data: `Simulated data  L live data  Esc hide`. Keys that have another effect now are left
/// out.
pub(super) fn offer(buf: &mut Buffer, area: Rect, state: &State, appearance: &Appearance) {
    let (theme, place) = (&appearance.theme, state.context());
    let mut pieces = vec![Piece::new("Simulated data", theme.warn)];
    let is_in_list = place == state.screen_context() && state.pending.is_none();
    let hides = is_in_list && state.open_screen().back_label(state).is_none();
    let hide = hides.then_some((Command::Back, " hide"));
    for (command, words) in [(Command::ToggleLive, " live data")].into_iter().chain(hide) {
        let key = state.keys().name(command, place, appearance.glyphs);
        pieces.extend(key.map(|key| Piece::new(key, theme.key).and(words, theme.text)));
    }
    pieces::paint(buf, inner(area), &pieces, 2);
}

/// Paints the toast over the bottom of the screen, wrapped to at most three rows or half of the screen.
pub(super) fn toast(buf: &mut Buffer, area: Rect, state: &State, appearance: &Appearance) {
    let Some(toast) = state.shown_toast() else { return };
    let (sign, style) = if toast.is_error { ("× ", appearance.theme.warn) } else { ("", appearance.theme.text) };
    let sign_width = text::width(sign);
    let columns = area.width.saturating_sub(2 + sign_width);
    let rows = u16::try_from(text::wrap(&toast.text, columns).count()).unwrap_or(u16::MAX);
    let height = rows.min(TOAST_ROWS.max(area.height / 2)).min(area.height);
    let place = Rect { y: area.bottom().saturating_sub(height), height, ..area };
    clear(buf, place);
    let inner = text::shifted(place, 1);
    text::put(buf, inner, sign, style);
    let words = Rect { width: columns, ..text::shifted(inner, sign_width) };
    text::paragraph(buf, words, &toast.text, style);
}

/// Maximum rows of a toast on a low screen.
const TOAST_ROWS: u16 = 3;

/// Paints the keys that can follow the first key of a sequence over the last row: `g …  g first row  e last row  Esc
/// cancel`.
pub(super) fn pending(buf: &mut Buffer, area: Rect, state: &State, first: Key, appearance: &Appearance) {
    let theme = &appearance.theme;
    let row = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
    clear(buf, row);
    let followers = state.keys().followers(state.context(), first);
    let hint = |key: String, words: &'static str| Piece::new(key, theme.key).and(" ", theme.dim).and(words, theme.dim);
    let mut hints = vec![Piece::new(format!("{} …", first.name(appearance.glyphs)), theme.strong)];
    hints.extend(followers.map(|(key, help)| hint(key.name(appearance.glyphs), help)));
    let row = inner(row);
    let cancel = hint(cancel(state, first).name(appearance.glyphs), "cancel");
    let room = Rect { width: row.width.saturating_sub(cancel.width() + 2), ..row };
    let fits = pieces::width(&hints, 2) <= room.width;
    let mark = if fits { "" } else { " …" };
    let place = Rect { width: room.width.saturating_sub(text::width(mark)), ..room };
    let mut used = pieces::paint(buf, place, &hints, 2);
    used += text::put(buf, text::shifted(room, used), mark, theme.dim);
    cancel.paint(buf, text::shifted(row, used + 2));
}

/// The key that cancels a sequence. Any key that can't follow does; show the one for going back, or else Esc.
fn cancel(state: &State, first: Key) -> Key {
    let mut followers = state.keys().followers(state.context(), first);
    let back = [state.context(), Context::Help].into_iter().find_map(|place| state.keys().key(Command::Back, place));
    let back = back.filter(|keys| keys.second.is_none()).map(|keys| keys.first);
    back.filter(|key| followers.all(|(other, _)| other != *key)).unwrap_or(Key::ESC)
}

/// The hints: keys with one word each.
fn hints(state: &State, glyphs: Glyphs) -> Vec<(String, &'static str)> {
    let place = state.context();
    let mut hints = state.keys().hints(place);
    let is_prefilled = state.open_dialog().is_some_and(|dialog| dialog.is_prefilled(state));
    hints.retain(|hint| hint.command != CLEAR || is_prefilled);
    if SCREENS.contains(&place) {
        hints = screen_hints(state, hints);
    }
    if let Some(dialog) = state.open_dialog().filter(|_| state.menu.is_none()) {
        hints.retain(|hint| dialog.offers(state, hint.command));
        if let Some(word) = dialog.open_label(state) {
            hints.iter_mut().filter(|hint| hint.command == Command::Open).for_each(|hint| hint.word = word);
        }
        if let Some(word) = dialog.back_label(state) {
            hints.iter_mut().filter(|hint| hint.command == Command::Back).for_each(|hint| hint.word = word);
        }
    }
    // The last one is the help or the way back.
    if hints.len() > MAX_HINTS {
        hints.drain(MAX_HINTS - 1..hints.len() - 1);
    }
    hints.into_iter().map(|hint| (names(&hint.keys, glyphs), hint.word)).collect()
}

/// The names of several keys: `↑↓`, `Up/Down`, `[/p`.
fn names(keys: &[Sequence], glyphs: Glyphs) -> String {
    let names: Vec<String> = keys.iter().map(|keys| keys.name(glyphs)).collect();
    let is_sign = |name: &String| name.chars().count() == 1;
    // A pair such as `[]` needs no separator, but `[p` or `np` would look like one key after the other.
    let is_letter = |name: &String| name.chars().any(char::is_alphanumeric);
    let is_plain = names.iter().all(is_sign) && !names.iter().any(is_letter);
    names.join(if is_plain { "" } else { "/" })
}

/// The hints of a screen that have an effect now, with the way back first, for users who opened something by accident.
fn screen_hints(state: &State, hints: Vec<Hint>) -> Vec<Hint> {
    let screen = state.open_screen();
    let is = |hint: &Hint, command| hint.command == command;
    let back = hints.iter().find(|hint| is(hint, Command::Back)).cloned();
    // The help lists everything that has no room here, so its hint is never dropped.
    let (help, others): (Vec<Hint>, Vec<Hint>) = hints.into_iter().partition(|hint| is(hint, Command::Help));
    let back = back.zip(screen.back_label(state)).map(|(hint, word)| Hint { word, ..hint });
    let mut shown: Vec<Hint> = back.into_iter().collect();
    shown.extend(others.into_iter().filter(|hint| match hint.command {
        Command::Back => false,
        Command::Open => screen.can_open(state),
        command => screen.offers(state, command),
    }));
    if let (Some(word), Some(hint)) = (screen.open_label(state), shown.iter_mut().find(|hint| is(hint, Command::Open)))
    {
        hint.word = word;
    }
    shown.truncate(MAX_HINTS - help.len());
    shown.extend(help);
    shown
}

/// The row number in the list of the tab or in the markets of the token: `row 4 of 1,204`, with `+` if there may be
/// more; `None` for an empty list, and under a dialog.
fn row_number(state: &State) -> Option<String> {
    if state.overlay.is_some() {
        return None;
    }
    let position = state.open_screen().position(state).filter(|position| position.len > 0)?;
    let more = if position.has_more { "+" } else { "" };
    Some(format!("row {} of {}{more}", Count(position.row as u64 + 1), Count(position.len)))
}
