//! A pane of an indicator below the plot of a chart.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::columns::Columns;
use super::more_candles::{MoreCandles, paint_needed_candles};
use super::tag::{self, Tag};
use crate::theme::Theme;
use crate::view::widgets::text;

/// Where and how the values of an indicator are painted.
pub(super) struct Pane<'a> {
    /// The area of its lines.
    pub(super) area: Rect,
    /// The columns right of the chart, for the tag.
    pub(super) right: Rect,
    /// The time axis.
    pub(super) columns: &'a Columns,
    /// The value to tag.
    pub(super) tagged: Option<Tag>,
    /// What gives the chart more candles.
    pub(super) more: Option<&'a MoreCandles>,
    pub(super) theme: &'a Theme,
}

impl Pane<'_> {
    /// Paints the tag in this row of cells, with the value in words.
    pub(super) fn paint_tag(&self, buf: &mut Buffer, row: impl Fn(f64) -> u16, words: impl Fn(f64) -> String) {
        let Some(Tag { value, styles }) = self.tagged else { return };
        let beside = Rect { y: self.area.y, height: self.area.height, ..self.right };
        tag::paint(buf, text::line(beside, row(value)), &words(value), styles);
    }

    /// Says in a row of cells that the indicator of this name needs `length` candles.
    pub(super) fn paint_needed(&self, buf: &mut Buffer, row: u16, name: &str, length: usize) {
        paint_needed_candles(buf, text::line(self.area, row), name, length, self.more, self.theme.dim);
    }
}
