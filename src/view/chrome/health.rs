//! How fresh data is, and why it is missing. A blank panel always has a reason, and old data is never shown as
//! new.

pub(in crate::view) mod explained;
mod forms;

use std::borrow::Cow;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::Widget;

pub(in crate::view) use self::forms::PAUSED;
use self::forms::{Parts, SEPARATOR};
use crate::app::responses::{Entry, Failure};
use crate::app::{Remote, State};
use crate::client::{ErrorKind, Group};
use crate::format::{Age, Until};
use crate::glyphs::Glyphs;
use crate::keymap::Command;
use crate::model::{ProviderName, UtcTime, provider};
use crate::theme::Theme;
use crate::view::area::below;
use crate::view::widgets::{PanelTitle, Placeholder, text};

/// The state of a resource in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::view) struct Health {
    /// The text.
    pub(in crate::view) text: String,
    /// Whether it is stale or failing.
    pub(in crate::view) is_bad: bool,
    /// The parts with shorter forms.
    pub(in crate::view) parts: Parts,
}

impl Health {
    /// A problem with this text; no problem if it is empty.
    pub(in crate::view) fn problem(text: String) -> Health {
        Health { is_bad: !text.is_empty(), text, parts: Parts::default() }
    }

    /// A problem with this text, which contains the reason of `failure` and the time of its retry.
    pub(in crate::view) fn failing(text: String, failure: &Failure) -> Health {
        Health { text, is_bad: true, parts: Parts::of(failure) }
    }

    /// The state of `remote`: `updated 2 m ago · next in 3 m`, `12 m old · Server error (500) · retrying in 30 s`, or
    /// while updates are paused `12 m old · paused`. The most important part comes first; before it, the data's
    /// provider with the required attribution.
    pub(in crate::view) fn of<T>(remote: Remote<'_, T>, state: &State) -> Health {
        Health::with_providers(remote, remote.provider().unwrap_or_default(), state)
    }

    /// Like [`Health::of`], with the providers of everything that is shown.
    pub(in crate::view) fn with_providers<T>(remote: Remote<'_, T>, providers: &str, state: &State) -> Health {
        let Health { text, is_bad, parts } = Health::uncredited(remote, providers, state);
        // The reason may already name the provider, but not as its terms require.
        let titles = provider::titles(providers);
        let is_named = titles.split(provider::SEPARATOR).all(|title| text.contains(title));
        let credit = if is_named { provider::attributions(providers) } else { provider::credits(providers) };
        match is_bad && remote.value.is_some() && !credit.is_empty() {
            true => {
                let text = format!("{credit}{SEPARATOR}{text}");
                let source = provider::attributions(providers).is_empty().then_some(credit);
                Health { text, is_bad, parts: Parts { source, ..parts } }
            }
            false => Health { text, is_bad, parts },
        }
    }

    /// The state of a coin's last known values, from `providers` and as of `at`: `2 m old · not in any list`, or why
    /// the response is missing. `remote` is the request for the coin.
    pub(in crate::view) fn of_last<T>(
        remote: Remote<'_, T>,
        at: Option<UtcTime>,
        providers: &str,
        state: &State,
    ) -> Health {
        let why = match remote.failure() {
            Some(failure) => sentence(failure, remote.is_loading(), state.now),
            None if remote.value.is_some() => String::from("not in any list"),
            None if remote.is_loading() => String::from("refreshing…"),
            None => String::from("waiting to refresh"),
        };
        let age = at.map(|at| old(state.now.since(at)));
        let credit = Some(provider::credits(providers)).filter(|credit| !credit.is_empty());
        let source = credit.clone().filter(|_| provider::attributions(providers).is_empty());
        let words: Vec<String> = credit.into_iter().chain(age).chain(Some(why)).collect();
        let parts = Parts { source, ..remote.failure().map(Parts::of).unwrap_or_default() };
        Health { text: words.join(SEPARATOR), is_bad: true, parts }
    }

    /// Like [`Health::of`], for a panel whose title names the provider.
    fn uncredited<T>(remote: Remote<'_, T>, providers: &str, state: &State) -> Health {
        let now = state.now;
        let is_paused = is_paused(remote, state);
        let age = remote.updated_at().filter(|_| remote.value.is_some()).map(|at| now.since(at));
        let is_stale = remote.is_stale(now);
        let (text, is_bad) = match (age, remote.failure()) {
            (None, None) if remote.is_loading() => (String::from("loading…"), false),
            (None, None) => (String::from("waiting…"), false),
            (None, Some(failure)) => (sentence(failure, remote.is_loading(), now), failure.not_found.is_none()),
            (Some(age), Some(failure)) => {
                let sentence = format!("{}{SEPARATOR}{}", failure.error.reason(), next_step(failure, remote, state));
                let sentence = failure.not_found.as_ref().map_or(sentence, ToString::to_string);
                (if is_stale || age >= MIN_AGE { format!("{}{SEPARATOR}{sentence}", old(age)) } else { sentence }, true)
            }
            (Some(age), None) if is_stale => {
                let what = match remote.is_loading() {
                    true => "refreshing…",
                    false if is_paused => PAUSED,
                    false => "waiting to refresh",
                };
                (format!("{}{SEPARATOR}{what}", old(age)), true)
            }
            (Some(age), None) => {
                let named = Some(providers).filter(|providers| !providers.is_empty());
                let updated = named.and_then(|providers| source_of(remote, providers, now));
                let updated = updated.unwrap_or_else(|| format!("updated {}", ago(age)));
                let next = if is_paused { String::from(PAUSED) } else { next_refresh(remote, now) };
                (format!("{updated}{SEPARATOR}{next}"), false)
            }
        };
        Health { text, is_bad, parts: remote.failure().map(Parts::of).unwrap_or_default() }
    }

    /// The same after a label without which the values would be misread, such as `in USD`.
    #[must_use]
    pub(in crate::view) fn labelled(self, label: String) -> Health {
        let more = if self.text.is_empty() { String::new() } else { format!("{SEPARATOR}{}", self.text) };
        Health { text: format!("{label}{more}"), is_bad: true, parts: Parts { label: Some(label), ..self.parts } }
    }

    /// The style of the text.
    pub(in crate::view) fn style(&self, theme: &Theme) -> Style {
        if self.is_bad { theme.warn } else { theme.dim }
    }

    /// The longest form of the text that fits into `columns`: with its age, reason and retry if possible.
    pub(in crate::view) fn fitted(&self, columns: u16) -> Cow<'_, str> {
        match self.is_bad {
            true => self.parts.fitted(&self.text, columns),
            false => Cow::Borrowed(text::parts(&self.text, columns)),
        }
    }

    /// The first part of the text without a provider that isn't required.
    pub(in crate::view) fn first_part(&self) -> &str {
        let rest = self.parts.without_source(&self.text);
        rest.split(SEPARATOR).next().unwrap_or(rest)
    }

    /// The columns of the text with a short reason.
    pub(in crate::view) fn brief_width(&self) -> u16 {
        text::width(&self.parts.brief(&self.text))
    }
}

/// Minimum age that is shown with the failed refresh of fresh data.
const MIN_AGE: Duration = Duration::from_mins(1);

/// Whether updates of `remote` wait until the end of the pause: not if it has no value yet, nor while the user
/// refreshes it.
fn is_paused<T>(remote: Remote<'_, T>, state: &State) -> bool {
    remote.entry.is_some_and(|entry| is_entry_paused(entry, state))
}

/// Like [`is_paused`].
pub(in crate::view) fn is_entry_paused(entry: &Entry, state: &State) -> bool {
    state.paused.is_some() && entry.loading.is_none() && entry.response.is_some()
}

/// [`next_try`], or that updates are paused.
fn next_step<T>(failure: &Failure, remote: Remote<'_, T>, state: &State) -> String {
    if is_paused(remote, state) {
        return String::from(PAUSED);
    }
    next_try(failure, remote.is_loading(), state.now)
}

/// The reason of a failure and the time of its retry: `Server error (500) · retrying in 30 s`. For a missing item, only
/// `Token not found`, since waiting is pointless.
pub(in crate::view) fn sentence(failure: &Failure, loading: bool, now: UtcTime) -> String {
    if let Some(words) = &failure.not_found {
        return words.to_string();
    }
    format!("{}{SEPARATOR}{}", failure.error.reason(), next_try(failure, loading, now))
}

/// Paints why there is no content: it is loading, or it failed, why, and when it is retried. `what` is the content:
/// `coins`.
pub(in crate::view) fn missing<T>(
    buf: &mut Buffer,
    area: Rect,
    remote: Remote<'_, T>,
    what: &str,
    state: &State,
    theme: &Theme,
) {
    reason(buf, area, remote, what, state, theme);
}

/// Like [`missing`]; returns the rows used.
fn reason<T>(buf: &mut Buffer, area: Rect, remote: Remote<'_, T>, what: &str, state: &State, theme: &Theme) -> u16 {
    let Some(failure) = remote.failure() else {
        Placeholder::loading(&format!("Loading {what}…")).theme(theme).render(area, buf);
        return 1;
    };
    if let Some(words) = &failure.not_found {
        Placeholder::empty(words).theme(theme).render(area, buf);
        return 1;
    }
    failed(buf, area, failure, remote.is_loading(), state, theme)
}

/// Like [`missing`], with the way back to simulated data while the live data of `group` fail.
pub(in crate::view) fn missing_of<T>(
    buf: &mut Buffer,
    area: Rect,
    group: Group,
    remote: Remote<'_, T>,
    what: &str,
    state: &State,
    theme: &Theme,
) {
    let has_failed = remote.failure().is_some_and(|failure| failure.not_found.is_none());
    // Reserve room for the way back, however long the reason is.
    let is_reserved = has_failed && area.height >= MIN_REASON && simulated_data(group, state).is_some();
    let place = Rect { height: area.height.saturating_sub(u16::from(is_reserved)), ..area };
    let rows = reason(buf, place, remote, what, state, theme);
    if has_failed {
        way_back(buf, below(area, rows), group, state, theme);
    }
}

/// Minimum rows for a reason, the time of the retry and the way back to simulated data.
pub(in crate::view) const MIN_REASON: u16 = 3;

/// Paints the way back to simulated data below the reason why the live data of `group` fail: `press L for simulated
/// data`. Returns whether there is one.
fn way_back(buf: &mut Buffer, area: Rect, group: Group, state: &State, theme: &Theme) -> bool {
    let words = simulated_data(group, state).filter(|_| !area.is_empty());
    if let Some(words) = &words {
        text::put(buf, text::line(text::shifted(area, FAILED_INDENT), 0), words, theme.dim);
    }
    words.is_some()
}

/// How to replace the live data of `group` with simulated data; `None` if it is of a configured service.
pub(in crate::view) fn simulated_data(group: Group, state: &State) -> Option<String> {
    let key = state.keys().name(Command::ToggleLive, state.screen(), Glyphs::Ascii)?;
    state.has_live(group).then(|| format!("press {key} for simulated data"))
}

/// Paints why content could not be loaded, and when it is retried. Returns the rows used.
fn failed(buf: &mut Buffer, area: Rect, failure: &Failure, is_loading: bool, state: &State, theme: &Theme) -> u16 {
    let mut next = next_try(failure, is_loading, state.now);
    // While the service limits requests, not even a manual refresh is sent more often.
    let is_limited = matches!(failure.error.kind, ErrorKind::RateLimited { .. });
    let is_too_early = is_limited && state.next_refresh.is_some_and(|at| at > state.now);
    let must_wait = is_too_early || failure.must_wait(state.now);
    if let Some(key) = state.keys().name(Command::Refresh, state.screen(), Glyphs::Ascii)
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

/// Columns of ` × ` before the text of a failure.
const FAILED_INDENT: u16 = 3;

/// Paints a panel's title, with the problem of its content on the right as far as there is room, so that an error moves
/// nothing. Returns the area of the content.
pub(in crate::view) fn title(
    buf: &mut Buffer,
    area: Rect,
    panel: PanelTitle<'_>,
    problem: Option<&Health>,
    theme: &Theme,
) -> Rect {
    // The required attribution stays, with what is before it.
    let source = panel.source_words();
    let required = ProviderName::ALL.into_iter().filter_map(ProviderName::attribution);
    let end = required.filter_map(|words| Some(source.find(words)? + words.len())).max();
    let kept = end.and_then(|end| source.get(..end)).map_or(0, |kept| text::width(kept) + 2);
    let shown = problem.map(|problem| problem.fitted(panel.room(area.width).saturating_sub(kept)));
    match &shown {
        Some(shown) if !panel.has_right() => panel.right(shown, theme.warn).render(area, buf),
        _ => panel.render(area, buf),
    }
    panel.inner(area)
}

/// Like [`title`], but for a panel that always shows its health: in the title if it `has` content or is healthy;
/// without content, the reason is in the middle of the panel.
pub(in crate::view) fn title_with_health(
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

/// The provider of `remote` and the age of its data: `Binance · 2 m ago`, or `Powered by CoinGecko · 2 m ago` where the
/// provider requires such words; `None` if the service names no provider.
pub(in crate::view) fn source<T>(remote: Remote<'_, T>, now: UtcTime) -> Option<String> {
    source_of(remote, remote.provider()?, now)
}

/// Like [`source`], with the providers of everything that is shown.
fn source_of<T>(remote: Remote<'_, T>, providers: &str, now: UtcTime) -> Option<String> {
    let age = now.since(remote.updated_at().filter(|_| remote.value.is_some())?);
    Some(format!("{}{SEPARATOR}{}", provider::credits(providers), ago(age)))
}

/// Dims `area` to show that its data is old.
pub(in crate::view) fn fade(buf: &mut Buffer, area: Rect) {
    buf.set_style(area, Style::new().add_modifier(Modifier::DIM));
}

/// When a failed fetch is retried: `retrying in 30 s`.
pub(in crate::view) fn next_try(failure: &Failure, loading: bool, now: UtcTime) -> String {
    retry(failure.next_try, loading, now)
}

/// Like [`next_try`], for a retry at this time, if there is one.
pub(in crate::view) fn retry(at: Option<UtcTime>, loading: bool, now: UtcTime) -> String {
    match at {
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
        _ => String::from("refresh due"),
    }
}

/// How long ago something was: `now`, `2 m ago`.
pub(in crate::view) fn ago(age: Duration) -> String {
    match Age(age) {
        now if now.is_now() => now.to_string(),
        age => format!("{age} ago"),
    }
}

/// Like [`ago`], of stale data: `<1 m ago`, `2 m ago`.
pub(in crate::view) fn stale_ago(age: Duration) -> String {
    format!("{} ago", stale_age(age))
}

/// How old something is: `<1 m old`, `2 m old`.
pub(in crate::view) fn old(age: Duration) -> String {
    format!("{} old", stale_age(age))
}

/// The age of stale data: `<1 m` in place of `now`, `2 m`.
fn stale_age(age: Duration) -> String {
    match Age(age) {
        now if now.is_now() => String::from("<1 m"),
        age => age.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn age_of_stale_data_is_under_a_minute_instead_of_now() {
        let shown = [0, 30, 59, 60, 7_200].map(|secs| old(Duration::from_secs(secs)));
        assert_eq!(shown, ["<1 m old", "<1 m old", "<1 m old", "1 m old", "2 h old"]);
    }
}
