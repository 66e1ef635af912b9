//! The line above a list: what its coins come to, or what is searched for; and how fresh all that is.

use std::borrow::Cow;
use std::ops::Range;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::rows;
use crate::app::demand::TREND_COLUMNS;
use crate::app::screen::ListScreen;
use crate::app::{Command, State, Tab};
use crate::client::Request;
use crate::format::{Age, Count, Money, Signed};
use crate::keymap::Place;
use crate::view::chrome::health::{self, Health};
use crate::view::chrome::pieces::{self, Piece};
use crate::view::chrome::prompt;
use crate::view::widgets::text;
use crate::view::{Look, Memo, inner};

/// Paints the line, for the rows that are in sight.
pub(super) fn paint(
    buf: &mut Buffer,
    area: Rect,
    state: &State,
    list: &ListScreen,
    in_sight: Range<usize>,
    look: &Look,
    memo: &mut Memo,
) {
    let theme = &look.theme;
    let inner = inner(area);
    if inner.is_empty() {
        return;
    }
    if list.searching || !list.search.value().is_empty() {
        return search(buf, inner, list, look, memo);
    }
    let mut health = of_list(state, list);
    if !health.is_bad
        && let Some(words) = missing_trends(state, list)
    {
        health = Health { text: words, is_bad: true };
    }
    let mut left = Vec::new();
    if list.loaded() > 0 {
        left = pieces(list, look);
        if let Some(note) = foreign(state, list, in_sight) {
            left.insert(1, Piece::new(note, theme.warn));
        }
    } else {
        left.push(Piece::new(list.tag.title(), theme.dim));
    }
    let first = left.first().map_or(0, Piece::width);
    let room = inner.width.saturating_sub(first + 3);
    let mut said = match health.is_bad {
        // The reason stands where the rows would be.
        true if list.loaded() == 0 => Cow::Borrowed(""),
        true => health.fitted(room),
        // The rows' place says that they load.
        false if list.loaded() == 0 && is_missing(state, list) => Cow::Borrowed(""),
        false if text::width(&health.text) <= room => Cow::Borrowed(health.text.as_str()),
        false => Cow::Borrowed(""),
    };
    // What is wrong goes before what the coins come to; when all is well it is the other way round.
    let most = if list.loaded() == 0 { Cow::Borrowed("") } else { health.fitted(inner.width) };
    let mut room = room;
    if health.is_bad && text::width(&said) < text::width(&most) {
        (said, room) = (most, inner.width);
        left.clear();
    }
    let status = state.keys().name(Command::Go(Tab::Status), Place::List, look.glyphs);
    let more = status.map_or_else(String::new, |key| format!(" · press {key} for details"));
    if health.is_bad && !said.is_empty() && said != health.text && text::width(&said) + text::width(&more) <= room {
        said.to_mut().push_str(&more);
    }
    let taken = if said.is_empty() { 0 } else { text::width(&said) + 3 };
    pieces::paint(buf, Rect { width: inner.width.saturating_sub(taken), ..inner }, &left, 3);
    text::put_right(buf, inner, &said, health.style(theme));
}

/// How fresh the list is: the selected row's page, or where all are sorted the worst of them; and beside that how old
/// the oldest coins are that count among those of the line.
fn of_list(state: &State, list: &ListScreen) -> Health {
    let get = |request: &Request| state.store.get(request);
    let oldest = list.oldest(&state.convert);
    let failing = || list.loaded_requests(&state.convert).find(|request| get(request).failure().is_some());
    let of_all = || list.needs_all().then(|| failing().or_else(|| Some(oldest.as_ref()?.0.clone()))).flatten();
    let request = of_all().unwrap_or_else(|| rows::request(state, list));
    let remote = get(&request);
    let mut health = Health::of(remote, state.now);
    if let (Some((_, oldest)), Some(at)) = (oldest, remote.fetched_at())
        && at.since(oldest) >= OLDER
    {
        health.text = format!("{} · oldest {} ago", health.text, Age(state.now.since(oldest)));
    }
    health
}

/// Whether the first page is still to come.
fn is_missing(state: &State, list: &ListScreen) -> bool {
    state.store.get(&list.first_request(&state.convert)).value.is_none()
}

/// From how much older a page is than the selected row's the line says so.
const OLDER: Duration = Duration::from_mins(1);

/// Why the column of trends has gaps, where they could not be fetched.
fn missing_trends(state: &State, list: &ListScreen) -> Option<String> {
    if state.size.0 < TREND_COLUMNS {
        return None;
    }
    let requests = list.trend_requests(state.content_rows(), &state.convert);
    let remotes = requests.iter().map(|request| state.store.get(request));
    let (remote, failure) = remotes.filter_map(|remote| Some((remote, remote.failure()?))).next()?;
    Some(format!("no trends · {}", health::sentence(failure, remote.is_loading(), state.now)))
}

fn pieces<'a>(list: &'a ListScreen, look: &Look) -> Vec<Piece<'a>> {
    let theme = &look.theme;
    let summary = list.summary();
    let loaded = list.loaded() as u64;
    let (count, partial) = match list.total() {
        Some(total) => (Count(total.max(loaded)).to_string(), total > loaded),
        None => (format!("{}+", Count(loaded)), true),
    };
    // Everything behind the count is of the coins loaded.
    let of = if partial { format!("of the first {}: ", Count(loaded)) } else { String::new() };
    let sign = list.coins().next().and_then(|coin| coin.convert.sign()).unwrap_or("");
    let mut left = vec![Piece::new(count, theme.strong).and(" coins", theme.dim)];
    let mut scope = Some(of);
    if summary.market_cap > 0.0 {
        let cap = format!("{sign}{}", Money(Some(summary.market_cap)));
        left.push(Piece::new(scope.take().unwrap_or_default(), theme.dim).and("cap ", theme.dim).and(cap, theme.text));
    }
    left.push(
        Piece::new(scope.unwrap_or_default(), theme.dim)
            .and(format!("▲ {}", Count(summary.up as u64)), theme.gain)
            .and(format!("  ▼ {}", Count(summary.down as u64)), theme.loss),
    );
    for (word, extreme) in [("best ", &summary.best), ("worst ", &summary.worst)] {
        if let Some((symbol, change)) = extreme {
            let change = Some(*change);
            left.push(
                Piece::new(word, theme.dim)
                    .and(text::fit(symbol, 12), theme.text)
                    .and(format!(" {}", Signed(change)), theme.change(change)),
            );
        }
    }
    left
}

/// How many of the coins in sight are priced in another currency than the one chosen, where some are.
fn foreign(state: &State, list: &ListScreen, in_sight: Range<usize>) -> Option<String> {
    let foreign = rows::foreign(state, list, in_sight)?;
    // Where all are, the head of the column says it.
    (!foreign.is_all()).then(|| format!("{} in {}", foreign.some, foreign.code))
}

/// From this width on, the order of what a search found is named; one by a column is named by its heading.
const WITH_ORDER: u16 = 60;

/// `/ordi   best match first   3 of 1,204 coins`, or `3 of 5,000 searched, 12,345 in all`.
fn search(buf: &mut Buffer, area: Rect, list: &ListScreen, look: &Look, memo: &mut Memo) {
    let theme = &look.theme;
    let used = text::put(buf, area, "/", theme.accent);
    let among = Count(list.loaded() as u64);
    let among = match list.total() {
        // Not all of them: more are on their way, or there are more than are ever loaded.
        Some(total) if total > list.loaded() as u64 => format!(" of {among} searched, {} in all", Count(total)),
        Some(_) => format!(" of {among} coins"),
        None => format!(" of {among} searched"),
    };
    let found = Piece::new(Count(list.len() as u64).to_string(), theme.strong).and(among, theme.dim);
    let order = Piece::new("best match first", theme.dim);
    let has_order = list.len() > 1 && area.width >= WITH_ORDER && list.order().is_none();
    let found = if has_order { vec![order, found] } else { vec![found] };
    let taken = pieces::width(&found, 3);
    let room = if area.width > taken + 16 { area.width - taken - 3 } else { area.width };
    let line = Rect { width: room.saturating_sub(used), ..text::shifted(area, used) };
    if list.searching {
        prompt::paint(buf, line, &list.search, theme.text, memo);
    } else {
        text::put(buf, line, list.search.value(), theme.accent);
    }
    if room < area.width {
        pieces::paint(buf, text::shifted(area, area.width - taken), &found, 3);
    }
}
