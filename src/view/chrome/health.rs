//! How fresh something is, and why it is missing: never a blank panel without a reason, never old painted as new.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::app::Remote;
use crate::app::store::Failure;
use crate::format::{Age, Until};
use crate::model::UtcTime;
use crate::theme::Theme;
use crate::view::widgets::panel::Placeholder;

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
    let sentence = match remote.failure() {
        Some(failure) => {
            let next = next_try(failure, remote.is_loading(), now);
            let refresh = if remote.is_loading() { "" } else { " · r tries now" };
            Err(format!("{}\n{next}{refresh}", failure.error))
        }
        None => Ok(format!("Loading {what} …")),
    };
    match &sentence {
        Ok(loading) => Placeholder::Loading(loading, 0),
        Err(failed) => Placeholder::Failed(failed),
    }
    .paint(buf, area, theme);
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

fn ago(age: std::time::Duration) -> String {
    if age.as_secs() < 10 { String::from("now") } else { format!("{} ago", Age(age)) }
}

fn old(age: std::time::Duration) -> String {
    if age.as_secs() < 10 { String::from("just now") } else { format!("{} old", Age(age)) }
}
