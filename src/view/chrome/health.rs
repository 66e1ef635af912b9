//! How fresh something is, and why it is missing: never a blank panel without a reason, never old painted as new.

use std::cell::RefCell;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::app::Remote;
use crate::app::store::Failure;
use crate::client::ErrorKind;
use crate::format::{Age, Until};
use crate::model::UtcTime;
use crate::theme::Theme;
use crate::view::below;
use crate::view::widgets::panel::{Placeholder, Title};
use crate::view::widgets::text;

/// How a resource stands, in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::view) struct Health {
    /// The words.
    pub(in crate::view) text: String,
    /// Whether the reader should worry: stale, or failing.
    pub(in crate::view) is_bad: bool,
}

impl Health {
    /// How `remote` stands: `updated 2 m ago · next in 3 m`, `12 m old · next try in 30 s · nothing answers there …`.
    pub(in crate::view) fn of<T>(remote: Remote<'_, T>, now: UtcTime) -> Health {
        let age = remote.fetched_at().map(|at| now.since(at));
        let (text, is_bad) = match (age.filter(|_| remote.value.is_some()), remote.failure()) {
            (None, None) if remote.is_loading() => (String::from("loading …"), false),
            (None, None) => (String::from("waiting …"), false),
            (None, Some(failure)) => (format!("failed · {}", next_try(failure, remote.is_loading(), now)), true),
            (Some(age), Some(failure)) => {
                let next = next_try(failure, remote.is_loading(), now);
                (format!("{} · {next} · {}", old(age), failure.error.kind), true)
            }
            (Some(age), None) if remote.is_stale(now) => {
                let what = if remote.is_loading() { "refreshing …" } else { "waiting for a refresh" };
                (format!("{} · {what}", old(age)), true)
            }
            (Some(age), None) => (format!("updated {} · {}", ago(age), next_refresh(remote, now)), false),
        };
        Health { text, is_bad }
    }

    /// The style of the words.
    pub(in crate::view) fn style(&self, theme: &Theme) -> Style {
        if self.is_bad { theme.warn } else { theme.dim }
    }
}

/// The failures whose reasons stand on the screen: what has failed for one of them is not explained once more. One
/// outage mostly makes all panels stale.
#[derive(Debug, Default)]
pub(in crate::view) struct Told(RefCell<Vec<ErrorKind>>);

impl Told {
    /// Notes that the reason of a failure is told; `false` where it was already.
    pub(in crate::view) fn note(&self, failure: &Failure) -> bool {
        let kind = &failure.error.kind;
        let is_new = !self.0.borrow().contains(kind);
        if is_new {
            self.0.borrow_mut().push(kind.clone());
        }
        is_new
    }

    /// How `remote` stands; of a failure that was told already only how old the value is.
    pub(in crate::view) fn health<T>(&self, remote: Remote<'_, T>, now: UtcTime) -> Health {
        let age = remote.fetched_at().filter(|_| remote.value.is_some()).map(|at| now.since(at));
        match (age, remote.failure()) {
            (Some(age), Some(failure)) if !self.note(failure) => Health { text: old(age), is_bad: true },
            _ => Health::of(remote, now),
        }
    }

    /// As [`missing`], without a reason that was told already.
    pub(in crate::view) fn missing<T>(
        &self,
        buf: &mut Buffer,
        area: Rect,
        remote: Remote<'_, T>,
        what: &str,
        now: UtcTime,
        theme: &Theme,
    ) {
        if let Some(failure) = remote.failure().filter(|failure| !self.note(failure)) {
            let next = next_try(failure, remote.is_loading(), now);
            return Placeholder::Failed(&format!("no answer, for the same reason · {next}")).paint(buf, area, theme);
        }
        missing(buf, area, remote, what, now, theme);
    }
}

/// Says why there is nothing to show of `remote`, where its content would stand: it is loading, or it failed, why, and
/// when the next try comes. `what` is what it would be: `coins`.
pub(in crate::view) fn missing<T>(
    buf: &mut Buffer,
    area: Rect,
    remote: Remote<'_, T>,
    what: &str,
    now: UtcTime,
    theme: &Theme,
) {
    let Some(failure) = remote.failure() else {
        return Placeholder::Loading(&format!("Loading {what} …")).paint(buf, area, theme);
    };
    let next = next_try(failure, remote.is_loading(), now);
    let refresh = if remote.is_loading() { "" } else { " · r tries now" };
    let next = format!("{next}{refresh}");
    // However many words a service has for its failure, there is room for when it is tried again.
    let area = area.intersection(buf.area);
    let words = text::shifted(area, FAILED_INDENT);
    let kept = u16::try_from(text::wrap(&next, words.width).count()).unwrap_or(u16::MAX).min(area.height / 2);
    Placeholder::Failed("").paint(buf, area, theme);
    let rows = wrapped(buf, words, &failure.error.to_string(), area.height - kept, theme.dim);
    wrapped(buf, below(words, rows), &next, kept, theme.dim);
}

/// The columns that stand before the words of a failure: ` × `.
const FAILED_INDENT: u16 = 3;

/// The most rows that a panel gives away to say what is wrong with what it shows.
const TROUBLE_ROWS: u16 = 2;

/// A lower panel has no rows to give away.
const LOW: u16 = 4;

/// Paints a panel's title, and what is wrong with its content where something is: in the title if there is room for all
/// of it, else on rows of its own below. Returns the place that is left for the content.
pub(in crate::view) fn title(
    buf: &mut Buffer,
    area: Rect,
    title: Title<'_>,
    trouble: Option<&Health>,
    theme: &Theme,
) -> Rect {
    let rest = below(area, 1);
    let Some(Health { text: words, .. }) = trouble else {
        title.paint(buf, area, theme);
        return rest;
    };
    if title.right.is_none() && text::width(words) <= title.room(area.width) {
        Title { right: Some((words, theme.warn)), ..title }.paint(buf, area, theme);
        return rest;
    }
    title.paint(buf, area, theme);
    if area.height < LOW {
        return rest;
    }
    let rows = wrapped(buf, text::shifted(rest, 1), words, TROUBLE_ROWS, theme.warn);
    below(rest, rows)
}

/// [`title`] of a panel that always says how it stands: what is wrong with it where it `has` something to show, else
/// what fits into the title.
pub(in crate::view) fn titled(
    buf: &mut Buffer,
    area: Rect,
    panel: Title<'_>,
    health: &Health,
    has: bool,
    theme: &Theme,
) -> Rect {
    if has && health.is_bad {
        return title(buf, area, panel, Some(health), theme);
    }
    let right = Some((health.text.as_str(), health.style(theme)));
    title(buf, area, Title { right, ..panel }, None, theme)
}

/// Paints wrapped words on `most` rows at most, with a sign where they go on. Returns the rows used.
fn wrapped(buf: &mut Buffer, area: Rect, words: &str, most: u16, style: Style) -> u16 {
    let most = most.min(area.height);
    let mut lines = text::wrap(words, area.width).peekable();
    let mut row = 0;
    while row < most
        && let Some(line) = lines.next()
    {
        let at = text::line(area, row);
        row += 1;
        if row == most && lines.peek().is_some() {
            let used = text::put(buf, at, text::cut_off(line, at.width), style);
            text::put(buf, text::shifted(at, used), text::ELLIPSIS, style);
        } else {
            text::put(buf, at, line.trim_end(), style);
        }
    }
    row
}

/// Makes what is painted in `area` look as old as it is.
pub(in crate::view) fn fade(buf: &mut Buffer, area: Rect) {
    buf.set_style(area, Style::new().add_modifier(Modifier::DIM));
}

/// Empties a cell of a table for something more urgent.
pub(in crate::view) fn clear(buf: &mut Buffer, area: Rect) {
    for position in area.intersection(buf.area).positions() {
        if let Some(cell) = buf.cell_mut(position) {
            cell.reset();
        }
    }
}

/// When a failed fetch is tried again.
pub(in crate::view) fn next_try(failure: &Failure, loading: bool, now: UtcTime) -> String {
    match failure.next_try {
        _ if loading => String::from("trying again …"),
        Some(at) if at > now => format!("next try {}", Until(at.since(now))),
        Some(_) => String::from("next try now"),
        None => String::from("not tried again by itself"),
    }
}

fn next_refresh<T>(remote: Remote<'_, T>, now: UtcTime) -> String {
    match remote.fresh_until() {
        _ if remote.is_loading() => String::from("refreshing …"),
        Some(until) if until > now => format!("next {}", Until(until.since(now))),
        _ => String::from("next now"),
    }
}

/// How long ago something was: `now`, `2 m ago`.
pub(in crate::view) fn ago(age: std::time::Duration) -> String {
    if age.as_secs() < 10 { String::from("now") } else { format!("{} ago", Age(age)) }
}

fn old(age: std::time::Duration) -> String {
    if age.as_secs() < 10 { String::from("just now") } else { format!("{} old", Age(age)) }
}
