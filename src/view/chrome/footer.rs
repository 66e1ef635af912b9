//! The footer: key hints, the number of the selected row, and toasts.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::lookup::Subject;
use crate::app::panel::Panel;
use crate::app::screen::IndexerScreen;
use crate::app::{self, Command, State, Tab};
use crate::format::Count;
use crate::glyphs::Glyphs;
use crate::keymap::{Hint, Key, Place, SCREENS, Sequence};
use crate::view::area::{clear, inner};
use crate::view::chrome::pieces::{self, Piece};
use crate::view::look::Look;
use crate::view::widgets::text;

/// Minimum columns for the hints if the row number is shown.
const MIN_HINT_COLUMNS: u16 = 40;

/// Maximum number of hints.
const MAX_HINTS: usize = 8;

pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, look: &Look) {
    let inner = inner(area);
    let theme = &look.theme;
    let mut right = inner;
    if let Some(place) = row_number(state).filter(|place| text::width(place) + MIN_HINT_COLUMNS <= inner.width) {
        right.width = inner.width - text::put_right(buf, inner, &place, theme.dim) - 2;
    }
    let keys: Vec<Piece<'_>> = hints(state, look.glyphs)
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

/// Paints the toast over the bottom of the screen, wrapped to at most three rows.
pub(super) fn toast(buf: &mut Buffer, area: Rect, state: &State, look: &Look) {
    let Some(toast) = &state.toast else { return };
    let (sign, style) = if toast.is_error { ("× ", look.theme.warn) } else { ("", look.theme.text) };
    let sign_width = text::width(sign);
    let columns = area.width.saturating_sub(2 + sign_width);
    let lines: Vec<&str> = text::wrap(&toast.text, columns).take(3).collect();
    let height = u16::try_from(lines.len()).unwrap_or(0).min(area.height);
    let place = Rect { y: area.bottom().saturating_sub(height), height, ..area };
    clear(buf, place);
    let inner = text::shifted(place, 1);
    text::put(buf, inner, sign, style);
    for (row, line) in (0..height).zip(lines) {
        text::put(buf, text::line(text::shifted(inner, sign_width), row), line, style);
    }
}

/// Paints the keys that can follow the first key of a sequence over the last row: `g …  g first row  e last row  Esc
/// cancel`.
pub(super) fn pending(buf: &mut Buffer, area: Rect, state: &State, first: Key, look: &Look) {
    let theme = &look.theme;
    let row = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
    clear(buf, row);
    let followers = state.keys().followers(state.place(), first);
    let hint = |key: String, words: &'static str| Piece::new(key, theme.key).and(" ", theme.dim).and(words, theme.dim);
    let mut hints = vec![Piece::new(format!("{} …", first.name(look.glyphs)), theme.strong)];
    hints.extend(followers.map(|(key, help)| hint(key.name(look.glyphs), help)));
    let row = inner(row);
    let cancel = hint(cancel(state, first).name(look.glyphs), "cancel");
    let room = Rect { width: row.width.saturating_sub(cancel.width() + 2), ..row };
    let used = pieces::paint(buf, room, &hints, 2);
    cancel.paint(buf, text::shifted(row, used + 2));
}

/// The key that cancels a sequence. Any key that can't follow does; show the one for going back, or else Esc.
fn cancel(state: &State, first: Key) -> Key {
    let mut followers = state.keys().followers(state.place(), first);
    let back = [state.place(), Place::Help].into_iter().find_map(|place| state.keys().key(Command::Back, place));
    let back = back.filter(|keys| keys.second.is_none()).map(|keys| keys.first);
    back.filter(|key| followers.all(|(other, _)| other != *key)).unwrap_or(Key::ESC)
}

/// The hints: keys with one word each.
fn hints(state: &State, glyphs: Glyphs) -> Vec<(String, &'static str)> {
    let place = state.place();
    let mut hints = state.keys().hints(place);
    if SCREENS.contains(&place) {
        hints = screen_hints(state, hints);
    }
    hints.into_iter().map(|hint| (names(&hint.keys, glyphs), hint.word)).collect()
}

/// The names of several keys: `↑↓`, `Up/Down`.
fn names(keys: &[Sequence], glyphs: Glyphs) -> String {
    let names: Vec<String> = keys.iter().map(|keys| keys.name(glyphs)).collect();
    names.join(if names.iter().any(|name| name.chars().count() > 1) { "/" } else { "" })
}

/// The hints of a screen that have an effect now, with going back first, for users who opened something by accident.
fn screen_hints(state: &State, hints: Vec<Hint>) -> Vec<Hint> {
    let searched =
        matches!((&state.token, state.tab), (None, Tab::List(tag)) if !state.list(tag).search.value().is_empty());
    let zoomed = state.token.as_ref().map_or(state.tab == Tab::Indexer && state.indexer.zoom, |token| token.zoom);
    let indexer = (state.token.is_none() && state.tab == Tab::Indexer).then_some(&state.indexer);
    let filtered = indexer.is_some_and(|screen| screen.is_filtered() && screen.is_home());
    let can_go_back = state.token.is_some() || indexer.is_some_and(IndexerScreen::can_go_back);
    let nothing = state.token.is_none() && state.tab == Tab::Wallet && state.watched.is_empty();
    let is = |hint: &Hint, command| hint.command == command;
    let back_label = match (zoomed, searched, filtered) {
        (true, ..) => Some("all panels"),
        (_, true, _) => Some("all coins"),
        (.., true) => Some("all tokens"),
        _ => can_go_back.then_some("back"),
    };
    let back = hints.iter().find(|hint| is(hint, Command::Back)).cloned();
    // The help lists everything that has no room here, so its hint is never dropped.
    let (help, others): (Vec<Hint>, Vec<Hint>) = hints.into_iter().partition(|hint| is(hint, Command::Help));
    let mut shown: Vec<Hint> = back.zip(back_label).map(|(hint, word)| Hint { word, ..hint }).into_iter().collect();
    shown.extend(others.into_iter().filter(|hint| match hint.command {
        Command::Back => false,
        Command::Open | Command::ToggleWatch | Command::NextInterval | Command::Currency | Command::Refresh
            if nothing =>
        {
            false
        }
        Command::Open => match &state.token {
            Some(token) if token.focus == Panel::Posts => has_rows(state),
            Some(_) => !zoomed,
            None => opens(state),
        },
        Command::Filter | Command::SortMenu if indexer.is_some_and(|screen| screen.focus != Panel::Tokens) => false,
        Command::BlockStats => indexer.is_none_or(|screen| screen.subject() != Some(Subject::Stats)),
        Command::NextSortColumn | Command::SortMenu | Command::ToggleWatch if state.token.is_none() => has_rows(state),
        command if state.token.is_some() => is_for_panel(state, command),
        _ => true,
    }));
    if let (Some(token), Some(hint)) = (&state.token, shown.iter_mut().find(|hint| is(hint, Command::Open))) {
        hint.word = if token.focus == Panel::Posts { "read" } else { "zoom" };
    }
    shown.truncate(MAX_HINTS - help.len());
    shown.extend(help);
    shown
}

/// Whether a command belongs to the focused panel of the token view. The keys of the other panels are in the help.
fn is_for_panel(state: &State, command: Command) -> bool {
    let Some(token) = &state.token else { return true };
    match command {
        Command::PreviousPeriod => token.focus == Panel::Chart,
        Command::Left => token.focus == Panel::Chart && has_rows(state),
        Command::TogglePostOrder => token.focus == Panel::Posts,
        Command::NextSortColumn => token.focus == Panel::Markets && has_rows(state),
        _ => true,
    }
}

/// Whether the focused panel or tab has something to select: rows, or the points of a chart.
fn has_rows(state: &State) -> bool {
    if let Some(token) = &state.token {
        return match token.focus {
            Panel::Markets => token.market_count() > 0,
            Panel::Posts => state.store.posts(&token.posts_request()).value.is_some_and(|page| !page.items.is_empty()),
            Panel::Chart => {
                let chart = token.chart_request(&state.convert).and_then(|request| state.store.chart(&request).value);
                chart.is_some_and(|chart| !chart.points.is_empty())
            }
            _ => true,
        };
    }
    match state.tab {
        Tab::List(tag) => !state.list(tag).is_empty(),
        Tab::Wallet => !state.wallet.rows().is_empty(),
        Tab::Indexer => !state.indexer.is_home() || !state.indexer.token_list(&state.store).is_empty(),
        Tab::Status => true,
    }
}

/// Whether the selected row of the tab can be opened; a watched coin needs some data.
fn opens(state: &State) -> bool {
    match (state.tab, state.wallet.selected()) {
        (Tab::Indexer, _) => app::selected_subject(state).is_some(),
        (Tab::Wallet, Some(row)) => row.series.is_some() || state.watched_coin(row.watched_index).is_some(),
        _ => has_rows(state),
    }
}

/// The row number in the list of the tab or in the markets of the token.
fn row_number(state: &State) -> Option<String> {
    if let Some(token) = &state.token {
        let page = match token.focus {
            Panel::Markets => state.store.market_pairs(&token.markets_request(&state.convert)).value,
            _ => None,
        };
        let len = page.map_or(0, |page| page.total.unwrap_or(0).max(page.items.len() as u64));
        return row_of(token.markets.index(), len, false);
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
    row_of(row, len, more)
}

/// `row 4 of 1,204`, with `+` if there may be `more`; `None` for an empty list.
fn row_of(row: usize, len: u64, more: bool) -> Option<String> {
    (len > 0).then(|| format!("row {} of {}{}", Count(row as u64 + 1), Count(len), if more { "+" } else { "" }))
}
