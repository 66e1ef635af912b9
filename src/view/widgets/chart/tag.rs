//! The tag of a value at the right edge of a chart: `◀ 8.41`.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::view::widgets::text;

/// A tagged value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub(super) value: f64,
    /// The styles of the sign and of the value.
    pub(super) styles: [Style; 2],
}

/// Points to the line.
const SIGN: &str = "◀ ";

/// Columns of [`SIGN`].
pub(super) const SIGN_WIDTH: u16 = 2;

/// Paints a tag in a row of cells, in the styles of its sign and of the value.
pub(super) fn paint(buf: &mut Buffer, row: Rect, value: &str, [sign, style]: [Style; 2]) {
    let used = text::put(buf, row, SIGN, sign);
    text::put(buf, text::shifted(row, used), value, style);
}
