//! Paints a chart.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::StatefulWidget;

use super::candles::{self, Bar};
use super::indicators::{Indicators, Values};
use super::layout::Layout;
use super::marks::Marks;
use super::pane::Pane;
use super::prepared::{Content, PreparedChart};
use super::raster::{self, DOTS_PER_CELL, Raster};
use super::series::{Series, Summary};
use super::state::ChartState;
use super::tag::Tag;
use super::volume::{self, VolumeLabel};
use super::{Chart, macd, rsi, time_axis};
use crate::model::ChartStyle;
use crate::view::widgets::text;

impl StatefulWidget for Chart<'_> {
    type State = ChartState;

    fn render(self, area: Rect, buf: &mut Buffer, state: &mut ChartState) {
        self.prepare(area.intersection(buf.area)).paint(buf, state);
    }
}

impl PreparedChart<'_> {
    /// Paints the chart with the cursor of `state`, which then has the area and the time axis of the line.
    pub fn paint(&self, buf: &mut Buffer, state: &mut ChartState) {
        state.drawn = None;
        if self.area.is_empty() {
            return;
        }
        let Some(content) = &self.content else {
            let middle = text::line(self.area, self.area.height / 2);
            text::put_centred(buf, middle, "No prices in this period", self.chart.theme.dim);
            return;
        };
        let painter = self.painter(content, state.cursor);
        let raster = painter.plot(buf);
        painter.axes(buf);
        painter.marks(buf, &raster, state.cursor);
        state.drawn = Some((content.layout.parts.plot, content.layout.columns));
    }

    fn painter<'p>(&'p self, content: &'p Content, cursor: Option<usize>) -> ChartPainter<'p> {
        let (chart, Content { summary, layout, values }) = (self.chart, content);
        // A change that prints as zero is neither a gain nor a loss.
        let line = match chart.theme.change(summary.change_pct()) {
            style if style == chart.theme.dim || chart.is_neutral => chart.theme.chart_line,
            style => style,
        };
        let cursor = cursor.and_then(|index| chart.series.points().get(index));
        let tagged = cursor.map_or_else(|| values.newest(), |point| self.indicators_at(point.time));
        ChartPainter { chart, summary, layout, values, bars: chart.bars(&layout.columns), line, tagged }
    }
}

/// What the parts of a chart are painted from.
struct ChartPainter<'a> {
    chart: Chart<'a>,
    summary: &'a Summary,
    layout: &'a Layout,
    values: &'a Values,
    /// The drawn candles.
    bars: Vec<Bar>,
    /// The style of the line.
    line: Style,
    /// The values of the tags beside the panes: those at the cursor, or else the newest.
    tagged: Indicators,
}

impl ChartPainter<'_> {
    /// Paints the line or the candles, the averages, the bands and the marked levels. Returns the cells of the line or the
    /// candles.
    fn plot(&self, buf: &mut Buffer) -> Raster {
        let ChartPainter { chart, layout, values, bars, .. } = self;
        let Chart { series, style, theme, .. } = *chart;
        let (Layout { scale, columns, .. }, plot) = (layout, layout.parts.plot);
        let base = scale.row(self.summary.open.1, plot.height * DOTS_PER_CELL);
        raster::paint_base(buf, plot, base, theme);
        let price_line = (style != ChartStyle::Candles).then(|| Raster::trace(series, columns, plot, scale));
        if let Some(price_line) = price_line.as_ref().filter(|_| style == ChartStyle::Area) {
            price_line.paint_area(buf, base, theme);
        }
        let bands = values.bands.iter().filter(|values| !values.is_empty()).map(|values| (values, theme.bands()));
        let averages = values.averages.iter().map(|(_, values)| values).zip(theme.averages());
        for (values, style) in bands.chain(averages) {
            let mut points = values.clone();
            // In a part, an average of earlier prices may be outside the scale, and a band may be below zero.
            points.iter_mut().for_each(|point| point.price = point.price.filter(|price| scale.contains(*price)));
            Raster::trace(&Series::new(&points), columns, plot, scale).paint(buf, style);
        }
        let raster = match price_line {
            None => candles::paint(buf, plot, bars, columns.pitch(), scale, theme),
            Some(price_line) => {
                price_line.paint(buf, self.line);
                price_line
            }
        };
        if let Some(annotations) = chart.annotations {
            annotations.paint_levels(buf, plot, scale, theme);
        }
        if chart.marks_gaps {
            raster.paint_gaps(buf, theme.warn);
        }
        raster
    }

    /// Paints the volume, the panes and all axes.
    fn axes(&self, buf: &mut Buffer) {
        let ChartPainter { chart, layout, values, bars, tagged, .. } = self;
        let Layout { scale, columns, prices, parts, .. } = layout;
        let theme = chart.theme;
        // For the painted candles, which may be wider than the chosen ones.
        let volumes = chart.sums_volumes().then(|| volume::of_candles(bars));
        let (volumes, largest, label) = match (&volumes, columns.candle()) {
            (Some(volumes), Some(width)) => (volumes.as_slice(), volume::largest(volumes), VolumeLabel::Candle(width)),
            _ => (chart.series.points(), layout.largest, VolumeLabel::of_points(chart.series.data())),
        };
        volume::paint(buf, parts.volume, volumes, largest, columns, theme);
        prices.paint(buf, parts.left, parts.plot, scale, theme);
        if let Some(annotations) = chart.annotations {
            annotations.paint_labels(buf, parts, scale, prices, theme);
        }
        if !parts.volume.is_empty() {
            let beside = Rect { y: parts.volume.y, height: parts.volume.height, ..parts.left };
            volume::axis(buf, beside, largest, label, theme);
        }
        if let Some(length) = chart.rsi.filter(|_| !parts.rsi.is_empty()) {
            rsi::paint(buf, &self.pane(parts.rsi, tagged.rsi), &values.rsi, length);
            let beside = Rect { y: parts.rsi.y, height: parts.rsi.height, ..parts.left };
            rsi::axis(buf, beside, length, theme);
        }
        if !parts.macd.is_empty() {
            let (macd, scale) = (&values.macd, values.macd.scale());
            macd::paint(buf, &self.pane(parts.macd, tagged.macd), macd, &scale);
            let beside = Rect { y: parts.macd.y, height: parts.macd.height, ..parts.left };
            macd::axis(buf, beside, macd, &scale, theme);
        }
        time_axis::paint(buf, parts.bottom, columns, chart.zone, !parts.left.is_empty(), theme);
    }

    /// The pane of an indicator in this area, with this value in its tag.
    fn pane(&self, area: Rect, tagged: Option<f64>) -> Pane<'_> {
        let theme = self.chart.theme;
        Pane {
            area,
            right: self.layout.parts.right,
            columns: &self.layout.columns,
            tagged: tagged.map(|value| Tag { value, styles: self.tag_styles(theme.chart_line) }),
            more: self.chart.more_candles,
            theme,
        }
    }

    /// Paints the cursor and the labels in the plot.
    fn marks(&self, buf: &mut Buffer, raster: &Raster, cursor: Option<usize>) {
        let ChartPainter { chart, summary, layout, line, .. } = self;
        let Layout { scale, columns, prices, last, parts, .. } = layout;
        let theme = chart.theme;
        let mut marks = Marks::new(raster, parts.plot, scale, columns, prices, chart.series, chart.zone);
        if let Some(index) = cursor {
            let dot = (chart.style != ChartStyle::Candles).then_some(*line);
            marks.cursor(buf, parts.macd.bottom(), index, dot, theme);
        }
        if let Some(annotations) = chart.annotations {
            marks.paint_markers(buf, &annotations.markers, cursor, theme);
        }
        marks.extremes(buf, summary, !parts.right.is_empty(), theme);
        let shown = chart.annotations.iter().flat_map(|annotations| annotations.shown(scale));
        let levels: Vec<f64> = shown.map(|level| level.price).collect();
        marks.opening(buf, summary, &levels, theme);
        marks.levels_at_zero(buf, &levels, theme);
        marks.last(buf, parts.right, summary, last, self.tag_styles(*line));
    }

    /// The styles of the sign and the value of a tag on a line in this style. Values in an older part of the chart are
    /// not current.
    fn tag_styles(&self, line: Style) -> [Style; 2] {
        let is_current = self.chart.series.data().has_newest();
        if is_current { [line, line.add_modifier(Modifier::BOLD)] } else { [self.chart.theme.dim; 2] }
    }
}
