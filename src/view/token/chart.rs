//! The chart panel.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::scene::Scene;
use crate::app::panel::Panel;
use crate::app::{ChartView, Target};
use crate::format::Arrow;
use crate::model::chart::nearest;
use crate::model::{CandleWidth, ChartAxis, ChartStyle, Period, Point};
use crate::view::annotations::annotations;
use crate::view::chrome::health;
use crate::view::view_state::ViewState;
use crate::view::widgets::chart::readout::period_ohlc;
use crate::view::widgets::chart::{AVERAGES, Chart, ChartState, Readout, Series};
use crate::view::widgets::{PanelTitle, Placeholder, text};

/// Minimum height of a chart with volume.
const VOLUME_FROM: u16 = 14;

pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>, view_state: &mut ViewState) {
    let Scene { state, token, appearance, .. } = scene;
    let theme = &appearance.theme;
    let request = token.chart_request(&state.convert);
    let remote = request.as_ref().map(|request| state.store.get(request));
    let chart = token.chart(&state.store, &state.convert);
    let points = chart.map_or(&[][..], |chart| chart.points);
    let series = Series::new(points);
    let cursor = token.chart_cursor.and_then(|time| nearest(points, time));

    let stale = remote.filter(|it| chart.is_some() && (it.is_stale(state.now) || it.failure().is_some()));
    let foreign = chart.filter(|chart| *chart.convert != state.convert);
    let mut problem = stale.map(|stale| scene.explained.health(stale, state));
    if let (Some(problem), Some(chart)) = (&mut problem, foreign) {
        problem.text = format!("in {} · {}", chart.convert, problem.text);
    }
    let view = &state.chart;
    let zone = &state.preferences.zone;
    let plot = Rect { height: area.height.saturating_sub(1), ..area };
    let chosen_candle = view.candle(token.period, token.chart_columns(state.size), points);
    let annotations = chart.map(|chart| annotations(state, token, chart.convert)).unwrap_or_default();
    let drawn = Chart::new(&series)
        .annotations(&annotations)
        .volume(plot.height >= VOLUME_FROM)
        .style(view.style)
        .candle(chosen_candle)
        .axis(view.axis)
        .averages(view.has_averages)
        .zone(zone)
        .theme(theme);
    let candle = match view.style {
        ChartStyle::Candles => drawn.shown_candle(plot),
        _ => chosen_candle,
    };
    let readout = cursor.and_then(|index| match view.style {
        ChartStyle::Candles => Readout::of_candle(points, index, candle, zone),
        _ => Readout::of(points, index, zone),
    });
    // The readout takes precedence over the other periods.
    let bare = PanelTitle::new("Chart");
    let room = bare.choices(&[token.period.as_str()], Some(0)).room(area.width);
    let listed = chart.and_then(|chart| state.listed_change(&token.named_coin().coin, token.period, chart.convert));
    let change = series.summary().map(|_| listed.or_else(|| period_change(points, token.period)));
    let right = match (&problem, readout, change) {
        (_, Some(readout), _) => Some((readout.fitted(room), theme.text)),
        (None, None, Some(change)) => {
            let mut note = foreign.map_or_else(String::new, |chart| format!("in {}  ", chart.convert));
            if let Some(days) = token.days_of_year(points) {
                note = format!("{note}{days} of 365 days  ");
            }
            Some((format!("{note}{}", Arrow(change)), theme.change(change)))
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
            view_state.target(Rect { width: width + 1, ..place }, Target::Period(period));
        }
    }
    let source = remote.and_then(|remote| health::source(remote, state.now)).unwrap_or_default();
    let source = match style_label(view, candle, &series) {
        own if source.is_empty() => own,
        own if own.is_empty() => source,
        own => format!("{own} · {source}"),
    };
    // Without a cursor, the title has the prices of the whole period with their times, if they fit: the chart itself
    // marks them, but not all with a time.
    let room = title.room(area.width).saturating_sub(text::width(&source) + 4);
    let prices = series.summary().filter(|_| cursor.is_none() && problem.is_none());
    let prices = prices.map(|summary| period_ohlc(points, &summary, zone).join("  "));
    let taken = right.map_or(0, |(words, _)| text::width(words) + 2);
    let prices = prices.filter(|prices| text::width(prices) + taken <= room);
    let source = match prices {
        Some(prices) if source.is_empty() => prices,
        Some(prices) => format!("{source} · {prices}"),
        None => source,
    };
    let place = health::title(buf, area, title.source(&source), problem.as_ref(), theme);

    let Some(remote) = remote else {
        let sentence = "No chart (coin has no slug)";
        return Placeholder::empty(sentence).theme(theme).render(place, buf);
    };
    if let Some(sentence) = token.no_year_reason(&state.store, &state.convert) {
        return Placeholder::empty(&sentence).theme(theme).render(place, buf);
    }
    if chart.is_none() {
        return scene.explained.missing(buf, place, remote, "the chart", state, theme);
    }
    if series.summary().is_none() {
        let sentence = format!("No prices for {}", token.period.as_str());
        return Placeholder::empty(&sentence).theme(theme).render(place, buf);
    }
    let mut chart_state = ChartState::default().with_cursor(cursor);
    let drawn = drawn.volume(place.height >= VOLUME_FROM).candle(candle);
    StatefulWidget::render(drawn, place, buf, &mut chart_state);
    if let Some(plot) = chart_state.plot() {
        for column in 0..plot.width {
            let cell = Rect { x: plot.x + column, width: 1, ..plot };
            view_state.target(cell, Target::ChartColumn(column, plot.width));
        }
    }
    if remote.is_stale(state.now) {
        health::fade(buf, place);
    }
}

/// The change of the points over a period in percent.
fn period_change(points: &[Point], period: Period) -> Option<f64> {
    Series::new(period.of(points)).summary()?.change_pct()
}

/// How the chart is drawn, if not as a line on a linear axis: `1h candles (sampled) · log axis`.
fn style_label(view: &ChartView, candle: CandleWidth, series: &Series<'_>) -> String {
    let is_candles = view.style == ChartStyle::Candles;
    let style = if is_candles { format!("{candle} candles (sampled)") } else { String::new() };
    // Other axes need positive prices.
    let axis = match (view.axis, series.summary()) {
        (ChartAxis::Log, Some(summary)) if summary.low.1 > 0.0 => "log axis",
        (ChartAxis::Percent, Some(summary)) if summary.open.1 > 0.0 => "percent axis",
        _ => "",
    };
    let [short, long] = AVERAGES;
    let averages = match (view.has_averages, is_candles) {
        (false, _) => String::new(),
        (true, true) => format!("MA {short}/{long}"),
        (true, false) => format!("MA {short}/{long} ({candle})"),
    };
    let parts = [style.as_str(), axis, &averages];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join(" · ")
}
