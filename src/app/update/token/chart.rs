//! The chart of the token view: its cursor, zoom, style and candles.

use std::time::Duration;

use crate::app::chart::view::ChartView;
use crate::app::chart::window::ChartWindow;
use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::screen::token::ShownChart;
use crate::app::state::State;
use crate::keymap::Command;
use crate::model::{CandleData, CandleWidth, ChartStyle, Period, Point, UtcTime, candle, chart};

use crate::app::update::toast::toast;

/// Minimum points or candles of a zoomed chart.
const MIN_ZOOMED: usize = 12;

/// Points by which the wheel moves the cursor of a chart, like the keys that go up and down in lists.
pub(in crate::app::update) const CURSOR_STEP: isize = 10;

/// Changes the open view, given its chart up to now, as on the screen.
fn with_chart(state: &mut State, change: impl FnOnce(&mut TokenScreen, &ShownChart<'_>, &ChartView, (u16, u16))) {
    let up_to_now = state.points_up_to_now();
    let State { token: Some(token), responses, convert, posts, chart: view, size, .. } = state else { return };
    if let Some(chart) = token.chart_up_to_now(responses, convert, up_to_now.as_deref()) {
        change(token, &chart, view, *size);
    }
    token.sync(responses, convert, posts);
}

/// Moves the cursor to the last point, or to the first one.
pub(super) fn move_cursor_to_end(state: &mut State, last: bool) {
    with_chart(state, |token, chart, view, size| {
        let points = points_for_cursor(token, chart, view, size);
        let end = if last { points.last() } else { points.first() };
        set_cursor(token, chart, end.map(|point| point.time), view.style);
    });
}

/// The points of the period, without an incomplete first candle, which is not drawn.
fn points_for_cursor<'a>(
    token: &TokenScreen,
    chart: &ShownChart<'a>,
    view: &ChartView,
    size: (u16, u16),
) -> &'a [Point] {
    let data = chart.data(view.style);
    data.all().whole_points(view.candle(token.period, token.chart_columns(size, data), data))
}

/// Moves the chart's cursor by candles, or by columns: as many points as a column of the screen contains, at least one. It
/// starts at the last point that is shown.
pub(super) fn move_cursor(state: &mut State, by: isize) {
    with_chart(state, |token, chart, view, size| step(token, chart, by, view, size));
}

fn step(token: &mut TokenScreen, chart: &ShownChart<'_>, by: isize, view: &ChartView, size: (u16, u16)) {
    let data = chart.data(view.style);
    let (points, shown) = (points_for_cursor(token, chart, view, size), data.points());
    let Some(last) = points.len().checked_sub(1) else { return };
    let here = token.chart_cursor.and_then(|time| chart::nearest(points, time));
    let there = match here {
        None => shown.last().and_then(|point| chart::nearest(points, point.time)).unwrap_or(last),
        Some(here) if view.style == ChartStyle::Candles => {
            let width = view.candle(token.period, token.chart_columns(size, data), data);
            candle::step(points, here, by, width).unwrap_or(here)
        }
        Some(here) => {
            let stride = isize::try_from(shown.len() / usize::from(size.0.max(1))).unwrap_or(0).max(1);
            here.saturating_add_signed(by * stride).min(last)
        }
    };
    set_cursor(token, chart, points.get(there).map(|point| point.time), view.style);
}

/// Moves the chart's cursor by a day, or by a longer candle, from the last shown point if there is no cursor; to an end if
/// that is nearer.
pub(super) fn move_by_a_day(state: &mut State, forward: bool) {
    with_chart(state, |token, chart, view, size| {
        token.focus = Panel::Chart;
        step_by_a_day(token, chart, forward, view, size);
    });
}

fn step_by_a_day(token: &mut TokenScreen, chart: &ShownChart<'_>, forward: bool, view: &ChartView, size: (u16, u16)) {
    const DAY: Duration = Duration::from_hours(24);
    let data = chart.data(view.style);
    let points = points_for_cursor(token, chart, view, size);
    let Some(last) = data.points().last() else { return };
    let candle = view.candle(token.period, token.chart_columns(size, data), data);
    if view.style == ChartStyle::Candles && u128::try_from(candle.millis()).is_ok_and(|span| span > DAY.as_millis()) {
        return step(token, chart, if forward { 1 } else { -1 }, view, size);
    }
    let here = token.chart_cursor.unwrap_or(last.time);
    let there = if forward { here.plus(DAY) } else { here.minus(DAY) };
    let index = chart::nearest(points, there).map(|index| match points.get(index) {
        // After a gap of days, the nearest point may be the same one.
        Some(point) if point.time == here && forward => index + 1,
        Some(point) if point.time == here => index.saturating_sub(1),
        _ => index,
    });
    let point = index.and_then(|index| points.get(index)).map(|point| point.time);
    set_cursor(token, chart, Some(point.unwrap_or(here)), view.style);
}

/// Sets the cursor, and scrolls a part of the period so that it contains the cursor.
fn set_cursor(token: &mut TokenScreen, chart: &ShownChart<'_>, cursor: Option<UtcTime>, style: ChartStyle) {
    token.chart_cursor = cursor;
    if let (Some(window), Some(anchor), Some(ends)) =
        (token.chart_window, anchor(token, chart, style), chart.ends(style))
    {
        token.chart_window = Some(window.scrolled_to(anchor, ends.end));
    }
}

/// Moves the cursor to a click. `share`: its position across the chart, 0 to 1.
pub(in crate::app::update) fn click(state: &mut State, share: f64) {
    if let Some(token) = &mut state.token {
        token.focus = Panel::Chart;
    }
    with_chart(state, |token, chart, view, _| {
        token.chart_cursor = clicked_time(chart.data(view.style).points(), share).or(token.chart_cursor);
    });
}

/// Moves the cursor to a clicked candle, whose last point has this time.
pub(in crate::app::update) fn click_candle(state: &mut State, time: UtcTime) {
    let State { token: Some(token), responses, convert, posts, .. } = state else { return };
    token.focus = Panel::Chart;
    token.chart_cursor = Some(time);
    token.sync(responses, convert, posts);
}

/// The time of the point at this position.
fn clicked_time(points: &[Point], share: f64) -> Option<UtcTime> {
    let (first, last) = (points.first()?.time, points.last()?.time);
    let clicked = first.plus(last.since(first).mul_f64(share));
    chart::nearest(points, clicked).and_then(|index| points.get(index)).map(|point| point.time)
}

/// The time of the cursor: the end of the period if it is on the last point, which may be a candle that starts earlier.
fn anchor(token: &TokenScreen, chart: &ShownChart<'_>, style: ChartStyle) -> Option<UtcTime> {
    let cursor = token.chart_cursor?;
    let is_last = chart.data(style).all().points().last().is_some_and(|last| last.time <= cursor);
    if is_last { chart.ends(style).map(|ends| ends.end) } else { Some(cursor) }
}

/// Shows half or twice as much of the period, around the cursor or up to the end of what is shown.
pub(super) fn zoom(state: &mut State, command: Command) {
    if let Some(token) = &mut state.token {
        token.focus = Panel::Chart;
    }
    let mut refusal = None;
    with_chart(state, |token, chart, view, _| {
        let Some(ends) = chart.ends(view.style) else { return };
        let anchor = anchor(token, chart, view.style);
        match (command, token.chart_window) {
            (Command::ZoomIn, window) => {
                let zoomed = ChartWindow::zoomed_in(window, ends, anchor);
                refusal = zoom_refusal(token, &chart.with_window(zoomed), view.style);
                if refusal.is_none() {
                    token.chart_window = Some(zoomed);
                }
            }
            (_, Some(window)) => token.chart_window = window.zoomed_out(ends, anchor),
            (_, None) if token.period == Period::AllTime => refusal = Some(String::from("Already showing all prices")),
            (_, None) => refusal = Some(format!("Already showing all of {}", token.period.as_str())),
        }
    });
    if let Some(words) = refusal {
        toast(state, words);
    }
}

/// The reason why `zoomed` shows too little, as a sentence; `None` if it doesn't.
fn zoom_refusal(token: &TokenScreen, zoomed: &ShownChart<'_>, style: ChartStyle) -> Option<String> {
    // If an exchange's candles begin within the part shown now, only the zoomed part has them.
    let data = zoomed.data(style);
    // A window without points would show the whole period.
    let shown = if zoomed.part.is_some() { data.points() } else { &[] };
    let points = shown.iter().filter(|point| point.price.is_some()).count();
    let is_candles = style == ChartStyle::Candles;
    let candles = data.part_length().zip(CandleWidth::choices(token.period, data).next());
    let candles = candles.map_or(0, |(length, narrowest)| length / narrowest.millis());
    let has_enough_candles = !is_candles || usize::try_from(candles).is_ok_and(|count| count >= MIN_ZOOMED);
    let what = if is_candles { "candles" } else { "points" };
    (points < MIN_ZOOMED || !has_enough_candles).then(|| format!("Can't zoom in further (too few {what})"))
}

/// Chooses the next style or axis, or turns an indicator on or off.
pub(super) fn change_chart(view: &mut ChartView, command: Command) {
    match command {
        Command::ChartStyle => view.style = view.style.next(),
        Command::ChartAxis => view.axis = view.axis.next(),
        Command::ToggleBollinger => view.has_bands = !view.has_bands,
        Command::ToggleRsi => view.has_rsi = !view.has_rsi,
        Command::ToggleMacd => view.has_macd = !view.has_macd,
        _ => view.has_averages = !view.has_averages,
    }
}

/// Chooses wider or narrower candles. The first press shows candles.
pub(super) fn change_candles(state: &mut State, command: Command) {
    let Some(token) = &mut state.token else { return };
    token.focus = Panel::Chart;
    if state.chart.style != ChartStyle::Candles {
        state.chart.style = ChartStyle::Candles;
        return;
    }
    let period = token.period;
    let up_to_now = state.points_up_to_now();
    let token = state.token.as_ref();
    let chart = token.and_then(|token| token.chart_up_to_now(&state.responses, &state.convert, up_to_now.as_deref()));
    let data = chart.map_or_else(CandleData::default, |chart| chart.data(state.chart.style));
    let columns = token.map_or(0, |token| token.chart_columns(state.size, data));
    let wider = command == Command::WiderCandles;
    if !state.chart.change_candle(period, columns, data, wider) {
        let width = state.chart.candle(period, columns, data);
        let shown =
            if data.is_part() { String::from("at this zoom level") } else { format!("for {}", period.as_str()) };
        let is_narrowest = CandleWidth::choices(period, data).next() == Some(width);
        let words = if wider {
            format!("Widest candles {shown}: {width}")
        } else if is_narrowest {
            format!("Narrowest candles {shown}: {width}")
        } else {
            String::from("Narrower candles don't fit")
        };
        toast(state, words);
    }
}
