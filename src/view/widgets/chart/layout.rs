//! The layout of a chart: the areas of its parts, the scales of its prices and times, and the candles that fit.

use ratatui::layout::Rect;

use super::candles::{self, Bar};
use super::closes;
use super::columns::Columns;
use super::indicators::ShownCloses;
use super::parts::{Panes, Parts};
use super::prices::Prices;
use super::raster::Scale;
use super::series::Summary;
use super::{Chart, bollinger, volume};
use crate::model::{CandleData, CandleWidth, ChartAxis, ChartStyle, Point, Text, VolumeSpan};
use crate::view::widgets::text;

/// The areas of a chart and the scales of its prices and times.
pub(super) struct Layout {
    pub(super) scale: Scale,
    pub(super) columns: Columns,
    pub(super) prices: Prices,
    /// The label of the last price.
    pub(super) last: Text,
    /// The largest volume, or zero if none is shown.
    pub(super) largest: f64,
    pub(super) parts: Parts,
}

/// A chart with the candles that fit into an area.
pub(super) struct Fitted<'a> {
    pub(super) chart: Chart<'a>,
    pub(super) layout: Layout,
    /// What the indicators are computed from.
    pub(super) closes: ShownCloses,
    /// The Bollinger bands, which are within the scale; empty if they are off.
    pub(super) bands: [Vec<Point>; 3],
}

impl<'a> Chart<'a> {
    /// The width of the candles in an area of this size: wider than the chosen one if too many would not fit.
    pub fn fitting_candle(&self, area: Rect) -> CandleWidth {
        let summary = self.series.summary().filter(|_| self.style == ChartStyle::Candles);
        summary.map_or(self.candle, |summary| self.fitted(area, &summary).chart.candle)
    }

    /// The chart in an area of this size.
    pub(super) fn fitted(self, area: Rect, summary: &Summary) -> Fitted<'a> {
        let closes = self.shown_closes();
        let bands = if self.has_bands { closes.bands() } else { Default::default() };
        let layout = self.layout(area, summary, &bands);
        let candle = layout.columns.candle().unwrap_or(self.candle);
        let chart = Chart { candle, ..self };
        let is_of_candles = self.has_indicators() || self.has_volume && self.sums_volumes();
        if candle != self.candle && is_of_candles {
            // So many candles don't fit, and indicators and volumes are of those that are drawn.
            return chart.fitted(area, summary);
        }
        Fitted { chart, layout, closes, bands }
    }

    /// Whether the volumes belong to the drawn candles.
    pub(super) fn sums_volumes(&self) -> bool {
        self.style == ChartStyle::Candles && self.series.data().volume_span() == VolumeSpan::Candle
    }

    /// What the indicators are computed from, and the time span of each close.
    pub(super) fn closes(&self) -> (CandleData<'_>, CandleWidth) {
        let fixed = self.closes.filter(|_| self.style != ChartStyle::Candles);
        fixed.unwrap_or((self.series.data(), self.candle))
    }

    /// The drawn candles; none in other styles.
    pub(super) fn bars(&self, columns: &Columns) -> Vec<Bar> {
        match self.style {
            ChartStyle::Candles => candles::bars(self.series, columns),
            _ => Vec::new(),
        }
    }

    fn has_indicators(&self) -> bool {
        self.has_bands || self.has_macd || self.rsi.is_some() || !self.averages.is_empty()
    }

    /// The closes within the time axis; none if there is no indicator.
    fn shown_closes(&self) -> ShownCloses {
        let series = self.series;
        let axis = match self.style {
            ChartStyle::Candles => Columns::of_candles(series.data().whole_points(self.candle), self.candle, 1),
            _ => Columns::new(series.points(), 1),
        };
        if !self.has_indicators() {
            return ShownCloses::new(Vec::new(), axis);
        }
        let (data, interval) = self.closes();
        let newest = series.data().all().points().last().map(|point| point.time);
        ShownCloses::new(closes::closes(data.all(), interval, newest), axis)
    }

    fn layout(&self, area: Rect, summary: &Summary, bands: &[Vec<Point>; 3]) -> Layout {
        let scale = self.scale(summary, bands);
        let largest = self.largest_volume();
        let volume = Some(largest).filter(|volume| *volume > 0.0);
        let panes = Panes { rsi: self.rsi, has_macd: self.has_macd };
        // The widths of the labels don't change the height of the plot.
        let rows = Parts::of(area, 0, 0, volume, panes).plot.height;
        let prices = self.prices(&scale, area.height, rows, summary.open.1);
        let last = prices.mark(summary.last.1);
        let labels = self.annotations.map_or(0, |annotations| annotations.width(&scale, &prices)).max(prices.width());
        let parts = Parts::of(area, labels, text::width(&last) + 3, volume, panes);
        let columns = self.columns(parts.plot.width);
        // The last price is beside the newest candle.
        let parts = parts.narrowed(columns.width());
        Layout { scale, columns, prices, last, largest, parts }
    }

    /// The scale of the prices, the limits of alerts near them, and the Bollinger bands.
    fn scale(&self, summary: &Summary, bands: &[Vec<Point>; 3]) -> Scale {
        let (low, high) = (summary.low.1, summary.high.1);
        let (low, high) = self.annotations.map_or((low, high), |annotations| annotations.range_with_levels(low, high));
        let (low, high) = bollinger::range_with_bands(bands, low, high);
        let scale = Scale::new(low, high);
        if self.axis == ChartAxis::Log { scale.log() } else { scale }
    }

    /// The labels of a price axis in a chart of this height, of which `rows` are the rows of its plot.
    fn prices(&self, scale: &Scale, height: u16, rows: u16, open: f64) -> Prices {
        match self.axis {
            _ if self.hides_prices => Prices::hidden(scale, height, rows, open),
            ChartAxis::Percent if open > 0.0 => Prices::percent(scale, height, rows, open, self.format),
            _ => Prices::new(scale, height, rows, self.format),
        }
    }

    /// The largest volume of the points or candles, or zero if none is shown.
    fn largest_volume(&self) -> f64 {
        let points = self.series.points();
        if !self.has_volume {
            0.0
        } else if self.sums_volumes() {
            let columns = Columns::of_candles(points, self.candle, 1);
            volume::largest(&volume::of_candles(&candles::bars(self.series, &columns)))
        } else {
            volume::largest(points)
        }
    }

    /// The columns of a plot with this width.
    fn columns(&self, width: u16) -> Columns {
        match self.style {
            ChartStyle::Candles => Columns::of_fitting_candles(self.series.data(), self.candle, width),
            _ => Columns::new(self.series.points(), width),
        }
    }
}
