//! The Sources dialog: the providers of live data and their state, and more about the selected one.

use std::borrow::Cow;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::StatefulWidget;

use super::frame::frame;
use crate::app::{State, Target};
use crate::client::Request;
use crate::format::{ABSENT, Count, Latency, Until};
use crate::model::{KeyState, ProviderName, Source, SourceState, UtcTime};
use crate::theme::Theme;
use crate::view::area::below;
use crate::view::chrome::health;
use crate::view::look::Look;
use crate::view::memo::{Memo, Screen};
use crate::view::widgets::table::{Column, Row};
use crate::view::widgets::{Table, text};

/// Maximum width of the content.
const COLUMNS: u16 = 110;

/// Rows below the table: an empty one, and what the selected provider serves and lacks.
const DETAIL_ROWS: u16 = 4;

const SIGN: usize = 0;
const NAME: usize = 1;
const KEY: usize = 2;
const SERVES: usize = 3;
const LATENCY: usize = 4;
const LIMIT: usize = 5;

const TABLE: [Column; 6] = [
    Column::words("", 1, 9),
    Column::words("Provider", 12, 10).growing(24),
    Column::words("Key", 7, 3),
    Column::words("Serves", 12, 4).growing(40),
    Column::number("Latency", 7, 5),
    Column::words("Requests left", 15, 8).growing(30),
];

/// Paints the dialog.
pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, selected: usize, look: &Look, memo: &mut Memo) {
    let remote = state.store.sources(&Request::Sources);
    let sources = remote.value.map_or(&[][..], Vec::as_slice);
    let rows = u16::try_from(sources.len()).unwrap_or(u16::MAX).saturating_add(1 + DETAIL_ROWS);
    let inner = frame(buf, area, COLUMNS, rows, "Sources", look);
    let theme = &look.theme;
    if sources.is_empty() {
        return health::missing(buf, inner, remote, "sources", state, theme);
    }
    let detail_rows = DETAIL_ROWS.min(inner.height.saturating_sub(3));
    let table = Rect { height: inner.height - detail_rows, ..inner };
    let selected = selected.min(sources.len() - 1);
    let place = below(table, 1);
    let mut rows = memo.table(Screen::Overlay, None, sources.len(), Some(selected), place.height);
    let visible = rows.visible(sources.len(), usize::from(place.height));
    let paint = |index: usize, row: &mut Row<'_>| {
        if let Some(source) = sources.get(index) {
            source_row(row, source, state.now, theme);
        }
    };
    Table::new(&TABLE, sources.len(), paint).selection(theme.selection).theme(theme).render(table, buf, &mut rows);
    for (row, index) in (0..).zip(visible) {
        memo.target(text::line(place, row), Target::Choice(index));
    }
    if let Some(source) = sources.get(selected).filter(|_| detail_rows > 1) {
        details(buf, below(inner, table.height + 1), source, theme);
    }
}

fn source_row(row: &mut Row<'_>, source: &Source, now: UtcTime, theme: &Theme) {
    let (sign, style) = sign(source.state, theme);
    row.words(SIGN, sign, style);
    let unused = source.state == SourceState::Unused;
    row.words(NAME, &title(source), if unused { theme.dim } else { theme.text });
    row.words(KEY, key(source.key), theme.dim);
    row.words(SERVES, &source.serves.join(", "), theme.dim);
    match source.latency_ms {
        Some(latency) => row.number(LATENCY, Latency(Duration::from_millis(latency)), theme.text),
        None => row.number(LATENCY, ABSENT, theme.dim),
    }
    let style = if matches!(source.state, SourceState::Waiting | SourceState::Off) { theme.warn } else { theme.dim };
    row.words(LIMIT, &limit(source, now), style);
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

fn key(key: KeyState) -> &'static str {
    match key {
        KeyState::Keyless => "keyless",
        KeyState::Missing => "missing",
        KeyState::Configured => "set",
    }
}

/// When a failing provider is requested again, or what is left of the budget.
fn limit(source: &Source, now: UtcTime) -> String {
    match (source.state, source.next_try_at, &source.budget) {
        (SourceState::Off, ..) => String::from("off"),
        (SourceState::Unused, ..) => String::from("not used"),
        (SourceState::Waiting, Some(at), _) => format!("retrying {}", Until(at.since(now))),
        (SourceState::Waiting, None, _) => String::from("waiting"),
        (SourceState::Ready, _, Some(budget)) => {
            let left = budget.limit.saturating_sub(budget.used);
            format!("{} of {} a {}", Count(left), Count(budget.limit), budget.period)
        }
        (SourceState::Ready, ..) => String::from("no limit known"),
    }
}

/// What the selected provider serves, and what fails or is missing.
fn details(buf: &mut Buffer, area: Rect, source: &Source, theme: &Theme) {
    let serves = match source.serves.as_slice() {
        [] => String::from("serves nothing"),
        all => format!("serves {}", all.join(", ")),
    };
    let missing = source.missing.as_deref().unwrap_or("");
    let rows = if missing.is_empty() { area.height } else { area.height.saturating_sub(1).max(1) };
    let used = text::paragraph(buf, Rect { height: rows.min(area.height), ..area }, &serves, theme.dim);
    let style = match source.state {
        SourceState::Waiting | SourceState::Off => theme.warn,
        _ => theme.text,
    };
    text::paragraph(buf, below(area, used), missing, style);
}
