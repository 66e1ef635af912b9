//! The chart of the token view: its cursor, style and candles.

use std::time::Duration;

use crate::app::chart_view::ChartView;
use crate::app::panel::Panel;
use crate::app::screen::TokenScreen;
use crate::app::state::State;
use crate::keymap::Command;
use crate::model::{CandleData, CandleWidth, ChartStyle, candle, chart};

use crate::app::update::toast::toast;

/// Moves the cursor to the last point, or to the first one.
pub(super) fn move_cursor_to_end(state: &mut State, last: bool) {
    let State { token: Some(token), responses, convert, posts, chart, .. } = state else { return };
    let points = token.chart(responses, convert).map_or(&[][..], |shown| shown.data(chart.style).points());
    let end = if last { points.last() } else { points.first() };
    token.chart_cursor = end.map(|point| point.time);
    token.sync(responses, convert, posts);
}

/// Moves the chart's cursor by candles, or by columns: as many points as a column of the screen contains, at least one.
pub(super) fn move_cursor(
    token: &mut TokenScreen,
    data: CandleData<'_>,
    by: isize,
    view: &ChartView,
    size: (u16, u16),
) {
    let points = data.points();
    let Some(last) = points.len().checked_sub(1) else { return };
    let here = token.chart_cursor.and_then(|time| chart::nearest(points, time));
    let there = match here {
        None => last,
        Some(here) if view.style == ChartStyle::Candles => {
            let width = view.candle(token.period, token.chart_columns(size), data);
            candle::step(points, here, by, width).unwrap_or(here)
        }
        Some(here) => {
            let stride = isize::try_from(points.len() / usize::from(size.0.max(1))).unwrap_or(0).max(1);
            here.saturating_add_signed(by * stride).min(last)
        }
    };
    token.chart_cursor = points.get(there).map(|point| point.time);
}

/// Moves the chart's cursor by a day, or by a longer candle, from the last point if there is no cursor; to an end if that
/// is nearer.
pub(super) fn move_by_a_day(
    token: &mut TokenScreen,
    data: CandleData<'_>,
    forward: bool,
    view: &ChartView,
    size: (u16, u16),
) {
    const DAY: Duration = Duration::from_hours(24);
    let points = data.points();
    let Some(last) = points.last() else { return };
    let candle = view.candle(token.period, token.chart_columns(size), data);
    if view.style == ChartStyle::Candles && u128::try_from(candle.millis()).is_ok_and(|span| span > DAY.as_millis()) {
        return move_cursor(token, data, if forward { 1 } else { -1 }, view, size);
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
    token.chart_cursor = Some(point.unwrap_or(here));
}

/// Chooses the next style or axis, or turns averages or the RSI on or off.
pub(super) fn change_chart(view: &mut ChartView, command: Command) {
    match command {
        Command::ChartStyle => view.style = view.style.next(),
        Command::ChartAxis => view.axis = view.axis.next(),
        Command::ToggleRsi => view.has_rsi = !view.has_rsi,
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
    let (period, columns) = (token.period, token.chart_columns(state.size));
    let chart = token.chart(&state.responses, &state.convert);
    let data = chart.map_or_else(CandleData::default, |chart| chart.data(state.chart.style));
    let wider = command == Command::WiderCandles;
    if !state.chart.change_candle(period, columns, data, wider) {
        let width = state.chart.candle(period, columns, data);
        let name = period.as_str();
        let words = match wider {
            true => format!("Widest candles for {name}: {width}"),
            false if width == CandleWidth::narrowest(period) => format!("Narrowest candles for {name}: {width}"),
            false => String::from("Narrower candles don't fit"),
        };
        toast(state, words, false);
    }
}
