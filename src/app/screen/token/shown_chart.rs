//! The points of a chart, and the part of them that is shown.

use crate::app::chart::window::{ChartWindow, TimeSpan};
use crate::model::{CandleData, CandleSlice, ChartStyle, Currency, Point, VolumeSpan};

/// The points of a chart.
#[derive(Clone, Copy, Debug)]
pub struct ShownChart<'a> {
    /// The shown points, oldest first.
    pub points: &'a [Point],
    /// All points of the period.
    pub all_points: &'a [Point],
    /// The time that the volume of each point covers.
    pub volume_span: VolumeSpan,
    /// The candles of the exchange that the points of the period come from.
    pub exchange: Option<CandleSlice<'a>>,
    /// The shown part; `None` if the whole period is shown.
    pub part: Option<TimeSpan>,
    /// Currency of prices, volumes and market caps.
    pub convert: &'a Currency,
}

impl<'a> ShownChart<'a> {
    /// A chart of a period; the whole period is shown if the window has none of its points.
    pub(super) fn new(
        (all_points, volume_span): (&'a [Point], VolumeSpan),
        exchange: Option<CandleSlice<'a>>,
        window: Option<ChartWindow>,
        convert: &'a Currency,
    ) -> ShownChart<'a> {
        let part = window.zip(all_points.last()).map(|(window, last)| window.span(last.time));
        let shown = part.map(|TimeSpan { start, end }| CandleData::sampled(all_points).part(start, end).points());
        let shown = shown.filter(|points| !points.is_empty());
        let part = part.filter(|_| shown.is_some());
        ShownChart { points: shown.unwrap_or(all_points), all_points, volume_span, exchange, part, convert }
    }

    /// Sets the window.
    #[must_use]
    pub fn with_window(&self, window: ChartWindow) -> ShownChart<'a> {
        ShownChart::new((self.all_points, self.volume_span), self.exchange, Some(window), self.convert)
    }

    /// Sets the points of the period and the window; unchanged if `all_points` is `None`.
    #[must_use]
    pub fn up_to_now<'b>(self, all_points: Option<&'b [Point]>, window: Option<ChartWindow>) -> ShownChart<'b>
    where
        'a: 'b,
    {
        match all_points {
            Some(points) => ShownChart::new((points, self.volume_span), self.exchange, window, self.convert),
            None => self,
        }
    }

    /// The data for a chart of this style. Exchange candles are used only by the candle style, and not for a part that
    /// begins before them, of which they would show only the end.
    pub fn data(&self, style: ChartStyle) -> CandleData<'a> {
        let sampled = CandleData::sampled(self.all_points).with_volume_span(self.volume_span);
        let exchange = self.exchange.filter(|_| style == ChartStyle::Candles);
        let Some(TimeSpan { start, end }) = self.part else { return exchange.map_or(sampled, CandleData::of_exchange) };
        let start_of = |points: &[Point]| points.first().map(|point| point.time);
        let exchange = exchange.filter(|exchange| start_of(exchange.points) <= start_of(self.points));
        let exchange = exchange.map(|exchange| CandleData::of_exchange(exchange).part(start, end));
        exchange.filter(|data| !data.points().is_empty()).unwrap_or_else(|| sampled.part(start, end))
    }

    /// What indicators of lines and areas are computed from: the candles of the exchange, unless they begin later than
    /// the points.
    pub fn indicator_data(&self) -> CandleData<'a> {
        let start_of = |points: &[Point]| points.first().map(|point| point.time);
        let exchange = self.exchange.filter(|exchange| start_of(exchange.points) <= start_of(self.all_points));
        exchange.map_or_else(|| CandleData::sampled(self.all_points), CandleData::of_exchange)
    }

    /// The ends of the period in a chart of this style.
    pub fn ends(&self, style: ChartStyle) -> Option<TimeSpan> {
        let points = self.data(style).all().points();
        let (first, last) = points.first().zip(points.last())?;
        // The last candle of an exchange ends later.
        let end = self.all_points.last().map_or(last.time, |point| point.time.max(last.time));
        Some(TimeSpan { start: first.time, end })
    }
}
