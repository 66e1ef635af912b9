//! The comparison of coins.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::frame::Frame;
use crate::app::State;
use crate::app::chart::compare::SeriesError;
use crate::app::chart::year;
use crate::format::Date;
use crate::keymap::{Command, Context};
use crate::model::{Period, chart};
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

    let names = Period::ALL.map(Period::as_str);
    let chosen = Period::ALL.iter().position(|period| *period == compared.period());
    let title = PanelTitle::new("% change").choices(&names, chosen).focused(true).theme(theme);
    let health = Health::of(remote, state);
    let zone = &state.preferences.zone;
    let points = series.iter().flatten().flatten().max_by_key(|points| points.len());
    let points = points.map_or(&[][..], |points| &**points);
    // After a change of the period, the cursor's time may be between two points.
    let nearest = |time| chart::nearest(points, time).and_then(|index| points.get(index)).map(|point| point.time);
    let cursor = compared.cursor.and_then(nearest);
    // The marks of the selected coin; marks of all coins would be too many.
    let marks = compared.coins().get(compared.selected).map(|coin| annotations(state, coin, &state.convert).markers);
    let marks = marks.unwrap_or_default();
    let when = cursor.map(|time| {
        let here = chart::nearest(points, time);
        let marked: Vec<&Marker> = marks.iter().filter(|mark| chart::nearest(points, mark.time) == here).collect();
        let moment = moment(points, time, zone);
        match Marker::texts(&marked, time) {
            texts if texts.is_empty() => moment,
            texts => format!("{moment} · {texts}"),
        }
    });
    let problem = health.fitted(title.room(inner.width));
    // All lines of all time start together.
    let start = compared.period().start_of_all(points).map(|start| zone.at(start));
    let since = start.map(|day| format!("since {}", Date { day, with_year: true }));
    let since = since.filter(|since| text::width(since) <= title.room(inner.width)).unwrap_or_default();
    let title = match (&when, health.is_bad && remote.value.is_some()) {
        (Some(when), _) => title.right(when, theme.text),
        (None, true) => title.right(&problem, theme.warn),
        (None, false) => title.right(&since, theme.dim),
    };
    // The cursor's time takes precedence over the other periods.
    let period = compared.period();
    let wanted = when.as_deref().map_or(0, text::width);
    let (title, periods) = if wanted > title.room(inner.width) {
        (title.chosen_only(), std::slice::from_ref(&period))
    } else {
        (title, &Period::ALL[..])
    };
    title.render(inner, buf);
    view_state.periods(text::line(inner, 0), &title, periods);
    let rest = below(inner, 1);

    let Some(series) = series else {
        return Missing::new(remote, "the comparison", state, theme).paint(buf, rest);
    };
    let has_prices = series.iter().any(Result::is_ok);
    let notes: Vec<String> = compared
        .coins()
        .iter()
        .zip(&series)
        .filter_map(|(coin, points)| match points {
            Ok(_) => None,
            // Below, for all coins.
            Err(SeriesError::Missing) if !has_prices => None,
            Err(SeriesError::Missing) => Some(format!("No {} for {}", year::prices(period), coin.symbol)),
            Err(SeriesError::Ambiguous(several)) => Some(format!("{several} coins use {}", coin.symbol)),
        })
        .collect();
    let alone = (compared.coins().len() == 1).then(|| alone(state, appearance)).flatten();
    let note = notes.into_iter().chain(alone).collect::<Vec<_>>().join(" · ");
    let noted = u16::from(!note.is_empty());
    let plot = Rect { height: rest.height.saturating_sub(noted), ..rest };
    text::put(buf, text::line(below(rest, plot.height), 0), &note, theme.dim);
    if !has_prices {
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

/// How to add other coins, as long as there is only one.
fn alone(state: &State, appearance: &Appearance) -> Option<String> {
    let key = state.keys().name(Command::AddCoin, Context::Compare, appearance.glyphs)?;
    Some(format!("press {key} to add a coin"))
}
