//! A list of coins: the summary line, the table, and why rows are missing.

mod columns;
mod rows;
mod summary;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::chrome;
use super::chrome::health::{self, Health};
use super::memo::Screen;
use super::widgets::panel::Placeholder;
use super::widgets::text;
use super::{Look, Memo};
use crate::app::screen::ListScreen;
use crate::app::{State, Target};
use crate::format::Count;

/// Paints it: the summary over the first row of `body`, the table below.
pub(super) fn paint(buf: &mut Buffer, body: Rect, state: &State, list: &ListScreen, look: &Look, memo: &mut Memo) {
    let (line, content) = chrome::split(body, list.searching);
    let head_rows = u16::from(content.height > 1);
    let mut place = super::below(content, head_rows);
    // What stands below the last row: that more is on its way, or why not.
    let more = missing_rest(state, list);
    let reserved = u16::from(more.is_some() && place.height > 2);
    place.height -= reserved;

    let selected = list.selected_row();
    let window = memo.window(Screen::List(list.tag), None, list.len(), selected, place.height);
    summary::paint(buf, line, state, list, window.in_sight(place.height), look, memo);

    if list.is_empty() {
        return nothing(buf, content, state, list, look);
    }
    let layout = columns::layout(list, content.width);
    if head_rows > 0 {
        let line = text::line(content, 0);
        columns::head(buf, line, list, &layout, look, memo);
        if let Some(foreign) = rows::foreign(state, list, window.in_sight(place.height)).filter(rows::Foreign::is_all) {
            columns::price_in(buf, line, foreign.code, &layout, look);
        }
    }
    rows::paint(buf, place, state, list, &layout, &window, look);
    for (row, index) in (0..).zip(window.in_sight(place.height)) {
        memo.target(text::line(place, row), Target::Row(None, index));
    }
    let shown = u16::try_from(list.len() - window.offset.min(list.len())).unwrap_or(u16::MAX);
    if let Some((words, is_bad)) = more
        && let end = place.y.saturating_add(shown.min(place.height))
        && end < content.bottom()
    {
        let style = if is_bad { look.theme.warn } else { look.theme.dim };
        let rest = Rect { y: end, height: 1, ..text::shifted(content, 1) };
        text::put(buf, rest, &Health { text: words, is_bad }.fitted(rest.width), style);
    }
}

/// Why the last rows are missing; `None` where all are there or nobody asked for more.
fn missing_rest(state: &State, list: &ListScreen) -> Option<(String, bool)> {
    if list.is_empty() && list.loaded() == 0 {
        return None;
    }
    let requests = list.requests(0, &state.convert);
    let missing = requests.iter().map(|request| state.store.get(request)).find(|remote| remote.value.is_none())?;
    Some(match missing.failure() {
        Some(failure) => {
            (format!("Can't load more · {}", health::sentence(failure, missing.is_loading(), state.now)), true)
        }
        None => (String::from("Loading more…"), false),
    })
}

/// Says why no row is shown.
fn nothing(buf: &mut Buffer, area: Rect, state: &State, list: &ListScreen, look: &Look) {
    let remote = state.store.coins(&list.first_request(&state.convert));
    let query = list.search.value().trim();
    let (table_head, theme) = (u16::from(area.height > 2), &look.theme);
    let area = super::below(area, table_head);
    if list.loaded() > 0 && !query.is_empty() {
        let among = Count(list.loaded() as u64);
        let sentence = match missing_rest(state, list) {
            Some((words, _)) => format!("No match for “{query}” in the {among} coins loaded · {words}"),
            None => match list.total() {
                Some(total) if total > list.loaded() as u64 => {
                    format!("No match for “{query}” in the first {among} of {} coins", Count(total))
                }
                _ => format!("No match for “{query}” in {among} coins"),
            },
        };
        Placeholder::Empty(&sentence).paint(buf, area, theme);
    } else if remote.value.is_some() && remote.failure().is_none() {
        Placeholder::Empty("No coins with this tag").paint(buf, area, theme);
    } else {
        health::missing(buf, area, remote, "coins", state, theme);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_follows_the_selection() {
        let mut memo = Memo::default();
        let mut offset = |cursor| memo.window(Screen::Wallet, None, 100, Some(cursor), 10).offset;
        assert_eq!(offset(0), 0);
        assert_eq!(offset(50), crate::view::widgets::table::Window::new(0, 100, Some(50), 10).offset);
        assert_eq!(offset(48), 43, "it stays while the selection is in sight");
    }
}
