//! How the charts of coins are drawn: the same for all of them.

use std::collections::BTreeMap;

use crate::model::indicator::{BOLLINGER_LENGTH, MACD_LENGTHS};
use crate::model::{CandleData, CandleWidth, ChartAxis, ChartStyle, Period};

/// How the charts of coins are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChartView {
    /// Area, line or candles.
    pub style: ChartStyle,
    /// The price axis.
    pub axis: ChartAxis,
    /// Whether moving averages are shown.
    pub has_averages: bool,
    /// Whether Bollinger bands are shown.
    pub has_bands: bool,
    /// Whether the RSI is shown.
    pub has_rsi: bool,
    /// Whether the MACD is shown.
    pub has_macd: bool,
    /// The chosen width of the candles of each period. If none is chosen, [`CandleWidth::fitted`] chooses one.
    pub candles: BTreeMap<Period, CandleWidth>,
}

impl ChartView {
    /// The candle width of a chart of this data with this many columns. The default one gives the shown indicators enough
    /// closes, if such candles fit.
    pub fn candle(&self, period: Period, columns: u16, data: CandleData<'_>) -> CandleWidth {
        CandleWidth::fitted(self.candles.get(&period).copied(), period, columns, data, self.closes())
    }

    /// The number of closes that the shown bands and MACD need.
    fn closes(&self) -> usize {
        let [_, slow, _] = MACD_LENGTHS;
        let bands = if self.has_bands { BOLLINGER_LENGTH } else { 0 };
        bands.max(if self.has_macd { slow } else { 0 })
    }

    /// The time span of the closes that the indicators of a line or area chart are computed from: the chosen width of
    /// candles, or one that is fixed for each period. It is the same in all sizes. `data` is
    /// [`ShownChart::indicator_data`].
    ///
    /// [`ShownChart::indicator_data`]: crate::app::screen::token::ShownChart::indicator_data
    pub fn interval(&self, period: Period, data: CandleData<'_>) -> CandleWidth {
        CandleWidth::indicator_interval(self.candles.get(&period).copied(), period, data)
    }

    /// Whether any indicator is shown.
    pub fn has_indicators(&self) -> bool {
        self.has_averages || self.has_bands || self.has_rsi || self.has_macd
    }

    /// Chooses the next wider or narrower candles. Returns whether there are any that fit.
    pub fn change_candle(&mut self, period: Period, columns: u16, data: CandleData<'_>, wider: bool) -> bool {
        let here = self.candle(period, columns, data);
        let mut choices = CandleWidth::choices(period, data);
        let next = if wider { choices.find(|width| *width > here) } else { choices.rev().find(|width| *width < here) };
        let Some(next) = next.filter(|next| CandleWidth::fitted(Some(*next), period, columns, data, 0) == *next) else {
            return false;
        };
        self.candles.insert(period, next);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candles_change_only_to_widths_that_fit() {
        let mut view = ChartView::default();
        let name = |view: &ChartView| view.candle(Period::Week, 100, CandleData::default()).to_string();
        assert_eq!(name(&view), "2h");
        assert!(!view.change_candle(Period::Week, 100, CandleData::default(), false), "1h doesn't fit");
        assert!(view.change_candle(Period::Week, 100, CandleData::default(), true));
        assert_eq!(
            (name(&view).as_str(), view.candle(Period::Day, 100, CandleData::default()).to_string().as_str()),
            ("4h", "15m")
        );
        assert!(view.change_candle(Period::Week, 100, CandleData::default(), false));
        assert_eq!(name(&view), "2h");
        while view.change_candle(Period::Week, 100, CandleData::default(), true) {}
        assert_eq!(name(&view), "1d");
    }
}
