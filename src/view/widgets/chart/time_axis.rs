//! The time axis of a chart.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::columns::Columns;
use super::time_ticks::time_ticks;
use crate::model::Zone;
use crate::theme::Theme;
use crate::view::widgets::text;

/// Paints the time axis along `area`, with a corner in the column before it if `corner` is set.
pub(super) fn paint(buf: &mut Buffer, area: Rect, columns: &Columns, zone: &Zone, corner: bool, theme: &Theme) {
    if area.is_empty() {
        return;
    }
    if corner {
        text::put(buf, Rect { x: area.x.saturating_sub(1), width: 1, ..area }, "└", theme.chart_axis);
    }
    for column in 0..area.width {
        text::put(buf, Rect { width: 1, ..text::shifted(area, column) }, "─", theme.chart_axis);
    }
    for tick in time_ticks(columns, zone) {
        text::put(buf, text::shifted(area, tick.start), &tick.label, theme.chart_axis);
    }
}
