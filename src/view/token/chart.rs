//! The chart panel.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::Scene;
use crate::app::Target;
use crate::app::state::Panel;
use crate::format::Arrow;
use crate::model::Period;
use crate::model::chart::nearest;
use crate::view::Memo;
use crate::view::chrome::health;
use crate::view::widgets::chart::{self, Chart, Readout, Series};
use crate::view::widgets::panel::{Placeholder, Title};
use crate::view::widgets::text;

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
    let mut trouble = stale.map(|stale| scene.told.health(stale, state.now));
    if let (Some(trouble), Some(chart)) = (&mut trouble, foreign) {
        trouble.text = format!("in {} · {}", chart.convert, trouble.text);
    }
    let right = match (&trouble, cursor.and_then(|index| Readout::of(points, index)), series.summary()) {
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
    // The read-out and the trouble are worth more than the other periods.
    let wanted = match (right.filter(|_| cursor.is_some()), &trouble) {
        (Some((readout, _)), _) => text::width(readout),
        (None, Some(trouble)) => text::width(&trouble.text),
        (None, None) => 0,
    };
    let title = Title { name: "Chart", choices: &choices, chosen, right, focused }.for_right(wanted, area.width);
    let periods = if title.choices.len() < choices.len() { std::slice::from_ref(&token.period) } else { &Period::ALL };
    for (index, x, width) in title.places(area.width) {
        if let Some(&period) = periods.get(index) {
            // With the column before it, so that there is no gap to click into.
            let place = text::shifted(text::line(area, 0), x - 1);
            memo.target(Rect { width: width + 1, ..place }, Target::Period(period));
        }
    }
    let place = health::title(buf, area, title, trouble.as_ref(), theme);

    let Some(remote) = remote else {
        let sentence = "No chart (coin has no slug)";
        return Placeholder::Empty(sentence).paint(buf, place, theme);
    };
    if chart.is_none() {
        return scene.told.missing(buf, place, remote, "the chart", state, theme);
    }
    if series.summary().is_none() {
        let sentence = format!("No prices for {}", token.period.as_str());
        return Placeholder::Empty(&sentence).paint(buf, place, theme);
    }
    let volume = place.height >= 14;
    if let Some(plot) = chart::paint(buf, place, &Chart { series: &series, cursor, volume }, theme) {
        for column in 0..plot.width {
            let cell = Rect { x: plot.x + column, width: 1, ..plot };
            memo.target(cell, Target::ChartColumn(column, plot.width));
        }
    }
    if remote.is_stale(state.now) {
        health::fade(buf, place);
    }
}
