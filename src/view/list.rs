//! A list of coins: the summary line, the table, and why rows are missing.

mod cells;
mod columns;
mod list_health;
mod rows;
mod summary;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::appearance::Appearance;
use super::area::below;
use super::chrome;
use super::chrome::health::{self, Health, Missing, Part};
use super::menu;
use super::paint_context::PaintContext;
use super::view_state::{TableScreen, ViewState};
use super::widgets::table::Layout;
use super::widgets::{Placeholder, Table, text};
use crate::app::screen::ListScreen;
use crate::app::{Command, State};
use crate::client::{Group, Request};
use crate::format::Count;
use crate::keymap::Context;
use crate::model::Tag;

pub(super) use rows::rejection;

/// Paints the list: the summary in the first row of `body`, the table below.
pub(super) fn paint(
    buf: &mut Buffer,
    body: Rect,
    context: PaintContext<'_>,
    list: &ListScreen,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let (line, content) = chrome::split(body, list.searching);
    let head_rows = u16::from(content.height > 1);
    let mut place = below(content, head_rows);
    // The line below the last row: that more rows are loading, or why not.
    let more = missing_rows(state, list);
    let reserved = u16::from(more.is_some() && place.height > 2);
    place.height -= reserved;

    // The selected row stays visible above an open menu.
    let menu = state.menu.as_ref().map(|menu| menu::covered(buf.area, menu, appearance));
    let covered = menu.map_or(0, |menu| place.bottom().saturating_sub(menu.y));
    place.height = place.height.saturating_sub(covered).max(1);
    let mut rows = view_state.table(TableScreen::List(list.tag), None, list.len(), list.selected_row(), place.height);
    let visible = rows.visible(list.len(), usize::from(place.height));
    summary::paint(buf, line, context, list, visible.clone(), view_state);

    if list.is_empty() {
        return paint_empty(buf, content, state, list, appearance);
    }
    let columns = columns::headings(content.width);
    let placed = state.placed_columns(list);
    let layout = Layout::at(placed.places, content.width).more_before(placed.has_before).more_after(placed.has_after);
    let other_currency = rows::other_currency(state, list, visible.clone());
    let is_mixed = other_currency.as_ref().is_some_and(|other_currency| !other_currency.is_all());
    let table = Table::new(&columns, list.len(), |index, row| rows::paint(row, index, context, list, is_mixed));
    let table = table.head(head_rows > 0).layout(&layout).sort(columns::sort(list));
    let area = Rect { height: head_rows + place.height, ..content };
    table.selection(appearance.theme.selection).theme(&appearance.theme).render(area, buf, &mut rows);
    if head_rows > 0 {
        let line = text::line(content, 0);
        columns::targets(line, &layout, view_state);
        if let Some(other_currency) = other_currency.filter(rows::OtherCurrency::is_all) {
            columns::show_currency(buf, line, other_currency.code, &layout, appearance);
        }
    }
    for (row, index) in (0..).zip(visible) {
        view_state.row(text::line(place, row), (None, index), list.get(index));
    }
    let shown = u16::try_from(list.len() - rows.offset.min(list.len())).unwrap_or(u16::MAX);
    if let Some(health) = more
        && let end = place.y.saturating_add(shown.min(place.height))
        && end < content.bottom()
    {
        let style = health.style(&appearance.theme);
        let rest = Rect { y: end, height: 1, ..text::shifted(content, 1) };
        text::put(buf, rest, &health.fitted(rest.width), style);
    }
}

/// Why the last rows are missing; `None` if all requested rows are loaded.
fn missing_rows(state: &State, list: &ListScreen) -> Option<Health> {
    if list.is_empty() && list.loaded() == 0 {
        return None;
    }
    let is_missing = |request: &Request| {
        let lacks_page = matches!(request, Request::Coins { start, .. } if list.lacks_page(*start));
        lacks_page || state.responses.get(request).value.is_none()
    };
    let names = || Some(Request::CoinNames).filter(|names| state.searches_names(list.tag) && is_missing(names));
    // Loading prices need no line: they appear in the rows.
    let has_failed = |prices: &Request| is_missing(prices) && state.responses.get(prices).failure().is_some();
    let prices = || state.more_coins_requests(list.tag).into_iter().find(has_failed);
    let page = list.requests(0, &state.convert).into_iter().find(is_missing).map(|page| (page, "more"));
    let names = || names().map(|names| (names, "the names of all coins"));
    let (request, what) = page.or_else(names).or_else(|| Some((prices()?, "all prices")))?;
    let missing = state.responses.get(&request);
    if let Some(failure) = missing.failure() {
        let reason = health::sentence_parts(failure, missing.is_loading(), state.now);
        return Some(Health::problem(reason).after(Part::note(format!("Can't load {what}"))));
    }
    Some(match rejection(state, list, &request) {
        Some(reason) => Health::problem(reason).after(Part::note(format!("Can't load {what}"))),
        None => Health::note(format!("Loading {what}…")),
    })
}

/// Says that the watchlist is empty, and how to watch a coin.
fn no_coins_watched(state: &State, appearance: &Appearance) -> String {
    let key = |command| state.keys().name(command, Context::List, appearance.glyphs);
    match key(Command::Back).zip(key(Command::ToggleWatch)) {
        Some((back, watch)) => format!("No coins watched · {back}, then {watch} to watch a coin"),
        None => String::from("No coins watched"),
    }
}

/// Paints why there are no rows.
fn paint_empty(buf: &mut Buffer, area: Rect, state: &State, list: &ListScreen, appearance: &Appearance) {
    let remote = state.responses.coins(&list.first_request(&state.convert));
    let query = list.search.value().trim();
    let (table_head, theme) = (u16::from(area.height > 2), &appearance.theme);
    let area = below(area, table_head);
    // At most a line of what was typed, with its quotes, so that the rest of the sentence is visible.
    let quoted = |typed: &str| format!("“{}”", text::shortened(typed, area.width.saturating_sub(3)));
    if let Some(applied) = list.applied_filter().filter(|_| list.loaded() > 0 && query.is_empty()) {
        let filter = quoted(&applied.text);
        let sentence = match missing_rows(state, list) {
            Some(health) => format!("No matches for {filter} yet · {}", health.text()),
            None if list.watched_count() == Some(0) => no_coins_watched(state, appearance),
            None => match list.covered() {
                Some(covered) => format!("No coins match {filter} in the first {}", Count(covered)),
                None => format!("No coins match {filter}"),
            },
        };
        Placeholder::empty(&sentence).theme(theme).render(area, buf);
    } else if list.loaded() > 0 && !query.is_empty() {
        let among = Count(list.loaded() as u64);
        let filter = list.applied_filter().map(|applied| format!(" with filter {}", quoted(&applied.text)));
        let query = format!("{}{}", quoted(query), filter.unwrap_or_default());
        let sentence = match missing_rows(state, list) {
            Some(health) => format!("No matches for {query} in the {among} loaded coins · {}", health.text()),
            None => match (list.searched_names(), list.total()) {
                (Some(names), _) => format!("No matches for {query} in {} coins", Count(names as u64)),
                (None, Some(total)) if total > list.loaded() as u64 => {
                    format!("No matches for {query} in the first {among} of {} coins", Count(total))
                }
                _ => format!("No matches for {query} in {among} coins"),
            },
        };
        Placeholder::empty(&sentence).theme(theme).render(area, buf);
    } else if remote.value.is_some() && remote.failure().is_none() {
        let sentence = if list.tag == Tag::All { "No coins" } else { "No coins with this tag" };
        Placeholder::empty(sentence).theme(theme).render(area, buf);
    } else {
        Missing::new(remote, "coins", state, theme).of(Group::Market).paint(buf, area);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scroll_offset_follows_the_selection() {
        let mut view_state = ViewState::default();
        let mut offset = |cursor| view_state.table(TableScreen::Wallet, None, 100, Some(cursor), 10).offset;
        assert_eq!(offset(0), 0);
        assert_eq!(offset(50), 43);
        assert_eq!(offset(48), 43, "stays while the selection is visible");
    }
}
