//! How fresh something is, and why it is missing: never a blank panel without a reason, never old painted as new.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::Widget;

use crate::app::store::Failure;
use crate::app::{Remote, State, demand};
use crate::client::Request;
use crate::format::{Age, Until};
use crate::glyphs::Glyphs;
use crate::keymap::Command;
use crate::model::UtcTime;
use crate::theme::Theme;
use crate::view::below;
use crate::view::widgets::{PanelTitle, Placeholder, text};

/// How a resource stands, in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::view) struct Health {
    /// The words.
    pub(in crate::view) text: String,
    /// Whether the reader should worry: stale, or failing.
    pub(in crate::view) is_bad: bool,
}

impl Health {
    /// How `remote` stands: `updated 2 m ago · next in 3 m`, `12 m old · Server error (500) · retrying in 30 s`. What
    /// matters most stands first.
    pub(in crate::view) fn of<T>(remote: Remote<'_, T>, now: UtcTime) -> Health {
        let age = remote.fetched_at().filter(|_| remote.value.is_some()).map(|at| now.since(at));
        let is_stale = remote.is_stale(now);
        let (text, is_bad) = match (age, remote.failure()) {
            (None, None) if remote.is_loading() => (String::from("loading…"), false),
            (None, None) => (String::from("waiting…"), false),
            (None, Some(failure)) => (sentence(failure, remote.is_loading(), now), true),
            (Some(age), Some(failure)) => {
                let sentence = sentence(failure, remote.is_loading(), now);
                (if is_stale { format!("{}{BETWEEN}{sentence}", old(age)) } else { sentence }, true)
            }
            (Some(age), None) if is_stale => {
                let what = if remote.is_loading() { "refreshing…" } else { "waiting to refresh" };
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

    /// The words that fit into `columns`: as many whole parts as there is room for; of what is wrong, also the beginning
    /// of the part after them, with `…`, where that says something.
    pub(in crate::view) fn fitted(&self, columns: u16) -> Cow<'_, str> {
        let head = text::parts(&self.text, columns);
        let rest = self.text.get(head.len()..).unwrap_or("");
        let next = rest.strip_prefix(BETWEEN).unwrap_or(rest).split(BETWEEN).next().unwrap_or("");
        if !self.is_bad || next.is_empty() {
            return Cow::Borrowed(head);
        }
        let gap = if head.is_empty() { "" } else { BETWEEN };
        let room = columns.saturating_sub(text::width(head) + text::width(gap));
        let cut = |room: u16| {
            let words = text::fit(next, room.saturating_sub(1)).rsplit_once(' ').map_or("", |(words, _)| words);
            let words = words.trim_end_matches(':');
            (text::width(words) >= WORTH).then(|| format!("{head}{gap}{words}…"))
        };
        // When it is retried matters more than the end of a long reason.
        let last = self.text.rsplit_once(BETWEEN).map(|(_, last)| last).filter(|last| *last != next);
        let with_last = last.and_then(|last| {
            let cut = cut(room.saturating_sub(text::width(last) + text::width(BETWEEN)))?;
            Some(format!("{cut}{BETWEEN}{last}"))
        });
        with_last.or_else(|| cut(room)).map_or(Cow::Borrowed(head), Cow::Owned)
    }
}

/// What stands between the parts of what is said.
const BETWEEN: &str = " · ";

/// Less of a sentence says nothing.
const WORTH: u16 = 12;

/// Why something failed and what happens next: `Server error (500) · retrying in 30 s`.
pub(in crate::view) fn sentence(failure: &Failure, loading: bool, now: UtcTime) -> String {
    format!("{}{BETWEEN}{}", failure.error.reason(), next_try(failure, loading, now))
}

/// What the screen says already: one outage mostly fails all panels, and is explained once.
#[derive(Debug, Default)]
pub(in crate::view) struct Told {
    reasons: RefCell<Vec<String>>,
    /// The summary line had no room for the reason.
    is_brief: Cell<bool>,
}

impl Told {
    /// Notes that the reason of a failure is said; `false` if it was noted before.
    fn note(&self, failure: &Failure) -> bool {
        let reason = failure.error.reason();
        let is_new = !self.has(&reason);
        if is_new {
            self.reasons.borrow_mut().push(reason);
        }
        is_new
    }

    fn has(&self, reason: &str) -> bool {
        self.reasons.borrow().iter().any(|told| told == reason)
    }

    /// Notes what the summary line says of a failure. If it had no room for the reason, the first panel says that instead
    /// of its age.
    pub(in crate::view) fn note_summary(&self, said: &str, failure: &Failure) {
        if said.contains(text::fit(&failure.error.reason(), WORTH)) {
            self.note(failure);
        } else {
            self.is_brief.set(true);
        }
    }

    /// What is wrong with the screen as a whole, for its summary line, which has the full width: the first failed refresh
    /// of a resource that is shown, with the resource's name if others are well. To be noted with
    /// [`Told::note_summary`].
    pub(in crate::view) fn of_screen<'a>(&self, state: &'a State) -> Option<(Health, &'a Failure)> {
        let requests = demand(state).visible;
        let failure = |request: &Request| state.store.get(request).failure();
        // A token's details are shown even if they failed: its list knows most of them.
        let is_shown = |request: &Request| {
            state.store.get(request).value.is_some() || matches!(request, Request::Brc20Token { .. })
        };
        let request = requests.iter().find(|request| failure(request).is_some() && is_shown(request))?;
        let (remote, failed) = (state.store.get(request), failure(request)?);
        let is_shared = |other: &Request| failure(other).is_some_and(|f| f.error.reason() == failed.error.reason());
        let what = match requests.iter().all(is_shared) {
            true => String::new(),
            false => format!("{}: ", named(request)),
        };
        let text = format!("{what}{}", sentence(failed, remote.is_loading(), state.now));
        Some((Health { text, is_bad: true }, failed))
    }

    /// The health of `remote`; of a failure that was explained before only the age of the value or, while that is fresh,
    /// when the refresh is retried.
    pub(in crate::view) fn health<T>(&self, remote: Remote<'_, T>, now: UtcTime) -> Health {
        let age = remote.fetched_at().filter(|_| remote.value.is_some()).map(|at| now.since(at));
        let Some(failure) = remote.failure() else { return Health::of(remote, now) };
        let next = next_try(failure, remote.is_loading(), now);
        let text = match age.filter(|_| remote.is_stale(now)) {
            Some(_) if self.is_brief.get() && self.note(failure) => sentence(failure, remote.is_loading(), now),
            Some(age) if self.has(&failure.error.reason()) => old(age),
            None if self.has(&failure.error.reason()) => next,
            _ => {
                // Without a value, the sentence in the panel's middle says why.
                if age.is_some() {
                    self.note(failure);
                }
                return Health::of(remote, now);
            }
        };
        Health { text, is_bad: true }
    }

    /// The health of `remote` if it fails for a reason that was not explained yet.
    pub(in crate::view) fn unexplained<T>(&self, remote: Remote<'_, T>, now: UtcTime) -> Option<Health> {
        let failure = remote.failure().filter(|failure| !self.has(&failure.error.reason()));
        failure.map(|_| self.health(remote, now))
    }

    /// As [`missing`], without a reason that was told already.
    pub(in crate::view) fn missing<T>(
        &self,
        buf: &mut Buffer,
        area: Rect,
        remote: Remote<'_, T>,
        what: &str,
        state: &State,
        theme: &Theme,
    ) {
        if let Some(failure) = remote.failure().filter(|failure| !self.note(failure)) {
            let next = next_try(failure, remote.is_loading(), state.now);
            return Placeholder::failed(&format!("Can't load {what}{BETWEEN}{next}")).theme(theme).render(area, buf);
        }
        missing(buf, area, remote, what, state, theme);
    }
}

/// What a request is of, in a word.
fn named(request: &Request) -> &'static str {
    match request {
        Request::Coins { .. } => "price",
        Request::Posts { .. } => "posts",
        Request::MarketPairs { .. } => "markets",
        Request::Chart { .. } => "chart",
        Request::MarketData { .. } | Request::CategoryStats { .. } => "trends",
        Request::Brc20Tokens { .. } => "tokens",
        Request::Brc20Token { .. } => "details",
        Request::Brc20Holders { .. } => "holders",
        Request::Brc20Balances { .. } => "balances",
        Request::Brc20Activity { .. } => "activity",
        Request::Sat { .. } => "sat",
        Request::Inscription { .. } => "inscription",
        Request::InscriptionContent { .. } => "content",
        Request::SatInscriptions { .. } | Request::Inscriptions { .. } => "inscriptions",
        Request::InscriptionStats { .. } => "statistics",
    }
}

/// Says why there is nothing to show of `remote`, where its content would stand: it is loading, or it failed, why, and
/// when it is retried. `what` is what it would be: `coins`.
pub(in crate::view) fn missing<T>(
    buf: &mut Buffer,
    area: Rect,
    remote: Remote<'_, T>,
    what: &str,
    state: &State,
    theme: &Theme,
) {
    let Some(failure) = remote.failure() else {
        return Placeholder::loading(&format!("Loading {what}…")).theme(theme).render(area, buf);
    };
    let mut next = next_try(failure, remote.is_loading(), state.now);
    if let Some(key) = state.keys().name(Command::Refresh, state.screen(), Glyphs::Ascii)
        && !remote.is_loading()
    {
        next.push_str(&format!(" ({key}: now)"));
    }
    let area = area.intersection(buf.area);
    let words = text::shifted(area, FAILED_INDENT);
    Placeholder::failed("").theme(theme).render(area, buf);
    let reason = failure.error.reason();
    let whole = format!("{reason}{BETWEEN}{next}");
    if text::width(&whole) <= words.width {
        text::put(buf, text::line(words, 0), &whole, theme.dim);
        return;
    }
    // However many words a service has for its failure, there is room for when it is retried.
    let kept = u16::try_from(text::wrap(&next, words.width).count()).unwrap_or(u16::MAX).min(area.height / 2);
    let rows = text::paragraph(buf, Rect { height: area.height - kept, ..words }, &reason, theme.dim);
    text::paragraph(buf, Rect { height: kept, ..below(words, rows) }, &next, theme.dim);
}

/// The columns that stand before the words of a failure: ` × `.
const FAILED_INDENT: u16 = 3;

/// Paints a panel's title with as much of what is wrong with the content at its right as there is room for: an error
/// moves nothing. Returns the area that is left for the content.
pub(in crate::view) fn title(
    buf: &mut Buffer,
    area: Rect,
    panel: PanelTitle<'_>,
    trouble: Option<&Health>,
    theme: &Theme,
) -> Rect {
    let said = trouble.map(|trouble| trouble.fitted(panel.room(area.width)));
    match &said {
        Some(said) if !panel.has_right() => panel.right(said, theme.warn).render(area, buf),
        _ => panel.render(area, buf),
    }
    panel.inner(area)
}

/// [`title`] of a panel that always says its health: in the title if it `has` content or is well; without content, the
/// reason is in its empty middle.
pub(in crate::view) fn titled(
    buf: &mut Buffer,
    area: Rect,
    panel: PanelTitle<'_>,
    health: &Health,
    has: bool,
    theme: &Theme,
) -> Rect {
    if has || !health.is_bad {
        panel.right(&health.fitted(panel.room(area.width)), health.style(theme)).render(area, buf);
    } else {
        panel.render(area, buf);
    }
    panel.inner(area)
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

/// When a failed fetch is retried: `retrying in 30 s`.
pub(in crate::view) fn next_try(failure: &Failure, loading: bool, now: UtcTime) -> String {
    match failure.next_try {
        _ if loading => String::from("retrying…"),
        Some(at) if at > now => format!("retrying {}", Until(at.since(now))),
        Some(_) => String::from("retrying now"),
        None => String::from("no automatic retry"),
    }
}

fn next_refresh<T>(remote: Remote<'_, T>, now: UtcTime) -> String {
    match remote.fresh_until() {
        _ if remote.is_loading() => String::from("refreshing…"),
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
