//! A sparkline: a series of values as a thin braille line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::Widget;

use crate::format::sparkline::BrailleLine;

/// A line through evenly spaced values, with two values per column and four levels per row. The vertical range is at
/// least half a percent of the values, so that a nearly constant series looks flat.
///
/// ```
/// use ratatui::{buffer::Buffer, layout::Rect, style::{Style, Stylize}, widgets::Widget};
/// use satscope::view::widgets::Sparkline;
///
/// let mut buf = Buffer::empty(Rect::new(0, 0, 4, 1));
/// Sparkline::new(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).style(Style::new().green()).render(buf.area, &mut buf);
/// assert_eq!(buf, Buffer::with_lines(["⣀⠤⠒⠉".green()]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Sparkline<'a> {
    values: &'a [f64],
    style: Style,
}

impl<'a> Sparkline<'a> {
    /// A line through values, oldest first. A value that is not finite is a gap; fewer than two values paint nothing.
    pub fn new(values: &'a [f64]) -> Sparkline<'a> {
        Sparkline { values, style: Style::new() }
    }

    /// The style of the line.
    pub fn style(self, style: impl Into<Style>) -> Sparkline<'a> {
        Sparkline { style: style.into(), ..self }
    }
}

impl Widget for Sparkline<'_> {
    fn render(self, area: Rect, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        let line = BrailleLine::new(self.values, usize::from(area.width), usize::from(area.height));
        if self.values.len() > 1 {
            paint(buf, area, &line, self.style);
        }
    }
}

/// Paints all characters of a line.
pub(super) fn paint(buf: &mut Buffer, area: Rect, line: &BrailleLine, style: Style) {
    for (row, column) in (0..area.height).flat_map(|row| (0..area.width).map(move |column| (row, column))) {
        if let Some(cell) = buf.cell_mut((area.x + column, area.y + row)) {
            cell.set_char(line.char_at(usize::from(column), usize::from(row))).set_style(style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Color;

    #[test]
    fn line_has_the_given_style_and_fills_its_area() {
        let area = Rect::new(0, 0, 2, 2);
        let mut buf = Buffer::empty(area);
        Sparkline::new(&[1.0, 3.0, 6.0, 8.0]).style(Color::Red).render(area, &mut buf);
        let symbols: String = buf.content.iter().map(|cell| cell.symbol()).collect();
        assert_eq!(symbols, " ⡜⡰⠁");
        assert!(buf.content.iter().all(|cell| cell.fg == Color::Red));
    }

    #[test]
    fn any_area_is_safe() {
        let mut buf = Buffer::empty(Rect::new(1, 1, 3, 3));
        for area in [Rect::ZERO, Rect::new(0, 0, 9, 9), Rect::new(2, 2, 5000, 1), Rect::new(9, 9, 2, 2)] {
            Sparkline::new(&[1.0, 2.0, 3.0]).render(area, &mut buf);
        }
    }
}
