//! A price over time as a braille line or candles, with axes, marks and a cursor.
//!
//! ```text
//!  9.20┤                       ⣀  high 9.14 · 16 Nov 18:15
//!      │        ⢀⣀⡀    ⢀⡠⠊ ⠑⢄
//!  8.40┤   ⢀⡠⠤⠒⠉  ⠑⠒⠁     ⠉⠢⣀ ◀ 8.41
//!      │⣀⡠⠊┄┄┄┄┄┄┄┄┄┄┄┄┄ open 7.58
//!      └13 Nov──14────15────16────17
//! ```
//!
//! The points of each column are reduced to their lowest and highest price before anything is painted, so that a long
//! series costs little more than a short one and no spike is lost.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{StatefulWidget, Widget};

use super::text;
use crate::format::PriceFormat;
use crate::model::{
    CandleData, CandleWidth, ChartAxis, ChartStyle, MovingAverage, Period, Text, UtcTime, VolumeSpan, Zone,
};
use crate::theme::Theme;

pub mod annotations;
mod averages;
mod bollinger;
mod candle_label;
mod candles;
mod closes;
pub mod columns;
pub mod comparison;
mod indicators;
mod macd;
mod marks;
pub mod moment;
mod paint;
mod parts;
pub mod period_prices;
mod prices;
mod raster;
pub mod readout;
mod rsi;
mod series;
mod state;
mod tag;
pub mod ticks;
mod time_axis;
pub mod time_ticks;
mod volume;

pub use annotations::{Annotations, Level, Marker, MarkerKind};
pub use bollinger::BOLLINGER_LENGTH;
pub use candle_label::candle_labels;
pub use columns::Columns;
pub use comparison::Comparison;
pub use indicators::{Indicators, Shown};
pub use readout::Readout;
pub use series::{Series, Summary};
pub use state::ChartState;
pub use volume::VolumeLabel;

use indicators::{Chosen, Values};
use parts::{Panes, Parts};
use prices::Prices;
use raster::Scale;

/// A price over time, with axes, high, low, opening and last price; only the line if there is no room for more. Without
/// any price it is one dim sentence.
///
/// As a stateful widget it has a cursor, and records the area and the time axis of the line.
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect, widgets::StatefulWidget};
/// use satscope::model::{Point, UtcTime};
/// use satscope::view::widgets::chart::{Chart, ChartState, Series};
///
/// let point = |hour: i64| Point {
///     time: UtcTime::from_secs(hour * 3_600),
///     price: Some(8.0 + hour as f64 / 100.0),
///     volume: None,
///     market_cap: None,
/// };
/// let points: Vec<Point> = (0..100).map(point).collect();
/// let mut buf = Buffer::empty(Rect::new(0, 0, 60, 10));
/// let mut state = ChartState::default().with_cursor(Some(50));
/// Chart::new(&Series::new(&points)).render(buf.area, &mut buf, &mut state);
/// assert!(state.plot().is_some_and(|plot| plot.width > 40 && plot.height == 9));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chart<'a> {
    series: &'a Series<'a>,
    has_volume: bool,
    style: ChartStyle,
    candle: CandleWidth,
    axis: ChartAxis,
    averages: &'a [MovingAverage],
    has_bands: bool,
    rsi: Option<usize>,
    has_macd: bool,
    closes: Option<(CandleData<'a>, CandleWidth)>,
    hides_prices: bool,
    marks_gaps: bool,
    is_neutral: bool,
    annotations: Option<&'a Annotations>,
    format: PriceFormat,
    zone: &'a Zone,
    theme: &'a Theme,
}

impl<'a> Chart<'a> {
    /// A chart of a series.
    pub fn new(series: &'a Series<'a>) -> Chart<'a> {
        static UTC: Zone = Zone::UTC;
        Chart {
            series,
            has_volume: false,
            style: ChartStyle::Area,
            candle: CandleWidth::narrowest(Period::Day),
            axis: ChartAxis::Linear,
            averages: &[],
            has_bands: false,
            rsi: None,
            has_macd: false,
            closes: None,
            hides_prices: false,
            marks_gaps: false,
            is_neutral: false,
            annotations: None,
            format: PriceFormat::default(),
            zone: &UTC,
            theme: Theme::ANSI,
        }
    }

    /// What it draws; an area by default.
    pub fn style(self, style: ChartStyle) -> Chart<'a> {
        Chart { style, ..self }
    }

    /// The time span of each candle.
    pub fn candle(self, candle: CandleWidth) -> Chart<'a> {
        Chart { candle, ..self }
    }

    /// What the indicators of a line are computed from, and the time span of each close; by default the series and the
    /// chosen candles. Those of candles are always computed from the drawn ones.
    pub fn closes_of(self, data: CandleData<'a>, interval: CandleWidth) -> Chart<'a> {
        Chart { closes: Some((data, interval)), ..self }
    }

    /// The price axis; linear by default.
    pub fn axis(self, axis: ChartAxis) -> Chart<'a> {
        Chart { axis, ..self }
    }

    /// The moving averages, at most two; none by default.
    pub fn averages(self, averages: &'a [MovingAverage]) -> Chart<'a> {
        Chart { averages, ..self }
    }

    /// Whether to show Bollinger bands; off by default.
    pub fn bands(self, has_bands: bool) -> Chart<'a> {
        Chart { has_bands, ..self }
    }

    /// Whether to show the MACD below the volume and the RSI, if there is room; off by default.
    pub fn macd(self, has_macd: bool) -> Chart<'a> {
        Chart { has_macd, ..self }
    }

    /// The length of the RSI in closes, which is shown below the volume if there is room; none by default.
    pub fn rsi(self, rsi: Option<usize>) -> Chart<'a> {
        Chart { rsi, ..self }
    }

    /// Whether to show the volume below the line, if there is room.
    pub fn volume(self, has_volume: bool) -> Chart<'a> {
        Chart { has_volume, ..self }
    }

    /// Whether all labels are changes from the opening price in percent, to hide prices.
    pub fn hide_prices(self, hides_prices: bool) -> Chart<'a> {
        Chart { hides_prices, ..self }
    }

    /// Whether gaps between prices are marked at the bottom of the plot.
    pub fn mark_gaps(self, marks_gaps: bool) -> Chart<'a> {
        Chart { marks_gaps, ..self }
    }

    /// Whether the change over the chart is neither a gain nor a loss.
    pub fn neutral(self, is_neutral: bool) -> Chart<'a> {
        Chart { is_neutral, ..self }
    }

    /// What the user marks; nothing by default.
    pub fn annotations(self, annotations: &'a Annotations) -> Chart<'a> {
        Chart { annotations: Some(annotations).filter(|annotations| !annotations.is_empty()), ..self }
    }

    /// The format of marked prices; the default is for dollars.
    pub fn format(self, format: PriceFormat) -> Chart<'a> {
        Chart { format, ..self }
    }

    /// The time zone of labels; UTC by default.
    pub fn zone(self, zone: &'a Zone) -> Chart<'a> {
        Chart { zone, ..self }
    }

    /// The styles.
    pub fn theme(self, theme: &'a Theme) -> Chart<'a> {
        Chart { theme, ..self }
    }
}

/// The areas of a chart and the scales of its prices and times.
struct Layout {
    scale: Scale,
    columns: Columns,
    prices: Prices,
    /// The label of the last price.
    last: Text,
    /// The largest volume, or zero if none is shown.
    largest: f64,
    values: Values,
    parts: Parts,
}

impl Chart<'_> {
    /// The content of an area of this size.
    pub fn shown(&self, area: Rect) -> Shown {
        let is_fixed = self.style != ChartStyle::Candles && !self.has_indicators();
        let Some(summary) = self.series.summary().filter(|_| !is_fixed) else {
            let (averages, has_bands, has_rsi, has_macd) = (Vec::new(), false, false, false);
            return Shown { candle: self.candle, averages, has_bands, has_rsi, has_macd };
        };
        let Layout { columns, parts, values, .. } = self.layout(area, &summary);
        Shown {
            candle: columns.candle().unwrap_or(self.candle),
            averages: values.drawn_averages(),
            has_bands: values.has_bands(),
            has_rsi: !parts.rsi.is_empty(),
            has_macd: !parts.macd.is_empty(),
        }
    }

    /// The indicators at a time in an area of this size: those of the candle, or at the last close.
    pub fn indicators_at(&self, area: Rect, time: UtcTime) -> Indicators {
        let summary = self.series.summary().filter(|_| self.has_indicators());
        let Some(summary) = summary else { return Indicators::default() };
        self.indicators_in(&self.layout(area, &summary), time)
    }

    /// See [`Chart::indicators_at`].
    fn indicators_in(&self, layout: &Layout, time: UtcTime) -> Indicators {
        match layout.columns.candle() {
            Some(candle) => layout.values.of_candle(time, candle),
            None => layout.values.at(time, self.closes().1),
        }
    }

    /// Whether the volumes belong to the drawn candles.
    fn sums_volumes(&self) -> bool {
        self.style == ChartStyle::Candles && self.series.data().volume_span() == VolumeSpan::Candle
    }

    fn has_indicators(&self) -> bool {
        self.has_bands || self.has_macd || self.rsi.is_some() || !self.averages.is_empty()
    }

    /// What the indicators are computed from, and the time span of each close.
    fn closes(&self) -> (CandleData<'_>, CandleWidth) {
        let fixed = self.closes.filter(|_| self.style != ChartStyle::Candles);
        fixed.unwrap_or((self.series.data(), self.candle))
    }

    /// The values of the indicators within the time axis.
    fn indicator_values(&self) -> Values {
        if !self.has_indicators() {
            return Values::default();
        }
        let series = self.series;
        let (data, interval) = self.closes();
        let newest = series.data().all().points().last().map(|point| point.time);
        let closes = closes::closes(data.all(), interval, newest);
        let columns = match self.style {
            ChartStyle::Candles => Columns::of_candles(series.data().whole_points(self.candle), self.candle, 1),
            _ => Columns::new(series.points(), 1),
        };
        let &Chart { averages, has_bands, rsi, has_macd, .. } = self;
        Values::of(&closes, &columns, Chosen { averages, has_bands, rsi, has_macd })
    }

    /// The drawn candles; none in other styles.
    fn bars(&self, columns: &Columns) -> Vec<candles::Bar> {
        match self.style {
            ChartStyle::Candles => candles::bars(self.series, columns),
            _ => Vec::new(),
        }
    }

    /// The columns of a plot with at most this width.
    fn columns(&self, width: u16) -> Columns {
        match self.style {
            ChartStyle::Candles => Columns::of_fitting_candles(self.series.data(), self.candle, width),
            _ => Columns::new(self.series.points(), width),
        }
    }

    fn layout(&self, area: Rect, summary: &Summary) -> Layout {
        let (low, high) = (summary.low.1, summary.high.1);
        let (low, high) = self.annotations.map_or((low, high), |annotations| annotations.range_with_levels(low, high));
        let values = self.indicator_values();
        let (low, high) = values.range_with_bands(low, high);
        let scale = Scale::new(low, high);
        let scale = if self.axis == ChartAxis::Log { scale.log() } else { scale };
        let largest = if !self.has_volume {
            0.0
        } else if self.sums_volumes() {
            let columns = Columns::of_candles(self.series.points(), self.candle, 1);
            volume::largest(&volume::of_candles(&candles::bars(self.series, &columns)))
        } else {
            volume::largest(self.series.points())
        };
        let volume = Some(largest).filter(|volume| *volume > 0.0);
        let panes = Panes { rsi: self.rsi, has_macd: self.has_macd };
        // The widths of the labels don't change the height of the plot.
        let rows = Parts::of(area, 0, 0, volume, panes).plot.height;
        let prices = match self.axis {
            _ if self.hides_prices => Prices::hidden(&scale, area.height, rows, summary.open.1),
            ChartAxis::Percent if summary.open.1 > 0.0 => {
                Prices::percent(&scale, area.height, rows, summary.open.1, self.format)
            }
            _ => Prices::new(&scale, area.height, rows, self.format),
        };
        let last = prices.mark(summary.last.1);
        let labels = self.annotations.map_or(0, |annotations| annotations.width(&scale, &prices)).max(prices.width());
        let parts = Parts::of(area, labels, text::width(&last) + 3, volume, panes);
        let columns = self.columns(parts.plot.width);
        if let Some(candle) = columns.candle().filter(|candle| *candle != self.candle && self.has_indicators()) {
            // So many candles don't fit, and indicators are of those that are drawn.
            return Chart { candle, ..*self }.layout(area, summary);
        }
        Layout { scale, columns, prices, last, largest, values, parts: parts.with_plot_width(columns.width()) }
    }
}

impl Widget for Chart<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        StatefulWidget::render(self, area, buf, &mut ChartState::default());
    }
}

#[cfg(test)]
mod tests;
