//! Why there is no content, in its place.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::parts::{Part, SEPARATOR};
use crate::app::responses::Failure;
use crate::app::{Remote, State};
use crate::client::{ErrorKind, Group};
use crate::glyphs::Glyphs;
use crate::keymap::Command;
use crate::theme::Theme;
use crate::view::area::below;
use crate::view::widgets::{Placeholder, text};

/// Minimum rows for a reason, the time of the retry and the way back to simulated data.
pub(in crate::view) const MIN_REASON: u16 = 3;

/// Columns of ` × ` before the text of a failure.
const FAILED_INDENT: u16 = 3;

/// Content that is missing: it is loading, or it failed, why, and when it is retried.
pub(in crate::view) struct Missing<'a, T> {
    remote: Remote<'a, T>,
    what: &'a str,
    group: Option<Group>,
    state: &'a State,
    theme: &'a Theme,
}

impl<'a, T> Missing<'a, T> {
    /// The content `what` of the response `remote`: `coins`.
    pub(in crate::view) fn new(
        remote: Remote<'a, T>,
        what: &'a str,
        state: &'a State,
        theme: &'a Theme,
    ) -> Missing<'a, T> {
        Missing { remote, what, group: None, state, theme }
    }

    /// Adds the way back to simulated data while the live data of `group` fails.
    #[must_use]
    pub(in crate::view) fn of(self, group: Group) -> Missing<'a, T> {
        Missing { group: Some(group), ..self }
    }

    /// The failure, unless the looked-up item doesn't exist.
    pub(super) fn fault(&self) -> Option<&'a Failure> {
        self.remote.failure().filter(|failure| failure.not_found.is_none())
    }

    /// Paints why there is no content.
    pub(in crate::view) fn paint(&self, buf: &mut Buffer, area: Rect) {
        let fault = self.fault();
        // Reserve room for the way back, however long the reason is.
        let is_reserved = fault.is_some() && area.height >= MIN_REASON && self.way_back().is_some();
        let place = Rect { height: area.height.saturating_sub(u16::from(is_reserved)), ..area };
        let rows = self.paint_reason(buf, place);
        if fault.is_some() {
            self.paint_way_back(buf, below(area, rows));
        }
    }

    /// Paints the reason. Returns the rows used.
    pub(super) fn paint_reason(&self, buf: &mut Buffer, area: Rect) -> u16 {
        let Some(failure) = self.remote.failure() else {
            Placeholder::loading(&format!("Loading {}…", self.what)).theme(self.theme).render(area, buf);
            return 1;
        };
        if let Some(words) = &failure.not_found {
            Placeholder::empty(words).theme(self.theme).render(area, buf);
            return 1;
        }
        self.paint_failure(buf, area, failure)
    }

    /// Paints that the content failed and when it is retried, without the reason. Returns the rows used.
    pub(super) fn paint_without_reason(&self, buf: &mut Buffer, area: Rect, failure: &Failure) -> u16 {
        let next = Part::next_try(failure, self.remote.is_loading(), self.state.now);
        let whole = |next: &str| format!("Can't load {}{SEPARATOR}{next}", self.what);
        // In one line if possible, or else wrapped.
        let words = text::longest(next.forms().map(whole), area.width.saturating_sub(FAILED_INDENT));
        let words = words.unwrap_or_else(|| whole(next.text()));
        Placeholder::failed(&words).theme(self.theme).render(area, buf);
        1
    }

    /// Paints the way back to simulated data below the reason why the live data fail: `press L for simulated data`.
    /// Returns whether there is one.
    pub(super) fn paint_way_back(&self, buf: &mut Buffer, area: Rect) -> bool {
        let words = self.way_back().filter(|_| !area.is_empty());
        if let Some(words) = &words {
            text::put(buf, text::line(text::shifted(area, FAILED_INDENT), 0), words, self.theme.dim);
        }
        words.is_some()
    }

    fn way_back(&self) -> Option<String> {
        simulated_data(self.group?, self.state)
    }

    /// Paints why the content could not be loaded, and when it is retried. Returns the rows used.
    fn paint_failure(&self, buf: &mut Buffer, area: Rect, failure: &Failure) -> u16 {
        let (state, theme, is_loading) = (self.state, self.theme, self.remote.is_loading());
        let mut next = Part::next_try(failure, is_loading, state.now).text().to_owned();
        // While the service limits requests, not even a manual refresh is sent more often.
        let is_limited = matches!(failure.error.kind, ErrorKind::RateLimited { .. });
        let is_too_early = is_limited && state.manual_refresh.is_too_early(state.now);
        let must_wait = is_too_early || failure.must_wait(state.now);
        if let Some(key) = state.keys().name(Command::Refresh, state.screen_context(), Glyphs::Ascii)
            && !is_loading
            && !must_wait
        {
            next.push_str(&format!(" ({key}: now)"));
        }
        let area = area.intersection(buf.area);
        let words = text::shifted(area, FAILED_INDENT);
        Placeholder::failed("").theme(theme).render(area, buf);
        let reason = failure.error.reason();
        let whole = format!("{reason}{SEPARATOR}{next}");
        if text::width(&whole) <= words.width {
            text::put(buf, text::line(words, 0), &whole, theme.dim);
            return 1;
        }
        // Reserve room for the time of the retry, however long the service's error message is.
        let kept = u16::try_from(text::wrap(&next, words.width).count()).unwrap_or(u16::MAX).min(area.height / 2);
        let rows = text::paragraph(buf, Rect { height: area.height - kept, ..words }, &reason, theme.dim);
        rows + text::paragraph(buf, Rect { height: kept, ..below(words, rows) }, &next, theme.dim)
    }
}

/// How to replace the live data of `group` with simulated data; `None` if it is of a configured service.
pub(in crate::view) fn simulated_data(group: Group, state: &State) -> Option<String> {
    let key = state.keys().name(Command::ToggleLive, state.screen_context(), Glyphs::Ascii)?;
    state.has_live(group).then(|| format!("press {key} for simulated data"))
}
