//! The parts of a text about freshness or a failure, and which of them are shown where there is little room: the age
//! stays, then the reason, then what happens next. Numbers are never cut.

use std::borrow::Cow;
use std::fmt;

use crate::app::responses::Failure;
use crate::client::Error;
use crate::format::Until;
use crate::model::UtcTime;
use crate::view::widgets::text;

/// The separator between parts.
pub(super) const SEPARATOR: &str = " · ";

/// The next step while updates are paused.
pub(in crate::view) const PAUSED: &str = "paused";

/// Minimum columns of a part that is cut off.
const MIN_CUT: u16 = 12;

/// The reason if there is no room for any other one.
const FAILED: &str = "failed";

/// What a part is about, the most important kind first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::view) enum Kind {
    /// The currency of the values, without which they would be misread: `in USD`.
    Currency,
    /// A provider with the words that its terms require: `Powered by CoinGecko`.
    Attribution,
    /// What a problem is about, or the problem itself: `Can't load more`, `prices end 21 Nov 10:00`.
    Note,
    /// The age of the values: `2 m old`.
    Age,
    /// Why a request failed: `Server error (500)`.
    Reason,
    /// What happens next: `retrying in 30 s`.
    Next,
    /// A provider whose terms require no words, or a count.
    Detail,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::view) struct Part {
    kind: Kind,
    text: Cow<'static, str>,
    /// The shorter forms, the longest first.
    shorter: Vec<Cow<'static, str>>,
    /// The form if there is no room for any other one; empty if there is none.
    least: Cow<'static, str>,
}

impl Part {
    /// A part with only one form.
    pub(in crate::view) fn new(kind: Kind, text: impl Into<Cow<'static, str>>) -> Part {
        Part { kind, text: text.into(), shorter: Vec::new(), least: Cow::Borrowed("") }
    }

    /// What a problem is about, or the problem itself.
    pub(in crate::view) fn note(text: impl Into<Cow<'static, str>>) -> Part {
        Part::new(Kind::Note, text)
    }

    /// A reason that isn't an error.
    pub(in crate::view) fn reason(text: String) -> Part {
        Part { least: Cow::Borrowed(FAILED), ..Part::new(Kind::Reason, text) }
    }

    /// Why a request failed, after the name of what failed: `chart: Server error (500)`. Without a name if it is empty.
    pub(super) fn of_error(what: &str, error: &Error) -> Part {
        let named = |reason: String| if what.is_empty() { reason } else { format!("{what}: {reason}") };
        let shorter = error.short_reasons().into_iter().map(|reason| Cow::Owned(named(reason))).collect();
        let least = if what.is_empty() { Cow::Borrowed(FAILED) } else { Cow::Owned(named(FAILED.to_owned())) };
        Part { shorter, least, ..Part::new(Kind::Reason, named(error.reason())) }
    }

    /// When a failed request is retried: `retrying in 30 s`.
    pub(super) fn next_try(failure: &Failure, is_loading: bool, now: UtcTime) -> Part {
        Part::retry(failure.next_try, is_loading, now)
    }

    /// The next try like [`Part::next_try`], for a retry at this time, if there is one.
    pub(in crate::view) fn retry(at: Option<UtcTime>, is_loading: bool, now: UtcTime) -> Part {
        match at {
            _ if is_loading => Part::new(Kind::Next, "retrying…"),
            Some(at) if at > now => Part::retrying(Until(at.since(now))),
            Some(_) => Part::new(Kind::Next, "retrying now"),
            None => Part::new(Kind::Next, "no automatic retry"),
        }
    }

    fn retrying(until: impl fmt::Display) -> Part {
        let shorter = vec![Cow::Owned(format!("retry {until}"))];
        Part { shorter, ..Part::new(Kind::Next, format!("retrying {until}")) }
    }

    /// What it is about.
    pub(in crate::view) fn kind(&self) -> Kind {
        self.kind
    }

    /// The longest form.
    pub(in crate::view) fn text(&self) -> &str {
        &self.text
    }

    /// The longest short form; the longest form if there is none.
    fn brief(&self) -> &str {
        self.shorter.first().unwrap_or(&self.text)
    }

    /// The forms, the longest first, without the least one.
    pub(super) fn forms(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.text).chain(&self.shorter).map(|form| &**form)
    }
}

/// A text that fits into the room for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::view) struct Fitted {
    /// The text.
    pub(in crate::view) text: String,
    /// Whether it has the reason of a failure.
    pub(in crate::view) has_reason: bool,
}

/// The text with all parts in their longest forms.
pub(super) fn whole(parts: &[Part]) -> String {
    joined(parts.iter().map(Part::text))
}

/// The text without details and with a short reason.
pub(super) fn brief(parts: &[Part]) -> String {
    joined(parts.iter().filter_map(|part| match part.kind {
        Kind::Detail => None,
        Kind::Reason => Some(part.brief()),
        _ => Some(part.text()),
    }))
}

/// As many parts in their longest forms as fit into `columns`, without the last ones.
pub(super) fn first_parts(parts: &[Part], columns: u16) -> Fitted {
    let mut heads = (0..=parts.len()).rev().filter_map(|count| parts.get(..count)).map(whole);
    let text = heads.find(|text| text::width(text) <= columns).unwrap_or_default();
    Fitted { text, has_reason: false }
}

/// The best form of a problem's text that fits into `columns`: first without details, then with a shorter reason or
/// next step, then without the next step, then without the reason.
pub(super) fn fitted(parts: &[Part], columns: u16) -> Fitted {
    let reason = parts.iter().find(|part| part.kind == Kind::Reason);
    let all = whole(parts);
    if text::width(&all) <= columns {
        return Fitted { text: all, has_reason: reason.is_some() };
    }
    let next = parts.iter().find(|part| part.kind == Kind::Next);
    let forms = Forms { parts, columns };
    reason
        .and_then(|reason| forms.with_reason(reason, next))
        .or_else(|| Some(Fitted { text: forms.with_next(&[None], next?)?, has_reason: false }))
        .unwrap_or_else(|| Fitted { text: forms.facts(), has_reason: false })
}

/// The forms of a text without its details.
struct Forms<'a> {
    parts: &'a [Part],
    columns: u16,
}

impl Forms<'_> {
    /// The text with these forms of the reason and the next step, or without these parts.
    fn text(&self, reason: Option<&str>, next: Option<&str>) -> String {
        joined(self.parts.iter().filter_map(|part| match part.kind {
            Kind::Reason => reason,
            Kind::Next => next,
            Kind::Detail => None,
            _ => Some(part.text()),
        }))
    }

    /// The text like [`Forms::text`]; `None` if it doesn't fit.
    fn fitting(&self, reason: Option<&str>, next: Option<&str>) -> Option<String> {
        Some(self.text(reason, next)).filter(|text| text::width(text) <= self.columns)
    }

    /// The text with the longest form of what happens next, and of that with the first of these reasons that fits.
    fn with_next(&self, reasons: &[Option<&str>], next: &Part) -> Option<String> {
        next.forms().find_map(|next| reasons.iter().find_map(|reason| self.fitting(*reason, Some(next))))
    }

    /// The text with the beginning of a reason that has no short form.
    fn with_beginning(&self, reason: &Part, next: Option<&str>) -> Option<String> {
        // The room is what the other parts and the separators leave.
        let others = text::width(&self.text(Some(""), next));
        let words = cut(&reason.text, self.columns.saturating_sub(others)).filter(|_| reason.shorter.is_empty())?;
        self.fitting(Some(&words), next)
    }

    /// The text with a reason, and with what happens next if there is room for it; `None` if no form of the reason fits.
    fn with_reason(&self, reason: &Part, next: Option<&Part>) -> Option<Fitted> {
        let reasons: Vec<Option<&str>> = reason.forms().map(Some).collect();
        let least = Some(&*reason.least).filter(|least| !least.is_empty());
        let has_reason = |text: String| Fitted { text, has_reason: true };
        let has_none = |text: String| Fitted { text, has_reason: false };
        let beside_next = next.and_then(|next| {
            let text = self.with_next(&reasons, next).or_else(|| self.with_beginning(reason, Some(next.text())));
            // A retry implies a failure, but a pause doesn't.
            let needs_least = reason.shorter.is_empty() || next.text == PAUSED;
            let with_least = || self.with_next(&[Some(least.filter(|_| needs_least)?)], next);
            text.map(has_reason).or_else(|| with_least().map(has_none))
        });
        let alone = || {
            let text = reasons.iter().find_map(|reason| self.fitting(*reason, None));
            let text = text.or_else(|| self.with_beginning(reason, None));
            text.map(has_reason).or_else(|| self.fitting(Some(least?), None).map(has_none))
        };
        beside_next.or_else(alone)
    }

    /// The most important other parts that fit.
    fn facts(&self) -> String {
        let is_fact = |part: &&Part| part.kind < Kind::Reason;
        let facts = self.parts.iter().filter(is_fact);
        let mut facts: Vec<(Kind, Cow<'_, str>)> = facts.map(|part| (part.kind, Cow::Borrowed(part.text()))).collect();
        loop {
            let text = joined(facts.iter().map(|(_, text)| &**text));
            if text::width(&text) <= self.columns {
                return text;
            }
            // The last one of the least important ones.
            let least = facts.iter().enumerate().max_by_key(|(_, (kind, _))| *kind);
            let Some(index) = least.map(|(index, _)| index) else { return String::new() };
            let (kind, text) = facts.remove(index);
            let others: u16 = facts.iter().map(|(_, other)| text::width(other) + text::width(SEPARATOR)).sum();
            if kind == Kind::Note
                && let Some(words) = cut(&text, self.columns.saturating_sub(others))
            {
                facts.insert(index, (kind, Cow::Owned(words)));
            }
        }
    }
}

fn joined<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for (index, part) in parts.enumerate() {
        text.push_str(if index == 0 { "" } else { SEPARATOR });
        text.push_str(part);
    }
    text
}

/// The first words of `part` that fit into `columns`, with `…`; `None` if they are too few to be useful.
fn cut(part: &str, columns: u16) -> Option<String> {
    let words = text::fit(part, columns.saturating_sub(1)).rsplit_once(' ').map_or("", |(words, _)| words);
    let words = words.trim_end_matches(':');
    (text::width(words) >= MIN_CUT).then(|| format!("{words}…"))
}

#[cfg(test)]
mod tests;
