//! A chart whose layout and indicators are known.

use ratatui::layout::Rect;

use super::Chart;
use super::indicators::{Chosen, Indicators, Shown, Values};
use super::layout::{Fitted, Layout};
use super::series::Summary;
use crate::model::{CandleWidth, UtcTime, chart};

/// A chart in an area, with its layout and the values of its indicators. They are computed once, and its title, the
/// readout of its cursor and the plot use them.
pub struct PreparedChart<'a> {
    /// The chart, with the candles that fit.
    pub(super) chart: Chart<'a>,
    pub(super) area: Rect,
    /// `None` without a price.
    pub(super) content: Option<Content>,
}

/// The layout and the values of a chart with prices.
pub(super) struct Content {
    pub(super) summary: Summary,
    pub(super) layout: Layout,
    pub(super) values: Values,
}

impl<'a> Chart<'a> {
    /// Computes the layout in an area and the indicators.
    pub fn prepare(self, area: Rect) -> PreparedChart<'a> {
        let Some(summary) = self.series.summary() else {
            return PreparedChart { chart: self, area, content: None };
        };
        let Fitted { chart, layout, closes, bands } = self.fitted(area, &summary);
        let Chart { averages, rsi, has_macd, .. } = chart;
        let values = closes.values(Chosen { averages, rsi, has_macd }, bands);
        PreparedChart { chart, area, content: Some(Content { summary, layout, values }) }
    }
}

impl PreparedChart<'_> {
    /// The content of the area.
    pub fn shown(&self) -> Shown {
        let candle = self.chart.candle;
        let Some(Content { layout, values, .. }) = &self.content else {
            return Shown { candle, averages: Vec::new(), has_bands: false, has_rsi: false, has_macd: false };
        };
        Shown {
            candle,
            averages: values.drawn_averages(),
            has_bands: values.has_bands(),
            has_rsi: !layout.parts.rsi.is_empty(),
            has_macd: !layout.parts.macd.is_empty(),
        }
    }

    /// The time span of each candle.
    pub fn candle(&self) -> CandleWidth {
        self.chart.candle
    }

    /// The index of the drawn point nearest to a time; `None` without a price. An incomplete first candle is not drawn.
    pub fn nearest(&self, time: UtcTime) -> Option<usize> {
        let series = self.chart.series;
        let points = series.points();
        let nearest = chart::nearest(points, time).filter(|_| self.content.is_some())?;
        let first = points.len() - series.data().whole_points(self.chart.candle).len();
        Some(nearest.max(first))
    }

    /// The indicators at a time: those of the candle, or at the last close.
    pub fn indicators_at(&self, time: UtcTime) -> Indicators {
        let Some(Content { layout, values, .. }) = &self.content else { return Indicators::default() };
        match layout.columns.candle() {
            Some(candle) => values.of_candle(time, candle),
            None => values.at(time, self.chart.closes().1),
        }
    }
}
