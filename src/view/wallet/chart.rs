//! The chart of the portfolio's value.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::Widget;

use super::span;
use crate::app::State;
use crate::format::words::first_names;
use crate::format::{Arrow, Clock, Day, PriceFormat};
use crate::model::live_price::is_plausible;
use crate::model::{Period, Point, Text, UtcTime};
use crate::view::appearance::Appearance;
use crate::view::area::{below, with_margins};
use crate::view::chrome::health::{self, Health, Missing};
use crate::view::view_state::ViewState;
use crate::view::widgets::chart::{Annotations, Chart, Marker, MarkerKind, Series};
use crate::view::widgets::{PanelTitle, Placeholder, text};

/// Maximum names in a note of the title.
const MAX_NAMES: usize = 3;

/// Paints the chart below its title.
pub(super) fn paint(buf: &mut Buffer, area: Rect, state: &State, appearance: &Appearance, view_state: &mut ViewState) {
    let theme = &appearance.theme;
    let chart = state.wallet.value_chart();
    let hides = state.wallet.hides_amounts;
    let all: Vec<Point> = chart.points.iter().copied().chain(total_now(state)).collect();
    let comparable = chart.comparable(&all);
    // All labels are changes then, which an inflow would distort.
    let points = if hides { comparable } else { chart.readable(&all) };
    let (area, series) = (with_margins(below(area, 1)), Series::new(points).with_longest_step(chart.longest_step));
    let requests = state.wallet.history_requests(&state.convert);
    let remotes = || requests.iter().map(|request| state.responses.market(request));
    // A failed request is more urgent than one still loading.
    let worst = remotes().find(|remote| remote.failure().is_some()).or_else(|| remotes().find(|it| it.value.is_none()));
    let is_stale = remotes().any(|remote| remote.is_stale(state.now));

    let names = Period::ALL.map(Period::as_str);
    let chosen = Period::ALL.iter().position(|period| *period == state.wallet.period());
    let title = PanelTitle::new("Value").theme(theme);
    // The watched coins show the same periods.
    let title = if state.watched.is_empty() { title.choices(&names, chosen) } else { title };
    let at = |time: UtcTime| {
        let at = state.preferences.zone.at(time);
        format!("{} {}", Day(at), Clock(at))
    };
    let reason = reason(state, at);
    // A single value has no change yet.
    let has_change = comparable.len() > 1 && reason.is_none();
    let change = Series::new(comparable).summary().filter(|_| has_change).map(|summary| summary.change_pct());
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
    // While the amounts differ, a change is not a gain or loss.
    let over = change.zip(span::of(comparable)).filter(|_| chart.changed_at.is_none());
    let over = over.map(|(change, span)| format!("{} over {span}", Arrow(change)));
    let legend = match chart.added.as_slice() {
        [] => chart.changed_at.map(|time| format!("holdings changed {}", at(time))),
        [(added, name)] => Some(format!("◆ {name} added {}", at(*added))),
        all => Some(format!("◆ {} addresses added", all.len())),
    };
    let legend = legend.filter(|_| reason.is_none());
    let since = chart.compared_from.zip(change).map(|(time, change)| {
        let time = at(time);
        let is_named = legend.as_ref().is_some_and(|legend| legend.ends_with(&time));
        let time = if is_named { String::new() } else { format!(" {time}") };
        format!("{} since{time}", Arrow(change))
    });
    let style = if notes.is_empty() { theme.change(change.flatten()) } else { theme.warn };
    let cut = (!hides && points.len() < all.len()).then(|| String::from("earlier values not shown"));
    let words: Vec<String> = over.into_iter().chain(notes).chain(legend).chain(since).chain(cut).collect();
    let words = words.join(" · ");
    let title = if words.is_empty() { title } else { title.right(&words, style) };
    view_state.periods(text::line(area, 0), &title, &Period::ALL);
    let problem = worst.filter(|it| it.failure().is_some() && !chart.points.is_empty());
    let problem = problem.map(|remote| Health::of(remote, state));
    let place = health::title(buf, area, title, problem.as_ref(), theme);

    match (worst, &reason) {
        (Some(remote), _) if chart.points.is_empty() => {
            Missing::new(remote, "the chart", state, theme).paint(buf, place);
        }
        (_, Some(reason)) => Placeholder::empty(reason).theme(theme).render(place, buf),
        _ => {
            let zone = &state.preferences.zone;
            let marker = |(time, name): &(UtcTime, Text)| {
                let text = format!("{name} added");
                Marker { time: *time, kind: MarkerKind::Note, text }
            };
            let annotations =
                Annotations { markers: chart.added.iter().map(marker).collect(), ..Annotations::default() };
            let is_comparable = points.len() == comparable.len();
            let painted = Chart::new(&series)
                .hide_prices(hides)
                .neutral(!is_comparable)
                .mark_gaps(true)
                .annotations(&annotations);
            painted.format(PriceFormat::of_values(&chart.convert)).zone(zone).theme(theme).render(place, buf);
            if is_stale {
                health::fade(buf, place);
            }
        }
    }
}

/// The total as a point after the chart's last one. `None` if it isn't newer, comes after a gap, or doesn't cover the
/// same holdings as the chart.
fn total_now(state: &State) -> Option<Point> {
    let (chart, valuation) = (state.wallet.value_chart(), state.wallet.holdings().valuation());
    let last = chart.points.last()?;
    let time = state.holdings_remote()?.updated_at()?;
    let is_next = time > last.time && time.since(last.time) <= chart.longest_step;
    let has_all = chart.excluded.is_empty() && valuation.unvalued.is_empty() && chart.convert == state.convert;
    let value = valuation.value.to_f64();
    let is_same = has_all && last.price.is_some_and(|last| is_plausible(value, last));
    (is_next && is_same).then_some(Point { time, price: Some(value), ..*last })
}

/// Why no chart is painted; `None` if one is. `at` formats a time.
fn reason(state: &State, at: impl Fn(UtcTime) -> String) -> Option<String> {
    let chart = state.wallet.value_chart();
    if let Some(from) = chart.starts_at {
        return Some(format!("No history yet (nothing held before {})", at(from)));
    }
    if chart.points.len() < 2 || Series::new(&chart.points).summary().is_none() {
        return Some(String::from("No price history for your holdings"));
    }
    // While amounts are hidden, the chart shows changes in percent, which start when the amounts last changed.
    let comparable = chart.comparable(&chart.points);
    let has_changes = comparable.len() > 1 && Series::new(comparable).summary().is_some();
    let changed = chart.changed_at.filter(|_| state.wallet.hides_amounts && !has_changes)?;
    Some(format!("No chart while amounts are hidden (holdings changed {})", at(changed)))
}
