//! The chart panel.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::scene::Scene;
use crate::app::Target;
use crate::app::panel::Panel;
use crate::format::Arrow;
use crate::model::Period;
use crate::model::chart::nearest;
use crate::view::chrome::health;
use crate::view::memo::Memo;
use crate::view::widgets::chart::{Chart, ChartState, Readout, Series};
use crate::view::widgets::{PanelTitle, Placeholder, text};

/// Minimum height of a chart with volume.
const VOLUME_FROM: u16 = 14;

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>, memo: &mut Memo) {
    let Scene { state, token, look, .. } = scene;
    let theme = &look.theme;
    let request = token.chart_request(&state.convert);
    let remote = request.as_ref().map(|request| state.store.chart(request));
    let chart = remote.and_then(|remote| remote.value);
    let points = chart.map_or(&[][..], |chart| &chart.points);
    let series = Series::new(points);
    let cursor = token.chart_cursor.and_then(|time| nearest(points, time));

    let stale = remote.filter(|it| it.value.is_some() && (it.is_stale(state.now) || it.failure().is_some()));
    let foreign = chart.filter(|chart| chart.convert != state.convert);
    let mut problem = stale.map(|stale| scene.explained.health(stale, state.now));
    if let (Some(problem), Some(chart)) = (&mut problem, foreign) {
        problem.text = format!("in {} · {}", chart.convert, problem.text);
    }
    let right = match (
        &problem,
        cursor.and_then(|index| Readout::of(points, index, &state.preferences.zone)),
        series.summary(),
    ) {
        (_, Some(readout), _) => Some((readout.to_string(), theme.text)),
        (None, None, Some(summary)) => {
            let change = summary.change_pct();
            let note = foreign.map(|chart| format!("in {}  ", chart.convert));
            Some((format!("{}{}", note.unwrap_or_default(), Arrow(change)), theme.change(change)))
        }
        (_, None, _) => None,
    };
    let choices = Period::ALL.map(Period::as_str);
    let chosen = Period::ALL.iter().position(|period| *period == token.period);
    let focused = scene.is_focused(Panel::Chart);
    let right = right.as_ref().map(|(words, style)| (words.as_str(), *style));
    // The readout and a problem take precedence over the other periods.
    let wanted = match (right.filter(|_| cursor.is_some()), &problem) {
        (Some((readout, _)), _) => text::width(readout),
        (None, Some(problem)) => text::width(&problem.text),
        (None, None) => 0,
    };
    let title = PanelTitle::new("Chart").choices(&choices, chosen).focused(focused).theme(theme);
    let title = right.map_or(title, |(words, style)| title.right(words, style));
    let (title, periods) = match wanted > title.room(area.width) {
        true => (title.chosen_only(), std::slice::from_ref(&token.period)),
        false => (title, &Period::ALL[..]),
    };
    for (index, x, width) in title.places(area.width) {
        if let Some(&period) = periods.get(index) {
            // Including the column before it, so that there are no gaps between the clickable areas.
            let place = text::shifted(text::line(area, 0), x - 1);
            memo.target(Rect { width: width + 1, ..place }, Target::Period(period));
        }
    }
    let source = remote.and_then(|remote| health::source(remote, state.now)).unwrap_or_default();
    let place = health::title(buf, area, title.source(&source), problem.as_ref(), theme);

    let Some(remote) = remote else {
        let sentence = "No chart (coin has no slug)";
        return Placeholder::empty(sentence).theme(theme).render(place, buf);
    };
    if chart.is_none() {
        return scene.explained.missing(buf, place, remote, "the chart", state, theme);
    }
    if series.summary().is_none() {
        let sentence = format!("No prices for {}", token.period.as_str());
        return Placeholder::empty(&sentence).theme(theme).render(place, buf);
    }
    let mut chart_state = ChartState::default().with_cursor(cursor);
    let chart = Chart::new(&series).volume(place.height >= VOLUME_FROM).zone(&state.preferences.zone).theme(theme);
    StatefulWidget::render(chart, place, buf, &mut chart_state);
    if let Some(plot) = chart_state.plot() {
        for column in 0..plot.width {
            let cell = Rect { x: plot.x + column, width: 1, ..plot };
            memo.target(cell, Target::ChartColumn(column, plot.width));
        }
    }
    if remote.is_stale(state.now) {
        health::fade(buf, place);
    }
}
