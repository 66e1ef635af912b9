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

use crate::format::PriceFormat;
use crate::model::{CandleData, CandleWidth, ChartAxis, ChartStyle, MovingAverage, Period, Zone};
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
mod layout;
mod macd;
mod marks;
pub mod moment;
mod more_candles;
mod paint;
mod pane;
mod parts;
pub mod period_prices;
pub mod prepared;
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
pub use candle_label::candle_labels;
pub use columns::Columns;
pub use comparison::Comparison;
pub use indicators::{Indicators, Shown};
pub use more_candles::{MoreCandles, needed_candles, with_remedy};
pub use readout::Readout;
pub use series::{Series, Summary};
pub use state::ChartState;
pub use volume::VolumeLabel;

/// A price over time, with axes, high, low, opening and last price; only the line if there is no room for more. Without
/// any price it is one dim sentence.
///
/// As a stateful widget, it has a cursor and records the area and the time axis of the line. With
/// [`Chart::prepare`], a title can say what it shows.
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
    more_candles: Option<&'a MoreCandles>,
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
            more_candles: None,
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

    /// What gives the chart more candles, for indicators without a value; unknown by default.
    pub fn more_candles(self, more_candles: Option<&'a MoreCandles>) -> Chart<'a> {
        Chart { more_candles, ..self }
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

impl Widget for Chart<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        StatefulWidget::render(self, area, buf, &mut ChartState::default());
    }
}

#[cfg(test)]
mod tests;
