//! The Providers dialog: the providers of live data and their state, and more about the selected one.

use std::borrow::Cow;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::StatefulWidget;

use super::frame::{Frame, scrollbar};
use crate::app::overlay::layout::BORDER_COLUMNS;
use crate::app::sources::{SourceRow, SourceTest};
use crate::app::{ClickTarget, State};
use crate::client::Request;
use crate::format::{ABSENT, Count, Latency, Until};
use crate::keymap::{Command, Context};
use crate::model::source::operation_title;
use crate::model::{KeyState, ProviderName, Source, SourceState, UtcTime};
use crate::theme::Theme;
use crate::view::appearance::Appearance;
use crate::view::area::below;
use crate::view::chrome::health::Missing;
use crate::view::paint_context::PaintContext;
use crate::view::view_state::{TableScreen, ViewState};
use crate::view::widgets::table::{Column, Row};
use crate::view::widgets::{Table, text};

/// Maximum width of the content.
const COLUMNS: u16 = 110;

/// Rows below the table besides the operations of the selected provider: an empty one, and what it lacks.
const OTHER_ROWS: u16 = 3;

/// Rows below the table that remain if there are many providers: an empty one, the operations, and three of the problem.
const MIN_DETAIL_ROWS: u16 = 5;

const SIGN: usize = 0;
const NAME: usize = 1;
const KEY: usize = 2;
const SERVES: usize = 3;
const LATENCY: usize = 4;
const LIMIT: usize = 5;

/// The columns, of which the last is as wide as its text.
fn columns(sources: &[SourceRow], now: UtcTime) -> [Column; 6] {
    let widest = |form: usize| sources.iter().map(|row| text::width(&limit(row, now)[form])).max().unwrap_or(0);
    [
        Column::words("", 1, 9),
        Column::words("Provider", 12, 10).growing(24),
        Column::words("Key", 10, 3),
        Column::words("Serves", 12, 4).growing(40),
        Column::number("Latency", 7, 5),
        Column::words("Requests left", widest(1).max(13), 8).growing(widest(0).max(30)),
    ]
}

/// Which providers are listed.
pub(super) struct ProviderList<'a> {
    /// The name of the selected provider.
    pub(super) selected: Option<&'a str>,
    /// The operation in whose order they are listed; `None` for all providers.
    pub(super) operation: Option<&'a str>,
}

/// Paints the dialog.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    list: &ProviderList<'_>,
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let ProviderList { selected, operation } = *list;
    let remote = state.responses.sources(&Request::Sources);
    let sources = state.source_rows(operation);
    // As high as the list of all providers, so that the frame doesn't jump between operations.
    let all = remote.value.map_or(&[][..], Vec::as_slice);
    let width = COLUMNS.min(area.width.saturating_sub(BORDER_COLUMNS));
    let lines = all.iter().map(|source| text::wrap(&serves(source), width).count()).max().unwrap_or(1);
    let wanted = u16::try_from(lines).unwrap_or(u16::MAX).saturating_add(OTHER_ROWS);
    let rows = u16::try_from(all.len()).unwrap_or(u16::MAX).saturating_add(1).saturating_add(wanted);
    let title = operation
        .map_or_else(|| String::from("Providers"), |name| format!("Providers · {}, in order", operation_title(name)));
    let inner = Frame::new(&title, COLUMNS, rows).paint(buf, area, appearance, view_state);
    let theme = &appearance.theme;
    if sources.is_empty() {
        return Missing::new(remote, "providers", state, theme).paint(buf, inner);
    }
    let needed = u16::try_from(sources.len()).unwrap_or(u16::MAX).saturating_add(1);
    let spare = inner.height.saturating_sub(needed).max(MIN_DETAIL_ROWS);
    let detail_rows = wanted.min(spare).min(inner.height.saturating_sub(needed.min(3)));
    let table = Rect { height: inner.height - detail_rows, ..inner };
    let is_selected = |row: &SourceRow| selected == Some(row.source.name.as_str());
    let selected = sources.iter().position(is_selected).unwrap_or(0);
    let place = below(table, 1);
    let mut rows = view_state.table(TableScreen::Overlay, None, sources.len(), Some(selected), place.height);
    let visible = rows.visible(sources.len(), usize::from(place.height));
    let paint = |index: usize, row: &mut Row<'_>| {
        if let Some(source) = sources.get(index) {
            paint_row(row, source, state.now, theme);
        }
    };
    Table::new(&columns(&sources, state.now), sources.len(), paint)
        .selection(theme.selection)
        .theme(theme)
        .render(table, buf, &mut rows);
    scrollbar(buf, place, rows.offset, sources.len(), appearance);
    for (row, index) in (0..).zip(visible) {
        view_state.target(text::line(place, row), ClickTarget::Choice(index));
    }
    if let Some(source) = sources.get(selected).filter(|_| detail_rows > 1) {
        details(buf, below(inner, table.height + 1), source, state, appearance);
    }
}

fn paint_row(row: &mut Row<'_>, shown: &SourceRow, now: UtcTime, theme: &Theme) {
    let source = &shown.source;
    let (sign, style) = sign(source.state, theme);
    row.words(SIGN, sign, style);
    let unused = source.state == SourceState::Unused;
    row.words(NAME, &title(source), if unused { theme.dim } else { theme.text });
    row.words(KEY, key(source.key), theme.dim);
    row.cell(SERVES, |buf, cell| {
        text::put(buf, cell, &brief_titles(source, cell.width), theme.dim);
    });
    match source.latency_ms {
        Some(latency) => row.number(LATENCY, Latency(Duration::from_millis(latency)), theme.text),
        None => row.number(LATENCY, ABSENT, theme.dim),
    }
    let style = if matches!(source.state, SourceState::Waiting | SourceState::Off) { theme.warn } else { theme.dim };
    row.cell(LIMIT, |buf, cell| {
        let [long, short] = limit(shown, now);
        text::put(buf, cell, if text::width(&long) <= cell.width { &long } else { &short }, style);
    });
}

fn sign(state: SourceState, theme: &Theme) -> (&'static str, Style) {
    match state {
        SourceState::Ready => ("●", theme.gain),
        SourceState::Waiting => ("◐", theme.warn),
        SourceState::Off => ("×", theme.warn),
        SourceState::Unused => ("○", theme.dim),
    }
}

fn title(source: &Source) -> Cow<'_, str> {
    match ProviderName::parse(&source.name) {
        Some(name) => Cow::Borrowed(name.title()),
        None => Cow::Borrowed(source.name.as_str()),
    }
}

/// The provider's operations: `coin list, coin details`.
fn titles(source: &Source) -> String {
    source.serves.iter().map(|name| operation_title(name)).collect::<Vec<_>>().join(", ")
}

/// The provider's operations, as a sentence.
fn serves(source: &Source) -> String {
    match titles(source) {
        none if none.is_empty() => String::from("serves nothing"),
        all => format!("serves {all}"),
    }
}

/// The provider's operations, within the width: the first ones, and the number of others.
fn brief_titles(source: &Source, columns: u16) -> String {
    let all = titles(source);
    let count = source.serves.len();
    if text::width(&all) <= columns {
        return all;
    }
    let shown = |names: usize| {
        let first: Vec<&str> = source.serves.iter().take(names).map(|name| operation_title(name)).collect();
        format!("{} + {}", first.join(", "), count - names)
    };
    let brief = (1..count).rev().map(shown).find(|words| text::width(words) <= columns);
    brief.unwrap_or_else(|| format!("{count} operations"))
}

fn key(key: KeyState) -> &'static str {
    match key {
        KeyState::Keyless => "not needed",
        KeyState::Missing => "missing",
        KeyState::Configured => "set",
    }
}

/// The next retry of a failing provider, or the remaining budget; in a long and a short form.
fn limit(SourceRow { source, is_disabled }: &SourceRow, now: UtcTime) -> [String; 2] {
    let words = match (source.state, source.next_try_at, &source.budget) {
        _ if *is_disabled => String::from("disabled"),
        (SourceState::Off, ..) => String::from("off"),
        (SourceState::Unused, ..) => String::from("not used"),
        (SourceState::Waiting, Some(at), _) => format!("retrying {}", Until(at.since(now))),
        (SourceState::Waiting, None, _) => String::from("waiting"),
        (SourceState::Ready, _, Some(budget)) => {
            let left = budget.used.map(|used| Count(budget.limit.saturating_sub(used)).to_string());
            let short = format!("{} of {}", left.as_deref().unwrap_or(ABSENT), Count(budget.limit));
            return [format!("{short} a {}", budget.period.as_str()), short];
        }
        (SourceState::Ready, ..) => String::from("no known limit"),
    };
    [words.clone(), words]
}

/// The operations of the selected provider, its problems, and its last test.
fn details(buf: &mut Buffer, area: Rect, row: &SourceRow, state: &State, appearance: &Appearance) {
    let (SourceRow { source, is_disabled }, theme) = (row, &appearance.theme);
    let serves = serves(source);
    let key = state.keys().name(Command::ToggleSource, Context::Sources, appearance.glyphs);
    let missing = match (is_disabled, key) {
        (true, Some(key)) => format!("disabled ({key}: enable)"),
        (true, None) => String::from("disabled"),
        (false, _) => source.missing.as_deref().unwrap_or("").to_owned(),
    };
    let style = match source.state {
        SourceState::Waiting | SourceState::Off => theme.warn,
        _ => theme.text,
    };
    let last = match state.sources_note() {
        Some(note) => Some((note, theme.text)),
        None => tested(source, state, theme),
    };
    let lines: Vec<(String, Style)> =
        [Some((missing, style)).filter(|(words, _)| !words.is_empty()), last].into_iter().flatten().collect();
    // The lines below are more important than the end of a long list of operations.
    let wrapped = lines.iter().map(|(words, _)| text::wrap(words, area.width).count()).sum::<usize>();
    let reserved = u16::try_from(wrapped).unwrap_or(u16::MAX);
    let rows = area.height.saturating_sub(reserved).clamp(1, area.height.max(1));
    let mut used = text::paragraph(buf, Rect { height: rows.min(area.height), ..area }, &serves, theme.dim);
    for (at, (words, style)) in (1..).zip(&lines) {
        let rest = below(area, used);
        let later = u16::try_from(lines.len() - at).unwrap_or(u16::MAX);
        let height = rest.height.saturating_sub(later);
        used += text::paragraph(buf, Rect { height, ..rest }, words, *style);
    }
}

/// The last test of a provider.
fn tested(source: &Source, state: &State, theme: &Theme) -> Option<(String, Style)> {
    Some(match state.sources.tests.get(&ProviderName::parse(&source.name)?)? {
        SourceTest::Running => (String::from("Testing…"), theme.dim),
        SourceTest::Passed(latency) => (format!("Test passed in {}", Latency(*latency)), theme.gain),
        SourceTest::Failed(reason) => (format!("Test failed: {reason}"), theme.warn),
    })
}
