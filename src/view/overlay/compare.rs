//! The comparison of coins.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::frame::Frame;
use crate::app::State;
use crate::app::chart::compare::{LineError, SeriesError};
use crate::app::chart::year;
use crate::format::Date;
use crate::keymap::{Command, Context};
use crate::model::{Period, Point, UtcTime, Zone, chart};
use crate::user_data::Watched;
use crate::view::annotations::annotations;
use crate::view::appearance::Appearance;
use crate::view::area::below;
use crate::view::chrome::health::{self, Health, Missing};
use crate::view::paint_context::PaintContext;
use crate::view::view_state::ViewState;
use crate::view::widgets::chart::Marker;
use crate::view::widgets::chart::comparison::{self, Line};
use crate::view::widgets::chart::moment::moment;
use crate::view::widgets::{PanelTitle, Placeholder, text};

pub(super) fn paint(buf: &mut Buffer, area: Rect, context: PaintContext<'_>, view_state: &mut ViewState) {
    let PaintContext { state, appearance } = context;
    let theme = &appearance.theme;
    let compared = &state.comparison;
    let inner = Frame::new("Compare", u16::MAX, u16::MAX).paint(buf, area, appearance, view_state);
    let Some(request) = compared.request(&state.convert) else { return };
    let remote = state.responses.market(&request);
    let series = remote.value.map(|response| state.compared_lines(response));

    let health = Health::of(remote, state);
    let zone = &state.preferences.zone;
    let points = series.iter().flatten().flatten().max_by_key(|points| points.len());
    let points = points.map_or(&[][..], |points| &**points);
    // After a change of the period, the cursor's time may be between two points.
    let nearest = |time| chart::nearest(points, time).and_then(|index| points.get(index)).map(|point| point.time);
    let cursor = compared.cursor.and_then(nearest);
    // The marks of the selected coin; marks of all coins would be too many.
    let selected = series.as_ref().and_then(|series| series.get(compared.selected)?.as_ref().ok());
    let end = selected.and_then(|points| points.last()).map(|point| point.time);
    let coin = compared.coins().get(compared.selected);
    let marks = coin.map(|coin| annotations(state, coin, &state.convert, end).markers).unwrap_or_default();
    let when = cursor.map(|time| at_cursor(points, time, &marks, zone));
    let problem = Some(&health).filter(|health| health.is_bad && remote.value.is_some());
    paint_title(buf, inner, context, (when.as_deref(), problem), points, view_state);
    let rest = below(inner, 1);

    let Some(series) = series else {
        return Missing::new(remote, "the comparison", state, theme).paint(buf, rest);
    };
    let note = note(&series, context);
    let noted = u16::from(!note.is_empty());
    let plot = Rect { height: rest.height.saturating_sub(noted), ..rest };
    text::put(buf, text::line(below(rest, plot.height), 0), &note, theme.dim);
    if !series.iter().any(Result::is_ok) {
        let sentence = format!("No prices for {}", compared.period().as_str());
        return Placeholder::empty(&sentence).theme(theme).render(plot, buf);
    }
    let coins = compared.coins().iter().zip(&series).enumerate();
    let lines: Vec<Line<'_>> = coins
        .map(|(index, (coin, points))| Line {
            letter: compared.letter(index),
            name: &coin.symbol,
            points: points.as_deref().unwrap_or_default(),
            style: theme.line(compared.slot(index)),
            is_selected: index == compared.selected,
        })
        .collect();
    let drawn = comparison::Comparison::new(&lines).cursor(cursor).markers(&marks).zone(zone).theme(theme);
    let mut shown_plot = None;
    StatefulWidget::render(drawn, plot, buf, &mut shown_plot);
    if let Some(plot) = shown_plot {
        view_state.chart_columns(plot);
    }
    if remote.is_stale(state.now) {
        health::fade(buf, rest);
    }
}

/// The time under the cursor, and the marks there.
fn at_cursor(points: &[Point], time: UtcTime, marks: &[Marker], zone: &Zone) -> String {
    let here = chart::nearest(points, time);
    let marked: Vec<&Marker> = marks.iter().filter(|mark| chart::nearest(points, mark.time) == here).collect();
    let moment = moment(points, time, zone);
    match Marker::texts(&marked, time) {
        texts if texts.is_empty() => moment,
        texts => format!("{moment} · {texts}"),
    }
}

/// Paints the title, and makes its periods clickable. On the right is what is at the cursor, or a problem, or the start
/// of all time.
fn paint_title(
    buf: &mut Buffer,
    area: Rect,
    context: PaintContext<'_>,
    (when, problem): (Option<&str>, Option<&Health>),
    points: &[Point],
    view_state: &mut ViewState,
) {
    let PaintContext { state, appearance } = context;
    let (theme, period) = (&appearance.theme, state.comparison.period());
    let names = Period::ALL.map(Period::as_str);
    let chosen = Period::ALL.iter().position(|known| *known == period);
    let title = PanelTitle::new("% change").choices(&names, chosen).focused(true).theme(theme);
    let room = title.room(area.width);
    let problem = problem.map(|health| health.fitted(room));
    // All lines of all time start together.
    let start = period.start_of_all(points).map(|start| state.preferences.zone.at(start));
    let since = start.map(|day| format!("since {}", Date { day, with_year: true }));
    let since = since.filter(|since| text::width(since) <= room).unwrap_or_default();
    let with_right = match (when, &problem) {
        (Some(when), _) => title.right(when, theme.text),
        (None, Some(problem)) => title.right(problem, theme.warn),
        (None, None) => title.right(&since, theme.dim),
    };
    // The cursor's time takes precedence over the other periods.
    let (shown, periods) = if when.map_or(0, text::width) > room {
        (with_right.chosen_only(), std::slice::from_ref(&period))
    } else {
        (with_right, &Period::ALL[..])
    };
    shown.render(area, buf);
    view_state.periods(text::line(area, 0), &shown, periods);
}

/// Which coins have no prices and why, and how to add other coins.
fn note(series: &[Result<Cow<'_, [Point]>, LineError>], context: PaintContext<'_>) -> String {
    let PaintContext { state, appearance } = context;
    let compared = &state.comparison;
    let has_prices = series.iter().any(Result::is_ok);
    let no_prices = |coin: &Watched| format!("No {} for {}", year::prices(compared.period()), coin.symbol);
    let missing = compared.coins().iter().zip(series).filter_map(|(coin, points)| match points {
        Ok(_) => None,
        // The sentence in place of the lines is about all coins.
        Err(LineError::Series(SeriesError::Missing)) if !has_prices => None,
        Err(LineError::Series(SeriesError::Missing)) => Some(no_prices(coin)),
        Err(LineError::Series(SeriesError::Ambiguous(several))) => Some(format!("{several} coins use {}", coin.symbol)),
        Err(LineError::Ended(start)) => {
            let since = Date { day: state.preferences.zone.at(*start), with_year: true };
            Some(format!("{} since {since}", no_prices(coin)))
        }
    });
    let alone = (compared.coins().len() == 1).then(|| alone(state, appearance)).flatten();
    missing.chain(alone).collect::<Vec<_>>().join(" · ")
}

/// How to add other coins, as long as there is only one.
fn alone(state: &State, appearance: &Appearance) -> Option<String> {
    let key = state.keys().name(Command::AddCoin, Context::Compare, appearance.glyphs)?;
    Some(format!("press {key} to add a coin"))
}
