//! The wallet tab: the watched coins, each with a chart over the chosen interval.

mod rows;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::chrome::{self, health};
use super::memo::Screen;
use super::widgets::panel::{Placeholder, Title};
use super::widgets::text;
use super::{Look, Memo, inner};
use crate::app::{Command, State, Tab, Target};
use crate::format::Span;
use crate::keymap::Place;
use crate::model::{MarketSeries, Tag};

/// The columns that the title has at least beside what is wrong.
const TITLE: u16 = 16;

/// Paints it: the title over the first row of `body`, the coins below.
pub(super) fn paint(buf: &mut Buffer, body: Rect, state: &State, look: &Look, memo: &mut Memo) {
    let theme = &look.theme;
    let (line, content) = chrome::split(body, false);
    let remote_of = |row| state.wallet.remote(row, &state.store, &state.convert);
    // If there are several responses, the title is about the selected row's.
    let own_row = state.wallet.selected();
    let Some(remote) = remote_of(own_row) else {
        title(buf, line, state, &health::Health { text: String::new(), is_bad: false }, look);
        let keys = state.keys();
        let list = keys.name(Command::Go(Tab::List(Tag::All)), Place::Wallet, look.glyphs);
        let watch = keys.name(Command::ToggleWatch, Place::List, look.glyphs);
        let sentence = match list.zip(watch) {
            Some((list, watch)) => format!("No coins watched · press {list}, then {watch} on a coin"),
            None => String::from("No coins watched"),
        };
        return Placeholder::Empty(&sentence).paint(buf, content, theme);
    };
    let over = remote.value.and_then(|series| series.iter().find_map(span));
    let mut health = health::Health::of(remote, state.now);
    let series = remote.value.map_or(&[][..], Vec::as_slice);
    if let Some(other) = series.iter().find(|series| series.convert != state.convert) {
        let more = if health.text.is_empty() { String::new() } else { format!(" · {}", health.text) };
        health = health::Health { text: format!("in {}{more}", other.convert), is_bad: true };
    } else if !health.is_bad
        && let Some(over) = over
    {
        health.text = format!("{} over {over} · {}", state.convert, health.text);
    }
    if remote.value.is_none() {
        // The rows say that they load, and the line below them why they can't.
        health.text.clear();
    }
    title(buf, line, state, &health, look);

    let (len, selected) = (state.wallet.rows().len(), state.wallet.cursor.index());
    let head_rows = u16::from(content.height > 2);
    let place = super::below(content, head_rows);
    let shape = rows::Shape::new(place, len);
    let window = memo.window(Screen::Wallet, None, len, Some(selected), place.height / shape.height);
    let layout = rows::layout(content.width);
    if head_rows > 0 {
        rows::head(buf, text::line(content, 0), &layout, over, look);
    }
    let mut end = place.y;
    let mut shown = (own_row.map_or(0, |row| row.batch), remote);
    for (slot, (index, row)) in
        (0..place.height / shape.height).zip(state.wallet.rows().iter().enumerate().skip(window.offset))
    {
        let y = place.y + slot * shape.height;
        let area = Rect { y, height: shape.height, ..place };
        let painted = Rect { height: shape.painted, ..area };
        if shown.0 != row.batch {
            shown = (row.batch, remote_of(Some(row)).unwrap_or(remote));
        }
        let remote = shown.1;
        rows::paint(buf, painted, row, remote, state, &layout, look);
        if remote.is_stale(state.now) {
            health::fade(buf, painted);
        }
        if window.selected == Some(index) {
            theme.selection.paint(buf, painted);
        }
        memo.target(area, Target::Row(None, index));
        end = y + shape.height;
    }
    let rest = Rect { y: end, height: content.bottom().saturating_sub(end), ..content };
    notes(buf, rest, state, remote.value.is_none().then_some(remote), look);
}

/// The time from a series' first point to its last.
fn span(series: &MarketSeries) -> Option<Span> {
    Some(Span(series.points.last()?.time.since(series.points.first()?.time)))
}

/// Paints the title with the intervals, and how fresh the charts are.
fn title(buf: &mut Buffer, area: Rect, state: &State, health: &health::Health, look: &Look) {
    let area = inner(area);
    if area.is_empty() {
        return;
    }
    let right = (health.text.as_str(), health.style(&look.theme));
    let intervals: Vec<&str> = state.wallet.intervals().iter().map(|interval| interval.as_str()).collect();
    let chosen = intervals.iter().position(|interval| *interval == state.wallet.interval());
    let title = Title { name: "Watched", choices: &intervals, chosen, right: Some(right), focused: true };
    if !health.is_bad {
        return title.paint(buf, area, &look.theme);
    }
    // Trouble is said even where that leaves no room for the intervals that are not in force.
    let said = health.fitted(area.width.saturating_sub(TITLE));
    let room = Rect { width: area.width.saturating_sub(text::width(&said)), ..area };
    text::put(buf, text::shifted(area, room.width), &said, right.1);
    Title { right: None, ..title }.paint(buf, Rect { width: room.width.saturating_sub(2), ..room }, &look.theme);
}

/// What is to be said below the last row: why nothing came, and which symbols several coins share.
fn notes(
    buf: &mut Buffer,
    area: Rect,
    state: &State,
    missing: Option<crate::app::Remote<'_, Vec<MarketSeries>>>,
    look: &Look,
) {
    if area.is_empty() {
        return;
    }
    if let Some(remote) = missing {
        let below = super::below(area, u16::from(area.height > 1));
        if remote.failure().is_some() {
            health::missing(buf, below, remote, "the watched coins", state, &look.theme);
        }
        return;
    }
    let mut noted: Vec<&str> = Vec::new();
    for row in state.wallet.rows() {
        let Some(count) = row.ambiguous else { continue };
        let symbol = row.watched.symbol.as_str();
        if noted.contains(&symbol) {
            continue;
        }
        noted.push(symbol);
        let line = text::shifted(text::line(area, u16::try_from(noted.len()).unwrap_or(u16::MAX)), 1);
        if line.is_empty() {
            return;
        }
        let key = state.keys().name(Command::ToggleWatch, Place::List, look.glyphs);
        let how = key.map_or_else(String::new, |key| format!(" · press {key} on yours in a list"));
        let words = format!("{count} coins use {symbol}{how}");
        text::put(buf, line, &words, look.theme.warn);
    }
}
