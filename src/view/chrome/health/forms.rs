//! The forms of a problem's text: where there is little room, the host, the provider and the end of the reason are left
//! out before the time of the retry.

use std::borrow::Cow;

use crate::app::responses::Failure;
use crate::model::ProviderName;
use crate::view::widgets::text;

/// The separator between parts.
pub(super) const SEPARATOR: &str = " · ";

/// The next step while updates are paused.
pub(in crate::view) const PAUSED: &str = "paused";

/// Minimum columns of a part that is cut off.
pub(super) const MIN_PART: u16 = 12;

/// The reason if there is no room for any other one.
const FAILED: &str = "failed";

/// The parts of a text that have shorter forms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::view) struct Parts {
    /// The reason of the failure, its longest form first; empty without a failure.
    pub(super) reasons: Vec<String>,
    /// The provider before the age, if its terms don't require it.
    pub(super) source: Option<String>,
    /// The first part of the text if values would be misread without it, such as `in USD`.
    pub(super) label: Option<String>,
}

impl Parts {
    /// The parts of a text with the reason of `failure`.
    pub(super) fn of(failure: &Failure) -> Parts {
        let mut reasons = vec![failure.error.reason()];
        reasons.extend(failure.error.short_reasons());
        Parts { reasons, ..Parts::default() }
    }

    /// A text that begins with the provider, without it if it isn't required.
    pub(super) fn without_source<'a>(&self, text: &'a str) -> &'a str {
        let source = self.source.as_deref();
        source.and_then(|source| text.strip_prefix(source)?.strip_prefix(SEPARATOR)).unwrap_or(text)
    }

    /// The text with its first short reason.
    pub(super) fn brief(&self, text: &str) -> String {
        let whole = || Some((Split::new(text, self)?, self.reasons.get(1).or_else(|| self.reasons.first())?));
        whole().map_or_else(|| text.to_owned(), |(split, reason)| split.with(reason, split.next))
    }

    /// The longest form of a problem's `text` that fits into `columns`: with its age, reason and retry if possible. Words
    /// are never cut.
    pub(super) fn fitted<'a>(&self, text: &'a str, columns: u16) -> Cow<'a, str> {
        if text::width(text) <= columns {
            return Cow::Borrowed(text);
        }
        let fits = |form: &String| text::width(form) <= columns;
        let form = Split::new(text, self).and_then(|split| split.forms(&self.reasons, columns).into_iter().find(fits));
        form.map_or_else(|| beginning(self.without_source(text), columns), Cow::Owned)
    }
}

/// A text, split at its reason.
struct Split<'a> {
    /// The age and what is before it, up to the reason.
    before: String,
    /// The time of the retry.
    next: &'a str,
    /// [`Parts::label`].
    label: Option<&'a str>,
}

impl<'a> Split<'a> {
    /// `None` if `text` has no reason with a next step after it.
    fn new(text: &'a str, parts: &'a Parts) -> Option<Split<'a>> {
        let (before, after) = text.split_once(parts.reasons.first()?.as_str())?;
        let next = after.strip_prefix(SEPARATOR)?.split(SEPARATOR).next()?;
        let source = parts.source.as_ref().map(|source| format!("{source}{SEPARATOR}"));
        let before = source.map_or_else(|| before.to_owned(), |source| before.replacen(&source, "", 1));
        Some(Split { before, next, label: parts.label.as_deref() })
    }

    fn with(&self, reason: &str, next: &str) -> String {
        format!("{}{reason}{SEPARATOR}{next}", self.before)
    }

    /// The forms, the best first.
    fn forms(&self, reasons: &[String], columns: u16) -> Vec<String> {
        let mut forms: Vec<String> = reasons.iter().map(|reason| self.with(reason, self.next)).collect();
        let short_next = self.next.replacen("retrying in", "retry in", 1);
        match reasons {
            // Without a short form, as many words as possible.
            [reason] => {
                let room = columns.saturating_sub(text::width(&self.with("", self.next)));
                forms.extend(cut(reason, room).map(|words| self.with(&words, self.next)));
            }
            _ => forms.extend(reasons.last().map(|shortest| self.with(shortest, &short_next))),
        }
        forms.push(self.with(FAILED, self.next));
        forms.push(self.with(FAILED, &short_next));
        // A retry implies a failure, but a pause doesn't.
        if self.next != PAUSED {
            forms.push(format!("{}{short_next}", self.before));
            // The retry is more important than the age.
            forms.push(format!("{}{short_next}", self.without_age()));
        }
        forms.extend([self.before.strip_suffix(SEPARATOR), self.label].into_iter().flatten().map(String::from));
        forms
    }

    /// What is before the reason, without its last part, usually the age. A label and a required provider stay.
    fn without_age(&self) -> &str {
        let Some(parts) = self.before.strip_suffix(SEPARATOR) else { return "" };
        let last = parts.rsplit(SEPARATOR).next().unwrap_or(parts);
        let mut required = ProviderName::ALL.into_iter().filter_map(ProviderName::attribution);
        match self.label == Some(last) || required.any(|words| last.contains(words)) {
            true => &self.before,
            false => parts.strip_suffix(last).unwrap_or(""),
        }
    }
}

/// As many whole parts of `text` as fit into `columns`, and the beginning of the next part with `…` if it is long enough
/// to be useful.
fn beginning(text: &str, columns: u16) -> Cow<'_, str> {
    let head = text::parts(text, columns);
    let rest = text.get(head.len()..).unwrap_or("");
    let next = rest.strip_prefix(SEPARATOR).unwrap_or(rest).split(SEPARATOR).next().unwrap_or("");
    let gap = if head.is_empty() { "" } else { SEPARATOR };
    let room = columns.saturating_sub(text::width(head) + text::width(gap));
    // The time of the retry is more important than the end of a long reason.
    let last = text.rsplit_once(SEPARATOR).map(|(_, last)| last).filter(|last| *last != next);
    let with_last = last.and_then(|last| {
        let words = cut(next, room.saturating_sub(text::width(last) + text::width(SEPARATOR)))?;
        Some(format!("{head}{gap}{words}{SEPARATOR}{last}"))
    });
    let without_last = || cut(next, room).map(|words| format!("{head}{gap}{words}"));
    with_last.or_else(without_last).map_or(Cow::Borrowed(head), Cow::Owned)
}

/// The first words of `part` that fit into `columns`, with `…`; `None` if they are too few to be useful.
fn cut(part: &str, columns: u16) -> Option<String> {
    let words = text::fit(part, columns.saturating_sub(1)).rsplit_once(' ').map_or("", |(words, _)| words);
    let words = words.trim_end_matches(':');
    (text::width(words) >= MIN_PART).then(|| format!("{words}…"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_forms_keep_the_age_and_the_retry() {
        let parts = Parts {
            reasons: ["Can't reach 127.0.0.1:8080 (connection refused)", "connection refused", "refused"]
                .map(String::from)
                .to_vec(),
            source: Some(String::from("Binance")),
            label: None,
        };
        let text = "Binance · 2 m old · Can't reach 127.0.0.1:8080 (connection refused) · retrying in 10 s";
        for (columns, form) in [
            (86, text),
            (85, "2 m old · Can't reach 127.0.0.1:8080 (connection refused) · retrying in 10 s"),
            (76, "2 m old · Can't reach 127.0.0.1:8080 (connection refused) · retrying in 10 s"),
            (75, "2 m old · connection refused · retrying in 10 s"),
            (47, "2 m old · connection refused · retrying in 10 s"),
            (46, "2 m old · refused · retrying in 10 s"),
            (36, "2 m old · refused · retrying in 10 s"),
            (35, "2 m old · refused · retry in 10 s"),
            (33, "2 m old · refused · retry in 10 s"),
            (32, "2 m old · failed · retry in 10 s"),
            (31, "2 m old · retry in 10 s"),
            (23, "2 m old · retry in 10 s"),
            (22, "retry in 10 s"),
            (13, "retry in 10 s"),
            (12, "2 m old"),
        ] {
            assert_eq!(parts.fitted(text, columns), form, "{columns}");
        }
        assert_eq!(parts.brief(text), "2 m old · connection refused · retrying in 10 s");
    }

    #[test]
    fn pause_is_shown_with_the_failure() {
        let parts =
            Parts { reasons: vec![String::from("Server error (500)"), String::from("error 500")], ..Parts::default() };
        for (columns, form) in [
            (39, "2 m old · Server error (500) · paused"),
            (36, "2 m old · error 500 · paused"),
            (27, "2 m old · failed · paused"),
        ] {
            assert_eq!(parts.fitted("2 m old · Server error (500) · paused", columns), form, "{columns}");
        }
    }

    #[test]
    fn required_provider_and_retry_are_more_important_than_the_age() {
        let parts =
            Parts { reasons: vec![String::from("Server error (500)"), String::from("error 500")], ..Parts::default() };
        let text = "Powered by CoinGecko · 2 m old · Server error (500) · retrying in 10 s";
        for (columns, form) in [
            (69, "Powered by CoinGecko · 2 m old · error 500 · retrying in 10 s"),
            (46, "Powered by CoinGecko · 2 m old · retry in 10 s"),
            (45, "Powered by CoinGecko · retry in 10 s"),
            (36, "Powered by CoinGecko · retry in 10 s"),
            (35, "Powered by CoinGecko · 2 m old"),
            (29, "Powered by CoinGecko"),
        ] {
            assert_eq!(parts.fitted(text, columns), form, "{columns}");
        }
        // Fresh data have no age.
        let text = "Powered by CoinGecko · Server error (500) · retrying in 10 s";
        for (columns, form) in [(36, "Powered by CoinGecko · retry in 10 s"), (35, "Powered by CoinGecko")] {
            assert_eq!(parts.fitted(text, columns), form, "{columns}");
        }
        let text = "in EUR · Powered by CoinGecko · 2 m old · Server error (500) · retrying in 10 s";
        assert_eq!(parts.fitted(text, 45), "in EUR · Powered by CoinGecko · retry in 10 s");
    }

    #[test]
    fn label_is_never_left_out() {
        let reasons = ["Can't reach 127.0.0.1:8080 (connection refused)", "connection refused", "refused"];
        let label = Some(String::from("in USD"));
        let parts = Parts { reasons: reasons.map(String::from).to_vec(), source: None, label };
        for before in ["in USD", "in USD · 2 m old"] {
            let text = format!("{before} · {} · retrying in 10 s", reasons[0]);
            for (columns, form) in [(22, "in USD · retry in 10 s"), (15, "in USD"), (6, "in USD")] {
                assert_eq!(parts.fitted(&text, columns), form, "{before} {columns}");
            }
        }
    }

    #[test]
    fn provider_that_is_not_required_is_left_out_without_a_failure_too() {
        let parts = Parts { source: Some(String::from("Binance")), ..Parts::default() };
        let text = "Binance · 2 m old · waiting to refresh";
        for (columns, form) in [(38, text), (37, "2 m old · waiting to refresh"), (9, "2 m old")] {
            assert_eq!(parts.fitted(text, columns), form, "{columns}");
        }
    }

    #[test]
    fn reason_without_a_short_form_is_cut_between_words() {
        let parts =
            Parts { reasons: vec![String::from("CoinPaprika and CoinGecko: server error (503)")], ..Parts::default() };
        let text = "2 m old · CoinPaprika and CoinGecko: server error (503) · retrying in 10 s";
        for (columns, form) in [
            (74, text),
            (73, "2 m old · CoinPaprika and CoinGecko: server error… · retrying in 10 s"),
            (60, "2 m old · CoinPaprika and CoinGecko… · retrying in 10 s"),
            (40, "2 m old · failed · retrying in 10 s"),
        ] {
            assert_eq!(parts.fitted(text, columns), form, "{columns}");
        }
    }
}
