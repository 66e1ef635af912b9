//! The price chart of a BRC-20 token, beside its details.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::scene::Scene;
use crate::app::token_prices::TOKEN_CHART;
use crate::format::Arrow;
use crate::view::area::below;
use crate::view::chrome::health;
use crate::view::widgets::chart::{Chart, ChartState, Series};
use crate::view::widgets::{Placeholder, text};

/// Columns of the details beside a chart.
pub(super) const DETAIL_COLUMNS: u16 = 62;

/// Paints the chart, if the state has room and a coin for one.
pub(super) fn paint(buf: &mut Buffer, area: Rect, scene: &Scene<'_>) {
    let (state, theme) = (scene.state, &scene.look.theme);
    let Some(request) = state.token_chart_request() else { return };
    let remote = state.store.chart(&request);
    let Some(chart) = remote.value else {
        return health::missing(buf, area, remote, "the chart", state, theme);
    };
    let series = Series::new(&chart.points);
    let Some(summary) = series.summary() else {
        let sentence = format!("No prices for {}", TOKEN_CHART.as_str());
        return Placeholder::empty(&sentence).theme(theme).render(area, buf);
    };
    let title = text::line(area, 0);
    let period = format!("{}  ", TOKEN_CHART.as_str());
    let used = text::put(buf, title, &period, theme.dim);
    let change = summary.change_pct();
    text::put(buf, text::shifted(title, used), &Arrow(change).to_string(), theme.change(change));
    let drawn = Chart::new(&series).zone(&state.preferences.zone).theme(theme);
    StatefulWidget::render(drawn, below(area, 1), buf, &mut ChartState::default());
    if remote.is_stale(state.now) {
        health::fade(buf, area);
    }
}
