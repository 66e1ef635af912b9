//! The Status tab: the sources of the data, every requested resource, and recent errors.

use std::borrow::Cow;
use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::StatefulWidget;

use super::area::inner;
use super::chrome;
use super::chrome::pieces::{self, Piece};
use super::chrome::{exchange_rate, health};
use super::paint_context::PaintContext;
use super::widgets::table::{Column, Row, TableState};
use super::widgets::{Table, text};
use crate::app::preferences::EMBEDDED;
use crate::app::responses::{Entry, Failure};
use crate::app::status::{Line, SAVED_DATA, lines, text_columns};
use crate::app::{State, demand};
use crate::client::{Group, Request};
use crate::fetch::{Demand, Receipt};
use crate::format::{ABSENT, Age, Bytes, Latency, Until};
use crate::model::{UtcTime, provider};
use crate::theme::Theme;

const WHAT: usize = 0;
const STATE: usize = 1;
const TRIED: usize = 2;
const SUCCEEDED: usize = 3;
const NEXT: usize = 4;
const STATUS: usize = 5;
const LATENCY: usize = 6;
const BYTES: usize = 7;
const FROM: usize = 8;

/// The width of the longest state.
const STATE_WIDTH: u16 = 14;

/// The columns for a width. Resources whose names have up to `longest` columns displace numbers.
fn columns(width: u16, longest: u16) -> [Column; 9] {
    // At least as wide as `Block height and fees`, and not so wide that it displaces the status.
    let name = longest.clamp(21, if width < 100 { 29 } else { 32 });
    // The state is always beside it: each is useless without the other.
    let name = name.min(width.saturating_sub(STATE_WIDTH + 3)).max(8);
    [
        Column::words("Resource", name, 10).growing(44),
        Column::words("State", STATE_WIDTH, 9),
        Column::number("Last try", 8, 6),
        Column::number("Last OK", 7, 8),
        Column::number("Next", 9, 7),
        Column::number("Status", 6, 5),
        Column::number("Latency", 7, 4),
        Column::number("Bytes", 7, 2),
        Column::words("From", 16, 3).growing(80),
    ]
}

/// Paints the tab: the sources in the first row of `body`, resources and errors below.
pub(super) fn paint(buf: &mut Buffer, body: Rect, context: PaintContext<'_>) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let (line, content) = chrome::split(body, false);
    let inner = inner(line);
    if !inner.is_empty() {
        let [market, indexer] = &state.preferences.urls;
        let source = |name, url: &str, group| {
            let url = if state.has_live(group) { providers(state, group) } else { url.to_owned() };
            // The mark of the embedded service doesn't wait for a response.
            let mark = if state.simulates(group) == Some(true) { " (simulated)" } else { "" };
            Piece::new(name, theme.dim).and(url, theme.text).and(mark, theme.warn)
        };
        let mut left = vec![source("market ", market.as_str(), Group::Market)];
        left.push(source("indexer ", indexer.as_str(), Group::Indexer));
        let zone = &state.preferences.zone;
        let times = Piece::new("time zone ", theme.dim).and(zone.name(), theme.text);
        left.push(match zone.wanted() {
            Some(wanted) => times.and(format!(" ({wanted} not found)"), theme.warn),
            None => times,
        });
        left.extend(exchange_rate::origin(state).map(|words| Piece::new(words, theme.dim)));
        left.push(Piece::new(concat!("satscope ", env!("CARGO_PKG_VERSION")), theme.dim));
        let way_back = way_back(state).filter(|words| inner.width >= text::width(words) + MIN_SOURCES);
        let used = way_back.map_or(0, |words| text::put_right(buf, inner, &words, theme.dim) + 3);
        pieces::paint(buf, Rect { width: inner.width - used, ..inner }, &left, 3);
    }
    let wanted = demand(state);
    let lines = lines(state, text_columns(content.width));
    let mut rows = TableState { offset: state.status.scroll, selected: None };
    let label = |line: &Line<'_>| match line {
        Line::Resource(request, _) => Some(text::width(&state.request_label(request))),
        _ => None,
    };
    let columns = columns(content.width, lines.iter().filter_map(label).max().unwrap_or(0));
    let table = Table::new(&columns, lines.len(), |index, row| {
        let line = text::shifted(row.area, 1);
        match lines.get(index) {
            Some(Line::Resource(request, entry)) => resource(row, (request, entry), &wanted, state, theme),
            Some(Line::Title(title)) => {
                text::put(row.buf, line, title, theme.title);
            }
            Some(Line::SavedData) => {
                text::put(row.buf, line, SAVED_DATA, theme.title);
            }
            Some(Line::Text(words)) => {
                text::put(row.buf, line, words, theme.text);
            }
            Some(Line::Blank) | None => {}
        }
    });
    table.scrollbar().theme(theme).render(content, buf, &mut rows);
}

/// The providers of a group's data so far: `CoinMarketCap, Binance`; or why there are none.
fn providers(state: &State, group: Group) -> String {
    let names = provider_names(state, group);
    if !names.is_empty() {
        return names.into_iter().collect::<Vec<_>>().join(", ");
    }
    match failure(state, group) {
        Some(failure) => {
            let reason = failure.error.reason();
            let shown = text::fit(&reason, MAX_REASON);
            let mark = if shown.len() < reason.len() { text::ELLIPSIS } else { "" };
            format!("failing ({shown}{mark})")
        }
        None => String::from("waiting…"),
    }
}

/// The providers of a group's data so far.
fn provider_names(state: &State, group: Group) -> BTreeSet<&str> {
    entries(state, group)
        .filter_map(|entry| entry.receipt.as_ref()?.provider.as_deref())
        .flat_map(provider::each)
        .map(provider::title_of)
        .collect()
}

/// The last failure of a group.
fn failure(state: &State, group: Group) -> Option<&Failure> {
    let failures = entries(state, group).filter_map(|entry| entry.failure.as_ref());
    failures.filter(|failure| failure.not_found.is_none()).max_by_key(|failure| failure.at)
}

fn entries(state: &State, group: Group) -> impl Iterator<Item = &Entry> {
    state.responses.all().into_iter().filter(move |(request, _)| request.group() == group).map(|(_, entry)| entry)
}

/// The way back to simulated data while a group has no live data.
fn way_back(state: &State) -> Option<String> {
    let fails = |group: &Group| provider_names(state, *group).is_empty() && failure(state, *group).is_some();
    let mut failing = [Group::Market, Group::Indexer].into_iter().filter(fails);
    failing.find_map(|group| health::simulated_data(group, state))
}

/// Minimum columns of a name that is cut in the middle.
const MIN_MIDDLE_CUT: u16 = 20;

/// Minimum columns of the sources beside the way back.
const MIN_SOURCES: u16 = 40;

/// Maximum width of the reason why a group fails; its rows have the whole reason.
const MAX_REASON: u16 = 60;

/// Where a resource comes from: its path below the group's URL, which the first line names, and in live data the
/// provider: `Binance /chart?slug=ordi&period=7D`; or its whole URL if that is elsewhere.
fn source<'a>(receipt: &'a Receipt, group: Group, state: &State) -> Cow<'a, str> {
    let [market, indexer] = &state.preferences.urls;
    let base = if group == Group::Market { market } else { indexer };
    let is_embedded = base == EMBEDDED;
    let below = receipt.url.strip_prefix(base.trim_end_matches('/')).filter(|below| below.starts_with('/'));
    let path = receipt.url.split_once("://").and_then(|(_, rest)| rest.find('/').and_then(|at| rest.get(at..)));
    match (path, receipt.provider.as_deref().filter(|_| state.has_live(group))) {
        (path, Some(names)) => {
            Cow::Owned(format!("{} {}", provider::titles(names), path.unwrap_or_default()).trim_end().to_owned())
        }
        (Some(path), None) if is_embedded => Cow::Borrowed(path),
        (_, None) => Cow::Borrowed(below.unwrap_or(&receipt.url)),
    }
}

fn resource(row: &mut Row<'_>, (request, entry): (&Request, &Entry), wanted: &Demand, state: &State, theme: &Theme) {
    let now = state.now;
    let label = state.request_label(request);
    // Both its beginning and its end tell it from others, `Holders of ordi (1–60)`, if there is room for both.
    let room = row.layout.cell(row.area, WHAT).map_or(0, |cell| cell.width);
    let words = if room < MIN_MIDDLE_CUT { Cow::Borrowed(&*label) } else { text::middle_cut(&label, room) };
    row.words(WHAT, &words, theme.text);
    let is_visible = wanted.visible.contains(request);
    let every = wanted.background.iter().find(|need| need.request == *request && !is_visible).map(|need| need.every);
    // Resources that nothing needs are not fetched again, however old they are.
    let is_needed = is_visible || every.is_some();
    let (word, style) = state_label(entry, is_needed, every.is_some(), now, theme);
    row.words(STATE, word, style);
    let next = match (&entry.failure, &entry.receipt) {
        _ if entry.loading.is_some() => None,
        (Some(failure), _) => failure.next_try,
        (None, Some(receipt)) => {
            let every = every.map(|every| receipt.fetched_at.plus(every));
            Some(receipt.fresh_until).max(every).filter(|until| *until > now)
        }
        (None, None) => None,
    };
    match next.filter(|_| is_needed) {
        _ if is_needed && health::is_entry_paused(entry, state) => row.number(NEXT, health::PAUSED, theme.dim),
        Some(next) => row.number(NEXT, Until(next.since(now)), theme.dim),
        None => row.number(NEXT, ABSENT, theme.dim),
    }
    let succeeded = entry.receipt.as_ref().map(Receipt::succeeded_at);
    let tried = entry.loading.map(|(_, since)| since).or(entry.failure.as_ref().map(|failure| failure.at));
    let fetched = entry.receipt.as_ref().map(|receipt| receipt.fetched_at);
    for (column, time) in [(TRIED, tried.or(fetched)), (SUCCEEDED, succeeded)] {
        match time {
            Some(time) => row.number(column, Age(now.since(time)), theme.text),
            None => row.number(column, ABSENT, theme.dim),
        }
    }
    // The status of the last attempt; latency, bytes and URL are from the last success.
    let status = match (&entry.failure, &entry.receipt) {
        (Some(failure), _) => failure.error.status(),
        (None, receipt) => receipt.as_ref().map(|receipt| receipt.status),
    };
    match status {
        Some(status) => row.number(STATUS, status, if entry.failure.is_some() { theme.warn } else { theme.dim }),
        None => row.number(STATUS, ABSENT, theme.dim),
    }
    if let Some(receipt) = &entry.receipt {
        row.number(LATENCY, Latency(receipt.latency), theme.text);
        row.number(BYTES, Bytes(receipt.bytes), theme.dim);
        row.words(FROM, &source(receipt, request.group(), state), theme.dim);
    } else {
        row.number(LATENCY, ABSENT, theme.dim);
        row.number(BYTES, ABSENT, theme.dim);
        let [market, indexer] = &state.preferences.urls;
        let from = match request.group() {
            group if state.has_live(group) => ABSENT,
            Group::Market => market,
            Group::Indexer => indexer,
        };
        row.words(FROM, from, theme.dim);
    }
    let reason = entry.failure.as_ref().map(|failure| failure.error.reason());
    if let Some((reason, cell)) = reason.zip(row.layout.cell(row.area, FROM)) {
        text::clear(row.buf, cell);
        text::put(row.buf, cell, &reason, theme.warn);
    }
}

fn state_label(
    entry: &Entry,
    is_needed: bool,
    in_background: bool,
    now: UtcTime,
    theme: &Theme,
) -> (&'static str, ratatui::style::Style) {
    let stale = entry.receipt.as_ref().is_some_and(|r| now > r.fresh_until.plus(crate::app::responses::GRACE));
    match (&entry.failure, entry.loading.is_some(), &entry.response) {
        (Some(failure), _, _) if failure.is_unserved() => ("no provider", theme.dim),
        (Some(failure), _, None) if failure.not_found.is_some() => ("not found", theme.dim),
        (Some(_), true, _) => ("retrying", theme.warn),
        (Some(_), false, _) if is_needed => ("failing", theme.warn),
        (Some(_), false, _) => ("failed", theme.warn),
        (None, true, Some(_)) => ("refreshing", theme.text),
        (None, true, None) => ("loading", theme.text),
        (None, false, Some(_)) if entry.restored => ("cached", theme.dim),
        (None, false, Some(_)) if stale && in_background => ("background", theme.dim),
        (None, false, Some(_)) if stale => ("not refreshing", theme.dim),
        (None, false, Some(_)) => ("fresh", theme.gain),
        (None, false, None) if is_needed => ("waiting", theme.dim),
        (None, false, None) => ("not loaded", theme.dim),
    }
}
