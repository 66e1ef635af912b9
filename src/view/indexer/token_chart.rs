//! The price chart of a BRC-20 token, beside or below its details.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::panel_context::PanelContext;
use crate::app::coins::token_prices::TOKEN_CHART_PERIOD;
use crate::client::{Group, Request};
use crate::format::{Arrow, PriceFormat};
use crate::user_data::Watched;
use crate::view::annotations::annotations;
use crate::view::chrome::health::{self, Missing};
use crate::view::widgets::chart::{Chart, ChartState, Series};
use crate::view::widgets::{PanelTitle, Placeholder};

/// Columns of the details beside a chart.
pub(super) const DETAIL_COLUMNS: u16 = 62;

/// Rows of a chart between the details and a list, with its title and an empty row.
pub(super) const ROWS: u16 = 9;

/// Paints the chart of a request.
pub(super) fn paint(buf: &mut Buffer, area: Rect, context: &PanelContext<'_>, request: &Request) {
    let (state, theme) = (context.state, &context.appearance.theme);
    let remote = state.responses.chart(request);
    let chart = remote.value;
    let series = Series::new(chart.map_or(&[][..], |chart| &chart.points));
    let foreign = chart.filter(|chart| chart.convert != state.convert).map(|chart| &chart.convert);
    let is_bad = chart.is_some() && (remote.is_stale(state.now) || remote.failure().is_some());
    let problem = is_bad.then(|| context.explained.health(remote, state)).map(|problem| match foreign {
        Some(convert) => problem.in_currency(convert.as_str()),
        None => problem,
    });
    let change = series.summary().filter(|_| problem.is_none()).map(|summary| summary.change_pct());
    let right = change.map(|change| {
        let note = foreign.map_or_else(String::new, |convert| format!("in {convert}  "));
        (format!("{note}{}", Arrow(change)), theme.change(change))
    });
    let source = health::source(remote, state.now).unwrap_or_default();
    let title = PanelTitle::new(TOKEN_CHART_PERIOD.as_str()).source(&source).theme(theme);
    let title = right.as_ref().map_or(title, |(words, style)| title.right(words, *style));
    let place = health::title(buf, area, title, problem.as_ref(), theme);
    if chart.is_none() {
        let missing = Missing::new(remote, "the chart", state, theme).of(Group::Market);
        return context.explained.missing(buf, place, &missing);
    }
    if series.summary().is_none() {
        let sentence = format!("No prices for {}", TOKEN_CHART_PERIOD.as_str());
        return Placeholder::empty(&sentence).theme(theme).render(place, buf);
    }
    let coin = context.token_coin().map(Watched::from_coin);
    let end = series.points().last().map(|point| point.time);
    let marks = coin.zip(chart).map(|(coin, chart)| annotations(state, &coin, &chart.convert, end)).unwrap_or_default();
    let format = PriceFormat::of(chart.map_or(&state.convert, |chart| &chart.convert));
    let drawn = Chart::new(&series).annotations(&marks).format(format).zone(&state.preferences.zone).theme(theme);
    StatefulWidget::render(drawn, place, buf, &mut ChartState::default());
    if remote.is_stale(state.now) {
        health::fade(buf, place);
    }
}
