//! The chart of the portfolio's value.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use crate::app::State;
use crate::format::words::first_names;
use crate::format::{Arrow, Clock, Day, Span};
use crate::model::{Period, Text, UtcTime};
use crate::view::appearance::Appearance;
use crate::view::area::{below, with_margins};
use crate::view::chrome::health;
use crate::view::view_state::ViewState;
use crate::view::widgets::chart::{Annotations, Chart, Marker, MarkerKind, Series};
use crate::view::widgets::{PanelTitle, Placeholder, text};

/// Maximum names in a note of the title.
const MAX_NAMES: usize = 3;

/// Paints the chart below its title.
pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, appearance: &Appearance, view_state: &mut ViewState) {
    let theme = &appearance.theme;
    let chart = state.wallet.value_chart();
    let (area, series) = (with_margins(below(area, 1)), Series::new(&chart.points));
    let requests = state.wallet.history_requests(&state.convert);
    let remotes = || requests.iter().map(|request| state.store.market(request));
    // A failed request is more urgent than one still loading.
    let worst = remotes().find(|remote| remote.failure().is_some()).or_else(|| remotes().find(|it| it.value.is_none()));
    let is_stale = remotes().any(|remote| remote.is_stale(state.now));

    let names = Period::ALL.map(Period::as_str);
    let chosen = Period::ALL.iter().position(|period| *period == state.wallet.period());
    let title = PanelTitle::new("Value").theme(theme);
    // The watched coins show the same periods.
    let title = if state.watched.is_empty() { title.choices(&names, chosen) } else { title };
    let change = series.summary().map(|summary| summary.change_pct());
    let mut notes: Vec<String> = Vec::new();
    if chart.convert != state.convert && !chart.points.is_empty() {
        notes.push(format!("in {}", chart.convert));
    }
    if !chart.excluded.is_empty() && !chart.points.is_empty() {
        notes.push(format!("without {}", first_names(&chart.excluded, MAX_NAMES)));
    }
    if !chart.missing_prices.is_empty() {
        notes.push(format!("gaps: no price for {}", first_names(&chart.missing_prices, MAX_NAMES)));
    }
    // If the amounts at the start and the end differ, the change is not a gain or loss.
    let has_span = chart.has_same_amounts && chart.points.len() > 1;
    let span = chart.points.first().zip(chart.points.last()).filter(|_| has_span);
    let span = span.map(|(first, last)| Span(last.time.since(first.time)));
    let over = change.zip(span).map(|(change, over)| format!("{} over {over}", Arrow(change)));
    let is_changed = series.summary().is_some() && !chart.has_same_amounts;
    let legend = (!chart.added.is_empty()).then(|| added(&chart.added, state));
    let (words, style) = match (notes.is_empty(), over) {
        (true, None) if is_changed => {
            (legend.unwrap_or_else(|| String::from("holdings changed in this period")), theme.dim)
        }
        (true, over) => (over.unwrap_or_default(), theme.change(change.flatten())),
        (false, Some(over)) => (format!("{over} · {}", notes.join(" · ")), theme.warn),
        (false, None) => {
            notes.extend(legend);
            (notes.join(" · "), theme.warn)
        }
    };
    let title = if words.is_empty() { title } else { title.right(&words, style) };
    view_state.periods(text::line(area, 0), &title, &Period::ALL);
    let problem = worst.filter(|it| it.failure().is_some() && !chart.points.is_empty());
    let problem = problem.map(|remote| health::Health::of(remote, state));
    let place = health::title(buf, area, title, problem.as_ref(), theme);

    match worst {
        Some(remote) if chart.points.is_empty() => health::missing(buf, place, remote, "the chart", state, theme),
        _ if chart.points.len() == 1 => {
            let from = chart.points.first().map(|point| state.preferences.zone.at(point.time));
            let from = from.map(|at| format!("{} {}", Day(at), Clock(at))).unwrap_or_default();
            let sentence = format!("No history yet (nothing held before {from})");
            Placeholder::empty(&sentence).theme(theme).render(place, buf);
        }
        _ if series.summary().is_none() => {
            Placeholder::empty("No price history for your holdings").theme(theme).render(place, buf);
        }
        _ => {
            let zone = &state.preferences.zone;
            let hides = state.wallet.hides_amounts;
            let marker = |(time, name): &(UtcTime, Text)| {
                let text = format!("{name} added");
                Marker { time: *time, kind: MarkerKind::Note, text }
            };
            let annotations =
                Annotations { markers: chart.added.iter().map(marker).collect(), ..Annotations::default() };
            let painted = Chart::new(&series).hide_prices(hides).mark_gaps(true).annotations(&annotations);
            painted.zone(zone).theme(theme).render(place, buf);
            if is_stale {
                health::fade(buf, place);
            }
        }
    }
}

/// The legend of the marks of added addresses: `◆ cold added 19 Nov 14:03`.
fn added(all: &[(UtcTime, Text)], state: &State) -> String {
    match all {
        [(time, name)] => {
            let at = state.preferences.zone.at(*time);
            format!("◆ {name} added {} {}", Day(at), Clock(at))
        }
        _ => format!("◆ {} addresses added", all.len()),
    }
}
