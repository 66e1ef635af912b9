//! How fresh data is, and why it is missing. A blank panel always has a reason, and old data is never shown as
//! new.

pub(in crate::view) mod explained;
mod missing;
mod parts;

use std::borrow::Cow;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::Widget;

pub(in crate::view) use self::missing::{MIN_REASON, Missing, simulated_data};
use self::parts::SEPARATOR;
pub(in crate::view) use self::parts::{Fitted, Kind, PAUSED, Part};
use crate::app::responses::{Entry, Failure};
use crate::app::{Remote, State};
use crate::format::{Age, Until};
use crate::model::{ProviderName, UtcTime, provider};
use crate::theme::Theme;
use crate::view::widgets::{PanelTitle, text};

/// The state of a resource in a few words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::view) struct Health {
    /// Whether it is stale or failing.
    pub(in crate::view) is_bad: bool,
    /// The parts of the text.
    parts: Vec<Part>,
}

impl Health {
    /// A problem in these parts.
    pub(in crate::view) fn problem(parts: impl IntoIterator<Item = Part>) -> Health {
        Health { is_bad: true, parts: parts.into_iter().collect() }
    }

    /// Not a problem, such as `Loading more…`.
    pub(in crate::view) fn note(text: impl Into<Cow<'static, str>>) -> Health {
        Health { is_bad: false, parts: vec![Part::note(text)] }
    }

    /// The state of `remote`: `updated 2 m ago · next in 3 m`, `12 m old · Server error (500) · retrying in 30 s`, or
    /// while updates are paused `12 m old · paused`. The most important part comes first; before it, the data's
    /// provider with the required attribution.
    pub(in crate::view) fn of<T>(remote: Remote<'_, T>, state: &State) -> Health {
        Health::with_providers(remote, remote.provider().unwrap_or_default(), state)
    }

    /// The health like [`Health::of`], with the providers of everything that is shown.
    pub(in crate::view) fn with_providers<T>(remote: Remote<'_, T>, providers: &str, state: &State) -> Health {
        let health = Health::uncredited(remote, providers, state);
        if !health.is_bad || remote.value.is_none() {
            return health;
        }
        // The reason may already name the provider, but not as its terms require.
        let reason = health.parts.iter().find(|part| part.kind() == Kind::Reason).map_or("", Part::text);
        let is_named = provider::each(providers).all(|name| reason.contains(provider::title_of(name)));
        let words = if is_named { provider::attributions(providers) } else { provider::credits(providers) };
        if words.is_empty() { health } else { health.after(credit(words, providers)) }
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
            Some(failure) => sentence_parts(failure, remote.is_loading(), state.now),
            None if remote.value.is_some() => vec![Part::new(Kind::Next, "not in any list")],
            None if remote.is_loading() => vec![Part::new(Kind::Next, REFRESHING)],
            None => vec![Part::new(Kind::Next, WAITING)],
        };
        let words = provider::credits(providers);
        let credit = (!words.is_empty()).then(|| credit(words, providers));
        let age = at.map(|at| Part::new(Kind::Age, old(state.now.since(at))));
        Health::problem(credit.into_iter().chain(age).chain(why))
    }

    /// The health like [`Health::of`], for a panel whose title names the provider.
    fn uncredited<T>(remote: Remote<'_, T>, providers: &str, state: &State) -> Health {
        let now = state.now;
        let is_paused = is_paused(remote, state);
        let age = remote.updated_at().filter(|_| remote.value.is_some()).map(|at| now.since(at));
        let is_stale = remote.is_stale(now);
        let next = |words: Cow<'static, str>| Part::new(Kind::Next, words);
        match (age, remote.failure()) {
            (None, None) if remote.is_loading() => Health::note("loading…"),
            (None, None) => Health::note("waiting…"),
            (None, Some(failure)) => {
                let parts = sentence_parts(failure, remote.is_loading(), now);
                Health { is_bad: failure.not_found.is_none(), parts }
            }
            (Some(age), Some(failure)) => {
                let age = (is_stale || age >= MIN_AGE).then(|| Part::new(Kind::Age, old(age)));
                let why = match &failure.not_found {
                    Some(words) => vec![Part::note(words.to_string())],
                    None => vec![Part::of_error("", &failure.error), next_step(failure, remote, state)],
                };
                Health::problem(age.into_iter().chain(why))
            }
            (Some(age), None) if is_stale => {
                let what = if remote.is_loading() {
                    REFRESHING
                } else if is_paused {
                    PAUSED
                } else {
                    WAITING
                };
                Health::problem([Part::new(Kind::Age, old(age)), next(Cow::Borrowed(what))])
            }
            (Some(age), None) => {
                let credit = (!providers.is_empty()).then(|| credit(provider::credits(providers), providers));
                let updated = if credit.is_some() { ago(age) } else { format!("updated {}", ago(age)) };
                let next = next(if is_paused { Cow::Borrowed(PAUSED) } else { next_refresh(remote, now) });
                let parts = credit.into_iter().chain([Part::new(Kind::Age, updated), next]).collect();
                Health { is_bad: false, parts }
            }
        }
    }

    /// Puts a currency first, without which the values would be misread: `in USD`.
    #[must_use]
    pub(in crate::view) fn in_currency(self, code: &str) -> Health {
        Health { is_bad: true, ..self.after(Part::new(Kind::Currency, format!("in {code}"))) }
    }

    /// Puts this part before the others.
    #[must_use]
    pub(in crate::view) fn after(mut self, part: Part) -> Health {
        self.parts.insert(0, part);
        self
    }

    /// Puts this part after the others.
    #[must_use]
    pub(in crate::view) fn before(mut self, part: Part) -> Health {
        self.parts.push(part);
        self
    }

    /// Removes the text.
    #[must_use]
    pub(in crate::view) fn without_text(self) -> Health {
        Health { parts: Vec::new(), ..self }
    }

    /// The whole text.
    pub(in crate::view) fn text(&self) -> String {
        parts::whole(&self.parts)
    }

    /// The style of the text.
    pub(in crate::view) fn style(&self, theme: &Theme) -> Style {
        if self.is_bad { theme.warn } else { theme.dim }
    }

    /// The best form of the text that fits into `columns`: of a problem, with its age, reason and retry if possible.
    pub(in crate::view) fn fitted(&self, columns: u16) -> String {
        self.fit(columns).text
    }

    /// Fits the parts into the width like [`Health::fitted`].
    pub(in crate::view) fn fit(&self, columns: u16) -> Fitted {
        if self.is_bad { parts::fitted(&self.parts, columns) } else { parts::first_parts(&self.parts, columns) }
    }

    /// The first part of the text; of a problem, without a provider that isn't required.
    pub(in crate::view) fn first_part(&self) -> &str {
        let mut parts = self.parts.iter().filter(|part| !self.is_bad || part.kind() != Kind::Detail);
        parts.next().map_or("", Part::text)
    }

    /// The columns of the text with a short reason.
    pub(in crate::view) fn brief_width(&self) -> u16 {
        text::width(&parts::brief(&self.parts))
    }
}

/// The next step while a request is under way.
const REFRESHING: &str = "refreshing…";

/// The next step of stale data that are about to be requested.
const WAITING: &str = "waiting to refresh";

/// The words about these providers, which may be required.
fn credit(words: String, providers: &str) -> Part {
    let is_required = !provider::attributions(providers).is_empty();
    Part::new(if is_required { Kind::Attribution } else { Kind::Detail }, words)
}

/// Minimum age that is shown with the failed refresh of fresh data.
const MIN_AGE: Duration = Duration::from_mins(1);

/// Whether updates of `remote` wait until the end of the pause: not if it has no value yet, nor while the user
/// refreshes it.
fn is_paused<T>(remote: Remote<'_, T>, state: &State) -> bool {
    remote.entry.is_some_and(|entry| is_entry_paused(entry, state))
}

/// Whether an entry is paused, like [`is_paused`].
pub(in crate::view) fn is_entry_paused(entry: &Entry, state: &State) -> bool {
    state.paused.is_some() && entry.loading.is_none() && entry.response.is_some()
}

/// [`Part::next_try`], or that updates are paused.
fn next_step<T>(failure: &Failure, remote: Remote<'_, T>, state: &State) -> Part {
    if is_paused(remote, state) {
        return Part::new(Kind::Next, PAUSED);
    }
    Part::next_try(failure, remote.is_loading(), state.now)
}

/// The reason of a failure and the time of its retry: `Server error (500) · retrying in 30 s`. For a missing item, only
/// `Token not found`, since waiting is pointless.
pub(in crate::view) fn sentence(failure: &Failure, loading: bool, now: UtcTime) -> String {
    parts::whole(&sentence_parts(failure, loading, now))
}

/// The parts of a [`sentence`].
pub(in crate::view) fn sentence_parts(failure: &Failure, loading: bool, now: UtcTime) -> Vec<Part> {
    match &failure.not_found {
        Some(words) => vec![Part::note(words.to_string())],
        None => vec![Part::of_error("", &failure.error), Part::next_try(failure, loading, now)],
    }
}

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

/// The title like [`title`], but for a panel that always shows its health: in the title if it `has` content or is
/// healthy; without content, the reason is in the middle of the panel.
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
    let [provider, age] = source_parts(remote, now)?;
    Some(format!("{provider}{SEPARATOR}{age}"))
}

/// The parts of a [`source`].
pub(in crate::view) fn source_parts<T>(remote: Remote<'_, T>, now: UtcTime) -> Option<[String; 2]> {
    let provider = remote.provider()?;
    let age = now.since(remote.updated_at().filter(|_| remote.value.is_some())?);
    Some([provider::credits(provider), ago(age)])
}

/// Dims `area` to show that its data is old.
pub(in crate::view) fn fade(buf: &mut Buffer, area: Rect) {
    buf.set_style(area, Style::new().add_modifier(Modifier::DIM));
}

fn next_refresh<T>(remote: Remote<'_, T>, now: UtcTime) -> Cow<'static, str> {
    match remote.fresh_until() {
        _ if remote.is_loading() => Cow::Borrowed(REFRESHING),
        Some(until) if until > now => Cow::Owned(format!("next {}", Until(until.since(now)))),
        _ => Cow::Borrowed("refresh due"),
    }
}

/// How long ago something was: `now`, `2 m ago`.
pub(in crate::view) fn ago(age: Duration) -> String {
    match Age(age) {
        now if now.is_now() => now.to_string(),
        age => format!("{age} ago"),
    }
}

/// The age of stale data, like [`ago`]: `<1 m ago`, `2 m ago`.
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
